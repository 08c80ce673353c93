"""`items build` and `items screen`: the tables, the files, and the mistakes a user can make."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from socialcircuits.agents import LABEL
from socialcircuits.cli.items import app
from socialcircuits.errors import BudgetReached, Interrupted, SettingError, UsageError
from socialcircuits.studies.screening import running
from socialcircuits.worlds.claims import load, read

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
    return called("build", *words)


def called(*words: object) -> str:
    """What a verb prints on standard output."""
    done = CliRunner().invoke(app, [*map(str, words)], catch_exceptions=False)
    assert done.exit_code == 0
    return done.stdout


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


LITERAL = "simulated/literal"
LANDS = [("Peru", "Lima", "Cusco"), ("Togo", "Lome", "Kara"), ("Mali", "Bamako", "Gao")]
STAGE = "[[stage]]\nsamples = 4\nmost_false = 0\nleast_true = 0.5\n"


@pytest.fixture
def claims(tmp_path: Path) -> Path:
    """Three claims; the simulated agent knows the answers to two of them."""
    file = tmp_path / "claims.csv"
    names = "id,question,truth,lure,truth_statement,false_statement,relation"
    rows = [
        f"{land},What is the capital of {land}?,{truth},{lure},It is {truth}.,It is {lure}.,capital"
        for land, truth, lure in LANDS
    ]
    file.write_text("\n".join([names, *rows]), encoding="utf-8")
    return file


def screen(*words: object) -> str:
    return called("screen", *words, "--model", LITERAL)


def test_each_stage_of_a_screening_is_a_table(claims: Path, tmp_path: Path) -> None:
    out, stages = tmp_path / "kept.jsonl", tmp_path / "stages.toml"
    stages.write_text(STAGE + STAGE.replace("4", "6"), encoding="utf-8")
    printed = screen(claims, "-o", out, "--stages", stages)
    lines = [line for line in printed.splitlines() if line]
    assert lines[:2] == [LABEL, f"claims.csv, answered by {LITERAL}"]
    kept = [claim.id for claim in load(out)]
    assert 0 < len(kept) < 3
    first = f"stage 1: 4 samples a claim, read by strings; {tmp_path / 'kept.stage-1.db'}"
    second = f"stage 2: 6 samples a claim, read by strings; {tmp_path / 'kept.stage-2.db'}"
    assert lines[2] == first
    assert lines[9] == second
    assert lines[4].split() == ["step", "before", "dropped", "left", "why"]
    assert [line.split()[0] for line in lines[5:9]] == ["false", "both", "true", "undecided"]
    assert lines[7].split()[:4] == ["true", "3", str(3 - len(kept)), str(len(kept))]
    assert lines[12].split()[:4] == ["false", *map(str, (len(kept), 0, len(kept)))]
    assert lines[-2:] == [f"items: {len(kept)}, relations: 1", f"written to {out}"]


def test_a_screening_is_json(claims: Path, tmp_path: Path) -> None:
    out = tmp_path / "kept.jsonl"
    found = json.loads(screen(claims, "-o", out, "--seed", 3, "--json"))
    assert (found["seed"], found["agents"], found["out"]) == (3, LABEL, str(out))
    assert found["items"] == len(load(out)) == found["stages"][-1]["steps"][-1]["left"]
    assert [stage["samples"] for stage in found["stages"]] == [10, 20]
    told = read(out).provenance["screenings"][0]
    assert told.items() < found.items()
    again = json.loads(screen(claims, "-o", out, "--seed", 3, "--json"))
    assert again == found


def test_a_screening_that_leaves_nothing_writes_nothing(claims: Path, tmp_path: Path) -> None:
    claims.write_text("\n".join(claims.read_text("utf-8").splitlines()[i] for i in (0, 2)), "utf-8")
    with pytest.raises(UsageError, match=r"no item is left of claims\.csv"):
        screen(claims, "-o", tmp_path / "kept.jsonl")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["claims.csv", "kept.stage-1.db"]


def test_a_stopped_screening_says_how_to_go_on(
    claims: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for error, raised in ((KeyboardInterrupt(), Interrupted), (BudgetReached("x"), BudgetReached)):

        def stopped(*given: object, error: BaseException = error) -> None:
            raise error

        monkeypatch.setattr(running, "execute", stopped)
        with pytest.raises(raised, match="the same command goes on"):
            screen(claims, "-o", tmp_path / "kept.jsonl")


def test_mistakes_in_a_screening(claims: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"x\.db does not end in \.jsonl"):
        screen(claims, "-o", tmp_path / "x.db")
    with pytest.raises(UsageError, match=r"no\.toml: No such file"):
        screen(claims, "-o", tmp_path / "x.jsonl", "--stages", tmp_path / "no.toml")
    with pytest.raises(SettingError, match="--judge: 'rules' is not allowed"):
        screen(claims, "-o", tmp_path / "x.jsonl", "--judge", "rules")
    with pytest.raises(SettingError, match="--base-url"):
        screen(claims, "-o", tmp_path / "x.jsonl", "--base-url", "http://localhost:1")
    assert [path.name for path in tmp_path.iterdir()] == ["claims.csv"]
