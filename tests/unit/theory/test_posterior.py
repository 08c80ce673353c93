"""The posterior against exact integrals and against the intervals of the fit."""

from __future__ import annotations

from math import inf
from typing import get_args

import numpy as np
import pytest

from socialcircuits.errors import SettingError
from socialcircuits.theory.fit import Interval, fit
from socialcircuits.theory.histories import GAVE_TRUTH, HEARD_RIVAL, Histories
from socialcircuits.theory.posterior import Axis, posterior
from tests.support.copying import trials

AXES: tuple[Axis, ...] = get_args(Axis)
STAYS = Histories([GAVE_TRUTH, HEARD_RIVAL, GAVE_TRUTH], [0, 3])


def test_one_agent_has_the_exact_posterior() -> None:
    """A truth zealot answers so surely, an ambiguous agent with a half times q_T, a mean of 1/4."""
    found = posterior(STAYS, fit(STAYS), points=81)
    assert found.mass.sum() == pytest.approx(1, abs=1e-12)
    assert found.mean("truth") == pytest.approx((1 / 6 + 1 / 48) / (1 / 3 + 1 / 12), abs=0.01)
    assert found.mean("rival") == pytest.approx((1 / 12 + 1 / 48) / (1 / 3 + 1 / 12), abs=0.01)
    assert (found.bias[0], found.bias[-1]) == pytest.approx((-6, 6), abs=0.1)


def test_much_data_agree_with_the_fit() -> None:
    data = trials(b"posterior", [32, 64, 64], 0.2925, 0.1575, 0.3)
    fitted = fit(data)
    found = posterior(data, fitted)
    for axis in AXES:
        one: Interval = getattr(fitted, axis)
        assert one.error is not None
        assert found.marginal(axis).sum() == pytest.approx(1, abs=1e-12)
        assert found.mean(axis) == pytest.approx(one.value, abs=0.3 * one.error)
        ends = found.interval(axis)
        assert ends == pytest.approx((one.low, one.high), abs=0.3 * one.error)
        narrow = found.interval(axis, 0.5)
        assert ends[0] < narrow[0] < found.mean(axis) < narrow[1] < ends[1]
    outside = found.truth[:, None] + found.rival > 1 + 1e-9
    assert (found.mass[outside] == 0).all()


def test_a_limit_beyond_the_grid_moves_the_grid() -> None:
    fitted = fit(STAYS)
    far = Interval(None, 9.0, inf, None)
    found = posterior(STAYS, type(fitted)(**{**vars(fitted), "bias": far}))
    assert found.bias[0] < 9 < found.bias[-1] < 18
    assert (np.diff(found.bias) > 0).all()


def test_numbers_out_of_range_are_refused() -> None:
    with pytest.raises(SettingError, match="points"):
        posterior(STAYS, fit(STAYS), points=2)
    with pytest.raises(SettingError, match="level"):
        posterior(STAYS, fit(STAYS)).interval("bias", 95)
