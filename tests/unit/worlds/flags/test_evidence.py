from __future__ import annotations

from pathlib import Path

import pytest

from socialcircuits.graph import Evidence
from socialcircuits.worlds.flags import FlagSettings, FlagWorld


@pytest.fixture(scope="module")
def world() -> FlagWorld:
    return FlagWorld(FlagSettings())


def test_it_is_evidence(world: FlagWorld) -> None:
    assert isinstance(world.evidence("Italy", (0, 0)), Evidence)


def test_what_one_crop_shows(world: FlagWorld) -> None:
    evidence = world.evidence("France", (5, 3))
    assert evidence.text().splitlines() == ["blue blue blue white white white"] * 4
    assert evidence.reasons()[0] == "From left to right the crop shows blue and white."
    assert [evidence.answers[i] for i in evidence.compatible] == ["France"]
    # 13 of the 247 positions show this edge at this distance from the crop's corner.
    assert evidence.log_belief()[evidence.answers.index("France")] == -2944


def test_the_key_is_the_content_in_colour_classes(world: FlagWorld) -> None:
    peru, austria = world.evidence("Peru", (0, 0)), world.evidence("Austria", (9, 0))
    assert peru.text() == austria.text()
    assert peru.key == austria.key
    assert peru.log_belief() == austria.log_belief()
    assert peru.reasons() == austria.reasons()
    assert peru.image() != austria.image()
    assert peru.key != world.evidence("Peru", (3, 0)).key


def test_equal_patterns_and_equal_keys_are_the_same_thing(world: FlagWorld) -> None:
    pairs = {
        (evidence.pattern, evidence.key)
        for country in ("Czechia", "Russia", "Netherlands", "Mali")
        for evidence in (world.evidence(country, (x, y)) for x in range(19) for y in range(13))
    }
    assert len({pattern for pattern, _ in pairs}) == len({key for _, key in pairs}) == len(pairs)


def test_the_key_does_not_depend_on_the_order_of_colour_classes(tmp_path: Path) -> None:
    flags = (
        '[[flag]]\nname = "A"\nlayout = "vertical"\n'
        'stripes = [["red", 1, "#ff0000"], ["white", 1, "#ffffff"]]\n'
        '[[flag]]\nname = "B"\nlayout = "vertical"\nstripes = [["white", 1, "#ffffff"]]\n'
    )
    keys = []
    for name, order in (("one", ("red", "white")), ("two", ("white", "red"))):
        path = tmp_path / f"{name}.toml"
        path.write_text(
            "[classes]\n" + "".join(f'{colour} = "#000000"\n' for colour in order) + flags
        )
        keys.append(FlagWorld(FlagSettings(pool=str(path))).evidence("A", (9, 0)).key)
    assert keys[0] == keys[1]


def test_nominal_pictures_of_equal_crops_are_equal() -> None:
    world = FlagWorld(FlagSettings(palette="nominal"))
    peru, austria = world.evidence("Peru", (0, 0)), world.evidence("Austria", (9, 0))
    assert peru.image() == austria.image()


def test_the_raster_tells_crops_apart_that_are_equal_on_the_grid() -> None:
    grid = FlagWorld(FlagSettings())
    raster = FlagWorld(FlagSettings(evidence="raster"))
    # Hungary's first edge is at pixel row 133, within the fifth row of cells from 0: that row is
    # white on the grid, and red in its upper third on the raster.
    place = (0, 5)
    assert grid.evidence("Hungary", place).reasons()[0] == "The whole crop is white."
    assert raster.evidence("Hungary", place).reasons()[0].endswith("red and white.")
    assert len(raster.evidence("Hungary", place).compatible) < len(
        grid.evidence("Hungary", place).compatible
    )
    assert raster.evidence("Hungary", place).text() == grid.evidence("Hungary", place).text()
