"""Flags drawn as colour classes, as RGB and as PNG."""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from socialcircuits.worlds.flags.drawing import Grid, draw_parts
from socialcircuits.worlds.flags.pool import Pool
from socialcircuits.worlds.flags.settings import FlagSettings

Picture = npt.NDArray[np.uint8]
"""RGB bytes, shape (height, width, 3)."""


@dataclass(frozen=True)
class Sheet:
    """All flags of a pool, to be drawn under the same settings. Flags are numbered as in the pool.

    >>> from socialcircuits.worlds.flags.pool import read_pool
    >>> sheet = Sheet(read_pool("paper28"), FlagSettings())
    >>> sheet.classes(0).shape, sheet.picture(0).shape, sheet.picture(0)[0, 0].tolist()
    ((16, 24), (400, 600, 3), [217, 0, 18])
    """

    pool: Pool
    settings: FlagSettings

    @cached_property
    def countries(self) -> tuple[str, ...]:
        """Names of the flags, in order."""
        return tuple(flag.name for flag in self.pool.flags)

    @cached_property
    def colours(self) -> tuple[str, ...]:
        """Names of the colour classes, in order of their numbers."""
        return tuple(self.pool.classes)

    def classes(self, flag: int, scale: int = 1) -> Grid:
        """Return the colour class of each cell (or of each pixel at `scale` pixels a cell), as its
        number in the pool file; shape (height, width) times scale."""
        parts = self._parts(flag, scale)
        numbers = [self.colours.index(colour) for colour, _ in self._paints(flag)]
        return np.array(numbers, dtype=np.uint8)[parts]

    def picture(self, flag: int) -> Picture:
        """Return the flag as RGB bytes, shape (height * scale, width * scale, 3), in its own shades
        or in those of the nominal palette."""
        paints = self._paints(flag)
        nominal = self.settings.palette == "nominal"
        shades = [self.pool.classes[colour] if nominal else shade for colour, shade in paints]
        table = np.array([list(bytes.fromhex(shade[1:])) for shade in shades], dtype=np.uint8)
        return table[self._parts(flag, self.settings.scale)]

    def cut(self, drawn: Grid, position: tuple[int, int], scale: int = 1) -> Grid:
        """Return the crop at a position (x, y) in cells from a flag drawn at a scale."""
        (x, y), (width, height) = position, self.settings.crop
        return drawn[y * scale : (y + height) * scale, x * scale : (x + width) * scale]

    def _parts(self, flag: int, scale: int) -> Grid:
        width, height = self.settings.canvas
        nominal = self.settings.geometry == "nominal"
        return draw_parts(self.pool.flags[flag], width * scale, height * scale, nominal)

    def _paints(self, flag: int) -> list[tuple[str, str]]:
        design = self.pool.flags[flag]
        paints = [(stripe.colour, stripe.shade) for stripe in design.stripes]
        if design.triangle is not None:
            paints.append((design.triangle.colour, design.triangle.shade))
        return paints


def png(picture: Picture) -> bytes:
    r"""Return RGB bytes of shape (height, width, 3) as a PNG file.

    >>> png(np.zeros((100, 150, 3), dtype=np.uint8))[:4]
    b'\x89PNG'
    """
    # Imported here, so that simulated runs never pay for pictures.
    from PIL import Image

    file = io.BytesIO()
    Image.fromarray(picture).save(file, format="PNG")
    return file.getvalue()
