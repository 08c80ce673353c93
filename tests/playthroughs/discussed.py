"""What seats of a deliberation observe, stage by stage, and their prompts as texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from socialcircuits.agents.rendering import Sees
from socialcircuits.graph import ADVERSARIES, Brief, Entry, Evidence, Heard, Observation, Reply
from socialcircuits.graph.vocabulary import Segment
from tests.playthroughs.rendered import (
    ANSWERS,
    EVIDENCE,
    changed,
    mind,
    observation,
    titled,
)

NAME, FELLOWS, GROUP = "Colleague 3", ("Colleague 1", "Colleague 6"), 7


@dataclass(frozen=True)
class Asked:
    """A question as a seat sees it."""

    question: str
    answers: tuple[str, ...]
    picture: bytes | None = None

    key = b"asked"

    def log_belief(self) -> tuple[int | None, ...]:
        return (0,) * len(self.answers)

    def reasons(self) -> tuple[str, ...]:
        return ("The question is open.",)

    def text(self) -> str:
        return self.question

    def image(self) -> bytes | None:
        return self.picture


EXACT = Asked("How many positive divisors does 720720 have?", ("240", "120", "192"))
CHOICE = Asked(
    "From which language did Maltese descend?\n\nA. Italian\nB. Arabic\nC. Greek\nD. Phoenician",
    ("B", "A", "C", "D"),
)
TRUTHS = {EXACT: "240", CHOICE: "B"}


@dataclass(frozen=True)
class Stage:
    """One kind of step of a deliberation.

    Args:
        purpose: its purpose.
        variant: its variant.
        reads: the sections it reads.
        title: what to call it; empty: its purpose and variant.
    """

    purpose: str
    variant: str = ""
    reads: tuple[str, ...] = ()
    title: str = ""

    def __str__(self) -> str:
        return self.title or f"{self.purpose} {self.variant}".strip()


FIRST = Stage("message", "first")
PUBLIC = Stage("message", "", ("reflections", "board"))
REFLECTION = Stage("reflection", "", ("reflections", "board"))
VOTE = Stage("vote", "", ("reflections", "board"))
STAGES = {
    "observer": (
        FIRST,
        Stage("reflection", "", ("reflections-", "board"), "reflection, round 0"),
        PUBLIC,
        REFLECTION,
        Stage("decision", "alone"),
        Stage("decision", "claim", ("board",)),
        VOTE,
        Stage("vote", "", (*VOTE.reads, "verification"), "vote, after verification"),
    ),
    "deceiver": (FIRST, REFLECTION, PUBLIC, VOTE),
    "coordinated": (
        Stage("chat", "before", ("chat-",), "chat before, first turn"),
        Stage("chat", "before", ("chat",)),
        Stage("plan", "", ("chat",)),
        Stage("message", "first", ("plan",)),
        Stage("reflection", "", (*REFLECTION.reads, "plan", "chat")),
        PUBLIC,
        Stage("chat", "during", ("chat", "board")),
        VOTE,
    ),
}
"""What each role is asked; a dash behind a section: nothing stands there yet."""


def told(role: str, truth: str, world: str = "questions", protocol: str = "deliberation") -> Brief:
    """The brief of a seat: adversaries alone are told the truth."""
    brief = Brief(role, 3, name=NAME, world=world, protocol=protocol)
    if role in ADVERSARIES:
        brief = brief._replace(truth=truth, lure="a lure that is told to nobody")
    if role == "coordinated":
        brief = brief._replace(fellows=FELLOWS, group=GROUP)
    return brief


def read_so_far(answers: Sequence[str]) -> dict[str, Heard]:
    """Sections of a deliberation under way -> what stands in them."""
    one, two = answers[:2]
    board = (
        Entry(0, False, Reply("raw", one, "The exponents give it."), "Colleague 1"),
        Entry(1, True, Reply("raw", two, "Each exponent plus one."), NAME),
        Entry(2, False, Reply("raw", one, "Colleague 3 forgot a factor."), "Colleague 5"),
    )
    chat = (
        Entry(3, False, Reply("raw", None, "What do we argue for?"), "Colleague 1"),
        Entry(4, True, Reply("raw", None, f"I suggest {two}."), NAME),
    )
    notes = tuple(
        Entry(5 + i, True, Reply("raw", None, f"Notes of round {i}."), NAME) for i in range(2)
    )
    return {
        "board": Heard("board", board),
        "chat": Heard("chat", chat),
        "reflections": Heard("reflections", notes),
        "plan": Heard("plan", (Entry(7, True, Reply("raw", None, f"Argue for {two}."), NAME),)),
        "verification": Heard(
            "verification", (Entry(8, True, Reply("raw", two, "It still fits."), NAME),)
        ),
    }


def asked(
    stage: Stage, brief: Brief, evidence: Evidence | None, answers: Sequence[str]
) -> Observation:
    """What a seat of a deliberation observes."""
    full = read_so_far(answers)
    heard = tuple(
        Heard(section[:-1], ()) if section.endswith("-") else full[section]
        for section in stage.reads
    )
    return Observation(
        b"frame", stage.purpose, stage.variant, brief, True, tuple(answers), evidence, heard
    )


def of_question(role: str, stage: Stage, item: Asked = EXACT) -> Observation:
    """What a seat observes that discusses a question."""
    return asked(stage, told(role, TRUTHS.get(item, "240")), item, item.answers)


def of_flag(role: str, stage: Stage) -> Observation:
    """What a seat observes that discusses whose flag is hidden."""
    return asked(stage, told(role, "Russia", "flags"), EVIDENCE, ANSWERS)


def deceiving(protocol: str, purpose: str) -> Observation:
    """What a deceiver observes in the Flag Game."""
    seen = observation(protocol, "observer", purpose)
    brief = seen.brief._replace(role="deceiver", truth="Russia")
    return seen._replace(brief=brief)


def discussed(role: str) -> Iterator[str]:
    """All prompts of a role, for an exact item; for a choice item the first and the last."""
    before: tuple[Segment, ...] = ()
    stages = STAGES[role]
    shown = [(EXACT, "exact item", stage) for stage in stages]
    shown += [(CHOICE, "choice item", stage) for stage in (stages[0], stages[-1])]
    for item, kind, stage in shown:
        segments = mind("text").segments(of_question(role, stage, item))
        yield titled(f"{role}, {stage}, {kind}", changed(before, segments))
        before = segments


def about_flags(sees: Sees) -> Iterator[str]:
    """Prompts of a deliberation about flags."""
    before: tuple[Segment, ...] = ()
    for role in ("observer", "deceiver"):
        for stage in (FIRST, PUBLIC, REFLECTION, VOTE):
            segments = mind(sees).segments(of_flag(role, stage))
            yield titled(f"{role}, {stage}, about flags, sees {sees}", changed(before, segments))
            before = segments


def deceived() -> Iterator[str]:
    """Prompts of deceivers in the Flag Game."""
    before: tuple[Segment, ...] = ()
    steps = {"pairwise": "message probe", "broadcast": "report decision", "manager": "report"}
    for protocol, purposes in steps.items():
        for purpose in purposes.split():
            segments = mind("image").segments(deceiving(protocol, purpose))
            yield titled(f"{protocol}, deceiver, {purpose}", changed(before, segments))
            before = segments


def discussions() -> dict[str, str]:
    """Name of each golden file about adversaries and deliberations -> its text."""
    found = {f"deliberation-{role}": "\n".join(discussed(role)) for role in STAGES}
    for sees in ("image", "text"):
        found[f"deliberation-flags-{sees}"] = "\n".join(about_flags(sees))
    found["flags-deceiver"] = "\n".join(deceived())
    return found
