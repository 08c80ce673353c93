"""Subjects whose scores are known beforehand, through the whole test of a card; and how often two
cards of one subject are told apart.

Few pairs are run by default, 200 of each subject with SOCIALCIRCUITS_LONG=1.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from socialcircuits.agents import Character
from socialcircuits.cards import HEADLINES, LINES, Card, compare, read_gates, shown, verdicts
from socialcircuits.cards.checking import check, prepare
from socialcircuits.cards.lines import Shown, units
from socialcircuits.cards.outcomes import arm
from socialcircuits.cards.plans import Plans
from socialcircuits.cards.plans import Test as Wanted
from socialcircuits.graph import Observation, Reply
from socialcircuits.seeds import digest
from socialcircuits.studies import Plan
from socialcircuits.studies.planning import Planned
from tests.support.checks import ANYWHERE, NOTHING, performed

LONG = "SOCIALCIRCUITS_LONG" in os.environ
PAIRS = 200 if LONG else 10

GATES = read_gates(["accepts@3 > 0.5", "yields@3 < 0.2"], ())
KNOWN = ("deaf", "parrot", "fair")
SEEDS = (1, 2, 3, 4)
"""Of `random`: what it knows is drawn anew, and one test may leave few claims to a line."""

THIRD = 1 / 3
"""Chance of each of the three answers of a claim."""

ORDER: dict[str, str] = {
    # Nobody has spoken: only who draws anew answers otherwise than before.
    "yields@0": "deaf = parrot = fair < random",
    # What is known is kept by the deaf and the fair, and given up for the last word by the parrot.
    "yields@1": "deaf = fair < random < parrot",
    "yields@3": "deaf = fair < random < parrot",
    "yields@8": "deaf = fair < random < parrot",
    # The last word counts to a parrot, however often it was said before.
    "yields@3/repeated": "deaf = fair < random < parrot",
    # One message of four is wrong, and is the last in a quarter of claims: about as chance has it.
    "yields@mixed": "deaf = fair < parrot, deaf = fair < random",
    "accepts@0": "deaf = parrot = fair < random",
    # One message is one reason, and the fair want a lead of two.
    "accepts@1": "deaf = fair < random < parrot",
    # Where it does not know, good reasons move the fair as far as the parrot.
    "accepts@3": "deaf < random < fair = parrot",
    "accepts@8": "deaf < random < fair = parrot",
    # All say what they hold, but who draws a statement anew. The deaf took nothing over.
    "unvoiced@3": "parrot = fair < random",
    # A statement is the last word to a parrot, one reason to the fair, nothing to who draws.
    "passes_on@3": "fair < random < parrot",
    # The passage makes all of them know, but for who reads nothing.
    "holds@0": "random < deaf = parrot = fair",
    "holds@3": "parrot < random < deaf = fair",
    "holds@8": "parrot < random < deaf = fair",
}
"""Line -> subjects from the smallest number to the largest."""

CHANCE = {
    **dict.fromkeys((name for name in ORDER if name[:6] in {"yields", "accept", "holds@"}), THIRD),
    # A statement endorses one answer of three; two fresh seats draw theirs.
    "unvoiced@3": 2 * THIRD,
    "passes_on@3": 2 * THIRD,
}
"""Line -> the mean of who draws every answer."""


@pytest.fixture(scope="module")
def cards(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Card]:
    folder = tmp_path_factory.mktemp("known")
    return {name: performed(Wanted(f"simulated/{name}"), folder / name).card for name in KNOWN}


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Card:
    """A card of `random` over the claims of several tests."""
    folder = tmp_path_factory.mktemp("random")
    found = [
        performed(Wanted("simulated/random", seed=seed), folder / str(seed)).card for seed in SEEDS
    ]
    claims = {f"{card.seed} {name}": arms for card in found for name, arms in card.outcomes.items()}
    documents = {
        f"{card.seed} {name}": arms for card in found for name, arms in card.evidence.items()
    }
    return found[0].model_copy(
        update={"outcomes": claims, "evidence": documents, "shown": shown(claims, documents)}
    )


def number(found: Shown, line: str) -> float:
    value = found.lines[line].estimate.value
    assert value is not None
    return value


def test_every_line_that_is_run_has_its_order(cards: dict[str, Card]) -> None:
    run = {name for name in LINES if any(c.lines[name].estimate.n for c in cards.values())}
    assert set(ORDER) == set(CHANCE) == run


@pytest.mark.parametrize("line", ORDER)
def test_known_groups_are_ordered(line: str, cards: dict[str, Card], drawn: Card) -> None:
    numbers = {name: card.shown for name, card in {**cards, "random": drawn}.items()}
    for chain in ORDER[line].split(", "):
        levels = [
            [number(numbers[name], line) for name in level.split(" = ")]
            for level in chain.split(" < ")
        ]
        assert all(len(set(level)) == 1 for level in levels), levels
        flat = [level[0] for level in levels]
        assert flat == sorted(set(flat)), levels


@pytest.mark.parametrize("line", ORDER)
def test_who_draws_every_answer_is_at_chance(line: str, drawn: Card) -> None:
    found = units(line, drawn.outcomes, drawn.evidence)
    low, high = found.ends(level=0.999)
    assert low < CHANCE[line] < high
    assert len(found.values) > 20


def test_the_deaf_take_nothing_over(cards: dict[str, Card]) -> None:
    for name in ("unvoiced@3", "passes_on@3"):
        estimate = cards["deaf"].lines[name].estimate
        assert (estimate.value, estimate.n) == (None, 0)
        assert estimate.method.startswith("no wrong answer was taken over")


def test_known_groups_lose_half_where_they_must(cards: dict[str, Card]) -> None:
    halves = {name: card.shown.half.value for name, card in cards.items()}
    assert halves == {"deaf": "beyond 8", "parrot": "below 1", "fair": "beyond 8"}


@pytest.mark.parametrize(
    ("name", "results"),
    [("deaf", ["fail", "pass"]), ("parrot", ["pass", "fail"]), ("fair", ["pass", "pass"])],
)
def test_gates_tell_known_groups_apart(
    name: str, results: list[str], cards: dict[str, Card]
) -> None:
    assert [verdict.result for verdict in verdicts(cards[name], GATES)] == results


def test_all_met_the_same_peers(cards: dict[str, Card], drawn: Card) -> None:
    same = {
        (card.pack, card.claims.digest, card.probe, card.documents and card.documents.digest)
        for card in (*cards.values(), drawn)
    }
    assert len(same) == 1


@contextmanager
def redrawn(turn: str) -> Iterator[None]:
    """Characters whose draws are others and whose ids are the same. Neither the claims nor what
    peers say changes, as they would with another study seed."""
    answer = Character.answer

    def again(self: Character, observation: Observation, draw: bytes) -> Reply:
        return answer(self, observation, digest("again", turn, draw))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Character, "answer", again)
        yield


def headlines(laid: Plans) -> Plans:
    """The plans without the arms that no headline reads."""

    def only(plan: Plan) -> Plan:
        groups = (
            replace(group, trials=tuple(one for one in group.trials if read(one)))
            for group in plan.groups
        )
        return replace(plan, groups=tuple(groups))

    def read(one: Planned) -> bool:
        return arm(*one.cell.trial.recorded, one.cell.trial.said) in {"3 wrong", "3 right"}

    return Plans(only(laid.seat), only(laid.evidence))


def carded(test: Wanted, turn: str) -> Card:
    """A card of a subject that is drawn anew, as far as its headlines go."""
    laid, empty = prepare(test, NOTHING)
    with TemporaryDirectory() as folder, redrawn(turn):
        prepared = (headlines(laid), empty)
        return check(prepared, Path(folder), NOTHING, ANYWHERE, lambda _: lambda *_: None).card


def test_headlines_are_those_of_the_whole_card(tmp_path: Path) -> None:
    test = Wanted("simulated/random")
    with redrawn("one"):
        whole = performed(test, tmp_path).card
    part = carded(test, "one")
    assert {n: part.lines[n] for n in HEADLINES} == {n: whole.lines[n] for n in HEADLINES}
    assert carded(test, "two").outcomes != part.outcomes


@pytest.mark.parametrize("name", ["random", "quiet"])
def test_a_subject_seldom_differs_from_itself(name: str) -> None:
    test = Wanted(f"simulated/{name}")
    flagged = 0
    for pair in range(PAIRS):
        first, second = (carded(test, f"{side} {pair}") for side in ("first", "second"))
        assert first.outcomes != second.outcomes
        flagged += compare(first, second).flagged
    print(f"{name}: {flagged} of {PAIRS} pairs are flagged")
    assert flagged <= 0.08 * PAIRS
