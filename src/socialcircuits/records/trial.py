"""What happened in one trial, as the engine hands it over."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from socialcircuits.graph import Graph, Reply
from socialcircuits.graph.vocabulary import Segment
from socialcircuits.seeds import digest

NO_KEY = b""
"""Key of given and computed steps, which ask nobody."""

PEERS = "peers"
"""Under this name the facts of a seat test say who speaks, and from which pack."""


class Asking(NamedTuple):
    """A step about to be asked: index, number of the attempt, key, and the prompt to be sent."""

    step: int
    attempt: int
    key: bytes
    prompt: tuple[Segment, ...] = ()


class Attempt(NamedTuple):
    """One asking of one step: index of the step, number of the attempt, key, what came, and the
    digests of the segments that were sent (none for a mind that reads no prompt)."""

    step: int
    attempt: int
    key: bytes
    reply: Reply
    prompt: tuple[bytes, ...] = ()


def segment_digest(segment: Segment) -> bytes:
    """Return the key under which a segment is stored."""
    return digest(segment.role, segment.kind, segment.data)


class Spent(NamedTuple):
    """Tokens, and cost in billionths of a US dollar."""

    prompt: int
    completion: int
    cost: int


def total(replies: Iterable[Reply]) -> Spent:
    """Add up what replies took; where a server did not say, nothing is added."""
    used = [reply.usage for reply in replies if reply.usage is not None]
    return Spent(
        sum(usage.prompt or 0 for usage in used),
        sum(usage.completion or 0 for usage in used),
        sum(usage.cost for usage in used),
    )


@dataclass(frozen=True)
class Played:
    """What happened in a trial.

    Args:
        graph: the graph that was run.
        attempts: all attempts of non-void steps, in graph order, then attempt order.
        cut: last round that ran.
        made: replies asked for in this trial, shared steps not counted.
        reused: replies found in a record instead, shared steps not counted.
        invalid: how many of the made and reused replies were invalid.
        voided: replies asked for in rounds that turned out to be void.
    """

    graph: Graph
    attempts: tuple[Attempt, ...]
    cut: int
    made: int
    reused: int
    invalid: int
    voided: int


@dataclass(frozen=True)
class TrialPlan:
    """Which trial of a run this is.

    Args:
        number: its number in the run, from 0.
        condition: the swept settings of its cell.
        seed: the replicate, from 1.
        role: ``estimate``, or ``example`` for a trial that enters no estimate.
    """

    number: int
    condition: Mapping[str, Any]
    seed: int
    role: str = "estimate"


@dataclass(frozen=True)
class Provided:
    """What the seats of a trial were given, for reading the record later.

    Args:
        minds: the mind's id, a seat.
        briefs: role, bandwidth, uptake and name, a seat.
        evidence: digest of the evidence, a seat; empty for a seat that sees nothing.
        facts: what the world recorded.
    """

    minds: tuple[str, ...]
    briefs: tuple[Mapping[str, Any], ...]
    evidence: tuple[str, ...]
    facts: Mapping[str, Any]


@dataclass(frozen=True)
class Label:
    """What a judge says of a step, or of a whole trial.

    Args:
        step: index of the judged step; of a whole trial, of the first step that was judged.
        rubric: name of the rubric.
        judge: id of the judge.
        number: the pass, from 0; a judge may be asked again.
        value: what it says (JSON value); None where there is none.
        reason: its reason.
        quote: words of the judged text on which it rests; empty where it needs none.
        why: why there is no value; empty where there is one.
    """

    step: int
    rubric: str
    judge: str
    number: int
    value: Any
    reason: str = ""
    quote: str = ""
    why: str = ""
