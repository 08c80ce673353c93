"""Where a study comes from: a preset or a TOML file, then `--set`, `--model`, `--seeds`, `--seed`.

Flags win over `--set`, which wins over the file, which wins over the defaults.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from socialcircuits.checking import checked
from socialcircuits.errors import SettingError, UsageError
from socialcircuits.studies.settings import Trial
from socialcircuits.studies.study import DEFAULT_MODELS, Study, conditions
from socialcircuits.worlds import settings as world_settings

STAND_INS = "(stand-ins)"
"""Under this name the models of a preset are noted until it is known whether others are named."""


def presets() -> dict[str, dict[str, Any]]:
    """Return all presets: ``paper/name`` -> the tables of its study file.

    A preset may build on another one, which it names under ``preset``.

    >>> presets()["flag-game/robustness"]["figures"]
    ['robustness']
    """
    found: dict[str, dict[str, Any]] = {}
    for file in sorted((files("socialcircuits.studies") / "presets").iterdir(), key=str):
        if file.name.endswith(".toml"):
            paper = file.name.removesuffix(".toml")
            for name, tables in tomllib.loads(file.read_text("utf-8")).items():
                base = found.get(tables.pop("preset", ""), {})
                found[f"{paper}/{name}"] = _merge(base, tables)
    return found


def read(
    source: str,
    *,
    sets: Sequence[str] = (),
    models: Mapping[str, str] | None = None,
    seeds: int | None = None,
    seed: int | None = None,
    judge: str | None = None,
) -> Study:
    """Return the resolved study.

    Args:
        source: name of a preset, or path of a TOML file.
        sets: changes as ``path=value``; the path is whole (``trial.N``) or, where it is the only
            one of its kind, the last part (``N``); the value is TOML, or text as it stands.
        models: name in casts -> model. Where it is given, conditions that need a model that is
            not in it are dropped.
        seeds: replicates a condition.
        seed: the study seed.
        judge: the model that judges.

    Raises:
        SettingError: something is unknown or not allowed.
        UsageError: the file cannot be read.
    """
    values = _load(source)
    for block in ("sweep", "example"):
        if isinstance(values.get(block), dict):
            values[block] = [values[block]]
    for text in sets:
        _change(values, text)
    for name, given in (("seeds", seeds), ("seed", seed), ("judge", judge)):
        if given is not None:
            values[name] = given
    declared = {**DEFAULT_MODELS, **values.get("models", {})}
    own, named = values.pop(STAND_INS, {}), values.get("models", {})
    if models:
        # A preset's own models stand in where nobody names any; they never mix with others.
        named = {name: model for name, model in named.items() if own.get(name) != model}
    values["models"] = {**named, **(models or {})} or dict(DEFAULT_MODELS)
    study = _without_idle(checked(Study, values, "$"), own)
    _check_models(study, declared)
    axes = {axis for block in study.sweep for axis in block}
    if study.contrast and study.contrast not in axes:
        raise SettingError("$.contrast", study.contrast, "a swept setting", among=axes)
    return study


def _without_idle(study: Study, own: Mapping[str, str]) -> Study:
    """The study without the stand-ins of its preset that no cast of it names."""
    used = {name for cell in conditions(study) for name in cell.used()}
    kept = {n: m for n, m in study.models.items() if n in used or own.get(n) != m}
    return study.model_copy(update={"models": kept or study.models})


def _load(source: str) -> dict[str, Any]:
    known = presets()
    if source in known:
        return _standing({"name": source, **known[source]})
    if not source.endswith(".toml"):
        expected = "a preset (" + ", ".join(known) + ") or a .toml file"
        raise SettingError("study", source, expected, among=known)
    try:
        values = tomllib.loads(Path(source).read_text("utf-8"))
    except OSError as error:
        raise UsageError(f"{source}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{source}: not a TOML file: {error}") from None
    values.setdefault("name", Path(source).stem)
    preset = values.pop("preset", None)
    if preset is None:
        return values
    if preset not in known:
        raise SettingError("$.preset", preset, "one of " + ", ".join(known), among=known)
    return _merge(_standing({"name": preset, **known[preset]}), values)


def _standing(values: dict[str, Any]) -> dict[str, Any]:
    """Note which models of a preset only stand in."""
    return {**values, STAND_INS: dict(values.get("models", {}))}


def _merge(base: dict[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    out = dict(base)
    for name, value in over.items():
        both = isinstance(value, dict) and isinstance(out.get(name), dict)
        out[name] = _merge(out[name], value) if both else value
    return out


def _change(values: dict[str, Any], text: str) -> None:
    path, equals, raw = text.partition("=")
    if not equals:
        raise SettingError("--set", text, "SETTING=VALUE")
    section, _, name = path.strip().rpartition(".")
    section = section or _section(name, values)
    value = _value(raw)
    if section == "trial":
        _set_trial(values, name, value)
    elif section == "$":
        values[name] = value
    elif section in ("world", "models"):
        values.setdefault(section, {})[name] = value
    else:
        names = list(Study.model_fields)
        known = section in names
        expected = "a path in trial, world or models" if known else "a setting: " + ", ".join(names)
        where, given = ("--set", path) if known else ("$", section)
        raise SettingError(where, given, expected, among=names)


def _value(raw: str) -> Any:
    """Read a value as TOML; several parted by commas as a list; anything else as text."""
    if not raw.strip():
        return ""
    for text in (raw, f"[{raw}]"):
        try:
            return tomllib.loads(f"value = {text}")["value"]
        except tomllib.TOMLDecodeError:
            continue
    parts = [part.strip() for part in raw.split(",")]
    return [_value(part) for part in parts] if len(parts) > 1 else parts[0]


def _section(name: str, values: Mapping[str, Any]) -> str:
    """Return the section of a setting that is named by its last part alone."""
    top = set(Study.model_fields) - {"trial", "world", "models", "sweep", "example"}
    world = world_settings(str(values.get("world", {}).get("kind", "flags")))
    for section, names in (("trial", Trial.model_fields), ("$", top), ("world", world)):
        if name in names:
            return section
    among = [*Trial.model_fields, *sorted(top), *world]
    raise SettingError("--set", name, "a setting: " + ", ".join(among), among=among)


def _set_trial(values: dict[str, Any], name: str, value: Any) -> None:
    """Set a trial's setting everywhere.

    Where it is swept, values that the sweeps hold select among their conditions; others replace
    the axis. A list of values for a setting that is not swept makes it an axis.
    """
    several = value if isinstance(value, list) else [value]
    for block in values.get("example", []):
        if name in block:
            block[name] = several
    blocks = values.get("sweep", [])
    held = [item for block in blocks for item in block.get(name, [])]
    if several and held and all(item in held for item in several):
        for block in blocks:
            block[name] = [i for i in several if i in block.get(name, several)]
        values["sweep"] = [block for block in blocks if block[name]]
    elif held or isinstance(value, list):
        changed = [{**block, name: several} for block in blocks or [{}]]
        # Blocks that differed in this setting alone are one now.
        values["sweep"] = [block for i, block in enumerate(changed) if block not in changed[:i]]
    else:
        values.setdefault("trial", {})[name] = value


def _check_models(study: Study, declared: Mapping[str, str]) -> None:
    """Refuse names in casts that no model was ever declared for, and models that no cast names."""
    used = {name for cell in conditions(study) for name in cell.used()}
    for name in sorted(used - {*declared, *study.models}):
        expected = "a declared model: " + ", ".join(sorted({*declared, *study.models}))
        raise SettingError("$.trial.cast", name, expected)
    if study.models == DEFAULT_MODELS:
        return
    for name in sorted(set(study.models) - used):
        expected = "a model that a cast names: " + ", ".join(sorted(used))
        raise SettingError("$.models", name, expected)
