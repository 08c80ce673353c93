"""A probe after the fact: a model in the place of each seat, with what the seat had read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from socialcircuits.agents import Access
from socialcircuits.errors import BudgetReached, RunFileError, SettingError, UsageError
from socialcircuits.importing import Probing, probe
from socialcircuits.records import RunFile, TrialRecord
from socialcircuits.studies import Run
from tests.support.guest_server import Answers, GuestServer, serving

ABOUT = {"question": "What is the capital of Peru?", "truth": "Lima", "lure": "Cusco"}
TALK: list[dict[str, Any]] = [
    {"speaker": "Ada", "text": "It is Lima.", "to": "all", "round": 1},
    {"speaker": "Bo", "text": "Cusco, I am sure.", "to": ["Cleo"], "round": 2, "role": "sybil"},
    {"speaker": "Dan", "text": "Cusco, Cusco!", "round": 2},
    {"speaker": "Ada", "text": "Cusco", "round": 2, "purpose": "probe"},
    {"speaker": "Cleo", "text": "Well.", "to": [], "round": 3},
]
MODEL = "openai-compatible/guest?sees=text"


def talk(folder: Path, *more: dict[str, Any], **about: Any) -> Path:
    path = folder / "talk.jsonl"
    shared = {"conversation": "peru", **ABOUT, **about}
    rows = [{**shared, **row} for row in TALK] + list(more)
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


def first(path: Path) -> TrialRecord:
    with RunFile(path) as file:
        return file.trial(0)


def probed(record: TrialRecord) -> dict[str, str | None]:
    steps, seats = record.graph.steps, record.graph.seats
    return {
        seats[steps[index].seat].key: record.answer(index)
        for index in record.outcomes
        if steps[index].purpose == "probe"
    }


def test_a_model_reads_what_is_known_to_have_reached_the_seat(tmp_path: Path) -> None:
    question = ABOUT["question"]
    server = GuestServer({question: Answers("Lima", "Cusco")}, gullible=[question])
    with serving(server):
        access = Access(base_url=server.url)
        probe(talk(tmp_path), tmp_path / "p.db", Probing(MODEL, access=access))
        asked = len(server.asked)
        probe(talk(tmp_path), tmp_path / "p.db", Probing(MODEL, access=access))
        assert len(server.asked) == asked == 3
    record = first(tmp_path / "p.db")
    # Bo spoke to Cleo alone; whom Dan's words reached is unknown, so nobody is shown them.
    assert probed(record) == {"Ada": "Lima", "Cleo": "Cusco", "Dan": "Lima"}
    prompts = [str(body["messages"]) for body in server.asked]
    assert not any("Cusco, Cusco!" in prompt for prompt in prompts)
    assert [("I am sure" in prompt) for prompt in prompts].count(True) == 1
    assert all("It is Lima." in prompt for prompt in prompts)


def test_the_words_of_others_are_given_and_the_answers_are_the_model_s(tmp_path: Path) -> None:
    counts = probe(talk(tmp_path), tmp_path / "p.db", Probing("simulated/quiet"))
    record = first(tmp_path / "p.db")
    kinds = [(step.purpose, step.kind) for step in record.graph.steps]
    assert kinds == [("message", "given")] * 4 + [("probe", "model")] * 3
    assert all(mind.startswith("simulated/quiet") for mind in record.provided.minds)
    assert record.counts["made"] == 3
    assert (counts.messages, counts.known) == (4, 3)
    with Run(tmp_path / "p.db") as run:
        assert run.label.startswith("simulated agents")
        assert run.study.about.startswith("a probe after the fact, at the end")


def test_an_earlier_round_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    probe(talk(tmp_path), tmp_path / "p.db", Probing("simulated/quiet", at=1))
    record = first(tmp_path / "p.db")
    assert [step.purpose for step in record.graph.steps] == ["message", "probe"]
    assert record.provided.facts["lure"] == "Cusco"
    with pytest.raises(UsageError, match="nothing to be read by round 0"):
        probe(talk(tmp_path), tmp_path / "q.db", Probing("simulated/quiet", at=0))


def test_a_run_does_not_go_on_with_other_words(tmp_path: Path) -> None:
    wanted = Probing("simulated/quiet")
    probe(talk(tmp_path), tmp_path / "p.db", wanted)
    changed = talk(tmp_path, {"conversation": "peru", "speaker": "Ada", "text": "!", "round": 4})
    with pytest.raises(RunFileError, match=r"conversations have changed|holds another study"):
        probe(changed, tmp_path / "p.db", wanted)
    text = talk(tmp_path).read_text(encoding="utf-8").replace("It is Lima.", "It is so.")
    (tmp_path / "talk.jsonl").write_text(text, encoding="utf-8")
    with pytest.raises(RunFileError, match="the conversations have changed since it began"):
        probe(tmp_path / "talk.jsonl", tmp_path / "p.db", wanted)


def test_what_was_paid_for_is_kept_when_the_budget_ends(tmp_path: Path) -> None:
    server = GuestServer({ABOUT["question"]: Answers("Lima", "Cusco")})
    other = [{**row, "conversation": "again", **ABOUT} for row in TALK]
    with serving(server):
        few = Access(base_url=server.url, calls=5)
        with pytest.raises(BudgetReached):
            probe(talk(tmp_path, *other), tmp_path / "p.db", Probing(MODEL, access=few))
        before = len(server.asked)
        whole = Access(base_url=server.url)
        probe(talk(tmp_path, *other), tmp_path / "p.db", Probing(MODEL, access=whole))
        assert 0 < before < len(server.asked) == 6
    with RunFile(tmp_path / "p.db") as file:
        assert len(file.plans()) == 2


@pytest.mark.parametrize("name", ABOUT)
def test_a_conversation_needs_question_truth_and_lure(tmp_path: Path, name: str) -> None:
    with pytest.raises(SettingError, match=f"conversation 'peru': {name}: '' is not allowed"):
        probe(talk(tmp_path, **{name: None}), tmp_path / "p.db", Probing("simulated/quiet"))
    assert not (tmp_path / "p.db").exists()


def test_a_lure_that_is_right_is_refused_with_its_conversation(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="conversation 'peru': lures: 'Lima'"):
        probe(talk(tmp_path, lure="Lima"), tmp_path / "p.db", Probing("simulated/quiet"))


def test_no_such_model(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="--probe"):
        probe(talk(tmp_path), tmp_path / "p.db", Probing("simulated/quit"))
