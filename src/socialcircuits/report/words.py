"""Conditions, p values and verdicts as text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from socialcircuits.report.page import Adjusted, Number
from socialcircuits.statistics import LEVEL
from socialcircuits.statistics.paired import DRAWS
from socialcircuits.studies import Study

UNITS = {"questions": "questions", "claims": "items", "documents": "documents"}
"""World -> what a replicate is there, where it is no seed."""


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


def units(study: Study) -> str:
    """Return what the replicates of a study are.

    >>> units(Study(name="mine", world={"kind": "questions"}))
    'questions'
    """
    return UNITS.get(str(study.world.get("kind")), "seeds")


def plain(name: str) -> str:
    """Return a name in words.

    >>> plain("honest_defection")
    'honest defection'
    """
    return name.replace("_", " ")


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


def adjusted_text(adjusted: Adjusted) -> str:
    """Return an adjusted p value as text, with the way and the number of tests.

    >>> adjusted_text(Adjusted(0.048, declared=True, among=4))
    '0.048 Holm of 4'
    """
    way = "Holm" if adjusted.declared else "BH"
    return f"{p_text(adjusted.p)} {way} of {adjusted.among}"


def address(name: str, run: str = "") -> str:
    """Return where a number stands in the viewer: the part of the page's address behind its file.

    Args:
        name: the number's id.
        run: the run, as a page that holds several names it; empty for the only one.

    >>> address("accuracy.2.uplift"), address("accuracy.2.uplift", "a b.db")
    ('#/numbers?number=accuracy.2.uplift', '#/numbers?number=accuracy.2.uplift&run=a+b.db')
    """
    asked = {"number": name, **({"run": run} if run else {})}
    return f"#/numbers?{urlencode(asked, errors='replace')}"


def verdict(number: Number) -> str:
    """Return what the test of a number comes to: by its interval, or by its p where it has none.

    What is open is no proof of nothing: beside it stands what would have been found.

    >>> from socialcircuits.report.page import Trail
    >>> from socialcircuits.statistics import Significance
    >>> test = Significance(0.4, "sign flips")
    >>> verdict(Number("x", 0.1, "0.10", Trail("x"), -0.2, 0.4, test=test, detectable="0.35"))
    'open: 0.35 would have been found'
    """
    if number.test is None or number.value is None:
        return ""
    if number.low is None or number.high is None:
        found = "differs" if number.test.p <= 1 - LEVEL else ""
    else:
        found = (
            "higher" if number.low > number.null else "lower" if number.high < number.null else ""
        )
    if found and number.test.p > 1 - LEVEL:
        return f"{found} by its interval, not by its test"
    if found and number.adjusted and number.adjusted.p > 1 - LEVEL:
        return f"{found}, but not when adjusted"
    if found or not number.detectable:
        return found or "open"
    return f"open: {number.detectable} would have been found"
