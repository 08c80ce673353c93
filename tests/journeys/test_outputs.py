"""What each verb prints and leaves behind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.journeys.command import SMALL, listing, result, run

LABEL = "simulated agents: checks the software, not a finding about any model"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("outputs")


@pytest.fixture(scope="module")
def finished(folder: Path) -> dict[str, Any]:
    """What `run --json` printed."""
    return result("run", *SMALL, "--out", "a.db", at=folder)


def test_run_prints_one_object(finished: dict[str, Any]) -> None:
    assert finished["run"] == "a.db"
    assert len(bytes.fromhex(finished["digest"])) == 16
    assert finished["agents"] == LABEL
    assert finished["trials"] == {"planned": 6, "completed": 6, "failed": 0, "excluded": 2}
    assert finished["calls"].keys() == {"made", "repeated", "reused", "invalid", "voided"}
    assert finished["calls"]["made"] > 100
    assert finished["calls"]["repeated"] == finished["calls"]["reused"] == 0
    assert finished["tokens"] == {"prompt": 0, "completion": 0}
    assert finished["cost_usd"] == 0


def test_estimates_are_numbers_with_their_counts(finished: dict[str, Any]) -> None:
    names = {"measure", "condition", "value", "low", "high", "n", "levels", "method"}
    names |= {"p", "test", "detectable", "warnings"}
    cells = [row for row in finished["estimates"] if "minus" not in row["condition"]]
    assert {row["condition"]["N"] for row in cells} == {4, 8}
    for row in finished["estimates"]:
        assert row.keys() == names
        assert isinstance(row["levels"], dict)
        assert row["method"]
        assert type(row["n"]) is int
        assert 0 <= row["n"] <= 2
        if row["n"]:
            assert row["low"] <= row["value"] <= row["high"]
        else:
            assert row["low"] is row["value"] is row["high"] is None
    guess = next(row for row in cells if row["measure"] == "initial_accuracy")
    assert guess["n"] == guess["levels"]["seeds"]["planned"] == 2


@pytest.mark.parametrize("verb", ["status", "resume", "report"])
def test_other_verbs_print_the_same_object(
    verb: str, folder: Path, finished: dict[str, Any]
) -> None:
    assert result(verb, "a.db", at=folder).items() >= finished.items()


def test_an_existing_run_is_taken_up_and_asks_nothing(
    folder: Path, finished: dict[str, Any]
) -> None:
    assert result("run", *SMALL, "--out", "a.db", at=folder) == finished


def test_progress_goes_to_standard_error(folder: Path) -> None:
    done = run("run", *SMALL, "--out", "b.db", "--json", at=folder)
    assert list(json.loads(done.stdout))
    lines = done.stderr.splitlines()
    assert lines[0] == "flag-game/population: 0 of 6 trials"
    assert lines[-1] == "flag-game/population: 6 of 6 trials"


def test_plain_output_names_the_agents_and_the_next_command(folder: Path) -> None:
    done = run("run", *SMALL, "--out", "a.db", at=folder)
    assert done.returncode == 0
    assert LABEL.upper() in done.stdout
    assert "N = 8" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("Next: ")
    assert done.stdout.endswith(" report a.db\n")


def test_the_digest_verb_gives_the_run_digest(folder: Path, finished: dict[str, Any]) -> None:
    digests = result("digest", "a.db", at=folder)
    assert digests.keys() == {"run", "labels", "public"}
    assert digests["run"] == finished["digest"]
    plain = run("digest", "a.db", at=folder).stdout
    assert [line.split() for line in plain.splitlines()] == [[*pair] for pair in digests.items()]


def test_export_writes_all_tables(folder: Path, finished: dict[str, Any]) -> None:
    written = result("export", "a.db", "--tables", "tables", at=folder)["files"]
    names = "trials steps messages probes labels calls evidence odds estimates".split()
    expected = {f"tables/{name}.{kind}" for name in names for kind in ("csv", "parquet")}
    assert set(written) == expected
    assert all((folder / path).is_file() for path in written)
    trials = (folder / "tables/trials.csv").read_text().splitlines()
    assert len(trials) == 1 + finished["trials"]["completed"]


def test_the_flags_are_counted(folder: Path) -> None:
    found = result("worlds", "flags", "--pool", "stripe24", at=folder)
    assert found.keys() == {"grid", "raster"}
    assert found["grid"]["crops"] == 24 * 19 * 13
    assert "stripe24: 24 flags" in run("worlds", "flags", "--pool", "stripe24", at=folder).stdout


def test_a_dry_run_counts_exactly_and_writes_nothing(tmp_path: Path) -> None:
    words = (*SMALL, "--set", "stop=0")
    counted = result("run", *words, "--dry-run", at=tmp_path)
    assert listing(tmp_path) == set()
    assert (counted["trials"], counted["conditions"], counted["cost_usd"]) == (6, 2, 0)
    made = result("run", *words, "--out", "a.db", at=tmp_path)["calls"]["made"]
    assert counted["steps"] + counted["example_steps"] == made


def test_a_clean_end_leaves_one_file(tmp_path: Path) -> None:
    result("run", *SMALL, "--out", "a.db", at=tmp_path)
    result("run", *SMALL, "--model", "simulated/literal?latency=1", "--out", "b.db", at=tmp_path)
    for verb in ("status", "digest", "resume"):
        result(verb, "a.db", at=tmp_path)
    assert listing(tmp_path) == {"a.db", "b.db"}


def test_without_out_a_path_is_chosen_and_shown(tmp_path: Path) -> None:
    path = result("run", *SMALL, at=tmp_path)["run"]
    assert listing(tmp_path) == {path}


def test_the_demo_prints_a_table_and_the_next_command(tmp_path: Path) -> None:
    done = run("demo", at=tmp_path)
    assert done.returncode == 0, done.stderr
    assert LABEL.upper() in done.stdout
    last = done.stdout.splitlines()[-1].split()
    assert (last[0], *last[-2:]) == ("Next:", "run", "flag-game/protocols")
    assert done.stdout.count(LABEL.upper()) == 3
    again = result("demo", at=tmp_path)
    assert set(again) == {"flag-game/population", "deliberation/scaling", "chatroom/sybils"}
    for found in again.values():
        assert found["trials"]["completed"] == found["trials"]["planned"]
        assert found["figures"]
        assert all((tmp_path / path).stat().st_size > 80 for path in found["figures"])
