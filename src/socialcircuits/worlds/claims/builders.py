"""The builders of claim items by the name of their data set."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from socialcircuits.errors import SettingError
from socialcircuits.worlds.claims import counterfact, popqa, simpleqa
from socialcircuits.worlds.claims.building import Built, Wanted

__all__ = ["BUILDERS", "build"]

BUILDERS: Mapping[str, Callable[[Iterable[str | Path], Wanted], Built]] = {
    "counterfact": counterfact.build,
    "popqa": popqa.build,
    "simpleqa": simpleqa.build,
}
"""Name of the data set -> its builder."""


def build(
    dataset: str, paths: Iterable[str | Path], *, seed: int = 0, size: int | None = None
) -> Built:
    """Return the items of a data set's official files, and what was dropped at each step.

    Equal files, seed and size give equal items, on every machine.

    Args:
        dataset: one of `BUILDERS`.
        paths: the files, read as one.
        seed: of the drawn partners and, where a size is given, of the drawn items.
        size: at most so many items, from each relation in turn; None: all.

    Raises:
        SettingError: no data set has this name, the size is below 1, or a file is not of the form.

    >>> build("popqa", [], size=0)
    Traceback (most recent call last):
    socialcircuits.errors.SettingError: size: 0 is not allowed; expected at least 1
    """
    if dataset not in BUILDERS:
        raise SettingError("dataset", dataset, "one of " + ", ".join(BUILDERS), among=BUILDERS)
    if size is not None and size < 1:
        raise SettingError("size", size, "at least 1")
    return BUILDERS[dataset](paths, Wanted(seed, size))
