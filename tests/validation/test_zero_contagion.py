"""Chatrooms in which nobody influences anybody: the raw hazard rises all the same, the adjusted
test rejects as often as it says.

Forty items under three adversaries: items differ in how easily they are believed (standard
deviation 1.6 in log-odds), agents too, most switches come in the first rounds, and some agents come
back. A few sets are simulated by default, 400 with SOCIALCIRCUITS_LONG=1; the bars are those of the
long run, wider where sets are few. In the long run 7.8 % are rejected where agents do not differ
and 3.3 % where they do, and none is refused; the raw hazard with four infected peers is 0.084 and
0.067 above that with none.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache

import pytest
from scipy import special

from socialcircuits.analyses.hazard import RAW, adjusted, by_peers
from socialcircuits.records.summary import TrialSummary
from socialcircuits.seeds import Stream
from tests.support.conversations import talk

LONG = "SOCIALCIRCUITS_LONG" in os.environ
SETS = 400 if LONG else 6

ITEMS, AGENTS, ROUNDS = 40, 7, 16
BASE, FIRST, LATER = -3.3, 0.6, -0.05
"""Log-odds of switching in a round; what is added in round 1, and for each round up to the 8th."""
REVERSAL = 0.05


@dataclass
class Draws:
    """Uniform and normal numbers from a named stream."""

    stream: Stream

    def uniform(self) -> float:
        return (self.stream.below(1 << 53) + 0.5) / (1 << 53)

    def normal(self) -> float:
        return float(special.ndtri(self.uniform()))


def study(number: int, item: float, agent: float, contagion: float) -> list[TrialSummary]:
    """One conversation an item, with these deviations of items and agents."""
    draws = Draws(Stream(f"set {number}".encode(), f"{item} {agent} {contagion}"))
    trials = []
    for seed in range(1, ITEMS + 1):
        easy = item * draws.normal()
        own = [easy + agent * draws.normal() for _ in range(AGENTS)]
        held = [[False] * AGENTS]
        for current in range(1, ROUNDS + 1):
            before = held[-1]
            level = BASE + FIRST * (current == 1) + LATER * min(current, 8)
            odds = [level + one + contagion * sum(before) for one in own]
            held.append(
                [
                    draws.uniform() < (1 - REVERSAL if was else special.expit(odd))
                    for was, odd in zip(before, odds, strict=True)
                ]
            )
        words = [" i".join("FT"[not now[a]] for now in held) for a in range(AGENTS)]
        trials.append(talk(*words, seed=seed))
    return trials


@cache
def without_influence(agent: float) -> tuple[int, int, int, float]:
    """Of the sets: how many are rejected, refused and flagged, and the mean rise of the raw curve
    from no to four infected peers."""
    rejected = refused = flagged = 0
    rises = []
    for number in range(SETS):
        trials = study(number, item=1.6, agent=agent, contagion=0.0)
        (found,) = adjusted(trials)
        refused += found.hazard.test.p is None
        rejected += found.hazard.test.p is not None and found.hazard.test.p < 0.05
        flagged += "the rise is no sign of influence" in found.verdict
        raw = {r["peers"]: r for r in by_peers(trials) if r["measure"] == "hazard_raw"}
        assert {row["note"] for row in raw.values()} == {RAW}
        rises.append(raw[4]["value"] - raw[0]["value"])
    return rejected, refused, flagged, sum(rises) / SETS


@pytest.mark.parametrize("agent", [0.0, 0.8] if LONG else [0.8])
def test_the_adjusted_test_rejects_as_often_as_it_says(agent: float) -> None:
    rejected, refused, _, _ = without_influence(agent)
    assert refused <= SETS / 100
    if LONG:
        assert 0.03 <= rejected / SETS <= 0.08
    else:
        assert rejected <= 3


@pytest.mark.parametrize("agent", [0.0, 0.8] if LONG else [0.8])
def test_the_raw_curve_rises_and_is_flagged(agent: float) -> None:
    rejected, refused, flagged, rise = without_influence(agent)
    print(f"rejected {rejected}, refused {refused}, flagged {flagged} of {SETS}, rise {rise:.3f}")
    assert rise > (0.04 if LONG else 0.02)
    assert flagged >= 0.95 * (SETS - rejected - refused)


def test_influence_is_seen_where_there_is_some() -> None:
    (found,) = adjusted(study(0, item=1.0, agent=0.5, contagion=0.4))
    assert found.hazard.test.p is not None
    assert found.hazard.test.p < 0.001
    slope = found.hazard.per_peer
    assert slope.low is not None
    assert slope.high is not None
    assert slope.low <= 0.4 <= slope.high
    assert found.verdict.startswith("infected peers and switching go together")
