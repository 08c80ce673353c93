"""Built items written and read again, and claims of one's own with all their faults."""

from __future__ import annotations

import json
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import pytest

from socialcircuits.errors import SettingError, UsageError
from socialcircuits.worlds.claims import BUILDERS, Claim, build, load, read, save
from socialcircuits.worlds.claims.bundled import bundled

PERU: dict[str, Any] = {
    "id": "peru",
    "question": "What is the capital of Peru?",
    "truth_statement": "The capital of Peru is Lima.",
    "false_statement": "The capital of Peru is Cusco.",
    "truth": "Lima",
    "lure": "Cusco",
    "relation": "capital",
}
CLAIM = Claim(**PERU, aliases=("Ciudad", "Rey"), source="mine (own)")
RECORDS = [
    {
        "case_id": number,
        "prompt": f"{name} plays the",
        "subject": name,
        "target_new": "piano",
        "ground_truth": "guitar",
    }
    for number, name in enumerate(("Ann\u2028Line", "B\u00e9a"))
]


def test_built_items_are_read_again(tmp_path: Path) -> None:
    source, file = tmp_path / "cf.json", tmp_path / "items.jsonl"
    source.write_text(json.dumps(RECORDS), encoding="utf-8")
    built = build("counterfact", [source], seed=3, size=1)
    save(built, file)
    found = read(file)
    assert (found.claims, found.faults) == (built.claims, ())
    assert load(file) == built.claims
    assert found.provenance["dataset"] == "counterfact"
    assert "MIT License" in found.provenance["licence"]
    assert (found.provenance["seed"], found.provenance["size"]) == (3, 1)
    assert [entry["rows"] for entry in found.provenance["files"]] == [2]
    assert found.provenance["steps"][-1]["left"] == 1
    lines = file.read_text(encoding="utf-8").split("\n")
    assert [len(lines), lines[-1]] == [3, ""]
    for line in lines[:-1]:
        value = json.loads(line)
        tight = (",", ":")
        assert line == json.dumps(value, sort_keys=True, separators=tight, ensure_ascii=False)
    before = file.read_bytes()
    save(build("counterfact", [source], seed=3, size=1), file)
    assert file.read_bytes() == before


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    source = tmp_path / "cf.json"
    source.write_text(json.dumps(RECORDS), encoding="utf-8")
    with pytest.raises(UsageError, match="cannot be written"):
        save(build("counterfact", [source]), tmp_path / "no" / "items.jsonl")


def test_own_claims_in_every_form(tmp_path: Path) -> None:
    lists = {"aliases": ["Ciudad", "Rey"]}
    jsonl, table, toml = tmp_path / "a.jsonl", tmp_path / "b.csv", tmp_path / "c.toml"
    jsonl.write_text(json.dumps(PERU | lists), encoding="utf-8")
    cells = [*PERU.values(), " Ciudad ;Rey;", "TRUE"]
    head = [*PERU, "aliases", "shareable"]
    table.write_text("\n".join(",".join(row) for row in (head, cells)), encoding="utf-8")
    pairs = [f"{name} = {json.dumps(value)}" for name, value in (PERU | lists).items()]
    toml.write_text("\n".join(["[[claim]]", *pairs, 'why = "not read"']), encoding="utf-8")
    for file, shareable in ((jsonl, False), (table, True), (toml, False)):
        (claim,) = load(file)
        assert claim.source == f"{file.name} (own)"
        assert (claim.aliases, claim.shareable) == (("Ciudad", "Rey"), shareable)
        assert (claim.id, claim.truth, claim.lure) == ("peru", "Lima", "Cusco")


def test_a_given_source_is_kept_and_padding_goes(tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    padded = PERU | {"truth": " Lima \n", "aliases": ["Ciudad", "Rey"], "source": "mine (own)"}
    file.write_text(json.dumps(padded), encoding="utf-8")
    assert load(file) == (CLAIM,)


def test_every_faulty_row_is_named_once(tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    rows = [
        json.dumps(PERU),
        '{"id": ',
        json.dumps(PERU | {"id": "a", "lure": "Lima"}),
        json.dumps(PERU | {"id": "b", "shareable": "maybe"}),
        json.dumps(PERU),
        json.dumps(PERU | {"id": "c", "aliass": []}),
        json.dumps({"id": "d"}),
        json.dumps(PERU | {"id": "e"}),
    ]
    file.write_text("\n".join(rows), encoding="utf-8")
    found = read(file)
    assert [claim.id for claim in found.claims] == ["peru", "e"]
    assert [fault.row for fault in found.faults] == [2, 3, 4, 5, 6, 7]
    whys = [
        "row: 'not JSON: Expecting value",
        "lure: 'Lima' is not allowed; expected a wrong answer; it is a right one",
        "shareable: 'maybe' is not allowed; expected true or false",
        "id: 'peru' is not allowed; expected an id of its own; row 1 has it",
        "columns: 'aliass' is not allowed; expected one of id, question,",
        "question: None is not allowed; expected some text",
    ]
    for fault, why in zip(found.faults, whys, strict=True):
        assert fault.why.startswith(why)
    with pytest.raises(UsageError) as caught:
        load(file)
    first, *lines = str(caught.value).splitlines()
    assert first == "mine.jsonl: rows that are no claims: 6"
    assert lines == [f"  row {fault.row}: {fault.why}" for fault in found.faults]


def test_a_file_without_claims(tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    file.write_text('{"provenance": {}}', encoding="utf-8")
    with pytest.raises(SettingError, match="at least one claim"):
        load(file)


def test_the_bundled_file_is_a_file_of_own_claims() -> None:
    with as_file(files("socialcircuits.worlds.claims").joinpath("bundled.toml")) as path:
        claims = load(path)
    assert [claim.id for claim in claims] == [claim.id for claim in bundled()]


@pytest.mark.parametrize("dataset", BUILDERS)
def test_no_file_is_one_clear_error(dataset: str) -> None:
    with pytest.raises(SettingError, match="expected at least one file"):
        build(dataset, [])


def test_an_unknown_data_set() -> None:
    with pytest.raises(SettingError, match="did you mean 'popqa'"):
        build("popqq", [])
