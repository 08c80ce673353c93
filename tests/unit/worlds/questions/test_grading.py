"""What the pre-grader says and why; the table of pairs is in tests/validation."""

from __future__ import annotations

import pytest

from socialcircuits.worlds.questions.grading import LONGEST_ANSWER, Verdict, settle

CITIES = {"A": "London", "B": "Paris", "C": "Rome"}


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("(b)", Verdict(True, "B", "the same option")),
        ("Rome.", Verdict(False, "C", "another option")),
        ("B. Rome", Verdict(False, "B. Rome", "the letter contradicts the text")),
        ("A or B", Verdict(False, "A or B", "several options")),
        ("Not B", Verdict(False, "Not B", "denies the right answer")),
        ("Idk.", Verdict(False, "", "no answer")),
        ("Paris, Texas", Verdict(None, "Paris, Texas", "no single option")),
        ("It is\nB", Verdict(None, "", "prose")),
        ("B\u200b", Verdict(None, "", "invisible characters")),
    ],
)
def test_reasons_with_options(answer: str, verdict: Verdict) -> None:
    assert settle(answer, "B", options=CITIES) == verdict


@pytest.mark.parametrize(
    ("answer", "reference", "verdict"),
    [
        ("**Paris**", "paris", Verdict(True, "Paris", "the same text")),
        ("The answer is 43.", "42", Verdict(False, "43", "the number")),
        ("1/1/1999", "2 Jan 1999", Verdict(False, "1/1/1999", "the date")),
        ("5 or 6", "5", Verdict(False, "5 or 6", "several numbers")),
        ("no", "Yes", Verdict(False, "no", "yes or no")),
        ("C", "D", Verdict(False, "C", "the letter")),
        ("none", "0", Verdict(None, "none", "it may be no answer, or the answer")),
        ("Lyon", "Paris", Verdict(None, "Lyon", "neither surely right nor surely wrong")),
    ],
)
def test_reasons_without_options(answer: str, reference: str, verdict: Verdict) -> None:
    assert settle(answer, reference) == verdict


def test_an_empty_reference_settles_nothing() -> None:
    assert settle("", " ").right is None
    assert settle("Paris", "Paris", aliases=["."]).right is None


def test_a_reference_that_is_no_option_settles_nothing() -> None:
    assert settle("A", "D", options=CITIES).right is None
    assert settle("Oslo", "Oslo", options=CITIES).right is None


def test_options_that_say_the_same_are_not_told_apart() -> None:
    same = {"A": "1/2", "B": "0.5", "C": "2"}
    assert settle("A", "B", options=same).right is None
    assert settle("C", "B", options=same).right is False


def test_only_the_last_line_may_hold_the_answer() -> None:
    assert settle("It is long.\nSo the answer is Paris.", "Paris").right is True
    assert settle("Answer: Paris\nIt is long.", "Paris").right is None
    assert settle("Answer: Lyon\nAnswer: Paris", "Paris").right is None


def test_one_alias_suffices_and_all_must_differ() -> None:
    assert settle("twelve", "a dozen", aliases=["12"]).right is True
    assert settle("13", "a dozen", aliases=["12"]).right is None
    assert settle("13", "12", aliases=["twelve"]).right is False


def test_an_alias_that_adds_a_unit_is_no_other_answer() -> None:
    assert settle("16", "17", aliases=["17 minutes"]).right is False
    assert settle("60 kg", "45 kg", aliases=["45"]).right is False
    assert settle("16", "17", aliases=["16 minutes"]).right is None
    assert settle("16", "1", aliases=["16 minutes"]).right is None
    assert settle("5000000", "5", aliases=["5 million"]).right is None
    assert settle("4", "3", aliases=["3 or 4"]).right is None
    assert settle("17 hours", "17", aliases=["17 minutes"]).right is None


@pytest.mark.parametrize(
    "answer",
    [
        "a" * 10**6,
        "**" * 10**5,
        ". " * 10**5,
        '"' * 10**5,
        "\\text{" * 10**5,
        "\\boxed{" * 10**5,
        "5 or " * 10**5,
        "9" * 10**5,
        "((((" * 100,
        "A, " * 130,
        "\n".join("x" for _ in range(10**4)),
    ],
    ids=lambda text: text[:8],
)
def test_long_and_hostile_answers_are_left_to_a_judge(answer: str) -> None:
    assert settle(answer, "B", options=CITIES).right is None
    assert settle(answer[:LONGEST_ANSWER], "5").right is not True
