"""Grading without a model: what is plainly right or wrong is settled, the rest is left to a judge.

It may leave anything undecided and must never be wrong. So it knows only forms whose meaning needs
no question: options, numbers with units, dates, equal words. Different words are never wrong here
(NYC is New York City), and near numbers never right but by a stated rule.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from socialcircuits.worlds.questions import grading_dates as dates
from socialcircuits.worlds.questions import grading_numbers as numbers
from socialcircuits.worlds.questions.grading_options import choose, contradicts, names_several
from socialcircuits.worlds.questions.grading_text import hidden, same_words, tidy

__all__ = ["Verdict", "settle"]

LONGEST_ANSWER = 400
"""Characters of a line above which it is prose, and left to a judge."""

_MARKER = re.compile(
    r"(?:(?:so|thus|hence|therefore),? )?(?:(?:the|my) )?(?:(?:final|correct|right) )?"
    r"(?:answer|option|choice) ?(?:is\b ?:?|:|=)(?: (?P<said>.+))?",
    re.IGNORECASE,
)
_NOT = re.compile(r"not (.+)", re.IGNORECASE)
_NO_ANSWER = {
    "", "none", "n/a", "no answer", "unknown", "i don't know", "i do not know", "don't know", "idk",
    "no idea", "i have no idea", "i'm not sure", "i am not sure", "not sure", "i cannot answer",
    "i can't answer",
}  # fmt: skip
# A reference for which "none", "unknown" and the like may be the answer.
_NIL_WORDS = (
    "no non none not nil null nothing nobody neither never nowhere zero cannot can't don't without "
    "unknown undefined undetermined uncertain unclear unnamed unidentified unspecified impossible "
    "indeterminate empty anonymous false dne nan na n/a emptyset varnothing"
)
_NIL = re.compile(
    rf"\b(?:{_NIL_WORDS.replace(' ', '|')})\b|\u2205|\{{ ?\}}|^[^0-9.]*0(?:[.,]0+)?(?![0-9.,])",
    re.IGNORECASE,
)
_LETTER = re.compile(r"(?:[Oo]ption )?(?:([A-Z])\)?|\(([A-Z])\)|\[([A-Z])\])")
_CHOICES = set("ABCDEFG")
_POLAR = ({"yes", "no"}, {"true", "false"})
_ASSIGNED = re.compile(r"[A-Za-z] ?= ?([^=]+)")
_JOINT = re.compile(r"\s*;\s*|,\s+|\s+(?:or|and)\s+", re.IGNORECASE)
# A word after a number; a word for a number would make it another one.
_ADDED = re.compile(
    r" ?[%\u00b0]| (?!(?:\w|dozen|hundred|thousand|[mbtr]+illion)\b)[^\W\d_]+", re.IGNORECASE
)
_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]{0,50})")

_NO_OPTIONS: Mapping[str, str] = MappingProxyType({})


class Verdict(NamedTuple):
    """What the pre-grader says of an answer.

    Args:
        right: whether it is right, or None where that is left to a judge.
        extracted: the final answer as it was read, without what stands around it; the key where an
            option was named; empty where none was found.
        why: the reason in a few words.
    """

    right: bool | None
    extracted: str
    why: str


def settle(
    answer: str,
    reference: str,
    *,
    options: Mapping[str, str] = _NO_OPTIONS,
    aliases: Sequence[str] = (),
) -> Verdict:
    """Grade an answer against the reference if no judge is needed for that.

    Right: the same option, words, date or value as the reference or an alias. Values are equal
    exactly; only a decimal reference with three significant digits or more also takes an answer
    that is written more precisely and rounds to it (3.1416 for 3.14). Counts and years are exact.

    Wrong: no answer; another option, two options, a letter that contradicts its text; surely
    another value or date; two numbers; yes for no; "not" before the right answer.

    All else is undecided: other words, look-alike letters, hedges, ranges, lists that are not equal
    as written, numbers or dates with two readings (1,234 against 1.234), prose that does not end
    in a line "Answer: ...".

    Args:
        answer: the reply, or the answer in it; may be empty.
        reference: the right answer; with options the key or the text of the right one.
        options: key -> text of a multiple-choice item; empty for others.
        aliases: other right answers; not read where there are options.

    >>> settle("The answer is (B).", "B", options={"A": "London", "B": "Paris"})
    Verdict(right=True, extracted='B', why='the same option')
    >>> settle("5 mW", "5 MW").right, settle("1½", "3/2").right, settle("10²", "102").right
    (False, True, False)
    >>> settle("Paris (France)", "Paris").right is None
    True
    """
    targets = [tidy(target) for target in (reference, *aliases)]
    said = _final(answer)
    unclear = ""
    if not all(targets):
        unclear = "a reference is empty"
    elif any(map(hidden, (answer, reference, *aliases, *options.values()))):
        unclear = "invisible characters"
    if unclear or said is None:
        return Verdict(None, "", unclear or "prose")
    if said.lower() in _NO_ANSWER and not (options and choose(said, options)):
        return _without_answer(said, targets, options)
    return _among(said, targets[0], options) if options else _alone(said, targets)


def _final(answer: str) -> str | None:
    """The tidy final answer: the only line, or what a last line marks as the only answer."""
    lines = [line for line in answer.splitlines() if line.strip()]
    if not lines:
        return ""
    if len(lines[-1]) > LONGEST_ANSWER:
        return None
    last = tidy(lines[-1])
    marked = _MARKER.fullmatch(last)
    if len(lines) > 1 and (not marked or any(map(_is_marked, lines[:-1]))):
        return None
    return tidy(marked["said"] or "") if marked else last


def _is_marked(line: str) -> bool:
    return bool(_MARKER.match(tidy(line[:LONGEST_ANSWER])))


def _without_answer(said: str, targets: Sequence[str], options: Mapping[str, str]) -> Verdict:
    """No answer, unless "none" may be the right one; a bare letter's text is not known here."""
    if options:
        key = choose(targets[0], options)
        targets = list(options.values()) if key is None else [options[key]]
    letters = not options and any(_LETTER.fullmatch(target) for target in targets)
    if said and (letters or any(_NIL.search(target) for target in targets)):
        return Verdict(None, said, "it may be no answer, or the answer")
    return Verdict(False, "", "no answer")


