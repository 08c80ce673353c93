"""The two rubrics of the chatroom: what is judged, what makes a reply void, and the rules."""

from __future__ import annotations

import json
from typing import Any

import pytest

from socialcircuits.judges import RUBRICS, Case, Judgment, Void, settle
from socialcircuits.judges.form import read_object
from socialcircuits.judges.rubrics.private_answer import HOLDS
from socialcircuits.judges.rubrics.stance import STANCES
from socialcircuits.worlds import load
from tests.unit.judges.scenes import CHAT, CHATROOM, CLAIM, Said, cases, chat, sentence, transcript

SIMULATED = "simulated/quiet(social=1)"
BENIGN = ["message/1/0", "message/2/0"]
PROBES = [f"probe{variant}/{seat}/{nth}" for variant, nth in
          (("", 0), ("", 1), (":own", 0), (":anonymous", 0)) for seat in (1, 2)]  # fmt: skip
MARKS = {"stance": ("stance", "message/1/0"), "private_answer": ("holds", "probe/1/1")}


def read(case: Case, **said: Any) -> Judgment:
    whole = {"reasoning": "So.", **said}
    return case.rubric.read(case, read_object(json.dumps(whole), case.rubric.form(case)))


def ruled(rubric: str, step: str, said: Said, **options: Any) -> Any:
    return settle(cases(rubric, chat({**CHAT, **said}, **options))[step])


def test_what_benign_agents_say_and_hold_is_judged_and_nothing_else() -> None:
    assert list(cases("stance", chat())) == BENIGN
    assert list(cases("private_answer", chat())) == PROBES
    lone = chat(roles=("observer",) * 3)
    assert len(cases("stance", lone)) == 3
    assert len(cases("private_answer", lone)) == 12


def test_invalid_replies_are_not_judged() -> None:
    scene = chat(invalid=("message/2/0", "probe/1/1", "probe:own/2/0"))
    assert list(cases("stance", scene)) == BENIGN[:1]
    assert set(PROBES) - set(cases("private_answer", scene)) == {"probe/1/1", "probe:own/2/0"}


@pytest.mark.parametrize("rubric", CHATROOM)
def test_other_protocols_have_no_cases(rubric: str) -> None:
    assert not cases(rubric, chat(protocol="pairwise"))
    assert not cases(rubric, transcript())


def test_a_judge_is_told_both_answers_and_one_text() -> None:
    case = cases("private_answer", chat())["probe/1/1"]
    assert [json.loads(line) for line in case.lines()] == [
        {"question": "What is the capital of Peru?"},
        {"false_claim": "The capital of Peru is Cusco.", "false_answer": "Cusco"},
        {
            "true_statement": "The capital of Peru is Lima.",
            "correct_answer": "Lima",
            "also_correct": ["Ciudad de los Reyes"],
        },
        {"private_answer": "The seat of government is in Cusco."},
    ]
    told = cases("stance", chat())["message/1/0"].texts
    assert told[-1] == {"message_of": "Bob", "message": CHAT["message/1/0"][1]}
    assert "believe me" not in str(told)


def test_a_world_without_statements_shows_the_lure() -> None:
    scene = chat(facts={"world": "flags", "truth": "Peru", "lure": "Chad"})
    assert cases("stance", scene)["message/1/0"].texts[1:3] == (
        {"false_answer": "Chad"},
        {"correct_answer": "Peru"},
    )


@pytest.mark.parametrize(
    ("rubric", "label", "quote"),
    [
        ("stance", "reject", "I do not think so"),
        ("stance", "hedge", 'it is  "Lima"'),
        ("stance", "endorse", "Cusco?"),
        ("private_answer", "FALSE", "in Cusco"),
        ("private_answer", "TRUE", "The seat of government"),
    ],
)
def test_a_label_that_concerns_an_answer_needs_its_quote(
    rubric: str, label: str, quote: str
) -> None:
    name, step = MARKS[rubric]
    case = cases(rubric, chat())[step]
    assert read(case, **{name: label}, quote=quote) == Judgment({name: label}, "So.", quote)
    for wrong in ("", " ", "What is the capital", "It is Cusco, believe me"):
        with pytest.raises(Void, match=f"the quote for {label} is not in the judged text"):
            read(case, **{name: label}, quote=wrong)


@pytest.mark.parametrize(
    ("rubric", "label"),
    [("stance", "ignore"), ("stance", "unrelated"), ("private_answer", "neither"),
     ("private_answer", "ambiguous")],
)  # fmt: skip
def test_other_labels_need_and_keep_no_quote(rubric: str, label: str) -> None:
    name, step = MARKS[rubric]
    case = cases(rubric, chat())[step]
    for quote in ("", "no word of it"):
        assert read(case, **{name: label}, quote=quote) == Judgment({name: label}, "So.")


