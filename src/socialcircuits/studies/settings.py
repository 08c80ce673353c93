"""The settings of one trial: what may be swept, and what goes together."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Annotated, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, field_validator

from socialcircuits.errors import SettingError
from socialcircuits.graph import Protocol
from socialcircuits.graph.hearing import hearers
from socialcircuits.packs import MOST
from socialcircuits.prompts import wording as departures
from socialcircuits.protocols import CATALOGUE, find
from socialcircuits.seeds import Stream

Name = Annotated[str, Field(min_length=1)]

MOST_PROBES = 10_000
"""Most isolated probes of one seat."""

MOST_ROUNDS = 10_000
"""Most rounds of a trial."""

REASKS = ("anonymous", "own")
"""Other instructions of private probes."""

FEW = (
    "lures probes coordinated reflections chat verify window block network reasks defence "
    "peers said wordings"
).split()
"""Settings of which only some protocols have a use."""

DEFENCES = {"correct": "early-correction", "untrusted": "untrusted"}
"""Defence -> the wording that it is, where it is nothing but words."""

_PEERS = re.compile(r"(?:([1-8]) wrong)?(?: ?([1-8]) right)?")
"""How many recorded guests speak for which answer."""

ROLES = ("observer", "blind")
"""Roles of agents: with evidence of their own, and without. The first is the default."""


class Member(NamedTuple):
    """An agent of a cast: the name of its model, and its role."""

    model: str
    role: str


def _names(wording: str) -> str | list[str]:
    return wording if wording in {"printed", "released"} else wording.split()


class Strict(BaseModel):
    """Settings that are checked whole and do not change."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Trial(Strict):
    """The settings of one trial. Any of them may be swept.

    Args:
        protocol: who speaks to whom: pairwise, broadcast or manager; or, for agents alone,
            isolated, two-way or planted.
        N: number of agents, at least 2 where they speak to each other.
        m: message bandwidth: 1 an answer, 3 an answer and a reason of one sentence.
        alpha: prompted social-evidence uptake from 0 to 1, or ``off``: nothing is said about it.
        rounds: number of rounds, 1 to 10,000; or a table N -> rounds, of which the entry of the
            smallest N that is at least this N holds (the last entry beyond).
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
        deceivers: how many agents deceive: a number, or a share of N that is a whole number of
            agents, such as ``1/5``. Which ones is drawn.
        deceiver: model of the deceivers.
        adversary: what the deceivers are: ``deceiver``: they know the right answer and argue for
            whatever wrong one serves; ``sybil``: they assert one false answer, the lure.
        coordinated: whether deceivers know each other, chat and plan, in the deliberation and the
            chatroom; a single one has nobody to do so with.
        seating: ``trial``: who deceives, and what agents are called, is drawn anew in each trial;
            ``composition``: once for each N and number of deceivers, and held over all items, and
            so is the schedule; ``first``: the first seats deceive, and names, personas and schedule
            are the same in all trials.
        majority: ``honest``: fewer deceivers than honest agents; ``any`` allows more.
        reflections: which of its own reflections an agent reads in the deliberation: ``all``, or
            the ``last``.
        chat: turns of each coordinated deceiver in every chat, at least 1.
        verify: what an honest agent does before it votes: nothing (empty), answers once more
            ``alone``, or checks the leading ``claim``.
        window: rounds of what was said that agents of the chatroom read at most; 0 for all.
        block: how many of these rounds are dropped at once, at most `window`.
        network: who hears whom in the chatroom: complete, ring, star, small-world, or edges such as
            ``0-1 1-2``, by seat.
        reasks: in the chatroom, further private probes with another instruction: ``own``,
            ``anonymous``, or both parted by a space; empty: none.
        defence: in the chatroom, what is done for honest agents: nothing (empty); ``correct``: they
            are told to correct early; ``untrusted``: messages are marked as untrusted; ``check``:
            they answer alone now and then, and read that; ``monitor``: a computed warning when
            private answers move.
        peers: in the seat test, how many recorded guests speak, and for what: ``3 wrong``, ``1
            right``, ``1 wrong 3 right``, 1 to 8 in all; empty: none.
        said: how they speak: ``argued``: each with an argument of its own; ``repeated``: all in the
            same bare words.
        wordings: in the seat test, in how many wordings the private questions are asked, 1 to 3.
        wording: departures from the printed prompts, by name: ``printed`` (none), ``released`` (as
            the paper's released code in this protocol), or some of no-list, identity,
            uptake-number, early-correction, untrusted, parted by spaces. Simulated agents read no
            prompts; some heed the last two.
    """

    protocol: str = "pairwise"
    N: int = Field(default=8, ge=1)
    m: Literal[1, 3] = 3
    alpha: Annotated[float, Field(ge=0, le=1)] | Literal["off"] = "off"
    rounds: Annotated[int, Field(ge=1, le=MOST_ROUNDS)] | dict[str, int] = 10
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
    deceivers: Annotated[int, Field(ge=0)] | Name = 0
    deceiver: Name = "A"
    adversary: Literal["deceiver", "sybil"] = "deceiver"
    coordinated: bool = False
    seating: Literal["trial", "composition", "first"] = "trial"
    majority: Literal["honest", "any"] = "honest"
    reflections: Literal["all", "last"] = "all"
    chat: int = Field(default=2, ge=1)
    verify: Literal["", "alone", "claim"] = ""
    window: int = Field(default=8, ge=0)
    block: int = Field(default=4, ge=1)
    network: Name = "complete"
    reasks: str = ""
    defence: Literal["", "correct", "untrusted", "check", "monitor"] = ""
    peers: str = ""
    said: Literal["argued", "repeated"] = "argued"
    wordings: int = Field(default=1, ge=1, le=3)
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

    @field_validator("deceivers", mode="before")
    @classmethod
    def _part(cls, value: object) -> object:
        if isinstance(value, str) and value.isdecimal() and int(value):
            expected = f"{int(value)} as a number, not as text; or a share such as 1/5"
            raise SettingError("$.trial.deceivers", value, expected)
        if isinstance(value, bool) or not isinstance(value, int | str) or _part_of(value, 1) < 0:
            raise SettingError("$.trial.deceivers", value, "a number, or a share such as 1/5")
        return value

    @field_validator("reasks")
    @classmethod
    def _asked_again(cls, value: str) -> str:
        for name in value.split():
            if name not in REASKS:
                raise SettingError("$.trial.reasks", name, "some of " + ", ".join(REASKS))
        return " ".join(sorted(set(value.split())))

    @field_validator("peers")
    @classmethod
    def _recorded(cls, value: str) -> str:
        parts = value.split()
        known = _PEERS.fullmatch(value) and value == " ".join(parts)
        if not known or sum(map(int, parts[::2])) > MOST:
            expected = f"such as '3 wrong', '1 right' or '1 wrong 3 right', 1 to {MOST} in all"
            raise SettingError("$.trial.peers", value, expected)
        return value

    @field_validator("rounds")
    @classmethod
    def _by_size(cls, value: int | dict[str, int]) -> int | dict[str, int]:
        if isinstance(value, dict) and not (value and all(n.isdecimal() for n in value)):
            raise SettingError("$.trial.rounds", value, "a number, or a table N = rounds")
        for rounds in value.values() if isinstance(value, dict) else ():
            if not 1 <= rounds <= MOST_ROUNDS:
                raise SettingError("$.trial.rounds", rounds, f"1 to {MOST_ROUNDS}")
        return value

    @property
    def recorded(self) -> tuple[int, int]:
        """How many recorded guests speak for the wrong answer and for the right one.

        >>> Trial(peers="1 wrong 3 right").recorded
        (1, 3)
        """
        found = _PEERS.fullmatch(self.peers)
        wrong, right = found.groups(default="0") if found else ("0", "0")
        return int(wrong), int(right)

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
        said = departures(_names(self.wording), find(self.protocol).speaks or self.protocol)
        words = DEFENCES.get(self.defence)
        return tuple(sorted({*said, words})) if words else said

    @property
    def uptake(self) -> int | None:
        """Alpha in thousandths, or None where nothing is said about it."""
        return None if self.alpha == "off" else round(1000 * float(self.alpha))

    @property
    def adversaries(self) -> int:
        """The number of agents that deceive.

        >>> Trial(N=15, deceivers="1/5").adversaries
        3
        """
        return int(_part_of(self.deceivers, self.N))

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
        self._check_adversaries()
        if "network" in form.takes:
            hearers(self.network, self.N, Stream(b"", "network"))
        for name in FEW:
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

    def _check_adversaries(self) -> None:
        number = _part_of(self.deceivers, self.N)
        if number.denominator != 1:
            expected = f"a share of N = {self.N} that is a whole number of agents"
            raise SettingError("$.trial.deceivers", self.deceivers, expected)
        seeing = sum(member.role == ROLES[0] for member in self.members())
        if number > seeing or (number == seeing and number):
            expected = f"fewer than the {seeing} agents that are not blind"
            raise SettingError("$.trial.deceivers", self.deceivers, expected)
        if self.majority == "honest" and 2 * number >= self.N:
            expected = f"fewer than half of N = {self.N}; majority = any allows more"
            raise SettingError("$.trial.deceivers", self.deceivers, expected)
        if self.window and self.block > self.window:
            expected = f"at most the {self.window} rounds of the window"
            raise SettingError("$.trial.block", self.block, expected)
        if self.adversary == "sybil" and self.coordinated:
            raise SettingError("$.trial.coordinated", True, "false for sybils, who do not plan")
        if self.coordinated and not number:
            expected = "false where nobody deceives"
            raise SettingError("$.trial.coordinated", self.coordinated, expected)

    def _check_size(self, form: Protocol) -> None:
        if not form.least <= self.N <= (form.most or self.N):
            expected = f"at least {form.least} agents in the protocol {self.protocol}"
            if form.most:
                agents = "1 agent" if form.most == 1 else f"{form.least} to {form.most} agents"
                expected = f"{agents} in the protocol {self.protocol}"
            raise SettingError("$.trial.N", self.N, expected)
        if all(member.role == "blind" for member in self.members()):
            expected = "a cast in which some agent is not blind"
            raise SettingError("$.trial.cast", self.cast, expected)


def _part_of(value: int | str, whole: int) -> Fraction:
    """A number as it is, a share of the whole; -1 for what is neither."""
    if isinstance(value, int):
        return Fraction(value)
    try:
        share = Fraction(value)
    except (ValueError, ZeroDivisionError):
        return Fraction(-1)
    return share * whole if 0 <= share < 1 else Fraction(-1)
