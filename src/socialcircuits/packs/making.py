"""What a pack that a model writes must hold, and what a test must find in its pack."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from socialcircuits.errors import UsageError
from socialcircuits.packs.pack import Pack
from socialcircuits.packs.written import LONGEST
from socialcircuits.worlds.claims import Claim
from socialcircuits.worlds.claims.words import held, plain, stands_in

__all__ = ["ARGUMENT", "Side", "cover", "fault", "longest", "sides", "tidy", "unsayable"]

ARGUMENT = 300
"""Most characters of an argument, the answer in it not counted."""

ROOM = LONGEST - ARGUMENT
"""Most characters of an answer for which guests speak."""

SHOWN = 3
"""How many of the items that a pack lacks an error names."""


class Side(NamedTuple):
    """An answer to a claim for which guests speak.

    Args:
        answer: the answer.
        others: the forms of the other answer, which no message may hold; the answer itself first.
    """

    answer: str
    others: tuple[str, ...]


def sides(claim: Claim) -> tuple[Side, Side]:
    """Return the two sides of a claim: its true answer and its false one.

    >>> words = ("Lima is the capital of Peru.", "Cusco is the capital of Peru.", "Lima", "Cusco")
    >>> sides(Claim("peru", "What is the capital of Peru?", *words, "capital"))[1]
    Side(answer='Cusco', others=('Lima',))
    """
    true, false = (claim.truth, *claim.aliases), (claim.lure, *claim.lure_aliases)
    return Side(claim.truth, false), Side(claim.lure, true)


def longest(answer: str) -> int:
    """Return the most characters of a message that argues for an answer.

    >>> longest("Lima")
    304
    """
    return ARGUMENT + len(answer)


def unsayable(side: Side) -> str:
    """Return why no message for an answer could pass; empty where one can.

    >>> unsayable(Side("Lima", ("Cusco",))), unsayable(Side("New Cusco", ("Cusco",)))
    ('', 'it holds a form of the other answer')
    """
    answer = side.answer
    if len(answer) > ROOM:
        return f"it has {len(answer):,} characters, and at most {ROOM:,} leave room for an argument"
    return "it holds a form of the other answer" if _names_other(answer, side) else ""


def _names_other(text: str, side: Side) -> bool:
    return held(text, side.others[0], side.others[1:]) is not None


def tidy(text: str) -> str:
    r"""Return a message on one line, as it enters a pack.

    >>> tidy(" It is\n Lima. ")
    'It is Lima.'
    """
    return " ".join(text.split())


def fault(messages: Sequence[str], side: Side) -> str:
    """Return why messages cannot stand in a pack, or an empty text.

    Each must hold the answer as whole words and no form of the other one, and be neither empty nor
    too long; no two may be the same in their words. Whether they argue well nobody checks.

    Args:
        messages: what was written for one answer.
        side: for which.

    >>> side = Side("Lima", ("Cusco",))
    >>> fault(["I know it: Lima."], side), fault(["It is Lima, not Cusco."], side)
    ('', 'a message names the other answer')
    """
    found = next(filter(None, (_spoilt(text, side) for text in messages)), "")
    if not found and len({plain(text) for text in messages}) < len(messages):
        return "two messages are the same"
    return found


def _spoilt(text: str, side: Side) -> str:
    if not text:
        return "a message is empty"
    if len(text) > longest(side.answer):
        return "a message is too long"
    if any(unicodedata.category(character) in {"Cc", "Cs"} for character in text):
        return "a message holds control characters"
    if not stands_in(side.answer, text):
        return "a message lacks the answer"
    return "a message names the other answer" if _names_other(text, side) else ""


def cover(pack: Pack, wanted: Iterable[tuple[str, str]]) -> None:
    """Refuse a pack that has no words for something that a test asks, all of it in one line.

    Args:
        pack: the pack.
        wanted: id of the item, and an answer to it for which guests speak.

    Raises:
        UsageError: it lacks words for an answer.

    >>> from socialcircuits.packs import Written
    >>> cover(Written("mine", 1, {}, {}), [("peru", "Lima"), ("peru", "Cusco")])
    Traceback (most recent call last):
    socialcircuits.errors.UsageError: the pack mine has no words for 1 of 1 claims that are asked \
(peru); it was written for others: make one for these with `items pack`
    """
    asked, lacking = dict[str, None](), dict[str, None]()
    for item, answer in wanted:
        asked[item] = None
        try:
            pack.words(item, answer)
        except UsageError:
            lacking[item] = None
    if lacking:
        named = ", ".join(list(lacking)[:SHOWN]) + (", ..." if len(lacking) > SHOWN else "")
        raise UsageError(
            f"the pack {pack.name} has no words for {len(lacking)} of {len(asked)} claims that are "
            f"asked ({named}); it was written for others: make one for these with `items pack`"
        )
