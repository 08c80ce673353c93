"""A laboratory for how beliefs form, spread and collapse in groups of AI agents.

>>> import socialcircuits as sc
>>> sc.__all__
['__version__', 'open', 'patch', 'run', 'view']
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from socialcircuits.studies import Run
    from socialcircuits.viewer import Embedded

__version__ = "0.1.0.dev0"

__all__ = ["__version__", "open", "patch", "run", "view"]


def run(study: str, **options: Any) -> Run:
    """Run a study and return the run; see `socialcircuits.studies.run` for the options.

    Args:
        study: a preset, for example ``flag-game/population``, or a TOML file.
        **options: model, out, seeds, seed, settings and access.

    Raises:
        SettingError: something is unknown or not allowed; nothing has been run then.
        RunFileError: the run file cannot be used.
    """
    from socialcircuits import studies

    return studies.run(study, **options)


def open(path: str | Path) -> Run:  # noqa: A001 - the name users expect: sc.open(path)
    """Open a run file for reading.

    Raises:
        RunFileError: it is missing, damaged, or no run file of this version.
    """
    from socialcircuits import studies

    return studies.Run(path)


def patch(
    path: str | Path, trial: int, changes: Sequence[Mapping[str, Any]], **options: Any
) -> Run:
    """Change one thing in a trial of a run; see `socialcircuits.studies.patching.patch`.

    Args:
        path: the run file.
        trial: number of the trial in it.
        changes: tables such as ``{"kind": "evidence", "agents": "4", "view": "7,3"}``.
        **options: out and access.

    Raises:
        SettingError: the run has no such trial, or a change is not allowed.
        RunFileError: a run file cannot be used.
    """
    from socialcircuits.studies import patching

    return patching.patch(path, trial, changes, **options)


def view(*runs: Run | str | Path) -> Embedded:
    """Show runs in a notebook: the page that `socialcircuits export` writes.

    Args:
        *runs: runs or run files; the others are compared with the first.

    Raises:
        UsageError: there is no run.
        RunFileError: a run file is missing or damaged.
        SettingError: several runs are pooled.
    """
    from socialcircuits.viewer import Embedded

    return Embedded(runs)
