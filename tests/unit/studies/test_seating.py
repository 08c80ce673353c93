"""Who sits where: which agents deceive, what they are called, and what adversaries are told."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from socialcircuits.errors import SettingError
from socialcircuits.graph import Brief
from socialcircuits.protocols import find
from socialcircuits.seeds import digest
from socialcircuits.studies.seating import briefs, place
from socialcircuits.studies.settings import Trial


def deceiving(trial: Trial, seed: bytes) -> set[int]:
    placed = place(trial, find(trial.protocol), seed)
    return {i for i, one in enumerate(placed) if one.seat.role in {"deceiver", "coordinated"}}


def test_more_deceivers_at_a_table_include_the_fewer() -> None:
    for number in range(30):
        seed = digest("table", number)
        sets = [deceiving(Trial(N=9, deceivers=k), seed) for k in range(5)]
        assert [len(found) for found in sets] == [0, 1, 2, 3, 4]
        assert all(one <= two for one, two in pairwise(sets))


def test_every_seat_deceives_as_often() -> None:
    counts = Counter(
        seat
        for number in range(1200)
        for seat in deceiving(Trial(N=6, deceivers=2), digest("seat", number))
    )
    assert sorted(counts) == list(range(6))
    assert all(320 <= count <= 480 for count in counts.values())


def test_blind_agents_never_deceive() -> None:
    trial = Trial(N=6, cast="2A:blind 4A", deceivers=2)
    assert all(deceiving(trial, digest("blind", n)) <= {2, 3, 4, 5} for n in range(40))


def test_names_are_drawn_each_once_and_only_where_messages_are_signed() -> None:
    trial = Trial(N=5, protocol="deliberation")
    names = [one.name for one in place(trial, find("deliberation"), b"seed")]
    assert sorted(names) == [f"Colleague {n}" for n in range(1, 6)]
    other = [one.name for one in place(trial, find("deliberation"), b"another seed")]
    assert names != other
    assert {one.name for one in place(Trial(N=5), find("pairwise"), b"seed")} == {""}


def test_the_model_of_the_deceivers_sits_in_their_seats() -> None:
    trial = Trial(N=5, deceivers="2/5", deceiver="B", cast="A")
    placed = place(trial, find("pairwise"), b"seed")
    assert Counter((one.seat.role, one.model) for one in placed) == {
        ("observer", "A"): 3,
        ("deceiver", "B"): 2,
    }


def test_adversaries_alone_are_told_the_truth() -> None:
    trial = Trial(N=7, protocol="deliberation", deceivers="3/7", coordinated=True)
    placed = place(trial, find("deliberation"), b"seed")
    told = briefs(placed, Brief(world="flags"), "Peru", "Chad")
    names = {one.name for one in placed if one.seat.role == "coordinated"}
    for one, brief in zip(placed, told, strict=True):
        assert brief.name == one.name
        if one.seat.role == "coordinated":
            assert (brief.truth, brief.lure, brief.group) == ("Peru", "Chad", 7)
            assert set(brief.fellows) == names - {one.name}
        else:
            assert (brief.truth, brief.lure, brief.fellows, brief.group) == ("", "", (), 0)


def test_one_coordinated_deceiver_is_an_ordinary_one() -> None:
    trial = Trial(N=5, protocol="deliberation", deceivers=1, coordinated=True)
    roles = [one.seat.role for one in place(trial, find("deliberation"), b"seed")]
    assert sorted(roles) == ["deceiver", *["observer"] * 4]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"N": 6, "deceivers": "1/5"}, "a whole number of agents"),
        ({"N": 6, "deceivers": 3}, "fewer than half of N = 6; majority = any allows more"),
        ({"N": 6, "deceivers": 6, "majority": "any"}, "fewer than the 6 agents"),
        ({"N": 5, "deceivers": "0", "protocol": "deliberation", "coordinated": True}, "false"),
        ({"N": 5, "deceivers": 1, "coordinated": True}, "only deliberation, chatroom has a use"),
        ({"N": 5, "verify": "alone"}, "only deliberation has a use"),
    ],
)
def test_what_does_not_go_together_is_refused(settings: dict[str, object], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        Trial.model_validate(settings).check()


@pytest.mark.parametrize("share", ["1/0", "some", "-1/5", "1", "7/5", True, 0.2])
def test_what_is_no_number_of_deceivers_is_refused(share: object) -> None:
    with pytest.raises(SettingError, match=r"a share such as 1/5"):
        Trial.model_validate({"N": 5, "deceivers": share})
