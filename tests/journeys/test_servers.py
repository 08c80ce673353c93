"""Runs against a server, as a user runs them: faults, kills, budgets, keys, and what is refused.

The server is our own, a process on loopback, that can be told to fail."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from socialcircuits.records import RunFile
from socialcircuits.seeds import Stream
from tests.journeys.command import COMMAND, result, run

ROOT = Path(__file__).parents[2]
KILLS = int(os.environ.get("SOCIALCIRCUITS_KILLS", "20"))
MODEL = "openai-compatible/player?sees=text"
STUDY = ("flag-game/protocols", "--set", "N=4", "--set", "rounds=3", "--seeds", "2")
KEY = "sk-planted-0123456789"


class Server(NamedTuple):
    """A running server: its address, and the counts of what it was asked and has answered."""

    url: str

    def counts(self) -> dict[str, dict[str, int]]:
        with urllib.request.urlopen(self.url.removesuffix("/v1") + "/counts") as reply:
            found = json.loads(reply.read())
            assert isinstance(found, dict)
            return found

    def options(self, model: str = MODEL) -> tuple[str, ...]:
        return ("--model", model, "--base-url", self.url)


@contextmanager
def serving(*words: str) -> Iterator[Server]:
    command = [sys.executable, "-m", "tests.support.fault_server", "--port", "0", *words]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield Server(f"http://127.0.0.1:{int(process.stdout.readline())}/v1")
        finally:
            process.kill()


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The result of the study where nothing fails."""
    folder = tmp_path_factory.mktemp("plain")
    with serving() as server:
        found = result("run", *STUDY, *server.options(), "--out", "plain.db", at=folder)
    return {**found, "path": folder / "plain.db"}


def test_a_run_counts_its_calls_and_tokens_and_its_prompts_can_be_read(
    plain: dict[str, Any],
) -> None:
    assert plain["trials"]["completed"] == plain["trials"]["planned"] == 6
    assert plain["calls"]["made"] > 100
    assert plain["tokens"]["prompt"] > plain["tokens"]["completion"] > 0
    assert plain["agents"] == f"models: {MODEL}"
    with RunFile(plain["path"]) as file:
        made = plain["calls"]["made"]
        assert plain["path"].stat().st_size / made < 1024
        for record in file.trials():
            asked = [attempt for attempt in record.attempts if attempt.key]
            prompts = [b"".join(part.data for part in file.prompt(a)).decode() for a in asked]
            assert all("JSON object" in prompt for prompt in prompts)
            assert all(attempt.reply.usage is not None for attempt in asked)


def test_transport_faults_leave_no_trace(plain: dict[str, Any], tmp_path: Path) -> None:
    faults = [f"--fault={name}=0.1" for name in ("cut", "500", "429")]
    with serving(*faults) as server:
        found = result("run", *STUDY, *server.options(), "--out", "a.db", at=tmp_path)
        requests = sum(server.counts()["requests"].values())
    assert found["digest"] == plain["digest"]
    assert found["calls"] == plain["calls"]
    assert requests > found["calls"]["made"]


def test_one_at_a_time_gives_the_same_record(plain: dict[str, Any], tmp_path: Path) -> None:
    with serving() as server:
        words = ("run", *STUDY, *server.options(), "--sequential", "--out", "a.db")
        assert result(*words, at=tmp_path)["digest"] == plain["digest"]


def test_a_replay_needs_no_server(plain: dict[str, Any], tmp_path: Path) -> None:
    words = ("run", *STUDY, "--model", f"replay/{plain['path']}", "--out", "a.db")
    found = result(*words, at=tmp_path)
    assert found["digest"] == plain["digest"]
    assert found["calls"]["made"] == found["tokens"]["prompt"] == 0
    assert found["calls"]["reused"] == plain["calls"]["made"]


def test_a_budget_stops_the_run_and_resume_goes_on(plain: dict[str, Any], tmp_path: Path) -> None:
    with serving() as server:
        words = ("run", *STUDY, *server.options(), "--out", "a.db")
        done = run(*words, "--max-calls", "40", at=tmp_path)
        assert done.returncode == 5, done.stderr
        assert done.stderr.splitlines()[-1].startswith("error: --max-calls: ")
        assert "socialcircuits resume a.db" in done.stderr
        assert sum(server.counts()["requests"].values()) < 60
        found = result("resume", "a.db", "--base-url", server.url, at=tmp_path)
        answered = server.counts()["answered"]
    assert found["digest"] == plain["digest"]
    assert found["calls"] == plain["calls"]
    assert set(answered.values()) == {1}, "no call is paid for twice"


