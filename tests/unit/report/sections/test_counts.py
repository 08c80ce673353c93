"""What was planned, done, left out and paid, as the run says it."""

from __future__ import annotations

from pathlib import Path

import pytest

import socialcircuits
from socialcircuits.agents import BackEnd
from socialcircuits.errors import ModelError
from socialcircuits.models import Capabilities, Completion, Request, ScriptedModel
from socialcircuits.report.sections import head
from socialcircuits.report.sections.counts import REPLIES, blocks, lacking
from socialcircuits.studies import Run
from tests.support.pages import made, number
from tests.support.prompted import TEXT, agreeable


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Agents that were judged, on items of which some are not kept."""
    out = tmp_path_factory.mktemp("counts") / "run.db"
    settings = {"N": [2, 5, 6, 7], "rounds": 1}
    return socialcircuits.run("deliberation/scaling", seeds=5, out=out, settings=settings)


def texts(run: Run, table: str, column: str) -> dict[str, str]:
    rows = made(run, blocks).rows(table)
    return {key: number(row[column]).text for key, row in rows.items()}


def test_counts_are_those_of_the_run(judged: Run) -> None:
    found = texts(judged, "counts", "number")
    trials, calls, spent = judged.trials(), judged.calls(), judged.spent()
    for name in ("planned", "completed", "failed"):
        assert found[f"trials {name}"] == f"{trials[name]:,}"
    alone = "trials outside all estimates: models alone, to select the items"
    assert found[alone] == f"{trials['excluded']:,}" == "5"
    for name, words in REPLIES.items():
        assert found[words] == f"{calls[name]:,}"
    assert found["tokens of prompts"] == f"{spent.prompt:,}"
    assert found["cost in USD"] == "0.0000"


def test_what_judges_said_is_counted(judged: Run) -> None:
    row = made(judged, blocks).rows("judging")["rules"]
    counts = judged.judging()["rules"]
    assert counts["labels"] > 0
    for column in ("labels", "unjudged", "calls"):
        assert number(row[column]).value == counts[column]


def test_reasons_why_trials_are_left_out_are_counted_by_measure(judged: Run) -> None:
    expected: dict[tuple[str, str], int] = {}
    for row in judged.rows():
        for why, count in row.estimate.levels.get("excluded", {}).items():
            if "minus" not in row.condition:
                at = (why, row.measure.replace("_", " "))
                expected[at] = expected.get(at, 0) + count
    rows = made(judged, blocks).rows("excluded").values()
    found = {
        (str(row["why"]), name): number(row["trials"]).value
        for row in rows
        for name in str(row["measures"]).split(", ")
    }
    assert expected
    assert found == expected


def test_failed_trials_have_a_row_a_reason_and_are_loud(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def reply(request: Request) -> Completion:
        if b"Memory" in request.segments[-1].data or len(request.segments) > 2:
            raise ModelError("no answer from the back end")
        return agreeable(request)

    def model(_: BackEnd, name: str, where: str) -> ScriptedModel:
        return ScriptedModel(name, reply, Capabilities(schema=True))

    monkeypatch.setattr(BackEnd, "_model", model)
    settings = {"N": [2, 4], "rounds": 1}
    out = tmp_path / "run.db"
    with socialcircuits.run(
        "flag-game/population", model=TEXT, seeds=2, out=out, settings=settings
    ) as run:
        failed = run.failures()
        assert failed
        row = made(run, blocks).rows("failures")["no answer from the back end"]
        assert number(row["trials"]).value == len(failed)
        assert str(row["first"]).startswith(f"trial {failed[0][0].number} (seed ")
        (line,) = [line for line in head.lines(run) if line.name == "failed"]
        assert line.loud
        assert [part.text for part in line.parts if not isinstance(part, str)] == [str(len(failed))]


def test_targets_that_no_evidence_serves_are_named() -> None:
    entry = {"condition": {"evidence": "weak", "lure": "agrees"}, "targets": ["Mali", "Peru"]}
    assert list(lacking([entry])) == [
        "Left out as targets, no evidence serves (evidence = weak, lure = agrees): Mali, Peru."
    ]
