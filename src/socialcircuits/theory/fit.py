"""Fitting (a_T, a_R, h_0) to what agents heard and answered.

Each agent by itself is decided for the truth (a_T), for the rival (a_R) or ambiguous. An ambiguous
agent starts from a fair coin, as in the theory, takes a heard truth over with q_T and a heard rival
with q_R = 1 - q_T, q_T / q_R = exp(h_0). What was heard is recorded, and an agent depends on others
through what it heard alone. So the likelihood of all answers, probes and own messages, is a product
over agents, and each factor is one pass through the agent's events.

An answer states the label that is held, but for a slip: with one probability, the same for all
answers, it states the other. The theory has no slip; without it, though, one odd answer would rule
out a zealot for good, and agents that answer anew each time would have no likelihood at all. So the
slip is fitted beside the three and is a measure of misfit: 0 where agents do as the theory says.

a_T and a_R belong to the evidence: groups that look at different things differ in them, while h_0
and the slip belong to the agents. `fit` takes all agents to see the same thing, `fit_groups` a
group of them. Agents count as independent: where several trials show the same evidence again, the
intervals are too narrow.

Source: Flag Game, section 5.2, social updating; the likelihood is ours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, isfinite
from typing import NamedTuple

import numpy as np

from socialcircuits.errors import SettingError
from socialcircuits.theory import _checks, _likelihood
from socialcircuits.theory._likelihood import Factor, Floats
from socialcircuits.theory._profile import Surface, Top, log_odds, probability
from socialcircuits.theory.chain import acceptance
from socialcircuits.theory.histories import (
    GAVE_OTHER,
    GAVE_RIVAL,
    GAVE_TRUTH,
    HEARD_OTHER,
    HEARD_RIVAL,
    HEARD_TRUTH,
    Histories,
    joined,
)

__all__ = [
    "Fit",
    "GroupFit",
    "Identified",
    "Interval",
    "Seen",
    "answer_terms",
    "fit",
    "fit_groups",
    "log_likelihood",
]

_STARTS = ((-0.7, -3.0), (0.7, -3.0), (0.0, 0.0))
"""Starts of h and of the slip's log-odds: the likelihood may have several tops."""

_EDGE = 1e-6

_ENOUGH = 0.5
"""Fewer ambiguous agents than this are none."""


class Identified(NamedTuple):
    """Whether the data fix a parameter, and why not, or what is special about it."""

    yes: bool
    why: str


@dataclass(frozen=True)
class Interval:
    """An estimate with its uncertainty.

    Args:
        value: the maximum-likelihood estimate; None where other values fit as well, as all beyond
            some h_0 do if ambiguous agents were seen to do one thing alone.
        low: lower end of the .95 profile-likelihood interval; where the likelihood never falls, the
            end of the range, for h_0 minus infinity.
        high: upper end.
        error: standard error by the inverse of the analytic observed information; None where the
            estimate lies at an end of its range or is not identified.

    >>> Interval(0.3, 0.1, 0.5, 0.1).high
    0.5
    """

    value: float | None
    low: float
    high: float
    error: float | None


@dataclass(frozen=True)
class Seen:
    """What a fit rests on, and how much of it the theory has no word for.

    Args:
        agents: number of agents.
        ambiguous: expected number of them that are ambiguous, given their answers.
        answers: number of answers that name the truth or the rival.
        other_answers: share of all answers that name a third label or are invalid; they count as
            unobserved. None without any answer.
        other_heard: share of the labels heard that are a third one; they are taken to change
            nothing. None where nothing was heard.

    >>> fit(Histories([GAVE_TRUTH, HEARD_RIVAL, GAVE_OTHER], [0, 3])).seen.other_answers
    0.5
    """

    agents: int
    ambiguous: float
    answers: int
    other_answers: float | None
    other_heard: float | None


@dataclass(frozen=True)
class Fit:
    """The theory fitted to agents of one kind of evidence.

    Args:
        truth: a_T.
        rival: a_R.
        bias: h_0.
        slip: probability that an answer states the other label than the one held, from 0 to 1/2;
            0 in the theory.
        log_likelihood: at the estimates, natural logarithm.
        seen: what it rests on.
        identified: truth, rival, bias, slip -> whether the data fix it, with the reason.

    >>> fit(Histories([GAVE_TRUTH, HEARD_RIVAL, GAVE_TRUTH], [0, 3])).identified["bias"].yes
    False
    """

    truth: Interval
    rival: Interval
    bias: Interval
    slip: Interval
    log_likelihood: float
    seen: Seen
    identified: Mapping[str, Identified]


