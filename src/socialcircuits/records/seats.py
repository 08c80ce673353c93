"""What the subject of a seat test answers and says: plain values, derived from the record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from socialcircuits.graph import Step
from socialcircuits.records.courses import Played
from socialcircuits.records.rooms import Labels
from socialcircuits.records.summary import Private, Seated
from socialcircuits.records.trial import PEERS, Label

__all__ = ["seated"]

REFUSED = "refusal"
"""Why a reply is invalid whose model refused to answer."""


def seated(record: Played, labels: Sequence[Label] = ()) -> Seated | None:
    """Return what became of the subject of a seat test; None for any other trial.

    Args:
        record: the trial.
        labels: of `socialcircuits.records.courses.primary`; the rubrics ``private_answer`` and
            ``stance`` count. What has no label is unjudged.
    """
    told = record.provided.facts.get(PEERS)
    if told is None:
        return None
    read, subject = Labels.of(record, labels), record.graph.readout.seats[0]
    steps = {index: record.graph.steps[index] for index in sorted(record.outcomes)}

    def private(purpose: str) -> Mapping[str, Private]:
        return {
            step.variant: read.private(index)
            for index, step in steps.items()
            if (step.seat, step.purpose) == (subject, purpose)
        }

    stances = [
        read.stance(index)
        for index, step in steps.items()
        if (step.seat, step.purpose) == (subject, "message")
    ]
    return Seated(
        wrong=told["wrong"],
        right=told["right"],
        said=told["said"],
        alone=private("guess"),
        after=private("probe"),
        stance=stances[0] if stances else None,
        fresh=tuple(read.private(index) for index, step in steps.items() if _fresh(step, subject)),
        refused=sum(
            not record.outcomes[index].valid and record.outcomes[index].why == REFUSED
            for index, step in steps.items()
            if step.seat == subject
        ),
    )


def _fresh(step: Step, subject: int) -> bool:
    return step.purpose == "probe" and step.seat != subject
