"""Any world x any protocol x any adversary, small, on simulated agents: each cell runs and says of
each measure what it is or why it has no meaning there, or is refused in one clear line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from socialcircuits.checking import checked
from socialcircuits.errors import SettingError
from socialcircuits.measures import CATALOGUE
from socialcircuits.protocols import CATALOGUE as PROTOCOLS
from socialcircuits.studies import Execution, Run, Study, execute, plan
from socialcircuits.worlds import CATALOGUE as WORLDS

ADVERSARIES: dict[str, dict[str, Any]] = {
    "none": {},
    "deceiver": {"deceivers": 1},
    "coordinated": {"deceivers": 2, "coordinated": True},
    "sybil": {"deceivers": 1, "adversary": "sybil"},
}
ALONE = {"planted", "stratum", "seat"}
"""Protocols of one agent, in which nobody else could be an adversary."""

TOGETHER = {"deliberation", "chatroom"}
"""Protocols in which adversaries have a chat of their own."""

CLOSED = {"flags"}
"""Worlds whose answers are a closed list."""

MODELS = {"flags": "simulated/literal"}


def study(world: str, protocol: str, adversary: str) -> Study:
    trial: dict[str, Any] = {"protocol": protocol, "N": 5, "rounds": 2, **ADVERSARIES[adversary]}
    if protocol in ALONE:
        trial["N"] = 1
    if protocol == "seat":
        trial["peers"] = "1 wrong"
    values = {
        "name": "grid",
        "seeds": 2,
        "world": {"kind": world},
        "trial": trial,
        "models": {"A": MODELS.get(world, "simulated/deliberating")},
    }
    return checked(Study, values, "$")


def refused(world: str, protocol: str, adversary: str) -> str:
    """Why a cell cannot be; empty where it can."""
    if protocol in ALONE and adversary != "none":
        return "deceivers: . is not allowed; expected fewer than the 1 agents"
    if adversary == "coordinated" and protocol not in TOGETHER:
        return "coordinated: True is not allowed; expected False in the protocol"
    if protocol == "two-way" and world not in CLOSED:
        return "protocol: 'two-way' is not allowed; expected another protocol in the world"
    return ""


@pytest.mark.parametrize("adversary", ADVERSARIES)
@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("world", WORLDS)
def test_every_cell_runs_or_says_why_not(
    tmp_path: Path, world: str, protocol: str, adversary: str
) -> None:
    why, out = refused(world, protocol, adversary), tmp_path / "cell.db"
    if why:
        with pytest.raises(SettingError, match=why):
            execute(plan(study(world, protocol, adversary)), out, Execution())
        assert not out.exists()
        return
    execute(plan(study(world, protocol, adversary)), out, Execution())
    with Run(out) as run:
        trials, rows = run.trials(), run.rows()
        summaries = run.summaries()
    assert (trials["completed"], trials["failed"]) == (2, 0)
    for measure in CATALOGUE:
        reasons = {measure.undefined(summary) for summary in summaries}
        printed = [row for row in rows if row.measure == measure.name]
        assert bool(printed) == (None in reasons), measure.name
        # A measure without a meaning says why, in words.
        assert all(reason is None or len(reason) > 10 for reason in reasons), measure.name
    assert any(row.estimate.n for row in rows)
