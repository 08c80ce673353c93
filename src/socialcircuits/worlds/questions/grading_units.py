"""Units as written, by exact definitions; case carries meaning."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

__all__ = ["Unit", "read_unit"]


class Unit(NamedTuple):
    """A unit: powers of named units that convert into no other, and the factor to them."""

    kinds: tuple[tuple[str, int], ...]
    factor: Fraction

    @property
    def kind(self) -> str:
        """The one named unit that this is a multiple of; empty if it is a product or a power."""
        return self.kinds[0][0] if len(self.kinds) == 1 and self.kinds[0][1] == 1 else ""


_PREFIXES = {
    "T": (12, "tera"), "G": (9, "giga"), "M": (6, "mega"), "k": (3, "kilo"), "h": (2, "hecto"),
    "d": (-1, "deci"), "c": (-2, "centi"), "m": (-3, "milli"), "\u03bc": (-6, "micro"),
    "n": (-9, "nano"), "p": (-12, "pico"), "f": (-15, "femto"),
}  # fmt: skip
_PREFIXED = {
    "m": "metre meter", "g": "gram", "s": "second", "A": "ampere amp", "K": "kelvin",
    "mol": "mole", "cd": "candela", "Hz": "hertz", "N": "newton", "Pa": "pascal", "J": "joule",
    "W": "watt", "C": "coulomb", "V": "volt", "F": "farad", "\u03a9": "ohm", "S": "siemens",
    "Wb": "weber", "T": "tesla", "lm": "lumen", "lx": "lux", "Bq": "becquerel", "Gy": "gray",
    "Sv": "sievert", "L": "litre liter", "eV": "electronvolt",
}  # fmt: skip
_OTHERS = {
    "min mins minute minutes": ("s", Fraction(60)),
    "h hr hrs hour hours": ("s", Fraction(3600)),
    "d day days": ("s", Fraction(86400)),
    "week weeks": ("s", Fraction(604800)),
    "year years": ("year", Fraction(1)),
    "month months": ("year", Fraction(1, 12)),
    "inch inches": ("m", Fraction(254, 10000)),
    "ft foot feet": ("m", Fraction(3048, 10000)),
    "yd yard yards": ("m", Fraction(9144, 10000)),
    "mi mile miles": ("m", Fraction(1609344, 1000)),
    "lb lbs": ("g", Fraction(45359237, 100000)),
    "t tonne tonnes": ("g", Fraction(10**6)),
    "l": ("L", Fraction(1)),
    "ml": ("L", Fraction(1, 1000)),
    "\u00b0 degree degrees": ("degree", Fraction(1)),
    "\u00b0C": ("celsius", Fraction(1)),
    "\u00b0F": ("fahrenheit", Fraction(1)),
    "% percent": ("percent", Fraction(1)),
}
_ALONE = {"degree", "celsius", "fahrenheit", "percent"}
_PHRASES = {
    "per cent": "%", "degrees Celsius": "\u00b0C", "\u00b0 C": "\u00b0C",
    "degrees Fahrenheit": "\u00b0F", "\u00b0 F": "\u00b0F",
}  # fmt: skip
_FACTOR = re.compile(r"([^\W\d_]+|[%\u00b0][CF]?)(?:\^([+-]?[1-9]))?")
_WORD = 4
"""Least number of letters of a unit's name whose case does not count; shorter ones are symbols."""


def _tables() -> tuple[dict[str, tuple[str, Fraction]], dict[str, tuple[str, Fraction]]]:
    """Symbols, whose case counts, and names in small letters."""
    symbols: dict[str, tuple[str, Fraction]] = {}
    words: dict[str, tuple[str, Fraction]] = {}
    for symbol, names in _PREFIXED.items():
        for prefix, (power, name) in {"": (0, ""), **_PREFIXES}.items():
            unit = (symbol, Fraction(10) ** power)
            symbols[prefix + symbol] = unit
            words |= {name + word + plural: unit for word in names.split() for plural in ("", "s")}
    for spellings, unit in _OTHERS.items():
        # After the prefixed ones: min is a minute, not a milli-inch.
        symbols |= dict.fromkeys(spellings.split(), unit)
        words |= {word: unit for word in spellings.split() if len(word) >= _WORD}
    return symbols, words


_SYMBOLS, _WORDS = _tables()


def read_unit(text: str) -> Unit | None:
    """Return the unit that a tidy text names, or None if it is not known for certain.

    Symbols are read letter by letter, names of four letters or more in any case. Products stand
    with a space or a dot, powers with ``^``, and one quotient with one unit below it.

    >>> read_unit("MW").factor / read_unit("mW").factor
    Fraction(1000000000, 1)
    >>> read_unit("m s^-2") == read_unit("m/s^2")
    True
    """
    for phrase, symbol in _PHRASES.items():
        text = symbol if text == phrase else text
    above, slash, below = text.partition("/")
    if slash and len(_split(below)) != 1:
        return None
    powers: dict[str, int] = {}
    factor = Fraction(1)
    factors = [(part, 1) for part in _split(above)] + [(part, -1) for part in _split(below)]
    for part, side in factors:
        found = _FACTOR.fullmatch(part)
        unit = _named(found[1]) if found else None
        if found is None or unit is None or (unit[0] in _ALONE and part != text):
            return None
        power = side * int(found[2] or 1)
        powers[unit[0]] = powers.get(unit[0], 0) + power
        factor *= unit[1] ** power
    kinds = tuple(sorted((kind, power) for kind, power in powers.items() if power))
    return Unit(kinds, factor) if kinds else None


def _split(text: str) -> list[str]:
    return re.split(r"\s*[\u00b7\u22c5*]\s*|\s+", text.strip()) if text.strip() else []


def _named(name: str) -> tuple[str, Fraction] | None:
    return _SYMBOLS.get(name) or _WORDS.get(name.lower())
