"""Where two judges differ, label by label. What that amounts to is for the statistics to say."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass

from socialcircuits.judges.base import Rubric
from socialcircuits.records import Label


@dataclass(frozen=True)
class Agreement:
    """What two judges said of one part of a rubric.

    Args:
        rubric: its name.
        part: the part, such as ``right``, ``holds`` or one tactic.
        pairs: what the one and the other said, where both gave a value; by trial and step.
        alone: how many items have a value from one of them only.
    """

    rubric: str
    part: str
    pairs: tuple[tuple[Hashable, Hashable], ...]
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
    parts: dict[str, list[tuple[Hashable, Hashable]]] = {}
    alone = 0
    for item in items:
        first, second = (last.get((*item, judge)) for judge in (one, other))
        values = [label.value for label in (first, second) if label and label.value is not None]
        alone += len(values) == 1
        if len(values) == 2:
            a, b = map(rubric.parts, values)
            for part in a:
                parts.setdefault(part, []).append((a[part], b[part]))
    return [Agreement(rubric.name, part, tuple(pairs), alone) for part, pairs in parts.items()]