def _among(said: str, target: str, options: Mapping[str, str]) -> Verdict:
    """An answer to a multiple-choice item."""
    right, chosen = choose(target, options), choose(said, options)
    if right is None:
        return Verdict(None, said, "the reference names no single option")
    if chosen is None:
        return _unchosen(said, right, options)
    if chosen == right:
        return Verdict(True, chosen, "the same option")
    if _against(tidy(options[chosen]), tidy(options[right])).right:
        return Verdict(None, chosen, "two options say the same")
    return Verdict(False, chosen, "another option")


def _unchosen(said: str, right: str, options: Mapping[str, str]) -> Verdict:
    denied = _NOT.fullmatch(said)
    if contradicts(said, options):
        return Verdict(False, said, "the letter contradicts the text")
    if names_several(said, options):
        return Verdict(False, said, "several options")
    if denied and choose(tidy(denied[1]), options) == right:
        return Verdict(False, said, "denies the right answer")
    return Verdict(None, said, "no single option")


def _alone(said: str, targets: Sequence[str]) -> Verdict:
    """An answer to an item without options."""
    verdict = _against_all(said, targets)
    denied = _NOT.fullmatch(said)
    if verdict.right is None and denied and _against_all(tidy(denied[1]), targets).right:
        return Verdict(False, said, "denies the right answer")
    return verdict


def _against_all(said: str, targets: Sequence[str]) -> Verdict:
    """The first verdict that says right, or the first of all if they say the same."""
    verdicts = [_against(said, target) for target in targets]
    for verdict in verdicts:
        if verdict.right:
            return verdict
    needed = [
        verdict
        for verdict, target in zip(verdicts, targets, strict=True)
        if not _adds_a_unit(target, targets[0])
    ]
    if all(verdict.right is False for verdict in needed):
        return verdicts[0]
    return Verdict(None, said, "neither surely right nor surely wrong")


def _adds_a_unit(alias: str, reference: str) -> bool:
    """Whether an alias is the reference with its unit added or left out: no other answer."""
    short, long = sorted((alias, reference), key=len)
    number = numbers.read_quantity(short)
    rest = long.removeprefix(short) if long.startswith(short) else ""
    return bool(number and number.unit is None and _ADDED.fullmatch(rest))


def _against(said: str, target: str) -> Verdict:
    if same_words(said, target):
        return Verdict(True, said, "the same text")
    assigned = _ASSIGNED.fullmatch(said)
    said = tidy(assigned[1]) if assigned else said
    for why, compare in (
        ("the letter", _letters),
        ("yes or no", _polar),
        ("the number", _numbers),
        ("the date", _dates),
        ("several numbers", _several),
    ):
        right = compare(said, target)
        if right is not None:
            return Verdict(right, said, why)
    return Verdict(None, said, "neither surely right nor surely wrong")


def _letters(said: str, target: str) -> bool | None:
    """Letters of options that stand in the question; H is left out, a German B among notes."""
    found, wanted = _LETTER.fullmatch(said), _LETTER.fullmatch(target)
    if not found or not wanted:
        return None
    a, b = ("".join(filter(None, letters.groups())) for letters in (found, wanted))
    if a == b:
        return True
    return False if {a, b} <= _CHOICES else None


def _polar(said: str, target: str) -> bool | None:
    pair = {said.lower(), target.lower()}
    return len(pair) == 1 if any(pair <= poles for poles in _POLAR) else None


def _numbers(said: str, target: str) -> bool | None:
    a, b = numbers.read_quantity(said), numbers.read_quantity(target)
    return numbers.agree(a, b) if a and b else None


def _dates(said: str, target: str) -> bool | None:
    a, b = dates.read_dates(said), dates.read_dates(target)
    # A year alone is a number; beside a date it is a year.
    a = a or (dates.read_year(said) if b else a)
    b = b or (dates.read_year(target) if a else b)
    return dates.agree(a, b) if a and b else None


def _several(said: str, target: str) -> bool | None:
    """Two integers where one number is asked for, unless they are one with a space in it."""
    number = numbers.read_quantity(target)
    parts = _JOINT.split(re.sub(r"^(?:either|both) ", "", said, flags=re.IGNORECASE))
    if number is None or number.unit or len(set(parts)) < 2:
        return None
    if not all(_WHOLE.fullmatch(part) for part in parts):
        return None
    return None if re.sub(r"\D", "", said) == re.sub(r"\D", "", target) else False
