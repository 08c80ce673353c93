"""Runs a plan into a run file: shared steps first, then trial by trial; resumable at any point."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from socialcircuits.agents import Access, BackEnd
from socialcircuits.errors import (
    BudgetReached,
    ReplayError,
    RunFileError,
    SettingError,
    SocialCircuitsError,
)
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
from socialcircuits.studies import strata, told
from socialcircuits.studies.driving import drive
from socialcircuits.studies.interim import Watch
from socialcircuits.studies.judging import Bench
from socialcircuits.studies.looks import adopt, sidecar
from socialcircuits.studies.planning import Builder, Group, Plan
from socialcircuits.studies.remembered import same_data, same_trials
from socialcircuits.studies.study import INTERVENTION
from socialcircuits.trial import MOST_IN_FLIGHT, Setup, keys, play, play_waiting

Progress = Callable[[int, int], None]
"""(trials done, trials planned) -> shown to the user."""

CAPABILITIES = "capabilities"
"""Under this name a run remembers what its models can do."""

OPEN_TRIALS = 8
"""Trials in progress at once where minds wait: bounds memory, and enough to keep a server busy."""


@dataclass(frozen=True)
class Execution:
    """How a plan is executed; none of this changes a result.

    Args:
        sequential: ask one at a time, in graph order, one trial after the other.
        origin: a finished run whose replies are used instead of asking (replay).
        access: how models are reached, and the limits on calls and cost.
        progress: told after each trial.
        start: a run of which this one changes something: its replies are used where nothing that
            determines them has changed, all else is asked.
    """

    sequential: bool = False
    origin: Path | None = None
    access: Access = field(default_factory=Access)
    progress: Progress = lambda done, planned: None
    start: Path | None = None


def execute(plan: Plan, out: Path, how: Execution = Execution()) -> None:
    """Run all trials that the run file does not yet hold.

    A trial whose mind fails is recorded as failed and the others go on. Where looks are declared, a
    look that crosses its boundary ends the run; it is finished then.

    Raises:
        RunFileError: the run file cannot be used.
        SettingError: a model or a setting of the world is not allowed.
        ModelError: a model cannot be reached at all.
        BudgetReached: the limit on calls or cost is reached; what was paid for is kept.
    """
    fresh = not _exists(out)
    try:
        _execute(plan, out, how, fresh=fresh)
    except SettingError:
        # Some refusals need the file open; one that holds nothing would only stand in the way.
        if fresh and _exists(out) and not _asked(out):
            out.unlink()
        raise


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # such as a name that is too long: said when the file is made
        return False


def _asked(path: Path) -> bool:
    with RunFile(path) as file:
        return bool(file.statuses()) or file.calls()["made"] > 0


def _execute(plan: Plan, out: Path, how: Execution, *, fresh: bool) -> None:
    with ExitStack() as stack:
        source = how.origin or how.start
        past = stack.enter_context(RunFile(source)) if source else None
        recorded = (past.recall(CAPABILITIES) or {}) if past else None
        back = BackEnd(how.access, recorded if how.origin else None)
        how.access.check([*plan.study.models.values(), plan.study.judge])
        builder = Builder(plan.study, replay=how.origin is not None, back=back)
        builder.check(plan)
        study, bench = plan.study, Bench.of(plan.study, builder.world, back)
        paid = builder.waits or bench.waits
        store = stack.enter_context(
            RunStore(
                out,
                study.model_dump(mode="json"),
                notes(source, replay=how.origin is not None),
                paid=paid,
            )
        )
        if fresh:
            # Left by a file of this name that was deleted.
            sidecar(out).unlink(missing_ok=True)
        stack.callback(adopt, store)
        same_trials(plan, out)
        same_data(builder, store, past)
        run = _Run(plan, builder, store, past, how, bench)
        if past and not store.recall(CAPABILITIES):
            store.remember(CAPABILITIES, recorded)
        if paid:
            drive(_run_waiting(run, back, store))
        else:
            run.begin()
            run.now()


async def _run_waiting(run: _Run, back: BackEnd, store: RunStore) -> None:
    try:
        store.remember(CAPABILITIES, await back.ready(store.recall(CAPABILITIES)))
        run.begin()
        await run.waiting()
    finally:
        await back.close()


Lookup = Mapping[bytes, Reply]
Ready = tuple[TrialPlan, Setup, Provided]


def _replies(file: RunFile, number: int) -> Lookup:
    return {attempt.key: attempt.reply for attempt in file.trial(number).attempts}


class _Run:
    """One execution. The first thing done in a group is to ask its shared steps."""

    def __init__(
        self,
        plan: Plan,
        builder: Builder,
        store: RunStore,
        past: RunFile | None,
        how: Execution,
        bench: Bench,
    ) -> None:
        self._plan, self._builder, self._store = plan, builder, store
        self._past, self._how, self._bench = past, how, bench
        self._recorded_as = {
            self._name(done, done.condition): done.number for done in (past.plans() if past else ())
        }
        self._done = store.completed()
        self._stopped: BudgetReached | None = None
        self._turns: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._total = len(plan.trials)
        self._bases: dict[int, Lookup] = {}

    def begin(self) -> None:
        """Refuse what the models cannot do, and keep what agents are told."""
        self._builder.check_odds(self._plan)
        told.remember(self._plan, self._builder, self._store)

    def now(self) -> None:
        """Run where no mind waits: one trial after the other, one step after the other; judged as
        soon as all are there."""
        for groups in self._stages():
            self._play(groups)
            self._bench.settle(self._store)

    def _stages(self) -> Iterator[Sequence[Group]]:
        """Yield the strata, and then, when they are judged, the trials on the items that are
        kept: at once, or up to each declared look."""
        if self._plan.strata:
            yield self._plan.strata
        with RunFile(self._store.path) as own:
            kept = strata.read(self._plan, own, self._bench.judge).groups(self._plan)
        self._expect(kept)
        if self._plan.study.looks is None:
            yield kept
            return
        watch = Watch(self._plan, kept, self._store, self._bench.judge)
        yield from watch.blocks()
        self._expect([*watch.begun, *watch.examples])
        yield watch.examples

    def _expect(self, groups: Sequence[Group]) -> None:
        self._total = sum(len(group.trials) for group in (*self._plan.strata, *groups))

    def _play(self, groups: Sequence[Group]) -> None:
        for group, ready in self._groups(groups):
            known = self._store.replies(shared_by(group.seed))
            recorded = self._past.shared(group.seed) if self._past else {}
            try:
                for _, setup, _ in ready:
                    asked = setup.shared_only()
                    lookup = {**recorded, **known}
                    fresh = [Asking(0, 0, key) for key in keys(asked) if key not in lookup]
                    self._store.commit(shared_by(group.seed), [], fresh)
                    known |= self._keep(group, play(asked, lookup.get), known, recorded)
            except RunFileError:
                raise
            except SocialCircuitsError as error:
                self._fail_all(ready, error)
                continue
            for plan, setup, provided in ready:
                with self._trial(plan, setup, provided) as finish:
                    found = self._recorded(plan)
                    finish(play(setup, {**known, **found}.get), found)

    async def waiting(self) -> None:
        """Run where some mind or judge waits: wavefronts, several trials at once."""
        for groups in self._stages():
            await self._play_waiting(groups)
            if self._stopped:
                raise self._stopped
            await self._bench.judge_all(self._store, self._past)

    async def _play_waiting(self, groups: Sequence[Group]) -> None:
        gate = asyncio.Semaphore(1 if self._how.sequential else OPEN_TRIALS)
        begun: dict[int, asyncio.Task[None]] = {}
        try:
            async with asyncio.TaskGroup() as tasks:
                for group, ready in self._groups(groups):
                    if self._stopped:
                        break
                    shared: asyncio.Task[Lookup | None] | None = None
                    for trial in ready:
                        # Waiting here keeps the trials in progress, and so memory, bounded.
                        await gate.acquire()
                        if self._stopped:
                            break
                        shared = shared or tasks.create_task(self._shared(group, ready))
                        number = trial[0].number
                        begun[number] = tasks.create_task(self._one_waiting(trial, shared, begun))
                        begun[number].add_done_callback(lambda _: gate.release())
        except BaseExceptionGroup as failed:
            raise failed.exceptions[0] from None

    async def _shared(self, group: Group, ready: list[Ready]) -> Lookup | None:
        """Ask the shared steps of a group; None where its trials cannot be run."""
        number = shared_by(group.seed)
        try:
            # Examples share with the estimates of their seed: what one asks, the other awaits.
            async with self._turns[group.seed]:
                known = self._store.replies(number)
                past = self._past.shared(group.seed) if self._past else {}
                for _, setup, _ in ready:
                    played = await self._ask(setup.shared_only(), {**past, **known}, number)
                    known |= self._keep(group, played, known, past)
        except RunFileError:
            raise
        except BudgetReached as error:
            self._stopped = error
            return None
        except SocialCircuitsError as error:
            self._fail_all(ready, error)
            return None
        return known

    async def _one_waiting(
        self,
        trial: Ready,
        shared: asyncio.Task[Lookup | None],
        begun: Mapping[int, asyncio.Task[None]],
    ) -> None:
        plan, setup, provided = trial
        known = await shared
        base = self._plan.bases.get(plan.number)
        if base is not None and base.number in begun:
            await asyncio.wait((begun[base.number],))
        if known is None or self._stopped:
            return
        with self._trial(plan, setup, provided) as finish:
            found, own = self._recorded(plan), self._store.replies(plan.number)
            finish(await self._ask(setup, {**known, **found, **own}, plan.number), found)

    async def _ask(self, setup: Setup, known: Lookup, number: int) -> Played:
        in_flight = 1 if self._how.sequential else MOST_IN_FLIGHT
        journal = TrialJournal(self._store, number)
        return await play_waiting(setup, known.get, journal, in_flight)

    def _groups(self, groups: Sequence[Group]) -> Iterator[tuple[Group, list[Ready]]]:
        self._how.progress(len(self._done), self._total)
        for group in groups:
            todo = [t for t in group.trials if t.plan.number not in self._done]
            ready = []
            for planned in todo:
                try:
                    ready.append((planned.plan, *self._builder.build(planned)))
                except SettingError as error:
                    # An intervention may name what this replicate's schedule does not have.
                    self._store.begin(planned.plan)
                    self._store.fail(planned.plan, str(error))
                    self._end(planned.plan)
            if ready:
                yield group, ready

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
        """The replies that a trial may take over: of a replay's original, or of the trial that it
        changes, in the run that this one starts from or in this run."""
        if self._past is None:
            return self._of_base(plan)
        name = self._name(plan, plan.condition)
        if name in self._recorded_as:
            return _replies(self._past, self._recorded_as[name])
        if self._how.origin:
            raise ReplayError(f"replay: {self._past.path} holds no completed trial {name}")
        plain = {n: value for n, value in plan.condition.items() if n != INTERVENTION}
        number = self._recorded_as.get(self._name(plan, plain))
        return self._of_base(plan) or ({} if number is None else _replies(self._past, number))

    def _name(self, plan: TrialPlan, condition: Mapping[str, Any]) -> str:
        # What is changed may be an example of the run that this one starts from.
        return identity(condition, plan.seed, plan.role if self._how.origin else "")

    def _of_base(self, plan: TrialPlan) -> Lookup:
        base = self._plan.bases.get(plan.number)
        if base is None or base.number not in self._store.completed():
            return {}
        if base.number not in self._bases:
            self._bases.clear()
            with RunFile(self._store.path) as own:
                self._bases[base.number] = _replies(own, base.number)
        return self._bases[base.number]

    @contextmanager
    def _trial(
        self, plan: TrialPlan, setup: Setup, provided: Provided
    ) -> Iterator[Callable[[Played, Lookup], None]]:
        """Bracket one trial: begun durably, committed whole, or noted as failed."""

        def finish(played: Played, found: Lookup) -> None:
            seen = {e.key: e for e in setup.evidence if e and self._store.lacks(e.key)}
            texts = {key: e.text().encode("utf-8", "surrogatepass") for key, e in seen.items()}
            self._store.keep(texts)
            if self._past:
                sent = {key for attempt in played.attempts for key in attempt.prompt}
                lacking = {key for key in sent if self._store.lacks(key)}
                self._store.keep({key: self._past.content(key) for key in lacking})
            self._store.finish(plan, played, provided, found)

        self._store.begin(plan)
        try:
            yield finish
        except RunFileError:
            raise
        except BudgetReached as error:
            # Other trials have calls in flight that are paid for: they end by themselves.
            self._stopped = error
            return
        except SocialCircuitsError as error:
            self._store.fail(plan, str(error))
        self._end(plan)

    def _fail_all(self, ready: list[Ready], error: SocialCircuitsError) -> None:
        """A shared step that fails fails all trials that need it."""
        for plan, _, _ in ready:
            self._store.begin(plan)
            self._store.fail(plan, str(error))
            self._end(plan)

    def _end(self, plan: TrialPlan) -> None:
        self._done.add(plan.number)
        self._how.progress(len(self._done), self._total)
