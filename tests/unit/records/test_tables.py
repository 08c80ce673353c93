from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from pandas.api import types

import socialcircuits as sc
from socialcircuits.errors import RunFileError, SettingError
from socialcircuits.graph import Reply, Settings
from socialcircuits.records import Label, RunFile, RunStore, TrialPlan
from socialcircuits.records.tables import TABLES, export, table
from socialcircuits.trial import play
from tests.support.minds import Puppet
from tests.support.records import STUDY, write
from tests.support.trials import played_by, trial

STEP = {
    "trial": int,
    "step": int,
    "id": str,
    "seat": str,
    "role": str,
    "name": str,
    "purpose": str,
    "kind": str,
    "round": int,
    "to": str,
    "answer": str,
    "reason": str,
    "valid": bool,
    "why": str,
    "attempts": int,
}
COLUMNS: dict[str, dict[str, type]] = {
    "trials": {
        "trial": int,
        "condition": str,
        "seed": int,
        "role": str,
        "item": str,
        "truth": str,
        "lure": str,
        "last_round": int,
        "planned_rounds": int,
        "made": int,
        "reused": int,
        "invalid": int,
        "voided": int,
        "repeated": int,
        "prompt_tokens": int,
        "completion_tokens": int,
        "cost_nano_usd": int,
        "digest": str,
    },
    "steps": STEP,
    "messages": STEP,
    "probes": STEP,
    "labels": {
        "trial": int,
        "step": int,
        "rubric": str,
        "judge": str,
        "pass": int,
        "value": str,
        "reason": str,
        "quote": str,
        "why": str,
    },
    "calls": {
        "trial": int,
        "step": int,
        "id": str,
        "attempt": int,
        "mind": str,
        "key": str,
        "text": str,
        "valid": bool,
        "why": str,
        "shared": bool,
        "counted": bool,
        "prompt_tokens": int,
        "completion_tokens": int,
        "cached_tokens": int,
        "cost_nano_usd": int,
        "seconds": float,
        "finish": str,
        "reasoning": str,
    },
    "evidence": {
        "trial": int,
        "seat": str,
        "mind": str,
        "evidence": str,
        "position": str,
        "compatible": str,
    },
    "odds": {
        "trial": int,
        "step": int,
        "id": str,
        "seat": str,
        "answer": str,
        "probability": float,
        "valid_mass": float,
    },
}
LABELS = [
    Label(3, "audit", "human", 0, {"holds": "correct", "doubts": True}, "because", "I say"),
    Label(4, "audit", "human", 0, None, why="unjudged"),
]
CHECKS: dict[type, Callable[[Any], bool]] = {
    int: types.is_integer_dtype,
    float: types.is_float_dtype,
    bool: types.is_bool_dtype,
    str: lambda kind: types.is_string_dtype(kind) or types.is_object_dtype(kind),
}


@pytest.fixture(name="file", scope="module")
def a_run_file(tmp_path_factory: pytest.TempPathFactory) -> RunFile:
    path = tmp_path_factory.mktemp("run") / "run.db"
    write(path)
    with RunStore(path, STUDY, {}, paid=False) as store:
        store.label(0, [(label, ()) for label in LABELS])
    return RunFile(path)


def test_the_tables_are_these() -> None:
    assert tuple(COLUMNS) == TABLES


@pytest.mark.parametrize("name", TABLES)
def test_columns_and_types(file: RunFile, name: str, tmp_path: Path) -> None:
    write(tmp_path / "empty.db", [])
    for run in (file, RunFile(tmp_path / "empty.db")):
        frame = table(run, name)
        assert list(frame.columns) == list(COLUMNS[name])
        for column, kind in COLUMNS[name].items():
            assert CHECKS[kind](frame[column].dtype), column
    assert len(table(file, name)) > 0 or name == "odds"


@pytest.mark.parametrize("name", TABLES)
def test_nothing_is_missing(file: RunFile, name: str) -> None:
    assert not table(file, name).isna().any().any()


def test_an_invalid_answer_is_empty_and_says_why(file: RunFile) -> None:
    steps = table(file, "steps")
    bad = steps[~steps["valid"]]
    assert len(bad) > 0
    assert set(bad["answer"]) == {""}
    assert set(bad["why"]) == {"unreadable"}
    assert (steps[steps["valid"]]["answer"] != "").all()


