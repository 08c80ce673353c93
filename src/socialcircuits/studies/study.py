"""A study: what is run, over which conditions, with which models. Read from TOML, checked whole."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator

from socialcircuits.checking import checked
from socialcircuits.errors import SettingError
from socialcircuits.interventions import Change
from socialcircuits.interventions import read as read_changes
from socialcircuits.judges import RUBRICS, RULES
from socialcircuits.protocols import find
from socialcircuits.studies.settings import Name, Strict, Trial

Role = Literal["estimate", "example", "stratum"]
Axis = Annotated[list[Any], Field(min_length=1)]
Figure = Literal[
    "population",
    "robustness",
    "beliefs",
    "awareness",
    "grid",
    "protocols",
    "single_agent",
    "gallery",
    "memory_conflict",
    "evidence_share",
    "belief_trace",
    "attribution",
    "circuit",
    "patch_effect",
    "defection",
    "group_size",
    "coordination",
    "pairings",
    "timing",
    "tactics",
    "audits",
    "codes",
    "strata",
    "verification",
    "sybils",
    "stance",
    "reasks",
    "knowledge",
    "hazard",
    "dynamics",
    "pairing",
    "dyad",
    "screening",
    "defences",
    "networks",
]

BLOCKS: dict[str, str] = {"estimate": "sweep", "example": "example"}
"""Where the conditions of each role stand in a study."""

INTERVENTION = "intervention"
"""The swept setting that enters no draw."""

DEFAULT_MODELS = {"A": "simulated/literal", "B": "simulated/compatibility"}


class Study(Strict):
    """A study: trials over all conditions of its sweeps, `seeds` replicates each.

    Args:
        name: its name; presets have the paper's.
        about: one line on what it asks.
        seed: the study seed, from which everything is drawn.
        seeds: replicates a condition, at least 1.
        first: number of the first replicate, at least 1.
        world: the world's kind and its settings.
        trial: settings of all trials; sweeps override them.
        models: names used in casts -> models.
        interventions: name -> changes, each a table with its ``kind``.
        sweep: blocks of axes; the conditions of a block are the product of its axes.
        example: like sweep, run once at replicate 1, outside all estimates.
        figures: the figures that `report` draws.
        contrast: a numeric axis over which the ends are compared on matched seeds; empty: none.
        strata: whether each model first answers each item four times alone, and only items that the
            honest models of a trial got right one to three times are kept.
        judges: rubrics by which replies are judged; not given: correctness and the clusters of
            votes, in a world whose answers are free text.
        judge: the model that judges, or ``rules``, the deterministic judge, which settles what
            needs no model and reads the sentences of simulated agents.
    """

    name: Name
    about: str = ""
    seed: int = Field(default=1, ge=0)
    seeds: int = Field(default=10, ge=1)
    first: int = Field(default=1, ge=1)
    world: dict[str, Any] = Field(default_factory=lambda: {"kind": "flags"})
    trial: Trial = Trial()
    models: dict[Name, Name] = Field(default_factory=dict)
    interventions: dict[Name, list[dict[str, Any]]] = Field(default_factory=dict)
    sweep: list[dict[Name, Axis]] = Field(default_factory=list)
    example: list[dict[Name, Axis]] = Field(default_factory=list)
    figures: list[Figure] = Field(default_factory=list)
    contrast: str = ""
    strata: bool = False
    judges: list[Name] | None = None
    judge: Name = RULES

    @field_validator("judges")
    @classmethod
    def _rubrics(cls, value: list[str] | None) -> list[str] | None:
        for name in value or ():
            if name not in RUBRICS:
                raise SettingError("$.judges", name, "some of " + ", ".join(RUBRICS), among=RUBRICS)
        return value


class Cell(Strict):
    """One condition: the swept settings, and all settings that result."""

    condition: dict[str, Any]
    trial: Trial
    role: Role
    changes: tuple[Change, ...] = ()

    @property
    def base(self) -> dict[str, Any]:
        """The condition of the same trial without any intervention; it enters the draws."""
        return {name: value for name, value in self.condition.items() if name != INTERVENTION}

    @property
    def honest(self) -> tuple[str, ...]:
        """The names of the models of honest agents, sorted."""
        return tuple(sorted({member.model for member in self.trial.members()}))

    def used(self) -> tuple[str, ...]:
        """Return the names of the models in this cell, sorted."""
        names = set(self.honest)
        names |= {name for change in self.changes for name in change.models()}
        if any(seat.role == "manager" for seat in find(self.trial.protocol).seats(self.trial.N)):
            names.add(self.trial.manager)
        if self.trial.adversaries:
            names.add(self.trial.deceiver)
        return tuple(sorted(names))


def conditions(study: Study) -> list[Cell]:
    """Return the cells of a study: those of its sweeps, then its examples.

    Raises:
        SettingError: an axis is no setting, a value of it is not allowed, or a condition stands
            there twice.

    >>> study = Study(name="mine", sweep=[{"N": [4, 8]}])
    >>> [cell.condition for cell in conditions(study)]
    [{'N': 4}, {'N': 8}]
    """
    cells = []
    blocks: list[tuple[Role, dict[str, list[Any]]]] = [
        *(("estimate", block) for block in study.sweep or [{}]),
        *(("example", block) for block in study.example),
    ]
    for role, block in blocks:
        for values in product(*block.values()):
            axes = dict(zip(block, values, strict=True))
            trial = checked(Trial, {**study.trial.model_dump(), **axes}, "$.trial")
            trial.check()
            # As checked, not as written: 0 and 0.0 are one condition.
            condition = {axis: getattr(trial, axis) for axis in axes}
            changes = _changes(study, trial.intervention)
            cell = Cell(condition=condition, trial=trial, role=role, changes=changes)
            if cell in cells:
                raise SettingError(f"$.{BLOCKS[role]}", condition, "each condition once")
            cells.append(cell)
    return cells


def _changes(study: Study, name: str) -> tuple[Change, ...]:
    if not name:
        return ()
    if name not in study.interventions:
        expected = "one of the study's interventions: " + (", ".join(study.interventions) or "none")
        raise SettingError("$.trial.intervention", name, expected, among=study.interventions)
    return read_changes(name, study.interventions[name])


def strata(study: Study, cells: Sequence[Cell]) -> list[Cell]:
    """Return the cells in which each honest model answers alone, by its name; none where the study
    keeps all items.

    >>> study = Study(name="mine", strata=True)
    >>> [cell.condition for cell in strata(study, conditions(study))]
    [{'stratum': 'A'}]
    """
    names = sorted({name for cell in cells for name in cell.honest}) if study.strata else []
    return [
        Cell(
            condition={"stratum": name},
            trial=Trial(protocol="stratum", N=1, cast=name, retries=study.trial.retries),
            role="stratum",
        )
        for name in names
    ]
