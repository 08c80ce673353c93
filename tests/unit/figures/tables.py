"""Made-up tables for figures, and what tests read off a figure."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Annotation
from matplotlib.transforms import Bbox

LABEL = "simulated agents: checks the software, not a finding about any model"


def row(measure: str, value: float | None, n: int = 40, /, **condition: Any) -> dict[str, Any]:
    """An estimate with an interval of a tenth to either side, or none where there is no value."""
    low, high = (None, None) if value is None else (value - 0.1, value + 0.1)
    return {"measure": measure, **condition, "value": value, "low": low, "high": high, "n": n}


def points(axes: Axes) -> dict[str, list[tuple[float, float]]]:
    """The points of each series of error bars, by its title."""
    found = {}
    for container in axes.containers:
        xs, ys = container[0].get_data()
        pairs = zip(xs, ys, strict=True)
        found[str(container.get_label())] = [
            (round(float(x), 6), round(float(y), 6)) for x, y in pairs
        ]
    return found


def boxes(axes: Axes) -> list[Bbox]:
    """The extent of each patch, before the axes' transform."""
    return [
        patch.get_path().transformed(patch.get_patch_transform()).get_extents()
        for patch in axes.patches
    ]


def places(line: Line2D) -> tuple[list[float], list[float]]:
    """The x and the y of a line's points."""
    return np.asarray(line.get_xdata()).tolist(), np.asarray(line.get_ydata()).tolist()


def image(axes: Axes) -> npt.NDArray[np.float64]:
    """What the first image of a panel shows, NaN where masked."""
    values = axes.images[0].get_array()
    assert values is not None
    return np.ma.filled(values.astype(float), np.nan)


def notes(axes: Axes) -> list[tuple[tuple[float, float], str]]:
    """The annotations of a panel with their places."""
    found = [text for text in axes.texts if isinstance(text, Annotation)]
    return [((float(text.xy[0]), float(text.xy[1])), text.get_text()) for text in found]


def ticks(axes: Axes) -> list[str]:
    return [text.get_text() for text in axes.get_xticklabels()]


def texts(axes: Axes) -> list[str]:
    return [text.get_text() for text in axes.texts]


def titles(legend: Any) -> list[str]:
    return [text.get_text() for text in legend.get_texts()]


def check_form(figure: Figure) -> None:
    """Check that a figure says which agents it shows and that nothing is cut off at its border."""
    assert " ".join(figure.get_supxlabel().split()) == LABEL
    figure.draw_without_rendering()
    box = figure.get_tightbbox()
    width, height = figure.get_size_inches()
    rounding = 0.02
    assert min(box.x0, box.y0) >= -rounding
    assert box.x1 <= width + rounding
    assert box.y1 <= height + rounding
