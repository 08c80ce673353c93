"""`socialcircuits doctor`: is everything here that a run needs?"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import typer

from socialcircuits.cli.output import Json, print_json
from socialcircuits.errors import ModelError

OLDEST = (3, 11)
LEAST_DISK = 1_000_000_000


class Check(NamedTuple):
    """One thing that was looked at.

    Args:
        name: what.
        ok: whether it is as it must be; what is optional is always as it must be.
        found: what was found.
    """

    name: str
    ok: bool
    found: str


def command(json: Json = False) -> None:
    """Check Python, packages, disk, configuration, keys (their names only) and local models.

    Exit code 3 where something is not as it must be.
    """
    checks = []
    for check in _checks():
        checks.append(check)
        if not json:
            print(f"{'ok  ' if check.ok else 'FAIL'} {check.name:13}{check.found}", flush=True)
    well = all(check.ok for check in checks)
    if json:
        print_json({"ok": well, "checks": [check._asdict() for check in checks]})
    if not well:
        raise typer.Exit(ModelError.exit_code)


def _checks() -> Iterator[Check]:
    from socialcircuits import __version__

    python = ".".join(map(str, sys.version_info[:3]))
    yield Check("python", sys.version_info >= OLDEST, f"{python} on {sys.platform}")
    yield Check("version", True, f"socialcircuits {__version__}")
    yield from _packages()
    yield from _machine()
    yield from _configuration()
    yield from _local()


def _packages() -> Iterator[Check]:
    import re
    from importlib import metadata

    try:
        requirements = metadata.requires("socialcircuits") or []
    except metadata.PackageNotFoundError:
        yield Check("packages", True, "not checked: run from a source folder")
        return
    needed: dict[str, list[str]] = {"packages": []}
    for requirement in requirements:
        name = re.split(r"[^\w.-]", requirement, maxsplit=1)[0]
        extra = re.search(r"extra\s*==\s*['\"](.+?)['\"]", requirement)
        needed.setdefault(f"extra {extra[1]}" if extra else "packages", []).append(name)
    for kind, names in needed.items():
        versions = {name: _version(name) for name in names}
        missing = [name for name, version in versions.items() if version is None]
        there = ", ".join(f"{name} {version}" for name, version in versions.items() if version)
        found = f"missing: {', '.join(missing)}" if missing else there
        yield Check(kind, not missing or kind != "packages", found)


def _version(name: str) -> str | None:
    from importlib import metadata

    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _machine() -> Iterator[Check]:
    import shutil

    from socialcircuits.errors import SettingError
    from socialcircuits.models.local import threads

    try:
        yield Check("cores", True, f"{os.cpu_count()}, local models use {threads()}")
    except SettingError as error:
        yield Check("cores", False, str(error))
    free = shutil.disk_usage(Path.cwd()).free
    yield Check("disk", free >= LEAST_DISK, f"{free / 1e9:.1f} GB free in this folder")


def _configuration() -> Iterator[Check]:
    from socialcircuits.cli.models import providers
    from socialcircuits.models.endpoints import KEY_VARIABLE, config_path

    path = config_path()
    rows = providers()
    lacking = [row for row in rows if row["problem"].startswith("no key")]
    broken = {row["problem"] for row in rows if row["problem"] and row not in lacking}
    found = f"{path}{'' if path.is_file() else ' (none there)'}"
    yield Check("settings", not broken, "; ".join(sorted(broken)) or found)
    for row in rows:
        if row["problem"] not in broken:
            yield Check("provider", True, f"{row['name']}: {row['problem'] or 'ready'}")
    if os.environ.get(KEY_VARIABLE):
        yield Check("key", True, f"{KEY_VARIABLE} is set, for openai-compatible/MODEL")


def _local() -> Iterator[Check]:
    from socialcircuits.models import weights
    from socialcircuits.models.local import installed

    there = [name for name in weights.NAMES if weights.find(name)]
    for name in weights.NAMES:
        whole = name in there or not weights.named(name).path.exists()
        state = "fetched" if name in there else "not fetched" if whole else "damaged"
        hint = "" if name in there else f" (socialcircuits models fetch {name})"
        yield Check("weights", whole, f"{name}: {state}{hint}")
    if not installed():
        yield Check("server", True, "not tried: the extra local is not installed")
    elif not there:
        yield Check("server", True, "not tried: no weights are fetched")
    else:
        yield _server(min(there, key=lambda name: weights.NAMES[name].bytes))


def _server(name: str) -> Check:
    import time

    from socialcircuits.models.local import LocalServer
    from socialcircuits.models.weights import named

    server, began = LocalServer(named(name)), time.perf_counter()
    try:
        server.start()
    except ModelError as error:
        return Check("server", False, str(error))
    finally:
        server.stop()
    return Check("server", True, f"{name} loaded in {time.perf_counter() - began:.1f} s")
