"""Families of tests: p values that allow for how many tests a page holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from socialcircuits.report.numbers import counted
from socialcircuits.report.page import Adjusted, Block, Cell, Line, Number, Page, Section, Table
from socialcircuits.report.words import plain
from socialcircuits.statistics.multiplicity import benjamini_hochberg, holm


def adjust(page: Page, family: Collection[str]) -> Page:
    """Return a page in which each test has the p value that allows for the others.

    Those that the study declared have Holm's over the declared ones of the page; all others are
    explored and have Benjamini and Hochberg's over these.

    Args:
        page: the page.
        family: names of the declared tests.
    """
    tests, adjusted = _tests(page), dict[int, Number]()
    for declared, way in ((True, holm), (False, benjamini_hochberg)):
        found = [one for one in tests if (one.name in family) is declared]
        p_values = [one.test.p for one in found if one.test]
        for one, p in zip(found, way(p_values), strict=True):
            adjusted[id(one)] = replace(one, adjusted=Adjusted(p, declared, len(found)))
    sections = (
        Section(one.title, tuple(_with(block, adjusted) for block in one.blocks))
        for one in page.sections
    )
    return replace(page, sections=tuple(sections))


def lines(page: Page, family: Collection[str], looked: str = "") -> Iterator[Line]:
    """Yield which tests of a page are declared, and how many are explored; nothing for a page
    without any.

    Args:
        page: the page.
        family: names of the declared tests.
        looked: the measure that was tested at declared looks; empty for none.
    """
    tests = _tests(page)
    there = Counter(one.name for one in tests)
    if tests:
        yield _told(tests, [name for name in family if there[name]])
    for name in family:
        if there[name]:
            continue
        if name == looked:
            said = "was tested at the declared looks, at boundaries that allow for their number"
            yield Line("", (f"Declared: {plain(name)} {said}.",))
        else:
            yield Line("", (f"Declared, but without a test on this page: {plain(name)}.",))


def _told(tests: Sequence[Number], family: Sequence[str]) -> Line:
    declared = [one for one in tests if one.name in family]
    trials = {id(trial): trial for one in tests for trial in one.trail.trials}
    numbers = [
        counted(f"{kind}_tests", count, f"tests of this page that are {kind}", [*trials.values()])
        for kind, count in (
            ("declared", len(declared)),
            ("explored", len(tests) - len(declared)),
        )
    ]
    names = f" ({', '.join(map(plain, family))})" if family else ""
    holms = ", adjusted by Holm" if declared else ""
    first = ("Declared tests: ", numbers[0], f"{names}{holms}. ")
    return Line("families", (*first, "Explored: ", numbers[1], ", adjusted by Benjamini-Hochberg."))


def _tests(page: Page) -> list[Number]:
    return [number for _, _, number in page.numbers() if number.test is not None]


def _with(block: Block, adjusted: Mapping[int, Number]) -> Block:
    def cells(found: tuple[Cell, ...]) -> tuple[Cell, ...]:
        return tuple(adjusted.get(id(cell), cell) for cell in found)

    if isinstance(block, Table):
        rows = (replace(row, cells=cells(row.cells)) for row in block.rows)
        return replace(block, rows=tuple(rows))
    return replace(block, parts=cells(block.parts)) if isinstance(block, Line) else block
