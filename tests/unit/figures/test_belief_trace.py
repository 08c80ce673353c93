"""Held answers round by round, and the arrows of switches."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle
from matplotlib.text import Annotation

from socialcircuits.errors import SettingError
from socialcircuits.figures import belief_trace
from socialcircuits.figures.belief_trace import APART, FIRST, WIDE
from tests.unit.figures.tables import LABEL, check_form, texts, titles

ANSWERS: dict[int, list[str | None]] = {
    0: ["Chad", "Chad", "Germany"],
    1: ["Germany", "Germany", "Germany"],
    2: ["Yemen", None, "Yemen"],
    3: ["Chad", "Yemen", "Yemen"],
}


def trace(title: str = "original crops") -> belief_trace.Trace:
    beliefs = [
        (agent, number, answer)
        for agent, answers in ANSWERS.items()
        for number, answer in enumerate(answers)
    ]
    return belief_trace.Trace(
        title,
        pd.DataFrame(beliefs[::-1], columns=["agent", "round", "answer"]),
        pd.DataFrame([(3, 1, 2), (0, 2, 1)], columns=["agent", "round", "source"]),
        {agent: np.full((4, 6, 3), 40 * agent, dtype=np.uint8) for agent in (0, 1, 3)},
        "Germany",
    )


def patched() -> belief_trace.Trace:
    return replace(trace("A1 patched"), patched=(1,))


def cells(axes: Axes) -> dict[tuple[int, int], tuple[str, str]]:
    """Colour and line style of the cell of each agent and round."""
    found = {}
    for patch in axes.patches:
        if isinstance(patch, Rectangle) and patch.get_width() == WIDE:
            x, y = patch.get_center()
            place = round(y), round((x - FIRST) / APART)
            found[place] = to_hex(patch.get_facecolor()), str(patch.get_linestyle())
    return found


def written(axes: Axes) -> dict[tuple[int, int], str]:
    places = [text.get_position() for text in axes.texts]
    return {
        (round(y), round((x - FIRST) / APART)): text.get_text()
        for text, (x, y) in zip(axes.texts, places, strict=True)
        if x >= FIRST and y >= 0 and not isinstance(text, Annotation)
    }


def arrows(axes: Axes) -> list[tuple[float, float, float, float]]:
    """Row and round of each arrow's start, then of its end."""
    found = []
    for text in axes.texts:
        if isinstance(text, Annotation) and text.arrow_patch is not None:
            (x, y), (to_x, to_y) = text.get_position(), text.xy
            found.append((y, (x - FIRST) / APART, to_y, (to_x - FIRST) / APART))
    return found


def test_new_answers_are_in_full_colour_and_unchanged_ones_pale() -> None:
    figure = belief_trace.draw([trace()], LABEL)
    check_form(figure)
    (axes,) = figure.axes
    found = cells(axes)
    assert len(found) == 12
    assert found[0, 0][0] == found[3, 0][0] == "#009e73"
    assert found[0, 2][0] == found[1, 0][0] == "#0072b2"
    assert found[2, 0][0] == found[3, 1][0] == found[2, 2][0] == "#d55e00"
    pale = {found[1, 1][0], found[1, 2][0]}
    assert pale == {belief_trace._blend("#0072b2", belief_trace.PALE)}
    assert found[3, 2][0] == belief_trace._blend("#d55e00", belief_trace.PALE)
    assert found[2, 1] == ("#ffffff", "--")
    shorts = [[name[:3] if name else "-" for name in ANSWERS[agent]] for agent in range(4)]
    assert [[written(axes)[agent, nth] for nth in range(3)] for agent in range(4)] == shorts


def test_arrows_lead_from_the_sources_row_into_the_agents_cell() -> None:
    (axes,) = belief_trace.draw([trace()], LABEL).axes
    half = WIDE / 2 / APART
    assert arrows(axes) == [
        pytest.approx((2, half, 3, 1 - half)),
        pytest.approx((1, 1 + half, 0, 2 - half)),
    ]


def test_rows_columns_and_crops() -> None:
    figure = belief_trace.draw([trace(), patched()], LABEL)
    check_form(figure)
    assert [axes.texts[-1].get_text() for axes in figure.axes] == [
        "original crops: collective accuracy 50% (2 of 4)",
        "A1 patched: collective accuracy 50% (2 of 4)",
    ]
    for axes in figure.axes:
        assert {"crop", "init", "R1", "final", "blind"} <= set(texts(axes))
        assert [tick.get_text() for tick in axes.get_yticklabels()] == ["A0", "A1", "A2", "A3"]
        extents = [image.get_extent() for image in axes.images]
        assert [(bottom + top) / 2 for _, _, bottom, top in extents] == pytest.approx([0, 1, 3])
        ratios = [(right - left) / (bottom - top) for left, right, bottom, top in extents]
        assert ratios == pytest.approx([1.5] * 3)
    weights = [[tick.get_fontweight() for tick in axes.get_yticklabels()] for axes in figure.axes]
    assert weights == [["normal"] * 4, ["normal", "bold", "normal", "normal"]]


