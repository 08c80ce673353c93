"""What is left of a head or trial where the question may not be published.

The rule is that of `socialcircuits.records.tables.export`: no question, answer, reply, reason or
quote, but `WITHHELD`; ids, labels, numbers and digests stay. Answers keep a number, so that who
agrees with whom can still be drawn.
"""

from __future__ import annotations

from typing import Any

from socialcircuits.records import TrialRecord
from socialcircuits.records.tables import _CODES, WITHHELD, _coded, _hidden, _is_private

__all__ = ["before_colon", "is_private", "without_texts", "without_words"]

Chunk = dict[str, Any]


def is_private(record: TrialRecord) -> bool:
    """Return whether the texts of a trial are withheld: its question is not marked shareable."""
    return _is_private(record)


def without_texts(chunk: Chunk) -> Chunk:
    """Return a trial without what may hold or restate its question or an answer."""
    places = {answer: number for number, answer in enumerate(chunk["answers"], 1)}
    names = {answer: f"{WITHHELD} {number}" for answer, number in places.items()}
    steps = chunk["steps"]
    return {
        **chunk,
        "question": _hidden(chunk["question"]),
        "truth": names.get(chunk["truth"], WITHHELD),
        "lure": names.get(chunk["lure"], _hidden(chunk["lure"])),
        "answers": list(names.values()),
        "evidence": [{**one, "text": WITHHELD} for one in chunk["evidence"]],
        "steps": {
            **steps,
            "said": _hidden(steps["said"]),
            "why": [before_colon(why) for why in steps["why"]],
        },
        "labels": [_label(label) for label in chunk["labels"]],
        "intervention": without_words(chunk["intervention"]),
    }


def _label(label: Chunk) -> Chunk:
    value = label["value"]
    return {
        **label,
        "value": value if value is None else _coded(value, _CODES.get(label["rubric"])),
        "reason": _hidden(label["reason"]),
        "quote": _hidden(label["quote"]),
        "why": before_colon(label["why"]),
    }


def before_colon(why: str) -> str:
    """Return why something failed without what stands after a colon: that may quote the reply that
    was at fault.

    >>> before_colon("not allowed: Atlantis")
    'not allowed: (withheld)'
    """
    said, colon, quoted = why.partition(": ")
    return said + colon + str(_hidden(quoted))


def without_words(value: Any) -> Any:
    """Return settings without the answers and reasons that an intervention puts into mouths and
    memories."""
    if isinstance(value, dict):
        return {
            name: _hidden(part) if name in {"answer", "reason"} else without_words(part)
            for name, part in value.items()
        }
    return [without_words(part) for part in value] if isinstance(value, list) else value
