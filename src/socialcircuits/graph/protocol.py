"""What a protocol is: a function from a cast, settings and a stream to a graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from socialcircuits.graph.graph import Graph
from socialcircuits.graph.vocabulary import ADVERSARIES, Seat
from socialcircuits.seeds import Stream


@dataclass(frozen=True)
class Settings:
    """Settings that every protocol of rounds understands.

    Args:
        rounds: number of rounds, at least 1.
        memory: H, the number of entries a memory keeps, at least 1 (paper, appendix D: 8).
        stop: unanimous rounds after which a trial ends, or None (paper, section 3.1: 5).
        probes: isolated probes a seat, at least 1; None asks for the odds of all answers instead.
        reflections: how many of its own reflections a seat reads, newest first; None for all.
        chat: turns of each coordinated adversary in every private chat, at least 1.
        verify: what an honest agent does before it votes: nothing (empty), answers once more
            ``alone``, or checks the leading ``claim``.
        window: rounds of what was said that are kept at most, 0 for all, and
        block: how many of them are dropped at once.
        network: who hears whom: complete, ring, star, small-world, or edges such as ``0-1 1-2``.
        reasks: whether probes are asked again with another instruction: no, ``own`` view, or
            ``anonymous`` history; several parted by spaces.
        defence: what is done against adversaries: nothing, ``correct``, ``untrusted``, ``check`` or
            ``monitor``.
        wrong: how many recorded guests of a seat test speak for the wrong answer.
        wordings: in how many wordings its private questions are asked.
    """

    rounds: int = 10
    memory: int = 8
    stop: int | None = 5
    probes: int | None = 1
    reflections: int | None = None
    chat: int = 2
    verify: str = ""
    window: int = 0
    block: int = 1
    network: str = "complete"
    reasks: str = ""
    defence: str = ""
    wrong: int = 0
    wordings: int = 1


@dataclass(frozen=True)
class Protocol:
    """A named protocol.

    Args:
        name: its name in the catalogue.
        seats: number of evidence-bearing agents N -> the seats of a trial.
        graph: (cast, settings, stream) -> graph of steps.
        bears: roles that bear evidence.
        least: the smallest N that makes sense, and
        most: the largest; None for any.
        speaks: the protocol in whose words prompted seats are asked; empty: its own.
        in_rounds: whether it runs the rounds that are set, under the stop rule; where it does not,
            its graph depends on neither.
        takes: settings of a trial that this protocol alone, or few, have a use for.
        label: what seats are called among each other, before a number; empty where messages are
            unsigned.
        personas: whether agents have names and personas, as far as there are any.
    """

    name: str
    seats: Callable[[int], tuple[Seat, ...]]
    graph: Callable[[Sequence[Seat], Settings, Stream], Graph]
    bears: tuple[str, ...] = ("observer", *ADVERSARIES)
    least: int = 2
    most: int | None = None
    speaks: str = ""
    in_rounds: bool = True
    takes: tuple[str, ...] = ()
    label: str = ""
    personas: bool = False


def observers(n: int) -> tuple[Seat, ...]:
    """Return n observer seats with keys 0 to n - 1."""
    return tuple(Seat(str(i)) for i in range(n))
