"""Infection round by round, the joint table, knowledge, timing and re-asks, counted by hand."""

from __future__ import annotations

from socialcircuits.analyses.infection import curves, joint, knowledge, reasks, speed, timing
from socialcircuits.statistics import paired_difference, ratio, sign_flip
from tests.support.conversations import talk
from tests.unit.measures.trials import trial


def test_curves_by_round_have_items_as_clusters() -> None:
    trials = [
        talk("T iF eF", "T eT e?", seed=1),
        talk("F rF uF", "T iF eF", seed=2),
        trial(),  # no chatroom
    ]
    rows = {(row["measure"], row["round"]): row for row in curves(trials)}
    assert sorted(rows) == [
        *(("endorsement", r) for r in (1, 2)),
        *(("infection", r) for r in (0, 1, 2)),
    ]
    first = rows["infection", 1]
    assert (first["value"], first["n"], first["counted"], first["of"]) == (3 / 4, 2, 3, 4)
    assert first["low"] == ratio([1, 2], [2, 2]).low
    assert first["deceivers"] == 1
    assert rows["infection", 0]["value"] == 1 / 4
    assert (rows["infection", 2]["counted"], rows["infection", 2]["unjudged"]) == (3, 1)
    assert rows["endorsement", 1]["value"] == 1 / 4
    assert rows["endorsement", 2]["value"] == 3 / 4


def test_conditions_stand_apart() -> None:
    trials = [
        talk("T iF", seed=1),
        talk("T iF", "T iT", seed=1, orders=["01"]),
    ]
    ends = {row["deceivers"]: row["value"] for row in curves(trials) if row["round"] == 1}
    assert ends == {1: 0.0, 0: 0.0}  # endorsement, the last of both measures
    assert [row["final"] for row in speed(trials)] == [1.0, 0.5]


def test_speed_reads_the_pooled_curve() -> None:
    # 0, 1, 3, 3, 4 of 4 agents: half (2) after round 2, 80 % (3.2) after round 4.
    (row,) = speed(
        [
            talk("T iF iF iF iF", "T iT iF iF iF", seed=1),
            talk("T iT iF iF iF", "T iT iT iT iF", seed=2),
        ]
    )
    assert (row["half_round"], row["most_round"]) == (2, 4)
    assert (row["final"], row["round_1"], row["round_4"]) == (1.0, 1 / 4, 1.0)
    assert (row["agents"], row["trials"], row["n"]) == (4, 2, 2)
    (none,) = speed([talk("T iF iT", seed=1)])
    assert (none["half_round"], none["most_round"], none["round_1"]) == (None, None, None)


def test_the_joint_table_counts_invalid_and_unjudged_too() -> None:
    rows = {
        (row["label"], row["stance"]): row
        for row in joint([talk("T eF", "T xF", "T ?F", "T rx", "T h?", orders=["S01234"])])
    }
    assert {label for label, _ in rows} == {"FALSE", "invalid", "unjudged"}
    assert rows["FALSE", "endorse"]["value"] == 1 / 3
    assert rows["FALSE", "invalid"]["counted"] == rows["FALSE", "unjudged"]["counted"] == 1
    assert (rows["invalid", "reject"]["value"], rows["invalid", "reject"]["of"]) == (1.0, 1)
    assert rows["unjudged", "hedge"]["value"] == 1.0
    assert sum(row["counted"] for row in rows.values()) == 5
    # A turn before any adversary is not exposed.
    assert joint([talk("T eF", orders=["0S"])]) == []


def test_knowledge_beside_what_is_given_up() -> None:
    trials = [
        talk("T iF", "T iT", seed=1, condition={"cast": "A"}),
        talk("n iF", "T in", seed=2, condition={"cast": "A"}),
        talk("T iT", "T iT", seed=1, condition={"cast": "B"}),
    ]
    first, second = knowledge(trials)
    assert (first["cast"], first["known_at_first"], first["known_at_first_n"]) == ("A", 3 / 4, 2)
    assert (first["abandoned"], first["abandoned_to_false"]) == (2 / 3, 1 / 3)
    assert (first["abandoned_counted"], first["abandoned_of"]) == (2, 3)
    assert first["final_infection"] == 1 / 2
    assert (second["known_at_first"], second["abandoned"]) == (1.0, 0.0)


def test_timing_has_every_pairing() -> None:
    rows = timing([talk("T rT hF", "F hF iF", orders=["S01", "1S0"])])
    found = {(row["pairing"], row["quantity"]): row for row in rows}
    assert len(found) == len(rows) == 12
    assert found["turn", "rejects_true"]["value"] == 1.0
    assert (found["turn", "silent_false"]["counted"], found["turn", "silent_false"]["of"]) == (3, 3)
    assert found["first", "silent_false"]["of"] == 1
    assert found["last", "silent_false"]["of"] == 2
    assert found["strict", "silent_false"]["of"] == 2
    assert (found["switched", "rejects_false"]["of"], found["settled", "rejects_false"]["of"]) == (
        1,
        2,
    )


def test_reasks_stand_beside_the_standard_probe() -> None:
    trials = [
        talk("T iF iF", "T iF iF", seed=1, reasks={"own": ["FT", "FF"]}),
        talk("T iT iF", "T iT iT", seed=2, reasks={"own": ["TF", "TF"]}),
        talk("T iF iF", "T iF iF", seed=3, reasks={"own": ["--", "--"]}),
    ]
    (found,) = reasks(trials)
    row = found.row()
    assert row["wording"] == "own"
    assert (row["retained"], row["retained_counted"], row["retained_of"]) == (4 / 5, 4, 5)
    assert (row["standard"], row["final"], row["final_n"]) == (3 / 4, 3 / 4, 2)
    expected = paired_difference([0.5, 1.0], [1.0, 0.5])
    assert (row["difference"], row["low"], row["high"]) == (0.0, expected.low, expected.high)
    assert (row["n"], row["p"]) == (2, sign_flip([-0.5, 0.5]).p)
    assert reasks([talk("T iF")]) == []
