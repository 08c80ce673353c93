"""Steps that allow only what the isolated guesses leave open."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from socialcircuits.graph import Observation, Reply, Settings
from socialcircuits.trial import Setup, keys, play, play_waiting
from tests.support.trials import ANSWERS, Gossip, played_by, trial


class Listing(Gossip):
    """Notes which answers it was allowed, by purpose and variant."""

    def __init__(self, *, waits: bool = False) -> None:
        super().__init__()
        self.waits = waits
        self.allowed: dict[str, set[tuple[str, ...]]] = {}

    def answer(self, observation: Observation, draw: bytes) -> Reply:
        kind = f"{observation.purpose}:{observation.variant}"
        self.allowed.setdefault(kind, set()).add(observation.answers)
        answer = observation.answers[draw[0] % len(observation.answers)]
        return Reply(answer, answer)

    async def ask(self, observation: Observation, draw: bytes) -> Reply:
        for _ in range(draw[1] % 5):
            await asyncio.sleep(0)
        return self.answer(observation, draw)


def first_two(guesses: tuple[str | None, ...]) -> frozenset[str]:
    return frozenset(answer for answer in sorted(guesses, key=str)[:2] if answer)


def two_way(mind: Listing) -> Setup:
    setup = trial("two-way", 4, Settings(probes=3), mind=mind)
    return replace(setup, choices={"two-way": first_two})


def test_only_the_chosen_answers_are_allowed_in_each_seats_own_order() -> None:
    mind = Listing()
    setup = two_way(mind)
    played = play(setup)
    guesses = [a.reply.answer for a in played.attempts[:4]]
    chosen = first_two(tuple(guesses))
    orders = {tuple(a for a in seat if a in chosen) for seat in setup.answers}
    assert mind.allowed["guess:two-way"] == orders
    assert all(len(answers) == len(ANSWERS) for answers in mind.allowed["guess:"])
    assert len(played.attempts) == 4 + 4 * 3


def test_all_at_once_gives_the_record_of_one_at_a_time() -> None:
    alone = play(two_way(Listing()))
    together = asyncio.run(play_waiting(two_way(Listing(waits=True))))
    assert together.attempts == alone.attempts


def test_a_choice_that_is_open_has_no_key_yet() -> None:
    setup = two_way(Listing()).shared_only()
    assert len(keys(setup)) == 4
    assert len(setup.graph.steps) == 16


def test_another_rival_gives_other_keys_and_the_same_one_the_same() -> None:
    setup = two_way(Listing())
    other = replace(setup, choices={"two-way": lambda guesses: frozenset(ANSWERS[:2])})
    found, again, changed = (
        {a.step: a.key for a in play(s).attempts} for s in (setup, two_way(Listing()), other)
    )
    assert found == again
    probes = range(4, 16)
    assert all(found[step] == changed[step] for step in range(4))
    same = [found[step] == changed[step] for step in probes]
    chosen = first_two(tuple(a.reply.answer for a in play(setup).attempts[:4]))
    assert all(same) if chosen == frozenset(ANSWERS[:2]) else not any(same)


def test_larger_groups_reuse_the_probes_of_smaller_ones_where_the_rival_is_equal() -> None:
    small, large = (
        replace(
            trial("two-way", n, Settings(probes=3), mind=Listing()),
            choices={"two-way": lambda guesses: frozenset(ANSWERS[:2])},
        )
        for n in (4, 5)
    )
    first = {a.key for a in play(small).attempts}
    second = {a.key for a in play(played_by(large, small.minds[0])).attempts}
    assert first < second
