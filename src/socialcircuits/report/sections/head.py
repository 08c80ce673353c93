"""What must be read first: how much of the study is there, and what forbids to trust it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from socialcircuits.importing import imported
from socialcircuits.measures.notable import INVALID, UNJUDGED
from socialcircuits.records import TrialSummary
from socialcircuits.report.numbers import MEASURES, Form, counted
from socialcircuits.report.page import Line, Number, Trail
from socialcircuits.report.reading import of
from socialcircuits.report.sections.looks import all_looks
from socialcircuits.studies import Run

PERCENT = Form(1, 100)


def lines(run: Run) -> Iterator[Line]:
    """Yield the first lines of a report."""
    if len(run.parts) > 1:
        paths = ", ".join(str(part.file.path) for part in run.parts)
        yield Line("", (f"{len(run.parts)} runs pooled: {paths}",))
    if run.mixed:
        yield Line("", (f"MIXED PROMPTS: {run.mixed}",), loud=True)
    looks = all_looks(run)
    yield from _imported(run)
    yield from _trials(run, stopped=any(found.stopped for found in looks))
    summaries = run.summaries()
    yield from _items(run)
    yield _replies(summaries) if summaries else _nothing(run)
    yield from _unjudged(run, summaries)
    for found in looks:
        if found.inflation is not None:
            yield Line("", (f"LOOKED AT: {found.verdict}.",), loud=True)
        elif found.stopped:
            yield Line("", (f"Looked at as declared: {found.verdict}.",))


def _imported(run: Run) -> Iterator[Line]:
    """How much is known of conversations that happened elsewhere."""
    for part in run.parts:
        found = imported(part.file)
        if found is not None:
            first, *others = found.lines
            yield Line("", (first,), loud=found.known < found.messages)
            yield from (Line("", (text,)) for text in others)


def _trials(run: Run, *, stopped: bool) -> Iterator[Line]:
    found = run.trials()
    planned = counted("planned_trials", found["planned"], "trials that were planned, of all roles")
    completed = counted("completed_trials", found["completed"], "trials that were completed")
    failed = counted("failed_trials", found["failed"], "trials that failed")
    excluded = counted("excluded_trials", found["excluded"], "trials that enter no estimate")
    told = (completed, " of ", planned, " completed, ", failed, " failed, ", excluded)
    yield Line("trials", ("Trials: ", *told, " outside all estimates."))
    missing = found["planned"] - found["completed"] - found["failed"]
    if missing > 0 and not stopped:
        number = counted("missing_trials", missing, "planned trials that have not been run")
        what = " trials have not been run; all numbers are of the others."
        yield Line("unfinished", ("UNFINISHED: ", number, what), loud=True)
    if found["failed"]:
        parts = ("FAILED: ", failed, " trials failed; all numbers are of the others.")
        yield Line("failed", parts, loud=True)


def _items(run: Run) -> Iterator[Line]:
    """How many items are kept of those that the study drew."""
    if not run.study.strata:
        return
    drawn = {(part.study.seed, one.seed) for part in run.parts for one in part.plan.groups}
    left = {
        (part.study.seed, group.seed)
        for part in run.parts
        for group in part.groups()
        if any(one.plan.role == "estimate" for one in group.trials)
    }
    kept = counted("kept_items", len(left), "items that enter the trials", run.alone())
    every = counted("drawn_items", len(drawn), "items that were drawn", run.alone())
    what = " kept; the others were too hard or too easy for the honest models alone, or unjudged."
    loud = not left
    yield Line("items", ("NO ITEM KEPT: " if loud else "Items: ", kept, " of ", every, what), loud)


def _nothing(run: Run) -> Line:
    """What is to be said of replies where none of them enters an estimate."""
    found = run.calls()
    invalid = counted("invalid_replies", found["invalid"], "invalid replies of the whole run")
    made = counted("made_replies", found["made"], "replies that were asked for")
    told = ("NO COMPLETED TRIAL ENTERS ESTIMATES: ", invalid, " of ", made, " replies are invalid.")
    return Line("replies", told, loud=True)


def _replies(summaries: Sequence[TrialSummary]) -> Line:
    share = _share(summaries)
    loud = share.value is not None and share.value > INVALID
    name = "INVALID REPLIES: " if loud else "Invalid replies: "
    return Line("replies", (name, share, " of those in trials that enter estimates."), loud)


def _share(summaries: Sequence[TrialSummary]) -> Number:
    measure = MEASURES["invalid_share"]
    definition = "invalid replies over all replies, of all trials that enter estimates"
    trail = Trail(definition, summaries, adds=_replied, reads=of(measure))
    invalid, asked = sum(one.invalid for one in summaries), sum(one.asked for one in summaries)
    return _percent("invalid_share", invalid, asked, trail, "replies")


def _replied(trial: TrialSummary) -> str:
    return f"{trial.invalid} of {trial.asked}"


def _unjudged(run: Run, summaries: Sequence[TrialSummary]) -> Iterator[Line]:
    used = [one for one in summaries if one.unjudged]
    if not used:
        return
    definition = (
        "first guesses and last answers that no judge has settled, over all of them, of the trials "
        "that have such"
    )
    trail = Trail(definition, used, adds=lambda trial: "{} of {}".format(*_settled(trial)))
    unjudged, answers = (sum(counts) for counts in zip(*map(_settled, used), strict=True))
    share = _percent("unjudged_share", unjudged, answers, trail, "answers")
    loud = share.value is not None and share.value > UNJUDGED
    by = "JUDGED BY NONE: " if unjudged == answers else "Not judged: "
    yield Line(
        "unjudged", (by, share, f" of first and last answers; judge: {run.study.judge}."), loud
    )


def _settled(trial: TrialSummary) -> tuple[int, int]:
    """How many first and last answers of a trial are not judged, of how many."""
    final = trial.final if trial.readouts else ()
    return sum(trial.unjudged.values()), len(trial.guesses) + len(final)


def _percent(name: str, part: int, whole: int, trail: Trail, unit: str) -> Number:
    if not whole:
        return Number(name, None, "none", trail, n=0, unit=unit)
    return Number(name, part / whole, f"{PERCENT.of(part / whole)} %", trail, n=whole, unit=unit)
