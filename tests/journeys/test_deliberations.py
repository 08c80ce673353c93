"""Adversarial deliberation as a user runs it: counted before, withheld, judged, on other models."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.journeys.command import listing, refused, result, run
from tests.support.voices import questions

SCALING = "deliberation/scaling"
SIZES = (2, 8, 12, 5, 10, 15, 6, 12, 18, 7, 14, 21)
SMALL = ("--set", "N=6", "--set", "deceivers=2", "--set", "rounds=1")


def test_a_dry_run_counts_the_whole_of_the_main_study(tmp_path: Path) -> None:
    found = result("run", SCALING, "--dry-run", at=tmp_path)
    assert found["conditions"] == len(SIZES)
    assert found["trials"] == 60 * (1 + len(SIZES))
    assert found["stratum_steps"] == 60 * 4
    # A message and a reflection in rounds 0 to 5, and a vote.
    assert found["steps"] == 60 * sum(SIZES) * 13 == 101_400
    assert found["dropped"] == []
    assert found["cost_usd"] == 0
    assert listing(tmp_path) == set()
    shown = run("run", SCALING, "--dry-run", at=tmp_path).stdout
    assert "780 trials in 12 conditions" in shown
    assert "at most 101,400 steps before early stop" in shown
    assert "before them 240 steps that decide which items are kept" in shown


def test_the_steps_counted_are_the_replies_asked_for(tmp_path: Path) -> None:
    given = ("deliberation/coordination", "--seeds", "6", *SMALL)
    counted = result("run", *given, "--dry-run", at=tmp_path)
    done = result("run", *given, "--out", "a.db", at=tmp_path)
    kept = sum(row["items"] for row in done["strata"] if row["kept"])
    assert 0 < kept < 6
    whole = counted["steps"] * kept / counted["trials"] * counted["trials"] / 6
    assert done["calls"]["made"] == counted["stratum_steps"] + whole
    assert done["trials"]["completed"] == 6 + 2 * kept
    assert sum(row["items"] for row in done["strata"]) == 6


def test_a_model_named_takes_the_place_of_all_stand_ins(tmp_path: Path) -> None:
    """A preset's own models never mix with others: what needs B is dropped, and said."""
    given = ("deliberation/pairings", "--seeds", "2", "--model", "simulated/literal")
    found = result("run", *given, "--dry-run", at=tmp_path)
    assert found["study"]["models"] == {"A": "simulated/literal"}
    assert found["conditions"] == 3
    assert [(one["cast"], one["deceiver"]) for one in found["dropped"]] == 3 * [
        ("A", "B"), ("B", "A"), ("B", "B"),
    ]  # fmt: skip
    done = result("run", *given, *SMALL, "--out", "a.db", at=tmp_path)
    assert {row["model"] for row in done["strata"]} == {"A"}
    assert len(done["dropped"]) == 3
    both = (*given, "--model", "B=simulated/open")
    assert result("run", *both, "--dry-run", at=tmp_path)["dropped"] == []


