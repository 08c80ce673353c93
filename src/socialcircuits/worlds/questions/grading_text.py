"""Text as it is compared: what cannot change its meaning is made equal, nothing else is."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["hidden", "same_words", "tidy"]

_QUOTES = dict.fromkeys(map(ord, "\u2018\u2019\u201b\u02bc"), "'")
_QUOTES |= dict.fromkeys(map(ord, "\u201c\u201d\u201f"), '"')
_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013"), "-")
_MICRO = {0x00B5: "\u03bc"}
_SAME = _QUOTES | _DASHES | _MICRO

_SUPERSCRIPT = "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"
_RAISED = dict(zip(map(ord, _SUPERSCRIPT + "\u207a\u207b"), "0123456789+-", strict=True))
# A digit after the raised ones would join the exponent.
_POWER = re.compile(rf"(?<=\S)([\u207a\u207b]?[{_SUPERSCRIPT}]+)(?![0-9{_SUPERSCRIPT}])")
_BRACED_POWER = re.compile(r"\^\{([+\-\u2212]?[0-9]+)\}(?![0-9])")
_SIGN = re.compile(r"(?:^|(?<=\^))\u2212(?=[.0-9\\])")

_MACROS = {
    "times": "\u00d7", "cdot": "\u00b7", "pi": "\u03c0", "mu": "\u03bc", "Omega": "\u03a9",
    "left": "", "right": "",
}  # fmt: skip
_MACRO = re.compile(r"\\(times|cdot|pi|mu|Omega|left|right)(?![A-Za-z])")
_DEGREE = re.compile(r"\^(?:\\circ(?![A-Za-z])|\{\\circ\})")
_THIN = re.compile(r"\\[,;: ]")
_FONT = re.compile(r"\\(?:text|textbf|textit|textrm|mathrm)\{([^{}\\]*)\}")
_FRACTION = re.compile(
    r"([+-]?)\\[dt]?frac(?:\{([0-9]*\u03c0|[0-9]+)\}\{([0-9]+)\}|([0-9])([0-9]))"
)
_BOLD = re.compile(r"(?<!\w)\*\*(?=\S)([^*]+)(?<=\S)\*\*(?!\w)")
_WRAPPERS = (
    re.compile(r'"([^"]+)"'),
    re.compile(r"'([^']+)'"),
    re.compile(r"`([^`]+)`"),
    re.compile(r"\*([^*\s]|[^*\s][^*]*[^*\s])\*"),
    re.compile(r"\$([^$]+)\$"),
    re.compile(r"\\\(((?:(?!\\[()]).)+)\\\)"),
    re.compile(r"\\\[((?:(?!\\[\[\]]).)+)\\\]"),
    re.compile(r"\\boxed\{((?:[^{}]|\{[^{}]*\})*)\}"),
)

_RUN = re.compile(r"[^\W\d_]+")
_ARTICLE = re.compile(
    r"(?:[Tt]he|[Aa]n|a) (?!(?:[Tt]he|[Aa]n?) )(?=[^\W\d_]{4}|[^\W\d_]{3} [^\W\d_]{3})"
)
_NOT_AFTER_A = {"minor", "major", "flat", "sharp"}
_LINKS = set("of in on at to by de la le du da di al el".split())
_FORMULA = re.compile(r"[=^_\\<>+*{}|]|\w\(")
_CASED = set("cal gal mol rad kat bel mbar mmol mrad mcal mohm mbit mev gev".split())
_CASED |= set("khz mhz ghz kpa mpa gpa".split())
_CASED |= set("log arg sin cos tan arcsin arccos arctan".split())
"""Units and functions that mean something else in other case: Cal, Log."""


def hidden(text: str) -> bool:
    r"""Return whether a text holds characters that are not seen or change the order of reading.

    >>> hidden("4\u200b2"), hidden("4\n2")
    (True, False)
    """
    return any(
        unicodedata.category(c) in {"Cc", "Cf", "Co", "Cs"} and c not in "\t\r\n" for c in text
    )


def tidy(text: str) -> str:
    r"""Return a text in one spelling of white space, quotes, dashes, powers and LaTeX.

    Canonical composition only: compatibility forms (raised digits, fractions, full-width letters)
    keep their meaning. What stands around the whole text (quotes, Markdown, ``$``, ``\boxed``, a
    full stop) goes. LaTeX that is not known stays as it is.

    >>> tidy(" **10²** m. ")
    '10^2 m'
    >>> tidy(r"$\boxed{\text{Paris}}$")
    'Paris'
    """
    text = " ".join(unicodedata.normalize("NFC", text).translate(_SAME).split())
    before = None
    while text != before:
        before = text
        text = _unwrap(_latex(text))
    return text


def same_words(a: str, b: str) -> bool:
    """Return whether two tidy texts are the same but for case, accents or a leading article.

    Case is dropped in plain words only, never in short ones, mixed ones, formulas or beside digits,
    which may be symbols and units. Accents are dropped in names of five letters or more (three in a
    name of several words) if one side has none. "The", "an" and a small "a" are dropped before a
    word of four letters or more, or two of three.

    >>> same_words("the beatles", "Beatles"), same_words("CO", "Co"), same_words("5 mw", "5 MW")
    (True, False, False)
    """
    return a == b or any(
        _folded(x, y) for x, y in ((a, b), (_bare(a), b), (a, _bare(b))) if x and y
    )


def _latex(text: str) -> str:
    text = _THIN.sub(" ", text.replace("{,}", ",").replace("\\%", "%").replace("\\!", ""))
    text = _MACRO.sub(lambda found: _MACROS[found[1]], _DEGREE.sub("\u00b0", text))
    text = _POWER.sub(lambda found: "^" + found[1].translate(_RAISED), text)
    text = _BRACED_POWER.sub(r"^\1", text)
    text = " ".join(_FONT.sub(r"\1", text).split())
    text = _SIGN.sub("-", text)
    # Only alone: a number before it makes it a mixed number to some readers, a factor to others.
    fraction = _FRACTION.fullmatch(text)
    if fraction:
        sign, above, below, one, other = fraction.groups()
        return f"{sign}{above or one}/{below or other}"
    return text


def _unwrap(text: str) -> str:
    text = _BOLD.sub(r"\1", text)
    for wrapper in _WRAPPERS:
        wrapped = wrapper.fullmatch(text)
        if wrapped:
            text = wrapped[1].strip()
    if text.endswith(".") and not text.endswith(".."):
        text = text[:-1].rstrip()
    return text


def _bare(text: str) -> str:
    """The text without its leading article; empty if it has none that may be dropped."""
    article = _ARTICLE.match(text)
    rest = text[article.end() :] if article else ""
    first = rest.split(" ")[0].lower()
    return "" if article and article[0] == "a " and first in _NOT_AFTER_A else rest


def _folded(a: str, b: str) -> bool:
    runs, others = _RUN.findall(a), _RUN.findall(b)
    if _RUN.split(a) != _RUN.split(b) or _FORMULA.search(a):
        return False
    digits = any(c.isdigit() for c in a)
    long = len(runs) > 1 and any(len(run) >= 4 for run in runs)
    return all(_same_run(x, y, digits, long) for x, y in zip(runs, others, strict=True))


def _same_run(a: str, b: str, digits: bool, long: bool) -> bool:
    """Whether two runs of letters are one word; what stands beside them says how safe that is."""
    if a == b:
        return True
    x, y = a.lower(), b.lower()
    if x != y and a.isascii() != b.isascii() and a[0].isupper() and len(a) >= (3 if long else 5):
        x, y = _plain_letters(x), _plain_letters(y)
    if x != y or x in _CASED or not (_plain_case(a) and _plain_case(b)):
        return False
    if digits:
        return len(a) >= 5
    return len(a) >= 3 or (long and x in _LINKS)


def _plain_case(run: str) -> bool:
    return run.islower() or run.istitle() or (run.isupper() and len(run) >= 5)


def _plain_letters(run: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", run) if not unicodedata.combining(c))
