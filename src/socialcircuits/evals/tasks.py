"""Tasks of Inspect: a study of ours, one sample a trial."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver

from socialcircuits.agents import LABEL
from socialcircuits.checking import checked
from socialcircuits.errors import SettingError
from socialcircuits.evals.scoring import BY_NAME, CONDITION, COUNTS, counts, scorers
from socialcircuits.evals.sitting import Sitting, summarised
from socialcircuits.report.words import where
from socialcircuits.studies import Plan, plan
from socialcircuits.studies.reading import read
from socialcircuits.studies.study import Study

Settings = str | list[str]

TRIAL = "trial"
"""Under this name a sample's metadata hold the number of its trial."""

FLAGS = (
    "collective_accuracy initial_accuracy majority_accuracy manager_accuracy uplift "
    "correct_consensus wrong_consensus polarization fragmentation invalid_share"
).split()
DELIBERATIONS = (
    "honest_defection correction honest_initial_accuracy honest_final_accuracy group_accuracy "
    "honest_group_accuracy invalid_share"
).split()
ROOMS = (
    "final_infection private_infection public_endorsement unvoiced_infection known_at_first "
    "abandoned_to_false invalid_share"
).split()
MEMORIES = (
    "social_share private_target_share other_compatible_share incompatible_share no_answer_share "
    "invalid_share"
).split()
SEATS = "yields strays accepts believed_unsaid passed_on holds invalid_share".split()


@task
def flag_game(
    study: str = "flag-game/population",
    settings: Settings = "N=8",
    seeds: int = 10,
    seed: int = 1,
    options: str = "",
) -> Task:
    """Agents see crops of a hidden flag and talk in pairs until they agree on a country.

    Args:
        study: a preset of the Flag Game, or a study file.
        settings: changes, as ``--set`` of `socialcircuits run` takes them.
        seeds: replicates a condition.
        seed: the study seed.
        options: how models are asked, for example ``sees=text&temperature=none``.
    """
    return _task(study, settings, seeds, seed, (options, FLAGS))


@task
def deliberation(
    study: str = "deliberation/scaling",
    settings: Settings = "N=10,deceivers=1/5,strata=false",
    seeds: int = 10,
    seed: int = 1,
    options: str = "",
) -> Task:
    """Agents answer a question alone, deliberate with deceivers among them, and vote.

    The items are taken as they come: items of the right hardness are chosen by
    `socialcircuits run`, not here. The role ``deceiver`` is the model of the deceivers.

    Args:
        study: a preset of the deliberations, or a study file.
        settings: changes, as ``--set`` of `socialcircuits run` takes them.
        seeds: questions a condition.
        seed: the study seed.
        options: how models are asked, for example ``temperature=none``.
    """
    return _task(study, settings, seeds, seed, (options, DELIBERATIONS))


@task
def chatroom(
    study: str = "chatroom/sybils",
    settings: Settings = "cast=A,deceivers=1",
    seeds: int = 10,
    seed: int = 1,
    options: str = "",
) -> Task:
    """Agents talk about a claim with a sybil among them; what they say and hold is compared.

    The role ``deceiver`` is the model of the sybils, the role ``judge`` reads what the rules leave.

    Args:
        study: a preset of the chatroom, or a study file.
        settings: changes, as ``--set`` of `socialcircuits run` takes them.
        seeds: claims a condition.
        seed: the study seed.
        options: how models are asked, for example ``temperature=none``.
    """
    return _task(study, settings, seeds, seed, (options, ROOMS))


@task
def memory_conflict(
    study: str = "flag-game/memory-conflict",
    settings: Settings = "evidence=weak,lure=agrees,m=1,cast=A",
    seeds: int = 10,
    seed: int = 1,
    options: str = "",
) -> Task:
    """An agent sees a crop, and remembers more and more entries that name another country.

    Args:
        study: a preset with planted memories, or a study file.
        settings: changes, as ``--set`` of `socialcircuits run` takes them.
        seeds: replicates a condition.
        seed: the study seed.
        options: how models are asked, for example ``sees=text``.
    """
    return _task(study, settings, seeds, seed, (options, MEMORIES))


@task
def seat(
    study: str = "card/quick",
    settings: Settings = "",
    seeds: int = 12,
    seed: int = 1,
    options: str = "",
) -> Task:
    """One agent answers claims alone and after recorded guests who are wrong, right or both.

    Args:
        study: a preset of the seat test, or a study file.
        settings: changes, as ``--set`` of `socialcircuits run` takes them.
        seeds: claims a condition.
        seed: the study seed.
        options: how models are asked, for example ``temperature=none``.
    """
    return _task(study, settings, seeds, seed, (options, SEATS))


def _task(
    source: str, settings: Settings, seeds: int, seed: int, asked: tuple[str, Sequence[str]]
) -> Task:
    sets = settings.split(",") if isinstance(settings, str) else list(settings)
    options, measures = asked
    study = read(source, sets=[one for one in sets if one], seeds=seeds, seed=seed)
    laid = plan(study)
    _check(study)
    return Task(
        dataset=MemoryDataset(_samples(laid), name=study.name),
        solver=society(study.model_dump(mode="json"), options),
        scorer=scorers(measures),
        metadata={"study": study.name, "simulated": LABEL},
    )


def _check(study: Study) -> None:
    """Refuse what needs more than one trial at a time.

    Raises:
        SettingError: a setting is for `socialcircuits run` alone.
    """
    for name, plain in (("strata", False), ("looks", None)):
        if getattr(study, name) != plain:
            expected = f"{name}={str(plain).lower()}: one sample is one trial here"
            raise SettingError(f"$.{name}", getattr(study, name), expected)
    if study.interventions:
        expected = "none: a trial with one needs the trial that it changes"
        raise SettingError("$.interventions", ", ".join(study.interventions), expected)


def _samples(laid: Plan) -> list[Sample]:
    trials = [one.plan for one in laid.trials if one.plan.role == "estimate"]
    return [
        Sample(
            input=f"{laid.study.about or laid.study.name}: {where(one.condition)}, seed {one.seed}",
            id=f"{where(one.condition)}, seed {one.seed}",
            metadata={TRIAL: one.number, CONDITION: dict(one.condition), "seed": one.seed},
        )
        for one in trials
    ]


@solver
def society(study: dict[str, Any], options: str = "") -> Solver:
    """Play the trial of a sample with the models of the evaluation.

    Args:
        study: the study, with all settings.
        options: how models are asked.
    """
    # What is shared by trials is shared within one evaluation, which has a loop of its own.
    held: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, Sitting]] = WeakKeyDictionary()

    async def solve(state: TaskState, _: Generate) -> TaskState:
        if state.epoch > 1:
            raise SettingError("--epochs", state.epoch, "1: seeds are replicates (-T seeds=NUMBER)")
        sittings = held.setdefault(asyncio.get_running_loop(), {})
        name = str(get_model())
        if name not in sittings:
            sittings[name] = Sitting(checked(Study, study, "$"), options)
        sitting = sittings[name]
        record = await sitting.play(state.metadata[TRIAL])
        summary, facts = record.summary(sitting.study.judge), summarised(record)
        found = {name: counts(measure, summary) for name, measure in BY_NAME.items()}
        for name, value in {**facts, COUNTS: found}.items():
            state.store.set(name, value)
        said = f"{facts['rounds']} rounds; truth: {facts['truth']}"
        state.output = ModelOutput.from_content(name, said)
        return state

    return solve
