"""Small run files."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from socialcircuits.graph import Settings
from socialcircuits.records import Played, Provided, RunStore, TrialPlan
from socialcircuits.trial import Setup, play
from tests.support.trials import ANSWERS, PROTOCOLS, Gossip, trial

STUDY: dict[str, Any] = {"name": "small", "seed": 1, "trial": {"N": 3}}


def provided(setup: Setup) -> Provided:
    """What the seats of a trial were given."""
    return Provided(
        minds=tuple(mind.id for mind in setup.minds),
        briefs=tuple(
            {**b._asdict(), "wording": list(b.wording), "fellows": list(b.fellows)}
            for b in setup.briefs
        ),
        evidence=tuple(seen.key.hex() if seen else "" for seen in setup.evidence),
        facts={"truth": "Peru", "answers": list(ANSWERS), "lure": "Chad"},
    )


def small_trials() -> list[tuple[TrialPlan, Setup, Played]]:
    """One trial a protocol, with some invalid replies."""
    made = []
    for number, protocol in enumerate(PROTOCOLS):
        mind = Gossip(invalid=300)
        setup = trial(protocol, 3, Settings(rounds=2), mind=mind, retries=1, seed=number)
        plan = TrialPlan(number, {"protocol": protocol}, seed=1 + number)
        made.append((plan, setup, play(setup)))
    return made


def write(
    path: Path, trials: Sequence[tuple[TrialPlan, Setup, Played]] | None = None
) -> list[tuple[TrialPlan, Setup, Played]]:
    """Write a run file and return what it holds."""
    whole = small_trials() if trials is None else list(trials)
    with RunStore(path, STUDY, {"python": "3"}, paid=False) as store:
        for plan, setup, played in whole:
            store.begin(plan)
            store.keep({e.key: e.text().encode() for e in setup.evidence if e})
            store.finish(plan, played, provided(setup))
    return whole


def alter(path: Path, *statements: str) -> None:
    """Run SQL statements on a file, behind the store's back."""
    database = sqlite3.connect(path)
    for statement in statements:
        database.execute(statement)
    database.commit()
    database.close()
