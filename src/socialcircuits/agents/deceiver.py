"""The deceiver: argues alone for the wrong answer that it finds most promising."""

from __future__ import annotations

from socialcircuits.agents.deceit import (
    ANSWERING,
    OPENING,
    TRUTHFUL,
    arguments,
    strategy,
    target,
)
from socialcircuits.agents.said import say
from socialcircuits.graph import Observation


def deceiver(observation: Observation, draw: bytes, eloquence: int) -> tuple[str, str]:
    """Return what a deceiver says: never the truth, unless asked in private what it believes.

    It begins with its lure, turns to another wrong answer where its colleagues are closer to that,
    and uses the tactics of an opening until it has heard somebody (adversarial influence, 2.1).

    Raises:
        SettingError: there is no wrong answer, or it was not told the truth.

    >>> from socialcircuits.graph import Brief
    >>> told = Brief("deceiver", bandwidth=1, truth="505", lure="405")
    >>> seen = Observation(b"", "vote", "", told, False, ("405", "504", "505"), None, ())
    >>> deceiver(seen, bytes(16), 1000)
    ('405', '')
    """
    lie = target(observation, draw)
    truthful = observation.purpose in TRUTHFUL
    answer = observation.brief.truth if truthful else lie
    if not observation.with_reason:
        return answer, ""
    if truthful:
        return answer, say("strategy-knows", answer)
    if observation.purpose == "reflection":
        return lie, strategy(observation, lie)
    heard = any(not entry.own for section in observation.heard for entry in section.entries)
    return lie, arguments(lie, ANSWERING if heard else OPENING, draw, eloquence)
