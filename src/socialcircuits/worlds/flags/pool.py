"""Reading a pool file, and refusing one that does not describe flags."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeGuard

from socialcircuits.errors import SettingError

LAYOUTS = ("horizontal", "vertical")
MAX_CLASSES = 255
_BUILT_IN = "pool.toml"
_FLAG_KEYS = ("name", "iso", "layout", "stripes", "triangle", "pools", "aliases")
_SHADE = re.compile(r"#[0-9a-f]{6}", re.IGNORECASE)


class Stripe(NamedTuple):
    """A stripe: its colour class, its integer weight and its shade as ``#rrggbb``."""

    colour: str
    weight: int
    shade: str


class Triangle(NamedTuple):
    """A hoist triangle: its apex is a fraction of the flag's width, above 0 and at most 1."""

    colour: str
    apex: float
    shade: str


@dataclass(frozen=True)
class Flag:
    """The design of one flag. Stripes are in order from the top (horizontal) or the hoist."""

    name: str
    layout: Literal["horizontal", "vertical"]
    stripes: tuple[Stripe, ...]
    triangle: Triangle | None
    pools: tuple[str, ...]
    aliases: tuple[str, ...]


@dataclass(frozen=True)
class Pool:
    """Flags to draw the truth from, in file order, and the nominal shade of each colour class."""

    name: str
    classes: Mapping[str, str]
    flags: tuple[Flag, ...]


def read_pool(pool: str, where: str = "$.world.pool") -> Pool:
    """Return a pool of the built-in file, or of a file of the same form.

    Args:
        pool: name of a built-in pool, ``FILE.toml`` or ``FILE.toml:POOL``.
        where: the setting that named it, for messages.

    Raises:
        SettingError: there is no such file or pool, the pool has fewer than two flags, or the file
            is not of the form; the message names the file and the flag.

    >>> pool = read_pool("paper28")
    >>> len(pool.flags), pool.flags[27].name, pool.flags[27].triangle.apex
    (28, 'Sudan', 0.3333)
    """
    path, tag = _locate(pool)
    try:
        text = _source(path).decode("utf-8-sig")
        flags, classes = _read_file(Path(path or _BUILT_IN).name, tomllib.loads(text))
    except (OSError, ValueError) as error:
        raise SettingError(
            where, pool, f"a pool file in TOML that can be read ({error})"
        ) from error
    tags = sorted({name for flag in flags for name in flag.pools})
    chosen = tuple(flag for flag in flags if tag is None or tag in flag.pools)
    if tag is not None and not chosen:
        allowed = f"a pool ({', '.join(tags)}) or a file whose name ends in .toml"
        raise SettingError(where, pool, allowed, among=tags)
    if len(chosen) < 2:
        names = ", ".join(flag.name for flag in chosen) or "none"
        raise SettingError(where, pool, f"a pool of at least 2 flags; it has {names}")
    # Only the file's own name is kept, so that a record does not depend on where the file lay.
    name = ":".join(part for part in (path and Path(path).name, tag) if part)
    return Pool(name, classes, chosen)


def _locate(pool: str) -> tuple[str | None, str | None]:
    head, _, tail = pool.rpartition(":")
    if pool.endswith(".toml"):
        return pool, None
    if head.endswith(".toml"):
        return head, tail
    return None, pool


def _source(path: str | None) -> bytes:
    if path is None:
        return files("socialcircuits.worlds.flags").joinpath(_BUILT_IN).read_bytes()
    return Path(path).read_bytes()


def _demand(fulfilled: bool, where: str, given: object, expected: str) -> None:
    if not fulfilled:
        raise SettingError(where, given, expected)


