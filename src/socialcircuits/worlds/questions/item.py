"""One question with its reference answer, and what makes a question usable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeGuard, get_args

from socialcircuits.errors import SettingError
from socialcircuits.worlds.questions.grading import settle
from socialcircuits.worlds.questions.grading_text import tidy

Kind = Literal["exact", "choice"]

_UNLIKE = {
    "aliases": "another form than the answer itself",
    "lures": "a wrong answer; it is a right one",
}


class Ambiguous(SettingError):
    """A question of which an answer would be right and wrong: two options say the same, or a wrong
    answer is a right one by the rules of grading."""


class Canary:
    """The string by which a gated benchmark finds its leaked items; it can be sought, never read.

    It has no text form, so whatever writes a question, by ``repr``, ``asdict`` or JSON, either
    leaves it out or fails.

    >>> canary = Canary("leak-4711")
    >>> canary, canary.found_in("a page with leak-4711 on it")
    (Canary(withheld), True)
    """

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return "Canary(withheld)"

    def found_in(self, text: str) -> bool:
        """Return whether a text holds the canary."""
        return self._text in text


@dataclass(frozen=True)
class Question:
    """A question and its reference answer.

    Args:
        id: name of the item, one line; the same in every run.
        question: the whole text as it is asked, the options of a choice item included.
        answer: the reference answer; of a choice item the letter of the right option.
        kind: ``exact`` (a short text or number) or ``choice`` (one of the options).
        options: letter from A to Z -> text, at least two; empty for an exact item.
        category: the field of knowledge as the file names it, in printable characters; empty if it
            names none.
        aliases: other accepted forms of the answer; of a choice item none.
        lures: plausible wrong answers, in the form of the answer; of a choice item letters.
        image: the encoded picture that belongs to the question (PNG, JPEG and so on), or None.
        shareable: whether the text may be published.
        source: name of the file and its format.
        canary: the benchmark's canary, or None.

    Raises:
        Ambiguous: two options have the same text, or `settle` takes a lure for right.
        SettingError: a value is not allowed; its path is the name of the field.

    >>> Question("sum", "What is 2 + 2?", "4", "exact", lures=("5",)).lures
    ('5',)
    >>> Question("sum", "What is 2 + 2?", "4", "exact", lures=("4",))
    Traceback (most recent call last):
    socialcircuits.errors.SettingError: lures: '4' is not allowed; expected a wrong answer; it is \
a right one
    """

    id: str
    question: str
    answer: str
    kind: Kind
    options: Mapping[str, str] = field(default_factory=dict, hash=False)
    category: str = ""
    aliases: tuple[str, ...] = ()
    lures: tuple[str, ...] = ()
    image: bytes | None = field(default=None, repr=False)
    shareable: bool = False
    source: str = ""
    canary: Canary | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        _check_text("id", self.id)
        for name in ("id", "category"):
            text = getattr(self, name)
            if not (isinstance(text, str) and text.isprintable()):
                raise SettingError(name, text, "a name on one line, in printable characters")
        if self.kind not in get_args(Kind):
            raise SettingError("kind", self.kind, " or ".join(get_args(Kind)), among=get_args(Kind))
        if self.kind == "choice":
            self._check_options()
        elif self.options:
            raise SettingError("options", dict(self.options), "none, for the kind is exact")
        _check_text("question", self.question)
        _check_text("answer", self.answer)
        self._check_other_answers()

    def _check_options(self) -> None:
        letters: dict[str, str] = {}
        for letter, text in self.options.items():
            if not (len(letter) == 1 and "A" <= letter <= "Z"):
                raise SettingError("options", letter, "a letter from A to Z")
            _check_text(f"options.{letter}", text)
            same = letters.setdefault(tidy(text), letter)
            if same != letter:
                raise Ambiguous(f"options.{letter}", text, f"another text than that of {same}")
        if len(self.options) < 2:
            raise SettingError("options", dict(self.options), "at least 2 options")
        if self.answer not in self.options:
            raise SettingError("answer", self.answer, _letters(self.options))

    def _check_other_answers(self) -> None:
        # Case is kept: as answers, 5 mW and 5 MW are not the same.
        for name, others in (("aliases", ()), ("lures", self.aliases)):
            texts = getattr(self, name)
            for place, text in enumerate(texts):
                _check_text(name, text)
                if text in texts[:place]:
                    raise SettingError(name, text, "every answer once")
                if text == self.answer or text in others:
                    raise SettingError(name, text, _UNLIKE[name])
                if self.options and text not in self.options:
                    raise SettingError(name, text, _letters(self.options))
        if self.kind == "exact":
            for text in self.lures:
                if settle(text, self.answer, aliases=self.aliases).right:
                    raise Ambiguous("lures", text, "a wrong answer; it is graded as a right one")


def _letters(options: Mapping[str, str]) -> str:
    return "the letter of an option (" + ", ".join(options) + ")"


def _check_text(name: str, text: object) -> None:
    if not _is_text(text):
        raise SettingError(name, text, "some text in Unicode, without space around it")


def _is_text(text: object) -> TypeGuard[str]:
    if not isinstance(text, str) or not text or text != text.strip():
        return False
    # A lone surrogate can be read from JSON but never be written again.
    return not any("\ud800" <= character <= "\udfff" for character in text)


__all__ = ["Ambiguous", "Canary", "Kind", "Question"]
