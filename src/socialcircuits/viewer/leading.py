"""From a number of a report to the view that shows it best."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from socialcircuits.report.numbers import MEASURES
from socialcircuits.report.page import Number

__all__ = ["LEADS", "views"]

LEADS: Mapping[str, tuple[str, ...]] = {
    "adversaries": ("slope",),
    "agents": ("attribution",),
    "agreement": ("judge",),
    "averages": ("iceberg",),
    "contests": ("attribution",),
    "endpoints": ("sweep", "phase"),
    "explained": ("slope",),
    "exposed": ("iceberg",),
    "forms": ("slope",),
    "hazard": ("contagion",),
    "injected": ("contagion",),
    "judges_agreement": ("judge",),
    "judges_corrected": ("judge",),
    "judging": ("judge",),
    "labelled": ("tactics", "judge"),
    "paired": ("lanes",),
    "patched": ("patch",),
    "planted": ("probe",),
    "private": ("iceberg",),
    "rankings": ("attribution",),
    "schedules": ("attribution",),
    "seat": ("card",),
    "speed": ("iceberg",),
    "stances": ("iceberg",),
    "strata": ("slope",),
    "timing": ("shares",),
    "trends": ("slope",),
    "yields": ("probe",),
}
"""Table of a report -> views, the best first; a measure of any other table is shown by `sweep`."""

OWN: Mapping[str, tuple[str, ...]] = {
    "abandoned": ("knowledge",),
    "known_at_first": ("knowledge",),
    "rival_share": ("evidence",),
    "reversal": ("sweep",),
    "switch_after_correction": ("sweep",),
    "switch_after_endorsement": ("sweep",),
}
"""Quantity -> views that come before those of its table."""


def views(block: str, number: Number) -> list[str]:
    """Return where a number is seen, the best first: views with what they are asked to show, as in
    addresses. Which of them a run has is for the page to say; `runs` has all its trials.

    Args:
        block: name of the table or line in which it stands.
        number: the number.

    >>> from socialcircuits.report.page import Trail
    >>> views("accuracy", Number("uplift", 0.1, "+0.10", Trail("a mean")))
    ['sweep?measure=uplift', 'runs']
    """
    found = [*OWN.get(number.name, ()), *LEADS.get(block, ())]
    if number.name in MEASURES:
        found.append("sweep")
    asked = f"sweep?{urlencode({'measure': number.name})}"
    return [asked if one == "sweep" else one for one in dict.fromkeys((*found, "runs"))]
