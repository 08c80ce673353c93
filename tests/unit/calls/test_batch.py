"""Batches against a server of that form on loopback."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from socialcircuits.calls import Calls, Limits
from socialcircuits.calls import batch as module
from socialcircuits.calls.batch import Batches, desk_of
from socialcircuits.errors import (
    BudgetReached,
    Refused,
    SettingError,
    SocialCircuitsError,
    Unavailable,
)
from socialcircuits.graph.vocabulary import Segment
from socialcircuits.models import Capabilities, Completion, OpenAICompatible, Request, ScriptedModel
from socialcircuits.models.prices import load_prices
from tests.support.batch_server import BatchServer

MODEL = "openai/gpt-4o"
QUICK = Limits(first_wait=0.001, patience=0.5)
SECRET = "sk-planted-0123456789abcdef"


class Notes:
    """A book in memory, through JSON as a run file has it."""

    def __init__(self) -> None:
        self.written = "[]"
        self.history: list[list[dict[str, Any]]] = []

    def read(self) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = json.loads(self.written)
        return rows

    def write(self, rows: Sequence[Mapping[str, Any]]) -> None:
        self.written = json.dumps(list(rows))
        self.history.append(self.read())


class Task:
    """One process that judges: works that ask by numbers, and what came of them."""

    def __init__(self, server: BatchServer, book: Notes, limits: Limits = QUICK) -> None:
        self.calls = Calls(limits)
        self.model = OpenAICompatible(MODEL, "gpt-4o", server.url, SECRET, 5.0)
        self.model.capabilities = Capabilities(seed=True)
        self.told: list[str] = []
        self.batches = Batches(
            self.calls, desk_of(self.model), book, "labels", tell=self.told.append
        )
        self.found: dict[str, str] = {}
        self.costs: dict[str, int] = {}
        self.failed: dict[str, SocialCircuitsError] = {}

    async def ask(self, text: str, ticket: bytes) -> None:
        """Ask once more where the reply is void."""
        try:
            for attempt in range(2):
                request = asked(text, ticket + b"%d" % attempt)
                completion, self.costs[text] = await self.batches.complete(request)
                self.found[text] = completion.text
                if "void" not in completion.text:
                    return
        except SocialCircuitsError as error:
            self.failed[text] = error

    async def _run(self, texts: Sequence[str]) -> None:
        try:
            works = [self.ask(text, b"%d" % i) for i, text in enumerate(texts)]
            await self.batches.run(works)
        finally:
            await self.model.close()

    def run(self, *texts: str) -> None:
        asyncio.run(asyncio.wait_for(self._run(texts), 20))


def asked(text: str, ticket: bytes = b"") -> Request:
    return Request((Segment("user", "text", text.encode()),), 50, 0.0, ticket=ticket)


def said(body: dict[str, Any]) -> str:
    return str(body["messages"][-1]["content"]).upper()


@pytest.fixture
def server() -> Iterator[BatchServer]:
    with BatchServer(said) as found:
        yield found


def test_all_that_is_asked_goes_out_in_one_batch(server: BatchServer) -> None:
    book = Notes()
    task = Task(server, book)
    task.run("a", "b", "c")
    assert task.found == {"a": "A", "b": "B", "c": "C"}
    assert len(server.batches) == 1
    assert [line["method"] + line["url"] for line in server.lines] == (
        ["POST/v1/chat/completions"] * 3
    )
    assert server.lines[0]["body"] == {
        "model": "gpt-4o",
        "messages": [{"role": "user", "content": "a"}],
        "max_tokens": 50,
        "temperature": 0.0,
    }
    assert task.told == [
        "batch_0: in_progress, 0 of 3 answered",
        "batch_0: completed, 3 of 3 answered",
    ]
    assert server.authorizations == {f"Bearer {SECRET}"}
    assert "planted" not in book.written + "".join(task.told)


def test_a_batch_costs_half_and_the_budget_counts_it(server: BatchServer) -> None:
    task = Task(server, Notes())
    task.run("a", "b")
    cost = 100 * 1250 + 10 * 5000
    assert task.costs == {"a": cost, "b": cost}
    spent = task.calls.spent
    assert (spent.calls, spent.cost, spent.prompt, spent.completion) == (2, 2 * cost, 200, 20)


def test_what_a_work_asks_next_goes_out_with_the_next_batch(server: BatchServer) -> None:
    server._reply = lambda body: "void" if server.requests["create"] == 1 else said(body)
    task = Task(server, Notes())
    task.run("a", "b")
    assert task.found == {"a": "A", "b": "B"}
    assert len(server.batches) == 2
    assert len(server.lines) == 4


def test_equal_requests_of_one_ticket_are_sent_and_paid_once(server: BatchServer) -> None:
    task = Task(server, Notes())

    async def work() -> None:
        found: list[tuple[Completion, int]] = []

        async def ask(ticket: bytes) -> None:
            found.append(await task.batches.complete(asked("a", ticket)))

        await task.batches.run([ask(b"1"), ask(b"1"), ask(b"2")])
        await task.model.close()
        assert sorted(cost > 0 for _, cost in found) == [False, True, True]

    asyncio.run(work())
    assert len(server.lines) == 2


def test_lines_out_of_order_twice_unknown_or_broken_do_no_harm(server: BatchServer) -> None:
    def spoil(rows: list[dict[str, Any]]) -> Iterator[dict[str, Any] | str]:
        strange = {**rows[0], "custom_id": "nobody"}
        again = json.loads(json.dumps(rows[0]))
        again["response"]["body"]["choices"][0]["message"]["content"] = "another"
        yield from [*reversed(rows), again, strange, '{"custom_id": "cu', "[]", ""]

    server.spoil = spoil
    task = Task(server, Notes())
    task.run("a", "b", "c")
    assert task.found == {"a": "A", "b": "B", "c": "C"}
    assert task.calls.spent.calls == 3


def test_a_file_that_lacks_paid_answers_is_fetched_again_and_nothing_is_sent_twice(
    server: BatchServer,
) -> None:
    book = Notes()
    cut = Task(server, book)
    server.spoil = lambda rows: rows[:1]
    cut.run("a", "b")
    assert isinstance(cut.failed["a"], Unavailable)
    assert "1 of 2 answers of batch_0 came" in str(cut.failed["b"])
    assert server.requests["content"] > 1
    [output] = [name for name in server.files if name != "file-0"]
    rows = [json.loads(line) for line in server.files["file-0"].splitlines()]
    server.files[output] = b"\n".join(json.dumps(server._answered(row)).encode() for row in rows)
    whole = Task(server, book)
    whole.run("a", "b")
    assert whole.found == {"a": "A", "b": "B"}
    assert len(server.batches) == 1


def test_what_an_expired_batch_left_is_sent_again_and_only_that(server: BatchServer) -> None:
    server.expire = [2]
    task = Task(server, Notes())
    task.run("a", "b", "c")
    assert task.found == {"a": "A", "b": "B", "c": "C"}
    assert [batch["request_counts"]["total"] for batch in server.batches.values()] == [3, 2]
    assert set(server.paid.values()) == {1}


def test_what_is_never_answered_is_given_up(server: BatchServer) -> None:
    server.expire = [1] * 9
    task = Task(server, Notes())
    task.run("a", "b")
    assert task.found == {"a": "A"}
    assert "no answer in 3 batches (batch_2: expired)" in str(task.failed["b"])
    assert len(server.batches) == 3
    assert task.calls.spent.calls == 1


def test_a_cancelled_batch_gives_what_it_has_and_is_sent_again_only_if_asked(
    server: BatchServer,
) -> None:
    book = Notes()
    server.expire, server.end = [1], "cancelled"
    task = Task(server, book)
    task.run("a", "b")
    assert task.found == {"a": "A"}
    assert "batch_0 was cancelled" in str(task.failed["b"])
    again = Task(server, book)
    again.run("a", "b")
    assert again.found == {"a": "A", "b": "B"}
    assert [batch["request_counts"]["total"] for batch in server.batches.values()] == [2, 1]


def test_lines_that_fail_alone_are_retried_refused_or_relearned(server: BatchServer) -> None:
    tries: dict[str, int] = {}

    def reply(body: dict[str, Any]) -> str | tuple[int, dict[str, Any]]:
        text = said(body)
        tries[text] = tries.get(text, 0) + 1
        if text == "BUSY" and tries[text] == 1:
            return 500, {"error": {"message": "The server had an error"}}
        if text == "LONG":
            return 400, {"error": {"message": "maximum context length is 8 tokens"}}
        if "max_tokens" in body:
            message = "Unsupported parameter: 'max_tokens' is not supported with this model."
            return 400, {"error": {"message": message, "param": "max_tokens"}}
        return text

    server._reply = reply
    task = Task(server, Notes())
    task.run("a", "busy", "long")
    assert task.found == {"a": "A", "busy": "BUSY"}
    assert isinstance(task.failed["long"], Refused)
    assert "context length" in str(task.failed["long"])
    assert list(task.model.dropped) == ["max_tokens"]
    assert server.lines[-1]["body"]["max_completion_tokens"] == 50
    assert task.calls.spent.calls == 2


def test_a_batch_that_fails_as_a_whole_is_forgotten(server: BatchServer) -> None:
    book = Notes()
    server.failures = ["invalid_json_line"]
    task = Task(server, book)
    task.run("a", "b")
    assert {str(error) for error in task.failed.values()} == {
        f"{MODEL}: the batch batch_0 failed: too much waits"
    }
    assert book.read() == []
    again = Task(server, book)
    again.run("a", "b")
    assert again.found == {"a": "A", "b": "B"}


def test_batches_shrink_until_the_provider_takes_them(server: BatchServer) -> None:
    server.failures = ["token_limit_exceeded"]
    task = Task(server, Notes())
    task.run("a", "b", "c", "d", "e")
    assert task.found == {text: text.upper() for text in "abcde"}
    assert [batch["request_counts"]["total"] for batch in server.batches.values()] == [5, 2, 2, 1]


def test_many_requests_go_out_in_several_batches_at_once(
    server: BatchServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", 400)
    task = Task(server, Notes())
    task.run(*"abcde")
    assert task.found == {text: text.upper() for text in "abcde"}
    assert len(server.batches) == 3
    assert task.told[:3] == [f"batch_{i}: in_progress, 0 of {n} answered"
                             for i, n in enumerate((2, 2, 1))]  # fmt: skip


def test_a_server_without_batches_says_so(server: BatchServer) -> None:
    server.refuse = 404
    task = Task(server, Notes())
    task.run("a")
    assert str(task.failed["a"]) == f"{MODEL}: HTTP 404: the server takes no batches"


def test_a_model_without_a_server_takes_no_batches() -> None:
    model = ScriptedModel("scripted/echo", lambda request: Completion("Peru", "stop"))
    with pytest.raises(SettingError, match=r"--batch.*scripted/echo.*OpenAI form"):
        desk_of(model)


def test_a_batch_of_which_nobody_was_told_is_found_and_not_started_again(
    server: BatchServer,
) -> None:
    task = Task(server, Notes())
    server.lose = 1
    task.run("a", "b")
    assert task.found == {"a": "A", "b": "B"}
    assert len(server.batches) == server.requests["create"] == 1
    assert server.requests["list"] == 1


def killed(task: Task, *texts: str, at: str, patch: pytest.MonkeyPatch) -> None:
    """Run until a method of the desk is reached, and end there as if killed: nothing is tidied."""

    async def die(*given: Any) -> Any:
        raise KeyboardInterrupt

    with patch.context() as context:
        context.setattr(task.batches.desk, at, die)
        with pytest.raises(KeyboardInterrupt):
            task.run(*texts)


@pytest.mark.parametrize("at", ["upload", "create", "look", "results"])
def test_a_process_that_is_killed_pays_nothing_twice(
    at: str, server: BatchServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = Notes()
    killed(Task(server, book), "a", "b", at=at, patch=monkeypatch)
    later = Task(server, book)
    later.run("a", "b")
    assert later.found == {"a": "A", "b": "B"}
    assert len(server.batches) == 1
    assert set(server.paid.values()) == {1}
    adopted = at in {"look", "results"}
    assert later.calls.spent.calls == (0 if adopted else 2)
    assert later.costs == dict.fromkeys("ab", 100 * 1250 + 10 * 5000)


def test_killed_after_the_batch_was_started_and_before_its_number_was_kept(
    server: BatchServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = Notes()
    task = Task(server, book)
    create = task.batches.desk.create

    async def die(file: str) -> Any:
        await create(file)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(task.batches.desk, "create", die)
        with pytest.raises(KeyboardInterrupt):
            task.run("a", "b")
    [row] = book.read()
    assert row["batch"] == ""
    for _ in range(3):  # batches of others, so that the list has two pages
        server.batches[f"batch_{len(server.batches)}"] = {
            "id": f"batch_{len(server.batches)}", "input_file_id": "other", "status": "completed"
        }  # fmt: skip
    later = Task(server, book)
    later.run("a", "b")
    assert later.found == {"a": "A", "b": "B"}
    assert server.requests["create"] == 1
    assert server.requests["list"] == 2


def test_the_number_of_a_batch_is_kept_before_anybody_waits(
    server: BatchServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = Notes()
    killed(Task(server, book), "a", at="look", patch=monkeypatch)
    [[before], [after]] = book.history
    assert (before["batch"], after["batch"]) == ("", "batch_0")
    assert before["file"] == after["file"] == "file-0"
    assert len(after["names"]) == 1


def test_an_attempt_is_told_from_the_one_before_though_both_ask_the_same(
    server: BatchServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first reply was void and came home; the second batch is taken up, not the first one."""
    book = Notes()
    server._reply = lambda body: "void" if server.requests["create"] == 1 else said(body)
    task = Task(server, book)
    task.run("a")
    bodies = [line["body"] for line in server.lines]
    assert bodies[0] == bodies[1]
    later = Task(server, book)
    later.run("a")
    assert later.found == {"a": "A"}
    assert len(server.batches) == 2


