"""Mixed models against numerical integrals, plain logistic models, and what cannot be fitted."""

from __future__ import annotations

from math import comb, log

import numpy as np
import pytest
from scipy import integrate, stats
from scipy.special import expit

from socialcircuits.errors import SettingError
from socialcircuits.seeds import Stream
from socialcircuits.statistics import _random_effects
from socialcircuits.statistics.mixed import likelihood_ratio, logistic_mixed

QUESTIONS = [q for q in range(8) for _ in range(6)]
PROPORTION = [0.0, 0.0, 0.2, 0.2, 0.4, 0.4] * 8
COUNT = [0.0, 0.0, 1.0, 2.0, 2.0, 4.0] * 8
SIZES = [2, 8, 4, 6, 3, 5] * 8


def drawn(deviation: float, name: str = "events") -> list[int]:
    """Events at log-odds -1.5 + 4 p, with questions spread evenly over a normal distribution."""
    stream = Stream(b"mixed", name)
    shifts = deviation * stats.norm.ppf((np.arange(8) + 0.5) / 8)
    return [
        sum(stream.below(10**6) < 10**6 * expit(-1.5 + 4 * p + shifts[q]) for _ in range(n))
        for q, p, n in zip(QUESTIONS, PROPORTION, SIZES, strict=True)
    ]


EVENTS = drawn(1.0)


