"""`patch` at the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from socialcircuits.records import RunFile
from socialcircuits.studies import plan, read
from socialcircuits.studies.patching import foresee
from tests.journeys.command import result, run

BASE = ("flag-game/population", "--seeds", "1", "--set", "N=4", "--set", "rounds=3", "--set", "m=1")
STILL = ("--set", "stop=0", "--set", "truth=Germany")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    at = tmp_path_factory.mktemp("patch")
    result("run", *BASE, *STILL, "--out", "a.db", at=at)
    return at


def test_a_patch_says_what_can_change_and_asks_only_that(folder: Path) -> None:
    given = ("patch", "a.db", "--trial", "0", "--agent", "2", "--evidence", "9,3")
    foreseen = result(*given, "--dry-run", at=folder)
    assert 0 < foreseen["reached"] < foreseen["steps"]
    done = result(*given, "--out", "b.db", at=folder)
    assert 0 < done["calls"]["made"] <= foreseen["reached"]
    assert done["calls"]["reused"] > 0
    again = result(*given, "--out", "b.db", at=folder)
    assert again["digest"] == done["digest"]
    assert result("resume", "b.db", at=folder)["digest"] == done["digest"]
    replayed = ("run", "flag-game/population", "--model", "replay/b.db", "--out", "c.db")
    assert run(*replayed, at=folder).returncode == 2  # a preset is another study


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--trial", "0"), "nothing to change"),
        (("--trial", "0", "--agent", "2"), "--agent and --evidence: give both"),
        (("--trial", "0", "--evidence", "9,3"), "--agent and --evidence: give both"),
        (("--trial", "7", "--agent", "2", "--evidence", "9,3"), "--trial: 7"),
        (("--trial", "0", "--agent", "9", "--evidence", "9,3"), "agents: '9'"),
        (("--trial", "0", "--agent", "2", "--evidence", "99,3"), "(x, y) from (0, 0)"),
        (("--trial", "0", "--agent", "2", "--evidence", "Perru 1,1"), "did you mean 'Peru'"),
        (("--trial", "0", "--with", "none.toml"), "No such file"),
        (("--trial", "0", "--with", "bad.toml"), "[[change]] tables alone"),
        (("--trial", "0", "--with", "kind.toml"), "did you mean 'silence'"),
    ],
)
def test_what_cannot_be_changed_is_refused_with_one_line(
    folder: Path, words: tuple[str, ...], message: str
) -> None:
    (folder / "bad.toml").write_text('[other]\nkind = "cut"\n')
    (folder / "kind.toml").write_text('[[change]]\nkind = "silense"\n')
    done = run("patch", "a.db", *words, "--out", "never.db", at=folder)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (folder / "never.db").exists()


def test_what_a_patch_of_a_real_model_can_reach_is_said_without_reaching_it() -> None:
    study = read("flag-game/patching", models={"A": "openai/gpt-4o-mini"}, seeds=1)
    found = foresee(plan(study))
    assert [one.intervention for one in found] == [f"A{agent}" for agent in range(8)]
    assert all(0 < one.reached < one.steps for one in found)


def test_a_model_that_is_not_declared_is_refused_and_one_that_is_sits_there(folder: Path) -> None:
    (folder / "seat.toml").write_text('[[change]]\nkind = "model"\nagents = "1"\nmodel = "Z"\n')
    given = ("patch", "a.db", "--trial", "0", "--with", "seat.toml")
    refused = run(*given, "--out", "z.db", at=folder)
    assert refused.returncode == 2
    assert "a declared model: A" in refused.stderr
    assert not (folder / "z.db").exists()
    done = result(*given, "--model", "Z=simulated/sycophantic", "--out", "z.db", at=folder)
    assert done["trials"]["completed"] == 2
    assert done["calls"]["made"] > 0
    itself = run(*given, "--model", "Z=simulated/sycophantic", "--out", "a.db", at=folder)
    assert "is the run that is patched" in itself.stderr


def test_an_example_can_be_patched_and_stays_as_it_was(tmp_path: Path) -> None:
    small = ("--seeds", "1", "--set", "N=4", "--set", "rounds=3")
    result("run", "flag-game/population", *small, "--out", "a.db", at=tmp_path)
    given = ("patch", "a.db", "--trial", "1", "--agent", "0", "--evidence", "0,2")
    result(*given, "--out", "b.db", at=tmp_path)
    with RunFile(tmp_path / "a.db") as first, RunFile(tmp_path / "b.db") as second:
        base, changed = second.trials()
        assert base.digest == first.trial(1).digest
        assert first.trial(1).plan.role == "example"
        assert base.counts["made"] == 0
        assert changed.counts["reused"] > 0
