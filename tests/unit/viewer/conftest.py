"""Small real runs of the three studies."""

from __future__ import annotations

from pathlib import Path

import pytest

import socialcircuits
from socialcircuits.studies import Run
from tests.support.voices import questions


@pytest.fixture(scope="session")
def flags(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Patches of every agent, and the isolated probes."""
    out = tmp_path_factory.mktemp("viewer") / "flags.db"
    return socialcircuits.run("flag-game/patching", out=out, seeds=2, settings={"rounds": 2})


@pytest.fixture(scope="session")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Chatrooms with attackers."""
    out = tmp_path_factory.mktemp("viewer") / "talk.db"
    settings = {"rounds": 2, "cast": "A", "deceivers": ["0", "1/5"]}
    return socialcircuits.run("chatroom/sybils", out=out, seeds=3, settings=settings)


@pytest.fixture(scope="session")
def secret(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Deliberations on questions that may not be published."""
    folder = tmp_path_factory.mktemp("viewer")
    settings = {"file": str(questions(folder)), "N": 5, "rounds": 2}
    out = folder / "secret.db"
    return socialcircuits.run("deliberation/coordination", out=out, seeds=4, settings=settings)


@pytest.fixture(scope="session")
def runs(flags: Run, talk: Run, secret: Run) -> dict[str, Run]:
    """All of them by name."""
    return {"flags": flags, "talk": talk, "secret": secret}


@pytest.fixture
def copy(flags: Run, tmp_path: Path) -> Path:
    """A copy of the first, to be changed."""
    path = tmp_path / "copy.db"
    path.write_bytes(flags.path.read_bytes())
    return path
