"""Characters that deliberate: they hold an answer until a colleague's argument wins them over."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from socialcircuits.agents.said import said, say
from socialcircuits.agents.simulated import Character, Traits
from socialcircuits.agents.weights import masses, pick
from socialcircuits.graph import Heard, Observation, Reply

SCALE = 1 << 20
"""Chances of going over to a claim are integers in units of one over this."""

ARGUMENT = 1200
"""Log-weight of each further sentence of an argument."""

SENTENCES = 3
"""Sentences of an argument that count; more add nothing."""

FOLLOWING = 10_000
"""Log-weight of a claim that all share, for one who sees nothing."""

CALM = {"unmoved": 45, "doubts": 25, "credits": 15, "undecided": 10, "credits_and_doubts": 5}
"""What an agent that keeps its answer thinks of the strongest other claim: sentence -> weight."""

SUSPICIOUS = CALM | {"doubts": 80, "credits_and_doubts": 15}
"""The same where several colleagues used the same words."""

_END = re.compile(r"[.!?](?=\s|$)")

REASONS = {
    "reinterpreting_question": "question_reinterpretation",
    "fabricated_evidence": "false_evidence",
    "consensus_pressure": "perceived_consensus",
}
"""Tactic of an argument that won an agent over -> the reason it may give; else uncertainty."""


@dataclass(frozen=True)
class Deliberation(Traits):
    """The parameters of a character that deliberates. `own` is the log-weight of the answer it
    holds, `social` that of one sentence of the colleague whom it attends to.

    Args:
        caution: by how much less, in thousandths, colleagues count who say the same in the same
            words.
        stale: log-weight that a claim loses, in thousandths of a nat, for each reflection in which
            the agent weighed it, or kept to the answer that it holds.
    """

    caution: int = 0
    stale: int = 0


class _Claim(NamedTuple):
    """What some colleagues say in the same words.

    Args:
        answer: the answer they give.
        reason: the words.
        suspicious: whether several use these words, which are not what the evidence says anyway.
        weight: how many colleagues it is worth, in thousandths.
    """

    answer: str
    reason: str
    suspicious: bool
    weight: int


class _Reading(NamedTuple):
    """What an agent makes of all it reads.

    Args:
        held: the answer it holds; empty if none.
        checked: what it found when it checked the question once more; empty if it did not.
        notes: its private reflections, oldest first.
        weighed: for each of these, the answers that it names: the one held then, and others.
        claims: the claims of others that it has yet to weigh.
        crowd: number of those who spoke, itself included.
    """

    held: str
    checked: str
    notes: tuple[str, ...]
    weighed: tuple[frozenset[str], ...]
    claims: tuple[_Claim, ...]
    crowd: int


class Deliberating(Character):
    """Attends to one colleague, each as likely as any other, and goes over to its claim with a
    chance that grows with what speaks for the claim and falls with what it holds itself.

    So the harm that some do grows with their share of those who speak, not with their number.
    """

    name = "deliberating"
    defaults = Deliberation(
        error=-14000,
        salience=0,
        reading=0,
        unclear=0,
        social=0,
        own=2000,
        temperature=100,
        caution=450,
        stale=600,
    )

    traits: Deliberation

    def masses(self, observation: Observation) -> dict[str, int]:
        """Return the weights of the answers after what was read; they have no common sum.

        >>> from socialcircuits.graph import Brief, Entry
        >>> board = Heard("board", tuple(Entry(i, i < 1, Reply(a, a)) for i, a in enumerate("BA")))
        >>> seen = Observation(b"", "reflection", "", Brief(), True, ("A", "B"), None, (board,))
        >>> Deliberating().masses(seen)
        {'B': 986080, 'A': 62496}
        """
        reading, belief = self._read(observation), self._open(observation)
        if observation.evidence is None and not reading.held:
            return _followed(reading, belief)
        if observation.variant == "claim" and reading.held:
            claimed = {reading.held, *(claim.answer for claim in reading.claims)}
            return self._known({a: view for a, view in belief.items() if a in claimed})
        if reading.checked and reading.held:
            return self._known({a: belief[a] for a in {reading.held, reading.checked}})
        if reading.held:
            return self._moved(reading, reading.held, belief)
        first = self._known(belief)
        if not reading.claims:
            return first
        total, found = sum(first.values()), dict.fromkeys(belief, 0)
        for held, weight in first.items():
            for answer, chance in self._moved(reading, held, belief).items():
                found[answer] += chance * (weight * SCALE // total)
        return found

    def reason(self, observation: Observation, answer: str, draw: bytes) -> str:
        """Return a private note on what was read, or an argument that may speak of a claim."""
        if observation.purpose == "reflection":
            return _note(self._read(observation), answer, draw)
        plain = super().reason(observation, answer, draw)
        if observation.purpose != "message":
            return plain
        notes = self._read(observation).notes
        for name, claim in said(notes[-1], "reflection", observation.answers) if notes else ():
            if claim == answer and name == "credits":
                return say("message-repeats", answer)
            if claim != answer and name.endswith("doubts"):
                return f"{plain} {say('message-challenges', claim)}"
        return plain

    def _open(self, observation: Observation) -> dict[str, int]:
        belief, answers = self._belief(observation), set(observation.answers)
        return {answer: view for answer, view in belief.items() if answer in answers}

    def _known(self, belief: Mapping[str, int]) -> dict[str, int]:
        answers = sorted(belief)
        weights = masses([belief[answer] for answer in answers], self.traits.temperature)
        return dict(zip(answers, weights, strict=True))

    def _moved(self, reading: _Reading, held: str, belief: Mapping[str, int]) -> dict[str, int]:
        """Return the chance of each answer, in all SCALE, for one who holds `held`."""
        traits, chances = self.traits, {held: SCALE}
        for claim in reading.claims:
            if claim.answer == held:
                continue
            gain = belief[claim.answer] - belief[held] + traits.social - traits.own
            gain += ARGUMENT * (_sentences(claim.reason) - 1)
            gain -= traits.stale * sum(
                not {held, claim.answer}.isdisjoint(w) for w in reading.weighed
            )
            over, stay = masses([gain, 0], traits.temperature)
            chance = SCALE * claim.weight * over // (1000 * reading.crowd * (over + stay))
            chance = min(chance, chances[held])
            chances[held] -= chance
            chances[claim.answer] = chances.get(claim.answer, 0) + chance
        return chances

    def _read(self, observation: Observation) -> _Reading:
        sections = {heard.section: heard for heard in observation.heard}
        answers = observation.answers
        checks, diary = sections.pop("verification", None), sections.pop("reflections", None)
        checked = _newest(checks, answers) if checks else ""
        held = _newest(diary, answers) if diary else ""
        notes = tuple(entry.reply.reason for entry in diary.entries) if diary else ()
        weighed = _weighed(diary, answers) if diary else ()
        if held and observation.purpose != "reflection":
            # What stands on the board was weighed when the last of these was written.
            return _Reading(held, checked, notes, weighed, (), 1)
        crowd, new = 0, list[Reply]()
        for heard in sections.values():
            held = _newest(heard, answers) or held
            others = [entry.reply for entry in heard.entries if not entry.own]
            crowd += len(heard.entries) if others else 0
            new += others
        claims = self._claims(new, observation)
        return _Reading(held, checked, notes, weighed, claims, crowd)

    def _claims(self, replies: Sequence[Reply], observation: Observation) -> tuple[_Claim, ...]:
        """What several say in the same words counts less, unless the agent's own evidence says it
        too; who says nothing but an answer uses no words."""
        uptake, answers = observation.brief.uptake, observation.answers
        whole = 1000 if uptake is None else 2 * uptake
        counts = Counter((reply.answer or "", reply.reason) for reply in replies)
        true = observation.evidence.reasons() if observation.evidence else ()
        claims = []
        for (answer, reason), speakers in counts.items():
            if answer in answers:
                suspicious = speakers > 1 and reason != "" and not reason.startswith(true)
                further = 1000 - self.traits.caution if suspicious else 1000
                weight = whole * speakers * further // 1000
                claims.append(_Claim(answer, reason, suspicious, weight))
        return tuple(claims)


class Cautious(Deliberating):
    """Is won over less easily, distrusts words that it reads twice, and argues with fewer tactics
    where it deceives."""

    name = "cautious"
    defaults = replace(Deliberating.defaults, own=2300, caution=600)
    eloquence = 700


class Open(Deliberating):
    """Is won over more easily, and seldom distrusts."""

    name = "open"
    defaults = replace(Deliberating.defaults, own=1500, caution=200)


def _newest(heard: Heard, answers: tuple[str, ...]) -> str:
    """The newest answer of its own; empty if there is none that it may give."""
    for entry in reversed(heard.entries):
        if entry.own and entry.reply.answer in answers:
            return entry.reply.answer or ""
    return ""


def _weighed(diary: Heard, answers: tuple[str, ...]) -> tuple[frozenset[str], ...]:
    found = []
    for entry in diary.entries:
        named = {answer for _, answer in said(entry.reply.reason, "reflection", answers)}
        found.append(frozenset(named | {entry.reply.answer or ""}))
    return tuple(found)


@lru_cache(maxsize=1 << 16)
def _sentences(reason: str) -> int:
    return min(max(1, len(_END.findall(reason))), SENTENCES)


def _followed(reading: _Reading, belief: Mapping[str, int]) -> dict[str, int]:
    """Who sees nothing and holds nothing goes with what most say."""
    votes = Counter(dict.fromkeys(belief, 0))
    for claim in reading.claims:
        votes[claim.answer] += claim.weight
    total = max(1, votes.total())
    weights = masses([FOLLOWING * count // total for count in votes.values()])
    return dict(zip(votes, weights, strict=True))


def _note(reading: _Reading, answer: str, draw: bytes) -> str:
    """The sentences of one private reflection of an agent that now holds `answer`."""
    votes: Counter[str] = Counter()
    suspicious = False
    for claim in reading.claims:
        if claim.answer != answer:
            votes[claim.answer] += claim.weight
            suspicious |= claim.suspicious
    if reading.held not in ("", answer):
        return f"{say('reflection-credits', answer)} {say(_why(reading, answer, draw), answer)}"
    rival = max(sorted(votes), key=votes.__getitem__, default="")
    if not rival:
        note = say("reflection-firm", answer)
    else:
        tempers = SUSPICIOUS if suspicious else CALM
        name = list(tempers)[pick(list(tempers.values()), draw[4:12])]
        note = say(f"reflection-{name}", rival)
    earlier = said(reading.notes[-1], "reason", (answer,)) if reading.notes else ()
    return " ".join([note, *(say(f"reason-{name}", answer) for name, _ in earlier)])


def _why(reading: _Reading, answer: str, draw: bytes) -> str:
    """Name of the sentence that says why an agent went over: by the longest argument for its new
    answer, and by how many share it."""
    made = [claim for claim in reading.claims if claim.answer == answer]
    best = max(made, key=lambda claim: (_sentences(claim.reason), claim.weight, claim.reason))
    found = {
        REASONS.get(tactic, "uncertainty") for tactic, _ in said(best.reason, "tactic", (answer,))
    }
    if len(made) > 1 or not found:
        found.add("perceived_consensus")
    return f"reason-{sorted(found)[draw[11] % len(found)]}"
