"""How probable each allowed answer is: read off token probabilities, or counted in samples."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from socialcircuits.errors import ModelError, Unanswered
from socialcircuits.models import Completion, Request

Complete = Callable[[Request], Awaitable[Completion]]
Tree = Mapping[str, Mapping[str, float]]

TOLERANCE = 0.002
"""Reading on stops when this much probability at most is not told apart yet."""

MOST_CALLS = 64
"""Reading on stops after this many calls in any case."""


@dataclass(frozen=True)
class AnswerDistribution:
    """The probability of each allowed answer, of an answer that is given first.

    A reason before the answer makes it another quantity.

    Args:
        answers: the allowed answers, in the order in which the prompt lists them.
        probabilities: one for each answer, 0 to 1; they sum to 1.
        valid_mass: 0 to 1; how probable it is that a reply, not held to the allowed answers, is
            one of them in the form asked for, as far as it was read (at temperature 1); of
            samples, the valid share.
        method: from token probabilities, or from samples.
        normalisation: over what probabilities were made to sum to 1: the allowed tokens in each
            place, as with sampling held to a schema, or the valid samples.
        temperature: that the probabilities hold at, above 0.
        calls: how many requests it took.
        cached_tokens: prompt tokens that came from the server's cache, over all requests.
        unresolved: 0 to 1; probability that was shared evenly among the answers that it may still
            belong to; no probability is wrong by more for that.
        tree: reply so far -> reply so far with one more allowed token -> natural log-probability;
            empty with samples.
    """

    answers: tuple[str, ...]
    probabilities: tuple[float, ...]
    valid_mass: float
    method: Literal["tokens", "samples"]
    normalisation: Literal["allowed tokens", "valid samples"]
    temperature: float
    calls: int
    cached_tokens: int
    unresolved: float = 0.0
    tree: Tree = field(default_factory=dict, repr=False)

    def at(self, temperature: float) -> AnswerDistribution:
        """Return the distribution at another temperature, without any call.

        Args:
            temperature: above 0.

        Raises:
            ValueError: the temperature is not above 0, or the distribution is from samples.

        >>> even = {"": {"A": math.log(0.8), "B": math.log(0.2)}}
        >>> d = _read_off(even, ("A", "B"), 1.0, calls=1, cached=0)
        >>> [round(p, 4) for p in d.at(0.5).probabilities]
        [0.9412, 0.0588]
        """
        if self.method != "tokens":
            raise ValueError("samples hold at the temperature they were drawn at only")
        if not temperature > 0:
            raise ValueError(f"temperature {temperature}: must be above 0")
        return _read_off(self.tree, self.answers, temperature, self.calls, self.cached_tokens)


async def distribution(
    complete: Complete,
    request: Request,
    opening: str,
    answers: Sequence[str],
    closing: str = '"}',
) -> AnswerDistribution:
    """Read the probability of each allowed answer off the tokens that may come next.

    The reply is begun up to the opening quote of the answer. Of the tokens in the next place those
    are kept that can go on to an allowed answer (blanks before it count, as when replies are read).
    Where several answers are still open, the reply is begun with that much more and asked for
    again, the most probable first; the server may cut it into other tokens than it would write.

    Args:
        complete: sends one request; called once a place, one after the other.
        request: the prompt; `top_logprobs` says how many alternatives are read, at least 1. Its
            prefill, schema, temperature and cap are replaced.
        opening: the reply up to and with the quote before the answer.
        answers: the allowed answers, in the order in which the prompt lists them.
        closing: the reply from the quote after the answer, as far as it is fixed (blanks apart);
            it tells an answer from one that goes on (Niger, Nigeria).

    Returns:
        The distribution at temperature 1.

    Raises:
        ModelError: the model gave no token probabilities.
        Unanswered: no allowed answer is among the alternatives.
        ValueError: no answers, equal ones, or an opening or closing without its quote.
    """
    if not answers or len(set(answers)) != len(answers):
        raise ValueError("answers: at least one, all different")
    if not opening.endswith('"') or not closing.startswith('"'):
        raise ValueError("opening and closing: the quotes around the answer belong to them")
    targets = _targets(answers)
    tail = "".join(closing[1:].split())
    tree: dict[str, dict[str, float]] = {}
    cached, text = 0, ""
    while True:
        asked = replace(
            request, prefill=opening + text, max_tokens=1, schema=None, temperature=0.0, top_p=None
        )
        completion = await complete(asked)
        cached += completion.cached_tokens
        tree[text] = _allowed(text, _alternatives(completion), targets, tail)
        if not tree[""]:
            raise Unanswered("none of the likeliest tokens begins an allowed answer")
        unread = _walk(tree, targets, 1.0).unread
        readable = {text: mass for text, mass in unread.items() if text not in tree}
        enough = sum(unread.values()) <= TOLERANCE or len(tree) >= MOST_CALLS
        if enough or not readable:
            return _read_off(tree, tuple(answers), 1.0, len(tree), cached)
        text = max(readable, key=lambda text: (readable[text], text))


async def sampled(
    complete: Complete,
    requests: Iterable[Request],
    read: Callable[[Completion], str | None],
    answers: Sequence[str],
) -> AnswerDistribution:
    """Count answers in samples: the fallback where a model gives no token probabilities.

    Args:
        complete: sends one request; called for all at once, in their order.
        requests: one for each sample, equal but for their seeds.
        read: the answer in a reply, or None where it is invalid.
        answers: the allowed answers, in the order in which the prompt lists them.

    Returns:
        The shares of the valid samples. At n samples an answer of probability p has the standard
        error sqrt(p (1 - p) / n).

    Raises:
        ModelError: no sample was valid.
        ValueError: no requests, or of different temperatures.
    """
    asked = list(requests)
    temperatures = {1.0 if r.temperature is None else r.temperature for r in asked}
    if len(temperatures) != 1:
        raise ValueError("requests: at least one, all of one temperature")
    completions = await asyncio.gather(*map(complete, asked))
    counts = dict.fromkeys(answers, 0)
    for answer in map(read, completions):
        if answer in counts:
            counts[answer] += 1
    valid = sum(counts.values())
    if not valid:
        raise ModelError(f"none of {len(asked)} samples is an allowed answer")
    return AnswerDistribution(
        answers=tuple(answers),
        probabilities=tuple(count / valid for count in counts.values()),
        valid_mass=valid / len(asked),
        method="samples",
        normalisation="valid samples",
        temperature=temperatures.pop(),
        calls=len(asked),
        cached_tokens=sum(completion.cached_tokens for completion in completions),
    )


def _targets(answers: Sequence[str]) -> tuple[str, ...]:
    """What follows the opening quote: the answer as JSON writes it, and the closing quote."""
    return tuple(json.dumps(answer, ensure_ascii=False)[1:] for answer in answers)


def _possible(text: str, targets: Sequence[str]) -> list[int]:
    """Which answers a reply so far may be: it is the start of one, or goes beyond one."""
    typed = text.lstrip(" ")
    return [
        i
        for i, target in enumerate(targets)
        if target.startswith(typed) or typed.startswith(target)
    ]


def _fits(text: str, targets: Sequence[str], tail: str) -> bool:
    """Whether a reply so far may be an answer, and what goes beyond it is as it must be."""
    open_to = _possible(text, targets)
    beyond = text.lstrip(" ")[len(targets[open_to[0]]) :] if len(open_to) == 1 else ""
    return bool(open_to) and tail.startswith("".join(beyond.split()))


def _alternatives(completion: Completion) -> Mapping[str, float]:
    if completion.fault or not completion.tokens:
        why = completion.fault or "it gave none"
        raise ModelError(f"the model's token probabilities cannot be read: {why}")
    return completion.tokens[0].top


def _allowed(
    text: str, top: Mapping[str, float], targets: Sequence[str], tail: str
) -> dict[str, float]:
    return {
        text + token: logprob
        for token, logprob in top.items()
        if token and _fits(text + token, targets, tail)
    }


@dataclass
class _Walk:
    """What one pass through the tree finds.

    Args:
        resolved: probability of each answer.
        unread: reply so far, in which several answers are open -> probability.
        valid_mass: probability of all these without normalisation.
    """

    resolved: list[float]
    unread: dict[str, float]
    valid_mass: float


def _walk(tree: Tree, targets: Sequence[str], temperature: float) -> _Walk:
    walk = _Walk([0.0] * len(targets), {}, 0.0)
    # A reply so far may be reached in several ways, but only from shorter ones.
    waiting = {"": (1.0, 1.0)}
    while waiting:
        text = min(waiting, key=lambda text: (len(text), text))
        mass, raw = waiting.pop(text)
        open_to = _possible(text, targets)
        if len(open_to) == 1 and text:
            walk.resolved[open_to[0]] += mass
            walk.valid_mass += raw
        elif tree.get(text):
            scaled = _softmax(tree[text], temperature)
            for longer, share in scaled.items():
                before = waiting.get(longer, (0.0, 0.0))
                passed = raw * math.exp(tree[text][longer])
                waiting[longer] = (before[0] + mass * share, before[1] + passed)
        else:
            walk.unread[text] = mass
            walk.valid_mass += raw
    return walk


def _softmax(logprobs: Mapping[str, float], temperature: float) -> dict[str, float]:
    top = max(logprobs.values())
    weights = {text: math.exp((value - top) / temperature) for text, value in logprobs.items()}
    total = math.fsum(weights.values())
    return {text: weight / total for text, weight in weights.items()}


def _read_off(
    tree: Tree, answers: tuple[str, ...], temperature: float, calls: int, cached: int
) -> AnswerDistribution:
    targets = _targets(answers)
    walk = _walk(tree, targets, temperature)
    probabilities = walk.resolved
    for text, mass in walk.unread.items():
        open_to = _possible(text, targets)
        for i in open_to:
            probabilities[i] += mass / len(open_to)
    return AnswerDistribution(
        answers=answers,
        probabilities=tuple(probabilities),
        valid_mass=min(1.0, walk.valid_mass),
        method="tokens",
        normalisation="allowed tokens",
        temperature=temperature,
        calls=calls,
        cached_tokens=cached,
        unresolved=math.fsum(walk.unread.values()),
        tree=tree,
    )


__all__ = ["MOST_CALLS", "TOLERANCE", "AnswerDistribution", "Complete", "distribution", "sampled"]
