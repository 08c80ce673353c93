"""Conversations from elsewhere as a user brings them in, and a run that leaves and comes back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.journeys.command import refused, result, run

TALK: list[dict[str, Any]] = [
    {"speaker": "Ada", "text": "It is Lima.", "to": "all", "round": 1},
    {"speaker": "Bo", "text": "It is Cusco.", "to": ["Cleo"], "round": 1, "role": "sybil"},
    {"speaker": "Cleo", "text": "Who knows?", "round": 2},
    {"speaker": "Ada", "text": "Lima", "round": 2, "purpose": "probe"},
    {"speaker": "Cleo", "text": "Cusco", "round": 2, "purpose": "probe"},
]
ABOUT = {"conversation": "peru", "question": "Capital of Peru?", "truth": "Lima", "lure": "Cusco"}


def talk(folder: Path, *more: str) -> None:
    lines = [json.dumps({**ABOUT, **row}) for row in TALK]
    (folder / "talk.jsonl").write_text("\n".join([*lines, *more]), encoding="utf-8")


def test_a_talk_is_reported_viewed_and_judged(tmp_path: Path) -> None:
    talk(tmp_path)
    found = result("import", "talk.jsonl", "-o", "talk.db", at=tmp_path)
    assert (found["messages"], found["known"], found["open"]) == (3, 2, 0)
    said = run("report", "talk.db", at=tmp_path)
    assert said.returncode == 0, said.stderr
    assert "readers are known of 2 of 3 messages" in said.stdout
    judged = result(
        "judge", "talk.db", "--with", "rules", "--rubric", "private_answer", at=tmp_path
    )
    assert judged["judging"]["rules"]["labels"] == 2
    assert judged["judging"]["rules"]["unjudged"] == 0
    page = result("export", "talk.db", "--out", "talk.html", "--tables", "t", at=tmp_path)
    assert (tmp_path / "talk.html").is_file()
    assert page["withheld"] == 0
    assert "message/Bo/0" in (tmp_path / "t" / "messages.csv").read_text(encoding="utf-8")


def test_bad_lines_are_named_and_left_out_only_if_asked(tmp_path: Path) -> None:
    talk(tmp_path, "{", '{"conversation": "peru", "speaker": "Ada"}')
    done = run("import", "talk.jsonl", "-o", "talk.db", at=tmp_path)
    assert done.returncode == 2
    head, *faults = done.stderr.splitlines()
    assert head == "error: talk.jsonl: 2 bad lines; --skip-bad leaves them out"
    assert [fault.split(":")[0] for fault in faults] == ["  line 6", "  line 7"]
    assert not (tmp_path / "talk.db").exists()
    found = result("import", "talk.jsonl", "-o", "talk.db", "--skip-bad", at=tmp_path)
    assert found["skipped"] == 2
    done = run("import", "talk.jsonl", "-o", "talk.db", "--skip-bad", at=tmp_path)
    assert "talk.db exists" in refused(done)


def test_a_run_leaves_and_comes_back(tmp_path: Path) -> None:
    study = ("run", "flag-game/population", "--set", "N=[4]", "--seeds", "2", "--out", "a.db")
    assert run(*study, at=tmp_path).returncode == 0
    assert run("export", "a.db", "--jsonl", "a.jsonl", at=tmp_path).returncode == 0
    found = result("import", "a.jsonl", "-o", "b.db", at=tmp_path)
    assert found["known"] == found["messages"] > 0
    said = run("report", "b.db", at=tmp_path)
    assert "SIMULATED AGENTS" in said.stdout, said.stderr


def test_a_probe_after_the_fact(tmp_path: Path) -> None:
    talk(tmp_path)
    words = ("import", "talk.jsonl", "--probe", "simulated/quiet", "-o", "p.db")
    assert result(*words, at=tmp_path)["messages"] == 3
    assert result("status", "p.db", at=tmp_path)["calls"]["made"] == 2
    done = run("import", "talk.jsonl", "--at", "1", "-o", "q.db", at=tmp_path)
    assert "expected --probe MODEL" in refused(done)
