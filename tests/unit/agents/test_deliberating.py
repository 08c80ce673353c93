"""How a character that deliberates is won over. Traits are pinned: calibration of the defaults
changes nothing here."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

import pytest

from socialcircuits.agents import CHARACTERS, load
from socialcircuits.agents.deliberating import SCALE, Deliberating, Deliberation
from socialcircuits.agents.said import say, sentences
from socialcircuits.graph import Brief, Entry, Heard, Observation, Reply
from socialcircuits.seeds import digest
from socialcircuits.testing import check_agent
from tests.support.trials import ANSWERS, Hint

PLAIN = Deliberation(
    error=-3000, salience=0, reading=0, unclear=0, social=0, own=0, temperature=100
)
EVEN = Hint("seen", tuple(range(5)))
Said = tuple[str, str]


def mind(**traits: int) -> Deliberating:
    return Deliberating(Deliberation(**{**vars(PLAIN), **traits}))


def entries(said: Sequence[Said], own: str = "") -> tuple[Entry, ...]:
    found = [Entry(i, False, Reply(f"{a}: {why}", a, why)) for i, (a, why) in enumerate(said)]
    return (*found, Entry(99, True, Reply(own, own))) if own else tuple(found)


def observed(
    said: Sequence[Said] = (),
    *,
    own: str = "",
    notes: Sequence[Said] = (),
    purpose: str = "reflection",
    evidence: Hint | None = EVEN,
    **parts: object,
) -> Observation:
    """What one sees who holds `own`, has written these notes, and reads what was said."""
    heard = []
    if notes:
        diary = [Entry(i, True, Reply(f"{a}: {why}", a, why)) for i, (a, why) in enumerate(notes)]
        heard.append(Heard("reflections", tuple(diary)))
    if said or own:
        heard.append(Heard("board", entries(said, own)))
    told = Observation(digest("f"), purpose, "", Brief(), True, ANSWERS, evidence, tuple(heard))
    return told._replace(**parts)  # type: ignore[arg-type]


def chance(character: Deliberating, observation: Observation, answer: str) -> Fraction:
    weights = character.masses(observation)
    return Fraction(weights.get(answer, 0), sum(weights.values()))


@pytest.mark.parametrize("name", ["deliberating", "cautious", "open"])
def test_it_keeps_the_rules_of_the_house(name: str) -> None:
    check_agent(load(f"simulated/{name}?invalid=100"))
    assert isinstance(CHARACTERS[name].defaults, Deliberation)


def test_a_first_answer_is_a_sample_of_what_the_evidence_says() -> None:
    weights = mind().masses(observed(purpose="message", evidence=Hint("seen", (0, 3))))
    likely = {answer for answer, weight in weights.items() if weight == 1 << 40}
    assert likely == {"Chad", "Peru"}
    assert weights["Mali"] / weights["Peru"] == pytest.approx(0.0498, abs=1e-4)


def test_one_colleague_is_attended_to_whatever_the_size_of_the_group() -> None:
    # Evidence and habit are even, so a claim wins over half of those who attend to it.
    for team in (1, 2, 5):
        said = [("Mali", f"Because {i}.") for i in range(team)]
        said += [("Peru", f"Since {i}.") for i in range(2 * team - 1)]
        found = chance(mind(), observed(said, own="Peru"), "Mali")
        assert found == pytest.approx(1 / 6, abs=1e-5)


def test_who_holds_an_answer_keeps_it_where_nobody_says_another() -> None:
    assert mind().masses(observed([("Peru", "So.")] * 3, own="Peru")) == {"Peru": SCALE}


def test_inertia_evidence_and_argument_move_the_chance() -> None:
    def to_mali(said: str = "So.", evidence: Hint = EVEN, **traits: int) -> Fraction:
        observation = observed([("Mali", said)], own="Peru", evidence=evidence)
        return chance(mind(**traits), observation, "Mali")

    assert to_mali(own=2000) < to_mali() < to_mali(social=2000)
    assert to_mali(evidence=Hint("seen", (3,))) < to_mali() < to_mali(evidence=Hint("seen", (2,)))
    rising = [to_mali(" ".join(["So."] * n)) for n in (1, 2, 3)]
    assert all(a < b for a, b in pairwise(rising))
    assert to_mali(" ".join(["So."] * 9)) == rising[-1]


def test_a_claim_persuades_less_the_more_often_it_was_weighed() -> None:
    kept = ("Peru", say("reflection-unmoved", "Mali"))
    chances = [
        chance(mind(stale=700), observed([("Mali", "So.")], own="Peru", notes=[kept] * n), "Mali")
        for n in range(4)
    ]
    assert all(a > b for a, b in pairwise(chances))
    elsewhere = [("Chad", say("reflection-firm", "Chad"))]
    fresh = observed([("Mali", "So.")], own="Peru", notes=elsewhere)
    assert chance(mind(stale=700), fresh, "Mali") == chances[0]


def test_the_same_words_count_less_unless_the_evidence_says_them() -> None:
    same, varied = [("Mali", "So.")] * 2, [("Mali", "So."), ("Mali", "Thus.")]
    seen = [("Mali", EVEN.reasons()[0])] * 2
    bare = [("Mali", "")] * 2
    chances = [
        chance(mind(caution=400), observed(said, own="Peru"), "Mali")
        for said in (same, varied, seen, bare)
    ]
    assert chances[0] == pytest.approx(float(chances[1]) * 0.6, rel=1e-4)
    assert chances[1:] == [pytest.approx(1 / 3, abs=1e-5)] * 3
    trusting = chance(mind(caution=0), observed(same, own="Peru"), "Mali")
    assert trusting == pytest.approx(1 / 3, abs=1e-5)


def test_what_was_reflected_on_is_said_and_voted_and_not_weighed_again() -> None:
    for purpose in ("message", "vote"):
        seen = observed([("Mali", "So.")] * 5, own="Chad", notes=[("Peru", "-")], purpose=purpose)
        assert mind().masses(seen) == {"Peru": SCALE}
    assert chance(mind(), seen._replace(purpose="reflection"), "Mali") > Fraction(1, 3)


def test_uptake_scales_what_is_heard() -> None:
    def at(uptake: int | None) -> Fraction:
        seen = observed([("Mali", "So.")], own="Peru", brief=Brief(uptake=uptake))
        return chance(mind(), seen, "Mali")

    assert at(0) == 0
    assert at(500) == at(None) < at(1000)


def test_a_check_before_the_vote_can_bring_an_answer_back() -> None:
    sure = Hint("seen", (3,))
    check = Heard("verification", (Entry(7, True, Reply("Peru", "Peru")),))
    seen = observed(notes=[("Mali", "-")], purpose="vote", evidence=sure)
    assert chance(mind(), seen, "Mali") == 1
    checked = seen._replace(heard=(*seen.heard, check))
    assert chance(mind(), checked, "Peru") == pytest.approx(0.9526, abs=1e-4)
    claim = observed([("Chad", "So.")], own="Mali", purpose="decision", variant="claim")
    assert set(mind().masses(claim)) == {"Chad", "Mali"}


def test_who_sees_nothing_goes_with_most() -> None:
    said = [("Mali", "So."), ("Mali", "Thus."), ("Chad", "So.")]
    blind = observed(said, purpose="decision", evidence=None)
    assert chance(mind(), blind, "Mali") > Fraction(9, 10)
    assert set(mind().masses(observed(evidence=None)).values()) == {1 << 40}


def test_an_answer_that_is_no_candidate_is_heard_and_not_taken_over() -> None:
    seen = observed([("Paris, France", "So."), ("Mali", "Thus.")], own="Peru")
    assert set(mind().masses(seen)) == {"Peru", "Mali"}
    assert chance(mind(), seen, "Mali") == pytest.approx(1 / 6, abs=1e-5)


def test_a_reflection_says_what_was_made_of_the_strongest_claim() -> None:
    seen = observed([("Mali", say("tactic-fabricated_evidence", "Mali"))], own="Peru")
    notes: dict[str, set[str]] = {"Peru": set(), "Mali": set()}
    for i in range(400):
        reply = mind().answer(seen, digest("note", i))
        notes[str(reply.answer)].add(reply.reason)
    names = "unmoved doubts credits undecided credits_and_doubts".split()
    assert notes["Peru"] == {say(f"reflection-{name}", "Mali") for name in names}
    faith, why = say("reflection-credits", "Mali"), say("reason-false_evidence", "Mali")
    assert notes["Mali"] == {f"{faith} {why}"}
    later = observed(own="Mali", notes=[("Mali", f"{faith} {why}")])
    firm = mind().answer(later, digest("x")).reason
    assert firm == f"{say('reflection-firm', 'Mali')} {why}"


def test_words_that_several_use_raise_doubts() -> None:
    def doubts(said: Sequence[Said]) -> int:
        seen, firm = observed(said, own="Peru"), mind(own=28_000)
        found = [firm.answer(seen, digest("doubt", i)).reason for i in range(300)]
        return sum("doubt" in reason for reason in found)

    assert doubts([("Mali", "So."), ("Mali", "Thus.")]) < 150 < doubts([("Mali", "So.")] * 2)


@pytest.mark.parametrize(
    ("note", "held", "words"),
    [
        ("doubts", "Mali", "My evidence is seen. The argument for Mali does not hold up."),
        (
            "credits_and_doubts",
            "Mali",
            "My evidence is seen. The argument for Mali does not hold up.",
        ),
        ("credits", "Peru", "I find the argument that was made for Peru convincing."),
        ("credits", "Mali", "My evidence is seen."),
        ("firm", "Peru", "My evidence is seen."),
    ],
)
def test_a_message_speaks_of_the_claim_in_the_last_note(note: str, held: str, words: str) -> None:
    notes = [("Peru", say(f"reflection-{note}", held))]
    seen = observed([("Mali", "So.")], own="Peru", notes=notes, purpose="message")
    assert mind().answer(seen, digest("x")) == Reply(
        json.dumps({"answer": "Peru", "reason": words}), "Peru", words
    )


def test_no_sentence_stands_in_another() -> None:
    # So one can tell from a text which were said, and about what.
    answers = ("5", "55", "5.5", "A", "b.")
    said = [say(name, answer) for name in sentences() for answer in answers]
    assert not [(a, b) for a in said for b in said if a != b and a in b]
