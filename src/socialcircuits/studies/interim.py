"""Declared looks at a run before its end: blocks of seeds, a test after each, and when to stop."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import accumulate, chain
from typing import Any

from socialcircuits.measures import CONTRASTED, contrasts, effects
from socialcircuits.records import RunFile, RunStore
from socialcircuits.records.schema import reading
from socialcircuits.records.summary import TrialSummary
from socialcircuits.statistics import Estimate
from socialcircuits.studies.planning import Group, Plan, Planned
from socialcircuits.studies.study import Interim, compared

__all__ = ["Look", "Watch", "decide", "looks", "marks", "stop"]

LOOKS = "looks"
"""Under this name a run remembers the declared looks that were taken."""


@dataclass(frozen=True)
class Look:
    """A declared look that was taken.

    Args:
        number: which one, from 1, and
        of: of how many.
        seeds: seeds that were complete in both conditions, and
        planned: how many there are in all.
        last: the number of the last seed that was run for it.
        n: seeds at which the measure has a value on both sides.
        estimate: mean difference over these; None where there are none.
        p: two-sided p of the test of matched seeds, and
        z: the z of which it is; None where there is no estimate.
        boundary: |z| at least this large ends the study.
        crossed: whether it is.
        when: the time (UTC, ISO 8601).
    """

    number: int
    of: int
    seeds: int
    planned: int
    last: int
    n: int
    estimate: float | None
    p: float | None
    z: float | None
    boundary: float
    crossed: bool
    when: str

    @property
    def stops(self) -> bool:
        """Whether it ended the run early; the last look is at the end."""
        return self.crossed and self.number < self.of


def looks(told: Sequence[dict[str, Any]] | None) -> list[Look]:
    """Return the declared looks that a run remembers under `LOOKS`, in order."""
    return [Look(**one) for one in told or ()]


def stop(file: RunFile) -> int | None:
    """Return the last seed of a run that a declared look stopped; None of any other.

    Raises:
        RunFileError: the file is damaged.
    """
    with reading(file.path):
        return next((look.last for look in looks(file.recall(LOOKS)) if look.stops), None)


def marks(seeds: int, number: int) -> tuple[int, ...]:
    """Return after how many seeds the looks are, the last after all; fewer for fewer seeds.

    >>> marks(10, 4)
    (3, 5, 8, 10)
    """
    return tuple(
        dict.fromkeys(-(-look * seeds // number) for look in range(1, number + 1) if seeds)
    )


def decide(found: Estimate, number: int, planned: Sequence[int], last: int) -> Look:
    """Compare the contrast at a look with the boundary there.

    Args:
        found: the contrast on the seeds that are complete, with its test.
        number: which look it is, from 1.
        planned: after how many seeds each look is (`marks`).
        last: the number of the last seed that was run.

    Source: O'Brien and Fleming (1979).

    >>> from socialcircuits.statistics import Significance
    >>> found = Estimate(-0.4, -0.6, -0.2, 20, "by hand", test=Significance(0.001, "sign flips"))
    >>> look = decide(found, 2, (10, 20, 30, 40), 20)
    >>> round(look.z, 2), round(look.boundary, 2), look.stops
    (-3.29, 2.86, True)
    """
    # They load scipy, and most runs have no looks.
    from socialcircuits.statistics.sequential import boundaries, z_score

    boundary = boundaries([seeds / planned[-1] for seeds in planned])[number - 1]
    p = found.test.p if found.test else None
    z = None if p is None else z_score(p, found.value or 0.0) + 0.0
    return Look(
        number=number,
        of=len(planned),
        seeds=planned[number - 1],
        planned=planned[-1],
        last=last,
        n=found.n,
        estimate=found.value,
        p=p,
        z=z,
        boundary=boundary,
        crossed=z is not None and abs(z) >= boundary,
        when=datetime.now(UTC).isoformat(timespec="seconds"),
    )


class Watch:
    """Hands out the trials of a run block by block, and looks after each.

    Args:
        plan: its plan, with declared looks.
        groups: those of its groups that are to be run, all trials of a group of one role.
        store: its file; looks are remembered there before anything else is run.
        judge: the judge whose labels count.

    Attributes:
        begun: the groups that were handed out.
        examples: the groups that enter no estimate and no look; they are for the caller to run.
    """

    def __init__(self, plan: Plan, groups: Sequence[Group], store: RunStore, judge: str) -> None:
        sides, rule = compared(plan.study, plan.cells), plan.study.looks
        assert sides is not None
        assert rule is not None
        self._rule: Interim = rule
        self._sides = [side.condition for side in sides]
        self._store, self._judge = store, judge
        self.begun: list[Group] = []
        self._left = [g for g in groups if g.trials[0].plan.role == "estimate"]
        self.examples = [g for g in groups if g.trials[0].plan.role != "estimate"]
        self._marks = marks(len(self._pairs(self._left)), rule.number)

    def blocks(self) -> Iterator[Sequence[Group]]:
        """Yield the trials up to each look. When the next block is asked for, those of the last one
        have been run and judged. Ends with the look that stops the run."""
        taken = looks(self._store.recall(LOOKS))
        for number, seeds in enumerate(self._marks, 1):
            if number <= len(taken):
                yield self._up_to(taken[number - 1].last)
            else:
                # Where trials failed, later seeds stand in: no look is at fewer than declared.
                while (lacking := seeds - len(self._complete())) > 0 and self._left:
                    yield self._next(lacking)
                if lacking > 0:
                    return
                taken.append(self._look(number))
                self._store.remember(LOOKS, [asdict(look) for look in taken])
            if taken[number - 1].stops:
                return
        yield self._take(len(self._left))

    def _look(self, number: int) -> Look:
        with RunFile(self._store.path) as own:
            summaries = [
                own.trial(one.plan.number).summary(self._judge)
                for one in chain.from_iterable(self._complete())
            ]
        found = self._contrast(summaries)
        return decide(found, number, self._marks, max(group.seed for group in self.begun))

    def _contrast(self, summaries: Sequence[TrialSummary]) -> Estimate:
        axis = self._rule.axis
        contrast = effects if "" in [side[axis] for side in self._sides] else contrasts
        measures = [one for one in CONTRASTED if one.name == self._rule.measure]
        rows = contrast(summaries, axis, measures)
        return rows[0].estimate if rows else Estimate(None, None, None, 0, "nowhere defined")

    def _complete(self) -> list[tuple[Planned, Planned]]:
        done = self._store.completed()
        pairs = self._pairs(self.begun)
        return [pair for pair in pairs if all(one.plan.number in done for one in pair)]

    def _pairs(self, groups: Sequence[Group]) -> list[tuple[Planned, Planned]]:
        """The trials that are compared, of each seed that has both."""
        found = []
        for group in groups:
            both = [one for one in group.trials if one.cell.condition in self._sides]
            if len(both) == len(self._sides):
                found.append((both[0], both[1]))
        return found

    def _up_to(self, last: int) -> Sequence[Group]:
        return self._take(sum(group.seed <= last for group in self._left))

    def _next(self, seeds: int) -> Sequence[Group]:
        """The next groups, up to as many seeds of which both sides are run."""
        counts = accumulate(len(self._pairs([group])) for group in self._left)
        enough = (number for number, count in enumerate(counts, 1) if count == seeds)
        return self._take(next(enough, len(self._left)))

    def _take(self, number: int) -> Sequence[Group]:
        block, self._left = self._left[:number], self._left[number:]
        self.begun += block
        return block