def test_the_legend_explains_answers_and_marks() -> None:
    answers = ["Ger  Germany (truth)", "Yem  Yemen", "Cha  Chad"]
    marks = ["-  invalid", "pale: unchanged", "switch, as the latest message said"]
    figure = belief_trace.draw([trace(), patched()], LABEL)
    assert titles(figure.legends[0]) == [*answers, *marks, "patched crop"]
    bare = replace(trace(), beliefs=trace().beliefs.dropna(), arrows=trace().arrows[:0])
    assert titles(belief_trace.draw([bare], LABEL).legends[0]) == [*answers, marks[1]]


def test_short_names_differ() -> None:
    names = ["Austria", "Australia", "South Africa", "South Sudan", "A", "B", "Oui", "C-C", "CC"]
    assert belief_trace._short(names) == [
        "Aus", "Aut", "Sou", "Sot", "A", "B", "Oui", "CC", "C2",
    ]  # fmt: skip


def test_many_answers_keep_their_names_and_share_grey() -> None:
    names = [f"{chr(65 + nth)}land" for nth in range(12)]
    beliefs = pd.DataFrame({"agent": range(12), "round": 0, "answer": names})
    figure = belief_trace.draw(
        [replace(trace(), beliefs=beliefs, arrows=trace().arrows[:0])], LABEL
    )
    check_form(figure)
    colours = [colour for colour, _ in cells(figure.axes[0]).values()]
    assert colours.count("#6e6e6e") == 12 - len(belief_trace.WRONG)
    assert titles(figure.legends[0])[:2] == ["Ger  Germany (truth)", "Ala  Aland"]


def test_text_can_be_read_on_every_colour() -> None:
    assert belief_trace._ink("#0072B2") == "white"
    assert belief_trace._ink("#D55E00") == belief_trace._ink("#009E73") == "black"


def test_the_table_holds_beliefs_and_arrows() -> None:
    table = belief_trace.table([trace(), patched()])
    assert table["part"].tolist() == ["belief"] * 24 + ["arrow"] * 4
    assert table["panel"].tolist()[::12] == ["original crops", "A1 patched", "original crops"]
    assert table["answer"].notna().sum() == 22
    assert table["source"].tolist()[24:] == [2, 1, 2, 1]
    assert table[table["patched"]][["panel", "agent"]].drop_duplicates().to_numpy().tolist() == [
        ["A1 patched", 1]
    ]


def test_bad_traces_are_refused() -> None:
    with pytest.raises(SettingError, match="0 is not allowed; expected one trial, or"):
        belief_trace.draw([], LABEL)
    beliefs, arrows = trace().beliefs, trace().arrows
    with pytest.raises(SettingError, match="missing: answer"):
        belief_trace.draw([replace(trace(), beliefs=beliefs.drop(columns="answer"))], LABEL)
    with pytest.raises(SettingError, match="two rows of belief at agent = 3, round = 2"):
        belief_trace.draw([replace(trace(), beliefs=pd.concat([beliefs, beliefs]))], LABEL)
    with pytest.raises(SettingError, match="columns agent, round and source"):
        belief_trace.draw([replace(trace(), arrows=arrows.drop(columns="source"))], LABEL)
    with pytest.raises(SettingError, match="patched: 9 is not allowed"):
        belief_trace.draw([replace(trace(), patched=(1, 9))], LABEL)
    many = pd.DataFrame({"agent": range(33), "round": 0, "answer": "Chad"})
    with pytest.raises(SettingError, match="33 is not allowed; expected at most 32"):
        belief_trace.draw([replace(trace(), beliefs=many, arrows=arrows[:0])], LABEL)


@pytest.mark.parametrize("arrow", [(3, 0, 2), (3, 1, 7), (2, 1, 3), (8, 1, 2)])
def test_an_arrow_needs_its_source_and_a_later_answer(arrow: tuple[int, int, int]) -> None:
    one = pd.DataFrame([arrow], columns=["agent", "round", "source"])
    agent, number, source = arrow
    given = f"an arrow from agent {source} to agent {agent} in round {number}"
    with pytest.raises(SettingError, match=given):
        belief_trace.draw([replace(trace(), arrows=one)], LABEL)
