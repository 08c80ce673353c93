"""The kit for rubrics: labels that can be asked for, read, repeated and compared."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from socialcircuits.errors import SettingError
from socialcircuits.judges import (
    Case,
    JudgeMind,
    Line,
    Rubric,
    Transcript,
    judge_case,
    prompt_of,
    settle,
)
from socialcircuits.judges.form import stands
from socialcircuits.models import Capabilities, Completion, Request, ScriptedModel
from socialcircuits.records import Label
from socialcircuits.testing.rule import demand, is_text


def check_judge(
    rubric: Rubric, transcript: Transcript, reply: Callable[[Case], Mapping[str, Any]]
) -> None:
    """Check that a rubric keeps the rules that judging relies on.

    Its name is one word and that of a prompt file; cases are the same each time, name steps of the
    trial, and show their texts in lines of JSON; the form is an object whose keys the prompt names;
    a sound reply gives a value in JSON whose parts can be compared, and quotes that stand in the
    judged text, without which it is void; the rules give a value or say why not.

    Args:
        rubric: the rubric.
        transcript: a trial in which it has a case that can be asked.
        reply: case -> a sound reply, one that has a value.

    Raises:
        AssertionError: the first rule that is broken, in one sentence.

    >>> from socialcircuits.graph import Brief, Readout, Reply, Seat, Step, build
    >>> from socialcircuits.judges import RUBRICS
    >>> from socialcircuits.records import Provided
    >>> graph = build([Seat("0")], [Step(0, "message", 0)], Readout("message", (0,), 0))
    >>> facts = {"world": "flags", "truth": "Peru"}
    >>> given = Provided(("simulated/literal()",), (Brief()._asdict(),), ("",), facts)
    >>> trial = Transcript(graph, {0: Reply("Chad", "Chad")}, given, "Whose flag is it?")
    >>> said = {"extracted": "Chad", "reasoning": "Another country.", "correct": "no"}
    >>> check_judge(RUBRICS["correctness"], trial, lambda case: said)
    """
    demand(is_text(rubric.name) and rubric.name.isidentifier(), "a rubric's name must be one word")
    cases, again = list(rubric.cases(transcript)), list(rubric.cases(transcript))
    demand(cases == again, "the cases of a trial must be the same each time")
    asked = [case for case in cases if case.texts]
    demand(bool(asked), "the trial must have a case that can be asked")
    for case in cases:
        demand(case.step in transcript.outcomes, "a case must name a step that was played")
        _check_rules(case)
    for case in asked:
        _check_shown(case)
        _check_form(case)
        _check_reading(case, dict(reply(case)))


def _check_rules(case: Case) -> None:
    label = settle(case)
    demand(label == settle(case), "the rules must say the same each time")
    said = (label.value is None) == bool(label.why)
    demand(said, "the rules must give a value, or say why not")


def _check_shown(case: Case) -> None:
    for line in case.lines():
        shown = json.loads(line)
        demand(isinstance(shown, dict) and bool(shown), "a text must be shown as a JSON object")
        demand(line.isprintable(), "a text must be shown on one line")
    try:
        prompt_of(case)
    except SettingError:
        demand(False, f"there must be a prompt file judge/{case.rubric.name}")


def _check_form(case: Case) -> None:
    form, last = case.rubric.form(case), prompt_of(case)[-1].data.decode()
    closed = form.get("type") == "object" and form.get("additionalProperties") is False
    demand(closed, "the form must be an object without other keys")
    named = all(f'"{key}"' in last for key in form["required"])
    demand(named, "the end of the prompt must name every key of the form")


def _check_reading(case: Case, sound: dict[str, Any]) -> None:
    label = _judged(case, json.dumps(sound))
    demand(label.value is not None, f"a sound reply must have a value: {label.why}")
    demand(json.loads(json.dumps(label.value)) == label.value, "a value must be made of JSON")
    parts = case.rubric.parts(label.value)
    demand(bool(parts), "a value must have a part that can be compared")
    demand(isinstance(hash(tuple(parts.values())), int), "parts must be hashable")
    quoted = all(stands(quote, case.judged) for quote in label.quote.splitlines())
    demand(quoted, "a quote must stand in the judged text")
    if label.quote:
        void = _judged(replace(case, judged=()), json.dumps(sound))
        demand(void.value is None, "a quote that does not stand in the judged text must be void")


def _judged(case: Case, text: str) -> Label:
    model = ScriptedModel("check_judge", lambda request: Completion(text, "stop"))

    async def ask(request: Request) -> tuple[Completion, int]:
        return await model.complete(request), 0

    mind = JudgeMind(Line(model, ask, Capabilities()))
    return asyncio.run(judge_case(case, mind, retries=0))[0]
