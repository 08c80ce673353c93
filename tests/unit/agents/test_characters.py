"""What simulated characters make of what they see and hear. Traits are pinned: calibration of the
defaults changes nothing here."""

from __future__ import annotations

import json
import math
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from socialcircuits.agents import CHARACTERS, LABEL, Character, Recorded, Traits, load
from socialcircuits.agents.hearing import ATTENTION, Hearing
from socialcircuits.agents.simulated import UNREADABLE
from socialcircuits.errors import ReplayError, SettingError
from socialcircuits.graph import Brief, Entry, Heard, Observation, Reply
from socialcircuits.seeds import digest
from socialcircuits.testing import check_agent
from tests.support.clock import timed
from tests.support.trials import ANSWERS, Hint

PLAIN = Traits(error=-5000, salience=0, reading=0, unclear=0, social=700, own=300, temperature=100)
NAMES = ("literal", "compatibility", "sycophantic")
MESSAGES = st.lists(st.sampled_from([*ANSWERS, None]), max_size=12)


def character(name: str, **traits: int) -> Hearing:
    mind = CHARACTERS[name](replace(PLAIN, **traits))
    assert isinstance(mind, Hearing)
    return mind


def observed(
    *others: str | None,
    own: tuple[str | None, ...] = (),
    possible: tuple[int, ...] | None = (0, 3),
    uptake: int | None = None,
    with_reason: bool = False,
    answers: tuple[str, ...] = ANSWERS,
) -> Observation:
    """What one sees whose evidence leaves these answers and who heard these."""
    entries = [(False, answer) for answer in others] + [(True, answer) for answer in own]
    heard = tuple(
        Entry(i, mine, Reply(str(answer), answer, valid=answer is not None))
        for i, (mine, answer) in enumerate(entries)
    )
    return Observation(
        frame=digest("frame"),
        purpose="message",
        variant="",
        brief=Brief(uptake=uptake),
        with_reason=with_reason,
        answers=answers,
        evidence=None if possible is None else Hint("seen", possible),
        heard=(Heard("memory", heard),) if heard else (),
    )


def answers_of(mind: Character, observation: Observation, draws: int) -> list[str | None]:
    return [mind.answer(observation, digest("draw", i)).answer for i in range(draws)]


def gains(mind: Hearing, observation: Observation) -> dict[str, int]:
    """Log-weight that what was heard adds to each answer, where it adds any."""
    before = mind.weigh(observation._replace(heard=()))
    after = mind.weigh(observation)
    return {a: after[a] - before[a] for a in ANSWERS if after[a] != before[a]}


@pytest.mark.parametrize("name", CHARACTERS)
def test_it_keeps_the_rules_of_the_house(name: str) -> None:
    check_agent(load(f"simulated/{name}"))
    assert load(f"simulated/{name}").id.startswith(f"simulated/{name}(")
    assert "simulated" in LABEL
    assert "not a finding" in LABEL


@pytest.mark.parametrize("name", NAMES)
def test_without_social_input_it_samples_the_posterior(name: str) -> None:
    weights = character(name).weigh(observed())
    assert weights == {"Chad": 0, "France": -5000, "Mali": -5000, "Peru": 0, "Yemen": -5000}
    n = 5000
    counts = Counter(answers_of(character(name), observed(), n))
    total = sum(math.exp(weight / 1000) for weight in weights.values())
    expected = [n * math.exp(weight / 1000) / total for weight in weights.values()]
    observed_counts = [counts[answer] for answer in weights]
    assert stats.chisquare(observed_counts, expected).pvalue > 1e-3


@pytest.mark.parametrize("name", NAMES)
def test_a_heard_invalid_reply_says_nothing(name: str) -> None:
    mind = character(name)
    assert mind.weigh(observed(None, None)) == mind.weigh(observed())


def test_the_literal_character_adds_each_heard_answer() -> None:
    mind = character("literal")
    assert gains(mind, observed("Peru")) == {"Peru": 700}
    assert gains(mind, observed("Peru", "Mali", "Mali")) == {"Peru": 700, "Mali": 1400}


