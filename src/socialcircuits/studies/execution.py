"""Runs a plan into a run file: shared steps first, then trial by trial; resumable at any point."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from socialcircuits.errors import ReplayError, RunFileError, SocialCircuitsError
from socialcircuits.graph import Reply
from socialcircuits.records import (
    Asking,
    Played,
    Provided,
    RunFile,
    RunStore,
    TrialJournal,
    TrialPlan,
    shared_by,
)
from socialcircuits.records.digests import identity
from socialcircuits.records.provenance import notes
from socialcircuits.studies.planning import Builder, Group, Plan
from socialcircuits.trial import MOST_IN_FLIGHT, Setup, keys, play, play_waiting

Progress = Callable[[int, int], None]
"""(trials done, trials planned) -> shown to the user."""

OPEN_TRIALS = 8
"""Trials in progress at once where minds wait: bounds memory, and enough to keep a server busy."""


@dataclass(frozen=True)
class Execution:
    """How a plan is executed; none of this changes a result.

    Args:
        sequential: ask one at a time, in graph order, one trial after the other.
        origin: a finished run whose replies are used instead of asking (replay).
        progress: told after each trial.
    """

    sequential: bool = False
    origin: Path | None = None
    progress: Progress = lambda done, planned: None


def execute(plan: Plan, out: Path, how: Execution = Execution()) -> None:
    """Run all trials that the run file does not yet hold.

    A trial whose mind fails is recorded as failed and the others go on.

    Raises:
        RunFileError: the run file cannot be used.
        SettingError: a model or a setting of the world is not allowed.
    """
    builder = Builder(plan.study, replay=how.origin is not None)
    builder.check(plan)
    about = notes(origin=how.origin)
    study = plan.study.model_dump(mode="json")
    with RunStore(out, study, about, paid=builder.waits) as store:
        origin = RunFile(how.origin) if how.origin else None
        try:
            run = _Run(plan, builder, store, origin, how)
            if builder.waits:
                asyncio.run(run.waiting())
            else:
                run.now()
        finally:
            if origin:
                origin.close()


Lookup = Mapping[bytes, Reply]
Ready = tuple[TrialPlan, Setup, Provided]


class _Run:
    """One execution. The first thing done in a group is to ask its shared steps."""

    def __init__(
        self, plan: Plan, builder: Builder, store: RunStore, origin: RunFile | None, how: Execution
    ) -> None:
        self._plan, self._builder, self._store = plan, builder, store
        self._origin, self._how = origin, how
        self._recorded_as = {
            identity(done.condition, done.seed, done.role): done.number
            for done in (origin.plans() if origin else ())
        }
        self._done = store.completed()
        self._total = len(plan.trials)

    def now(self) -> None:
        """Run where no mind waits: one trial after the other, one step after the other."""
        for group, ready in self._groups():
            known = self._store.replies(shared_by(group.seed))
            recorded = self._origin.shared(group.seed) if self._origin else {}
            with self._failing_together(ready):
                for _, setup, _ in ready:
                    asked = setup.shared_only()
                    lookup = {**recorded, **known}
                    fresh = [Asking(0, 0, key) for key in keys(asked) if key not in lookup]
                    self._store.commit(shared_by(group.seed), [], fresh)
                    known |= self._keep(group, play(asked, lookup.get), known, recorded)
            for plan, setup, provided in ready:
                with self._trial(plan, setup, provided) as finish:
                    found = self._recorded(plan)
                    finish(play(setup, {**known, **found}.get), found)

    async def waiting(self) -> None:
        """Run where some mind waits: wavefronts, several trials at once."""
        for group, ready in self._groups():
            number = shared_by(group.seed)
            known = self._store.replies(number)
            with self._failing_together(ready):
                for _, setup, _ in ready:
                    asked = setup.shared_only()
                    known |= self._keep(group, await self._ask(asked, known, number), known, {})
            gate = asyncio.Semaphore(1 if self._how.sequential else OPEN_TRIALS)
            try:
                async with asyncio.TaskGroup() as tasks:
                    for trial in ready:
                        tasks.create_task(self._one_waiting(trial, known, gate))
            except BaseExceptionGroup as failed:
                raise failed.exceptions[0] from None

    async def _one_waiting(self, trial: Ready, known: Lookup, gate: asyncio.Semaphore) -> None:
        plan, setup, provided = trial
        async with gate:
            with self._trial(plan, setup, provided) as finish:
                own = self._store.replies(plan.number)
                finish(await self._ask(setup, {**known, **own}, plan.number), {})

    async def _ask(self, setup: Setup, known: Lookup, number: int) -> Played:
        in_flight = 1 if self._how.sequential else MOST_IN_FLIGHT
        journal = TrialJournal(self._store, number)
        return await play_waiting(setup, known.get, journal, in_flight)

    def _groups(self) -> Iterator[tuple[Group, list[Ready]]]:
        self._how.progress(len(self._done), self._total)
        for group in self._plan.groups:
            todo = [t for t in group.trials if t.plan.number not in self._done]
            if todo:
                yield group, [(t.plan, *self._builder.build(t)) for t in todo]

    def _keep(self, group: Group, played: Played, known: Lookup, recorded: Lookup) -> Lookup:
        """Commit the replies of shared steps that the run does not hold yet."""
        new = {a.key: a.reply for a in played.attempts if a.key not in known}
        number = shared_by(group.seed)
        for reused in (False, True):
            part = [(key, reply) for key, reply in new.items() if (key in recorded) == reused]
            if part:
                self._store.commit(number, part, [], reused=reused)
        return new

    def _recorded(self, plan: TrialPlan) -> Lookup:
        if self._origin is None:
            return {}
        name = identity(plan.condition, plan.seed, plan.role)
        if name not in self._recorded_as:
            raise ReplayError(f"replay: {self._origin.path} holds no completed trial {name}")
        origin = self._origin.trial(self._recorded_as[name])
        return {attempt.key: attempt.reply for attempt in origin.attempts}

    @contextmanager
    def _trial(
        self, plan: TrialPlan, setup: Setup, provided: Provided
    ) -> Iterator[Callable[[Played, Lookup], None]]:
        """Bracket one trial: begun durably, committed whole, or noted as failed."""

        def finish(played: Played, found: Lookup) -> None:
            seen = {e.key: e for e in setup.evidence if e and self._store.lacks(e.key)}
            texts = {key: e.text().encode("utf-8", "surrogatepass") for key, e in seen.items()}
            self._store.keep(texts)
            if self._origin:
                sent = {key for attempt in played.attempts for key in attempt.prompt}
                lacking = {key for key in sent if self._store.lacks(key)}
                self._store.keep({key: self._origin.content(key) for key in lacking})
            self._store.finish(plan, played, provided, found)

        self._store.begin(plan)
        try:
            yield finish
        except RunFileError:
            raise
        except SocialCircuitsError as error:
            self._store.fail(plan, str(error))
        self._end(plan)

    @contextmanager
    def _failing_together(self, ready: list[Ready]) -> Iterator[None]:
        """A shared step that fails fails all trials that need it; they are not run."""
        try:
            yield
        except RunFileError:
            raise
        except SocialCircuitsError as error:
            for plan, _, _ in ready:
                self._store.begin(plan)
                self._store.fail(plan, str(error))
                self._end(plan)
            ready.clear()

    def _end(self, plan: TrialPlan) -> None:
        self._done.add(plan.number)
        self._how.progress(len(self._done), self._total)
