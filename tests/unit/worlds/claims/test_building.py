"""Counted steps and balanced, seeded drawing."""

from __future__ import annotations

from collections import Counter

import pytest

from socialcircuits.errors import SettingError
from socialcircuits.seeds import Stream
from socialcircuits.worlds.claims import Built, Claim
from socialcircuits.worlds.claims.building import Sieve, Source, Wanted, claim_of, draw
from socialcircuits.worlds.claims.rows import Row

Pair = tuple[str, str]
PAIRS: list[Pair] = [("Who?", "Ann"), ("Whó?", "ANN"), ("Where?", "Rome"), ("Where?", "Oslo")]


def question(pair: Pair) -> str:
    return pair[0]


def answer(pair: Pair) -> str:
    return pair[1]


def test_a_question_with_several_answers_goes_and_a_repeated_one_stays_once() -> None:
    sieve = Sieve(PAIRS)
    sieve.keep_single(question, answer, PAIRS)
    assert sieve.left == [("Who?", "Ann")]
    assert [(step.name, step.before, step.dropped, step.left) for step in sieve.steps] == [
        ("one answer", 4, 2, 2),
        ("once", 2, 1, 1),
    ]


def test_an_answer_that_was_dropped_before_still_counts() -> None:
    sieve = Sieve(PAIRS)
    sieve.keep("rome", "it is Oslo", lambda pair: pair[1] != "Oslo")
    sieve.keep_single(question, answer, PAIRS)
    assert sieve.left == [("Who?", "Ann")]


def test_a_sample_takes_each_relation_in_turn_and_keeps_the_order() -> None:
    rows = [(letter, number) for letter in "ab" for number in range(6)]
    drawn = []
    for seed in (1, 1, 2):
        sieve = Sieve(rows)
        sieve.sample(Wanted(seed, 7), "x", lambda row: row[0])
        drawn.append(sieve.left)
        assert Counter(row[0] for row in sieve.left) in ({"a": 4, "b": 3}, {"a": 3, "b": 4})
        assert sieve.left == sorted(sieve.left)
        assert sieve.steps[0][2:] == (12, 5)
    assert drawn[0] == drawn[1] != drawn[2]


def test_a_relation_that_is_used_up_leaves_its_turn_to_others() -> None:
    sieve = Sieve([("a", 1), *(("b", number) for number in range(9))])
    sieve.sample(Wanted(0, 8), "x", lambda row: row[0])
    assert Counter(row[0] for row in sieve.left) == {"a": 1, "b": 7}
    sieve.sample(Wanted(0, 8), "x", lambda row: row[0])
    assert len(sieve.steps) == 1


def test_a_draw_is_uniform_over_what_fits() -> None:
    stream = Stream(b"uniform", "x")
    counts = Counter(draw(stream, range(10), lambda n: n % 3 == 0) for _ in range(4000))
    assert set(counts) == {0, 3, 6, 9}
    assert all(900 < count < 1100 for count in counts.values())
    assert draw(stream, range(10), lambda n: n > 9) is None


def test_statements_read_well() -> None:
    row = Row("x.json", 3)
    fields = {"id": "i", "question": "Who?", "relation": "r", "source": "x"}
    sentence = "{subject} is of {answer}."
    claim = claim_of(row, sentence, "It", truth="Netherlands", lure="Warner Bros.", **fields)
    assert claim.truth_statement == "It is of the Netherlands."
    assert claim.false_statement == "It is of Warner Bros."
    assert claim_of(row, sentence, "It", truth="Why?", lure="Now!", **fields).false_statement == (
        "It is of Now!"
    )
    with pytest.raises(SettingError, match=r"x\.json: row 3: question: 'Who\?' is not allowed"):
        claim_of(row, sentence, "It", truth="Who", lure="Ann", **fields)


def test_two_items_of_one_id_are_refused() -> None:
    words = ("It is A1.", "It is B2.", "A1", "B2", "r")
    claims = tuple(Claim("same", text, *words, source="x.json") for text in ("Who?", "Where?"))
    with pytest.raises(SettingError, match=r"x\.json: id: 'same' .* it is that of 'Who\?' too"):
        Built(Source("x", ""), claims, (), (), Wanted())
