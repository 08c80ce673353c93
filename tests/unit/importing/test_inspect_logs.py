"""Logs of Inspect: who said what in a sample, and who was shown it. The logs are real ones, written
by Inspect itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from socialcircuits.errors import UsageError
from socialcircuits.importing import convert, structure
from socialcircuits.importing.inspect_logs import rows
from socialcircuits.records import RunFile

pytestmark = pytest.mark.extra("inspect")
pytest.importorskip("inspect_ai", reason="needs the extra `inspect`")

LONG = "This is a reply that is long enough to be known again, number {}."


def span(name: str, kind: str | None = "agent", parent: str | None = None) -> Any:
    from inspect_ai.event import SpanBeginEvent

    return SpanBeginEvent(id=name, name=name, type=kind, parent_id=parent)


def reply(agent: str | None, text: str, *shown: Any, role: str | None = None) -> Any:
    from inspect_ai.event import ModelEvent
    from inspect_ai.model import ChatMessageUser, GenerateConfig, ModelOutput

    heard = [ChatMessageUser(content=one) if isinstance(one, str) else one for one in shown]
    return ModelEvent(
        span_id=agent,
        role=role,
        model="mockllm/model",
        input=heard,
        tools=[],
        tool_choice="auto",
        config=GenerateConfig(),
        output=ModelOutput.from_content("mockllm/model", text),
    )


def log(folder: Path, events: Sequence[Any], messages: Sequence[Any] = ()) -> Path:
    from inspect_ai.log import (
        EvalConfig,
        EvalDataset,
        EvalLog,
        EvalSample,
        EvalSpec,
        write_eval_log,
    )

    spec = EvalSpec(
        created="2026-01-31T12:00:00+00:00",
        task="room",
        dataset=EvalDataset(),
        model="mockllm/model",
        config=EvalConfig(),
    )
    sample = EvalSample(
        id="peru", epoch=2, input="Capital of Peru?", target="Lima",
        events=list(events), messages=list(messages),
    )  # fmt: skip
    path = folder / "room.eval"
    write_eval_log(EvalLog(eval=spec, status="success", samples=[sample]), str(path))
    return path


def test_agents_are_speakers_and_who_was_shown_a_reply_is_a_reader(tmp_path: Path) -> None:
    first = reply("ada", "Lima.")
    events = [
        span("room"),
        span("ada", parent="room"),
        span("tool", "tool", parent="ada"),
        span("bo", parent="room"),
        span("cleo", parent="room"),
        first,
        reply("bo", LONG.format(1), first.output.message),
        reply("cleo", "Yes.", f"Bo said: {LONG.format(1)}", f"He also said: {LONG.format(2)}"),
        reply("tool", LONG.format(2), "Yes.", LONG.format(1)),
        reply("bo", ""),
    ]
    found = list(rows(log(tmp_path, events)))
    assert [(row["speaker"], row["to"]) for row in found] == [
        ("ada", ["bo"]),  # by its id
        ("bo", ["ada", "cleo"]),  # by its text, within another
        ("cleo", None),  # too short to be told from other words
        ("ada", None),  # shown to nobody after it was said
    ]
    assert {row["conversation"] for row in found} == {"peru/2"}
    assert {row["truth"] for row in found} == {"Lima"}


def test_a_log_becomes_a_run(tmp_path: Path) -> None:
    first = reply("ada", "Lima.")
    events = [span("ada"), span("bo"), first, reply("bo", "Why?", first.output.message)]
    counts = convert(log(tmp_path, events), tmp_path / "room.db")
    assert (counts.messages, counts.known) == (2, 1)
    with RunFile(tmp_path / "room.db") as file:
        record = file.trial(0)
    assert record.provided.minds == ("mockllm/model",) * 2
    assert record.provided.facts["question"] == "Capital of Peru?"
    assert [row.out_degree for row in structure(record.graph)] == [1, 0]


def test_outside_all_agents_the_role_of_the_model_speaks(tmp_path: Path) -> None:
    events = [span("solver", "solver"), reply("solver", "A", role="critic"), reply(None, "B")]
    assert [row["speaker"] for row in rows(log(tmp_path, events))] == ["critic", "model"]


def test_a_sample_without_events_gives_its_messages(tmp_path: Path) -> None:
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser

    messages = [
        ChatMessageSystem(content="Be short."),
        ChatMessageUser(content="Capital of Peru?"),
        ChatMessageAssistant(content="Lima."),
    ]
    found = list(rows(log(tmp_path, [], messages)))
    assert [(row["speaker"], row["text"]) for row in found] == [
        ("user", "Capital of Peru?"),
        ("assistant", "Lima."),
    ]
    assert all("to" not in row for row in found)


@pytest.mark.parametrize("damage", ["cut", "flipped", "other", "missing"])
def test_a_damaged_log_is_refused_in_one_line(tmp_path: Path, damage: str) -> None:
    path = log(tmp_path, [reply(None, LONG)])
    data = path.read_bytes()
    places = {"cut": data[: len(data) // 2], "other": b"hello"}
    if damage == "missing":
        path.unlink()
    else:
        path.write_bytes(places.get(damage, bytes(byte ^ 0xFF for byte in data)))
    with pytest.raises(
        UsageError, match=r"room\.eval cannot be read as a log of Inspect"
    ) as caught:
        list(rows(path))
    assert "\n" not in str(caught.value)
