"""The difference of two trials, or of the matched trials of two runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from socialcircuits.agents import BackEnd
from socialcircuits.analyses.tracing import Path, Reread, Said, Trace
from socialcircuits.errors import RunFileError
from socialcircuits.measures import collective_accuracy, manager_accuracy
from socialcircuits.records import TrialPlan, TrialRecord
from socialcircuits.records.digests import canonical, differences, identity
from socialcircuits.studies.execution import CAPABILITIES
from socialcircuits.studies.planning import Builder, Planned
from socialcircuits.studies.remembered import WORLD
from socialcircuits.studies.run import Run

Answers = Mapping[int, str | None]
"""round -> the answer that an agent holds after it; None where it is invalid."""

SHARED = "study seed, replicate, truth, protocol, N and rounds"
"""What two trials must share to be compared: from it their seats and schedule follow."""


class Side(NamedTuple):
    """What is compared: all completed trials of a run, or the one of a number."""

    run: Run
    number: int | None = None


@dataclass(frozen=True)
class Steps:
    """How many steps of two trials differ.

    Args:
        equal: asked and answered the same.
        anew: with another key: something that determines the reply differs.
        otherwise: how many of these were answered otherwise.
        replies: asked the same and answered otherwise.
        first: on the first side only.
        second: on the second side only.
    """

    equal: int
    anew: int
    otherwise: int
    replies: int
    first: int
    second: int


@dataclass(frozen=True)
class Belief:
    """An agent whose belief differs.

    Args:
        agent: key of its seat.
        first: its answers in the readout of the first side.
        second: those of the second. Where one trial ended earlier, its last answer stands.
        since: the first round after which the answers differ.
        path: how the difference came to that answer.
    """

    agent: str
    first: Answers
    second: Answers
    since: int
    path: Path

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON values; rounds are texts there."""
        first, second = (
            {str(r): answer for r, answer in one.items()} for one in (self.first, self.second)
        )
        return {
            "agent": self.agent,
            "first": first,
            "second": second,
            "since": self.since,
            "path": self.path.as_json(),
        }


@dataclass(frozen=True)
class Calls:
    """Replies of one trial, attempts included, shared steps not counted.

    Args:
        asked: asked for.
        reused: taken from a record instead.
    """

    asked: int
    reused: int

    @property
    def saved(self) -> float:
        """Share of the replies that were not asked for, 0 to 1; 0 where there are none.

        >>> Calls(asked=30, reused=90).saved
        0.75
        """
        return self.reused / (self.asked + self.reused) if self.reused else 0.0


@dataclass(frozen=True)
class TrialDifference:
    """The difference of two trials with the same seats and schedule.

    Args:
        trials: their numbers in their runs.
        condition: the swept settings of the second.
        seed: the replicate of both.
        settings: settings that differ, the first ``there``, the second ``now``.
        asked: the first step in graph order that differs in key or reply, or that only one side
            has; None where nothing differs.
        said: the first whose reply differs, or that only one side has; None where none does.
        steps: how many steps differ.
        agents: number of seats in the readout of both.
        beliefs: those whose answers differ in any round, in seat order.
        accuracy: share of the last readout that is right, on both sides; None without a readout.
        calls: replies asked for and reused, on both sides.
    """

    trials: tuple[int, int]
    condition: Mapping[str, Any]
    seed: int
    settings: tuple[str, ...]
    asked: Said | None
    said: Said | None
    steps: Steps
    agents: int
    beliefs: tuple[Belief, ...]
    accuracy: tuple[float | None, float | None]
    calls: tuple[Calls, Calls]

    @property
    def same(self) -> bool:
        """Whether all steps were asked and answered the same."""
        return self.asked is None

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "trials": list(self.trials),
            "condition": dict(self.condition),
            "seed": self.seed,
            "same": self.same,
            "settings": list(self.settings),
            "first_asked": self.asked and self.asked.as_json(),
            "first_said": self.said and self.said.as_json(),
            "steps": asdict(self.steps),
            "agents": self.agents,
            "beliefs": [belief.as_json() for belief in self.beliefs],
            "accuracy": list(self.accuracy),
            "calls": [{**asdict(one), "saved": one.saved} for one in self.calls],
        }


