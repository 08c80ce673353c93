"""Numbers of a report, taken again from the trials of their trails alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from socialcircuits.report.numbers import Trials
from socialcircuits.report.page import Block, Number, Page, Place, Section
from socialcircuits.studies import Run

Build = Callable[[Run, Trials], Iterable[Block]]


def numbers(run: Run, build: Build) -> dict[Place, Number]:
    """Return the numbers of what is built from a run, by their places."""
    section = Section("", tuple(build(run, Trials(run))))
    found = [(place, number) for _, place, number in Page("", "", (), (section,)).numbers()]
    places = [place for place, _ in found]
    assert len(set(places)) == len(places), "two numbers at one place"
    return dict(found)


def complaints(run: Run, build: Build) -> Iterator[str]:
    """Say of each number what it lacks: an n, trials, or the same text from these trials alone."""
    again: dict[frozenset[object], dict[Place, Number]] = {}
    for place, number in numbers(run, build).items():
        trials = number.trail.trials
        if number.n is None and not isinstance(number.value, int):
            yield f"{place}: no n"
        if number.n is not None and not number.unit:
            yield f"{place}: n of what"
        if number.value is not None and not trials:
            yield f"{place}: no trials"
        if number.trail.adds and not all(number.trail.adds(trial) for trial in trials):
            yield f"{place}: a trial adds nothing"
        kept = frozenset(run.place(trial) for trial in trials)
        if kept and kept not in again:
            again[kept] = numbers(run.only(kept), build)
        alone = again[kept].get(place) if kept else number
        if alone is None or _shown(alone) != _shown(number):
            shown = "missing" if alone is None else _shown(alone)
            yield f"{place}: {_shown(number)}, from its trials alone {shown}"


def _shown(number: Number) -> tuple[object, ...]:
    p = number.test.p if number.test else None
    return number.text, number.interval, number.n, p, number.detectable
