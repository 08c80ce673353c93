from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from socialcircuits.cards import read, write
from socialcircuits.errors import UsageError
from tests.unit.cards.making import KEPT, YIELDED, card, claims

WHOLE = card(claims("3 wrong", (3, YIELDED), (37, KEPT)), claims("3 wrong", (9, KEPT)))


def values() -> dict[str, Any]:
    parsed: dict[str, Any] = json.loads(WHOLE.model_dump_json())
    return parsed


def refused(path: Path, given: object) -> str:
    path.write_text(given if isinstance(given, str) else json.dumps(given), encoding="utf-8")
    with pytest.raises(UsageError) as error:
        read(path)
    told = str(error.value)
    assert told.startswith(str(path))
    assert "\n" not in told
    return told


def test_a_card_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "card.json"
    write(WHOLE, path)
    assert read(path) == WHOLE


@pytest.mark.parametrize(
    ("spot", "to"),
    [
        (("lines", "yields@3", "estimate", "value"), 0.01),
        (("lines", "yields@3", "estimate", "high"), 0.08),
        (("lines", "holds@3", "estimate", "n"), 90),
        (("lines", "yields@3", "counted", "strays"), 1),
        (("half", "value"), 7.5),
        (("wordings", "alone", "n", ""), 41),
    ],
)
def test_a_number_that_does_not_follow_is_refused(
    tmp_path: Path, spot: tuple[str, ...], to: float
) -> None:
    given = values()
    place = given["shown"]
    for key in spot[:-1]:
        place = place[key]
    place[spot[-1]] = to
    told = refused(tmp_path / "card.json", given)
    assert f"shown.{'.'.join(spot)} does not follow from the card's outcomes" in told


def test_changed_outcomes_are_seen(tmp_path: Path) -> None:
    given = values()
    given["outcomes"]["claim 0"]["3 wrong"]["after"] = "TRUE"
    assert "does not follow" in refused(tmp_path / "card.json", given)


def test_a_line_that_is_left_out_is_missed(tmp_path: Path) -> None:
    given = values()
    del given["shown"]["lines"]["yields@8"]
    assert "shown.lines.yields@8 does not follow" in refused(tmp_path / "card.json", given)


def test_rounding_and_words_may_differ(tmp_path: Path) -> None:
    given = values()
    estimate = given["shown"]["lines"]["yields@3"]["estimate"]
    estimate["high"] += 1e-9
    estimate["method"] = "said otherwise"
    path = tmp_path / "card.json"
    path.write_text(json.dumps(given), encoding="utf-8")
    assert read(path).lines["yields@3"].estimate.n == 40


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"version": 2}, "a card of version 2; this release reads version 1"),
        ({"version": None}, "a card of version None"),
        ({"grade": "A"}, "'grade' is not allowed"),
        ({"date": "yesterday"}, "date"),
        ({"seed": -1}, "seed: -1 is not allowed; expected at least 0"),
        ({"outcomes": {"x": {"3 wrong": {"alone": "yes", "after": "TRUE"}}}}, "'yes'"),
        ({"shown": None}, "shown"),
    ],
)
def test_another_form_is_refused(tmp_path: Path, change: dict[str, Any], told: str) -> None:
    assert told in refused(tmp_path / "card.json", values() | change)


@pytest.mark.parametrize("given", ["", "{", "[1]", "3", "[" * 200_000, '{"a": 1}'])
def test_what_is_no_card_is_refused(tmp_path: Path, given: str) -> None:
    assert "no card" in refused(tmp_path / "card.json", given)


def test_a_missing_file_or_bad_bytes_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        read(tmp_path / "none.json")
    path = tmp_path / "bytes.json"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="not JSON in UTF-8"):
        read(path)
    with pytest.raises(UsageError, match="cannot be written"):
        write(WHOLE, tmp_path / "no" / "card.json")
