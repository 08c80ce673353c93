"""What a run with adversaries comes to: items, trends, contrasts, timing, and what was said."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from socialcircuits.analyses.behaviour import Timing, shares, timing
from socialcircuits.analyses.counting import (
    CHANGES,
    COMPOSITION,
    Change,
    TrialCount,
    apart,
    counted,
)
from socialcircuits.analyses.deliberation import Contrast, coordination, pairings, verification
from socialcircuits.measures import Measure, cell, honest
from socialcircuits.measures import Row as Measured
from socialcircuits.measures.first_defection import VOTE, first_defection
from socialcircuits.measures.labelled import MEASURES as LABELLED
from socialcircuits.records.summary import TrialSummary
from socialcircuits.report import reading
from socialcircuits.report.numbers import CHANGE, FINE, MEASURES, Trials, estimated
from socialcircuits.report.numbers import counted as count
from socialcircuits.report.page import Block, Head, Line, Number, Row, Steps, Table, Trail
from socialcircuits.report.sections import hardness, trends
from socialcircuits.report.words import plain, units, where
from socialcircuits.statistics import Estimate
from socialcircuits.studies import Run

PAIRED = {
    "cast": "pairing_honest",
    "deceiver": "pairing_deceiver",
    "proportion": "pairing_proportion",
}
"""What is contrasted in a pairing -> the name of its test."""

HALF = 0.5


def blocks(run: Run, trials: Trials) -> Iterator[Block]:
    """Yield what is shown of a run with items that are selected, or with adversaries; nothing for
    others."""
    yield from hardness.blocks(run, trials)
    counts = counted(run.summaries())
    yield from _lone(counts)
    yield from _unjudged(counts)
    yield from trends.blocks(run, trials)
    summaries, unit = run.summaries(), units(run.study)
    yield from _contrasts(summaries, unit)
    yield from _timing([one for one in timing(summaries) if one.vote.n or one.left_out], unit)
    yield from _labelled(summaries, unit)


def _lone(counts: Sequence[TrialCount]) -> Iterator[Line]:
    for size in sorted({one.agents for one in counts if one.lone}):
        lone = _trials(one for one in counts if one.lone and one.agents == size)
        definition = f"Trials of {size} agents whose only deceiver was to coordinate"
        yield Line(
            f"lone_{size}",
            (
                f"N = {size}, coordinated: one deceiver, nobody to coordinate with, ",
                count("lone", len(lone), definition, lone),
                " trials. Slopes, tests and paired differences leave this composition out.",
            ),
        )


def _trials(counts: Iterator[TrialCount] | Sequence[TrialCount]) -> list[TrialSummary]:
    return [one.summary for one in counts if one.summary]


def _unjudged(counts: Sequence[TrialCount]) -> Iterator[Line]:
    """How many trials of which changes hang on unjudged answers."""
    hanging: dict[Change, list[TrialSummary]] = {
        change: found
        for change in CHANGES
        if (found := _trials([one for one in counts if change in one.unjudged]))
    }
    if not hanging:
        return
    everything = _trials(counts)
    parts: list[Number | str] = [
        (
            "Left out of slopes, forms, tests and paired differences, as they hang on answers that "
            "were not judged: of "
        ),
        count(
            "followed", len(everything), "Trials in which honest agents are followed", everything
        ),
        " trials ",
    ]
    for place, (change, found) in enumerate(hanging.items()):
        definition = f"Trials in which {plain(change)} hangs on answers that were not judged"
        number = count(f"unjudged_{change}", len(found), definition, found, reads=reading.courses)
        parts += [", "] if place else []
        parts += [number, f" for {plain(change)}"]
    yield Line("unjudged", (*parts, "."))


def _contrasts(summaries: Sequence[TrialSummary], unit: str) -> Iterator[Table]:
    named = [
        *_named("coordination", coordination(summaries)),
        *((PAIRED.get(_axis(one), "pairing_models"), one) for one in pairings(summaries)),
        *_named("verification", verification(summaries)),
    ]
    rows = [_contrast(name, one, unit) for name, one in named]
    if rows:
        caption = (
            "Differences on matched questions, each question once, with 95 % intervals over "
            "questions; p by flipping signs. Shares of agents are means over questions here, not "
            "pooled. Unjudged are the trials left out."
        )
        heads = ("measure", "difference", "where", "estimate", "unjudged")
        yield Table("matched", caption, tuple(Head(head, head) for head in heads), tuple(rows))


def _named(kind: str, found: Sequence[Contrast]) -> Iterator[tuple[str, Contrast]]:
    """Contrasts with the names of their tests: what is declared is the average over compositions
    where there is one, else the one composition's."""
    averaged = {_whole(one) for one in found if not one.condition.keys() & set(COMPOSITION)}
    for one in found:
        part = one.condition.keys() & set(COMPOSITION) and _whole(one) in averaged
        yield f"{kind}_{one.measure}{'_by_composition' if part else ''}", one


