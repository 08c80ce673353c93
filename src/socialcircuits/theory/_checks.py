"""What the functions of this package accept, said once: each fault gives one clear error."""

from __future__ import annotations

from math import isfinite
from numbers import Real
from operator import index
from typing import SupportsIndex, cast

from socialcircuits.errors import SettingError

ROUNDING = 1e-12
"""Shares that add up to one by design may exceed it by this much."""

LARGEST_ROUNDS = 1_000_000
"""Most rounds that are calculated or simulated."""


def whole(where: str, given: object, least: int = 0, most: int | None = None) -> int:
    """Return an integer from `least` to `most`; anything else is an error.

    Raises:
        SettingError: the number is no integer or out of range.

    >>> whole("n", 128, least=1)
    128
    """
    limits = f"from {least}" if most is None else f"from {least} to {most}"
    try:
        number = index(cast(SupportsIndex, given))
    except TypeError:
        number = None
    if number is None or number < least or (most is not None and number > most):
        raise SettingError(where, given, f"an integer {limits}")
    return number


def whole_rounds(given: object) -> int:
    """Return a number of rounds; more than a million are refused.

    Raises:
        SettingError: the number is no integer or out of range.

    >>> whole_rounds(10)
    10
    """
    return whole("rounds", given, most=LARGEST_ROUNDS)


def finite(where: str, given: object) -> float:
    """Return a finite number; anything else is an error.

    Raises:
        SettingError: it is no number, not finite or NaN.

    >>> finite("bias", 0.3)
    0.3
    """
    if not isinstance(given, Real) or not isfinite(given):
        raise SettingError(where, given, "a finite number")
    return float(given)


def share(where: str, given: object) -> float:
    """Return a number from 0 to 1; anything else is an error.

    Raises:
        SettingError: it is no number from 0 to 1.

    >>> share("truth", 0.25)
    0.25
    """
    if not isinstance(given, Real) or not 0 <= float(given) <= 1:
        raise SettingError(where, given, "a number from 0 to 1")
    return float(given)


def evidence(truth: object, rival: object) -> tuple[float, float]:
    """Return the two shares of decided agents, which add up to at most one.

    Raises:
        SettingError: a share is not from 0 to 1, or both add up to more.

    >>> evidence(0.25, 0.75)
    (0.25, 0.75)
    """
    first, second = share("truth", truth), share("rival", rival)
    if first + second > 1 + ROUNDING:
        raise SettingError("rival", rival, f"at most 1 - truth = {1 - first:g}")
    return first, min(second, 1 - first)
