"""Keys, draws, edits, given and computed steps, retries, shared steps."""

from __future__ import annotations

from dataclasses import replace

import pytest

from socialcircuits.agents import Scripted
from socialcircuits.graph import (
    Brief,
    Graph,
    Observation,
    Readout,
    Reply,
    Seat,
    Settings,
    Step,
    View,
    build,
)
from socialcircuits.records import NO_KEY, Played
from socialcircuits.seeds import digest
from socialcircuits.trial import Setup, keys, play, play_waiting
from tests.support.clock import run
from tests.support.minds import Puppet, Waiting
from tests.support.trials import PROTOCOLS, Gossip, draws, played_by, recorded, trial

MEMORY = (View("memory", ("message", "given")),)


def puppet_of(setup: Setup, *answers: str | None) -> Puppet:
    """A puppet that gives these answers, one an attempt, at every step."""

    def say(step: int, attempt: int, seen: Observation) -> Reply:
        answer = answers[min(attempt, len(answers) - 1)]
        return Reply(f"{answer} {step}", answer, valid=answer is not None)

    return Puppet(setup, say)


def chain(*steps: Step) -> Setup:
    """A trial of two seats over some steps."""
    cast = (Seat("0"), Seat("1"))
    graph: Graph = build(cast, steps, Readout("probe", (0, 1), 0))
    return Setup(
        shared_seed=digest("shared"),
        trial_seed=digest("trial"),
        graph=graph,
        minds=(Gossip(),) * 2,
        evidence=(None,) * 2,
        answers=(("Chad", "Peru"),) * 2,
        briefs=(Brief(),) * 2,
    )


TALK = (
    Step(0, "message", 1, to=(1,)),
    Step(1, "message", 1, to=(0,), views=MEMORY),
    Step(1, "probe", 1, views=MEMORY),
)


def key_of(played: Played, step_id: str) -> bytes:
    return next(a.key for a in played.attempts if played.graph.step_id(a.step) == step_id)


def test_a_reply_is_asked_again_until_it_is_valid() -> None:
    setup = chain(*TALK)
    played = play(played_by(setup, puppet_of(setup, None, "Peru")))
    assert [(a.step, a.attempt, a.reply.valid) for a in played.attempts] == [
        (step, attempt, attempt == 1) for step in range(3) for attempt in range(2)
    ]
    assert (played.made, played.invalid) == (6, 3)
    assert len({a.key for a in played.attempts}) == 6


@pytest.mark.parametrize("retries", [0, 1, 2])
def test_after_all_retries_it_stands_as_invalid_and_is_not_delivered(retries: int) -> None:
    setup = replace(chain(*TALK), retries=retries)
    puppet = puppet_of(setup, None)
    played = play(played_by(setup, puppet))
    assert len(played.attempts) == 3 * (retries + 1)
    assert played.invalid == played.made == len(played.attempts)
    assert all(not heard.entries for _, _, seen in puppet.seen for heard in seen.heard)


def test_every_attempt_sees_the_same() -> None:
    setup = chain(*TALK)
    puppet = puppet_of(setup, None, None, "Peru")
    play(played_by(setup, puppet))
    by_step: dict[int, set[bytes]] = {}
    for step, _, observation in puppet.seen:
        by_step.setdefault(step, set()).add(observation.digest())
    assert [len(digests) for digests in by_step.values()] == [1, 1, 1]


def test_an_edit_changes_what_is_delivered_but_not_what_was_said() -> None:
    setup = chain(*TALK)
    puppet = puppet_of(setup, "Peru")
    edited = replace(setup, edits={"message/0/0": Reply("edited", "Chad")})
    played = play(played_by(edited, puppet))
    assert played.attempts[0].reply.text == "Peru 0"
    heard = [
        e.reply.text for _, _, seen in puppet.seen for part in seen.heard for e in part.entries
    ]
    assert heard == ["edited", "edited"]


def test_a_withheld_output_is_read_by_nobody() -> None:
    setup = chain(*TALK)
    puppet = puppet_of(setup, "Peru")
    play(played_by(replace(setup, edits={"message/0/0": None}), puppet))
    assert all(not part.entries for _, _, seen in puppet.seen for part in seen.heard)


def test_an_edit_changes_the_keys_of_its_readers_alone() -> None:
    setup = chain(*TALK)
    before = play(setup)
    after = play(replace(setup, edits={"message/0/0": Reply("edited", "Chad")}))
    same = {
        name: key_of(before, name) == key_of(after, name)
        for name in ("message/0/0", "message/1/0", "probe/1/0")
    }
    assert same == {"message/0/0": True, "message/1/0": False, "probe/1/0": False}


def test_given_and_computed_steps_ask_nobody() -> None:
    setup = chain(
        Step(0, "given", 0, to=(1,), kind="given"),
        Step(1, "monitor", 1, views=MEMORY, kind="computed"),
        Step(1, "probe", 1, views=MEMORY),
    )
    planted = Reply("planted", "Chad")
    puppet = puppet_of(setup, "Peru")
    setup = replace(
        played_by(setup, puppet),
        given={"given/0/0": planted},
        computed={"monitor": lambda seen: Reply(str(len(seen.heard[0].entries)))},
    )
    played = play(setup)
    assert [(a.key == NO_KEY, a.reply.text) for a in played.attempts] == [
        (True, "planted"),
        (True, "1"),
        (False, "Peru 2"),
    ]
    assert (played.made, played.reused) == (1, 0)
    assert [e.reply for e in puppet.seen[0][2].heard[0].entries] == [planted]
    waiting = run(play_waiting(played_by(setup, Waiting(puppet))))
    assert waiting == played


