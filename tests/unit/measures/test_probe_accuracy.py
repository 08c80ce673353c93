"""How often a crop is read rightly."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from socialcircuits.measures import estimate
from socialcircuits.measures.initial_accuracy import MEASURE as ACCURACY
from socialcircuits.measures.probe_accuracy import MEASURE
from socialcircuits.records.summary import Tally, TrialSummary
from tests.unit.measures.trials import answers, trial


def sampled(*probes: str, **changes: Any) -> TrialSummary:
    """Agents that were probed in turn; the first probe is the isolated guess."""
    tallies = tuple(
        {answer: Fraction(answers(text).count(answer)) for answer in dict.fromkeys(answers(text))}
        for text in probes
    )
    guesses = "".join(text[0] for text in probes)
    return trial(guesses, "", probed={"": tallies}, **changes)


def odds(*tallies: Tally, **changes: Any) -> TrialSummary:
    """Agents whose models gave the odds of all answers: nobody named one."""
    return trial("", "", probed={"": tallies}, **changes)


@pytest.mark.parametrize(
    ("probes", "expected"),
    [
        (["TTTTTTTTTT"], "1"),
        (["TTTTTTTRRO"], "7/10"),
        (["TTTTR", "RRRRR"], "2/5"),
        (["T---", "TTTT"], "5/8"),  # invalid probes stay in the denominator
        (["----"], "0"),
        (["T", "TR"], "3/4"),  # the mean over agents, not over probes
    ],
)
def test_sampled(probes: list[str], expected: str) -> None:
    one = sampled(*probes)
    assert MEASURE.undefined(one) is None
    assert MEASURE.value(one) == Fraction(expected)


def test_odds() -> None:
    three: Tally = {"Peru": Fraction(3, 4), "Mali": Fraction(1, 4), "Chad": Fraction(0)}
    one = odds(three, {None: Fraction(1)})
    assert MEASURE.undefined(one) is None
    assert MEASURE.value(one) == Fraction(3, 8)
    only_invalid = odds({None: Fraction(1)})
    assert MEASURE.undefined(only_invalid) is None
    assert MEASURE.value(only_invalid) == 0


def test_odds_that_do_not_quite_add_up_stay_a_share() -> None:
    thirds: Tally = {name: Fraction(0.1) for name in ("Chad", "France", "Mali", "Peru")}
    assert MEASURE.value(odds(thirds)) == Fraction(1, 4)


def test_one_probe_is_the_initial_accuracy() -> None:
    assert MEASURE.undefined(sampled("T", "R", "-")) == "no agent was probed more than once"
    assert MEASURE.undefined(trial()) == "no isolated probes were asked for"
    assert ACCURACY.value(sampled("TRRR", "RTTT")) == Fraction(1, 2)  # the first probes only


def test_rows_count_the_probes() -> None:
    (row,) = estimate([sampled("TTR-", "TTTT"), sampled("RRRR", "R---", seed=2)], {}, [MEASURE])
    assert row.estimate.value == 0.375  # 3/4 and 0
    assert row.estimate.levels["answers"] == {"read": 16, "invalid": 4}
    uneven: Tally = {"Peru": Fraction(0.1), "Mali": Fraction(0.2), "Chad": Fraction(0.7)}
    (row,) = estimate([odds(uneven, uneven, {None: Fraction(1)})], {}, [MEASURE])
    assert row.estimate.levels["answers"] == {"read": 3, "invalid": 1}
