"""What is known of the agents of a trial: read from a run that holds its patches and probes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from socialcircuits.graph import Graph
from socialcircuits.interventions.attribution import (
    Arrivals,
    Score,
    arrivals,
    clock,
    scores,
)
from socialcircuits.interventions.shapley import Coalition, Order, Shapley, shapley
from socialcircuits.measures import collective_accuracy, manager_accuracy
from socialcircuits.records import TrialPlan, TrialRecord, TrialSummary
from socialcircuits.records.digests import canonical
from socialcircuits.statistics import midranks
from socialcircuits.studies.run import Run
from socialcircuits.studies.study import INTERVENTION

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["PROBES", "Attribution", "Held", "Wanted"]

PROBES = 10
"""Isolated probes of each piece of evidence (Flag Game, Appendix F)."""

DIGITS = 9
"""Digits after the point in which numbers agree that are tied."""

DIRECT = "direct "
"""Begins the names of interventions that patch an agent and hold what all others said."""


@dataclass(frozen=True)
class Attribution:
    """The agents of one trial.

    Args:
        trial: number of the original trial in its run.
        seed: its replicate.
        truth: its right answer.
        view: the informative evidence.
        probes: isolated probes of each piece of evidence, at least; None: its odds.
        accuracy: of the group at the end of the original trial, 0 to 1; of a manager 0 or 1.
        scores: one row an agent that bears evidence.
        arrivals: when what each seat knows can reach the others.
    """

    trial: int
    seed: int
    truth: str
    view: str
    probes: int | None
    accuracy: float
    scores: tuple[Score, ...]
    arrivals: Arrivals

    def rows(self) -> list[dict[str, Any]]:
        """Return the table of agents as JSON values; see `table`."""
        predicted, measured = (
            _places([getattr(score, name) for score in self.scores]) for name in ("score", "effect")
        )
        found = []
        for place, score in enumerate(self.scores):
            row = {
                "agent": score.agent,
                "original_correct": 10 * score.original,
                "informative_correct": 10 * score.informative,
                "dp": score.gain,
                "D": score.mean_arrival,
                "E": score.closeness,
                "S": score.score,
                "dA": score.effect,
                "rank_S": predicted[place],
                "rank_dA": measured[place],
                "unreached": score.unreached,
                "out_degree": score.out_degree,
                "paths": score.paths,
            }
            if score.direct is not None:
                row |= {"direct": score.direct, "relayed": score.relayed}
            if score.shapley is not None:
                row |= {"shapley": score.shapley.value, "shapley_error": score.shapley.error}
            found.append(row)
        return found

    def table(self) -> pd.DataFrame:
        """Return the agents as a table, one row each.

        Columns: agent (number of its seat); original_correct and informative_correct (right
        answers of ten isolated probes, or ten times the odds of the truth; probes of equal evidence
        by equal models count together); dp; D (missing where nobody is reached); E; S; dA; rank_S
        and rank_dA (1 is the largest; tied agents share the mean of their ranks); unreached;
        out_degree; paths; and, where measured, direct and relayed, shapley and shapley_error.
        """
        import pandas as pd

        return pd.DataFrame(self.rows())

    def tree(self, source: int) -> pd.DataFrame:
        """Return the earliest-arrival tree of a seat as a table, one row a seat.

        Columns: source; agent; time (0 for the source), speaker, round, step and position (of the
        utterance within its round, from 0 for the first to 1 for the last), all missing where the
        agent is not reached.
        """
        import pandas as pd

        graph = self.arrivals.graph
        places = _positions(graph)
        blank: dict[str, Any] = dict.fromkeys(("time", "speaker", "round", "step", "position"))
        rows = {
            agent: {"source": source, "agent": agent, **blank} for agent in range(len(graph.seats))
        }
        rows[source]["time"] = 0
        for found in self.arrivals.tree(source):
            rows[found.agent] = {**found._asdict(), "position": places[found.step]}
        whole = dict.fromkeys(("time", "speaker", "round"), "Int64")
        return pd.DataFrame(rows.values()).astype(whole)

    def as_json(self) -> dict[str, Any]:
        """Return all of it as JSON values."""
        return {
            "trial": self.trial,
            "seed": self.seed,
            "truth": self.truth,
            "view": self.view,
            "probes": "exact" if self.probes is None else self.probes,
            "accuracy": self.accuracy,
            "agents": self.rows(),
            "tree": [
                found._asdict()
                for score in self.scores
                for found in self.arrivals.tree(score.agent)
            ],
        }


@dataclass(frozen=True)
class Wanted:
    """What an attribution needs.

    Args:
        trials: replicate -> number of its original trial.
        base: the swept settings of the trials, without intervention.
        agents: key of each seat that bears evidence -> its number.
        view: the informative evidence.
        orders: in which agents are patched for sampled Shapley values.
        coalitions: agents that are patched together, by their places in `agents`; each alone
            always.
        direct: whether direct effects are wanted.
    """

    trials: Mapping[int, int]
    base: Mapping[str, Any]
    agents: Mapping[str, int]
    view: str
    orders: Sequence[Order]
    coalitions: Sequence[Coalition]
    direct: bool

    @property
    def shapley(self) -> bool:
        """Whether Shapley values are wanted."""
        return any(len(coalition) > 1 for coalition in self.coalitions)


Slot = tuple[str, int, Coalition, bool]
"""What a trial shows: informative view, replicate, patched agents, whether others are held."""

Tallies = dict[tuple[str, str], dict[str | None, Fraction]]
"""(mind, evidence) -> what isolated probes of it answered."""


class Held:
    """What a run holds of the patches of some trials, and of the isolated probes beside them.

    Args:
        run: the run.
        base: the swept settings of the trials, without intervention.
        agents: key of each seat that bears evidence -> its number.
    """

    def __init__(self, run: Run, base: Mapping[str, Any], agents: Mapping[str, int]) -> None:
        self._run, self._agents = run, agents
        self._base = canonical(dict(base))
        self.originals: dict[int, int] = {}
        self._patches: dict[Slot, TrialPlan] = {}
        for plan in run.file.plans():
            if plan.role == "estimate":
                self._take(plan)

    def _take(self, plan: TrialPlan) -> None:
        condition = {n: value for n, value in plan.condition.items() if n != INTERVENTION}
        if canonical(condition) != self._base:
            return
        name = self.intervention(plan)
        if not name:
            self.originals[plan.seed] = plan.number
            return
        changes = self._run.study.interventions[name]
        direct = name.startswith(DIRECT)
        if not changes or changes[0]["kind"] != "evidence" or (len(changes) > 1 and not direct):
            return
        named = changes[0].get("agents", "all")
        keys = [named] if isinstance(named, str) else named
        if set(keys) <= set(self._agents):
            places = list(self._agents)
            patched = frozenset(places.index(key) for key in keys)
            self._patches[changes[0]["view"], plan.seed, patched, direct] = plan

    def intervention(self, plan: TrialPlan) -> str:
        """Return the name of a trial's intervention; empty for none."""
        return str(plan.condition.get(INTERVENTION, self._run.study.trial.intervention))

    def name(self, view: str, patched: Coalition) -> str:
        """Return the intervention that patches these agents with this view; empty if the run has
        none."""
        found = (
            self.intervention(plan)
            for (shown, _, agents, holds), plan in self._patches.items()
            if (shown, agents, holds) == (view, patched, False)
        )
        return next(found, "")

    def views(self, seeds: Sequence[int]) -> list[str]:
        """Return the views with which every agent is patched alone in all these replicates."""
        alone = [frozenset((place,)) for place in range(len(self._agents))]
        shown = dict.fromkeys(view for view, *_ in self._patches)
        return [
            view
            for view in shown
            if all((view, seed, one, False) in self._patches for seed in seeds for one in alone)
        ]

    def attributions(self, wanted: Wanted) -> list[Attribution] | None:
        """Return what is wanted, or None where the run does not hold all of it."""
        found = []
        for seed, number in wanted.trials.items():
            one = self._attribution(wanted, seed, number)
            if one is None:
                return None
            found.append(one)
        return found

    def _attribution(self, wanted: Wanted, seed: int, number: int) -> Attribution | None:
        alone = [frozenset((place,)) for place in range(len(self._agents))]
        needed = [(wanted.view, seed, patched, False) for patched in wanted.coalitions]
        held = [(wanted.view, seed, patched, True) for patched in alone if wanted.direct]
        if seed not in self.originals or not {*needed, *held} <= self._patches.keys():
            return None
        original = self._run.file.trial(self.originals[seed])
        informative, values = "", {frozenset[int](): _accuracy(original.summary())}
        for slot in needed:
            record = self._run.file.trial(self._patches[slot].number)
            values[slot[2]] = _accuracy(record.summary())
            informative = record.provided.evidence[self._seat(min(slot[2]))]
        probed, probes = self._probed(original, informative)
        if not probed:
            return None
        before = values[frozenset()]
        direct = {self._seat(min(slot[2])): float(self._after(slot) - before) for slot in held}
        shares = self._shares(wanted, values)
        effects = {self._seat(min(one)): float(values[one] - before) for one in alone}
        found = arrivals(original.graph)
        rows = scores(found, probed, effects, direct, shares)
        truth = str(original.provided.facts["truth"])
        return Attribution(
            number, seed, truth, wanted.view, probes, float(before), tuple(rows), found
        )

    def _seat(self, place: int) -> int:
        return list(self._agents.values())[place]

    def _after(self, slot: Slot) -> Fraction:
        return _accuracy(self._run.file.trial(self._patches[slot].number).summary())

    def _shares(self, wanted: Wanted, values: Mapping[Coalition, Fraction]) -> dict[int, Shapley]:
        if not wanted.shapley:
            return {}
        measured = {coalition: float(value) for coalition, value in values.items()}
        found = shapley(len(self._agents), wanted.orders, measured)
        return {self._seat(place): one for place, one in enumerate(found)}

    def _probed(
        self, original: TrialRecord, informative: str
    ) -> tuple[dict[int, tuple[float, float]], int | None]:
        """Shares of right isolated probes of each agent, and how many there are at least; None
        for odds. Empty where probes are missing."""
        minds, evidence = original.provided.minds, original.provided.evidence
        truth = original.provided.facts["truth"]
        for exact, tallies in self._tallies(original).items():
            pairs = {
                seat: [(minds[seat], shown) for shown in (evidence[seat], informative)]
                for seat in self._agents.values()
            }
            found = [tallies.get(pair, {}) for both in pairs.values() for pair in both]
            least = min(sum(tally.values(), Fraction(0)) for tally in found)
            if least and (exact or least >= PROBES):
                probed = {
                    seat: (_share(tallies[own], truth), _share(tallies[other], truth))
                    for seat, (own, other) in pairs.items()
                }
                return probed, None if exact else int(least)
        return {}, None

    def _tallies(self, original: TrialRecord) -> dict[bool, Tallies]:
        """Isolated probes of the same replicate and truth: as odds, and one by one."""
        found: dict[bool, Tallies] = {True: {}, False: {}}
        truth = original.provided.facts["truth"]
        cells = {planned.plan.number: planned.cell.trial for planned in self._run.plan.trials}
        for plan in self._run.file.plans():
            trial = cells[plan.number]
            if trial.protocol != "isolated" or plan.seed != original.plan.seed:
                continue
            record = self._run.file.trial(plan.number)
            if record.provided.facts["truth"] != truth:
                continue
            given = record.provided
            bearing = [seat for seat, shown in enumerate(given.evidence) if shown]
            tallies = found[trial.probes == "exact"]
            for seat, tally in zip(bearing, record.summary().probed[""], strict=True):
                whole = tallies.setdefault(
                    (given.minds[seat], given.evidence[seat]), defaultdict(Fraction)
                )
                for answer, weight in tally.items():
                    whole[answer] += weight
        return found


def _accuracy(summary: TrialSummary) -> Fraction:
    """Accuracy of the group at the end, or of its manager."""
    measure = manager_accuracy.MEASURE if summary.managed else collective_accuracy.MEASURE
    value = measure.value(summary)
    assert value is not None, "a trial that was run has a last readout"
    return value


def _share(tally: Mapping[str | None, Fraction], truth: str) -> float:
    return float(tally.get(truth, Fraction(0)) / sum(tally.values(), Fraction(0)))


def _places(values: Sequence[float]) -> list[float]:
    """Ranks from the largest, 1, down; equal values share the mean of theirs."""
    return midranks([-round(value, DIGITS) for value in values])


def _positions(graph: Graph) -> dict[str, float]:
    """Id of each utterance -> its place within its round, from 0 to 1."""
    rounds: dict[int, list[str]] = {}
    for index, time in enumerate(clock(graph)):
        if time:
            rounds.setdefault(graph.steps[index].round, []).append(graph.step_id(index))
    return {
        name: place / max(len(names) - 1, 1)
        for names in rounds.values()
        for place, name in enumerate(names)
    }
