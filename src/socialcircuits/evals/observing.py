"""An observation as text and back: what a simulated agent is sent through Inspect."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from socialcircuits.errors import UsageError
from socialcircuits.graph import Brief, Evidence, Observation, Reply
from socialcircuits.graph.vocabulary import Entry, Heard

FORM = "socialcircuits/observation/1"
"""Name and version of the form."""


@dataclass(frozen=True)
class _Seen:
    """Evidence as far as a simulated agent uses it."""

    key: bytes
    answers: tuple[str, ...]
    beliefs: tuple[int | None, ...]
    why: tuple[str, ...]
    shown: str

    def log_belief(self) -> tuple[int | None, ...]:
        return self.beliefs

    def reasons(self) -> tuple[str, ...]:
        return self.why

    def text(self) -> str:
        return self.shown

    def image(self) -> bytes | None:
        return None


def write(observation: Observation, draw: bytes) -> str:
    """Return an observation and a draw as JSON.

    Args:
        observation: what a seat observes.
        draw: the random bytes of its reply.
    """
    value = {
        "form": FORM,
        "draw": draw.hex(),
        "frame": observation.frame.hex(),
        "purpose": observation.purpose,
        "variant": observation.variant,
        "brief": observation.brief._asdict(),
        "with_reason": observation.with_reason,
        "answers": observation.answers,
        "evidence": _seen(observation.evidence),
        "heard": [
            {
                "section": heard.section,
                "dropped": heard.dropped,
                "entries": [
                    {"step": e.step, "own": e.own, "name": e.name, "reply": reply_json(e.reply)}
                    for e in heard.entries
                ],
            }
            for heard in observation.heard
        ],
        "odds": observation.odds,
    }
    return json.dumps(value, ensure_ascii=False)


def _seen(evidence: Evidence | None) -> dict[str, Any] | None:
    if evidence is None:
        return None
    return {
        "key": evidence.key.hex(),
        "answers": evidence.answers,
        "log_belief": evidence.log_belief(),
        "reasons": evidence.reasons(),
        "text": evidence.text(),
    }


def read(text: str) -> tuple[Observation, bytes]:
    """Return the observation and the draw that `write` wrote.

    Raises:
        UsageError: the text is of another form.

    >>> read("Which country is it?")
    Traceback (most recent call last):
    ...
    socialcircuits.errors.UsageError: simulated agents read observations, no prompts: they sit in \
the seats of the tasks socialcircuits/... only
    """
    try:
        value = json.loads(text)
        if value["form"] == FORM:
            return _observation(value), bytes.fromhex(value["draw"])
    except (ValueError, TypeError, KeyError):
        pass
    raise UsageError(
        "simulated agents read observations, no prompts: they sit in the seats of the tasks "
        "socialcircuits/... only"
    )


def _observation(value: Mapping[str, Any]) -> Observation:
    brief = {n: tuple(v) if isinstance(v, list) else v for n, v in value["brief"].items()}
    seen = value["evidence"]
    return Observation(
        bytes.fromhex(value["frame"]),
        value["purpose"],
        value["variant"],
        Brief(**brief),
        value["with_reason"],
        tuple(value["answers"]),
        seen
        and _Seen(
            bytes.fromhex(seen["key"]),
            tuple(seen["answers"]),
            tuple(seen["log_belief"]),
            tuple(seen["reasons"]),
            seen["text"],
        ),
        tuple(_heard(heard) for heard in value["heard"]),
        value["odds"],
    )


def _heard(value: Mapping[str, Any]) -> Heard:
    entries = tuple(
        Entry(entry["step"], entry["own"], Reply(**entry["reply"]), entry["name"])
        for entry in value["entries"]
    )
    return Heard(value["section"], entries, value["dropped"])


def reply_json(reply: Reply) -> dict[str, Any]:
    """Return a reply as the arguments that make it.

    >>> Reply(**reply_json(Reply("Peru it is", "Peru"))).answer
    'Peru'
    """
    return {
        "text": reply.text,
        "answer": reply.answer,
        "reason": reply.reason,
        "valid": reply.valid,
        "why": reply.why,
    }
