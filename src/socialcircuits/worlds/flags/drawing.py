"""The drawing rule: which part of a flag each cell or pixel belongs to."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from socialcircuits.worlds.flags.pool import Flag

Grid = npt.NDArray[np.uint8]
"""Small integers, shape (height, width): rows from the top, columns from the hoist."""

NOMINAL_APEX = 0.5
"""Where the paper's released code put the apex of every triangle, as a fraction of the width."""


def boundaries(weights: tuple[int, ...], length: int) -> list[int]:
    """Return the inner boundaries of stripes along `length` cells, in cells from the start.

    Stripes of weights w_1 .. w_k meet at floor(length * (w_1 + .. + w_i) / (w_1 + .. + w_k)). A
    stripe lighter than a cell may get none.

    >>> boundaries((1, 1, 1), 16)
    [5, 10]
    """
    total, sums = sum(weights), [sum(weights[:i]) for i in range(1, len(weights))]
    return [length * part // total for part in sums]


def draw_parts(flag: Flag, width: int, height: int, nominal: bool = False) -> Grid:
    """Return the part of the flag at each cell: 0 .. k - 1 for its stripes, k for its triangle.

    A cell belongs to the triangle when its centre (x, y) lies inside it or on its edge:
    x / width <= apex * (1 - abs(2 * y / height - 1)).

    Args:
        flag: the design.
        width: cells or pixels from hoist to fly, at least 1.
        height: cells or pixels from top to bottom, at least 1.
        nominal: put the triangle's apex at half the width, wherever it really is.

    >>> from socialcircuits.worlds.flags.pool import read_pool
    >>> czechia = read_pool("triangle4").flags[1]
    >>> draw_parts(czechia, 6, 4).tolist()
    [[2, 0, 0, 0, 0, 0], [2, 2, 0, 0, 0, 0], [2, 2, 1, 1, 1, 1], [2, 1, 1, 1, 1, 1]]
    """
    length = height if flag.layout == "horizontal" else width
    edges = boundaries(tuple(stripe.weight for stripe in flag.stripes), length)
    along = np.searchsorted(np.array(edges), np.arange(length), side="right").astype(np.uint8)
    across = along[:, None] if flag.layout == "horizontal" else along[None, :]
    parts = np.array(np.broadcast_to(across, (height, width)))
    if flag.triangle is not None:
        apex = NOMINAL_APEX if nominal else flag.triangle.apex
        x = (np.arange(width) + 0.5) / width
        y = (np.arange(height) + 0.5) / height
        reach = apex * (1 - np.abs(2 * y - 1))
        parts[x[None, :] <= reach[:, None]] = len(flag.stripes)
    return parts
