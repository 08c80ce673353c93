"""Rankings against scipy, and the permutation test against every permutation."""

from __future__ import annotations

from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from socialcircuits.errors import SettingError
from socialcircuits.statistics import agreement, midranks, spearman, top_hit
from socialcircuits.statistics.ranks import TopHit

ROWS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=7)


def varied(rows: list[tuple[int, int]]) -> bool:
    return all(len(set(side)) > 1 for side in zip(*rows, strict=True))


@given(st.lists(st.integers(-3, 3)))
def test_ranks_are_midranks(values: list[int]) -> None:
    assert midranks(values) == stats.rankdata(values).tolist()


@given(ROWS.filter(varied))
def test_one_stratum_gives_the_usual_coefficients(rows: list[tuple[int, int]]) -> None:
    x, y = zip(*rows, strict=True)
    found = agreement(x, y)
    assert found.spearman == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-12)
    assert found.kendall == pytest.approx(stats.kendalltau(x, y).statistic, abs=1e-12)
    assert spearman(x, y) == found.spearman


def all_permutations(
    first: list[tuple[int, int]], second: list[tuple[int, int]]
) -> tuple[float, float]:
    """One- and two-sided chance over all pairs of permutations, one permutation at a time."""
    x, y = ([row[side] for row in (*first, *second)] for side in (0, 1))
    labels = [0] * len(first) + [1] * len(second)
    seen = spearman(x, y, labels)
    assert seen is not None
    found = []
    for one, two in product(permutations(y[: len(first)]), permutations(y[len(first) :])):
        rho = spearman(x, [*one, *two], labels)
        assert rho is not None
        found.append(rho)
    extreme = (
        sum(rho >= seen - 1e-9 for rho in found),
        sum(abs(rho) >= abs(seen) - 1e-9 for rho in found),
    )
    return extreme[0] / len(found), extreme[1] / len(found)


SMALL = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=2, max_size=4)


@given(SMALL.filter(varied), SMALL.filter(varied))
def test_the_exact_test_counts_every_permutation_within_strata(
    first: list[tuple[int, int]], second: list[tuple[int, int]]
) -> None:
    x, y = ([row[side] for row in (*first, *second)] for side in (0, 1))
    found = agreement(x, y, [0] * len(first) + [1] * len(second))
    assert found.exact
    assert (found.p, found.p_two_sided) == pytest.approx(all_permutations(first, second))


def test_a_difference_between_strata_is_no_agreement_within_them() -> None:
    x, y, labels = [1, 2, 8, 9], [2, 1, 9, 8], ["a", "a", "b", "b"]
    assert agreement(x, y).spearman == pytest.approx(0.6)
    within = agreement(x, y, labels)
    assert (within.spearman, within.kendall, within.strata) == (-1.0, -1.0, 2)


def test_a_stratum_of_ties_says_nothing() -> None:
    found = agreement([1, 2, 3, 5, 5], [1, 2, 3, 7, 9], ["a", "a", "a", "b", "b"])
    assert (found.spearman, found.strata, found.n) == (1.0, 1, 3)
    assert found.p == pytest.approx(1 / 6)
    nothing = agreement([1, 1], [1, 2])
    assert (nothing.spearman, nothing.kendall, nothing.p, nothing.strata) == (None, None, 1.0, 0)


def test_drawn_permutations_agree_with_all(monkeypatch: pytest.MonkeyPatch) -> None:
    x, y = [1, 2, 3, 4, 5, 6, 7], [2, 1, 5, 3, 4, 7, 6]
    exact = agreement(x, y)
    monkeypatch.setattr("socialcircuits.statistics.ranks.EXACT", 6)
    drawn = agreement(x, y, seed=b"a")
    assert not drawn.exact
    assert drawn == agreement(x, y, seed=b"a")
    # The standard error of 10,000 draws at this p is below .001.
    assert drawn.p == pytest.approx(exact.p, abs=0.004)
    assert drawn.p_two_sided == pytest.approx(exact.p_two_sided, abs=0.006)


def test_ties_for_the_first_place_share_a_hit() -> None:
    assert top_hit([3, 1, 2], [0.5, 0.1, 0.2]) == TopHit(1.0, 1 / 3)
    assert top_hit([1, 1, 1, 1], [0, 2, 2, 1]) == TopHit(0.5, 0.5)
    assert top_hit([1, 2], [4, 4]) is None


def test_lengths_must_agree() -> None:
    with pytest.raises(SettingError, match="one number a unit"):
        agreement([1, 2], [1])
    with pytest.raises(SettingError, match="one stratum a unit"):
        spearman([1, 2], [1, 2], [0])
    with pytest.raises(SettingError, match="one number a unit"):
        top_hit([1, 2], [1])
