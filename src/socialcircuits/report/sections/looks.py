"""Looks at the results before the end, and what they do to the chance of a false positive."""

from __future__ import annotations

from collections.abc import Iterator

from socialcircuits.report.numbers import CHANGE, MEASURES, SHARE, Trials
from socialcircuits.report.page import Block, Cell, Head, Number, Row, Table, Trail
from socialcircuits.report.reading import of
from socialcircuits.report.words import p_text, units
from socialcircuits.studies import Run
from socialcircuits.studies.interim import Look
from socialcircuits.studies.looks import Looks, recorded
from socialcircuits.studies.study import compared

HEADS = (
    Head("look", "look"),
    Head("part", "part of\nthe study"),
    Head("estimate", "estimate"),
    Head("p", "p"),
    Head("z", "z"),
    Head("boundary", "boundary"),
    Head("crossed", "crossed"),
    Head("when", "when"),
)


def all_looks(run: Run) -> list[Looks]:
    """Return the looks at each of the runs that were pooled."""
    return [recorded(part) for part in run.parts]


def blocks(run: Run, trials: Trials) -> Iterator[Block]:
    """Yield the looks at each run; nothing for a run that nobody looked at."""
    for number, found in enumerate(all_looks(run), 1):
        several = f"_{number}" if len(run.parts) > 1 else ""
        if found.declared or found.undeclared:
            taken = _Taken(run, trials, several)
            rows = [taken.declared(look) for look in found.declared]
            for place, peek in enumerate(found.undeclared, 1):
                part = f"{peek.trials} of {peek.planned} trials"
                cells = ("undeclared", part, "", "", "", "", "", peek.when)
                rows.append(Row(f"undeclared {place}", cells))
            caption = f"Looks before the end: {found.verdict}."
            yield Table(f"looks{several}", caption, HEADS, tuple(rows))


class _Taken:
    """The declared looks of one run."""

    def __init__(self, run: Run, trials: Trials, several: str) -> None:
        self._unit, self._measure = units(run.study), run.study.looks
        sides = compared(run.study, [c for c in run.plan.cells if c.role == "estimate"])
        # The seeds of pooled runs are renumbered: which trials a look saw is not told there.
        self._seen = [
            one
            for side in (sides if sides and not several else ())
            for one in trials.within(side.condition)
        ]

    def declared(self, look: Look) -> Row:
        key = f"{look.number} of {look.of}"
        seeds = f"{look.seeds} of {look.planned} {self._unit}"
        numbers = (
            self._number("estimate", look.estimate, look),
            self._number("p", look.p, look),
            self._number("z", look.z, look),
        )
        crossed = "yes" if look.crossed else "no"
        return Row(key, (key, seeds, *numbers, SHARE.of(look.boundary), crossed, look.when))

    def _number(self, what: str, value: float | None, look: Look) -> Cell:
        name = self._measure.measure if self._measure else ""
        measure = MEASURES[name]
        definition = f"as it was at the look; {what} of the contrast: {measure.definition}"
        seen = [one for one in self._seen if one.seed <= look.last]
        trail = Trail(definition, seen, reads=of(measure))
        text = "none"
        if value is not None:
            text = CHANGE.of(value) if what == "estimate" else SHARE.of(value)
            text = p_text(value) if what == "p" else text
        return Number(name, value, text, trail, n=look.n, unit=self._unit)
