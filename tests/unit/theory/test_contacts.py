"""Schedules of contacts: who is drawn with which probability, and what a schedule accepts."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from socialcircuits.errors import SettingError
from socialcircuits.theory.contacts import Contacts, schedule
from socialcircuits.theory.networks import AnyNetwork, Complete, from_pairs, ring

DRAWN = 40_000
STAR = from_pairs(4, [(0, 1), (0, 2), (0, 3)])


def expected(network: AnyNetwork) -> NDArray[np.float64]:
    """Probability of each (speaker, listener), by the definition in words."""
    n = network.agents
    law = np.zeros((n, n))
    if isinstance(network, Complete):
        law[:] = 1.0
        if not network.self_pairs:
            np.fill_diagonal(law, 0)
        law /= law.sum()
        return law
    for listener in range(n):
        heard = network.neighbours[network.offsets[listener] : network.offsets[listener + 1]]
        for speaker in heard:
            law[speaker, listener] += 1 / (n * heard.size)
    return law


@pytest.mark.parametrize(
    "network", [Complete(4), Complete(4, self_pairs=False), ring(5), STAR], ids=repr
)
def test_contacts_have_their_probabilities(network: AnyNetwork) -> None:
    [whole] = schedule(b"seed", network, DRAWN, chunk=DRAWN)
    law = expected(network)
    found = np.zeros_like(law)
    np.add.at(found, (whole.speakers, whole.listeners), 1)
    assert not found[law == 0].any()
    deviation = np.abs(found - DRAWN * law)[law > 0]
    assert (deviation < 4.5 * np.sqrt(DRAWN * law * (1 - law))[law > 0]).all()


@pytest.mark.parametrize("network", [Complete(1000), ring(7)], ids=["complete", "ring"])
def test_chunks_do_not_change_a_schedule(network: AnyNetwork) -> None:
    [whole] = schedule(b"seed", network, 1000, chunk=1000)
    chunks = list(schedule(b"seed", network, 1000, chunk=64))
    assert [chunk.times.size for chunk in chunks] == [64] * 15 + [40]
    for name in ("speakers", "listeners", "times"):
        together = np.concatenate([getattr(chunk, name) for chunk in chunks])
        assert together.tolist() == getattr(whole, name).tolist()
    assert whole.times.tolist() == list(range(1, 1001))
    [other] = schedule(b"other", network, 1000, chunk=1000)
    assert other.speakers.tolist() != whole.speakers.tolist()


def test_a_schedule_may_be_empty() -> None:
    assert list(schedule(b"seed", Complete(2), 0)) == []


@pytest.mark.parametrize(
    ("speakers", "listeners", "times", "what"),
    [
        ([0, 1], [1], None, "as many listeners"),
        ([0], [1], [1, 2], "as many listeners"),
        ([0.5], [1], None, "speakers: .* one axis of agents"),
        ([0], [-1], None, "listeners: -1 .* agents from 0"),
        ([2**32 + 1], [0], None, "speakers: 4294967297"),
        ([[0]], [[1]], None, "speakers: .2 axes"),
        ([0], [1], [0.5], "times: .* whole numbers"),
    ],
)
def test_what_are_no_contacts(
    speakers: list[int], listeners: list[int], times: list[int] | None, what: str
) -> None:
    with pytest.raises(SettingError, match=what):
        Contacts(speakers, listeners, times)


@pytest.mark.parametrize(("contacts", "chunk"), [(-1, 1), (1, 0)])
def test_no_schedule_of_such_a_length(contacts: int, chunk: int) -> None:
    with pytest.raises(SettingError):
        next(schedule(b"seed", Complete(2), contacts, chunk))
