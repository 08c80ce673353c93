"""Flag Game, Table 5: its arithmetic, and what its one schedule shows."""

from __future__ import annotations

from math import factorial

import pytest

from socialcircuits.statistics import agreement, top_hit

N = 8
ROWS = (  # original correct, dp, D, E, S, dA
    (0, 1, 19.4, 0.47, 0.47, 0.50),
    (10, 0, 14.9, 0.73, 0.00, 0.00),
    (0, 1, 16.4, 1.01, 1.01, 0.13),
    (0, 1, 22.9, 0.46, 0.46, 0.13),
    (0, 1, 12.9, 1.81, 1.81, 0.75),
    (10, 0, 24.6, 0.39, 0.00, 0.00),
    (0, 1, 15.6, 0.64, 0.64, 0.13),
    (0, 1, 16.6, 1.19, 1.19, 0.63),
)
CORRECT, DP, D, E, S, DA = (list(column) for column in zip(*ROWS, strict=True))


@pytest.mark.parametrize("row", ROWS)
def test_each_row(row: tuple[float, ...]) -> None:
    correct, dp, mean, closeness, score, effect = row
    assert dp == (10 - correct) / 10
    assert score == pytest.approx(dp * closeness, abs=0.005)
    # The harmonic mean of arrival times, N / E, is at most their arithmetic mean; D is rounded.
    assert closeness + 0.005 >= N / (mean + 0.05)
    assert min(abs(effect - k / N) for k in range(N + 1)) < 0.0051


def test_all_agents_agree_but_not_those_of_one_dp() -> None:
    overall, within = agreement(S, DA), agreement(S, DA, DP)
    assert overall.spearman == pytest.approx(0.877, abs=0.0005)
    assert overall.p == pytest.approx(144 / factorial(N))
    assert within.spearman == pytest.approx(0.698, abs=0.0005)
    assert (within.strata, within.n, within.exact) == (1, 6, True)
    # One-sided; in both directions it is twice that.
    assert within.p == pytest.approx(10 / 120)
    assert within.p_two_sided == pytest.approx(20 / 120)


def test_the_accuracy_gain_alone_explains_most_of_it() -> None:
    alone = agreement(DP, DA)
    assert alone.spearman == pytest.approx(0.779, abs=0.0005)


def test_within_equal_dp_the_score_ranks_as_closeness_does() -> None:
    assert agreement(E, DA, DP) == agreement(S, DA, DP)


def test_the_first_agent_is_hit() -> None:
    hit = top_hit(S, DA)
    assert hit is not None
    assert (hit.share, hit.chance) == (1.0, 1 / N)