def rows(size: int = 1) -> _random_effects.Rows:
    """The counts, each trial with so many of the rows."""
    design = np.column_stack([np.ones(48), PROPORTION])
    return _random_effects.Rows(
        np.array(EVENTS, float),
        np.array(SIZES, float),
        design,
        np.array(QUESTIONS),
        np.arange(8) * 6,
        np.arange(48) // size,
        np.arange(48 // size) * size,
    )


@pytest.mark.parametrize("size", [1, 3])
@pytest.mark.parametrize("t", [None, 0.0, 0.5, -0.5])
@pytest.mark.parametrize("s", [0.0, 0.8, 4.0])
def test_the_gradient_is_the_slope(s: float, t: float | None, size: int) -> None:
    data = rows(size)

    def value(at: np.ndarray) -> tuple[float, np.ndarray]:
        return _random_effects.log_likelihood(data, at[:2], at[2], None if t is None else at[3])

    at = np.array([-1.2, 3.0, s, t][: 3 if t is None else 4], float)
    for i, move in enumerate(np.eye(len(at)) * 1e-5):
        slope = (value(at + move)[0] - value(at - move)[0]) / 2e-5
        assert value(at)[1][i] == pytest.approx(slope, abs=1e-5)


def test_the_quadrature_is_the_integral() -> None:
    data, effects, s = rows(), np.array([-1.5, 4.0]), 1.1
    total = 0.0
    for q in range(8):
        own = slice(6 * q, 6 * q + 6)
        events, sizes, fixed = data.events[own], data.sizes[own], (data.design @ effects)[own]

        def joint(
            u: float, events: np.ndarray = events, n: np.ndarray = sizes, x: np.ndarray = fixed
        ) -> float:
            chance = expit(x + s * u)
            each = chance**events * (1 - chance) ** (n - events)
            return float(np.prod(each) * stats.norm.pdf(u))

        total += log(integrate.quad(joint, -12, 12, epsabs=0, epsrel=1e-10)[0])
    found, _ = _random_effects.log_likelihood(data, effects, s, None)
    assert found == pytest.approx(total, abs=1e-7)


@pytest.mark.parametrize("trial", [[0, 1], [0, 0, 1], [0, 1, 1, 1]])
def test_laplace_is_a_determinant_at_the_mode(trial: list[int]) -> None:
    # One question of two trials: the joint density's second derivatives as a matrix.
    n = len(trial)
    data = _random_effects.Rows(
        np.array([1.0, 3.0, 0.0, 2.0][:n]),
        np.array([4.0, 5.0, 2.0, 2.0][:n]),
        np.ones((n, 1)),
        np.zeros(n, int),
        np.array([0]),
        np.array(trial),
        np.array([0, trial.index(1)]),
    )
    s, t = 0.9, 0.6
    loads = np.array([[s, t * (of == 0), t * (of == 1)] for of in trial])
    z = np.zeros(3)
    for _ in range(50):
        chance = expit(-0.3 + loads @ z)
        slope = loads.T @ (data.events - data.sizes * chance) - z
        curve = loads.T @ np.diag(data.sizes * chance * (1 - chance)) @ loads + np.eye(3)
        z = z + np.linalg.solve(curve, slope)
    chance = expit(-0.3 + loads @ z)
    density = data.events @ np.log(chance) + (data.sizes - data.events) @ np.log(1 - chance)
    expected = density - z @ z / 2 - np.linalg.slogdet(curve)[1] / 2
    found, _ = _random_effects.log_likelihood(data, np.array([-0.3]), s, t)
    assert found == pytest.approx(expected, abs=1e-10)


def test_rows_of_a_trial_are_the_trial() -> None:
    # Each agent a row of its own, shuffled, says what the counts say.
    whole = logistic_mixed(EVENTS, SIZES, {"p": PROPORTION}, QUESTIONS)
    agents = [
        (i, j < d) for i, (d, n) in enumerate(zip(EVENTS, SIZES, strict=True)) for j in range(n)
    ]
    agents = Stream(b"mixed", "order").shuffled(agents)
    parts = logistic_mixed(
        [int(event) for _, event in agents],
        [1] * len(agents),
        {"p": [PROPORTION[i] for i, _ in agents]},
        [QUESTIONS[i] for i, _ in agents],
        trials=[i % 6 for i, _ in agents],
    )
    assert parts.data == whole.data
    assert parts.deviations == pytest.approx(whole.deviations, abs=1e-5)
    assert parts.errors == pytest.approx(whole.errors, rel=1e-4)
    assert parts.log_likelihood is not None
    assert whole.log_likelihood is not None
    ways = sum(log(comb(n, d)) for d, n in zip(EVENTS, SIZES, strict=True))
    assert parts.log_likelihood + ways == pytest.approx(whole.log_likelihood, abs=1e-6)
    with pytest.raises(SettingError, match="trials"):
        logistic_mixed(EVENTS, SIZES, {}, QUESTIONS, trials=[1])


def test_a_deviation_of_zero_is_the_plain_logistic_model_and_is_said() -> None:
    rates = [round(n * expit(-1.5 + 4 * p)) for p, n in zip(PROPORTION, SIZES, strict=True)]
    fit = logistic_mixed(rates, SIZES, {"p": PROPORTION}, QUESTIONS)
    assert not fit.why
    assert fit.deviations == {"question": 0.0, "trial": 0.0}
    assert "highest where the deviation of question is 0" in fit.method
    b, design = np.zeros(2), np.column_stack([np.ones(48), PROPORTION])
    for _ in range(30):
        chance = expit(design @ b)
        weights = np.array(SIZES) * chance * (1 - chance)
        covariance = np.linalg.inv(design.T @ (weights[:, None] * design))
        b = b + covariance @ design.T @ (np.array(rates) - np.array(SIZES) * chance)
    assert [e.value for e in fit.coefficients.values()] == pytest.approx(b, abs=1e-5)
    assert list(fit.errors.values()) == pytest.approx(np.sqrt(np.diag(covariance)), rel=1e-4)
    assert fit.log_likelihood is not None
    chance = expit(design @ b)
    assert fit.log_likelihood == pytest.approx(
        sum(
            log(comb(n, d) * p**d * (1 - p) ** (n - d))
            for d, n, p in zip(rates, SIZES, chance.tolist(), strict=True)
        ),
        abs=1e-6,
    )


def test_order_and_rows_without_agents_do_not_matter() -> None:
    fit = logistic_mixed(EVENTS, SIZES, {"p": PROPORTION}, QUESTIONS)
    back = logistic_mixed(
        [0, *EVENTS[::-1]],
        [0, *SIZES[::-1]],
        {"p": [9.0, *PROPORTION[::-1]]},
        [8, *QUESTIONS[::-1]],
    )
    assert back.data == fit.data
    assert back.data["trials"] == 48
    assert back.errors["p"] == pytest.approx(fit.errors["p"], rel=1e-6)
    assert back.log_likelihood == pytest.approx(fit.log_likelihood, abs=1e-8)


def test_the_ratio_by_hand() -> None:
    full = logistic_mixed(EVENTS, SIZES, {"p": PROPORTION, "k": COUNT}, QUESTIONS)
    reduced = logistic_mixed(EVENTS, SIZES, {"p": PROPORTION}, QUESTIONS)
    found = likelihood_ratio(full, reduced)
    assert full.log_likelihood is not None
    assert reduced.log_likelihood is not None
    expected = 2 * (full.log_likelihood - reduced.log_likelihood)
    assert (found.degrees, found.why) == (1, "")
    assert found.statistic == pytest.approx(expected)
    assert found.p == pytest.approx(stats.chi2.sf(expected, 1))
    assert likelihood_ratio(full, logistic_mixed(EVENTS, SIZES, {}, QUESTIONS)).degrees == 2


def test_the_ratio_needs_nested_models_of_the_same_counts() -> None:
    full = logistic_mixed(EVENTS, SIZES, {"p": PROPORTION}, QUESTIONS)
    with pytest.raises(SettingError, match="some of the columns"):
        likelihood_ratio(full, logistic_mixed(EVENTS, SIZES, {"k": COUNT}, QUESTIONS))
    with pytest.raises(SettingError, match="those of the full model"):
        likelihood_ratio(full, logistic_mixed(EVENTS, SIZES, {}, QUESTIONS, trials=False))
    with pytest.raises(SettingError, match="those of the full model"):
        likelihood_ratio(full, logistic_mixed(EVENTS[6:], SIZES[6:], {}, QUESTIONS[6:]))


ODD = [float(q % 2) for q in QUESTIONS]


@pytest.mark.parametrize(
    ("events", "columns", "questions", "why"),
    [
        ([0] * 48, {"p": PROPORTION}, QUESTIONS, "none of the agents"),
        (SIZES, {"p": PROPORTION}, QUESTIONS, "all of the agents"),
        (EVENTS, {"p": [0.2] * 48}, QUESTIONS, "p is a combination"),
        (EVENTS, {"p": PROPORTION}, [1] * 48, "1 questions"),
        (EVENTS, {"p": PROPORTION}, list(range(48)), "one trial a question"),
        (
            [d * int(o) for d, o in zip(EVENTS, ODD, strict=True)],
            {"o": ODD},
            QUESTIONS,
            "separation",
        ),
    ],
)
def test_what_cannot_be_fitted(
    events: list[int], columns: dict[str, list[float]], questions: list[int], why: str
) -> None:
    fit = logistic_mixed(events, SIZES, columns, questions)
    assert why in fit.why
    assert (fit.log_likelihood, fit.errors, fit.deviations) == (None, {}, {})
    assert all(estimate.value is None for estimate in fit.coefficients.values())
    found = likelihood_ratio(fit, logistic_mixed(events, SIZES, {}, questions))
    assert (found.statistic, found.p) == (None, None)
    assert found.why


@pytest.mark.parametrize("trials", [True, False])
def test_questions_of_all_or_nothing_are_refused(trials: bool) -> None:
    events = [n * (q % 2) for q, n in zip(QUESTIONS, SIZES, strict=True)]
    fit = logistic_mixed(events, SIZES, {"p": PROPORTION}, QUESTIONS, trials=trials)
    assert fit.why
    assert fit.coefficients["p"].value is None


def test_no_rows() -> None:
    assert logistic_mixed([], [], {"p": []}, []).why.startswith("0 questions")