@dataclass(frozen=True)
class RunDifference:
    """The difference of two runs, or of two trials.

    Args:
        agents: what kind of agents sat in the seats, each kind once.
        pairs: the matched trials.
        unmatched: number of completed trials of each side that have no counterpart.
    """

    agents: tuple[str, ...]
    pairs: tuple[TrialDifference, ...]
    unmatched: tuple[int, int]

    @property
    def same(self) -> bool:
        """Whether all matched trials are the same."""
        return all(pair.same for pair in self.pairs)

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "agents": list(self.agents),
            "same": self.same,
            "unmatched": list(self.unmatched),
            "pairs": [pair.as_json() for pair in self.pairs],
        }


def differ(first: Side, second: Side) -> RunDifference:
    """Compare two trials, or the matched trials of two sides. Nobody is asked.

    Trials are matched that agree in all swept settings but the intervention, in seed, and in what
    makes their schedule. Of several such, those of one intervention belong together; an
    intervention that one side does not have stands against its trial without any.

    Raises:
        RunFileError: a run does not hold the trial, no trial of one side has a counterpart on the
            other, or a trial can no longer be built as it was recorded.
    """
    one, two = _Opened(first), _Opened(second)
    pairs = list(_pairs(one, two))
    if not pairs:
        raise RunFileError(_nothing_shared(one, two))
    used = [len({pair[side].plan.number for pair in pairs}) for side in (0, 1)]
    return RunDifference(
        tuple(dict.fromkeys((first.run.label, second.run.label))),
        tuple(_compare((one, a), (two, b)) for a, b in pairs),
        (len(one.trials) - used[0], len(two.trials) - used[1]),
    )


class _Opened:
    """A side with its completed trials, and what makes their setups again."""

    def __init__(self, side: Side) -> None:
        self.run, self.single = side.run, side.number is not None
        self.name = f"{side.run.path}:{side.number}" if self.single else str(side.run.path)
        # The record says which trial has which number.
        named = {_identity(trial.plan): trial for trial in self.run.plan.trials}
        self.trials = [
            Planned(plan, named[_identity(plan)].cell)
            for plan in self.run.file.plans()
            if side.number in {None, plan.number} and _identity(plan) in named
        ]
        if not self.trials:
            number = "" if side.number is None else f" {side.number}"
            raise RunFileError(f"{self.run.path}: there is no completed trial{number}")
        # Nobody is asked: as in a replay, no key is needed and no server is reached.
        back = BackEnd(recorded=self.run.file.recall(CAPABILITIES) or {})
        self.builder = Builder(self.run.study, replay=True, back=back)
        if self.run.file.recall(WORLD) not in {None, self.builder.world.fingerprint}:
            raise RunFileError(
                f"{self.run.path}: the data of its world (a pool file?) have changed since"
            )

    def shared(self, trial: Planned) -> dict[str, Any]:
        """Return what a trial must share with another to be compared; see `SHARED`."""
        settings = trial.cell.trial
        return {
            "seed": self.run.study.seed,
            "replicate": trial.plan.seed,
            "truth": settings.truth,
            "protocol": settings.protocol,
            "N": settings.N,
            "rounds": settings.length,
        }

    def matched_by(self, trial: Planned) -> str:
        """Return what matched trials have in common."""
        return canonical([self.shared(trial), trial.cell.base])

    def settings(self, trial: Planned, record: TrialRecord) -> dict[str, Any]:
        """Return all settings of a trial; its changes as they were recorded."""
        study = self.run.study
        return {
            "world": study.world,
            "trial": trial.cell.trial.model_dump(mode="json"),
            "models": {name: study.models[name] for name in trial.cell.used()},
            "changes": record.provided.facts.get("intervention", []),
        }

    def reread(self, trial: Planned) -> Reread:
        """Return a trial with what its steps read."""
        record, (setup, _) = self.run.file.trial(trial.plan.number), self.builder.build(trial)
        if setup.graph != record.graph:
            raise RunFileError(
                f"{self.run.path}: trial {trial.plan.number} can no longer be built as it was "
                "recorded: its schedule is made otherwise now"
            )
        return Reread(record, setup)


def _identity(plan: TrialPlan) -> str:
    return identity(plan.condition, plan.seed, plan.role)


def _pairs(one: _Opened, two: _Opened) -> Iterator[tuple[Planned, Planned]]:
    if one.single and two.single:
        if one.shared(one.trials[0]) == two.shared(two.trials[0]):
            yield one.trials[0], two.trials[0]
        return
    first, second = _by_intervention(one), _by_intervention(two)
    for name, mine in first.items():
        yours = second.get(name, {})
        for intervention in dict.fromkeys((*mine, *yours)):
            a, b = (side.get(intervention, side.get("")) for side in (mine, yours))
            if a is not None and b is not None:
                yield a, b


