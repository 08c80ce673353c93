"""Two runs side by side on matched seeds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from socialcircuits.analyses.deltas import deltas, matched
from socialcircuits.errors import RunFileError
from socialcircuits.studies import Run, run

SETTINGS = {"N": [4, 8], "contrast": "", "rounds": 2}


def held(folder: Path, name: str, model: str, **options: Any) -> Run:
    settings = SETTINGS | options.pop("settings", {})
    return run(
        "flag-game/population",
        model=model,
        out=folder / f"{name}.db",
        seeds=options.pop("seeds", 5),
        settings=settings,
        **options,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("deltas")


@pytest.fixture(scope="module")
def literal(folder: Path) -> Run:
    return held(folder, "literal", "simulated/literal")


@pytest.fixture(scope="module")
def compatible(folder: Path) -> Run:
    return held(folder, "compatible", "simulated/compatibility", seeds=4)


def test_each_seed_is_compared_with_itself(literal: Run, compatible: Run) -> None:
    rows = [row for row in deltas(literal, compatible) if row.measure == "collective_accuracy"]
    assert [row.condition["N"] for row in rows] == [4, 8]
    for row in rows:
        sides: list[dict[int, float]] = [
            {
                one.seed: one.final.count(one.truth) / len(one.final)
                for one in side.summaries()
                if one.condition["N"] == row.condition["N"]
            }
            for side in (literal, compatible)
        ]
        differences = [sides[1][seed] - sides[0][seed] for seed in sorted(sides[1])]
        assert row.estimate.value == pytest.approx(sum(differences) / 4)
        assert row.estimate.levels["seeds"] == {"planned": 5, "completed": 4, "excluded": 1}
        assert row.estimate.test is not None
        assert row.condition["run"] == str(compatible.path)
        assert row.condition["minus"] == {"run": str(literal.path)}


def test_a_run_does_not_differ_from_itself(literal: Run) -> None:
    for row in deltas(literal, literal):
        assert row.estimate.value in {None, 0.0}
        assert row.estimate.test is None or row.estimate.test.p == 1


def test_both_ways_of_matching_say_the_same(literal: Run, compatible: Run) -> None:
    firsts = {(str(one.condition), one.seed): one for one in literal.summaries()}
    pairs = [(firsts[str(two.condition), two.seed], two) for two in compatible.summaries()]
    runs = (str(literal.path), str(compatible.path))
    values = {(row.measure, row.condition["N"]): row.estimate.value for row in matched(pairs, runs)}
    assert values == {
        (row.measure, row.condition["N"]): row.estimate.value for row in deltas(literal, compatible)
    }


def test_other_seeds_are_refused(folder: Path, literal: Run) -> None:
    other = held(folder, "other", "simulated/literal", seed=2)
    with pytest.raises(RunFileError, match="study seeds"):
        deltas(literal, other)


def test_another_world_is_refused(folder: Path, literal: Run) -> None:
    other = held(folder, "pool", "simulated/literal", settings={"pool": "paper28"})
    with pytest.raises(RunFileError, match="other worlds"):
        deltas(literal, other)


def test_no_condition_in_both_is_refused(folder: Path, literal: Run) -> None:
    other = held(folder, "sizes", "simulated/literal", settings={"N": [5]})
    with pytest.raises(RunFileError, match="no condition has completed trials in both"):
        deltas(literal, other)
