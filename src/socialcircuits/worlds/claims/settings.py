"""The settings of the claim world, checked when they are made."""

from __future__ import annotations

from dataclasses import dataclass

from socialcircuits.errors import SettingError
from socialcircuits.worlds._items import (
    WHERE,
    are_texts,
    check_flags,
    check_needs_file,
    check_texts,
)
from socialcircuits.worlds.claims.bundled import LISTS


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
        list: which of the bundled claims: ``known``, ``rare`` (few models know them) or ``both``.
        skip_bad: whether faulty rows of the file are left out; else the file is refused.

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
    list: str = "known"
    skip_bad: bool = False

    def __post_init__(self) -> None:
        check_texts(self, "file")
        check_flags(self, "shareable", "skip_bad")
        for name, what in (("only", "ids"), ("relations", "names of relations")):
            if not are_texts(getattr(self, name)):
                raise SettingError(f"{WHERE}.{name}", getattr(self, name), f"a list of {what}")
        check_needs_file(self, self.file, "shareable", "skip_bad")
        if self.list not in LISTS:
            expected = "one of " + ", ".join(LISTS)
            raise SettingError(f"{WHERE}.list", self.list, expected, among=LISTS)
        if self.file and self.list != "known":
            raise SettingError(f"{WHERE}.list", self.list, "nothing where a file is named")


__all__ = ["ClaimSettings"]
