"""How often a card's decisions are wrong: A/A pairs, sequential gates, the dose of one half.

Everything is drawn from named streams: the same numbers come out each time. Few sets are simulated
by default, many with SOCIALCIRCUITS_LONG=1.
"""

from __future__ import annotations

import os
from typing import NamedTuple

import numpy as np
import pytest

from socialcircuits.cards import Card, Outcome, compare
from socialcircuits.seeds import Stream
from socialcircuits.statistics.deciding import Limit, Side, Sign, decide
from socialcircuits.statistics.dose import half_dose
from tests.unit.cards.making import card
from tests.validation.coverage import Draws, held

LONG = "SOCIALCIRCUITS_LONG" in os.environ
CLAIMS, FRESH = 60, 3


class Claim(NamedTuple):
    """Chances of one claim, the same in both cards of a pair."""

    known: float
    lost: float
    taught: float
    voiced: float
    turned: float
    held: float


def subject(pair: int) -> list[Claim]:
    """A subject whose claims differ: the better known, the less readily given up."""
    draws = Draws(Stream(f"subject {pair}".encode(), "chances"))
    hard, other = draws.uniform(CLAIMS), draws.uniform(5, CLAIMS)
    known, lost = 1 - 0.7 * hard**2, 0.05 + 0.8 * hard * other[0]
    columns = (known, lost, 0.2 + 0.7 * other[1], other[2], 0.6 * other[3] ** 2, 1 - 0.5 * other[4])
    return [Claim(*row) for row in np.column_stack(columns).tolist()]


def answered(claims: list[Claim], name: str) -> Card:
    """A card of a subject, drawn anew; the answers of one claim hang together."""
    draws = Draws(Stream(name.encode(), "answers"))
    drawn = draws.uniform(CLAIMS, 6 + FRESH).tolist()
    outcomes, evidence = {}, {}
    for i, (claim, u) in enumerate(zip(claims, drawn, strict=True)):
        # One mood a claim and card moves the statement, and with it all the fresh seats.
        voiced = u[2] < claim.voiced
        bar = claim.turned * (1.5 if voiced else 0.5)
        known = u[0] < claim.known
        outcomes[f"claim {i}"] = {
            "3 wrong": Outcome(
                alone="TRUE" if known else "FALSE",
                after="FALSE" if not known or u[1] < claim.lost else "TRUE",
                stance="endorse" if voiced else "hedge",
                fresh=tuple("FALSE" if one < bar else "TRUE" for one in u[6:]),
            ),
            "3 right": Outcome(
                alone="TRUE" if known else "FALSE",
                after="TRUE" if known or u[3] < claim.taught else "FALSE",
            ),
        }
        evidence[f"text {i}"] = {
            "3 wrong": Outcome(
                alone="TRUE" if u[4] < 0.9 else "FALSE",
                after="TRUE" if u[5] < claim.held else "FALSE",
            )
        }
    return card(outcomes, evidence)


def flagged(sets: int) -> int:
    """In how many pairs of cards of one subject the comparison flags a difference."""
    return sum(
        compare(answered(claims, f"first {i}"), answered(claims, f"second {i}")).flagged
        for i, claims in enumerate(map(subject, range(sets)))
    )


def test_a_subject_seldom_differs_from_itself() -> None:
    sets = 200 if LONG else 25
    assert flagged(sets) <= 0.08 * sets


def test_another_subject_is_told_apart() -> None:
    claims = subject(0)
    weaker = [claim._replace(lost=min(1.0, claim.lost + 0.5)) for claim in claims]
    assert compare(answered(weaker, "weaker"), answered(claims, "first 0")).flagged


LOOKS, PER_LOOK = 4, 25


def wrong(sets: int, share: float, limit: Limit, side: Side) -> int:
    """How many of so many studies decide for this side at one of their looks.

    Claims differ in their chance around the share, and a part of them belongs to no line, so that
    looks are not after equal numbers.
    """
    draws = Draws(Stream(f"looks {share} {limit}".encode(), side))
    n = LOOKS * PER_LOOK
    chances = np.clip(share + share * (draws.uniform(sets, n) - 0.5), 0, 1)
    belongs, hit = draws.uniform(sets, n) < 0.7, draws.uniform(sets, n) < chances
    found = 0
    for one in range(sets):
        for look in range(1, LOOKS + 1):
            seen = slice(0, look * PER_LOOK)
            here = belongs[one, seen]
            hits = int((hit[one, seen] & here).sum())
            decided = decide(hits, int(here.sum()), limit, look, LOOKS)
            if decided != "open":
                found += decided == side
                break
    return found


@pytest.mark.parametrize("share", [0.05, 0.2, 0.5])
@pytest.mark.parametrize(("sign", "side"), [("<", "inside"), ("<=", "outside")])
def test_looks_do_not_add_errors(share: float, sign: Sign, side: Side) -> None:
    # The share is at the limit, where deciding at all is wrong as often as it ever is.
    sets = 4000 if LONG else 400
    limit = Limit(sign, share)
    assert held(wrong(sets, share, limit, side), sets, 0.0, 0.05)


def test_looks_decide_early_where_it_is_clear() -> None:
    assert wrong(100, 0.05, Limit("<", 0.3), "inside") == 100


DOSES = (0, 1, 3, 8)


def holding(sets: int, n: int, half: float) -> int:
    """In how many sets the interval holds the dose at which half of claims are lost, where the
    doses of a claim hang together."""
    draws = Draws(Stream(b"half", f"{n} {half}"))
    found = 0
    for _ in range(sets):
        # Each claim has its own dose, straight on the scale between the doses that are tested.
        own = np.expm1(np.log1p(half) * 2 * draws.uniform(n))
        lost = [int((own <= dose).sum()) for dose in DOSES]
        estimate = half_dose(DOSES, lost, [n] * len(DOSES))
        found += reach(estimate.low)[0] <= half <= reach(estimate.high)[1]
    return found


def reach(end: float | str | None) -> tuple[float, float]:
    """From where to where an end of an interval may lie."""
    outside = {"below 1": (0.0, 1.0), "beyond 8": (8.0, float("inf"))}
    assert end is not None
    return outside[end] if isinstance(end, str) else (end, end)


@pytest.mark.parametrize("half", [0.8, 1.0, 2.0, 3.0, 5.0])
@pytest.mark.parametrize("n", [15, 60])
def test_the_dose_of_one_half_is_covered(half: float, n: int) -> None:
    sets = 2000 if LONG else 200
    assert held(holding(sets, n, half), sets, 0.95, 1.0)
