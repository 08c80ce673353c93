"""How often models alone are right, and what is kept."""

from __future__ import annotations

import pandas as pd
import pytest

from socialcircuits.errors import SettingError
from socialcircuits.figures import strata
from tests.unit.figures.tables import LABEL, boxes, check_form, texts, titles

COUNTS = {"simulated/a": (12, 9, 11, 10, 18), "simulated/b": (30, 3, 0, 2, 25)}


def counts() -> pd.DataFrame:
    rows = [
        {"model": model, "right": right, "questions": number, "kept": 1 <= right <= 3}
        for model, numbers in COUNTS.items()
        for right, number in enumerate(numbers)
    ]
    return pd.DataFrame(rows)


def test_a_panel_a_model_with_all_its_questions() -> None:
    figure = strata.draw(counts(), LABEL)
    check_form(figure)
    *numbers, model, kept_of = texts(figure.axes[0])
    assert numbers == ["12", "9", "11", "10", "18"]
    assert (model, kept_of) == ("simulated/a", "30 of 60 questions kept")
    assert texts(figure.axes[1])[-1] == "5 of 60 questions kept"
    kept = [(round((box.x0 + box.x1) / 2), box.y1) for box in boxes(figure.axes[0])]
    assert kept == [(1, 9), (2, 11), (3, 10), (0, 12), (4, 18)]
    hatches = [patch.get_hatch() for patch in figure.axes[0].patches]
    assert hatches == ["", "", "", "///", "///"]
    assert titles(figure.legends[0]) == ["kept", "dropped"]


def test_a_number_without_a_row_has_no_bar() -> None:
    table = counts()
    figure = strata.draw(table[(table["model"] == "simulated/a") & (table["right"] != 2)], LABEL)
    check_form(figure)
    assert len(figure.axes[0].patches) == 4
    assert texts(figure.axes[0])[-1] == "19 of 49 questions kept"
    assert figure.axes[0].get_title(loc="left") == ""


def test_questions_are_counted_in_whole_numbers() -> None:
    table = counts().assign(questions=1)
    axes = strata.draw(table, LABEL).axes[0]
    assert all(float(place).is_integer() for place in axes.get_yticks())
    assert axes.get_title(loc="left") == "a"


def test_bad_tables_are_refused() -> None:
    with pytest.raises(SettingError, match="missing: kept"):
        strata.draw(counts().drop(columns="kept"), LABEL)
    with pytest.raises(SettingError, match="two rows of questions at model = simulated/a"):
        strata.draw(pd.concat([counts(), counts()]), LABEL)
    with pytest.raises(SettingError, match=r"right: 5 .* from 0 to 4"):
        strata.draw(counts().replace({"right": {4: 5}}), LABEL)
