"""Which crops are alike: the index of all crops of all flags, and the exact sets of countries in
whose flags a crop occurs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import NamedTuple, TypedDict

import numpy as np
import numpy.typing as npt

from socialcircuits.graph.vocabulary import NAT
from socialcircuits.seeds import DIGEST_SIZE
from socialcircuits.worlds.flags.drawing import Grid


class Statistics(TypedDict):
    """How telling the crops of a pool are, all crops of all flags weighing the same.

    `unique_share` (0 to 1) is the share of crops that occur in one flag only, `mean_compatible`
    the mean number of flags in which a crop occurs, both at any position; `unique_share_at` and
    `mean_compatible_at` count occurrences at the crop's own position only. `without_unique` names
    the flags none of whose crops is unique at any position.
    """

    crops: int
    unique_share: float
    mean_compatible: float
    unique_share_at: float
    mean_compatible_at: float
    without_unique: list[str]


class Pattern(NamedTuple):
    """What follows from a crop's content, wherever it lies.

    Args:
        compatible: the flags in which it occurs at any position, ascending.
        log_belief: log(occurrences / positions) in each flag, in thousandths of a nat; None: never.
    """

    compatible: tuple[int, ...]
    log_belief: tuple[int | None, ...]


class CropIndex:
    """All crops of all flags, numbered by content.

    Positions are numbered in rows from the top: number = y * (canvas width - crop width + 1) + x.

    Args:
        flags: one grid of colour classes a flag, all of one shape, at `step` pixels a cell.
        crop: width and height of a crop in cells.
        step: pixels a cell; crops lie at multiples of it.

    Attributes:
        ids: number of the pattern of each crop, shape (flags, positions).
        counts: positions at which a pattern occurs in a flag, shape (patterns, flags).
        patterns: what follows from each pattern.
        positions: number of positions.
        step: pixels a cell.

    >>> flags = np.array([[[0, 0, 1]], [[0, 1, 1]]], dtype=np.uint8)
    >>> index = CropIndex(flags, (2, 1))
    >>> index.compatible(0, 1), index.compatible_at(0, 1), index.patterns[0].log_belief
    ((0, 1), (0,), (-693, None))
    """

    def __init__(self, flags: Iterable[Grid], crop: tuple[int, int], step: int = 1) -> None:
        size = (crop[1] * step, crop[0] * step)
        numbers: dict[bytes, int] = {}
        self.step = step
        self.ids: npt.NDArray[np.intp] = np.array(
            [_number(flag, size, step, numbers) for flag in flags], dtype=np.intp
        )
        self.positions = self.ids.shape[1]
        self.counts: npt.NDArray[np.intp] = np.stack(
            [np.bincount(row, minlength=len(numbers)) for row in self.ids], axis=1
        )
        scale = log_beliefs(self.positions)
        self.patterns = [
            Pattern(tuple(i for i, n in enumerate(row) if n), tuple(scale[n] for n in row))
            for row in self.counts.tolist()
        ]

    def compatible(self, flag: int, position: int) -> tuple[int, ...]:
        """Return the flags in which a crop occurs at any position, ascending."""
        return self.patterns[int(self.ids[flag, position])].compatible

    def compatible_at(self, flag: int, position: int) -> tuple[int, ...]:
        """Return the flags in which a crop occurs at its own position, ascending."""
        column = self.ids[:, position]
        return tuple(np.flatnonzero(column == column[flag]).tolist())

    def statistics(self, names: Sequence[str]) -> Statistics:
        """Return how telling the crops are; `names` are those of the flags, in order."""
        anywhere = (self.counts > 0).sum(axis=1)[self.ids]
        here = np.stack([(self.ids == row).sum(axis=0) for row in self.ids])
        unique = anywhere == 1
        return Statistics(
            crops=self.ids.size,
            unique_share=float(unique.mean()),
            mean_compatible=float(anywhere.mean()),
            unique_share_at=float((here == 1).mean()),
            mean_compatible_at=float(here.mean()),
            without_unique=[names[i] for i in np.flatnonzero(~unique.any(axis=1)).tolist()],
        )


def log_beliefs(positions: int) -> list[int | None]:
    """Return round(1000 * log(count / positions)) for count 0 .. positions; None for count 0.

    The logarithm is rounded once to an integer, so that its last bits, in which processors may
    differ, cannot reach a digest.

    >>> log_beliefs(4)
    [None, -1386, -693, -288, 0]
    """
    counts = range(1, positions + 1)
    return [None, *(round(NAT * math.log(count / positions)) for count in counts)]


def _number(flag: Grid, size: tuple[int, int], step: int, numbers: dict[bytes, int]) -> list[int]:
    # Crops are numbered by digest: the pixels of all crops of a raster would fill 100 MB.
    windows = np.lib.stride_tricks.sliding_window_view(flag, size)[::step, ::step]
    digests = (
        blake2b(window.tobytes(), digest_size=DIGEST_SIZE).digest()
        for row in windows
        for window in row
    )
    return [numbers.setdefault(content, len(numbers)) for content in digests]
