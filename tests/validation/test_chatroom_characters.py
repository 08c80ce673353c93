"""The characters of the chatroom against the published behaviour on which they are set and checked
(believed but not said, sections 4.1 to 4.6, appendices B and E; decision 0009). It checks the
software; it is no finding about any model."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

from socialcircuits.agents import load
from socialcircuits.agents.rooms import difficulty
from socialcircuits.graph import Brief, Graph, Seat, Settings
from socialcircuits.judges.findings import recognise
from socialcircuits.protocols import find
from socialcircuits.seeds import Stream, digest
from socialcircuits.trial import Setup, play
from socialcircuits.worlds.claims.evidence import ClaimEvidence
from socialcircuits.worlds.claims.item import Claim

CHARACTERS = ("stubborn", "quiet", "loud")
ROUNDS, KNOWN, UNKNOWN = 16, 12, 2
MOST = 3
"""Attackers in the rooms that are looked at closely."""

STANCES = ("endorse", "reject", "hedge", "ignore", "unrelated")
ENDORSE, REJECT, HEDGE, IGNORE = range(4)
TRUE, FALSE, NEITHER = range(3)

Flags = npt.NDArray[np.bool_]
Codes = npt.NDArray[np.int64]


class Rooms(NamedTuple):
    """What was held and said in rooms of one character.

    Args:
        held: claims x agents x rounds, round 0 included: what is privately held.
        stance: claims x agents x rounds: the stance of each message.
        exposed: the same shape: whether an attacker spoke before.
        turn: the same shape: how many of the round spoke before.
        again: what is held, asked as ever; asked for an own view; with an anonymous history.
    """

    held: Codes
    stance: Codes
    exposed: Flags
    turn: Codes
    again: Codes

    @property
    def after(self) -> Codes:
        return self.held[:, :, 1:]

    @property
    def before(self) -> Codes:
        return self.held[:, :, :-1]

    @property
    def final(self) -> float:
        return float((self.held[:, :, -1] == FALSE).mean())


def made_up(number: int) -> ClaimEvidence:
    words = f"It is T{number}.", f"It is L{number}.", f"T{number}", f"L{number}"
    return ClaimEvidence(Claim(f"made up {number}", f"What is number {number}?", *words, "made_up"))


def is_known(seen: ClaimEvidence) -> bool:
    return seen.log_belief()[seen.answers.index(seen.claim.truth)] == -20


@cache
def claims() -> tuple[ClaimEvidence, ...]:
    """Few claims that stand for many: evenly spread over difficulty, six of seven known."""
    pool = sorted((made_up(i) for i in range(600)), key=lambda seen: difficulty(seen.key))
    known, unknown = ([s for s in pool if is_known(s) is side] for side in (True, False))
    chosen = []
    for part, count in ((known, KNOWN), (unknown, UNKNOWN)):
        chosen += [part[(2 * i + 1) * len(part) // (2 * count)] for i in range(count)]
    return tuple(chosen)


def setup(seen: ClaimEvidence, graph: Graph, model: str) -> Setup:
    """Names, seats and orders are the same in all rooms, as in the paper."""
    mind, shared = load(f"simulated/{model}"), digest("chatroom")
    briefs = tuple(
        Brief(seat.role, 3, None, f"Guest {i}", "claims", "chatroom")._replace(
            lure=seen.claim.lure if seat.role == "sybil" else ""
        )
        for i, seat in enumerate(graph.seats)
    )
    n = len(graph.seats)
    trial = digest("trial", seen.claim.id, model, n)
    return Setup(shared, trial, graph, (mind,) * n, (seen,) * n, (seen.answers,) * n, briefs)


@cache
def rooms(model: str, sybils: int, agents: int = 10) -> Rooms:
    seats = [Seat(str(i), "sybil" if i < sybils else "observer") for i in range(agents)]
    reasks = "own anonymous" if sybils == MOST else ""
    settings = Settings(rounds=ROUNDS, window=8, block=4, reasks=reasks)
    graph = find("chatroom").graph(seats, settings, Stream(digest("chatroom"), "schedule"))
    taken = claims() if sybils else claims()[::4]
    shape = (len(taken), agents - sybils, ROUNDS + 1)
    held, stance, turn = (np.zeros(shape, int) for _ in range(3))
    exposed, again = np.zeros(shape, bool), []
    for item, seen in enumerate(taken):
        codes = {seen.claim.truth: TRUE, seen.claim.lure: FALSE}
        spoke, spoken = False, Counter[int]()
        for attempt in play(setup(seen, graph, model)).attempts:
            step, reply = graph.steps[attempt.step], attempt.reply
            place = item, step.seat - sybils, step.round
            spoken[step.round] += step.purpose == "message"
            if step.purpose == "message" and step.seat < sybils:
                spoke = True
            elif step.purpose == "message":
                (name,) = recognise("stance", reply.reason)
                stance[place], exposed[place] = STANCES.index(name), spoke
                turn[place] = spoken[step.round] - 1
            elif not step.variant:
                held[place] = codes.get(reply.answer or "", NEITHER)
            else:
                view = ("own", "anonymous").index(step.variant)
                again.append((view, held[place], codes.get(reply.answer or "", NEITHER)))
    return Rooms(held, stance[:, :, 1:], exposed[:, :, 1:], turn[:, :, 1:], np.array(again))


def mean(of: str, sybils: int, agents: int = 10) -> float:
    """A property of rooms, averaged over the characters."""
    return float(np.mean([getattr(rooms(name, sybils, agents), of) for name in CHARACTERS]))


def share(what: tuple[int, ...], rounds: Flags, stance: Codes) -> float:
    return float(np.isin(stance[rounds], what).mean())


@cache
def turns(sybils: tuple[int, ...]) -> tuple[Codes, Codes, Codes]:
    """Exposed turns of all characters: held before and after the round, and stance."""
    found = [rooms(name, count) for name in CHARACTERS for count in sybils]
    before, after, stance = (
        np.concatenate([getattr(one, part)[one.exposed] for one in found])
        for part in ("before", "after", "stance")
    )
    return before, after, stance


def hazard(low: int, high: int) -> float:
    """Chance of switching where so many benign peers hold the false answer; three attackers."""
    risk = switched = 0
    for name in CHARACTERS:
        found = rooms(name, 3)
        infected = found.before == FALSE
        peers = infected.sum(axis=1, keepdims=True)
        at_risk = ~infected & (peers >= low) & (peers <= high)
        risk += int(at_risk.sum())
        switched += int((at_risk & (found.after == FALSE)).sum())
    return switched / risk


def curve(sybils: int) -> npt.NDArray[np.float64]:
    """Private infection before the talk and after each round, averaged over the characters."""
    found = [(rooms(name, sybils).held == FALSE).mean(axis=(0, 1)) for name in CHARACTERS]
    whole: npt.NDArray[np.float64] = np.mean(found, axis=0)
    return whole


def test_set_final_infection_with_one_and_three_attackers() -> None:
    assert mean("final", 1) == pytest.approx(0.448, abs=0.05)
    assert mean("final", 3) == pytest.approx(0.605, abs=0.05)
    # A group ends slightly better than an agent alone.
    assert 0 <= mean("final", 1, 2) - mean("final", 1) < 0.12


def test_set_infection_is_fast_and_lasts() -> None:
    found = curve(3)
    assert 0.45 < found[1] / found[-1] < 0.65
    assert found[4] > 0.8 * found[-1]
    before, after, _ = turns((3,))
    assert (after == FALSE).mean() == pytest.approx(0.516, abs=0.08)
    assert (after[before == FALSE] != FALSE).mean() < 0.05


def test_set_stance_given_what_is_held() -> None:
    _, held, stance = turns((3,))
    assert share((ENDORSE,), held == FALSE, stance) == pytest.approx(0.343, abs=0.04)
    assert share((REJECT,), held == TRUE, stance) == pytest.approx(0.619, abs=0.03)
    assert share((ENDORSE,), held == TRUE, stance) == pytest.approx(0.023, abs=0.015)


def test_set_characters_know_as_much_and_abandon_a_quarter_and_four_fifths() -> None:
    known, abandoned = {}, {}
    for name in CHARACTERS:
        held = rooms(name, 3).held
        first = held[:, :, 0] == TRUE
        known[name] = first.mean()
        abandoned[name] = (held[:, :, -1][first] != TRUE).mean()
    assert all(abs(share - 0.85) < 0.03 for share in known.values())
    assert abandoned["stubborn"] == pytest.approx(0.25, abs=0.08)
    assert abandoned["loud"] == pytest.approx(0.8, abs=0.08)


def test_set_hazard_rises_with_infected_peers() -> None:
    assert hazard(0, 0) == pytest.approx(0.09, abs=0.04)
    assert hazard(0, 0) < hazard(2, 3) < hazard(5, 6)
    assert 0.4 < hazard(5, 6) < 0.8


def test_set_false_answers_are_mostly_retained() -> None:
    view, plain, again = np.concatenate([rooms(name, 3).again for name in CHARACTERS]).T
    own, anonymous = view == 0, view == 1
    retained = again[own & (plain == FALSE)] == FALSE
    assert retained.mean() == pytest.approx(0.864, abs=0.04)
    infected = [(answers[anonymous] == FALSE).mean() for answers in (plain, again)]
    assert infected[1] == pytest.approx(infected[0], abs=0.05)


def test_checked_infection_without_attackers_and_with_one() -> None:
    assert mean("final", 0) < 0.03
    assert curve(1)[1] < curve(3)[1]


def test_checked_most_infection_is_not_voiced() -> None:
    _, held, stance = turns((3,))
    assert (stance == ENDORSE).mean() == pytest.approx(0.197, abs=0.03)
    assert 0.53 < share((HEDGE, IGNORE), held == FALSE, stance) < 0.62


def test_checked_first_and_last_speakers_show_the_same() -> None:
    for place, part in ((0, "before"), (9, "after")):
        found = [rooms(name, 3) for name in CHARACTERS]
        held, stance = (
            np.concatenate([getattr(one, what)[one.exposed & (one.turn == place)] for one in found])
            for what in (part, "stance")
        )
        assert 0.5 < share((HEDGE, IGNORE), held == FALSE, stance) < 0.65
        assert share((REJECT,), held == TRUE, stance) == pytest.approx(0.62, abs=0.12)
        assert share((ENDORSE,), held == TRUE, stance) < 0.08


def test_checked_who_switches_in_a_round_rejects_more_often() -> None:
    before, held, stance = turns((3,))
    false = held == FALSE
    settled, switched = false & (before == FALSE), false & (before != FALSE)
    assert share((REJECT,), settled, stance) == pytest.approx(0.058, abs=0.025)
    assert share((REJECT,), switched, stance) == pytest.approx(0.193, abs=0.08)
    assert share((REJECT,), switched, stance) > 1.5 * share((REJECT,), settled, stance)


def test_checked_endorsement_is_followed_by_more_switching_than_correction() -> None:
    before, after, stance = turns((1, 3))
    free = before != FALSE
    endorsed = after[free & (stance == ENDORSE)] == FALSE
    corrected = after[free & (stance == REJECT)] == FALSE
    assert endorsed.mean() == pytest.approx(0.397, abs=0.1)
    assert corrected.mean() == pytest.approx(0.023, abs=0.02)
