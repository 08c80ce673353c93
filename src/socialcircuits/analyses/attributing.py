"""Which agent matters: what is predicted of each agent of a trial, and what patching it alone does.

What a run does not hold is asked in a study of its own, which takes over from the run all replies
that nothing has changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from socialcircuits.agents import Access, BackEnd
from socialcircuits.analyses.attribution import DIRECT, PROBES, Attribution, Held, Wanted
from socialcircuits.checking import checked
from socialcircuits.errors import SettingError, TrialsFailed
from socialcircuits.interventions.attribution import clock
from socialcircuits.interventions.shapley import Coalition, Order, coalitions, orders
from socialcircuits.measures import cell
from socialcircuits.protocols import find as find_protocol
from socialcircuits.records import TrialRecord
from socialcircuits.seeds import digest
from socialcircuits.studies.execution import CAPABILITIES, Execution, execute
from socialcircuits.studies.patching import find, patched
from socialcircuits.studies.planning import Builder, plan
from socialcircuits.studies.preparing import default_path
from socialcircuits.studies.run import Run
from socialcircuits.studies.settings import ROLES
from socialcircuits.studies.study import INTERVENTION, Study

__all__ = ["Attributed", "Question", "attribute"]

INFORMATIVE = "informative"
"""Name of the intervention that shows the informative evidence to agents alone."""

Changes = dict[str, list[dict[str, Any]]]


@dataclass(frozen=True)
class Question:
    """What is to be attributed.

    Args:
        trial: number of the trial, without intervention, in its run.
        view: the informative evidence, as the world names it; empty: the one that the run itself
            patches into every agent; else the first, in the world's order, that allows the truth
            alone.
        direct: whether the direct part of each effect is measured too: one trial more an agent, in
            which all others' words are those of the original, as long as it went on.
        shapley: orders of agents over which Shapley values are averaged, even and at least 4; 0
            for none. Where all coalitions are no more trials than that, they are exact.
        every: whether all replicates of the trial's condition are attributed, not this one alone.
    """

    trial: int
    view: str = ""
    direct: bool = False
    shapley: int = 0
    every: bool = False


@dataclass(frozen=True)
class Attributed:
    """What came of a question.

    Args:
        path: the run in which everything stands.
        label: what kind of agents was run.
        found: one attribution a trial.
        asked: replies that were asked for in that run; 0 where the original run held all.
        reused: replies that it took from the record instead.
    """

    path: Path
    label: str
    found: tuple[Attribution, ...]
    asked: int = 0
    reused: int = 0

    @property
    def saved(self) -> float:
        """The share of its replies that were not asked for, 0 to 1."""
        return self.reused / (self.asked + self.reused) if self.asked else 1.0

    def as_json(self) -> dict[str, Any]:
        """Return all of it as JSON values."""
        calls = {"asked": self.asked, "reused": self.reused, "saved": self.saved}
        return {
            "run": str(self.path),
            "agents": self.label,
            "calls": calls,
            "trials": [one.as_json() for one in self.found],
        }


def held(run: Run, question: Question) -> list[Attribution] | None:
    """Return the attributions that a run holds every patch and probe of; None where any is missing.

    Raises:
        SettingError: the trial cannot be attributed, or there is no informative evidence.
    """
    one = _Asked(run, question)
    return one.held.attributions(one.wanted)


def attributed(run: Run) -> set[str]:
    """Return the conditions, by their keys (`measures.cell`), in which agents speak to each other
    and single ones are patched."""
    bases = {base.number for base in run.plan.bases.values()}
    return {
        cell(planned.cell.base)
        for planned in run.plan.trials
        if planned.plan.number in bases and find_protocol(planned.cell.trial.protocol).in_rounds
    }


def all_held(run: Run) -> Iterator[Attribution]:
    """Yield the attributions of all trials, one at a time, whose patches and probes a run holds."""
    done = {plan.number for plan in run.file.plans()}
    bases = {base.number for base in run.plan.bases.values()}
    for planned in run.plan.trials:
        number, protocol = planned.plan.number, planned.cell.trial.protocol
        if number not in bases & done or not find_protocol(protocol).in_rounds:
            continue
        try:
            yield from held(run, Question(number)) or ()
        except SettingError:
            # An example, or a trial without informative evidence: it has no patch of every agent.
            continue


def first_held(run: Run) -> Attribution | None:
    """Return the attribution of the first trial whose patches and probes a run holds."""
    return next(all_held(run), None)


def attribute(
    path: str | Path,
    question: Question,
    out: str | Path | None = None,
    how: Execution | None = None,
) -> Attributed:
    """Predict and measure which agent of a trial matters.

    Where the run holds every patch and probe that is needed, they are read and nobody is asked.

    Args:
        path: the run.
        question: which trial, and what of it.
        out: the run file for what must be asked; by default one in ``runs/``.
        how: how models are reached; its `start` is the run.

    Raises:
        SettingError: the trial cannot be attributed, or there is no informative evidence.
        RunFileError: a run file cannot be used.
        TrialsFailed: a patched trial failed; the others are kept.

    Source: Flag Game, Sec. 5.1 and Appendix F.
    """
    with Run(path) as run:
        found = held(run, question)
        if found is not None:
            return Attributed(run.path, run.label, tuple(found))
        one = _Asked(run, question)
        study = one.study()
    target = Path(out) if out else default_path(study)
    execute(plan(study), target, replace(how or Execution(), start=Path(path)))
    with Run(target) as done:
        failures = done.failures()
        if failures:
            first, why = failures[0]
            raise TrialsFailed(f"{len(failures)} trials failed; first, trial {first.number}: {why}")
        found = Held(done, one.wanted.base, one.wanted.agents).attributions(one.wanted)
        assert found is not None, "a finished study holds all that it was made for"
        calls = done.calls()
        asked = calls["made"] + calls["repeated"]
        return Attributed(target, done.label, tuple(found), asked, calls["reused"])


class _Asked:
    """A question to a run: which trials, what is needed, and the study that asks for it."""

    def __init__(self, run: Run, question: Question) -> None:
        self._run = run
        self._plan = find(run, question.trial)
        cells = {planned.plan.number: planned.cell.trial for planned in run.plan.trials}
        self._trial = cells[self._plan.number]
        self._record = run.file.trial(self._plan.number)
        base = {n: v for n, v in self._plan.condition.items() if n != INTERVENTION}
        given, seats = self._record.provided, self._record.graph.seats
        agents = {seats[i].key: i for i, shown in enumerate(given.evidence) if shown}
        self.held = Held(run, base, agents)
        self._check(question)
        trials = self._replicates(question.every)
        drawn, together = _together(len(agents), question.shapley)
        view = question.view or self._view(trials)
        self.wanted = Wanted(trials, base, agents, view, drawn, together, question.direct)

    def _check(self, question: Question) -> None:
        number = question.trial
        if self._plan.role != "estimate":
            raise SettingError("--trial", number, "a trial that enters estimates, not an example")
        if self._trial.intervention:
            base = self.held.originals.get(self._plan.seed, "there is none of its seed")
            expected = f"a trial without intervention: {base}"
            raise SettingError("--trial", number, expected)
        if not find_protocol(self._trial.protocol).in_rounds:
            raise SettingError("--trial", number, "a trial in which agents speak to each other")
        if question.direct and question.every:
            expected = "one trial at a time: what others said differs between replicates"
            raise SettingError("--direct", "with --every-seed", expected)

    def _replicates(self, every: bool) -> dict[int, int]:
        """Replicate -> number of its trial, all of one truth."""
        if not every:
            return {self._plan.seed: self._plan.number}
        trials = dict(sorted(self.held.originals.items()))
        truths = {self._run.file.trial(n).provided.facts["truth"] for n in trials.values()}
        if len(truths) > 1:
            expected = "one truth in all replicates (trial.truth); else one trial at a time"
            raise SettingError("--every-seed", f"{len(truths)} truths", expected)
        return trials

    def _view(self, trials: Mapping[int, int]) -> str:
        """The view that the run patches into every agent; else the first that allows the truth
        alone."""
        shown = self.held.views(list(trials))
        if shown:
            return shown[0]
        world, truth = Builder(self._run.study).world, self._record.provided.facts["truth"]
        for seen in world.views(truth):
            left = [answer for answer, belief in zip(seen.answers, seen.log_belief(), strict=True)
                    if belief is not None]  # fmt: skip
            positions = world.assemble(truth, [seen]).facts.get("positions")
            if left == [truth] and positions:
                return ",".join(map(str, positions[0]))
        expected = f"evidence by its name (--view): none that a seat can see allows {truth} alone"
        raise SettingError("--view", "", expected)

    def study(self) -> Study:
        """Return the study that asks for what is wanted."""
        wanted, seeds = self.wanted, sorted(self.wanted.trials)
        changes = self._patches()
        together = {**changes, **(self._direct() if wanted.direct else {})}
        alone = {INFORMATIVE: [{"kind": "evidence", "agents": "all", "view": wanted.view}]}
        study = patched(self._run, self._plan, {**together, **alone})
        axes = {name: [value] for name, value in wanted.base.items()}
        isolated = {**axes, "protocol": ["isolated"], "probes": [self._probes()],
                    "wording": ["printed"]}  # fmt: skip
        models = list(dict.fromkeys(m.model for m in self._trial.members() if m.role == ROLES[0]))
        few = {"N": [len(models)], "cast": [" ".join(f"1{model}" for model in models)]}
        values = {
            **study.model_dump(mode="json"),
            "name": f"{self._run.study.name}/attribution",
            "about": f"Which agent matters in trial {self._plan.number} of {self._run.study.name}",
            "first": seeds[0],
            "seeds": seeds[-1] - seeds[0] + 1,
            "sweep": [
                {**axes, INTERVENTION: ["", *together]},
                {**isolated, INTERVENTION: [""]},
                {**isolated, **few, INTERVENTION: [INFORMATIVE]},
            ],
        }
        return checked(Study, values, "$")

    def _patches(self) -> Changes:
        """The patches of all coalitions; under the names that the run has for them, so that their
        replies are found."""
        keys, view = list(self.wanted.agents), self.wanted.view
        found: Changes = {}
        for coalition in self.wanted.coalitions:
            agents = [keys[place] for place in sorted(coalition)]
            name = self.held.name(view, coalition)
            if name:
                found[name] = self._run.study.interventions[name]
            else:
                change = {"kind": "evidence", "agents": agents, "view": view}
                found["patch " + " ".join(agents)] = [change]
        return found

    def _direct(self) -> Changes:
        """Each agent patched while all others' words are those of the original trial."""
        graph, found = self._record.graph, Changes()
        times = clock(graph)
        said = [index for index in self._record.outcomes if times[index]]
        for key, seat in self.wanted.agents.items():
            changes: list[dict[str, Any]] = [
                {"kind": "evidence", "agents": [key], "view": self.wanted.view}
            ]
            changes += [_held(self._record, index) for index in said
                        if graph.steps[index].seat != seat]  # fmt: skip
            found[DIRECT + key] = changes
        return found

    def _probes(self) -> int | str:
        """Odds where all models of the agents give them, else ten probes."""
        file, names = self._run.file, {member.model for member in self._trial.members()}
        back = BackEnd(Access(), file.recall(CAPABILITIES) or {})
        minds = Builder(self._run.study, replay=True, back=back).originals
        exact = all(getattr(minds[name], "gives_odds", True) for name in names)
        return "exact" if exact else PROBES


def _together(agents: int, permutations: int) -> tuple[list[Order], list[Coalition]]:
    """The orders in which agents are patched, and all coalitions that are patched together."""
    alone = [frozenset((place,)) for place in range(agents)]
    if not permutations:
        return [], alone
    drawn = orders(agents, permutations, digest("shapley", agents, permutations))
    return drawn, list(dict.fromkeys([*alone, *coalitions(agents, drawn)]))


def _held(record: TrialRecord, index: int) -> dict[str, Any]:
    """The change that delivers what was said in the record."""
    name, reply = record.graph.step_id(index), record.outcomes[index]
    if not reply.valid or reply.answer is None:
        return {"kind": "silence", "step": name}
    return {"kind": "message", "step": name, "answer": reply.answer, "reason": reply.reason}
