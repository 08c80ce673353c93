"""How far two judges of chatrooms agree, and what the second makes of the first's rate."""

from __future__ import annotations

from collections.abc import Iterator

from socialcircuits.analyses.agreement import Agreed, Corrected, agreement, corrected
from socialcircuits.analyses.counting import question
from socialcircuits.records import TrialRecord, TrialSummary
from socialcircuits.records.courses import RULES
from socialcircuits.report import reading
from socialcircuits.report.numbers import FINE, estimated
from socialcircuits.report.page import Cell, Table, Trail
from socialcircuits.report.sections._conditions import ITEMS, Conditions, count, plain, table
from socialcircuits.report.words import plain as words

AGREED = {
    "judge": "judge 2",
    "rubric": "rubric",
    "agree": "agree",
    "kappa": "kappa",
    "alpha": "alpha",
    "both": "both",
    "one_only": "one only",
}
CORRECTED = {
    "judge": "judge 2",
    "where": "where",
    "first": "judge 1",
    "second": "under judge 2",
    "labelled": "labelled",
    "not": "not",
}
RULED = "Where the first has none, the rules' stand. What only one labelled is left out."
Line = tuple[str, dict[str, Cell]]


def blocks(found: Conditions) -> Iterator[Table]:
    """Yield how each other judge agrees with the one whose labels are read, and its rate."""
    first = found.run.study.judge
    others = [name for name in found.run.judging() if name not in (first, RULES)]
    compared = [_Compared(found, first, other) for other in others]
    caption = f"{first} and another judge: how far they agree."
    lines = [line for one in compared for line in one.agreed()]
    yield from table("judges_agreement", caption, AGREED, lines)
    caption = f"Final infection by {first}, and under judge 2, who need not be right."
    lines = [line for one in compared for line in one.corrected()]
    yield from table("judges_corrected", caption, CORRECTED, lines)


class _Compared:
    """Two judges of a run."""

    def __init__(self, found: Conditions, first: str, other: str) -> None:
        files = {part.file.path: part.file for part in found.run.parts}
        self._found, self._first, self._other = found, first, other
        self._records: list[tuple[TrialSummary, TrialRecord]] = []
        for trial in found.summaries:
            path, number = found.run.place(trial)
            self._records.append((trial, files[path].trial(number)))

    def agreed(self) -> Iterator[Line]:
        for one in agreement((record for _, record in self._records), self._first, self._other):
            cells = {"judge": self._other, "rubric": words(one.rubric), **self._agreed(one)}
            yield f"{self._other}, {cells['rubric']}", cells

    def _agreed(self, one: Agreed) -> dict[str, Cell]:
        found, rubric = one.found, one.rubric
        alone = {
            id(trial): each.found
            for trial, record in self._records
            for each in agreement([record], self._first, self._other)
            if each.rubric == rubric
        }
        both = [t for t, _ in self._records if id(t) in alone and alone[id(t)].both]
        either = [t for t, r in self._records if any(x.rubric == rubric for x in r.labels)]

        def adds(trial: TrialSummary) -> str:
            each = alone[id(trial)]
            return f"{round((each.share.value or 0) * each.both)} of {each.both} alike"

        def trail(what: str) -> Trail:
            definition = f"{what}, of the {words(rubric)} labels that both judges gave. {RULED}"
            return Trail(definition, both, adds=adds, reads=reading.labelled(rubric, by_all=True))

        missing = Trail("Labels that only one of the judges gave", either)
        n = found.share.n
        return {
            "agree": estimated("agreement", found.share, trail("Share alike"), ITEMS, FINE),
            "kappa": estimated("kappa", found.kappa, trail("Cohen's kappa"), ITEMS, FINE),
            "alpha": plain("alpha", found.alpha, trail("Krippendorff's alpha"), n, FINE),
            "both": count("both_labelled", found.both, trail("Number")),
            "one_only": count("one_labelled", found.missing, missing),
        }

    def corrected(self) -> Iterator[Line]:
        for one in corrected((record for _, record in self._records), self._first, self._other):
            where = self._found.words(one.condition)
            cells = {"judge": self._other, "where": where, **self._corrected(one)}
            yield f"{self._other}, {where}", cells

    def _corrected(self, one: Corrected) -> dict[str, Cell]:
        used = self._found.of(one.condition)

        def trail(what: str) -> Trail:
            return Trail(what, used, adds=_ends, reads=reading.private)

        rate = (
            "Share FALSE by judge 1 of the last private answers of benign agents that it labelled"
        )
        under = (
            "The same share as judge 2 would have it: of the labels of judge 1, each with the part "
            "of its audited answers that judge 2 calls FALSE"
        )
        n = len({question(trial) for trial in used})
        return {
            "first": plain("judge_1_rate", one.rate, trail(rate), n, FINE),
            "second": estimated("judge_2_rate", one.found, trail(under), "audited answers", FINE),
            "labelled": count("labelled", one.labelled, trail("Last private answers with a label")),
            "not": count("unlabelled", one.unlabelled, trail("Last private answers without one")),
        }


def _ends(trial: TrialSummary) -> str:
    """The last private answers of a trial by the first judge."""
    assert trial.room is not None
    ends = [member.held(trial.room.rounds) for member in trial.room.members]
    labelled = [label for label in ends if label not in {"invalid", "unjudged"}]
    left_out = len(ends) - len(labelled)
    return f"{labelled.count('FALSE')} of {len(labelled)} FALSE, {left_out} without a label"
