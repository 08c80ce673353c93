"""Requests that nobody waits for, sent as batches: cheaper, and answered within a day.

A batch is sent when all who ask wait, so what asks needs to know nothing of batches. Only steps may
be asked in this way that no active stop rule and no other step of the trial reads: labels are so.

What is paid for is never lost, nor paid twice. The file of a batch is in the book before the batch
is started, and its number before anybody waits for it. A process that was killed in between finds
the batch by its file; one that was killed later takes up the batch by its number.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeVar

from socialcircuits.calls.calls import Calls, charged
from socialcircuits.errors import Refused, SettingError, SocialCircuitsError, Unavailable
from socialcircuits.models.interface import Completion, Model, Request
from socialcircuits.models.openai_batch import (
    FULL,
    MOST_BYTES,
    MOST_LINES,
    OpenAIBatch,
    Progress,
)
from socialcircuits.models.openai_compatible import OpenAICompatible
from socialcircuits.models.prices import Price
from socialcircuits.models.wire import Answer
from socialcircuits.seeds import digest

T = TypeVar("T")

LONGEST_LOOK = 60.0
"""Most seconds between two looks at a batch."""

MOST_BATCHES = 3
"""In so many batches a request is sent that is not answered."""


class Book(Protocol):
    """Where batches are kept that are under way, so that a later process finds them."""

    def read(self) -> list[dict[str, Any]]:
        """Return what was written last, JSON values; empty at first."""
        ...

    def write(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Keep rows in place of all before, durably, before returning."""
        ...


@dataclass
class _Waiter:
    """A request that is waited for.

    Args:
        request: the request.
        landing: the reply and its cost.
        price: of its model in a batch, if known.
        sharers: how many works wait for it.
        batches: how many batches left it unanswered.
        worst: what is set aside for it; None where nothing is.
    """

    request: Request
    landing: asyncio.Future[tuple[Completion, int]]
    price: Price | None
    sharers: int = 0
    batches: int = 0
    worst: int | None = None


class _Line(NamedTuple):
    name: str
    data: bytes


