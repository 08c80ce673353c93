"""Every form of file that rows come from, and what is not one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from socialcircuits.errors import SettingError
from socialcircuits.worlds.claims.rows import read_rows, sound_rows

ROWS = [{"a": "x"}, {"a": "y"}]
HUB = {"features": [], "rows": [{"row_idx": 0, "row": row} for row in ROWS]}
CSV = 'a,b\nx,"1\n2"\n\ny,3\n'


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("list.json", json.dumps(ROWS)),
        ("hub.json", json.dumps(HUB)),
        ("lines.json", "\n".join(map(json.dumps, ROWS))),
        ("lines.jsonl", "\n\n".join(map(json.dumps, ROWS)) + "\n"),
        ("table.csv", "\ufeffa\nx\ny\n"),
        ("table.tsv", "a\nx\ny\n"),
        ("own.toml", '[[claim]]\na = "x"\n[[claim]]\na = "y"\n'),
    ],
)
def test_rows_are_read(name: str, text: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    assert [row.values for row in sound_rows(file)] == ROWS


def test_a_line_may_hold_a_line_separator_and_a_cell_a_newline(tmp_path: Path) -> None:
    lines, table = tmp_path / "x.jsonl", tmp_path / "x.csv"
    lines.write_text('{"a": "x\u2028y"}\n', encoding="utf-8")
    table.write_text(CSV, encoding="utf-8")
    assert sound_rows(lines)[0].text("a") == "x y"
    assert [row.values["b"] for row in sound_rows(table)] == ["1\n2", "3"]


def test_what_is_no_row_is_kept_with_its_fault(tmp_path: Path) -> None:
    lines, table = tmp_path / "x.jsonl", tmp_path / "x.csv"
    lines.write_text('{"a": 1}\n{"a":\n[1]\n', encoding="utf-8")
    table.write_text("a,b\n1,2\n3\n", encoding="utf-8")
    assert [(row.number, row.fault[:20]) for row in read_rows(lines)] == [
        (1, ""),
        (2, "not JSON: Expecting "),
        (3, "list, not a table"),
    ]
    assert [row.fault for row in read_rows(table)] == ["", "not as many fields as the first line"]
    with pytest.raises(SettingError, match=r"x\.csv: row 2: 'not as many fields"):
        sound_rows(table)


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("x.txt", "a", r"a file that ends in \.json"),
        ("x.json", "{", "a file that can be read"),
        ("x.json", "[]", "at least one row"),
        ("x.csv", "a,b\n", "at least one row"),
        ("x.toml", "[other]\n", r"only tables \[\[claim\]\]"),
        ("x.toml", "a =", "a file that can be read"),
    ],
)
def test_a_file_that_cannot_be_read(name: str, text: str, why: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SettingError, match=why):
        read_rows(file)


def test_a_missing_file_and_one_that_is_no_text(tmp_path: Path) -> None:
    binary = tmp_path / "x.jsonl"
    binary.write_bytes(b"\xff\xfe\x00")
    for file in (binary, tmp_path / "no.jsonl"):
        with pytest.raises(SettingError, match="a file that can be read"):
            read_rows(file)


def test_fields_name_file_row_and_field(tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    file.write_text('{"a": " ", "b": "[1]", "c": "[\\"x\\", \\" \\"]", "d": 3}', encoding="utf-8")
    (row,) = sound_rows(file)
    assert row.texts("c") == ["x"]
    for read, name in ((row.text, "a"), (row.texts, "b"), (row.texts, "d"), (row.within, "d")):
        with pytest.raises(SettingError, match=rf"x\.jsonl: row 1: {name}: .* is not allowed"):
            read(name)
