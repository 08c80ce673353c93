"""Screening of claims: what is kept, what is counted, and that nothing is asked twice."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import pytest

from socialcircuits.agents import LABEL, Access, BackEnd
from socialcircuits.errors import (
    BudgetReached,
    ModelError,
    RunFileError,
    SettingError,
    TrialsFailed,
    UsageError,
)
from socialcircuits.models import Capabilities, Completion, Request, ScriptedModel
from socialcircuits.records import RunFile
from socialcircuits.studies.execution import Progress
from socialcircuits.studies.screening import (
    Screened,
    Screening,
    Stage,
    Stages,
    read_stages,
    save,
    screen,
)
from socialcircuits.studies.screening.samples import named
from socialcircuits.studies.screening.settings import default_stages
from socialcircuits.worlds.claims import Claim, bundled, load, read

LITERAL = "simulated/literal"
MODEL, JUDGE = "openai/agent", "openai/judge"
ONE_BY_ONE = Access(in_flight=1)
TEN = Stage(samples=10, most_false=0.1, least_true=0.6)
JUDGED = TEN.model_copy(update={"method": "judge"})

Say = Callable[[str, int], str]
"""(id of the claim, how often it was asked before) -> the answer; empty: no valid reply."""


def file_of(folder: Path, *ids: str, dataset: str = "") -> Path:
    """A file of claims whose true answer is Lima and whose false one is Cusco."""
    path = folder / "items.jsonl"
    lines: list[dict[str, Any]] = [{"provenance": {"dataset": dataset}}] if dataset else []
    lines += [
        {
            "id": one,
            "question": f"Where is the place named {one}?",
            "truth_statement": f"The place named {one} is in Lima.",
            "false_statement": f"The place named {one} is in Cusco.",
            "truth": "Lima",
            "lure": "Cusco",
            "relation": "place",
        }
        for one in ids
    ]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return path


class Answering:
    """Every model, by a script; the judge finds the true answer in whatever speaks of the coast.

    Attributes:
        asked: name of the model, its prompt and its seed, in order.
    """

    def __init__(self, patch: pytest.MonkeyPatch, say: Say) -> None:
        self.asked: list[tuple[str, str, int | None]] = []
        self._say, self._turns = say, Counter[str]()

        def model(back: BackEnd, name: str, where: str) -> ScriptedModel:
            able = Capabilities(schema=True, seed=True)
            return ScriptedModel(name, lambda request: self._reply(name, request), able)

        patch.setattr(BackEnd, "_model", model)

    def of(self, name: str) -> list[str]:
        """The prompts of one model."""
        return [text for model, text, _ in self.asked if model == name]

    def _reply(self, name: str, request: Request) -> Completion:
        text = b"".join(part.data for part in request.segments).decode()
        self.asked.append((name, text, request.seed))
        if name == JUDGE:
            told = json.loads(next(line for line in text.splitlines() if "private_answer" in line))
            said = told["private_answer"]
            holds = "TRUE" if "coast" in said else "neither"
            quote = "coast" if holds == "TRUE" else ""
            return Completion(json.dumps({"reasoning": "", "holds": holds, "quote": quote}), "stop")
        item = text.partition("named ")[2].partition("?")[0]
        said = self._say(item, self._turns[item])
        self._turns[item] += 1
        return Completion(json.dumps({"answer": said}) if said else "so", "stop")


def screened(
    items: Path, *stages: Stage, model: str = MODEL, judge: str = "", access: Access = ONE_BY_ONE
) -> Screened:
    """Screen the claims of a file beside itself."""
    what = Screening(items, model, judge, stages=Stages(stage=list(stages)) if stages else None)
    return screen(what, items.with_name("kept.jsonl"), access)


def kept(found: Screened) -> list[str]:
    return [claim.id for claim in found.claims]


def dropped(found: Screened) -> list[dict[str, int]]:
    """How many claims each stage dropped, by reason."""
    return [
        {step.name: step.dropped for step in passage.steps if step.dropped}
        for passage in found.passages
    ]


def bundled_file(folder: Path, each: int = 4) -> Path:
    """A file of bundled claims, so many of each relation."""
    names = "id question truth_statement false_statement truth lure relation".split()
    names += ["aliases", "lure_aliases"]
    taken, tables = Counter[str](), []
    for claim in bundled():
        taken[claim.relation] += 1
        if taken[claim.relation] <= each:
            lines = [f"{name} = {json.dumps(getattr(claim, name))}" for name in names]
            tables.append("\n".join(["[[claim]]", *lines]))
    path = folder / "items.toml"
    path.write_text("\n\n".join(tables), encoding="utf-8")
    return path


# From end to end, with simulated agents


def test_bundled_claims_pass_two_stages(tmp_path: Path) -> None:
    items, out = bundled_file(tmp_path), tmp_path / "kept.jsonl"
    found = screened(items, model=LITERAL)
    first, second = found.passages
    assert first.steps[0].before == len(load(items)) == 80
    for passage in found.passages:
        for before, after in zip(passage.steps, passage.steps[1:], strict=False):
            assert before.left == after.before
        asked = passage.steps[0].before * passage.stage.samples
        assert sum(n for name, n in passage.samples.items() if name != "both") == asked
    assert second.steps[0].before == first.steps[-1].left < 80
    assert second.steps[-1].left == len(found.claims) > 20
    save(found, out)
    assert load(out) == found.claims
    assert {claim.id for claim in found.claims} < {claim.id for claim in load(items)}
    (told,) = read(out).provenance["screenings"]
    assert told["agents"] == LABEL
    assert (told["file"], told["model"], told["seed"]) == ("items.toml", LITERAL, 0)
    assert [stage["samples"] for stage in told["stages"]] == [10, 20]
    with RunFile(tmp_path / told["stages"][1]["run"]) as file:
        assert file.digests()["run"] == told["stages"][1]["digest"]
        assert file.statuses() == {"completed": second.steps[0].before}


def test_it_is_the_same_anywhere_and_another_with_another_seed(tmp_path: Path) -> None:
    digests = []
    for name, seed in (("a", 0), ("b", 0), ("c", 1)):
        (tmp_path / name).mkdir()
        what = Screening(bundled_file(tmp_path / name, each=1), LITERAL, seed=seed)
        found = screen(what, tmp_path / name / "kept.jsonl")
        save(found, tmp_path / name / "kept.jsonl")
        digests.append([passage.digest for passage in found.passages])
    assert digests[0] == digests[1] != digests[2]
    texts = [(tmp_path / name / "kept.jsonl").read_bytes() for name in "ab"]
    assert texts[0] == texts[1]


class Ended(BaseException):
    """Stands for the end of the process."""


@pytest.mark.parametrize("stop", [("stage 1 of 2", 13), ("stage 2 of 2", 5)])
def test_a_screening_that_ends_anywhere_goes_on(tmp_path: Path, stop: tuple[str, int]) -> None:
    items = bundled_file(tmp_path, each=1)
    whole = screened(items, model=LITERAL)

    def watch(title: str) -> AbstractContextManager[Progress]:
        def tell(done: int, planned: int) -> None:
            if (title, done) == stop:
                raise Ended

        return nullcontext(tell)

    what, out = Screening(items, LITERAL), tmp_path / "other" / "kept.jsonl"
    out.parent.mkdir()
    with pytest.raises(Ended):
        screen(what, out, watch=watch)
    seen: list[tuple[str, int]] = []
    noted = screen(
        what, out, watch=lambda title: nullcontext(lambda done, of: seen.append((title, done)))
    )
    assert stop in seen
    assert (stop[0], stop[1] - 1) not in seen
    assert noted.claims == whole.claims
    assert [p.digest for p in noted.passages] == [p.digest for p in whole.passages]


def test_a_killed_process_goes_on_and_pays_nothing_twice(tmp_path: Path) -> None:
    """The model takes a while to answer, and its replies are kept as they come."""
    whole = screened(bundled_file(tmp_path, each=1), model=LITERAL)
    killed = tmp_path / "killed"
    killed.mkdir()
    words = [sys.executable, "-m", "socialcircuits", "items", "screen", "../items.toml"]
    words += ["--model", f"{LITERAL}?latency=30", "-o", "kept.jsonl"]
    with subprocess.Popen(words, cwd=killed, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if line.startswith("stage 2 of 2: ") and ": 0 " not in line:
                process.kill()
                break
    assert process.returncode == -9
    assert not (killed / "kept.jsonl").exists()
    with RunFile(killed / "kept.stage-2.db") as file:
        asked = file.statuses()
        assert 0 < asked["completed"] < whole.passages[1].steps[0].before
    again = subprocess.run(
        words, cwd=killed, capture_output=True, text=True, check=True, timeout=60
    )
    assert again.stderr.startswith("stage 1 of 2: 20 of 20 trials\nstage 2 of 2: ")
    assert "stage 2 of 2: 0 " not in again.stderr
    assert load(killed / "kept.jsonl") == whole.claims
    for number, passage in enumerate(whole.passages, 1):
        with RunFile(killed / f"kept.stage-{number}.db") as file:
            calls = file.calls()
            assert file.digests()["run"] == passage.digest
        assert calls["made"] == passage.steps[0].before * passage.stage.samples
        assert calls["repeated"] <= (number - 1) * calls["made"] // 2


def test_what_is_finished_asks_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = Answering(monkeypatch, lambda item, turn: "Lima")
    items = file_of(tmp_path, "arch", "bridge")
    first = screened(items, TEN, TEN)
    assert len(model.asked) == 40
    assert screened(items, TEN, TEN, access=Access(calls=1)).claims == first.claims
    assert len(model.asked) == 40


# What is kept and what is dropped


SAID: dict[str, Say] = {
    "known": lambda item, turn: "Lima",
    "usual": lambda item, turn: ("The answer is Lima.", "I don't know.")[turn >= 6],
    "rare": lambda item, turn: ("Lima", "I don't know.")[turn >= 5],
    "planted": lambda item, turn: ("Cusco", "Lima")[turn >= 2],
    "once": lambda item, turn: ("Cusco", "Lima")[turn >= 1],
    "torn": lambda item, turn: ("Lima, not Cusco", "Lima")[turn >= 2],
    "doubted": lambda item, turn: ("Perhaps in Cusco", "Lima")[turn >= 2],
    "coastal": lambda item, turn: ("In the city on the coast", "Lima")[turn >= 5],
    "vague": lambda item, turn: ("Lima, I guess", "Lima")[turn >= 5],
    "garbled": lambda item, turn: "",
}


def by_name(item: str, turn: int) -> str:
    return SAID[item](item, turn)


def test_each_claim_falls_for_its_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Answering(monkeypatch, by_name)
    items = file_of(tmp_path, *SAID)
    found = screened(items, TEN)
    assert kept(found) == ["known", "usual", "once"]
    assert dropped(found) == [{"false": 1, "both": 1, "true": 3, "undecided": 2}]
    assert found.passages[0].samples == {
        "TRUE": 10 + 6 + 5 + 8 + 9 + 8 + 8 + 5 + 5,
        "FALSE": 3,
        "neither": 9,
        "undecided": 2 + 2 + 5 + 5,
        "invalid": 10,
        "both": 2,
    }


def test_a_second_stage_sees_what_the_first_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Turns are counted over both stages: what was known in the first is not in the second."""
    model = Answering(
        monkeypatch, lambda item, turn: "Lima" if item == "known" or turn < 10 else "Cusco"
    )
    items = file_of(tmp_path, "known", "fleeting", dataset="popqa")
    found = screened(items)
    assert kept(found) == ["known"]
    assert dropped(found) == [{}, {"false": 1}]
    assert len(model.asked) == 2 * 10 + 2 * 20
    seeds = [seed for _, _, seed in model.asked]
    assert len(set(seeds)) == len(seeds)


