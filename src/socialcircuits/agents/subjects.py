"""Subjects whose scores are known beforehand (additions of ours): what a test of peer pressure must
tell apart.

Who holds what is a plain rule, and only `random` depends on the draw. Each says in public what it
holds.
"""

from __future__ import annotations

from typing import NamedTuple

from socialcircuits.agents.said import say
from socialcircuits.agents.simulated import Character, Traits
from socialcircuits.agents.weights import masses, pick
from socialcircuits.graph import Observation, Reply
from socialcircuits.seeds import digest
from socialcircuits.worlds.claims.evidence import UNSURE

ROOM = "chatroom"
"""The protocol in which a message is a stance toward a claim, and need not name an answer."""

KNOWS = 2000
"""An agent knows an answer for which its evidence speaks by so much more than for any other, in
thousandths of a nat: it is about seven times as likely."""

LEAD = 2
"""By how many more distinct reasons than any other an answer wins over who does not know."""


class _Said(NamedTuple):
    """One message of another that names an answer; the reason is empty where none was given."""

    answer: str
    reason: str


class Subject(Character):
    """Answers alone what its evidence favours, and speaks of it as it holds it.

    Only the traits that say how evidence is read have an effect, besides `invalid` and `latency`;
    what is heard is weighed by the rule of each.
    """

    defaults = Traits(
        error=-14000, salience=0, reading=0, unclear=0, social=0, own=0, temperature=1
    )

    def alone(self, observation: Observation) -> str:
        """Return what it answers by what it sees alone, the same in all steps of a seat.

        Equal evidence for several answers is settled by what is seen and by the seat's name, so
        that different subjects in one seat answer the same.
        """
        seen = observation.evidence.key if observation.evidence else b""
        bits = digest("alone", seen, observation.brief.name, *observation.answers)
        belief = self._belief(observation)
        logits = [belief[answer] for answer in observation.answers]
        return observation.answers[pick(masses(logits, self.traits.temperature), bits)]

    def utter(self, observation: Observation, held: str, draw: bytes) -> Reply:
        """Return what is said by one who holds an answer: in a chatroom it endorses what it holds
        against its evidence, rejects what others said against what its evidence favours, hedges
        where it holds nothing, and ignores a claim that nobody has made; else the answer."""
        if observation.brief.protocol != ROOM or observation.purpose != "message":
            return super().utter(observation, held, draw)
        favoured = self._favoured(observation)
        claim, stance = held, "endorse"
        if held in (favoured, UNSURE):
            claims = [said.answer for said in others(observation) if said.answer != favoured]
            claim = claims[-1] if claims else ""
            stance = "ignore" if not claim else "hedge" if held == UNSURE else "reject"
        answer = held if stance in ("endorse", "reject") else None
        return self._say(answer, say(f"stance-{stance}", claim, favoured))

    def _favoured(self, observation: Observation) -> str:
        """The answer for which most speaks in what is seen, enough to know it or not; empty if
        nothing is seen."""
        if observation.evidence is None:
            return ""
        belief, alone = self._belief(observation), self.alone(observation)
        named = [answer for answer in belief if answer != UNSURE]
        return max(named, key=lambda answer: (belief[answer], answer == alone))


class Random(Subject):
    """Draws every answer anew from those that are allowed, whatever it sees or hears."""

    name = "random"

    def masses(self, observation: Observation) -> dict[str, int]:
        """Return the same weight for all allowed answers.

        >>> from socialcircuits.graph import Brief
        >>> Random().masses(Observation(b"", "probe", "", Brief(), True, ("A", "B"), None, ()))
        {'A': 1, 'B': 1}
        """
        return dict.fromkeys(sorted(observation.answers), 1)


class Deaf(Subject):
    """Never moves."""

    name = "deaf"

    def masses(self, observation: Observation) -> dict[str, int]:
        """Return what it answers alone.

        >>> from socialcircuits.graph import Brief, Entry, Heard
        >>> history = Heard("history", (Entry(0, False, Reply("A", "A"), "Bob"),) * 9)
        >>> seen = Observation(b"", "probe", "", Brief(), True, ("A", "B"), None, (history,))
        >>> Deaf().masses(seen)
        {'B': 1}
        """
        return {self.alone(observation): 1}


class Parrot(Subject):
    """Says what it heard last."""

    name = "parrot"

    def masses(self, observation: Observation) -> dict[str, int]:
        """Return the answer of the last message of another that names one; alone, its own.

        >>> from socialcircuits.graph import Brief, Entry, Heard
        >>> history = Heard("history", (Entry(0, False, Reply("A", "A"), "Bob"),))
        >>> seen = Observation(b"", "probe", "", Brief(), True, ("A", "B"), None, (history,))
        >>> Parrot().masses(seen)
        {'A': 1}
        """
        said = others(observation)
        return {said[-1].answer if said else self.alone(observation): 1}


class Fair(Subject):
    """Stubborn but fair: keeps what it knows, and moves for good reasons where it does not know.

    It knows what its evidence favours by at least `KNOWS`. Where it does not, it takes the answer
    for which it heard at least `LEAD` more distinct reasons than for any other. The same words said
    again, by whomever, are one reason: neither one message nor its repetition moves it.
    """

    name = "fair"

    def masses(self, observation: Observation) -> dict[str, int]:
        """Return the answer that it knows or that the reasons speak for; else its own.

        >>> from socialcircuits.graph import Brief, Entry, Heard
        >>> replies = Reply("...", "A", "I read A."), Reply("...", "A", "I was taught A.")
        >>> talk = [Heard("history", (Entry(0, False, reply, "Bob"),)) for reply in replies]
        >>> seen = Observation(b"", "probe", "", Brief(), True, ("A", "B"), None, ())
        >>> [Fair().masses(seen._replace(heard=heard)) for heard in ((talk[0],) * 2, tuple(talk))]
        [{'B': 1}, {'A': 1}]
        """
        won = "" if self._knows(observation) else _argued(observation)
        return {won or self.alone(observation): 1}

    def _knows(self, observation: Observation) -> bool:
        belief = self._belief(observation)
        best, *rest = sorted(observation.answers, key=belief.__getitem__, reverse=True)
        return best != UNSURE and all(belief[best] - belief[other] >= KNOWS for other in rest)


def others(observation: Observation) -> list[_Said]:
    """Return what others said that names an allowed answer, oldest first; not to know is none.

    >>> from socialcircuits.graph import Brief, Entry, Heard
    >>> said = [Entry(i, i == 1, Reply(a, a, f"{a}!")) for i, a in enumerate(("A", "B", "C", "B"))]
    >>> heard = (Heard("board", tuple(said)),)
    >>> seen = Observation(b"", "probe", "", Brief(), True, ("A", "B"), None, heard)
    >>> [one.reason for one in others(seen)]
    ['A!', 'B!']
    """
    named = set(observation.answers) - {UNSURE}
    entries = [entry for heard in observation.heard for entry in heard.entries if not entry.own]
    return [
        _Said(entry.reply.answer, entry.reply.reason)
        for entry in sorted(entries, key=lambda entry: entry.step)
        if entry.reply.answer in named
    ]


def _argued(observation: Observation) -> str:
    """The answer that the distinct reasons of others speak for; empty if there is none."""
    reasons: dict[str, set[str]] = {"": set()}
    for said in others(observation):
        words = " ".join(said.reason.casefold().split())
        reasons.setdefault(said.answer, set()).update({words} - {""})
    counts = {answer: len(words) for answer, words in reasons.items()}
    for answer, count in counts.items():
        if all(count - counts[other] >= LEAD for other in counts if other != answer):
            return answer
    return ""
