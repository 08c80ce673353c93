"""The settings of the claim world, checked when they are made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from socialcircuits.errors import SettingError

WHERE = "$.world"
"""Path of the settings, for messages."""


@dataclass(frozen=True)
class ClaimSettings:
    """Settings of the claim world.

    Args:
        file: a file of claims: items that were built, or claims of your own in a ``.jsonl``,
            ``.csv`` or ``.toml`` file. Empty: the bundled claims.
        only: take only the claims with these ids, each of which must be there. Empty: take all.
        relations: take only the claims of these relations, each of which must be there. Empty: of
            all.
        shareable: whether the texts of the whole file may be published. The bundled claims and
            those that say so themselves always may.

    Raises:
        SettingError: a value is not allowed.

    >>> ClaimSettings(shareable=True)
    Traceback (most recent call last):
    socialcircuits.errors.SettingError: $.world.shareable: True is not allowed; expected nothing \
where no file is named
    """

    file: str = ""
    only: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    shareable: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.file, str):
            raise SettingError(f"{WHERE}.file", self.file, "text")
        if not isinstance(self.shareable, bool):
            raise SettingError(f"{WHERE}.shareable", self.shareable, "true or false")
        for name, what in (("only", "ids"), ("relations", "names of relations")):
            if not _are_names(getattr(self, name)):
                raise SettingError(f"{WHERE}.{name}", getattr(self, name), f"a list of {what}")
        if self.shareable and not self.file:
            expected = "nothing where no file is named"
            raise SettingError(f"{WHERE}.shareable", self.shareable, expected)

    @classmethod
    def read(cls, settings: Mapping[str, Any]) -> ClaimSettings:
        """Return the settings that a study file gives; those left out keep their defaults.

        Raises:
            SettingError: a setting is unknown, or a value is not allowed.

        >>> ClaimSettings.read({"relations": ["capital"]}).relations
        ('capital',)
        """
        known = [field.name for field in fields(cls)]
        for name in settings:
            if name not in known:
                expected = "a setting of the claim world (" + ", ".join(known) + ")"
                raise SettingError(WHERE, name, expected, among=known)
        values: dict[str, Any] = dict(settings)
        for name, value in values.items():
            if isinstance(value, list):
                values[name] = tuple(value)
        return cls(**values)


def _are_names(value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(name, str) for name in value)


__all__ = ["WHERE", "ClaimSettings"]
