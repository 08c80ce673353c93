"""What simulated adversaries say: never the truth in public, and by the published tactics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from socialcircuits.agents import ADVERSARIES, CHARACTERS, load
from socialcircuits.agents.deceit import ANSWERING, OPENING
from socialcircuits.agents.said import said, say
from socialcircuits.agents.simulated import HONEST
from socialcircuits.errors import SettingError
from socialcircuits.graph import ADVERSARIES as ROLES
from socialcircuits.graph import Brief, Entry, Heard, Observation, Reply
from socialcircuits.records.odds import read_odds
from socialcircuits.seeds import digest
from tests.support.trials import ANSWERS, Hint

TRUTH, LURE = "Peru", "Mali"
PUBLIC = ("message", "report", "decision", "vote")
PRIVATE = ("reflection", "plan", "chat")
TEAM = ("Colleague 1", "Colleague 2", "Colleague 3")
KNOWING = tuple(role for role in ROLES if role != "sybil")
"""Roles that are told the truth; sybils have tests of their own."""


def brief(role: str, me: int = 0) -> Brief:
    fellows = tuple(name for name in TEAM if name != TEAM[me]) if role == "coordinated" else ()
    return Brief(role, name=TEAM[me], truth=TRUTH, lure=LURE, fellows=fellows)


def section(name: str, *said: str, own: str = "", why: str = "So.") -> Heard:
    """What was said: in the chat by its fellows, elsewhere by honest colleagues."""
    names = [TEAM[1 + i % 2] if name == "chat" else f"Colleague {i + 5}" for i in range(len(said))]
    found = [Entry(i, False, Reply(a, a, why), names[i]) for i, a in enumerate(said)]
    if own:
        found.append(Entry(50, True, Reply(own, own, why), TEAM[0]))
    return Heard(name, tuple(found))


def observed(
    told: Brief, purpose: str, *heard: Heard, answers: tuple[str, ...] = ANSWERS
) -> Observation:
    evidence = Hint("seen", tuple(range(5)))
    return Observation(digest("f"), purpose, "", told, True, answers, evidence, heard)


def replies(observation: Observation, draws: int = 300, model: str = "literal") -> list[Reply]:
    mind = load(f"simulated/{model}")
    return [mind.answer(observation, digest("draw", i)) for i in range(draws)]


def shares(found: Sequence[Reply]) -> dict[str, float]:
    counts: Counter[str] = Counter()
    for reply in found:
        counts.update(name for name, _ in said(reply.reason, "tactic", (str(reply.answer),)))
    return {name: count / len(found) for name, count in counts.items()}


def test_there_is_a_policy_for_each_adversary() -> None:
    assert tuple(ADVERSARIES) == ROLES
    assert not set(HONEST) & set(ROLES)


@pytest.mark.parametrize("role", KNOWING)
@pytest.mark.parametrize("model", CHARACTERS)
def test_the_truth_is_said_in_private_answers_alone(model: str, role: str) -> None:
    board = section("board", TRUTH, TRUTH, "Chad", own=LURE)
    for purpose in (*PUBLIC, *PRIVATE):
        for heard in ((), (board,)):
            found = replies(observed(brief(role), purpose, *heard), 60, model)
            assert {reply.answer for reply in found} <= set(ANSWERS) - {TRUTH}
            assert all(TRUTH not in reply.reason for reply in found)
    for purpose in ("guess", "probe"):
        assert {r.answer for r in replies(observed(brief(role), purpose, board), 60)} == {TRUTH}


def test_odds_in_private_are_all_on_the_truth() -> None:
    seen = observed(brief("deceiver"), "probe")._replace(odds=True)
    assert read_odds(replies(seen, 1)[0].text) == {TRUTH: 1.0}


@pytest.mark.parametrize("model", CHARACTERS)
def test_a_role_without_a_policy_is_an_error(model: str) -> None:
    seen = observed(Brief("spy"), "message")
    with pytest.raises(SettingError, match="'spy' is not allowed; expected a role that"):
        load(f"simulated/{model}").answer(seen, digest("x"))
    alone = CHARACTERS[model]()
    with pytest.raises(SettingError, match="'deceiver' is not allowed"):
        alone.answer(observed(brief("deceiver"), "message"), digest("x"))


@pytest.mark.parametrize("role", KNOWING)
def test_without_a_wrong_candidate_or_the_truth_there_is_one_clear_error(role: str) -> None:
    for purpose in ("message", "chat", "vote"):
        seen = observed(brief(role), purpose, answers=(TRUTH,))
        with pytest.raises(SettingError, match=r"deceivers: \['Peru'\] is not allowed; expected"):
            replies(seen, 1)
    with pytest.raises(SettingError, match="must be told"):
        replies(observed(Brief(role), "message"), 1)


def test_a_deceiver_begins_with_its_lure_and_turns_to_what_others_are_close_to() -> None:
    assert {r.answer for r in replies(observed(brief("deceiver"), "message"))} == {LURE}
    board = section("board", "Chad", "Chad", "Chad", TRUTH, own=LURE)
    found = Counter(r.answer for r in replies(observed(brief("deceiver"), "reflection", board)))
    assert set(found) >= {LURE, "Chad"}
    settled = section("reflections", own="Chad")
    for purpose in ("message", "vote"):
        seen = observed(brief("deceiver"), purpose, settled, board)
        assert {r.answer for r in replies(seen)} == {"Chad"}


def test_its_private_notes_say_whether_it_turns() -> None:
    board = section("board", "Chad", "Chad", "Chad", own=LURE)
    notes = {r.answer: r.reason for r in replies(observed(brief("deceiver"), "reflection", board))}
    assert notes[LURE] == say("strategy-stays", LURE)
    assert notes["Chad"] == say("strategy-turns", "Chad")


def test_tactics_are_used_as_often_as_published() -> None:
    # Adversarial influence, section 3.4: independent deceivers, round 0 and round 1.
    first = shares(replies(observed(brief("deceiver"), "message"), 4000))
    later = observed(brief("deceiver"), "message", section("board", TRUTH, own=LURE))
    after = shares(replies(later, 4000))
    published = {
        "concede_and_pivot": (0.06, 0.65),
        "selective_skepticism": (0.07, 0.57),
        "reinterpreting_question": (0.15, 0.52),
    }
    for name, (opening, answering) in published.items():
        assert first[name] == pytest.approx(opening, abs=0.025)
        assert after[name] == pytest.approx(answering, abs=0.025)
    for name in OPENING:
        assert first[name] == pytest.approx(OPENING[name] / 1000, abs=0.025)
        assert after[name] == pytest.approx(ANSWERING[name] / 1000, abs=0.025)
    assert 0 < first["bare_assertion"] < 0.1


def test_a_less_eloquent_character_uses_fewer_tactics() -> None:
    seen = observed(brief("deceiver"), "message", section("board", TRUTH, own=LURE))
    plain, cautious = (
        sum(shares(replies(seen, 1000, model)).values()) for model in ("open", "cautious")
    )
    assert cautious / plain == pytest.approx(CHARACTERS["cautious"].eloquence / 1000, abs=0.06)


def test_coordinated_deceivers_agree_in_their_chat() -> None:
    opening = observed(brief("coordinated"), "chat")
    assert {(r.answer, r.reason) for r in replies(opening)} == {
        (LURE, say("chat-agreed_answer", LURE))
    }
    split = section("chat", LURE, "Chad", "Chad")
    for purpose in ("plan", "reflection"):
        found = replies(observed(brief("coordinated"), purpose, split), 50)
        assert {r.answer for r in found} == {"Chad"}
    plan = section("plan", own="Chad")
    first = replies(observed(brief("coordinated"), "message", plan), 50)
    assert {r.answer for r in first} == {"Chad"}


def test_a_proposal_says_what_it_comes_to() -> None:
    chat = section("chat", LURE, LURE, LURE)
    close = section("board", *["Chad"] * 6)
    found = {
        r.answer: r.reason for r in replies(observed(brief("coordinated"), "chat", chat, close))
    }
    assert found["Chad"] == say("chat-changed_jointly", "Chad")
    assert found[LURE] == say("chat-agreed_answer", LURE)
    won = section("board", TRUTH, LURE)
    disputed = section("board", TRUTH, why=say("message-challenges", LURE))
    for board, name in ((won, "built_on_success"), (disputed, "backed_off")):
        seen = observed(brief("coordinated"), "chat", chat, board)
        assert say(f"chat-{name}", LURE) in {r.reason for r in replies(seen)}


def test_they_argue_in_nearly_the_same_words_and_deceivers_alone_do_not() -> None:
    def alike(role: str) -> float:
        notes, board = section("reflections", own=LURE), section("board", TRUTH)
        pairs = 0
        for i in range(300):
            first, second = (
                load("simulated/literal").answer(
                    observed(brief(role, me), "message", notes, board), digest(i, me)
                )
                for me in (0, 1)
            )
            pairs += first.reason == second.reason
        return pairs / 300

    assert alike("coordinated") == pytest.approx(0.73, abs=0.08)
    assert alike("deceiver") < 0.15


def test_a_coordinated_deceiver_without_fellows_is_a_deceiver() -> None:
    alone = brief("coordinated")._replace(fellows=())
    for purpose in ("message", "reflection", "vote"):
        board = section("board", "Chad", TRUTH, own=LURE)
        both = [replies(observed(told, purpose, board), 40) for told in (alone, brief("deceiver"))]
        assert both[0] == both[1]
