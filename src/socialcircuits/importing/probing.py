"""A probe after the fact: what a model answers in private that has read what a seat had read.

The words of the conversation are given, as in a planted memory, and the model sits in every seat:
its answers are its own, and none of those who once spoke. So it is a run of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from socialcircuits.agents import Access, BackEnd, load
from socialcircuits.errors import RunFileError, SettingError, UsageError
from socialcircuits.graph import ADVERSARIES, Brief, Mind, Readout, Step, View, build
from socialcircuits.graph.vocabulary import MONITOR, PRIVATE_TO_ALL
from socialcircuits.importing.building import LINEAGE, Built, round_of, trial
from socialcircuits.importing.fields import FieldMap
from socialcircuits.importing.lines import READABLE
from socialcircuits.importing.reading import Conversation
from socialcircuits.importing.storing import (
    IMPORTED,
    PLAIN,
    SAID,
    Imported,
    counted,
    fingerprint,
    study_of,
    trials,
)
from socialcircuits.records import Provided, RunStore, TrialJournal, TrialPlan
from socialcircuits.records.provenance import notes
from socialcircuits.seeds import digest
from socialcircuits.studies.driving import drive
from socialcircuits.studies.execution import CAPABILITIES
from socialcircuits.trial import Setup, play_waiting
from socialcircuits.worlds.questions import Question, QuestionEvidence

__all__ = ["Probing", "probe"]

HISTORY = (View("history", READABLE),)
"""What a probed seat has read: all that is known to have been addressed to it."""

SPEAKS = "chatroom"
"""The protocol in whose words seats are asked."""

NEEDED = ("question", "truth", "lure")
"""What every conversation must have."""


@dataclass(frozen=True)
class Probing:
    """Who is asked, and when.

    Args:
        model: the model that sits in the seats.
        at: the last round that is read; None: all of the conversation.
        access: how the model is reached.
    """

    model: str
    at: int | None = None
    access: Access = field(default_factory=Access)


def probe(
    source: str | Path,
    out: str | Path,
    wanted: Probing,
    fields: FieldMap = PLAIN,
    *,
    skip_bad: bool = False,
) -> Imported:
    """Ask a model in private, in the place of each seat that is no adversary, at the end of what
    the seat had read; the same call goes on with a run that was cut short.

    A message of which the readers are unknown is read by its own speaker alone.

    Args:
        source: as for `convert`.
        out: the run file.
        wanted: who is asked, and when.
        fields: where the fields stand.
        skip_bad: whether bad lines are left out.

    Raises:
        UsageError: as for `convert`, or a conversation lacks question, truth or lure.
        SettingError: there is no such model.
        RunFileError: the run file holds another study or other words, or cannot be written.
        BudgetReached: the limit on calls or cost is reached; what was paid for is kept.
        ModelError: the model does not answer.
    """
    found, skipped = trials(source, fields, skip_bad=skip_bad)
    back = BackEnd(wanted.access)
    wanted.access.check([wanted.model])
    mind = load(wanted.model, "--probe", back)
    built = [_given(one, wanted.at, mind.id) for one in found]
    counts = counted(Path(source).name, found, skipped)
    study = _study(Path(out), built, counts, wanted)
    with RunStore(Path(out), study, notes(), paid=mind.waits) as store:
        said = fingerprint(built)
        if store.recall(SAID) not in {None, said}:
            raise RunFileError(f"{out}: the conversations have changed since it began")
        store.remember(SAID, said)
        store.remember(IMPORTED, asdict(counts))
        drive(_ask(built, mind, back, store))
    return counts


def _study(path: Path, built: Sequence[Built], counts: Imported, wanted: Probing) -> dict[str, Any]:
    until = "at the end" if wanted.at is None else f"after round {wanted.at}"
    study = study_of(path, built, counts)
    about = f"a probe after the fact, {until}, of {study.about}"
    probed = study.model_copy(update={"about": about, "models": {"A1": wanted.model}})
    return probed.model_dump(mode="json")


async def _ask(built: Sequence[Built], mind: Mind, back: BackEnd, store: RunStore) -> None:
    try:
        store.remember(CAPABILITIES, await back.ready(store.recall(CAPABILITIES)))
        done = store.completed()
        for number, one in enumerate(built):
            if number in done:
                continue
            setup = _setup(one, mind)
            plan = TrialPlan(number, {}, seed=number + 1)
            store.begin(plan)
            journal = TrialJournal(store, number) if mind.waits else None
            played = await play_waiting(setup, store.replies(number).get, journal)
            seen = {one.key: one.text() for one in setup.evidence if one}
            store.keep({key: text.encode("utf-8", "surrogatepass") for key, text in seen.items()})
            store.finish(plan, played, one.provided)
    finally:
        await back.close()


def _given(found: Built, at: int | None, mind: str) -> Built:
    """A conversation up to a round as words that are given, followed by a probe of each seat that
    is no adversary."""
    facts, name = found.provided.facts, found.conversation.name
    for need in NEEDED:
        if not facts[need]:
            expected = "one in every conversation that is probed"
            raise SettingError(f"conversation {name[:60]!r}: {need}", "", expected)
    try:
        _evidence(facts)
    except SettingError as error:
        where = f"conversation {name[:60]!r}: {error.where}"
        raise SettingError(where, error.given, error.expected) from None
    kept = tuple(
        line._replace(kind="given")
        for line in found.conversation.lines
        if line.text is not None
        and line.purpose not in PRIVATE_TO_ALL
        and (at is None or round_of(line) <= at)
    )
    if not kept:
        raise UsageError(f"conversation {name[:60]!r} has nothing to be read by round {at}")
    return _probed(trial(Conversation(name, kept)), facts, mind)


def _probed(built: Built, facts: Mapping[str, Any], mind: str) -> Built:
    graph, given = built.played.graph, built.provided
    apart = {*ADVERSARIES, MONITOR}
    asked = tuple(seat for seat, part in enumerate(graph.seats) if part.role not in apart)
    probes = [Step(seat, "probe", graph.rounds, views=HISTORY, form="spoken") for seat in asked]
    whole = build(graph.seats, [*graph.steps, *probes], Readout("probe", asked, graph.rounds))
    named = zip(given.briefs, graph.seats, strict=True)
    key = _evidence(facts).key.hex()
    provided = Provided(
        minds=(mind,) * len(graph.seats),
        briefs=tuple(
            {**brief, "name": brief["name"] or seat.key, "protocol": SPEAKS}
            for brief, seat in named
        ),
        evidence=tuple(key if seat in asked else "" for seat in range(len(graph.seats))),
        # What the conversation is about is not a matter of the round up to which it is read.
        facts={**facts, LINEAGE: given.facts[LINEAGE]},
    )
    played = replace(built.played, graph=whole.cutting(graph.cuts))
    return replace(built, played=played, provided=provided)


def _evidence(facts: Mapping[str, Any]) -> QuestionEvidence:
    lures = (facts["lure"],)
    question = Question("imported", facts["question"], facts["truth"], "exact", lures=lures)
    return QuestionEvidence(question)


def _setup(built: Built, mind: Mind) -> Setup:
    graph, given = built.played.graph, built.provided
    seed, seen = digest("imported", given.facts["item"]), _evidence(given.facts)
    return Setup(
        shared_seed=seed,
        trial_seed=seed,
        graph=graph,
        minds=(mind,) * len(graph.seats),
        evidence=tuple(seen if key else None for key in given.evidence),
        answers=(seen.answers,) * len(graph.seats),
        briefs=tuple(Brief(**{**one, "wording": (), "fellows": ()}) for one in given.briefs),
        given={graph.step_id(said.step): said.reply for said in built.played.attempts},
    )
