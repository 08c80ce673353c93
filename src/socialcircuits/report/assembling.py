"""The page of a run: its sections in order; and that of several runs, side by side."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from socialcircuits.report import families
from socialcircuits.report.merging import merged
from socialcircuits.report.numbers import Trials
from socialcircuits.report.page import Block, Line, Page, Section, Table
from socialcircuits.report.sections import (
    asked,
    attribution,
    between,
    contrasts,
    counts,
    deliberation,
    head,
    judges,
    looks,
    made,
    measured,
    rooms,
    seats,
    thresholds,
    told,
)
from socialcircuits.studies import Run
from socialcircuits.studies.display import typed

__all__ = ["headline", "page", "status", "together"]

Builder = Callable[[Run, Trials], Iterator[Block]]

TESTS, COUNTS = "Tests", "Trials, replies and cost"

SECTIONS: Mapping[str, tuple[Builder, ...]] = {
    "What was asked": (asked.blocks,),
    "What agents were told": (told.blocks,),
    "Results": (
        measured.blocks,
        thresholds.blocks,
        deliberation.blocks,
        rooms.blocks,
        seats.blocks,
        attribution.blocks,
        judges.blocks,
    ),
    TESTS: (contrasts.blocks,),
    "Looks": (looks.blocks,),
    COUNTS: (counts.blocks,),
    "How this was made": (made.blocks,),
}
"""Title -> the builders of what stands under it, in order."""


def page(run: Run) -> Page:
    """Return the report of a run."""
    looked = run.study.looks.measure if run.study.looks else ""
    found = _tested(_page(run), run.study.family, looked)
    if len(run.parts) > 1:
        return found
    *others, last = found.sections
    last = replace(last, blocks=(*last.blocks, *_explained(run, found)))
    return replace(found, sections=(*others, last))


def together(runs: Sequence[Run]) -> Page:
    """Return the report of several runs of one preset, side by side.

    Tables of the same name are one, with a first column that names the run. Beside the tests of
    each run stand the differences of the others from the first, on matched seeds.

    Args:
        runs: the runs, at least two.
    """
    names = _names(runs)
    whole = merged([_page(run) for run in runs], names)
    found = Section("Between runs", tuple(between.blocks(runs, names)))
    place = 1 + [section.title for section in whole.sections].index(TESTS)
    sections = (*whole.sections[:place], found, *whole.sections[place:])
    family = dict.fromkeys(chain.from_iterable(run.study.family for run in runs))
    return _tested(replace(whole, sections=sections), family)


def status(run: Run) -> Page:
    """Return how far a run is, without any estimate."""
    blocks = (*counts.tallies(run), Line("", (f"Digest: {run.digests()['run']}",)))
    return replace(_empty(run), sections=(Section(COUNTS, blocks),))


def headline(run: Run) -> Page:
    """Return the first lines and one table: of a chatroom what agents hold in private, else what
    became of honest agents."""
    trials = Trials(run)
    tables = [rooms.first(run, trials), *measured.blocks(run, trials)]
    first = next(one for one in tables if one and one.name in {"private", "adversaries"})
    return replace(_empty(run), sections=(Section("Results", (first,)),))


def _page(run: Run) -> Page:
    trials = Trials(run)
    # Before the head: who takes estimates of an unfinished run has looked at it, and it says so.
    sections = tuple(
        Section(title, tuple(block for build in builders for block in build(run, trials)))
        for title, builders in SECTIONS.items()
    )
    return replace(_empty(run), sections=sections)


def _empty(run: Run) -> Page:
    title = f"{run.study.name}: {run.study.about}" if run.study.about else run.study.name
    return Page(title, run.label, tuple(head.lines(run)), ())


def _explained(run: Run, found: Page) -> Iterator[Line]:
    """How to ask for the numbers of a row, of which the first with an estimate is the example."""
    tables = {block.name for block in found.blocks() if isinstance(block, Table)}
    for name, place, number in found.numbers():
        if place.block in tables and number.n is not None:
            row = name.rpartition(".")[0]
            named = f"{typed(str(run.path))}#{row}"
            words = f"Where a number comes from: socialcircuits explain {named}"
            yield Line("", (f"{words}, or any other row by its first column.",))
            return


def _names(runs: Sequence[Run]) -> list[str]:
    """The names of the files, or their paths where two are called the same."""
    stems = [run.path.stem for run in runs]
    return stems if len(set(stems)) == len(stems) else [str(run.path) for run in runs]


def _tested(found: Page, family: Collection[str], looked: str = "") -> Page:
    """The page with adjusted p values and what they are adjusted for, without empty sections."""
    found = families.adjust(found, family)
    lines = tuple(families.lines(found, family, looked))
    sections = (
        replace(one, blocks=(*one.blocks, *lines)) if one.title == TESTS else one
        for one in found.sections
    )
    return replace(found, sections=tuple(one for one in sections if one.blocks))