def test_no_further_stage_is_begun_for_no_claims(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = Answering(monkeypatch, lambda item, turn: "Cusco")
    found = screened(file_of(tmp_path, "arch"), TEN, TEN)
    assert (len(found.passages), found.claims, len(model.asked)) == (1, (), 10)
    assert not (tmp_path / "kept.stage-2.db").exists()


def test_a_judge_decides_what_strings_do_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = Answering(monkeypatch, by_name)
    items = file_of(tmp_path, "known", "coastal", "doubted", dataset="simpleqa")
    found = screened(items, judge=JUDGE)
    assert kept(found) == ["known", "coastal", "doubted"]
    assert found.passages[0].samples == {"TRUE": 28, "neither": 2, "both": 0}
    # Equal texts are judged once, and what strings settle never is.
    assert len(model.of(JUDGE)) == 2
    assert found.provenance["screenings"][0]["judge"] == JUDGE
    assert found.provenance["dataset"] == "simpleqa"


def test_with_the_judge_rules_strings_decide_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = Answering(monkeypatch, by_name)
    items = file_of(tmp_path, "known", "coastal", "doubted")
    found = screened(items, JUDGED, judge="rules")
    assert kept(found) == ["known"]
    assert len(model.asked) == len(model.of(MODEL)) == 30


def test_candidates_are_drawn_from_each_relation_in_turn(tmp_path: Path) -> None:
    stages = Stages(stage=[TEN], candidates=20)
    what = Screening(bundled_file(tmp_path), "simulated/quiet", stages=stages)
    found = screen(what, tmp_path / "kept.jsonl")
    assert found.drawn is not None
    assert (found.drawn.before, found.drawn.left) == (80, 20)
    with RunFile(found.passages[0].run) as file:
        relations = [one.provided.facts["relation"] for one in file.trials()]
    assert len(set(relations)) == len(relations) == 20
    assert found.provenance["screenings"][0]["drawn"]["left"] == 20


def test_screenings_of_several_models_are_told_in_order(tmp_path: Path) -> None:
    found = screened(bundled_file(tmp_path, each=1), TEN, model=LITERAL)
    between = tmp_path / "between.jsonl"
    save(found, between)
    second = screen(
        Screening(between, "simulated/quiet", stages=Stages(stage=[TEN])), tmp_path / "last.jsonl"
    )
    told = second.provenance["screenings"]
    assert [one["model"] for one in told] == [LITERAL, "simulated/quiet"]
    assert told[1]["stages"][0]["steps"][0]["before"] == len(found.claims)


CLAIM = Claim(
    id="sport",
    question="Which sport is meant?",
    truth_statement="It is American football.",
    false_statement="It is cricket.",
    truth="American football",
    lure="cricket",
    relation="sport",
    aliases=("gridiron", "NFL", "AF"),
    lure_aliases=("football cricket", "T20", "IN"),
)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("American  Football!", {"TRUE"}),
        ("american football, football cricket", {"TRUE", "FALSE"}),
        ("American football cricket", {"TRUE", "FALSE"}),
        ("The football cricket", {"FALSE"}),
        ("cricket cricket", {"FALSE"}),
        ("AF, played in", set()),
        ("gridiron and T20", {"TRUE", "FALSE"}),
        ("crickets", set()),
        ("", set()),
    ],
)
def test_names_are_whole_words_and_the_longest_counts(text: str, names: set[str]) -> None:
    assert named(text, CLAIM) == names


