"""The same attackers where not everybody hears everybody."""

from __future__ import annotations

import pandas as pd
import pytest

from socialcircuits.errors import SettingError
from socialcircuits.figures import networks
from tests.unit.figures.tables import LABEL, check_form, points, row, texts, ticks, titles


def shares() -> pd.DataFrame:
    rows = [
        row(measure, 0.1 * place + 0.1, 40, network=name, deceivers=attackers)
        for measure in networks.PANELS
        for place, name in enumerate(("complete", "small-world", "0-1 1-2 2-3 3-4"))
        for attackers in ((0, 1) if measure == "final_infection" else (1,))
    ]
    return pd.DataFrame(rows)


def test_networks_stand_side_by_side_by_number_of_attackers() -> None:
    figure = networks.draw(shares(), LABEL)
    check_form(figure)
    final, private, public = figure.axes
    assert list(points(final)) == ["no attacker", "1 attacker"]
    assert points(final)["1 attacker"] == [(0.085, 0.1), (1.085, 0.2), (2.085, 0.3)]
    assert list(points(private)) == list(points(public)) == ["1 attacker"]
    assert ticks(final) == ["complete\nn = 40", "small-\nworld\nn = 40", "0-1 1-2\n2-3...\nn = 40"]
    assert titles(figure.legends[0]) == ["no attacker", "1 attacker"]


def test_a_missing_value_is_marked_and_bad_tables_are_refused() -> None:
    table = shares()
    lost = (table["measure"] == "public_endorsement") & (table["network"] == "complete")
    table.loc[lost, ["value", "low", "high", "n"]] = [None, None, None, 0]
    public = networks.draw(table, LABEL).axes[2]
    assert len(points(public)["1 attacker"]) == 2
    assert "n = 0" in texts(public)
    with pytest.raises(SettingError, match="missing: network"):
        networks.draw(table.drop(columns="network"), LABEL)
    with pytest.raises(SettingError, match="two rows of final_infection at network = complete"):
        networks.draw(pd.concat([shares(), shares()]), LABEL)