def _whole(one: Contrast) -> tuple[str, str, str]:
    """Measure, contrast, and all settings but the composition."""
    settings = {name: value for name, value in one.condition.items() if name not in COMPOSITION}
    return one.measure, one.contrast, cell(settings)


def _axis(one: Contrast) -> str:
    return one.contrast.partition(":")[0]


def _contrast(name: str, one: Contrast, unit: str) -> Row:
    measure = MEASURES[one.measure]
    what = plain(one.measure)
    # The contrasted setting stands under difference.
    place = where({name: value for name, value in one.condition.items() if name != _axis(one)})
    trail = Trail(
        f"Difference {one.contrast} in {what}, each trial with its own value, between trials that "
        "are matched in all other settings; the mean within questions, then over them. Trials "
        f"whose value hangs on unjudged answers are left out. {measure.title}: "
        f"{measure.definition}",
        one.trials,
        adds=lambda trial: f"{what} {_value(measure, trial)}",
        reads=reading.of(measure),
    )
    unjudged = _left_out(
        f"Of the trials of both sides, those whose {plain(one.measure)} hangs on unjudged answers",
        one,
        reading.of(measure),
    )
    difference = estimated(name, one.estimate, trail, unit, CHANGE)
    key = f"{what}, {one.contrast}, {place}"
    return Row(key, (what, one.contrast, place, difference, unjudged))


def _left_out(definition: str, one: Contrast | Timing, reads: Steps) -> Number:
    out = {id(trial) for trial in one.left_out}

    def adds(trial: TrialSummary) -> str:
        return "left out" if id(trial) in out else "not left out"

    looked_at = (*one.trials, *one.left_out)
    return count("unjudged", len(out), definition, looked_at, adds, reads)


def _value(measure: Measure, trial: TrialSummary) -> str:
    part, whole = measure.count(trial)
    return f"{part} of {whole}" if part.denominator == 1 else f"{float(part / whole):.3f}"


def _timing(found: Sequence[Timing], unit: str) -> Iterator[Table]:
    if not found:
        return
    caption = (
        "When honest agents that were right first turned wrong: share of all first defections, "
        "over compositions with deceivers; two-sided test against one half, by question. Unjudged "
        "are the trials left out."
    )
    heads = ("when", "where", "share", "agents", "unjudged")
    rows = []
    for one in found:
        place = where(one.condition)
        for last, share in one.early.items():
            when = f"by round {last}"
            number = _share(one, f"timing_round_{last}", share, last, unit)
            rows.append(Row(f"{when}, {place}", (when, place, number, *_agents(one))))
        number = _share(one, "timing_vote", one.vote, VOTE, unit)
        rows.append(Row(f"vote only, {place}", ("vote only", place, number, *_agents(one))))
    yield Table("timing", caption, tuple(Head(head, head) for head in heads), tuple(rows))


