from __future__ import annotations

from typing import Any

import pytest

from socialcircuits.errors import SettingError
from socialcircuits.worlds.flags import FlagSettings


def test_the_defaults_are_the_papers() -> None:
    settings = FlagSettings.read({})
    assert (settings.pool, settings.canvas, settings.crop) == ("paper28", (24, 16), (6, 4))
    assert (settings.scale, settings.geometry, settings.palette) == (25, "real", "real")
    assert settings.evidence == "grid"


def test_a_crop_may_be_the_whole_canvas() -> None:
    assert FlagSettings.read({"crop": [24, 16]}).crop == (24, 16)


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("crop", [25, 4], "at most the canvas of (24, 16) cells"),
        ("crop", [6, 17], "at most the canvas of (24, 16) cells"),
        ("crop", [0, 4], "two whole numbers from 1 up"),
        ("crop", [6], "two whole numbers from 1 up"),
        ("crop", 6, "two whole numbers from 1 up"),
        ("crop", [6.0, 4], "two whole numbers from 1 up"),
        ("canvas", [24, -16], "two whole numbers from 1 up"),
        ("canvas", [True, 16], "two whole numbers from 1 up"),
        ("scale", 0, "at least 1"),
        ("scale", "25", "at least 1"),
        ("scale", 1000, "at most 8192 pixels a side"),
        ("geometry", "nominl", "did you mean 'nominal'?"),
        ("palette", None, "real or nominal"),
        ("evidence", "rastr", "did you mean 'raster'?"),
        ("pool", 28, "the name of a pool"),
    ],
)
def test_a_value_that_is_not_allowed_is_refused(name: str, value: Any, allowed: str) -> None:
    with pytest.raises(SettingError) as caught:
        FlagSettings.read({name: value})
    assert caught.value.where == f"$.world.{name}"
    assert allowed in str(caught.value)
