"""What all builders share: the counted steps from rows to items, and drawing some of the items."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from socialcircuits.errors import SettingError
from socialcircuits.seeds import Stream, digest
from socialcircuits.worlds.claims.item import Claim
from socialcircuits.worlds.claims.rows import Row, sound_rows
from socialcircuits.worlds.claims.words import plain

__all__ = [
    "Built",
    "Input",
    "Sieve",
    "Source",
    "Step",
    "Wanted",
    "claim_of",
    "draw",
    "fill",
    "read_inputs",
]

T = TypeVar("T")
_WITH_ARTICLE = {
    "Americas", "Bahamas", "Czech Republic", "Dominican Republic", "Gambia", "Netherlands",
    "Ottoman Empire", "Philippines", "Russian Empire", "Soviet Union", "United Arab Emirates",
    "United Kingdom", "United States", "United States of America",
}  # fmt: skip
"""Names that a sentence gives with their article."""
_ENDS_TWICE = re.compile(r"([.!?])\.$")
_PLACE = re.compile(r"\{(\w+)\}")


class Step(NamedTuple):
    """One step of a builder.

    Args:
        name: short name of the step.
        why: what the dropped rows have in common.
        before: rows before the step.
        dropped: rows that it dropped.
    """

    name: str
    why: str
    before: int
    dropped: int

    @property
    def left(self) -> int:
        """Rows after the step."""
        return self.before - self.dropped


class Input(NamedTuple):
    """A file that was read: its name, the digest of its bytes, and the number of its rows."""

    name: str
    digest: str
    rows: int


class Source(NamedTuple):
    """A data set: its short name, and its licence, which goes on to the items."""

    name: str
    licence: str


class Wanted(NamedTuple):
    """What the user chooses: the seed of all draws, and how many items at most (None: all)."""

    seed: int = 0
    size: int | None = None


@dataclass(frozen=True)
class Built:
    """What a builder returns.

    Args:
        source: the data set.
        claims: the items, in the order of the rows.
        steps: what was dropped; the first begins with all rows, the last leaves the items.
        inputs: the files that were read, in order.
        wanted: the seed and size that were asked for.

    Raises:
        SettingError: two items have one id: the files number their records differently.
    """

    source: Source
    claims: tuple[Claim, ...]
    steps: tuple[Step, ...]
    inputs: tuple[Input, ...]
    wanted: Wanted

    def __post_init__(self) -> None:
        owners: dict[str, Claim] = {}
        for claim in self.claims:
            if owners.setdefault(claim.id, claim) is not claim:
                expected = f"an id of its own; it is that of {owners[claim.id].question!r} too"
                raise SettingError(f"{claim.source}: id", claim.id, expected)


class Sieve(Generic[T]):
    """Rows that pass one step after the other, and the count of what each step drops.

    >>> sieve = Sieve([1, 2, 3, 2])
    >>> sieve.keep("odd", "it is even", lambda number: number % 2 == 1)
    >>> sieve.left, sieve.steps
    ([1, 3], [Step(name='odd', why='it is even', before=4, dropped=2)])
    """

    def __init__(self, rows: Sequence[T]) -> None:
        self.left, self.steps = list(rows), list[Step]()

    def keep(self, name: str, why: str, test: Callable[[T], bool]) -> None:
        """Drop the rows that fail a test."""
        kept = [row for row in self.left if test(row)]
        self.steps.append(Step(name, why, len(self.left), len(self.left) - len(kept)))
        self.left = kept

    def keep_single(
        self, question: Callable[[T], str], answer: Callable[[T], str], among: Sequence[T]
    ) -> None:
        """Drop all rows of a question that has several answers, and then all but its first row.

        The answers are those of `among`, which may have rows that an earlier step dropped.
        """
        answers: dict[str, set[str]] = {}
        for row in among:
            answers.setdefault(plain(question(row)), set()).add(plain(answer(row)))
        why = "its question has another answer in another row"
        self.keep("one answer", why, lambda row: len(answers[plain(question(row))]) == 1)
        first: dict[str, T] = {}
        why = "the same question and answer stand in a row before it"
        self.keep("once", why, lambda row: first.setdefault(plain(question(row)), row) is row)

    def sample(self, wanted: Wanted, dataset: str, relation: Callable[[T], str]) -> None:
        """Draw the wanted number of rows, as many of each relation as there are."""
        if wanted.size is None or wanted.size >= len(self.left):
            return
        groups: dict[str, list[int]] = {}
        for place, row in enumerate(self.left):
            groups.setdefault(relation(row), []).append(place)
        stream = Stream(digest("claims", wanted.seed), f"{dataset} size")
        turns = [iter(_in_random_order(stream, places)) for places in groups.values()]
        drawn = _taken_in_turn(stream.shuffled(turns), wanted.size)
        kept = [self.left[place] for place in sorted(drawn)]
        why = "it was not drawn, each relation in turn"
        self.steps.append(Step("size", why, len(self.left), len(self.left) - len(kept)))
        self.left = kept


def _taken_in_turn(turns: Sequence[Iterator[int]], size: int) -> list[int]:
    taken: list[int] = []
    while len(taken) < size:
        found = (next(turn, None) for turn in turns)
        taken += [place for place in found if place is not None]
    return taken[:size]


def draw(stream: Stream, items: Sequence[T], fits: Callable[[T], bool]) -> T | None:
    """Return one of the items that fit, each equally likely; None if there is none.

    >>> draw(Stream(b"seed", "x"), "abcd", "bc".__contains__)
    'c'
    """
    return next((item for item in _in_random_order(stream, items) if fits(item)), None)


def _in_random_order(stream: Stream, items: Sequence[T]) -> Iterator[T]:
    # Only what is taken costs time: the first item that fits is often among the first.
    moved: dict[int, int] = {}
    for last in range(len(items) - 1, -1, -1):
        place = stream.below(last + 1)
        yield items[moved.get(place, place)]
        moved[place] = moved.get(last, last)


def read_inputs(paths: Iterable[str | Path]) -> tuple[list[Row], tuple[Input, ...]]:
    """Return the rows of several files, and what the files are.

    Raises:
        SettingError: a file cannot be read, or a row is no table; file and row are named.
    """
    rows: list[Row] = []
    inputs = []
    for path in paths:
        found = sound_rows(path)
        inputs.append(Input(Path(path).name, digest(Path(path).read_bytes()).hex(), len(found)))
        rows += found
    if not rows:
        raise SettingError("files", [], "at least one file")
    return rows, tuple(inputs)


def fill(template: str, **values: str) -> str:
    """Return a template with its places filled; what is filled in is not read again.

    >>> fill("{subject} is in {answer}.", subject="{answer}", answer="Rome")
    '{answer} is in Rome.'
    """
    return _PLACE.sub(lambda place: values[place[1]], template)


def claim_of(row: Row, sentence: str, subject: str, **fields: Any) -> Claim:
    """Return the claim of a row; its statements are a sentence about a subject and each answer.

    Args:
        row: where the claim comes from.
        sentence: a template with ``{subject}`` and ``{answer}``.
        subject: whom or what the sentence is about.
        fields: the fields of the claim, without the statements.

    Raises:
        SettingError: a field is not allowed, or the question has no question mark; file, row and
            field are named.
    """
    if "?" not in fields["question"]:
        expected = "a question, with its question mark"
        raise row.refuse("question", fields["question"], expected)
    for name, answer in (("truth_statement", "truth"), ("false_statement", "lure")):
        given = fields[answer]
        said = f"the {given}" if given in _WITH_ARTICLE else given
        text = fill(sentence, subject=subject, answer=said)
        fields[name] = _ENDS_TWICE.sub(r"\1", text)
    try:
        return Claim(**fields)
    except SettingError as error:
        raise row.refuse(error.where, error.given, error.expected) from None
