"""Digests of what happened (rule 11). Execution settings, clock, usage, origin and versions stay
out, so that equal digests mean equal results wherever and however a run was made."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from typing import Any

from socialcircuits.graph import Graph
from socialcircuits.graph.vocabulary import PRIVATE_TO_ALL
from socialcircuits.records.trial import Attempt, TrialPlan
from socialcircuits.seeds import DIGEST_SIZE, digest


def canonical(value: object) -> str:
    """Return the one JSON text of a value: sorted keys, no spaces, no NaN.

    >>> canonical({"b": 1, "a": [True, None]})
    '{"a":[true,null],"b":1}'
    """
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


def differences(where: str, old: object, new: object) -> Iterator[str]:
    """Say where two JSON values differ, one line a place.

    >>> list(differences("$", {"m": 1, "N": 4}, {"m": 3, "N": 4}))
    ['$.m: 1 there, 3 now']
    """
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for name in sorted(old.keys() | new.keys()):
            if old.get(name) != new.get(name):
                yield from differences(f"{where}.{name}", old.get(name), new.get(name))
    else:
        yield f"{where}: {canonical(old)} there, {canonical(new)} now"


def is_public(graph: Graph, index: int) -> bool:
    """Whether another agent than its own can read a step's output; a monitor is no agent."""
    step = graph.steps[index]
    heard = any(reader != step.seat for reader in step.to)
    return heard and step.purpose not in PRIVATE_TO_ALL


def trial_digest(graph: Graph, attempts: Iterable[Attempt]) -> bytes:
    """Digest of all non-void steps in graph order: id, round, attempt, key and reply."""
    lines = []
    for step, attempt, key, reply, _ in attempts:
        lines += [_line(graph, step, attempt), key, reply.fingerprint]
    return blake2b(b"".join(lines), digest_size=DIGEST_SIZE).digest()


def public_digest(graph: Graph, attempts: Iterable[Attempt]) -> bytes:
    """Digest of what was said to others: id, round and the last attempt's reply."""
    last = {attempt.step: attempt for attempt in attempts}
    lines = []
    for step, attempt in last.items():
        if is_public(graph, step):
            lines += [_line(graph, step, 0), attempt.reply.fingerprint]
    return blake2b(b"".join(lines), digest_size=DIGEST_SIZE).digest()


def _line(graph: Graph, step: int, attempt: int) -> bytes:
    # No part can hold a line break, and what follows has a fixed length: lines stay apart.
    return f"{graph.step_id(step)}\n{graph.steps[step].round}\n{attempt}\n".encode()


def identity(condition: Mapping[str, Any], seed: int, role: str) -> str:
    """Return the name under which a trial enters the run digest.

    >>> identity({"N": 4}, 1, "estimate")
    '{"condition":{"N":4},"role":"estimate","seed":1}'
    """
    return canonical({"condition": dict(condition), "seed": seed, "role": role})


def run_digest(trials: Iterable[tuple[TrialPlan, bytes]]) -> str:
    """Digest over the trials, sorted by identity, so that their order in time does not matter."""
    named = sorted((identity(p.condition, p.seed, p.role), sub) for p, sub in trials)
    return digest(*(part for pair in named for part in pair)).hex()
