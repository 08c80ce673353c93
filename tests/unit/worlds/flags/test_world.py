from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from socialcircuits.errors import SettingError
from socialcircuits.graph import World
from socialcircuits.worlds import grade, same
from socialcircuits.worlds.flags import FlagSettings, FlagWorld, png

GOLDEN_POSITIONS = [[16, 4], [18, 6], [14, 12]]
GOLDEN_KEYS = [
    "b6e2aaa06076c97cb0d85a471e073ede",
    "ebdef2c9b596e8265508c509b61aa267",
    "e7fb7c1180c2bc0075e0fc9f86f45f41",
]


@pytest.fixture(scope="module")
def world() -> FlagWorld:
    return FlagWorld(FlagSettings())


def refusal(settings: FlagSettings) -> SettingError:
    with pytest.raises(SettingError) as caught:
        FlagWorld(settings)
    return caught.value


def test_it_is_a_world(world: FlagWorld) -> None:
    used: World = world
    assert (used.kind, len(used.answers)) == ("flags", 28)
    assert used.items == ()


def test_answers_are_known_by_the_record_alone() -> None:
    facts = {"truth": "Peru"}
    assert grade("flags", "Peru", facts) is True
    assert grade("flags", "Austria", facts) is False
    assert (same("flags", "Chad", "Chad", facts), same("flags", "Chad", "Peru", facts)) == (
        True,
        False,
    )


def test_two_flags_equal_on_the_canvas_are_refused_by_name() -> None:
    error = refusal(FlagSettings(pool="extension"))
    assert error.where == "$.world.pool"
    assert "Indonesia and Monaco are equal there" in str(error)


def test_flags_may_become_equal_on_a_small_canvas() -> None:
    error = refusal(FlagSettings(canvas=(2, 2), crop=(1, 1)))
    assert "differ on the 2 x 2 canvas" in str(error)


def test_shades_do_not_make_flags_different(tmp_path: Path) -> None:
    path = tmp_path / "twins.toml"
    row = '[[flag]]\nname = "{}"\nlayout = "vertical"\nstripes = [["red", 1, "{}"]]\n'
    flags = row.format("A", "#ff0000") + row.format("B", "#cc0000")
    path.write_text('[classes]\nred = "#ff0000"\n' + flags)
    assert "A and B are equal there" in str(refusal(FlagSettings(pool=str(path))))


def test_aliases_come_from_the_pool_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    row = '[[flag]]\nname = "{}"\nlayout = "vertical"\nstripes = [["{}", 1, "#ffffff"]]\n'
    flags = row.format("A", "red") + 'aliases = ["Land A"]\n' + row.format("B", "white")
    path.write_text('[classes]\nred = "#ff0000"\nwhite = "#ffffff"\n' + flags)
    world = FlagWorld(FlagSettings(pool=str(path)))
    assert world.aliases == {"Land A": "A"}
    assert world.deal(b"s", 2).facts["pool"] == "mine.toml"


def test_a_deal_is_the_same_for_ever(world: FlagWorld) -> None:
    deal = world.deal(b"a shared seed", 3)
    assert (deal.truth, deal.lure) == ("Hungary", "Sudan")
    assert deal.facts["positions"] == GOLDEN_POSITIONS
    assert [evidence.key.hex() for evidence in deal.evidence] == GOLDEN_KEYS


def test_facts_are_json_values(world: FlagWorld) -> None:
    facts = world.deal(b"s", 5).facts
    assert json.loads(json.dumps(facts)) == facts
    assert (facts["world"], facts["pool"], facts["evidence"]) == ("flags", "paper28", "grid")
    assert (facts["canvas"], facts["crop"], facts["scale"]) == ([24, 16], [6, 4], 25)
    assert {len(facts[name]) for name in ("positions", "compatible", "compatible_at")} == {5}


def test_facts_of_two_deals_share_nothing_that_can_be_changed(world: FlagWorld) -> None:
    first = world.deal(b"s", 2).facts
    first["compatible"][0].append(-1)
    assert -1 not in world.deal(b"s", 2).facts["compatible"][0]


