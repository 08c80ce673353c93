"""Tables of judges: where two agree, and what the second makes of the first."""

from __future__ import annotations

from collections import Counter

from socialcircuits.analyses.agreement import corrected as under
from socialcircuits.records.courses import RULES
from socialcircuits.viewer.framing.analysed import Analysed
from socialcircuits.viewer.tables import Frame, framed

INTERVAL = "95 % intervals with items as clusters; n counts items"


def agreement(found: Analysed) -> Frame | None:
    """How far each two judges agree."""
    note = (
        f"A part of a rubric: share alike and Cohen's kappa of what both labelled, {INTERVAL}; "
        "Krippendorff's alpha; alone counts what only one labelled."
    )
    rows = [{**one.row(), "judges": " and ".join(one.judges)} for one in found.compared]
    return framed("Agreement of judges", note, rows)


def confusion(found: Analysed) -> Frame | None:
    """What the one and the other judge said."""
    rows = [
        {
            "judges": " and ".join(one.judges),
            "rubric": one.said.rubric,
            "part": one.said.part,
            "first": str(first),
            "second": str(second),
            "pairs": pairs,
        }
        for one in found.compared
        for (first, second), pairs in sorted(Counter(one.said.pairs).items(), key=str)
    ]
    note = "How many things the first judge gave one label and the second another, or the same."
    return framed("Confusion of judges", note, rows)


def corrected(found: Analysed) -> Frame | None:
    """Final infection as a second judge would have it."""
    if not any(one.room for one in found.summaries):
        return None
    first = found.run.study.judge
    others = [name for name in found.run.judging() if name not in {first, RULES}]
    rows = [
        {"judge": other, **one.row()}
        for other in others
        for one in under(map(found.run.record, found.summaries), first, other)
    ]
    note = (
        "Final private infection by the judge that is read (rate), and under the second, who need "
        "not be right: value with its 95 % interval, n audited answers."
    )
    return framed("Under a second judge", note, rows, found.axes)
