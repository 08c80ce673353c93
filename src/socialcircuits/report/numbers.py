"""From estimates and counts to the numbers of a page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from socialcircuits.measures import CATALOGUE, Measure, cell
from socialcircuits.measures import Row as Measured
from socialcircuits.records import TrialSummary
from socialcircuits.report.page import Number, Steps, Trail
from socialcircuits.report.reading import of
from socialcircuits.statistics import Estimate
from socialcircuits.studies import Run

MEASURES: Mapping[str, Measure] = {measure.name: measure for measure in CATALOGUE}


class Form(NamedTuple):
    """How a number is printed.

    Args:
        digits: digits behind the point.
        scale: what it is multiplied by before.
        signed: whether a plus sign is printed.
    """

    digits: int = 2
    scale: float = 1
    signed: bool = False

    def of(self, value: float) -> str:
        """Return a value as text; what rounds to zero has no sign.

        >>> Form(1, 100, True).of(0.1234), Form().of(-0.001)
        ('+12.3', '0.00')
        """
        shown = round(self.scale * value, self.digits) + 0.0
        return f"{shown:{'+' if self.signed and shown else ''}.{self.digits}f}"


SHARE, FINE, CHANGE, POINTS = Form(), Form(3), Form(3, signed=True), Form(2, 100)


class Trials:
    """The trials of a run by their settings.

    Args:
        run: the run.
    """

    def __init__(self, run: Run) -> None:
        self._cells: dict[str, tuple[Mapping[str, Any], list[TrialSummary]]] = {}
        for one in run.summaries():
            key = cell(one.condition)
            self._cells.setdefault(key, (one.condition, []))[1].append(one)

    def of(self, condition: Mapping[str, Any]) -> list[TrialSummary]:
        """Return the trials of this very condition; of a difference, those of both sides."""
        minus = condition.get("minus")
        settings = {name: value for name, value in condition.items() if name != "minus"}
        _, found = self._cells.get(cell(settings), ({}, []))
        return found if minus is None else found + self.of({**settings, **minus})

    def within(self, condition: Mapping[str, Any]) -> list[TrialSummary]:
        """Return the trials that have all these settings; of a difference, those of both sides.

        Where a condition names what a trial's own lacks, the trial is not one of them.
        """
        minus = condition.get("minus")
        settings = {name: value for name, value in condition.items() if name != "minus"}
        found = [
            trial
            for own, trials in self._cells.values()
            if all(name in own and own[name] == value for name, value in settings.items())
            for trial in trials
        ]
        return found if minus is None else found + self.within({**settings, **minus})


def counted(
    name: str,
    value: int,
    definition: str,
    trials: Sequence[TrialSummary] = (),
    adds: Callable[[TrialSummary], str] | None = None,
    reads: Steps | None = None,
) -> Number:
    """Return a count.

    >>> counted("completed", 1200, "trials that were completed").text
    '1,200'
    """
    return Number(name, value, f"{value:,}", Trail(definition, trials, adds=adds, reads=reads))


def estimated(
    name: str, found: Estimate, trail: Trail, unit: str = "seeds", form: Form = SHARE
) -> Number:
    """Return the number of an estimate, with interval, n, test and warnings; ``none`` without one.

    Method and levels of the trail are those of the estimate.

    >>> from socialcircuits.statistics import mean
    >>> number = estimated("x", mean([0.0, 0.5, 1.0, 0.5]), Trail("a mean"))
    >>> number.text, number.interval, number.n
    ('0.50', '0.00 to 1.00', 4)
    """
    trail = replace(trail, method=found.method, levels=found.levels)
    if found.value is None or found.low is None or found.high is None:
        return Number(name, None, "none", trail, n=found.n, unit=unit, warnings=found.warnings)
    return Number(
        name=name,
        value=found.value,
        text=form.of(found.value),
        trail=trail,
        low=found.low,
        high=found.high,
        interval=f"{form.of(found.low)} to {form.of(found.high)}",
        n=found.n,
        unit=unit,
        test=found.test,
        detectable=""
        if found.detectable is None
        else form._replace(signed=False).of(found.detectable),
        warnings=found.warnings,
    )


def measured(row: Measured, trials: Trials, unit: str = "seeds", form: Form = SHARE) -> Number:
    """Return the number of a measure in a condition, or of its difference between two."""
    measure = MEASURES.get(row.measure)
    inside = trials.of(row.condition)
    if measure is None:
        trail = Trail(row.measure.replace("_", " "), inside)
    else:
        # Of no value, all that could have given one.
        used = [one for one in inside if _has(measure, one)] or inside
        trail = Trail(measure.definition, used, adds=_adds(measure), reads=of(measure))
    return estimated(row.measure, row.estimate, trail, unit, form)


def _has(measure: Measure, trial: TrialSummary) -> bool:
    return measure.undefined(trial) is None and measure.value(trial) is not None


def _adds(measure: Measure) -> Callable[[TrialSummary], str]:
    def adds(trial: TrialSummary) -> str:
        part, whole = measure.count(trial)
        if measure.kind == "proportion":
            return "holds" if part else "does not hold"
        return f"{part} of {whole}" if part.denominator == 1 else f"{float(part):.3f} of {whole}"

    return adds
