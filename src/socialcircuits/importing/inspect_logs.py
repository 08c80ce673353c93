"""Lines of the logs of Inspect: what each agent of a sample said, and who was shown it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from socialcircuits.errors import UsageError

if TYPE_CHECKING:
    from inspect_ai.event import Event, ModelEvent, SpanBeginEvent
    from inspect_ai.log import EvalSample

__all__ = ["SUFFIX", "rows"]

SUFFIX = ".eval"
"""How the name of a log ends."""

AGENT = "agent"
"""Type of the spans in which agents run."""

TELLING = 40
"""Characters from which on a text is taken for the same where it stands within another."""


class _Said(NamedTuple):
    """One reply of a model: its place among the events, who gave it, and the event."""

    place: int
    speaker: str
    event: ModelEvent


def rows(path: str | Path) -> Iterator[dict[str, Any]]:
    """Yield a line for each reply with a text, sample by sample, in the order of events.

    A sample at an epoch is a conversation. The speaker is the agent in whose span a model was
    called; outside all agents the role of the model, or ``model``. Its readers are the other agents
    of which a later call was shown the message, by its id, or by its whole text where that has at
    least 40 characters; where none was, they are unknown. A sample without events gives its
    messages, with unknown readers.

    Args:
        path: a log in the format ``.eval``.

    Raises:
        UsageError: the extra ``inspect`` is missing, or the log cannot be read.
    """
    try:
        from inspect_ai.log import read_eval_log_sample, read_eval_log_sample_summaries
    except ImportError:
        raise UsageError(
            f"{path}: logs of Inspect need: pip install 'socialcircuits[inspect]'"
        ) from None
    try:
        for one in read_eval_log_sample_summaries(str(path)):
            yield from _of_sample(
                read_eval_log_sample(str(path), one.id, one.epoch, resolve_attachments="core")
            )
    except Exception as error:  # noqa: BLE001 - what a damaged log leads to is not ours to list
        why = " ".join(str(error).split())
        raise UsageError(f"{path} cannot be read as a log of Inspect: {why}") from None


def _of_sample(sample: EvalSample) -> Iterator[dict[str, Any]]:
    shared = {
        "conversation": f"{sample.id}/{sample.epoch}",
        "question": sample.input if isinstance(sample.input, str) else None,
        "truth": sample.target if isinstance(sample.target, str) else None,
    }
    said = list(_said(sample.events))
    if not said:
        for message in sample.messages:
            if message.role in {"user", "assistant"} and message.text:
                yield {**shared, "speaker": message.role, "text": message.text}
        return
    shown = _Shown(said)
    for one in said:
        text = one.event.output.completion
        if text:
            readers = shown.readers(one)
            yield {
                **shared,
                "speaker": one.speaker,
                "text": text,
                "model": one.event.model,
                "to": readers or None,
            }


def _said(events: list[Event]) -> Iterator[_Said]:
    from inspect_ai.event import ModelEvent, SpanBeginEvent

    spans = {event.id: event for event in events if isinstance(event, SpanBeginEvent)}
    for place, event in enumerate(events):
        if isinstance(event, ModelEvent) and event.output.choices and not event.error:
            yield _Said(place, _agent(event, spans), event)


def _agent(event: ModelEvent, spans: Mapping[str, SpanBeginEvent]) -> str:
    above, passed = spans.get(event.span_id or ""), set[str]()
    while above is not None and above.id not in passed:
        passed.add(above.id)
        if above.type == AGENT:
            return str(above.name)
        above = spans.get(above.parent_id or "")
    return str(event.role or "model")


class _Shown:
    """What each agent was shown, and in which event last."""

    def __init__(self, said: list[_Said]) -> None:
        self._ids: dict[str, dict[str, int]] = {}
        self._texts: dict[str, dict[str, int]] = {}
        for place, speaker, event in said:
            for message in event.input:
                if message.id:
                    self._ids.setdefault(message.id, {})[speaker] = place
                if len(message.text) >= TELLING:
                    self._texts.setdefault(message.text, {})[speaker] = place

    def readers(self, one: _Said) -> list[str]:
        """The other agents of which a later call was shown a reply."""
        message = one.event.output.message
        found = dict(self._ids.get(message.id or "", {}))
        if len(message.text) >= TELLING:
            for text, last in self._texts.items():
                if message.text in text:
                    found |= {name: max(place, found.get(name, 0)) for name, place in last.items()}
        return sorted(
            name for name, place in found.items() if place > one.place and name != one.speaker
        )