@dataclass
class Batches:
    """Sends the requests of one task to one model in batches.

    Args:
        calls: limits, budget and prices; the worst case of a request is set aside before its batch
            goes up. What does not fit waits until the batches before it have come back.
        desk: the batches of the model, from `desk_of`.
        book: where batches under way are kept.
        scope: names the task: `close` clears the book of what belongs to it.
        tell: is told how far the batches are; None: nobody is.
    """

    calls: Calls
    desk: OpenAIBatch
    book: Book
    scope: str
    tell: Callable[[str], None] | None = None

    _waiting: dict[str, _Waiter] = field(default_factory=dict, init=False)
    _busy: int = field(default=0, init=False)
    _most: int = field(default=MOST_LINES, init=False)
    _met: bool = field(default=False, init=False)
    _at_rest: asyncio.Event = field(default_factory=asyncio.Event, init=False)

    async def run(self, works: Iterable[Coroutine[Any, Any, None]]) -> None:
        """Run works that ask by `complete`; whenever none of them can go on without a reply, what
        they ask goes out. They must wait for nothing else, least of all for each other.

        Raises:
            ExceptionGroup: what a work raised; the others are given up then.
        """
        coroutines = list(works)
        self._busy = len(coroutines)
        async with asyncio.TaskGroup() as tasks:
            for work in coroutines:
                tasks.create_task(self._work(work))
            while self._busy or self._waiting:
                if self._busy:
                    self._at_rest.clear()
                    await self._at_rest.wait()
                else:
                    await self._send()

    async def complete(self, request: Request) -> tuple[Completion, int]:
        """Return the reply to a request and its cost in billionths of a US dollar, when its batch
        has come back. Equal requests of one ticket are sent once; the reply costs the first.

        Raises:
            BudgetReached: it does not fit into the budget; it was not sent.
            Refused: the model will not answer it, or the provider takes no batches.
            Unavailable: transport faults outlasted the patience, or it was left unanswered in
                `MOST_BATCHES` batches.
        """
        name = self._name(request)
        if name not in self._waiting:
            landing = asyncio.get_running_loop().create_future()
            price = self.calls.price(self.desk.name, batch=True)
            self._waiting[name] = _Waiter(request, landing, price)
        waiter = self._waiting[name]
        waiter.sharers += 1
        first = waiter.sharers == 1
        self._rest()
        # Whoever gives up must not take the reply from those that share it.
        completion, cost = await asyncio.shield(waiter.landing)
        return completion, cost if first else 0

    def close(self) -> None:
        """Clear the book of the batches of this task: all that they were for is done."""
        self.book.write([row for row in self.book.read() if row["scope"] != self.scope])

    async def _work(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        finally:
            self._rest()

    def _rest(self) -> None:
        """One work less can go on by itself."""
        self._busy -= 1
        if not self._busy:
            self._at_rest.set()

    def _name(self, request: Request) -> str:
        """The same in every process, whatever the server was found to refuse in between."""
        manner = (request.max_tokens, request.temperature, request.top_p, request.seed)
        said = [part for s in request.segments for part in (s.role, s.kind, s.data)]
        rest = json.dumps([manner, request.schema, request.extra, request.prefill], default=dict)
        return digest("batch", self.desk.name, request.ticket, rest, *said).hex()

    async def _send(self) -> None:
        """Get replies for those who wait; who has none afterwards waits for the next batch."""
        try:
            for row in self.book.read():
                asked = row["model"] == self.desk.name and self._waiting.keys() & row["names"]
                if asked:
                    await self._take_up(row)
            parts = self._parts()
            if not parts and self._waiting:
                await asyncio.sleep(self.calls.limits.first_wait)
            await self._fly_all(parts)
        except SocialCircuitsError as error:
            self._fail(list(self._waiting), error)

    async def _take_up(self, row: dict[str, Any]) -> None:
        """Land a batch of an earlier process, if it was ever started."""
        if not row["batch"]:
            found = await self._steady(lambda: self.desk.find(row["file"]))
            if found is None:
                self._write(row["file"], None)
                return
            row["batch"] = found.id
            self._write(row["file"], row)
        await self._land(row)

    def _parts(self) -> list[list[_Line]]:
        """The requests that fit into the budget, in files that a provider takes.

        Raises:
            BudgetReached: not one fits.
        """
        parts: list[list[_Line]] = [[]]
        size = 0
        for name, waiter in list(self._waiting.items()):
            try:
                line = _Line(name, self.desk.line(name, waiter.request))
            except Refused as error:
                self._fail([name], error)
                continue
            try:
                fits = self._set_aside(waiter)
            except SocialCircuitsError:
                if parts[0]:
                    break
                raise
            if not fits:
                break
            size += len(line.data)
            if len(parts[-1]) == self._most or size > MOST_BYTES:
                parts.append([])
                size = len(line.data)
            parts[-1].append(line)
        return [part for part in parts if part]

    def _set_aside(self, waiter: _Waiter) -> bool:
        worst = waiter.price.worst(waiter.request) if waiter.price else 0
        fits = self.calls.budget.take(worst)
        if fits:
            waiter.worst = worst
        return fits

    async def _fly_all(self, parts: Sequence[Sequence[_Line]]) -> None:
        if parts and not self._met:
            await self._steady(self.desk.meet)
            self._met = True
        try:
            if self._most < MOST_LINES:
                for part in parts:
                    await self._fly(part)
            else:
                await self._together(parts)
        finally:
            for waiter in self._waiting.values():
                self._settle(waiter, None, 0)

    async def _together(self, parts: Sequence[Sequence[_Line]]) -> None:
        """Send several batches at once. What one of them fails on, the others end before."""
        done = await asyncio.gather(*map(self._fly, parts), return_exceptions=True)
        for failure in done:
            if failure is not None:
                raise failure

    async def _fly(self, part: Sequence[_Line]) -> None:
        lines = [line.data for line in part]
        file = await self._steady(lambda: self.desk.upload(lines))
        names = [line.name for line in part]
        row = {"scope": self.scope, "model": self.desk.name, "file": file, "batch": ""}
        self._write(file, {**row, "names": names})
        batch = await self._start(file)
        self._write(file, {**row, "batch": batch, "names": names})
        await self._land({**row, "batch": batch, "names": names})

    async def _start(self, file: str) -> str:
        """Start a batch once, also where the answer of its provider is lost."""
        try:
            return (await self.desk.create(file)).id
        except Unavailable as fault:
            await asyncio.sleep(fault.retry_after or self.calls.limits.first_wait)

        async def start() -> str:
            found = await self.desk.find(file)
            return (found or await self.desk.create(file)).id

        return await self._steady(start)

    async def _land(self, row: dict[str, Any]) -> None:
        """Wait for a batch and hand out what it brings."""
        progress = await self._ended(row["batch"])
        if progress.status == "failed":
            self._write(row["file"], None)
            asked = len(row["names"])
            if progress.code == FULL and asked > 1:
                self._most = asked // 2
                return
            raise Refused(f"{self.desk.name}: the batch {progress.id} failed: {progress.why}")
        answers = await self._steady(lambda: self.desk.results(progress))
        asked = row["names"]
        # Only these are paid for; all others may be sent again.
        kept = {name for name in asked if name in answers and answers[name].status < 300}
        for name in (name for name in asked if name in self._waiting):
            if not self._receive(name, answers.get(name), progress):
                kept.discard(name)
        self._write(row["file"], {**row, "names": [name for name in asked if name in kept]})

    def _receive(self, name: str, answer: Answer | None, progress: Progress) -> bool:
        """Hand out the answer to a request; return whether it is a reply."""
        waiter = self._waiting[name]
        fault: SocialCircuitsError | None = None
        completion = None
        try:
            completion = self.desk.receive(waiter.request, answer) if answer else None
        except (Refused, Unavailable) as error:
            fault = error
        if completion is not None:
            cost = charged(waiter.price, waiter.request, completion)
            self._settle(waiter, completion, cost)
            self._free(name).set_result((completion, cost))
            return True
        waiter.batches += 1
        if answer is None and progress.status == "cancelled":
            fault = Refused(f"{self.desk.name}: the batch {progress.id} was cancelled")
        elif waiter.batches >= MOST_BATCHES and not isinstance(fault, Refused):
            last = fault or f"{progress.id}: {progress.status}"
            fault = Unavailable(f"{self.desk.name}: no answer in {MOST_BATCHES} batches ({last})")
        elif not isinstance(fault, Refused):
            return False
        self._fail([name], fault)
        return False

    def _free(self, name: str) -> asyncio.Future[tuple[Completion, int]]:
        """Let those go on who wait for a request, when its landing is set."""
        waiter = self._waiting.pop(name)
        self._busy += waiter.sharers
        return waiter.landing

    def _fail(self, names: Sequence[str], error: SocialCircuitsError) -> None:
        for name in names:
            self._settle(self._waiting[name], None, 0)
            self._free(name).set_exception(error)

    def _settle(self, waiter: _Waiter, completion: Completion | None, cost: int) -> None:
        """Give back what is set aside for a request. What an earlier process paid for is not of
        this one's budget."""
        if waiter.worst is not None:
            self.calls.budget.settle(waiter.worst, completion, cost)
            waiter.worst = None

    async def _ended(self, batch: str) -> Progress:
        wait, told = self.calls.limits.first_wait, ""
        while True:
            progress = await self._steady(lambda: self.desk.look(batch))
            line = f"{batch}: {progress.status}, {progress.done} of {progress.total} answered"
            if self.tell is not None and line != told:
                self.tell(line)
                told = line
            if progress.ended:
                return progress
            await asyncio.sleep(wait)
            wait = min(LONGEST_LOOK, 2 * wait)

    async def _steady(self, ask: Callable[[], Awaitable[T]]) -> T:
        """Ask again after transport faults, as long as the limits allow."""
        loop = asyncio.get_running_loop()
        wait, end = self.calls.limits.first_wait, loop.time() + self.calls.limits.patience
        while True:
            try:
                return await ask()
            except Unavailable as fault:
                pause = wait if fault.retry_after is None else fault.retry_after
                if loop.time() + pause > end:
                    raise
            await asyncio.sleep(pause)
            wait = min(LONGEST_LOOK, 2 * wait)

    def _write(self, file: str, row: Mapping[str, Any] | None) -> None:
        """Keep the row of a batch in place of the one before; None takes it away."""
        rows = [other for other in self.book.read() if other["file"] != file]
        self.book.write(rows if row is None else [*rows, row])


def desk_of(model: Model) -> OpenAIBatch:
    """Return the batches of a model.

    Raises:
        SettingError: it is not behind a server of the OpenAI form.

    >>> desk_of(OpenAICompatible("lab/m", "m", "http://127.0.0.1:8080/v1")).name
    'lab/m'
    """
    if not isinstance(model, OpenAICompatible):
        expected = "a model behind a server that takes batches in the OpenAI form"
        raise SettingError("--batch", model.name, expected)
    return OpenAIBatch(model)


__all__ = ["LONGEST_LOOK", "MOST_BATCHES", "Batches", "Book", "desk_of"]
