"""What holds for every deal of the flag world."""

from __future__ import annotations

import io

import numpy as np
import numpy.typing as npt
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from socialcircuits.worlds.flags import FlagSettings, FlagWorld
from socialcircuits.worlds.flags.rendering import Sheet

GRID = FlagWorld(FlagSettings())
RASTER = FlagWorld(FlagSettings(evidence="raster"))
NOMINAL = FlagWorld(FlagSettings(palette="nominal"))
WORLDS = st.sampled_from([GRID, RASTER])
SEEDS = st.binary(min_size=1, max_size=16)
PLACES = st.tuples(st.integers(0, 18), st.integers(0, 12))
COUNTRIES = st.sampled_from(GRID.answers)
POSITIONS = 247


@given(WORLDS, SEEDS, st.integers(1, 300), st.integers(1, 300))
@settings(max_examples=50)
def test_crops_nest(world: FlagWorld, seed: bytes, few: int, many: int) -> None:
    few, many = sorted((few, many))
    small, large = world.deal(seed, few), world.deal(seed, many)
    assert small.truth == large.truth
    assert large.evidence[:few] == small.evidence
    for name in ("positions", "compatible", "compatible_at"):
        assert large.facts[name][:few] == small.facts[name]


@given(SEEDS, st.integers(1, 600))
@settings(max_examples=50)
def test_no_position_comes_again_before_all_have_come(seed: bytes, bearers: int) -> None:
    places = [tuple(place) for place in GRID.deal(seed, bearers).facts["positions"]]
    for start in range(0, bearers, POSITIONS):
        one_pass = places[start : start + POSITIONS]
        assert len(set(one_pass)) == len(one_pass)


@given(WORLDS, SEEDS, st.integers(1, 40))
@settings(max_examples=50)
def test_the_truth_fits_every_crop(world: FlagWorld, seed: bytes, bearers: int) -> None:
    deal = world.deal(seed, bearers)
    truth = deal.answers.index(deal.truth)
    assert deal.lure != deal.truth
    facts = zip(deal.facts["compatible"], deal.facts["compatible_at"], strict=True)
    for evidence, (anywhere, here) in zip(deal.evidence, facts, strict=True):
        assert truth in here
        assert set(here) <= set(anywhere)
        assert anywhere == sorted(set(anywhere))
        believed = [i for i, belief in enumerate(evidence.log_belief()) if belief is not None]
        assert believed == anywhere
        assert all(belief is None or belief <= 0 for belief in evidence.log_belief())


def crops(sheet: Sheet, flag: int) -> list[npt.NDArray[np.uint8]]:
    """All crops of a flag on the grid, in order of their positions; the slow way."""
    grid = sheet.classes(flag)
    return [grid[y : y + 4, x : x + 6] for y in range(13) for x in range(19)]


@given(COUNTRIES, PLACES)
@settings(max_examples=15)
def test_compatible_sets_are_exact(country: str, place: tuple[int, int]) -> None:
    evidence = GRID.evidence(country, place)
    number = place[1] * 19 + place[0]
    shown = crops(GRID.sheet, GRID.answers.index(country))[number]
    anywhere, here = [], []
    for flag in range(len(GRID.answers)):
        equal = [bool((crop == shown).all()) for crop in crops(GRID.sheet, flag)]
        if any(equal):
            anywhere.append(flag)
            belief = evidence.log_belief()[flag]
            assert belief == round(1000 * np.log(sum(equal) / POSITIONS))
        if equal[number]:
            here.append(flag)
    assert list(evidence.compatible) == anywhere
    assert list(evidence.compatible_at) == here


@given(WORLDS, COUNTRIES, PLACES)
@settings(max_examples=60)
def test_text_and_grid_agree(world: FlagWorld, country: str, place: tuple[int, int]) -> None:
    rows = [row.split(" ") for row in world.evidence(country, place).text().split("\n")]
    numbers = [[world.sheet.colours.index(name) for name in row] for row in rows]
    grid = world.sheet.classes(world.answers.index(country))
    assert numbers == world.sheet.cut(grid, place).tolist()


@given(COUNTRIES, PLACES, st.sampled_from(["real", "nominal"]))
@settings(max_examples=40)
def test_a_picture_shows_the_classes_of_the_raster(
    country: str, place: tuple[int, int], palette: str
) -> None:
    world = NOMINAL if palette == "nominal" else GRID
    with Image.open(io.BytesIO(world.evidence(country, place).image())) as image:
        assert (image.format, image.mode, image.size) == ("PNG", "RGB", (150, 100))
        pixels = np.asarray(image)
    flag = world.answers.index(country)
    classes = world.sheet.cut(world.sheet.classes(flag, 25), place, 25)
    design = world.sheet.pool.flags[flag]
    shades = {stripe.colour: stripe.shade for stripe in design.stripes}
    if design.triangle is not None:
        shades[design.triangle.colour] = design.triangle.shade
    if palette == "nominal":
        shades = dict(world.sheet.pool.classes)
    for colour in np.unique(classes).tolist():
        shade = bytes.fromhex(shades[world.sheet.colours[colour]][1:])
        here = (pixels == list(shade)).all(axis=2)
        assert (here == (classes == colour)).all()


@given(WORLDS, COUNTRIES, PLACES)
@settings(max_examples=60)
def test_reasons_name_the_colours_shown_and_no_country(
    world: FlagWorld, country: str, place: tuple[int, int]
) -> None:
    evidence = world.evidence(country, place)
    said = " ".join(evidence.reasons())
    assert 2 <= len(evidence.reasons()) <= 4
    assert all(reason.count(".") == 1 and reason.endswith(".") for reason in evidence.reasons())
    assert not [name for name in world.answers if name in said]
    words = set(said.replace(",", " ").replace(".", " ").split())
    grid = set(evidence.text().split())
    named = words & set(world.sheet.colours)
    assert named >= grid if world is RASTER else named == grid


@given(
    st.tuples(st.integers(12, 30), st.integers(12, 30)),
    st.tuples(st.integers(1, 12), st.integers(1, 12)),
    SEEDS,
)
@settings(max_examples=15)
def test_any_canvas_and_crop(canvas: tuple[int, int], crop: tuple[int, int], seed: bytes) -> None:
    world = FlagWorld(FlagSettings(pool="stripe24", canvas=canvas, crop=crop, scale=2))
    deal = world.deal(seed, 3)
    for x, y in deal.facts["positions"]:
        evidence = world.evidence(deal.truth, (x, y))
        rows = evidence.text().split("\n")
        assert (len(rows[0].split()), len(rows)) == crop
        with Image.open(io.BytesIO(evidence.image())) as image:
            assert image.size == (2 * crop[0], 2 * crop[1])
