"""The trials of a writing, and the pack that is read from them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import NamedTuple

from socialcircuits.agents import Access, BackEnd
from socialcircuits.errors import (
    BudgetReached,
    ModelError,
    Refused,
    RunFileError,
    SettingError,
    SocialCircuitsError,
    TrialsFailed,
)
from socialcircuits.graph import Brief, Readout, Reply, Seat, Step, build
from socialcircuits.packs import Templates, Words, Written
from socialcircuits.packs.making import Side, sides
from socialcircuits.records import Provided, RunFile, RunStore, TrialJournal, TrialPlan, TrialRecord
from socialcircuits.records.provenance import notes
from socialcircuits.records.seats import REFUSED
from socialcircuits.seeds import digest
from socialcircuits.studies.driving import drive
from socialcircuits.studies.execution import CAPABILITIES, OPEN_TRIALS, Progress
from socialcircuits.studies.packing.author import ANSWERS, PURPOSE, Author, messages
from socialcircuits.studies.packing.settings import Writing
from socialcircuits.trial import Setup, play_waiting
from socialcircuits.worlds.claims import Claim, ClaimEvidence

__all__ = ["Left", "Made", "write"]

Watch = Callable[[str], AbstractContextManager[Progress]]
"""Title -> what is told how far the writing has come."""


def _unwatched(title: str) -> AbstractContextManager[Progress]:
    return nullcontext(lambda done, planned: None)


class Left(NamedTuple):
    """Claims that cannot be in the pack: an answer to them has no words.

    Args:
        claims: the claims, which have one question and the same answers.
        answer: the answer.
        why: why it has none, after all retries.
        refused: whether the model refused to write.
    """

    claims: tuple[Claim, ...]
    answer: str
    why: str
    refused: bool


class Made(NamedTuple):
    """What came of a writing.

    Args:
        pack: the pack, of all claims that could be written.
        left: the others.
        counts: replies: ``asked`` for, of them ``invalid`` and ``refused``.
        run: the run file.
    """

    pack: Written
    left: tuple[Left, ...]
    counts: Mapping[str, int]
    run: Path


def write(
    what: Writing, out: Path, access: Access | None = None, watch: Watch = _unwatched
) -> Made:
    """Have a pack written, or go on with it where its run file exists; nothing is paid for twice.

    Args:
        what: what is written, and by whom.
        out: the file to which the pack will go, whose stem is its name; the run file stands beside
            it, with the ending ``.db``.
        access: how the model is reached, and the limits on calls and cost.
        watch: shows the progress.

    Raises:
        SettingError: no such model, a key is missing, or batches are asked for.
        RunFileError: the run file cannot be used, or is of another writing.
        BudgetReached: a limit is reached; what was paid for is kept.
        TrialsFailed: no reply came for some claims; they are asked again the next time.
        ModelError: the model wrote words for no claim.
    """
    access, path = access or Access(), out.with_suffix(".db")
    access.check([what.asked])
    if access.batch:
        raise SettingError("--batch", True, "nothing: a model that writes is asked at once")
    back = BackEnd(access)
    author = Author(back.mind(what.asked, "--model", {}))
    with (
        RunStore(path, what.as_json(), notes(), paid=True) as store,
        watch("pack") as progress,
    ):
        desk = _Desk(what, author, store, progress)
        drive(desk.work(back))
    if desk.failed:
        claims, why = len(desk.failed), desk.failed[0]
        raise TrialsFailed(f"{path.name}: claims without a reply: {claims}; first: {why}")
    return _made(what, author.id, out, desk.refused)


def _setup(claim: Claim, author: Author, retries: int) -> Setup:
    seed = digest("pack", claim.question, claim.truth, claim.lure)
    steps = [Step(0, PURPOSE, 0, variant=variant) for variant in ANSWERS]
    return Setup(
        shared_seed=seed,
        trial_seed=seed,
        graph=build([Seat("author", "author")], steps, Readout(PURPOSE, (), 0)),
        minds=(author,),
        evidence=(ClaimEvidence(claim),),
        answers=((),),
        briefs=(Brief("author", world="claims"),),
        retries=retries,
    )


class _Desk:
    """The trials of a writing, several side by side.

    Args:
        what: what is written.
        author: the mind that writes.
        store: the run file.
        progress: is told after each claim.

    Attributes:
        refused: number of the trial -> why the server will not answer it, however often it is
            asked.
        failed: why other trials have no reply.
    """

    def __init__(self, what: Writing, author: Author, store: RunStore, progress: Progress) -> None:
        self._what, self._author, self._store, self._progress = what, author, store, progress
        self._stopped: BudgetReached | None = None
        self._done = store.completed()
        self.refused: dict[int, str] = {}
        self.failed: list[str] = []

    async def work(self, back: BackEnd) -> None:
        """Ask for all that the run file lacks.

        Raises:
            BudgetReached: a limit is reached.
            RunFileError: the run file cannot be written.
        """
        store, gate = self._store, asyncio.Semaphore(OPEN_TRIALS)
        try:
            store.remember(CAPABILITIES, await back.ready(store.recall(CAPABILITIES)))
            self._progress(len(self._done), len(self._what.kinds))
            left = [n for n in range(len(self._what.kinds)) if n not in self._done]
            async with asyncio.TaskGroup() as tasks:
                for number in left:
                    tasks.create_task(self._one(number, gate))
        except BaseExceptionGroup as failed:
            raise failed.exceptions[0] from None
        finally:
            await back.close()
        if self._stopped:
            raise self._stopped

    async def _one(self, number: int, gate: asyncio.Semaphore) -> None:
        async with gate:
            if self._stopped is None:
                await self._ask(number, self._what.kinds[number][0])

    async def _ask(self, number: int, claim: Claim) -> None:
        store, trial = self._store, TrialPlan(number, {}, number + 1)
        setup = _setup(claim, self._author, self._what.retries)
        seen, known = ClaimEvidence(claim), store.replies(number)
        store.begin(trial)
        try:
            played = await play_waiting(setup, known.get, TrialJournal(store, number))
        except RunFileError:
            raise
        except BudgetReached as error:
            # Others have calls in flight that are paid for: they end by themselves.
            self._stopped = error
            return
        except SocialCircuitsError as error:
            store.fail(trial, str(error))
            if isinstance(error, Refused):
                self.refused[number] = str(error)
            else:
                self.failed.append(str(error))
            return
        store.keep({seen.key: seen.text().encode("utf-8", "surrogatepass")})
        facts = {"truth": claim.truth, "lure": claim.lure, "answers": list(seen.answers)}
        briefs = tuple(brief._asdict() for brief in setup.briefs)
        minds, shown = (self._author.id,), (seen.key.hex(),)
        store.finish(trial, played, Provided(minds, briefs, shown, {**facts, **seen.facts()}))
        self._done.add(number)
        self._progress(len(self._done), len(self._what.kinds))


def _made(what: Writing, mind: str, out: Path, unanswered: Mapping[int, str]) -> Made:
    """Read a pack from the run file."""
    said: dict[tuple[str, str], Words] = {}
    left = [Left(what.kinds[n], what.kinds[n][0].truth, why, True) for n, why in unanswered.items()]
    path, refused = out.with_suffix(".db"), 0
    with RunFile(path) as file:
        for record in file.trials():
            claims = what.kinds[record.plan.number]
            lacking = [
                Left(claims, side.answer, reply.why, reply.why == REFUSED)
                for side, reply in _sided(record, claims[0])
                if not reply.valid
            ]
            left += lacking
            for claim in claims if not lacking else ():
                said |= {
                    (claim.id, side.answer): _words(side, reply)
                    for side, reply in _sided(record, claim)
                }
            refused += sum(attempt.reply.why == REFUSED for attempt in record.attempts)
        calls, started, trials = file.calls(), str(file.notes["started"]), file.digests()["run"]
    if not said:
        raise ModelError(f"{what.model} wrote words for no claim; first: {left[0].why}")
    counts = {"asked": calls["made"], "invalid": calls["invalid"] - refused, "refused": refused}
    provenance = {
        **what.as_json(),
        "made": "by a model",
        "mind": mind,
        "date": started[:10],
        "run": trials,
        "claims_left_out": len({claim.id for one in left for claim in one.claims}),
        "replies": counts,
    }
    return Made(Written(out.stem, 1, provenance, said), tuple(left), counts, path)


def _sided(record: TrialRecord, claim: Claim) -> Iterator[tuple[Side, Reply]]:
    for index, reply in record.outcomes.items():
        yield sides(claim)[ANSWERS.index(record.graph.steps[index].variant)], reply


def _words(side: Side, reply: Reply) -> Words:
    return Words(messages(reply.text), Templates().words("", side.answer).bare)
