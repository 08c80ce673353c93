"""The settings of the question world, checked when they are made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from socialcircuits.errors import SettingError
from socialcircuits.worlds.questions.loading import FORMATS, WHERE

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
        for name in ("file", "format"):
            if not isinstance(getattr(self, name), str):
                raise SettingError(f"{WHERE}.{name}", getattr(self, name), "text")
        for name in ("shareable", "pictures"):
            if not isinstance(getattr(self, name), bool):
                raise SettingError(f"{WHERE}.{name}", getattr(self, name), "true or false")
        if not _are_ids(self.only):
            raise SettingError(f"{WHERE}.only", self.only, "a list of ids")
        if not isinstance(self.verified, str) and not _are_ids(self.verified):
            raise SettingError(f"{WHERE}.verified", self.verified, "a file or a list of ids")
        if self.format and self.format not in FORMATS:
            expected = "one of " + ", ".join(FORMATS)
            raise SettingError(f"{WHERE}.format", self.format, expected, among=FORMATS)
        for name in ("format", "verified", "shareable"):
            if not self.file and getattr(self, name):
                expected = "nothing where no file is named"
                raise SettingError(f"{WHERE}.{name}", getattr(self, name), expected)

    @classmethod
    def read(cls, settings: Mapping[str, Any]) -> QuestionSettings:
        """Return the settings that a study file gives; those left out keep their defaults.

        Raises:
            SettingError: a setting is unknown, or a value is not allowed.

        >>> QuestionSettings.read({"only": ["divisors"]}).only
        ('divisors',)
        """
        known = [field.name for field in fields(cls)]
        for name in settings:
            if name not in known:
                expected = "a setting of the question world (" + ", ".join(known) + ")"
                raise SettingError(WHERE, name, expected, among=known)
        values: dict[str, Any] = dict(settings)
        for name, value in values.items():
            if isinstance(value, list):
                values[name] = tuple(value)
        return cls(**values)

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


def _are_ids(value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(name, str) for name in value)


__all__ = ["HUB_HLE", "QuestionSettings"]