def in_flight(path: Path) -> int:
    """How many replies a killed process had asked for and not committed; a copy is read."""
    copy = path.parent / "copy"
    copy.mkdir()
    for part in path.parent.glob(f"{path.name}*"):
        shutil.copy(part, copy)
    database = sqlite3.connect(copy / path.name)
    (count,) = database.execute("SELECT count(*) FROM replies WHERE reply IS NULL").fetchone()
    database.close()
    shutil.rmtree(copy)
    return int(count)


def test_kills_pay_for_no_call_twice(tmp_path: Path) -> None:
    moments, kills, seed = Stream(b"kills", "moments"), 0, 0
    while kills < KILLS:
        seed += 1
        out, flying = tmp_path / f"{seed}.db", 0
        with serving() as server:
            own = ("run", *STUDY, *server.options(), "--seed", str(seed), "--in-flight", "4")
            whole = result(*own, "--out", "whole.db", at=tmp_path)
        (tmp_path / "whole.db").unlink()
        with serving() as server:
            own = ("run", *STUDY, *server.options(), "--seed", str(seed), "--in-flight", "4")
            found = None
            while found is None:
                command = [*COMMAND, *own, "--out", out.name, "--json"]
                process = subprocess.Popen(
                    command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
                )
                assert process.stderr is not None
                process.stderr.readline()
                try:
                    process.wait(timeout=moments.below(400) / 1000)
                except subprocess.TimeoutExpired:
                    if kills < KILLS:
                        process.kill()
                        kills += 1
                text, _ = process.communicate(timeout=300)
                if process.returncode == 0:
                    found = json.loads(text)
                else:
                    flying += in_flight(out)
            requests = server.counts()["requests"]
        assert found["digest"] == whole["digest"]
        assert found["calls"]["made"] == whole["calls"]["made"]
        assert found["calls"]["repeated"] == flying
        # A key that was committed may not have gone out before the kill, so at most so many.
        assert sum(requests.values()) - len(requests) <= flying


def test_a_key_stays_where_it_is(plain: dict[str, Any], tmp_path: Path) -> None:
    env = {**os.environ, "SOCIALCIRCUITS_API_KEY": KEY}
    with serving("--fault=401=0.02") as server:
        refused = run("run", *STUDY, *server.options(), "--out", "b.db", at=tmp_path, env=env)
    with serving() as server:
        words = ("run", *STUDY, *server.options(), "--out", "a.db")
        done = run(*words, "--json", at=tmp_path, env=env)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["digest"] == plain["digest"]
    for path in tmp_path.iterdir():
        assert KEY.encode() not in path.read_bytes(), path
    assert KEY not in done.stdout + done.stderr + refused.stdout + refused.stderr


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("--model", "openai/gpt-4o"), 2, "OPENAI_API_KEY"),
        (("--model", "openai-compatible/player"), 2, "--base-url"),
        (("--model", "opnai/gpt-4o"), 2, "did you mean 'openai'"),
        (("--model", MODEL, "--base-url", "http://127.0.0.1:1/v1"), 3, "cannot connect"),
        (("--model", MODEL, "--base-url", "ftp://127.0.0.1/v1"), 2, "--base-url"),
        (("--model", "local/nothing"), 2, "nothing"),
        (("--model", "local/mine", "--gguf", "nowhere.gguf"), 2, "nowhere.gguf"),
        (("--model", "openai/gpt-4o", "--max-calls", "0"), 2, "--max-calls"),
    ],
)
def test_what_cannot_be_asked_is_one_clear_line(
    words: tuple[str, ...], code: int, sentence: str, tmp_path: Path
) -> None:
    env = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
    done = run("run", *STUDY, *words, "--out", "a.db", at=tmp_path, env=env)
    assert done.returncode == code, done.stderr
    (last,) = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    assert sentence in last
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("words", "model", "sentence"),
    [
        (("--refuse", "images"), "openai-compatible/player", "takes no images"),
        (("--fault=404=1",), MODEL, "does not exist"),
        (("--fault=401=1",), MODEL, "wants a key, or does not accept"),
        (("--fault=redirect=1",), MODEL, "redirect"),
        (("--fault=page=1",), MODEL, "page"),
    ],
)
def test_what_the_server_refuses_is_one_clear_line(
    words: tuple[str, ...], model: str, sentence: str, tmp_path: Path
) -> None:
    with serving(*words) as server:
        done = run("run", *STUDY, *server.options(model), "--out", "a.db", at=tmp_path)
    assert done.returncode in {2, 3}, done.stderr
    (last,) = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    assert sentence in last
    assert "Traceback" not in done.stderr


def test_a_price_must_be_known_where_cost_is_limited(tmp_path: Path) -> None:
    with serving() as server:
        words = ("run", *STUDY, *server.options(), "--max-cost", "1", "--out", "a.db")
        done = run(*words, at=tmp_path)
        assert done.returncode == 2
        assert "--prices FILE" in done.stderr
        assert server.counts()["requests"] == {}
