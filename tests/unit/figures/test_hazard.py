"""Switching by number of infected peers: counted, adjusted, and by experiment."""

from __future__ import annotations

import pandas as pd
import pytest

from socialcircuits.errors import SettingError
from socialcircuits.figures import hazard
from tests.unit.figures.tables import LABEL, check_form, places, points, row, ticks, titles

COUNTED, ADJUSTED = (one.title for one in hazard.CURVES)


def curves(*casts: str) -> pd.DataFrame:
    return pd.DataFrame(
        [
            row(one.name, 0.1 + 0.1 * peers * (1 - 0.5 * nth), 40 - peers, peers=peers, cast=cast)
            for nth, one in enumerate(hazard.CURVES)
            for peers in range(4)
            for cast in casts
        ]
    )


def injected(*casts: str) -> pd.DataFrame:
    return pd.DataFrame(
        [row("", 0.1 * peers, 36, peers=peers, cast=cast) for peers in (2, 4) for cast in casts]
    )


def test_the_counted_curve_stands_beside_the_adjusted_one_with_its_warning() -> None:
    figure = hazard.draw(curves("A", "B"), injected("A"), LABEL)
    check_form(figure)
    above = figure.axes[0]
    assert points(above)[COUNTED][-1] == (2.92, 0.4)
    assert points(above)[ADJUSTED][-1] == (3.08, 0.25)
    assert ticks(above) == ["0\n40", "1\n39", "2\n38", "3\n37"]
    assert " ".join(figure.legends[0].get_title().get_text().split()) == hazard.WARNING
    assert titles(figure.legends[0]) == [COUNTED, ADJUSTED, hazard.INJECTED.title]


def test_the_experiment_stands_below_where_it_was_made() -> None:
    figure = hazard.draw(curves("A", "B"), injected("A"), LABEL)
    below, none = figure.axes[2:]
    assert points(below)[hazard.INJECTED.title] == [(0, 0.2), (1, 0.4)]
    assert ticks(below) == ["2\nn = 36", "4\nn = 36"]
    assert places(below.lines[0])[1] == [0, 0]
    assert not none.axison
    assert len(hazard.draw(curves("A"), pd.DataFrame(), LABEL).axes) == 1


def test_a_model_that_could_not_be_fitted_has_no_curve() -> None:
    table = curves("A")
    table.loc[table["measure"] == "hazard_adjusted", ["value", "low", "high", "n"]] = [
        None, None, None, 0,
    ]  # fmt: skip
    (axes,) = hazard.draw(table, pd.DataFrame(), LABEL).axes
    assert list(points(axes)) == [COUNTED]
    assert ticks(axes)[0] == "0\n40"


def test_bad_tables_are_refused() -> None:
    with pytest.raises(SettingError, match="two rows of hazard_raw at peers = 0"):
        hazard.draw(pd.concat([curves("A"), curves("A")]), pd.DataFrame(), LABEL)
    with pytest.raises(SettingError, match="missing: peers"):
        hazard.draw(curves("A").drop(columns="peers"), pd.DataFrame(), LABEL)
