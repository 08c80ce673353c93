"""Several runs of one study count as one."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from socialcircuits.errors import RunFileError
from socialcircuits.records.tables import TABLES
from socialcircuits.studies import Run, run
from tests.support.prompted import TEXT, change_prompts, script_models

POPULATION = "flag-game/population"
LITERAL = "simulated/literal"


def made(out: Path, model: str = LITERAL, seeds: int = 2, seed: int = 1, **settings: Any) -> Path:
    """A small run file."""
    small = {"N": [2, 4], "rounds": 2, **settings}
    run(POPULATION, out=out, model=model, seeds=seeds, seed=seed, settings=small).close()
    return out


def without(path: Path, where: str) -> Path:
    """The same run file without some of its trials."""
    left = path.with_name(f"{path.stem}-{len(where)}.db")
    shutil.copy(path, left)
    database = sqlite3.connect(left)
    with database:
        database.execute(f"DELETE FROM trials WHERE {where}")
    database.close()
    return left


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    """Two runs of one study: two seeds, and three other seeds."""
    return made(tmp_path / "a.db"), made(tmp_path / "b.db", seed=2, seeds=3)


def test_counts_are_sums_and_examples_those_of_the_first(two: tuple[Path, Path]) -> None:
    with Run(two[0]) as one, Run(two[1]) as other, Run(*two) as both:
        assert both.trials() == {n: one.trials()[n] + other.trials()[n] for n in one.trials()}
        done = both.trials()["completed"]
        assert both.calls() == {n: one.calls()[n] + other.calls()[n] for n in one.calls()}
        assert len(both.examples()) == len(one.examples()) > 0
        assert both.label == one.label
        assert both.mixed == ""
        assert both.as_json()["pooled"] == [str(two[1])]
        assert repr(both).endswith(
            f"a.db and 1 more: flag-game/population, {done} of {done} trials>"
        )


def test_estimates_are_those_of_all_seeds(two: tuple[Path, Path]) -> None:
    with Run(two[0]) as one, Run(two[1]) as other, Run(*two) as both:
        shares = [
            {(r.measure, r.condition["N"]): r.estimate for r in found.rows()[:10]}
            for found in (one, other, both)
        ]
        for name, whole in shares[2].items():
            first, second = shares[0][name], shares[1][name]
            assert whole.n == first.n + second.n == 5
            if name[0] == "initial_accuracy":
                assert first.value is not None
                assert second.value is not None
                assert whole.value == pytest.approx((2 * first.value + 3 * second.value) / 5)
        contrast = next(row for row in both.rows() if "minus" in row.condition)
        assert contrast.estimate.n == 5


def test_the_order_of_the_runs_does_not_matter(two: tuple[Path, Path]) -> None:
    with Run(*two) as both, Run(*reversed(two)) as turned:
        assert both.digests() == turned.digests()
        assert {name: len(value) for name, value in both.digests().items()} == {
            "run": 32, "labels": 32, "public": 32
        }  # fmt: skip
        one, other = (
            {(row.measure, str(row.condition)): row.estimate for row in found.rows()}
            for found in (both, turned)
        )
        assert one.keys() == other.keys()
        for name, estimate in one.items():
            assert other[name].value == pytest.approx(estimate.value)
            assert other[name].n == estimate.n


def test_replicates_of_one_study_seed_are_put_together_again(tmp_path: Path) -> None:
    whole = made(tmp_path / "a.db", seeds=4)
    # What is left of two interrupted runs: conditions of replicate 3 lie in different files.
    first = without(whole, "seed > 3 OR seed = 3 AND condition LIKE '%4%' OR role = 'example'")
    second = without(whole, "seed < 3 OR seed = 3 AND condition LIKE '%2%'")
    with Run(whole) as one, Run(first, second) as both:
        assert [row.as_json() for row in both.rows()] == [row.as_json() for row in one.rows()]
        assert len(both.summaries()) == len(one.summaries()) == 8


def test_seeds_that_are_not_done_are_counted_as_planned(two: tuple[Path, Path]) -> None:
    part = without(two[1], "seed = 2")
    with Run(two[0], part) as both:
        levels = both.rows()[0].estimate.levels
        assert levels["seeds"] == {"planned": 5, "completed": 4, "excluded": 1}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"m": 1}, r"\$\.trial\.m: 3 there, 1 now"),
        ({"model": "simulated/sycophantic"}, r'\$\.models\.A: "simulated/literal" there'),
        ({"N": [2, 8]}, r"\$\.sweep"),
        ({"pool": "paper28"}, r"\$\.world\.pool"),
        ({"seed": 1}, "both hold the trial .* of study seed 1; pooled runs hold each trial once"),
    ],
)
def test_what_does_not_belong_together_is_refused(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    first = made(tmp_path / "a.db")
    other = made(tmp_path / "b.db", **{"seed": 2, **change})
    with pytest.raises(RunFileError, match=message):
        Run(first, other)


def test_a_world_whose_data_changed_is_another_study(two: tuple[Path, Path]) -> None:
    database = sqlite3.connect(two[1])
    with database:
        database.execute("UPDATE meta SET value = '\"other\"' WHERE name = 'world'")
    database.close()
    with pytest.raises(RunFileError, match="the data of its world"):
        Run(*two)


def test_a_run_cannot_be_pooled_with_itself(two: tuple[Path, Path]) -> None:
    with pytest.raises(RunFileError, match="pooled runs hold each trial once"):
        Run(two[0], two[0])


def test_runs_that_tell_different_things_are_pooled_only_on_demand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script_models(monkeypatch)
    one, same = (made(tmp_path / f"{seed}.db", TEXT, 1, seed) for seed in (1, 2))
    change_prompts(monkeypatch, "uptake", "Be quick.\n")
    unsaid = made(tmp_path / "3.db", TEXT, 1, 3)
    change_prompts(monkeypatch, "task", "Be quick.\n")
    other = made(tmp_path / "4.db", TEXT, 1, 4)
    with Run(one, same, unsaid) as alike:
        assert alike.mixed == ""
        assert len(alike.told()) == 1
    where = r"first at observer guess \(text\) of condition \{\"N\":2\}"
    with pytest.raises(RunFileError, match=f"^not pooled: .*{where}; mixed"):
        Run(one, same, other)
    with Run(one, same, other, mixed=True) as mixed:
        assert "agents were told different things" in mixed.mixed
        assert len(mixed.told()) == 2
        assert mixed.rows()[0].estimate.n == 3
        assert mixed.as_json()["mixed"] == mixed.mixed


def test_what_does_not_say_what_it_told_is_pooled_only_on_demand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script_models(monkeypatch)
    one, two = (made(tmp_path / f"{seed}.db", TEXT, 1, seed) for seed in (1, 2))
    database = sqlite3.connect(two)
    with database:
        database.execute("DELETE FROM meta WHERE name = 'told'")
    database.close()
    with pytest.raises(RunFileError, match=r"2\.db does not say what its agents were told"):
        Run(one, two)
    with Run(one, two, mixed=True) as mixed:
        assert mixed.mixed.endswith("2.db does not say what its agents were told")


def test_tables_name_the_run_of_each_row(two: tuple[Path, Path]) -> None:
    with Run(two[0]) as one, Run(two[1]) as other, Run(*two) as both:
        for name in TABLES:
            parts = [one.table(name), other.table(name)]
            found = both.table(name)
            assert len(found) == sum(map(len, parts))
            assert list(found.columns) == ["run", *parts[0].columns]
            names = [[str(path)] * len(part) for path, part in zip(two, parts, strict=True)]
            assert list(found["run"]) == [*names[0], *names[1]]
        pd.testing.assert_frame_equal(both.table("estimates"), both.estimates())
