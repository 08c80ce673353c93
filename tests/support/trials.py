"""Small trials without a world: any protocol, any minds, evidence that is made up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from socialcircuits.graph import Brief, Graph, Mind, Observation, Reply, Settings
from socialcircuits.graph.vocabulary import Segment
from socialcircuits.protocols import find
from socialcircuits.records import Attempt, Played
from socialcircuits.seeds import Stream, digest, draw, pack
from socialcircuits.trial import Known, Setup

PROTOCOLS = ("pairwise", "broadcast", "manager")
ANSWERS = ("Chad", "France", "Mali", "Peru", "Yemen")


@dataclass(frozen=True)
class Hint:
    """Evidence that bears a token and leaves the answers numbered in `possible`."""

    token: str
    possible: tuple[int, ...]

    answers = ANSWERS

    @property
    def key(self) -> bytes:
        return digest(self.token, *self.possible)

    def log_belief(self) -> tuple[int | None, ...]:
        return tuple(0 if i in self.possible else None for i in range(len(ANSWERS)))

    def reasons(self) -> tuple[str, ...]:
        return (f"My evidence is {self.token}.",)

    def text(self) -> str:
        return self.token

    def image(self) -> bytes | None:
        return None


class Gossip:
    """A mind that repeats what it heard or says what its evidence leaves, by its draw alone.

    Args:
        invalid: share of unreadable replies, in thousandths.
        certain: whether it says nothing that its evidence rules out, whatever it hears.
    """

    waits = False

    def __init__(self, *, invalid: int = 0, certain: bool = False) -> None:
        self.id = f"gossip({invalid},{certain})"
        self._invalid, self._certain = invalid, certain

    def segments(self, observation: Observation) -> tuple[Segment, ...]:
        """It reads no prompt."""
        return ()

    def digest(self, observation: Observation) -> bytes:
        return observation.digest()

    def answer(self, observation: Observation, draw: bytes) -> Reply:
        if int.from_bytes(draw[8:10], "big") * 1000 < self._invalid << 16:
            return Reply("?", valid=False, why="unreadable")
        entries = [entry for heard in observation.heard for entry in heard.entries]
        options = [entry.reply.answer for entry in entries if entry.reply.answer is not None]
        if observation.evidence is not None:
            beliefs = zip(ANSWERS, observation.evidence.log_belief(), strict=True)
            left = [answer for answer, belief in beliefs if belief is not None]
            options = left if self._certain else left + options
        options = options or list(observation.answers)
        answer = options[int.from_bytes(draw[:8], "big") % len(options)]
        reason = f"I say {answer}." if observation.with_reason else ""
        return Reply(f"{answer}. {reason}", answer, reason)

    async def ask(self, observation: Observation, draw: bytes) -> Reply:
        return self.answer(observation, draw)


def trial(
    protocol: str,
    n: int,
    settings: Settings | None = None,
    *,
    mind: Mind | None = None,
    seed: int = 1,
    retries: int = 2,
    unanimous: bool = False,
) -> Setup:
    """A trial; with `unanimous`, the evidence of all seats leaves Peru alone."""
    form = find(protocol)
    shared = digest("shared", seed)
    stream = Stream(shared, "hints")
    graph = form.graph(form.seats(n), settings or Settings(), Stream(shared, "schedule"))
    evidence = []
    for number, seat in enumerate(graph.seats):
        possible = (3,) if unanimous else tuple({3, stream.below(5), stream.below(5)})
        bears = seat.role in form.bears
        evidence.append(Hint(f"evidence-of-{number}-only", possible) if bears else None)
    seats = len(graph.seats)
    return Setup(
        shared_seed=shared,
        trial_seed=digest(shared, "trial"),
        graph=graph,
        minds=(mind or Gossip(),) * seats,
        evidence=tuple(evidence),
        answers=tuple(tuple(Stream(shared, s.key).shuffled(ANSWERS)) for s in graph.seats),
        briefs=tuple(Brief(seat.role) for seat in graph.seats),
        retries=retries,
    )


def played_by(setup: Setup, mind: Mind) -> Setup:
    """The same trial with one mind in every seat."""
    return replace(setup, minds=(mind,) * len(setup.minds))


def draws(setup: Setup) -> dict[bytes, tuple[int, int]]:
    """The draw of each attempt a trial may come to -> (step, attempt)."""
    found = {}
    for index, step in enumerate(setup.graph.steps):
        series = pack(setup.graph.seats[step.seat].key, step.purpose, step.variant)
        seed = setup.shared_seed if step.shared else setup.trial_seed
        for attempt in range(setup.retries + 1):
            found[draw(seed, series, step.nth, attempt)] = index, attempt
    return found


def recorded(attempts: Iterable[Attempt]) -> Known:
    """The record of some attempts, as `play` looks it up."""
    return {attempt.key: attempt.reply for attempt in attempts}.get


def longest_chain(graph: Graph) -> int:
    """Number of steps on the longest path where every reply is valid, from views alone."""
    depth: list[int] = []
    for index, step in enumerate(graph.steps):
        needed = [0]
        for view in step.views:
            heard = [
                depth[source]
                for source, earlier in enumerate(graph.steps[:index])
                if earlier.purpose in view.purposes
                and step.seat in earlier.to
                and (view.whose == "any" or (view.whose == "own") == (earlier.seat == step.seat))
                and (view.round == "any" or earlier.round == step.round)
            ]
            needed += heard if view.last is None else heard[-view.last :]
        depth.append(1 + max(needed))
    return max(depth)


def outcomes(played: Played) -> dict[str, Reply]:
    """Step id -> the reply that stands for it."""
    return {played.graph.step_id(a.step): a.reply for a in played.attempts}
