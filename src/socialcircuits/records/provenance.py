"""Where a run came from: versions, machine, time, origin. Kept in the file, never in a digest."""

from __future__ import annotations

import platform
import sys
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

_PACKAGES = ("socialcircuits", "numpy", "scipy", "pandas", "pydantic")


def notes(origin: Path | None = None, *, replay: bool = False) -> dict[str, Any]:
    """Return the provenance of a run that starts now.

    Args:
        origin: the run that this one replays or starts from, if any.
        replay: whether it replays it, and asks nobody.
    """
    versions = {}
    for package in _PACKAGES:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            versions[package] = "not installed"
    return {
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": sys.version.split()[0],
        "machine": platform.machine(),
        "system": platform.system(),
        "packages": versions,
        "origin": str(origin.absolute()) if origin else None,
        "replay": replay,
    }