def test_the_compatibility_character_lets_its_evidence_judge() -> None:
    mind = character("compatibility")
    assert gains(mind, observed("Peru")) == {"Peru": 700}
    # Mali does not fit: its weight goes to what does, half to Chad and half to Peru.
    assert gains(mind, observed("Mali")) == {"Chad": 350, "Peru": 350}
    assert gains(mind, observed("Peru", "Mali")) == {"Chad": 350, "Peru": 1050}
    assert gains(mind, observed("Mali", possible=None)) == {"Mali": 700}


def test_the_sycophantic_character_counts_the_loudest_twice() -> None:
    mind = character("sycophantic")
    assert gains(mind, observed("Mali", "Mali", "Peru")) == {"Mali": 2800, "Peru": 700}
    assert gains(mind, observed("Peru", "Mali")) == {"Mali": 1400, "Peru": 700}


def test_characters_differ_where_what_is_heard_does_not_fit() -> None:
    observation = observed("Mali", "Mali", "Mali", "Mali")
    shares = {
        name: answers_of(character(name, social=1200), observation, 2000).count("Mali") / 2000
        for name in NAMES
    }
    assert shares["compatibility"] < 0.05 < shares["literal"] < shares["sycophantic"]


@given(st.sampled_from(NAMES), MESSAGES)
def test_what_is_heard_never_lowers_a_weight_and_the_order_does_not_matter(
    name: str, heard: list[str | None]
) -> None:
    mind = character(name)
    assert all(gain >= 0 for gain in gains(mind, observed(*heard)).values())
    assert mind.weigh(observed(*heard)) == mind.weigh(observed(*reversed(heard)))


def chance(mind: Hearing, observation: Observation, answer: str) -> float:
    """Exact probability of an answer, up to rounding."""
    weights = mind.weigh(observation)
    total = sum(math.exp(weight / 1000) for weight in weights.values())
    return math.exp(weights[answer] / 1000) / total


@pytest.mark.parametrize("name", NAMES)
def test_uptake_is_monotone_from_deaf_to_twice_the_default(name: str) -> None:
    mind = character(name)
    chances = [
        chance(mind, observed("Peru", "Peru", "Chad", uptake=uptake), "Peru")
        for uptake in range(0, 1001, 50)
    ]
    assert all(a <= b for a, b in pairwise(chances))
    assert chances[0] == chance(mind, observed(), "Peru") < chances[10] < chances[-1]
    assert chance(mind, observed("Peru", "Peru", "Chad"), "Peru") == chances[10]
    assert gains(mind, observed("Peru", uptake=1000)) == {
        answer: 2 * gain for answer, gain in gains(mind, observed("Peru")).items()
    }


def test_more_than_eight_entries_share_the_weight_of_eight() -> None:
    mind = character("literal")
    assert ATTENTION == 8
    assert gains(mind, observed(*["Peru"] * 8)) == {"Peru": 5600}
    assert gains(mind, observed(*["Peru"] * 80)) == {"Peru": 5600}
    crowd = gains(mind, observed(*["Peru"] * 40, *["Mali"] * 40))
    assert crowd == {"Peru": 2800, "Mali": 2800}


@pytest.mark.parametrize("name", NAMES)
def test_own_decisions_count_by_themselves(name: str) -> None:
    mind = character(name)
    assert gains(mind, observed(own=("Mali", "Mali"))) == {"Mali": 600}
    assert gains(mind, observed(own=("Mali",) * 20)) == {"Mali": 2400}
    assert gains(mind, observed(own=("Mali",), uptake=0)) == {"Mali": 300}


@pytest.mark.parametrize("name", NAMES)
def test_who_sees_and_hears_nothing_knows_nothing(name: str) -> None:
    weights = character(name, salience=2000, reading=3000).weigh(observed(possible=None))
    assert weights == dict.fromkeys(ANSWERS, 0)


