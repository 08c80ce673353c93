"""From a study to its trials: which they are, how they are set up, how many steps they have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count
from typing import Any

from socialcircuits.agents import SIMULATED, BackEnd, Recorded, Silent, sees_images
from socialcircuits.agents import load as load_mind
from socialcircuits.errors import SettingError
from socialcircuits.graph import Brief, Deal, Graph, Mind, Settings
from socialcircuits.graph.vocabulary import MONITOR
from socialcircuits.interventions import Change, Scene, apply
from socialcircuits.packs import Pack
from socialcircuits.packs import find as find_pack
from socialcircuits.prompts import Place
from socialcircuits.prompts import check as check_prompts
from socialcircuits.protocols import find
from socialcircuits.records import Provided, TrialPlan
from socialcircuits.records.digests import canonical
from socialcircuits.seeds import Stream, digest
from socialcircuits.studies.dealing import between, left_out, situation
from socialcircuits.studies.giving import Dealt, give, provided
from socialcircuits.studies.monitoring import warn
from socialcircuits.studies.seating import COORDINATED, Placed, briefs, place
from socialcircuits.studies.settings import Trial
from socialcircuits.studies.study import Cell, Study, check_origin, compared, conditions, strata
from socialcircuits.trial import Setup
from socialcircuits.worlds import load as load_world

SILENT = Silent()


@dataclass(frozen=True)
class Planned:
    """One trial to run: which it is, and its cell."""

    plan: TrialPlan
    cell: Cell


@dataclass(frozen=True)
class Group:
    """Trials of one replicate: they share truth, evidence, schedules and shared steps.

    `seed` is the replicate; examples have that of the first.
    """

    seed: int
    trials: tuple[Planned, ...]


@dataclass(frozen=True)
class Plan:
    """All trials of a study.

    Args:
        study: the study.
        groups: its trials by replicate; examples form the last group.
        dropped: conditions that need a model which was not named.
        strata: the trials by replicate in which models answer alone, before all others; they decide
            which of the others are run.
    """

    study: Study
    groups: tuple[Group, ...]
    dropped: tuple[Mapping[str, Any], ...]
    strata: tuple[Group, ...] = ()

    @property
    def cells(self) -> list[Cell]:
        """The cells that enter estimates."""
        first = self.groups[0].trials if self.groups else ()
        return [planned.cell for planned in first if planned.cell.role == "estimate"]

    @property
    def trials(self) -> list[Planned]:
        """All trials in the order in which they are run."""
        groups = (*self.strata, *self.groups)
        return [planned for group in groups for planned in group.trials]

    @cached_property
    def bases(self) -> dict[int, TrialPlan]:
        """Number of each trial with an intervention -> the trial of its replicate that it changes
        least: without any change, or with the first ones of the same; if it is planned."""
        found: dict[int, TrialPlan] = {}
        for group in self.groups:
            alike: dict[tuple[str, str], list[Planned]] = {}
            for planned in group.trials:
                changes = planned.cell.changes
                earlier = alike.setdefault((canonical(planned.cell.base), planned.plan.role), [])
                for base in earlier:
                    first = base.cell.changes
                    if len(first) < len(changes) and first == changes[: len(first)]:
                        found[planned.plan.number] = base.plan
                earlier.append(planned)
        return found


def plan(study: Study) -> Plan:
    """Lay out the trials of a study, replicate by replicate.

    Raises:
        SettingError: a condition is not allowed, or looks or the allocation of seeds do not fit.
    """
    cells = conditions(study)
    kept = [cell for cell in cells if set(cell.used()) <= set(study.models)]
    dropped = tuple(cell.condition for cell in cells if cell not in kept)
    estimates = [cell for cell in kept if cell.role == "estimate"]
    examples = [cell for cell in kept if cell.role == "example"]
    alone = strata(study, kept)
    seeds = range(study.first, study.first + study.seeds)
    number = count()
    first = _groups([(seed, alone) for seed in seeds], number)
    rows = [
        (seed, [c for c in estimates if seed < study.first + study.replicates(c.trial)])
        for seed in seeds
    ]
    groups = _groups([*rows, (study.first, examples)], number)
    if not groups:
        raise SettingError("$.models", dict(study.models), "models for at least one condition")
    compared(study, estimates)
    return Plan(study, groups, dropped, first)


def _groups(rows: Sequence[tuple[int, list[Cell]]], number: Iterator[int]) -> tuple[Group, ...]:
    groups = []
    for seed, members in rows:
        # What is changed comes after what it changes, whose replies it takes over.
        trials = [
            Planned(TrialPlan(next(number), cell.condition, seed, cell.role), cell)
            for cell in sorted(members, key=lambda cell: len(cell.changes))
        ]
        if trials:
            groups.append(Group(seed, tuple(trials)))
    return tuple(groups)


class Builder:
    """Turns planned trials into setups. Graphs are built once for all casts of a replicate.

    Args:
        study: the study.
        replay: whether replies come from a record only; minds are then stand-ins that never ask.
        back: makes the minds of real models; None allows simulated agents only.

    Raises:
        SettingError: a setting of the world is not allowed.
    """

    def __init__(self, study: Study, *, replay: bool = False, back: BackEnd | None = None) -> None:
        self._study = study
        settings = {name: value for name, value in study.world.items() if name != "kind"}
        kind = str(study.world.get("kind", "flags"))
        if kind == "flags" and any(sees_images(model) for model in study.models.values()):
            # Compatibility is judged on what was seen: pixels tell more than cells.
            settings.setdefault("evidence", "raster")
        self.world = load_world(kind, settings)
        self._replay, self._back = replay, back
        self._graphs: dict[tuple[object, ...], Graph] = {}
        self._left_out: dict[tuple[str, str], list[str]] = {}
        self._shared = b""

    @cached_property
    def pack(self) -> Pack:
        """The words of recorded guests.

        Raises:
            UsageError: the file of the pack cannot be used.
        """
        return find_pack(self._study.pack)

    @cached_property
    def originals(self) -> dict[str, Mind]:
        """The minds by their names in casts.

        Raises:
            SettingError: no such model, a key is missing, or the study is imported.
        """
        check_origin(self._study)
        return {
            name: load_mind(model, f"$.models.{name}", self._back, self.world.aliases)
            for name, model in self._study.models.items()
        }

    @cached_property
    def minds(self) -> dict[str, Mind]:
        """What sits in the seats: the minds themselves, or their stand-ins in a replay."""
        if self._replay:
            return {name: Recorded(mind) for name, mind in self.originals.items()}
        return self.originals

    @property
    def waits(self) -> bool:
        """Whether any mind replies from elsewhere."""
        return any(mind.waits for mind in self.minds.values())

    def check(self, plan: Plan) -> None:
        """Refuse a truth that the world does not know or that cannot serve, and what no prompt can
        say, before anything is run.

        Raises:
            SettingError: no answer of the world has this name, no situation is as the trial wants
                it, or prompted seats cannot be told what the trial sets.
        """
        check_origin(self._study)
        self._check_items(plan)
        for cell in {id(planned.cell): planned.cell for planned in plan.trials}.values():
            if cell.trial.truth and not self.world.items:
                self.world.deal(b"", 1, cell.trial.truth)
            bearing = [
                member.role in find(cell.trial.protocol).bears for member in cell.trial.members()
            ]
            situation(self.world, cell.trial, b"", bearing, self.about(cell.trial, 1))
            for change in cell.changes:
                self._check_models(change)
            models = [self._study.models[name] for name in cell.used()]
            prompted = [model for model in models if not model.startswith(f"{SIMULATED}/")]
            if prompted:
                self._check_prompts(cell.trial, prompted)

    def _check_items(self, plan: Plan) -> None:
        last, there = plan.study.first + plan.study.seeds - 1, len(self.world.items)
        if there and last > there:
            expected = f"at most {there - plan.study.first + 1}: the world has {there} items, and "
            expected += "each is one replicate"
            raise SettingError("$.seeds", plan.study.seeds, expected)
        if there and any(one.cell.trial.protocol == "two-way" for one in plan.trials):
            expected = (
                f"another protocol in the world {self.world.kind}: answers are no closed list"
            )
            raise SettingError("$.trial.protocol", "two-way", expected)
        if plan.study.strata and not there:
            expected = f"false: in the world {self.world.kind} nothing is asked twice"
            raise SettingError("$.strata", True, expected)

    def _check_models(self, change: Change) -> None:
        for name in change.models():
            if name not in self._study.models:
                expected = "a declared model: " + ", ".join(self._study.models)
                where = "$.interventions.model"
                raise SettingError(where, name, expected, among=self._study.models)

    def check_odds(self, plan: Plan) -> None:
        """Refuse exact probabilities of models that turned out to give none.

        Raises:
            SettingError: a model does not continue a reply that is begun, or gives no token
                probabilities.
        """
        for cell in {id(planned.cell): planned.cell for planned in plan.trials}.values():
            for name in cell.used() if cell.trial.probes == "exact" else ():
                if not getattr(self.minds[name], "gives_odds", True):
                    expected = f"a number: {self._study.models[name]} gives no token probabilities"
                    expected += " after a reply that is begun"
                    raise SettingError("$.trial.probes", "exact", expected)

    def left_out(self, trial: Trial) -> list[str]:
        """Return the answers that cannot be the truth of a trial (`dealing.left_out`)."""
        slot = (trial.evidence, trial.lure)
        if slot not in self._left_out:
            self._left_out[slot] = left_out(self.world, trial)
        return self._left_out[slot]

    def _check_prompts(self, trial: Trial, prompted: list[str]) -> None:
        said, words = trial.departures, find(trial.protocol).speaks or trial.protocol
        form = "reasoned" if trial.m > 1 else "label"
        place = Place(self.world.kind, words, "observer", "report", "image", form, said)
        check_prompts(place, trial.uptake)
        if trial.adversaries:
            role: str = trial.adversary
            if trial.coordinated and trial.adversaries > 1:
                role = COORDINATED
            check_prompts(place._replace(role=role), trial.uptake)
        for model in prompted:
            if "identity" in said and "newer=" not in model:
                expected = "a model with ?newer=NAME, the one that agents are told is better"
                raise SettingError("$.models", model, expected)

    def build(self, planned: Planned) -> tuple[Setup, Provided]:
        """Return the setup of a trial, and what its seats are given."""
        check_origin(self._study)
        trial = planned.cell.trial
        protocol = find(trial.protocol)
        shared = self.shared_seed(planned)
        graph = self.graph(planned)
        placed = self.seating(planned)
        bearers = [seat.role in protocol.bears for seat in graph.seats]
        about = self.about(trial, planned.plan.seed)
        deal = situation(self.world, trial, shared, bearers[: trial.N], about)
        dealt = iter(deal.evidence)
        evidence = tuple(next(dealt) if bears else None for bears in bearers)
        given = give(protocol, Dealt(self.world, trial, deal, about, shared, graph), self.pack)
        setup = Setup(
            shared_seed=shared,
            trial_seed=digest(shared, "trial", canonical(planned.cell.base)),
            graph=graph,
            minds=tuple(self.minds[one.model] if one.model else SILENT for one in placed),
            evidence=evidence,
            answers=tuple(
                tuple(Stream(digest(shared, seat.key), "answers").shuffled(deal.answers))
                for seat in graph.seats
            ),
            briefs=briefs(placed, self._brief(trial), deal.truth, deal.lure),
            given=given.replies,
            computed={MONITOR: warn} if trial.defence == MONITOR else {},
            choices={"two-way": between(deal)},
            retries=trial.retries,
        )
        setup, deal = self._changed(planned.cell, setup, deal)
        return setup, provided(setup, deal, {**self._facts(planned.cell), **given.facts})

    def _facts(self, cell: Cell) -> dict[str, Any]:
        """What a record says of a trial's situation besides what the world says."""
        facts: dict[str, Any] = {}
        if cell.trial.coordinated and cell.trial.adversaries == 1:
            facts["uncoordinated"] = "a single deceiver has nobody to coordinate with"
        if cell.trial.evidence != "any":
            facts["left_out"] = self.left_out(cell.trial)
        if cell.changes:
            facts["intervention"] = [change.model_dump(mode="json") for change in cell.changes]
        return facts

    def _changed(self, cell: Cell, setup: Setup, deal: Deal) -> tuple[Setup, Deal]:
        """Return the trial and its situation after the intervention of its cell."""
        if not cell.changes:
            return setup, deal
        changed = apply(setup, cell.changes, Scene(self.world, deal.truth, deal.lure, self.minds))
        seen = [evidence for evidence in changed.evidence if evidence]
        deal = self.world.assemble(deal.truth, seen, deal.lure)
        return replace(changed, choices={"two-way": between(deal)}), deal

    def _brief(self, trial: Trial) -> Brief:
        return Brief(
            bandwidth=trial.m,
            uptake=trial.uptake,
            world=self.world.kind,
            protocol=find(trial.protocol).speaks or trial.protocol,
            wording=trial.departures,
        )

    def models(self, planned: Planned) -> list[str]:
        """Return the name in casts of each seat's model, in the graph's order; empty for a seat
        whose words are given."""
        return [one.model for one in self.seating(planned)]

    def seating(self, planned: Planned) -> tuple[Placed, ...]:
        """Return the seats of a trial, with their roles, models and names."""
        trial, seed = planned.cell.trial, self.shared_seed(planned)
        if trial.seating == "composition":
            seed = digest("composition", self._study.seed, trial.N, trial.adversaries)
        return place(trial, find(trial.protocol), seed)

    @cached_property
    def _items(self) -> list[str]:
        """The items of the world in the order in which replicates take them."""
        seed = digest("items", self._study.seed)
        return Stream(seed, "order").shuffled(self.world.items)

    def about(self, trial: Trial, seed: int) -> str:
        """Return the item of a trial, or its truth where that is set; empty where it is drawn."""
        return self._items[seed - 1] if self._items else trial.truth

    def shared_seed(self, planned: Planned) -> bytes:
        """Return the seed that all conditions of a replicate share (rule 8).

        The item of the Flag Game is the truth, where it is set rather than drawn.
        """
        seed = planned.plan.seed
        return digest("shared", self._study.seed, self.about(planned.cell.trial, seed), seed)

    def graph(self, planned: Planned) -> Graph:
        """Return the graph of a trial; its schedule depends on seed, protocol, N and rounds."""
        trial, shared = planned.cell.trial, self.shared_seed(planned)
        if shared != self._shared:
            self._graphs.clear()
            self._shared = shared
        probes = None if trial.probes == "exact" else trial.probes
        newest = 1 if trial.reflections == "last" else None
        settings = Settings(
            trial.length, trial.memory, trial.stop or None, probes, newest, trial.chat,
            trial.verify, trial.window, trial.block, trial.network, trial.reasks, trial.defence,
            trial.recorded[0], trial.wordings,
        )  # fmt: skip
        cast = tuple(one.seat for one in self.seating(planned))
        slot = (trial.protocol, cast, settings)
        if slot not in self._graphs:
            held = self._study.seed if trial.seating == "first" else shared
            seed = digest(held, trial.protocol, trial.N, trial.length)
            stream = Stream(seed, "schedule")
            self._graphs[slot] = find(trial.protocol).graph(cast, settings, stream)
        return self._graphs[slot]
