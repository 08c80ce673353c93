"""Where settings come from, and what is said about those that are not allowed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from socialcircuits.checking import checked
from socialcircuits.errors import SettingError, UsageError
from socialcircuits.studies import Study, plan, presets, read
from socialcircuits.studies.settings import Trial
from socialcircuits.studies.study import conditions

POPULATION, PROTOCOLS = "flag-game/population", "flag-game/protocols"


def a_file(tmp_path: Path, text: str) -> str:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    return str(path)


def refusal(source: str, *sets: str, **options: Any) -> str:
    with pytest.raises(SettingError) as caught:
        plan(read(source, sets=sets, **options))
    return str(caught.value)


@pytest.mark.parametrize("name", sorted(presets()))
def test_a_resolved_study_survives_json(name: str) -> None:
    study = read(name, sets=["alpha=[0, 0.25, 1]", "m=1"], seeds=3, seed=7)
    shown = json.loads(json.dumps(study.model_dump(mode="json")))
    assert checked(Study, shown, "$") == study
    assert checked(Study, shown, "$").model_dump(mode="json") == shown


def test_defaults_hold_where_nothing_is_said(tmp_path: Path) -> None:
    study = read(a_file(tmp_path, ""))
    assert study == Study(
        name="mine", models={"A": "simulated/literal", "B": "simulated/compatibility"}
    )
    assert study.trial == Trial()
    assert (Trial().protocol, Trial().N, Trial().m, Trial().memory) == ("pairwise", 8, 3, 8)
    assert (Trial().length, Trial().stop, Trial().retries, Trial().uptake) == (10, 5, 2, None)


def test_a_flag_wins_over_set_over_the_file_over_the_default(tmp_path: Path) -> None:
    source = a_file(tmp_path, "seeds = 5\nseed = 5\n[trial]\nN = 5\nm = 1\n")
    study = read(source)
    assert (study.seeds, study.seed, study.trial.N, study.trial.m) == (5, 5, 5, 1)
    study = read(source, sets=["seeds=6", "seed=6", "N=6"])
    assert (study.seeds, study.seed, study.trial.N, study.trial.m) == (6, 6, 6, 1)
    study = read(source, sets=["seeds=6", "seed=6", "N=6"], seeds=7, seed=8)
    assert (study.seeds, study.seed, study.trial.N, study.trial.m) == (7, 8, 6, 1)


def test_models_of_a_flag_win_over_those_of_a_file(tmp_path: Path) -> None:
    source = a_file(tmp_path, '[models]\nA = "simulated/compatibility"\n')
    assert read(source).models == {"A": "simulated/compatibility"}
    assert read(source, sets=["models.A=simulated/sycophantic"]).models["A"].endswith("sycophantic")
    flagged = read(source, sets=["models.A=x"], models={"A": "simulated/literal"})
    assert flagged.models == {"A": "simulated/literal"}


def test_a_file_may_start_from_a_preset(tmp_path: Path) -> None:
    source = a_file(
        tmp_path, f'preset = "{POPULATION}"\nseeds = 2\n[trial]\nm = 1\n[[sweep]]\nN = [4, 6]\n'
    )
    study = read(source)
    assert (study.name, study.seeds, study.trial.m, study.contrast) == ("mine", 2, 1, "N")
    assert study.sweep == [{"N": [4, 6]}]
    assert study.world["pool"] == "stripe24"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("alpha=0.5", 0.5),
        ("alpha=off", "off"),
        ("alpha='off'", "off"),
        ("trial.alpha = 1", 1.0),
        ("alpha=0", 0.0),
    ],
)
def test_a_value_is_toml_or_text_as_it_stands(text: str, value: object) -> None:
    assert read(POPULATION, sets=[text]).trial.alpha == value


@pytest.mark.parametrize("text", ["N=[4, 8]", "N=4,8", "N = 4, 8"])
def test_several_values_make_a_sweep(tmp_path: Path, text: str) -> None:
    assert read(POPULATION, sets=[text]).sweep == [{"N": [4, 8]}]
    assert read(a_file(tmp_path, ""), sets=[text]).sweep == [{"N": [4, 8]}]


def test_one_value_fixes_a_swept_setting_in_all_its_blocks() -> None:
    study = read(PROTOCOLS, sets=["cast=A"])
    assert [block["cast"] for block in study.sweep] == [["A"], ["A"]]


def test_world_settings_can_be_set() -> None:
    for text in ("pool=paper28", "world.pool=paper28"):
        assert read(POPULATION, sets=[text]).world == {"kind": "flags", "pool": "paper28"}


def test_a_setting_named_nowhere_is_refused_with_the_nearest() -> None:
    assert "did you mean 'rounds'?" in refusal(POPULATION, "ronds=3")
    assert "$.trial: 'memmory' is not" in refusal(POPULATION, "trial.memmory=3")
    assert "did you mean 'memory'?" in refusal(POPULATION, "trial.memmory=3")
    assert "did you mean 'flag-game/population'?" in refusal("flag-game/populaton")
    assert "did you mean 'sycophantic'?" in refusal_of_model("simulated/sycofantic")


def refusal_of_model(model: str) -> str:
    from socialcircuits.studies import Builder

    with pytest.raises(SettingError) as caught:
        _ = Builder(read(POPULATION, models={"A": model})).originals
    return str(caught.value)


def test_a_file_may_hold_unknown_names_neither(tmp_path: Path) -> None:
    for text, words in [
        ("seedz = 3", "$: 'seedz' is not allowed; expected a setting"),
        ("[trial]\nroundz = 3", "did you mean 'rounds'?"),
        ("[[sweep]]\nNN = [3]", "$.trial: 'NN' is not allowed"),
        ('preset = "flag-game/populatoin"', "did you mean 'flag-game/population'?"),
    ]:
        assert words in refusal(a_file(tmp_path, text))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("N=1", "$.trial.N: 1 is not allowed; expected at least 2"),
        ("N=[4, 1]", "$.trial.N: 1 is not allowed; expected at least 2"),
        ("N=four", "$.trial.N: 'four' is not allowed; expected an integer"),
        ("N=4.0", "$.trial.N: 4.0 is not allowed; expected an integer"),
        ("m=2", "$.trial.m: 2 is not allowed; expected 1 or 3"),
        ("m=true", "$.trial.m: True is not allowed; expected 1 or 3"),
        ("alpha=1.5", "$.trial.alpha: 1.5 is not allowed; expected 0 to 1, or off"),
        ("alpha=-0.1", "$.trial.alpha: -0.1 is not allowed; expected 0 to 1, or off"),
        ("rounds=0", "$.trial.rounds: 0 is not allowed; expected at least 1"),
        ("rounds=10001", "$.trial.rounds: 10001 is not allowed; expected at most 10000"),
        ("rounds={4 = 10001}", "$.trial.rounds: 10001 is not allowed; expected 1 to 10000"),
        ("rounds={4 = 0}", "$.trial.rounds: 0 is not allowed; expected 1 to 10000"),
        ("deceivers='10'", "'10' is not allowed; expected 10 as a number, not as text; or a share"),
        ("deceivers='2.5'", "'2.5' is not allowed; expected a number, or a share such as 1/5"),
        ("memory=0", "$.trial.memory: 0 is not allowed; expected at least 1"),
        ("stop=-1", "$.trial.stop: -1 is not allowed; expected at least 0"),
        ("retries=-1", "$.trial.retries: -1 is not allowed; expected at least 0"),
        ("protocol=gossip", "expected one of pairwise, broadcast, manager"),
        ("cast=''", "$.trial.cast: '' is not allowed; expected some text"),
        ("N=[]", "$.sweep[0].N: [] is not allowed; expected at least 1 entries"),
        ("seeds=0", "$.seeds: 0 is not allowed; expected at least 1"),
        ("figures=[3]", "$.figures[0]: 3 is not allowed"),
        ("rounds={four = 3}", "expected a number, or a table N = rounds"),
        ("rounds={}", "expected a number, or a table N = rounds"),
        ("N", "--set: 'N' is not allowed; expected SETTING=VALUE"),
        ("foo.x=1", "$: 'foo' is not allowed; expected a setting"),
    ],
)
def test_a_value_that_is_not_allowed_is_one_clear_error(change: str, words: str) -> None:
    assert words in refusal(POPULATION, change)


@pytest.mark.parametrize("change", ["seeds.x=3", "name.x=1", "sweep.N=4", "example.truth=Peru"])
def test_a_path_into_what_is_no_table_is_one_clear_error(change: str) -> None:
    assert "is not allowed" in refusal(POPULATION, change)


def test_one_condition_cannot_be_run_twice() -> None:
    assert "is not allowed" in refusal(POPULATION, "N=[4, 4]")


def test_a_study_that_is_no_preset_and_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"none\.toml: No such file"):
        read(str(tmp_path / "none.toml"))
    with pytest.raises(UsageError, match="not a TOML file"):
        read(a_file(tmp_path, "seeds = = 3"))
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="not a TOML file"):
        read(str(tmp_path / "binary.toml"))


@pytest.mark.parametrize(
    ("cast", "n", "models"),
    [
        ("A", 3, "AAA"),
        ("A B", 4, "AABB"),
        ("A B C", 6, "AABBCC"),
        ("1A 3B", 4, "ABBB"),
        ("3B 1A", 4, "BBBA"),
        ("0A 4B", 4, "BBBB"),
        ("4A", 4, "AAAA"),
        ("1A 2B 1A", 4, "ABBA"),
        ("2gpt-4o 2B", 4, ["gpt-4o", "gpt-4o", "B", "B"]),
    ],
)
def test_casts(cast: str, n: int, models: str | list[str]) -> None:
    assert [member.model for member in Trial(N=n, cast=cast).members()] == list(models)


@pytest.mark.parametrize("cast", ["A B", "3A 3B", "A 2B", "5", "1A", "3A 2", "2A B"])
def test_a_cast_that_does_not_come_out_is_refused(cast: str) -> None:
    with pytest.raises(SettingError, match=r"\$\.trial\.cast: .* models for N = 5 agents"):
        Trial(N=5, cast=cast).members()


@pytest.mark.parametrize(
    ("n", "rounds"), [(2, 20), (4, 20), (8, 20), (9, 24), (16, 24), (17, 32), (128, 32), (500, 32)]
)
def test_the_table_of_rounds(n: int, rounds: int) -> None:
    table = read(POPULATION).trial.rounds
    assert Trial(N=n, rounds=table).length == rounds


def test_the_table_of_rounds_is_read_in_numerical_order() -> None:
    table = {"16": 3, "128": 4, "4": 1, "8": 2}
    assert [Trial(N=n, rounds=table).length for n in (3, 8, 9, 100)] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("alpha", "uptake"), [("off", None), (0, 0), (0.25, 250), (1.0, 1000), (0.2, 200)]
)
def test_uptake_is_alpha_in_thousandths(alpha: float | str, uptake: int | None) -> None:
    assert checked(Trial, {"alpha": alpha}, "$.trial").uptake == uptake


def test_the_conditions_of_the_presets() -> None:
    cells = conditions(read(POPULATION))
    sizes = [(cell.trial.N, cell.trial.length) for cell in cells if cell.role == "estimate"]
    assert sizes == [(4, 20), (8, 20), (16, 24), (32, 32), (64, 32), (128, 32)]
    examples = [cell.condition for cell in cells if cell.role == "example"]
    assert examples == [{"N": n, "truth": "France"} for n in (4, 16, 64)]
    cells = conditions(read(PROTOCOLS))
    assert len(cells) == 12
    assert {cell.trial.N for cell in cells} == {8}


def test_naming_model_a_alone_drops_and_counts_what_needs_b() -> None:
    laid = plan(read(PROTOCOLS, models={"A": "simulated/sycophantic"}))
    assert [cell.condition for cell in laid.cells] == [
        {"protocol": "pairwise", "cast": "A"},
        {"protocol": "broadcast", "cast": "A"},
        {"protocol": "manager", "cast": "A", "manager": "A"},
    ]
    assert len(laid.dropped) == 9
    assert all("B" in str(condition.values()) for condition in laid.dropped)
    both = {"A": "simulated/sycophantic", "B": "simulated/literal"}
    assert plan(read(PROTOCOLS, models=both)).dropped == ()
    assert plan(read(PROTOCOLS)).dropped == ()


def test_a_model_that_no_cast_names_is_refused() -> None:
    words = refusal(POPULATION, models={"A": "simulated/literal", "C": "simulated/literal"})
    assert "$.models: 'C' is not allowed; expected a model that a cast names: A" in words


def test_a_cast_of_models_that_were_never_declared_is_refused() -> None:
    assert "$.trial.cast: 'Z' is not allowed; expected a declared model" in refusal(
        POPULATION, "cast=Z"
    )


def test_the_manager_needs_a_model_only_where_there_is_a_manager() -> None:
    one = {"A": "simulated/literal"}
    laid = plan(read(PROTOCOLS, models=one, sets=["cast=A", "manager=B"]))
    assert {cell.trial.protocol for cell in laid.cells} == {"pairwise", "broadcast"}
    assert len(laid.dropped) == 1