def _read_file(file: str, data: Mapping[str, Any]) -> tuple[list[Flag], dict[str, str]]:
    classes, rows = data.get("classes"), data.get("flag")
    if not isinstance(classes, dict) or not 1 <= len(classes) <= MAX_CLASSES:
        raise SettingError(f"{file}: [classes]", classes, f"1 to {MAX_CLASSES} colour classes")
    for name, shade in classes.items():
        where = f"{file}: [classes]"
        _demand(name.isidentifier(), where, name, "a class name of letters, digits and _")
        _check_shade(f"{where}: {name}", shade)
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise SettingError(f"{file}: [[flag]]", rows, "tables, one a flag")
    flags = [_read_flag(file, number, row, classes) for number, row in enumerate(rows, 1)]
    _check_names(file, flags)
    return flags, classes


def _read_flag(file: str, number: int, row: Mapping[str, Any], classes: Mapping[str, str]) -> Flag:
    name = row.get("name")
    if not _is_name(name):
        raise SettingError(f"{file}: flag {number}", name, "a name in printable characters")
    where = f"{file}: {name}"
    for key in row:
        if key not in _FLAG_KEYS:
            allowed = "one of " + ", ".join(_FLAG_KEYS)
            raise SettingError(where, key, allowed, among=_FLAG_KEYS)
    layout = row.get("layout")
    if layout not in LAYOUTS:
        raise SettingError(f"{where}: layout", layout, " or ".join(LAYOUTS), among=LAYOUTS)
    stripes, triangle = row.get("stripes"), row.get("triangle")
    if not isinstance(stripes, list) or not stripes:
        raise SettingError(f"{where}: stripes", stripes, "at least one [class, weight, hex]")
    return Flag(
        name,
        layout,
        tuple(_read_stripe(f"{where}: stripe {i}", s, classes) for i, s in enumerate(stripes, 1)),
        None if triangle is None else _read_triangle(f"{where}: triangle", triangle, classes),
        _read_names(f"{where}: pools", row.get("pools", [])),
        _read_names(f"{where}: aliases", row.get("aliases", [])),
    )


def _read_stripe(where: str, row: object, classes: Mapping[str, str]) -> Stripe:
    if not isinstance(row, list) or len(row) != 3:
        raise SettingError(where, row, "[class, weight, hex]")
    colour, weight, shade = row
    _check_colour(where, colour, classes)
    _demand(
        type(weight) is int and weight > 0, where, weight, "a weight that is a whole number > 0"
    )
    _check_shade(where, shade)
    return Stripe(colour, weight, shade)


def _read_triangle(where: str, row: object, classes: Mapping[str, str]) -> Triangle:
    if not isinstance(row, dict) or set(row) != {"class", "hex", "apex"}:
        raise SettingError(where, row, "{ class, hex, apex }")
    _check_colour(where, row["class"], classes)
    _check_shade(where, row["hex"])
    apex = row["apex"]
    allowed = "an apex above 0 and at most 1, as a fraction of the width"
    _demand(type(apex) in (int, float) and 0 < apex <= 1, where, apex, allowed)
    return Triangle(row["class"], float(apex), row["hex"])


def _read_names(where: str, names: object) -> tuple[str, ...]:
    if not isinstance(names, list) or not all(_is_name(name) for name in names):
        raise SettingError(where, names, "a list of names in printable characters")
    return tuple(names)


def _is_name(name: object) -> TypeGuard[str]:
    return isinstance(name, str) and name.isprintable() and name.strip() == name != ""


def _check_colour(where: str, colour: object, classes: Mapping[str, str]) -> None:
    if not isinstance(colour, str) or colour not in classes:
        expected = "a colour class (" + ", ".join(classes) + ")"
        raise SettingError(where, colour, expected, among=classes)


def _check_shade(where: str, shade: object) -> None:
    fits = isinstance(shade, str) and _SHADE.fullmatch(shade) is not None
    _demand(fits, where, shade, "a shade as #rrggbb")


def _check_names(file: str, flags: list[Flag]) -> None:
    owners: dict[str, Flag] = {}
    for flag in flags:
        for name in (flag.name, *flag.aliases):
            owner = owners.setdefault(name.casefold(), flag)
            where = f"{file}: {flag.name}"
            _demand(
                owner is flag, where, name, f"a name of its own; another flag has it: {owner.name}"
            )
