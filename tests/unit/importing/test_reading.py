"""From a file to conversations: every fault with its line, hostile input, and order."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from socialcircuits.errors import UsageError
from socialcircuits.importing import FieldMap, convert
from socialcircuits.importing.reading import Read, read
from socialcircuits.records import RunFile


def said(**fields: Any) -> dict[str, Any]:
    return {"conversation": "c", "speaker": "Ada", "text": "Lima.", **fields}


def written(folder: Path, *rows: Any) -> Path:
    path = folder / "talk.jsonl"
    path.write_bytes(
        b"\n".join(row if isinstance(row, bytes) else json.dumps(row).encode() for row in rows)
    )
    return path


def found(folder: Path, *rows: Any) -> Read:
    return read(written(folder, *rows), FieldMap())


def texts(read: Read) -> list[str | None]:
    return [line.text for one in read.conversations for line in one.lines]


def test_every_bad_line_is_found_at_once_each_with_one_reason(tmp_path: Path) -> None:
    rows = [
        said(id="m1"),
        b"{",
        said(id="m1"),
        b"\xff",
        b"",
        [1],
        said(text=None),
        b"[" * 100_000,
        b'{"round": 1' + b"0" * 5000 + b"}",
        said(id="m2"),
    ]
    faults = found(tmp_path, *rows).faults
    assert [fault.line for fault in faults] == [2, 3, 4, 6, 7, 8, 9]
    assert "line 1 has it" in faults[1].why
    assert "UTF-8" in faults[2].why
    with pytest.raises(UsageError, match="7 bad lines; --skip-bad leaves them out") as caught:
        convert(tmp_path / "talk.jsonl", tmp_path / "talk.db")
    assert str(caught.value).count("\n") == 7
    assert not (tmp_path / "talk.db").exists()
    counts = convert(tmp_path / "talk.jsonl", tmp_path / "talk.db", skip_bad=True)
    assert (counts.messages, counts.skipped) == (2, 7)


@pytest.mark.parametrize("rows", [(), (b"\n\n",), (said(round="x"),)], ids=["none", "blank", "bad"])
def test_without_a_conversation_there_is_no_run(tmp_path: Path, rows: tuple[Any, ...]) -> None:
    with pytest.raises(UsageError, match="has no conversation"):
        convert(written(tmp_path, *rows), tmp_path / "talk.db", skip_bad=True)
    assert not (tmp_path / "talk.db").exists()


def test_what_is_no_text_is_kept_and_seen(tmp_path: Path) -> None:
    odd = "a\x00b\ud800\u202e"
    path = written(tmp_path, said(speaker=odd, text=odd), said(text="y" * 1_000_000))
    convert(path, tmp_path / "talk.db")
    with RunFile(tmp_path / "talk.db") as file:
        record = file.trial(0)
    assert record.graph.seats[0].key == "a\\x00b\\ud800\\u202e"
    assert record.outcomes[0].text == odd
    assert len(record.outcomes[1].text) == 1_000_000


def test_a_name_that_would_be_seen_as_another_is_refused(tmp_path: Path) -> None:
    read = found(tmp_path, said(speaker="a\x00"), said(speaker="a\\x00"))
    assert [fault.line for fault in read.faults] == [2]


def test_turns_then_times_then_lines_are_the_order(tmp_path: Path) -> None:
    turns = found(tmp_path, said(turn=2, time=1, text="2"), said(turn=1, time=2, text="1"))
    assert texts(turns) == ["1", "2"]
    times = found(
        tmp_path,
        said(time="2026-01-31T13:00:00+01:00", text="b"),
        said(time="2026-01-31T11:59:59Z", text="a"),
        said(time="2026-01-31T12:00:00Z", text="c"),
    )
    assert texts(times) == ["a", "b", "c"]
    assert texts(found(tmp_path, said(text="x"), said(text="w"))) == ["x", "w"]


@pytest.mark.parametrize(
    ("rows", "line", "why"),
    [
        ([said(round=2), said(round=1)], 2, "round 1 comes after round 2 of line 1"),
        ([said(time=2, round=1), said(time=1, round=2)], 1, "round 1 comes after round 2"),
        ([said(turn=1), said(turn=1)], 2, "turn 1 is that of line 1 too"),
        ([said(turn=1), said()], 2, "it has no turn"),
        ([said(round=1), said()], 2, "it has no round"),
        ([said(time=1), said(time="2026-01-31")], 2, "its time is without a zone, that of line 1"),
        ([said(truth="Lima"), said(truth="Cusco")], 2, "expected 'Lima', as line 1 has it"),
        ([said(role="sybil"), said(role="deceiver")], 2, "expected 'sybil' of Ada, as line 1"),
        ([said(purpose="probe", to=["Bo"])], 1, "expected nobody, or a speaker whose role is mon"),
        ([said(purpose="vote", to="all")], 1, "expected nobody"),
        ([said(purpose="reflection", to=["Bo"])], 1, "expected its speaker alone"),
        ([said(purpose="chat", to=["Bo"])], 1, "expected speakers whose role is coordinated"),
    ],
)
def test_what_contradicts_itself_is_refused(
    tmp_path: Path, rows: list[Any], line: int, why: str
) -> None:
    faults = found(tmp_path, *rows).faults
    assert [fault.line for fault in faults] == [line]
    assert why in faults[0].why


def test_speakers_of_other_conversations_are_others(tmp_path: Path) -> None:
    rows = [said(role="sybil"), {**said(), "conversation": "d", "role": "observer"}]
    read = found(tmp_path, *rows)
    assert not read.faults
    assert [one.name for one in read.conversations] == ["c", "d"]


def test_a_mark_at_the_beginning_of_a_file_is_no_fault(tmp_path: Path) -> None:
    assert not found(tmp_path, b"\xef\xbb\xbf" + json.dumps(said()).encode()).faults


def test_a_window_that_cannot_be_is_a_fault_of_its_conversation(tmp_path: Path) -> None:
    views = [{"purposes": ["message"], "window": [2, 3]}]
    path = written(tmp_path, said(), {**said(), "conversation": "d", "reads": views})
    with pytest.raises(UsageError, match="line 2: conversation 'd'"):
        convert(path, tmp_path / "talk.db")


def test_thousands_of_speakers_are_no_trouble_but_too_many_readers_are(tmp_path: Path) -> None:
    rows = [{**said(), "speaker": f"s{i}", "conversation": i % 7} for i in range(3000)]
    assert convert(written(tmp_path, *rows), tmp_path / "talk.db").speakers == 3000
    rows = [{**said(), "speaker": f"s{i}", "to": "all"} for i in range(3200)]
    with pytest.raises(UsageError, match="at most 10,000,000 readers"):
        convert(written(tmp_path, *rows), tmp_path / "more.db")
