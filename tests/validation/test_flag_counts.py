"""Counts of the paper's pool under the drawing rule, exact over all crops."""

from __future__ import annotations

import numpy as np
import pytest

from socialcircuits.worlds.flags import FlagSettings, FlagWorld, Statistics


@pytest.fixture(scope="module")
def world() -> FlagWorld:
    return FlagWorld(FlagSettings(pool="paper28"))


@pytest.fixture(scope="module")
def statistics(world: FlagWorld) -> dict[str, Statistics]:
    return {str(kind): values for kind, values in world.statistics().items()}


def test_crops_on_the_grid(statistics: dict[str, Statistics]) -> None:
    grid = statistics["grid"]
    assert grid["crops"] == 6916
    assert round(grid["unique_share"], 4) == 0.2405
    assert round(grid["mean_compatible"], 3) == 8.011
    assert round(grid["unique_share_at"], 3) == 0.351
    assert round(grid["mean_compatible_at"], 3) == 3.334


def test_seven_flags_have_no_unique_crop_on_the_grid(statistics: dict[str, Statistics]) -> None:
    expected = "Austria Bulgaria Hungary Italy Netherlands Nigeria Yemen"
    assert statistics["grid"]["without_unique"] == expected.split()


def test_crops_on_the_raster(statistics: dict[str, Statistics]) -> None:
    raster = statistics["raster"]
    assert raster["crops"] == 6916
    assert round(raster["unique_share"], 3) == 0.335
    assert round(raster["mean_compatible"], 3) == 6.957
    assert len(raster["without_unique"]) == 5


def test_a_perfect_reader_of_one_crop(world: FlagWorld) -> None:
    """Right .42 of the time by the most likely flag, .39 by sampling the posterior."""
    counts = world.index.counts
    posterior = counts / counts.sum(axis=1, keepdims=True)
    crops = counts.sum()
    assert round(float(counts.max(axis=1).sum() / crops), 2) == 0.42
    assert round(float(np.sum(counts * posterior) / crops), 2) == 0.39


def test_the_stripe_pool_does_not_depend_on_the_geometry() -> None:
    real, nominal = (
        FlagWorld(FlagSettings(pool="stripe24", geometry=geometry)).statistics()
        for geometry in ("real", "nominal")
    )
    assert real == nominal
    assert real["grid"]["crops"] == 24 * 247


def test_the_geometry_of_triangles_changes_the_counts(world: FlagWorld) -> None:
    nominal = FlagWorld(FlagSettings(geometry="nominal"))
    shares = [w.index.statistics(w.answers)["unique_share"] for w in (world, nominal)]
    assert shares[0] != shares[1]
