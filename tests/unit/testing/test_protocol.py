"""The kit for protocols: passes what is sound, and every rule can fail."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from socialcircuits.graph import (
    ADVERSARIES,
    Graph,
    Protocol,
    Readout,
    Seat,
    Settings,
    Step,
    View,
    build,
    observers,
)
from socialcircuits.protocols import CATALOGUE, find
from socialcircuits.records import Played
from socialcircuits.seeds import Stream
from socialcircuits.testing import check_protocol
from socialcircuits.testing import protocol as protocol_kit
from socialcircuits.trial import Setup, play_waiting

Spoil = Callable[[list[Step]], list[Step]]


def circle(spoil: Spoil = lambda steps: steps, first_round: int = 1) -> Protocol:
    """Everyone speaks to the next seat and is probed, each round; `spoil` breaks the steps."""

    def graph(cast: Sequence[Seat], settings: Settings, stream: Stream) -> Graph:
        memory = (View("memory", purposes=("message",), last=settings.memory),)
        seats = range(len(cast))
        steps = [Step(seat, "guess", 0, shared=True) for seat in seats]
        for current in range(1, settings.rounds + 1):
            for seat in seats:
                to = ((seat + 1) % len(seats),)
                steps.append(Step(seat, "message", current, to=to, views=memory))
            steps += [Step(seat, "probe", current, views=memory) for seat in seats]
        readout = Readout("probe", tuple(seats), first_round)
        return build(cast, spoil(steps), readout, settings.stop)

    return Protocol("circle", observers, graph)


def after(change: Callable[[Graph], Graph]) -> Protocol:
    """A protocol that changes its graph after it was built."""
    sound = circle()
    return replace(sound, graph=lambda *given: change(sound.graph(*given)))


def test_a_sound_protocol_passes() -> None:
    check_protocol(circle())


@pytest.mark.parametrize("name", CATALOGUE)
def test_our_own_protocols_pass(name: str) -> None:
    check_protocol(CATALOGUE[name])


def changing(which: str, /, **change: Any) -> Spoil:
    """Change all steps of a purpose."""

    def spoil(steps: list[Step]) -> list[Step]:
        return [s._replace(**change) if s.purpose == which else s for s in steps]

    return spoil


BROKEN_STEPS: dict[str, Spoil] = {
    "goes to": changing("probe", to=(0,)),
    "unknown purpose": changing("message", purpose="shout"),
    "no such seat": changing("message", to=(99,)),
    "stands after a step of round": lambda steps: steps[::-1],
    "must guess once": lambda steps: steps[1:],
    "must be shared steps": changing("guess", shared=False),
    "must be read out once": lambda steps: steps[:-1],
    "up to round 1, not 2": lambda steps: [*steps, steps[-1]._replace(round=steps[-1].round + 1)],
}


@pytest.mark.parametrize("sentence", BROKEN_STEPS)
def test_broken_steps_are_refused(sentence: str) -> None:
    with pytest.raises(AssertionError, match=sentence):
        check_protocol(circle(BROKEN_STEPS[sentence]))


def renumbered(graph: Graph) -> Graph:
    return replace(graph, steps=tuple(step._replace(nth=step.nth + 1) for step in graph.steps))


def leaking(graph: Graph) -> Graph:
    steps = [s._replace(to=(0,)) if s.purpose == "probe" else s for s in graph.steps]
    return replace(graph, steps=tuple(steps))


def with_readout(**change: Any) -> Callable[[Graph], Graph]:
    return lambda graph: replace(graph, readout=graph.readout._replace(**change))


BROKEN_GRAPHS: dict[str, Callable[[Graph], Graph]] = {
    "must be numbered from 0": renumbered,
    "its output is private": leaking,
    "stop rule that is set": lambda graph: replace(graph, stop=3),
    "the readout with N = 2 and 1 rounds must have a seat": with_readout(seats=()),
    "must begin in round 0 or 1": with_readout(first_round=2),
    "read out once in round 0": with_readout(first_round=0),
}


@pytest.mark.parametrize("sentence", BROKEN_GRAPHS)
def test_broken_graphs_are_refused(sentence: str) -> None:
    with pytest.raises(AssertionError, match=sentence):
        check_protocol(after(BROKEN_GRAPHS[sentence]))


DELIBERATION = find("deliberation")
CHAT = View("chat", ("chat",))


def debate(change: Callable[[Graph], Graph]) -> Protocol:
    """A deliberation that changes its graph after it was built."""
    return replace(DELIBERATION, graph=lambda *given: change(DELIBERATION.graph(*given)))


def redoing(purpose: str, change: Callable[[Graph, Step], Step]) -> Callable[[Graph], Graph]:
    """Change all steps of a purpose."""

    def redone(graph: Graph) -> Graph:
        steps = [change(graph, s) if s.purpose == purpose else s for s in graph.steps]
        return replace(graph, steps=tuple(steps))

    return redone


def to_all(graph: Graph, step: Step) -> Step:
    return step._replace(to=tuple(range(len(graph.seats))))


def shown_chats(graph: Graph, step: Step) -> Step:
    return step._replace(views=(*step.views, CHAT))


def chatty(graph: Graph) -> Graph:
    """The last seat says all that is said in chats."""
    last = len(graph.seats) - 1
    said = redoing("chat", lambda graph, step: step._replace(seat=last, nth=-1))(graph)
    return build(graph.seats, said.steps, graph.readout, graph.stop)


def after_the_others(graph: Graph, step: Step) -> Step:
    heard = (View("board", ("message",)),)
    return step._replace(views=heard) if step.round == 0 else step


BROKEN_DEBATES: dict[str, Callable[[Graph], Graph]] = {
    "reflection of seat .*only its own seat may read it": redoing("reflection", to_all),
    "plan of seat .*only its own seat may read it": redoing("plan", to_all),
    "chat of seat .*only coordinated seats may read it": redoing("chat", to_all),
    "vote of seat .*its output is private": redoing("vote", to_all),
    "no observer may chat or be shown a chat .*, but seat 0 is": redoing("vote", shown_chats),
    "no observer may chat or be shown a chat .*, but seat 4 is": chatty,
    "before it has heard anybody": redoing("message", after_the_others),
    "must have no stop rule without guesses": lambda graph: replace(graph, stop=2),
    "must begin in round 4, not 1": with_readout(first_round=1),
    "read out once in round 1": with_readout(seats=(0,)),
}


@pytest.mark.parametrize("sentence", BROKEN_DEBATES)
def test_broken_debates_are_refused(sentence: str) -> None:
    with pytest.raises(AssertionError, match=sentence):
        check_protocol(debate(BROKEN_DEBATES[sentence]))


CHATROOM = find("chatroom")


def chat(change: Callable[[Graph], Graph]) -> Protocol:
    """A chatroom that changes its graph after it was built."""
    return replace(CHATROOM, graph=lambda *given: change(CHATROOM.graph(*given)))


def unprobed(graph: Graph) -> Graph:
    """Nobody is probed before the talk."""
    steps = [step for step in graph.steps if (step.purpose, step.round) != ("probe", 0)]
    return build(graph.seats, [step._replace(nth=-1) for step in steps], graph.readout)


def probed_late(graph: Graph) -> Graph:
    """All that is said in round 1 is said in round 0, before the probes."""
    steps = [
        step._replace(round=0) if (step.purpose, step.round) == ("message", 1) else step
        for step in graph.steps
    ]
    steps.sort(key=lambda step: (step.round, step.purpose))
    return build(graph.seats, [step._replace(nth=-1) for step in steps], graph.readout)


def asked_twice(graph: Graph) -> Graph:
    """What is asked again is asked in the same words."""
    steps = [step._replace(variant="") if step.variant == "own" else step for step in graph.steps]
    return build(graph.seats, [step._replace(nth=-1) for step in steps], graph.readout)


BROKEN_ROOMS: dict[str, Callable[[Graph], Graph]] = {
    "or be probed then if it is honest": unprobed,
    "before it has heard anybody, or be probed": probed_late,
    "must have no stop rule without guesses": lambda graph: replace(graph, stop=2),
    "read out once in round 1 .*reasks = own anonymous": asked_twice,
    "probe of seat .*its output is private": redoing("probe", to_all),
}


@pytest.mark.parametrize("sentence", BROKEN_ROOMS)
def test_broken_rooms_are_refused(sentence: str) -> None:
    with pytest.raises(AssertionError, match=sentence):
        check_protocol(chat(BROKEN_ROOMS[sentence]))


def test_settings_that_a_protocol_takes_are_tried_one_by_one() -> None:
    met: set[Settings] = set()

    def watched(cast: Sequence[Seat], settings: Settings, stream: Stream) -> Graph:
        met.add(replace(settings, rounds=1, stop=None))
        return CHATROOM.graph(cast, settings, stream)

    check_protocol(replace(CHATROOM, graph=watched))
    tried: list[dict[str, Any]] = [{}, {"window": 2, "block": 1}, {"reasks": "own anonymous"}]
    tried += [{"network": name} for name in ("ring", "star")]
    tried += [{"defence": name} for name in ("check", "monitor")]
    assert met == {Settings(rounds=1, stop=None, **one) for one in tried}


def test_a_protocol_is_checked_with_adversaries_and_names() -> None:
    met: set[tuple[int, int, str]] = set()

    def watched(cast: Sequence[Seat], settings: Settings, stream: Stream) -> Graph:
        adversaries = [seat.role for seat in cast if seat.role != "observer"]
        met.add((len(cast), len(adversaries), "".join(set(adversaries))))
        return DELIBERATION.graph(cast, settings, stream)

    check_protocol(replace(DELIBERATION, graph=watched))
    halves = [(2, 1), (3, 1), (5, 2)]
    assert met == {(n, 0, "") for n, _ in halves} | {
        (n, k, role) for n, k in halves for role in ADVERSARIES
    }


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"attempts": ()}, "the record of asking one at a time"),
        ({"voided": 1}, "no reply may be void"),
    ],
)
def test_a_record_that_depends_on_how_it_was_run_is_refused(
    change: dict[str, Any], sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def other(setup: Setup) -> Played:
        return replace(await play_waiting(setup), **change)

    monkeypatch.setattr(protocol_kit, "play_waiting", other)
    with pytest.raises(AssertionError, match=sentence):
        check_protocol(circle())


def test_a_graph_that_changes_is_refused() -> None:
    calls = count()
    fickle = after(lambda graph: graph.cutting([(len(graph.steps) - 1, next(calls))]))
    with pytest.raises(AssertionError, match="equal streams"):
        check_protocol(fickle)


def test_a_wrong_number_of_bearers_is_refused() -> None:
    with pytest.raises(AssertionError, match="2 seats must bear evidence with N = 2"):
        check_protocol(replace(circle(), seats=lambda n: observers(n + 1)))


def test_a_protocol_without_a_name_is_refused() -> None:
    with pytest.raises(AssertionError, match="must have a name"):
        check_protocol(replace(circle(), name=""))
