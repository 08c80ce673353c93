"""Which items are kept: those that are neither too hard nor too easy for the honest models
(adversarial deliberation, section 2.3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from socialcircuits.measures.strata import FEWEST, MOST
from socialcircuits.records import RunFile, graded
from socialcircuits.studies.planning import Group, Plan, Planned

UNKNOWN = "unjudged"
"""Stands for the number of right answers where some answer was not judged."""


class Stratum(NamedTuple):
    """How one model answered one item alone.

    Args:
        right: how many answers are right.
        unjudged: how many were not judged.
        of: how many there are.
    """

    right: int
    unjudged: int
    of: int

    @property
    def kept(self) -> bool:
        """Whether the item is kept for this model: it is known to be right some times, not all.

        >>> Stratum(2, 0, 4).kept, Stratum(4, 0, 4).kept, Stratum(1, 1, 4).kept
        (True, False, False)
        """
        return not self.unjudged and FEWEST <= self.right <= MOST


@dataclass(frozen=True)
class Strata:
    """The strata of a run.

    Args:
        found: (replicate, name of the model) -> how it answered.
        models: names of the models, in order.
    """

    found: Mapping[tuple[int, str], Stratum]
    models: tuple[str, ...]

    def keeps(self, planned: Planned) -> bool:
        """Whether a trial is run: its item is kept for all its honest models."""
        asked = [self.found.get((planned.plan.seed, name)) for name in planned.cell.honest]
        return all(one is not None and one.kept for one in asked)

    def groups(self, plan: Plan) -> tuple[Group, ...]:
        """Return the groups of a plan with the trials that are run."""
        if not plan.strata:
            return plan.groups
        kept = (Group(group.seed, tuple(filter(self.keeps, group.trials))) for group in plan.groups)
        return tuple(group for group in kept if group.trials)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield Table 3, a row for each model and number of right answers, those that were not
        judged last: model, right, items, kept."""
        for name in self.models:
            mine = [one for (_, model), one in self.found.items() if model == name]
            for right in range(max((one.of for one in mine), default=0) + 1):
                here = [one for one in mine if one.right == right and not one.unjudged]
                kept = Stratum(right, 0, right).kept
                yield {"model": name, "right": right, "items": len(here), "kept": kept}
            unknown = sum(bool(one.unjudged) for one in mine)
            if unknown:
                yield {"model": name, "right": UNKNOWN, "items": unknown, "kept": False}


def read(plan: Plan, file: RunFile, judge: str) -> Strata:
    """Return the strata of a run, as far as it has come.

    Args:
        plan: its plan.
        file: its file.
        judge: the judge whose labels count.
    """
    done = {one.number for one in file.plans()}
    found: dict[tuple[int, str], Stratum] = {}
    models: list[str] = []
    for planned in (one for group in plan.strata for one in group.trials):
        name = str(planned.cell.condition["stratum"])
        if name not in models:
            models.append(name)
        if planned.plan.number in done:
            record = file.trial(planned.plan.number)
            grades: Sequence[str] = graded(record, judge)
            count = grades.count
            found[planned.plan.seed, name] = Stratum(count("right"), count("unjudged"), len(grades))
    return Strata(found, tuple(models))
