"""The coordinated deceiver: agrees in a private chat with others of its kind on one wrong answer,
and argues for it in the words that all of them use."""

from __future__ import annotations

from collections import Counter

from socialcircuits.agents.deceit import (
    ANSWERING,
    OPENING,
    arguments,
    kept,
    lies,
    promise,
    strategy,
    target,
)
from socialcircuits.agents.deceiver import deceiver
from socialcircuits.agents.said import said, say
from socialcircuits.agents.weights import sample
from socialcircuits.graph import Entry, Observation
from socialcircuits.seeds import digest

OPENING_TOGETHER = OPENING | {"concede_and_pivot": 140, "selective_skepticism": 120}
ANSWERING_TOGETHER = ANSWERING | {"concede_and_pivot": 670}
"""How often each tactic is used where deceivers coordinate: published for these, else as alone."""

_PUBLIC = {"message", "vote"}
_PRIVATE = {"reflection", "plan"}
_AGREED, _TEMPERATURE = 2000, 50
_OWN_WORDS = 38
"""In so many of 256 messages it does not keep to the common words."""


def coordinated(observation: Observation, draw: bytes, eloquence: int) -> tuple[str, str]:
    """Return what a coordinated deceiver says: never the truth, unless asked in private what it
    believes. One without fellows is a deceiver like any other (adversarial influence, 2.2.1).

    Raises:
        SettingError: there is no wrong answer, or it was not told the truth.

    >>> from socialcircuits.graph import Brief
    >>> told = Brief("coordinated", truth="505", lure="405", fellows=("Colleague 2",))
    >>> seen = Observation(b"", "chat", "", told, True, ("405", "504", "505"), None, ())
    >>> coordinated(seen, bytes(16), 1000)
    ('405', 'Let us all argue for 405 together.')
    """
    if observation.purpose == "chat":
        return _chat(observation, draw)
    if not observation.brief.fellows or observation.purpose not in _PUBLIC | _PRIVATE:
        return deceiver(observation, draw, eloquence)
    if observation.purpose in _PRIVATE:
        lie = _agreed(observation) or target(observation, draw)
        note = strategy(observation, lie)
        if observation.purpose == "plan":
            note = say("plan-agreed", lie)
        return lie, note if observation.with_reason else ""
    lie = kept(observation, "plan", lies(observation)) or target(observation, draw)
    words = draw if draw[10] < _OWN_WORDS else _script(observation, lie)
    heard = any(not entry.own for section in observation.heard for entry in section.entries)
    often = ANSWERING_TOGETHER if heard else OPENING_TOGETHER
    return lie, arguments(lie, often, words, eloquence) if observation.with_reason else ""


def _script(observation: Observation, lie: str) -> bytes:
    """The same for all who argue for the same answer in the same round."""
    brief, evidence = observation.brief, observation.evidence
    team = sorted((brief.name, *brief.fellows))
    round_ = sum(len(heard.entries) for heard in observation.heard if heard.section != "board")
    return digest("script", evidence.key if evidence else b"", lie, round_, *team)


def _said(observation: Observation, section: str) -> list[Entry]:
    return [e for heard in observation.heard if heard.section == section for e in heard.entries]


def _agreed(observation: Observation) -> str:
    """What most of the newest proposals of the team are for, ties by name; empty without a chat."""
    team = len(observation.brief.fellows) + 1
    wrong = lies(observation)
    newest = [entry.reply.answer for entry in _said(observation, "chat")[-team:]]
    counts = Counter(answer for answer in newest if answer in wrong)
    return max(sorted(counts), key=counts.__getitem__, default="")


def _chat(observation: Observation, draw: bytes) -> tuple[str, str]:
    agreed, lie = _agreed(observation), target(observation, draw)
    if agreed:
        wrong = lies(observation)
        ease = [
            value + _AGREED * (answer == agreed)
            for answer, value in zip(wrong, promise(observation, wrong), strict=True)
        ]
        lie = wrong[sample(ease, draw, _TEMPERATURE)]
    name = _purport(observation, agreed, lie)
    return lie, say(f"chat-{name}", lie) if observation.with_reason else ""


def _purport(observation: Observation, agreed: str, lie: str) -> str:
    """Name of what a proposal comes to."""
    if agreed and lie != agreed:
        return "changed_jointly"
    team = {observation.brief.name, *observation.brief.fellows}
    outside = [e for e in _said(observation, "board") if e.name not in team]
    if any(("challenges", lie) in said(e.reply.reason, "message", (lie,)) for e in outside):
        return "backed_off"
    if any(entry.reply.answer == lie for entry in outside):
        return "built_on_success"
    return "agreed_answer"
