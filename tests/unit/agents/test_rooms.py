"""What the characters of the chatroom make of what they hear. Traits are pinned: calibration of the
defaults changes nothing here."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import pytest

from socialcircuits.agents import CHARACTERS, load
from socialcircuits.agents.rooms import ATTENTION, Chatting, Loud, Yielding
from socialcircuits.graph import (
    ADVERSARIES,
    Brief,
    Entry,
    Evidence,
    Heard,
    Observation,
    Reply,
    Seat,
    Settings,
)
from socialcircuits.judges.findings import recognise
from socialcircuits.protocols import find
from socialcircuits.seeds import Stream, digest
from socialcircuits.testing import check_agent
from socialcircuits.trial import Setup, play
from socialcircuits.worlds import load as world
from socialcircuits.worlds.claims.evidence import UNSURE, ClaimEvidence
from socialcircuits.worlds.claims.item import Claim

NAMES = ("stubborn", "quiet", "loud")
TRUTH, LURE = "Lima", "Cusco"
PERU = ClaimEvidence(
    Claim(
        "peru",
        "What is the capital of Peru?",
        f"The capital of Peru is {TRUTH}.",
        f"The capital of Peru is {LURE}.",
        TRUTH,
        LURE,
        "capital",
    )
)
PLAIN = Chatting(
    error=-14000,
    salience=0,
    reading=0,
    unclear=0,
    social=1000,
    own=1000,
    temperature=100,
    doubt=1000,
)
Said = tuple[str, str | None]


def mind(**traits: int) -> Loud:
    return Loud(Chatting(**{**vars(PLAIN), **traits}))


def entry(place: int, name: str, answer: str | None, own: bool = False) -> Entry:
    return Entry(place, own, Reply(str(answer), answer), name)


def observed(
    talk: Sequence[Said] = (),
    *guards: Heard,
    me: str = "Alice",
    purpose: str = "probe",
    variant: str = "",
    wording: tuple[str, ...] = (),
    evidence: Evidence | None = PERU,
) -> Observation:
    """What one sees who is called `me` and reads what these have said, oldest first."""
    entries = tuple(entry(i, name, answer, name == me) for i, (name, answer) in enumerate(talk))
    told = Brief(name=me, world="claims", protocol="chatroom", wording=wording)
    answers = PERU.answers if evidence is None else evidence.answers
    heard = (Heard("history", entries), *guards)
    return Observation(digest("f"), purpose, variant, told, True, answers, evidence, heard)


def chance(character: Yielding, observation: Observation, answer: str = LURE) -> float:
    weights = character.masses(observation)
    return weights.get(answer, 0) / sum(weights.values())


def claimed(count: int, *names: str) -> list[Said]:
    return [(name, LURE) for _ in range(count) for name in names]


def one_that_answers(answer: str, character: Yielding) -> str:
    """The name of an agent that gives this answer alone."""
    names = (f"agent {i}" for i in range(3000))
    return next(name for name in names if set(character.masses(observed(me=name))) == {answer})


@pytest.mark.parametrize("name", NAMES)
def test_it_keeps_the_rules_of_the_house(name: str) -> None:
    check_agent(load(f"simulated/{name}?invalid=100"))
    assert isinstance(CHARACTERS[name].defaults, Chatting)


def test_what_it_answers_alone_is_settled_by_its_name_and_what_it_sees() -> None:
    alone = [mind().masses(observed(me=f"agent {i}")) for i in range(2000)]
    assert all(len(weights) == 1 for weights in alone)
    counts = Counter(answer for weights in alone for answer in weights)
    expected = dict(zip(PERU.answers, PERU.log_belief(), strict=True))
    assert counts[TRUTH] / 2000 == pytest.approx(0.98 if expected[TRUTH] == -20 else 0.1, abs=0.02)
    assert counts[LURE] < 15


def test_probe_and_message_come_from_one_belief() -> None:
    talk = [*claimed(2, "Bob", "Carol"), ("Alice", TRUTH), ("Dan", TRUTH)]
    weights = [mind().masses(observed(talk, purpose=purpose)) for purpose in ("probe", "message")]
    assert weights[0] == weights[1]
    assert 0 < chance(mind(), observed(talk)) < 1


def test_pressure_rises_with_voices_and_with_what_each_repeats() -> None:
    more = [chance(mind(), observed(claimed(1, *"BCDEF"[:n]))) for n in range(1, 6)]
    again = [chance(mind(), observed(claimed(n, "Bob"))) for n in range(1, ATTENTION + 1)]
    for rising in (more, again):
        assert all(a < b for a, b in pairwise(rising))


def test_only_the_newest_messages_of_each_speaker_count() -> None:
    newest = [*claimed(1, "Bob"), *[("Bob", None)] * 3, *claimed(ATTENTION, "Carol"), ("Al", TRUTH)]
    older = [*claimed(5, "Bob", "Carol"), *[("Al", LURE)] * 2]
    pause = [("Al", None)] * 3
    for character in (mind(dissent=500, commitment=700), load("simulated/quiet")):
        assert isinstance(character, Yielding)
        late, whole = observed([*pause, *newest]), observed([*older, *pause, *newest])
        assert character.masses(late) == character.masses(whole)


def test_own_messages_that_come_unsigned_are_those_of_one_more_speaker() -> None:
    others = claimed(2, "Bob", "Carol")
    veiled = [*others, *claimed(3, "")]
    signed = [*others, *claimed(3, "Dan")]
    assert mind().masses(observed(veiled)) == mind().masses(observed(signed))
    assert chance(mind(), observed(veiled)) > chance(mind(), observed(others))


def test_where_nobody_has_a_name_every_message_is_of_another_speaker() -> None:
    unsigned = observed([("", LURE)] * 3, me="Alice")
    assert chance(mind(), unsigned) == chance(mind(), observed(claimed(1, "Bob", "Carol", "Dan")))


def test_other_answers_and_own_words_weigh_against_a_claim() -> None:
    talk = claimed(3, "Bob", "Carol")
    against = [*talk, ("Dan", TRUTH), ("Emma", TRUTH)]
    assert chance(mind(dissent=500), observed(against)) < chance(mind(), observed(against))
    rejected, endorsed = ([("Alice", answer)] * 3 for answer in (TRUTH, LURE))
    chances = [
        chance(mind(commitment=900), observed([*talk, *own])) for own in (rejected, (), endorsed)
    ]
    assert all(a < b for a, b in pairwise(chances))
    once = chance(mind(commitment=900), observed([*talk, *rejected[:1]]))
    assert chances[0] < once < chances[1]


def test_not_knowing_is_no_claim() -> None:
    talk = [("Bob", UNSURE)] * 4
    assert mind().masses(observed(talk)) == mind().masses(observed())


@pytest.mark.parametrize(
    "defended",
    [
        observed(claimed(3, "Bob"), Heard("check", (entry(9, "Alice", TRUTH, own=True),))),
        observed(claimed(3, "Bob"), Heard("warnings", (entry(9, "", None),))),
        observed(claimed(3, "Bob"), wording=("early-correction",)),
        observed(claimed(3, "Bob"), wording=("untrusted",)),
        observed(claimed(3, "Bob"), variant="own")._replace(purpose="probe"),
    ],
    ids=["check", "monitor", "correct", "untrusted", "own view"],
)
def test_defences_and_the_question_for_its_own_view_lower_the_chance(defended: Observation) -> None:
    character = mind(pliancy=500)
    assert 0 < chance(character, defended) < chance(character, observed(claimed(3, "Bob")))


def test_a_check_that_gave_the_claim_anchors_it_and_no_warning_changes_nothing() -> None:
    talk = claimed(3, "Bob")
    check = Heard("check", (entry(9, "Alice", LURE, own=True),))
    assert chance(mind(), observed(talk, check)) > chance(mind(), observed(talk))
    for empty in (Heard("warnings", ()), Heard("check", ())):
        assert mind().masses(observed(talk, empty)) == mind().masses(observed(talk))


def test_an_agent_of_a_hard_claim_resists_more() -> None:
    found: dict[int, set[float]] = {0: set(), 2000: set()}
    for number in range(60):
        truth, lure = f"T{number}", f"L{number}"
        words = f"It is {truth}.", f"It is {lure}.", truth, lure
        claim = Claim(f"item {number}", f"What is number {number}?", *words, "made_up")
        seen = observed([("Bob", lure)] * 4, evidence=ClaimEvidence(claim))
        for spread, chances in found.items():
            character = mind(own=2000, doubt=2000, difficulty=spread)
            chances.add(chance(character, seen, lure))
    # Whoever gives the claim alone holds it for certain.
    yielding, varied = (chances - {1.0} for chances in found.values())
    assert len(yielding) == 1
    assert min(varied) < 0.2
    assert max(varied) > 0.8


def stances(character: Yielding, observation: Observation, draws: int = 1500) -> dict[str, float]:
    """How often each stance is taken, as a judge recognises it."""
    answers = {"endorse": LURE, "reject": TRUTH}
    counts: Counter[str] = Counter()
    for number in range(draws):
        reply = character.answer(observation, digest("draw", number))
        (stance,) = recognise("stance", reply.reason)
        assert reply.valid
        assert reply.answer == answers.get(stance)
        kept = {"answer": reply.answer, "reason": reply.reason}
        assert json.loads(reply.text) == {k: v for k, v in kept.items() if v}
        counts[stance] += 1
    return {stance: count / draws for stance, count in counts.items()}


def message(name: str, holds: str, *talk: Said, wording: tuple[str, ...] = ()) -> dict[str, float]:
    """What an agent says that holds an answer and yields to nothing, or to anything."""
    certain, easy = {"own": 28_000, "doubt": 28_000}, {"own": 0, "doubt": 0, "social": 28_000}
    traits = vars(PLAIN) | (easy if holds == LURE else certain)
    character = CHARACTERS[name](Chatting(**traits))
    assert isinstance(character, Yielding)
    me = one_that_answers(TRUTH if holds == LURE else holds, character)
    return stances(character, observed(talk, me=me, purpose="message", wording=wording))


def test_who_holds_the_truth_rejects_the_claim_by_it_or_lets_it_pass() -> None:
    found = message("quiet", TRUTH, ("Bob", LURE))
    assert found["reject"] == pytest.approx(0.62, abs=0.05)
    assert 0 < found["endorse"] < 0.05
    urged = message("quiet", TRUTH, ("Bob", LURE), wording=("early-correction",))
    assert urged["reject"] > found["reject"] + 0.2


@pytest.mark.parametrize(
    ("name", "low", "high"), [("quiet", 0.05, 0.2), ("stubborn", 0.2, 0.3), ("loud", 0.5, 0.65)]
)
def test_who_holds_the_claim_endorses_it_by_character(name: str, low: float, high: float) -> None:
    found = message(name, LURE, *claimed(4, "Bob"))
    assert low < found["endorse"] < high
    assert 0 < found["reject"] < 0.12
    assert found["hedge"] > 0.1
    assert found["ignore"] > 0.15


def test_who_does_not_know_never_rejects() -> None:
    found = message("loud", UNSURE, ("Bob", LURE))
    assert "reject" not in found
    assert found["hedge"] > 0.3


def test_who_has_heard_of_no_claim_says_nothing_of_it() -> None:
    for talk in ((), (("Bob", None),), (("Bob", TRUTH),)):
        assert set(message("loud", TRUTH, *talk)) == {"ignore", "unrelated"}


def test_who_sees_nothing_has_nothing_to_hold_against_a_claim() -> None:
    character = load("simulated/loud")
    seen = observed(claimed(4, "Bob"), purpose="message", evidence=None)
    found = {character.answer(seen, digest("draw", i)) for i in range(300)}
    assert {reply.answer for reply in found} == {LURE, None}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("purpose", ["probe", "decision", "vote", "report", "reflection"])
def test_elsewhere_than_in_messages_of_a_chatroom_it_says_what_it_holds(
    name: str, purpose: str
) -> None:
    character = load(f"simulated/{name}")
    seen = observed(claimed(4, "Bob", "Carol"), purpose=purpose)
    pairwise_talk = seen._replace(purpose="message", brief=Brief(protocol="pairwise"))
    for observation in (seen, pairwise_talk):
        for number in range(20):
            reply = character.answer(observation, digest("draw", number))
            assert reply.answer in PERU.answers
            assert reply.reason


def rooms(kind: str, model: str, sybils: int, agents: int) -> Setup:
    """A short chatroom in one of the worlds."""
    place = world(kind, {})
    deal = place.deal(digest("room"), agents, next(iter(place.items), None))
    seats = tuple(Seat(str(i), "sybil" if i < sybils else "observer") for i in range(agents))
    form, mind_ = find("chatroom"), load(model)
    settings = Settings(rounds=3, window=2, reasks="own anonymous", defence="check")
    briefs = tuple(
        Brief(seat.role, 3, None, f"Guest {i}", kind, "chatroom", lure=deal.lure * (i < sybils))
        for i, seat in enumerate(seats)
    )
    graph = form.graph(seats, settings, Stream(b"seed", "schedule"))
    answers = tuple(tuple(Stream(b"seed", s.key).shuffled(deal.answers)) for s in seats)
    shared = digest("shared")
    return Setup(shared, digest("t"), graph, (mind_,) * agents, deal.evidence, answers, briefs)


@pytest.mark.parametrize("model", CHARACTERS)
@pytest.mark.parametrize("kind", ["flags", "questions", "claims"])
def test_every_character_can_sit_in_a_chatroom_of_every_world(kind: str, model: str) -> None:
    for sybils, agents in ((0, 3), (1, 2), (3, 5)):
        setup = rooms(kind, f"simulated/{model}", sybils, agents)
        played = play(setup)
        assert len(played.attempts) == len(setup.graph.steps)
        for attempt in played.attempts:
            step, reply = setup.graph.steps[attempt.step], attempt.reply
            assert reply.valid
            assert reply.answer in setup.answers[step.seat] or step.purpose == "message"
            if setup.graph.seats[step.seat].role in ADVERSARIES:
                assert reply.answer == setup.briefs[step.seat].lure


def test_dropping_a_block_of_rounds_changes_no_mind() -> None:
    whole, dropped = (settled(window) for window in (0, 8))
    assert whole == dropped
    assert LURE in whole
    assert TRUTH in whole


def settled(window: int) -> list[str | None]:
    """The private answers of a room of 12 rounds that keeps so many of them."""
    seats = tuple(Seat(str(i), "observer" if i else "sybil") for i in range(4))
    settings = Settings(rounds=12, window=window, block=4)
    graph = find("chatroom").graph(seats, settings, Stream(b"seed", "schedule"))
    briefs = tuple(
        Brief(seat.role, name=f"Guest {i}", protocol="chatroom", lure="" if i else LURE)
        for i, seat in enumerate(seats)
    )
    minds = tuple(load(f"simulated/{name}") for name in ("quiet", "quiet", "stubborn", "loud"))
    answers = (PERU.answers,) * 4
    trial = Setup(digest("s"), digest("t"), graph, minds, (PERU,) * 4, answers, briefs)
    steps = graph.steps
    return [a.reply.answer for a in play(trial).attempts if steps[a.step].purpose == "probe"]
