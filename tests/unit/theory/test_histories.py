"""Events of agents, cut into agents and put together."""

from __future__ import annotations

from typing import Any

import pytest

from socialcircuits.errors import SettingError
from socialcircuits.theory.histories import (
    GAVE_OTHER,
    GAVE_RIVAL,
    GAVE_TRUTH,
    HEARD_TRUTH,
    Histories,
    joined,
)


def test_joined_agents_keep_their_events() -> None:
    first = Histories([GAVE_TRUTH, HEARD_TRUTH, GAVE_OTHER], [0, 2, 3])
    second = Histories([GAVE_RIVAL], [0, 0, 1])
    whole = joined([first, second])
    pieces = [
        whole.events[a:b].tolist() for a, b in zip(whole.offsets, whole.offsets[1:], strict=False)
    ]
    assert pieces == [[GAVE_TRUTH, HEARD_TRUTH], [GAVE_OTHER], [], [GAVE_RIVAL]]
    assert whole.agents == 4
    assert whole.count(GAVE_TRUTH, GAVE_RIVAL) == 2


def test_no_part_is_no_agent() -> None:
    assert joined([]).agents == 0


@pytest.mark.parametrize(
    ("events", "offsets", "where"),
    [
        ([6], [0, 1], "events"),
        ([-1], [0, 1], "events"),
        ([0.5], [0, 1], "events"),
        ([[0]], [0, 1], "events"),
        ([0, 0], [0, 1], "offsets"),
        ([0, 0], [1, 2], "offsets"),
        ([0, 0], [0, 2, 1, 2], "offsets"),
        ([0, 0], [], "offsets"),
        ([0, 0], [0.0, 2.0], "offsets"),
    ],
)
def test_pieces_that_do_not_fit_are_refused(events: Any, offsets: Any, where: str) -> None:
    with pytest.raises(SettingError, match=where):
        Histories(events, offsets)
