"""The deliberation, step by step (adversarial influence, sections 2.2 and 2.2.1)."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socialcircuits.graph import ADVERSARIES, Graph, Seat, Settings, Step, View, Walk, observers
from socialcircuits.protocols import find
from socialcircuits.seeds import Stream
from socialcircuits.testing import check_protocol
from socialcircuits.trial import play_waiting
from tests.support.clock import timed
from tests.support.deliberations import cast_of, deliberation
from tests.support.minds import Waiting, one_second
from tests.support.trials import Gossip, played_by

CHAT, PLAN = View("chat", ("chat",)), View("plan", ("plan",), "own")
REFLECTIONS = View("reflections", ("reflection",), "own")
BEFORE = View("board", ("message",), round="previous")
NOW = View("board", ("message",), round="same")
VERIFICATION = View("verification", ("decision",), "own")

VERIFY = st.sampled_from(["", "alone", "claim"])
CASTS = st.integers(2, 9).flatmap(
    lambda n: st.lists(st.sampled_from(["observer", "blind", *ADVERSARIES]), min_size=n, max_size=n)
)


def group(n: int, adversaries: int, role: str) -> tuple[Seat, ...]:
    """A cast whose first seats are adversaries."""
    return cast_of([role] * adversaries + ["observer"] * (n - adversaries))


def graph_of(cast: tuple[Seat, ...], settings: Settings) -> Graph:
    return find("deliberation").graph(cast, settings, Stream(b"seed", "schedule"))


def stages(graph: Graph) -> list[tuple[str, str, int, list[int]]]:
    """(purpose, variant, round, seats) of each stretch of steps of one kind."""
    found: list[tuple[str, str, int, list[int]]] = []
    for step in graph.steps:
        kind = (step.purpose, step.variant, step.round)
        if not found or found[-1][:3] != kind:
            found.append((*kind, []))
        found[-1][3].append(step.seat)
    return found


def of_kind(graph: Graph, purpose: str, variant: str = "") -> list[Step]:
    return [s for s in graph.steps if (s.purpose, s.variant) == (purpose, variant)]


def read_by(graph: Graph, index: int) -> dict[str, list[tuple[str, int, int]]]:
    """Section -> (purpose, round, seat) of all that a step reads if every reply is valid."""
    walk, step = Walk(graph), graph.steps[index]
    found = {}
    for view in step.views:
        sources = walk.candidates(index, view)
        kept = sources if view.last is None else sources[-view.last :]
        read = [graph.steps[i] for i in kept]
        found[view.section] = [(s.purpose, s.round, s.seat) for s in read]
    return found


def test_it_keeps_the_rules_of_the_house() -> None:
    form = find("deliberation")
    assert (form.label, form.least, form.seats(3)) == ("Colleague", 2, observers(3))
    assert form.takes == ("coordinated", "reflections", "chat", "verify")
    check_protocol(form)


def test_independent_agents_answer_alone_discuss_reflect_and_vote() -> None:
    graph = graph_of(group(3, 1, "deceiver"), Settings(rounds=2))
    everybody = [0, 1, 2]
    assert stages(graph) == [
        ("message", "first", 0, everybody),
        ("reflection", "", 0, everybody),
        ("message", "", 1, everybody),
        ("reflection", "", 1, everybody),
        ("message", "", 2, everybody),
        ("reflection", "", 2, everybody),
        ("vote", "", 2, everybody),
    ]
    assert graph.readout == ("vote", (0, 1, 2), 2)
    assert graph.stop is None
    assert {(step.kind, step.form, step.shared) for step in graph.steps} == {
        ("model", "spoken", False)
    }


def test_coordinated_deceivers_chat_plan_and_chat_again() -> None:
    cast = cast_of(["observer", "coordinated", "observer", "coordinated", "observer"])
    graph = graph_of(cast, Settings(rounds=1, chat=2))
    everybody = [0, 1, 2, 3, 4]
    assert stages(graph) == [
        ("chat", "before", 0, [1, 3, 1, 3]),
        ("plan", "", 0, [1, 3]),
        ("message", "first", 0, everybody),
        ("reflection", "", 0, everybody),
        ("message", "", 1, everybody),
        ("chat", "during", 1, [1, 3, 1, 3]),
        ("reflection", "", 1, everybody),
        ("vote", "", 1, everybody),
    ]
    assert {step.to for step in graph.steps if step.purpose == "chat"} == {(1, 3)}


def test_each_turn_of_a_chat_reads_all_turns_before_it() -> None:
    graph = graph_of(group(7, 3, "coordinated"), Settings(rounds=2, chat=2))
    chats = [i for i, step in enumerate(graph.steps) if step.purpose == "chat"]
    assert len(chats) == 3 * 2 * 3
    walk = Walk(graph)
    for number, index in enumerate(chats):
        assert walk.candidates(index, CHAT) == chats[:number]
        step = graph.steps[index]
        assert step.views == ((CHAT,) if step.variant == "before" else (CHAT, NOW))
        if step.variant == "during":
            assert read_by(graph, index)["board"] == [("message", step.round, s) for s in range(7)]


@pytest.mark.parametrize("role", ["observer", "deceiver", "coordinated"])
@pytest.mark.parametrize("adversaries", [0, 1])
def test_without_a_partner_nobody_chats_or_plans(adversaries: int, role: str) -> None:
    graph = graph_of(group(5, adversaries, role), Settings(rounds=3))
    assert Counter(step.purpose for step in graph.steps) == {
        "message": 5 * 4,
        "reflection": 5 * 4,
        "vote": 5,
    }
    assert graph.steps == graph_of(observers(5), Settings(rounds=3)).steps


def test_an_ordinary_deceiver_is_no_part_of_the_coalition() -> None:
    graph = graph_of(cast_of(["coordinated", "deceiver", "observer"] * 2), Settings(rounds=1))
    assert {step.seat for step in graph.steps if step.purpose in {"chat", "plan"}} == {0, 3}


# --- how many steps, and how many of them one after another -----------------------------------


def count(n: int, coalition: int, rounds: int, chat: int, honest: int, verify: str) -> int:
    """Number of steps by arithmetic."""
    public, reflections, votes = n * (rounds + 1), n * (rounds + 1), n
    chats = coalition * chat * (rounds + 1)
    return public + reflections + votes + chats + coalition + (honest if verify else 0)


@given(CASTS, st.integers(1, 4), st.integers(1, 3), VERIFY)
def test_the_number_of_steps(roles: list[str], rounds: int, chat: int, verify: str) -> None:
    graph = graph_of(cast_of(roles), Settings(rounds=rounds, chat=chat, verify=verify))
    coalition = roles.count("coordinated")
    honest = sum(role not in ADVERSARIES for role in roles)
    coalition = coalition if coalition > 1 else 0
    assert len(graph.steps) == count(len(roles), coalition, rounds, chat, honest, verify)


def longest(graph: Graph) -> int:
    """Steps on the longest chain in which each reads the one before, whatever is invalid: a step
    waits for nothing else."""
    walk = Walk(graph)
    depth: list[int] = []
    for index, step in enumerate(graph.steps):
        sources = [depth[i] for view in step.views for i in walk.candidates(index, view)]
        depth.append(1 + max(sources, default=0))
    return max(depth)


def layers(coalition: int, rounds: int, chat: int) -> int:
    """The same by counting stages. A chat is one chain of turns; all other stages are one step
    deep, and each needs the one before: the plan the chat, the answer the plan, the chat the
    replies, the reflection the chat, the next reply the reflection, the vote the last reflection.
    """
    turns = coalition * chat
    opening = turns + bool(coalition) + 1 + 1
    return opening + rounds * (1 + turns + 1) + 1


@pytest.mark.parametrize(
    ("coalition", "chat", "steps", "depth"),
    [(9, 2, 390, 122), (9, 1, 336, 68), (0, 2, 273, 13), (1, 2, 273, 13)],
)
def test_the_largest_group(coalition: int, chat: int, steps: int, depth: int) -> None:
    """Of the 122 steps six chats are 6 x 18. The other 14 are six public replies, six reflections,
    the plan and the vote; counts of 120, and of 66 with one turn, leave the last two out."""
    settings = Settings(rounds=5, chat=chat)
    setup = deliberation(["coordinated"] * coalition + ["observer"] * (21 - coalition), settings)
    assert len(setup.graph.steps) == steps
    assert longest(setup.graph) == layers(coalition if coalition > 1 else 0, 5, chat) == depth
    played, seconds = timed(play_waiting(played_by(setup, Waiting(Gossip(), one_second))))
    assert (len(played.attempts), seconds) == (steps, depth)


@given(st.integers(0, 4), st.integers(1, 4), st.integers(1, 3))
def test_the_longest_chain(coalition: int, rounds: int, chat: int) -> None:
    graph = graph_of(group(9, coalition, "coordinated"), Settings(rounds=rounds, chat=chat))
    assert longest(graph) == layers(coalition if coalition > 1 else 0, rounds, chat)


# --- who reads what ---------------------------------------------------------------------------


def test_honest_agents_answer_first_without_reading_anything() -> None:
    graph = graph_of(cast_of(["observer", "blind", *ADVERSARIES, "coordinated"]), Settings(2))
    first = of_kind(graph, "message", "first")
    assert [step.views for step in first] == [(), (), (), (PLAN,), (), (PLAN,)]
    assert {step.to for step in first} == {(0, 1, 2, 3, 4, 5)}


def test_a_plan_is_made_from_the_whole_chat_and_read_by_its_maker_alone() -> None:
    graph = graph_of(group(7, 3, "coordinated"), Settings(rounds=1, chat=2))
    plans = [i for i, step in enumerate(graph.steps) if step.purpose == "plan"]
    for index in plans:
        step = graph.steps[index]
        assert (step.views, step.to) == ((CHAT,), (step.seat,))
        turns = read_by(graph, index)["chat"]
        assert turns == [("chat", 0, seat) for seat in (0, 1, 2, 0, 1, 2)]


@given(CASTS, st.integers(1, 4), st.sampled_from([None, 1]), VERIFY)
def test_public_replies_and_votes_read_the_same_whoever_deceives(
    roles: list[str], rounds: int, last: int | None, verify: str
) -> None:
    graph = graph_of(cast_of(roles), Settings(rounds=rounds, reflections=last, verify=verify))
    own = REFLECTIONS._replace(last=last)
    assert {step.views for step in of_kind(graph, "message")} == {(own, BEFORE)}
    for step in of_kind(graph, "vote"):
        checked = verify and roles[step.seat] not in ADVERSARIES
        assert step.views == ((own, NOW, VERIFICATION) if checked else (own, NOW))


def test_a_public_reply_reads_the_replies_of_the_round_before() -> None:
    graph = graph_of(group(3, 1, "deceiver"), Settings(rounds=3))
    for index, step in enumerate(graph.steps):
        if step.purpose == "message" and step.round:
            read = read_by(graph, index)
            assert read["board"] == [("message", step.round - 1, seat) for seat in range(3)]
            before = range(step.round)
            assert read["reflections"] == [("reflection", r, step.seat) for r in before]


@pytest.mark.parametrize("last", [None, 1])
def test_reflections_read_the_round_and_earlier_reflections(last: int | None) -> None:
    graph = graph_of(group(5, 2, "coordinated"), Settings(rounds=3, reflections=last, chat=1))
    for index, step in enumerate(graph.steps):
        if step.purpose != "reflection":
            continue
        read, current = read_by(graph, index), step.round
        assert step.to == (step.seat,)
        assert read["board"] == [("message", current, seat) for seat in range(5)]
        rounds = range(current)[-1:] if last else range(current)
        assert read["reflections"] == [("reflection", r, step.seat) for r in rounds]
        if step.seat < 2:
            assert read["plan"] == [("plan", 0, step.seat)]
            talks = range(current + 1)
            assert read["chat"] == [("chat", r, seat) for r in talks for seat in (0, 1)]
        else:
            assert set(read) == {"reflections", "board"}


@pytest.mark.parametrize("last", [None, 1])
def test_a_vote_reads_the_last_replies_and_its_own_reflections(last: int | None) -> None:
    graph = graph_of(group(5, 2, "coordinated"), Settings(rounds=3, reflections=last))
    votes = [i for i, step in enumerate(graph.steps) if step.purpose == "vote"]
    assert votes == list(range(len(graph.steps) - 5, len(graph.steps)))
    rounds = [3] if last else [0, 1, 2, 3]
    for seat, index in enumerate(votes):
        assert read_by(graph, index) == {
            "reflections": [("reflection", r, seat) for r in rounds],
            "board": [("message", 3, other) for other in range(5)],
        }


@given(CASTS, VERIFY)
def test_votes_are_read_by_nobody(roles: list[str], verify: str) -> None:
    graph = graph_of(cast_of(roles), Settings(rounds=2, verify=verify))
    votes = of_kind(graph, "vote")
    assert [step.seat for step in votes] == list(range(len(roles)))
    assert {step.to for step in votes} == {()}
    assert all("vote" not in view.purposes for step in graph.steps for view in step.views)


@pytest.mark.parametrize(("verify", "views"), [("alone", ()), ("claim", (NOW,))])
def test_honest_agents_verify_before_the_vote(verify: str, views: tuple[View, ...]) -> None:
    cast = cast_of(["deceiver", "observer", "coordinated", "blind", "coordinated"])
    graph = graph_of(cast, Settings(rounds=2, verify=verify))
    checks = of_kind(graph, "decision", verify)
    assert [(s.seat, s.to, s.round, s.views) for s in checks] == [
        (seat, (seat,), 2, views) for seat in (1, 3)
    ]
    assert graph.steps.index(checks[-1]) < graph.steps.index(of_kind(graph, "vote")[0])
    for index, step in enumerate(graph.steps):
        if step.purpose == "vote" and step.seat in (1, 3):
            assert read_by(graph, index)["verification"] == [("decision", 2, step.seat)]


@given(CASTS, st.integers(1, 4), VERIFY)
def test_nothing_is_read_forward(roles: list[str], rounds: int, verify: str) -> None:
    graph = graph_of(cast_of(roles), Settings(rounds=rounds, verify=verify))
    walk = Walk(graph)
    assert [step.round for step in graph.steps] == sorted(step.round for step in graph.steps)
    for index, step in enumerate(graph.steps):
        for view in step.views:
            for source in walk.candidates(index, view):
                assert source < index
                gap = step.round - graph.steps[source].round
                assert gap >= 0
                assert view.round == "any" or gap == (view.round == "previous")


def test_nothing_is_drawn_and_the_stop_rule_has_no_part() -> None:
    form, cast = find("deliberation"), group(5, 2, "coordinated")
    first = form.graph(cast, Settings(rounds=2, stop=None), Stream(b"a", "schedule"))
    assert first == form.graph(cast, Settings(rounds=2, stop=1), Stream(b"b", "schedule"))
