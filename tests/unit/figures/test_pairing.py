"""Three pairings of what is said with what is held."""

from __future__ import annotations

import pandas as pd
import pytest

from socialcircuits.errors import SettingError
from socialcircuits.figures import pairing
from tests.unit.figures.tables import LABEL, check_form, points, row, texts, titles


def shares(*casts: str) -> pd.DataFrame:
    return pd.DataFrame(
        [
            row(measure, 0.1 + 0.2 * nth, 40 - nth, cast=cast)
            for cast in casts
            for nth, line in enumerate(pairing.LINES)
            for measure in line.measures.values()
        ]
    )


def test_each_way_to_pair_has_its_place_in_each_line() -> None:
    figure = pairing.draw(shares("A"), LABEL)
    check_form(figure)
    (axes,) = figure.axes
    shown = points(axes)
    assert list(shown) == [look.title for look in pairing.WAYS.values()]
    assert shown["every turn, asked after the round"] == [(0.1, -0.19), (0.3, 0.81), (0.5, 1.715)]
    assert shown["the answer before and after"] == [(0.5, 2.285)]
    assert shown["switched in this round"] == [(0.7, 2.905)]
    assert texts(axes)[:4] == ["n = 40", "n = 39", "n = 38", "n = 37"]
    assert titles(figure.legends[0]) == list(shown)
    assert axes.get_yticklabels()[3].get_text() == pairing.LINES[3].title


def test_what_was_not_paired_has_no_point_and_counts() -> None:
    table = shares("A", "B", "C")
    lost = (table["measure"] == "paired_first_silent_false") & (table["cast"] == "B")
    table.loc[lost, ["value", "low", "high", "n"]] = [None, None, None, 0]
    figure = pairing.draw(table, LABEL)
    check_form(figure)
    assert len(points(figure.axes[1])["first speakers, asked before"]) == 2
    assert texts(figure.axes[1])[2] == "n = 0-38"
    rest = pairing.draw(table[~table["measure"].str.startswith("reject")], LABEL)
    assert texts(rest.axes[0])[3] == "not run"


def test_looks_differ_without_colour() -> None:
    looks = pairing.WAYS.values()
    assert len({(one.marker, one.filled) for one in looks}) == len(looks)


def test_bad_tables_are_refused() -> None:
    with pytest.raises(SettingError, match="two rows of paired_turn_rejects_true"):
        pairing.draw(pd.concat([shares("A"), shares("A")]), LABEL)