@dataclass(frozen=True)
class GroupFit:
    """The theory fitted to groups that differ in their evidence and share h_0 and the slip.

    Args:
        truth: shape (groups,), a_T of each.
        rival: shape (groups,), a_R of each.
        bias: h_0.
        slip: as in `Fit`.
        log_likelihood: at the estimates; that it exceeds the one of `fit` by far more than the
            number of additional parameters says that groups do differ.
        seen: what it rests on.
        identified: bias, slip -> whether the data fix it, with the reason.

    >>> one = Histories([GAVE_TRUTH, HEARD_RIVAL, GAVE_TRUTH], [0, 3])
    >>> fit_groups([one, one]).truth.shape
    (2,)
    """

    truth: Floats
    rival: Floats
    bias: Interval
    slip: Interval
    log_likelihood: float
    seen: Seen
    identified: Mapping[str, Identified]


def log_likelihood(
    histories: Histories, truth: float, rival: float, bias: float, slip: float = 0.0
) -> float:
    """Return the log-likelihood of all answers given all that was heard.

    Args:
        histories: the agents' events.
        truth: a_T.
        rival: a_R; a_T + a_R <= 1.
        bias: h_0, finite.
        slip: probability that an answer states the other label, from 0 to 1/2.

    Returns:
        Natural logarithm; minus infinity where an answer is impossible.

    Raises:
        SettingError: a number is out of range.

    Source: the module's likelihood.

    >>> changed = Histories([GAVE_RIVAL, HEARD_TRUTH, GAVE_TRUTH], [0, 3])
    >>> round(float(np.exp(log_likelihood(changed, 0.25, 0.25, 0.0))), 12)
    0.125
    """
    truth, rival = _checks.evidence(truth, rival)
    terms = answer_terms(histories, bias, slip)
    with np.errstate(divide="ignore"):
        shares = np.log(np.array([truth, rival, max(0.0, 1 - truth - rival)]))
    return float(np.logaddexp.reduce(terms + shares, axis=1).sum())


def answer_terms(histories: Histories, bias: float, slip: float = 0.0) -> Floats:
    """Return log-probabilities of each agent's answers under each type of evidence.

    Args:
        histories: the agents' events.
        bias: h_0, finite.
        slip: from 0 to 1/2.

    Returns:
        Shape (agents, 3): decided for the truth, decided for the rival, ambiguous.

    Raises:
        SettingError: a number is out of range.

    Source: the module's likelihood.

    >>> answer_terms(Histories([GAVE_TRUTH], [0, 1]), 0.0).round(3).tolist()
    [[0.0, -inf, -0.693]]
    """
    take, drop = acceptance(bias)
    if not 0 <= slip <= 0.5:
        raise SettingError("slip", slip, "a number from 0 to 1/2")
    factors: list[Factor] = [(value, 0.0, 0.0) for value in (take, drop, float(slip))]
    return _likelihood.terms(histories.events, histories.offsets, *factors)


def fit(histories: Histories) -> Fit:
    """Fit a_T, a_R, h_0 and the slip by maximum likelihood.

    Newton's method with analytic derivatives, from several starts; intervals by profile likelihood,
    standard errors by the analytic Hessian. About three seconds for 10^6 events.

    Args:
        histories: the agents' events.

    Raises:
        SettingError: no answer names the truth or the rival.

    Source: the module's likelihood.

    >>> agents = [[GAVE_TRUTH, HEARD_RIVAL, GAVE_TRUTH]] * 6 + [[GAVE_RIVAL, HEARD_TRUTH]] * 3
    >>> found = fit(Histories(np.concatenate(agents), np.cumsum([0, *map(len, agents)])))
    >>> found.slip.value, found.identified["bias"].yes
    (0.0, False)
    """
    surface, turned = Surface([histories]), Surface([histories], rival_first=True)
    top = _top(surface)
    first, second, _ = np.exp(surface.shares(top.at)[0])
    start = [log_odds(second), log_odds(first / max(1 - second, first)), *top.at[2:]]
    intervals = {
        "truth": _interval(surface, top, 0),
        "rival": _interval(turned, turned.climb(np.array(start)), 0),
        "bias": _interval(surface, top, surface.bias),
        "slip": _interval(surface, top, surface.slip),
    }
    seen = _seen(surface, top, [histories])
    known = {name: _identified(name, at) for name, at in intervals.items() if name != "bias"}
    both = known["truth"].yes and known["rival"].yes
    known["bias"] = _bias_identified(intervals["bias"], seen.ambiguous, both)
    return Fit(**intervals, log_likelihood=top.value, seen=seen, identified=known)


