from __future__ import annotations

import pytest

from socialcircuits.errors import GraphError
from socialcircuits.graph import Graph, Readout, Seat, Step, View, build
from socialcircuits.graph.vocabulary import PRIVATE_TO_ALL, PRIVATE_TO_SELF, PURPOSES

CAST = (Seat("a"), Seat("b"), Seat("c"))
READOUT = Readout("probe", (0, 1, 2), 0)
MEMORY = (View("memory", ("message",)),)


def built(*steps: Step, cast: tuple[Seat, ...] = CAST) -> Graph:
    return build(cast, steps, READOUT)


def test_steps_are_numbered_by_seat_purpose_and_variant() -> None:
    graph = built(
        Step(0, "message", 1, to=(1,)),
        Step(1, "message", 1, to=(0,)),
        Step(0, "probe", 1),
        Step(0, "message", 1, to=(2,)),
        Step(0, "probe", 2, variant="two-way"),
        Step(0, "probe", 2),
    )
    assert [graph.step_id(i) for i in range(6)] == [
        "message/a/0",
        "message/b/0",
        "probe/a/0",
        "message/a/1",
        "probe:two-way/a/0",
        "probe/a/1",
    ]


def test_numbers_that_are_given_stay_and_are_counted_on_from() -> None:
    graph = built(Step(0, "probe", 1, nth=4), Step(0, "probe", 1))
    assert [step.nth for step in graph.steps] == [4, 5]


def test_cutting_renumbers_nothing_and_leaves_the_original_alone() -> None:
    graph = built(Step(0, "message", 1, to=(1,)), Step(0, "message", 2, to=(1,)))
    cut = graph.cutting([(0, 1)]).cutting([(1, 1)])
    assert cut.cuts == {(0, 1), (1, 1)}
    assert graph.cuts == frozenset()
    assert [cut.step_id(i) for i in range(2)] == [graph.step_id(i) for i in range(2)]
    assert (cut.steps, cut.seats) == (graph.steps, graph.seats)


def test_rounds_is_the_last_round() -> None:
    assert built(Step(0, "probe", 0), Step(0, "probe", 7)).rounds == 7
    assert built().rounds == 0


@pytest.mark.parametrize("purpose", sorted(PRIVATE_TO_ALL))
@pytest.mark.parametrize("reader", [0, 1])
def test_what_is_private_to_all_is_read_by_nobody(purpose: str, reader: int) -> None:
    with pytest.raises(GraphError, match=f"{purpose} of seat 0 in round 1: its output is private"):
        built(Step(0, purpose, 1, to=(reader,)))


@pytest.mark.parametrize("purpose", sorted(PRIVATE_TO_SELF))
def test_what_is_private_to_its_seat_is_read_by_no_other(purpose: str) -> None:
    assert built(Step(0, purpose, 1, to=(0,))).steps[0].to == (0,)
    with pytest.raises(GraphError, match="only its own seat may read it"):
        built(Step(0, purpose, 1, to=(0, 1)))


WATCHED = (Seat("a"), Seat("b"), Seat("monitor", "monitor"))


def test_probes_may_be_read_by_a_monitor() -> None:
    assert built(Step(0, "probe", 1, to=(2,)), cast=WATCHED).steps[0].to == (2,)


@pytest.mark.parametrize("purpose", sorted(PRIVATE_TO_ALL - {"probe"}))
def test_a_monitor_reads_nothing_else_that_is_private_to_all(purpose: str) -> None:
    with pytest.raises(GraphError, match="its output is private"):
        built(Step(0, purpose, 1, to=(2,)), cast=WATCHED)


@pytest.mark.parametrize("purpose", sorted(PRIVATE_TO_SELF))
def test_a_monitor_reads_nothing_that_is_private_to_its_seat(purpose: str) -> None:
    with pytest.raises(GraphError, match="only its own seat may read it"):
        built(Step(0, purpose, 1, to=(2,)), cast=WATCHED)


@pytest.mark.parametrize("to", [(0,), (1,), (1, 2)])
def test_no_agent_reads_a_probe_beside_a_monitor(to: tuple[int, ...]) -> None:
    with pytest.raises(GraphError, match="probe of seat 0 in round 1: its output is private"):
        built(Step(0, "probe", 1, to=to), cast=WATCHED)


@pytest.mark.parametrize("window", [(4, 0), (4, 5), (0, 0), (0, 1), (4, -1)])
def test_a_window_that_keeps_nothing_is_refused(window: tuple[int, int]) -> None:
    views = (View("history", ("message",), window=window),)
    with pytest.raises(GraphError, match=f"view history: drops {window[1]} rounds of a window"):
        built(Step(0, "probe", 1), Step(0, "message", 1, views=views))


@pytest.mark.parametrize("window", [None, (1, 1), (4, 1), (4, 4)])
def test_a_window_that_keeps_a_round_is_taken(window: tuple[int, int] | None) -> None:
    views = (View("history", ("message",), window=window),)
    assert built(Step(0, "message", 1, views=views)).steps[0].views == views


COALITION = (Seat("a"), Seat("b", "coordinated"), Seat("c", "coordinated"), Seat("d", "deceiver"))


def test_a_chat_is_read_by_coordinated_seats() -> None:
    assert built(Step(1, "chat", 1, to=(1, 2)), cast=COALITION).steps[0].to == (1, 2)


@pytest.mark.parametrize("stranger", [0, 3])
def test_a_chat_is_read_by_no_other_seat(stranger: int) -> None:
    with pytest.raises(GraphError, match="chat of seat 1 in round 1: only coordinated seats"):
        built(Step(1, "chat", 1, to=(1, stranger, 2)), cast=COALITION)


@pytest.mark.parametrize("purpose", sorted(PURPOSES - PRIVATE_TO_ALL - PRIVATE_TO_SELF - {"chat"}))
def test_all_other_purposes_may_go_to_anybody(purpose: str) -> None:
    assert built(Step(0, purpose, 1, to=(0, 1, 2))).steps[0].to == (0, 1, 2)


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (Step(0, "gossip", 1), "gossip of seat 0 in round 1: unknown purpose"),
        (Step(3, "probe", 1), "no such seat"),
        (Step(-1, "probe", 1), "no such seat"),
        (Step(0, "message", 1, to=(3,)), "no such seat"),
        (Step(0, "message", 1, to=(-1,)), "no such seat"),
        (Step(0, "probe", -1), "stands after a step of round 0"),
        (Step(0, "guess", 0, shared=True, views=MEMORY), "a shared step reads nothing"),
        (Step(0, "guess", 0, shared=True, form="spoken"), "asks for no reason"),
    ],
)
def test_a_step_that_breaks_a_rule_is_refused(step: Step, words: str) -> None:
    with pytest.raises(GraphError, match=words):
        built(step)


def test_rounds_never_go_backwards() -> None:
    with pytest.raises(GraphError, match="stands after a step of round 2"):
        built(Step(0, "probe", 2), Step(1, "probe", 1))


def test_one_number_is_given_once() -> None:
    with pytest.raises(GraphError, match="two steps are both number 0"):
        built(Step(0, "probe", 1), Step(0, "probe", 1, nth=0))


@pytest.mark.parametrize(
    ("cast", "words"),
    [
        ((Seat("a"), Seat("b"), Seat("a")), "two seats have the same key"),
        ((Seat("a\n0"), Seat("b")), "cannot be printed"),
    ],
)
def test_seat_keys_are_distinct_and_printable(cast: tuple[Seat, ...], words: str) -> None:
    with pytest.raises(GraphError, match=words):
        built(cast=cast)