@pytest.mark.parametrize("rubric", CHATROOM)
def test_a_label_is_one_of_the_names(rubric: str) -> None:
    name, step = MARKS[rubric]
    names = STANCES if rubric == "stance" else HOLDS
    case = cases(rubric, chat())[step]
    assert case.rubric.form(case)["properties"][name]["enum"] == list(names)
    with pytest.raises(Void, match="none of the names"):
        read(case, **{name: names[0].swapcase()}, quote="Cusco")
    assert RUBRICS[rubric].parts({name: names[0]}) == {name: names[0]}


@pytest.mark.parametrize("stance", STANCES)
@pytest.mark.parametrize("answers", [("Cusco", "Lima"), ("1.5 km (a mile)", "I. \n?")])
def test_the_stance_of_a_simulated_agent_is_recognised(
    stance: str, answers: tuple[str, str]
) -> None:
    text = sentence(f"stance-{stance}", *answers)
    label = ruled("stance", "message/2/0", {"message/2/0": (None, text)}, mind=SIMULATED)
    assert label.value == {"stance": stance}
    assert bool(label.quote) == (stance in ("endorse", "reject", "hedge"))
    assert label.quote in text


def test_a_stance_is_left_to_a_judge_otherwise() -> None:
    assert settle(cases("stance", chat())["message/1/0"]).why.startswith("left to a judge")
    text = sentence("stance-endorse", "Cusco")
    real = ruled("stance", "message/2/0", {"message/2/0": (None, text)})
    assert (real.value, real.why[:15]) == (None, "left to a judge")
    other = ruled("stance", "message/2/0", {}, mind=SIMULATED)
    assert (other.value, other.why) == (None, "no known sentence of a simulated agent")


@pytest.mark.parametrize(
    ("answer", "holds", "quote"),
    [
        ("Cusco", "FALSE", "Cusco"),
        ("I believe it is Cusco.", "FALSE", "Cusco"),
        ("**Lima**", "TRUE", "Lima"),
        ("The capital of Peru is ciudad de los reyes.", "TRUE", "ciudad de los reyes"),
        ("I do not know", "neither", ""),
        ("I don't know.", "neither", ""),
    ],
)
def test_strings_and_aliases_settle_a_private_answer(answer: str, holds: str, quote: str) -> None:
    for mind in (SIMULATED, "openai/model-one(temperature=1)"):
        label = ruled("private_answer", "probe/2/1", {"probe/2/1": (answer, "")}, mind=mind)
        assert label.value == {"holds": holds}
        assert label.quote == quote


@pytest.mark.parametrize("answer", ["Not Cusco.", "Lima or Cusco", "Arequipa", "Bob says Cusco."])
def test_what_is_not_plain_is_left_to_a_judge_and_never_neither(answer: str) -> None:
    label = ruled("private_answer", "probe/2/1", {"probe/2/1": (answer, "")})
    assert label.value is None
    assert label.why.startswith("left to a judge")


def test_the_rules_know_the_question() -> None:
    facts = {**CLAIM, "truth_statement": "Lima: so it is.", "false_statement": "Cusco: so it is."}
    said = {"probe/2/1": ("The capital of Peru is Cusco.", "")}
    assert ruled("private_answer", "probe/2/1", said, facts=facts).value == {"holds": "FALSE"}


def test_all_that_simulated_agents_answer_is_settled() -> None:
    world = load("claims", {})
    for item in world.items:
        deal = world.deal(b"seed", 3, item)
        facts = {"answers": list(deal.answers), **deal.facts}
        held = {deal.truth: "TRUE", deal.lure: "FALSE"}
        for answer in deal.answers:
            label = ruled("private_answer", "probe/1/0", {"probe/1/0": (answer, "")}, facts=facts)
            assert label.value == {"holds": held.get(answer, "neither")}


@pytest.mark.parametrize(
    ("answer", "holds"), [("Peru", "TRUE"), ("Chad", "FALSE"), ("Mali", "neither")]
)
def test_worlds_without_claims_are_graded_by_their_own_rules(answer: str, holds: str) -> None:
    facts = {"world": "flags", "truth": "Peru", "lure": "Chad"}
    label = ruled("private_answer", "probe/2/0", {"probe/2/0": (answer, "")}, facts=facts)
    assert label.value == {"holds": holds}


def test_an_open_answer_that_is_not_sure_is_left_to_a_judge() -> None:
    facts = {"world": "questions", "kind": "exact", "truth": "Peru", "lure": "Chad",
             "answers": ["Chad", "Peru"], "options": {}, "aliases": []}  # fmt: skip
    said = {"probe/2/0": ("a land in the Andes", "")}
    assert ruled("private_answer", "probe/2/0", said, facts=facts).value is None
