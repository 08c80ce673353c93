"""What makes a question usable, and that its canary is kept out of what is written."""

from __future__ import annotations

import copy
import json
import pickle
from dataclasses import asdict, replace
from typing import Any

import pytest

from socialcircuits.errors import SettingError
from socialcircuits.worlds.questions import Canary, Question
from socialcircuits.worlds.questions.item import Ambiguous

SUM = Question("sum", "What is 2 + 2?", "4", "exact", aliases=("four",), lures=("5",))
CITY = Question("city", "Which?", "B", "choice", {"A": "Oslo", "B": "Rome"}, lures=("A",))


@pytest.mark.parametrize(
    ("question", "change", "where", "given"),
    [
        (SUM, {"id": ""}, "id", ""),
        (SUM, {"id": "a\nb"}, "id", "a\nb"),
        (SUM, {"question": " "}, "question", " "),
        (SUM, {"answer": "4 "}, "answer", "4 "),
        (SUM, {"answer": "\ud800"}, "answer", "\ud800"),
        (SUM, {"kind": "open"}, "kind", "open"),
        (SUM, {"options": {"A": "4"}}, "options", {"A": "4"}),
        (SUM, {"lures": ("5", "5")}, "lures", "5"),
        (SUM, {"lures": ("4",)}, "lures", "4"),
        (SUM, {"lures": ("four",)}, "lures", "four"),
        (SUM, {"lures": ("5", "4.0")}, "lures", "4.0"),
        (SUM, {"lures": ("Four",)}, "lures", "Four"),
        (SUM, {"aliases": ("4",)}, "aliases", "4"),
        (SUM, {"category": "a\x1b[2Jb"}, "category", "a\x1b[2Jb"),
        (SUM, {"category": "a\nb"}, "category", "a\nb"),
        (SUM, {"category": None}, "category", None),
        (CITY, {"answer": "C"}, "answer", "C"),
        (CITY, {"lures": ("C",)}, "lures", "C"),
        (CITY, {"lures": ("B",)}, "lures", "B"),
        (CITY, {"aliases": ("Rome",)}, "aliases", "Rome"),
        (CITY, {"options": {"B": "Rome"}}, "options", {"B": "Rome"}),
        (CITY, {"options": {"a": "Oslo", "B": "Rome"}}, "options", "a"),
        (CITY, {"options": {"A": "", "B": "Rome"}}, "options.A", ""),
        (CITY, {"options": {"A": "Rome", "B": "Rome"}}, "options.B", "Rome"),
        (CITY, {"options": {"A": "Rome.", "B": " Rome".strip()}}, "options.B", "Rome"),
    ],
)
def test_a_value_that_is_not_allowed_is_named(
    question: Question, change: dict[str, Any], where: str, given: object
) -> None:
    with pytest.raises(SettingError) as caught:
        replace(question, **change)
    assert (caught.value.where, caught.value.given) == (where, given)


def test_near_answers_may_be_lures() -> None:
    near = replace(SUM, answer="3.14", aliases=(), lures=("3.15", "3", "31.4"))
    assert len(near.lures) == 3
    with pytest.raises(Ambiguous, match="expected a wrong answer; it is graded as a right one"):
        replace(near, lures=("3.1416",))


def test_case_tells_answers_apart() -> None:
    power = Question("power", "How much?", "5 MW", "exact", lures=("5 mW",))
    assert power.lures == ("5 mW",)


def test_a_canary_is_kept_out_of_everything_written() -> None:
    question = replace(SUM, canary=Canary("leak-4711"), image=b"\x89PNG")
    assert question.canary is not None
    assert question.canary.found_in("x leak-4711 x")
    assert not question.canary.found_in("leak-471")
    written = [repr(question), str(question.canary), f"{question.canary}", str(asdict(question))]
    written.append(json.dumps(asdict(question), default=str))
    assert not [text for text in written if "leak" in text]
    assert "PNG" not in repr(question)
    with pytest.raises(TypeError):
        json.dumps(question.canary)


def test_a_question_can_be_copied_sent_and_counted() -> None:
    question = replace(CITY, canary=Canary("leak-4711"))
    sent = pickle.loads(pickle.dumps(question))
    assert sent == question == copy.deepcopy(question)
    assert sent.canary.found_in("leak-4711")
    assert len({question, sent, SUM}) == 2