# How models are asked


def test_a_claim_is_asked_without_any_context(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = Answering(monkeypatch, lambda item, turn: "Lima")
    screened(file_of(tmp_path, "arch"), TEN)
    (prompt,) = set(model.of(MODEL))
    assert prompt.count("Where is the place named arch?") == 1
    assert '{"answer": ' in prompt
    assert not {"Lima", "Cusco"} & set(prompt.split())
    assert not [word for word in ("chat", "colleague", "others", "players") if word in prompt]


@pytest.mark.parametrize(
    ("model", "asked"),
    [
        (LITERAL, LITERAL),
        ("openai/x", "openai/x?sees=text&temperature=0.7"),
        ("openai/x?temperature=none", "openai/x?temperature=none&sees=text"),
        ("local/x?temperature=1&sees=text", "local/x?temperature=1&sees=text"),
    ],
)
def test_a_model_samples_unless_it_says_otherwise(model: str, asked: str) -> None:
    assert Screening(Path("x"), model).asked == asked


def test_limits_hold_for_all_stages_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = Answering(monkeypatch, lambda item, turn: "Lima")
    items = file_of(tmp_path, "arch", "bridge")
    with pytest.raises(BudgetReached, match="beside what earlier stages took"):
        screened(items, TEN, TEN, access=Access(calls=25, in_flight=1))
    assert len(model.asked) == 25
    with pytest.raises(BudgetReached, match=r"all 3 calls are made$"):
        screened(file_of(tmp_path, "arch", "bridge"), TEN, TEN, access=Access(calls=3, in_flight=1))
    assert len(model.asked) == 28
    assert kept(screened(items, TEN, TEN)) == ["arch", "bridge"]
    assert len(model.asked) == 40


def test_claims_that_are_not_answered_are_asked_again_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(item: str, turn: int) -> str:
        if item == "bridge":
            raise ModelError("no answer from the back end")
        return "Lima"

    items = file_of(tmp_path, "arch", "bridge")
    Answering(monkeypatch, failing)
    with pytest.raises(TrialsFailed, match=r"claims without an answer: 1; first: no answer from"):
        screened(items, TEN)
    model = Answering(monkeypatch, lambda item, turn: "Lima")
    assert kept(screened(items, TEN)) == ["arch", "bridge"]
    assert {"named arch?" in text for text in model.of(MODEL)} == {False}


def test_other_claims_or_settings_do_not_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Answering(monkeypatch, lambda item, turn: "Lima")
    items = file_of(tmp_path, "arch")
    screened(items, TEN)
    with pytest.raises(
        RunFileError, match=r"holds another study \(\$\.trial\.probes: 10 there, 5 now"
    ):
        screened(items, replaced(samples=5))
    text = items.read_text(encoding="utf-8").replace("Cusco", "Puno")
    items.write_text(text, encoding="utf-8")
    with pytest.raises(RunFileError, match="the data of its world"):
        screened(items, TEN)


def replaced(**changes: object) -> Stage:
    return TEN.model_copy(update=changes)


def test_an_address_is_for_the_stage_that_has_use_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Answering(monkeypatch, by_name)
    access = Access(base_url="http://127.0.0.1:1/v1", in_flight=1)
    items = file_of(tmp_path, "known")
    judge = "openai-compatible/judge"
    assert kept(screened(items, TEN, JUDGED, judge=judge, access=access)) == ["known"]
    with pytest.raises(SettingError, match="--base-url"):
        screened(items, TEN, access=access)


# Settings


def test_data_sets_have_their_stages() -> None:
    two, one = default_stages("counterfact"), default_stages("simpleqa")
    assert two == default_stages("popqa") == default_stages("None")
    assert [stage.method for stage in (*two.stage, *one.stage)] == ["strings", "strings", "judge"]
    assert (two.candidates, one.candidates) == (None, 240)
    assert {stage.most_both for stage in (*two.stage, *one.stage)} == {0.1}


def test_a_judge_is_named_where_it_is_needed_and_only_there(tmp_path: Path) -> None:
    items = file_of(tmp_path, "known", dataset="simpleqa")
    with pytest.raises(SettingError, match=r"\$\.stage\[0\]\.method: 'judge' is not allowed"):
        screened(items, model=LITERAL)
    with pytest.raises(SettingError, match=r"--judge: 'rules' is not allowed; expected none"):
        screened(items, TEN, model=LITERAL, judge="rules")
    assert list(tmp_path.glob("*.db")) == []


GOOD = "[[stage]]\nsamples = 5\nmost_false = 0\nleast_true = 0.8\n"


def written(folder: Path, text: str) -> Path:
    path = folder / "stages.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_stages_are_read_from_a_file(tmp_path: Path) -> None:
    found = read_stages(written(tmp_path, f"candidates = 7\n{GOOD}{GOOD}method = 'judge'\n"))
    assert found.candidates == 7
    assert [stage.method for stage in found.stage] == ["strings", "judge"]
    assert found.stage[0].limits == (0.0, 0.8, 0.1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"\$\.stage: None is not allowed"),
        ("stage = []", r"\$\.stage: \[\] is not allowed; expected at least 1 entries"),
        (GOOD.replace("5", "0"), r"\$\.stage\[0\]\.samples: 0 is not allowed; expected at least 1"),
        (GOOD.replace("0.8", "1.5"), r"\$\.stage\[0\]\.least_true: 1\.5 .* at most 1"),
        (GOOD.replace("0.8", "nan"), r"\$\.stage\[0\]\.least_true: nan is not allowed"),
        (f"{GOOD}method = 'string'", r"\$\.stage\[0\]\.method: 'string' .* 'strings' or 'judge'"),
        (GOOD.replace("most_false = 0\n", ""), r"\$\.stage\[0\]\.most_false: None .* a value"),
        (f"{GOOD}most_falls = 1", r"\$\.stage\[0\]: 'most_falls' .*did you mean 'most_false'"),
        ("[[stage", r"stages\.toml: not a TOML file"),
    ],
)
def test_mistakes_in_the_file_of_stages(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read_stages(written(tmp_path, text))


def test_a_file_of_stages_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        read_stages(tmp_path / "no.toml")


def test_a_file_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    found = Screened((), None, (), {})
    with pytest.raises(UsageError, match="cannot be written"):
        save(found, tmp_path / "no" / "kept.jsonl")
