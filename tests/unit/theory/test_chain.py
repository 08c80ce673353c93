"""The exact chain against its matrix, on groups small enough to write it down."""

from __future__ import annotations

from itertools import pairwise
from math import inf, isinf, nan
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from socialcircuits.errors import SettingError
from socialcircuits.theory.chain import (
    Chain,
    absorption_steps,
    acceptance,
    fixation,
    law_after,
    limit_law,
    neutral_eigenvalue,
    rates,
    step_moments,
)

Floats = NDArray[np.float64]
GROUPS = [
    Chain(8, 2, 1, 0.3),
    Chain(8, 2, 1, -4.0),
    Chain(7, 0, 2, 0.5),
    Chain(7, 3, 0, -0.2),
    Chain(6, 0, 0, 0.1),
    Chain(5, 2, 3),
    Chain(2, 0, 0),
    Chain(1, 0, 0),
]


def matrix(chain: Chain) -> Floats:
    """The step matrix counted over all pairs of speaker and listener; rows are from."""
    take, drop = acceptance(chain.bias)
    size, n = chain.ambiguous, chain.n
    steps = np.zeros((size + 1, size + 1))
    for held in range(size + 1):
        truths = [True] * chain.truth + [False] * chain.rival
        truths += [True] * held + [False] * (size - held)
        free = [False] * (n - size) + [True] * size
        pairs = [(a, b) for a in range(n) for b in range(n) if a != b or chain.self_pairs]
        for speaker, listener in pairs:
            change = int(truths[speaker]) - int(truths[listener])
            chance = (take if change > 0 else drop) / len(pairs)
            if free[listener] and change:
                steps[held, held + change] += chance
        steps[held, held] = 1 - steps[held].sum()
    return steps


@pytest.mark.parametrize("chain", GROUPS)
@pytest.mark.parametrize("self_pairs", [True, False])
def test_rates_and_laws_against_every_pair(chain: Chain, self_pairs: bool) -> None:
    chain = Chain(chain.n, chain.truth, chain.rival, chain.bias, self_pairs)
    steps = matrix(chain)
    up, down = rates(chain)
    assert up[:-1] == pytest.approx(np.diag(steps, 1), rel=1e-13)
    assert down[1:] == pytest.approx(np.diag(steps, -1), rel=1e-13)
    for t in (0, 1, 7, 40):
        law = law_after(chain, t)
        start = law_after(chain, 0)
        assert law == pytest.approx(start @ np.linalg.matrix_power(steps, t), rel=1e-10, abs=1e-14)


@pytest.mark.parametrize("chain", GROUPS)
def test_the_limit_is_what_stepping_reaches(chain: Chain) -> None:
    for start in (None, 0, chain.ambiguous):
        reached = law_after(chain, 200_000, start)
        assert reached == pytest.approx(limit_law(chain, start), abs=1e-11)


def test_stepping_from_a_law_is_linear() -> None:
    chain = Chain(8, 2, 1, 0.3)
    mixed = np.array([0.25, 0, 0, 0, 0, 0.75])
    apart = 0.25 * law_after(chain, 9, 0) + 0.75 * law_after(chain, 9, 5)
    assert law_after(chain, 9, mixed) == pytest.approx(apart, rel=1e-13)


def test_a_far_tail_is_dropped_and_nothing_else() -> None:
    chain = Chain(400, 1, 1, 0.3)
    law = law_after(chain, 2000, 200)
    up, down = rates(chain)
    expected = np.zeros(399)
    expected[200] = 1
    for _ in range(2000):
        stay = expected * (1 - up - down)
        stay[1:] += (expected * up)[:-1]
        stay[:-1] += (expected * down)[1:]
        expected = stay
    assert law == pytest.approx(expected, rel=1e-12, abs=1e-50)
    assert law.sum() == pytest.approx(1, abs=1e-13)


def test_without_self_pairs_time_runs_faster() -> None:
    slow, fast = Chain(20, 1, 0, -1.0), Chain(20, 1, 0, -1.0, self_pairs=False)
    assert absorption_steps(fast) == pytest.approx(absorption_steps(slow) * 19 / 20, rel=1e-12)
    assert limit_law(fast).tolist() == limit_law(slow).tolist()


