from __future__ import annotations

import numpy as np
import pytest

from socialcircuits.worlds.flags.wording import describe

NAMES = ["red", "white", "blue"]


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ([[1, 1], [1, 1]], ("The whole crop is white.", "No edge between colours is visible.")),
        (
            [[0, 0], [1, 1], [0, 0]],
            (
                "From top to bottom the crop shows red, white and red.",
                "Its 2 edges are horizontal.",
                "It shows exactly 2 colours.",
            ),
        ),
        (
            [[0, 1, 1], [0, 1, 1]],
            (
                "From left to right the crop shows red and white.",
                "Its one edge is vertical.",
                "It shows exactly 2 colours.",
            ),
        ),
        (
            [[2, 1, 1], [2, 2, 1], [2, 2, 2]],
            (
                "The crop shows blue and white.",
                "An edge between colours is slanted.",
                "It shows exactly 2 colours.",
            ),
        ),
        (
            [[2, 1], [2, 0]],
            (
                "The crop shows blue, white and red.",
                "Its colours do not form plain bands.",
                "It shows exactly 3 colours.",
            ),
        ),
    ],
)
def test_statements(cells: list[list[int]], said: tuple[str, ...]) -> None:
    assert describe(np.array(cells, dtype=np.uint8), NAMES) == said
