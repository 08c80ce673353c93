"""What is made of conversations: seats, readers, facts; and the way out and back again."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from socialcircuits.errors import RunFileError
from socialcircuits.graph import Graph
from socialcircuits.importing import Imported, convert, imported, structure, write
from socialcircuits.records import RunFile, TrialRecord
from socialcircuits.records.digests import public_digest
from socialcircuits.studies import Run, run

TALK: list[dict[str, Any]] = [
    {"speaker": "Ada", "text": "Lima.", "to": ["Bo"], "round": 1, "answer": "Lima"},
    {"speaker": "Bo", "text": "It is Cusco.", "to": "all", "round": 1, "role": "sybil"},
    {"speaker": "Cleo", "text": "I doubt it.", "round": 1},
    {"speaker": "Ada", "text": "Cusco", "round": 1, "purpose": "probe"},
    {"speaker": "Ada", "text": "Bo was sure.", "round": 2, "purpose": "reflection"},
    {"speaker": "Cleo", "text": "Nothing.", "round": 2, "to": []},
]
ABOUT = {"conversation": "peru", "truth": "Lima", "lure": "Cusco", "question": "Capital of Peru?"}


def made(folder: Path, rows: list[dict[str, Any]] = TALK) -> tuple[Imported, TrialRecord]:
    path = folder / "talk.jsonl"
    path.write_text("\n".join(json.dumps({**ABOUT, **row}) for row in rows), encoding="utf-8")
    counts = convert(path, folder / "talk.db")
    with RunFile(folder / "talk.db") as file:
        assert imported(file) == counts
        return counts, file.trial(0)


def test_known_readers_are_claimed_and_unknown_ones_counted(tmp_path: Path) -> None:
    counts, record = made(tmp_path)
    assert [seat.key for seat in record.graph.seats] == ["Ada", "Bo", "Cleo"]
    assert [step.to for step in record.graph.steps] == [(1,), (0, 1, 2), (), (), (0,), ()]
    lineage = record.provided.facts["lineage"]
    assert lineage == {"seats": 3, "messages": 4, "known": 3, "unknown": [2], "untold": 0}
    assert (counts.messages, counts.known, counts.speakers) == (4, 3, 3)
    assert counts.lines == (
        "Lineage: readers are known of 3 of 4 messages; those of the other 1 are unknown.",
    )


def test_nobody_was_asked_and_what_was_said_stands_as_it_came(tmp_path: Path) -> None:
    _, record = made(tmp_path)
    assert record.counts["made"] == 0
    assert {attempt.key for attempt in record.attempts} == {b""}
    assert record.outcomes[0].answer == "Lima"
    assert record.outcomes[1].answer is None
    assert record.outcomes[1].reason == "It is Cusco."
    assert record.outcomes[3].answer == "Cusco"
    assert [brief["role"] for brief in record.provided.briefs] == ["observer", "sybil", "observer"]
    assert record.provided.minds == ("unknown",) * 3


def test_what_seats_hold_is_read_from_private_lines_alone(tmp_path: Path) -> None:
    _, record = made(tmp_path)
    assert record.summary().readouts == {1: ("Cusco",)}
    _, open_ = made_without_private(tmp_path)
    assert open_.summary().readouts == {}


def made_without_private(folder: Path) -> tuple[Imported, TrialRecord]:
    (folder / "more").mkdir()
    return made(folder / "more", [row for row in TALK if "purpose" not in row])


def test_without_a_planted_answer_a_talk_is_no_chatroom(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    _, record = made(tmp_path / "plain", [{**row, "lure": None} for row in TALK])
    assert record.summary().room is None
    _, planted = made(tmp_path)
    assert planted.summary().room is not None


def test_a_run_file_is_not_written_over(tmp_path: Path) -> None:
    made(tmp_path)
    with pytest.raises(RunFileError, match=r"talk\.db exists; choose another --out"):
        convert(tmp_path / "talk.jsonl", tmp_path / "talk.db")


def test_a_run_that_was_made_here_was_not_imported(tmp_path: Path) -> None:
    run("flag-game/population", out=tmp_path / "a.db", seeds=1, settings={"N": [4]}).close()
    with RunFile(tmp_path / "a.db") as file:
        assert imported(file) is None


def test_the_study_of_an_imported_run_says_so(tmp_path: Path) -> None:
    made(tmp_path)
    with Run(tmp_path / "talk.db") as opened:
        assert opened.study.name == "import/talk"
        assert opened.study.about.endswith("readers are known of 3 of 4 messages")
        assert opened.label == "models: unknown"
        assert opened.trials() == {"planned": 1, "completed": 1, "failed": 0, "excluded": 0}


ORIGINALS: dict[str, tuple[str, dict[str, Any]]] = {
    "pairwise": ("flag-game/population", {"N": [4, 8], "stop": 0}),
    "stopped": ("flag-game/population", {"N": [4], "stop": 5}),
    "broadcast, manager": ("flag-game/deceivers", {"rounds": 3, "stop": 0}),
    "deliberation": ("deliberation/flags", {"rounds": 2}),
    "chatroom": ("chatroom/networks", {"N": 6, "rounds": 3}),
    "monitor, check": ("chatroom/defences", {"rounds": 2, "deceivers": [1]}),
    "seat": ("card/quick", {}),
}


def taken(record: TrialRecord) -> Graph:
    """The graph of a trial up to its end."""
    graph = record.graph
    assert list(record.outcomes) == list(range(len(record.outcomes)))
    return replace(graph, steps=graph.steps[: len(record.outcomes)])


@pytest.mark.parametrize("name", ORIGINALS)
def test_a_run_without_its_internals_gives_back_record_and_attribution(
    tmp_path: Path, name: str
) -> None:
    preset, settings = ORIGINALS[name]
    run(preset, out=tmp_path / "a.db", seeds=1, settings=settings).close()
    with RunFile(tmp_path / "a.db") as file:
        written = write(file, tmp_path / "a.jsonl")
        originals = list(file.trials())
    counts = convert(tmp_path / "a.jsonl", tmp_path / "b.db")
    assert counts.known == counts.messages > 0
    assert written.conversations == len(originals)
    with RunFile(tmp_path / "b.db") as file:
        back = list(file.trials())
    for old, new in zip(originals, back, strict=True):
        assert public_digest(old.graph, old.attempts) == public_digest(new.graph, new.attempts)
        before = {row.agent: row for row in structure(taken(old))}
        assert before == {row.agent: row for row in structure(new.graph)}
        if old.cut == old.graph.rounds:
            assert before == {row.agent: row for row in structure(old.graph)}


def test_nothing_private_leaves_with_the_lines(tmp_path: Path) -> None:
    made(tmp_path)
    with RunFile(tmp_path / "talk.db") as file:
        write(file, tmp_path / "out.jsonl")
    text = (tmp_path / "out.jsonl").read_text(encoding="utf-8")
    assert "Bo was sure" not in text
    rows = [json.loads(line) for line in text.splitlines()]
    assert [row.get("text") for row in rows] == [
        "Lima.", "It is Cusco.", "I doubt it.", None, None, None,
    ]  # fmt: skip
    assert ["to" in row for row in rows] == [True, True, False, True, True, True]
    counts = convert(tmp_path / "out.jsonl", tmp_path / "again.db")
    assert (counts.messages, counts.known, counts.untold) == (3, 2, 3)


def test_questions_that_may_not_be_published_stay(tmp_path: Path) -> None:
    made(tmp_path)
    with RunFile(tmp_path / "talk.db") as file:
        record = file.trial(0)
        facts = {**record.provided.facts, "shareable": False}
        hidden = replace(record, provided=replace(record.provided, facts=facts))
        file.trials = lambda: iter([hidden])  # type: ignore[method-assign]
        assert write(file, tmp_path / "out.jsonl")[1:] == (0, 0, 1)
    assert (tmp_path / "out.jsonl").read_text(encoding="utf-8") == ""


def test_unknown_readers_make_structure_a_bound(tmp_path: Path) -> None:
    _, record = made(tmp_path)
    rows = {row.agent: row for row in structure(record.graph)}
    assert rows["Ada"].out_degree == 1
    assert rows["Cleo"].unreached == 2
    assert rows["Bo"].unreached == 0
