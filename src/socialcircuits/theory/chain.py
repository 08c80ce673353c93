"""The exact chain of a finite group: who holds the truth after every single interaction.

Of N agents z_T are decided for the truth and z_R for the rival; they speak and never change. The
other z_0 are ambiguous, and n of them hold the truth. In a step a listener hears a speaker, both
drawn from the whole group, and an ambiguous listener takes a heard truth over with probability q_T
and a heard rival with q_R, where q_T + q_R = 1 and q_T / q_R = exp(h_0).

Times count steps. If speaker and listener are always two agents, as in the Flag Game's protocol and
unlike in its theory, every rate is larger by N / (N - 1) and nothing else changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, expm1, inf

import numpy as np
from numpy.typing import NDArray

from socialcircuits.errors import SettingError
from socialcircuits.theory import _checks, _limits, _steps
from socialcircuits.theory._binomial import binomial_law

__all__ = [
    "Chain",
    "absorption_steps",
    "acceptance",
    "fixation",
    "law_after",
    "limit_law",
    "neutral_eigenvalue",
    "rates",
    "step_moments",
]

Floats = NDArray[np.float64]
Start = int | Floats | None
"""Where a chain starts: n itself, a law over n, or None for z_0 independent fair beliefs."""


@dataclass(frozen=True)
class Chain:
    """One group: what the rates of its chain depend on.

    Args:
        n: number of agents N, from 1.
        truth: z_T, number of agents decided for the truth.
        rival: z_R, number decided for the rival; z_T + z_R <= N.
        bias: h_0, logarithm of q_T / q_R; 0 is neutral copying, above 0 favours the truth.
        self_pairs: whether a speaker may be its own listener.

    Raises:
        SettingError: a number is out of range.

    >>> Chain(8, 2, 1, bias=0.3).ambiguous
    5
    """

    n: int
    truth: int
    rival: int
    bias: float = 0.0
    self_pairs: bool = True

    def __post_init__(self) -> None:
        n = _checks.whole("n", self.n, least=1)
        truth = _checks.whole("truth", self.truth, most=n)
        _checks.whole("rival", self.rival, most=n - truth)
        _checks.finite("bias", self.bias)

    @property
    def ambiguous(self) -> int:
        """z_0, number of agents that are not decided."""
        return self.n - self.truth - self.rival


def acceptance(bias: float) -> tuple[float, float]:
    """Return (q_T, q_R), the probabilities to take over a heard truth and a heard rival.

    Args:
        bias: h_0, finite.

    Raises:
        SettingError: the bias is not a finite number.

    Source: Flag Game, section 5.2, social updating.

    >>> acceptance(0.0)
    (0.5, 0.5)
    >>> round(acceptance(0.3)[0], 6)
    0.574443
    """
    bias = _checks.finite("bias", bias)
    odds = exp(-abs(bias))
    likely, unlikely = 1 / (1 + odds), odds / (1 + odds)
    return (likely, unlikely) if bias >= 0 else (unlikely, likely)


def rates(chain: Chain) -> tuple[Floats, Floats]:
    """Return the probabilities (W+, W-) that a step changes n by +1 and by -1.

    Returns:
        Two arrays of shape (z_0 + 1,), index n.

    Source: Flag Game, equation 5.

    >>> up, down = rates(Chain(4, 1, 1))
    >>> up.tolist(), down.tolist()
    ([0.0625, 0.0625, 0.0], [0.0, 0.0625, 0.0625])
    """
    up, down = _padded_rates(chain)
    return up[_states(chain)], down[_states(chain)]


def step_moments(chain: Chain) -> tuple[Floats, Floats]:
    """Return mean and variance of the change of x = n / z_0 in one step.

    Returns:
        Two arrays of shape (z_0 + 1,), index n.

    Raises:
        SettingError: nobody is ambiguous, so x is not defined.

    Source: Flag Game, equation 10.

    >>> mean, variance = step_moments(Chain(4, 1, 1))
    >>> mean.tolist(), variance.tolist()
    ([0.03125, 0.0, -0.03125], [0.0146484375, 0.03125, 0.0146484375])
    """
    size = chain.ambiguous
    if not size:
        raise SettingError("truth", chain.truth, "fewer than all agents decided")
    up, down = rates(chain)
    return (up - down) / size, (up + down - (up - down) ** 2) / size**2


def law_after(chain: Chain, steps: int, start: Start = None) -> Floats:
    """Return the law of n after a number of steps, by stepping forward.

    Args:
        chain: the group.
        steps: t, from 0.
        start: n at t = 0, or its law of shape (z_0 + 1,), or None for independent fair beliefs.

    Returns:
        Probabilities, shape (z_0 + 1,), index n.

    Raises:
        SettingError: steps or start are out of range.

    Source: Flag Game, equation 9.

    >>> law_after(Chain(2, 1, 0), 1, start=0).tolist()
    [0.875, 0.125]
    """
    steps = _checks.whole("steps", steps)
    up, down = _padded_rates(chain)
    law = np.zeros_like(up)
    law[_states(chain)] = _start_law(chain, start)
    _steps.advance(law, up, down, steps)
    return law[_states(chain)]


def limit_law(chain: Chain, start: Start = None) -> Floats:
    """Return the law of n as t goes to infinity.

    With both kinds of zealots it is the stationary law. With one kind only all ambiguous agents end
    with it, though the wait may be long. Without zealots one of the two consensuses is reached by
    chance; only then does the start matter.

    Args:
        chain: the group.
        start: n at t = 0, or its law of shape (z_0 + 1,), or None for independent fair beliefs.

    Returns:
        Probabilities, shape (z_0 + 1,), index n.

    Raises:
        SettingError: the start is out of range.

    Source: Flag Game, equations 11 and 13.

    >>> limit_law(Chain(8, 2, 1)).round(6).tolist()
    [0.047619, 0.095238, 0.142857, 0.190476, 0.238095, 0.285714]
    """
    initial = None if start is None else _start_law(chain, start)
    law = np.zeros(chain.ambiguous + 1)
    if chain.truth and chain.rival:
        weights, bias = np.zeros(chain.n + 1), float(chain.bias)
        centre, _ = _limits.balance(chain.n, float(chain.truth), float(chain.rival), bias)
        zealots = (int(chain.truth), int(chain.rival))
        _limits.fill(weights, chain.n, zealots, centre, _limits.tilt(bias), 1e-300)
        law[:] = weights[chain.truth : chain.n - chain.rival + 1]
        law /= law.sum()
        return law
    if chain.truth or chain.rival:
        law[-1 if chain.truth else 0] = 1.0
        return law
    law[-1] = fixation(chain.n, chain.bias, initial)
    law[0] = fixation(chain.n, -chain.bias, None if initial is None else initial[::-1].copy())
    return law


def fixation(n: int, bias: float, start: Start = None) -> float:
    """Return the probability that a group without zealots ends with everybody at the truth.

    Args:
        n: number of agents N, from 1.
        bias: h_0, finite.
        start: number of truth holders at t = 0, or its law of shape (N + 1,), or None for
            independent fair beliefs.

    Raises:
        SettingError: a number is out of range.

    Source: Flag Game, equation 11, and its average over fair beliefs in closed form.

    >>> round(fixation(8, 0.3, start=4), 6)
    0.768525
    >>> round(fixation(8, 0.3), 6)
    0.737452
    """
    chain = Chain(n, 0, 0, bias)
    if start is None:
        return _limits.fair_fixation(chain.n, float(bias))
    initial, size = _start_law(chain, start), abs(float(bias))
    holders = np.arange(chain.n + 1)
    if size == 0:
        return float(initial @ holders) / chain.n
    chance = np.expm1(-size * holders) / expm1(-size * chain.n)
    if bias < 0:
        chance = np.exp(-size * (chain.n - holders)) * chance
    return float(initial @ chance)


def absorption_steps(chain: Chain, start: Start = None) -> float:
    """Return the mean number of steps until nothing can change any more.

    Args:
        chain: the group, with zealots of at most one kind.
        start: n at t = 0, or its law of shape (z_0 + 1,), or None for independent fair beliefs.

    Returns:
        Mean steps; infinite above the largest floating-point number.

    Raises:
        SettingError: there are zealots of both kinds and ambiguous agents, which never settle, or
            the start is out of range.

    Source: Flag Game, appendix G, truth spreading; first-step analysis of equation 5.

    >>> round(absorption_steps(Chain(8, 0, 0)), 6)
    72.734524
    """
    initial = _start_law(chain, start)
    if not chain.ambiguous:
        return 0.0
    if chain.truth and chain.rival:
        raise SettingError("rival", chain.rival, "0 if truth is above 0: both never settle")
    up, down = rates(chain)
    if chain.rival:
        up, down, initial = down[::-1].copy(), up[::-1].copy(), initial[::-1]
    times = _steps.absorption(up, down, not (chain.truth or chain.rival))
    reached = initial > 0
    mean = float(initial[reached] @ times[reached])
    return mean if np.isfinite(mean) else inf


def neutral_eigenvalue(chain: Chain, k: int) -> float:
    """Return the k-th eigenvalue of the step matrix of neutral copying.

    The k-th relaxes as its t-th power: 1 the mean, 2 the variance. Eigenvalue 0 is 1.

    Args:
        chain: the group, with bias 0.
        k: from 0 to z_0.

    Raises:
        SettingError: the bias is not 0 or k is out of range.

    Source: Flag Game, equation 5 at h_0 = 0; moments up to order k close.

    >>> neutral_eigenvalue(Chain(16, 1, 1), 1)
    0.99609375
    """
    if chain.bias != 0:
        raise SettingError("bias", chain.bias, "0, neutral copying")
    k = _checks.whole("k", k, most=chain.ambiguous)
    loss = k * (k - 1 + chain.truth + chain.rival) / (2 * chain.n**2)
    return 1 - loss * pace(chain.n, chain.self_pairs)


def pace(n: int, self_pairs: bool) -> float:
    """Return by how much steps go faster than in the theory: N / (N - 1) without self pairs.

    A single agent has nobody to hear, with or without.

    >>> pace(4, self_pairs=True), round(pace(4, self_pairs=False), 6)
    (1.0, 1.333333)
    """
    return 1.0 if self_pairs or n == 1 else n / (n - 1)


def _states(chain: Chain) -> slice:
    return slice(chain.truth + 1, chain.n - chain.rival + 2)


def _padded_rates(chain: Chain) -> tuple[Floats, Floats]:
    up, down = np.empty(chain.n + 3), np.empty(chain.n + 3)
    factor = pace(chain.n, chain.self_pairs)
    take, drop = acceptance(chain.bias)
    speeds = (take * factor, drop * factor)
    _steps.rates(up, down, int(chain.n), (int(chain.truth), int(chain.rival)), speeds)
    return up, down


def _start_law(chain: Chain, start: Start) -> Floats:
    size = chain.ambiguous
    if start is None:
        law: Floats = binomial_law(size, 0.5)
        return law
    if not isinstance(start, np.ndarray):
        law = np.zeros(size + 1)
        law[_checks.whole("start", start, most=size)] = 1.0
        return law
    law = np.array(start, dtype=float)
    if law.shape != (size + 1,) or not (law >= 0).all() or abs(law.sum() - 1) > _checks.ROUNDING:
        raise SettingError("start", start, f"{size + 1} probabilities that add up to 1")
    return law