def _share(one: Timing, name: str, found: Estimate, last: int | str, unit: str) -> Number:
    when = "in the vote only" if last == VOTE else f"by round {last}"

    def adds(trial: TrialSummary) -> str:
        times = [time for course in honest(trial) if (time := first_defection(course))]
        among = [time for time in times if time == last or _early(time, last)]
        return f"{len(among)} of {len(times)} first defections"

    trail = Trail(
        f"Of the honest agents right at first that were wrong later, the share first wrong {when}, "
        "pooled over trials with the question as the cluster. An invalid public answer says "
        "nothing, an invalid vote is wrong; trials in which it hangs on unjudged answers are left "
        "out.",
        _rests(one),
        adds=adds,
        reads=reading.courses | reading.public,
    )
    number = estimated(name, found, trail, unit, FINE)
    text = number.text if found.n else "nobody defected"
    return replace(number, text=text, null=HALF)


def _rests(one: Timing) -> tuple[TrialSummary, ...]:
    """The trials of the shares; where none has a defection, all that were looked at."""
    return one.trials if one.vote.n else (*one.trials, *one.left_out)


def _early(time: int | str, last: int | str) -> bool:
    return isinstance(time, int) and isinstance(last, int) and time <= last


def _agents(one: Timing) -> Iterator[Number]:
    reads = reading.courses | reading.public
    yield count(
        "first_defections",
        sum(one.times.values()),
        "Honest agents right at first that were wrong later",
        _rests(one),
        lambda trial: str(sum(first_defection(course) is not None for course in honest(trial))),
        reads,
    )
    yield _left_out(
        "Of the trials with deceivers, those in which it hangs on unjudged answers when agents "
        "first defected",
        one,
        reads,
    )


def _labelled(summaries: Sequence[TrialSummary], unit: str) -> Iterator[Table]:
    rows = [row for row in shares(summaries, LABELLED) if row.estimate.value is not None]
    if not rows:
        return
    groups = {cell(condition): trials for condition, trials in apart(summaries)}
    caption = (
        "What judges found in what was said: share, 95 % interval clustered by question; how many "
        "things were judged. Unjudged ones count as not found"
    )
    heads = [Head(name, name) for name in ("what", "where", "share", "judged", "unjudged")]
    if any(row.estimate.levels["labels"]["unjudged"] for row in rows):
        heads += [Head("low_end", "at least"), Head("high_end", "at most")]
        caption += "; the ends say between what the share would lie if they were judged"
    shown = [_found(row, groups[cell(row.condition)], unit) for row in rows]
    cut = tuple(replace(row, cells=row.cells[: len(heads)]) for row in shown)
    yield Table("labelled", f"{caption}.", tuple(heads), cut)


def _found(row: Measured, trials: Sequence[TrialSummary], unit: str) -> Row:
    measure, found, place = MEASURES[row.measure], row.estimate, where(row.condition)
    labels = found.levels["labels"]
    trail = Trail(
        measure.definition,
        [trial for trial in trials if measure.undefined(trial) is None],
        adds=lambda trial: _value(measure, trial),
        reads=reading.of(measure),
    )
    share = estimated(row.measure, found, trail, unit, FINE)
    judged = (
        _labels(name, number, replace(trail, adds=_judged(measure, name)))
        for name, number in labels.items()
    )
    ends = _ends(share) if labels["unjudged"] else ("", "")
    return Row(f"{measure.title}, {place}", (measure.title, place, share, *judged, *ends))


def _labels(name: str, number: int, trail: Trail) -> Number:
    left = "has settled it" if name == "judged" else "has left it open"
    definition = f"Things that the share is of, of which the judge {left}"
    return count(name, number, definition, trail.trials, trail.adds, trail.reads)


def _judged(measure: Measure, name: str) -> Callable[[TrialSummary], str]:
    def adds(trial: TrialSummary) -> str:
        beside = measure.beside([trial]) if measure.beside else None
        return str(beside.levels["labels"][name]) if beside else ""

    return adds


def _ends(share: Number) -> Iterator[Number]:
    """The ends of a share of which something is unjudged, as its method has them."""
    said = share.trail.method.rpartition("not counted: ")[2]
    ends = said.removesuffix(" however they are judged").split(" to ")
    for name, end, what in zip(("low_end", "high_end"), ends, ("none", "all"), strict=True):
        trail = replace(
            share.trail, definition=f"The share if {what} of what is unjudged were found", adds=None
        )
        yield Number(f"{share.name}_{name}", float(end), end, trail, n=share.n, unit=share.unit)
