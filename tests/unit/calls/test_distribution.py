"""Answer distributions against a language model whose probabilities are known exactly."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socialcircuits.calls.distribution import (
    MOST_CALLS,
    TOLERANCE,
    AnswerDistribution,
    Complete,
    distribution,
    sampled,
)
from socialcircuits.errors import ModelError
from socialcircuits.models import Completion, Request, Token

OPENING = '{"country": "'
ASK = Request((), 60, temperature=0.2, schema={"type": "object"}, top_logprobs=1000)
AFRICA = {"Niger": 0.2, "Nigeria": 0.4, "Chad": 0.3, "Cote d'Ivoire": 0.1}

Tokenizer = Callable[[str], str]
"""text -> its first token."""


def by_letter(text: str) -> str:
    return text[0]


def whole(text: str) -> str:
    return text


def by_vocabulary(*words: str) -> Tokenizer:
    """The longest word that the text begins with, else its first letter."""
    return lambda text: max((w for w in words if text.startswith(w)), key=len, default=text[0])


class Language:
    """Writes one of the answers, each with its probability, and now and then something else."""

    def __init__(
        self,
        answers: dict[str, float],
        first: Tokenizer,
        noise: float = 0.0,
        blank: float = 0.0,
        end: str = "}",
    ) -> None:
        self.texts = {json.dumps(a, ensure_ascii=False)[1:] + end: p for a, p in answers.items()}
        self.first, self.noise, self.blank, self.end = first, noise, blank, end
        self.requests: list[Request] = []

    def places(self, text: str) -> set[str]:
        """What has been written of a text before each of its tokens."""
        found = [""]
        while len(found[-1]) < len(text):
            rest = text[len(found[-1]) :]
            found.append(found[-1] + self.first(rest))
        return set(found)

    async def complete(self, request: Request) -> Completion:
        self.requests.append(request)
        typed = request.prefill.removeprefix(OPENING)
        start = typed.lstrip(" ")
        going = {t: p for t, p in self.texts.items() if start in self.places(t)}
        total = sum(going.values())
        top: dict[str, float] = {}
        for text, p in going.items():
            token = self.first(text[len(start) :])
            share = p / total * (1 - self.noise)
            if not typed and self.blank:
                spaced = " " + token
                top[spaced] = top.get(spaced, 0.0) + share * self.blank
                share *= 1 - self.blank
            top[token] = top.get(token, 0.0) + share
        logs = {token: math.log(p) for token, p in top.items()}
        if self.noise:
            logs["###"] = math.log(self.noise)
        return Completion("x", cached_tokens=7, tokens=(Token("x", logs),))


def read_off(language: Language, answers: Sequence[str]) -> AnswerDistribution:
    closing = '"' + language.end
    return asyncio.run(distribution(language.complete, ASK, OPENING, answers, closing))


@pytest.mark.parametrize(
    ("first", "calls"),
    [
        (whole, 1),
        (by_letter, 7),  # "", C, N, Ni, Nig, Nige, Niger
        (by_vocabulary("Niger", "Nigeria", "Cote", "Ch"), 2),  # "", Niger is not yet an answer
        (by_vocabulary('Niger"', "Nigeria", "C"), 2),
        (by_vocabulary("Niger", 'ia"}', '"}', "Chad", "Cote"), 2),
    ],
)
@pytest.mark.parametrize("end", ["}", " }", ', "reason": "', ""])
def test_any_tokenisation_gives_the_exact_probabilities(
    first: Tokenizer, calls: int, end: str
) -> None:
    found = read_off(Language(AFRICA, first, end=end), list(AFRICA))
    assert found.answers == tuple(AFRICA)
    assert found.probabilities == pytest.approx(tuple(AFRICA.values()))
    assert found.valid_mass == pytest.approx(1)
    assert found.unresolved == 0
    assert found.cached_tokens == 7 * found.calls
    assert found.calls <= calls


def test_what_is_asked() -> None:
    language = Language(AFRICA, by_vocabulary("Niger", "Nigeria", "Chad", "Cote"))
    found = read_off(language, list(AFRICA))
    assert [request.prefill for request in language.requests] == [OPENING, OPENING + "Niger"]
    for request in language.requests:
        assert (request.max_tokens, request.schema, request.top_logprobs) == (1, None, 1000)
    assert (found.method, found.normalisation) == ("tokens", "allowed tokens")
    assert (found.temperature, found.calls) == (1.0, 2)


def test_other_words_are_left_out_and_counted() -> None:
    found = read_off(Language(AFRICA, whole, noise=0.25), list(AFRICA))
    assert found.probabilities == pytest.approx(tuple(AFRICA.values()))
    assert found.valid_mass == pytest.approx(0.75)
    twice = read_off(Language({"ab": 0.5, "ac": 0.5}, by_letter, noise=0.1), ["ab", "ac"])
    assert twice.valid_mass == pytest.approx(0.9**2)


def test_blanks_before_an_answer_count() -> None:
    found = read_off(Language(AFRICA, whole, blank=0.3), list(AFRICA))
    assert found.probabilities == pytest.approx(tuple(AFRICA.values()))
    assert found.valid_mass == pytest.approx(1)


def test_an_answer_is_matched_as_json_writes_it() -> None:
    answers = {'the "Ark"': 0.6, "the \\ark": 0.3, "Åland": 0.1}
    found = read_off(Language(answers, by_letter), list(answers))
    assert found.probabilities == pytest.approx((0.6, 0.3, 0.1))


def test_what_follows_the_answer_tells_it_from_one_that_goes_on() -> None:
    """With a schema of one key, what begins a second key is not allowed."""

    async def complete(request: Request) -> Completion:
        top = {'Niger",': 0.5, 'Niger"}': 0.125, 'Niger"': 0.1, 'Niger" }': 0.025, "Nigeria": 0.25}
        logs = {token: math.log(p) for token, p in top.items()}
        return Completion("x", tokens=(Token("x", logs),))

    answers = ["Niger", "Nigeria"]
    alone = asyncio.run(distribution(complete, ASK, OPENING, answers))
    assert alone.probabilities == pytest.approx((0.5, 0.5))
    assert alone.valid_mass == pytest.approx(0.5)
    first = asyncio.run(distribution(complete, ASK, OPENING, answers, '", "reason": "'))
    assert first.probabilities == pytest.approx((0.6 / 0.85, 0.25 / 0.85))


def test_a_small_prefix_is_not_read_and_shared_evenly() -> None:
    answers = {"Peru": 0.999, "Chad": 0.0008, "Cuba": 0.0002}
    found = read_off(Language(answers, by_letter), list(answers))
    assert found.calls == 1
    assert found.unresolved == pytest.approx(0.001)
    assert found.probabilities == pytest.approx((0.999, 0.0005, 0.0005))


def test_a_dead_end_is_shared_and_does_not_loop() -> None:
    async def complete(request: Request) -> Completion:
        at_start = request.prefill == OPENING
        top = {"C": math.log(0.5), "P": math.log(0.5)} if at_start else {"###": -0.1}
        return Completion("x", tokens=(Token("x", top),))

    found = asyncio.run(distribution(complete, ASK, OPENING, ["Chad", "Cuba", "Peru"]))
    assert found.probabilities == pytest.approx((0.25, 0.25, 0.5))
    assert found.calls == 2
    assert found.unresolved == pytest.approx(0.5)


def test_another_temperature_takes_no_call() -> None:
    language = Language({"Peru": 0.8, "Chad": 0.2}, whole)
    found = read_off(language, ["Peru", "Chad"])
    cold = found.at(0.5)
    assert cold.probabilities == pytest.approx((0.64 / 0.68, 0.04 / 0.68))
    assert (cold.temperature, cold.calls, len(language.requests)) == (0.5, 1, 1)
    assert found.at(1e6).probabilities == pytest.approx((0.5, 0.5), abs=1e-4)
    assert found.at(0.01).probabilities == pytest.approx((1, 0))
    assert cold.at(1.0) == found


def test_temperature_acts_in_each_place_as_it_does_in_sampling() -> None:
    found = read_off(Language({"ab": 0.4, "ac": 0.2, "b": 0.4}, by_letter), ["ab", "ac", "b"])
    first = 0.6**2 / (0.6**2 + 0.4**2)
    second = (2 / 3) ** 2 / ((2 / 3) ** 2 + (1 / 3) ** 2)
    cold = found.at(0.5).probabilities
    assert cold == pytest.approx((first * second, first * (1 - second), 1 - first))


names = st.text("abN c", min_size=1, max_size=6).filter(lambda name: name == name.strip())


@st.composite
def languages(draw: st.DrawFn) -> tuple[Language, dict[str, float]]:
    weights = draw(st.dictionaries(names, st.integers(1, 100), min_size=1, max_size=8))
    total = sum(weights.values())
    answers = {name: weight / total for name, weight in weights.items()}
    words = draw(st.lists(st.text('abN c"}', min_size=1, max_size=4), max_size=8))
    noise, blank = draw(st.sampled_from([(0.0, 0.0), (0.3, 0.0), (0.0, 0.5), (0.1, 0.2)]))
    return Language(answers, by_vocabulary(*words), noise, blank), answers


@given(languages(), st.floats(0.05, 5))
def test_any_language(case: tuple[Language, dict[str, float]], t: float) -> None:
    language, answers = case
    found = read_off(language, list(answers))
    assert found.calls <= MOST_CALLS
    assert 0 <= found.valid_mass <= 1
    for p, true in zip(found.probabilities, answers.values(), strict=True):
        assert abs(p - true) <= found.unresolved + 1e-9
    if language.blank == 0:
        assert found.unresolved <= TOLERANCE
    assert sum(found.probabilities) == pytest.approx(1)
    assert sum(found.at(t).probabilities) == pytest.approx(1)


@given(languages())
def test_the_order_of_the_options_does_not_matter_to_a_model_that_ignores_it(
    case: tuple[Language, dict[str, float]],
) -> None:
    language, answers = case
    forth = read_off(language, list(answers))
    back = read_off(language, list(reversed(answers)))
    assert back.answers == forth.answers[::-1]
    assert back.probabilities == pytest.approx(forth.probabilities[::-1])


@pytest.mark.parametrize(
    "completion", [Completion("Peru"), Completion("", fault="no choices")], ids=["none", "fault"]
)
def test_no_token_probabilities(completion: Completion) -> None:
    async def complete(request: Request) -> Completion:
        return completion

    with pytest.raises(ModelError, match="token probabilities cannot be read"):
        asyncio.run(distribution(complete, ASK, OPENING, ["Peru"]))


def test_no_allowed_answer_among_the_alternatives() -> None:
    with pytest.raises(ModelError, match="none of the likeliest tokens"):
        read_off(Language({"Mars": 1.0}, whole), ["Peru", "Chad"])


@pytest.mark.parametrize(
    ("opening", "answers", "closing"),
    [("{", ["a"], '"}'), (OPENING, ["a"], "}"), (OPENING, [], '"}'), (OPENING, ["a", "a"], '"}')],
)
def test_misuse(opening: str, answers: list[str], closing: str) -> None:
    ask = Language({"a": 1.0}, whole).complete
    with pytest.raises(ValueError, match=r"opening|answers"):
        asyncio.run(distribution(ask, ASK, opening, answers, closing))
    found = read_off(Language({"a": 1.0}, whole), ["a"])
    with pytest.raises(ValueError, match="above 0"):
        found.at(0)


def replies(*texts: str) -> Complete:
    waiting = list(texts)

    async def complete(request: Request) -> Completion:
        return Completion(waiting.pop(0), cached_tokens=3)

    return complete


def count(texts: Sequence[str], temperatures: Sequence[float | None]) -> AnswerDistribution:
    requests = [Request((), 9, t, seed=i) for i, t in enumerate(temperatures)]
    return asyncio.run(
        sampled(
            replies(*texts),
            requests,
            lambda completion: completion.text or None,
            ["Peru", "Chad"],
        )
    )


def test_samples_are_counted() -> None:
    found = count(["Peru", "Chad", "", "Peru", "Mars"], [0.7] * 5)
    assert found.probabilities == pytest.approx((2 / 3, 1 / 3))
    assert found.valid_mass == pytest.approx(3 / 5)
    assert (found.method, found.normalisation) == ("samples", "valid samples")
    assert (found.temperature, found.calls, found.cached_tokens) == (0.7, 5, 15)
    with pytest.raises(ValueError, match="samples"):
        found.at(1.0)


def test_samples_that_say_nothing() -> None:
    with pytest.raises(ModelError, match="none of 2 samples"):
        count(["Mars", ""], [1.0, 1.0])
    with pytest.raises(ValueError, match="one temperature"):
        count(["Peru", "Chad"], [1.0, 0.5])
    with pytest.raises(ValueError, match="at least one"):
        count([], [])
