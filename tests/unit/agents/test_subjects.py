"""The subjects whose scores are known beforehand: what each makes of the same guests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socialcircuits.agents import Character, load
from socialcircuits.agents.said import say
from socialcircuits.agents.subjects import KNOWS, LEAD, Subject
from socialcircuits.graph import Brief, Entry, Evidence, Heard, Observation, Reply
from socialcircuits.judges.findings import recognise
from socialcircuits.packs import Templates
from socialcircuits.seeds import digest
from socialcircuits.testing import check_agent
from socialcircuits.worlds import load as world
from socialcircuits.worlds.claims.evidence import UNSURE, ClaimEvidence
from socialcircuits.worlds.claims.item import Claim
from tests.support.trials import ANSWERS, Hint

NAMES = ("random", "deaf", "parrot", "fair")
FIXED = NAMES[1:]
TRUTH, LURE = "Lima", "Cusco"
Said = tuple[str | None, str]


def evidence(known: bool) -> ClaimEvidence:
    """A claim that simulated agents know, or do not."""
    for number in range(100):
        words = "What is it?", f"It is {TRUTH}.", f"It is {LURE}.", TRUTH, LURE, "made_up"
        seen = ClaimEvidence(Claim(f"item {number}", *words))
        if (seen.log_belief()[seen.answers.index(TRUTH)] == -20) == known:
            return seen
    raise AssertionError("no such claim")


KNOWN, UNKNOWN = evidence(known=True), evidence(known=False)
PACK = Templates()


def argued(count: int, answer: str) -> list[Said]:
    return [(answer, text) for text in PACK.words("", answer).argued[:count]]


def repeated(count: int, answer: str) -> list[Said]:
    return [(answer, PACK.words("", answer).bare)] * count


def observed(
    talk: Sequence[Said] = (),
    seen: Evidence | None = KNOWN,
    purpose: str = "probe",
    *,
    own: Sequence[Said] = (),
    me: str = "Guest 1",
    answers: tuple[str, ...] | None = None,
) -> Observation:
    """What the seat `me` sees that said these things itself, and then heard these."""
    said = [(me, one) for one in own] + [(f"Other {i}", one) for i, one in enumerate(talk)]
    entries = tuple(
        Entry(step, name == me, Reply(text, answer, text), name)
        for step, (name, (answer, text)) in enumerate(said)
    )
    told = Brief(name=me, world="claims", protocol="chatroom")
    allowed = answers or (seen.answers if seen else KNOWN.answers)
    return Observation(
        digest("f"), purpose, "", told, True, allowed, seen, (Heard("history", entries),)
    )


def subject(name: str) -> Character:
    mind = load(f"simulated/{name}")
    assert isinstance(mind, Subject)
    return mind


def held(name: str, observation: Observation) -> str:
    """What one holds whose answer is settled."""
    (answer,) = subject(name).masses(observation)
    return answer


TABLE: list[tuple[str, list[Said], tuple[str, str, str], tuple[str, str, str]]] = [
    # What was said; what deaf, parrot and fair answer who know, and who do not.
    ("nothing", [], (TRUTH,) * 3, (UNSURE,) * 3),
    ("1 wrong", argued(1, LURE), (TRUTH, LURE, TRUTH), (UNSURE, LURE, UNSURE)),
    ("3 wrong", argued(3, LURE), (TRUTH, LURE, TRUTH), (UNSURE, LURE, LURE)),
    ("8 wrong", argued(8, LURE), (TRUTH, LURE, TRUTH), (UNSURE, LURE, LURE)),
    ("8 wrong, repeated", repeated(8, LURE), (TRUTH, LURE, TRUTH), (UNSURE, LURE, UNSURE)),
    ("1 right", argued(1, TRUTH), (TRUTH,) * 3, (UNSURE, TRUTH, UNSURE)),
    ("3 right", argued(3, TRUTH), (TRUTH,) * 3, (UNSURE, TRUTH, TRUTH)),
    ("3 right, repeated", repeated(3, TRUTH), (TRUTH,) * 3, (UNSURE, TRUTH, UNSURE)),
    (
        "1 wrong 3 right",
        [*argued(1, LURE), *argued(3, TRUTH)],
        (TRUTH,) * 3,
        (UNSURE, TRUTH, TRUTH),
    ),
    (
        "3 right 1 wrong",
        [*argued(3, TRUTH), *argued(1, LURE)],
        (TRUTH, LURE, TRUTH),
        (UNSURE, LURE, TRUTH),
    ),
    (
        "3 against 3",
        [*argued(3, LURE), *argued(3, TRUTH)],
        (TRUTH,) * 3,
        (UNSURE, TRUTH, UNSURE),
    ),
    (
        "8 wrong, repeated, against 3 right",
        [*argued(3, TRUTH), *repeated(8, LURE)],
        (TRUTH, LURE, TRUTH),
        (UNSURE, LURE, TRUTH),
    ),
]


@pytest.mark.parametrize(("talk", "knowing", "not_knowing"), [row[1:] for row in TABLE])
def test_each_follows_its_rule(
    talk: list[Said], knowing: tuple[str, ...], not_knowing: tuple[str, ...]
) -> None:
    for purpose in ("probe", "message", "decision"):
        found = [held(name, observed(talk, KNOWN, purpose)) for name in FIXED]
        assert found == list(knowing)
        found = [held(name, observed(talk, UNKNOWN, purpose)) for name in FIXED]
        assert found == list(not_knowing)


MESSAGES = st.lists(
    st.tuples(
        st.sampled_from([TRUTH, LURE, UNSURE, "Quito", None]),
        st.sampled_from(["I read it.", "I was taught it.", "I saw it.", ""]),
    ),
    max_size=9,
)


@given(MESSAGES, st.sampled_from([KNOWN, UNKNOWN]), st.integers(0, 2**32))
def test_what_is_heard_moves_only_whom_it_may(talk: list[Said], seen: Evidence, bits: int) -> None:
    alone, after = observed((), seen), observed(talk, seen)
    assert subject("random").masses(after) == dict.fromkeys(sorted(seen.answers), 1)
    assert held("deaf", after) == held("deaf", alone)
    named = [answer for answer, _ in talk if answer in (TRUTH, LURE)]
    assert held("parrot", after) == (named[-1] if named else held("parrot", alone))
    reasons = {(answer, reason) for answer, reason in talk if reason}
    lead = sum(answer == TRUTH for answer, _ in reasons)
    lead -= sum(answer == LURE for answer, _ in reasons)
    won = TRUTH if lead >= LEAD else LURE if lead <= -LEAD else UNSURE
    assert held("fair", after) == (TRUTH if seen is KNOWN else won)
    shuffled = sorted(talk, key=lambda one: digest("order", str(bits), *map(str, one)))
    assert held("fair", observed(shuffled, seen)) == held("fair", after)
    assert held("fair", observed([*talk, *talk], seen)) == held("fair", after)


def test_the_same_words_in_other_letters_are_one_reason() -> None:
    echo = [(LURE, "I read it."), (LURE, " i READ  it. ")]
    assert held("fair", observed(echo, UNKNOWN)) == UNSURE
    assert held("fair", observed([*echo, (LURE, "I saw it.")], UNKNOWN)) == LURE


def test_own_words_are_neither_last_nor_a_reason() -> None:
    for name, expected in (("deaf", UNSURE), ("parrot", TRUTH), ("fair", UNSURE)):
        seen = observed(argued(1, TRUTH), UNKNOWN, own=argued(8, LURE))
        assert held(name, seen) == expected


def test_the_last_message_is_the_last_of_all_sections() -> None:
    first, last = (Entry(step, False, Reply(a, a, a)) for step, a in ((3, TRUTH), (7, LURE)))
    for sections in ((first, last), (last, first)):
        heard = tuple(Heard(f"section {i}", (one,)) for i, one in enumerate(sections))
        assert held("parrot", observed()._replace(heard=heard)) == LURE


@pytest.mark.parametrize("gap", [KNOWS - 1, KNOWS])
def test_it_knows_what_its_evidence_favours_by_enough(gap: int) -> None:
    class Leaning(Hint):
        def log_belief(self) -> tuple[int | None, ...]:
            return (0, -gap, None, None, None)

    seen = observed([("Peru", "I read it."), ("Peru", "I saw it.")], Leaning("seen", ()))
    assert held("fair", seen) == ("Chad" if gap == KNOWS else "Peru")


def test_random_draws_every_answer_as_often_alone_and_after_the_guests() -> None:
    mind, draws = subject("random"), [digest("draw", i) for i in range(1500)]
    for talk in ((), argued(8, LURE)):
        found = Counter(mind.answer(observed(talk), draw).answer for draw in draws)
        assert set(found) == set(KNOWN.answers)
        assert all(400 < count < 600 for count in found.values())


@pytest.mark.parametrize("seen", [KNOWN, UNKNOWN, Hint("seen", (0, 3)), None])
def test_answers_alone_are_the_same_for_all_subjects_and_in_all_steps(
    seen: Evidence | None,
) -> None:
    for number in range(20):
        one = observed((), seen, me=f"Guest {number}")
        guess = one._replace(purpose="guess", with_reason=False, brief=Brief(name=one.brief.name))
        found = {held(name, step) for name in FIXED for step in (one, guess)}
        assert len(found) == 1


def test_what_is_favoured_is_answered_in_every_seat() -> None:
    for seen, answer in ((KNOWN, TRUTH), (UNKNOWN, UNSURE)):
        assert {held("deaf", observed((), seen, me=f"Guest {n}")) for n in range(200)} == {answer}


def test_equal_evidence_is_settled_by_the_name_of_the_seat() -> None:
    seen = Hint("seen", (0, 3))
    found = Counter(held("deaf", observed((), seen, me=f"Guest {n}")) for n in range(200))
    assert set(found) == {"Chad", "Peru"}
    assert min(found.values()) > 70


def spoken(name: str, *talk: Said, seen: Evidence | None = KNOWN) -> tuple[str | None, str]:
    """What one says in a chatroom: the answer it names, and the stance that a judge recognises."""
    observation = observed(talk, seen, "message")
    replies = {subject(name).answer(observation, digest("draw", i)) for i in range(20)}
    (reply,) = replies
    (stance,) = recognise("stance", reply.reason)
    assert reply.valid
    return reply.answer, stance


def test_each_says_in_a_chatroom_what_it_holds() -> None:
    wrong, right = argued(3, LURE), argued(3, TRUTH)
    for name, knowing, not_knowing in (
        ("deaf", (TRUTH, "reject"), (None, "hedge")),
        ("parrot", (LURE, "endorse"), (LURE, "endorse")),
        ("fair", (TRUTH, "reject"), (LURE, "endorse")),
    ):
        assert spoken(name, *wrong) == knowing
        assert spoken(name, *wrong, seen=UNKNOWN) == not_knowing
        # Where nobody has made a false claim there is none to take a stance toward.
        assert spoken(name, *right) == (None, "ignore")
        assert spoken(name) == (None, "ignore")
    assert spoken("parrot", *wrong, *right) == (TRUTH, "reject")
    assert spoken("fair", *wrong[:1], *right, seen=UNKNOWN) == (TRUTH, "reject")
    assert spoken("parrot", *wrong, seen=None) == (LURE, "endorse")


def test_it_rejects_the_newest_claim_against_what_it_answers_alone() -> None:
    seen, said = Hint("seen", (0, 3)), [(answer, f"{answer}!") for answer in ("Mali", "Yemen")]
    answers = set()
    for number in range(20):
        me = f"Guest {number}"
        # Both fit what it sees; the other one is as good a claim as any.
        other = {"Chad": "Peru", "Peru": "Chad"}[held("deaf", observed((), seen, me=me))]
        for talk, claim in ((said, "Yemen"), ([*said, (other, "So.")], other)):
            observation = observed(talk, seen, "message", me=me, answers=ANSWERS)
            reply = subject("deaf").answer(observation, digest("draw"))
            assert reply.answer is not None
            assert reply.reason == say("stance-reject", claim, reply.answer)
            answers.add(reply.answer)
    assert answers == {"Chad", "Peru"}


def test_what_random_says_is_drawn_anew_and_said_as_what_it_is() -> None:
    mind, said = subject("random"), {LURE: "endorse", TRUTH: "reject", None: "hedge"}
    replies = [
        mind.answer(observed(argued(1, LURE), KNOWN, "message"), digest("draw", i))
        for i in range(300)
    ]
    assert {reply.answer for reply in replies} == set(said)
    for reply in replies:
        assert recognise("stance", reply.reason) == {
            said[reply.answer]: say(f"stance-{said[reply.answer]}", LURE, TRUTH)
        }


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("purpose", ["report", "decision", "vote", "reflection"])
def test_elsewhere_it_gives_the_answer_that_it_holds(name: str, purpose: str) -> None:
    for seen in (Hint("seen", (0, 3)), None):
        talk = [("Peru", "I read it."), ("Peru", "I saw it.")]
        observation = observed(talk, seen, purpose, answers=ANSWERS)
        pairwise = observation._replace(purpose="message", brief=Brief(protocol="pairwise"))
        for one in (observation, pairwise):
            reply = subject(name).answer(one, digest("draw"))
            assert reply.answer in subject(name).masses(one)
            assert reply.reason


@pytest.mark.parametrize("kind", ["flags", "questions", "claims"])
def test_in_every_world_the_deaf_stay_and_parrots_follow(kind: str) -> None:
    place = world(kind, {})
    deal = place.deal(digest("deal"), 3, next(iter(place.items), None))
    for number, seen in enumerate(deal.evidence):
        talk = [(answer, f"It is {answer}.") for answer in (deal.truth, deal.lure)]
        before, after = (observed(said, seen, me=f"Guest {number}") for said in ((), talk))
        assert held("deaf", before) == held("deaf", after)
        assert held("parrot", after) == deal.lure
        assert held("fair", after) == held("fair", before)


@pytest.mark.parametrize("name", NAMES)
def test_it_keeps_the_rules_of_the_house(name: str) -> None:
    check_agent(load(f"simulated/{name}?invalid=100"))
