"""The rules for private answers against hand-made pairs: never wrong, and what is easy decided."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, NamedTuple, get_args

import pytest

from socialcircuits.worlds.claims.bundled import bundled
from socialcircuits.worlds.claims.item import Claim
from socialcircuits.worlds.claims.reading import Label, Reading, settle

FILE = Path(__file__).parent / "data" / "claim-pairs.toml"
BUNDLED = {claim.id: claim for claim in bundled()}
LABELS = get_args(Label)
SPOILERS = (
    "not never no neither hardly perhaps probably supposedly if unless former wrong unlike Alice"
    " they said without than ? (sic) ..."
).split()


class Pair(NamedTuple):
    text: str
    claim: Claim
    label: str | None
    easy: bool

    @property
    def reading(self) -> Reading:
        """What the rules say."""
        return settle(self.text, self.claim)


def claim(given: str | dict[str, Any]) -> Claim:
    if isinstance(given, str):
        return BUNDLED[given]
    return Claim(
        id="own",
        question=given["question"],
        truth_statement=given["frame"].format(given["truth"]),
        false_statement=given["frame"].format(given["lure"]),
        truth=given["truth"],
        lure=given["lure"],
        relation="own",
        aliases=tuple(given.get("aliases", ())),
        lure_aliases=tuple(given.get("lure_aliases", ())),
    )


def read() -> list[Pair]:
    groups = tomllib.loads(FILE.read_text(encoding="utf-8"))["group"]
    return [
        Pair(text, claim(group["claim"]), None if label == "open" else label, "easy" in group)
        for group in groups
        for text, label in group["pairs"]
    ]


PAIRS = read()
EASY = [pair for pair in PAIRS if pair.easy]


def name(pair: Pair) -> str:
    return f"{pair.claim.truth}-{pair.text!r}"


def test_the_table_is_large_enough() -> None:
    assert len(PAIRS) >= 500
    assert len(EASY) >= 150
    labels = [pair.label for pair in PAIRS]
    assert set(labels) == {*LABELS, None}
    assert min(labels.count("TRUE"), labels.count("FALSE")) >= 80
    assert labels.count(None) >= 250
    assert len({(pair.text, pair.claim) for pair in PAIRS}) == len(PAIRS)


@pytest.mark.parametrize("pair", PAIRS, ids=name)
def test_they_are_never_wrong(pair: Pair) -> None:
    assert pair.reading.label in {pair.label, None}


@pytest.mark.parametrize("pair", EASY, ids=name)
def test_they_decide_what_is_easy(pair: Pair) -> None:
    assert pair.label is not None
    assert pair.reading.label == pair.label


@pytest.mark.parametrize("pair", PAIRS, ids=name)
def test_what_decided_stands_in_the_text(pair: Pair) -> None:
    label, words, why = pair.reading
    assert words in pair.text
    assert bool(words) == (label is not None)
    assert why


@pytest.mark.parametrize("pair", EASY, ids=name)
def test_a_word_that_changes_the_meaning_spoils_it_wherever_it_stands(pair: Pair) -> None:
    words = pair.text.split()
    for spoiler in SPOILERS:
        for place in range(len(words) + 1):
            text = " ".join([*words[:place], spoiler, *words[place:]])
            assert settle(text, pair.claim).label is None, text
