"""The pack of templates: arguments in which any answer can stand, the wrong one and the right one
alike, so that nothing but the answer differs between them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from socialcircuits.packs.pack import MOST, Words
from socialcircuits.prompts import Prompt, library
from socialcircuits.seeds import digest

TEMPLATES = "templates"
"""Name of this pack."""

VERSION = 1


class Templates:
    """The words of the prompt files of the section ``peer``.

    >>> pack = Templates()
    >>> pack.words("peru", "Lima").argued[5]
    'I was asked this in a quiz once. I said Lima, and it was marked as right.'
    """

    name = TEMPLATES
    version = VERSION

    @cached_property
    def _files(self) -> Mapping[str, Prompt]:
        found = (prompt for prompt in library() if prompt.section == "peer")
        return {prompt.id.removeprefix("peer/"): prompt for prompt in found}

    @property
    def provenance(self) -> Mapping[str, Any]:
        """Which prompt files it is made of, with their versions."""
        files = {prompt.id: prompt.version for prompt in self._files.values()}
        return {"made": "from templates", "prompts": files}

    @cached_property
    def digest(self) -> str:
        """Digest (hex) of the templates; which items they serve is no part of it."""
        bodies = (f"{name}\n{file.body}" for name, file in self._files.items())
        return digest("pack", self.name, self.version, *bodies).hex()

    def words(self, item: str, answer: str) -> Words:
        """Return what is said for an answer; the same for all items."""
        said = {"answer": answer}
        argued = (self._files[f"argued-{number}"].render(said) for number in range(1, MOST + 1))
        return Words(tuple(argued), self._files["bare"].render(said))
