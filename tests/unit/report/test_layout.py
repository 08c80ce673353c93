"""What stands in which cell of a table: n, intervals, tests, verdicts and warnings."""

from __future__ import annotations

from dataclasses import replace

import pytest

from socialcircuits.report.layout import Grid, laid, sentence
from socialcircuits.report.page import Adjusted, Cell, Head, Line, Number, Row, Table, Trail
from socialcircuits.statistics import Significance

TRAIL = Trail("shares")
HALF = Number("share", 0.5, "0.50", TRAIL, 0.1, 0.9, "0.10 to 0.90", 38, "seeds")
COUNT = Number("trials", 1200, "1,200", TRAIL)
NONE = Number("share", None, "none", TRAIL, n=0, unit="seeds")
TESTED = replace(HALF, low=0.2, high=0.8, test=Significance(0.012, "sign flips"))


def grid(*rows: tuple[Cell, ...]) -> Grid:
    """The first column holds settings."""
    heads = tuple(Head(f"c{place}", f"head {place}") for place in range(len(rows[0])))
    lines = tuple(Row(f"row {place}", cells) for place, cells in enumerate(rows))
    return laid(Table("made", "A caption.", heads, lines))


def heads(found: Grid) -> list[str]:
    return [" ".join(column.lines) for column in found.columns]


def cells(found: Grid, row: int = 0) -> list[str]:
    return ["|".join(cell.lines) for cell in found.rows[row].cells]


def test_a_shared_n_stands_once_in_a_column_headed_by_its_unit() -> None:
    found = grid(("N = 4", HALF, COUNT), ("N = 8", replace(HALF, n=1040), COUNT))
    assert heads(found) == ["head 0", "seeds", "head 1", "head 2"]
    assert [column.numeric for column in found.columns] == [False, True, True, True]
    assert cells(found) == ["N = 4", "38", "0.50 (0.10 to 0.90)", "1,200"]
    assert cells(found, 1)[1] == "1,040"
    assert found.notes == ()


def test_an_n_that_differs_within_a_row_stands_in_each_cell() -> None:
    found = grid(("a", HALF, replace(HALF, n=9)), ("b", HALF, HALF))
    assert heads(found) == ["head 0", "head 1", "head 2"]
    assert cells(found) == ["a", "0.50 (0.10 to 0.90)|n 38", "0.50 (0.10 to 0.90)|n 9"]
    assert found.notes == ("n counts seeds.",)


def test_units_that_differ_are_named_in_each_cell() -> None:
    found = grid(("a", HALF, replace(HALF, unit="items")))
    assert cells(found) == ["a", "0.50 (0.10 to 0.90)|n 38 seeds", "0.50 (0.10 to 0.90)|n 38 items"]
    assert found.notes == ()


def test_a_number_without_a_value_says_its_own_n() -> None:
    found = grid(("a", HALF, NONE), ("b", NONE, NONE))
    assert cells(found) == ["a", "38", "0.50 (0.10 to 0.90)", "none|n 0"]
    assert cells(found, 1) == ["b", "0", "none|n 0", "none|n 0"]


def test_many_intervals_stand_below_their_numbers() -> None:
    assert cells(grid(("a", HALF, HALF, HALF)))[2] == "0.50|0.10 to 0.90"


def test_a_table_of_counts_has_no_n() -> None:
    found = grid(("planned", COUNT))
    assert heads(found) == ["head 0", "head 1"]
    assert cells(found) == ["planned", "1,200"]


def test_each_cell_knows_its_number() -> None:
    found = grid(("a", TESTED), ("b", COUNT))
    assert [row.id for row in found.rows] == ["made.1", "made.2"]
    assert [cell.id for cell in found.rows[0].cells] == ["", "", "made.1.c1", "", "", ""]
    assert found.rows[1].cells[2].id == "made.2.c1"


@pytest.mark.parametrize(
    ("number", "columns"),
    [
        (TESTED, ["0.012", "", "higher"]),
        (replace(TESTED, low=-0.8, high=-0.2), ["0.012", "", "lower"]),
        (replace(TESTED, low=-0.1), ["0.012", "", "open"]),
        (replace(TESTED, low=-0.1, detectable="0.12"),
         ["0.012", "", "open: 0.12 would have been found"]),
        (replace(TESTED, null=0.5), ["0.012", "", "open"]),
        (replace(TESTED, low=None, high=None), ["0.012", "", "differs"]),
        (replace(TESTED, test=Significance(1e-05, "sign flips", exact=False)),
         ["<= 1e-05", "", "higher"]),
        (replace(TESTED, adjusted=Adjusted(0.048, declared=True, among=4)),
         ["0.012", "0.048 Holm of 4", "higher"]),
        (replace(TESTED, adjusted=Adjusted(0.06, declared=False, among=23)),
         ["0.012", "0.060 BH of 23", "higher, but not when adjusted"]),
        (HALF, ["", "", ""]),
    ],
)  # fmt: skip
def test_a_test_gives_three_columns(number: Number, columns: list[str]) -> None:
    found = grid(("a", TESTED, "beside"), ("b", number, "beside"))
    assert heads(found)[3:] == ["p", "adjusted p", "verdict", "head 2"]
    assert cells(found, 1)[3:6] == columns


def test_two_columns_of_tests_are_told_apart() -> None:
    found = heads(grid(("a", TESTED, TESTED)))
    assert found[3:6] == ["head 1 p", "head 1 adjusted p", "head 1 verdict"]
    assert found[7:] == ["head 2 p", "head 2 adjusted p", "head 2 verdict"]


def test_warnings_are_marked_where_they_hold() -> None:
    few, none = ("few units",), ("few units", "all are equal")
    some = replace(HALF, warnings=few)
    found = grid(
        ("a", some, replace(HALF, warnings=none), replace(HALF, warnings=(*few, "odd"))),
        ("b", some, replace(HALF, warnings=none), some),
    )
    assert heads(found)[2:] == ["head 1", "head 2 [1]", "head 3"]
    assert cells(found)[2:] == ["0.50|0.10 to 0.90", "0.50|0.10 to 0.90", "0.50 [2]|0.10 to 0.90"]
    assert found.notes == ("All numbers: few units.", "[1] all are equal.", "[2] odd.")


def test_warnings_that_differ_in_counts_share_a_mark() -> None:
    warnings = ["only 4 units", "only 12 units", "2 unjudged: 0.100 to 0.200"]
    rows = [(text, replace(HALF, warnings=(text,))) for text in warnings]
    found = grid(*rows, ("plain", HALF))
    assert [cells(found, row)[2][-3:] for row in range(3)] == ["[1]", "[1]", "[2]"]
    assert found.notes == ("[1] only 4 to 12 units.", "[2] 2 unjudged: 0.100 to 0.200.")


def test_a_table_without_rows_has_its_heads() -> None:
    found = laid(Table("made", "", (Head("a", "a\nb"),), ()))
    assert [column.lines for column in found.columns] == [("a", "b")]
    assert found.rows == ()


def test_a_sentence_shows_n_interval_test_and_warnings() -> None:
    number = replace(TESTED, warnings=("few",), adjusted=Adjusted(0.06, declared=False, among=2))
    parts = sentence(Line("told", (COUNT, " trials, ", number, ".")))
    assert parts[0] == ("1,200", "told.1")
    shown = "0.50 (0.10 to 0.90, n 38 seeds, p 0.012, adjusted 0.060 BH of 2, few)"
    assert parts[2] == (shown, "told.2")
    assert "".join(text for text, _ in parts) == f"1,200 trials, {shown}."
