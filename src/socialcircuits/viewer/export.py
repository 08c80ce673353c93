"""Runs as one page that works offline, from disk or mailed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from socialcircuits.errors import RunFileError, UsageError
from socialcircuits.studies import Run
from socialcircuits.viewer.chunks import Chunks, named, packed
from socialcircuits.viewer.shell import block, document

__all__ = ["export", "parts"]


def export(runs: Sequence[Run], path: str | Path) -> Path:
    """Write runs as one HTML file that opens without a network and asks nobody for anything.

    It is written trial by trial beside its place and then put there whole. Of questions that may
    not be published no text is written (`socialcircuits.viewer.withholding`). Equal runs give equal
    files.

    Args:
        runs: the runs, none of them pooled; the first is shown first, the others are compared with
            it.
        path: the file.

    Raises:
        UsageError: there is no run, or the file is that of a run.
        RunFileError: it cannot be written, or a run file is damaged.
    """
    target = Path(path)
    if any(target.exists() and target.samefile(run.path) for run in runs):
        raise UsageError(f"{target}: this is a run file; expected a name for the page")
    part = target.with_name(f"{target.name}.part")
    try:
        try:
            with part.open("w", encoding="utf-8", newline="\n") as file:
                file.writelines(parts(runs))
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise RunFileError(f"{target}: cannot be written: {error.strerror}") from None
    return target


def parts(runs: Sequence[Run], base: str = "") -> Iterator[str]:
    """Yield the page of runs in parts.

    Args:
        runs: as in `export`.
        base: as in `socialcircuits.viewer.shell.document`.

    Raises:
        UsageError: there is no run.
        RunFileError: a run file is damaged.
    """
    if not runs:
        raise UsageError("a page needs at least one run")
    yield from document(_blocks(runs), base=base)


def _blocks(runs: Sequence[Run]) -> Iterator[str]:
    names = named([run.path for run in runs])
    each = [
        Chunks(run, name, None if run is runs[0] else runs[0], published=True)
        for run, name in zip(runs, names, strict=True)
    ]
    for chunks in each:
        yield block("head", chunks.name, packed(chunks.head()))
    for chunks in each:
        for number in chunks.numbers():
            yield block(f'trial="{number}"', chunks.name, packed(chunks.trial(number)))