def _by_intervention(side: _Opened) -> dict[str, dict[str, Planned]]:
    found: dict[str, dict[str, Planned]] = {}
    for trial in side.trials:
        alike = found.setdefault(side.matched_by(trial), {})
        alike[trial.cell.trial.intervention] = trial
    return found


def _nothing_shared(one: _Opened, two: _Opened) -> str:
    a, b = one.trials[0], two.trials[0]
    first, second = one.shared(a), two.shared(b)
    if not (one.single and two.single):
        first["condition"], second["condition"] = a.cell.base, b.cell.base
    changes = "; ".join(_changes(first, second))
    return (
        f"{one.name} and {two.name} hold no trials to compare: such trials share {SHARED} and, "
        f"unless both are named by number, all swept settings ({changes})"
    )


def _changes(one: Mapping[str, Any], two: Mapping[str, Any]) -> Iterator[str]:
    for name in one:
        if one[name] != two[name]:
            yield from differences(name, one[name], two[name])


def _compare(first: tuple[_Opened, Planned], second: tuple[_Opened, Planned]) -> TrialDifference:
    trace = Trace(*(side.reread(trial) for side, trial in (first, second)))
    records = trace.first.record, trace.second.record
    one, two = (
        side.settings(trial, record)
        for (side, trial), record in zip((first, second), records, strict=True)
    )
    otherwise = [name for name in trace.differing if trace.said_otherwise(name)]
    stated = [_readout(side) for side in (trace.first, trace.second)]
    agents = [seat for seat in stated[0] if seat in stated[1]]
    beliefs = (_belief(trace, seat, stated[0][seat], stated[1][seat]) for seat in agents)
    accuracies, calls = map(_accuracy, records), map(_calls, records)
    return TrialDifference(
        trials=(records[0].plan.number, records[1].plan.number),
        condition=records[1].plan.condition,
        seed=records[1].plan.seed,
        settings=tuple(_changes(one, two)),
        asked=trace.said(trace.differing[0]) if trace.differing else None,
        said=trace.said(otherwise[0]) if otherwise else None,
        steps=_count(trace),
        agents=len(agents),
        beliefs=tuple(belief for belief in beliefs if belief is not None),
        accuracy=(next(accuracies), next(accuracies)),
        calls=(next(calls), next(calls)),
    )


def _count(trace: Trace) -> Steps:
    both = [name for name in trace.differing if trace.on_both(name)]
    anew = [name for name in both if trace.asked_otherwise(name)]
    alone = [name for name in trace.differing if not trace.on_both(name)]
    first = sum(name in trace.first.steps for name in alone)
    return Steps(
        equal=len(trace.order) - len(trace.differing),
        anew=len(anew),
        otherwise=sum(map(trace.said_otherwise, anew)),
        replies=len(both) - len(anew),
        first=first,
        second=len(alone) - first,
    )


def _readout(side: Reread) -> dict[int, dict[int, str]]:
    """Seat -> round -> the step in which it states its belief."""
    readout, found = side.record.graph.readout, dict[int, dict[int, str]]()
    for name, step in side.steps.items():
        if step.purpose == readout.purpose and step.seat in readout.seats:
            found.setdefault(step.seat, {})[step.round] = name
    return {seat: found[seat] for seat in sorted(found)}


def _belief(
    trace: Trace, seat: int, first: Mapping[int, str], second: Mapping[int, str]
) -> Belief | None:
    one, two = _answers(trace.first, first), _answers(trace.second, second)
    for current in sorted({*one, *two}):
        if one.get(current, one[max(one)]) != two.get(current, two[max(two)]):
            name = first.get(current) or second[current]
            key = trace.first.record.graph.seats[seat].key
            return Belief(key, one, two, current, trace.path(name))
    return None


def _answers(side: Reread, names: Mapping[int, str]) -> dict[int, str | None]:
    replies = {current: side.replies[name] for current, name in names.items()}
    return {current: reply.answer if reply.valid else None for current, reply in replies.items()}


def _accuracy(record: TrialRecord) -> float | None:
    summary = record.summary()
    for measure in (collective_accuracy.MEASURE, manager_accuracy.MEASURE):
        if measure.undefined(summary) is None:
            value = measure.value(summary)
            return None if value is None else float(value)
    return None


def _calls(record: TrialRecord) -> Calls:
    return Calls(record.counts["made"], record.counts["reused"])
