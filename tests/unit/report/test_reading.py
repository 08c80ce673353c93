"""Which steps a number reads: what it does not read may be anything, what it reads matters."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import socialcircuits
from socialcircuits.graph import Reply
from socialcircuits.judges.rubrics.coordination import RULED
from socialcircuits.measures import CATALOGUE, READS, Measure
from socialcircuits.measures._turns import STANCES
from socialcircuits.measures.labelled import COORDINATION, REASONS, TACTICS
from socialcircuits.records import TrialRecord, TrialSummary
from socialcircuits.report import reading
from socialcircuits.report.reading import Reads
from socialcircuits.seeds import Stream

RUNS: Mapping[str, Mapping[str, Any]] = {
    "flag-game/population": {"seeds": 2, "settings": {"N": [4, 8], "rounds": 3}},
    "flag-game/protocols": {"seeds": 2, "settings": {"N": 4, "rounds": 2}},
    "flag-game/memory-conflict": {"seeds": 1},
    "flag-game/evidence-share": {"seeds": 1, "settings": {"N": [4]}},
    "flag-game/patching": {"seeds": 1},
    "deliberation/coordination": {"seeds": 3},
    "deliberation/tactics": {"seeds": 2},
    "deliberation/audits": {"seeds": 2},
    "chatroom/own-view": {"seeds": 2},
    "card/quick": {"seeds": 4, "model": "simulated/random"},
    "card/evidence": {"seeds": 1, "model": "simulated/parrot"},
}
TRIALS = 7
"""Trials of each run."""

DRAWS = 12
"""Ways in which what is read is changed, until the value is another."""

HOLDS = ("TRUE", "FALSE", "neither")
CHOICES: Mapping[str, tuple[str, ...]] = {
    "holds": (*HOLDS, "correct", "different", "undecided"),
    "stance": STANCES,
}

NAMES = {measure.name for measure in CATALOGUE}
READ = {measure.reads: reading.of(measure) for measure in CATALOGUE}
BY_READS = {reads: [one for one in CATALOGUE if one.reads == reads] for reads in READ}

Tried = tuple[TrialRecord, TrialSummary]

NEVER = {
    *(f"reason_{name}" for name in REASONS),
    *(f"code_{name}" for name in COORDINATION if name not in RULED),
    *(f"joint_{stance}_given_ambiguous" for stance in STANCES),
}
"""Measures of what simulated agents do not show in so few trials."""


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> list[Tried]:
    folder, found = tmp_path_factory.mktemp("reading"), list[Tried]()
    for number, (preset, options) in enumerate(RUNS.items()):
        with socialcircuits.run(preset, out=folder / str(number), **options) as run:
            plans = [plan for plan in run.file.plans() if plan.role == "estimate"]
            several = [run.file.trial(p.number) for p in plans[:: -(-len(plans) // TRIALS)]]
            found += [(record, record.summary()) for record in several]
    return found


def value_of(measure: Measure, trial: TrialSummary) -> Fraction | None:
    return measure.value(trial) if measure.undefined(trial) is None else None


def altered(record: TrialRecord, reads: Reads, draw: int, *, inside: bool) -> TrialRecord:
    """The record with other replies and labels: of what is read, or of all else."""
    stream = Stream(f"{record.digest} {draw}".encode(), "altered")
    steps = set(reads(record))
    kept = {(one.step, one.rubric) for one in reads.labels(record)}
    attempts = [
        one._replace(reply=other(record, one.step, one.reply, draw))
        if (one.step in steps) == inside
        else one
        for one in record.attempts
    ]
    labels = [
        replace(one, value=relabelled(one.value, stream))
        if ((one.step, one.rubric) in kept) == inside
        else one
        for one in record.labels
    ]
    return replace(record, attempts=attempts, labels=labels)


def other(record: TrialRecord, step: int, reply: Reply, draw: int) -> Reply:
    facts, stream = record.provided.facts, Stream(f"{record.digest} {draw}".encode(), str(step))
    if record.graph.steps[step].form == "odds":
        return replace(reply, text=json.dumps({"odds": {facts["truth"]: stream.below(9) / 9}}))
    if not draw:
        return Reply(facts["truth"], facts["truth"])
    answer = stream.choice([facts["truth"], facts["lure"], *facts["answers"][:2]])
    return Reply(answer, answer) if stream.below(4) else Reply("?", valid=False, why="altered")


def relabelled(value: Any, stream: Stream) -> Any:
    """Another value of the same form."""
    if isinstance(value, Mapping):
        return {key: recoded(key, part, stream) for key, part in value.items()}
    return value


def recoded(key: str, part: Any, stream: Stream) -> Any:
    if key in CHOICES:
        return stream.choice([one for one in CHOICES[key] if (one in HOLDS) == (part in HOLDS)])
    if isinstance(part, bool):
        return bool(stream.below(2))
    if key == "correct":
        return stream.below(2) - 1
    if key == "tactics":
        return [name for name in TACTICS if stream.below(2)]
    return part


def test_what_is_not_read_may_be_anything(records: list[Tried]) -> None:
    stood = set()
    for reads, group in BY_READS.items():
        for record, summary in records:
            found = altered(record, READ[reads], 1, inside=False).summary()
            for measure in group:
                value = value_of(measure, found)
                # Where no adversary is left that says anything, exposure has no meaning.
                assert value in {None, value_of(measure, summary)}, (measure.name, record.plan)
                stood |= {measure.name} if value is not None else set()
    assert stood == NAMES - NEVER


def test_what_is_read_matters(records: list[Tried]) -> None:
    left = set(NAMES - NEVER)
    for draw in range(DRAWS):
        for reads, group in BY_READS.items():
            for record, summary in records if any(one.name in left for one in group) else ():
                found = altered(record, READ[reads], draw, inside=True).summary()
                for measure in group:
                    if value_of(measure, found) not in {None, value_of(measure, summary)}:
                        left.discard(measure.name)
    assert left == set()


def test_every_word_is_used() -> None:
    words = {word for reads in BY_READS for word in reads.split()}
    assert words >= READS.keys()
