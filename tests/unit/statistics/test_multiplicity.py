"""Adjusted p values by hand."""

from __future__ import annotations

import pytest

from socialcircuits.errors import SettingError
from socialcircuits.statistics.multiplicity import benjamini_hochberg, holm

GIVEN = [0.03, 0.001, 0.2, 0.02, 0.9]


def test_holm_by_hand() -> None:
    # In order .001 x 5, .02 x 4, .03 x 3, .2 x 2, .9 x 1, each at least the one before.
    assert holm(GIVEN) == pytest.approx((0.09, 0.005, 0.4, 0.08, 0.9))
    assert holm([0.04, 0.03]) == pytest.approx((0.06, 0.06))
    assert holm([0.9, 0.8]) == (1.0, 1.0)


def test_benjamini_hochberg_by_hand() -> None:
    # From the last .9, then .2 x 5/4, .03 x 5/3, .02 x 5/2, .001 x 5, each at most the one after.
    assert benjamini_hochberg(GIVEN) == pytest.approx((0.05, 0.005, 0.25, 0.05, 0.9))
    assert benjamini_hochberg([0.04, 0.03]) == pytest.approx((0.04, 0.04))


def test_nothing_and_one() -> None:
    assert holm([]) == benjamini_hochberg([]) == ()
    assert holm([0.03]) == benjamini_hochberg([0.03]) == (0.03,)


@pytest.mark.parametrize("p", [0.0, -0.1, 1.1, float("nan")])
def test_what_is_no_p_value_is_refused(p: float) -> None:
    for adjust in (holm, benjamini_hochberg):
        with pytest.raises(SettingError, match="above 0 and at most 1"):
            adjust([0.5, p])
