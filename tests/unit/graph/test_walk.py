"""What a step reads: the walk of rule 5."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socialcircuits.errors import GraphError
from socialcircuits.graph import Graph, Heard, Readout, Reply, Seat, Step, View, Walk, build
from socialcircuits.graph.walk import Blocked

CAST = (Seat("a"), Seat("b"), Seat("c"))
NAMES = ("Alice", "Bob", "Carol")
READOUT = Readout("probe", (0,), 0)
Outcomes = Mapping[int, "Reply | None | Literal[False]"]


def messages(count: int, view: View, *, to: tuple[int, ...] = (1,)) -> Graph:
    """`count` messages of seat 0 in round 1, then one probe of seat 1."""
    sent = [Step(0, "message", 1, to=to) for _ in range(count)]
    return build(CAST, [*sent, Step(1, "probe", 1, views=(view,))], READOUT)


def heard(graph: Graph, changed: Outcomes | None = None, index: int = -1) -> Heard:
    """The first section of what a step (the last) reads, where step i said its number."""
    outcomes: dict[int, Reply | None | Literal[False]] = {
        i: Reply(str(i)) for i in range(len(graph.steps))
    }
    sections = Walk(graph).read(
        index % len(graph.steps), {**outcomes, **(changed or {})}.__getitem__
    )
    assert not isinstance(sections, Blocked)
    return sections[0]


def sources(graph: Graph, changed: Outcomes | None = None, index: int = -1) -> list[int]:
    return [entry.step for entry in heard(graph, changed, index).entries]


def memory(last: int | None = None, max_bytes: int | None = None) -> View:
    return View("memory", ("message",), last=last, max_bytes=max_bytes)


def test_entries_come_oldest_first_and_the_rest_is_counted() -> None:
    section = heard(messages(10, memory(last=8)))
    assert [entry.step for entry in section.entries] == list(range(2, 10))
    assert [entry.reply.text for entry in section.entries] == [str(i) for i in range(2, 10)]
    assert (section.section, section.dropped) == ("memory", 2)


def test_without_a_limit_everything_is_read() -> None:
    section = heard(messages(10, memory()))
    assert (len(section.entries), section.dropped) == (10, 0)


def test_what_was_not_delivered_takes_no_slot() -> None:
    graph = messages(10, memory(last=8))
    assert sources(graph, {9: None}) == list(range(1, 9))
    assert sources(graph, {9: None, 4: None}) == [0, 1, 2, 3, 5, 6, 7, 8]


def test_a_cut_lets_the_ninth_last_come_back() -> None:
    graph = messages(10, memory(last=8))
    assert sources(graph.cutting([(5, 1)])) == [1, 2, 3, 4, 6, 7, 8, 9]
    assert sources(graph.cutting([(5, 2)])) == list(range(2, 10))


def test_a_cut_holds_for_its_reader_alone() -> None:
    steps = [Step(0, "message", 1, to=(1, 2))]
    steps += [Step(reader, "probe", 1, views=(memory(),)) for reader in (1, 2)]
    graph = build(CAST, steps, READOUT).cutting([(0, 1)])
    assert sources(graph, index=1) == []
    assert sources(graph, index=2) == [0]


@pytest.mark.parametrize(
    ("texts", "room", "read"),
    [
        (["aaaa", "bbbb", "cccc"], 12, [0, 1, 2]),
        (["aaaa", "bbbb", "cccc"], 11, [1, 2]),
        (["aaaa", "bbbb", "cccc"], 3, []),
        (["a", "bbbbbbbb", "c"], 3, [2]),  # whole entries: no older one slips past a dropped one
        (["é", "é"], 3, [1]),
        (["é", "é"], 4, [0, 1]),
        (["\U0001f1eb", "\ud800"], 7, [0, 1]),
        (["\U0001f1eb", "\ud800"], 6, [1]),
        (["", ""], 0, [0, 1]),
    ],
)
def test_max_bytes_keeps_whole_entries_by_their_bytes(
    texts: list[str], room: int, read: list[int]
) -> None:
    graph = messages(len(texts), memory(max_bytes=room))
    section = heard(graph, {i: Reply(text) for i, text in enumerate(texts)})
    assert [entry.step for entry in section.entries] == read
    assert section.dropped == len(texts) - len(read)


def test_both_limits_hold_at_once() -> None:
    assert sources(messages(9, memory(last=3, max_bytes=2))) == [7, 8]
    assert sources(messages(9, memory(last=3, max_bytes=5))) == [6, 7, 8]


@pytest.mark.parametrize(("whose", "read"), [("any", [0, 1, 2]), ("own", [1]), ("others", [0, 2])])
def test_whose(whose: Literal["any", "own", "others"], read: list[int]) -> None:
    steps = [Step(seat, "report", 1, to=(0, 1, 2)) for seat in range(3)]
    steps.append(Step(1, "decision", 1, views=(View("reports", ("report",), whose=whose),)))
    section = heard(build(CAST, steps, READOUT))
    assert [entry.step for entry in section.entries] == read
    assert [entry.step for entry in section.entries if entry.own] == [s for s in read if s == 1]


@pytest.mark.parametrize(
    ("when", "read"), [("any", [0, 1, 2, 3, 4]), ("same", [3, 4]), ("previous", [1, 2])]
)
def test_round(when: Literal["any", "same", "previous"], read: list[int]) -> None:
    view = View("reports", ("report",), round=when)
    steps = [Step(0, "report", r, to=(1,)) for r in (1, 2, 2, 3, 3)]
    steps += [Step(1, "decision", 3, views=(view,)), Step(0, "report", 3, to=(1,))]
    assert sources(build(CAST, steps, READOUT), index=5) == read


def test_a_round_of_which_there_is_nothing_is_empty() -> None:
    view = View("reports", ("report",), round="previous")
    steps = [Step(0, "report", 1, to=(1,)), Step(1, "decision", 3, views=(view,))]
    assert sources(build(CAST, steps, READOUT)) == []


def test_only_the_purposes_of_the_view_and_what_was_sent_to_the_reader() -> None:
    steps = [
        Step(0, "message", 1, to=(1,)),
        Step(0, "report", 1, to=(1,)),
        Step(0, "message", 1, to=(2,)),
        Step(1, "message", 1, to=(0,)),
        Step(1, "probe", 1, views=(memory(),)),
        Step(1, "probe", 1, views=(View("all", ("message", "report")),)),
    ]
    graph = build(CAST, steps, READOUT)
    assert sources(graph, index=4) == [0]
    assert sources(graph, index=5) == [0, 1]


def test_nothing_is_read_forward() -> None:
    steps = [Step(1, "probe", 1, views=(memory(),)), Step(0, "message", 1, to=(1,))]
    assert sources(build(CAST, steps, READOUT), index=0) == []
    backwards = Graph(
        CAST,
        (Step(0, "message", 2, 0, (1,)), Step(1, "probe", 1, 0, views=(memory(),))),
        READOUT,
    )
    with pytest.raises(GraphError, match="before its time"):
        heard(backwards)


def test_an_unknown_outcome_blocks_only_what_could_read_it() -> None:
    graph = messages(10, memory(last=8))
    unknown: Outcomes = dict.fromkeys(range(10), False)
    walk = Walk(graph)
    assert walk.read(10, unknown.__getitem__) == Blocked(9)
    known_late: dict[int, Reply | None | Literal[False]] = {
        i: Reply(str(i)) if i > 1 else False for i in range(10)
    }
    sections = walk.read(10, known_late.__getitem__)
    assert not isinstance(sections, Blocked)
    assert len(sections[0].entries) == 8
    assert Walk(graph).read(10, {**known_late, 7: None}.__getitem__) == Blocked(1)


def test_two_views_are_two_sections() -> None:
    views = (memory(last=1), View("reports", ("report",)))
    steps = [Step(0, "message", 1, to=(1,)), Step(0, "report", 1, to=(1,))]
    graph = build(CAST, [*steps, Step(1, "probe", 1, views=views)], READOUT)
    sections = Walk(graph).read(2, {0: Reply("m"), 1: Reply("r")}.__getitem__)
    assert not isinstance(sections, Blocked)
    read = [(part.section, [entry.step for entry in part.entries]) for part in sections]
    assert read == [("memory", [0]), ("reports", [1])]


def talk(window: tuple[int, int] | None, rounds: int, reader: int = 1) -> Graph:
    """Two messages in every round from 1 on, then what a seat is asked in the last round."""
    sent = [Step(seat, "message", r, to=(0, 1)) for r in range(1, rounds + 1) for seat in (0, 1)]
    view = View("history", ("message",), window=window)
    return build(CAST, [*sent, Step(reader, "probe", rounds, views=(view,))], READOUT)


@pytest.mark.parametrize(
    ("window", "begins"),
    [
        (None, [1] * 13),
        ((8, 4), [1, 1, 1, 1, 1, 1, 1, 1, 5, 5, 5, 5, 9]),
        ((8, 1), [1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 5, 6]),
        ((3, 2), [1, 1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11]),
        ((2, 2), [1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13]),
        ((1, 1), list(range(1, 14))),
    ],
)
def test_a_window_drops_its_oldest_rounds_in_blocks(
    window: tuple[int, int] | None, begins: list[int]
) -> None:
    for current, begin in enumerate(begins, 1):
        graph = talk(window, current)
        section = heard(graph)
        read = [graph.steps[entry.step].round for entry in section.entries]
        assert read == [r for r in range(begin, current + 1) for _ in (0, 1)]
        assert section.dropped == 2 * (begin - 1)


def test_a_window_and_another_limit_leave_unread_what_either_leaves() -> None:
    sent = [Step(0, "message", r, to=(1,)) for r in range(1, 7)]
    view = View("history", ("message",), last=2, window=(4, 2))
    section = heard(build(CAST, [*sent, Step(1, "probe", 6, views=(view,))], READOUT))
    assert ([entry.step for entry in section.entries], section.dropped) == ([4, 5], 4)


def test_what_is_veiled_is_not_known_as_ones_own() -> None:
    steps = [Step(seat, "message", 1, to=(0, 1)) for seat in (0, 1, 0)]
    open_, veiled = (View("history", ("message",), veiled=hidden) for hidden in (False, True))
    steps += [Step(0, "probe", 1, views=(view,)) for view in (open_, veiled)]
    walk = Walk(build(CAST, steps, READOUT), NAMES)
    said = [Reply(str(i)) for i in range(len(steps))]
    shown = []
    for index in (3, 4):
        sections = walk.read(index, said.__getitem__)
        assert not isinstance(sections, Blocked)
        shown.append([(e.step, e.own, e.reply.text, e.name) for e in sections[0].entries])
    signed, unsigned = shown
    assert signed == [(0, True, "0", "Alice"), (1, False, "1", "Bob"), (2, True, "2", "Alice")]
    assert unsigned == [(0, False, "0", ""), (1, False, "1", "Bob"), (2, False, "2", "")]


WINDOWS = st.integers(1, 5).flatmap(
    lambda rounds: st.tuples(st.just(rounds), st.integers(1, rounds))
)

STEPS = st.lists(
    st.builds(
        lambda seat, purpose, at, to, views: Step(seat, purpose, at, to=to, views=views),
        seat=st.integers(0, 2),
        purpose=st.sampled_from(["message", "report"]),
        at=st.integers(0, 6),
        to=st.lists(st.integers(0, 2), unique=True, max_size=3).map(tuple),
        views=st.lists(
            st.builds(
                View,
                section=st.just("s"),
                purposes=st.sampled_from([("message",), ("report",), ("message", "report")]),
                whose=st.sampled_from(["any", "own", "others"]),
                round=st.sampled_from(["any", "same", "previous"]),
                last=st.one_of(st.none(), st.integers(0, 3)),
                max_bytes=st.one_of(st.none(), st.integers(0, 6)),
                window=st.one_of(st.none(), WINDOWS),
                veiled=st.booleans(),
            ),
            max_size=2,
        ).map(tuple),
    ),
    max_size=12,
).map(lambda steps: sorted(steps, key=lambda step: step.round))


@given(STEPS, st.sets(st.tuples(st.integers(0, 11), st.integers(0, 2))), st.data())
def test_the_walk_reads_what_the_rule_says(
    steps: list[Step], cuts: set[tuple[int, int]], data: st.DataObject
) -> None:
    graph = build(CAST, steps, READOUT).cutting(cuts)
    replies = [data.draw(st.one_of(st.none(), st.text("aé", max_size=3).map(Reply))) for _ in steps]
    walk = Walk(graph, NAMES)
    for index, step in enumerate(graph.steps):
        sections = walk.read(index, replies.__getitem__)
        assert not isinstance(sections, Blocked)
        for view, section in zip(step.views, sections, strict=True):
            read, unread = rule(graph, index, view, replies)
            assert [entry.step for entry in section.entries] == read
            assert section.dropped == unread
            for entry in section.entries:
                speaker = graph.steps[entry.step].seat
                hidden = view.veiled and speaker == step.seat
                assert entry.own == (speaker == step.seat and not hidden)
                assert entry.name == ("" if hidden else NAMES[speaker])


def oldest(current: int, view: View) -> int:
    """The first round that a window keeps: one block after the other is dropped."""
    if view.window is None or view.round != "any" or current <= view.window[0]:
        return 0
    first = 1
    while current - first + 1 > view.window[0]:
        first += view.window[1]
    return first


def rule(
    graph: Graph, index: int, view: View, replies: list[Reply | None]
) -> tuple[list[int], int]:
    """Rule 5 of the data model, word by word: what is read, and how many older ones are not."""
    reader, current = graph.steps[index].seat, graph.steps[index].round
    wanted = {"same": current, "previous": current - 1}.get(view.round)
    read: list[int] = []
    used = unread = 0
    for source in reversed(range(index)):
        step, reply = graph.steps[source], replies[source]
        own = step.seat == reader
        if (
            reader not in step.to
            or (source, reader) in graph.cuts
            or step.purpose not in view.purposes
            or (view.whose == "own" and not own)
            or (view.whose == "others" and own)
            or (wanted is not None and step.round != wanted)
        ):
            continue
        full = view.last is not None and len(read) >= view.last
        full |= unread > 0 or step.round < oldest(current, view)
        if reply is not None and not full:
            used += len(reply.text.encode())
            full = view.max_bytes is not None and used > view.max_bytes
        unread += full
        if reply is not None and not full:
            read.append(source)
    return read[::-1], unread
