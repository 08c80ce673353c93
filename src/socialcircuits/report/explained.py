"""An explanation as text: what a reader who doubts a number wants to see, once each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.table import Table

from socialcircuits.agents import LABEL
from socialcircuits.records.digests import canonical
from socialcircuits.report.explaining import Explainer
from socialcircuits.report.explanation import Asked, Behind, Call, Explanation, Judged, Shown
from socialcircuits.report.page import Adjusted
from socialcircuits.report.plotted import PREFIX
from socialcircuits.report.words import adjusted_text, p_text, plain, where
from socialcircuits.studies.display import visible

__all__ = ["lines", "listed"]

TRIALS = 20
"""Most trials that are printed."""

STEPS = 40
"""Most steps, and most labels, that are printed."""

KEY = 12
"""Letters of a key that are printed."""

ALL = "--json has them all"


def listed(explainer: Explainer, start: str = "") -> Iterator[str]:
    """Yield the numbers of a page, of a table or of a row with their ids.

    Args:
        explainer: of the page.
        start: id of a table, line or row; empty for all. Of a row each number has its line, else
            each row.
    """
    found = explainer.below(start)
    if "." in start:
        yield from (f"{name}  {visible(text)}" for name, (_, text) in found.items())
        return
    yield "The id of a number is that of its row, a dot, and its name, as in accuracy.1.uplift."
    rows: dict[tuple[str, str], list[str]] = {}
    for name, (place, text) in found.items():
        stem, _, own = name.rpartition(".")
        rows.setdefault((stem, place.row), []).append(f"{own} {text}")
    for (stem, row), texts in rows.items():
        yield visible(f"{stem}  {row}{': ' if row else ''}{', '.join(texts)}")
    figures = [f"{PREFIX}{name}" for name in explainer.runs[0].study.figures if not start]
    if figures:
        yield f"Figures: {', '.join(figures)}"


def lines(found: Explanation) -> Iterator[str | Table]:
    """Yield an explanation, part by part, for a console: all text as text, whatever it holds."""
    for part in _parts(found):
        yield _visible(part) if isinstance(part, str) else part


def _visible(text: str) -> str:
    return "\n".join(map(visible, text.split("\n")))


def _parts(found: Explanation) -> Iterator[str | Table]:
    yield found.study
    yield found.agents.replace(LABEL, LABEL.upper())
    yield from found.cautions
    yield from (f"CHANGED: {one}" for one in found.changed)
    if found.stated is not None:
        yield f"CHANGED: the report says {found.stated}; what follows is the number as it is now"
    yield f"\n{found.id}: {found.text}"
    yield f"  {_what(plain(found.quantity), found.place[1])}"
    yield f"  {_sentence(found.definition)}"
    yield from (f"  {name:<10}{text}" for name, text in _facts(found))
    yield from _trials(found)
    yield from _behind(found)
    if found.shown is not None:
        yield from _shown(found.shown)


def _what(quantity: str, row: str) -> str:
    return row if row.startswith(quantity) else ", ".join(filter(None, (quantity, row)))


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:].rstrip(".") + "."


def _facts(found: Explanation) -> Iterator[tuple[str, str]]:
    if found.n is not None:
        yield "n", f"{found.n:,} {found.unit}"
    for name, counts in found.levels.items():
        yield "", f"{name}: " + ", ".join(f"{what} {number:,}" for what, number in counts.items())
    if found.method:
        yield "method", found.method
    if found.test is not None:
        yield "test", ", ".join(_test(found.test, found.detectable))
    yield from (("warning", one) for one in found.warnings)
    if found.again is not None:
        same = found.again == found.text
        told = "the same" if same else f"{found.again or 'nothing'}: NOT THE SAME"
        yield "again", f"calculated from these trials alone: {told}"
    if found.seen:
        yield "view", f"{found.seen}, or {found.address} of an exported page"


def _test(test: Mapping[str, Any], detectable: str) -> Iterator[str]:
    yield f"{test['test']}, p {p_text(test['p'], test['exact'])}"
    if test["adjusted"] is not None:
        yield f"adjusted {adjusted_text(Adjusted(**test['adjusted']))}"
    if detectable:
        yield f"{detectable} would have been found with power .8"


def _trials(found: Explanation) -> Iterator[str | Table]:
    rows = found.rows
    if not rows:
        counts = ", ".join(f"{number:,} {what}" for what, number in found.counts.items())
        yield f"\nCounted over the whole record, not over trials of estimates. It holds {counts}."
        return
    yield f"\nIt rests on {_number(len(rows), 'trial')}; digest of these rows {found.digest}"
    columns = {
        "run": [row.run for row in rows],
        "trial": [str(row.trial) for row in rows],
        "seed": [str(row.seed) for row in rows],
        "condition": [where(row.condition) for row in rows],
        "item": [row.item for row in rows],
        "adds": [row.adds for row in rows],
        "digest": [row.digest[:KEY] for row in rows],
    }
    alike = {"run", "condition"} if len(rows) > 1 else {"run"}
    yield _table(
        {
            name: texts
            for name, texts in columns.items()
            if any(texts) and not (name in alike and len(set(texts)) == 1)
        },
        TRIALS,
    )


def _table(columns: Mapping[str, Sequence[str]], most: int) -> Table:
    total = max(map(len, columns.values()), default=0)
    more = f"{total - most:,} more: {ALL}" if total > most else None
    table = Table(caption=more, caption_justify="left", box=SIMPLE_HEAD)
    for name in columns:
        table.add_column(name, overflow="fold")
    for cells in list(zip(*columns.values(), strict=True))[:most]:
        table.add_row(*map(_visible, cells))
    return table


def _behind(found: Explanation) -> Iterator[str]:
    behind = found.behind
    if not found.rows:
        return
    steps = ", ".join(_number(number, what) for what, number in behind.steps.items())
    yield f"It reads {behind.reads}: {steps or 'no steps'}."
    yield f"Behind them: {', '.join(_replies(behind))}."
    if behind.labels:
        counts = ", ".join(f"{number:,} by {judge}" for judge, number in behind.labels.items())
        asked = f", {len(behind.judge_keys):,} replies of judges" if behind.judge_keys else ""
        yield f"Labels: {counts}{asked}."


def _replies(behind: Behind) -> Iterator[str]:
    yield _number(behind.replies, "reply")
    if len(behind.keys) != behind.replies:
        yield f"of {len(behind.keys):,} keys"
    if behind.shared:
        yield f"{behind.shared:,} shared with other conditions"
    if behind.invalid:
        yield f"{behind.invalid:,} invalid"
    if behind.silent:
        yield f"and {behind.silent:,} steps that asked nobody"
    if behind.reused:
        yield f"{behind.reused:,} of all {behind.asked + behind.reused:,} taken from a record"


def _number(number: int, word: str) -> str:
    many = (
        f"{word[:-1]}ies" if word.endswith("y") else f"{word}es" if word[-1] == "s" else f"{word}s"
    )
    return f"{number:,} {word if number == 1 else many}"


def _shown(shown: Shown) -> Iterator[str | Table]:
    yield (
        f"\nTrial {shown.trial} of {shown.run}: truth {shown.truth}, lure {shown.lure} "
        "(--trial for another)"
    )
    if shown.steps:
        yield _table(_steps(shown), STEPS)
    steps = {step.step for step in shown.steps}
    more = [one for one in shown.labels if one.calls or one.quote or one.step not in steps]
    if more:
        yield from _labels(more)
    yield from _prompts(shown)


def _steps(shown: Shown) -> dict[str, list[str]]:
    steps, labels = shown.steps, dict[int, list[str]]()
    for label in shown.labels:
        labels.setdefault(label.step, []).append(_value(label))
    last = [step.calls[-1] for step in steps]
    columns = {
        "step": [step.id for step in steps],
        "role": [step.role for step in steps],
        "round": [str(step.round) for step in steps],
        "answer": [_answer(step) for step in steps],
        "label": ["; ".join(labels.get(step.step, ())) for step in steps],
        "reply": [
            "" if call.text == step.answer else call.text
            for step, call in zip(steps, last, strict=True)
        ],
        "key": [call.key[:KEY] or "asked nobody" for call in last],
        "attempts": [str(len(step.calls)) for step in steps],
        "tokens": [_tokens(step.calls) for step in steps],
    }
    usual = {"attempts": {"1"}, "role": {steps[0].role}}
    return {
        name: texts
        for name, texts in columns.items()
        if any(texts) and set(texts) != usual.get(name)
    }


def _value(label: Judged) -> str:
    if not isinstance(label.value, dict):
        return label.why if label.value is None else str(label.value)
    return ", ".join(f"{name} {_plain(part)}" for name, part in label.value.items())


def _plain(part: Any) -> str:
    return part if isinstance(part, str) else canonical(part)


def _answer(step: Asked) -> str:
    last = step.calls[-1]
    if not last.valid:
        return f"invalid: {last.why}"
    return f"{step.answer or ''}{f' ({last.why})' if last.why else ''}"


def _tokens(calls: Sequence[Call]) -> str:
    counted = [call for call in calls if call.prompt_tokens is not None]
    prompt = sum(call.prompt_tokens or 0 for call in counted)
    return f"{prompt:,} + {sum(c.completion_tokens or 0 for c in counted):,}" if counted else ""


def _labels(labels: Sequence[Judged]) -> Iterator[str | Table]:
    """What all labels share stands above them."""
    columns = {
        "label of": [label.id for label in labels],
        "value": [_value(label) for label in labels],
        "quote": [label.quote for label in labels],
        "reason": [label.reason for label in labels],
        "rubric": [label.rubric for label in labels],
        "judge": [label.judge for label in labels],
        "key": [label.calls[-1].key[:KEY] if label.calls else "" for label in labels],
    }
    shared = {name for name in ("rubric", "reason", "judge") if len(set(columns[name])) == 1}
    alike = [columns[name][0] for name in ("rubric", "reason", "judge") if name in shared]
    if any(alike):
        yield f"All labels: {', '.join(filter(None, alike))}"
    kept = {name: texts for name, texts in columns.items() if any(texts) and name not in shared}
    yield _table(kept, STEPS)


def _prompts(shown: Shown) -> Iterator[str]:
    asked = [(f"step {one.id}", one.calls) for one in shown.steps]
    asked += [(f"the judge of {one.id}, {one.rubric}", one.calls) for one in shown.labels]
    wanted = [(what, call) for what, calls in asked for call in calls if call.prompt is not None]
    sent = [(what, call) for what, call in wanted if call.prompt]
    if wanted and not sent:
        yield "Simulated agents read no prompts."
    for what, call in sent:
        yield f"\nPrompt of {what}, attempt {call.attempt + 1}, key {call.key}"
        yield from (f"[{part['role']}]\n{part['text']}" for part in call.prompt or ())
