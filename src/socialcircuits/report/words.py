"""Conditions and p values as text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from socialcircuits.statistics.paired import DRAWS


def setting(value: object) -> str:
    """Return the value of a setting as text, ``none`` where it is empty.

    >>> setting("1/5"), setting(False), setting("")
    ('1/5', 'False', 'none')
    """
    return "none" if value == "" else str(value)


def where(condition: Mapping[str, Any], *before: str) -> str:
    """Return a condition as text, after the names that stand before it; ``all`` for neither.

    >>> where({"N": 4, "verify": ""}, "A"), where({}, "")
    ('A, N = 4, verify = none', 'all')
    """
    parts = [*before, *(f"{name} = {setting(value)}" for name, value in condition.items())]
    return ", ".join(filter(None, parts)) or "all"


def p_text(p: float | None, exact: bool | None = True) -> str:
    """Return a p value as text, as a bound where it is the smallest that drawing can give.

    >>> p_text(0.0312), p_text(1e-05, exact=False), p_text(None)
    ('0.031', '<= 1e-05', '')
    """
    if p is None:
        return ""
    floor = 1 / (1 + DRAWS)
    if not exact and p <= floor:
        return f"<= {floor:.0e}"
    return f"{p:.3f}" if p >= 0.001 else f"{p:.1g}"
