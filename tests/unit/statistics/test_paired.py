"""Matched conditions against hand, enumeration, scipy and statsmodels."""

from __future__ import annotations

from importlib import import_module
from itertools import product
from statistics import stdev

import numpy as np
import pytest
from scipy import stats

from socialcircuits.errors import SettingError
from socialcircuits.seeds import Stream
from socialcircuits.statistics import (
    Significance,
    matched_difference,
    matched_proportions,
    mcnemar,
    paired_difference,
    sign_flip,
)
from socialcircuits.statistics.power import flips_detectable, matched_detectable


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
    plain = paired_difference(first, second)
    assert (found.value, found.low, found.high) == (plain.value, plain.low, plain.high)
    assert found.test == Significance(sign_flip([0.5, 0.2, -0.1, 0.7]).p, "sign flips")
    assert matched_difference([], []).test is None
    drawn = matched_difference([1.0] * 40, [0.0] * 40, seed=b"one").test
    assert drawn == Significance(1e-5, "sign flips", exact=False)


def test_five_units_find_nothing_by_sign_flips() -> None:
    differences = [0.5, 0.52, 0.5, 0.48, 0.5]
    found = matched_difference(differences, [0.0] * 5)
    assert found.test == Significance(0.0625, "sign flips")
    assert paired_difference(differences, [0.0] * 5).detectable is not None
    assert found.detectable is None
    nothing = "with 5 units no difference can be found by sign flips"
    assert found.warnings == ("only 5 units of evidence", nothing)
    one = matched_difference([0.5], [0.1])
    assert one.warnings[-1] == "with 1 unit no difference can be found by sign flips"


def test_six_units_find_less_than_the_t_test() -> None:
    differences = [0.2, 0.22, 0.1, 0.18, 0.15, 0.12]
    found = matched_difference(differences, [0.0] * 6)
    assert found.detectable == flips_detectable(stdev(differences), 6)
    plain = paired_difference(differences, [0.0] * 6).detectable
    assert found.detectable is not None
    assert plain is not None
    assert found.detectable > plain
    seven = [*differences, 0.17]
    both = [way(seven, [0.0] * 7).detectable for way in (matched_difference, paired_difference)]
    assert both[0] == both[1]


def test_matched_proportions_detect_what_mcnemar_finds() -> None:
    first, second = [1, 1, 1, 0, 0, 1, 0, 0, 1, 1], [0, 0, 1, 1, 0, 1, 0, 0, 1, 0]
    found = matched_proportions(first, second)
    assert found.levels == {"changed": {"gained": 3, "lost": 1}}
    assert found.test == Significance(mcnemar(3, 1).mid, "McNemar mid-p")
    assert found.detectable == matched_detectable(0.4, 10)
    plain = paired_difference(first, second)
    assert (found.value, found.low, found.high) == (plain.value, plain.low, plain.high)
    assert plain.detectable != found.detectable
    assert found.warnings == ()


def test_matched_proportions_at_the_ends() -> None:
    assert matched_proportions([], []).test is None
    four = matched_proportions([1, 1, 0, 0], [0, 0, 0, 0])
    assert four.detectable is None
    assert four.warnings[-1] == "no possible difference would have been found"
    # Where no unit changed, only as many change as a difference needs.
    same = matched_proportions([1] * 10, [1] * 10)
    assert same.detectable == matched_detectable(0.0, 10)
    with pytest.raises(SettingError, match=r"0\.5 is not allowed; expected 1 for yes or 0 for no"):
        matched_proportions([0.5], [1])


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
