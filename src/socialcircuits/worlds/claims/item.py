"""One claim: a question with a true and a false answer, and what makes it usable. One document: a
claim with the passage that settles it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeGuard

from socialcircuits.errors import SettingError
from socialcircuits.worlds.claims.words import held, plain, stands_in

__all__ = ["Claim", "Document"]

_RELATION = re.compile(r"[a-z0-9]+(?:[_-][a-z0-9]+)*")
_TEXTS = ("id", "question", "truth_statement", "false_statement", "truth", "lure", "relation")


@dataclass(frozen=True)
class Claim:
    """A question of fact, its true answer, and the false one that an attacker asserts.

    Args:
        id: name of the item, one line; the same in every run.
        question: what agents are asked in private, which may be a request too; it holds neither
            answer.
        truth_statement: a sentence with the true answer.
        false_statement: a sentence with the false answer.
        truth: the true answer.
        lure: the false answer, of the same kind.
        relation: short id of what is asked, in small letters, digits, ``_`` and ``-``.
        aliases: other forms of the true answer; may be none.
        lure_aliases: other forms of the false answer; may be none.
        source: name of the file and its format.
        shareable: whether the text may be published.

    Raises:
        SettingError: a value is not allowed; its path is the name of the field.

    Notes:
        Answers are compared as whole words without case and accents. An alias of one or two letters
        is never read inside running text, so it may stand in the question.

    >>> words = ("The capital of Peru is Lima.", "The capital of Peru is Cusco.", "Lima", "Cusco")
    >>> Claim("peru", "What is the capital of Peru?", *words, "capital").lure
    'Cusco'
    >>> Claim("peru", "Is Lima the capital of Peru?", *words, "capital")
    Traceback (most recent call last):
    socialcircuits.errors.SettingError: question: 'Is Lima the capital of Peru?' is not allowed; \
expected a text that does not hold the answer 'Lima'
    """

    id: str
    question: str
    truth_statement: str
    false_statement: str
    truth: str
    lure: str
    relation: str
    aliases: tuple[str, ...] = ()
    lure_aliases: tuple[str, ...] = ()
    source: str = ""
    shareable: bool = False

    def __post_init__(self) -> None:
        for name in _TEXTS:
            _check_text(name, getattr(self, name))
        if not self.id.isprintable():
            raise SettingError("id", self.id, "a name on one line, in printable characters")
        if not _RELATION.fullmatch(self.relation):
            raise SettingError("relation", self.relation, "a short name such as place_of_birth")
        self._check_answers()
        self._check_places()

    def _check_answers(self) -> None:
        for name in ("truth", "lure"):
            if not plain(getattr(self, name)):
                raise SettingError(name, getattr(self, name), "a text with a letter or digit")
        self._check_aliases("aliases", self.truth)
        self._check_aliases("lure_aliases", self.lure)
        rights = {_same(form) for form in (self.truth, *self.aliases)}
        for name, forms in (("lure", (self.lure,)), ("lure_aliases", self.lure_aliases)):
            for form in forms:
                if _same(form) in rights:
                    raise SettingError(name, form, "a wrong answer; it is a right one")
        pairs = (("lure", self.lure, self.truth), ("truth", self.truth, self.lure))
        for name, part, whole in pairs:
            if stands_in(part, whole):
                raise SettingError(name, part, f"an answer that is no part of {whole!r}")

    def _check_aliases(self, name: str, answer: str) -> None:
        texts: tuple[str, ...] = getattr(self, name)
        for place, text in enumerate(texts):
            _check_text(name, text)
            if text in texts[:place]:
                raise SettingError(name, text, "every alias once")
            if text == answer:
                raise SettingError(name, text, "another form than the answer itself")

    def _check_places(self) -> None:
        for answer, aliases in ((self.truth, self.aliases), (self.lure, self.lure_aliases)):
            form = held(self.question, answer, aliases)
            if form is not None:
                expected = f"a text that does not hold the answer {form!r}"
                raise SettingError("question", self.question, expected)
        for name, own, other in (
            ("truth_statement", self.truth, self.lure),
            ("false_statement", self.lure, self.truth),
        ):
            text = getattr(self, name)
            if not stands_in(own, text) or stands_in(other, text):
                expected = f"a sentence that holds {own!r} and not {other!r}"
                raise SettingError(name, text, expected)


@dataclass(frozen=True)
class Document:
    """A claim with a passage that supports its true answer and contradicts the false one.

    Args:
        claim: the claim.
        passage: the text from which its question is to be answered.

    Raises:
        SettingError: the passage is empty or not in Unicode.

    >>> words = ("It is open until five.", "It is open until six.", "five", "six")
    >>> claim = Claim("kiosk", "Until when is the kiosk open?", *words, "hours")
    >>> Document(claim, "Kiosk: open from nine to five.").claim.lure
    'six'
    """

    claim: Claim
    passage: str

    def __post_init__(self) -> None:
        _check_text("passage", self.passage)


def _same(form: str) -> str:
    # Two aliases without a letter, such as flags, are the same only character by character.
    return plain(form) or form


def _check_text(name: str, text: object) -> None:
    if not _is_text(text):
        raise SettingError(name, text, "some text in Unicode, without space around it")


def _is_text(text: object) -> TypeGuard[str]:
    if not isinstance(text, str) or not text or text != text.strip():
        return False
    # A lone surrogate can be read from JSON but never be written again.
    return not any("\ud800" <= character <= "\udfff" for character in text)
