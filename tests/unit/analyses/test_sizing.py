"""From a pilot to the size of a study."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from statistics import stdev

import pytest

import socialcircuits
from socialcircuits.analyses.amounts import Shared, Takes
from socialcircuits.analyses.comparisons import Design, Wanted, design, measure_of
from socialcircuits.analyses.piloting import Pilot, piloted
from socialcircuits.analyses.sizing import Sizing, size
from socialcircuits.errors import RunFileError, SettingError
from socialcircuits.measures import CATALOGUE, CONTRASTED, contrasts
from socialcircuits.statistics.power import flips_size, paired_power
from socialcircuits.studies import Plan, Run, Study, count, plan, read
from socialcircuits.studies.study import Interim

MEASURES = {measure.name: measure for measure in CATALOGUE}


def groups(**more: object) -> Study:
    values = {
        "name": "groups",
        "seeds": 10,
        "world": {"kind": "flags", "pool": "stripe24"},
        "trial": {"protocol": "broadcast", "m": 1, "rounds": 2},
        "models": {"A": "simulated/literal"},
        "sweep": [{"N": [2, 4]}],
        "contrast": "N",
        **more,
    }
    return Study.model_validate(values)


def quiet(done: int, planned: int) -> None:
    """Progress that nobody looks at."""


@pytest.fixture(scope="module")
def pilot() -> Iterator[Pilot]:
    with piloted(plan(groups()), None, quiet) as found:
        yield found


def sized(pilot: Pilot, study: Study | None = None, **wanted: object) -> Sizing:
    asked = {"effect": 0.2, "measure": "collective_accuracy", **wanted}
    return size(plan(study or groups()), Wanted(**asked), pilot)  # type: ignore[arg-type]


def test_matched_seeds_are_sized_by_their_differences(pilot: Pilot) -> None:
    measure, values = MEASURES["collective_accuracy"], dict[int, dict[int, float]]()
    for trial in pilot.run.summaries():
        value = measure.value(trial)
        assert value is not None
        values.setdefault(trial.seed, {})[trial.condition["N"]] = float(value)
    deviation = stdev(both[4] - both[2] for both in values.values())
    found = sized(pilot)
    [answer] = found.answers
    assert found.design == Design("difference", "N", ((4, 2),))
    assert (answer.comparison.n, answer.usable) == (20, 1.0)
    assert answer.seeds == flips_size(0.2, deviation)
    assert answer.power == pytest.approx(paired_power(0.2, deviation, 10))
    assert answer.cautious is not None
    assert answer.cautious > answer.seeds
    assert found.needed is not None
    assert found.needed.seeds == answer.seeds
    assert "simulated for the moment" in found.warnings[0]


def test_the_curve_rises_through_the_power(pilot: Pilot) -> None:
    found = sized(pilot)
    powers = [point.power for point in found.points]
    assert powers == sorted(powers, key=lambda power: power or 0)
    at = {point.amount.seeds: point.power for point in found.points}
    assert found.needed is not None
    assert at[found.needed.seeds] == pytest.approx(0.8, abs=0.02)
    assert groups().seeds in at


def test_fewer_than_six_seeds_are_never_asked_for(pilot: Pilot) -> None:
    found = sized(pilot, groups(seeds=5), effect=1.0)
    [answer] = found.answers
    assert answer.seeds == 6
    assert (answer.power, answer.detects) == (0.0, None)
    at = {point.amount.seeds: point for point in found.points}
    assert (at[5].power, at[5].detects) == (0.0, None)
    assert at[9].detects is not None


def test_seeds_are_not_shared_out_below_what_can_be_found() -> None:
    study = groups(sweep=[{"N": [2, 8]}])
    with piloted(plan(study), None, quiet) as found:
        shared = sized(found, study, effect=0.5).shared
        assert shared == "N = 8 would get 5, with which nothing can be found"
        assert isinstance(sized(found, study, effect=0.2).shared, Shared)


def test_plan_and_report_detect_the_same(pilot: Pilot) -> None:
    """With as many seeds as the pilot has, of which the report says what they would have found."""
    trials = pilot.run.summaries()
    rows = {row.measure: row.estimate for row in contrasts(trials, "N", CONTRASTED)}
    for name in ("polarization", "collective_accuracy"):
        [answer] = sized(pilot, groups(seeds=20), measure=name).answers
        assert rows[name].n == answer.comparison.n == 20
        assert rows[name].detectable == answer.detects is not None


def test_yes_or_no_is_sized_by_changes(pilot: Pilot) -> None:
    [row] = sized(pilot, measure="polarization").as_json()["comparisons"]
    assert row["test"] == "McNemar mid-p"
    assert 20 * row["deviation"] == pytest.approx(round(20 * row["deviation"]))


def test_declared_looks_ask_for_a_little_more(pilot: Pilot) -> None:
    looked = groups(looks=Interim(measure="collective_accuracy", axis="N"))
    found = sized(pilot, looked)
    assert found.looks is not None
    assert found.needed is not None
    assert found.needed.seeds <= found.looks.seeds <= 1.05 * found.needed.seeds + 1
    assert found.looks.at[-1] == found.looks.seeds > found.looks.expected
    assert not any("the study looks at" in warning for warning in found.warnings)
    other = sized(pilot, looked, measure="wrong_consensus")
    assert other.looks is None
    assert other.warnings[-1] == (
        "the study looks at collective_accuracy over N, which is not planned for here: see "
        "--measure collective_accuracy --against N"
    )


def test_seeds_are_shared_out_over_group_sizes(pilot: Pilot) -> None:
    found = sized(pilot)
    assert isinstance(found.shared, Shared)
    small, large = found.shared.shares
    assert (small.size, large.size, found.shared.unit) == (2, 4, "calls")
    assert small.seeds > found.shared.equal > large.seeds
    variance = sum(one.deviation**2 / one.seeds for one in found.shared.shares)
    equal = sum(one.deviation**2 for one in found.shared.shares) / found.shared.equal
    assert variance <= equal


def test_too_small_a_pilot_is_said(tmp_path: Path) -> None:
    with socialcircuits.run("flag-game/deceivers", out=tmp_path / "x.db", seeds=4) as run:
        laid = plan(read("flag-game/deceivers"))
        found = size(laid, Wanted(0.2, against="deceivers"), Pilot(run, "x.db"))
    assert any("rests on only 4 seeds" in warning for warning in found.warnings)
    assert {answer.comparison.n for answer in found.answers} == {4}
    # The measure has no meaning where a manager decides: there is nothing to compare.
    assert len(found.answers) == 2


@pytest.mark.parametrize("name", ["flag-game/protocols", "flag-game/patching", "chatroom/dyad"])
def test_calls_are_counted_as_by_run(name: str) -> None:
    study = read(name, seeds=3)
    counted, taken = count(plan(study)), Takes(study).amount(3)
    assert (taken.calls, taken.trials) == (counted.steps, counted.trials)


def test_items_that_are_not_kept_are_asked_for_again(tmp_path: Path) -> None:
    sets = {"N": [2, 5, 6, 7]}
    study = read("deliberation/scaling", sets=["N=[2, 5, 6, 7]"])
    with socialcircuits.run(
        "deliberation/scaling", out=tmp_path / "x.db", seeds=12, settings=sets
    ) as run:
        found = size(plan(study), Wanted(0.04, measure="honest_defection"), Pilot(run, "x.db"))
    [answer] = found.answers
    assert found.design.kind == "trend"
    assert answer.usable == answer.comparison.n / 12 < 1
    assert answer.comparison.spread is not None
    units = answer.comparison.spread.size(0.04, 0.8)
    if units is None:
        assert found.needed is None
        assert any("more questions alone" in warning for warning in found.warnings)
    else:
        assert answer.seeds == -(-units * 12 // answer.comparison.n)
    assert found.at_most
    assert isinstance(found.shared, str)


def laid(name: str, *sets: str) -> Plan:
    return plan(read(name, sets=sets))


@pytest.mark.parametrize(
    ("name", "measure", "against", "expected"),
    [
        ("flag-game/population", "polarization", "", Design("difference", "N", ((128, 4),))),
        ("flag-game/protocols", "collective_accuracy", "", Design("rate")),
        (
            "flag-game/protocols",
            "manager_accuracy",
            "cast",
            Design("difference", "cast", (("A B", "A"), ("B", "A"))),
        ),
        ("deliberation/scaling", "honest_defection", "", Design("trend")),
        ("deliberation/scaling", "honest_defection", "deceivers", Design("trend")),
        ("deliberation/scaling", "collective_accuracy", "", Design("rate")),
        (
            "deliberation/coordination",
            "honest_defection",
            "",
            Design("difference", "coordinated", ((True, False),)),
        ),
        (
            "flag-game/population-patching",
            "collective_accuracy",
            "",
            Design("difference", "intervention", (("eighth", ""),)),
        ),
    ],
)
def test_what_a_study_compares(name: str, measure: str, against: str, expected: Design) -> None:
    assert design(laid(name), MEASURES[measure], against) == expected


def test_an_axis_that_is_not_swept_is_refused() -> None:
    with pytest.raises(SettingError, match=r"--against: 'n' .*several values: N"):
        design(laid("flag-game/population"), MEASURES["polarization"], "n")


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"effect": 0.0}, "--effect: 0.0 is not allowed; expected a number above 0 and at most 1"),
        ({"effect": 1.5}, "--effect"),
        ({"effect": float("nan")}, "--effect"),
        ({"effect": 0.1, "power": 0.5}, "--power: 0.5 is not allowed"),
        ({"effect": 0.1, "power": 1.0}, "--power"),
        ({"effect": 0.1, "measure": "polarisation"}, "did you mean 'polarization'"),
    ],
)
def test_what_cannot_be_wanted(wanted: dict[str, float], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        Wanted(**wanted)  # type: ignore[arg-type]


def test_a_measure_without_a_meaning_is_refused(pilot: Pilot) -> None:
    with pytest.raises(SettingError, match=r"not a manager's\): collective_accuracy"):
        sized(pilot, measure="manager_accuracy")


def test_the_measure_is_the_first_of_the_family(pilot: Pilot) -> None:
    trials = pilot.run.summaries()
    family = groups(family=["hazard_by_peers", "manager_accuracy", "polarization"])
    assert measure_of(plan(family), Wanted(0.1), trials).name == "polarization"
    assert measure_of(plan(groups()), Wanted(0.1), trials).name == "collective_accuracy"


def run_of(study: Study, folder: Path) -> Path:
    with piloted(plan(study), None, quiet) as found:
        path = folder / "kept.db"
        path.write_bytes(found.run.path.read_bytes())
    return path


def test_a_pilot_of_other_models_is_said(tmp_path: Path) -> None:
    path = run_of(groups(models={"A": "simulated/compatibility"}, seeds=3), tmp_path)
    with piloted(plan(groups()), path, quiet) as other:
        assert "is of other models (simulated/compatibility)" in sized(other).warnings[0]
        assert sized(other).pilot == str(path)


@pytest.mark.parametrize(
    ("study", "why"),
    [
        (groups(trial={"protocol": "broadcast", "m": 1, "rounds": 3}), r"\$.trial.rounds"),
        (groups(sweep=[{"N": [2, 6]}]), r'it has no condition {"N":6}'),
    ],
)
def test_a_pilot_of_another_study_is_refused(study: Study, why: str, tmp_path: Path) -> None:
    path = run_of(groups(), tmp_path)
    with pytest.raises(RunFileError, match=why), piloted(plan(study), path, quiet):
        pass


def test_a_simulated_pilot_leaves_nothing_behind() -> None:
    real = groups(models={"A": "openai/gpt-4o-mini"})
    with piloted(plan(real), None, quiet) as found:
        path, models = found.run.path, found.run.study.models
        assert (found.path, found.seeds, path.exists()) == ("", 20, True)
    assert models == {"A": "simulated/literal"}
    assert not path.exists()


def test_a_pilot_without_a_complete_trial_is_refused(tmp_path: Path) -> None:
    path = run_of(groups(), tmp_path)
    with Run(path) as run, pytest.raises(RunFileError, match="no trial that could be a pilot"):
        size(plan(groups(sweep=[{"N": [3, 5]}])), Wanted(0.1), Pilot(run, str(path)))
