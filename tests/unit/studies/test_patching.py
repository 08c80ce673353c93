"""One thing changed in a finished trial: what is asked, what is kept, and where it came from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import socialcircuits as sc
from socialcircuits.errors import SettingError
from socialcircuits.records import RunFile
from socialcircuits.studies import Execution, Run, execute, plan, run
from socialcircuits.studies.patching import find, foresee

SETTINGS: dict[str, Any] = {"N": 8, "rounds": 5, "stop": 0, "m": 1, "truth": "Germany"}
CROP = {"kind": "evidence", "agents": "4", "view": "9,3"}
MODEL = "simulated/literal?invalid=100"


@pytest.fixture(scope="module", params=["", "&latency=1"])
def origin(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("patching") / "origin.db"
    settings = {**SETTINGS, "protocol": ["pairwise", "broadcast", "manager"]}
    model = {"A": MODEL + request.param}
    run("flag-game/protocols", model=model, seeds=2, settings=settings, out=path).close()
    return path


def patch(origin: Path, out: Path, number: int, *changes: dict[str, Any]) -> Run:
    return sc.patch(origin, number, changes, out=out)


@pytest.mark.parametrize("number", range(6))
def test_nothing_changed_asks_nobody_and_is_the_same_trial(
    origin: Path, tmp_path: Path, number: int
) -> None:
    with patch(origin, tmp_path / "new.db", number) as done, Run(origin) as first:
        made = [(t.counts["made"], t.digest) for t in done.file.trials()]
        was = first.file.trial(number).digest
    assert made == [(0, was), (0, was)]


@pytest.mark.parametrize("number", [0, 1, 2, 3])
def test_a_patch_asks_what_it_changes_and_no_more_than_was_foreseen(
    origin: Path, tmp_path: Path, number: int
) -> None:
    with patch(origin, tmp_path / "new.db", number, CROP) as done, Run(origin) as first:
        base, changed = done.file.trials()
        assert base.digest == first.file.trial(number).digest
        assert base.counts["made"] == 0
        assert changed.counts["made"] > 0
        known = {a.key for a in base.attempts}
        anew = {a.step for a in changed.attempts if a.key not in known}
        (foreseen,) = foresee(done.plan)
        assert 0 < len(anew) <= foreseen.reached <= foreseen.steps
        assert changed.provided.evidence[4] != base.provided.evidence[4]
        assert changed.provided.facts["intervention"] == [CROP]
        assert changed.provided.facts["positions"][4] == [9, 3]
        assert done.file.notes["origin"] == str(origin)


def test_a_patch_of_a_patch_keeps_both(origin: Path, tmp_path: Path) -> None:
    cut = {"kind": "cut", "agents": "4", "to": "all"}
    patch(origin, tmp_path / "one.db", 0, CROP).close()
    with patch(tmp_path / "one.db", tmp_path / "two.db", 1, cut) as done:
        base, changed = done.file.trials()
        kinds = [change["kind"] for change in changed.provided.facts["intervention"]]
        assert kinds == ["evidence", "cut"]
        assert base.counts["made"] == 0
        assert changed.provided.facts["positions"][4] == [9, 3]
        assert changed.graph.cuts


def test_an_interrupted_patch_goes_on_to_the_same_record(origin: Path, tmp_path: Path) -> None:
    class Stopped(BaseException):
        pass

    def stop(done: int, planned: int) -> None:
        if done == 1:
            raise Stopped

    whole, parts = tmp_path / "whole.db", tmp_path / "parts.db"
    patch(origin, whole, 1, CROP).close()
    with Run(whole) as done:
        laid = done.plan
    with pytest.raises(Stopped):
        execute(laid, parts, Execution(start=origin, progress=stop))
    execute(laid, parts, Execution(start=origin))
    with RunFile(whole) as one, RunFile(parts) as two:
        assert one.digests() == two.digests()
        assert one.calls()["made"] == two.calls()["made"]


def test_in_one_run_a_patch_gives_what_it_gives_from_another(origin: Path, tmp_path: Path) -> None:
    patch(origin, tmp_path / "new.db", 0, CROP).close()
    with Run(tmp_path / "new.db") as other:
        study = other.study
        digests = [t.digest for t in other.file.trials()]
    execute(plan(study), tmp_path / "alone.db")
    with RunFile(tmp_path / "alone.db") as alone:
        assert [t.digest for t in alone.trials()] == digests
        assert alone.calls()["reused"] > 0


def test_a_trial_that_is_not_there_is_refused(origin: Path) -> None:
    with Run(origin) as first, pytest.raises(SettingError, match="--trial: 99"):
        find(first, 99)


def test_a_trial_of_chosen_items_is_patched_without_choosing_them_again(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"N": 5, "deceivers": 2, "rounds": 1, "coordinated": True}
    path = tmp_path / "origin.db"
    silent = {"kind": "silence", "agents": "one deceiver", "rounds": [1, 1]}
    with run("deliberation/timing", seeds=6, settings=settings, out=path) as first:
        plans = {plan.role: plan for plan in first.file.plans()}
        with pytest.raises(SettingError, match="four answers alone"):
            find(first, 0)
        was = first.file.trial(plans["estimate"].number).digest
    assert set(plans) == {"stratum", "estimate"}
    with patch(path, tmp_path / "new.db", plans["estimate"].number, silent) as done:
        base, changed = done.file.trials()
        assert (base.plan.number, changed.plan.number) == (0, 1)
        assert base.digest == was
        assert base.counts["made"] == 0
        assert changed.counts["reused"] > 0
        assert done.trials()["excluded"] == 0


def test_a_step_that_a_schedule_lacks_fails_its_own_trial_alone(tmp_path: Path) -> None:
    text = """
seeds = 4
[trial]
N = 4
rounds = 2
stop = 0
[interventions]
mute = [{ kind = "silence", step = "message/2/2" }]
[[sweep]]
intervention = ["", "mute"]
"""
    (tmp_path / "study.toml").write_text(text)
    with run(tmp_path / "study.toml", out=tmp_path / "run.db") as done:
        assert done.trials()["completed"] + done.trials()["failed"] == 8
        assert done.trials()["completed"] >= 4
        assert all("message/2/2" in why for _, why in done.failures())
        assert done.trials()["failed"] > 0


def test_the_first_replicate_can_be_another(tmp_path: Path) -> None:
    settings = {**SETTINGS, "N": [4]}
    later, preset = {**settings, "first": 3}, "flag-game/population"
    with (
        run(preset, settings=settings, out=tmp_path / "a.db", seeds=4) as whole,
        run(preset, settings=later, out=tmp_path / "b.db", seeds=2) as part,
    ):
        digests = {p.plan.seed: whole.file.trial(p.plan.number).digest for p in whole.plan.trials
                   if p.plan.role == "estimate"}  # fmt: skip
        found = {p.plan.seed: part.file.trial(p.plan.number).digest for p in part.plan.trials
                 if p.plan.role == "estimate"}  # fmt: skip
    assert found == {3: digests[3], 4: digests[4]}
