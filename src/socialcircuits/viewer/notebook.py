"""Runs as a page within a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from html import escape
from pathlib import Path

from socialcircuits.studies import Run
from socialcircuits.studies.display import typed, visible
from socialcircuits.viewer.export import parts

__all__ = ["Embedded"]

MOST = 2_000_000
"""Most bytes of a page: by its defaults, Jupyter drops what brings more than 3 MB in 3 seconds."""

HEIGHT = 720
"""Of the frame, in pixels."""

SRCDOC = "about:srcdoc"
"""The address of a page within a frame; its links would be taken from that of the notebook."""

SANDBOX = "allow-scripts allow-downloads"
"""What the page may do: run its script and save what a reader labels; it shares no origin with the
notebook, and cannot reach it."""


class Embedded:
    """The page of runs, as it is at this moment, for a notebook to show.

    It is the page that `socialcircuits export` writes: no prompts, and no texts of questions that
    may not be published. One of more than 2 MB is not held; what to do then is said in its place.

    Args:
        runs: runs or run files, none of them pooled; the others are compared with the first.

    Raises:
        UsageError: there is no run.
        RunFileError: a run file is missing or damaged.
        SettingError: several runs are pooled.
    """

    def __init__(self, runs: Sequence[Run | str | Path]) -> None:
        with ExitStack() as stack:
            opened = [
                run if isinstance(run, Run) else stack.enter_context(Run(run)) for run in runs
            ]
            self.paths = tuple(run.path for run in opened)
            self._text = _bounded(opened)

    def __repr__(self) -> str:
        names = ", ".join(visible(str(path)) for path in self.paths)
        size = "too large" if self._text is None else f"{len(self._text):,} bytes"
        return f"<page of {names}: {size}>"

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        if self._text is None:
            return self._instead()
        return (
            f'<iframe title="Runs" sandbox="{SANDBOX}" srcdoc="{escape(self._text)}" '
            f'style="width: 100%; height: {HEIGHT}px; border: 0"></iframe>'
        )

    def _instead(self) -> str:
        files = escape(" ".join(typed(str(path)) for path in self.paths))
        return (
            f"<p>This page has more than {MOST / 1e6:.0f} MB, which is too large for a notebook. "
            f"In a browser: <code>socialcircuits view {files}</code><br>As a file: "
            f"<code>socialcircuits export {files} --out page.html</code></p>"
        )


def _bounded(runs: Sequence[Run]) -> str | None:
    """The page; None if it is too large, of which no more than the limit was made."""
    found, size = [], 0
    for part in parts(runs, SRCDOC):
        # All but the names of runs is ASCII: letters are bytes.
        size += len(part)
        if size > MOST:
            return None
        found.append(part)
    return "".join(found)
