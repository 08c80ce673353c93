"""Where a number of a report comes from: estimate, trials, steps, and the replies behind them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any

from socialcircuits.errors import SettingError, UsageError
from socialcircuits.judges import RUBRICS
from socialcircuits.records import NO_KEY, Attempt, Label, RunFile, TrialRecord, TrialSummary
from socialcircuits.records.courses import RULES
from socialcircuits.records.digests import canonical
from socialcircuits.report import assembling
from socialcircuits.report.explanation import (
    Asked,
    Behind,
    Call,
    Explanation,
    Judged,
    Row,
    Shown,
)
from socialcircuits.report.layout import sentence
from socialcircuits.report.page import Line, Number, Page, Place
from socialcircuits.report.reading import Reads, everything, labelled
from socialcircuits.report.words import address
from socialcircuits.report.written import Written
from socialcircuits.seeds import digest
from socialcircuits.studies import Run
from socialcircuits.studies.display import typed

__all__ = ["Explainer", "explain"]

NEAR = 3
"""Ids that are named where one is unknown."""

_ALL = Reads(everything.picks, labelled(*RUBRICS).rubrics, everything.words)
"""What a number reads that does not say what."""


Spot = tuple[Path, int]
"""A run file and the number of a trial in it."""


class Explainer:
    """Explains the numbers of the page of some runs.

    Args:
        runs: one, or several that stand side by side.
        report: the report whose numbers are meant; None for the page as it is built now.
    """

    def __init__(self, runs: Sequence[Run], report: Written | None = None) -> None:
        self.runs, self.report = runs, report
        self.page = _assembled(runs)
        self.numbers = {name: (place, number) for name, place, number in self.page.numbers()}
        self._names = {place: name for name, (place, _) in self.numbers.items()}
        self._owners = {part.file.path: (run, part.file) for run in runs for part in run.parts}
        self._again: dict[frozenset[Spot], dict[Place, str]] = {}

    def below(self, start: str = "") -> dict[str, tuple[Place, str]]:
        """Return the numbers of a table, line or row, by its id, as the report states them.

        Args:
            start: the id; empty for all numbers.

        Returns:
            Id -> place and text; empty where there is nothing of this id.
        """
        return {
            name: found
            for name, found in self._stated().items()
            if not start or name.startswith(f"{start}.")
        }

    def explain(self, name: str, trial: str = "", *, prompts: bool = False) -> Explanation:
        """Explain a number.

        Args:
            name: its id; of a report, the one that stands there.
            trial: the trial that is shown in full, as ``12``, or ``run.db:12`` where there are
                several runs; the first where it is empty.
            prompts: whether prompts are shown.

        Raises:
            UsageError: there is no such number, or it does not rest on this trial.
        """
        stated, place, number = self._find(name)
        trail, spots = number.trail, self._spots(number.trail.trials)
        records = {(path, nth): self._owners[path][1].trial(nth) for path, nth in spots}
        reads = trail.reads if isinstance(trail.reads, Reads) else _ALL
        now = self._names[place]
        rows = [
            _row(spot, records[spot], trail.adds(spots[spot]) if trail.adds else "")
            for spot in spots
        ]
        shown = _chosen(rows, trial)
        return Explanation(
            id=name,
            place=(place.block, place.row, place.column),
            study=self.page.title,
            agents=self.page.label,
            cautions=tuple(_worded(line) for line in self.page.head if line.loud),
            quantity=number.name,
            text=_printed(number),
            definition=trail.definition,
            method=trail.method,
            value=number.value,
            n=number.n,
            unit=number.unit,
            levels=trail.levels,
            test=_test(number),
            detectable=number.detectable,
            warnings=number.warnings,
            rows=tuple(rows),
            digest=_digest(rows) if rows else "",
            again=self.again(place, spots) if spots else None,
            behind=self._behind(reads, records),
            shown=self._shown(shown, records, reads, prompts=prompts) if shown else None,
            counts={} if rows else self._counts(),
            seen=self._seen(now),
            address=address(now) if self._alone else "",
            stated=stated,
            changed=self._changed,
        )

    def again(self, place: Place, spots: Iterable[Spot]) -> str:
        """Return what stands at a place of the page of these trials alone; empty if nothing."""
        kept = frozenset(spots)
        if kept not in self._again:
            built = _assembled([run.only(kept) for run in self.runs])
            self._again[kept] = {there: _printed(one) for _, there, one in built.numbers()}
        return self._again[kept].get(place, "")

    @property
    def _alone(self) -> bool:
        """Whether the page is of one run file: pages of the viewer hold each by itself."""
        return len(self._owners) == 1

    def _seen(self, name: str) -> str:
        (path, *_) = self._owners
        return f"socialcircuits view {typed(str(path))}#{name}" if self._alone else ""

    def _stated(self) -> dict[str, tuple[Place, str]]:
        if self.report is not None:
            return {name: (place, text) for name, (place, text) in self.report.numbers.items()}
        return {name: (place, _printed(one)) for name, (place, one) in self.numbers.items()}

    def _find(self, name: str) -> tuple[str | None, Place, Number]:
        """What a report states, where that is not so now; the place, and what is there now."""
        stated = self._stated()
        if name not in stated:
            near = get_close_matches(name, stated, NEAR, 0) or ["none: the page has no numbers"]
            raise UsageError(f"{name!r} is no id of a number here; near are {', '.join(near)}")
        place, said = stated[name]
        if place not in self._names:
            why = "; ".join(self._changed) or "this version of socialcircuits has no such number"
            raise UsageError(f"{name}: the report says {said}, now there is no such number: {why}")
        number = self.numbers[self._names[place]][1]
        now = number.text if self.report is not None else said
        return (None if said == now else said), place, number

    @cached_property
    def _changed(self) -> tuple[str, ...]:
        if self.report is None:
            return ()
        now = ((path, file.digests()) for path, (_, file) in self._owners.items())
        return tuple(
            f"{path} has changed since: its {name} digest was {then[:8]} and is {own[name][:8]}"
            for (path, own), was in zip(now, self.report.digests, strict=True)
            for name, then in was.items()
            if own[name] != then
        )

    def _spots(self, trials: Iterable[TrialSummary]) -> dict[Spot, TrialSummary]:
        return {self._place(trial): trial for trial in trials}

    def _place(self, trial: TrialSummary) -> Spot:
        for run in self.runs:
            with suppress(KeyError):
                return run.place(trial)
        raise LookupError(f"trial {trial.trial} of a trail is of none of the runs")

    def _behind(self, reads: Reads, records: Mapping[Spot, TrialRecord]) -> Behind:
        steps, labels = Counter[str](), Counter[str]()
        attempts, judges = list[tuple[Attempt, bool]](), list[Attempt]()
        for (path, nth), record in records.items():
            run, file = self._owners[path]
            read = set(reads(record))
            steps.update(record.graph.steps[step].purpose for step in sorted(read))
            attempts += [
                (one, record.graph.steps[one.step].shared)
                for one in record.attempts
                if one.step in read
            ]
            for label in reads.labels(record, run.study.judge):
                labels[label.judge] += 1
                judges += file.judged(nth, label) if label.judge != RULES else []
        made = [(one, shared) for one, shared in attempts if one.key != NO_KEY]
        return Behind(
            reads=reads.words,
            steps=dict(steps),
            silent=len(attempts) - len(made),
            replies=len(made),
            invalid=sum(not one.reply.valid for one, _ in made),
            keys=tuple(dict.fromkeys(one.key.hex() for one, _ in made)),
            shared=sum(shared for _, shared in made),
            asked=sum(record.counts["made"] for record in records.values()),
            reused=sum(record.counts["reused"] for record in records.values()),
            labels=dict(labels),
            judge_keys=tuple(dict.fromkeys(one.key.hex() for one in judges)),
        )

    def _counts(self) -> dict[str, int]:
        """What the whole runs hold."""
        counts = Counter[str]()
        for run in self.runs:
            counts.update({"trials": run.trials()["completed"], "replies": run.calls()["made"]})
        return dict(counts)

    def _shown(
        self, spot: Spot, records: Mapping[Spot, TrialRecord], reads: Reads, *, prompts: bool
    ) -> Shown:
        record, (run, file) = records[spot], self._owners[spot[0]]
        sent, facts = file if prompts else None, record.provided.facts
        return Shown(
            run=str(spot[0]),
            trial=spot[1],
            truth=str(facts["truth"]),
            lure=str(facts["lure"]),
            steps=tuple(_asked(record, index, sent) for index in reads(record)),
            labels=tuple(
                _judged(record, label, [_call(one, sent) for one in file.judged(spot[1], label)])
                for label in reads.labels(record, run.study.judge)
            ),
        )


def explain(runs: Sequence[Run], name: str) -> Explanation:
    """Explain a number of the page of some runs; see `Explainer`.

    Args:
        runs: one, or several that stand side by side.
        name: the number's id in the page.

    Raises:
        UsageError: there is no such number.
    """
    return Explainer(runs).explain(name)


def _assembled(runs: Sequence[Run]) -> Page:
    return assembling.page(runs[0]) if len(runs) == 1 else assembling.together(runs)


def _worded(line: Line) -> str:
    return "".join(text for text, _ in sentence(line))


def _printed(number: Number) -> str:
    return f"{number.text} ({number.interval})" if number.interval else number.text


def _test(number: Number) -> dict[str, Any] | None:
    if number.test is None:
        return None
    adjusted = number.adjusted and number.adjusted._asdict()
    test = number.test
    return {"p": test.p, "test": test.test, "exact": test.exact, "adjusted": adjusted}


def _row(spot: Spot, record: TrialRecord, adds: str) -> Row:
    return Row(
        run=str(spot[0]),
        trial=spot[1],
        seed=record.plan.seed,
        condition=dict(record.plan.condition),
        item=str(record.provided.facts.get("item", "")),
        adds=adds,
        digest=record.digest,
    )


def _digest(rows: Iterable[Row]) -> str:
    """The same wherever the run files are, and in whatever order."""
    told = [
        canonical([row.digest, row.seed, dict(row.condition), row.item, row.adds]) for row in rows
    ]
    return digest(*sorted(told)).hex()


def _chosen(rows: Sequence[Row], trial: str) -> Spot | None:
    run, _, number = trial.rpartition(":")
    found = [
        row for row in rows if not trial or (str(row.trial) == number and run in {"", row.run})
    ]
    if trial and not found:
        held = ", ".join(str(row.trial) for row in rows[:8]) or "none: it rests on no trials"
        raise SettingError("--trial", trial, f"one of its {len(rows)} trials ({held} ...)")
    return (Path(found[0].run), found[0].trial) if found else None


def _asked(record: TrialRecord, index: int, file: RunFile | None) -> Asked:
    step = record.graph.steps[index]
    attempts = (one for one in record.attempts if one.step == index)
    return Asked(
        step=index,
        id=record.graph.step_id(index),
        seat=record.graph.seats[step.seat].key,
        role=str(record.provided.briefs[step.seat].get("role", "")),
        round=step.round,
        answer=record.answer(index),
        reason=record.outcomes[index].reason,
        shared=step.shared,
        calls=tuple(_call(one, file) for one in attempts),
    )


def _judged(record: TrialRecord, label: Label, calls: Iterable[Call]) -> Judged:
    return Judged(
        step=label.step,
        id=record.graph.step_id(label.step),
        rubric=label.rubric,
        judge=label.judge,
        value=label.value,
        reason=label.reason,
        quote=label.quote,
        why=label.why,
        calls=tuple(calls),
    )


def _call(attempt: Attempt, file: RunFile | None) -> Call:
    usage = attempt.reply.usage
    return Call(
        key=attempt.key.hex(),
        attempt=attempt.attempt,
        text=attempt.reply.text,
        valid=attempt.reply.valid,
        why=attempt.reply.why,
        prompt_tokens=usage and usage.prompt,
        completion_tokens=usage and usage.completion,
        prompt=None if file is None else tuple(_sent(file, attempt)),
    )


def _sent(file: RunFile, attempt: Attempt) -> Iterator[dict[str, str]]:
    for segment in file.prompt(attempt):
        if segment.kind == "text":
            text = segment.data.decode("utf-8", "replace")
        else:
            text = f"(PNG image, {len(segment.data):,} bytes)"
        yield {"role": segment.role, "text": text}
