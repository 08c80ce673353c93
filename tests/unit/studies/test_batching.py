"""Labels by batches: the same as at once, cheaper, and safe from whatever ends a process."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from socialcircuits.agents import Access, BackEnd
from socialcircuits.calls import Limits
from socialcircuits.errors import BudgetReached, SettingError
from socialcircuits.models import Model
from socialcircuits.records import Label, RunFile, RunStore
from socialcircuits.studies import judge, run
from socialcircuits.studies.batching import Shelf
from tests.support.batch_server import BatchServer
from tests.support.voices import AGENT, Asked, Voices, judgment, questions

JUDGE = "openai-compatible/judge"
RUBRICS = ["correctness", "clusters"]


def reply(body: dict[str, Any]) -> str:
    """What a judge that reads says; to the questions before a run, anything."""
    form = body.get("response_format", {}).get("json_schema", {}).get("schema", {})
    text = "".join(str(message["content"]) for message in body["messages"])
    if "one two three" in text:
        return "four"
    return judgment(Asked("judge", " ".join(form["required"]), text))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[BatchServer]:
    limits = Access.limits

    def quick(self: Access) -> Limits:
        found = limits(self)
        return Limits(found.calls, found.cost, found.in_flight, patience=1.0, first_wait=0.01)

    monkeypatch.setattr(Access, "limits", quick)
    with BatchServer(reply) as found:
        yield found


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run whose free text nobody has judged."""
    with monkeypatch.context() as patch:
        Voices(patch)
        deliberate(tmp_path, "run.db")
    return tmp_path / "run.db"


def deliberate(folder: Path, out: str, **more: Any) -> None:
    settings = {"file": str(questions(folder)), "N": 4, "deceivers": 1, "rounds": 1}
    given = {"model": AGENT, "seeds": 2, "settings": {**settings, "strata": False}, **more}
    run("deliberation/timing", out=folder / out, **given).close()


def labels(path: Path) -> dict[tuple[int, int, str], Label]:
    """(trial, step, rubric) -> label of the judge."""
    with RunFile(path) as file:
        return {
            (record.plan.number, label.step, label.rubric): label
            for record in file.trials()
            for label in record.labels
            if label.judge == JUDGE
        }


def counted(path: Path) -> dict[str, int]:
    with RunFile(path) as file:
        return file.judging()[JUDGE]


def under_way(path: Path) -> list[dict[str, Any]]:
    with RunFile(path) as file:
        study = file.study
    with RunStore(path, study, {}, paid=False) as store:
        return Shelf(store).read()


def test_labels_by_batches_are_those_that_come_at_once(path: Path, server: BatchServer) -> None:
    other = path.with_name("other.db")
    shutil.copy(path, other)
    judge(path, JUDGE, RUBRICS, access=Access(server.url))
    assert not server.batches
    told: list[str] = []
    judge(other, JUDGE, RUBRICS, access=Access(server.url, batch=True, tell=told.append))
    assert labels(other) == labels(path)
    assert len(labels(path)) > 8
    assert counted(other) == counted(path)
    # One batch for each rubric: the second reads what the first one brought.
    assert [batch["status"] for batch in server.batches.values()] == ["completed"] * 2
    assert len(server.lines) == counted(other)["calls"]
    assert told[0].startswith("batch_0: in_progress, 0 of ")
    assert under_way(other) == []


def test_void_replies_are_asked_for_again_in_the_next_batch(
    path: Path, server: BatchServer
) -> None:
    server._reply = lambda body: "void" if server.requests["create"] == 1 else reply(body)
    judge(path, JUDGE, RUBRICS[:1], access=Access(server.url, batch=True))
    assert all(label.value is not None for label in labels(path).values())
    first, second = (batch["request_counts"]["total"] for batch in server.batches.values())
    assert first == second > 0
    assert counted(path)["calls"] == first + second


def test_a_run_with_a_judge_asks_its_seats_at_once_and_its_judge_by_batches(
    tmp_path: Path, server: BatchServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = BackEnd._model
    voices = Voices(monkeypatch)
    scripted = BackEnd._model

    def model(back: BackEnd, name: str, where: str) -> Model:
        return (scripted if name.startswith("openai/") else real)(back, name, where)

    monkeypatch.setattr(BackEnd, "_model", model)
    deliberate(tmp_path, "run.db", judge=JUDGE, access=Access(server.url, batch=True))
    assert len(voices.asked) > 16
    assert len(server.batches) == 2
    assert len(server.lines) == counted(tmp_path / "run.db")["calls"]


def test_a_budget_that_ends_within_a_batch_keeps_what_was_paid_for(
    path: Path, server: BatchServer
) -> None:
    with pytest.raises(BudgetReached, match="--max-calls"):
        judge(path, JUDGE, RUBRICS[:1], access=Access(server.url, calls=3, batch=True))
    assert counted(path)["calls"] == 3
    judge(path, JUDGE, RUBRICS[:1], access=Access(server.url, batch=True))
    assert set(server.paid.values()) == {1}
    assert sum(server.paid.values()) == counted(path)["calls"] > 3


@pytest.mark.parametrize(
    ("model", "given"), [("rules", "a model that judges"), ("openai/scripted", "OpenAI form")]
)
def test_batches_without_use_are_refused(
    model: str, given: str, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Voices(monkeypatch)
    with pytest.raises(SettingError, match=f"--batch.*{given}"):
        judge(path, model, RUBRICS, access=Access(batch=True))


def test_killed_while_a_batch_is_under_way(path: Path, server: BatchServer) -> None:
    words = ["judge", str(path), "--with", JUDGE, "--rubric", RUBRICS[0], "--base-url", server.url]
    command = [sys.executable, "-m", "socialcircuits", *words]
    server.held.set()
    with subprocess.Popen([*command, "--batch"], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert process.stderr.readline().startswith("batch_0: in_progress, 0 of ")
        process.send_signal(signal.SIGKILL)
    [row] = under_way(path)
    assert row["batch"] == "batch_0"
    at_once = subprocess.run(command, capture_output=True, text=True, check=False)
    assert at_once.returncode == 2
    assert "--batch" in at_once.stderr
    assert "under way in batch_0" in at_once.stderr
    server.held.clear()
    done = subprocess.run([*command, "--batch"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert server.requests["create"] == 1
    assert set(server.paid.values()) == {1}
    assert sum(server.paid.values()) == counted(path)["calls"]
    assert under_way(path) == []
