"""What agents were told, in lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from socialcircuits.analyses.parity import Contrast, Group, Parity, parity
from socialcircuits.errors import UsageError
from socialcircuits.studies import Run

IMAGINED = "simulated agents read no prompts; this is what a model that reads text would be told"

MOST_LINES = 8
"""Most differences that a report lists."""

LONGEST = 140
"""Most characters of a line of a prompt in a report."""


def lines(found: Parity) -> Iterator[str]:
    """Yield a parity in full: settings, groups of conditions, and the difference of prompts."""
    if found.imagined:
        yield f"Prompts: {IMAGINED}."
    if found.settings:
        yield "Settings that differ (the first run there, the second now):"
        yield from (f"  {line}" for line in found.settings)
    yield "Conditions by what their agents are told:"
    yield from (f"  {_group(group)}" for group in found.groups)
    for contrast in found.contrasts:
        yield ""
        yield from _contrast(contrast)
    if found.same:
        yield "No prompt differs."


def brief(run: Run) -> Iterator[str]:
    """Yield what a report says: whether the conditions of a run were told the same, a line a
    difference, and how to see them in full."""
    conditions = len(run.plan.cells)
    if conditions < 2:
        return
    try:
        found = parity(run)
    except UsageError as error:
        yield f"Told: unknown: {error}"
        return
    note = f" ({IMAGINED})" if found.imagined else ""
    if found.same:
        yield f"Told: the same in all {conditions} conditions{note}."
        return
    groups = len(found.groups)
    yield f"Told: {groups} different things in {conditions} conditions{note}. Against the first:"
    for contrast in found.contrasts[:MOST_LINES]:
        yield f"  {contrast.second}: {_first(contrast)}"
    if len(found.contrasts) > MOST_LINES:
        yield f"  and {len(found.contrasts) - MOST_LINES} more"
    yield f"  In full: socialcircuits parity {run.path}"


def _group(group: Group) -> str:
    beside = "; ".join(
        f"{name} {', '.join(map(str, values))}" for name, values in group.beside.items()
    )
    many = len(group.conditions)
    count = "1 condition" if many == 1 else f"{many} conditions"
    return f"{group.digest[:8]}  {group.words} ({count}); {beside}"


def _contrast(contrast: Contrast) -> Iterator[str]:
    yield f"- {contrast.first}"
    yield f"+ {contrast.second}"
    total = contrast.identical + len(contrast.differences)
    yield f"{contrast.identical} of {total} places identical"
    alike: dict[tuple[str, ...], list[str]] = {}
    for one in contrast.differences:
        only = f", which only the {one.side} has; against {one.against}"
        where = one.place if one.side == "both" else one.place + only
        alike.setdefault(one.lines, []).append(where)
    for changed, places in alike.items():
        yield from (f"  at {place}" for place in places)
        yield from (f"    {line}" for line in changed)


def _first(contrast: Contrast) -> str:
    """One line on the differences of a contrast: how many, and how the first begins."""
    total = contrast.identical + len(contrast.differences)
    count = f"{len(contrast.differences)} of {total} places differ"
    one = min(contrast.differences, key=lambda difference: difference.side != "both")
    if one.side != "both":
        return f"{count}, such as {one.place}, which only the {one.side} has"
    # "+" sorts before "-": what the second side says, if it says anything.
    changed = min(
        (line for line in one.lines if not line.startswith(" ")), key=lambda line: line[0]
    )
    more = " ..." if len(changed) > LONGEST else ""
    return f"{count}, first {one.place}: {changed[:LONGEST]}{more}"
