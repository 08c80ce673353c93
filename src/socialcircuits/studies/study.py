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
from socialcircuits.measures import CATALOGUE, CONTRASTED
from socialcircuits.measures.tested import TESTS
from socialcircuits.packs import TEMPLATES
from socialcircuits.protocols import find
from socialcircuits.records.digests import canonical
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

IMPORT = "import/"
"""Begins the names of studies that stand for conversations from elsewhere; they cannot be run."""

INTERVENTION = "intervention"
"""The swept setting that enters no draw."""

DEFAULT_MODELS = {"A": "simulated/literal", "B": "simulated/compatibility"}


class Interim(Strict):
    """Looks at the results of a run before its end, declared. Each tests one contrast on the seeds
    that are complete; where it is beyond the boundary of O'Brien and Fleming, the run stops.

    Args:
        measure: what is contrasted, one of `socialcircuits.measures.CONTRASTED`.
        axis: a swept setting: the largest of its numbers less the smallest; or, where its values
            are names, the one that is named less none, as in ``intervention`` or ``defence``. It
            has several values in one combination of the other swept settings only.
        number: how many looks there are, the last one at the end: 2 to 10, at equal numbers of
            seeds.
    """

    measure: Name
    axis: Name
    number: int = Field(default=4, ge=2, le=10)

    @field_validator("measure")
    @classmethod
    def _contrasted(cls, value: str) -> str:
        names = [one.name for one in CONTRASTED]
        if value not in names:
            expected = "a measure that is contrasted: " + ", ".join(names)
            raise SettingError("$.looks.measure", value, expected, among=names)
        return value


class Study(Strict):
    """A study: trials over all conditions of its sweeps, `seeds` replicates each.

    Args:
        name: its name; presets have the paper's.
        about: one line on what it asks.
        seed: the study seed, from which everything is drawn.
        seeds: replicates a condition, at least 1.
        first: number of the first replicate, at least 1.
        world: the world's kind and its settings.
        pack: what recorded guests of a seat test say: ``templates``, or a file of words that were
            written once.
        trial: settings of all trials; sweeps override them.
        models: names used in casts -> models.
        interventions: name -> changes, each a table with its ``kind``.
        sweep: blocks of axes; the conditions of a block are the product of its axes.
        example: like sweep, run once at replicate 1, outside all estimates.
        figures: the figures that `report` draws.
        contrast: a numeric axis over which the ends are compared on matched seeds; empty: none.
        family: names of the tests that the study is made for: measures, for their contrasts, and
            tests that are none (`socialcircuits.measures.tested`). Reports correct these for their
            number; all others are explored.
        looks: declared looks at the results before the end; not given: none.
        allocation: N -> how many of the seeds its conditions have, where it is not all of them.
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
    pack: Name = TEMPLATES
    trial: Trial = Trial()
    models: dict[Name, Name] = Field(default_factory=dict)
    interventions: dict[Name, list[dict[str, Any]]] = Field(default_factory=dict)
    sweep: list[dict[Name, Axis]] = Field(default_factory=list)
    example: list[dict[Name, Axis]] = Field(default_factory=list)
    figures: list[Figure] = Field(default_factory=list)
    contrast: str = ""
    family: list[Name] = Field(default_factory=list)
    looks: Interim | None = None
    allocation: dict[str, int] = Field(default_factory=dict)
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

    @field_validator("family")
    @classmethod
    def _tests(cls, value: list[str]) -> list[str]:
        names = [*TESTS, *(measure.name for measure in CATALOGUE)]
        for name in value:
            if name not in names:
                expected = "names of measures, or of other tests: " + ", ".join(TESTS)
                raise SettingError("$.family", name, expected, among=names)
        return value

    @field_validator("looks", mode="before")
    @classmethod
    def _declared(cls, value: object) -> object:
        return checked(Interim, value, "$.looks") if isinstance(value, dict) else value

    def replicates(self, trial: Trial) -> int:
        """Return the number of seeds of a condition.

        >>> Study(name="mine", seeds=40, allocation={"128": 10}).replicates(Trial(N=128))
        10
        """
        return self.allocation.get(str(trial.N), self.seeds)


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


def check_origin(study: Study) -> None:
    """Refuse to run what stands for conversations that happened elsewhere.

    Raises:
        SettingError: the study was imported.
    """
    if study.name.startswith(IMPORT):
        expected = "a study that was run here; imported conversations can only be read"
        raise SettingError("$.name", study.name, expected)


def conditions(study: Study) -> list[Cell]:
    """Return the cells of a study: those of its sweeps, then its examples.

    Raises:
        SettingError: an axis is no setting, a value of it is not allowed, a condition stands
            there twice, or the allocation of seeds is not one to its group sizes.

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
    _check_allocation(study, cells)
    return cells


