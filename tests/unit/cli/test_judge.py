"""The verb that judges a run again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import socialcircuits
from socialcircuits.cli import main
from socialcircuits.records import RunFile
from tests.support.voices import AGENT, JUDGE, OTHER, Voices, questions


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A run whose free text nobody has judged."""
    with monkeypatch.context() as patch:
        Voices(patch)
        settings = {"file": str(questions(tmp_path)), "N": 4, "deceivers": 1, "rounds": 1}
        out = tmp_path / "run.db"
        given = {**settings, "strata": False}
        socialcircuits.run("deliberation/timing", model=AGENT, seeds=2, out=out, settings=given)
    return str(out)


class Line:
    """The command line in this process."""

    def __init__(self, patch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._patch, self._capsys = patch, capsys

    def __call__(self, *words: str, code: int = 0) -> str:
        """Judge; return what is printed: of a failure, on standard error."""
        self._patch.setattr("sys.argv", ["socialcircuits", "judge", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = self._capsys.readouterr()
        assert ended.value.code == code, err
        assert not (out if code else err)
        return str(err if code else out)


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Line:
    return Line(monkeypatch, capsys)


def counts(path: str) -> dict[str, dict[str, int]]:
    with RunFile(path) as file:
        return file.judging()


def test_a_model_judges_what_is_left_and_agreement_is_printed(
    path: str, judge: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    voices = Voices(monkeypatch)
    printed = judge(path, "--with", JUDGE)
    assert len(voices.asked) == len(voices.of(JUDGE)) > 0
    (line,) = [line.split() for line in printed.splitlines() if f" {JUDGE} " in line]
    assert line[1:4] == [JUDGE, str(counts(path)[JUDGE]["labels"]), "0"]
    assert "Where two judges agree." not in printed
    found = json.loads(judge(path, "--with", OTHER, "--json"))
    assert found["judging"] == counts(path)
    shares = {(*row["judges"], row["rubric"]): row["share"] for row in found["agreement"]}
    assert shares[JUDGE, OTHER, "correctness"] == 1
    assert len(voices.of(OTHER)) == len(voices.of(JUDGE))
    assert "Where two judges agree." in judge(path, "--with", OTHER)


def test_rubric_pass_and_all(path: str, judge: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    voices, words = Voices(monkeypatch), (path, "--with", JUDGE, "--rubric", "correctness")
    judge(*words)
    assert {asked.keys for asked in voices.asked} == {"extracted reasoning correct"}
    first = counts(path)[JUDGE]["labels"]
    judge(*words, "--pass", "1")
    assert counts(path)[JUDGE]["labels"] == 2 * first
    judge(*words, "--all")
    assert counts(path)[JUDGE]["labels"] == first + counts(path)["rules"]["labels"] - 2


def test_the_rules_judge_simulated_agents_by_one_more_rubric(tmp_path: Path, judge: Line) -> None:
    out = str(tmp_path / "run.db")
    settings = {"N": 4, "deceivers": 1, "rounds": 1, "strata": False}
    socialcircuits.run("deliberation/timing", seeds=2, out=out, settings=settings)
    before = counts(out)["rules"]["labels"]
    with RunFile(out) as file:
        digest = file.digests()["run"]
    found = json.loads(judge(out, "--with", "rules", "--rubric", "tactics", "--json"))
    # One deceiver, rounds 0 and 1, two trials.
    assert found["judging"]["rules"]["labels"] == before + 4
    assert found["judging"]["rules"]["unjudged"] == 0
    with RunFile(out) as file:
        assert file.digests()["run"] == digest


BAD: dict[str, tuple[tuple[str, ...], str]] = {
    "rubric": (("--with", "rules", "--rubric", "tactic"), "did you mean 'tactics'?"),
    "model": (("--with", "gpt"), "--with: 'gpt' is not allowed"),
    "key": (("--with", JUDGE), "$OPENAI_API_KEY"),
    "pass": (("--with", "rules", "--pass", "-1"), "--pass: -1"),
    "address": (("--with", "rules", "--base-url", "http://127.0.0.1:9"), "--base-url"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_wrong_gives_one_line(
    name: str, path: str, judge: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    before, (words, expected) = Path(path).read_bytes(), BAD[name]
    line = judge(path, *words, code=2)
    assert line.startswith("error: ")
    assert expected in line
    assert line.count("\n") == 1
    assert Path(path).read_bytes() == before


def test_a_run_that_is_not_there_gives_one_line(judge: Line, tmp_path: Path) -> None:
    path = str(tmp_path / "nowhere.db")
    assert judge(path, "--with", "rules", code=2) == f"error: {path}: there is no such run file\n"
    assert not list(tmp_path.iterdir())


def test_a_limit_ends_it_and_the_next_call_goes_on(
    path: str, judge: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    voices = Voices(monkeypatch)
    line = judge(path, "--with", JUDGE, "--max-calls", "2", code=5)
    assert "--max-calls: all 2 calls are made; what was paid for is kept" in line
    assert len(voices.asked) == counts(path)[JUDGE]["calls"] == 2
    judge(path, "--with", JUDGE)
    assert len({asked.text for asked in voices.asked}) == len(voices.asked) > 2
