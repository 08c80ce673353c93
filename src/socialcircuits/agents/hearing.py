"""Characters that add up what they heard: log-weights of prior, evidence and heard answers."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping

from socialcircuits.agents.said import say
from socialcircuits.agents.simulated import Character
from socialcircuits.agents.weights import masses
from socialcircuits.graph import Observation

ATTENTION = 8
"""Heard entries that count in full; more share the same total weight (the paper's H)."""


class Hearing(Character):
    """Adds log-weights of prior, evidence, own remembered decisions and hearsay.

    Subclasses differ in `hearsay`, the way they treat social evidence.
    """

    @abstractmethod
    def hearsay(self, belief: Mapping[str, int], heard: Mapping[str, int]) -> Mapping[str, int]:
        """Return the log-weight that social evidence adds to each answer.

        Args:
            belief: answer -> log-weight from prior and evidence alone, 0 for the best.
            heard: answer -> log-weight of the entries that named it.
        """

    def masses(self, observation: Observation) -> dict[str, int]:
        """Return the weights of softmax(log-weights / temperature)."""
        logits = self.weigh(observation)
        weights = masses(list(logits.values()), self.traits.temperature)
        return dict(zip(logits, weights, strict=True))

    def reason(self, observation: Observation, answer: str, draw: bytes) -> str:
        """Return a reason as any character does; of a private reflection, whether it keeps to what
        it said or credits what it read."""
        if observation.purpose != "reflection":
            return super().reason(observation, answer, draw)
        entries = [entry for heard in observation.heard for entry in heard.entries]
        own = [entry.reply.answer for entry in entries if entry.own]
        kept = answer in own or all(entry.reply.answer != answer for entry in entries)
        return say("reflection-firm" if kept else "reflection-credits", answer)

    def weigh(self, observation: Observation) -> dict[str, int]:
        """Return answer -> log-weight (thousandths of a nat) after prior, evidence and hearsay.

        An answer that was heard and is none of the candidates says nothing.
        """
        belief = self._belief(observation)
        others: dict[str, int] = {}
        own: dict[str, int] = {}
        for heard in observation.heard:
            for entry in heard.entries:
                answer, counts = entry.reply.answer, own if entry.own else others
                if answer in belief:
                    counts[answer] = counts.get(answer, 0) + 1
        logits = dict(belief)
        for answer, count in own.items():
            logits[answer] += self.traits.own * min(count, ATTENTION)
        if others:
            for answer, gain in self.hearsay(belief, self._scaled(others, observation)).items():
                logits[answer] += gain
        if len(logits) > len(observation.answers):
            logits = {answer: logits[answer] for answer in observation.answers}
        return logits

    def _scaled(self, others: Mapping[str, int], observation: Observation) -> dict[str, int]:
        uptake = observation.brief.uptake
        weight = self.traits.social * (500 if uptake is None else uptake) // 500
        crowd = max(ATTENTION, sum(others.values()))
        return {answer: weight * n * ATTENTION // crowd for answer, n in others.items()}
