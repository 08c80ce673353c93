"""From the runs of a test to its card."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from typing import Any
from urllib.parse import parse_qsl

from socialcircuits.agents import SIMULATED
from socialcircuits.agents.back_end import LOCAL
from socialcircuits.agents.deployment import system_of
from socialcircuits.cards.lines import shown
from socialcircuits.cards.model import Audit, Card, Claims, Cost, Judge, Live, Pack, Subject
from socialcircuits.cards.model import Run as Ran
from socialcircuits.cards.outcomes import Outcome, arm
from socialcircuits.cards.plans import Plans, Test
from socialcircuits.packs import find as find_pack
from socialcircuits.packs.making import cover
from socialcircuits.prompts import SECTIONS, Place, find
from socialcircuits.protocols.seat import WORDINGS
from socialcircuits.records.courses import RULES
from socialcircuits.records.digests import canonical
from socialcircuits.records.provenance import notes
from socialcircuits.seeds import digest
from socialcircuits.studies import Builder, Plan, Run

__all__ = ["assemble", "blank", "wording"]

LIVE = ("final_infection", "private_infection", "public_endorsement", "unvoiced_infection")
"""What a card shows of live rooms."""

ASKED = (("", "guess"), ("chatroom", "probe"))
"""Protocol and purpose of the private questions."""


def wording(kind: str) -> str:
    """Return the digest (hex) of all prompt files that word the private questions in a world."""
    files: dict[str, str] = {}
    for protocol, purpose in ASKED:
        for variant in WORDINGS:
            place = Place(kind, protocol, "observer", purpose, "text", "label", (), variant)
            found = (find(section, place) for section in (*SECTIONS, "history"))
            files |= {prompt.id: prompt.sha256 for prompt in found if prompt}
    return digest("wording", canonical(files)).hex()


def blank(test: Test, plans: Plans) -> Card:
    """Return the card of a test of which nothing has been run: what it will be of, so that a
    baseline with which it cannot be compared is refused before anything is paid for.

    Raises:
        UsageError: the claims cannot be used, or the pack, which may have no words for some.
        SettingError: the model, or a setting of a world, is not allowed.
    """
    name, _, query = test.model.partition("?")
    pack = find_pack(test.pack)
    tested = (plans.seat, plans.evidence)
    # Said now: a run would find it out at a claim, with those before it paid for.
    cover(pack, (slot for one in tested for slot in _argued(one)))
    claims, documents = map(_claims, tested)
    return Card(
        subject=Subject(
            model=name,
            mind="",
            system=system_of(test.model) or None,
            parameters={key: value for key, value in parse_qsl(query) if key != "system"},
            simulated=name.startswith(f"{SIMULATED}/"),
        ),
        pack=Pack(name=pack.name, version=pack.version, digest=pack.digest),
        claims=claims,
        documents=documents,
        probe=digest("probe", wording("claims"), wording("documents")).hex(),
        runs={},
        date=datetime.now(UTC).date().isoformat(),
        software=notes()["packages"]["socialcircuits"],
        size=test.size,
        seed=test.seed,
        cost=Cost(calls=0, tokens=0),
        judge=Judge(name=plans.seat.study.judge),
        outcomes={},
        shown=shown({}, {}),
    )


def _argued(plan: Plan) -> Iterator[tuple[str, str]]:
    """Each item of a test, with each of the answers for which guests speak."""
    builder = Builder(plan.study)
    for group in plan.groups:
        item = builder.about(group.trials[0].cell.trial, group.seed)
        asked = builder.world.deal(b"", 1, item)
        yield from ((item, answer) for answer in (asked.truth, asked.lure))


def _claims(plan: Plan) -> Claims:
    builder, settings = Builder(plan.study), plan.study.world
    told = (f"{name}={value}" for name, value in settings.items() if name not in {"kind", "file"})
    source = " ".join(["own" if "file" in settings else "bundled", *told])
    return Claims(source=source, digest=builder.world.fingerprint, n=plan.study.seeds)


def assemble(empty: Card, runs: Mapping[str, Run]) -> Card:
    """Return the card that the runs of a test make; of unfinished ones that of the trials so far.

    Args:
        empty: what `blank` returned.
        runs: ``seat``, ``evidence`` and, where they were run, ``rooms``.
    """
    outcomes = {name: _outcomes(runs[name]) for name in ("seat", "evidence") if name in runs}
    claims, evidence = outcomes.get("seat", {}), outcomes.get("evidence", {})
    documents = empty.documents and empty.documents.model_copy(update={"n": len(evidence)})
    values = {
        **dict(empty),
        "subject": empty.subject.model_copy(update={"mind": _mind(runs)}),
        "claims": empty.claims.model_copy(update={"n": len(claims)}),
        "documents": documents,
        "runs": {name: _ran(run) for name, run in runs.items()},
        "date": max(map(_day, runs.values())).isoformat(),
        "cost": _cost(runs, empty.subject),
        "judge": Judge(name=empty.judge.name, audit=_audit(runs, empty.judge.name)),
        "outcomes": claims,
        "evidence": evidence,
        "shown": shown(claims, evidence),
        "live": tuple(_live(runs["rooms"])) if "rooms" in runs else (),
    }
    return Card(**values)


def _outcomes(run: Run) -> dict[str, dict[str, Outcome]]:
    found: dict[str, dict[str, Outcome]] = {}
    for trial in run.summaries():
        if trial.seat is not None:
            name = arm(trial.seat.wrong, trial.seat.right, trial.seat.said)
            found.setdefault(str(trial.facts["item"]), {})[name] = Outcome.of(trial.seat)
    return found


def _mind(runs: Mapping[str, Run]) -> str:
    for run in runs.values():
        for trial in run.summaries():
            return str(run.record(trial).provided.minds[0])
    return ""


def _ran(run: Run) -> Ran:
    study = digest("study", canonical(run.study.model_dump(mode="json"))).hex()
    return Ran(study=study, run=run.digests()["run"])


def _day(run: Run) -> date:
    return datetime.fromisoformat(str(run.file.notes["started"])).date()


def _cost(runs: Mapping[str, Run], subject: Subject) -> Cost:
    calls = tokens = nano = 0
    for run in runs.values():
        spent, judging = run.spent(), run.judging().values()
        calls += run.calls()["made"] + sum(one["calls"] for one in judging)
        tokens += spent.prompt + spent.completion
        tokens += sum(one["prompt_tokens"] + one["completion_tokens"] for one in judging)
        nano += spent.cost + sum(one["cost"] for one in judging)
    known = subject.simulated or subject.model.startswith(f"{LOCAL}/") or nano > 0
    return Cost(
        calls=0 if subject.simulated else calls, tokens=tokens, usd=nano / 1e9 if known else None
    )


def _audit(runs: Mapping[str, Run], judge: str) -> Audit | None:
    """Of the labels of one judge: how many have no value, as their quote is not in the text or the
    judge said nothing that can be read. What rules leave open is no label of theirs."""
    found = [one for run in runs.values() for name, one in run.judging().items() if name == judge]
    labels, lacking = (sum(one[name] for one in found) for name in ("labels", "unjudged"))
    if judge == RULES:
        labels, lacking = labels - lacking, 0
    return Audit(labels=labels, void=lacking) if labels else None


def _live(run: Run) -> Iterator[Live]:
    for row in run.rows():
        if row.measure in LIVE and "minus" not in row.condition:
            where: dict[str, Any] = dict(row.condition)
            yield Live(measure=row.measure, attackers=where["deceivers"], estimate=row.estimate)
