"""A sybil asserts what it was told, whatever it hears and whatever it is asked."""

from __future__ import annotations

import pytest

from socialcircuits.agents import CHARACTERS, load
from socialcircuits.agents.said import say
from socialcircuits.errors import SettingError
from socialcircuits.graph import Brief, Entry, Heard, Observation, Reply
from socialcircuits.records.odds import read_odds
from socialcircuits.seeds import digest
from tests.support.trials import ANSWERS, Hint

TRUTH, CLAIM = "Peru", "Mali"
TOLD = Brief("sybil", name="Alice", world="claims", protocol="chatroom", lure=CLAIM)


def observed(
    *said: tuple[str, str | None], purpose: str = "message", told: Brief = TOLD
) -> Observation:
    talk = [
        Entry(i, name == "Alice", Reply(str(answer), answer), name)
        for i, (name, answer) in enumerate(said)
    ]
    heard = (Heard("history", tuple(talk)),)
    return Observation(digest("f"), purpose, "", told, True, ANSWERS, Hint("h", (3,)), heard)


def reply(observation: Observation, model: str = "literal") -> Reply:
    return load(f"simulated/{model}").answer(observation, digest("draw"))


@pytest.mark.parametrize("model", CHARACTERS)
@pytest.mark.parametrize(
    "purpose", ["message", "report", "decision", "vote", "reflection", "plan", "chat", "probe"]
)
def test_it_says_the_claim_in_every_kind_of_step(model: str, purpose: str) -> None:
    for said in ((), (("Bob", TRUTH),), (("Bob", CLAIM),)):
        found = reply(observed(*said, purpose=purpose), model)
        assert found.answer == CLAIM
        assert CLAIM in found.reason
        assert TRUTH not in found.reason


@pytest.mark.parametrize(
    ("said", "manner"),
    [
        ((), "asserts"),
        ((("Bob", None),), "asserts"),
        ((("Bob", CLAIM),), "reinforces"),
        ((("Bob", TRUTH),), "pushes_back"),
        ((("Bob", CLAIM), ("Carol", TRUTH), ("Dan", CLAIM)), "pushes_back"),
        ((("Bob", TRUTH), ("Alice", CLAIM), ("Carol", CLAIM)), "reinforces"),
        ((("Bob", TRUTH), ("Alice", CLAIM)), "asserts"),
    ],
)
def test_it_answers_what_was_said_since_it_last_spoke(
    said: tuple[tuple[str, str | None], ...], manner: str
) -> None:
    assert reply(observed(*said)).reason == say(f"sybil-{manner}", CLAIM)


def test_it_gives_no_reason_where_none_is_asked_for() -> None:
    found = reply(observed()._replace(with_reason=False))
    assert (found.text, found.reason) == ('{"answer": "Mali"}', "")


def test_its_odds_are_all_on_the_claim() -> None:
    assert read_odds(reply(observed(purpose="probe")._replace(odds=True)).text) == {CLAIM: 1.0}


@pytest.mark.parametrize("lure", ["", "Atlantis"])
def test_without_an_answer_to_assert_there_is_one_clear_error(lure: str) -> None:
    with pytest.raises(SettingError, match=rf"brief\.lure: '{lure}' .* which a sybil must be told"):
        reply(observed(told=TOLD._replace(lure=lure)))
