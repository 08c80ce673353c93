"""How an answer distribution stands in the record: as the text of the reply that carries it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from socialcircuits.errors import RunFileError


def write_odds(odds: Mapping[str, float], notes: Mapping[str, Any]) -> str:
    """Return the text of a reply that gives the probability of every allowed answer.

    Args:
        odds: answer -> probability, 0 to 1, in the order in which the answers were listed.
        notes: how it was found: method, valid mass and the like (JSON values).

    >>> write_odds({"Peru": 0.75, "Mali": 0.25}, {"method": "weights"})
    '{"method": "weights", "odds": {"Peru": 0.75, "Mali": 0.25}}'
    """
    return json.dumps({**notes, "odds": dict(odds)}, ensure_ascii=False)


def read_odds(text: str) -> dict[str, float]:
    """Return answer -> probability from the text of such a reply.

    Raises:
        RunFileError: the text holds no probabilities.

    >>> read_odds('{"method": "weights", "odds": {"Peru": 0.75, "Mali": 0.25}}')
    {'Peru': 0.75, 'Mali': 0.25}
    """
    try:
        return {str(answer): float(p) for answer, p in json.loads(text)["odds"].items()}
    except (ValueError, TypeError, LookupError, AttributeError):
        raise RunFileError("a reply that should hold probabilities holds none") from None