def test_closing_clears_only_what_belongs_to_the_task(server: BatchServer) -> None:
    book = Notes()
    other = {"scope": "other", "model": MODEL, "file": "file-9", "batch": "batch_9", "names": ["x"]}
    book.write([other])
    task = Task(server, book)
    task.run("a")
    assert len(book.read()) == 2
    task.batches.close()
    assert book.read() == [other]


def test_the_budget_is_set_aside_before_a_file_goes_up(server: BatchServer) -> None:
    price = load_prices().in_batch(MODEL)
    assert price is not None
    worst = price.worst(asked("a"))
    task = Task(server, Notes(), replace(QUICK, cost=2 * worst))
    task.run(*"abcd")
    # Two fit at their worst; they cost less, and so the others fit afterwards, one by one.
    sizes = [batch["request_counts"]["total"] for batch in server.batches.values()]
    assert sizes[0] == 2
    assert sum(sizes) == 4 - len(task.failed)
    assert task.calls.spent.cost <= 2 * worst
    for error in task.failed.values():
        assert isinstance(error, BudgetReached)


def test_what_does_not_fit_into_the_budget_is_not_sent(server: BatchServer) -> None:
    task = Task(server, Notes(), replace(QUICK, calls=3))
    task.run(*"abcde")
    assert task.found == {text: text.upper() for text in "abc"}
    assert {type(error) for error in task.failed.values()} == {BudgetReached}
    assert len(server.lines) == 3
    none = Task(server, Notes(), replace(QUICK, cost=1))
    none.run("a")
    assert "--max-cost" in str(none.failed["a"])
    assert len(server.lines) == 3


def test_a_limit_on_cost_needs_a_price(server: BatchServer) -> None:
    task = Task(server, Notes(), replace(QUICK, cost=10**12))
    task.model.name = task.batches.desk.name = "openai/unheard-of"
    task.run("a")
    assert "known price" in str(task.failed["a"])
