"""Matched conditions against hand, enumeration, scipy and statsmodels."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from itertools import product

import numpy as np
import pytest
from scipy import stats

from socialcircuits.errors import SettingError
from socialcircuits.seeds import Stream
from socialcircuits.statistics import (
    Significance,
    matched_difference,
    mcnemar,
    paired_difference,
    sign_flip,
)


def test_paired_difference_by_hand() -> None:
    # Differences .5, .1, .3: mean .3, sd .2, half width 4.302653 * .2 / sqrt 3 = .496828.
    found = paired_difference([0.9, 0.6, 0.7], [0.4, 0.5, 0.4])
    assert (found.value, found.low, found.high) == pytest.approx((0.3, -0.196828, 0.796828), 1e-5)
    assert found.n == 3
    assert found.method.startswith("paired differences: mean over units, t interval")
    assert found.test is None


def test_what_a_paired_difference_would_have_detected() -> None:
    differences = [0.3, -0.1, 0.2, 0.1, 0.0, 0.3, 0.2, -0.2, 0.1, 0.1, 0.25, 0.05]
    found = paired_difference(differences, [0.0] * 12)
    assert found.detectable is not None
    error, bar = float(stats.sem(differences)), stats.t.ppf(0.975, 11)
    noncentral = stats.nct(11, found.detectable / error)
    assert noncentral.sf(bar) + noncentral.cdf(-bar) == pytest.approx(0.8, abs=1e-6)
    assert found.warnings == ()


def test_what_cannot_be_detected_is_said() -> None:
    few = paired_difference([0.9, 0.1, 0.6], [0.0, 0.8, 0.0])
    assert few.detectable is None
    assert few.warnings == (
        "only 3 units of evidence",
        "no possible difference would have been found",
    )
    wide = paired_difference([0.9, 0.1, 0.6], [0.0, 0.8, 0.0], (-9, 9))
    assert wide.detectable is not None
    assert paired_difference([1.0] * 12, [0.5] * 12).detectable is None
    assert paired_difference([1.0], [0.5]).detectable is None


def test_a_matched_difference_has_its_test() -> None:
    first, second = [0.5, 0.3, 0.25, 0.9], [0.0, 0.1, 0.35, 0.2]
    found = matched_difference(first, second)
    assert replace(found, test=None) == paired_difference(first, second)
    assert found.test == Significance(sign_flip([0.5, 0.2, -0.1, 0.7]).p, "sign flips")
    assert matched_difference([], []).test is None
    drawn = matched_difference([1.0] * 40, [0.0] * 40, seed=b"one").test
    assert drawn == Significance(1e-5, "sign flips", exact=False)


def test_paired_difference_refuses_unequal_lengths() -> None:
    with pytest.raises(SettingError, match="one number a unit"):
        paired_difference([0.5], [0.5, 0.4])


def test_sign_flip_by_hand() -> None:
    # |sum| = 1; of 8 assignments of .5, .25, .25 only +++ and --- reach it.
    assert sign_flip([0.5, 0.25, 0.25]).p == 0.25
    # Sums of -.5, .25, .25 are 0 as observed, and every assignment is as far from zero.
    assert sign_flip([-0.5, 0.25, 0.25]).p == 1.0


def test_sign_flip_against_enumeration_and_scipy() -> None:
    differences = [0.31, -0.12, 0.2, 0.2, -0.05, 0.44, 0.0, 0.13]
    observed = abs(sum(differences)) - 1e-12
    sums = [
        abs(sum(s * d for s, d in zip(signs, differences, strict=True)))
        for signs in product((1, -1), repeat=8)
    ]
    exact = sum(total >= observed for total in sums) / len(sums)
    assert sign_flip(differences).p == pytest.approx(exact, abs=1e-12)
    test = stats.permutation_test(
        (differences,), lambda moved: float(sum(moved)), permutation_type="samples"
    )
    assert sign_flip(differences).p == pytest.approx(test.pvalue, abs=1e-12)


def test_equal_sums_count_in_spite_of_rounding() -> None:
    # .1 + .2 and .3 differ in the last bit; + + - and - - + tie with the observed sum of 0.
    assert sign_flip([0.1, 0.2, -0.3]).p == 1.0


def test_no_difference_is_no_evidence() -> None:
    assert sign_flip([0.0, 0.0]).p == 1.0
    assert sign_flip([]).p == 1.0


def test_drawn_signs_are_reproducible_and_near_the_normal_limit() -> None:
    stream = Stream(b"test", "differences")
    differences = [(stream.below(2001) - 900) / 1000 for _ in range(60)]
    found = sign_flip(differences, b"one")
    assert not found.exact
    assert found == sign_flip(differences, b"one")
    assert found.p != sign_flip(differences, b"two").p
    score = abs(sum(differences)) / np.sqrt(np.sum(np.square(differences)))
    assert found.p == pytest.approx(2 * stats.norm.sf(score), abs=0.01)


def test_drawn_p_is_never_zero() -> None:
    assert sign_flip([1.0] * 40).p == 1 / 100_000


def test_mcnemar_by_hand() -> None:
    # Of 2^5 ways, one has no loss: exact p 2/32; the mid-p takes off that point once.
    assert (mcnemar(5, 0).exact, mcnemar(5, 0).mid) == (2 / 32, 1 / 32)
    # b = 2, c = 1: P(X <= 1) = 4/8 gives 1; mid-p 1 - 3/8.
    assert (mcnemar(2, 1).exact, mcnemar(2, 1).mid) == (1.0, 0.625)
    assert mcnemar(3, 3).mid == 1.0
    assert mcnemar(0, 0).exact == 1.0


@pytest.mark.parametrize(("gained", "lost"), [(9, 6), (1, 8), (20, 4), (0, 7)])
def test_mcnemar_against_statsmodels(gained: int, lost: int) -> None:
    test = import_module("statsmodels.stats.contingency_tables").mcnemar
    exact = test([[3, gained], [lost, 5]], exact=True).pvalue
    assert mcnemar(gained, lost).exact == pytest.approx(exact, abs=1e-12)
    assert mcnemar(gained, lost) == mcnemar(lost, gained)
    mid = exact - stats.binom.pmf(min(gained, lost), gained + lost, 0.5)
    assert mcnemar(gained, lost).mid == pytest.approx(mid, abs=1e-12)


def test_mcnemar_refuses_negative_counts() -> None:
    with pytest.raises(SettingError, match="lost: -1"):
        mcnemar(2, -1)
