"""Asking a model how probable each allowed answer is, and putting it down as one reply."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from socialcircuits.agents.parsing import Keys
from socialcircuits.calls.distribution import AnswerDistribution, distribution
from socialcircuits.errors import Unanswered
from socialcircuits.graph import Evidence, Reply
from socialcircuits.graph.vocabulary import Usage
from socialcircuits.models.interface import Completion, Request
from socialcircuits.records.odds import write_odds

Ask = Callable[[Request], Awaitable[tuple[Completion, int]]]


@dataclass
class _Meter:
    """Sends the calls of one distribution and adds up what they took."""

    ask: Ask
    calls: list[tuple[Completion, int]] = field(default_factory=list)

    async def complete(self, request: Request) -> Completion:
        self.calls.append(await self.ask(request))
        return self.calls[-1][0]

    def usage(self) -> Usage:
        done = [completion for completion, _ in self.calls]
        return Usage(
            prompt=_sum([c.prompt_tokens for c in done]),
            completion=_sum([c.completion_tokens for c in done]),
            cached=sum(c.cached_tokens for c in done),
            cost=sum(cost for _, cost in self.calls),
            seconds=sum(c.seconds for c in done),
        )


def begun(keys: Keys, evidence: Evidence | None) -> str:
    """Return a reply as far as the quote before its answer.

    Where the evidence is to be restated first, it is restated rightly: the odds are those of a
    model that read what it was shown.

    >>> begun(Keys("country"), None)
    '{"country": "'
    """
    restated = ""
    if keys.restated:
        shown = evidence.text() if evidence else ""
        restated = f"{json.dumps(keys.restated)}: {json.dumps(shown, ensure_ascii=False)}, "
    return f'{{{restated}{json.dumps(keys.answer)}: "'


async def odds(
    ask: Ask, request: Request, answers: Sequence[str], temperature: float | None
) -> Reply:
    """Return one reply that holds the probability of every allowed answer.

    Args:
        ask: sends one request.
        request: the prompt, with the reply begun up to and with the quote before the answer, and
            the number of alternatives to ask for.
        answers: the allowed answers.
        temperature: at which the probabilities are to hold; None: 1. At 0 the most probable answer
            has them all.

    Raises:
        ModelError: the model gave no token probabilities.
    """
    meter = _Meter(ask)
    try:
        found = await distribution(meter.complete, request, request.prefill, answers)
    except Unanswered as error:
        return Reply("", valid=False, why=str(error), usage=meter.usage())
    degree = 1.0 if temperature is None else temperature
    chances = _at(found, degree)
    notes = {
        "method": found.method,
        "normalisation": found.normalisation,
        "temperature": degree,
        "valid_mass": found.valid_mass,
        "unresolved": found.unresolved,
        "calls": found.calls,
    }
    text = write_odds(chances, notes)
    return Reply(text, max(chances, key=chances.__getitem__), usage=meter.usage())


def _at(found: AnswerDistribution, temperature: float) -> dict[str, float]:
    if temperature > 0:
        found = found.at(temperature)
        return dict(zip(found.answers, found.probabilities, strict=True))
    best = max(range(len(found.answers)), key=found.probabilities.__getitem__)
    return {answer: float(number == best) for number, answer in enumerate(found.answers)}


def _sum(counts: Sequence[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None
