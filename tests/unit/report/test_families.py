"""p values that allow for the number of tests of a page."""

from __future__ import annotations

from dataclasses import replace

from socialcircuits.report.families import adjust, lines
from socialcircuits.report.page import Head, Line, Number, Page, Row, Section, Table, Trail
from socialcircuits.statistics import Significance

P = {"defection": 0.01, "correction": 0.04, "uplift": 0.03, "ties": 0.5}


def number(name: str, p: float) -> Number:
    return Number(name, 0.1, "0.10", Trail(name), n=9, unit="seeds", test=Significance(p, "flips"))


def made() -> Page:
    """A table of three tests and a number without one, and a line with the fourth test."""
    numbers = [number(name, p) for name, p in P.items()]
    plain = Number("share", 0.5, "0.50", Trail("share"), n=9, unit="seeds")
    rows = [Row(one.name, (one, plain)) for one in numbers[:3]]
    table = Table("t", "", (Head("x", "x"), Head("y", "y")), tuple(rows))
    line = Line("said", ("ties ", numbers[3]))
    return Page("a study", "", (), (Section("One", (table,)), Section("Two", (line,))))


def adjusted(page: Page) -> dict[str, tuple[float, bool, int]]:
    found = {}
    for _, _, one in page.numbers():
        if one.adjusted:
            p, declared, among = one.adjusted
            found[one.name] = (round(p, 9), declared, among)
    return found


def told(page: Page, family: list[str]) -> list[str]:
    return [
        "".join(part.text if isinstance(part, Number) else part for part in line.parts)
        for line in lines(page, family)
    ]


def test_what_is_declared_has_holms_and_the_rest_benjamini_and_hochbergs() -> None:
    found = adjusted(adjust(made(), ["defection", "correction"]))
    assert found == {
        "defection": (0.02, True, 2),
        "correction": (0.04, True, 2),
        "uplift": (0.06, False, 2),
        "ties": (0.5, False, 2),
    }


def test_without_a_family_all_is_explored() -> None:
    found = adjusted(adjust(made(), []))
    assert found["defection"] == (0.04, False, 4)
    assert found["correction"] == found["uplift"]
    assert found["uplift"] == (round(0.04 * 4 / 3, 9), False, 4)


def test_nothing_else_of_a_page_changes() -> None:
    page = made()
    changed = adjust(page, ["ties"])
    pairs = zip(page.numbers(), changed.numbers(), strict=True)
    for (name, place, before), (other, there, after) in pairs:
        assert (name, place, replace(after, adjusted=None)) == (other, there, before)


def test_tests_are_counted_and_declared_ones_without_any_are_named() -> None:
    found = told(made(), ["defection", "honest_accuracy"])
    first, second = found
    assert first == (
        "Declared tests: 1 (defection), adjusted by Holm. Explored: 3, adjusted by "
        "Benjamini-Hochberg."
    )
    assert second == "Declared, but without a test on this page: honest accuracy."
    assert told(made(), [])[0].startswith("Declared tests: 0. Explored: 4,")


def test_of_a_page_without_tests_nothing_is_said() -> None:
    assert told(Page("a study", "", (), ()), []) == []
