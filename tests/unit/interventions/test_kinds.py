"""Each kind of change, in each protocol of rounds: what changes, and that nothing else does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from socialcircuits.errors import SettingError
from socialcircuits.graph import Mind, Observation, Reply, Settings
from socialcircuits.interventions import CATALOGUE, apply, cone, read
from socialcircuits.records import Played
from socialcircuits.trial import Setup, play
from tests.support.scenes import scene
from tests.support.trials import PROTOCOLS, Gossip, Hint, played_by, trial

N, ROUNDS = 6, 4
CHANGES: dict[str, dict[str, Any]] = {
    "evidence": {"agents": "2", "view": "Chad"},
    "message": {"agents": "1", "answer": "truth", "rounds": [2, 3]},
    "silence": {"agents": ["0", "3"]},
    "forget": {"agents": "2", "places": [-1]},
    "misremember": {"agents": "all", "places": [0], "answer": "lure", "rounds": [3, 4]},
    "implant": {"agents": "4", "answer": "Yemen"},
    "reorder": {"agents": "all", "order": "reversed"},
    "cut": {"agents": "1", "to": "all", "rounds": [1, 2]},
    "overhear": {"agents": "0", "to": ["5"]},
    "model": {"agents": "3", "model": "B"},
    "brief": {"agents": "first 1/3", "alpha": 0.75},
    "remove": {"agents": "5"},
}


class Other(Gossip):
    """Another mind."""

    def __init__(self) -> None:
        super().__init__()
        self.id = "other"


class Ordered(Gossip):
    """Repeats the newest thing it heard, so that the order of a memory matters."""

    def __init__(self) -> None:
        super().__init__()
        self.id = "ordered"
        self.seen: list[Observation] = []

    def answer(self, observation: Observation, draw: bytes) -> Reply:
        self.seen.append(observation)
        entries = [entry for heard in observation.heard for entry in heard.entries]
        if entries and draw[0] < 200:
            answer = entries[-1].reply.answer
            return Reply(str(answer), answer)
        return super().answer(observation, draw)


def base(protocol: str, seed: int = 1, mind: Mind | None = None) -> Setup:
    return trial(protocol, N, Settings(rounds=ROUNDS, stop=None), seed=seed, mind=mind or Ordered())


def changed(setup: Setup, kind: str, **more: Any) -> Setup:
    change: Mapping[str, Any] = {"kind": kind, **CHANGES[kind], **more}
    return apply(setup, read("it", [change]), scene(B=Other()))


def asked(setup: Setup, before: Played) -> tuple[Played, int]:
    """Play with the replies of another trial at hand, and count what still had to be asked."""
    known = {attempt.key: attempt.reply for attempt in before.attempts}
    played = play(setup, known.get)
    return played, sum(attempt.key not in known for attempt in played.attempts)


def observed(setup: Setup) -> dict[str, tuple[object, ...]]:
    """Step id -> all that its mind was shown, in a plain run without any record."""
    mind = Ordered()
    minds = tuple(mind if isinstance(m, Ordered) else m for m in setup.minds)
    whole = replace(setup, minds=minds)
    states = {}
    for attempt in play(whole).attempts:
        states[setup.graph.step_id(attempt.step)] = attempt.key
    return {name: (key,) for name, key in states.items()}


def test_there_is_a_test_of_every_kind() -> None:
    assert set(CHANGES) == set(CATALOGUE)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("kind", CHANGES)
def test_what_is_asked_is_what_changed_and_the_result_that_of_a_naive_run(
    kind: str, protocol: str
) -> None:
    setup = base(protocol)
    before = play(setup)
    after = changed(setup, kind)
    patched, calls = asked(after, before)
    naive = play(after)
    assert patched.attempts == naive.attempts
    was, now = observed(setup), observed(after)
    different = {name for name, seen in now.items() if seen != was.get(name)}
    assert calls == len(different)
    assert different <= cone(setup, after)
    assert patched.cut == ROUNDS


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_nothing_changed_asks_nobody(protocol: str) -> None:
    setup = base(protocol)
    before = play(setup)
    again, calls = asked(apply(setup, (), scene()), before)
    assert calls == 0
    assert again.attempts == before.attempts
    assert cone(setup, setup) == frozenset()


def heard_by(setup: Setup, seat: int, purpose: str = "probe") -> dict[int, list[str | None]]:
    """Round -> the answers that a seat read at its step of this purpose."""
    mind = Ordered()
    whole = played_by(setup, mind)
    played = play(whole)
    steps = [attempt.step for attempt in played.attempts]
    out = {}
    for index, seen in zip(steps, mind.seen, strict=True):
        step = setup.graph.steps[index]
        if step.seat == seat and step.purpose == purpose:
            out[step.round] = [e.reply.answer for part in seen.heard for e in part.entries]
    return out


def test_evidence_is_replaced_in_the_named_seats_alone() -> None:
    setup = base("pairwise")
    after = changed(setup, "evidence", agents=["2", "4"])
    shown = [e.token if isinstance(e, Hint) else "" for e in after.evidence]
    assert [i for i, token in enumerate(shown) if token == "patched-to-Chad"] == [2, 4]
    assert after.graph is setup.graph
    assert (after.shared_seed, after.trial_seed) == (setup.shared_seed, setup.trial_seed)


def test_a_message_is_replaced_for_its_readers_and_recorded_as_it_was_said() -> None:
    setup = base("pairwise")
    after = changed(setup, "message", rounds=None)
    said = {a.step: a.reply for a in play(after).attempts}
    listeners = {s.to[0] for s in setup.graph.steps if s.seat == 1 and s.purpose == "message"}
    assert listeners
    for seat in listeners:
        own = [i for i, s in enumerate(setup.graph.steps) if s.seat == 1 and seat in s.to]
        assert heard_by(after, seat)[ROUNDS].count("Peru") >= min(len(own), 1)
    assert {said[i].answer for i in said if setup.graph.steps[i].seat == 1} != {"Peru"}


def test_what_is_silenced_takes_no_place_in_any_memory() -> None:
    after = changed(base("broadcast"), "silence", agents=["0", "3"])
    reports = heard_by(after, 1, "decision")
    plain = heard_by(base("broadcast"), 1, "decision")
    assert all(len(plain[r]) - len(reports[r]) == 2 for r in plain)


def test_memories_change_for_one_agent_and_not_for_others() -> None:
    setup = base("pairwise")
    plain, other = heard_by(setup, 2), heard_by(setup, 3)
    current = next(r for r in range(1, ROUNDS + 1) if len(plain[r]) >= 2)
    here = {"agents": "2", "rounds": [current, current]}
    assert heard_by(changed(setup, "forget", **here), 2)[current] == plain[current][:-1]
    assert heard_by(changed(setup, "reorder", **here), 2)[current] == plain[current][::-1]
    moved = heard_by(changed(setup, "reorder", **here, order=[1]), 2)[current]
    assert moved == [plain[current][1], plain[current][0], *plain[current][2:]]
    planted = heard_by(changed(setup, "implant", **here, place=0), 2)[current]
    assert planted == ["Yemen", *plain[current]]
    false = heard_by(changed(setup, "misremember", **here), 2)[current]
    assert false == ["Mali", *plain[current][1:]]
    for kind in ("forget", "reorder", "implant", "misremember"):
        assert heard_by(changed(setup, kind, **here), 3)[current] == other[current]


def test_an_empty_place_of_a_memory_stays_empty() -> None:
    setup = base("pairwise")
    here = {"agents": "2", "places": [7, -8]}
    assert heard_by(changed(setup, "forget", **here), 2) == heard_by(setup, 2)


def test_a_cut_lets_an_older_entry_in_and_a_gap_in_memory_does_not() -> None:
    many = trial("pairwise", 2, Settings(rounds=8, memory=3, stop=None), mind=Ordered())
    plain = heard_by(many, 0)
    full = next(r for r in plain if len(plain[r]) == 3 and r > 4)
    last = {"agents": "0", "rounds": [full, full]}
    assert len(heard_by(changed(many, "forget", **last), 0)[full]) == 2
    cut = changed(many, "cut", agents="1", to="0", rounds=[full, full])
    assert len(heard_by(cut, 0)[full]) == 3


def test_an_overhearing_agent_reads_what_was_said_to_another() -> None:
    setup = base("pairwise")
    after = changed(setup, "overhear", agents="all", to=["5"])
    said = [s for s in setup.graph.steps if s.purpose == "message" and s.seat != 5]
    assert len(heard_by(after, 5)[ROUNDS]) == min(len(said), 8)
    assert all(5 in s.to for s in after.graph.steps if s.purpose == "message" and s.seat != 5)


def test_another_model_and_another_brief_sit_in_the_named_seats() -> None:
    setup = base("manager")
    minds = [mind.id for mind in changed(setup, "model").minds]
    assert [i for i, name in enumerate(minds) if name == "other"] == [3]
    briefs = changed(setup, "brief", m=1, role="blind", wording=["no-list"]).briefs
    told = [i for i, brief in enumerate(briefs) if brief.uptake == 750]
    assert told == [0, 1]
    assert (briefs[0].bandwidth, briefs[0].role, briefs[0].wording) == (1, "blind", ("no-list",))
    assert changed(setup, "brief", alpha="off").briefs[0].uptake is None


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_removed_agent_is_neither_asked_nor_read(protocol: str) -> None:
    setup = base(protocol)
    after = changed(setup, "remove")
    assert all(step.seat != 5 and 5 not in step.to for step in after.graph.steps)
    assert 5 not in after.graph.readout.seats
    kept = {setup.graph.step_id(i) for i, s in enumerate(setup.graph.steps) if s.seat != 5}
    assert {after.graph.step_id(i) for i in range(len(after.graph.steps))} == kept


def test_changes_compose() -> None:
    setup = base("pairwise")
    changes = [{"kind": kind, **CHANGES[kind]} for kind in ("evidence", "cut", "forget", "remove")]
    after = apply(setup, read("all", changes), scene())
    assert isinstance(after.evidence[2], Hint)
    assert after.evidence[2].token == "patched-to-Chad"
    assert after.graph.cuts
    assert after.rewrites[2]
    assert play(after).attempts == asked(after, play(setup))[0].attempts


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "kind": ({"kind": "evidense"}, r"it\[0\]\.kind.*did you mean 'evidence'"),
    "view": ({"kind": "evidence", "agents": "1", "view": "Chile"}, "view: 'Chile'"),
    "agent": ({"kind": "silence", "agents": "9"}, "agents: '9' is not allowed.*0, 1, 2"),
    "share": ({"kind": "silence", "agents": "first 9/8"}, "first 9/8"),
    "setting": ({"kind": "silence", "agent": "1"}, "agent.*did you mean 'agents'"),
    "answer": ({"kind": "message", "answer": "Perú"}, "did you mean 'Peru'"),
    "step": ({"kind": "silence", "step": "probe/0/0"}, "a step of this trial that is read"),
    "model": ({"kind": "model", "model": "C"}, "a declared model: A"),
    "m": ({"kind": "brief", "m": 2}, "m: 2"),
    "nobody": ({"kind": "remove"}, "at least one is left"),
    "place": ({"kind": "forget", "places": []}, "at least 1"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_change_that_cannot_be_made_is_refused(name: str) -> None:
    change, message = BAD[name]
    with pytest.raises(SettingError, match=message):
        apply(base("pairwise"), read("it", [change]), scene())


def test_the_first_seats_are_the_same_at_every_size() -> None:
    for n, expected in ((4, [0]), (8, [0]), (16, [0, 1]), (64, list(range(8)))):
        setup = trial("pairwise", n, Settings(rounds=1))
        after = apply(
            setup,
            read("it", [{"kind": "evidence", "agents": "first 1/8", "view": "Chad"}]),
            scene(),
        )
        tokens = [e.token for e in after.evidence if isinstance(e, Hint)]
        assert [i for i, token in enumerate(tokens) if token == "patched-to-Chad"] == expected


@pytest.mark.parametrize("kind", ["message", "silence", "cut"])
def test_a_speaker_does_not_know_what_became_of_its_words(kind: str) -> None:
    change = {"agents": "2", "rounds": None}
    setup = base("broadcast")
    plain, after = (heard_by(one, 2, "report") for one in (setup, changed(setup, kind, **change)))
    assert after[2] == plain[2]
    if kind != "message":
        own, others = heard_by(setup, 2, "decision"), heard_by(setup, 1, "decision")
        now = changed(setup, kind, **change)
        assert len(heard_by(now, 2, "decision")[1]) == len(own[1])
        assert len(heard_by(now, 1, "decision")[1]) == len(others[1]) - 1


def test_the_last_of_two_changes_of_one_edge_wins() -> None:
    setup = base("pairwise")
    edge = {"agents": "1", "to": ["3"], "rounds": None}
    cut = {"kind": "cut", **edge}
    both = [cut, {"kind": "overhear", **edge}]
    after = apply(setup, read("it", both), scene())
    heard = [i for i, s in enumerate(after.graph.steps) if s.seat == 1 and 3 in s.to]
    assert heard
    assert not {(i, 3) for i in heard} & after.graph.cuts


def test_all_readers_are_a_manager_too() -> None:
    setup = base("manager")
    after = apply(setup, read("it", [{"kind": "cut", "agents": "0"}]), scene())
    manager = len(setup.graph.seats) - 1
    assert {reader for _, reader in after.graph.cuts} == {manager}


def test_a_changed_guess_may_change_what_all_may_answer() -> None:
    setup = trial("two-way", 4, Settings(probes=2), mind=Ordered())
    setup = replace(setup, choices={"two-way": lambda guesses: frozenset(("Peru", "Mali"))})
    after = apply(setup, read("it", [{"kind": "evidence", "agents": "0", "view": "Chad"}]), scene())
    reached = cone(setup, after)
    assert {f"guess:two-way/{seat}/{n}" for seat in range(4) for n in range(2)} <= reached


MORE: dict[str, tuple[str, dict[str, Any], str]] = {
    "reversed": ("pairwise", {"kind": "silence", "rounds": [3, 1]}, "the first round, then the"),
    "late": ("pairwise", {"kind": "silence", "rounds": [9, 9]}, "rounds from 0 to 4"),
    "section": ("pairwise", {"kind": "forget", "section": "memry", "places": [0]}, "'memory'"),
    "nobody": ("pairwise", {"kind": "silence", "agents": []}, "agents: \\[\\] is not allowed"),
    "nothing": ("pairwise", {"kind": "brief"}, "m, alpha, role or wording"),
    "role": ("pairwise", {"kind": "brief", "role": "king"}, "observer"),
    "wording": ("pairwise", {"kind": "brief", "wording": ["identty"]}, "'identity'"),
    "whole": ("pairwise", {"kind": "brief", "alpha": True}, "alpha"),
    "manager": ("manager", {"kind": "evidence", "agents": "manager", "view": "Chad"}, "no evid"),
    "gone": ("manager", {"kind": "remove", "agents": "manager"}, "a manager stays"),
    "kinds": ("pairwise", {"kind": ["silence"]}, "a kind of change"),
    "whom": ("pairwise", {"kind": "evidence", "view": "Chad"}, "a value"),
}


@pytest.mark.parametrize("name", MORE)
def test_a_change_that_could_not_act_is_refused(name: str) -> None:
    protocol, change, message = MORE[name]
    with pytest.raises(SettingError, match=message):
        apply(base(protocol), read("it", [change]), scene())
