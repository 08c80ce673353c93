"""Deceivers silenced, and deceivers made honest: what they know, and what others see of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from socialcircuits.errors import SettingError
from socialcircuits.graph import ADVERSARIES, Observation, Reply, Settings
from socialcircuits.interventions import apply, cone, read
from socialcircuits.records import Played
from socialcircuits.studies import Builder, plan, run
from socialcircuits.studies import read as read_study
from socialcircuits.trial import Setup, play
from tests.support.deliberations import deliberation, secret
from tests.support.minds import Puppet
from tests.support.scenes import scene
from tests.support.trials import Gossip, played_by

HONEST: dict[str, Any] = {"kind": "brief", "role": "observer"}
ROLES = ("observer", "deceiver", "observer", "deceiver", "observer")
TOGETHER = ("observer", "coordinated", "observer", "coordinated", "coordinated")
SECRET = re.compile(r"[0-9a-f]{32}")
DEBATE = Settings(rounds=3, chat=2)


def changed(setup: Setup, **change: Any) -> Setup:
    return apply(setup, read("it", [change]), scene())


def observations(setup: Setup) -> dict[str, Observation]:
    """Step id -> what its seat was shown, where every reply bears its step's id."""

    def say(step: int, attempt: int, seen: Observation) -> Reply:
        name = setup.graph.step_id(step)
        return Reply(name, "Peru", f"<{name}>")

    puppet = Puppet(setup, say)
    play(played_by(setup, puppet))
    return {setup.graph.step_id(index): seen for index, _, seen in puppet.seen}


def steps(setup: Setup, *seats: int) -> set[str]:
    """The ids of the steps of these seats."""
    graph = setup.graph
    return {graph.step_id(i) for i, step in enumerate(graph.steps) if step.seat in seats}


@pytest.mark.parametrize(("roles", "seat"), [(ROLES, 1), (TOGETHER, 1)])
def test_a_deceiver_made_honest_knows_nothing_that_adversaries_know(
    roles: Sequence[str], seat: int
) -> None:
    setup = deliberation(roles, DEBATE)
    after = changed(setup, **HONEST, agents="one deceiver")
    brief, before = after.briefs[seat], setup.briefs[seat]
    assert before.role in ADVERSARIES
    assert before.truth == secret("truth", seat)
    assert (brief.role, brief.truth, brief.lure, brief.fellows, brief.group) == (
        "observer", "", "", (), 0,
    )  # fmt: skip
    assert brief.name == before.name
    own = steps(after, seat)
    assert own
    for name, seen in observations(after).items():
        if name in own:
            assert not SECRET.findall(repr(seen))
            assert not re.search(r"<(chat|plan)", repr(seen))
            assert not {"plan", "chat"} & {heard.section for heard in seen.heard}


@pytest.mark.parametrize(("roles", "seats"), [(ROLES, (1, 3)), (TOGETHER, (1, 3, 4))])
def test_deceivers_are_all_of_them_and_one_is_the_first(
    roles: Sequence[str], seats: tuple[int, ...]
) -> None:
    setup = deliberation(roles, DEBATE)
    for agents, meant in (("deceivers", seats), ("one deceiver", seats[:1])):
        after = changed(setup, **HONEST, agents=agents)
        now = [i for i, brief in enumerate(after.briefs) if brief != setup.briefs[i]]
        assert tuple(now) == meant


def test_one_that_leaves_the_coalition_takes_none_of_its_steps_and_the_others_keep_theirs() -> None:
    setup = deliberation(TOGETHER, DEBATE)
    after = changed(setup, **HONEST, agents="one deceiver")
    gone = steps(setup, 1) - steps(after, 1)
    assert gone == {name for name in steps(setup, 1) if name.startswith(("chat", "plan"))}
    assert gone
    for seat in (0, 2, 3, 4):
        assert steps(after, seat) == steps(setup, seat)
    for step in after.graph.steps:
        assert (1 in step.to) <= (step.purpose not in {"chat", "plan"})
    before, now = observations(setup), observations(after)
    chat = next(name for name in now if name.startswith("chat:during/4/"))
    heard = [e.reply.reason for part in now[chat].heard for e in part.entries]
    assert [one for one in heard if "chat" in one]
    assert not [one for one in heard if re.search(r"chat:\w+/1/", one)]
    assert [e for part in before[chat].heard for e in part.entries if "/1/" in e.reply.reason]


def test_the_public_schedule_of_one_made_honest_is_that_of_an_observer() -> None:
    """It says, reads and reflects as the honest do, in the same steps."""
    for roles in (ROLES, TOGETHER):
        after = changed(deliberation(roles, DEBATE), **HONEST, agents="one deceiver").graph
        mine, honest = (
            [(s.purpose, s.variant, s.round, s.nth, s.views) for s in after.steps if s.seat == seat]
            for seat in (1, 0)
        )
        assert mine == honest


