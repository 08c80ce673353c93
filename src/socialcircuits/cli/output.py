"""What verbs print: results on standard output, progress on standard error."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from socialcircuits.studies.execution import Progress

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object on standard output.")]
RunPath = Annotated[str, typer.Argument(metavar="RUN", help="A run file.")]


def print_json(value: Any) -> None:
    """Print one JSON object."""
    print(json.dumps(value, ensure_ascii=False, allow_nan=False))


def program() -> str:
    """Return how this program is called here, for the next command to type."""
    if shutil.which("socialcircuits"):
        return "socialcircuits"
    called = sys.argv[0]
    return f"{sys.executable} -m socialcircuits" if called.endswith("__main__.py") else called


@contextmanager
def progress(title: str) -> Iterator[Progress]:
    """Show progress on standard error: a bar on a terminal, a line each tenth elsewhere."""
    if not sys.stderr.isatty():
        yield _Lines(title)
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True)) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, planned: bar.update(task, completed=done, total=planned)


class _Lines:
    """Plain progress: one line each tenth of the trials."""

    def __init__(self, title: str) -> None:
        self._title, self._shown = title, -1

    def __call__(self, done: int, planned: int) -> None:
        tenth = 10 * done // planned if planned else 10
        if tenth > self._shown:
            self._shown = tenth
            print(f"{self._title}: {done} of {planned} trials", file=sys.stderr, flush=True)
