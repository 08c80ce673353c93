from __future__ import annotations

from pathlib import Path

import pytest

from socialcircuits.errors import SettingError
from socialcircuits.worlds.flags import Stripe, read_pool

CLASSES = '[classes]\nred = "#ff0000"\nwhite = "#ffffff"\n'
STRIPES = 'stripes = [["red", 1, "#ff0000"], ["white", 1, "#ffffff"]]'


def flag(name: str, layout: str = "horizontal", stripes: str = STRIPES, rest: str = "") -> str:
    return f'[[flag]]\nname = "{name}"\nlayout = "{layout}"\n{stripes}\n{rest}\n'


def write(folder: Path, *flags: str, classes: str = CLASSES) -> str:
    path = folder / "mine.toml"
    path.write_text(classes + "".join(flags), encoding="utf-8")
    return str(path)


UPRIGHT = flag("Upright", "vertical")


def refusal(pool: str) -> SettingError:
    with pytest.raises(SettingError) as caught:
        read_pool(pool)
    return caught.value


@pytest.mark.parametrize(("tag", "flags"), [("paper28", 28), ("stripe24", 24), ("triangle4", 4)])
def test_the_papers_pools(tag: str, flags: int) -> None:
    pool = read_pool(tag)
    assert (pool.name, len(pool.flags)) == (tag, flags)


def test_the_two_pools_of_the_paper_differ_by_the_triangle_flags() -> None:
    whole = {flag.name for flag in read_pool("paper28").flags}
    stripes = {flag.name for flag in read_pool("stripe24").flags}
    assert whole - stripes == {flag.name for flag in read_pool("triangle4").flags}
    assert all(flag.triangle for flag in read_pool("triangle4").flags)
    assert not any(flag.triangle for flag in read_pool("stripe24").flags)


def test_the_built_in_file_has_43_flags() -> None:
    assert len(read_pool("paper28").flags) + len(read_pool("extension").flags) == 43


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    triangle = 'triangle = { class = "white", hex = "#FFFFFF", apex = 1 }\naliases = ["W"]'
    pool = read_pool(write(tmp_path, flag("Wedge", rest=triangle), UPRIGHT))
    assert pool.name == "mine.toml"
    assert pool.flags[0].stripes[0] == Stripe("red", 1, "#ff0000")
    assert pool.flags[0].triangle is not None
    assert pool.flags[0].triangle.apex == 1.0
    assert pool.flags[0].aliases == ("W",)


def test_one_pool_of_a_file(tmp_path: Path) -> None:
    tagged = 'pools = ["mine"]'
    flags = flag("One", rest=tagged), flag("Two", rest=tagged), UPRIGHT
    pool = read_pool(write(tmp_path, *flags) + ":mine")
    assert pool.name == "mine.toml:mine"
    assert [flag.name for flag in pool.flags] == ["One", "Two"]


def test_an_unknown_pool_is_refused_with_the_nearest_name() -> None:
    error = refusal("paper82")
    assert error.where == "$.world.pool"
    assert error.nearest == "paper28"


def test_an_unknown_pool_of_a_file_is_refused(tmp_path: Path) -> None:
    assert "expected a pool (mine)" in str(
        refusal(write(tmp_path, flag("One", rest='pools = ["mine"]'), UPRIGHT) + ":yours")
    )


@pytest.mark.parametrize("content", [None, b"[classes", b"\xff\xfe", b"x = 1" * 3])
def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "mine.toml"
    if content is not None:
        path.write_bytes(content)
    error = refusal(str(path))
    assert error.where == "$.world.pool"
    assert "a pool file in TOML that can be read" in str(error)


def test_fewer_than_two_flags_are_refused(tmp_path: Path) -> None:
    assert "at least 2 flags; it has Upright" in str(refusal(write(tmp_path, UPRIGHT)))


