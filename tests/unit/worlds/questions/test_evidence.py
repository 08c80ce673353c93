from __future__ import annotations

import io
import math
from collections.abc import Callable
from typing import Any

import pytest
from PIL import Image

from socialcircuits.errors import SettingError
from socialcircuits.worlds.questions import Question, QuestionEvidence, bundled


def asked(name: str = "sum", **change: Any) -> Question:
    whole = {"question": "What is 2 + 2?", "answer": "4", "kind": "exact", "lures": ("5", "3")}
    return Question(name, **{**whole, **change})


def picture(form: str, mode: str = "RGB", **options: Any) -> bytes:
    file = io.BytesIO()
    Image.new(mode, (4, 2), "#ff000010" if mode == "RGBA" else "red").save(
        file, format=form, **options
    )
    return file.getvalue()


def chance(question: Question) -> float:
    """How probable it is that a simulated agent names the right answer alone."""
    evidence = QuestionEvidence(question)
    beliefs = dict(zip(evidence.answers, evidence.log_belief(), strict=True))
    weights = {name: math.exp((belief or 0) / 1000) for name, belief in beliefs.items()}
    assert math.isclose(sum(weights.values()), 1, abs_tol=0.005)
    return weights[question.answer]


def test_candidates_are_sorted_and_do_not_tell_the_truth_by_their_place() -> None:
    places = {
        QuestionEvidence(question).answers.index(question.answer)
        for question in bundled()
        if question.kind == "exact"
    }
    assert places == {0, 1, 2, 3}
    assert QuestionEvidence(asked()).answers == ("3", "4", "5")


def test_the_lure_of_a_choice_is_drawn_by_the_item_and_wrong() -> None:
    choices = [question for question in bundled() if question.kind == "choice"]
    lures = [QuestionEvidence(question).lure for question in choices]
    assert len(set(lures)) > 1
    firsts = 0
    for question, lure in zip(choices, lures, strict=True):
        assert lure in question.lures
        assert lure == QuestionEvidence(question).lure
        firsts += lure == question.lures[0]
    assert 0 < firsts < len(choices)
    assert QuestionEvidence(asked()).lure == "5"


def test_simulated_difficulty_is_spread_over_items() -> None:
    chances = [chance(asked(f"item-{number}")) for number in range(2000)]
    middle = sum(0.15 < p < 0.85 for p in chances) / len(chances)
    kept = sum(1 - p**4 - (1 - p) ** 4 for p in chances) / len(chances)
    # Beta(2, 2): 0.8785 of its mass there, and 5/7 of mixed outcomes; the bounds are 4 sigma.
    assert middle == pytest.approx(0.8785, abs=0.03)
    assert kept == pytest.approx(5 / 7, abs=0.02)
    assert min(chances) < 0.05
    assert max(chances) > 0.95


def test_the_bundled_questions_leave_most_for_a_study() -> None:
    kept = [1 - p**4 - (1 - p) ** 4 for p in map(chance, bundled())]
    assert 0.60 < sum(kept) / len(kept) < 0.75


def test_belief_depends_on_the_id_alone_and_the_lure_takes_half_of_the_rest() -> None:
    one = QuestionEvidence(asked(question="Something else?")).log_belief()
    assert one == QuestionEvidence(asked()).log_belief()
    assert one != QuestionEvidence(asked("other")).log_belief()
    four = QuestionEvidence(asked(lures=("5", "3", "6", "7")))
    belief = dict(zip(four.answers, four.log_belief(), strict=True))
    assert belief["3"] == belief["6"] == belief["7"]
    assert belief["5"] == pytest.approx((belief["3"] or 0) + 1000 * math.log(3), abs=1)
    two = QuestionEvidence(asked(lures=("5",)))
    assert sum(math.exp((b or 0) / 1000) for b in two.log_belief()) == pytest.approx(1, abs=0.002)


def test_an_item_without_a_lure_has_its_truth_alone() -> None:
    evidence = QuestionEvidence(asked(lures=()))
    assert (evidence.answers, evidence.lure, evidence.log_belief()) == (("4",), "", (0,))


def test_reasons_are_about_the_question_and_name_no_candidate() -> None:
    assert QuestionEvidence(asked(category="sums")).reasons() == (
        "The question is open.",
        "The field of the question is sums.",
    )
    assert QuestionEvidence(asked(category="Group 4")).reasons() == ("The question is open.",)
    assert len(QuestionEvidence(asked()).reasons()) == 1
    choice = next(question for question in bundled() if question.kind == "choice")
    assert QuestionEvidence(choice).reasons()[0] == "The question offers 4 options."


def test_the_key_is_of_id_text_and_picture() -> None:
    keys = [
        QuestionEvidence(question).key
        for question in (
            asked(),
            asked("other"),
            asked(question="What is 1 + 3?"),
            asked(image=picture("PNG")),
            asked(image=picture("JPEG")),
        )
    ]
    assert len(set(keys)) == 5
    assert QuestionEvidence(asked(answer="6", category="x")).key == keys[0]


def test_a_png_stays_as_it_is() -> None:
    held = picture("PNG")
    assert QuestionEvidence(asked(image=held)).image() == held
    assert QuestionEvidence(asked()).image() is None


@pytest.mark.parametrize(
    ("held", "mode", "size"),
    [
        (picture("JPEG"), "RGB", (4, 2)),
        (picture("JPEG", "CMYK"), "RGB", (4, 2)),
        (picture("GIF", "P"), "RGB", (4, 2)),
        (picture("WEBP", "RGBA"), "RGBA", (4, 2)),
        (picture("JPEG", exif=Image.Exif()), "RGB", (4, 2)),
    ],
    ids=["jpeg", "cmyk", "gif", "webp", "exif"],
)
def test_other_pictures_become_png(held: bytes, mode: str, size: tuple[int, int]) -> None:
    made = QuestionEvidence(asked(image=held)).image()
    assert made is not None
    with Image.open(io.BytesIO(made)) as image:
        assert (image.format, image.mode, image.size) == ("PNG", mode, size)


def test_a_turned_photograph_is_set_upright() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # turned by a quarter
    made = QuestionEvidence(asked(image=picture("JPEG", exif=exif))).image()
    assert made is not None
    with Image.open(io.BytesIO(made)) as image:
        assert image.size == (2, 4)


@pytest.mark.parametrize(
    "held", [b"no picture", picture("PNG")[:40], picture("JPEG")[:200]], ids=["text", "png", "jpeg"]
)
def test_a_damaged_picture_is_refused_by_the_name_of_its_question(held: bytes) -> None:
    evidence: Callable[[], bytes | None] = QuestionEvidence(asked(image=held)).image
    with pytest.raises(SettingError, match=r"\$\.world\.file: 'sum' is not allowed; .* picture"):
        evidence()
