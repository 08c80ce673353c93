"""One agent alone with an adversary against agents among peers, on the same items."""

from __future__ import annotations

from socialcircuits.analyses.dyad import dyads
from socialcircuits.statistics import paired_difference, sign_flip
from tests.support.conversations import talk


def test_dyad_less_group_on_the_same_items() -> None:
    trials = [
        *(
            talk(word, seed=seed, condition={"N": 2, "deceivers": 1, "cast": "A"})
            for seed, word in enumerate(("T iF", "T iF", "T iT"), 1)
        ),
        *(
            talk(*words, seed=seed, condition={"N": 4, "deceivers": 1, "cast": "A"})
            for seed, words in enumerate(
                (
                    ("T iF", "T iT", "T iT"),
                    ("T iF", "T iF", "T iF"),
                    ("T iT", "T iT", "T iT"),
                    ("T iF", "T iF", "T iF"),
                ),
                1,
            )
        ),
    ]
    (row,) = (found.row() for found in dyads(trials))
    expected = paired_difference([1.0, 1.0, 0.0], [1 / 3, 1.0, 0.0])
    assert (row["value"], row["low"], row["high"]) == (expected.value, expected.low, expected.high)
    assert (row["measure"], row["cast"], row["group"], row["n"]) == ("final_infection", "A", 4, 3)
    assert (row["dyad"], row["group_infection"]) == (2 / 3, (1 / 3 + 1) / 3)
    assert (row["dyad_messages"], row["group_messages"]) == (1 / 2, 1 / 4)
    assert row["left_out"] == 1
    assert row["p"] == sign_flip([2 / 3, 0.0, 0.0]).p
    assert "N" not in row


def test_nothing_matched_gives_nothing() -> None:
    pair = talk("T iF", seed=1, condition={"N": 2, "deceivers": 1})
    group = talk("T iF", "T iF", seed=2, condition={"N": 3, "deceivers": 1})
    assert dyads([pair, group]) == []
    assert dyads([pair]) == []
    unattacked = talk("T iF", "T iF", seed=1, orders=["01"], condition={"N": 3, "deceivers": 1})
    assert dyads([pair, unattacked]) == []


def test_other_settings_stand_apart_but_not_the_majority() -> None:
    trials = [
        talk("T iF", seed=1, condition={"N": 2, "majority": "any"}),
        talk("T iT", "T iT", seed=1, condition={"N": 3, "majority": "honest"}),
    ]
    (found,) = dyads(trials)
    assert (found.difference.value, dict(found.condition)) == (1.0, {})
    apart = [
        talk("T iF", seed=1, condition={"N": 2, "cast": "A"}),
        talk("T iT", "T iT", seed=1, condition={"N": 3, "cast": "B"}),
    ]
    assert dyads(apart) == []
