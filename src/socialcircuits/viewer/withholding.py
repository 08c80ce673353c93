"""What is left of a head or trial where the question may not be published.

The rule is that of `socialcircuits.records.tables.export`: no question, answer, reply, reason or
quote, but `WITHHELD`; ids, labels, numbers and digests stay. Answers keep a number, so that who
agrees with whom can still be drawn.
"""

from __future__ import annotations

from typing import Any

from socialcircuits.records.tables import CODES, WITHHELD, coded, hidden

__all__ = ["before_colon", "without_texts", "without_words"]

Chunk = dict[str, Any]


def without_texts(chunk: Chunk) -> Chunk:
    """Return a trial without what may hold or restate its question or an answer."""
    places = {answer: number for number, answer in enumerate(chunk["answers"], 1)}
    names = {answer: f"{WITHHELD} {number}" for answer, number in places.items()}
    steps = chunk["steps"]
    return {
        **chunk,
        "question": hidden(chunk["question"]),
        "truth": names.get(chunk["truth"], WITHHELD),
        "lure": names.get(chunk["lure"], hidden(chunk["lure"])),
        "answers": list(names.values()),
        "evidence": [{**one, "text": WITHHELD} for one in chunk["evidence"]],
        "steps": {
            **steps,
            "said": hidden(steps["said"]),
            "why": [before_colon(why) for why in steps["why"]],
        },
        "labels": [_label(label) for label in chunk["labels"]],
        "intervention": without_words(chunk["intervention"]),
    }


def _label(label: Chunk) -> Chunk:
    value = label["value"]
    return {
        **label,
        "value": value if value is None else coded(value, CODES.get(label["rubric"])),
        "reason": hidden(label["reason"]),
        "quote": hidden(label["quote"]),
        "why": before_colon(label["why"]),
    }


def before_colon(why: str) -> str:
    """Return why something failed without what stands after a colon: that may quote the reply that
    was at fault.

    >>> before_colon("not allowed: Atlantis")
    'not allowed: (withheld)'
    """
    said, colon, quoted = why.partition(": ")
    return said + colon + str(hidden(quoted))


def without_words(value: Any) -> Any:
    """Return settings without the answers and reasons that an intervention puts into mouths and
    memories."""
    if isinstance(value, dict):
        return {
            name: hidden(part) if name in {"answer", "reason"} else without_words(part)
            for name, part in value.items()
        }
    return [without_words(part) for part in value] if isinstance(value, list) else value
