"""`items build`: the table of steps, the file, and the mistakes a user can make."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from socialcircuits.cli.items import app
from socialcircuits.errors import SettingError, UsageError
from socialcircuits.worlds.claims import load

RECORDS = [
    {
        "case_id": number,
        "prompt": f"{subject} plays the",
        "subject": subject,
        "target_new": "piano",
        "ground_truth": truth,
    }
    for number, (subject, truth) in enumerate(
        [("Ann", "guitar"), ("Bea", "violin"), ("Piano Bob", "violin"), ("Cem", "slide")]
    )
]
METADATA = "{'topic': 'Art', 'answer_type': 'Date'}"


def run(*words: object) -> str:
    done = CliRunner().invoke(app, ["build", *map(str, words)], catch_exceptions=False)
    assert done.exit_code == 0
    return done.output


@pytest.fixture
def records(tmp_path: Path) -> Path:
    file = tmp_path / "cf.json"
    file.write_text(json.dumps(RECORDS), encoding="utf-8")
    return file


def test_the_steps_are_a_table(records: Path, tmp_path: Path) -> None:
    out = tmp_path / "items.jsonl"
    lines = run("counterfact", records, "-o", out).splitlines()
    assert lines[0] == "cf.json: 4 rows"
    assert [line.split()[:4] for line in lines[2:9]] == [
        ["step", "before", "dropped", "left"],
        ["form", "4", "1", "3"],
        ["subject", "3", "1", "2"],
        ["nested", "2", "0", "2"],
        ["false", "2", "0", "2"],
        ["one", "answer", "2", "0"],
        ["once", "2", "0", "2"],
    ]
    assert lines[-2] == "items: 2, relations: 1"
    assert lines[-1].endswith("items.jsonl; CounterFact: MIT License, (c) 2022 Kevin Meng")
    assert [claim.truth for claim in load(out)] == ["guitar", "violin"]


def test_the_steps_are_json(records: Path, tmp_path: Path) -> None:
    out = tmp_path / "items.jsonl"
    found = json.loads(run("counterfact", records, "-o", out, "--size", 1, "--seed", 2, "--json"))
    assert (found["items"], found["relations"], found["out"]) == (1, 1, str(out))
    assert found["steps"][-1]["name"] == "size"
    for before, after in zip(found["steps"], found["steps"][1:], strict=False):
        assert before["left"] == before["before"] - before["dropped"] == after["before"]
    assert len(load(out)) == 1


def test_the_other_data_sets(tmp_path: Path) -> None:
    table, pop = tmp_path / "simple.csv", tmp_path / "pop.json"
    years = [f'"{METADATA}",In what year was {name} born?,195{name}' for name in "123"]
    table.write_text("\n".join(["metadata,problem,answer", *years]), encoding="utf-8")
    rows = [
        {
            "question": f"What is the capital of {land}?",
            "possible_answers": "[]",
            "subj": land,
            "prop": "capital",
            "obj": obj,
            "subj_id": land,
            "prop_id": 1,
            "o_aliases": "[]",
        }
        for land, obj in (("Aa", "Xx"), ("Bb", "Yy"))
    ]
    pop.write_text(json.dumps(rows), encoding="utf-8")
    for dataset, file, items in (("simpleqa", table, 3), ("popqa", pop, 2)):
        out = tmp_path / f"{dataset}.jsonl"
        assert f"items: {items}, relations: 1" in run(dataset, file, "-o", out)
        assert len(load(out)) == items


def test_a_build_that_leaves_nothing_writes_nothing(records: Path, tmp_path: Path) -> None:
    out = tmp_path / "items.jsonl"
    records.write_text(json.dumps(RECORDS[3:]), encoding="utf-8")
    with pytest.raises(UsageError, match=r"no item is left of cf\.json"):
        run("counterfact", records, "-o", out)
    assert not out.exists()


def test_mistakes(records: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"x\.txt does not end in \.jsonl"):
        run("counterfact", records, "-o", tmp_path / "x.txt")
    with pytest.raises(SettingError, match="a file that can be read"):
        run("popqa", tmp_path / "no.tsv", "-o", tmp_path / "x.jsonl")
    same = records.rename(tmp_path / "cf.jsonl")
    with pytest.raises(UsageError, match="is one of the files that are read"):
        run("counterfact", same, "-o", same)
    assert json.loads(same.read_text(encoding="utf-8")) == RECORDS
