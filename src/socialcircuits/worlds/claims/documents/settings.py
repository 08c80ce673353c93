"""The settings of the document world, checked when they are made."""

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
from socialcircuits.worlds.claims.documents.generated import most

__all__ = ["DocumentSettings"]


@dataclass(frozen=True)
class DocumentSettings:
    """Settings of the document world.

    Args:
        file: a table of your own (CSV) with the columns question, true, false and passage; rows
            without a passage are no documents. Empty: the bundled documents.
        only: take only the documents with these ids, each of which must be there. Empty: take all.
        generated: so many documents are made from templates in place of the bundled ones; 0: none.
        seed: from 0; of the documents that are made. A number that you keep to yourself makes
            documents that nobody else has.
        shareable: whether the texts of the file may be published. The bundled documents always
            may, the generated ones never: they serve only as long as nobody has read them.
        skip_bad: whether faulty rows of the file are left out; else the file is refused.

    Raises:
        SettingError: a value is not allowed.

    >>> DocumentSettings(generated=961)
    Traceback (most recent call last):
    socialcircuits.errors.SettingError: $.world.generated: 961 is not allowed; expected 0 to 960
    """

    file: str = ""
    only: tuple[str, ...] = ()
    generated: int = 0
    seed: int = 0
    shareable: bool = False
    skip_bad: bool = False

    def __post_init__(self) -> None:
        check_texts(self, "file")
        check_flags(self, "shareable", "skip_bad")
        if not are_texts(self.only):
            raise SettingError(f"{WHERE}.only", self.only, "a list of ids")
        check_needs_file(self, self.file, "shareable", "skip_bad")
        if type(self.generated) is not int or not 0 <= self.generated <= most():
            raise SettingError(f"{WHERE}.generated", self.generated, f"0 to {most()}")
        if type(self.seed) is not int or self.seed < 0:
            raise SettingError(f"{WHERE}.seed", self.seed, "a whole number from 0")
        if self.generated and self.file:
            raise SettingError(f"{WHERE}.generated", self.generated, "0 where a file is named")
        if self.seed and not self.generated:
            raise SettingError(f"{WHERE}.seed", self.seed, "0 where no documents are generated")