@pytest.mark.parametrize("name", NAMES)
def test_only_allowed_answers_are_given(name: str) -> None:
    two = ("Yemen", "Mali")
    observation = observed("Peru", answers=two)
    assert set(answers_of(character(name), observation, 300)) == set(two)


@pytest.mark.parametrize("name", NAMES)
def test_the_order_in_which_answers_are_told_does_not_matter(name: str) -> None:
    mind, turned = character(name), ANSWERS[::-1]
    told = [answers_of(mind, observed("Mali", answers=order), 200) for order in (ANSWERS, turned)]
    assert told[0] == told[1]


def test_salience_is_one_order_for_all_agents() -> None:
    mind = character("literal", salience=1000)
    everything = tuple(range(len(ANSWERS)))
    views = [
        mind.weigh(observed(possible=everything)._replace(evidence=Hint(token, everything)))
        for token in ("one", "other")
    ]
    assert views[0] == views[1]
    assert sorted(views[0].values(), reverse=True) == [0, -693, -1099, -1386, -1609]


def test_misreading_depends_on_what_is_seen_alone() -> None:
    mind, other = character("literal", reading=2000), character("sycophantic", reading=2000)
    assert mind.weigh(observed()) == other.weigh(observed())
    elsewhere = observed()._replace(evidence=Hint("elsewhere", (0, 3)))
    assert mind.weigh(observed()) != mind.weigh(elsewhere)
    plain = character("literal").weigh(observed())
    moved = [mind.weigh(observed())[answer] - plain[answer] for answer in ANSWERS]
    assert max(moved) - min(moved) <= 2000


