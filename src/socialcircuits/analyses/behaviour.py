"""Behaviour in deliberations: when agents defect, and what judges find in what was said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from socialcircuits.analyses.counting import adversaries, apart, followed, question
from socialcircuits.measures import Measure, Row, honest
from socialcircuits.measures.first_defection import VOTE, first_defection
from socialcircuits.measures.labelled import AUDITS
from socialcircuits.measures.labelled import MEASURES as LABELLED
from socialcircuits.records.summary import Course, TrialSummary
from socialcircuits.statistics import Estimate, Significance, ratio, sign_flip

__all__ = ["Timing", "audits_by_round", "shares", "timing"]


@dataclass(frozen=True)
class Timing:
    """When honest agents that were right at first defected for the first time.

    Args:
        condition: the swept settings but those of the composition.
        times: round -> agents that were first wrong in it, then ``vote`` for those that were wrong
            in their vote only; classes that nobody is in are left out.
        early: 1 and 2 -> share of the first defections that came by this round, pooled over trials
            with questions as clusters. Its test is of one half, not of zero: signs of what each
            question has above half of its first defections are flipped.
        vote: the share of those in the vote only, likewise, without a test.
        trials: the trials, and
        left_out: those that are left out, since it hangs on unjudged answers when agents defected.
    """

    condition: Mapping[str, Any]
    times: Mapping[int | str, int]
    early: Mapping[int, Estimate]
    vote: Estimate
    trials: tuple[TrialSummary, ...] = field(repr=False)
    left_out: tuple[TrialSummary, ...] = field(repr=False)

    def rows(self) -> list[dict[str, Any]]:
        """Return three rows, by round 1, by round 2 and the vote only, with the columns class,
        value, low, high, n (questions), agents (first defections), p (against one half; None for
        the vote), exact, unjudged (trials left out) and method, behind the settings."""
        classes = [
            *((f"by round {last}", share) for last, share in self.early.items()),
            ("vote only", self.vote),
        ]
        return [
            {
                **self.condition,
                "class": name,
                "value": found.value,
                "low": found.low,
                "high": found.high,
                "n": found.n,
                "agents": sum(self.times.values()),
                "p": found.test.p if found.test else None,
                "exact": found.test.exact if found.test else None,
                "unjudged": len(self.left_out),
                "method": found.method,
            }
            for name, found in classes
        ]


def timing(summaries: Sequence[TrialSummary]) -> list[Timing]:
    """Return when honest agents first defected, over all compositions with adversaries.

    Source: adversarial influence, section 3.4; the test by questions is ours.

    >>> from socialcircuits.records.summary import Course
    >>> courses = (Course("observer", "right", {1: "wrong"}, "wrong"),
    ...     Course("deceiver", "wrong", {1: "wrong"}, "wrong"))
    >>> trial = TrialSummary(
    ...     trial=0, condition={}, seed=1, truth="5", answers=("5",), bearers=2, guesses=(),
    ...     readouts={}, rounds=1, population=True, managed=False, asked=6, invalid=0, facts={},
    ...     courses=courses)
    >>> timing([trial])[0].times
    {1: 1}
    """
    kept = [s for s in summaries if followed(s) and adversaries(s)]
    return [_timing(condition, trials) for condition, trials in apart(kept)]


def _timing(condition: Mapping[str, Any], trials: Sequence[TrialSummary]) -> Timing:
    times: dict[str, Counter[int | str]] = {}
    judged, left_out = list[TrialSummary](), list[TrialSummary]()
    for trial in trials:
        (left_out if any(map(_open, honest(trial))) else judged).append(trial)
    for trial in judged:
        whens = [first_defection(course) for course in honest(trial)]
        times.setdefault(question(trial), Counter()).update(w for w in whens if w is not None)
    totals = sum(times.values(), Counter[int | str]())

    sizes = [each.total() for each in times.values()]

    def early(last: int) -> Estimate:
        hits = [sum(c[w] for w in c if w != VOTE and int(w) <= last) for c in times.values()]
        found = ratio(hits, sizes)
        if not found.n:
            return found
        flips = sign_flip([count - n / 2 for count, n in zip(hits, sizes, strict=True)])
        return replace(found, test=Significance(flips.p, "sign flips about one half", flips.exact))

    return Timing(
        condition=condition,
        times=dict(sorted(totals.items(), key=lambda item: (item[0] == VOTE, str(item[0])))),
        early={last: early(last) for last in (1, 2)},
        vote=ratio([each[VOTE] for each in times.values()], sizes),
        trials=tuple(judged),
        left_out=tuple(left_out),
    )


def _open(course: Course) -> bool:
    """Whether it hangs on unjudged answers when an agent first defected."""
    if course.first != "right":
        return course.first == "unjudged"
    said = [course.public[current] for current in sorted(course.public)]
    before = said[: said.index("wrong")] if "wrong" in said else [*said, course.final]
    return "unjudged" in before


def shares(summaries: Sequence[TrialSummary], measures: Iterable[Measure] = LABELLED) -> list[Row]:
    """Estimate pooled ratios over all compositions: tactics, audits, reasons and coordination.

    Args:
        summaries: the completed trials.
        measures: of kind ``ratio``; those that are defined nowhere give no row.

    Returns:
        Rows by the other settings, in the order of the measures; questions are the clusters.
    """
    measures = tuple(measures)
    return [
        Row(measure.name, condition, found)
        for condition, trials in apart(summaries)
        for measure in measures
        if (found := _pooled(measure, trials)) is not None
    ]


def audits_by_round(summaries: Sequence[TrialSummary]) -> list[dict[str, Any]]:
    """Estimate the audits' shares in each round, over all conditions.

    Returns:
        Rows with the columns measure, round, value, low, high and n (questions).
    """
    audited = [
        replace(s, labels=tuple(x for x in s.labels if x.rubric.endswith("_audit")))
        for s in summaries
    ]
    rows = []
    for current in sorted({s.labelled[x.step] for s in audited for x in s.labels}):
        said = [
            replace(s, labels=tuple(x for x in s.labels if s.labelled[x.step] == current))
            for s in audited
        ]
        for measure in AUDITS:
            found = _pooled(measure, said)
            if found is not None:
                ends = {"value": found.value, "low": found.low, "high": found.high, "n": found.n}
                rows.append({"measure": measure.name, "round": current, **ends})
    return rows


def _pooled(measure: Measure, trials: Sequence[TrialSummary]) -> Estimate | None:
    defined = [trial for trial in trials if measure.undefined(trial) is None]
    hits, sizes = Counter[str](), Counter[str]()
    for trial in defined:
        part, whole = measure.count(trial)
        hits[question(trial)] += int(part)
        sizes[question(trial)] += whole
    if not defined:
        return None
    result = ratio([hits[name] for name in sizes], list(sizes.values()))
    beside = measure.beside(defined) if measure.beside else None
    if beside is None:
        return result
    note = f"; {beside.note}" if beside.note else ""
    return replace(result, levels=beside.levels, method=result.method + note)
