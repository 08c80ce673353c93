"""The ten personas of the chatroom: who the agents are when nothing else is said of them."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple


class Persona(NamedTuple):
    """Who an agent is.

    Args:
        name: by which the others know it.
        text: its background and temperament in two sentences, which say its name and nothing that
            decides a claim.
    """

    name: str
    text: str


@cache
def personas() -> tuple[Persona, ...]:
    """Return the ten personas, Alice to Jack, always in this order.

    Names and number are those of Believed but Not Said, appendix D; the words are ours.

    >>> [persona.name for persona in personas()][:3], len(personas())
    (['Alice', 'Bob', 'Carol'], 10)
    """
    text = files("socialcircuits.prompts").joinpath("personas.toml").read_text("utf-8")
    return tuple(Persona(row["name"], row["text"]) for row in tomllib.loads(text)["persona"])


__all__ = ["Persona", "personas"]
