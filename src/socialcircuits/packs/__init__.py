"""Packs: what the recorded guests of a seat test say, the same to every subject.

A pack is data: for each item and each of its two answers, eight messages that argue for it and one
that only names it. It is made once, from templates or by a model, and is known by its digest.
"""

from __future__ import annotations

from socialcircuits.packs.pack import MOST, Pack, Words
from socialcircuits.packs.templates import TEMPLATES, Templates
from socialcircuits.packs.written import Written, load, save

__all__ = ["MOST", "TEMPLATES", "Pack", "Templates", "Words", "Written", "find", "load", "save"]


def find(name: str) -> Pack:
    """Return the pack of a study: the templates, or what a file holds.

    Args:
        name: ``templates``, or the path of a file that `save` wrote.

    Raises:
        UsageError: the file cannot be read or is no pack.

    >>> find("templates").words("peru", "Lima").bare
    'It is Lima.'
    """
    return Templates() if name == TEMPLATES else load(name)
