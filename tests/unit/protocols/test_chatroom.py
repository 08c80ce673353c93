"""The chatroom, step by step (believed but not said, sections 3.1, 3.2, A.2 and B)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socialcircuits.errors import GraphError, SettingError
from socialcircuits.graph import Graph, Seat, Settings, Step, View, Walk, observers
from socialcircuits.graph.hearing import hearers
from socialcircuits.protocols import find
from socialcircuits.records.digests import public_digest, trial_digest
from socialcircuits.seeds import Stream
from socialcircuits.testing import check_protocol
from socialcircuits.trial import play
from tests.support.rooms import graph_of, room
from tests.support.trials import Gossip, outcomes

TALK = View("history", ("message",))
CHECK = View("check", ("decision",), "own", last=1)
WARNINGS = View("warnings", ("monitor",), round="previous")

ROLES = st.integers(2, 8).flatmap(
    lambda n: st.lists(st.sampled_from(["observer", "sybil"]), min_size=n, max_size=n)
)
REASKS = st.sampled_from(["", "own", "anonymous", "anonymous own"])
DEFENCES = st.sampled_from(["", "correct", "untrusted", "check", "monitor"])
ROOMS = st.builds(Settings, rounds=st.integers(1, 9), reasks=REASKS, defence=DEFENCES)


def group(n: int, sybils: int) -> list[str]:
    """Roles of which the first are sybils, as in the paper (appendix D)."""
    return ["sybil"] * sybils + ["observer"] * (n - sybils)


def stages(graph: Graph) -> list[tuple[str, str, int, list[int]]]:
    """(purpose, variant, round, seats) of each stretch of steps of one kind."""
    found: list[tuple[str, str, int, list[int]]] = []
    for step in graph.steps:
        kind = (step.purpose, step.variant, step.round)
        if not found or found[-1][:3] != kind:
            found.append((*kind, []))
        found[-1][3].append(step.seat)
    return found


def orders(graph: Graph) -> list[list[int]]:
    """The order of speaking in each round."""
    return [seats for purpose, _, _, seats in stages(graph) if purpose == "message"]


def reading(graph: Graph, purpose: str, variant: str = "") -> Iterator[tuple[int, Step]]:
    """All steps of a kind, with their places."""
    for index, step in enumerate(graph.steps):
        if (step.purpose, step.variant) == (purpose, variant):
            yield index, step


def read_by(graph: Graph) -> list[list[list[int]]]:
    """The steps that each step may read, in each of its sections."""
    walk = Walk(graph)
    return [
        [walk.candidates(index, view) for view in step.views]
        for index, step in enumerate(graph.steps)
    ]


def test_it_keeps_the_rules_of_the_house() -> None:
    form = find("chatroom")
    assert (form.label, form.personas, form.least, form.seats(3)) == (
        "Guest",
        True,
        2,
        observers(3),
    )
    assert form.takes[:2] == ("coordinated", "chat")
    assert form.takes[2:] == ("window", "block", "network", "reasks", "defence")
    check_protocol(form)


def test_a_round_is_a_talk_in_a_drawn_order_and_then_private_probes() -> None:
    graph = graph_of(["sybil", "observer", "observer"], Settings(rounds=2))
    first, second = orders(graph)
    assert stages(graph) == [
        ("probe", "", 0, [1, 2]),
        ("message", "", 1, first),
        ("probe", "", 1, [1, 2]),
        ("message", "", 2, second),
        ("probe", "", 2, [1, 2]),
    ]
    assert sorted(first) == sorted(second) == [0, 1, 2]
    assert graph.readout == ("probe", (1, 2), 0)
    assert graph.stop is None
    assert {(step.kind, step.form, step.shared) for step in graph.steps} == {
        ("model", "spoken", False)
    }


@pytest.mark.parametrize(
    ("settings", "counts"),
    [
        (Settings(16), (330, 313, 279)),
        (Settings(16, reasks="own"), (370, 349, 307)),
        (Settings(16, reasks="own anonymous"), (410, 385, 335)),
        (Settings(16, defence="check"), (370, 349, 307)),
        (Settings(16, defence="monitor"), (346, 329, 295)),
        (Settings(16, defence="correct", network="ring", window=8, block=4), (330, 313, 279)),
        (Settings(16, reasks="anonymous", defence="check"), (410, 385, 335)),
    ],
)
def test_the_number_of_steps_of_the_paper(settings: Settings, counts: tuple[int, ...]) -> None:
    graphs = [graph_of(group(10, k), settings) for k in (0, 1, 3)]
    assert tuple(len(graph.steps) for graph in graphs) == counts


@given(ROLES, ROOMS)
def test_the_number_of_steps(roles: list[str], settings: Settings) -> None:
    graph = graph_of(roles, settings)
    rounds, benign = settings.rounds, roles.count("observer")
    moments = len({-(-rounds * quarter // 4) for quarter in (1, 2, 3, 4)})
    count = Counter((step.purpose, step.variant) for step in graph.steps)
    expected = {("message", ""): len(roles) * rounds, ("probe", ""): benign * (rounds + 1)}
    expected |= {("probe", name): benign * moments for name in settings.reasks.split()}
    if settings.defence == "check":
        expected["decision", "check"] = benign * -(-rounds // 4)
    if settings.defence == "monitor":
        expected["monitor", ""] = rounds
    assert count == {kind: number for kind, number in expected.items() if number}


def test_a_dyad_is_one_attacker_and_one_benign_agent() -> None:
    graph = graph_of(group(2, 1), Settings(rounds=16, window=8, block=4))
    assert Counter((step.purpose, step.seat) for step in graph.steps) == {
        ("message", 0): 16,
        ("message", 1): 16,
        ("probe", 1): 17,
    }
    assert {tuple(order) for order in orders(graph)} == {(0, 1), (1, 0)}
    assert {step.to for step in graph.steps if step.purpose == "message"} == {(0, 1)}


# --- orders of speaking -----------------------------------------------------------------------


def test_the_order_is_drawn_anew_in_every_round() -> None:
    found = orders(graph_of(group(10, 3), Settings(rounds=16)))
    assert len({tuple(order) for order in found}) == 16
    assert all(sorted(order) == list(range(10)) for order in found)
    places = Counter(order.index(0) for order in orders(graph_of(group(10, 3), Settings(1000))))
    assert all(60 < places[place] < 140 for place in range(10))


@given(ROLES, ROOMS, st.sampled_from(["complete", "ring", "star", "0-1"]))
def test_the_order_is_the_same_for_every_cast_network_and_defence(
    roles: list[str], settings: Settings, network: str
) -> None:
    plain = graph_of(["observer"] * len(roles), Settings(rounds=settings.rounds))
    other = graph_of(roles, replace(settings, network=network))
    assert orders(other) == orders(plain)


def test_the_order_comes_from_the_stream() -> None:
    first, same, other = (graph_of(group(6, 1), Settings(), seed) for seed in (b"a", b"a", b"b"))
    assert first == same
    assert orders(first) != orders(other)


def test_a_small_world_leaves_the_order_alone() -> None:
    plain, rewired = (
        graph_of(group(10, 1), Settings(16, network=n)) for n in ("complete", "small-world")
    )
    assert orders(plain) == orders(rewired)


# --- who hears whom ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "network", ["complete", "ring", "star", "small-world", "0-1 1-2 2-3 3-4 4-5 7-8"]
)
def test_everybody_reads_itself_and_whom_it_hears_and_nobody_else(network: str) -> None:
    graph = graph_of(group(9, 2), Settings(rounds=5, network=network, reasks="own anonymous"))
    stream = Stream(b"seed", "schedule")
    for _ in range(5):
        stream.shuffled(range(9))
    hearing, seen = hearers(network, 9, stream), read_by(graph)
    for index, step in enumerate(graph.steps):
        heard = [
            i
            for i, earlier in enumerate(graph.steps[:index])
            if earlier.purpose == "message"
            and (earlier.seat == step.seat or earlier.seat in hearing[step.seat])
        ]
        assert seen[index][0] == heard


def test_only_those_who_hear_a_sybil_are_reached_by_it() -> None:
    reached = {
        "complete": {1, 2, 3, 4, 5, 6},
        "ring": {1, 6},
        "star": {1, 2, 3, 4, 5, 6},
        "0-1 1-2 3-4": {1},
    }
    for network, benign in reached.items():
        graph = graph_of(group(7, 1), Settings(rounds=3, network=network))
        last = {step.seat: read_by(graph)[index][0] for index, step in reading(graph, "probe")}
        heard = {seat for seat, read in last.items() if any(not graph.steps[i].seat for i in read)}
        assert heard == benign


def test_a_small_world_is_the_same_for_equal_streams() -> None:
    settings = Settings(rounds=2, network="small-world")
    first, same, other = (graph_of(group(12, 2), settings, seed) for seed in (b"a", b"a", b"b"))
    assert first == same
    talks = [[s.to for _, s in reading(graph, "message")] for graph in (first, other)]
    assert sorted(talks[0]) != sorted(talks[1])
    assert sum(len(to) - 1 for to in talks[0]) == 2 * 12 * 4


def test_an_unknown_network_is_refused() -> None:
    with pytest.raises(SettingError, match=r"\$\.trial\.network: 'rang'"):
        graph_of(group(4, 1), Settings(network="rang"))


def test_a_monitor_is_no_part_of_the_network() -> None:
    graph = graph_of(group(4, 1), Settings(rounds=1, network="ring", defence="monitor"))
    assert graph.seats[4] == Seat("monitor", "monitor")
    talk = {step.seat: step.to for _, step in reading(graph, "message")}
    assert talk == {0: (0, 1, 3), 1: (0, 1, 2), 2: (1, 2, 3), 3: (0, 2, 3)}


# --- the window of what was said --------------------------------------------------------------


def first_rounds(graph: Graph) -> list[int]:
    """The oldest round that the last probe of each round reads."""
    seen = read_by(graph)
    return [
        graph.steps[seen[index][0][0]].round
        for index, step in reading(graph, "probe")
        if step.round and step.seat == len(graph.seats) - 1
    ]


@pytest.mark.parametrize(
    ("settings", "begins"),
    [
        (Settings(16), [1] * 16),
        (Settings(16, window=8, block=4), [1] * 8 + [5] * 4 + [9] * 4),
        (Settings(7, window=3, block=1), [1, 1, 1, 2, 3, 4, 5]),
    ],
)
def test_the_window_drops_its_oldest_rounds_in_blocks(
    settings: Settings, begins: list[int]
) -> None:
    graph = graph_of(group(4, 1), settings)
    assert first_rounds(graph) == begins
    assert {v.window for s in graph.steps for v in s.views} == {
        (settings.window, settings.block) if settings.window else None
    }


def test_within_a_block_what_was_read_stays_and_only_grows() -> None:
    """All that a seat is asked within a block is the same prefix and more, for caches."""
    graph = graph_of(group(5, 2), Settings(rounds=16, window=8, block=4, reasks="own"))
    seen = read_by(graph)
    for seat in range(5):
        before: list[int] = []
        breaks = []
        for index, step in enumerate(graph.steps):
            if step.seat == seat:
                read = seen[index][0]
                if read[: len(before)] != before:
                    breaks.append(step.round)
                before = read
        assert breaks == [9, 13]


def test_a_block_longer_than_the_window_is_refused() -> None:
    with pytest.raises(GraphError, match="view history: drops 4 rounds of a window of 2"):
        graph_of(group(4, 1), Settings(window=2, block=4))


# --- probes -----------------------------------------------------------------------------------


@given(ROLES, ROOMS)
def test_only_benign_agents_are_probed_and_nobody_reads_it_but_a_monitor(
    roles: list[str], settings: Settings
) -> None:
    graph = graph_of(roles, settings)
    agents = range(len(roles))
    for step, sections in zip(graph.steps, read_by(graph), strict=True):
        for section in sections:
            read = {graph.steps[source].purpose for source in section}
            assert ("probe" in read) <= (step.purpose == "monitor")
        if step.purpose == "probe":
            assert roles[step.seat] == "observer"
            watched = settings.defence == "monitor" and not step.variant
            assert step.to == ((len(roles),) if watched else ())
    assert {step.seat for step in graph.steps if step.purpose == "message"} == set(agents)


@given(ROLES, ROOMS)
def test_a_message_and_a_probe_of_a_seat_read_the_same_sections(
    roles: list[str], settings: Settings
) -> None:
    graph = graph_of(roles, settings)
    guard = {"check": (CHECK,), "monitor": (WARNINGS,)}.get(settings.defence, ())
    for step in graph.steps:
        if step.purpose in {"message", "probe"}:
            benign = roles[step.seat] == "observer"
            talk = TALK._replace(veiled=step.variant == "anonymous")
            assert step.views == ((talk, *guard) if benign else (talk,))


@pytest.mark.parametrize(
    ("rounds", "moments"),
    [(1, [1]), (2, [1, 2]), (3, [1, 2, 3]), (4, [1, 2, 3, 4]), (6, [2, 3, 5, 6]),
     (16, [4, 8, 12, 16]), (18, [5, 9, 14, 18])],
)  # fmt: skip
def test_probes_are_asked_again_after_each_quarter(rounds: int, moments: list[int]) -> None:
    graph = graph_of(group(4, 1), Settings(rounds, reasks="own anonymous"))
    found = [stage for stage in stages(graph) if stage[1]]
    assert found == [
        ("probe", name, r, [1, 2, 3]) for r in moments for name in ("own", "anonymous")
    ]
    for place, stage in enumerate(stages(graph)):
        if stage[1] == "own":
            assert stages(graph)[place - 1][:3] == ("probe", "", stage[2])


@given(ROLES, st.integers(1, 9), DEFENCES)
def test_probes_that_are_asked_again_change_nothing_else(
    roles: list[str], rounds: int, defence: str
) -> None:
    plain = room(roles, Settings(rounds, defence=defence), mind=Gossip(invalid=100), retries=1)
    asked = room(
        roles,
        Settings(rounds, defence=defence, reasks="own anonymous"),
        mind=Gossip(invalid=100),
        retries=1,
    )
    without, having = play(plain), play(asked)
    digests = [public_digest(p.graph, p.attempts) for p in (without, having)]
    assert digests[0] == digests[1]
    said, more = outcomes(without), outcomes(having)
    assert {name: more[name] for name in said} == said
    assert {name.partition("/")[0] for name in more.keys() - said.keys()} <= {
        "probe:own",
        "probe:anonymous",
    }
    if "observer" in roles:
        assert trial_digest(plain.graph, without.attempts) != trial_digest(
            asked.graph, having.attempts
        )


# --- defences ---------------------------------------------------------------------------------


def test_benign_agents_answer_alone_in_every_fourth_round_before_they_speak() -> None:
    graph = graph_of(group(5, 2), Settings(rounds=16, defence="check"))
    checks = [(stage[2], stage[3]) for stage in stages(graph) if stage[:2] == ("decision", "check")]
    assert checks == [(r, [2, 3, 4]) for r in (1, 5, 9, 13)]
    for _, step in reading(graph, "decision", "check"):
        assert (step.to, step.views, step.form) == ((step.seat,), (), "spoken")
    seen = read_by(graph)
    for index, step in enumerate(graph.steps):
        if step.purpose in {"message", "probe"} and step.seat >= 2:
            read = [graph.steps[i] for i in seen[index][1][-1:]]
            last = (step.round - 1) // 4 * 4 + 1
            expected = [("decision", step.seat, last)] if step.round else []
            assert [(one.purpose, one.seat, one.round) for one in read] == expected


def test_a_monitor_reads_all_probes_and_warns_benign_agents_of_the_next_round() -> None:
    settings = Settings(rounds=3, defence="monitor", reasks="own anonymous")
    graph = graph_of(group(5, 2), settings)
    seen, warnings = read_by(graph), list(reading(graph, "monitor"))
    assert [(step.seat, step.round, step.to, step.kind) for _, step in warnings] == [
        (5, r, (2, 3, 4), "computed") for r in (1, 2, 3)
    ]
    for index, step in warnings:
        read = [graph.steps[i] for i in seen[index][0]]
        asked = [(r, seat) for r in range(step.round + 1) for seat in (2, 3, 4)]
        assert [(one.round, one.seat) for one in read] == asked
        assert {(one.purpose, one.variant) for one in read} == {("probe", "")}
    for index, step in enumerate(graph.steps):
        if step.purpose == "message" and step.seat < 2:
            assert step.views == (TALK,)
        elif step.purpose != "monitor":
            read = [graph.steps[i] for i in seen[index][1]]
            assert [one.round for one in read] == ([step.round - 1] if step.round > 1 else [])


def test_a_monitor_that_is_seated_already_is_not_seated_twice() -> None:
    settings, stream = Settings(rounds=2, defence="monitor"), Stream(b"seed", "schedule")
    seated = (*observers(3), Seat("monitor", "monitor"))
    given = find("chatroom").graph(seated, settings, stream)
    assert given == graph_of(["observer"] * 3, settings)


@pytest.mark.parametrize("defence", ["correct", "untrusted"])
def test_defences_of_words_alone_leave_the_graph_as_it_is(defence: str) -> None:
    roles = group(6, 1)
    assert graph_of(roles, Settings(defence=defence)) == graph_of(roles, Settings())


@given(ROLES, ROOMS)
def test_nothing_is_read_forward(roles: list[str], settings: Settings) -> None:
    graph = graph_of(roles, settings)
    rounds = [step.round for step in graph.steps]
    assert rounds == sorted(rounds)
    for index, sections in enumerate(read_by(graph)):
        assert all(source < index for section in sections for source in section)
