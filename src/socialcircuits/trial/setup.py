"""Setup: the frozen description of one trial. Interventions map one Setup to another (rule 7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from socialcircuits.graph import Brief, Evidence, Graph, Mind, Reply
from socialcircuits.graph.vocabulary import Choice, Computed, Rewrite


@dataclass(frozen=True)
class Setup:
    """All that determines a trial. Tuples have one entry a seat, in the graph's order.

    Args:
        shared_seed: draws truth, evidence and the replies of shared steps; 16 bytes.
        trial_seed: draws all other replies; 16 bytes.
        graph: the steps; interventions inherit it.
        minds: what sits in each seat.
        evidence: what each seat privately sees; None for a seat that sees nothing.
        answers: the closed list of answers, in the order each seat is told them.
        briefs: role, bandwidth and uptake of each seat.
        given: step id -> fixed output, for steps of kind ``given``.
        edits: step id -> what is delivered in place of the reply; None withholds it.
        computed: purpose -> function, for steps of kind ``computed``.
        rewrites: seat -> what changes the sections it reads, one after the other.
        choices: variant -> what its steps allow, once the isolated guesses are known.
        retries: how often an invalid reply is asked for again before it stands as invalid.
    """

    shared_seed: bytes
    trial_seed: bytes
    graph: Graph
    minds: tuple[Mind, ...]
    evidence: tuple[Evidence | None, ...]
    answers: tuple[tuple[str, ...], ...]
    briefs: tuple[Brief, ...]
    given: Mapping[str, Reply] = field(default_factory=dict)
    edits: Mapping[str, Reply | None] = field(default_factory=dict)
    computed: Mapping[str, Computed] = field(default_factory=dict)
    rewrites: Mapping[int, tuple[Rewrite, ...]] = field(default_factory=dict)
    choices: Mapping[str, Choice] = field(default_factory=dict)
    retries: int = 2

    def shared_only(self) -> Setup:
        """Return the same setup with its shared steps alone (rule 8)."""
        steps = tuple(step for step in self.graph.steps if step.shared)
        return replace(self, graph=replace(self.graph, steps=steps, stop=None), edits={})

    @property
    def waits(self) -> bool:
        """Whether any seat's mind replies from elsewhere."""
        return any(mind.waits for mind in self.minds)
