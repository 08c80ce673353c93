"""What agents were told: whether all conditions were told the same."""

from __future__ import annotations

from collections.abc import Iterator

from socialcircuits.analyses.parity import Contrast, Group, parity
from socialcircuits.errors import UsageError
from socialcircuits.report.numbers import Trials
from socialcircuits.report.page import Block, Head, Line, Row, Table
from socialcircuits.report.parity import IMAGINED
from socialcircuits.studies import Run
from socialcircuits.studies.display import typed

LONGEST = 140
"""Most characters of a line of a prompt."""

MOST = 8
"""Most groups that are shown beside the first."""

HEADS = (
    Head("group", "group"),
    Head("conditions", "conditions"),
    Head("digest", "prompts"),
    Head("differs", "what differs from group 1"),
)


def blocks(run: Run, trials: Trials) -> Iterator[Block]:
    """Yield whether the conditions of a run were told the same; a row for each group that was, with
    the first line that differs; nothing for a single condition."""
    conditions = len(run.plan.cells)
    if conditions < 2:
        return
    try:
        found = parity(run)
    except UsageError as error:
        yield Line("", (f"Told: unknown: {error}.",))
        return
    note = f" ({IMAGINED})" if found.imagined else ""
    if found.same:
        yield Line("", (f"Told: the same in all {conditions} conditions{note}.",))
        return
    first, *others = found.groups
    rows = [_row(1, first, "")]
    pairs = zip(others, found.contrasts, strict=True)
    rows += [_row(number, group, _first(one)) for number, (group, one) in enumerate(pairs, 2)]
    left_out = len(rows) - 1 - MOST
    more = f" {left_out} more groups are left out." if left_out > 0 else ""
    caption = f"{len(rows)} different things in {conditions} conditions{note}.{more}"
    yield Table("told", caption, HEADS, tuple(rows[: MOST + 1]))
    yield Line("", (f"In full: socialcircuits parity {typed(str(run.path))}",))


def _row(number: int, group: Group, differs: str) -> Row:
    return Row(str(number), (str(number), group.words, group.digest[:8], differs))


def _first(contrast: Contrast) -> str:
    """How many places differ, and how the first begins."""
    total = contrast.identical + len(contrast.differences)
    if not contrast.differences:
        return "nothing"
    count = f"{len(contrast.differences)} of {total} places differ"
    one = min(contrast.differences, key=lambda difference: difference.side != "both")
    if one.side != "both":
        return f"{count}, such as {one.place}, which only {_SIDES[one.side]} has"
    # "+" sorts before "-": what this group is told, if it is told anything.
    changed = min(
        (line for line in one.lines if not line.startswith(" ")), key=lambda line: line[0]
    )
    more = " ..." if len(changed) > LONGEST else ""
    return f"{count}, first {one.place}:\n{changed[:LONGEST]}{more}"


_SIDES = {"first": "group 1", "second": "this group"}