def fit_groups(groups: Sequence[Histories]) -> GroupFit:
    """Fit a_T and a_R for each group, with one h_0 and one slip for all.

    Args:
        groups: the agents' events, one entry a group that sees the same thing.

    Raises:
        SettingError: no answer names the truth or the rival.

    Source: the module's likelihood, as `fit`.

    >>> changed = Histories([GAVE_RIVAL, HEARD_TRUTH, GAVE_TRUTH], [0, 3])
    >>> fit_groups([changed, changed]).bias.low
    -inf
    """
    alike = _top(Surface([joined(groups)]))
    surface = Surface(groups)
    top = surface.climb(np.array([*alike.at[:2]] * len(groups) + [*alike.at[2:]]))
    shares = np.array([np.exp(surface.shares(top.at, group)[0]) for group in range(len(groups))])
    intervals = {
        "bias": _interval(surface, top, surface.bias),
        "slip": _interval(surface, top, surface.slip),
    }
    seen = _seen(surface, top, groups)
    known = {
        "bias": _bias_identified(intervals["bias"], seen.ambiguous),
        "slip": _identified("slip", intervals["slip"]),
    }
    return GroupFit(
        shares[:, 0],
        shares[:, 1],
        **intervals,
        log_likelihood=top.value,
        seen=seen,
        identified=known,
    )


def _top(surface: Surface) -> Top:
    if not surface.answers:
        raise SettingError("histories", "no such answer", "answers that name truth or rival")
    tops = [surface.climb(np.array([-0.7, 0.0, *start])) for start in _STARTS]
    return max(tops, key=lambda top: top.value)


def _seen(surface: Surface, top: Top, groups: Sequence[Histories]) -> Seen:
    bias, slip = float(top.at[surface.bias]), probability(float(top.at[surface.slip])) / 2
    ambiguous = 0.0
    for group, own in enumerate(groups):
        terms = answer_terms(own, bias, slip) + surface.shares(top.at, group)[0]
        ambiguous += float(np.exp(terms[:, 2] - np.logaddexp.reduce(terms, axis=1)).sum())
    whole = joined(groups)
    answers = whole.count(GAVE_TRUTH, GAVE_RIVAL)
    return Seen(
        agents=whole.agents,
        ambiguous=ambiguous,
        answers=answers,
        other_answers=_part(whole.count(GAVE_OTHER), answers),
        other_heard=_part(whole.count(HEARD_OTHER), whole.count(HEARD_TRUTH, HEARD_RIVAL)),
    )


def _part(others: int, rest: int) -> float | None:
    return others / (others + rest) if others + rest else None


def _interval(surface: Surface, top: Top, which: int) -> Interval:
    at, deviation = float(top.at[which]), surface.deviation(top, which)
    low, high = surface.ends(top, which)
    spread = deviation if deviation is not None and isfinite(deviation) else None
    if which == surface.bias:
        return Interval(None if spread is None else at, low, high, spread)
    most = 0.5 if which == surface.slip else 1.0
    value = probability(at)
    if spread is None:
        end = None if deviation == inf else most * round(value)
        return Interval(end, most * probability(low), most * probability(high), None)
    error = most * value * (1 - value) * spread
    return Interval(most * value, most * probability(low), most * probability(high), error)


def _identified(name: str, found: Interval) -> Identified:
    if found.value is None:
        return Identified(False, "what was heard does not tell decided agents from ambiguous ones")
    if found.high - found.low > (0.5 if name == "slip" else 1) - _EDGE:
        return Identified(False, "no value is excluded")
    if found.error is not None:
        return Identified(True, "")
    return Identified(True, "at the end of its range: the interval has one side")


def _bias_identified(found: Interval, ambiguous: float, known: bool = False) -> Identified:
    """`known` says whether a_T and a_R are identified."""
    if ambiguous < _ENOUGH:
        none = "no agent is ambiguous" if known else "the best fit has no ambiguous agent"
        return Identified(False, f"{none}, and h_0 acts on nobody else")
    if isfinite(found.low) and isfinite(found.high):
        return Identified(True, "")
    if not (isfinite(found.low) or isfinite(found.high)):
        return Identified(False, "ambiguous agents heard too little that they did not hold")
    limit = "an upper" if isfinite(found.high) else "a lower"
    return Identified(False, f"only {limit} limit: what ambiguous agents did goes one way")
