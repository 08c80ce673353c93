"""Private probes asked again in other words."""

from __future__ import annotations

import pandas as pd
import pytest

from socialcircuits.errors import SettingError
from socialcircuits.figures import reasks
from tests.unit.figures.tables import LABEL, check_form, points, row, texts, ticks, titles


def shares() -> pd.DataFrame:
    every = (*reasks.RETAINED, *reasks.FINAL)
    return pd.DataFrame(
        [
            row(one.name, 0.2 + 0.1 * nth, 30 + place, cast=cast)
            for nth, one in enumerate(every)
            for place, cast in enumerate(("A (quiet)", "B (loud)"))
        ]
    )


def test_what_is_kept_stands_beside_the_end() -> None:
    figure = reasks.draw(shares(), LABEL)
    check_form(figure)
    kept, final = figure.axes
    assert list(points(kept)) == [reasks.OWN, reasks.ANONYMOUS]
    assert points(kept)[reasks.OWN] == [(-0.085, 0.2), (0.915, 0.2)]
    assert [one[0] for one in points(final).values()] == [(-0.17, 0.4), (0.0, 0.5), (0.17, 0.6)]
    assert ticks(kept) == ["A (quiet)\nn = 30", "B (loud)\nn = 31"]
    assert titles(figure.legends[0]) == [reasks.USUAL, reasks.OWN, reasks.ANONYMOUS]


def test_no_false_answer_to_keep_is_no_zero() -> None:
    table = shares()
    lost = (table["measure"] == "reask_own_retained") & (table["cast"] == "B (loud)")
    table.loc[lost, ["value", "low", "high", "n"]] = [None, None, None, 0]
    kept = reasks.draw(table, LABEL).axes[0]
    assert len(points(kept)[reasks.OWN]) == 1
    assert "n = 0" in texts(kept)
    assert ticks(kept)[1] == "B (loud)\nn = 0-31"


def test_a_part_that_was_not_asked_says_so() -> None:
    table = shares()
    figure = reasks.draw(table[table["measure"].str.startswith("reask")], LABEL)
    check_form(figure)
    assert figure.axes[1].get_xlabel() == "not run"
    with pytest.raises(SettingError, match="two rows of reask_own_retained at cast = "):
        reasks.draw(table.drop(columns="cast"), LABEL)