def test_the_keys_of_isolated_guesses_are_known_beforehand_and_depend_on_no_condition() -> None:
    setup = trial("pairwise", 4, Settings(rounds=2))
    planned = set(keys(setup.shared_only()))
    other = replace(
        setup,
        trial_seed=digest("another condition"),
        briefs=tuple(brief._replace(uptake=750, bandwidth=1) for brief in setup.briefs),
    )
    guesses = [
        {a.key for a in play(s).attempts if s.graph.steps[a.step].shared} for s in (setup, other)
    ]
    assert guesses == [planned, planned]
    assert len(planned) == 4


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_shared_step_found_in_the_record_is_not_counted(protocol: str) -> None:
    setup = trial(protocol, 4, Settings(rounds=2, stop=None))
    shared = play(setup.shared_only())
    assert (shared.made, shared.reused) == (0, 0)
    assert len(shared.attempts) == 4
    played = play(setup, recorded(shared.attempts))
    assert played == play(setup)
    assert played.made == sum(not step.shared for step in setup.graph.steps)


def changed(setup: Setup, what: str) -> Setup:
    brief = setup.briefs[0]
    changes: dict[str, Setup] = {
        "mind": replace(setup, minds=(Gossip(invalid=1),) * len(setup.minds)),
        "trial seed": replace(setup, trial_seed=digest("other")),
        "uptake": replace(setup, briefs=(brief._replace(uptake=500),) * len(setup.minds)),
        "bandwidth": replace(setup, briefs=(brief._replace(bandwidth=1),) * len(setup.minds)),
        "role": replace(setup, briefs=(brief._replace(role="honest"),) * len(setup.minds)),
        "name": replace(setup, briefs=(brief._replace(name="Ann"),) * len(setup.minds)),
        "evidence": replace(setup, evidence=setup.evidence[1:] + setup.evidence[:1]),
        "answers": replace(setup, answers=setup.answers[1:] + setup.answers[:1]),
    }
    return changes[what]


@pytest.mark.parametrize(
    ("what", "message", "probe", "guess"),
    [
        ("mind", True, True, True),
        ("trial seed", True, True, False),
        ("uptake", True, True, False),
        ("bandwidth", True, False, False),  # probes ask for a label, whatever the bandwidth
        ("role", True, True, True),
        ("name", True, True, True),
        ("evidence", True, True, True),
        ("answers", True, True, True),
    ],
)
def test_what_enters_a_key(what: str, message: bool, probe: bool, guess: bool) -> None:
    setup = trial("pairwise", 3, Settings(rounds=1))
    before, after = play(setup), play(changed(setup, what))
    speaker = next(s.seat for s in setup.graph.steps if s.purpose == "message")
    names = (f"message/{speaker}/0", f"probe/{speaker}/0", f"guess/{speaker}/0")
    differs = tuple(key_of(before, name) != key_of(after, name) for name in names)
    assert differs == (message, probe, guess)


def test_the_shared_seed_draws_shared_steps_alone() -> None:
    setup = trial("pairwise", 3, Settings(rounds=1))
    before, after = play(setup), play(replace(setup, shared_seed=digest("other")))
    assert key_of(before, "guess/0/0") != key_of(after, "guess/0/0")
    assert key_of(before, "probe/0/0") == key_of(after, "probe/0/0")


def test_a_mind_is_told_its_brief_and_whether_to_give_a_reason() -> None:
    setup = trial("pairwise", 3, Settings(rounds=1))
    briefs = tuple(brief._replace(uptake=750) for brief in setup.briefs)
    puppet = puppet_of(setup, "Peru")
    play(replace(played_by(setup, puppet), briefs=briefs))
    told = {(seen.purpose, seen.with_reason, seen.brief.uptake) for _, _, seen in puppet.seen}
    assert told == {("guess", False, None), ("probe", False, 750), ("message", True, 750)}


def test_minds_that_wait_and_minds_that_do_not_share_a_trial() -> None:
    setup = trial("pairwise", 6, Settings(rounds=4, stop=None), mind=Gossip(invalid=100))
    waiting = Waiting(setup.minds[0])
    half = replace(setup, minds=(waiting, setup.minds[0]) * 3)
    assert half.waits
    assert not setup.waits
    assert run(play_waiting(half)) == play(setup)
    seats = {setup.graph.steps[draws(setup)[draw][0]].seat for draw in waiting.asked}
    assert seats == {0, 2, 4}


def test_a_scripted_mind_draws_nothing() -> None:
    mind = Scripted("echo", lambda seen: Reply(seen.purpose, "Peru"))
    played = play(trial("broadcast", 3, Settings(rounds=1), mind=mind))
    assert {a.reply.text for a in played.attempts} == {"guess", "report", "decision"}