@pytest.mark.parametrize("chain", [Chain(8, 0, 0, 0.4), Chain(9, 2, 0, -0.3), Chain(9, 0, 2, 0.3)])
def test_absorption_solves_the_first_step_equations(chain: Chain) -> None:
    steps, size = matrix(chain), chain.ambiguous
    inside = [n for n in range(size + 1) if steps[n, n] < 1]
    system = np.eye(len(inside)) - steps[np.ix_(inside, inside)]
    expected = np.linalg.solve(system, np.ones(len(inside)))
    found = [absorption_steps(chain, n) for n in inside]
    assert found == pytest.approx(expected, rel=1e-9)
    start = law_after(chain, 0)
    assert absorption_steps(chain) == pytest.approx(start[inside] @ expected, rel=1e-9)


def test_absorption_that_takes_for_ever() -> None:
    assert absorption_steps(Chain(8, 8, 0)) == 0
    assert absorption_steps(Chain(8, 0, 3), start=0) == 0
    assert isinf(absorption_steps(Chain(1000, 1, 0, -40.0)))
    with pytest.raises(SettingError, match="never settle"):
        absorption_steps(Chain(8, 1, 1))


def test_fixation_of_rare_beliefs_keeps_its_digits() -> None:
    assert fixation(1000, -40.0, start=999) == pytest.approx(np.exp(-40.0), rel=1e-12)
    assert fixation(91, 5e-324) == 0.5
    assert fixation(50, 1e-13) == pytest.approx(0.5, rel=1e-11)
    assert fixation(3, -800.0) == pytest.approx(1 / 8)
    assert fixation(8, 0.3, np.array([0, 0, 0, 0, 1.0, 0, 0, 0, 0])) == fixation(8, 0.3, start=4)


def test_eigenvalues_of_neutral_copying() -> None:
    chain = Chain(9, 2, 1, self_pairs=False)
    expected = sorted(np.linalg.eigvals(matrix(chain)).real, reverse=True)
    found = [neutral_eigenvalue(chain, k) for k in range(chain.ambiguous + 1)]
    assert found == pytest.approx(expected, abs=1e-10)
    assert all(first > second for first, second in pairwise(found))


def test_moments_of_one_step() -> None:
    chain = Chain(9, 2, 1, 0.3)
    steps = matrix(chain)
    x = np.arange(7) / 6
    mean, variance = step_moments(chain)
    assert mean == pytest.approx(steps @ x - x, abs=1e-15)
    assert variance == pytest.approx(steps @ x**2 - (steps @ x) ** 2, abs=1e-15)


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: Chain(0, 0, 0), "n"),
        (lambda: Chain(8, 9, 0), "truth"),
        (lambda: Chain(8, 4, 5), "rival"),
        (lambda: Chain(8, 4, -1), "rival"),
        (lambda: Chain(8, 1, 1, nan), "bias"),
        (lambda: Chain(8, 1, 1, "x"), "bias"),  # type: ignore[arg-type]
        (lambda: acceptance(inf), "bias"),
        (lambda: law_after(Chain(8, 1, 1), -1), "steps"),
        (lambda: law_after(Chain(8, 1, 1), 1.5), "steps"),  # type: ignore[arg-type]
        (lambda: law_after(Chain(8, 1, 1), 1, start=7), "start"),
        (lambda: law_after(Chain(8, 1, 1), 1, start=np.ones(7)), "start"),
        (lambda: limit_law(Chain(2, 0, 0), start=np.array([0.5, 0.5])), "start"),
        (lambda: limit_law(Chain(2, 0, 0), start=np.array([nan, 0.5, 0.5])), "start"),
        (lambda: step_moments(Chain(4, 2, 2)), "truth"),
        (lambda: neutral_eigenvalue(Chain(4, 1, 1, 0.1), 1), "bias"),
        (lambda: neutral_eigenvalue(Chain(4, 1, 1), 3), "k"),
    ],
)
def test_bad_input_is_named(call: Any, named: str) -> None:
    with pytest.raises(SettingError) as caught:
        call()
    assert caught.value.where == named
