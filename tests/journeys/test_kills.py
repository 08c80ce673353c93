"""Kill -9 at random moments, then resume: the record is that of an undisturbed run, and no reply is
paid for twice but those that were in flight. SOCIALCIRCUITS_KILLS sets the number of kills."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from socialcircuits.seeds import Stream
from tests.journeys import spy
from tests.journeys.command import COMMAND, listing, result, start
from tests.support.voices import questions

KILLS = int(os.environ.get("SOCIALCIRCUITS_KILLS", "20"))
SPIED = [sys.executable, str(Path(spy.__file__))]


class Victim:
    """A study that is killed and resumed until it is done, several times over."""

    def __init__(self, words: tuple[str, ...], folder: Path, program: list[str]) -> None:
        self.words, self.folder, self._program = words, folder, program
        self.kills = 0
        self._moments = Stream(b"kills", " ".join(words))
        began = time.monotonic()
        process = self.begin("undisturbed.db")
        opened = time.monotonic()
        self.undisturbed = self.end(process)
        self.start, self.work = opened - began, time.monotonic() - opened

    def begin(self, run: str) -> subprocess.Popen[str]:
        words = ("run", *self.words, "--out", run, "--json")
        return start(*words, at=self.folder, program=self._program)

    def killed_while_starting(self, run: str) -> None:
        """Start and kill before, while or just after the run file is made."""
        words = [*COMMAND, "run", *self.words, "--out", run]
        process = subprocess.Popen(words, cwd=self.folder, stderr=subprocess.DEVNULL)
        self._survives(process, self.start)

    def killed(self, run: str) -> dict[str, Any] | None:
        """Start or resume, and kill within the time that the work takes; return what was printed if
        the run was done before, or there have been kills enough."""
        process = self.begin(run)
        spared = self.kills >= KILLS or self._survives(process, self.work)
        return self.end(process) if spared else None

    def _survives(
        self, process: subprocess.Popen[str] | subprocess.Popen[bytes], span: float
    ) -> bool:
        try:
            process.wait(timeout=span * self._moments.below(1000) / 1000)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            self.kills += 1
            return False
        return True

    @staticmethod
    def end(process: subprocess.Popen[str]) -> dict[str, Any]:
        out, err = process.communicate(timeout=300)
        assert process.returncode == 0, err
        found = json.loads(out)
        assert isinstance(found, dict)
        return found


def check_same(found: dict[str, Any], undisturbed: dict[str, Any]) -> None:
    """The result is that of the undisturbed run, and each reply counts once."""
    for name in ("digest", "trials", "estimates"):
        assert found[name] == undisturbed[name]
    for name in ("made", "reused", "invalid", "voided"):
        assert found["calls"][name] == undisturbed["calls"][name]


def test_a_simulated_run_survives_kills(tmp_path: Path) -> None:
    words = ("flag-game/population", "--seeds", "4", "--set", "N=[4, 16]")
    victim, repeated, number = Victim(words, tmp_path, COMMAND), 0, 0
    while victim.kills < KILLS:
        number += 1
        run, found = f"{number}.db", None
        victim.killed_while_starting(run)
        while found is None:
            found = victim.killed(run)
        check_same(found, victim.undisturbed)
        repeated += found["calls"]["repeated"]
    assert repeated > 0
    assert listing(tmp_path) == {"undisturbed.db", *(f"{i + 1}.db" for i in range(number))}


def test_a_waiting_run_survives_kills_and_pays_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = "simulated/literal?latency=5&invalid=100"
    words = ("flag-game/population", "--seeds", "3", "--set", "N=[4]", "--model", model)
    asked = tmp_path / "asked"
    monkeypatch.setenv("ASKED", str(asked))
    victim, number, repeated = Victim(words, tmp_path, SPIED), 0, 0
    assert max(read_keys(asked).values()) == 1
    while victim.kills < KILLS:
        number += 1
        asked.unlink()
        run, flying, found = f"{number}.db", Counter[str](), None
        while (found := victim.killed(run)) is None:
            flying += in_flight(tmp_path / run)
        check_same(found, victim.undisturbed)
        counts = read_keys(asked)
        assert len(counts) == found["calls"]["made"]
        again = {key: count - 1 for key, count in counts.items() if count > 1}
        assert not {key: n for key, n in again.items() if n > flying[key]}
        assert found["calls"]["repeated"] == flying.total()
        repeated += sum(again.values())
    assert repeated > 0
    runs = {"undisturbed.db", *(f"{i + 1}.db" for i in range(number))}
    assert listing(tmp_path) == runs | {"asked"}


def test_a_run_that_is_judged_survives_kills_and_pays_its_judge_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, kills = tmp_path / "asked", KILLS // 4
    monkeypatch.setenv("ASKED", str(asked))
    settings = ("N=4", "deceivers=1", "rounds=1", "strata=false", f"file={questions(tmp_path)}")
    sets = [word for setting in settings for word in ("--set", setting)]
    models = ("--model", "openai/agent?sees=text", "--judge", "openai/judge", "--in-flight", "2")
    words = ("deliberation/timing", "--seeds", "3", *sets, *models)
    victim, number, repeated = Victim(words, tmp_path, SPIED), 0, 0
    assert len(read_keys(asked)) > 30
    undisturbed = result("digest", "undisturbed.db", at=tmp_path)
    while victim.kills < kills:
        number += 1
        asked.unlink()
        run, flying, found = f"{number}.db", Counter[str](), None
        while (found := victim.killed(run)) is None:
            flying += in_flight(tmp_path / run)
        check_same(found, victim.undisturbed)
        assert found["judging"] == victim.undisturbed["judging"]
        digests = result("digest", run, at=tmp_path)
        assert digests["labels"] == undisturbed["labels"]
        again = {key: count - 1 for key, count in read_keys(asked).items() if count > 1}
        assert not {key: n for key, n in again.items() if n > flying[key]}
        repeated += sum(again.values())
    assert repeated > 0


def test_a_guess_that_examples_share_with_estimates_is_asked_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = tmp_path / "asked"
    monkeypatch.setenv("ASKED", str(asked))
    model = "simulated/literal?latency=1"
    words = ("--seeds", "1", "--set", "N=[4]", "--set", "truth=France", "--model", model)
    process = start(
        "run", "flag-game/population", *words, "--out", "a.db", at=tmp_path, program=SPIED
    )
    _, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert set(read_keys(asked).values()) == {1}


def read_keys(asked: Path) -> Counter[str]:
    """How often each reply was asked for, over all processes."""
    return Counter(asked.read_text().split())


def in_flight(run: Path) -> Counter[str]:
    """The replies that a killed process had asked for and not committed. A copy is read: looking at
    the file itself would repair it."""
    copy = run.parent / "copy"
    copy.mkdir()
    for path in run.parent.glob(f"{run.name}*"):
        shutil.copy(path, copy)
    database = sqlite3.connect(copy / run.name)
    keys = [key.hex() for (key,) in database.execute("SELECT key FROM replies WHERE reply IS NULL")]
    database.close()
    shutil.rmtree(copy)
    return Counter(keys)
