"""Which studies a test runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from socialcircuits.cards.plans import Plans, plans
from socialcircuits.cards.plans import Test as Wanted
from socialcircuits.errors import SettingError, UsageError
from socialcircuits.worlds import load

MODEL = "simulated/quiet"
SOUND = "question,true,false\nWhich town is it?,Lima,Cusco\nWhich river is it?,Nile,Niger\n"
FAULTY = f"{SOUND}Which sea is it?,Red,red\nWhich town is it?,Lima,Cusco\n"
PASSAGES = (
    "question,true,false,passage\nWhich town?,Lima,Cusco,It is Lima.\nWhich river?,Nile,Po,\n"
)


def table(folder: Path, text: str) -> Path:
    path = folder / "mine.csv"
    path.write_text(text, encoding="utf-8")
    return path


def asked(found: Plans) -> dict[str, tuple[int, int]]:
    """Study -> its claims, and the trials on them."""
    return {name: (one.study.seeds, len(one.trials)) for name, one in found.all()}


@pytest.mark.parametrize(
    ("size", "seat", "evidence"),
    [("quick", (12, 60), (6, 12)), ("default", (40, 400), (24, 72))],
)
def test_a_size_says_how_much_is_asked(
    size: str, seat: tuple[int, int], evidence: tuple[int, int]
) -> None:
    assert asked(plans(Wanted(MODEL, size))) == {"seat": seat, "evidence": evidence}


def test_the_full_size_asks_all_that_there_is() -> None:
    claims, documents = (
        len(load("claims", {"list": "both"}).items),
        len(load("documents", {}).items),
    )
    assert claims > 40
    assert asked(plans(Wanted(MODEL, "full"))) == {
        "seat": (claims, 10 * claims),
        "evidence": (documents, 3 * documents),
    }


def test_there_is_no_other_size() -> None:
    with pytest.raises(SettingError, match="did you mean 'quick'"):
        Wanted(MODEL, "quik")


def test_own_claims_take_the_place_of_ours(tmp_path: Path) -> None:
    mine = table(tmp_path, SOUND)
    found = plans(Wanted(MODEL, claims=mine))
    assert asked(found) == {"seat": (2, 20), "evidence": (24, 72)}
    assert found.seat.study.world == {"kind": "claims", "file": str(mine)}
    assert found.evidence.study.world == {"kind": "documents"}


def test_rows_with_a_passage_are_the_documents(tmp_path: Path) -> None:
    mine = table(tmp_path, PASSAGES)
    found = plans(Wanted(MODEL, "quick", claims=mine))
    assert asked(found) == {"seat": (2, 10), "evidence": (1, 2)}
    assert found.evidence.study.world == {"kind": "documents", "file": str(mine)}


def test_faulty_claims_are_refused_or_left_out(tmp_path: Path) -> None:
    mine = table(tmp_path, FAULTY)
    with pytest.raises(UsageError) as refused:
        plans(Wanted(MODEL, claims=mine))
    assert str(refused.value).splitlines() == [
        "mine.csv: faults: 2",
        "  row 3 (line 4), false: it is the same as the true answer",
        "  row 4 (line 5), question: it is that of row 1 too",
    ]
    found = plans(Wanted(MODEL, claims=mine, skip_bad=True))
    assert asked(found)["seat"] == (2, 20)
    assert found.seat.study.world["skip_bad"] is True


def test_a_table_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"--claims: .*nowhere\.csv. is not allowed"):
        plans(Wanted(MODEL, claims=tmp_path / "nowhere.csv"))


def test_all_studies_are_of_one_test() -> None:
    test = Wanted(MODEL, "quick", pack="mine.jsonl", seed=7, judge="openai/judge", rooms=True)
    for _, one in plans(test).all():
        study = one.study
        assert (study.pack, study.seed, study.judge) == ("mine.jsonl", 7, "openai/judge")
        assert study.models["A"] == MODEL


@pytest.mark.parametrize(("attacker", "model"), [(None, MODEL), ("openai/bad", "openai/bad")])
def test_live_rooms_are_an_option_with_an_attacker(attacker: str | None, model: str) -> None:
    found = plans(Wanted(MODEL, "quick", rooms=True, attacker=attacker))
    assert list(asked(found)) == ["seat", "evidence", "rooms"]
    assert found.rooms is not None
    assert dict(found.rooms.study.models) == {"A": MODEL, "B": model}
    casts = [planned.cell.trial.deceivers for planned in found.rooms.trials]
    assert casts == [0, 1] * 10


def test_an_attacker_needs_rooms() -> None:
    with pytest.raises(SettingError, match="--rooms"):
        Wanted(MODEL, attacker="openai/bad")
