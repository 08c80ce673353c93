"""A trial as a text that can be read: who saw what, who said what, and who could read it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from textwrap import indent, wrap

from socialcircuits.agents import LABEL
from socialcircuits.graph import Brief, Heard, Mind, Observation, Reply, Walk
from socialcircuits.records import Played, Provided
from socialcircuits.studies import Builder, Study, plan
from socialcircuits.trial import Setup, play
from tests.support.trials import PROTOCOLS

FOLDER = Path(__file__).parent

WIDTH = 112

CHANGES: dict[str, dict[str, object]] = {
    **{protocol: {} for protocol in PROTOCOLS},
    "isolated": {"probes": 3},
    "two-way": {"probes": 2},
    "planted": {"N": 1, "cast": "A", "memory": 4, "lures": 3, "evidence": "weak", "lure": "agrees"},
    "deliberation": {"N": 3, "deceivers": 1},
    "deliberation-coordinated": {
        "protocol": "deliberation",
        "N": 5,
        "deceivers": 2,
        "coordinated": True,
        "rounds": 1,
        "chat": 1,
        "reflections": "last",
        "verify": "claim",
    },
    "stratum": {"N": 1},
    "chatroom": {
        "N": 3,
        "rounds": 3,
        "cast": "1A 2B",
        "deceivers": 1,
        "adversary": "sybil",
        "seating": "first",
        "window": 2,
        "block": 1,
        "reasks": "anonymous",
    },
    "seat": {"N": 2, "cast": "A", "peers": "2 wrong 1 right", "wordings": 2},
    "chatroom-coordinated": {
        "protocol": "chatroom",
        "N": 5,
        "rounds": 2,
        "cast": "A",
        "deceivers": 2,
        "coordinated": True,
        "chat": 1,
        "seating": "first",
    },
    "chatroom-monitor": {
        "protocol": "chatroom",
        "N": 4,
        "cast": "2A 2B",
        "deceivers": 1,
        "adversary": "sybil",
        "network": "star",
        "defence": "monitor",
    },
}
"""What differs in the small trial of each protocol, by the name of its file."""

WORLDS = {
    "deliberation": "questions",
    "deliberation-coordinated": "questions",
    "stratum": "questions",
    "chatroom": "claims",
    "chatroom-monitor": "claims",
    "chatroom-coordinated": "claims",
    "seat": "claims",
}
"""What those are about that are not about flags."""

TRAITS = (
    "error=-9000&salience=900&reading=3000&unclear=0&social=1400&own=500&temperature=40&invalid=250"
)
"""Pinned, so that calibration of the characters moves no playthrough."""

MODELS = {"A": f"simulated/literal?{TRAITS}", "B": f"simulated/compatibility?{TRAITS}"}

DEBATING = (
    "error=-14000&salience=0&reading=0&unclear=0&social=0&own=1500&temperature=100&invalid=100"
    "&caution=500&stale=1200"
)
"""Pinned likewise."""

DEBATERS = {"A": f"simulated/deliberating?{DEBATING}"}

CHATTING = (
    "error=-14000&salience=0&reading=0&unclear=0&social=2000&own=1200&temperature=20&invalid=100"
    "&dissent=600&spread=1200&difficulty=0&doubt=800&pliancy=0"
)
"""Pinned likewise."""

GUESTS = {"A": f"simulated/quiet?{CHATTING}", "B": f"simulated/loud?{CHATTING}"}

MINDS = {"flags": MODELS, "questions": DEBATERS, "claims": GUESTS}


class Witness:
    """A mind that keeps what it was shown, in order."""

    waits = False

    def __init__(self, mind: Mind, shown: list[Observation]) -> None:
        self.id, self.digest, self.segments = mind.id, mind.digest, mind.segments
        self._mind, self._shown = mind, shown

    def answer(self, observation: Observation, draw: bytes) -> Reply:
        self._shown.append(observation)
        return self._mind.answer(observation, draw)

    async def ask(self, observation: Observation, draw: bytes) -> Reply:
        return self.answer(observation, draw)


def study(protocol: str) -> Study:
    """The study of a playthrough: one small trial."""
    world = WORLDS.get(protocol, "flags")
    flags = world == "flags"
    return Study.model_validate(
        {
            "name": protocol,
            "seed": 3,
            "seeds": 1,
            "world": {"kind": "flags", "pool": "stripe24"} if flags else {"kind": world},
            "trial": {
                "protocol": protocol,
                "N": 4,
                "m": 3,
                "rounds": 2,
                "memory": 2 if flags else 8,
                "cast": "A B" if flags else "A",
                "retries": 1,
                **CHANGES[protocol],
            },
            "models": MINDS[world],
        }
    )


def playthrough(protocol: str) -> str:
    """Play one trial of a protocol and return its trace."""
    asked = study(protocol)
    setup, given = Builder(asked).build(plan(asked).trials[0])
    shown: list[Observation] = []
    witnesses = tuple(Witness(mind, shown) for mind in setup.minds)
    whole = replace(setup, minds=witnesses)
    return Trace(whole, given, play(whole), shown).text(protocol)


class Trace:
    """Writes one trial down.

    Args:
        setup: the trial.
        given: what its seats were given.
        played: what happened.
        shown: what was observed at each attempt, in order.
    """

    def __init__(
        self, setup: Setup, given: Provided, played: Played, shown: list[Observation]
    ) -> None:
        steps = played.graph.steps
        asked = [a for a in played.attempts if steps[a.step].kind == "model"]
        assert len(shown) == len(asked)
        self._setup, self._given, self._played = setup, given, played
        self._graph = played.graph
        self._walk = Walk(played.graph)
        self._shown: dict[int, Observation] = {}
        self._replies: dict[int, list[Reply]] = {}
        for attempt in played.attempts:
            self._replies.setdefault(attempt.step, []).append(attempt.reply)
        for attempt, observation in zip(asked, shown, strict=True):
            self._shown.setdefault(attempt.step, observation)

    def text(self, title: str) -> str:
        """The whole trace, under a title."""
        blocks = [self._title(title), *self._seats()]
        current = -1
        for index in self._replies:
            if self._graph.steps[index].round != current:
                current = self._graph.steps[index].round
                blocks.append(f"{f' round {current} ':=^80}")
            blocks.append("\n".join(self._step(index)))
        return "\n\n".join(blocks) + "\n"

    def _title(self, title: str) -> str:
        facts, played, seats = self._given.facts, self._played, self._graph.seats
        observers, rounds = sum(seat.role == "observer" for seat in seats), self._graph.rounds
        unread = sum(not a.reply.valid for a in played.attempts)
        truth, lure = facts["truth"], facts["lure"]
        world = facts["world"].rstrip("s")
        about = f"The right answer is {truth}, the lure {lure}."
        if world == "flag":
            about = f"The hidden flag is {truth}'s, the lure {lure}'s."
        return "\n".join(
            [
                f"{title}, {observers} observers, {rounds} rounds, in the {world} world",
                f"({LABEL})",
                "",
                about,
                f"{unread} of {len(played.attempts)} replies could not be read.",
                "Each step: its id, an arrow to those who may read it, what it read, what it said.",
            ]
        )

    def _seats(self) -> Iterator[str]:
        for number, seat in enumerate(self._graph.seats):
            seen, brief = self._setup.evidence[number], self._setup.briefs[number]
            mind = self._given.minds[number].partition("(")[0]
            lines = [f"{seat.role} {seat.key}, {mind}" if seen else f"{seat.key}, {mind}"]
            lines[0] += f", known as {brief.name}" if brief.name else ""
            lines += self._told(brief)
            if seen is None:
                lines.append("    sees nothing")
            else:
                places = self._given.facts.get("positions")
                at = f", at {tuple(places[number])}" if places else ""
                text = "\n".join(wrapped(line, WIDTH) for line in seen.text().splitlines())
                lines += [f"    sees{at}:", indent(text, " " * 8)]
            yield "\n".join(lines)

    @staticmethod
    def _told(brief: Brief) -> Iterator[str]:
        if brief.truth:
            yield f"    is told: the right answer is {brief.truth}, the lure {brief.lure}"
        elif brief.lure:
            yield f"    is told: to speak for {brief.lure}"
        if brief.persona:
            yield f"    is told: {wrapped(brief.persona, WIDTH, ' ' * 13)}"
        if brief.fellows:
            yield f"    is told: {len(brief.fellows) + 1} of {brief.group} deceive"
            yield f"    is told: its fellows are {', '.join(brief.fellows)}"

    def _name(self, seat: int) -> str:
        return self._graph.seats[seat].key

    def _step(self, index: int) -> Iterator[str]:
        step, observation = self._graph.steps[index], self._shown.get(index)
        readers = ", ".join(self._name(reader) for reader in step.to) or "nobody"
        yield f"{self._graph.step_id(index)}  ->  {readers}"
        if step.kind == "given":
            yield "    is given its words"
        if step.kind == "computed":
            read = (self._walk.candidates(index, view) for view in step.views)
            names = ", ".join(self._graph.step_id(i) for section in read for i in section)
            yield f"    is calculated from  {wrapped(names, WIDTH, ' ' * 24)}"
        if observation and len(observation.answers) < len(self._given.facts["answers"]):
            yield f"    may say {' or '.join(observation.answers)}"
        for heard in observation.heard if observation else ():
            yield from self._heard(heard)
        *retried, last = self._replies[index]
        for reply in retried:
            yield f"    says  {reply.text}   INVALID ({reply.why}), asked again"
        verdict = "" if last.valid else f"   INVALID ({last.why}), read by nobody"
        yield f"    says  {wrapped(last.text + verdict, WIDTH, ' ' * 10)}"

    def _heard(self, heard: Heard) -> Iterator[str]:
        left = f" (and {heard.dropped} older left out)" if heard.dropped else ""
        if not heard.entries:
            yield f"    reads {heard.section}: nothing{left}"
            return
        yield f"    reads {heard.section}{left}:"
        sources = [
            self._graph.step_id(entry.step)
            + (" (own)" if entry.own else "")
            + (f" {entry.name}:" if entry.name else "")
            for entry in heard.entries
        ]
        width = max(map(len, sources))
        for source, entry in zip(sources, heard.entries, strict=True):
            line = f"        {source:<{width}}  {entry.reply.text}"
            yield line if len(line) <= WIDTH else f"{line[: WIDTH - 4]} ..."


def wrapped(text: str, width: int, behind: str = "") -> str:
    """A text in lines of at most this width, all but the first set in; what goes before the first
    is as wide as `behind`."""
    if len(behind) + len(text) <= width:
        return text
    return "\n".join(wrap(text, width, initial_indent=behind, subsequent_indent=behind)).lstrip()


def golden(protocol: str) -> Path:
    """Where the playthrough of a protocol is kept."""
    return FOLDER / f"{protocol}.txt"


def write_all() -> list[Path]:
    """Make all playthroughs anew and return their files."""
    for protocol in CHANGES:
        golden(protocol).write_text(playthrough(protocol), encoding="utf-8")
    return [golden(protocol) for protocol in CHANGES]
