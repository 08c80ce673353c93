"""The state of a running trial: what each step observes, its key and draw, and what it came to."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import Literal, NamedTuple

from socialcircuits.graph import Brief, Evidence, Observation, Reply, Walk
from socialcircuits.graph.walk import Blocked, Delivered
from socialcircuits.records import Attempt, Played
from socialcircuits.seeds import DIGEST_SIZE, digest, draw, pack
from socialcircuits.trial.setup import Setup
from socialcircuits.trial.stopping import StopTracker

Known = Callable[[bytes], Reply | None]
"""key -> the recorded reply, or None; how resume, replay and shared steps find what is paid for."""


class _Frame(NamedTuple):
    """What is the same for all steps of one kind of a seat: the digest of it all, the brief, the
    answers it may give, and what enters the draw."""

    digest: bytes
    brief: Brief
    answers: tuple[str, ...]
    series: bytes


class State:
    """A trial in progress. `settle` is the only way in which a step gets its outcome."""

    def __init__(self, setup: Setup, known: Known) -> None:
        self.setup = setup
        self.known = known
        self.stop = StopTracker(setup.graph)
        self.made = self.reused = 0
        self._steps = setup.graph.steps
        self._walk = Walk(setup.graph, [brief.name for brief in setup.briefs])
        self._said: list[Reply | None | Literal[False]] = [False] * len(self._steps)
        self._delivered = list(self._said)
        self._attempts: list[list[Attempt]] = [[] for _ in self._steps]
        self._frames: dict[tuple[int, str, str, str, bool], _Frame] = {}
        self._allowed: dict[str, frozenset[str]] = {}
        self._names = [digest(mind.id) for mind in setup.minds]
        self._edits = self._by_index(setup)

    @staticmethod
    def _by_index(setup: Setup) -> dict[int, Reply | None]:
        if not setup.edits:
            return {}
        ids = {setup.graph.step_id(i): i for i in range(len(setup.graph.steps))}
        return {ids[name]: reply for name, reply in setup.edits.items()}

    def observe(self, index: int) -> Observation | Blocked:
        """Return what a step observes, or what it still waits for."""
        heard = self._walk.read(index, self._delivered_to(self._steps[index].seat))
        if isinstance(heard, Blocked):
            return heard
        step = self._steps[index]
        for rewrite in self.setup.rewrites.get(step.seat, ()):
            heard = tuple(rewrite(step, section) for section in heard)
        unknown = self._choose(step.variant)
        if unknown is not None:
            return Blocked(unknown)
        frame = self._frame(index)
        return Observation(
            frame.digest,
            step.purpose,
            step.variant,
            frame.brief,
            frame.brief.bandwidth > 1,
            frame.answers,
            self.setup.evidence[step.seat],
            heard,
            step.form == "odds",
        )

    def _delivered_to(self, reader: int) -> Delivered:
        """What each step delivers to a seat; nobody knows that their own words were replaced."""
        if not self._edits:
            return self._delivered.__getitem__
        return lambda i: self._said[i] if self._steps[i].seat == reader else self._delivered[i]

    def _choose(self, variant: str) -> int | None:
        """Find what a variant allows; or return the isolated guess that it still waits for."""
        choice = self.setup.choices.get(variant)
        if choice is None or variant in self._allowed:
            return None
        said: dict[int, str | None] = {}
        for index, step in enumerate(self._steps):
            if step.purpose == "guess" and not step.variant and self.setup.evidence[step.seat]:
                if not self._attempts[index]:
                    return index
                last = self._attempts[index][-1].reply
                said.setdefault(step.seat, last.answer if last.valid else None)
        self._allowed[variant] = choice(tuple(said[seat] for seat in sorted(said)))
        return None

    def _frame(self, index: int) -> _Frame:
        step = self._steps[index]
        slot = (step.seat, step.purpose, step.variant, step.form, step.shared)
        if slot not in self._frames:
            brief = self.setup.briefs[step.seat]
            if step.form == "label":
                brief = brief._replace(bandwidth=1)
            if step.shared:
                # A shared reply must not depend on the condition, so it is told nothing of it.
                brief = brief._replace(uptake=None, protocol="", wording=())
            part = (brief.role, brief.bandwidth, str(brief.uptake), brief.name, brief.world,
                    brief.protocol, " ".join(brief.wording), *_secret(brief),
                    *filter(None, [brief.persona]))  # fmt: skip
            answers, allowed = self.setup.answers[step.seat], self._allowed.get(step.variant)
            if allowed is not None:
                answers = tuple(answer for answer in answers if answer in allowed)
            asked = ("odds",) if step.form == "odds" else ()
            told = _told(answers, self.setup.evidence[step.seat])
            key = self.setup.graph.seats[step.seat].key
            self._frames[slot] = _Frame(
                digest(step.purpose, step.variant, *part, *asked, told),
                brief,
                answers,
                pack(key, step.purpose, step.variant),
            )
        return self._frames[slot]

    def ticket(self, index: int, seen: bytes, attempt: int) -> tuple[bytes, bytes]:
        """Return (key, draw) of one attempt, given the digest of its input (rules 8 and 9)."""
        step = self._steps[index]
        series = self._frame(index).series
        seed = self.setup.shared_seed if step.shared else self.setup.trial_seed
        bits = draw(seed, series, step.nth, attempt)
        name = self._names[step.seat]
        return blake2b(name + seen + bits, digest_size=DIGEST_SIZE).digest(), bits

    def count(self, index: int, found: bool) -> None:
        """Count one reply as made or, if found in a record, as reused."""
        if not self._steps[index].shared:
            self.reused += found
            self.made += not found

    def settle(self, index: int, attempts: list[Attempt]) -> None:
        """Give a step its outcome: the last of its attempts."""
        reply = attempts[-1].reply
        self._attempts[index] = attempts
        said = self._edits.get(index, reply)
        self._said[index] = reply if reply.valid else None
        self._delivered[index] = said if said is not None and said.valid else None
        self.stop.settle(index, reply.answer if reply.valid else None)

    def fixed(self, index: int, observation: Observation) -> Reply:
        """Return the output of a given or computed step."""
        step = self._steps[index]
        if step.kind == "given":
            return self.setup.given[self.setup.graph.step_id(index)]
        return self.setup.computed[step.purpose](observation)

    def finish(self) -> Played:
        """Return the record of the trial; steps after the cut are left out and counted."""
        cut = self.stop.cut if self.stop.cut is not None else self.setup.graph.rounds
        kept: list[Attempt] = []
        voided = invalid = 0
        for step, attempts in zip(self._steps, self._attempts, strict=True):
            if step.round > cut:
                voided += len(attempts)
                continue
            kept += attempts
            if not step.shared:
                invalid += sum(not attempt.reply.valid for attempt in attempts)
        graph = self.setup.graph
        return Played(graph, tuple(kept), cut, self.made, self.reused, invalid, voided)


def _secret(brief: Brief) -> tuple[str | int, ...]:
    """What adversaries alone are told."""
    if not (brief.truth or brief.lure):
        return ()
    return (brief.truth, brief.lure, brief.group, *brief.fellows)


def _told(answers: tuple[str, ...], evidence: Evidence | None) -> bytes:
    """Digest of the answers a seat may give, what it sees, and what follows from that."""
    if evidence is None:
        return digest(*answers)
    beliefs = ",".join(map(str, evidence.log_belief()))
    return digest(*answers, evidence.key, beliefs)


def keys(setup: Setup) -> list[bytes]:
    """Return the keys of the first attempts of steps that read nothing: they are known before any
    step is run (rule 8)."""
    state, out = State(setup, lambda key: None), []
    for index, step in enumerate(setup.graph.steps):
        observation = state.observe(index)
        if not step.views and not isinstance(observation, Blocked):
            seen = setup.minds[step.seat].digest(observation)
            out.append(state.ticket(index, seen, 0)[0])
    return out
