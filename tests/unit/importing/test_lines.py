"""What a line may hold, field by field, and what a map makes of other columns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from socialcircuits.errors import SettingError, UsageError
from socialcircuits.graph import View
from socialcircuits.importing import FIELDS, FieldMap, load_map
from socialcircuits.importing.lines import ALL, Line, line_of, views_as_json

LEAST = {"conversation": "c", "speaker": "Ada", "text": "Lima."}


def line(**fields: Any) -> Line:
    return line_of({**LEAST, **fields}, 1, FieldMap())


def test_the_fields_that_are_documented_are_those_that_are_read() -> None:
    assert set(FIELDS) == set(Line._fields) - {"number"}


def test_unknown_readers_are_not_nobody() -> None:
    assert line().to is None
    assert line(to=None).to is None
    assert line(to=[]).to == ()
    assert line(to="all").to == ALL
    assert line(to="Bo").to == line(to=["Bo", "Bo"]).to == ("Bo",)


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("text", 3, "a text"),
        ("text", None, "only what nobody else can read may lack it"),
        ("speaker", "", "1 to 200 characters"),
        ("speaker", "x" * 201, "1 to 200 characters"),
        ("speaker", True, "1 to 200 characters"),
        ("to", [None], "1 to 200 characters"),
        ("to", {"a": 1}, "1 to 200 characters"),
        ("undelivered", ["Bo"], "names that stand in `to`"),
        ("round", -1, "a whole number"),
        ("round", 1.0, "a whole number"),
        ("turn", True, "a whole number"),
        ("time", "yesterday", "such as 2026-01-31T12:00:00Z"),
        ("time", float("nan"), "such as 2026-01-31T12:00:00Z"),
        ("time", 10**400, "such as 2026-01-31T12:00:00Z"),
        ("purpose", "label", "one of chat, decision"),
        ("purpose", [], "one of chat, decision"),
        ("valid", "yes", "true or false"),
        ("role", "a b", "a word"),
        ("reads", "all", "one of any, previous, nothing"),
        ("reads", [{"purposes": [[]]}], "views with purposes"),
        ("reads", [{"purposes": ["message"], "whom": "own"}], "views of purposes"),
        ("reads", [{"purposes": ["message"], "window": [1]}], "a window"),
    ],
)
def test_a_bad_field_is_named(field: str, value: Any, expected: str) -> None:
    with pytest.raises(SettingError, match=expected) as caught:
        line(**{field: value})
    assert caught.value.where == field


@pytest.mark.parametrize("field", ["conversation", "speaker"])
def test_a_line_needs_its_conversation_and_speaker(field: str) -> None:
    with pytest.raises(SettingError, match=f"{field}: None is not allowed"):
        line(**{field: None})


def test_a_long_value_is_not_printed_whole() -> None:
    with pytest.raises(SettingError) as caught:
        line(round="9" * 1_000_000)
    assert len(str(caught.value)) < 200


def test_only_what_nobody_else_reads_may_lack_its_text() -> None:
    assert line(text=None, purpose="probe").text is None
    assert line(text=None, purpose="decision", to=["Ada"]).text is None
    with pytest.raises(SettingError, match="text: None"):
        line(text=None, purpose="decision", to=["Ada", "Bo"])


def test_views_come_back_as_they_were_written() -> None:
    views = (
        View("heard", ("message",), whose="others", window=(8, 4)),
        View("heard", ("report", "decision"), round="previous", last=3),
    )
    assert line(reads=views_as_json(views)).reads == views
    assert line(reads="nothing").reads == ()
    assert {view.round for view in line(reads="previous").reads} == {"previous"}


def test_a_map_names_columns_nested_ones_and_defaults() -> None:
    fields = FieldMap(
        {"conversation": "thread.id", "speaker": "who", "text": "a.b"}, {"to": "all", "round": 2}
    )
    row = {"thread": {"id": 7}, "who": "Ada", "a.b": "dotted", "a": {"b": "nested"}, "round": 1}
    found = line_of(row, 3, fields)
    assert (found.conversation, found.text, found.to) == ("7", "dotted", ALL)
    assert (found.number, found.round) == (3, 1)


def test_a_default_of_readers_is_not_for_what_is_private() -> None:
    fields = FieldMap({}, {"to": "all"})
    assert line_of({**LEAST, "purpose": "probe"}, 1, fields).to is None
    assert line_of({**LEAST, "purpose": "probe", "to": ["Bo"]}, 1, fields).to == ("Bo",)
    assert line_of({**LEAST, "purpose": "report"}, 1, fields).to == ALL


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[field]\n", "expected the tables fields and defaults; did you mean 'fields'"),
        ("[fields]\nspeeker = 'x'\n", "did you mean 'speaker'"),
        ("[fields]\nspeaker = 3\n", "the name of a column"),
        ("fields = 3\n", "the tables fields and defaults"),
        ("[fields", "is no TOML"),
    ],
)
def test_a_bad_map_is_refused(tmp_path: Path, text: str, expected: str) -> None:
    path = tmp_path / "map.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=expected):
        load_map(path)


def test_a_missing_map_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        load_map(tmp_path / "none.toml")
