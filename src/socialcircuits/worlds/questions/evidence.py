"""What a seat sees of a question: the question itself."""

from __future__ import annotations

import io
import math
import re
from functools import cached_property
from typing import Any

from socialcircuits.errors import SettingError
from socialcircuits.seeds import Stream, digest
from socialcircuits.worlds._items import WHERE, ItemEvidence
from socialcircuits.worlds.questions.item import Question

_PNG = b"\x89PNG\r\n\x1a\n"
_HALF = 1 << 16


class QuestionEvidence(ItemEvidence):
    """A question as every seat that bears evidence sees it.

    Args:
        question: the question.

    Attributes:
        question: the question.
        id: of the question.
        truth: the reference answer.
        answers: the candidates among which simulated agents choose: the letters of a choice item,
            else the reference answer and the lures, sorted.
        lure: a plausible wrong answer: the first of the lures, of a choice item one that is drawn
            by its id; empty where the item has none.

    >>> from socialcircuits.worlds.questions import bundled
    >>> evidence = QuestionEvidence(bundled()[0])
    >>> evidence.answers, evidence.lure, evidence.log_belief()
    (('405', '504', '505', '506'), '405', (-2391, -3085, -202, -3085))
    """

    def __init__(self, question: Question) -> None:
        self.question = question
        self.id, self.truth = question.id, question.answer
        self.answers = tuple(question.options) or tuple(sorted((question.answer, *question.lures)))
        self.lure = _lure(question)

    @cached_property
    def key(self) -> bytes:
        """Digest of the id, the text and the picture as the file holds it."""
        asked = self.question
        return digest("question", asked.id, asked.question, asked.image or b"")

    def log_belief(self) -> tuple[int | None, ...]:
        """How much a simulated agent knows: log of the chance with which it names each candidate
        alone, in thousandths of a nat.

        It is a simulated difficulty, drawn by the id of the item, and no property of the question.
        Over items the chance of the right answer has the density 6 p (1 - p); four independent
        answers are then right one to three times for 5/7 of the items. The lure takes half of the
        rest, the other wrong candidates share the other half.
        """
        stream = Stream(digest("simulated difficulty", self.question.id), "chance")
        # The median of three uniform numbers has that density.
        knows = 2 * sorted(stream.below(_HALF) for _ in range(3))[1] + 1
        others = len(self.answers) - 2
        if others < 0:
            return (0,)
        rest = (2 * _HALF - knows) / (2 if others else 1)
        shares = {self.question.answer: knows, self.lure: rest}
        chances = [shares.get(name, rest / max(others, 1)) for name in self.answers]
        return tuple(round(1000 * math.log(chance / (2 * _HALF))) for chance in chances)

    def reasons(self) -> tuple[str, ...]:
        """One or two true statements about the question that favour no answer."""
        options = len(self.question.options)
        form = f"The question offers {options} options." if options else "The question is open."
        field = f"The field of the question is {self.question.category}."
        tells = any(
            re.search(rf"\b{re.escape(answer)}\b", field, re.IGNORECASE) for answer in self.answers
        )
        return (form, field) if self.question.category and not tells else (form,)

    def text(self) -> str:
        """The whole text as it is asked, the options of a choice item included."""
        return self.question.question

    def image(self) -> bytes | None:
        """The picture as a PNG file, whatever its form in the file; None where there is none.

        Raises:
            SettingError: the picture cannot be read.
        """
        return self._image

    @cached_property
    def _image(self) -> bytes | None:
        held = self.question.image
        if held is None:
            return None
        # Imported here, so that questions without pictures never pay for it.
        from PIL import Image, ImageOps

        written = io.BytesIO()
        try:
            with Image.open(io.BytesIO(held)) as picture:
                picture.load()
                if held.startswith(_PNG):
                    return held
                upright = ImageOps.exif_transpose(picture)
                mode = "RGBA" if upright.has_transparency_data else "RGB"
                upright.convert(mode).save(written, format="PNG")
        except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
            expected = f"a question whose picture can be read ({error})"
            raise SettingError(f"{WHERE}.file", self.question.id, expected) from error
        return written.getvalue()

    def digest(self) -> bytes:
        """Digest of all that a deal of the question can depend on."""
        asked = self.question
        options = (part for pair in asked.options.items() for part in pair)
        lists = (digest(*texts) for texts in (options, asked.aliases, asked.lures))
        texts = asked.id, asked.question, asked.answer, asked.kind, asked.category
        return digest(*texts, asked.image or b"", *lists)

    def facts(self) -> dict[str, Any]:
        """What grading needs, and where the question comes from."""
        asked = self.question
        return {
            "item": asked.id,
            "kind": asked.kind,
            "options": dict(asked.options),
            "aliases": list(asked.aliases),
            "category": asked.category,
            "shareable": asked.shareable,
            "source": asked.source,
        }


def _lure(question: Question) -> str:
    if question.kind == "choice" and question.lures:
        return Stream(digest("lure", question.id), "letter").choice(question.lures)
    return next(iter(question.lures), "")


__all__ = ["QuestionEvidence"]
