"""The settings of the flag world, checked when they are made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, get_args

from socialcircuits.errors import SettingError

Choice = Literal["real", "nominal"]
Judged = Literal["grid", "raster"]

WHERE = "$.world"
MAX_SIDE = 8192
"""Longest side of a drawn flag, in pixels: one flag is then at most 192 MiB of RGB."""


@dataclass(frozen=True)
class FlagSettings:
    """Settings of the flag world; the defaults are the paper's (appendix D, table 2).

    Args:
        pool: a pool of the built-in file (``paper28``, ``stripe24``), a TOML file of the same form
            (``FILE.toml``, all its flags), or one pool of such a file (``FILE.toml:POOL``).
        canvas: width and height of a flag in cells, each at least 1.
        crop: width and height of a crop in cells, each at least 1 and at most the canvas's.
        scale: pixels a cell in pictures, at least 1; canvas times scale is at most 8192 a side.
        geometry: ``real`` triangles, or ``nominal``: every apex at half the width, as the paper's
            released code drew them.
        palette: ``real`` shades of each flag, or ``nominal``: one shade a colour class.
        evidence: what compatibility is judged on: the ``grid`` of cells (text, simulated seats) or
            the ``raster`` of pixels (pictures).

    Raises:
        SettingError: a value is not allowed.

    >>> FlagSettings(crop=(25, 4))
    Traceback (most recent call last):
    socialcircuits.errors.SettingError: $.world.crop: (25, 4) is not allowed; expected at most the \
canvas of (24, 16) cells
    """

    pool: str = "paper28"
    canvas: tuple[int, int] = (24, 16)
    crop: tuple[int, int] = (6, 4)
    scale: int = 25
    geometry: Choice = "real"
    palette: Choice = "real"
    evidence: Judged = "grid"

    def __post_init__(self) -> None:
        if not isinstance(self.pool, str):
            raise SettingError(f"{WHERE}.pool", self.pool, "the name of a pool or a .toml file")
        for name in ("canvas", "crop"):
            _check_size(f"{WHERE}.{name}", getattr(self, name))
        if any(c > whole for c, whole in zip(self.crop, self.canvas, strict=True)):
            allowed = f"at most the canvas of {self.canvas} cells"
            raise SettingError(f"{WHERE}.crop", self.crop, allowed)
        if type(self.scale) is not int or self.scale < 1:
            raise SettingError(f"{WHERE}.scale", self.scale, "a whole number of pixels, at least 1")
        if max(self.canvas) * self.scale > MAX_SIDE:
            allowed = f"canvas times scale at most {MAX_SIDE} pixels a side"
            raise SettingError(f"{WHERE}.scale", self.scale, allowed)
        for name, choices in (("geometry", Choice), ("palette", Choice), ("evidence", Judged)):
            allowed_names = get_args(choices)
            if getattr(self, name) not in allowed_names:
                expected = " or ".join(allowed_names)
                given = getattr(self, name)
                raise SettingError(f"{WHERE}.{name}", given, expected, among=allowed_names)

    @classmethod
    def read(cls, settings: Mapping[str, Any]) -> FlagSettings:
        """Return the settings that a study file gives; those left out keep their defaults.

        Raises:
            SettingError: a setting is unknown, or a value is not allowed.

        >>> FlagSettings.read({"crop": [4, 4]}).crop
        (4, 4)
        """
        known = [field.name for field in fields(cls)]
        for name in settings:
            if name not in known:
                expected = "a setting of the flag world (" + ", ".join(known) + ")"
                raise SettingError(WHERE, name, expected, among=known)
        values: dict[str, Any] = dict(settings)
        for name, value in values.items():
            if isinstance(value, list):
                values[name] = tuple(value)
        return cls(**values)


def _check_size(where: str, size: object) -> None:
    sides = size if isinstance(size, tuple) else ()
    if len(sides) != 2 or any(type(side) is not int or side < 1 for side in sides):
        raise SettingError(where, size, "width and height in cells, two whole numbers from 1 up")