def _check_allocation(study: Study, cells: Sequence[Cell]) -> None:
    sizes = list(dict.fromkeys(str(cell.trial.N) for cell in cells if cell.role == "estimate"))
    for size, seeds in study.allocation.items():
        if size not in sizes:
            expected = "an N of the study: " + ", ".join(sizes)
            raise SettingError("$.allocation", size, expected, among=sizes)
        if not 1 <= seeds <= study.seeds:
            expected = f"1 to {study.seeds}, the seeds of the study"
            raise SettingError(f"$.allocation.{size}", seeds, expected)


def _changes(study: Study, name: str) -> tuple[Change, ...]:
    if not name:
        return ()
    if name not in study.interventions:
        expected = "one of the study's interventions: " + (", ".join(study.interventions) or "none")
        raise SettingError("$.trial.intervention", name, expected, among=study.interventions)
    return read_changes(name, study.interventions[name])


def compared(study: Study, cells: Sequence[Cell]) -> tuple[Cell, Cell] | None:
    """Return the two conditions that declared looks compare, the one that is subtracted last; None
    where no looks are declared.

    Args:
        study: the study.
        cells: its conditions that enter estimates.

    Raises:
        SettingError: the axis is not as `Interim` wants it, or there are fewer seeds than looks.

    >>> study = Study(name="mine", looks=Interim(measure="collective_accuracy", axis="N"),
    ...     sweep=[{"N": [4, 8, 16]}])
    >>> [cell.trial.N for cell in compared(study, conditions(study))]
    [16, 4]
    """
    if study.looks is None:
        return None
    axis, groups = study.looks.axis, dict[str, list[Cell]]()
    for cell in cells:
        if axis in cell.condition:
            others = {name: value for name, value in cell.condition.items() if name != axis}
            groups.setdefault(canonical(others), []).append(cell)
    if not groups:
        axes = list(dict.fromkeys(name for cell in cells for name in cell.condition))
        expected = "a swept setting: " + (", ".join(axes) or "there is none")
        raise SettingError("$.looks.axis", axis, expected, among=axes)
    several = [group for group in groups.values() if len(group) > 1]
    if len(several) != 1:
        expected = "an axis that has several values in one combination of the other swept settings"
        raise SettingError("$.looks.axis", axis, f"{expected}, not in {len(several)}")
    first, second = _ends(axis, several[0])
    matched = min(study.replicates(cell.trial) for cell in (first, second))
    if matched < study.looks.number:
        expected = f"at most the {matched} seeds of the conditions that are compared"
        raise SettingError("$.looks.number", study.looks.number, expected)
    return first, second


def _ends(axis: str, cells: Sequence[Cell]) -> tuple[Cell, Cell]:
    values = [cell.condition[axis] for cell in cells]
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
        return cells[values.index(max(values))], cells[values.index(min(values))]
    named = [value for value in values if value != ""]
    if len(named) != 1:
        expected = "an axis of numbers, or of one name beside none (empty)"
        raise SettingError("$.looks.axis", values, expected)
    return cells[values.index(named[0])], cells[values.index("")]


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
