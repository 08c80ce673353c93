"""Packs in files: JSON Lines, the first of which says what the pack is, and one for each answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from socialcircuits.checking import checked
from socialcircuits.errors import SettingError, UsageError
from socialcircuits.packs.pack import MOST, Words
from socialcircuits.seeds import digest

LONGEST = 2_000
"""Most characters of one message."""

Message = Annotated[str, Field(min_length=1, max_length=LONGEST)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


T = TypeVar("T", bound=_Strict)


class _Head(_Strict):
    pack: str = Field(min_length=1, max_length=200)
    version: int = Field(ge=1)
    provenance: dict[str, Any]
    digest: str


class _Row(_Strict):
    item: str = Field(min_length=1)
    answer: str = Field(min_length=1)
    argued: list[Message] = Field(min_length=MOST, max_length=MOST)
    bare: Message


@dataclass(frozen=True)
class Written:
    """A pack whose words were written once, item by item.

    Args:
        name: its name.
        version: its version, from 1.
        provenance: by whom and how it was made (JSON values).
        said: (item, answer) -> the words for it.

    >>> words = Words(tuple(f"{n} times Lima." for n in range(8)), "Lima.")
    >>> Written("mine", 1, {"made": "by hand"}, {("peru", "Lima"): words}).digest[:8]
    '23532e7a'
    """

    name: str
    version: int
    provenance: Mapping[str, Any]
    said: Mapping[tuple[str, str], Words]

    @cached_property
    def digest(self) -> str:
        """Digest (hex) of name, version and all words."""
        rows = (part for slot in sorted(self.said) for part in (*slot, *_flat(self.said[slot])))
        return digest("pack", self.name, self.version, *rows).hex()

    def words(self, item: str, answer: str) -> Words:
        """Return what is said for an answer to an item.

        Raises:
            UsageError: the pack has no words for it.
        """
        if (item, answer) not in self.said:
            known = any(one == item for one, _ in self.said)
            lacking = f"the answer {answer!r} to the item {item!r}" if known else f"item {item!r}"
            raise UsageError(f"the pack {self.name} has no words for {lacking}")
        return self.said[item, answer]


def _flat(words: Words) -> tuple[str, ...]:
    return (*words.argued, words.bare)


def save(pack: Written, path: str | Path) -> None:
    """Write a pack, one line an answer.

    Raises:
        UsageError: the file cannot be written.
    """
    head = _Head(
        pack=pack.name,
        version=pack.version,
        provenance=dict(pack.provenance),
        digest=pack.digest,
    )
    rows = (
        _Row(item=item, answer=answer, argued=list(words.argued), bare=words.bare)
        for (item, answer), words in sorted(pack.said.items())
    )
    lines = [json.dumps(one.model_dump(), ensure_ascii=False) for one in (head, *rows)]
    try:
        Path(path).write_text("".join(f"{line}\n" for line in lines), "utf-8", newline="\n")
    except OSError as error:
        raise UsageError(f"{path} cannot be written ({error.strerror})") from error


def load(path: str | Path) -> Written:
    """Return the pack of a file.

    Raises:
        UsageError: the file cannot be read, a line is not of the form (it is named), an answer has
            two lines, or the words are not those of the digest in the first line.
    """
    try:
        # Not by `splitlines`, for which an answer may hold a line's end.
        lines = Path(path).read_text("utf-8").removesuffix("\n").split("\n")
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} is no pack that can be read ({error})") from error
    if lines == [""]:
        raise UsageError(f"{path} is no pack: it is empty")
    head = _line(_Head, path, 1, lines[0])
    said: dict[tuple[str, str], Words] = {}
    for number, line in enumerate(lines[1:], 2):
        row = _line(_Row, path, number, line)
        if (row.item, row.answer) in said:
            raise UsageError(f"{path}, line {number}: {row.answer!r} to {row.item!r} stands twice")
        said[row.item, row.answer] = Words(tuple(row.argued), row.bare)
    pack = Written(head.pack, head.version, head.provenance, said)
    if pack.digest != head.digest:
        raise UsageError(
            f"{path}: its words are not those of its digest ({pack.digest} for {head.digest}); "
            "a changed pack is another pack, with another version"
        )
    return pack


def _line(form: type[T], path: str | Path, number: int, line: str) -> T:
    try:
        return checked(form, json.loads(line), "$")
    except (ValueError, SettingError) as error:
        raise UsageError(f"{path}, line {number}: {error}") from error
