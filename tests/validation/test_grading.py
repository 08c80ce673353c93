"""The pre-grader against hand-made pairs: never wrong, and what is easy it decides."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest

from socialcircuits.worlds.questions.grading import settle

FILE = Path(__file__).parent / "data" / "grading-pairs.toml"
TRUTHS: dict[str, bool | None] = {"right": True, "wrong": False, "open": None}


class Pair(NamedTuple):
    answer: str
    reference: str
    truth: bool | None
    easy: bool
    options: dict[str, str]
    aliases: tuple[str, ...]

    @property
    def verdict(self) -> bool | None:
        """What the pre-grader says."""
        return settle(self.answer, self.reference, options=self.options, aliases=self.aliases).right


def read() -> list[Pair]:
    return [
        Pair(
            answer,
            reference,
            TRUTHS[truth],
            group.get("easy", False),
            group.get("options", {}),
            tuple(group.get("aliases", ())),
        )
        for group in tomllib.loads(FILE.read_text(encoding="utf-8"))["group"]
        for answer, reference, truth in group["pairs"]
    ]


PAIRS = read()


def test_the_table_is_large_enough() -> None:
    assert sum(not pair.easy for pair in PAIRS) >= 150
    assert sum(pair.easy for pair in PAIRS) >= 80
    truths = [pair.truth for pair in PAIRS]
    assert min(truths.count(truth) for truth in TRUTHS.values()) >= 50


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair.answer!r}-{pair.reference!r}")
def test_it_is_never_wrong(pair: Pair) -> None:
    assert pair.verdict in {pair.truth, None}


@pytest.mark.parametrize(
    "pair",
    [pair for pair in PAIRS if pair.easy],
    ids=lambda pair: f"{pair.answer!r}-{pair.reference!r}",
)
def test_it_decides_what_is_easy(pair: Pair) -> None:
    assert pair.truth is not None
    assert pair.verdict is pair.truth
