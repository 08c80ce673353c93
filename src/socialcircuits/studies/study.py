"""A study: what is run, over which conditions, with which models. Read from TOML, checked whole."""

from __future__ import annotations

from itertools import product
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, field_validator

from socialcircuits.checking import checked
from socialcircuits.errors import SettingError
from socialcircuits.graph import Protocol
from socialcircuits.interventions import Change
from socialcircuits.interventions import read as read_changes
from socialcircuits.prompts import wording as departures
from socialcircuits.protocols import CATALOGUE, find

Name = Annotated[str, Field(min_length=1)]
Role = Literal["estimate", "example"]
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
]

BLOCKS: dict[Role, str] = {"estimate": "sweep", "example": "example"}
"""Where the conditions of each role stand in a study."""

MOST_PROBES = 10_000
"""Most isolated probes of one seat."""

INTERVENTION = "intervention"
"""The swept setting that enters no draw."""

ROLES = ("observer", "blind")
"""Roles of agents: with evidence of their own, and without. The first is the default."""

DEFAULT_MODELS = {"A": "simulated/literal", "B": "simulated/compatibility"}


class Member(NamedTuple):
    """An agent of a cast: the name of its model, and its role."""

    model: str
    role: str


def _names(wording: str) -> str | list[str]:
    return wording if wording in {"printed", "released"} else wording.split()


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Trial(_Strict):
    """The settings of one trial. Any of them may be swept.

    Args:
        protocol: who speaks to whom: pairwise, broadcast or manager; or, for agents alone,
            isolated, two-way or planted.
        N: number of agents, at least 2 where they speak to each other.
        m: message bandwidth: 1 an answer, 3 an answer and a reason of one sentence.
        alpha: prompted social-evidence uptake from 0 to 1, or ``off``: nothing is said about it.
        rounds: number of rounds; or a table N -> rounds, of which the entry of the smallest N that
            is at least this N holds (the last entry beyond).
        memory: H, entries that a memory keeps, at least 1.
        stop: rounds of one unanimous readout that end a trial; 0 runs all rounds.
        cast: models of the agents, by name: ``A``; ``A B`` (equal shares, in seat order); or
            ``5A 3B`` (counted). ``7A 1A:blind`` gives the last agent no evidence.
        manager: model of the manager, where the protocol has one.
        retries: how often an invalid reply is asked for again.
        truth: the right answer; empty: drawn by the seed.
        evidence: ``any``: as the world deals it; ``weak``: every agent's fits other answers too;
            ``strong``: it fits the truth alone.
        lure: the wrong answer that stands for social pressure: ``plausible``: the world's choice;
            ``agrees``: one that all evidence fits; ``contradicts``: one that none fits.
        lures: in the protocol planted, how many of the H entries name the lure; the others name the
            truth.
        probes: in isolated and two-way, how often a seat is asked; or ``exact``: once, for the
            probability of every answer.
        intervention: name of one of the study's interventions; empty: none. It enters no draw, so
            that only what it changes is asked anew.
        wording: departures from the printed prompts, by name: ``printed`` (none), ``released`` (as
            the paper's released code in this protocol), or some of no-list, identity,
            uptake-number, parted by spaces. Simulated agents read no prompts.
    """

    protocol: str = "pairwise"
    N: int = Field(default=8, ge=1)
    m: Literal[1, 3] = 3
    alpha: Annotated[float, Field(ge=0, le=1)] | Literal["off"] = "off"
    rounds: Annotated[int, Field(ge=1)] | dict[str, Annotated[int, Field(ge=1)]] = 10
    memory: int = Field(default=8, ge=1)
    stop: int = Field(default=5, ge=0)
    cast: Name = "A"
    manager: Name = "A"
    retries: int = Field(default=2, ge=0)
    truth: str = ""
    evidence: Literal["any", "weak", "strong"] = "any"
    lure: Literal["plausible", "agrees", "contradicts"] = "plausible"
    lures: int = Field(default=0, ge=0)
    probes: Annotated[int, Field(ge=1, le=MOST_PROBES)] | Literal["exact"] = 1
    intervention: str = ""
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

    @field_validator("probes", mode="before")
    @classmethod
    def _asked(cls, value: object) -> object:
        whole = type(value) is int and 1 <= value <= MOST_PROBES
        if value != "exact" and not whole:
            raise SettingError("$.trial.probes", value, f"1 to {MOST_PROBES}, or exact")
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
        return departures(_names(self.wording), find(self.protocol).speaks or self.protocol)

    @property
    def uptake(self) -> int | None:
        """Alpha in thousandths, or None where nothing is said about it."""
        return None if self.alpha == "off" else round(1000 * float(self.alpha))

    def members(self) -> tuple[Member, ...]:
        """Return the model's name and the role of each agent, in seat order.

        Raises:
            SettingError: the cast does not come out at N agents, or there is no such role.

        >>> [member.model for member in Trial(N=4, cast="A B").members()]
        ['A', 'A', 'B', 'B']
        >>> Trial(N=4, cast="3A 1B:blind").members()[-1]
        Member(model='B', role='blind')
        """
        parts = self.cast.split()
        names = [part.lstrip("0123456789") for part in parts]
        counts = [part[: len(part) - len(name)] for part, name in zip(parts, names, strict=True)]
        if not any(counts):
            counts = [str(self.N // len(parts))] * len(parts)
        if not (all(names) and all(counts)) or sum(map(int, counts)) != self.N:
            expected = f"models for N = {self.N} agents, such as 'A', 'A B' or '1A {self.N - 1}B'"
            raise SettingError("$.trial.cast", self.cast, expected)
        members = []
        for name, count in zip(names, counts, strict=True):
            model, colon, role = name.partition(":")
            if colon and role not in ROLES:
                expected = "a role of agents: " + ", ".join(ROLES)
                raise SettingError("$.trial.cast", role, expected, among=ROLES)
            members += [Member(model, role or ROLES[0])] * int(count)
        return tuple(members)

    def check(self) -> None:
        """Refuse settings that do not go together.

        Raises:
            SettingError: N is too small for the protocol, a setting has no meaning in it, more
                entries are planted than remembered, or no lure can be what it should be.
        """
        form = find(self.protocol)
        self._check_size(form)
        for name in ("lures", "probes"):
            default = type(self).model_fields[name].default
            if getattr(self, name) != default and name not in form.takes:
                having = ", ".join(one for one in CATALOGUE if name in find(one).takes)
                expected = f"{default} in the protocol {self.protocol}; only {having} has a use"
                raise SettingError(f"$.trial.{name}", getattr(self, name), expected)
        if self.lures > self.memory:
            expected = f"at most the {self.memory} entries of the memory"
            raise SettingError("$.trial.lures", self.lures, expected)
        if self.evidence == "strong" and self.lure == "agrees":
            expected = "contradicts: strong evidence fits the truth alone, no lure agrees with it"
            raise SettingError("$.trial.lure", self.lure, expected)
        if self.lure != "plausible" and self.N > 1:
            expected = f"plausible for N = {self.N}: others are drawn for the evidence of one agent"
            raise SettingError("$.trial.lure", self.lure, expected)

    def _check_size(self, form: Protocol) -> None:
        if not form.least <= self.N <= (form.most or self.N):
            expected = f"at least {form.least} agents in the protocol {self.protocol}"
            if form.most:
                expected = f"{form.most} agent in the protocol {self.protocol}"
            raise SettingError("$.trial.N", self.N, expected)
        if all(member.role == "blind" for member in self.members()):
            expected = "a cast in which some agent is not blind"
            raise SettingError("$.trial.cast", self.cast, expected)


class Study(_Strict):
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


class Cell(_Strict):
    """One condition: the swept settings, and all settings that result."""

    condition: dict[str, Any]
    trial: Trial
    role: Role
    changes: tuple[Change, ...] = ()

    @property
    def base(self) -> dict[str, Any]:
        """The condition of the same trial without any intervention; it enters the draws."""
        return {name: value for name, value in self.condition.items() if name != INTERVENTION}

    def used(self) -> tuple[str, ...]:
        """Return the names of the models in this cell, sorted."""
        names = {member.model for member in self.trial.members()}
        names |= {name for change in self.changes for name in change.models()}
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
