from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socialcircuits.graph import Reply, Settings
from socialcircuits.records import Attempt, Played, TrialPlan
from socialcircuits.records.digests import (
    canonical,
    identity,
    is_public,
    public_digest,
    run_digest,
    trial_digest,
)
from socialcircuits.trial import play
from tests.support.trials import PROTOCOLS, Gossip, trial


def a_trial(protocol: str = "broadcast") -> Played:
    return play(trial(protocol, 3, Settings(rounds=2), mind=Gossip(invalid=200), retries=1))


def own(played: Played) -> bytes:
    return trial_digest(played.graph, played.attempts)


def public(played: Played) -> bytes:
    return public_digest(played.graph, played.attempts)


def with_attempt(played: Played, place: int, attempt: Attempt) -> Played:
    attempts = (*played.attempts[:place], attempt, *played.attempts[place + 1 :])
    return replace(played, attempts=attempts)


CHANGES = {
    "text": lambda reply: replace(reply, text=reply.text + " "),
    "answer": lambda reply: replace(reply, answer="Elsewhere"),
    "no answer": lambda reply: replace(reply, answer="" if reply.answer is None else None),
    "valid": lambda reply: replace(reply, valid=not reply.valid),
    "why": lambda reply: replace(reply, why=reply.why + "folded"),
}


@pytest.mark.parametrize("change", list(CHANGES))
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_change_of_any_reply_changes_the_digest(protocol: str, change: str) -> None:
    played = a_trial(protocol)
    digests = {own(played)}
    for place, attempt in enumerate(played.attempts):
        changed: Reply = CHANGES[change](attempt.reply)
        digests.add(own(with_attempt(played, place, attempt._replace(reply=changed))))
    assert len(digests) == len(played.attempts) + 1


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_public_digest_changes_with_what_others_can_read_and_with_nothing_else(
    protocol: str,
) -> None:
    played = a_trial(protocol)
    last = {attempt.step: place for place, attempt in enumerate(played.attempts)}
    moved = set()
    for place, attempt in enumerate(played.attempts):
        other = with_attempt(played, place, attempt._replace(reply=Reply("else", "Peru")))
        assert own(other) != own(played)
        if public(other) != public(played):
            moved.add(place)
    expected = {place for step, place in last.items() if is_public(played.graph, step)}
    assert moved == expected
    purposes = {played.graph.steps[played.attempts[place].step].purpose for place in expected}
    assert (
        purposes
        == {
            "pairwise": {"message"},
            "broadcast": {"report"},
            "manager": {"report", "decision"},
        }[protocol]
    )


def test_keys_and_attempt_numbers_are_part_of_the_digest_but_not_of_the_public_one() -> None:
    played = a_trial()
    first = played.attempts[0]
    for other in (first._replace(key=bytes(16)), first._replace(attempt=7)):
        changed = with_attempt(played, 0, other)
        assert own(changed) != own(played)
        assert public(changed) == public(played)


def test_what_was_counted_and_where_it_came_from_stay_out() -> None:
    played = a_trial()
    assert own(replace(played, made=0, reused=99, invalid=7, voided=3)) == own(played)


TRIALS = st.lists(
    st.tuples(
        st.builds(
            TrialPlan,
            number=st.integers(0, 99),
            condition=st.dictionaries(st.sampled_from("Nm"), st.integers(2, 9)),
            seed=st.integers(1, 9),
            role=st.sampled_from(["estimate", "example"]),
        ),
        st.binary(min_size=16, max_size=16),
    ),
    max_size=6,
)


@given(TRIALS, st.data())
def test_the_order_and_numbers_of_trials_do_not_matter(
    trials: list[tuple[TrialPlan, bytes]], data: st.DataObject
) -> None:
    other = [(replace(plan, number=7), sub) for plan, sub in data.draw(st.permutations(trials))]
    assert run_digest(other) == run_digest(trials)


def test_the_run_digest_depends_on_each_trial() -> None:
    plan = TrialPlan(0, {"N": 4}, 1)
    base = [(plan, b"a" * 16), (replace(plan, seed=2), b"b" * 16)]
    others = [
        base[:1],
        [],
        [(plan, b"b" * 16), (replace(plan, seed=2), b"a" * 16)],
        [(replace(plan, condition={"N": 5}), b"a" * 16), base[1]],
        [(replace(plan, role="example"), b"a" * 16), base[1]],
        [(plan, b"c" * 16), base[1]],
    ]
    assert len({run_digest(trials) for trials in [base, *others]}) == 7


def test_an_identity_is_one_text_whatever_the_order_of_settings() -> None:
    assert identity({"N": 4, "alpha": 0.5}, 1, "estimate") == identity(
        {"alpha": 0.5, "N": 4}, 1, "estimate"
    )


@given(st.dictionaries(st.text(max_size=3), st.integers(), max_size=4))
def test_canonical_json_does_not_depend_on_order(values: dict[str, int]) -> None:
    assert canonical(dict(reversed(values.items()))) == canonical(values)


def test_canonical_json_has_no_nan() -> None:
    with pytest.raises(ValueError, match="Out of range float"):
        canonical({"x": float("nan")})
