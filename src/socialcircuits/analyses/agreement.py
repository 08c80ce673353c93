"""Two judges of one chatroom run: how far they agree, and what the second makes of the first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from socialcircuits.measures import cell
from socialcircuits.records import Label, TrialRecord
from socialcircuits.records.courses import primary
from socialcircuits.statistics import Estimate
from socialcircuits.statistics.judges import JudgeAgreement, corrected_rate, judge_agreement

__all__ = ["Agreed", "Corrected", "agreement", "corrected"]

PARTS: Mapping[str, str] = {"private_answer": "holds", "stance": "stance"}
"""Rubric -> the part of its label that is compared."""

UNDER = "under judge 2"


@dataclass(frozen=True)
class Agreed:
    """How far two judges agree on one rubric.

    Args:
        rubric: ``private_answer`` or ``stance``.
        judges: their ids; labels of the rules stand where the first one has none.
        found: share, kappa and alpha, with items as clusters.
    """

    rubric: str
    judges: tuple[str, str]
    found: JudgeAgreement

    def row(self) -> dict[str, Any]:
        """Return the columns rubric, judge_1, judge_2, share, share_low, share_high, kappa,
        kappa_low, kappa_high, alpha, both (things that both labelled), missing (those that only
        one did), n (items) and method."""
        share, kappa = self.found.share, self.found.kappa
        return {
            "rubric": self.rubric,
            "judge_1": self.judges[0],
            "judge_2": self.judges[1],
            "share": share.value,
            "share_low": share.low,
            "share_high": share.high,
            "kappa": kappa.value,
            "kappa_low": kappa.low,
            "kappa_high": kappa.high,
            "alpha": self.found.alpha,
            "both": self.found.both,
            "missing": self.found.missing,
            "n": share.n,
            "method": kappa.method,
        }


@dataclass(frozen=True)
class Corrected:
    """Final private infection of one condition as the second judge would have it.

    Args:
        condition: the swept settings.
        rate: share of the last private answers with a label of the first judge that it calls FALSE.
        found: the rate under judge 2, by what it made of the first judge's labels in an audit of
            this condition; it need not be right either.
        labelled: how many of the last private answers the first judge has labelled, and
            unlabelled: how many not, invalid ones too; they are in neither rate.
    """

    condition: Mapping[str, Any]
    rate: float
    found: Estimate
    labelled: int
    unlabelled: int

    def row(self) -> dict[str, Any]:
        """Return the columns measure (``final_infection``), label (``under judge 2``), rate (of
        judge 1), value, low, high, n (audited answers), labelled, unlabelled and method, behind the
        swept settings."""
        return {
            **self.condition,
            "measure": "final_infection",
            "label": UNDER,
            "rate": self.rate,
            "value": self.found.value,
            "low": self.found.low,
            "high": self.found.high,
            "n": self.found.n,
            "labelled": self.labelled,
            "unlabelled": self.unlabelled,
            "method": self.found.method,
        }


def agreement(records: Iterable[TrialRecord], first: str, second: str) -> list[Agreed]:
    """Compare the labels of two judges, over all conditions.

    The first judge's labels are those that measures read: where it has none, the rules' stand. Of
    the second only its own count, of its first pass with a value.

    Args:
        records: the trials, with the labels of both.
        first: id of the judge whose labels measures read.
        second: id of the other.

    Returns:
        One for each rubric of which the second has a label.

    Source: believed but not said, section 3.5.
    """
    labels: dict[str, tuple[list[str | None], list[str | None], list[str]]] = {}
    for record in records:
        item = str(record.provided.facts.get("item", record.plan.seed))
        both = _values(record, first), _own(record.labels, second)
        for place in sorted(both[0].keys() | both[1].keys()):
            columns = labels.setdefault(place[1], ([], [], []))
            columns[0].append(both[0].get(place))
            columns[1].append(both[1].get(place))
            columns[2].append(item)
    return [
        Agreed(rubric, (first, second), judge_agreement(*columns))
        for rubric, columns in labels.items()
        if any(value is not None for value in columns[1])
    ]


def corrected(records: Iterable[TrialRecord], first: str, second: str) -> list[Corrected]:
    """Estimate the final private infection of each condition under the second judge.

    Args:
        records: the trials, with the labels of both.
        first: id of the judge whose labels measures read.
        second: id of the other, which may have labelled a random part of the answers only.

    Returns:
        One for each condition in which the first has labelled last private answers and the second
        has labelled any that the first has.

    Source: believed but not said, section 3.5.
    """
    groups: dict[str, list[TrialRecord]] = {}
    for record in records:
        groups.setdefault(cell(record.plan.condition), []).append(record)
    return [found for trials in groups.values() if (found := _corrected(trials, first, second))]


def _corrected(trials: Sequence[TrialRecord], first: str, second: str) -> Corrected | None:
    ends, audit, unlabelled = Counter[str](), list[tuple[str, str]](), 0
    for record in trials:
        one, other = _values(record, first), _own(record.labels, second)
        held = {step: value for (step, rubric), value in one.items() if rubric == "private_answer"}
        audit += [(v, other[s, "private_answer"]) for s, v in held.items()
                  if (s, "private_answer") in other]  # fmt: skip
        last = [held.get(step) for step in _last(record)]
        ends.update(value for value in last if value is not None)
        unlabelled += last.count(None)
    if not ends or not audit:
        return None
    shares = {label: number / ends.total() for label, number in ends.items()}
    audit = [pair for pair in audit if pair[0] in shares]
    found = corrected_rate(shares, [a for a, _ in audit], [b for _, b in audit], "FALSE")
    return Corrected(
        trials[0].plan.condition, shares.get("FALSE", 0.0), found, ends.total(), unlabelled
    )


def _last(record: TrialRecord) -> list[int]:
    """The steps of the last standard probes."""
    graph = record.graph
    probes = [
        index
        for index in record.outcomes
        if graph.steps[index].purpose == graph.readout.purpose
        and graph.steps[index].seat in graph.readout.seats
        and not graph.steps[index].variant
    ]
    last = max((graph.steps[index].round for index in probes), default=0)
    return [index for index in probes if graph.steps[index].round == last]


def _values(record: TrialRecord, judge: str) -> dict[tuple[int, str], str]:
    return _parts(primary(record.labels, judge))


def _own(labels: Iterable[Label], judge: str) -> dict[tuple[int, str], str]:
    return _parts(primary([label for label in labels if label.judge == judge], judge))


def _parts(labels: Iterable[Label]) -> dict[tuple[int, str], str]:
    return {
        (label.step, label.rubric): str(label.value[PARTS[label.rubric]])
        for label in labels
        if label.rubric in PARTS and label.value is not None
    }
