"""A graph of steps, and the one place where steps are numbered and privacy is checked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from socialcircuits.errors import GraphError
from socialcircuits.graph.vocabulary import (
    MONITOR,
    PRIVATE_TO_ALL,
    PRIVATE_TO_SELF,
    PURPOSES,
    Readout,
    Seat,
    Step,
)


@dataclass(frozen=True)
class Graph:
    """Ordered steps, who reads whom, and when to stop (rule 6). The order is one-at-a-time order.

    Args:
        seats: the seats, by index.
        steps: the steps, numbered.
        readout: the steps that state the group's belief.
        stop: end the trial after this many consecutive rounds of one unanimous, valid readout;
            None to run all rounds.
        cuts: edges (step index, reader's seat) along which nothing is delivered.
    """

    seats: tuple[Seat, ...]
    steps: tuple[Step, ...]
    readout: Readout
    stop: int | None = None
    cuts: frozenset[tuple[int, int]] = field(default_factory=frozenset)

    def step_id(self, index: int) -> str:
        """Return the permanent id of a step: purpose, variant, seat key and nth (rule 1)."""
        step = self.steps[index]
        name = f"{step.purpose}:{step.variant}" if step.variant else step.purpose
        return f"{name}/{self.seats[step.seat].key}/{step.nth}"

    def cutting(self, edges: Iterable[tuple[int, int]]) -> Graph:
        """Return the same graph with further edges cut."""
        return replace(self, cuts=self.cuts | frozenset(edges))

    @property
    def rounds(self) -> int:
        """The last round that any step belongs to."""
        return self.steps[-1].round if self.steps else 0


def build(
    seats: Iterable[Seat], steps: Iterable[Step], readout: Readout, stop: int | None = None
) -> Graph:
    """Number the steps of a protocol and check them against the rules of the data model.

    Raises:
        GraphError: an unknown seat or purpose, an output that leaves the privacy of its purpose
            (of a chat: the coordinated seats; of a probe: a monitor), a shared step that reads, a
            view whose window drops more rounds than it keeps, or a round that goes backwards.

    >>> seats = [Seat("0"), Seat("1")]
    >>> steps = [Step(0, "message", 1, to=(1,)), Step(0, "message", 1, to=(1,))]
    >>> graph = build(seats, steps, Readout("probe", (0, 1), 0))
    >>> graph.step_id(1)
    'message/0/1'
    """
    cast = tuple(seats)
    if len({seat.key for seat in cast}) != len(cast):
        raise GraphError("two seats have the same key")
    if any(not seat.key.isprintable() for seat in cast):
        raise GraphError("a seat's key has characters that cannot be printed")
    counts: defaultdict[tuple[int, str, str], int] = defaultdict(int)
    taken: set[tuple[int, str, str, int]] = set()
    numbered, last_round = [], 0
    for step in steps:
        _check(step, cast, last_round)
        last_round = step.round
        series = (step.seat, step.purpose, step.variant)
        if step.nth < 0:
            step = step._replace(nth=counts[series])
        counts[series] = max(counts[series], step.nth + 1)
        name = (*series, step.nth)
        if name in taken:
            raise GraphError(f"two steps are both number {step.nth} of {series}")
        taken.add(name)
        numbered.append(step)
    _check_windows(numbered)
    return Graph(cast, tuple(numbered), readout, stop)


def _check(step: Step, cast: tuple[Seat, ...], last_round: int) -> None:
    seats = len(cast)
    where = f"{step.purpose} of seat {step.seat} in round {step.round}"
    if step.purpose not in PURPOSES:
        raise GraphError(f"{where}: unknown purpose")
    if not 0 <= step.seat < seats or any(not 0 <= reader < seats for reader in step.to):
        raise GraphError(f"{where}: no such seat")
    if step.round < last_round:
        raise GraphError(f"{where}: stands after a step of round {last_round}")
    if step.purpose in PRIVATE_TO_ALL and any(
        step.purpose != "probe" or cast[reader].role != MONITOR for reader in step.to
    ):
        raise GraphError(f"{where}: its output is private, but goes to {step.to}")
    if step.purpose in PRIVATE_TO_SELF and set(step.to) - {step.seat}:
        raise GraphError(f"{where}: only its own seat may read it, but it goes to {step.to}")
    if step.purpose == "chat" and {cast[reader].role for reader in step.to} - {"coordinated"}:
        raise GraphError(f"{where}: only coordinated seats may read it, but it goes to {step.to}")
    if step.shared and (step.views or step.form == "spoken"):
        raise GraphError(f"{where}: a shared step reads nothing and asks for no reason")


def _check_windows(steps: Sequence[Step]) -> None:
    # Steps of one kind hold one and the same tuple of views: each is looked at once.
    for views in {id(step.views): step.views for step in steps}.values():
        for view in views:
            rounds, block = view.window or (1, 1)
            if not 1 <= block <= rounds:
                words = f"drops {block} rounds of a window of {rounds}; expected 1 to {rounds}"
                raise GraphError(f"view {view.section}: {words}")
