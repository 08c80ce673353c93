"""The hazard of switching: periods, what a fit gives, and when there is none."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy import special, stats

from socialcircuits.errors import SettingError
from socialcircuits.seeds import Stream
from socialcircuits.statistics import Estimate
from socialcircuits.statistics.hazard import EVENTS, Hazard, periods, switching
from socialcircuits.statistics.mixed import logistic_mixed


def test_periods_have_enough_switches_each() -> None:
    rounds = [r for r in range(1, 7) for _ in range(10)]
    counts = {1: 6, 2: 1, 3: 4, 4: 5, 5: 0, 6: 2}
    switched = [j < counts[r] for r in range(1, 7) for j in range(10)]
    found = periods(switched, rounds)
    assert found == ((1, 1), (2, 3), (4, 6))
    for first, last in found:
        assert sum(counts[r] for r in range(first, last + 1)) >= EVENTS
    assert all(one[1] + 1 == two[0] for one, two in pairwise(found))
    assert periods([False, True], [1, 2]) == ((1, 2),)
    assert periods([], []) == ()


def chain(slope: float, items: int = 40) -> dict[str, list[int]]:
    """Agents that switch for good, the more readily the more of their six peers have."""
    stream = Stream(b"hazard", f"chain {slope}")
    easy = stats.norm.ppf((np.arange(items) + 0.5) / items)
    rows: dict[str, list[int]] = {
        name: [] for name in ("switched", "peers", "rounds", "items", "agents")
    }
    for item in range(items):
        held = [0] * 7
        for current in range(1, 9):
            before = list(held)
            for agent, was in enumerate(before):
                if not was:
                    odds = -2.5 + easy[item] + slope * sum(before)
                    held[agent] = int(stream.below(10**6) < 10**6 * special.expit(odds))
                    row = (held[agent], sum(before), current, item, agent)
                    for name, value in zip(rows, row, strict=True):
                        rows[name].append(value)
    return rows


def known(number: float | None) -> float:
    assert number is not None
    return number


def ends(found: Estimate) -> tuple[float, float, float]:
    return known(found.low), known(found.value), known(found.high)


def fit(rows: dict[str, list[int]]) -> Hazard:
    return switching(
        [bool(event) for event in rows["switched"]],
        rows["peers"],
        rows["rounds"],
        rows["items"],
        rows["agents"],
    )


def test_influence_is_found_and_its_curve_rises() -> None:
    rows = chain(0.5)
    found = fit(rows)
    low, _, high = ends(found.per_peer)
    assert low <= 0.5 <= high
    assert known(found.test.p) < 0.01
    assert found.per_peer.test == found.test.significance
    assert known(found.per_peer.detectable) == pytest.approx(
        2.801585 / 3.919928 * (high - low), abs=1e-5
    )
    assert found.data == {
        "items": 40,
        "agents": 280,
        "rounds": len(rows["peers"]),
        "switches": sum(rows["switched"]),
    }
    assert list(found.curve) == list(range(max(rows["peers"]) + 1))
    curve = [ends(one) for one in found.curve.values()]
    assert all(low <= value <= high for low, value, high in curve)
    assert all(one[1] < two[1] for one, two in pairwise(curve))
    assert 0.5 < found.deviations["item"] < 1.5


def test_counting_equal_rounds_together_changes_nothing() -> None:
    rows = chain(0.5, items=20)
    found = fit(rows)
    where = {r: i for i, (a, b) in enumerate(found.periods) for r in range(a, b + 1)}
    columns = {
        f"p{i}": [float(where[r] == i) for r in rows["rounds"]]
        for i in range(1, len(found.periods))
    }
    single = logistic_mixed(
        rows["switched"],
        [1] * len(rows["peers"]),
        {**columns, "peers": [float(p) for p in rows["peers"]]},
        rows["items"],
        trials=rows["agents"],
    )
    assert ends(found.per_peer) == pytest.approx(ends(single.coefficients["peers"]), abs=1e-4)


def test_where_there_is_no_fit_it_says_why() -> None:
    none = switching([False] * 4, [0, 1, 0, 1], [1, 2, 1, 2], [0, 0, 1, 1], [0, 0, 0, 0])
    assert (none.per_peer.value, none.test.p, none.curve) == (None, None, {})
    assert none.method == "no estimate: it holds of none of the agents"
    assert none.deviations == {}
    assert (none.per_peer.test, none.per_peer.detectable) == (None, None)
    empty = switching([], [], [], [], [])
    assert empty.data["rounds"] == 0
    assert empty.per_peer.value is None


@pytest.mark.parametrize("short", ["peers", "rounds", "items", "agents"])
def test_columns_of_one_length(short: str) -> None:
    columns = {name: [1, 1] for name in ("peers", "rounds", "items", "agents")}
    columns[short] = [1]
    with pytest.raises(SettingError, match=short):
        switching([True, False], **columns)
