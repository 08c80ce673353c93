"""Several runs of one preset side by side."""

from __future__ import annotations

from pathlib import Path

import pytest

import socialcircuits
from socialcircuits.report.assembling import page, together
from socialcircuits.report.merging import merged
from socialcircuits.report.page import Head, Line, Number, Page, Place, Row, Section, Table, Trail
from socialcircuits.studies import Run
from tests.support.pages import Made, number

SIZES = [4, 6]
SMALL = {"N": SIZES, "rounds": 2}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Run]:
    """One model, another one, and the first with another study seed."""
    folder = tmp_path_factory.mktemp("side")
    made = [("a", "literal", 1), ("b", "sycophantic", 1), ("c", "literal", 2)]
    return [
        socialcircuits.run(
            "flag-game/population",
            model=f"simulated/{model}",
            out=folder / f"{name}.db",
            seeds=3,
            seed=seed,
            settings=SMALL,
        )
        for name, model, seed in made
    ]


def number_of(text: str) -> Number:
    return Number("x", 1, text, Trail("x"))


def small(*heads: str, caption: str = "Same.", line: str = "") -> Page:
    cells = tuple(number_of(f"{head}!") for head in heads)
    table = Table("t", caption, tuple(Head(head, head) for head in heads), (Row("all", cells),))
    lines = (Line("said", (line, number_of("3"))),) if line else ()
    head = (Line("trials", ("Trials: ", number_of("7"))),)
    return Page("mine", f"agents {heads}", head, (Section("Results", (*lines, table)),))


def test_tables_of_one_name_are_one_with_the_columns_of_all() -> None:
    found = merged([small("a", "b"), small("b", "c", caption="Other.")], ["one", "two"])
    (table,) = found.sections[0].blocks
    assert isinstance(table, Table)
    assert [head.name for head in table.heads] == ["run", "a", "b", "c"]
    assert table.caption == "Same. Other."
    texts = [[c.text if isinstance(c, Number) else c for c in row.cells] for row in table.rows]
    assert texts == [["one", "a!", "b!", ""], ["two", "", "b!", "c!"]]
    assert [row.key for row in table.rows] == ["one: all", "two: all"]
    assert found.label == "agents ('a', 'b'); agents ('b', 'c')"


def test_lines_name_their_run_and_keep_ids_apart() -> None:
    found = merged([small("a", line="so "), small("a", line="so ")], ["one", "two"])
    lines = [block for block in found.sections[0].blocks if isinstance(block, Line)]
    assert [line.parts[0] for line in lines] == ["one: ", "two: "]
    ids = [name for name, _, _ in found.numbers()]
    assert ids == ["trials_1.1", "trials_2.1", "said_1.1", "t.1.a", "t.2.a", "said_2.1"]


def test_what_is_to_be_typed_stands_as_it_is() -> None:
    typed = Line("", ("a = 1\nb = 2",))
    page = Page("mine", "agents", (), (Section("Made", (typed,)),))
    assert merged([page, page], ["one", "two"]).sections[0].blocks == (typed, typed)


def test_all_numbers_of_all_runs_are_there(runs: list[Run]) -> None:
    found = Made(together(runs[:2]))
    for run, name in zip(runs, "ab", strict=False):
        alone = page(run)
        texts = found.texts()
        for _, place, one in alone.numbers():
            if place.row:
                there = place._replace(row=f"{name}: {place.row}")
                assert texts[there].startswith(one.text)
    shown = found.lines()
    assert [line for line in shown if "Trials" in line] == [
        f"{name}: Trials: 8 of 8 completed, 0 failed, 2 outside all estimates." for name in "ab"
    ]


def test_differences_between_runs_are_those_of_matched_seeds(runs: list[Run]) -> None:
    one, two = ({(t.condition["N"], t.seed): t for t in run.summaries()} for run in runs[:2])
    rows = Made(together(runs[:2])).rows("between")
    for size in SIZES:
        cells = rows[f"b minus a, collective accuracy, N = {size}"]
        shares = [
            [t.final.count(t.truth) / len(t.final) for key, t in side.items() if key[0] == size]
            for side in (one, two)
        ]
        found = number(cells["difference"])
        assert found.value == pytest.approx(sum(shares[1]) / 3 - sum(shares[0]) / 3)
        assert (found.n, found.unit, len(found.trail.trials)) == (3, "seeds", 6)
        assert found.test is not None
        assert found.adjusted is not None


def test_a_difference_between_runs_is_no_declared_test(runs: list[Run]) -> None:
    found = together(runs[:2])
    tests = [one for _, _, one in found.numbers() if one.test]
    family = runs[0].study.family
    assert "collective_accuracy" in family
    declared = [one for one in tests if one.adjusted and one.adjusted.declared]
    assert {one.name for one in declared} == set(family)
    assert {one.adjusted.among for one in declared if one.adjusted} == {2 * len(family)}
    assert "between_collective_accuracy" in {one.name for one in tests} - set(family)


def test_runs_that_do_not_match_are_named(runs: list[Run]) -> None:
    found = Made(together([runs[0], runs[2]]))
    assert "between" not in found.tables()
    (line,) = [line for line in found.lines() if "is not compared with a" in line]
    assert "study seeds (1 and 2) differ" in line


def test_every_number_is_that_of_the_trials_of_its_trail(runs: list[Run]) -> None:
    pair = runs[:2]
    again: dict[frozenset[tuple[Path, int]], dict[Place, str]] = {}
    for _, place, one in together(pair).numbers():
        kept = frozenset(_places(pair, one))
        if kept not in again:
            again[kept] = Made(together([run.only(kept) for run in pair])).texts()
        assert again[kept][place].startswith(f"{one.text} ({one.interval})"), place


def _places(runs: list[Run], one: Number) -> list[tuple[Path, int]]:
    found = {id(trial): run.place(trial) for run in runs for trial in run.summaries()}
    return [found[id(trial)] for trial in one.trail.trials]
