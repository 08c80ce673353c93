"""What agents were told, in lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from socialcircuits.analyses.parity import Contrast, Group, Parity

IMAGINED = "simulated agents read no prompts; this is what a model that reads text would be told"


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
