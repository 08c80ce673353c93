"""Crops on which models disagree."""

from __future__ import annotations

import numpy as np
import pytest

from socialcircuits.errors import SettingError
from socialcircuits.figures import gallery
from tests.unit.figures.tables import LABEL, check_form, image, texts

ANSWERS = {"A": ("Peru", "right"), "B": ("Central African Republic", "compatible")}


def example(shade: int = 9, truth: str = "Peru") -> gallery.Example:
    picture = np.full((100, 150, 3), shade, dtype=np.uint8)
    return gallery.Example(picture, truth, ANSWERS)


@pytest.mark.parametrize(("shown", "shape"), [(1, (1, 1)), (4, (1, 4)), (6, (2, 4)), (8, (2, 4))])
def test_crops_stand_in_rows_of_four(shown: int, shape: tuple[int, int]) -> None:
    figure = gallery.draw([example(shade) for shade in range(shown)], 23, LABEL)
    check_form(figure)
    assert len(figure.axes) == shape[0] * shape[1]
    seen = [int(image(axes).max()) for axes in figure.axes if axes.images]
    assert seen == list(range(shown))
    (legend,) = figure.legends
    assert legend.get_title().get_text() == f"{shown} of 23 crops on which models disagree"


def test_truth_and_answers_are_written_with_the_marker_of_their_kind() -> None:
    answers = {
        "A": ("Peru", "right"),
        "some-provider/some-model": ("Central African Republic", "incompatible"),
        "C": (None, "invalid"),
    }
    crop = gallery.Example(example().picture, "Peru", answers)
    figure = gallery.draw([crop], 1, LABEL)
    check_form(figure)
    (axes,) = figure.axes
    assert axes.get_title() == "truth: Peru"
    assert texts(axes) == [
        "A: Peru", "some-provider/some-model:", "  Central African Republic", "C: invalid",
    ]  # fmt: skip
    assert [line.get_marker() for line in axes.lines] == ["o", "s", "D"]
    assert axes.lines[2].get_markerfacecolor() == "white"


def test_kinds_differ_without_colour() -> None:
    assert len({kind.marker for kind in gallery.KINDS}) == len(gallery.KINDS)


def test_the_table_holds_every_answer() -> None:
    table = gallery.table(
        [example(), gallery.Example([[[0, 0, 0]]], "Mali", {"A": (None, "invalid")})]
    )
    assert list(table.columns) == ["crop", "truth", "model", "answer", "kind"]
    assert table["crop"].tolist() == [1, 1, 2]
    assert table["answer"].isna().tolist() == [False, False, True]


def test_bad_examples_are_refused() -> None:
    with pytest.raises(SettingError, match="1 to 8 crops"):
        gallery.draw([], 3, LABEL)
    with pytest.raises(SettingError, match="9 is not allowed; expected 1 to 8 crops"):
        gallery.draw([example()] * 9, 9, LABEL)
    with pytest.raises(SettingError, match="at least the 2 crops that are shown"):
        gallery.draw([example()] * 2, 1, LABEL)
    wrong = gallery.Example(example().picture, "Peru", {"A": ("Peru", "rihgt")})
    with pytest.raises(SettingError, match="did you mean 'right'"):
        gallery.draw([wrong], 1, LABEL)
