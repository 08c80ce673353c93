"""Does an infected peer make the next switch more likely? A hazard in rounds, adjusted for items.

Where items differ, agents of an easily believed item switch early and have infected peers, whether
they heed them or not: the rate of switching rises with the number of infected peers without any
influence. The model lets items and agents differ. Item fixed effects would not do: what they
estimate from the few agents of one item is biased.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import pi, sqrt
from typing import NamedTuple

import numpy as np
from scipy import special

from socialcircuits.errors import SettingError
from socialcircuits.statistics.estimate import LEVEL, Estimate
from socialcircuits.statistics.mixed import (
    LikelihoodRatio,
    MixedFit,
    likelihood_ratio,
    logistic_mixed,
)

__all__ = ["EVENTS", "Hazard", "periods", "switching"]

EVENTS = 5
"""Rounds are pooled until so many switches are in a period: one without any has no maximum."""

PEERS = "peers"

_METHOD = (
    "discrete-time logistic mixed model, random intercepts of items and agents, a level for each "
    "period of rounds, Laplace"
)
_CURVE = (
    "averaged over rounds at risk, items and agents, whose deviations are taken as known; delta "
    f"method on log-odds, level {LEVEL:g}"
)

_PROBIT = 16 * sqrt(3) / (15 * pi)
"""A logistic curve is nearly a normal one of this scale, which random effects only flatten."""


@dataclass(frozen=True)
class Hazard:
    """How the chance of switching in a round depends on the number of infected peers.

    Args:
        per_peer: change of the log-odds for one more infected peer, items and agents held, with
            its Wald interval, the test below and what it would have detected; without value where
            there is no fit. Its n is the number of items.
        test: whether the number of infected peers says something that items, agents and rounds do
            not, by likelihood ratio.
        curve: number of infected peers -> chance of switching if everybody had so many, averaged
            over the rounds at risk, items and agents, with the interval of the delta method, in
            which their deviations are taken as known. Empty without a fit.
        deviations: standard deviation in log-odds of "item" and "agent"; empty without a fit.
        periods: first and last round of each period that has a level of its own.
        data: number of "items", "agents", "rounds" at risk (of all agents) and "switches".
        method: the model in words, or why there is none; items are its questions, and agents its
            trials.
    """

    per_peer: Estimate
    test: LikelihoodRatio
    curve: Mapping[int, Estimate]
    deviations: Mapping[str, float]
    periods: tuple[tuple[int, int], ...]
    data: Mapping[str, int]
    method: str


def switching(
    switched: Sequence[bool],
    peers: Sequence[int],
    rounds: Sequence[int],
    items: Sequence[Hashable],
    agents: Sequence[Hashable],
) -> Hazard:
    """Fit the discrete-time hazard of switching: one row a round in which an agent could switch.

    A logistic model with random intercepts of items and, nested in them, of agents, a level for
    each period of rounds, and the number of infected peers before the round as a straight line in
    log-odds. The likelihood is Laplace's approximation; see `logistic_mixed`. All agents of an item
    must be there from the first round on, so that who infected whom is explained by the model.

    Args:
        switched: shape (rows,), whether the agent switched in the round.
        peers: shape (rows,), how many of its peers were infected before the round.
        rounds: shape (rows,), the round, from 1.
        items: shape (rows,), labels.
        agents: shape (rows,), labels; equal labels of different items are different agents.

    Raises:
        SettingError: lengths differ.

    Source: Singer and Willett (1993) for hazards in discrete time; believed but not said, section
    4.5 and Fig. 5, for the question.

    >>> items = [item for item in range(12) for _ in range(8)]
    >>> agents, rounds = [0, 0, 1, 1, 2, 2, 3, 3] * 12, [1, 2] * 48
    >>> switched = [(7 * n) % 11 < 3 + item % 3 for n, item in enumerate(items)]
    >>> peers = [item % 3 * (n % 2) for n, item in enumerate(items)]
    >>> found = switching(switched, peers, rounds, items, agents)
    >>> found.data["switches"], round(found.per_peer.value, 2), round(found.test.p, 2)
    (35, 0.26, 0.47)
    """
    for name, column in (("peers", peers), ("rounds", rounds), ("items", items)):
        if len(column) != len(switched):
            raise SettingError(name, len(column), f"one entry a row ({len(switched)})")
    if len(agents) != len(switched):
        raise SettingError("agents", len(agents), f"one label a row ({len(switched)})")
    pooled = periods(switched, rounds)
    period = [next(i for i, ends in enumerate(pooled) if r <= ends[1]) for r in rounds]
    rows = _rows(switched, peers, period, (items, agents))
    full = _fit(rows, peers=True)
    fitted = not full.why
    test = likelihood_ratio(full, _fit(rows, peers=False))
    return Hazard(
        per_peer=replace(full.coefficients[PEERS], test=test.significance),
        test=test,
        curve=_curve(full, rows) if fitted else {},
        deviations=dict(zip(("item", "agent"), full.deviations.values(), strict=False)),
        periods=pooled,
        data={
            "items": len(set(items)),
            "agents": len(set(zip(items, agents, strict=True))),
            "rounds": len(switched),
            "switches": sum(switched),
        },
        method=_METHOD if fitted else f"no estimate: {full.why}",
    )


def periods(switched: Sequence[bool], rounds: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Return the periods of rounds in which switches are frequent enough for a level each.

    Args:
        switched: shape (rows,), whether an agent switched.
        rounds: shape (rows,), in which round.

    Returns:
        First and last round of each period, in order: each has `EVENTS` switches, the last one at
        least, or all there are.

    >>> periods([True] * 6 + [False, True] * 4, [1] * 6 + [2, 3, 4, 5] * 2)
    ((1, 5),)
    """
    switches = Counter(r for r, event in zip(rounds, switched, strict=True) if event)
    found: list[tuple[int, int]] = []
    first, events = None, 0
    for current in sorted(set(rounds)):
        first = current if first is None else first
        events += switches[current]
        if events >= EVENTS:
            found.append((first, current))
            first, events = None, 0
    if first is not None:
        start, _ = found.pop() if found else (first, first)
        found.append((start, max(rounds)))
    return tuple(found)


