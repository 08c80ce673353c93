"""A test as it is run: its studies in one folder, gone on with, look by look, on one budget."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from socialcircuits.agents import Access
from socialcircuits.cards import Card, read_gates
from socialcircuits.cards.checking import (
    LOOKS,
    Checked,
    Required,
    default_folder,
    prepare,
)
from socialcircuits.cards.plans import Test as Wanted
from socialcircuits.cards.plans import plans
from socialcircuits.errors import BudgetReached, RunFileError, SettingError, UsageError
from socialcircuits.studies import Run
from tests.support.checks import PLAYER, performed, table, towns
from tests.support.guest_server import GuestServer, serving

FAIR = Wanted("simulated/fair", "quick")
DEFAULT = replace(FAIR, size="default")
TOWNS = towns(4)
TOWN = list(TOWNS)
PRICES = 'date = 2026-06-01\n[models]\n"{name}" = { prompt = 2.5, completion = 10 }\n'


def required(*gates: str, sequential: bool = False) -> Required:
    return Required(read_gates(gates, ()), sequential=sequential)


EASY = required("yields@3 < 0.8", sequential=True)
HARD = required("yields@3 < 0.01", sequential=True)


def results(found: Checked) -> list[tuple[str, int]]:
    return [(verdict.result, verdict.estimate.n) for verdict in found.verdicts]


def without_day(card: Card) -> Card:
    """A card but for what says when it was made."""
    return card.model_copy(update={"date": "2026-01-31"})


def test_a_gate_against_a_baseline_needs_one() -> None:
    with pytest.raises(SettingError, match="--baseline"):
        Required(read_gates((), ["yields@3 by 0.05"]))


def test_looks_need_something_that_is_decided() -> None:
    with pytest.raises(SettingError, match="--require"):
        Required(sequential=True)


def test_the_folder_follows_from_the_studies() -> None:
    found = {default_folder(one, plans(one)) for one in (FAIR, DEFAULT, replace(FAIR, seed=2))}
    assert len(found) == 3
    assert {path.parent for path in found} == {Path("runs")}
    assert default_folder(FAIR, plans(FAIR)) in found


def test_documents_come_first_and_all_runs_are_in_one_folder(tmp_path: Path) -> None:
    told: list[str] = []
    found = performed(replace(FAIR, rooms=True), tmp_path / "a" / "b", told=told)
    assert list(dict.fromkeys(told)) == ["evidence", "seat", "rooms"]
    names = {path.name for path in (tmp_path / "a" / "b").iterdir()}
    assert names == {"evidence.db", "seat.db", "rooms.db"}
    assert (found.failed, found.looks, found.comparison) == (0, 0, None)


def test_a_test_that_is_done_is_not_done_again(tmp_path: Path) -> None:
    first, again = (performed(FAIR, tmp_path) for _ in range(2))
    assert first.made > 100
    assert again.made == 0
    assert again.card == first.card


def test_a_folder_of_another_test_is_refused(tmp_path: Path) -> None:
    performed(FAIR, tmp_path)
    with pytest.raises(RunFileError, match="another study"):
        performed(replace(FAIR, seed=2), tmp_path)


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="no folder can be made there"):
        performed(FAIR, tmp_path / "file")


def test_a_model_that_there_is_not_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="did you mean 'fair'"):
        performed(replace(FAIR, model="simulated/fare"), tmp_path / "new")
    assert not list(tmp_path.iterdir())


def test_a_comparison_stands_beside_the_gates(tmp_path: Path) -> None:
    baseline = performed(FAIR, tmp_path / "fair").card
    gates = Required(read_gates((), ["accepts@3 by 0.1"]), baseline)
    found = performed(replace(FAIR, model="simulated/deaf"), tmp_path / "deaf", gates)
    assert [verdict.result for verdict in found.verdicts] == ["fail"]
    assert found.comparison is not None
    assert found.comparison.differences[1].estimate.value == -1.0


@pytest.fixture(scope="module")
def early(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Checked]:
    """A test that its first look decides, and its folder."""
    folder = tmp_path_factory.mktemp("early")
    return folder, performed(DEFAULT, folder, EASY)


def test_looks_stop_as_soon_as_all_is_decided(early: tuple[Path, Checked]) -> None:
    folder, found = early
    assert 1 <= found.looks < LOOKS
    assert [result for result, _ in results(found)] == ["pass"]
    asked = 10 * found.looks
    assert len(found.card.outcomes) == found.card.claims.n == asked
    with Run(folder / "seat.db") as run:
        # The rest was never asked.
        assert run.trials()["completed"] == 10 * asked < run.trials()["planned"]
    assert found.card.documents is not None
    assert found.card.documents.n == len(found.card.evidence) == 24


def test_looks_are_taken_again_as_they_were(early: tuple[Path, Checked]) -> None:
    folder, found = early
    again = performed(DEFAULT, folder, EASY)
    assert again.made == 0
    assert (again.card, again.verdicts, again.looks) == (found.card, found.verdicts, found.looks)


def test_what_is_not_decided_is_asked_to_the_end(early: tuple[Path, Checked]) -> None:
    folder, _ = early
    found = performed(DEFAULT, folder, HARD)
    assert (found.looks, found.card.claims.n) == (LOOKS, 40)
    assert [result for result, _ in results(found)] == ["inconclusive"]


def test_looks_do_not_see_what_the_folder_holds_beyond_them(
    early: tuple[Path, Checked], tmp_path: Path
) -> None:
    whole = performed(DEFAULT, tmp_path)
    assert whole.card.claims.n == 40
    found = performed(DEFAULT, tmp_path, EASY)
    assert found.made == 0
    assert (found.looks, results(found)) == (early[1].looks, results(early[1]))
    assert found.card.outcomes == early[1].card.outcomes


def test_a_verdict_of_an_early_look_stands(tmp_path: Path) -> None:
    # The second requirement holds the first one's test open.
    gates = required("yields@3 < 0.8", "yields@3 < 0.01", sequential=True)
    found = performed(DEFAULT, tmp_path, gates)
    (first, early), (second, late) = results(found)
    assert (first, second) == ("pass", "inconclusive")
    assert early < late == found.card.lines["yields@3"].estimate.n


@pytest.fixture
def server() -> Iterator[GuestServer]:
    with serving(GuestServer(TOWNS, unknown=TOWN[2:], gullible=TOWN)) as found:
        yield found


@pytest.fixture
def own(tmp_path: Path) -> Wanted:
    """Four claims and two documents, for a model behind a server: 46 and 8 calls."""
    return Wanted(PLAYER, "quick", table(tmp_path / "mine.csv", TOWNS, passages=2))


def counted(server: GuestServer) -> int:
    return len(server.asked)


def test_a_model_is_asked_once(server: GuestServer, own: Wanted, tmp_path: Path) -> None:
    access = Access(base_url=server.url)
    first = performed(own, tmp_path / "card", access=access)
    asked = counted(server)
    assert asked == first.made == first.card.cost.calls > 40
    again = performed(own, tmp_path / "card", access=access)
    assert (counted(server), again.made, again.card) == (asked, 0, first.card)


def test_a_budget_of_calls_is_that_of_all_studies(
    server: GuestServer, own: Wanted, tmp_path: Path
) -> None:
    access, folder = Access(base_url=server.url, in_flight=1), tmp_path / "card"
    whole = performed(own, tmp_path / "whole", access=access).card
    with Run(tmp_path / "whole" / "evidence.db") as run:
        documents = run.calls()["made"]
    # Enough for the documents and no more; then for a few of the claims; then for the rest.
    spent = counted(server)
    for limit, made in ((documents, documents), (5, 5), (10, 10)):
        with pytest.raises(BudgetReached, match="--max-calls") as reached:
            performed(own, folder, access=replace(access, calls=limit))
        spent, before = counted(server), spent
        assert spent - before == made
        told = f"what {documents} calls for its other studies left"
        assert (told in str(reached.value)) == (limit == documents)
    left = whole.cost.calls - documents - 15
    found = performed(own, folder, access=replace(access, calls=left))
    assert (found.made, counted(server) - spent) == (left, left)
    assert without_day(found.card) == without_day(whole)


def test_a_budget_of_money_is_that_of_all_studies(
    server: GuestServer, own: Wanted, tmp_path: Path
) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text(PRICES.replace("{name}", "openai-compatible/player"), encoding="utf-8")
    access, folder = Access(base_url=server.url, prices=prices, in_flight=1), tmp_path / "card"
    whole = performed(own, tmp_path / "whole", access=access).card
    assert whole.cost.usd is not None
    with Run(tmp_path / "whole" / "evidence.db") as run:
        documents = run.spent().cost
    # What is set aside for one reply of its first questions.
    worst = 60_000_000
    with pytest.raises(BudgetReached, match="--max-cost"):
        performed(own, folder, access=replace(access, cost=documents + worst))
    with Run(folder / "evidence.db") as run:
        assert run.trials()["completed"] == run.trials()["planned"]
        assert run.spent().cost == documents
    with Run(folder / "seat.db") as run:
        assert 0 < run.spent().cost < worst
    found = performed(own, folder, access=replace(access, cost=10 * worst))
    assert found.card.cost == whole.cost


def test_a_judge_is_paid_from_the_same_budget(
    server: GuestServer, own: Wanted, tmp_path: Path
) -> None:
    judged = replace(own, judge="openai-compatible/judge", rooms=True)
    access, limit = Access(base_url=server.url, in_flight=1), 80
    with pytest.raises(BudgetReached):
        performed(judged, tmp_path / "card", access=replace(access, calls=limit))
    assert counted(server) == limit
    # It was reached in the last study; the judge of the one before it was paid.
    with Run(tmp_path / "card" / "seat.db") as run:
        assert run.judging()["openai-compatible/judge"]["calls"] > 0
    with Run(tmp_path / "card" / "rooms.db") as run:
        assert 0 < run.calls()["made"] < run.trials()["planned"] * 10


def test_a_subject_and_a_baseline_are_laid_out_before_anything_is_asked(
    server: GuestServer, own: Wanted, tmp_path: Path
) -> None:
    first = performed(own, tmp_path / "a", access=Access(base_url=server.url)).card
    asked = counted(server)
    other = replace(own, claims=table(tmp_path / "other.csv", towns(5), passages=2))
    with pytest.raises(UsageError, match="other claims"):
        prepare(other, Required(baseline=first))
    assert counted(server) == asked
