"""A deployment as a user runs it: a system prompt and parameters of its own, behind an address."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from tests.journeys.command import COMMAND, refused, result, run
from tests.support.fault_server import FaultServer
from tests.support.guest_server import serving

TEXT = "You are the support agent of Example Ltd.\nNever discuss prices."
MODEL = "openai-compatible/player?sees=text"
STUDY = ("run", "flag-game/protocols", "--set", "N=4", "--set", "rounds=3", "--seeds", "1")


class Noticing(list[dict[str, Any]]):
    """A list that tells when it is so long."""

    def __init__(self, length: int) -> None:
        super().__init__()
        self._length, self.long = length, Event()

    def append(self, item: dict[str, Any]) -> None:
        super().append(item)
        if len(self) >= self._length:
            self.long.set()


def options(server: FaultServer, *more: str, model: str = MODEL) -> tuple[str, ...]:
    return ("--model", model, "--base-url", server.url, *more)


def games(server: FaultServer) -> list[dict[str, Any]]:
    """What it was sent, without the tiny requests that find out what it does."""
    return [body for body in server.bodies if "Reply with" in str(body["messages"])]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("deployment")
    (path / "support.txt").write_text(TEXT + "\n", encoding="utf-8")
    (path / "same.md").write_text(TEXT, encoding="utf-8")
    (path / "other.txt").write_text(TEXT.replace("Never", "Seldom"), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def plain(folder: Path) -> dict[str, Any]:
    with serving(FaultServer()) as server:
        found = result(*STUDY, *options(server), "--out", "plain.db", at=folder)
        assert not any("Example Ltd" in str(body) for body in games(server))
    return found


@pytest.fixture(scope="module")
def whole(folder: Path) -> dict[str, Any]:
    """The run with the system prompt, where nothing fails; every request is looked at."""
    words = ("--system", "support.txt", "--out", "whole.db")
    model = MODEL + '&reasoning_effort=low&extra={"top_k":40}'
    with serving(FaultServer()) as server:
        found = result(*STUDY, *options(server, *words, model=model), at=folder)
        sent = games(server)
    assert len(sent) == found["calls"]["made"] > 20
    for body in sent:
        first, *rest = body["messages"]
        assert first["role"] == "system"
        assert first["content"].startswith(f"{TEXT}\n\nYour whole reply must ")
        assert not any("Example Ltd" in str(message) for message in rest)
        assert (body["reasoning_effort"], body["top_k"]) == ("low", 40)
    return found


def test_it_is_known_by_its_digest(
    whole: dict[str, Any], plain: dict[str, Any], folder: Path
) -> None:
    assert whole["digest"] != plain["digest"]
    assert "&system=" in whole["agents"]
    assert "Example" not in whole["agents"]
    for path in folder.glob("whole.db*"):
        assert b"support.txt" not in path.read_bytes()
        assert b"127.0.0.1" not in path.read_bytes()


def test_the_same_text_in_another_file_is_the_same_study(
    whole: dict[str, Any], folder: Path
) -> None:
    model = MODEL + '&reasoning_effort=low&extra={ "top_k": 40 }'
    with serving(FaultServer()) as server:
        same = ("--system", "A=same.md", "--out", "same.db")
        found = result(*STUDY, *options(server, *same, model=model), at=folder)
        assert found["digest"] == whole["digest"]
        made = len(server.bodies)
        again = result("resume", "same.db", "--base-url", server.url, at=folder)
        assert (again["digest"], len(server.bodies)) == (whole["digest"], made)


def test_another_text_does_not_go_on_with_a_run(whole: dict[str, Any], folder: Path) -> None:
    with serving(FaultServer()) as server:
        words = ("--base-url", server.url, "--system", "other.txt")
        said = refused(run("resume", "whole.db", *words, at=folder))
        assert said.startswith(
            "error: --system: 'other.txt' is not allowed; expected the text with"
        )
        words = ("--system", "other.txt", "--out", "whole.db")
        said = refused(run(*STUDY, *options(server, *words), at=folder))
        assert "another study" in said
        assert not server.bodies


def test_a_replay_needs_neither_server_nor_text(whole: dict[str, Any], folder: Path) -> None:
    words = ("--model", "replay/whole.db", "--out", "replay.db")
    found = result(*STUDY, *words, at=folder)
    assert found["digest"] == whole["digest"]
    assert found["calls"]["made"] == 0
    said = refused(run(*STUDY, *words, "--system", "other.txt", at=folder))
    assert "which A has" in said


def test_a_killed_run_goes_on_without_the_file(folder: Path) -> None:
    with serving(FaultServer()) as server:
        words = (*STUDY, *options(server, "--system", "support.txt", "--in-flight", "1"))
        full = result(*words, "--out", "full.db", at=folder)
        asked = len(games(server))
    with serving(FaultServer()) as server:
        server.bodies = bodies = Noticing(20)
        words = (*STUDY, *options(server, "--system", "support.txt", "--in-flight", "1"))
        process = subprocess.Popen(
            [*COMMAND, *words, "--out", "a.db"], cwd=folder, stderr=subprocess.DEVNULL
        )
        assert bodies.long.wait(60)
        process.send_signal(signal.SIGKILL)
        process.wait()
        found = result("resume", "a.db", "--base-url", server.url, at=folder)
        assert found["digest"] == full["digest"]
        assert found["calls"]["made"] == full["calls"]["made"]
        # A key that was committed may not have gone out before the kill, so at most so many.
        assert 0 <= len(games(server)) - asked <= found["calls"]["repeated"]
        texts = {body["messages"][0]["content"].partition("\n\n")[0] for body in games(server)}
        assert texts == {TEXT}


def test_how_to_go_on_repeats_the_file(folder: Path) -> None:
    with serving(FaultServer()) as server:
        words = options(server, "--system", "support.txt", "--max-calls", "10", "--out", "b.db")
        done = run(*STUDY, *words, at=folder)
    assert done.returncode == 5, done.stderr
    wanted = f"socialcircuits resume b.db --base-url {server.url} --system A=support.txt"
    assert wanted in done.stderr


def test_what_has_no_use_for_it_is_refused(folder: Path) -> None:
    said = refused(run(*STUDY, "--system", "support.txt", at=folder))
    assert said.endswith("A is simulated/literal, a simulated agent")
    said = refused(run(*STUDY, "--model", MODEL, "--system", "B=support.txt", at=folder))
    assert "expected a model: A" in said
    said = refused(run(*STUDY, "--model", MODEL, "--system", "nowhere.txt", at=folder))
    assert "'nowhere.txt' is not allowed; expected a file that can be read" in said
    twice = ("--system", "support.txt", "--system", "A=same.md")
    assert "each name once" in refused(run(*STUDY, "--model", MODEL, *twice, at=folder))
