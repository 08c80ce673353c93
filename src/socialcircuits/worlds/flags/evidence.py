"""What one seat privately sees of the hidden flag: one crop."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from socialcircuits.seeds import digest
from socialcircuits.worlds.flags.crops import CropIndex
from socialcircuits.worlds.flags.drawing import Grid
from socialcircuits.worlds.flags.pool import Flag
from socialcircuits.worlds.flags.rendering import Sheet, png
from socialcircuits.worlds.flags.wording import describe


class FlagEvidence:
    """A crop of a flag. Its key, beliefs and reasons depend on its colour classes alone; its text
    and image are cut from the flag and the position that were dealt.

    Args:
        sheet: the flags, to be drawn where text or a picture is wanted.
        index: all crops, at the resolution on which compatibility is judged.
        flag: number of the flag in the pool.
        position: (x, y) of the crop's corner in cells.

    Attributes:
        answers: the countries of the pool.
        compatible: numbers of the countries in whose flag the crop occurs at any position.
        compatible_at: the same, at the crop's own position.

    >>> from socialcircuits.worlds.flags import FlagSettings, FlagWorld
    >>> evidence = FlagWorld(FlagSettings()).evidence("France", (5, 3))
    >>> [evidence.answers[number] for number in evidence.compatible], evidence.log_belief()[7]
    (['France'], -2944)
    >>> evidence.text().splitlines()[0]
    'blue blue blue white white white'
    """

    def __init__(
        self, sheet: Sheet, index: CropIndex, flag: int, position: tuple[int, int]
    ) -> None:
        self._sheet, self._index, self.flag, self.position = sheet, index, flag, position
        number = position[1] * (sheet.settings.canvas[0] - sheet.settings.crop[0] + 1) + position[0]
        self.answers = sheet.countries
        self.pattern = int(index.ids[flag, number])
        self.compatible = index.compatible(flag, number)
        self.compatible_at = index.compatible_at(flag, number)

    @cached_property
    def key(self) -> bytes:
        """Digest of the crop's colour classes by name: not of its position, shades or scale."""
        cells, names = self._judged(), self._sheet.colours
        # Classes are renumbered by name, so that the order of a pool file does not enter the key.
        present = sorted(np.unique(cells).tolist(), key=lambda number: names[number])
        ranks = np.zeros(len(names), dtype=np.uint8)
        ranks[present] = range(len(present))
        height, width = cells.shape
        shown = [names[number] for number in present]
        return digest("flag crop", width, height, *shown, ranks[cells].tobytes())

    def log_belief(self) -> tuple[int | None, ...]:
        """Log of the share of positions at which the crop occurs in each flag, in thousandths of a
        nat; None where it does not occur."""
        return self._index.patterns[self.pattern].log_belief

    def reasons(self) -> tuple[str, ...]:
        """Two or three true statements about the crop; no country, no place on the flag."""
        return self._reasons

    def text(self) -> str:
        """The crop as rows of colour names, one name a cell, one line a row."""
        return self._text

    def catalogue(self) -> str:
        """The designs of all flags that may be hidden, in the order of the pool file: one line
        each, stripes from the top or the left, with their shares where these differ.

        >>> from socialcircuits.worlds.flags import FlagSettings, FlagWorld
        >>> world = FlagWorld(FlagSettings(pool="triangle4"))
        >>> world.evidence("Sudan", (0, 0)).catalogue().splitlines()[1]
        'Czechia: horizontal white, red; blue triangle on the left'
        """
        return "\n".join(map(_design, self._sheet.pool.flags))

    def image(self) -> bytes:
        """The crop as a PNG file, crop size times scale pixels, cut from the drawn flag."""
        return self._image

    @cached_property
    def _reasons(self) -> tuple[str, ...]:
        return describe(self._judged(), self._sheet.colours)

    @cached_property
    def _text(self) -> str:
        rows, names = self._cut(1).tolist(), self._sheet.colours
        return "\n".join(" ".join(names[number] for number in row) for row in rows)

    @cached_property
    def _image(self) -> bytes:
        whole = self._sheet.picture(self.flag)
        return png(self._sheet.cut(whole, self.position, self._sheet.settings.scale))

    def _judged(self) -> Grid:
        return self._cut(self._index.step)

    def _cut(self, scale: int) -> Grid:
        return self._sheet.cut(self._sheet.classes(self.flag, scale), self.position, scale)


def _design(flag: Flag) -> str:
    weights = [stripe.weight for stripe in flag.stripes]
    shares = ["" if len(set(weights)) == 1 else f" ({w}/{sum(weights)})" for w in weights]
    stripes = [s.colour + share for s, share in zip(flag.stripes, shares, strict=True)]
    triangle = f"; {flag.triangle.colour} triangle on the left" if flag.triangle else ""
    return f"{flag.name}: {flag.layout} {', '.join(stripes)}{triangle}"
