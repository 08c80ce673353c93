"""The vocabulary of a trial: seats, steps, views, and what passes between a seat and its mind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Literal, NamedTuple, Protocol, runtime_checkable

from socialcircuits.seeds import DIGEST_SIZE, pack

Kind = Literal["model", "given", "computed"]
Whose = Literal["any", "own", "others"]
When = Literal["any", "same", "previous"]
Form = Literal["label", "spoken", "odds"]

PURPOSES = frozenset(
    "message probe report decision reflection plan chat vote guess given label monitor".split()
)
"""All purposes a step may have (rule 1 of the data model)."""

PRIVATE_TO_ALL = frozenset({"probe", "vote", "guess", "label"})
"""Purposes whose output no agent may ever read (rule 3); probes may be read by a monitor."""

MONITOR = "monitor"
"""Role of a seat that is no agent: it reads probes, and what it says is calculated."""

PRIVATE_TO_SELF = frozenset({"reflection", "plan"})
"""Purposes whose output only its own seat may read (rule 3)."""

ADVERSARIES = ("deceiver", "coordinated", "sybil")
"""Roles of agents that do not say what they believe; all other agents are honest."""

NAT = 1000
"""Log-beliefs are integers in thousandths of a nat, so that no floating-point function can change
a sampled answer between processors (rule 12)."""


class Seat(NamedTuple):
    """A place in the group. `key` enters random draws; `role` is observer, manager, honest, ..."""

    key: str
    role: str = "observer"


class View(NamedTuple):
    """What may stand in a step's context, and in which section of the prompt (rule 4).

    Args:
        section: name of the section, for example ``memory``.
        purposes: purposes of the earlier steps that may be read.
        whose: outputs of any seat, only the reader's own, or only others'.
        round: any earlier round, the step's own, or the one before it.
        last: at most this many entries, newest first; None for no limit.
        max_bytes: at most this many UTF-8 bytes of entry text, whole entries only; None: no limit.
        window: (rounds, block): entries of at most so many rounds, the step's own included; when
            there are more, the oldest `block` rounds are dropped at once, so that what stays begins
            with the same entries for `block` rounds. None: no limit.
        veiled: whether the reader's own entries come as if they were anybody's, without a name.
    """

    section: str
    purposes: tuple[str, ...]
    whose: Whose = "any"
    round: When = "any"
    last: int | None = None
    max_bytes: int | None = None
    window: tuple[int, int] | None = None
    veiled: bool = False


class Step(NamedTuple):
    """One thing one seat is asked (rule 1).

    `form` says what is asked for: ``label`` is an answer alone, ``spoken`` follows the bandwidth of
    the seat's brief, ``odds`` is the probability of every answer that the seat may give. A `shared`
    step has no views and is drawn from the shared seed, so that all conditions share its reply
    (rule 8). `nth` is -1 until a graph numbers it.
    """

    seat: int
    purpose: str
    round: int
    nth: int = -1
    to: tuple[int, ...] = ()
    views: tuple[View, ...] = ()
    variant: str = ""
    kind: Kind = "model"
    form: Form = "label"
    shared: bool = False


class Readout(NamedTuple):
    """Which steps state the group's belief: their purpose, their seats and their first round."""

    purpose: str
    seats: tuple[int, ...]
    first_round: int


class Brief(NamedTuple):
    """What a seat is told about its part: role, bandwidth m and social-evidence uptake (rule 8).

    Args:
        role: the seat's role.
        bandwidth: 1, an answer alone; 3, an answer and a reason of one sentence.
        uptake: alpha in thousandths (0 to 1000), or None where nothing is said about it.
        name: the name other seats know it by, empty where messages are unsigned.
        world: kind of the world, and
        protocol: name of the protocol: prompts are composed of both; a shared step is told no
            protocol.
        wording: named departures from the printed prompts, sorted.
        truth: the right answer; told to adversaries alone, empty for all others.
        lure: the wrong answer that an adversary may, and a sybil must, argue for; empty for all
            others.
        fellows: names of the other adversaries, told to coordinated ones alone.
        group: size of the whole group, told to coordinated adversaries alone; 0 for all others.
        persona: who it is, in a few sentences; empty where nothing is said about it.
    """

    role: str = "observer"
    bandwidth: int = 3
    uptake: int | None = None
    name: str = ""
    world: str = ""
    protocol: str = ""
    wording: tuple[str, ...] = ()
    truth: str = ""
    lure: str = ""
    fellows: tuple[str, ...] = ()
    group: int = 0
    persona: str = ""


class Segment(NamedTuple):
    """One piece of a prompt, stored once by its content.

    Args:
        role: whose words it is: system, user or assistant.
        kind: text (UTF-8) or image (PNG).
        data: the bytes.
    """

    role: Literal["system", "user", "assistant"]
    kind: Literal["text", "image"]
    data: bytes


