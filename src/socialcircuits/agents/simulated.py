"""Simulated agents: policies that use only what every world offers. They check the software and
plan studies; they are never a finding about any model."""

from __future__ import annotations

import asyncio
import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import ClassVar

from socialcircuits.agents.deceit import Policy
from socialcircuits.agents.weights import log, pick
from socialcircuits.errors import SettingError
from socialcircuits.graph import Evidence, Observation, Reply
from socialcircuits.graph.vocabulary import NAT, Segment
from socialcircuits.records.odds import write_odds
from socialcircuits.seeds import digest

LABEL = "simulated agents: checks the software, not a finding about any model"
"""Stands on every table, figure and page made from simulated agents."""

HONEST = ("observer", "blind", "manager")
"""Roles in which a character says what it believes; in any other it plays an adversary."""

UNCLEAR = 8
"""What an unclear view says is divided by this."""

UNREADABLE = Reply("...", valid=False, why="no reply that can be read")
"""What a character with the trait `invalid` sometimes says."""


@dataclass(frozen=True)
class Traits:
    """The parameters of a character. Log-weights are in thousandths of a nat.

    Args:
        error: log-weight, against the best answer, of an answer that the evidence rules out;
            the smaller, the more often an agent misreads what it sees.
        salience: strength of the shared prior with which evidence is read; answers have log-prior
            -salience x log(rank) in a fixed order, the same for all agents.
        reading: strength of a fixed misreading; what is seen, as it would be put into words, looks
            more like some answers than others, by up to so much, in the same way to all agents.
        unclear: share of views, in thousandths, that an agent can hardly make out: what they say
            counts an eighth.
        social: log-weight that one heard answer adds, at uptake .5 or where uptake is not set.
        own: log-weight that one of its own remembered decisions adds.
        temperature: hundredths; 100 samples the posterior, less sharpens it.
        invalid: share of replies that are unreadable, in thousandths.
        latency: mean milliseconds until a reply comes; 0 replies at once. It changes no reply.
    """

    error: int
    salience: int
    reading: int
    unclear: int
    social: int
    own: int
    temperature: int
    invalid: int = 0
    latency: int = 0


def _salience(answer: str) -> bytes:
    """Sort key of the order in which answers come to mind: fixed, and the same for all agents."""
    return digest("prominence", answer)


