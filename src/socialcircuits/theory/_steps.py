"""The chain step by step: forward stepping of its law, and mean times until it is absorbed.

Laws are arrays over the number k of truth holders in the whole group, decided ones included, with
one empty place before k = 0 and one after k = N: the probability of k stands at index k + 1.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_NEGLIGIBLE = 1e-60
"""States at the ends of the law with less probability than this are dropped."""

SETTLED = 1e-15
"""Stepping ends where all steps left together can change the law by no more than this."""


@njit(cache=True, error_model="numpy")
def rates(
    up: Floats, down: Floats, n: int, zealots: tuple[int, int], speeds: tuple[float, float]
) -> None:
    """Write the probabilities that one step changes k by +1 and -1; shape (n + 3,) each.

    Speeds are q_T and q_R, times N / (N - 1) if nobody hears itself.
    """
    truth, rival = zealots
    up[:] = 0.0
    down[:] = 0.0
    square = float(n) * n
    for k in range(truth, n - rival + 1):
        up[k + 1] = speeds[0] * (n - rival - k) * k / square
        down[k + 1] = speeds[1] * (k - truth) * (n - k) / square


@njit(cache=True, error_model="numpy")
def _step(new: Floats, old: Floats, up: Floats, down: Floats) -> None:
    """One step on a stretch of states; all arrays have one more place at either end."""
    for i in range(len(new) - 2):
        here = old[i + 1] * (1.0 - up[i + 1] - down[i + 1])
        new[i + 1] = here + old[i] * up[i] + old[i + 2] * down[i + 2]


@njit(cache=True, error_model="numpy")
def advance(law: Floats, up: Floats, down: Floats, steps: int) -> float:
    """Move a law forward in place; return the L1 norm of the last step's change.

    The change of a step never exceeds that of the step before, so the steps left can be left out
    once their number times the change is negligible.
    """
    old, new = law, np.zeros_like(law)
    low, high, change = 1, len(law) - 2, 0.0
    for done in range(1, steps + 1):
        while low < high and old[low] < _NEGLIGIBLE:
            old[low] = 0.0
            low += 1
        while low < high and old[high] < _NEGLIGIBLE:
            old[high] = 0.0
            high -= 1
        low, high = max(1, low - 1), min(len(law) - 2, high + 1)
        # The next step may read one place beyond the ends it widens.
        new[max(0, low - 2) : low] = 0.0
        new[high + 1 : high + 3] = 0.0
        stretch = slice(low - 1, high + 2)
        _step(new[stretch], old[stretch], up[stretch], down[stretch])
        if done % len(law) == 0 or done == steps:
            change = np.abs(new[stretch] - old[stretch]).sum()
        old, new = new, old
        if done % len(law) == 0 and change * (steps - done) < SETTLED:
            break
    law[:low] = 0.0
    law[high + 1 :] = 0.0
    law[low : high + 1] = old[low : high + 1]
    return change


@njit(cache=True, error_model="numpy")
def absorption(up: Floats, down: Floats, lower: bool) -> Floats:
    """Return the mean steps until k leaves its transient states, from each state.

    `up` and `down` are rates of the states in order, the last absorbing, the first too if `lower`.
    Elimination of the tridiagonal system with positive terms only, so nothing cancels.
    """
    size = len(up)
    stays, times = np.zeros(size), np.zeros(size)
    lost, time = (1.0, 0.0) if lower else (0.0, 0.0)
    for i in range(1 if lower else 0, size - 1):
        back = down[i] * lost if i else 0.0
        total = back + up[i]
        time = (1.0 + (down[i] * time if i else 0.0)) / total
        lost = back / total
        stays[i], times[i] = up[i] / total, time
    for i in range(size - 2, -1, -1):
        times[i] += stays[i] * times[i + 1]
    return times
