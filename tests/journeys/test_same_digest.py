"""One study has one digest, however, wherever and on whatever processor it is run."""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.journeys.command import SMALL, result


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("digests")


@pytest.fixture(scope="module")
def plain(folder: Path) -> dict[str, Any]:
    """The study with some invalid replies, asked at once."""
    words = ("--model", "simulated/literal?invalid=100", "--out", "plain.db")
    found = result("run", *SMALL, *words, at=folder)
    assert found["calls"]["invalid"] > 0
    return found


def test_a_replay_asks_nobody(folder: Path, plain: dict[str, Any]) -> None:
    words = ("--model", "replay/plain.db", "--out", "again.db")
    again = result("run", *SMALL, *words, at=folder)
    assert again["digest"] == plain["digest"]
    assert again["estimates"] == plain["estimates"]
    counts = again["calls"]
    assert (counts["made"], counts["repeated"]) == (0, 0)
    assert counts["reused"] == plain["calls"]["made"]
    assert counts["invalid"] == plain["calls"]["invalid"]


def test_a_replay_finds_guesses_that_examples_share_with_estimates(folder: Path) -> None:
    words = (*SMALL, "--set", "truth=France")
    shared = result("run", *words, "--out", "shared.db", at=folder)
    again = result("run", *words, "--model", "replay/shared.db", "--out", "c.db", at=folder)
    assert again["digest"] == shared["digest"]
    assert again["calls"]["made"] == 0


@pytest.mark.parametrize("order", [(), ("--sequential",)], ids=["wavefront", "sequential"])
def test_waiting_changes_nothing(
    order: tuple[str, ...], folder: Path, plain: dict[str, Any]
) -> None:
    words = ("--model", "simulated/literal?latency=2&invalid=100", "--out", f"{len(order)}.db")
    waited = result("run", *SMALL, *words, *order, at=folder)
    assert waited["digest"] == plain["digest"]
    assert waited["calls"] == plain["calls"]
    assert waited["estimates"] == plain["estimates"]


def test_another_seed_has_another_digest(folder: Path, plain: dict[str, Any]) -> None:
    words = ("--model", "simulated/literal?invalid=100", "--seed", "2", "--out", "other.db")
    assert result("run", *SMALL, *words, at=folder)["digest"] != plain["digest"]


def test_an_older_processor_gives_the_same_digest(folder: Path, plain: dict[str, Any]) -> None:
    numpy = import_module("numpy._core._multiarray_umath")
    features = [name for name in numpy.__cpu_dispatch__ if numpy.__cpu_features__[name]]
    if not features:
        pytest.skip("this processor has none of the features that numpy can do without")
    env = {**os.environ, "NPY_DISABLE_CPU_FEATURES": " ".join(features)}
    words = ("--model", "simulated/literal?invalid=100", "--out", "older.db")
    older = result("run", *SMALL, *words, at=folder, env=env)
    assert older["digest"] == plain["digest"]
    assert older["estimates"] == plain["estimates"]