class Character(ABC):
    """A simulated mind: samples an answer from prior, evidence and what it heard.

    In the seat of an adversary it plays that adversary's policy instead.

    Args:
        traits: its parameters; None: the defaults of the character.
        adversaries: role -> policy.
    """

    name: ClassVar[str]
    defaults: ClassVar[Traits]
    eloquence: ClassVar[int] = 1000
    """How often it uses each persuasion tactic where it deceives, in thousandths of how often the
    tactic is used by default."""

    def __init__(
        self,
        traits: Traits | None = None,
        adversaries: Mapping[str, Policy] = MappingProxyType({}),
    ) -> None:
        self.traits = traits or self.defaults
        shown = {k: v for k, v in asdict(self.traits).items() if k != "latency"}
        inside = ",".join(f"{k}={v}" for k, v in shown.items())
        self.id = f"simulated/{self.name}({inside})"
        self.waits = self.traits.latency > 0
        self.adversaries = adversaries
        self._beliefs: dict[tuple[bytes, tuple[str, ...]], dict[str, int]] = {}
        self._replies: dict[tuple[str | None, str], Reply] = {}

    @abstractmethod
    def masses(self, observation: Observation) -> dict[str, int]:
        """Return answer -> integer weight with which an honest seat gives it."""

    def digest(self, observation: Observation) -> bytes:
        """The observation is all that determines the reply."""
        return observation.digest()

    def segments(self, observation: Observation) -> tuple[Segment, ...]:
        """It reads no prompt."""
        return ()

    async def ask(self, observation: Observation, draw: bytes) -> Reply:
        """Reply after a delay drawn from 0 to twice the latency."""
        await asyncio.sleep(self.traits.latency / 1000 * draw[12] / 127.5)
        return self.answer(observation, draw)

    def answer(self, observation: Observation, draw: bytes) -> Reply:
        """Sample an answer and, where asked for, a reason made from what was seen.

        Raises:
            SettingError: there is no policy for the role of the seat.
        """
        role = observation.brief.role
        policy = None if role in HONEST else self._policy(role)
        if observation.odds:
            told = {observation.brief.truth or observation.brief.lure: 1}
            return self._odds(self.masses(observation) if policy is None else told)
        if int.from_bytes(draw[14:16], "big") * 1000 < self.traits.invalid << 16:
            return UNREADABLE
        if policy is not None:
            return self._say(*policy(observation, draw, self.eloquence))
        weights = self.masses(observation)
        return self.utter(observation, list(weights)[pick(list(weights.values()), draw)], draw)

    def utter(self, observation: Observation, held: str, draw: bytes) -> Reply:
        """Return what an honest seat says that holds an answer: the answer and, where asked for, a
        reason."""
        reason = self.reason(observation, held, draw) if observation.with_reason else ""
        return self._say(held, reason)

    def _policy(self, role: str) -> Policy:
        if role not in self.adversaries:
            known = (*HONEST, *self.adversaries)
            expected = "a role that simulated agents can play: " + ", ".join(known)
            raise SettingError("role", role, expected, among=known)
        return self.adversaries[role]

    def _odds(self, weights: Mapping[str, int]) -> Reply:
        """The probabilities with which it samples; nothing is drawn."""
        total = sum(weights.values())
        odds = {answer: weight / total for answer, weight in weights.items()}
        notes = {"method": "weights", "valid_mass": 1 - self.traits.invalid / 1000}
        return Reply(write_odds(odds, notes), max(odds, key=odds.__getitem__))

    def _belief(self, observation: Observation) -> dict[str, int]:
        """Log-weights from prior and evidence alone, 0 for the best, in the order of the names.

        An agent that sees nothing has no view of its own: all answers weigh the same.
        """
        evidence = observation.evidence
        if evidence is None:
            return dict.fromkeys(sorted(observation.answers), 0)
        slot = (evidence.key, evidence.answers)
        if slot not in self._beliefs:
            views = self._view(evidence)
            top = max(views.values())
            self._beliefs[slot] = {answer: views[answer] - top for answer in sorted(views)}
        return self._beliefs[slot]

    def _view(self, evidence: Evidence) -> dict[str, int]:
        likelihoods = dict(zip(evidence.answers, evidence.log_belief(), strict=True))
        best = max(value for value in likelihoods.values() if value is not None)
        words, unclear = evidence.reasons()[0], self._unclear(evidence.key)
        view = {}
        for rank, answer in enumerate(sorted(evidence.answers, key=_salience), 1):
            value = likelihoods[answer]
            gap = self.traits.error if value is None else max(value - best, self.traits.error)
            gap += self._misread(words, answer)
            prior = -self.traits.salience * log(rank) // NAT
            view[answer] = prior + (gap // UNCLEAR if unclear else gap)
        return view

    def _unclear(self, key: bytes) -> bool:
        share = int.from_bytes(digest("unclear", key)[:2], "big")
        return share * 1000 < self.traits.unclear << 16

    def _misread(self, words: str, answer: str) -> int:
        return self.traits.reading * digest("reading", words, answer)[0] // 255

    def reason(self, observation: Observation, answer: str, draw: bytes) -> str:
        """Return why an answer is given: something true of what is seen, or what was heard."""
        evidence = observation.evidence
        if evidence is not None and answer in evidence.answers:
            belief = evidence.log_belief()[evidence.answers.index(answer)]
            if belief is not None or not any(heard.entries for heard in observation.heard):
                reasons = evidence.reasons()
                return reasons[draw[8] % len(reasons)]
        return f"What I heard speaks for {answer}."

    def _say(self, answer: str | None, reason: str) -> Reply:
        slot = (answer, reason)
        if slot not in self._replies:
            said = {"answer": answer} if answer else {}
            said |= {"reason": reason} if reason else {}
            text = json.dumps(said, ensure_ascii=False)
            self._replies[slot] = Reply(text, answer, reason)
        return self._replies[slot]
