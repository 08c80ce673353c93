"""What a trial is about as the page draws it: the flag and its crops as letters, or a text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from string import ascii_letters, digits
from typing import Any

from socialcircuits.records import RunFile, TrialRecord
from socialcircuits.worlds.flags import FlagWorld
from socialcircuits.worlds.flags.pool import Pool

__all__ = ["canvas", "evidence", "letters"]

_SPARE = range(0x100, 0x200)


def letters(colours: Iterable[str]) -> dict[str, str]:
    """Return one letter for each colour class: the first of its name that is free, else another.

    >>> letters(["blue", "black", "bl"])
    {'blue': 'b', 'black': 'l', 'bl': 'a'}
    """
    found: dict[str, str] = {}
    for name in colours:
        able = chain(name, ascii_letters, digits, map(chr, _SPARE))
        found[name] = next(one for one in able if one not in found.values())
    return found


def canvas(record: TrialRecord, world: FlagWorld | None) -> dict[str, Any] | None:
    """Return the hidden flag as rows of colour letters with the shade of each letter, and the size
    of a crop in cells; None of a trial without a flag, or whose pool cannot be read any more."""
    if world is None:
        return None
    facts = record.provided.facts
    number = world.answers.index(facts["truth"])
    code = list(letters(world.sheet.colours).values())
    rows = world.sheet.classes(number).tolist()
    return {
        "rows": ["".join(code[cell] for cell in row) for row in rows],
        "colours": _shades(world.sheet.pool, number, facts.get("palette") == "nominal"),
        "crop": list(facts["crop"]),
    }


def _shades(pool: Pool, number: int, nominal: bool) -> dict[str, str]:
    """The shade of each letter: of the flag itself, as far as it has the class."""
    shades, flag = dict(pool.classes), pool.flags[number]
    if not nominal:
        shades |= {stripe.colour: stripe.shade for stripe in flag.stripes}
        if flag.triangle is not None:
            shades[flag.triangle.colour] = flag.triangle.shade
    return {letter: shades[name] for name, letter in letters(pool.classes).items()}


def evidence(
    record: TrialRecord, file: RunFile, world: FlagWorld | None
) -> tuple[list[dict[str, Any]], list[int | None]]:
    """Return the different pieces of evidence of a trial, and for each seat which it has.

    A crop is rows of colour letters where the flag can be drawn; else it is the text that was
    stored. `fits` are places in the trial's answers; None where the world does not say.
    """
    facts, code = record.provided.facts, letters(world.sheet.colours) if world else {}
    fitting, places = iter(facts.get("compatible", ())), iter(facts.get("positions", ()))
    pieces: list[dict[str, Any]] = []
    seats: list[int | None] = []
    texts: dict[str, str] = {}
    known: dict[tuple[str, str], int] = {}
    for key in record.provided.evidence:
        if not key:
            seats.append(None)
            continue
        if key not in texts:
            stored = file.content(bytes.fromhex(key)).decode("utf-8", "surrogatepass")
            texts[key] = _coded(stored, code)
        position, fits = next(places, None), next(fitting, None)
        number = known.setdefault((key, str(position)), len(pieces))
        if number == len(pieces):
            pieces.append({"text": texts[key], "position": position, "fits": fits})
        seats.append(number)
    return pieces, seats


def _coded(text: str, code: Mapping[str, str]) -> str:
    rows = [line.split(" ") for line in text.splitlines()]
    if not code or any(name not in code for row in rows for name in row):
        return text
    return "\n".join("".join(code[name] for name in row) for row in rows)
