"""True statements about a crop, made from what it shows and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from socialcircuits.worlds.flags.drawing import Grid


def describe(cells: Grid, names: Sequence[str]) -> tuple[str, ...]:
    """Return two or three true one-sentence statements about a crop.

    They name colour classes and the direction of edges, never a country or a place on the flag.

    Args:
        cells: numbers of colour classes, shape (height, width), at least one cell.
        names: name of each colour class.

    >>> describe(np.array([[0, 0], [1, 1]], dtype=np.uint8), ["red", "white"])
    ('From top to bottom the crop shows red and white.', 'Its one edge is horizontal.', \
'It shows exactly 2 colours.')
    """
    colours = [names[i] for i in dict.fromkeys(cells.ravel().tolist())]
    if len(colours) == 1:
        return f"The whole crop is {colours[0]}.", "No edge between colours is visible."
    count = f"It shows exactly {len(colours)} colours."
    for line, across, order, direction in (
        (cells[:, 0], cells == cells[:, :1], "top to bottom", "horizontal"),
        (cells[0], cells == cells[:1], "left to right", "vertical"),
    ):
        if across.all():
            bands = [names[i] for i in _runs(line)]
            shown = f"From {order} the crop shows {_list(bands)}."
            edges = f"Its {len(bands) - 1} edges are" if len(bands) > 2 else "Its one edge is"
            return shown, f"{edges} {direction}.", count
    slanted = "An edge between colours is slanted."
    plain = "Its colours do not form plain bands."
    return f"The crop shows {_list(colours)}.", slanted if _slants(cells) else plain, count


def _runs(line: Grid) -> list[int]:
    values = line.tolist()
    return [v for i, v in enumerate(values) if i == 0 or v != values[i - 1]]


def _slants(cells: Grid) -> bool:
    changes = np.diff(cells.astype(np.int16), axis=1) != 0
    columns = {tuple(np.flatnonzero(row).tolist()) for row in changes if row.any()}
    return len(columns) > 1


def _list(words: Sequence[str]) -> str:
    return ", ".join(words[:-1]) + " and " + words[-1]
