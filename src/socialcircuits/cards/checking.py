"""Runs a test: its studies one after the other, at once or look by look, into one folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from socialcircuits.agents import Access, BackEnd
from socialcircuits.cards.assembling import assemble, blank
from socialcircuits.cards.comparing import Comparison, comparable, compare
from socialcircuits.cards.gates import Gate, Verdict, settled, standing, verdicts
from socialcircuits.cards.model import Card
from socialcircuits.cards.plans import Plans, Test, plans
from socialcircuits.errors import BudgetReached, SettingError, UsageError
from socialcircuits.records.digests import canonical
from socialcircuits.seeds import digest
from socialcircuits.studies import Builder, Execution, Plan, Run, execute
from socialcircuits.studies.execution import Progress

__all__ = ["LOOKS", "Checked", "Required", "check", "default_folder", "prepare"]

LOOKS = 4
"""How many looks a sequential test has, at equal numbers of claims."""


@dataclass(frozen=True)
class Required:
    """What is required of the card.

    Args:
        gates: the requirements.
        baseline: the card to compare with; None: none.
        sequential: whether the test stops at the first of `LOOKS` looks that decides all gates.

    Raises:
        SettingError: a gate needs a baseline and there is none, or nothing is required that could
            decide a sequential test.
    """

    gates: tuple[Gate, ...] = ()
    baseline: Card | None = None
    sequential: bool = False

    def __post_init__(self) -> None:
        lacking = next((gate for gate in self.gates if gate.paired and not self.baseline), None)
        if lacking:
            raise SettingError("--no-worse", lacking.text, "a card to compare with: --baseline")
        if self.sequential and not self.gates:
            raise SettingError("--sequential", True, "a requirement that decides: --require")


class Checked(NamedTuple):
    """What came of a test.

    Args:
        card: its card.
        verdicts: one a gate.
        comparison: with the baseline; None without one.
        looks: how many looks were taken; 0 without any.
        failed: how many trials failed.
        made: how many calls were made now; what the folder held already is not among them.
        calls: how many calls its studies took in all; those of a judge are not among them.
    """

    card: Card
    verdicts: tuple[Verdict, ...]
    comparison: Comparison | None
    looks: int
    failed: int
    made: int
    calls: int


def default_folder(test: Test, laid: Plans) -> Path:
    """Return where the runs and the card of a test go when nothing is said."""
    studies = [canonical(one.study.model_dump(mode="json")) for _, one in laid.all()]
    return Path("runs") / f"card-{digest(*studies).hex()[:8]}"


def prepare(test: Test, required: Required) -> tuple[Plans, Card]:
    """Return the plans of a test and its empty card; all that can be refused is refused here.

    Raises:
        UsageError: the claims, the pack or the baseline cannot be used.
        SettingError: something is not allowed.
    """
    laid = plans(test)
    empty = blank(test, laid)
    if required.baseline is not None:
        comparable(empty, required.baseline)
        if required.baseline.size != test.size:
            told = f"size {required.baseline.size}, and this test {test.size}"
            raise UsageError(f"baseline: it has {told}: other claims would be compared")
    return laid, empty


class _Spent(NamedTuple):
    """What a study took so far.

    Args:
        made: replies of its models that were asked for, and
        judged: those of its judge.
        cost: of all of them, in billionths of a US dollar.
    """

    made: int = 0
    judged: int = 0
    cost: int = 0

    @classmethod
    def of(cls, path: Path) -> _Spent:
        if not path.exists():
            return cls()
        with Run(path) as run:
            judges = run.judging().values()
            cost = run.spent().cost + sum(one["cost"] for one in judges)
            return cls(run.calls()["made"], sum(one["calls"] for one in judges), cost)


@dataclass
class _Bench:
    """The runs of one test, in one folder.

    Args:
        folder: where they are.
        access: how models are reached, and what may still be spent.
        progress: study -> what is told after each trial.
    """

    folder: Path
    access: Access
    progress: Callable[[str], Progress]
    runs: dict[str, Run] = field(default_factory=dict)
    made: int = 0

    def path(self, name: str) -> Path:
        return self.folder / f"{name}.db"

    def run(self, name: str, plan: Plan, stack: ExitStack) -> Run:
        """Run a plan, or what is left of it, and open its file."""
        path = self.path(name)
        before, earlier = _Spent.of(path), self.made
        if name in self.runs:
            self.runs.pop(name).close()
        try:
            execute(plan, path, Execution(access=self.access, progress=self.progress(name)))
        except BudgetReached as error:
            rest = f" (what {earlier:,} calls for its other studies left)" if earlier else ""
            raise BudgetReached(f"{error}{rest}") from None
        now = _Spent.of(path)
        made, judged, cost = (one - other for one, other in zip(now, before, strict=True))
        self.made += made
        self.access = replace(
            self.access,
            calls=_left(self.access.calls, made + judged),
            cost=_left(self.access.cost, cost),
        )
        found = self.runs[name] = stack.enter_context(Run(path))
        return found

    def look(self, part: Plan, whole: Plan, stack: ExitStack) -> dict[str, Run]:
        """Run a part of the claims, and return the runs as if no more of them had been asked."""
        run = self.run("seat", _reaching(part, whole, self.path("seat")), stack)
        seeds = {group.seed for group in part.groups}
        asked = [run.place(trial) for trial in run.summaries() if trial.seed in seeds]
        return {**self.runs, "seat": run.only(asked)}


def _left(limit: int | None, used: int) -> int | None:
    return None if limit is None else max(limit - used, 0)


def check(
    prepared: tuple[Plans, Card],
    folder: Path,
    required: Required,
    access: Access,
    progress: Callable[[str], Progress],
) -> Checked:
    """Run a test and return its card; what the folder holds already is not asked again.

    Documents come first, then claims, last live rooms. A sequential test asks claims in `LOOKS`
    parts and stops when its gates are decided; so wide are the intervals at each look that it may.

    Args:
        prepared: as `prepare` returned it.
        folder: for the run files.
        required: gates and baseline.
        access: how models are reached, and the limits on calls and cost.
        progress: name of the study -> what is told after each trial.

    Raises:
        SettingError: there is no such model, or a key is missing.
        UsageError: the folder cannot be made.
        ModelError: a model cannot be reached.
        BudgetReached: a limit is reached; what was paid for is kept.
        RunFileError: a run file cannot be used.
    """
    (laid, empty), baseline = prepared, required.baseline
    for _, plan in laid.all():
        access.check([*plan.study.models.values(), plan.study.judge])
        # Makes the minds: a model that there is not is refused before anything is written.
        _ = Builder(plan.study, back=BackEnd(access)).originals
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder}: no folder can be made there ({error.strerror})") from None
    bench = _Bench(folder, access, progress)
    with ExitStack() as stack:
        bench.run("evidence", laid.evidence, stack)
        found: tuple[Verdict, ...] = ()
        looks = LOOKS if required.sequential else 1
        for look, part in enumerate(_parts(laid.seat, looks), 1):
            runs = bench.look(part, laid.seat, stack)
            card = assemble(empty, runs)
            now = verdicts(card, required.gates, baseline, (look, looks))
            found = standing(found, now) if required.sequential else now
            if required.sequential and settled(found):
                break
        if laid.rooms is not None:
            card = assemble(empty, {**runs, "rooms": bench.run("rooms", laid.rooms, stack)})
        failed = sum(run.trials()["failed"] for run in bench.runs.values())
        calls = sum(run.calls()["made"] for run in bench.runs.values())
    comparison = compare(card, baseline) if baseline is not None else None
    looks = look if required.sequential else 0
    return Checked(card, found, comparison, looks, failed, bench.made, calls)


def _parts(plan: Plan, looks: int) -> Iterator[Plan]:
    """Yield a plan with so much of its claims as each look needs, the whole last."""
    for look in range(1, looks + 1):
        yield replace(plan, groups=plan.groups[: -(-len(plan.groups) * look // looks)])


def _reaching(part: Plan, whole: Plan, path: Path) -> Plan:
    """Return a part of a plan with all that its run file holds: a run does not go on with a plan
    that lacks any of its trials."""
    held = set[int]()
    if path.exists():
        with Run(path) as run:
            held = {one.number for status in run.file.statuses() for one in run.file.plans(status)}
    places = [
        place
        for place, group in enumerate(whole.groups, 1)
        if any(trial.plan.number in held for trial in group.trials)
    ]
    return replace(whole, groups=whole.groups[: max([len(part.groups), *places])])
