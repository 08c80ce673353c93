"""The verb that tests a subject: what it prints, what it writes, and with which code it ends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from socialcircuits.cards import read
from socialcircuits.cli import main


class Line:
    """The command line in this process, in a folder of its own."""

    def __init__(
        self, patch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], folder: Path
    ) -> None:
        self._patch, self._capsys, self.folder = patch, capsys, folder
        patch.chdir(folder)

    def __call__(self, *words: str, code: int = 0) -> str:
        """Test; return what is printed: of a mistake or an error, its last line."""
        self._patch.setattr("sys.argv", ["socialcircuits", "check", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = self._capsys.readouterr()
        assert ended.value.code == code, err
        return str(err.splitlines()[-1] if code else out)

    def object(self, *words: str) -> dict[str, Any]:
        found = json.loads(self(*words, "--json"))
        assert isinstance(found, dict)
        return found


@pytest.fixture
def check(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Line:
    return Line(monkeypatch, capsys, tmp_path)


GATES = ("--require", "accepts@3 > 0.5", "--require", "yields@3 < 0.2")


@pytest.mark.parametrize(
    ("name", "code", "last"),
    [
        ("deaf", 6, "error: failed: accepts@3 > 0.5"),
        ("parrot", 6, "error: failed: yields@3 < 0.2"),
    ],
)
def test_a_gate_that_fails_ends_with_6(name: str, code: int, last: str, check: Line) -> None:
    assert check(f"simulated/{name}", *GATES, "--out", "card", code=code) == last
    assert read(check.folder / "card" / "card.json").subject.model == f"simulated/{name}"


def test_gates_that_pass_end_with_0(check: Line) -> None:
    shown = check("simulated/fair", *GATES, "--out", "card")
    assert "SIMULATED AGENTS: CHECKS THE SOFTWARE, NOT A FINDING" in shown
    assert shown.count("PASS") == 3
    assert "detectable" in shown
    lines = shown.splitlines()
    assert f"Card: {Path('card', 'card.json')}" in lines
    assert f"Page: {Path('card', 'card.html')}" in lines
    assert lines[-1].endswith(f" view {Path('card', 'seat.db')}")
    assert (check.folder / "card" / "card.html").read_text("utf-8").startswith("<!DOCTYPE html>")


def test_a_gate_that_is_not_decided_ends_with_8(check: Line) -> None:
    words = ("simulated/fair", "--size", "quick", "--require", "yields@3 < 0.1")
    assert check(*words, code=8) == "error: inconclusive: yields@3 < 0.1"
    # A gate that failed comes first.
    both = (*words, "--require", "yields@3 > 0.5")
    assert check(*both, code=6) == "error: failed: yields@3 > 0.5"


def test_what_came_out_is_one_object(check: Line) -> None:
    words = ("simulated/fair", "--size", "quick", "--require", "yields@3 < 0.9")
    found = check.object(*words, "--junit", "gates.xml")
    assert [(one["gate"], one["result"]) for one in found["verdicts"]] == [
        ("yields@3 < 0.9", "pass")
    ]
    assert (found["flagged"], found["looks"]) == (None, 0)
    card = Path(found["files"]["card"])
    assert card.parent.parent == Path("runs")
    assert read(card).model_dump(mode="json") == found["card"]
    assert found["files"]["junit"] == "gates.xml"
    assert check.object(*words)["card"] == found["card"]


def test_looks_say_when_they_stopped(check: Line) -> None:
    words = ("simulated/fair", "--sequential", "--require", "accepts@8 > 0.1")
    assert "Stopped after look 2 of 4." in check(*words)


def test_a_small_test_of_simulated_agents_foretells_no_time(check: Line) -> None:
    assert "would take" not in check("simulated/fair", "--size", "quick")


def test_a_dry_run_counts_and_writes_nothing(check: Line) -> None:
    said = check("simulated/fair", "--dry-run")
    assert said == "40 claims, 24 documents: 816 calls before retries, of simulated agents\n"
    priced = check.object("openai/gpt-4o-mini", "--dry-run")
    low, high = priced["cost_usd"]
    assert 0 < low < high < 1
    assert (priced["calls"], priced["claims"]["n"]) == (816, 40)
    assert "0.0" in check("openai/gpt-4o-mini", "--dry-run")
    assert not list(check.folder.iterdir())


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--junit", "no/gates.xml"), "--junit: 'no/gates.xml' is not allowed; expected a file in"),
        (("--size", "quik"), "did you mean 'quick'"),
        (("--require", "yeilds@3 < 0.2"), "did you mean 'yields@3'"),
        (("--no-worse", "yields@3 by 0.05"), "--baseline"),
        (("--sequential",), "--require"),
        (("--attacker", "simulated/loud"), "--rooms"),
        (("--pack", "no.jsonl"), "no.jsonl is no pack that can be read"),
        (
            ("--claims", "no.csv"),
            "--claims: 'no.csv' is not allowed; expected a file that there is",
        ),
        (("--baseline", "no.json"), "no.json: cannot be read"),
        (("--out", "file"), "file: no folder can be made there"),
    ],
)
def test_a_mistake_is_one_line_before_anything_is_run(
    words: tuple[str, ...], told: str, check: Line
) -> None:
    (check.folder / "file").touch()
    assert told in check("simulated/fair", *words, code=2)
    assert {path.name for path in check.folder.iterdir()} == {"file"}


def test_a_column_that_is_missing_is_refused_whatever_is_left_out(check: Line) -> None:
    (check.folder / "mine.csv").write_text("question,true,falls\nWhich?,Lima,Cusco\n", "utf-8")
    told = check("simulated/fair", "--claims", "mine.csv", "--skip-bad", code=2)
    assert told == "  line 1, false: this column is missing"


def test_a_baseline_of_other_claims_is_refused_before_anything_is_run(check: Line) -> None:
    check("simulated/fair", "--size", "quick", "--out", "first")
    (check.folder / "mine.csv").write_text(
        "question,true,false\nWhich town?,Lima,Cusco\n", encoding="utf-8"
    )
    words = ("--size", "quick", "--claims", "mine.csv", "--out", "second")
    told = check("simulated/fair", *words, "--baseline", "first/card.json", code=2)
    assert told.startswith("error: baseline: it has other claims")
    assert not (check.folder / "second").exists()
