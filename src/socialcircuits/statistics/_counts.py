"""Rows of counts, d of n agents, with the columns of a model beside them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from socialcircuits.errors import SettingError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

INTERCEPT = "intercept"


class Counts(NamedTuple):
    """Rows with at least one agent.

    Args:
        events: shape (rows,), agents of whom it holds.
        sizes: shape (rows,), agents, at least 1.
        design: shape (rows, columns), the intercept first.
        names: the columns' names, the intercept first.
        kept: places of these rows among those that were given.
    """

    events: Floats
    sizes: Floats
    design: Floats
    names: tuple[str, ...]
    kept: Ints


def read(
    events: Sequence[int], sizes: Sequence[int], columns: Mapping[str, Sequence[float]]
) -> Counts:
    """Check rows of counts and leave out those without agents, which say nothing.

    Raises:
        SettingError: lengths differ, a count is not within 0 and its size, a column is named
            intercept or holds something that is not a finite number.
    """
    rows = len(events)
    for name, column in {"sizes": sizes, **columns}.items():
        if len(column) != rows:
            raise SettingError(name, len(column), f"one number a row ({rows})")
        if name == INTERCEPT:
            raise SettingError("columns", name, "another name: every model has its intercept")
    for count, size in zip(events, sizes, strict=True):
        if not 0 <= count <= size:
            raise SettingError("events", count, f"an integer from 0 to the row's {size}")
    for name, column in columns.items():
        for value in column:
            if not np.isfinite(value):
                raise SettingError(name, value, "a finite number")
    kept = np.flatnonzero(np.asarray(sizes))
    given = [np.ones(rows), *(np.asarray(column, float) for column in columns.values())]
    return Counts(
        events=np.asarray(events, float)[kept],
        sizes=np.asarray(sizes, float)[kept],
        design=np.column_stack(given)[kept],
        names=(INTERCEPT, *columns),
        kept=kept,
    )


def codes(labels: Sequence[Hashable], counts: Counts, where: str, rows: int) -> Ints:
    """Number the labels of the kept rows from 0, in order of appearance.

    Raises:
        SettingError: there is not one label a given row.
    """
    if len(labels) != rows:
        raise SettingError(where, len(labels), f"one label a row ({rows})")
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(labels[i], len(numbers)) for i in counts.kept], np.int64)


def redundant(design: Floats) -> int | None:
    """Return the first column that is a combination of those before it, or None."""
    scaled = design / np.maximum(np.sqrt((design**2).sum(axis=0)), np.finfo(float).tiny)
    for column in range(design.shape[1]):
        if np.linalg.matrix_rank(scaled[:, : column + 1], tol=1e-9) <= column:
            return column
    return None