def test_the_truth_can_be_given_and_keeps_the_positions(world: FlagWorld) -> None:
    drawn, given = world.deal(b"s", 6), world.deal(b"s", 6, "France")
    assert given.truth == "France" != drawn.truth
    assert given.facts["positions"] == drawn.facts["positions"]


def test_an_unknown_truth_is_refused_with_the_nearest_name(world: FlagWorld) -> None:
    with pytest.raises(SettingError) as caught:
        world.deal(b"s", 2, "Hungry")
    assert caught.value.where == "$.trial.truth"
    assert caught.value.nearest == "Hungary"


def test_a_deal_to_nobody_is_refused(world: FlagWorld) -> None:
    with pytest.raises(SettingError, match=r"\$\.trial\.N: 0"):
        world.deal(b"s", 0)


@pytest.mark.parametrize("position", [(-1, 0), (19, 0), (0, 13)])
def test_a_crop_outside_the_canvas_is_refused(world: FlagWorld, position: tuple[int, int]) -> None:
    with pytest.raises(SettingError, match=r"from \(0, 0\) to \(18, 12\)"):
        world.evidence("Peru", position)


def striped(name: str, *stripes: tuple[str, int]) -> str:
    rows = ", ".join(f'["{colour}", {weight}, "#000000"]' for colour, weight in stripes)
    return f'[[flag]]\nname = "{name}"\nlayout = "vertical"\nstripes = [{rows}]\n'


@pytest.fixture(scope="module")
def small_world(tmp_path_factory: pytest.TempPathFactory) -> FlagWorld:
    """Flags of 4 x 2 cells and crops of one cell: eight positions."""
    path = tmp_path_factory.mktemp("pool") / "small.toml"
    path.write_text(
        '[classes]\nred = "#ff0000"\nwhite = "#ffffff"\nblue = "#0000ff"\n'
        + striped("Rust", ("red", 1))
        + striped("Halves", ("red", 1), ("white", 1))
        + striped("Bordeaux", ("red", 3), ("white", 1))
        + striped("Azure", ("red", 3), ("blue", 1))
        + striped("Amber", ("red", 1), ("white", 3))
    )
    return FlagWorld(FlagSettings(pool=str(path), canvas=(4, 2), crop=(1, 1)))


@pytest.mark.parametrize(
    ("truth", "bearers", "lure"),
    [
        ("Halves", 8, "Amber"),  # 8 crops fit Amber and Bordeaux, at 32 positions each: by name
        ("Azure", 8, "Rust"),  # the 6 red crops fit four flags; Rust at most positions
        ("Rust", 1, "Azure"),  # a red crop fits Azure and Bordeaux at 6 positions: by name
        ("Bordeaux", 8, "Halves"),  # Halves and Amber fit all 8: 32 and 24 positions; Rust fits 6
    ],
)
def test_the_lure_is_the_wrong_answer_that_fits_most_crops(
    small_world: FlagWorld, truth: str, bearers: int, lure: str
) -> None:
    assert small_world.deal(b"any seed", bearers, truth).lure == lure


def test_a_whole_flag_can_be_drawn(world: FlagWorld) -> None:
    picture = world.picture("Ukraine")
    assert picture.shape == (400, 600, 3)
    assert picture[0, 0].tolist() == [0x00, 0x57, 0xB8]
    assert picture[-1, -1].tolist() == [0xFF, 0xD7, 0x00]
    with Image.open(io.BytesIO(png(picture))) as image:
        assert (np.asarray(image) == picture).all()


def test_the_nominal_palette_has_one_shade_a_class() -> None:
    nominal = FlagWorld(FlagSettings(palette="nominal"))
    blues = [nominal.picture(name)[0, 0].tolist() for name in ("France", "Ukraine", "Chad")]
    assert blues == [[0x00, 0x55, 0xA4]] * 3
