"""The belief monitor: a warning that is calculated from private answers, and holds none of them."""

from __future__ import annotations

import json
from fractions import Fraction

from socialcircuits.agents.parsing import fold
from socialcircuits.graph import Observation, Reply
from socialcircuits.measures.monitoring import MOVED
from socialcircuits.prompts import Place, demand

QUIET = Reply("", valid=False, why="nothing to warn of")
"""Takes no place in anybody's context."""


def warn(observation: Observation) -> Reply:
    """Return the warning of a monitor, or none.

    It knows no right answer. It compares the last private answer of each agent with its first one,
    letter by letter but for case and accents, and warns when enough of them have moved. What it
    says names neither an answer nor an agent.

    Args:
        observation: what the monitor reads: the probes of all agents so far, in order.
    """
    first: dict[str, str] = {}
    last: dict[str, str] = {}
    for entry in (entry for heard in observation.heard for entry in heard.entries):
        answer = fold(entry.reply.answer or "").strip(" .")
        first.setdefault(entry.name, answer)
        last[entry.name] = answer
    moved = sum(last[name] != answer for name, answer in first.items())
    if not first or Fraction(moved, len(first)) < MOVED:
        return QUIET
    place = Place(observation.brief.world, "chatroom", "monitor", "monitor", "blind", "reasoned")
    text = demand("warning", place).render({})
    return Reply(json.dumps({"reason": text}), None, text)
