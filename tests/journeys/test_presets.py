"""Every preset by its name: runs, and ends in its figures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import socialcircuits as sc
from socialcircuits.report.pictures import draw_all
from socialcircuits.studies import presets
from tests.journeys.command import result

FIGURES = {
    "flag-game/population": {"population", "robustness", "beliefs"},
    "flag-game/protocols": {"protocols"},
    "flag-game/robustness": {"robustness"},
    "flag-game/awareness-pairwise": {"awareness"},
    "flag-game/broadcast-grid": {"grid"},
    "flag-game/single-agent": {"single_agent", "gallery"},
    "flag-game/memory-conflict": {"memory_conflict"},
    "flag-game/evidence-share": {"evidence_share"},
    "flag-game/patching": {"belief_trace", "attribution", "circuit"},
    "flag-game/population-patching": {"patch_effect"},
    "flag-game/deceivers": set[str](),
    "deliberation/scaling": {"strata", "defection", "group_size"},
    "deliberation/scaling-honest": {"strata", "defection", "group_size"},
    "deliberation/coordination": {"coordination", "codes"},
    "deliberation/pairings": {"pairings"},
    "deliberation/timing": {"timing"},
    "deliberation/tactics": {"tactics"},
    "deliberation/audits": {"audits", "codes"},
    "deliberation/questions": {"strata"},
    "deliberation/verification": {"verification"},
    "deliberation/withheld": set(),
    "deliberation/flags": {"defection"},
    "chatroom/sybils": {"sybils", "stance"},
    "chatroom/own-view": {"reasks-deceivers-3"},
    "chatroom/knowledge": {"knowledge-deceivers-3"},
    "chatroom/compounding": {"hazard-deceivers-3", "hazard-deceivers-1"},
    "chatroom/dynamics": {"dynamics"},
    "chatroom/timing": {"pairing-deceivers-3"},
    "chatroom/dyad": {"dyad"},
    "chatroom/screening": {"screening"},
    "chatroom/judges": set(),
    "chatroom/defences": {"defences"},
    "chatroom/networks": {"networks"},
    "card/seat": set(),
    "card/evidence": set(),
    "card/quick": set(),
    "card/quick-evidence": set(),
    "card/rooms": set(),
}
SEEDS = {"flag-game/single-agent": 40, "deliberation/audits": 8}
"""Seeds where few are too few: a gallery needs models that disagree, a reason somebody who gave
in."""


def test_there_is_a_test_of_every_preset() -> None:
    assert set(presets()) == set(FIGURES)


@pytest.mark.parametrize("name", FIGURES)
def test_a_preset_runs_to_its_figures(name: str, tmp_path: Path) -> None:
    # Of three questions the strata keep some, and drop some.
    seeds = SEEDS.get(name, 2 if name.startswith("flag-game/") else 3)
    with sc.run(name, seeds=seeds, out=tmp_path / "run.db") as done:
        trials = done.trials()
        assert trials["failed"] == 0
        assert trials["completed"] == trials["planned"] > trials["excluded"]
        drawn = draw_all(done, tmp_path / "figures")
    written = drawn.files
    assert not drawn.left_out
    assert {path.stem for path in written} == FIGURES[name]
    assert all(path.stat().st_size > 80 for path in written)


def test_the_threshold_table_of_an_existing_run_asks_nobody(tmp_path: Path) -> None:
    small = ("--seeds", "3", "--set", "N=4,8")
    result("run", "flag-game/population", *small, "--out", "a.db", at=tmp_path)
    replayed = ("--model", "replay/a.db", "--out", "b.db")
    found = result("run", "flag-game/robustness", *small, *replayed, at=tmp_path)
    assert found["calls"]["made"] == 0
    assert found["calls"]["reused"] > 0
    result("report", "b.db", "--out", "report", at=tmp_path)
    table = (tmp_path / "report" / "figures" / "robustness.csv").read_text().splitlines()
    assert len(table) == 1 + 30 * 4 * 2


def test_targets_that_cannot_serve_are_named_before_and_after(tmp_path: Path) -> None:
    given = ("flag-game/memory-conflict", "--seeds", "1", "--set", "lures=8", "--set", "m=1")
    planned = result("run", *given, "--dry-run", at=tmp_path)
    done = result("run", *given, "--out", "run.db", at=tmp_path)
    for found in (planned, done):
        (strong,) = [one for one in found["left_out"] if one["condition"]["evidence"] == "strong"]
        assert strong["condition"] == {"evidence": "strong", "lure": "contradicts"}
        assert strong["targets"] == [
            "Austria", "Bulgaria", "Hungary", "Italy", "Netherlands", "Nigeria", "Yemen",
        ]  # fmt: skip
    with sc.open(tmp_path / "run.db") as run:
        recorded = [trial.provided.facts["left_out"] for trial in run.file.trials()]
    assert json.dumps(recorded).count("Yemen") == sum(bool(entry) for entry in recorded) > 0
