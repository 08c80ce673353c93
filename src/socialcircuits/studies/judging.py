"""Judges at work: the labels of a run's trials, each kept as soon as it is there."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from socialcircuits.agents import Access, BackEnd
from socialcircuits.errors import RunFileError, SettingError, SocialCircuitsError
from socialcircuits.graph import Reply, World
from socialcircuits.judges import (
    MOST_TOKENS,
    RUBRICS,
    RULES,
    Case,
    JudgeMind,
    Line,
    Transcript,
    judge_case,
    settle,
)
from socialcircuits.protocols import find
from socialcircuits.records import (
    JUDGED,
    Label,
    RunFile,
    RunStore,
    TrialJournal,
    TrialRecord,
    primary,
)
from socialcircuits.studies.batching import Shelf, slices
from socialcircuits.studies.driving import drive
from socialcircuits.studies.study import Study

if TYPE_CHECKING:
    from socialcircuits.agents.prompted import Ask, Prompted
    from socialcircuits.calls.batch import Batches

FIRST = "correctness"
"""The rubric that others build on, and the only one by which strata are judged."""

FREE_TEXT = (FIRST, "clusters")
"""Rubrics that a study needs whose answers are free text."""

ROOM = ("private_answer", "stance")
"""Those that a chatroom needs instead."""

IN_FLIGHT = 64
"""Cases that wait for a model at once."""

TOGETHER = 20_000
"""Most cases that are asked about in batches at once: so many are held in memory."""

CAPABILITIES = "judges"
"""Under this name a run remembers what its judges can do."""

Lookup = Mapping[bytes, Reply]


@dataclass(frozen=True)
class Bench:
    """Who judges the trials of a run, and by which rubrics.

    Args:
        rubrics: names of the rubrics, the first one first.
        judge: the name of the model that judges, or ``rules``.
        back: reaches the model.
        number: the pass.
        everything: whether the model also judges what the rules settle.
        retries: how often a void reply is asked for again.
    """

    rubrics: tuple[str, ...]
    judge: str
    back: BackEnd = field(repr=False)
    number: int = 0
    everything: bool = False
    retries: int = 2

    @classmethod
    def of(cls, study: Study, world: World, back: BackEnd) -> Bench:
        """Return the bench of a study.

        Raises:
            SettingError: no such model, or it needs a key that is missing.
        """
        rubrics = study.judges if study.judges is not None else _needed(study, world)
        if rubrics and study.judge != RULES:
            back.mind(_reading(study.judge), "$.judge", {})
        bench = cls(_ordered(rubrics), study.judge, back, retries=study.trial.retries)
        bench.check()
        return bench

    @property
    def waits(self) -> bool:
        """Whether a model is asked."""
        return bool(self.rubrics) and self.judge != RULES

    def check(self) -> None:
        """Refuse batches where no model judges, or one that takes none.

        Raises:
            SettingError: there is no use for them.
        """
        if self.back.access.batch:
            if not self.waits:
                raise SettingError("--batch", True, "a model that judges")
            from socialcircuits.calls.batch import desk_of

            desk_of(self._asked.model)

    @property
    def _asked(self) -> Prompted:
        return self.back.mind(_reading(self.judge), "$.judge", {})

    def batches(self, store: RunStore, rubric: str) -> Batches:
        """Return the batches by which the labels of one rubric are asked for."""
        from socialcircuits.calls.batch import Batches, desk_of

        desk = desk_of(self._asked.model)
        scope = f"{self.judge} {rubric} {self.number}"
        return Batches(self.back.calls, desk, Shelf(store), scope, self.back.access.tell)

    def mind(self, ask: Ask | None = None) -> JudgeMind:
        """Return the model that judges, when it is known what it can do.

        Args:
            ask: sends its requests; None: at once.
        """
        asked = self._asked
        manner = asked.manner
        return JudgeMind(
            Line(asked.model, ask or asked.send, asked.capabilities),
            0.0 if isinstance(manner.temperature, str) else manner.temperature,
            manner.max_tokens or MOST_TOKENS,
            manner.longest,
        )

    def settle(self, store: RunStore) -> None:
        """Label by the rules all completed trials that are not."""
        for rubric in self.rubrics:
            self._settle(store, rubric)

    async def judge_all(self, store: RunStore, past: RunFile | None) -> None:
        """Label all completed trials that are not: by the rules, and by the model what they leave.

        Raises:
            BudgetReached: the limit on calls or cost is reached; what was paid for is kept.
            ModelError: the model does not answer.
        """
        for rubric in self.rubrics:
            self._settle(store, rubric)
            if self.waits:
                await self._ask(store, rubric, past)

    def _settle(self, store: RunStore, rubric: str) -> None:
        done = {(trial, name) for trial, _, name, judge, _ in store.labelled() if judge == RULES}
        with RunFile(store.path) as file:
            for record in self._records(file, rubric):
                if (record.plan.number, rubric) not in done:
                    cases = self._cases(file, record, rubric)
                    store.label(record.plan.number, [(settle(case), ()) for case in cases])

    def _records(self, file: RunFile, rubric: str) -> Iterator[TrialRecord]:
        for plan in file.plans():
            if rubric == FIRST or plan.role != "stratum":
                yield file.trial(plan.number)

    def _cases(self, file: RunFile, record: TrialRecord, rubric: str) -> list[Case]:
        if not record.provided.facts["truth"]:
            # Of a conversation from elsewhere nobody may have said what is right.
            return []
        key = next((seen for seen in record.provided.evidence if seen), "")
        question = file.content(bytes.fromhex(key)).decode("utf-8", "surrogatepass") if key else ""
        # Of a document the evidence is more than the question.
        question = str(record.provided.facts.get("question", question))
        correct = [label for label in record.labels if label.rubric == FIRST]
        transcript = Transcript.of(record, question, primary(correct, self.judge))
        return list(RUBRICS[rubric].cases(transcript))

    async def _ask(self, store: RunStore, rubric: str, past: RunFile | None) -> None:
        with RunFile(store.path) as file:
            counted = {**(past.judgments() if past else {}), **file.judgments()}
            left = self._left(store, file, rubric)
            if self.back.access.batch:
                batches = self.batches(store, rubric)
                docket = _Docket(self, self.mind(batches.complete), store, counted)
                await docket.judge_together(left, batches)
            else:
                Shelf(store).check(self._asked.model.name)
                await _Docket(self, self.mind(), store, counted).judge(left)

    def _left(self, store: RunStore, file: RunFile, rubric: str) -> Iterator[tuple[int, Case]]:
        """Yield the cases that the model has still to judge, each with the number of its trial."""
        held = store.labelled()
        for record in self._records(file, rubric):
            number = record.plan.number
            settled = {one.step for one in record.labels if _decided(one, rubric)}
            for case in self._cases(file, record, rubric):
                done = (number, case.step, rubric, self.judge, self.number) in held
                # A case that shows nothing is no question for anybody.
                if case.texts and not done and (self.everything or case.step not in settled):
                    yield number, case


class _Docket:
    """Cases that a model judges side by side.

    Args:
        bench: who judges them.
        mind: the model that judges.
        store: where labels and replies are kept.
        counted: replies that labels hold already, of this run or of the one that is replayed.
    """

    def __init__(self, bench: Bench, mind: JudgeMind, store: RunStore, counted: Lookup) -> None:
        self._bench, self._mind, self._store = bench, mind, store
        self._known = {**store.replies(JUDGED), **counted}
        self._counted = set(counted)
        self._turns: defaultdict[bytes, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._failures: list[SocialCircuitsError] = []

    async def judge(self, cases: Iterable[tuple[int, Case]]) -> None:
        """Label all cases, each of the trial whose number stands with it.

        Raises:
            SocialCircuitsError: the first failure; what was in flight then is kept.
        """
        gate = asyncio.Semaphore(IN_FLIGHT)
        try:
            async with asyncio.TaskGroup() as tasks:
                for trial, case in cases:
                    await gate.acquire()
                    if self._failures:
                        break
                    task = tasks.create_task(self._one(trial, case))
                    task.add_done_callback(lambda _: gate.release())
        except BaseExceptionGroup as failed:
            raise failed.exceptions[0] from None
        if self._failures:
            raise self._failures[0]

    async def judge_together(self, cases: Iterable[tuple[int, Case]], batches: Batches) -> None:
        """Label all cases by batches.

        Raises:
            SocialCircuitsError: the first failure; what batches brought is kept.
        """
        # In batches nobody may wait for another one, so equal texts come one after the other.
        rounds: list[list[tuple[int, Case]]] = []
        seen: Counter[bytes] = Counter()
        for trial, case in cases:
            number = seen[case.key]
            seen[case.key] += 1
            if number == len(rounds):
                rounds.append([])
            rounds[number].append((trial, case))
        for part in (part for one in rounds for part in slices(one, TOGETHER)):
            try:
                await batches.run([self._one(trial, case) for trial, case in part])
            except BaseExceptionGroup as failed:
                raise failed.exceptions[0] from None
            if self._failures:
                raise self._failures[0]
        batches.close()

    async def _one(self, trial: int, case: Case) -> None:
        bench, journal = self._bench, TrialJournal(self._store, JUDGED)
        # Equal texts are judged one after the other: what the first is told, the others find.
        async with self._turns[case.key]:
            if self._failures:
                return
            try:
                label, attempts = await judge_case(
                    case, self._mind, bench.number, bench.retries, self._known.get, journal
                )
            except SocialCircuitsError as error:
                # Other cases have calls in flight that are paid for: they end by themselves.
                self._failures.append(error)
                return
            self._known.update({attempt.key: attempt.reply for attempt in attempts})
            mine = [(replace(label, judge=bench.judge), attempts)]
            self._store.label(trial, mine, self._counted)
            self._counted.update(attempt.key for attempt in attempts)


def judge(
    path: str | Path,
    model: str,
    rubrics: Sequence[str] = (),
    number: int = 0,
    *,
    everything: bool = False,
    access: Access | None = None,
) -> None:
    """Judge a finished run again by another model, or once more; nothing else of it is asked.

    Args:
        path: the run file; the labels are added to it.
        model: the model that judges.
        rubrics: names of the rubrics; empty: those of the run.
        number: the pass, from 0: a judge may be asked more than once.
        everything: whether the model also judges what the rules settle.
        access: how the model is reached, and the limits on calls and cost.

    Raises:
        SettingError: no such model or rubric.
        RunFileError: the run file cannot be used.
        BudgetReached: a limit is reached; what was paid for is kept.
    """
    for name in rubrics:
        if name not in RUBRICS:
            raise SettingError("--rubric", name, "one of " + ", ".join(RUBRICS), among=RUBRICS)
    if number < 0:
        raise SettingError("--pass", number, "0 or more")
    with RunFile(path) as file:
        study, held = file.study, {label.rubric for one in file.trials() for label in one.labels}
    names = _ordered(rubrics or [name for name in RUBRICS if name in held])
    if not names:
        raise RunFileError(f"{path}: nothing was judged in this run; name a rubric")
    back = BackEnd(access or Access())
    back.access.check([model])
    if model != RULES:
        back.mind(_reading(model), "--with", {})
    bench = Bench(names, model, back, number, everything)
    bench.check()
    with RunStore(Path(path), study, {}, paid=True) as store:
        drive(_judge(bench, back, store))


async def _judge(bench: Bench, back: BackEnd, store: RunStore) -> None:
    try:
        store.remember(CAPABILITIES, await back.ready(store.recall(CAPABILITIES)))
        await bench.judge_all(store, None)
    finally:
        await back.close()


def _needed(study: Study, world: World) -> list[str]:
    """The rubrics without which nothing could be counted: none where answers are a closed list."""
    swept = (value for block in study.sweep for value in block.get("protocol", ()))
    used = (study.trial.protocol, *swept) if world.items else ()
    protocols = {find(name).speaks or name for name in used}
    room = ROOM if "chatroom" in protocols else ()
    return [*room, *(FREE_TEXT if protocols - {"chatroom"} else ())]


def _reading(model: str) -> str:
    """A judge reads text, whatever else its model can take."""
    return model if "sees=" in model else f"{model}{'&' if '?' in model else '?'}sees=text"


def _ordered(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted(set(names), key=list(RUBRICS).index))


def _decided(label: Label, rubric: str) -> bool:
    return label.rubric == rubric and label.judge == RULES and label.value is not None


__all__ = ["Bench", "judge"]
