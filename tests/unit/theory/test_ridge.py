"""Endpoint classes alone leave h_0 open."""

from __future__ import annotations

import numpy as np
import pytest

from socialcircuits.errors import SettingError
from socialcircuits.theory.outcomes import outcome
from socialcircuits.theory.ridge import Ends, ridge

TRUTH, RIVAL, BIAS = 0.2925, 0.1575, 0.3


def expected(n: int, groups: int) -> Ends:
    came = outcome(n, TRUTH, RIVAL, BIAS)
    shares = (came.correct, came.wrong, came.polarized, came.fragmented)
    correct, wrong, polarized, fragmented = (groups * share for share in shares)
    return Ends(n, (correct, wrong, polarized, fragmented))


def test_one_size_excludes_no_h() -> None:
    found = ridge([expected(16, 40)], [-2.0, -1.0, 0.0, BIAS, 1.0, 2.0])
    assert found.held.all()
    assert np.ptp(found.log_likelihood) < 1.92
    assert np.ptp(found.truth) > 0.1


def test_several_sizes_exclude_far_values_only() -> None:
    found = ridge([expected(n, 40) for n in (8, 16, 32)], [-2.0, 0.0, BIAS, 1.0])
    assert found.held.tolist() == [False, True, True, True]
    assert found.log_likelihood.argmax() == 2
    assert (found.truth[2], found.rival[2]) == pytest.approx((TRUTH, RIVAL), abs=1e-3)


def test_nothing_that_ended_is_refused() -> None:
    with pytest.raises(SettingError, match="at least one group"):
        ridge([], [0.0])
    with pytest.raises(SettingError, match="at least one group"):
        ridge([Ends(4, (0, 0, 0, 0))], [0.0])
    with pytest.raises(SettingError, match="biases"):
        ridge([Ends(4, (1, 0, 0, 0))], [float("nan")])
    for count in (-1.0, float("nan")):
        with pytest.raises(SettingError, match="counts"):
            Ends(4, (2, count, 0, 0))
