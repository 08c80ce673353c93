"""What a run of seat tests comes to: a line an arm."""

from __future__ import annotations

from collections.abc import Iterator

from socialcircuits.report.numbers import SHARE, Trials
from socialcircuits.report.page import Block, Cell, Line
from socialcircuits.report.sections._conditions import MISSING, Conditions, table
from socialcircuits.studies import Run

MEASURES = {
    "yields": "yields",
    "strays": "strays",
    "accepts": "accepts",
    "believed_unsaid": "believed,\nnot said",
    "passed_on": "fresh seats\nturned",
    "holds": "holds\nevidence",
}
CAPTION = "Claims of the seat test: share, and its 95 % interval; each column is of other claims."
KNOWN = (
    "Yields, strays: of the claims known alone, answered with the guests' wrong answer, or with "
    "neither. Accepts: of the others, answered rightly."
)
TAKEN = (
    "Believed, not said: of the wrong answers taken over, not endorsed in public. Fresh seats "
    "turned: of those that heard a subject that took it over."
)
HELD = "Holds evidence: of the answers right with the passage alone, still right."
AGAIN = "Guests none: the question asked once more, so that what changes of itself can be seen."


def blocks(run: Run, trials: Trials) -> Iterator[Block]:
    """Yield what is to be said of a run of seat tests; nothing for others."""
    if not any(one.seat for one in run.summaries()):
        return
    found = Conditions(run, trials)
    lines: dict[str, dict[str, Cell]] = {}
    for row in (row for row in found.rows if row.measure in MEASURES):
        place = found.words(row.condition)
        line = lines.setdefault(place, {"where": place, **dict.fromkeys(MEASURES, MISSING)})
        line[row.measure] = found.number(row, SHARE)
    yield from table("seat", CAPTION, {"where": "guests", **MEASURES}, list(lines.items()))
    for words in (KNOWN, TAKEN, HELD, AGAIN):
        yield Line("", (words,))
