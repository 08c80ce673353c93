"""A run with what several tables are made from, each made once."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from socialcircuits.analyses.attributing import all_held
from socialcircuits.analyses.attribution import Attribution
from socialcircuits.analyses.counting import TrialCount, counted
from socialcircuits.analyses.hazard import Adjusted, adjusted
from socialcircuits.analyses.trends import Trend, trends
from socialcircuits.records import TrialSummary
from socialcircuits.report.sections.judges import Compared, compared
from socialcircuits.studies import Run
from socialcircuits.studies.study import INTERVENTION

__all__ = ["Analysed"]


class Analysed:
    """A run and its analyses.

    Args:
        run: the run.
        first: the run that it is compared with; None for the first of a page.
    """

    def __init__(self, run: Run, first: Run | None = None) -> None:
        self.run, self.first = run, first

    @cached_property
    def axes(self) -> list[str]:
        """The swept settings."""
        return list(dict.fromkeys(axis for one in self.run.plan.cells for axis in one.condition))

    @cached_property
    def summaries(self) -> Sequence[TrialSummary]:
        """The trials that enter estimates."""
        return self.run.summaries()

    @cached_property
    def plain(self) -> Sequence[TrialSummary]:
        """Those of them without an intervention."""
        return [one for one in self.summaries if not one.condition.get(INTERVENTION)]

    @cached_property
    def estimates(self) -> list[dict[str, Any]]:
        """The rows of `Run.estimates`."""
        rows = self.run.estimates().to_dict("records")
        return [{str(name): value for name, value in row.items()} for row in rows]

    @cached_property
    def levels(self) -> list[dict[str, Any]]:
        """The estimates of conditions, without contrasts and effects."""
        return [row for row in self.estimates if not row["minus"]]

    def less(self, axis: str) -> list[dict[str, Any]]:
        """Return the estimates that are differences over a setting."""
        return [row for row in self.estimates if row["minus"] and axis in json.loads(row["minus"])]

    @cached_property
    def counts(self) -> Sequence[TrialCount]:
        """Trials with adversaries, as counts."""
        return counted(self.summaries)

    @cached_property
    def trends(self) -> Sequence[Trend]:
        """The straight lines over the proportion of adversaries."""
        return trends(self.counts)

    @cached_property
    def adjusted(self) -> Sequence[Adjusted]:
        """The adjusted hazards of chatrooms."""
        return adjusted(self.plain)

    @cached_property
    def attributions(self) -> Sequence[Attribution]:
        """The schedules of which the run holds every patch and probe."""
        return list(all_held(self.run))

    @cached_property
    def compared(self) -> Sequence[Compared]:
        """Each two judges, by part of a rubric."""
        return compared(self.run)
