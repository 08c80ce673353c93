"""How a seat turns an observation into a reply. One file and one catalogue line a character."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from types import MappingProxyType
from urllib.parse import parse_qsl

from socialcircuits.agents.back_end import Access, BackEnd, sees_images
from socialcircuits.agents.compatibility import Compatibility
from socialcircuits.agents.coordinated import coordinated
from socialcircuits.agents.deceit import Policy
from socialcircuits.agents.deceiver import deceiver
from socialcircuits.agents.deliberating import Cautious, Deliberating, Open
from socialcircuits.agents.literal import Literal
from socialcircuits.agents.recorded import Recorded
from socialcircuits.agents.rooms import Loud, Quiet, Stubborn
from socialcircuits.agents.scripted import Scripted
from socialcircuits.agents.silent import Silent
from socialcircuits.agents.simulated import LABEL, Character, Traits
from socialcircuits.agents.subjects import Deaf, Fair, Parrot, Random
from socialcircuits.agents.sybil import sybil
from socialcircuits.agents.sycophantic import Sycophantic
from socialcircuits.errors import SettingError
from socialcircuits.graph import Mind

SIMULATED = "simulated"

CHARACTERS: dict[str, type[Character]] = {
    "literal": Literal,
    "compatibility": Compatibility,
    "sycophantic": Sycophantic,
    "deliberating": Deliberating,
    "cautious": Cautious,
    "open": Open,
    "stubborn": Stubborn,
    "quiet": Quiet,
    "loud": Loud,
    "random": Random,
    "deaf": Deaf,
    "parrot": Parrot,
    "fair": Fair,
}
"""All simulated characters by name; the first is the default."""

ADVERSARIES: dict[str, Policy] = {
    "deceiver": deceiver,
    "coordinated": coordinated,
    "sybil": sybil,
}
"""Role -> the policy that any simulated character plays in a seat of that role."""

_RANGES = {
    "error": (-28000, -1),
    "salience": (0, 10_000),
    "reading": (0, 28_000),
    "unclear": (0, 1000),
    "social": (0, 28_000),
    "own": (0, 28_000),
    "temperature": (1, 1000),
    "invalid": (0, 1000),
    "latency": (0, 600_000),
    "caution": (0, 1000),
    "stale": (0, 28_000),
    "dissent": (0, 28_000),
    "commitment": (0, 28_000),
    "spread": (0, 28_000),
    "difficulty": (0, 28_000),
    "doubt": (-28_000, 28_000),
    "pliancy": (0, 28_000),
}


def load(
    model: str,
    where: str = "$.models",
    back: BackEnd | None = None,
    aliases: Mapping[str, str] = MappingProxyType({}),
) -> Mind:
    """Return the mind that a model name stands for.

    Args:
        model: ``simulated/CHARACTER``, optionally with traits: ``simulated/literal?invalid=100``;
            or, with a back end, ``PROVIDER/NAME``, such as ``openai/gpt-4o`` or
            ``local/smollm2-135m``, optionally with ``?sees=text&temperature=0.7``.
        where: path of the setting, for errors.
        back: makes prompted minds; None allows simulated agents only.
        aliases: other names of answers -> the answer, as the world lists them.

    Raises:
        SettingError: no such kind of model, character or trait, or a trait out of range.

    >>> load("simulated/literal?social=900").traits.social
    900
    """
    kind, _, rest = model.partition("/")
    name, _, query = rest.partition("?")
    if kind != SIMULATED and back is not None and name:
        return back.mind(model, where, aliases)
    if kind != SIMULATED:
        known = [f"simulated/{character}" for character in CHARACTERS]
        raise SettingError(where, model, "one of " + ", ".join(known), among=known)
    if name not in CHARACTERS:
        expected = "a character: " + ", ".join(CHARACTERS)
        raise SettingError(where, name, expected, among=CHARACTERS)
    character = CHARACTERS[name]
    return character(_traits(character.defaults, query, where), ADVERSARIES)


def _traits(defaults: Traits, query: str, where: str) -> Traits:
    changes = {}
    names = [field.name for field in fields(defaults)]
    for name, text in parse_qsl(query, keep_blank_values=True):
        if name not in names:
            raise SettingError(where, name, "a trait: " + ", ".join(names), among=names)
        low, high = _RANGES[name]
        try:
            value = int(text)
        except ValueError:
            value = low - 1
        if not low <= value <= high:
            raise SettingError(f"{where}?{name}", text, f"an integer from {low} to {high}")
        changes[name] = value
    return replace(defaults, **changes)


__all__ = [
    "ADVERSARIES",
    "CHARACTERS",
    "LABEL",
    "SIMULATED",
    "Access",
    "BackEnd",
    "Character",
    "Policy",
    "Recorded",
    "Scripted",
    "Silent",
    "Traits",
    "load",
    "sees_images",
]