def test_a_silenced_deceiver_is_not_read_and_does_not_know() -> None:
    setup = deliberation(ROLES, DEBATE)
    after = changed(setup, kind="silence", agents="one deceiver", rounds=[1, 1])
    assert after.briefs == setup.briefs
    assert after.graph == setup.graph
    before, now = observations(setup), observations(after)
    read_of = "<message/1/0>"
    readers = {name for name, seen in before.items() if read_of in repr(seen)}
    assert {name.split("/")[1] for name in readers} == {"0", "1", "2", "3", "4"}
    still = {name for name, seen in now.items() if read_of in repr(seen)}
    assert {name.split("/")[1] for name in still} == {"1"}
    assert still == {name for name in readers if name.split("/")[1] == "1"}
    # Its other words are read as before.
    other = "<message/1/1>"
    assert {n for n, seen in now.items() if other in repr(seen)} == {
        n for n, seen in before.items() if other in repr(seen)
    }


@pytest.mark.parametrize(
    "change",
    [
        {**HONEST, "agents": "one deceiver"},
        {**HONEST, "agents": "deceivers"},
        {"kind": "silence", "agents": "one deceiver", "rounds": [1, 1]},
        {"kind": "remove", "agents": "one deceiver"},
    ],
    ids=["honest", "all honest", "silent", "gone"],
)
@pytest.mark.parametrize("roles", [ROLES, TOGETHER], ids=["alone", "together"])
def test_what_is_asked_is_what_changed_and_the_result_that_of_a_naive_run(
    change: dict[str, Any], roles: Sequence[str]
) -> None:
    setup = replace(deliberation(roles, DEBATE), minds=(Gossip(),) * 5)
    before, after = play(setup), changed(setup, **change)
    known = {attempt.key: attempt.reply for attempt in before.attempts}
    patched, naive = play(after, known.get), play(after)
    assert patched.attempts == naive.attempts
    anew = {after.graph.step_id(a.step) for a in naive.attempts if a.key not in known}
    assert anew == {name for name, key in keys(naive).items() if keys(before).get(name) != key}
    assert anew <= cone(setup, after)
    assert 0 < len(anew) < len(after.graph.steps)


def keys(played: Played) -> dict[str, bytes]:
    return {played.graph.step_id(attempt.step): attempt.key for attempt in played.attempts}


@pytest.mark.parametrize("agents", ["deceivers", "one deceiver"])
@pytest.mark.parametrize("kind", ["brief", "silence"])
def test_deceivers_that_are_not_there_are_refused(agents: str, kind: str) -> None:
    setup = deliberation(("observer",) * 3, DEBATE)
    change = {"role": "observer"} if kind == "brief" else {}
    with pytest.raises(SettingError, match="agents that are there: nobody deceives"):
        changed(setup, kind=kind, agents=agents, **change)
    with pytest.raises(SettingError, match="deceivers, one deceiver"):
        changed(setup, kind=kind, agents="a deceiver", **change)


def test_a_brief_that_names_no_role_leaves_deceivers_as_they_are() -> None:
    setup = deliberation(TOGETHER, DEBATE)
    after = changed(setup, kind="brief", agents="deceivers", alpha=0.5)
    assert after.graph is setup.graph
    for before, now in zip(setup.briefs, after.briefs, strict=True):
        assert (now.role, now.truth, now.fellows) == (before.role, before.truth, before.fellows)


# --- the preset --------------------------------------------------------------------------------

SMALL = {"N": 6, "deceivers": 2, "rounds": 2}


@pytest.mark.parametrize("coordinated", [False, True])
def test_the_preset_asks_anew_only_what_changed(tmp_path: Path, coordinated: bool) -> None:
    settings = {**SMALL, "coordinated": coordinated}
    study = read_study(
        "deliberation/withheld",
        seeds=5,
        sets=[f"{name}={str(value).lower()}" for name, value in settings.items()],
    )
    laid = plan(study)
    builder = Builder(study)
    planned = {one.plan.number: one for one in laid.trials}
    seen = set()
    out = tmp_path / "run.db"
    with run("deliberation/withheld", seeds=5, settings=settings, out=out) as done:
        records = {one.plan.number: one for one in done.file.trials()}
    for number, base in laid.bases.items():
        if number not in records:
            continue
        record, name = records[number], planned[number].cell.trial.intervention
        setup, _ = builder.build(planned[number])
        naive = play(setup)
        assert record.attempts == list(naive.attempts)
        known = {attempt.key for attempt in records[base.number].attempts}
        anew = [attempt for attempt in naive.attempts if attempt.key not in known]
        assert record.counts["made"] == len(anew)
        assert record.counts["reused"] == len(naive.attempts) - len(anew) > 0
        assert len(anew) > 0
        seen.add(name)
    assert seen == set(study.interventions) >= {"silent", "honest"}
