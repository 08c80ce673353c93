"""Which run files count as one run, and which stand side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from socialcircuits.checking import checked
from socialcircuits.errors import RunFileError
from socialcircuits.records import RunFile
from socialcircuits.records.digests import canonical
from socialcircuits.studies import Run, Study
from socialcircuits.studies.pooling import SAME
from socialcircuits.studies.remembered import WORLD


@contextmanager
def opened(paths: Sequence[str | Path], *, mixed: bool = False) -> Iterator[tuple[Run, ...]]:
    """Open run files of one preset: those that differ in seeds only become one run, pooled.

    Args:
        paths: the files, at least one.
        mixed: pool also those whose agents were told different things.

    Yields:
        The runs, in the order in which the first file of each was given.

    Raises:
        RunFileError: the files are of several presets, or one cannot be used; or see `Run`.
    """
    with ExitStack() as stack:
        yield tuple(stack.enter_context(Run(*group, mixed=mixed)) for group in _grouped(paths))


def _grouped(paths: Sequence[str | Path]) -> list[list[Path]]:
    groups: dict[str, list[Path]] = {}
    presets: dict[str, Path] = {}
    for path in map(Path, paths):
        with RunFile(path) as file:
            study = checked(Study, file.study, "$")
            data = study.model_dump(mode="json")
            same = canonical([[data[name] for name in SAME], file.recall(WORLD)])
        groups.setdefault(same, []).append(path)
        presets.setdefault(study.name, path)
    if len(presets) > 1:
        (name, first), (other, second) = list(presets.items())[:2]
        raise RunFileError(
            f"{second} is a run of {other}, {first} one of {name}; a report is of one preset"
        )
    return list(groups.values())
