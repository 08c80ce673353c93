"""Forms of dependence: closed forms, and which one is found where the truth is known."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from socialcircuits.errors import SettingError
from socialcircuits.seeds import Stream
from socialcircuits.statistics.forms import Form, compare_forms

X = [0.0, 0.1, 0.2, 0.4]
QUESTIONS = [q for q in range(40) for _ in X]
VALUES = X * 40
SIZES = [10] * 160


def drawn(rates: list[float]) -> list[int]:
    stream = Stream(b"forms", str(rates))
    return [sum(stream.below(1000) < 1000 * rate for _ in range(10)) for rate in rates * 40]


def forms(events: list[int], seed: bytes = b"") -> dict[str, Form]:
    found = compare_forms(events, SIZES, VALUES, QUESTIONS, VALUES, seed)
    return {form.name: form for form in found}


@pytest.mark.parametrize(
    ("rates", "best"),
    [
        ([0.05, 0.2, 0.35, 0.65], "linear"),
        ([0.05, 0.05 + 0.3 * log(2), 0.05 + 0.3 * log(3), 0.05 + 0.3 * log(5)], "log"),
        ([0.1, 0.6, 0.6, 0.6], "step above 0"),
        ([0.1, 0.1, 0.1, 0.6], "step above 0.2"),
        ([0.1, 0.45, 0.6, 0.3], "quadratic"),
        ([0.3, 0.3, 0.3, 0.3], "constant"),
    ],
)
def test_the_true_form_is_found(rates: list[float], best: str) -> None:
    found = forms(drawn(rates))
    assert set(found) == {
        *("constant", "linear", "quadratic", "log"),
        *("step above 0", "step above 0.1", "step above 0.2"),
    }
    first = next(iter(found.values()))
    # The constant is a special case of all others, which lose to it by chance alone.
    assert found[best].behind <= (0 if best != "constant" else 2 * found[best].behind_error)
    assert (first.behind, first.behind_error) == (0, 0)
    scores = [form.score for form in found.values()]
    assert scores == sorted(scores, reverse=True)


def test_scores_by_hand() -> None:
    # Two questions are two groups; each is foretold by the other's counts and half an event.
    events, sizes, x = [1, 3, 2, 2], [4, 4, 4, 4], [0.0, 0.2, 0.0, 0.2]
    found = {form.name: form for form in compare_forms(events, sizes, x, ["a", "a", "b", "b"], x)}
    assert set(found) == {"constant", "linear", "step above 0"}

    def score(d: int, rate: float) -> float:
        return d * log(rate) + (4 - d) * log(1 - rate)

    step = [score(1, 0.5) + score(3, 0.5), score(2, 1.5 / 5) + score(2, 3.5 / 5)]
    assert found["step above 0"].score == pytest.approx(sum(step) / 16, abs=1e-9)
    assert found["linear"].score == pytest.approx(sum(step) / 16, abs=1e-9)
    spread = np.sum((np.array(step) - np.mean(step)) ** 2) * 2
    assert found["step above 0"].error == pytest.approx(np.sqrt(spread) / 16, abs=1e-9)
    constant = [score(1, 0.5) + score(3, 0.5), score(2, 0.5) + score(2, 0.5)]
    assert found["constant"].score == pytest.approx(sum(constant) / 16, abs=1e-9)
    behind = found["step above 0"].behind
    assert behind == pytest.approx((sum(constant) - sum(step)) / 16, abs=1e-9)
    # All questions together: 3 of 8 and 5 of 8, with the halves 3.5 of 9 and 5.5 of 9.
    fit = 3 * log(3.5 / 9) + 5 * log(5.5 / 9)
    assert found["step above 0"].aic == pytest.approx(4 - 4 * fit, abs=1e-9)
    assert found["constant"].aic == pytest.approx(2 - 32 * log(0.5), abs=1e-9)


def test_r2_of_means() -> None:
    found = forms([0, 2, 4, 8] * 40)
    assert found["linear"].r2 == pytest.approx(1)
    assert found["constant"].r2 == 0
    # Means 0, .2, .4, .8 about .35; steps of one mean against three.
    assert found["step above 0"].r2 == pytest.approx(0.75 * (1.4 / 3) ** 2 / 0.35)


def test_certain_rates_have_a_finite_score() -> None:
    found = forms([0, 0, 0, 10] * 40)
    assert next(iter(found)) == "step above 0.2"
    assert all(np.isfinite([form.score, form.aic]).all() for form in found.values())


def test_groups_come_from_the_seed() -> None:
    events = drawn([0.05, 0.2, 0.35, 0.65])
    assert forms(events, b"one") == forms(events, b"one")
    assert forms(events, b"one")["linear"].score != forms(events, b"two")["linear"].score


def test_one_value_leaves_the_constant() -> None:
    found = compare_forms([1, 2, 1], [4, 4, 4], [0.2] * 3, ["a", "b", "c"], [0] * 3)
    assert [form.name for form in found] == ["constant"]


def test_bad_input() -> None:
    with pytest.raises(SettingError, match="at least 2 questions"):
        compare_forms([1, 2], [4, 4], [0.0, 0.2], ["a", "a"], [0, 1])
    with pytest.raises(SettingError, match=r"x: -0\.2 is not allowed"):
        compare_forms([1, 2], [4, 4], [-0.2, 0.2], ["a", "b"], [0, 1])
    with pytest.raises(SettingError, match="one label a row"):
        compare_forms([1, 2], [4, 4], [0.0, 0.2], ["a", "b"], [0])
