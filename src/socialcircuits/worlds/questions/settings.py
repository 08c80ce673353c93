"""The settings of the question world, checked when they are made."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from socialcircuits.errors import SettingError
from socialcircuits.worlds._items import (
    WHERE,
    are_texts,
    check_flags,
    check_needs_file,
    check_texts,
)
from socialcircuits.worlds.questions.loading import FORMATS

HUB_HLE = "hub:hle"
"""The file name that stands for HLE in the user's Hugging Face cache."""


@dataclass(frozen=True)
class QuestionSettings:
    """Settings of the question world.

    Args:
        file: a ``.jsonl``, ``.parquet``, ``.csv`` or ``.toml`` file; ``hub:hle`` for the user's own
            cached copy of HLE; empty for the bundled questions.
        format: one of `FORMATS`; empty: recognised from the file's columns.
        verified: take only the items with these ids; a text file with one id a line, or a list.
            Empty: take all.
        only: take only the items with these ids, each of which must be there. Empty: take all.
        shareable: whether the text of the file may be published; never of HLE. That of the bundled
            questions always may.
        pictures: whether items with a picture are taken; only agents that see pictures can answer
            them.

    Raises:
        SettingError: a value is not allowed.

    >>> QuestionSettings(format="hle")
    Traceback (most recent call last):
    socialcircuits.errors.SettingError: $.world.format: 'hle' is not allowed; expected nothing \
where no file is named
    """

    file: str = ""
    format: str = ""
    verified: str | tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    shareable: bool = False
    pictures: bool = False

    def __post_init__(self) -> None:
        check_texts(self, "file", "format")
        check_flags(self, "shareable", "pictures")
        if not are_texts(self.only):
            raise SettingError(f"{WHERE}.only", self.only, "a list of ids")
        if not isinstance(self.verified, str) and not are_texts(self.verified):
            raise SettingError(f"{WHERE}.verified", self.verified, "a file or a list of ids")
        if self.format and self.format not in FORMATS:
            expected = "one of " + ", ".join(FORMATS)
            raise SettingError(f"{WHERE}.format", self.format, expected, among=FORMATS)
        check_needs_file(self, self.file, "format", "verified", "shareable")

    def verified_ids(self) -> tuple[str, ...] | None:
        """Return the verified ids, read from their file if one is named; None: all items count.

        Raises:
            SettingError: the file cannot be read, or names no id.
        """
        if not self.verified:
            return None
        if not isinstance(self.verified, str):
            return self.verified
        try:
            lines = Path(self.verified).read_text(encoding="utf-8-sig").splitlines()
        except (OSError, ValueError) as error:
            expected = f"a text file that can be read ({error})"
            raise SettingError(f"{WHERE}.verified", self.verified, expected) from error
        ids = tuple(line.strip() for line in lines if line.strip())
        if not ids:
            raise SettingError(f"{WHERE}.verified", self.verified, "a file with one id a line")
        return ids


__all__ = ["HUB_HLE", "QuestionSettings"]