def test_an_unclear_view_says_less() -> None:
    clear, blurred = (character("literal", unclear=share).weigh(observed()) for share in (0, 1000))
    assert blurred == {answer: weight // 8 for answer, weight in clear.items()}
    views = [Hint(str(number), (0, 3)) for number in range(2000)]
    mind = character("literal", unclear=250)
    dim = sum(mind.weigh(observed()._replace(evidence=view))["Mali"] > -5000 for view in views)
    assert 440 < dim < 560


def test_the_temperature_sharpens() -> None:
    observation = observed("Peru")
    shares = [
        answers_of(character("literal", temperature=t), observation, 1000).count("Peru")
        for t in (1000, 100, 15)
    ]
    assert shares[0] < shares[1] < shares[2] == pytest.approx(1000, abs=20)


@pytest.mark.parametrize("share", [0, 100, 500, 1000])
def test_the_share_of_unreadable_replies(share: int) -> None:
    mind = character("literal", invalid=share)
    replies = [mind.answer(observed(), digest("invalid", i)) for i in range(4000)]
    bad = sum(not reply.valid for reply in replies)
    assert abs(bad - 4 * share) < 120
    assert all(reply == UNREADABLE for reply in replies if not reply.valid)
    assert (UNREADABLE.answer, UNREADABLE.why) == (None, "no reply that can be read")


def test_valid_replies_do_not_depend_on_the_share_of_unreadable_ones() -> None:
    clean, noisy = character("literal"), character("literal", invalid=300)
    for i in range(300):
        reply = noisy.answer(observed("Mali"), digest("noise", i))
        assert not reply.valid or reply == clean.answer(observed("Mali"), digest("noise", i))


@pytest.mark.parametrize("name", NAMES)
def test_latency_changes_neither_name_nor_replies(name: str) -> None:
    now, late = character(name), character(name, latency=1500)
    assert (now.waits, late.waits) == (False, True)
    assert now.id == late.id
    assert "latency" not in late.id
    waited = []
    for i in range(50):
        draw = digest("late", i)
        reply, seconds = timed(late.ask(observed("Mali"), draw))
        assert reply == now.answer(observed("Mali"), draw)
        waited.append(seconds)
    assert all(0 <= seconds <= 3.0 for seconds in waited)
    assert 1.2 < sum(waited) / len(waited) < 1.8


def test_every_other_trait_is_part_of_the_name() -> None:
    names = {character("literal").id}
    for trait in ("error", "salience", "reading", "unclear", "social", "own", "temperature"):
        names.add(character("literal", **{trait: 17 if trait != "error" else -17}).id)
    assert len(names) == 8


def test_a_reply_is_json_with_a_reason_exactly_where_one_is_asked_for() -> None:
    mind = character("literal")
    label = mind.answer(observed(), digest("x"))
    assert json.loads(label.text) == {"answer": label.answer}
    assert label.reason == ""
    spoken = mind.answer(observed(with_reason=True), digest("x"))
    assert json.loads(spoken.text) == {"answer": spoken.answer, "reason": spoken.reason}
    assert spoken.answer == label.answer


def test_reasons_are_true_of_the_evidence_or_point_to_what_was_heard() -> None:
    observation = observed(*["Mali"] * 6, with_reason=True)
    reasons = {
        reply.answer: reply.reason
        for reply in (character("literal").answer(observation, digest("r", i)) for i in range(300))
    }
    assert reasons["Mali"] == "What I heard speaks for Mali."
    assert reasons["Peru"] == reasons["Chad"] == "My evidence is seen."


def test_an_answer_that_is_no_candidate_says_nothing() -> None:
    mind = character("literal")
    assert mind.weigh(observed("Paris, France", own=("Peru?",))) == mind.weigh(observed())


def test_a_private_reflection_keeps_to_what_was_said_or_credits_what_was_read() -> None:
    mind = character("literal", social=4000)
    seen = observed(*["Mali"] * 8, own=("Peru",), with_reason=True)._replace(purpose="reflection")
    notes = {
        reply.answer: reply.reason
        for reply in (mind.answer(seen, digest("note", i)) for i in range(300))
    }
    assert notes["Mali"] == "The case that a colleague made for Mali is credible."
    calm = observed(own=("Peru",), with_reason=True)._replace(purpose="reflection")
    firm = mind.answer(calm, digest("note"))
    assert firm.reason == f"I keep to {firm.answer}, for nothing that I read speaks against it."


def test_models_are_named_by_character_and_traits() -> None:
    mind = load("simulated/literal?invalid=100&latency=5")
    assert isinstance(mind, Character)
    assert mind.traits == replace(CHARACTERS["literal"].defaults, invalid=100, latency=5)
    assert load("simulated/literal").id == load("simulated/literal?latency=9").id


@pytest.mark.parametrize(
    ("model", "words"),
    [
        ("gpt-4o", "expected one of simulated/literal, "),
        ("literal", "did you mean 'simulated/literal'?"),
        ("simulated/litral", "did you mean 'literal'?"),
        ("simulated/", "expected a character: literal, "),
        ("simulated/literal?socal=3", "did you mean 'social'?"),
        ("simulated/literal?caution=3", "'caution' is not allowed"),
        ("simulated/open?caution=1001", "expected an integer from 0 to 1000"),
        ("simulated/literal?invalid=1001", "$.models.A?invalid: '1001' is not allowed"),
        ("simulated/literal?invalid=-1", "expected an integer from 0 to 1000"),
        ("simulated/literal?error=0", "expected an integer from -28000 to -1"),
        ("simulated/literal?temperature=0", "expected an integer from 1 to 1000"),
        ("simulated/literal?own=", "'' is not allowed; expected an integer"),
        ("simulated/literal?own=1.5", "'1.5' is not allowed; expected an integer"),
    ],
)
def test_a_model_that_is_not_allowed_is_one_clear_error(model: str, words: str) -> None:
    with pytest.raises(SettingError) as caught:
        load(model, "$.models.A")
    assert words in str(caught.value)


def test_a_recorded_mind_has_the_name_and_digests_of_the_original_and_never_replies() -> None:
    original = character("literal", latency=100)
    mind = Recorded(original)
    assert (mind.id, mind.waits) == (original.id, False)
    assert mind.digest(observed("Peru")) == original.digest(observed("Peru"))
    with pytest.raises(ReplayError, match="holds no reply of simulated/literal"):
        mind.answer(observed(), digest("x"))
    with pytest.raises(ReplayError, match="to this message"):
        timed(mind.ask(observed(), digest("x")))
