"""Many tests at once: p values adjusted for the family that they belong to."""

from __future__ import annotations

from collections.abc import Sequence

from socialcircuits.errors import SettingError

__all__ = ["benjamini_hochberg", "holm"]


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Adjust the p values of a declared family, by Holm's steps.

    If nothing is there in any of them, the chance that an adjusted p value is at most .05 is at
    most 5 %, however the tests hang together.

    Args:
        p_values: shape (tests,), above 0 and at most 1; no missing values.

    Returns:
        Adjusted p values in the order given, each at least the given one and at most 1.

    Raises:
        SettingError: a p value is not above 0 and at most 1.

    Source: Holm (1979).

    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    return _adjusted(p_values, "holm")


def benjamini_hochberg(p_values: Sequence[float]) -> tuple[float, ...]:
    """Adjust the p values of what was explored, by Benjamini and Hochberg's steps.

    Of the tests whose adjusted p value is at most .05, 5 % at most are expected to be nothing, if
    the tests are independent or lean the same way.

    Args:
        p_values: shape (tests,), above 0 and at most 1; no missing values.

    Returns:
        Adjusted p values in the order given, each at least the given one and at most 1.

    Raises:
        SettingError: a p value is not above 0 and at most 1.

    Source: Benjamini and Hochberg (1995).

    >>> [round(p, 3) for p in benjamini_hochberg([0.01, 0.04, 0.03])]
    [0.03, 0.04, 0.04]
    """
    return _adjusted(p_values, "fdr_bh")


def _adjusted(p_values: Sequence[float], method: str) -> tuple[float, ...]:
    for p in p_values:
        if not 0 < p <= 1:
            raise SettingError("p_values", p, "a number above 0 and at most 1")
    if not len(p_values):
        return ()
    from statsmodels.stats.multitest import multipletests

    return tuple(multipletests(list(p_values), method=method)[1].tolist())
