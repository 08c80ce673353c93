from __future__ import annotations

from math import exp, log, sqrt

import pytest

from socialcircuits.errors import SettingError
from socialcircuits.statistics.dose import half_dose, monotone

DOSES = [0, 1, 3, 8]


def test_half_is_found_on_the_logarithmic_scale() -> None:
    found = half_dose(DOSES, [0, 25, 75, 100], [100] * 4)
    assert found.value == pytest.approx(sqrt(2 * 4) - 1)
    assert half_dose(DOSES, [0, 0, 50, 100], [100] * 4).value == pytest.approx(3)
    between = half_dose(DOSES, [0, 0, 40, 80], [100] * 4).value
    assert between == pytest.approx(exp(log(4) + log(9 / 4) / 4) - 1)


def test_a_half_outside_the_doses_is_said_not_guessed() -> None:
    never = half_dose(DOSES, [0, 0, 0, 0], [100] * 4)
    assert (never.value, never.low, never.high) == ("beyond 8",) * 3
    always = half_dose(DOSES, [0, 100, 100, 100], [100] * 4)
    assert (always.value, always.low, always.high) == ("below 1",) * 3
    few = half_dose(DOSES, [0, 1, 2, 3], [4] * 4)
    assert (few.low, few.high) == ("below 1", "beyond 8")
    assert few.warnings == ("only 4 units of evidence",)


def test_doses_without_units_are_left_out() -> None:
    found = half_dose(DOSES, [0, 10, 20, 0], [100, 100, 100, 0])
    assert (found.value, found.n) == ("beyond 3", 100)
    nothing = half_dose(DOSES, [0] * 4, [0] * 4)
    assert (nothing.value, nothing.low, nothing.high, nothing.n) == (None, None, None, 0)
    assert half_dose(DOSES, [3, 0, 0, 0], [9, 0, 0, 0]).value is None


def test_the_interval_narrows_with_n_and_holds_the_value() -> None:
    widths = []
    for n in (20, 80, 320):
        found = half_dose(DOSES, [0, n // 5, n // 2, n], [n] * 4)
        low, value, high = found.low, found.value, found.high
        assert isinstance(low, float)
        assert isinstance(value, float)
        assert isinstance(high, float)
        assert low <= value <= high
        widths.append(high - low)
    assert widths == sorted(widths, reverse=True)


def test_curves_that_fall_are_pooled() -> None:
    assert monotone([0.5, 0.3, 0.1], [1, 1, 2]) == pytest.approx([0.25] * 3)
    assert monotone([0.0, 0.2, 0.9], [3, 1, 1]) == [0.0, 0.2, 0.9]
    # 80 of 100 after one peer and 10 of 100 after three pool to less than half.
    found = half_dose(DOSES, [0, 80, 10, 60], [100] * 4)
    assert isinstance(found.value, float)
    assert 3 < found.value < 8
    assert found.low == "below 1"


@pytest.mark.parametrize(
    ("doses", "lost", "n"),
    [
        ([], [], []),
        ([0], [1], [2]),
        ([0, 3, 1], [0, 0, 0], [1, 1, 1]),
        ([-1, 3], [0, 0], [1, 1]),
        ([0, 1], [0, 2], [1, 1]),
        ([0, 1], [0, -1], [1, 1]),
        ([0, 1], [0], [1, 1]),
    ],
)
def test_bad_doses_are_refused(doses: list[int], lost: list[int], n: list[int]) -> None:
    with pytest.raises(SettingError):
        half_dose(doses, lost, n)
