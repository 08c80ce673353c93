"""One evaluation of Inspect: a study with Inspect's models in its seats, played trial by trial."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from inspect_ai.model import Model, get_model, model_roles

from socialcircuits.agents import Access, BackEnd, Character
from socialcircuits.errors import SettingError
from socialcircuits.evals.lanes import Laned, lanes
from socialcircuits.evals.simulated import Reached, character_of
from socialcircuits.graph import Mind, Reply
from socialcircuits.judges import RULES
from socialcircuits.models.inspect import PREFIX, InspectModel
from socialcircuits.records import Played, Provided, RunFile, RunStore, TrialJournal, TrialRecord
from socialcircuits.studies.judging import Bench
from socialcircuits.studies.planning import Builder, Planned, plan
from socialcircuits.studies.study import Study
from socialcircuits.trial import Setup, play_waiting

IN_FLIGHT = 4096
"""Calls at once, a trial; how many are sent is Inspect's to limit."""

DECEIVER, MANAGER, JUDGE = "deceiver", "manager", "judge"
"""Inspect's roles of models that have a meaning of their own; any other is a name in casts."""


class Sitting:
    """The seats of a study, filled with the models of the evaluation that is running.

    A name in casts takes the model of the role of this name, or else the model that is evaluated.
    The roles ``deceiver``, ``manager`` and ``judge`` take the seats of adversaries and managers,
    and what judges.

    Args:
        study: the study; its own models are not asked.
        options: how models are asked, as ``sees=text&temperature=none``; for all but simulated
            agents.

    Raises:
        SettingError: two roles have one model in different settings, or the study cannot be run
            with these models.
    """

    def __init__(self, study: Study, options: str) -> None:
        self._reached: dict[str, Model] = {}
        self._given: dict[str, InspectModel] = {}
        self.study = self._filled(study, options)
        self._laid = plan(self.study)
        self._planned = {one.plan.number: one for one in self._laid.trials}
        self._back = BackEnd(Access(in_flight=IN_FLIGHT), given=self._given)
        self._builder = Builder(self.study, back=self._back)
        self._builder.check(self._laid)
        self._bench = Bench.of(self.study, self._builder.world, self._back)
        self._begun: asyncio.Task[None] | None = None
        self._turns: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._shared: defaultdict[int, dict[bytes, Reply]] = defaultdict(dict)

    def _filled(self, study: Study, options: str) -> Study:
        roles, trial = model_roles(), study.trial
        used = {name for cell in plan(study).cells for name in cell.used()}
        models = {
            name: self._named(get_model(role=name) if name in roles else get_model(), options)
            for name in sorted(used)
        }
        for role in (DECEIVER, MANAGER):
            if role in roles and role not in used:
                models[role] = self._named(get_model(role=role), options)
                trial = trial.model_copy(update={role: role})
        judge = self._named(get_model(role=JUDGE), "") if JUDGE in roles else RULES
        return study.model_copy(update={"models": models, "trial": trial, "judge": judge})

    def _named(self, model: Model, options: str) -> str:
        """Our name of a model of Inspect's, which is at hand under it from now on."""
        character = character_of(model)
        name = character or f"{PREFIX}{model}"
        held = self._reached.setdefault(name, model)
        if held.config != model.config:
            expected = "one setting for the model in all roles"
            raise SettingError("--model-role", name, expected)
        if character:
            return character
        self._given.setdefault(name, InspectModel(name, model))
        return f"{name}?{options}" if options else name

    async def play(self, number: int) -> TrialRecord:
        """Play and judge one trial; its calls stand in the spans of its agents.

        Args:
            number: of the trial in the plan of the study.
        """
        planned = self._planned[number]
        await self._begin()
        setup, provided = self._builder.build(planned)
        names = [
            brief.name or f"{seat.role} {seat.key}"
            for seat, brief in zip(setup.graph.seats, setup.briefs, strict=True)
        ]
        async with lanes(names) as contexts:
            reached = {id(self._builder.minds[name]): name for name in self.study.models}
            minds = tuple(
                Laned(self._through(mind, reached[id(mind)]), context)
                if id(mind) in reached
                else mind
                for mind, context in zip(setup.minds, contexts, strict=True)
            )
            setup = replace(setup, minds=minds)
            known = await self._known(planned, setup)
            with TemporaryDirectory() as folder:
                return await self._kept(planned, setup, provided, known, Path(folder) / "trial.db")

    async def _begin(self) -> None:
        """Learn once what the models can do."""
        if self._begun is None:
            assert self._builder.minds
            self._begun = asyncio.create_task(self._ready())
        await self._begun

    async def _ready(self) -> None:
        await self._back.ready(None)
        self._builder.check_odds(self._laid)

    def _through(self, mind: Mind, name: str) -> Mind:
        if isinstance(mind, Character):
            return Reached(mind, self._reached[self.study.models[name]])
        return mind

    async def _known(self, planned: Planned, setup: Setup) -> Mapping[bytes, Reply]:
        """The replies of shared steps: asked once for all trials of a replicate."""
        seed = planned.plan.seed
        async with self._turns[seed]:
            known = self._shared[seed]
            played = await play_waiting(setup.shared_only(), known.get)
            known |= {attempt.key: attempt.reply for attempt in played.attempts}
        return known

    async def _kept(
        self,
        planned: Planned,
        setup: Setup,
        provided: Provided,
        known: Mapping[bytes, Reply],
        path: Path,
    ) -> TrialRecord:
        """Play a trial into a run file of its own, and judge it there."""
        study = self.study.model_dump(mode="json")
        with RunStore(path, study, {}, paid=False) as store:
            store.begin(planned.plan)
            journal = TrialJournal(store, planned.plan.number)
            played: Played = await play_waiting(setup, known.get, journal)
            shown = {e.key: e.text().encode("utf-8", "surrogatepass") for e in setup.evidence if e}
            store.keep(shown)
            store.finish(planned.plan, played, provided)
            await self._bench.judge_all(store, None)
        with RunFile(path) as file:
            return file.trial(planned.plan.number)


def summarised(record: TrialRecord) -> dict[str, Any]:
    """Return what a sample's store keeps of a trial: its digest and how it came out.

    Args:
        record: the trial.
    """
    return {
        "digest": record.digest,
        "truth": record.provided.facts["truth"],
        "rounds": record.cut,
    }
