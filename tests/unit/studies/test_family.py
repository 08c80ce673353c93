"""What a study declares besides its trials: its family of tests, and how many seeds each N has."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from socialcircuits.checking import checked
from socialcircuits.errors import RunFileError, SettingError
from socialcircuits.measures import cell
from socialcircuits.studies import Run, Study, costs, count, execute, plan, presets, read, run
from socialcircuits.studies.pooling import planned

POPULATION, LITERAL = "flag-game/population", "simulated/literal"
SMALL: dict[str, Any] = {"N": [2, 4], "rounds": 1}


def refusal(source: str, *sets: str) -> str:
    with pytest.raises(SettingError) as caught:
        plan(read(source, sets=sets))
    return str(caught.value)


@pytest.mark.parametrize(
    ("name", "near"),
    [("polarisation", "polarization"), ("defection_slop", "defection_slope")],
)
def test_an_unknown_test_is_refused_with_the_nearest_name(name: str, near: str) -> None:
    words = refusal(POPULATION, f"family=[{name!r}]")
    assert words.startswith(f"$.family: {name!r} is not allowed; expected names of measures, or of")
    assert words.endswith(f"did you mean {near!r}?")


def test_presets_declare_few_tests() -> None:
    sizes = {name: len(read(name).family) for name in presets()}
    assert max(sizes.values()) <= 4
    assert read("flag-game/population").family[0] == "collective_accuracy"
    assert read("flag-game/robustness").family == []


def test_a_family_enters_no_draw_and_belongs_to_the_study(tmp_path: Path) -> None:
    origin = tmp_path / "a.db"
    first = run(POPULATION, out=origin, seeds=1, model=LITERAL, settings=SMALL)
    with first:
        before = first.digests()
    other = {**SMALL, "family": ["uplift"]}
    with pytest.raises(
        RunFileError, match=r"\$\.family: .*\"polarization\".* there, \[\"uplift\"\]"
    ):
        run(POPULATION, out=origin, seeds=1, model=LITERAL, settings=other)
    replayed = run(
        POPULATION, out=tmp_path / "b.db", seeds=1, model=f"replay/{origin}", settings=other
    )
    with replayed:
        assert replayed.digests() == before
        assert replayed.file.calls()["made"] == 0


def allocated(**change: Any) -> Study:
    values: dict[str, Any] = {
        "name": "mine",
        "seeds": 5,
        "models": {"A": LITERAL},
        "trial": {"rounds": 1},
        "sweep": [{"N": [2, 4, 8]}],
        "allocation": {"4": 3, "8": 1},
    }
    return checked(Study, {**values, **change}, "$")


@pytest.mark.parametrize(
    ("allocation", "words"),
    [
        ({"6": 2}, "$.allocation: '6' is not allowed; expected an N of the study: 2, 4, 8"),
        ({"4": 6}, "$.allocation.4: 6 is not allowed; expected 1 to 5, the seeds of the study"),
        ({"4": 0}, "$.allocation.4: 0 is not allowed"),
    ],
)
def test_an_allocation_that_is_not_allowed(allocation: dict[str, int], words: str) -> None:
    with pytest.raises(SettingError) as caught:
        plan(allocated(allocation=allocation))
    assert words in str(caught.value)


def test_a_condition_is_run_for_the_first_of_its_seeds(tmp_path: Path) -> None:
    laid = plan(allocated())
    assert [len(group.trials) for group in laid.groups] == [3, 2, 2, 1, 1]
    assert len(laid.cells) == 3
    path = tmp_path / "a.db"
    execute(laid, path)
    with Run(path) as done:
        assert done.trials()["planned"] == done.trials()["completed"] == 9
        numbers = {row.condition["N"]: row.estimate.n for row in done.rows()}
        assert numbers == {2: 5, 4: 3, 8: 1}
        assert planned(done.parts) == {cell({"N": n}): number for n, number in numbers.items()}


def test_an_allocation_is_counted_and_paid_for_as_it_is() -> None:
    whole, parts = (plan(allocated(allocation=given)) for given in ({}, {"4": 3, "8": 1}))
    alone = [count(plan(allocated(sweep=[{"N": [n]}], allocation={}))).steps for n in (2, 4, 8)]
    # Guesses are shared by the sizes of a seed.
    assert count(whole).steps < sum(alone)
    assert count(parts).trials == 9
    assert count(parts).steps < count(whole).steps
    models = {"A": "openai/gpt-4o"}
    spent = [
        costs(plan(allocated(models=models, allocation=given))).prompt[0]
        for given in ({"2": 1, "4": 1, "8": 1}, {"4": 1, "8": 1}, {})
    ]
    assert spent[0] < spent[1] < spent[2] == 5 * spent[0]


def test_pooled_runs_add_up_what_is_planned(tmp_path: Path) -> None:
    paths = [tmp_path / "a.db", tmp_path / "b.db"]
    for seed, path in enumerate(paths, 1):
        execute(plan(allocated(seed=seed)), path)
    with Run(*paths) as both:
        assert planned(both.parts) == {cell({"N": n}): 2 * k for n, k in {2: 5, 4: 3, 8: 1}.items()}
        assert {row.condition["N"]: row.estimate.n for row in both.rows()} == {2: 10, 4: 6, 8: 2}