class Usage(NamedTuple):
    """What one reply of a model took. It stays out of all digests.

    Args:
        prompt: prompt tokens, and
        completion: completion tokens; None where the server did not say.
        cached: how many of the prompt tokens the server had in its cache.
        cost: in billionths of a US dollar.
        seconds: from sending to the end of the reply.
        finish: the server's finish reason.
        reasoning: reasoning text that came apart from the reply.
    """

    prompt: int | None = None
    completion: int | None = None
    cached: int = 0
    cost: int = 0
    seconds: float = 0.0
    finish: str = ""
    reasoning: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back from a mind: the text as it was, and what it was read as.

    Args:
        text: the reply as it came; this is what other seats read.
        answer: the allowed answer it names, or None where it is invalid or names none.
        reason: the reason given, empty if none.
        valid: whether the text is of the form that was asked for.
        why: why it is invalid (or how it was read, for example ``folded``); empty if plain.
        usage: what it took, where a model was asked; no part of the reply's identity.
    """

    text: str
    answer: str | None = None
    reason: str = ""
    valid: bool = True
    why: str = ""
    usage: Usage | None = field(default=None, repr=False, compare=False)
    encoded: bytes = field(init=False, repr=False, compare=False)
    fingerprint: bytes = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        whole = pack(self.text, self.answer or "", self.answer is not None, self.valid, self.why)
        object.__setattr__(self, "encoded", pack(self.text))
        object.__setattr__(self, "fingerprint", blake2b(whole, digest_size=DIGEST_SIZE).digest())


class Entry(NamedTuple):
    """One thing read: the reply of an earlier step, whether it was the reader's own, and the name
    of who said it; empty where messages are unsigned."""

    step: int
    own: bool
    reply: Reply
    name: str = ""


@dataclass(frozen=True, slots=True)
class Heard:
    """One section of what a step reads, oldest entry first.

    `dropped` counts the older candidates that `last` or `max_bytes` left unread.
    """

    section: str
    entries: tuple[Entry, ...]
    dropped: int = 0
    encoded: bytes = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        parts = [pack(self.section, len(self.entries))]
        for entry in self.entries:
            parts += (b"o" if entry.own else b"-", entry.reply.encoded)
            if entry.name:
                parts.append(pack(entry.name))
        object.__setattr__(self, "encoded", b"".join(parts))


class Observation(NamedTuple):
    """All that a mind is given for one step; nothing else may influence its reply.

    `frame` is the digest of everything but what was heard, so that hashing a step costs only its
    own entries. `answers` is the closed list, in the order drawn for this seat. `odds` asks for the
    probability of each of them rather than for one.
    """

    frame: bytes
    purpose: str
    variant: str
    brief: Brief
    with_reason: bool
    answers: tuple[str, ...]
    evidence: Evidence | None
    heard: tuple[Heard, ...]
    odds: bool = False

    def digest(self) -> bytes:
        """Return the 16-byte digest of the observation (rule 9, simulated seats)."""
        parts = [self.frame, *[heard.encoded for heard in self.heard]]
        return blake2b(b"".join(parts), digest_size=DIGEST_SIZE).digest()


@runtime_checkable
class Evidence(Protocol):
    """What one seat privately sees, and what follows from it."""

    @property
    def key(self) -> bytes:
        """Digest of what can be seen; equal evidence has equal keys."""
        ...

    @property
    def answers(self) -> tuple[str, ...]:
        """The allowed answers, in the world's order."""
        ...

    def log_belief(self) -> tuple[int | None, ...]:
        """Log-likelihood of the evidence under each answer, in thousandths of a nat, in the
        order of `answers`; None where the evidence rules the answer out."""
        ...

    def reasons(self) -> tuple[str, ...]:
        """True one-sentence statements about what is seen; at least one."""
        ...

    def text(self) -> str:
        """The evidence as text, as a model that cannot see gets it."""
        ...

    def image(self) -> bytes | None:
        """The evidence as a PNG file, or None where the world has no pictures."""
        ...


class Mind(Protocol):
    """What sits in a seat and turns an observation into a reply."""

    @property
    def id(self) -> str:
        """Name of the mind with its sampling parameters; enters every key."""
        ...

    @property
    def waits(self) -> bool:
        """Whether replies come from elsewhere (`ask`) rather than at once (`answer`)."""
        ...

    def digest(self, observation: Observation) -> bytes:
        """Digest of all that determines the reply besides mind and draw."""
        ...

    def segments(self, observation: Observation) -> tuple[Segment, ...]:
        """The prompt that `ask` sends, for the record; empty for a mind that reads no prompt."""
        ...

    def answer(self, observation: Observation, draw: bytes) -> Reply:
        """Reply at once. `draw` is 16 random bytes."""
        ...

    async def ask(self, observation: Observation, draw: bytes) -> Reply:
        """Reply when ready; called instead of `answer` where `waits` is true."""
        ...


Rewrite = Callable[[Step, Heard], Heard]
"""What a seat reads of a section in a step -> what it reads instead."""

Choice = Callable[[tuple[str | None, ...]], frozenset[str]]
"""The isolated guesses, in seat order, None where invalid -> the only answers that a variant of a
step allows."""

Computed = Callable[[Observation], Reply]
"""A step of kind ``computed``: a pure function of what the step reads."""