@pytest.mark.parametrize(
    ("row", "where", "said"),
    [
        (flag("Upright"), "mine.toml: Upright", "a name of its own"),
        (flag("UPRIGHT"), "mine.toml: UPRIGHT", "another flag has it: Upright"),
        (flag("X", rest='aliases = ["upright"]'), "mine.toml: X", "a name of its own"),
        (flag("X", rest="aliases = [1]"), "mine.toml: X: aliases", "a list of names"),
        (flag("X", rest='pools = "paper28"'), "mine.toml: X: pools", "a list of names"),
        (flag("X", rest="alias = []"), "mine.toml: X", "did you mean 'aliases'?"),
        (flag("X", "diagonal"), "mine.toml: X: layout", "horizontal or vertical"),
        (flag("X", stripes=""), "mine.toml: X: stripes", "at least one"),
        (flag(" X"), "mine.toml: flag 2", "a name in printable characters"),
        (flag(""), "mine.toml: flag 2", "a name in printable characters"),
        (flag("X\\n"), "mine.toml: flag 2", "a name in printable characters"),
    ],
)
def test_a_flag_that_is_none_is_refused(tmp_path: Path, row: str, where: str, said: str) -> None:
    error = refusal(write(tmp_path, UPRIGHT, row))
    assert error.where == where
    assert said in str(error)


@pytest.mark.parametrize(
    ("stripe", "said"),
    [
        ('["rde", 1, "#ff0000"]', "did you mean 'red'?"),
        ('[1, 1, "#ff0000"]', "a colour class (red, white)"),
        ('["red", 0, "#ff0000"]', "a whole number > 0"),
        ('["red", 1.5, "#ff0000"]', "a whole number > 0"),
        ('["red", true, "#ff0000"]', "a whole number > 0"),
        ('["red", 1, "ff0000"]', "a shade as #rrggbb"),
        ('["red", 1]', "[class, weight, hex]"),
    ],
)
def test_a_stripe_that_is_none_is_refused(tmp_path: Path, stripe: str, said: str) -> None:
    row = flag("X", stripes=f'stripes = [["white", 1, "#ffffff"], {stripe}]')
    error = refusal(write(tmp_path, UPRIGHT, row))
    assert error.where == "mine.toml: X: stripe 2"
    assert said in str(error)


@pytest.mark.parametrize(
    ("triangle", "said"),
    [
        ('{ class = "red", hex = "#ff0000", apex = 0 }', "an apex above 0 and at most 1"),
        ('{ class = "red", hex = "#ff0000", apex = nan }', "an apex above 0 and at most 1"),
        ('{ class = "red", hex = "#ff0000", apex = "1/2" }', "an apex above 0 and at most 1"),
        ('{ class = "pink", hex = "#ff0000", apex = 0.5 }', "a colour class"),
        ('{ class = "red", hex = "red", apex = 0.5 }', "a shade as #rrggbb"),
        ('{ class = "red", apex = 0.5 }', "{ class, hex, apex }"),
    ],
)
def test_a_triangle_that_is_none_is_refused(tmp_path: Path, triangle: str, said: str) -> None:
    error = refusal(write(tmp_path, UPRIGHT, flag("X", rest=f"triangle = {triangle}")))
    assert error.where == "mine.toml: X: triangle"
    assert said in str(error)


@pytest.mark.parametrize(
    ("classes", "where"),
    [
        ("", "mine.toml: [classes]"),
        ('[classes]\n"dark red" = "#aa0000"\n', "mine.toml: [classes]"),
        ('[classes]\nred = "#f00"\n', "mine.toml: [classes]: red"),
    ],
)
def test_colour_classes_that_are_none_are_refused(tmp_path: Path, classes: str, where: str) -> None:
    assert refusal(write(tmp_path, UPRIGHT, classes=classes)).where == where


def test_a_file_without_flags_is_refused(tmp_path: Path) -> None:
    assert refusal(write(tmp_path)).where == "mine.toml: [[flag]]"