class _Rows(NamedTuple):
    """Rounds at risk that the model cannot tell apart, as counts."""

    events: list[int]
    sizes: list[int]
    peers: list[int]
    period: list[int]
    items: list[Hashable]
    agents: list[Hashable]


def _rows(
    switched: Sequence[bool],
    peers: Sequence[int],
    period: Sequence[int],
    labels: tuple[Sequence[Hashable], Sequence[Hashable]],
) -> _Rows:
    events: Counter[tuple[int, int, Hashable, Hashable]] = Counter()
    sizes = events.copy()
    for event, place in zip(switched, zip(peers, period, *labels, strict=True), strict=True):
        events[place] += event
        sizes[place] += 1
    return _Rows(
        events=[events[place] for place in sizes],
        sizes=list(sizes.values()),
        peers=[number for number, _, _, _ in sizes],
        period=[number for _, number, _, _ in sizes],
        items=[item for _, _, item, _ in sizes],
        agents=[agent for _, _, _, agent in sizes],
    )


def _fit(rows: _Rows, *, peers: bool) -> MixedFit:
    names = [*map(_period, sorted(set(rows.period))[1:]), *([PEERS] if peers else [])]
    columns = {name: _column(name, rows) for name in names}
    # One agent an item: its intercept is the item's.
    alone = len(set(zip(rows.items, rows.agents, strict=True))) == len(set(rows.items))
    trials = False if alone else rows.agents
    return logistic_mixed(rows.events, rows.sizes, columns, rows.items, trials=trials)


def _curve(fit: MixedFit, rows: _Rows) -> dict[int, Estimate]:
    """The average chance at each number of peers, its random effects integrated out."""
    names, n = list(fit.coefficients), fit.coefficients[PEERS].n
    effects = np.array([found.value for found in fit.coefficients.values()], float)
    design = np.array([_column(name, rows) for name in names]).T
    shrink = np.sqrt(1 + _PROBIT**2 * sum(s**2 for s in fit.deviations.values()))
    weights = np.array(rows.sizes, float) / sum(rows.sizes)
    half = special.ndtri((1 + LEVEL) / 2)
    curve = {}
    for number in range(max(rows.peers) + 1):
        design[:, names.index(PEERS)] = number
        chances = special.expit(design @ effects / shrink)
        value = float(weights @ chances)
        slope = (weights * chances * (1 - chances) / shrink) @ design
        error = np.sqrt(slope @ np.array(fit.covariances) @ slope) / (value * (1 - value))
        low, high = special.expit(special.logit(value) + error * half * np.array([-1, 1]))
        curve[number] = Estimate(value, float(low), float(high), n, _CURVE)
    return curve


def _column(name: str, rows: _Rows) -> list[float]:
    if name == PEERS:
        return list(map(float, rows.peers))
    return [float(name in {"intercept", _period(number)}) for number in rows.period]


def _period(number: int) -> str:
    return f"period {number}"
