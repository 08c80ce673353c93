"""Where two judges differ, label by label, or one judge differs from itself. What that amounts to
is for the statistics to say."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from socialcircuits.judges.base import Rubric, Transcript
from socialcircuits.records import Label, primary


@dataclass(frozen=True)
class Agreement:
    """What two judges said of one part of a rubric.

    Args:
        rubric: its name.
        part: the part, such as ``right``, ``holds`` or one tactic.
        pairs: what the one and the other said, where both gave a value; by trial and step.
        trials: the number of the trial of each pair.
        alone: how many items have a value from one of them only.
    """

    rubric: str
    part: str
    pairs: tuple[tuple[Hashable, Hashable], ...]
    trials: tuple[int, ...]
    alone: int

    @property
    def agreed(self) -> int:
        """How many pairs are equal."""
        return sum(one == other for one, other in self.pairs)

    @property
    def share(self) -> float | None:
        """The share of the pairs that are equal, 0 to 1; None where there is no pair."""
        return self.agreed / len(self.pairs) if self.pairs else None


def agreement(
    rubric: Rubric, labels: Iterable[tuple[int, Label]], one: str, other: str
) -> list[Agreement]:
    """Pair the labels of two judges on the same trial and step.

    Of several passes of a judge the last counts. An item that neither has given a value is left
    out.

    Args:
        rubric: of which labels are compared; others are passed over.
        labels: number of the trial and label, of any judges.
        one: id of the first judge.
        other: id of the second.

    Returns:
        One entry for each part of the rubric's values, in their order; none without any pair.

    >>> from socialcircuits.judges import RUBRICS
    >>> said = [("rules", True), ("m", True), ("m", False)]
    >>> labels = [
    ...     (0, Label(0, "correctness", judge, number, {"right": right, "extracted": "7"}))
    ...     for number, (judge, right) in enumerate(said)
    ... ]
    >>> [found.share for found in agreement(RUBRICS["correctness"], labels, "rules", "m")]
    [0.0]
    """
    last: dict[tuple[int, int, str], Label] = {}
    for trial, label in labels:
        slot = (trial, label.step, label.judge)
        if label.rubric == rubric.name and label.judge in (one, other):
            kept = last.get(slot)
            last[slot] = label if kept is None or label.number >= kept.number else kept
    items = sorted({(trial, step) for trial, step, _ in last})
    parts: dict[str, list[tuple[int, tuple[Hashable, Hashable]]]] = {}
    alone = 0
    for item in items:
        first, second = (last.get((*item, judge)) for judge in (one, other))
        values = [label.value for label in (first, second) if label and label.value is not None]
        alone += len(values) == 1
        if len(values) == 2:
            a, b = map(rubric.parts, values)
            # The rules say nothing of what no simulated agent can show.
            for part in filter(b.__contains__, a):
                parts.setdefault(part, []).append((item[0], (a[part], b[part])))
    return [
        Agreement(rubric.name, part, tuple(pairs), tuple(trials), alone)
        for part, found in parts.items()
        for trials, pairs in (zip(*found, strict=True),)
    ]


class Contradiction(NamedTuple):
    """How many votes stand in a cluster that is right or wrong as they are not, of how many that
    stand in one and are graded."""

    differing: int
    votes: int


def contradictions(
    transcript: Transcript, labels: Iterable[Label], judge: str = "rules"
) -> Contradiction:
    """Compare what a judge's clusters and its grades say of each vote of a trial.

    Args:
        transcript: the trial; its question is not looked at.
        labels: of this trial, by whatever judges.
        judge: the judge whose labels measures read; where it has none, those of the rules.

    Returns:
        Both 0 where the votes were not put into clusters, or none is graded.

    >>> from socialcircuits.graph import Brief, Readout, Reply, Seat, Step, build
    >>> from socialcircuits.records import Provided
    >>> graph = build([Seat("0")], [Step(0, "vote", 0)], Readout("vote", (0,), 0))
    >>> given = Provided(("a",), (Brief()._asdict(),), ("",), {"world": "flags", "truth": "Peru"})
    >>> trial = Transcript(graph, {0: Reply("Peru", "Peru")}, given, "")
    >>> grade = Label(0, "correctness", "rules", 0, {"right": True, "extracted": "Peru"})
    >>> groups = Label(0, "clusters", "rules", 0, {"clusters": [["0"]], "correct": -1})
    >>> contradictions(trial, [grade, groups])
    Contradiction(differing=1, votes=1)
    """
    read = [label for label in primary(list(labels), judge) if label.value is not None]
    right = {label.step: label.value["right"] for label in read if label.rubric == "correctness"}
    graded = {
        transcript.name(step.seat): right[index]
        for index, step, _ in transcript.said("vote")
        if index in right
    }
    pairs = [
        (graded[name], number == label.value["correct"])
        for label in read
        if label.rubric == "clusters"
        for number, names in enumerate(label.value["clusters"])
        for name in names
        if name in graded
    ]
    return Contradiction(sum(one != other for one, other in pairs), len(pairs))
