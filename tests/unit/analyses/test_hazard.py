"""Who switches and who comes back by infected peers, raw and adjusted, and injected peers."""

from __future__ import annotations

from typing import Any

import pytest

from socialcircuits.analyses.hazard import RAW, acts, adjusted, by_peers, injected
from socialcircuits.statistics import Significance, paired_difference, ratio
from tests.support.conversations import talk


def raw(*trials: Any) -> dict[tuple[str, int], tuple[int, int]]:
    rows = by_peers(trials)
    assert all(row["note"] == RAW for row in rows)
    return {(row["measure"], row["peers"]): (row["counted"], row["of"]) for row in rows}


def test_switches_by_infected_peers_before_the_round() -> None:
    # Before round 1 agent 1 is infected: 0 and 2 have one infected peer, and 0 switches. Before
    # round 2 0 and 1 are: 2 has two and switches, 1 has one and comes back.
    found = raw(talk("T iF iF", "F iF iT", "T in iF"))
    assert found == {
        ("hazard_raw", 1): (1, 2),
        ("hazard_raw", 2): (1, 1),
        ("reversal_raw", 0): (0, 1),
        ("reversal_raw", 1): (1, 2),
    }


def test_only_peers_that_an_agent_hears_count() -> None:
    heard = raw(talk("T iF", "F iF", "F iF", hears=[[1], [0], [0]]))
    assert heard["hazard_raw", 1] == (1, 1)
    # Agents may switch again after they came back; items are the clusters.
    again = talk("T iF iT iF", seed=1), talk("T iT iT iT", seed=2)
    (row,) = (row for row in by_peers(again) if row["measure"] == "hazard_raw")
    assert (row["counted"], row["of"], row["n"]) == (2, 5, 2)
    assert row["low"] == ratio([2, 0], [2, 3]).low


def test_what_is_unjudged_is_kept_or_counted() -> None:
    # 0: unjudged after round 1, so no switch in it, and left out in round 2. 1: a peer of unknown.
    rows = by_peers([talk("T i? iF", "T iT iF")])
    (row,) = (row for row in rows if row["measure"] == "hazard_raw")
    assert (row["peers"], row["counted"], row["of"]) == (0, 1, 3)
    assert (row["unjudged"], row["left_out"]) == (2, 1)


def test_invalid_and_neither_can_switch() -> None:
    assert raw(talk("x iF", "n iF", "a iT"))["hazard_raw", 0] == (2, 3)


def test_conditions_without_adversaries_are_passed_over() -> None:
    alone = talk("T iF", "T iT", orders=["01"])
    assert by_peers([alone]) == []
    assert acts([alone]) == []
    assert adjusted([alone]) == []


def test_conditions_under_an_intervention_are_passed_over() -> None:
    def rows(name: str) -> list[dict[str, Any]]:
        return by_peers([talk("T iF", condition={"intervention": name})])

    assert rows("two") == []
    assert len(rows("")) == 1


def test_acts_of_agents_that_were_not_infected() -> None:
    rows = acts([talk("T eF eF", "T rT rF", "F eF iF")])
    found = {(row["act"], row["whose"]): (row["counted"], row["of"]) for row in rows}
    # Own: 0 endorses and switches in round 1; 1 rejects twice, and switches in the second.
    assert found["endorse", "own"] == (1, 1)
    assert found["reject", "own"] == (1, 2)
    # Heard: 0 in round 1 hears 1 reject and 2 endorse; 1 hears 0 endorse in both rounds.
    assert found["endorse", "heard"] == (2, 3)
    assert found["reject", "heard"] == (1, 1)


def test_acts_are_the_measures_where_the_act_is_the_agents_own() -> None:
    from socialcircuits.measures import estimate

    trial = talk("T eF eF", "T rT rF", "F eF iF")
    measured = {row.measure: row.estimate.value for row in estimate([trial], {})}
    rows = {row["act"]: row["value"] for row in acts([trial]) if row["whose"] == "own"}
    assert measured["switch_after_endorsement"] == rows["endorse"]
    assert measured["switch_after_correction"] == rows["reject"]


def test_the_adjusted_row_says_what_was_fitted_or_why_not() -> None:
    (found,) = adjusted([talk("T iF iF", "T iT iF", seed=1), talk("T iT iT", "T iT i?", seed=2)])
    row = found.row()
    assert (row["n"], row["agents"], row["rounds"], row["switches"]) == (2, 4, 6, 2)
    assert row["unjudged"] == 1
    assert row["periods"] == "1-2"
    assert row["rise"] == pytest.approx(4 / 5)
    if row["value"] is None:
        assert row["why"]
        assert found.curve() == []
        assert found.verdict.startswith("not adjusted")
    never = adjusted([talk("T iT"), talk("T iT", seed=2)])[0]
    assert never.row()["why"] == "it holds of none of the agents"
    assert never.rise is None


def test_injected_peers_are_compared_by_the_same_agents() -> None:
    def trial(*words: str, seed: int, name: str) -> Any:
        return talk(*words, seed=seed, condition={"intervention": name, "deceivers": 1})

    trials = [
        trial("T iT", "T iT", "T iF", seed=1, name=""),
        trial("T iF", "T iT", "T iT", seed=1, name="one"),
        trial("T iF", "T iT", "T iF", seed=2, name=""),
        trial("T iF", "T iF", "T iF", seed=2, name="one"),
        trial("T iF", "T iF", "T iF", seed=3, name="one"),
        trial("T iF", "T iF", "T iF", seed=1, name="unknown"),
    ]
    (found,) = injected(trials, {"one": [2]})
    row = found.row()
    expected = paired_difference([1 / 2, 1.0], [0.0, 1 / 2])
    assert (row["value"], row["low"], row["high"]) == (1 / 2, expected.low, expected.high)
    assert (row["intervention"], row["peers"], row["n"], row["left_out"]) == ("one", 1, 2, 1)
    assert (row["changed"], row["unchanged"]) == (3 / 4, 1 / 4)
    assert found.difference.test == Significance(0.5, "sign flips")
    assert injected(trials[:1], {"one": [2]}) == []