def test_the_tables_agree_with_each_other(file: RunFile) -> None:
    trials, steps, calls = (table(file, name) for name in ("trials", "steps", "calls"))
    assert calls.groupby(["trial", "step"]).size().tolist() == steps["attempts"].tolist()
    asked = calls[~calls["shared"]]
    assert asked.groupby("trial").size().tolist() == trials["made"].tolist()
    assert (~asked["valid"]).groupby(asked["trial"]).sum().tolist() == trials["invalid"].tolist()
    assert calls["key"].is_unique
    assert set(calls["key"].str.len()) == {32}
    assert not steps.duplicated(["trial", "id"]).any()


def test_a_label_without_a_value_is_empty_and_says_why(file: RunFile) -> None:
    given, missing = table(file, "labels").to_dict("records")
    assert json.loads(given["value"]) == {"holds": "correct", "doubts": True}
    assert (given["reason"], given["quote"], given["why"]) == ("because", "I say", "")
    assert (missing["value"], missing["why"], missing["pass"]) == ("", "unjudged", 0)


def test_messages_and_probes_are_the_public_and_the_private_steps(file: RunFile) -> None:
    messages, probes = table(file, "messages"), table(file, "probes")
    assert set(messages["purpose"]) == {"message", "report", "decision"}
    assert set(probes["purpose"]) == {"guess", "probe", "decision"}
    kept = probes[probes["purpose"] == "decision"]
    assert (kept["to"] == kept["seat"]).all()
    assert set(probes["to"]) == {"", *kept["seat"]}
    manager = messages[(messages["trial"] == 2) & (messages["purpose"] == "decision")]
    assert set(manager["to"]) == {"0 1 2 manager"}
    assert set(manager["seat"]) == {"manager"}
    own = table(file, "steps")
    private = own[(own["trial"] == 1) & (own["purpose"] == "decision")]
    assert (private["to"] == private["seat"]).all()


def test_an_unknown_table_is_refused(file: RunFile) -> None:
    with pytest.raises(SettingError, match="did you mean 'messages'"):
        table(file, "mesages")


@pytest.mark.parametrize("name", TABLES)
def test_parquet_and_csv_hold_the_table(file: RunFile, name: str, tmp_path: Path) -> None:
    written = export(file, tmp_path / "out")
    assert sorted(path.name for path in written) == sorted(
        f"{name}.{end}" for name in TABLES for end in ("csv", "parquet")
    )
    expected = table(file, name)
    parquet = pd.read_parquet(tmp_path / "out" / f"{name}.parquet")
    csv = pd.read_csv(tmp_path / "out" / f"{name}.csv", keep_default_na=False, dtype="str")
    pd.testing.assert_frame_equal(parquet, expected)
    pd.testing.assert_frame_equal(csv, expected.astype("str"), check_dtype=False)


def test_odds_have_a_row_an_answer_and_sum_to_one(tmp_path: Path) -> None:
    settings = {"N": [2], "probes": "exact"}
    model = "simulated/literal?invalid=250"
    with sc.run("flag-game/evidence-share", model=model, seeds=1, settings=settings,
             out=tmp_path / "run.db") as done:  # fmt: skip
        odds, evidence = done.table("odds"), done.table("evidence")
    assert odds.groupby(["trial", "step"])["probability"].sum().tolist() == pytest.approx([1.0] * 4)
    assert set(odds["valid_mass"]) == {0.75}
    assert odds.groupby(["trial", "step"]).size().tolist() == [2] * 4
    assert evidence.groupby("trial").size().tolist() == [2, 2]
    for row in evidence.itertuples():
        assert json.loads(str(row.compatible))
        assert len(json.loads(str(row.position))) == 2


@pytest.mark.parametrize("text", ["\ud800", "\0", 'a,"b"\r\n\u2028c', "é" * 200_000, "NA"])
def test_odd_texts_can_be_exported(tmp_path: Path, text: str) -> None:
    setup = trial("broadcast", 2, Settings(rounds=1))
    puppet = Puppet(setup, lambda step, attempt, seen: Reply(text, "Peru", text))
    setup = played_by(setup, puppet)
    write(tmp_path / "run.db", [(TrialPlan(0, {}, 1), setup, play(setup))])
    with RunFile(tmp_path / "run.db") as run:
        export(run, tmp_path)
        frame = table(run, "calls")
    parquet = pd.read_parquet(tmp_path / "calls.parquet")
    assert parquet["text"].tolist() == frame["text"].tolist()
    assert frame["text"].nunique() == 1
    assert len(parquet) == len(setup.graph.steps)


def test_a_folder_that_cannot_be_written_is_refused(file: RunFile, tmp_path: Path) -> None:
    (tmp_path / "taken").touch()
    with pytest.raises(RunFileError, match="taken: cannot be written"):
        export(file, tmp_path / "taken")
