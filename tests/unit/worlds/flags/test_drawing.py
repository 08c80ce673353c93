from __future__ import annotations

import numpy as np
import pytest

from socialcircuits.worlds.flags import Flag, Stripe, Triangle, read_pool
from socialcircuits.worlds.flags.drawing import boundaries, draw_parts

FLAGS = {flag.name: flag for pool in ("paper28", "extension") for flag in read_pool(pool).flags}


@pytest.mark.parametrize(
    ("weights", "length", "expected"),
    [
        ((1, 1), 16, [8]),
        ((1, 1, 1), 24, [8, 16]),
        ((1, 1, 1), 400, [133, 266]),
        ((2, 1, 1), 16, [8, 12]),
        ((1, 1, 2, 1, 1), 16, [2, 5, 10, 13]),
        ((9, 1, 4, 1, 9), 16, [6, 6, 9, 10]),
        ((5,), 7, []),
    ],
)
def test_stripe_boundaries(weights: tuple[int, ...], length: int, expected: list[int]) -> None:
    assert boundaries(weights, length) == expected


def test_horizontal_stripes_lie_one_above_the_other() -> None:
    parts = draw_parts(FLAGS["Colombia"], 24, 16)
    assert parts.shape == (16, 24)
    assert parts.dtype == np.uint8
    assert parts[:, 0].tolist() == [0] * 8 + [1] * 4 + [2] * 4
    assert (parts == parts[:, :1]).all()


def test_vertical_stripes_stand_side_by_side() -> None:
    parts = draw_parts(FLAGS["France"], 24, 16)
    assert parts[0].tolist() == [0] * 8 + [1] * 8 + [2] * 8
    assert (parts == parts[:1]).all()


@pytest.mark.parametrize(
    ("country", "widest"), [("Czechia", 11), ("Bahamas", 10), ("Palestine", 7), ("Sudan", 7)]
)
def test_a_triangle_reaches_its_apex_in_the_middle(country: str, widest: int) -> None:
    flag = FLAGS[country]
    # The middle rows reach 24 * apex * 15/16 cells, and cells have their centres at .5.
    covered = (draw_parts(flag, 24, 16) == len(flag.stripes)).sum(axis=1)
    assert covered.max() == covered[7] == covered[8] == widest
    assert covered.tolist() == covered[::-1].tolist()
    assert (np.diff(covered[:8]) >= 0).all()


def test_cells_belong_to_the_triangle_by_their_centres() -> None:
    flag = Flag(
        "X", "horizontal", (Stripe("red", 1, "#ff0000"),), Triangle("red", 0.5, "#ff0000"), (), ()
    )
    # Reach by row: apex * (1 - |2y/H - 1|) with y at .5, 1.5, ... of H = 4, times W = 4.
    assert draw_parts(flag, 4, 4).sum(axis=1).tolist() == [1, 2, 2, 1]


def test_nominal_geometry_puts_every_apex_at_half_the_width() -> None:
    czechia, sudan = FLAGS["Czechia"], FLAGS["Sudan"]
    nominal = draw_parts(sudan, 24, 16, nominal=True) == len(sudan.stripes)
    assert (nominal == (draw_parts(czechia, 24, 16) == len(czechia.stripes))).all()
    assert nominal.sum() > (draw_parts(sudan, 24, 16) == len(sudan.stripes)).sum()


@pytest.mark.parametrize("country", ["Russia", "Thailand", "Italy", "Gambia"])
def test_a_cell_is_the_last_pixel_it_covers_on_the_raster(country: str) -> None:
    raster = draw_parts(FLAGS[country], 600, 400)
    assert (raster[24::25, 24::25] == draw_parts(FLAGS[country], 24, 16)).all()
