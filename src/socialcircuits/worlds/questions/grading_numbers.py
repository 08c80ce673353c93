"""Numbers and quantities as written, with every reading that a writer may have meant."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from socialcircuits.worlds.questions.grading_units import Unit, read_unit

__all__ = ["Quantity", "agree", "read_quantity"]

Form = Literal["integer", "decimal", "fraction", "power", "scientific", "pi"]

LARGEST_EXPONENT = 400
LONGEST_NUMBER = 100
FAR = Fraction(1, 10)
"""Relative difference above which inexact numbers of one sign are surely different."""
FAR_DEGREES = 30
"""The same for temperatures, whose zero is a convention, in their own degrees."""
LARGEST_ANGLE = 3600
"""Numbers up to this, in degrees or multiples of pi, may be angles that whole turns make equal."""
FEWEST_DIGITS = 3
"""Significant digits of a decimal reference from which a closer answer may be rounded to it."""

_VULGAR = {
    "\u00bd": (1, 2), "\u2153": (1, 3), "\u2154": (2, 3), "\u00bc": (1, 4), "\u00be": (3, 4),
    "\u2155": (1, 5), "\u2156": (2, 5), "\u2157": (3, 5), "\u2158": (4, 5), "\u2159": (1, 6),
    "\u215a": (5, 6), "\u2150": (1, 7), "\u215b": (1, 8), "\u215c": (3, 8), "\u215d": (5, 8),
    "\u215e": (7, 8), "\u2151": (1, 9), "\u2152": (1, 10),
}  # fmt: skip
_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()

_SIGN = r"(?P<sign>[+-]?)"
_UNIT = r"(?:\s*(?P<unit>[^\W\d_\u03c0].*|[%\u00b0].*))?"
_N = "[0-9]+"
_INTEGER = rf"(?:0|[1-9][0-9]{{0,{LONGEST_NUMBER}}})"
_FORMS = {
    form: re.compile(_SIGN + body + _UNIT)
    for form, body in {
        "pi": rf"(?P<times>{_INTEGER})?\s*\*?\s*(?:\u03c0|pi\b)(?:\s*/\s*(?P<below>{_INTEGER}))?",
        "fraction": rf"(?:(?P<whole>{_INTEGER})\ )?(?P<above>{_INTEGER})/(?P<below>{_INTEGER})"
        r"(?![/0-9])",
        "vulgar": rf"(?:(?P<whole>{_INTEGER})\ ?)?(?P<vulgar>[{''.join(_VULGAR)}])",
        "scientific": rf"(?P<times>{_INTEGER}(?:\.{_N})?)"
        rf"(?:[eE]|\s*[\u00d7\u00b7*x]\s*10(?:\^|\*\*))(?P<exponent>[+-]?{_N})(?![0-9.])",
        "power": rf"(?P<base>{_INTEGER})(?:\^|\*\*)(?P<exponent>[+-]?{_N})(?![0-9.^])",
        "plain": rf"(?P<plain>\.{_N}|{_N}(?:[.,' ]{_N})*)",
    }.items()
}
_GROUPS = r"[1-9][0-9]{0,2}([.,' ])[0-9]{3}(?:\1[0-9]{3})*"
_YEARS = range(1000, 3000)
"""Above the line of a fraction these are a season: 1990/91."""
_DEGREES = {"celsius", "fahrenheit"}


@dataclass(frozen=True)
class Quantity:
    """A number as written.

    Args:
        value: what it plainly says; None if no reading is plain.
        others: what the same characters say under other customs of commas and dots.
        form: how it was written.
        unit: its unit, or None; a factor pi is part of the form.
        step: value of one in the last place written, None if it is exact.
        digits: significant digits written.
        reduced: whether a fraction is in lowest terms.
    """

    value: Fraction | None
    form: Form
    others: tuple[Fraction, ...] = ()
    unit: Unit | None = None
    step: Fraction | None = None
    digits: int = 0
    reduced: bool = True

    @property
    def exact(self) -> bool:
        """Whether it stands for this number and no other: a bare count, fraction or power."""
        return self.unit is None and self.form in {"integer", "fraction", "power", "pi"}

    @property
    def readings(self) -> tuple[Fraction, ...]:
        """All that it may say."""
        return self.others if self.value is None else (self.value, *self.others)


def read_quantity(text: str) -> Quantity | None:
    """Return the number, with its unit, that a tidy text is, or None if it is not wholly that.

    Leading zeros make a code, not a number. Numbers of more than 100 digits are not read.

    >>> read_quantity("1,234").value, read_quantity("1,234").others
    (Fraction(1234, 1), (Fraction(617, 500),))
    >>> read_quantity("1½") == read_quantity("1 1/2"), read_quantity("11/2").value
    (True, Fraction(11, 2))
    """
    if text.lower() in _WORDS:
        return Quantity(Fraction(_WORDS.index(text.lower())), "integer")
    if len(text) > LONGEST_NUMBER:
        return None
    for form, pattern in _FORMS.items():
        found = pattern.fullmatch(text)
        if found:
            number = _number(form, found)
            return number and _with_unit(number, found)
    return None


def _number(form: str, found: re.Match[str]) -> Quantity | None:
    part = found.groupdict()
    if form == "plain":
        return _plain(part["plain"])
    if form in {"power", "scientific"}:
        return _raised(part, found["sign"])
    if form == "vulgar":
        above, below = _VULGAR[part["vulgar"]]
    else:
        above, below = int(part.get("above") or part.get("times") or 1), int(part["below"] or 1)
    if below == 0:
        return None
    value = Fraction(above, below)
    reduced = value.denominator == below
    whole = int(part.get("whole") or 0)
    if (whole and value >= 1) or above in _YEARS:
        return None
    if form == "pi":
        return Quantity(value, "pi", reduced=reduced)
    # 5/7 may say "5 of the 7".
    others = (Fraction(above),) if form == "fraction" and not whole else ()
    return Quantity(whole + value, "fraction", others, reduced=reduced)


def _raised(part: dict[str, str | None], sign: str) -> Quantity | None:
    """A power or a number in scientific notation; a minus before a power is read both ways."""
    exponent = part["exponent"] or ""
    if len(exponent) > 4 or abs(int(exponent)) > LARGEST_EXPONENT:
        return None
    base, times = part.get("base"), part.get("times")
    if base:
        if sign or base == "0" or len(base) > 6:
            return None
        return Quantity(Fraction(int(base)) ** int(exponent), "power")
    scale = Fraction(10) ** int(exponent)
    plain = _plain(times or "")
    if plain is None or plain.value is None:
        return None
    step = (plain.step or 1) * scale
    return Quantity(plain.value * scale, "scientific", (), None, step, plain.digits)


def _plain(text: str) -> Quantity | None:
    """Digits with commas, dots, spaces and apostrophes."""
    one_group = re.fullmatch(r"[1-9][0-9]{0,2}[.,][0-9]{3}", text)
    joined, dotted = re.sub(r"[.,' ]", "", text), text.replace(",", ".")
    if re.fullmatch(_INTEGER, text) or _grouped(text):
        value = Fraction(int(joined))
        others = (Fraction(dotted),) if one_group else ()
        return Quantity(value, "integer", others)
    if re.fullmatch(r"(?:0|[1-9][0-9]*)?\.[0-9]+|0,[0-9]+", text):
        return _decimal(dotted, (Fraction(int(joined)),) if one_group else ())
    if re.fullmatch(r"[1-9][0-9]*,[0-9]+", text):
        return replace(_decimal(dotted, (Fraction(dotted), Fraction(int(joined)))), value=None)
    whole, mark, rest = text[: -len(last)] if (last := _tail(text)) else "", last[:1], last[1:]
    if mark and mark not in whole and re.fullmatch(_GROUPS, whole):
        return _decimal(re.sub(r"[.,' ]", "", whole) + "." + rest)
    return None


def _tail(text: str) -> str:
    """The last dot or comma and the digits after it."""
    found = re.search(r"[.,][0-9]+$", text)
    return found[0] if found else ""


def _grouped(text: str) -> bool:
    """Whether digits are in groups of thousands, or in Indian groups, with one kind of mark."""
    western = r"[1-9][0-9]{0,2}(?:(,[0-9]{3})+|(\.[0-9]{3}){2,}|(\ [0-9]{3})+|('[0-9]{3})+)"
    return bool(re.fullmatch(rf"{western}|[1-9][0-9]?(?:,[0-9]{{2}})+,[0-9]{{3}}", text))


def _decimal(text: str, others: tuple[Fraction, ...] = ()) -> Quantity:
    digits = len(text.replace(".", "").lstrip("0"))
    step = Fraction(1, 10 ** len(text.partition(".")[2]))
    return Quantity(Fraction(text), "decimal", others, None, step, digits)


def _with_unit(number: Quantity, found: re.Match[str]) -> Quantity | None:
    if found["sign"] == "-":
        value = None if number.value is None else -number.value
        number = replace(number, value=value, others=tuple(-other for other in number.others))
    if not found["unit"]:
        return number
    unit = read_unit(found["unit"])
    return unit and replace(number, unit=unit)


def agree(answer: Quantity, reference: Quantity) -> bool | None:
    """Return whether a quantity is the reference, or None if that is not certain.

    Equal values agree, in other units too where the conversion is exact. Beyond that only a
    decimal reference allows for error: with three significant digits or more, an answer that is
    written more precisely agrees if the reference is what it rounds to (it is off by less than half
    of one in the reference's last place). Integers, fractions and powers allow none.

    Bare exact numbers differ if their values do; others if they differ by more than a tenth or in
    sign. Undecided: other units, other readings that agree, nearer values, and pairs that notation
    or custom may make equal (1.10 and 1.1, 6/8 and 3/4, 50 and 0.5, -90 and 270).

    >>> half, third = read_quantity("0.5"), read_quantity("1/3")
    >>> agree(third, read_quantity("0.333")), agree(third, half), agree(half, third)
    (True, False, False)
    """
    kinds = [number.unit and number.unit.kinds for number in (answer, reference)]
    if kinds[0] != kinds[1] or (answer.form == "pi") != (reference.form == "pi"):
        return None
    a, r = _scaled(answer), _scaled(reference)
    if a.value is not None and a.value == r.value:
        return True if _same_notation(a, r) else None
    if a.value is not None and r.value is not None and _rounds(a, r):
        return True
    pairs = [(x, y) for x in a.readings for y in r.readings]
    if a.form == r.form == "fraction":
        pairs = [(a.readings[0], r.readings[0])]
    if all(_apart(x, y, a, r) for x, y in pairs):
        return False
    return None


def _scaled(number: Quantity) -> Quantity:
    """The same in its unit without prefixes; it keeps the unit, so that it stays a measurement."""
    factor = number.unit.factor if number.unit else Fraction(1)
    return replace(
        number,
        value=None if number.value is None else number.value * factor,
        others=tuple(other * factor for other in number.others),
        step=None if number.step is None else number.step * factor,
    )


def _same_notation(a: Quantity, b: Quantity) -> bool:
    """Whether equal values are not 1.10 and 1.1 (versions), nor 6/8 and 3/4 (metres of music)."""
    if not (a.reduced and b.reduced):
        return a.form == "pi"
    steps = {a.step, b.step}
    bare = a.unit is None and a.form == b.form == "decimal" and len(steps) > 1
    return not bare or a.value is None or abs(a.value) < 1 or a.value.denominator == 1


def _rounds(a: Quantity, r: Quantity) -> bool:
    if r.step is None or a.value is None or r.value is None or r.digits < FEWEST_DIGITS:
        return False
    finer = a.step is None or a.step < r.step
    return finer and abs(a.value - r.value) < r.step / 2


def _apart(x: Fraction, y: Fraction, a: Quantity, r: Quantity) -> bool:
    """Whether two values are surely not meant as one."""
    kind = r.unit and r.unit.kind
    turn = 2 if r.form == "pi" else 360
    angles = kind in {None, "degree"} and max(abs(x), abs(y)) <= LARGEST_ANGLE
    if x == y or (angles and (x - y) % turn == 0):
        return False
    if kind is None and 0 < min(abs(x), abs(y)) < 1 and 100 in {x / y, y / x}:
        return False
    if a.exact and r.exact:
        return not (a.form == r.form == "fraction" and x * y == 1)
    if kind in _DEGREES and abs(x - y) <= FAR_DEGREES:
        return False
    return x * y < 0 or (x * y != 0 and abs(x - y) > FAR * max(abs(x), abs(y)))
