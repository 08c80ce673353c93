"""A study: what is run, over which conditions, with which models. Read from TOML, checked whole."""

from __future__ import annotations

from itertools import product
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from socialcircuits.errors import SettingError
from socialcircuits.prompts import wording as departures
from socialcircuits.protocols import find
from socialcircuits.studies.checking import checked

Name = Annotated[str, Field(min_length=1)]
Role = Literal["estimate", "example"]
Axis = Annotated[list[Any], Field(min_length=1)]

BLOCKS: dict[Role, str] = {"estimate": "sweep", "example": "example"}
"""Where the conditions of each role stand in a study."""

DEFAULT_MODELS = {"A": "simulated/literal", "B": "simulated/compatibility"}


def _names(wording: str) -> str | list[str]:
    return wording if wording in {"printed", "released"} else wording.split()


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Trial(_Strict):
    """The settings of one trial. Any of them may be swept.

    Args:
        protocol: who speaks to whom: pairwise, broadcast or manager.
        N: number of agents that bear evidence, at least 2.
        m: message bandwidth: 1 an answer, 3 an answer and a reason of one sentence.
        alpha: prompted social-evidence uptake from 0 to 1, or ``off``: nothing is said about it.
        rounds: number of rounds; or a table N -> rounds, of which the entry of the smallest N that
            is at least this N holds (the last entry beyond).
        memory: H, entries that a memory keeps, at least 1.
        stop: rounds of one unanimous readout that end a trial; 0 runs all rounds.
        cast: models of the agents, by name: ``A``; ``A B`` (equal shares, in seat order); or
            ``5A 3B`` (counted).
        manager: model of the manager, where the protocol has one.
        retries: how often an invalid reply is asked for again.
        truth: the right answer; empty: drawn by the seed.
        wording: departures from the printed prompts, by name: ``printed`` (none), ``released`` (as
            the paper's released code in this protocol), or some of no-list, identity,
            uptake-number, parted by spaces. Simulated agents read no prompts.
    """

    protocol: str = "pairwise"
    N: int = Field(default=8, ge=2)
    m: Literal[1, 3] = 3
    alpha: Annotated[float, Field(ge=0, le=1)] | Literal["off"] = "off"
    rounds: Annotated[int, Field(ge=1)] | dict[str, Annotated[int, Field(ge=1)]] = 10
    memory: int = Field(default=8, ge=1)
    stop: int = Field(default=5, ge=0)
    cast: Name = "A"
    manager: Name = "A"
    retries: int = Field(default=2, ge=0)
    truth: str = ""
    wording: Name = "printed"

    @field_validator("wording")
    @classmethod
    def _worded(cls, value: str) -> str:
        departures(_names(value), "")
        return value

    @field_validator("protocol")
    @classmethod
    def _known(cls, value: str) -> str:
        find(value)
        return value

    @field_validator("m", mode="before")
    @classmethod
    def _number(cls, value: object) -> object:
        if type(value) is not int:  # True and 1.0 equal 1, but would be another condition
            raise SettingError("$.trial.m", value, "1 or 3")
        return value

    @field_validator("alpha", mode="before")
    @classmethod
    def _share(cls, value: object) -> object:
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if value != "off" and not (number and 0 <= float(str(value)) <= 1):
            raise SettingError("$.trial.alpha", value, "0 to 1, or off")
        return value

    @field_validator("rounds")
    @classmethod
    def _by_size(cls, value: int | dict[str, int]) -> int | dict[str, int]:
        if isinstance(value, dict) and not (value and all(n.isdecimal() for n in value)):
            raise SettingError("$.trial.rounds", value, "a number, or a table N = rounds")
        return value

    @property
    def length(self) -> int:
        """The number of rounds of this trial."""
        if isinstance(self.rounds, int):
            return self.rounds
        sizes = sorted((int(n), rounds) for n, rounds in self.rounds.items())
        return next((rounds for n, rounds in sizes if n >= self.N), sizes[-1][1])

    @property
    def departures(self) -> tuple[str, ...]:
        """The named departures from the printed prompts, sorted."""
        return departures(_names(self.wording), self.protocol)

    @property
    def uptake(self) -> int | None:
        """Alpha in thousandths, or None where nothing is said about it."""
        return None if self.alpha == "off" else round(1000 * float(self.alpha))

    def models(self) -> tuple[str, ...]:
        """Return the model's name of each agent, in seat order.

        Raises:
            SettingError: the cast does not come out at N agents.

        >>> Trial(N=4, cast="A B").models()
        ('A', 'A', 'B', 'B')
        """
        parts = self.cast.split()
        names = [part.lstrip("0123456789") for part in parts]
        counts = [part[: len(part) - len(name)] for part, name in zip(parts, names, strict=True)]
        if not any(counts):
            counts = [str(self.N // len(parts))] * len(parts)
        if not (all(names) and all(counts)) or sum(map(int, counts)) != self.N:
            expected = f"models for N = {self.N} agents, such as 'A', 'A B' or '1A {self.N - 1}B'"
            raise SettingError("$.trial.cast", self.cast, expected)
        repeated = [[name] * int(count) for name, count in zip(names, counts, strict=True)]
        return tuple(name for block in repeated for name in block)


class Study(_Strict):
    """A study: trials over all conditions of its sweeps, `seeds` replicates each.

    Args:
        name: its name; presets have the paper's.
        about: one line on what it asks.
        seed: the study seed, from which everything is drawn.
        seeds: replicates a condition, at least 1.
        world: the world's kind and its settings.
        trial: settings of all trials; sweeps override them.
        models: names used in casts -> models.
        sweep: blocks of axes; the conditions of a block are the product of its axes.
        example: like sweep, run once at replicate 1, outside all estimates.
        figures: the figures that `report` draws.
        contrast: a numeric axis over which the ends are compared on matched seeds; empty: none.
    """

    name: Name
    about: str = ""
    seed: int = Field(default=1, ge=0)
    seeds: int = Field(default=10, ge=1)
    world: dict[str, Any] = Field(default_factory=lambda: {"kind": "flags"})
    trial: Trial = Trial()
    models: dict[Name, Name] = Field(default_factory=dict)
    sweep: list[dict[Name, Axis]] = Field(default_factory=list)
    example: list[dict[Name, Axis]] = Field(default_factory=list)
    figures: list[Literal["population", "protocols", "beliefs"]] = Field(default_factory=list)
    contrast: str = ""


class Cell(_Strict):
    """One condition: the swept settings, and all settings that result."""

    condition: dict[str, Any]
    trial: Trial
    role: Role

    def used(self) -> tuple[str, ...]:
        """Return the names of the models in this cell, sorted."""
        names = set(self.trial.models())
        if any(seat.role == "manager" for seat in find(self.trial.protocol).seats(self.trial.N)):
            names.add(self.trial.manager)
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
            # As checked, not as written: 0 and 0.0 are one condition.
            condition = {axis: getattr(trial, axis) for axis in axes}
            cell = Cell(condition=condition, trial=trial, role=role)
            if cell in cells:
                raise SettingError(f"$.{BLOCKS[role]}", condition, "each condition once")
            cells.append(cell)
    return cells