def test_a_study_file_is_built_on_a_preset(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(
        'preset = "deliberation/pairings"\nseeds = 2\nstrata = false\n'
        '[models]\nB = "simulated/open?social=0"\n[trial]\nrounds = 1\n'
    )
    found = result("run", "mine.toml", "--dry-run", at=tmp_path)
    study = found["study"]
    assert study["models"] == {"A": "simulated/deliberating", "B": "simulated/open?social=0"}
    assert (study["trial"]["rounds"], study["trial"]["seating"]) == (1, "composition")
    assert (study["strata"], found["stratum_steps"], found["conditions"]) == (False, 0, 12)
    # What the file says of a model is meant; what the preset says of one is not.
    named = result("run", "mine.toml", "--model", "simulated/literal", "--dry-run", at=tmp_path)
    assert named["study"]["models"] == {
        "A": "simulated/literal",
        "B": "simulated/open?social=0",
    }


def exported(folder: Path, shareable: bool) -> tuple[dict[str, Any], str]:
    """What export prints of a run on a question file, and all that it writes, as text."""
    folder.mkdir()
    questions(folder)
    setting = ("--set", f"shareable={str(shareable).lower()}", "--set", "file=questions.toml")
    given = ("deliberation/coordination", "--seeds", "4", *SMALL, *setting)
    result("run", *given, "--out", "a.db", at=folder)
    found = result("export", "a.db", "--tables", "tables", at=folder)
    files = [path for path in (folder / "tables").iterdir() if path.suffix == ".csv"]
    assert files
    data = b"".join(path.read_bytes() for path in (folder / "tables").iterdir())
    return found, data.decode("utf-8", "replace")


def test_texts_of_questions_that_may_not_be_published_are_not_exported(tmp_path: Path) -> None:
    found, text = exported(tmp_path / "mine", shareable=False)
    assert found["withheld"] > 4
    for word in ("Peru", "Chad", "Mali", "In which country", "graded by rules"):
        assert word not in text
    # Ids, labels and numbers are there.
    for word in ("lima", "honest_defection", "correctness", "Colleague"):
        assert word in text
    shown = run("export", "a.db", "--tables", "again", at=tmp_path / "mine").stdout
    assert f"Texts withheld in {found['withheld']} trials" in shown


def test_texts_of_questions_that_may_be_published_are_exported(tmp_path: Path) -> None:
    found, text = exported(tmp_path / "open", shareable=True)
    assert found["withheld"] == 0
    for word in ("lima", "Peru", "Chad", "graded by rules"):
        assert word in text


def test_a_run_is_judged_again_from_the_command_line(tmp_path: Path) -> None:
    result("run", "deliberation/timing", "--seeds", "3", *SMALL, "--out", "a.db", at=tmp_path)
    before = result("digest", "a.db", at=tmp_path)
    again = ("judge", "a.db", "--with", "rules", "--rubric", "tactics")
    found = result(*again, "--rubric", "message_audit", at=tmp_path)
    assert found["agreement"] == []
    assert found["judging"]["rules"]["unjudged"] == 0
    after = result("digest", "a.db", at=tmp_path)
    assert (after["run"], after["public"]) == (before["run"], before["public"])
    assert after["labels"] != before["labels"]
    assert result(*again, at=tmp_path) == found


TOML = """seeds = 1
[world]
kind = "questions"
[trial]
protocol = "deliberation"
N = 3
"""
RUN = "deliberation/timing"

BAD: dict[str, tuple[list[str], str]] = {
    "half": ([RUN, "--set", "N=6", "--set", "deceivers=1/2"], "fewer than half of N = 6"),
    "share": ([RUN, "--set", "N=7", "--set", "deceivers=1/3"], "a whole number of agents"),
    "whole": ([RUN, "--set", "N=11"], "$.trial.deceivers: '1/5' is not allowed"),
    "words": ([RUN, "--set", "deceivers=some"], "a number, or a share such as 1/5"),
    "judge": ([RUN, "--judge", "gpt"], "$.judge: 'gpt' is not allowed"),
    "judge's key": ([RUN, "--judge", "openai/judge"], "$OPENAI_API_KEY"),
    "no file": ([RUN, "--set", "file=none.toml"], "none.toml"),
    "suffix": ([RUN, "--set", "file=questions.txt"], "a file that ends in"),
    "form": ([RUN, "--set", "file=bad.jsonl"], "bad.jsonl"),
    "empty": ([RUN, "--set", "file=empty.jsonl"], "at least one question"),
    "seeds": ([RUN, "--seeds", "83"], "the world has 82 items"),
    "first": ([RUN, "--seeds", "2", "--set", "first=82"], "at most 1: the world has 82 items"),
    "id": ([RUN, "--seeds", "1", "--set", 'only=["divisor"]'], "did you mean 'divisors'?"),
    "rubric": (["rubric.toml"], "did you mean 'correctness'?"),
    "strata": (["flags.toml"], "$.strata: True is not allowed; expected false"),
    "chat": (["flag-game/population", "--set", "chat=3"], "only deliberation, chatroom has a use"),
    "together": ([RUN, "--set", "N=4", "--set", "deceivers=0", "--set", "coordinated=true"],
                 "false where nobody deceives"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_a_setting_that_is_not_allowed(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    (tmp_path / "rubric.toml").write_text('judges = ["correctnes"]\n' + TOML)
    (tmp_path / "flags.toml").write_text("strata = true\n[trial]\nN = 4\n")
    (tmp_path / "bad.jsonl").write_text(json.dumps({"colour": "red"}) + "\n")
    (tmp_path / "empty.jsonl").write_text("\n")
    (tmp_path / "questions.txt").write_text("What is this?\n")
    there, (words, said) = listing(tmp_path), BAD[name]
    done = run("run", *words, "--out", "a.db", at=tmp_path)
    assert said in refused(done)
    assert listing(tmp_path) == there


@pytest.mark.parametrize("set_", ["truth=Peru", "truth=divisors"])
def test_the_truth_of_a_question_cannot_be_set(set_: str, tmp_path: Path) -> None:
    done = run("run", RUN, "--seeds", "1", "--set", set_, "--out", "a.db", at=tmp_path)
    assert "$.trial.truth" in refused(done)
    assert listing(tmp_path) == set()
