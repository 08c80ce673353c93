"""The stop rule as (cut, horizon): exact early stopping without a barrier (rule 6)."""

from __future__ import annotations

from collections import Counter

from socialcircuits.graph import Graph


class StopTracker:
    """Follows the readout and says how far the trial may be sent.

    A trial stops after `graph.stop` consecutive rounds in which all seats of the readout hold one
    and the same valid answer. `cut` is the round it stopped at, None before that. `horizon` is the
    last round that cannot become void whatever the unknown answers turn out to be: steps up to the
    horizon may be sent at once.

    >>> from socialcircuits.graph import Readout, Seat, Step, build
    >>> steps = [Step(0, "probe", r) for r in range(4)]
    >>> tracker = StopTracker(build([Seat("0")], steps, Readout("probe", (0,), 0), stop=2))
    >>> tracker.horizon
    1
    >>> tracker.settle(0, "France"), tracker.settle(1, "Peru"), tracker.horizon
    (None, None, 2)
    """

    def __init__(self, graph: Graph) -> None:
        readout, steps = graph.readout, graph.steps
        seats = set(readout.seats)
        self._round = {
            index: step.round
            for index, step in enumerate(steps)
            if step.purpose == readout.purpose and step.seat in seats and not step.shared
        }
        self._open = Counter(self._round.values())
        self._rounds = sorted(self._open)
        self._held: dict[int, set[str | None]] = {r: set() for r in self._rounds}
        self._window = graph.stop
        self._at = (graph.stop or 0) - 1
        self._last = graph.rounds
        self.cut: int | None = None
        self.horizon = self._last
        self._advance()

    def settle(self, index: int, answer: str | None) -> None:
        """Take note of a step's final answer; None is an invalid one and breaks unanimity."""
        if index not in self._round:
            return
        current = self._round[index]
        self._open[current] -= 1
        self._held[current].add(answer)
        self._advance()

    def _advance(self) -> None:
        if self._window is None or self.cut is not None:
            return
        while self._at < len(self._rounds) and not self._may_stop(self._at):
            self._at += 1
        if self._at >= len(self._rounds):
            self.horizon = self._last
            return
        self.horizon = self._rounds[self._at]
        window = self._rounds[self._at + 1 - self._window : self._at + 1]
        if not any(self._open[r] for r in window):
            self.cut = self.horizon

    def _may_stop(self, at: int) -> bool:
        assert self._window is not None
        held: set[str | None] = set()
        for r in self._rounds[at + 1 - self._window : at + 1]:
            held |= self._held[r]
        return len(held) <= 1 and None not in held
