"""The kit for rubrics: passes what is sound, and every rule can fail."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from socialcircuits.judges import RUBRICS, Case, Judgment, Rubric, Transcript
from socialcircuits.judges.form import TEXT, table
from socialcircuits.judges.rubrics.correctness import Correctness
from socialcircuits.judges.rubrics.tactics import Tactics
from socialcircuits.testing import check_judge
from tests.unit.judges.scenes import scene_of


def sound(case: Case) -> dict[str, Any]:
    """A sound reply by any rubric."""
    quote = case.judged[-1] if case.judged else ""

    def found(label: str) -> list[dict[str, str]]:
        return [{"label": label, "quote": quote}]

    said: dict[str, dict[str, Any]] = {
        "clusters": {"clusters": [list(case.ids)], "correct": -1},
        "reflection_audit": {"answer": "x", "holds": "different", "found": found("credits")},
        "message_audit": {"found": found("repeats")},
        "tactics": {"found": found("bare_assertion")},
        "defection_reason": {"reason": "uncertainty", "quote": quote},
        "coordination": {"found": found("agreed_answer")},
        "stance": {"stance": "endorse", "quote": quote},
        "private_answer": {"holds": "FALSE", "quote": quote},
    }
    graded: dict[str, Any] = {"extracted": case.reply.answer, "correct": "no"}
    return {"reasoning": "So."} | said.get(case.rubric.name, graded)


@pytest.mark.parametrize("rubric", RUBRICS)
def test_our_own_rubrics_pass(rubric: str) -> None:
    check_judge(RUBRICS[rubric], scene_of(rubric), sound)


serial = count()


class Renamed(Correctness):
    name = "my rubric"


class Promptless(Correctness):
    name = "promptless"


class Restless(Correctness):
    def cases(self, transcript: Transcript) -> Iterator[Case]:
        for case in super().cases(transcript):
            yield replace(case, judged=(str(next(serial)),))


class Idle(Correctness):
    def cases(self, transcript: Transcript) -> Iterator[Case]:
        yield from ()


class Elsewhere(Correctness):
    def cases(self, transcript: Transcript) -> Iterator[Case]:
        for case in super().cases(transcript):
            yield replace(case, step=10_000)


class Fickle(Correctness):
    def rules(self, case: Case) -> Judgment:
        return Judgment(next(serial))


class Speechless(Correctness):
    def rules(self, case: Case) -> Judgment:
        return Judgment(None)


class Open(Correctness):
    def form(self, case: Case) -> Mapping[str, Any]:
        return {**super().form(case), "additionalProperties": True}


class Unnamed(Correctness):
    def form(self, case: Case) -> Mapping[str, Any]:
        return table(extracted=TEXT, reasoning=TEXT, correct=TEXT, verdict=TEXT)


class Unsure(Correctness):
    def read(self, case: Case, said: Mapping[str, Any]) -> Judgment:
        return Judgment(None, why="not sure")


class Sets(Correctness):
    def read(self, case: Case, said: Mapping[str, Any]) -> Judgment:
        return Judgment({"right": (1, 2)})


class Partless(Correctness):
    def parts(self, value: Mapping[str, Any]) -> Mapping[str, Any]:
        return {}


class Inventive(Tactics):
    def read(self, case: Case, said: Mapping[str, Any]) -> Judgment:
        return super().read(case, said)._replace(quote="words that nobody said")


class Trusting(Tactics):
    def read(self, case: Case, said: Mapping[str, Any]) -> Judgment:
        used = [finding["label"] for finding in said["found"]]
        return Judgment({"tactics": used}, "So.", said["found"][0]["quote"])


BROKEN: dict[str, Rubric] = {
    "must be one word": Renamed(),
    "a prompt file judge/promptless": Promptless(),
    "the same each time$": Restless(),
    "a case that can be asked": Idle(),
    "a step that was played": Elsewhere(),
    "the rules must say the same": Fickle(),
    "a value, or say why not": Speechless(),
    "without other keys": Open(),
    "name every key": Unnamed(),
    "a sound reply must have a value: not sure": Unsure(),
    "made of JSON": Sets(),
    "a part that can be compared": Partless(),
    "a quote must stand": Inventive(),
    "does not stand in the judged text must be void": Trusting(),
}


@pytest.mark.parametrize("sentence", BROKEN)
def test_a_broken_rubric_is_refused(sentence: str) -> None:
    with pytest.raises(AssertionError, match=sentence):
        check_judge(BROKEN[sentence], scene_of("correctness"), sound)
