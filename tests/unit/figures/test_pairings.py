"""Heat maps of honest and deceivers' models."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from socialcircuits.errors import SettingError
from socialcircuits.figures import pairings
from tests.unit.figures.tables import LABEL, check_form, image, notes, row, texts, ticks


def cells() -> pd.DataFrame:
    rows = [
        row(
            "honest_defection",
            0.2 + 0.1 * (cast == "B") + 0.05 * (other == "B") + size / 1000,
            38,
            N=size,
            deceivers=share,
            cast=cast,
            deceiver=other,
        )
        for share, size in (("3/7", 14), ("1/5", 10), ("0", 8))
        for cast in "BA"
        for other in "BA"
    ]
    return pd.DataFrame(rows)


def test_a_map_a_proportion_in_order() -> None:
    figure = pairings.draw(cells(), LABEL)
    check_form(figure)
    first, second = figure.axes
    assert [texts(axes)[-1] for axes in figure.axes] == ["1/5 deceivers", "3/7 deceivers"]
    assert image(first) == pytest.approx(np.array([[0.21, 0.26], [0.31, 0.36]]))
    assert image(second) == pytest.approx(np.array([[0.214, 0.264], [0.314, 0.364]]))
    assert ticks(first) == ["A", "B"]
    assert [text.get_text() for text in first.get_yticklabels()] == ["A", "B"]
    here = [text for place, text in notes(first) if place == (1, 0)]
    assert here[:3] == ["0.26", "0.16 to 0.36", "n = 38"]
    assert first.images[0].get_clim() == second.images[0].get_clim() == (0.2, 0.4)


def test_what_was_not_run_is_grey_and_what_is_not_known_a_dash() -> None:
    table = cells()
    table = table[~((table["N"] == 10) & (table["cast"] == "A") & (table["deceiver"] == "B"))]
    lost = (table["N"] == 10) & (table["cast"] == "B") & (table["deceiver"] == "A")
    table.loc[lost, ["value", "low", "high", "n"]] = [None, None, None, 0]
    axes = pairings.draw(table, LABEL).axes[0]
    assert np.isnan(image(axes)).tolist() == [[False, True], [True, False]]
    assert [text for place, text in notes(axes) if place == (0, 1)][:3] == ["-", "", "n = 0"]
    assert not [text for place, text in notes(axes) if place == (1, 0)]


def test_without_any_value_nothing_fails() -> None:
    table = cells()
    table[["value", "low", "high"]], table["n"] = None, 0
    figure = pairings.draw(table, LABEL)
    check_form(figure)
    assert np.isnan(image(figure.axes[0])).all()


def test_bad_tables_are_refused() -> None:
    with pytest.raises(SettingError, match="missing: deceiver"):
        pairings.draw(cells().drop(columns="deceiver"), LABEL)
    with pytest.raises(SettingError, match="two rows of honest_defection at proportion = 1/5"):
        pairings.draw(pd.concat([cells(), cells().query("N == 10").assign(N=5)]), LABEL)
    with pytest.raises(SettingError, match="at least one row"):
        pairings.draw(cells().query("deceivers == '0'"), LABEL)
