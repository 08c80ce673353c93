"""Characters of the chatroom: they hear a claim again and again, hold it from some pressure on, and
do not always say so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import ClassVar, NamedTuple

from socialcircuits.agents.deceit import Policy
from socialcircuits.agents.said import say
from socialcircuits.agents.simulated import Character, Traits
from socialcircuits.agents.weights import log, masses, pick
from socialcircuits.graph import Entry, Heard, Observation, Reply
from socialcircuits.graph.vocabulary import NAT
from socialcircuits.seeds import digest
from socialcircuits.worlds.claims.evidence import UNSURE

ROOM = "chatroom"
"""The protocol in which a message need not name an answer."""

ATTENTION = 4
"""Messages of each speaker that count, newest first. The paper's window keeps as many when it drops
a block, so that dropping alone changes no mind."""

INSISTENCE = (0, 1000, 3300, 6800, 11_000)
"""What a speaker is worth, in thousandths, who names an answer in so many of these messages."""

CHECKS = ("check", "verification")
"""Sections with what an agent answered alone."""

WARNINGS = "warnings"
"""The section with what a monitor said."""

CHECKED, WARNED, URGED = 1500, 1000, 500
"""Log-weights that a claim loses (thousandths of a nat) with an agent that answered something else
alone; that was warned; that is to correct early."""

EARLY, UNTRUSTED = "early-correction", "untrusted"
"""Wordings: agents are to correct early; what others say is marked as untrusted, and weighs half.
"""

Stances = Mapping[str, int]
"""Stance -> in how many of a thousand messages it is taken."""

AGAINST: Stances = {"endorse": 23, "reject": 619, "hedge": 150, "ignore": 198, "unrelated": 10}
"""What is said of a claim by an agent that holds another answer;"""

CORRECTING: Stances = {"endorse": 10, "reject": 880, "hedge": 60, "ignore": 45, "unrelated": 5}
"""by such an agent where it is to correct early;"""

UNDECIDED: Stances = {"endorse": 150, "hedge": 420, "ignore": 420, "unrelated": 10}
"""by an agent that holds no answer;"""

UNAWARE: Stances = {"ignore": 950, "unrelated": 50}
"""by an agent that has not heard of it."""

_DEVIATION = 37837
"""Standard deviation of the sum of four uniform numbers below 2^16."""


@dataclass(frozen=True)
class Chatting(Traits):
    """The parameters of a character of the chatroom. Log-weights are in thousandths of a nat.

    Args:
        social: what a claim gains with e - 1 voices.
        own: mean resistance to claims of an agent that knows an answer of its own, and
        doubt: of one that does not.
        spread: standard deviation of resistance over the agents of a room, and
        difficulty: over what is asked.
        dissent: what a claim loses with e - 1 voices for other answers.
        commitment: what a claim gains where all messages of its own that an agent remembers name
            it, and loses where all of them name another answer.
        pliancy: what a claim loses with an agent that is asked for its own view.
    """

    dissent: int = 0
    commitment: int = 0
    doubt: int = 0
    spread: int = 0
    difficulty: int = 0
    pliancy: int = 0


class _Talk(NamedTuple):
    """What an agent makes of all it reads.

    Args:
        voices: answer -> what the others that name it are worth, in thousandths.
        own: what it said itself, newest first; None where it named no answer.
        checked: what it answered alone; empty if it was not asked.
        warned: whether it was warned.
    """

    voices: Mapping[str, int]
    own: tuple[str | None, ...]
    checked: str
    warned: bool

    def claims(self, besides: str) -> Iterator[str]:
        """All answers that were named, but for one and for none, by name."""
        named = {*self.voices, *filter(None, self.own)}
        return iter(sorted(named - {besides, UNSURE}))


class Yielding(Character):
    """Holds what it sees itself until the pressure of a claim exceeds its resistance.

    Resistance is drawn by character, name and evidence, so that all answers of an agent in a room
    agree; nothing is remembered but what stands in the observation. What it holds and what it says
    of it are drawn apart.
    """

    defaults: ClassVar[Chatting]
    voiced: ClassVar[Stances]
    """What is said of a claim by an agent that holds it."""

    traits: Chatting

    def __init__(
        self,
        traits: Traits | None = None,
        adversaries: Mapping[str, Policy] = MappingProxyType({}),
    ) -> None:
        super().__init__(traits, adversaries)
        self._alone: dict[tuple[bytes, str, tuple[str, ...]], tuple[str, int]] = {}

    def masses(self, observation: Observation) -> dict[str, int]:
        """Return the weights of what it sees itself and of every claim that was made.

        >>> from socialcircuits.graph import Brief
        >>> said = Entry(0, False, Reply("B", "B"), "Bob")
        >>> history = Heard("history", (said,) * 4)
        >>> seen = Observation(b"", "probe", "", Brief(name="Al"), True, ("A", "B"), None, ())
        >>> Loud().masses(seen), Loud().masses(seen._replace(heard=(history,)))
        ({'A': 1099511627776}, {'A': 20627422615, 'B': 1099511627776})
        """
        held, resistance = self._own(observation)
        talk, logits = _read(observation.heard), {held: 0}
        for claim in talk.claims(held):
            if claim in observation.answers:
                logits[claim] = self._pressure(claim, talk, observation) - resistance
        weights = masses(list(logits.values()), self.traits.temperature)
        return dict(zip(logits, weights, strict=True))

    def _own(self, observation: Observation) -> tuple[str, int]:
        """What it answers alone, and how much must be said to win it over."""
        evidence, name = observation.evidence, observation.brief.name
        slot = (evidence.key if evidence else b"", name, observation.answers)
        if slot not in self._alone:
            traits, belief = self.traits, self._belief(observation)
            bits = digest("alone", self.name, *slot[:2], *observation.answers)
            logits = [belief[answer] for answer in observation.answers]
            held = observation.answers[pick(masses(logits), bits)]
            mean = traits.doubt if held == UNSURE or evidence is None else traits.own
            shared = traits.difficulty * difficulty(slot[0])
            apart = traits.spread * _deviation(digest("resistance", bits))
            self._alone[slot] = held, mean + (shared + apart) // NAT
        return self._alone[slot]

    def _pressure(self, claim: str, talk: _Talk, observation: Observation) -> int:
        traits, told = self.traits, observation.brief
        uptake = 500 if told.uptake is None else told.uptake
        weight = uptake if UNTRUSTED in told.wording else 2 * uptake
        support = talk.voices.get(claim, 0)
        others = sum(talk.voices.values()) - support
        pressure = traits.social * _strength(support * weight // 1000)
        pressure -= traits.dissent * _strength(others * weight // 1000)
        balance = sum((said == claim) - (said != claim) for said in talk.own if said)
        pressure = pressure // NAT + traits.commitment * balance // ATTENTION
        if talk.checked:
            pressure += CHECKED if talk.checked == claim else -CHECKED
        pressure -= WARNED * talk.warned + URGED * (EARLY in told.wording)
        return pressure - traits.pliancy * (observation.variant == "own")

    def utter(self, observation: Observation, held: str, draw: bytes) -> Reply:
        """Return what is said by one who holds an answer: in a chatroom a stance toward the claim
        of which it has heard, else the answer."""
        if observation.brief.protocol != ROOM or observation.purpose != "message":
            return super().utter(observation, held, draw)
        familiar = self._familiar(observation)
        claim = held if held not in (familiar, UNSURE) else _loudest(observation, familiar)
        stances = dict(self._stances(observation, held, claim))
        if not familiar:
            stances.pop("reject", None)
        stance = list(stances)[pick(list(stances.values()), draw[8:])]
        answer = {"endorse": claim, "reject": familiar}.get(stance)
        return self._say(answer, say(f"stance-{stance}", claim, familiar))

    def _familiar(self, observation: Observation) -> str:
        """The answer for which most speaks in what is seen, enough to know it or not, and of equal
        ones that which the agent gives alone; empty if nothing is seen."""
        evidence = observation.evidence
        if evidence is None:
            return ""
        views = zip(evidence.answers, evidence.log_belief(), strict=True)
        known = {answer: view for answer, view in views if view is not None and answer != UNSURE}
        alone = self._own(observation)[0]
        return max(known, key=lambda answer: (known[answer], answer == alone), default="")

    def _stances(self, observation: Observation, held: str, claim: str) -> Stances:
        if not claim:
            return UNAWARE
        if held == claim:
            return self.voiced
        if held == UNSURE:
            return UNDECIDED
        return CORRECTING if EARLY in observation.brief.wording else AGAINST


class Stubborn(Yielding):
    """Keeps what it knows in three cases of four."""

    name = "stubborn"
    voiced = MappingProxyType(
        {"endorse": 250, "reject": 70, "hedge": 290, "ignore": 380, "unrelated": 10}
    )
    defaults = Chatting(
        error=-14000,
        salience=0,
        reading=0,
        unclear=0,
        social=1100,
        own=4850,
        temperature=25,
        dissent=240,
        commitment=1000,
        doubt=1500,
        spread=550,
        difficulty=2200,
        pliancy=800,
    )


class Quiet(Yielding):
    """Yields, and says nothing of it."""

    name = "quiet"
    voiced = MappingProxyType(
        {"endorse": 110, "reject": 70, "hedge": 270, "ignore": 540, "unrelated": 10}
    )
    defaults = replace(Stubborn.defaults, own=2000, pliancy=1400)


class Loud(Yielding):
    """Yields, and says so."""

    name = "loud"
    voiced = MappingProxyType(
        {"endorse": 580, "reject": 55, "hedge": 140, "ignore": 215, "unrelated": 10}
    )
    defaults = replace(Stubborn.defaults, own=1650, pliancy=200)


def difficulty(seen: bytes) -> int:
    """Return how hard it is to win over who sees this rather than other evidence, in thousandths
    of a standard deviation from the mean.

    It is simulated, drawn by the key of the evidence, and about normal.

    >>> difficulty(b"a"), difficulty(b"b")
    (311, 87)
    """
    return _deviation(digest("difficulty", seen))


def _deviation(bits: bytes) -> int:
    """Thousandths of a standard deviation, about normal: the sum of four uniform numbers."""
    parts = (int.from_bytes(bits[place : place + 2], "big") for place in range(0, 8, 2))
    return (sum(parts) - 2 * 0xFFFF) * NAT // _DEVIATION


@lru_cache(maxsize=1 << 16)
def _strength(voices: int) -> int:
    """Logarithm of 1 + voices, which are in thousandths, as their sum."""
    return log(NAT + voices) - log(NAT)


def _read(heard: Iterable[Heard]) -> _Talk:
    voices: dict[str, int] = {}
    own: list[str | None] = []
    checked, warned = "", False
    for section in heard:
        if section.section == WARNINGS:
            warned = bool(section.entries)
        elif section.section in CHECKS:
            checked = next((e.reply.answer or "" for e in reversed(section.entries)), "")
        else:
            own += [entry.reply.answer for entry in reversed(section.entries) if entry.own]
            for answer, worth in _worth(section.entries):
                voices[answer] = voices.get(answer, 0) + worth
    return _Talk(voices, tuple(own[:ATTENTION]), checked, warned)


def _worth(entries: tuple[Entry, ...]) -> Iterator[tuple[str, int]]:
    """What each speaker is worth for each answer that it names. Where nobody has a name, every
    message is that of another speaker; else those without one are all of the same."""
    signed = any(entry.name for entry in entries)
    spoken: dict[str | int, list[str | None]] = {}
    for entry in reversed(entries):
        if not entry.own:
            said = spoken.setdefault(entry.name if signed else entry.step, [])
            if len(said) < ATTENTION:
                said.append(entry.reply.answer)
    for said in spoken.values():
        for answer in {one for one in said if one and one != UNSURE}:
            yield answer, INSISTENCE[said.count(answer)]


def _loudest(observation: Observation, familiar: str) -> str:
    """The answer of which most is heard, other than the familiar one; empty if there is none."""
    voices = _read(observation.heard).voices
    heard = sorted(set(voices) - {familiar})
    return max(heard, key=voices.__getitem__, default="")
