"""Where the judges of a run agree, pair by pair."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from socialcircuits.analyses.counting import question
from socialcircuits.judges import RUBRICS, Agreement, agreement
from socialcircuits.records.summary import TrialSummary
from socialcircuits.report import reading
from socialcircuits.report.numbers import FINE, Trials, counted, estimated
from socialcircuits.report.page import Block, Head, Number, Row, Table, Trail
from socialcircuits.report.words import plain, units
from socialcircuits.statistics.judges import JudgeAgreement, judge_agreement
from socialcircuits.studies import Run


@dataclass(frozen=True)
class Compared:
    """How far two judges of a run agree on one part of a rubric.

    Args:
        judges: their ids.
        said: what they said, by places in `trials`.
        found: the same as share and kappa, with items as clusters.
        trials: all trials that could be judged.
    """

    judges: tuple[str, str]
    said: Agreement
    found: JudgeAgreement
    trials: Sequence[TrialSummary]

    def row(self) -> dict[str, Any]:
        """Return the columns judges, rubric, part, pairs (things that both judged), agreed, share,
        share_low, share_high, kappa, kappa_low, kappa_high, alpha (missing where there is none),
        alone (things to which only one gave a value) and n (items)."""
        share, kappa = self.found.share, self.found.kappa
        return {
            "judges": list(self.judges),
            "rubric": self.said.rubric,
            "part": self.said.part,
            "pairs": len(self.said.pairs),
            "agreed": self.said.agreed,
            "share": share.value,
            "share_low": share.low,
            "share_high": share.high,
            "kappa": kappa.value,
            "kappa_low": kappa.low,
            "kappa_high": kappa.high,
            "alpha": self.found.alpha,
            "alone": self.said.alone,
            "n": share.n,
        }

    def both(self) -> list[TrialSummary]:
        """Return the trials in which both judged something."""
        return [self.trials[place] for place in dict.fromkeys(self.said.trials)]

    def alike(self, trial: TrialSummary) -> str:
        """Return how many of the pairs of a trial are equal, in words."""
        pairs = [
            one == other
            for place, (one, other) in zip(self.said.trials, self.said.pairs, strict=True)
            if self.trials[place] is trial
        ]
        return f"{sum(pairs)} of {len(pairs)} alike"


def blocks(run: Run, _: Trials) -> Iterator[Block]:
    """Yield where judges agree; nothing of one judge, nor of chatrooms, whose own part says it."""
    if not any(one.room for one in run.summaries()):
        yield from table(run)


def compared(run: Run) -> list[Compared]:
    """Compare each two judges of a run, by the parts of rubrics that both judged."""
    judges = list(run.judging())
    if len(judges) < 2:
        return []
    trials = [*run.summaries(), *run.alone()]
    labels = [
        (place, label) for place, one in enumerate(trials) for label in run.record(one).labels
    ]
    found = []
    for pair in combinations(judges, 2):
        for said in (x for rubric in RUBRICS.values() for x in agreement(rubric, labels, *pair)):
            one, other = zip(*said.pairs, strict=True)
            items = [question(trials[place]) for place in said.trials]
            found.append(Compared(pair, said, judge_agreement(one, other, items), trials))
    return found


def table(run: Run) -> Iterator[Table]:
    """Yield how far each two judges agree on each part of a rubric."""
    unit = units(run.study)
    rows = [
        Row(
            f"{' and '.join(one.judges)}, {one.said.rubric}, {one.said.part}",
            (" and ".join(one.judges), one.said.rubric, one.said.part, *_numbers(one, unit)),
        )
        for one in compared(run)
    ]
    if rows:
        heads = {
            "judges": "judges",
            "rubric": "rubric",
            "part": "part",
            "agree": "agree",
            "kappa": "kappa",
            "alpha": "alpha",
            "both": "both",
            "one_only": "one only",
        }
        caption = (
            "Where two judges agree. Share of what both judged, and Cohen's kappa, with 95 % "
            "intervals; Krippendorff's alpha."
        )
        yield Table("agreement", caption, tuple(Head(*head) for head in heads.items()), tuple(rows))


def _numbers(one: Compared, unit: str) -> Iterator[Number]:
    name = f"{one.said.rubric}_{one.said.part}"
    read, found = reading.labelled(one.said.rubric, by_all=True), one.found

    def trail(what: str) -> Trail:
        definition = (
            f"{what}, of what both judges labelled by {plain(one.said.rubric)}, {one.said.part}. "
            "Of several passes the last counts; what only one labelled is left out."
        )
        return Trail(definition, one.both(), adds=one.alike, reads=read)

    yield estimated(f"agreement_{name}", found.share, trail("Share alike"), unit, FINE)
    yield estimated(f"kappa_{name}", found.kappa, trail("Cohen's kappa"), unit, FINE)
    alpha = "none" if found.alpha is None else FINE.of(found.alpha)
    definition = trail("Krippendorff's alpha")
    yield Number(f"alpha_{name}", found.alpha, alpha, definition, n=found.share.n, unit=unit)
    both = trail("Number").definition
    yield counted(f"both_{name}", found.both, both, one.both(), one.alike, read)
    alone = "Things that only one of the judges labelled"
    yield counted(f"alone_{name}", one.said.alone, alone, one.trials, reads=read)
