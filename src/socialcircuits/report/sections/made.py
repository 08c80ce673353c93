"""How a run was made, and how it is made again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from socialcircuits.errors import SocialCircuitsError
from socialcircuits.records.digests import canonical
from socialcircuits.report.numbers import Trials
from socialcircuits.report.page import Block, Head, Line, Row, Table
from socialcircuits.studies import Run, Study, presets, read
from socialcircuits.studies.display import typed
from socialcircuits.studies.pooling import Part
from socialcircuits.studies.study import IMPORT

FILE = "study.toml"
"""The name that the text of a study is to be given."""


def blocks(run: Run, trials: Trials) -> Iterator[Block]:
    """Yield versions, digests and seeds, and the commands that give the same again."""
    yield _versions(run)
    for part in run.parts:
        if part.study.name.startswith(IMPORT):
            continue
        words = again(part.study)
        yield Line("", (f"Again: {words}",))
        if FILE in words:
            yield Line("", (f"{FILE}:",))
            yield Line("", (toml(part.study),))
        if any(not model.startswith("simulated/") for model in part.study.models.values()):
            source = part.study.name if part.study.name in presets() else FILE
            recorded = typed(f"replay/{part.file.path}")
            replay = f"socialcircuits run {source} --model {recorded}"
            yield Line("", (f"From the record, asking nobody: {replay}",))


def _versions(run: Run) -> Table:
    rows, several = [], len(run.parts) > 1
    for part in run.parts:
        of = f"{part.file.path}: " if several else ""
        rows += [Row(of + what, (of + what, value)) for what, value in _made(part)]
    if several:
        what = "run digest of all"
        rows.append(Row(what, (what, run.digests()["run"])))
    heads = (Head("what", "what"), Head("value", "value"))
    return Table("made", "Versions and digests of the record.", heads, tuple(rows))


def _made(part: Part) -> Iterator[tuple[str, str]]:
    notes, digests = part.file.notes, part.file.digests()
    yield "started", notes["started"]
    yield "python", notes["python"]
    yield "machine", f"{notes['system']} {notes['machine']}"
    yield "packages", ", ".join(f"{name} {version}" for name, version in notes["packages"].items())
    yield "from another run", notes["origin"] or "no"
    yield (
        "seeds",
        f"{part.study.seeds} a condition, from {part.study.first}; study seed {part.study.seed}",
    )
    yield from ((f"{name} digest", value) for name, value in digests.items())


def again(study: Study) -> str:
    """Return the command that runs a study again: of its preset with options, or of a file that
    holds `toml` of it.

    >>> again(read("flag-game/population", seeds=6))
    'socialcircuits run flag-game/population --seeds 6'
    """
    return f"socialcircuits run {_source(study)}"


def _source(study: Study) -> str:
    if study.name in presets():
        preset = read(study.name)
        words = list(_options(preset, study))
        with suppress(SocialCircuitsError):
            if _read(study.name, words) == study:
                return " ".join(map(typed, (study.name, *words)))
    return FILE


def _options(preset: Study, study: Study) -> Iterator[str]:
    """The options that may make a study of a preset; whether they do is for the caller to see."""
    old, new = preset.model_dump(mode="json"), study.model_dump(mode="json")
    if old["models"] != new["models"]:
        for name, model in new["models"].items():
            yield from ("--model", f"{name}={model}")
    for name in ("seeds", "seed", "judge"):
        if old[name] != new[name]:
            yield from (f"--{name}", str(new[name]))
    for path, value in _sets(old, new):
        yield from ("--set", f"{path}={_toml(value)}")


def _sets(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for section in ("world", "trial"):
        for name, value in new[section].items():
            if old[section].get(name) != value:
                yield f"{section}.{name}", value
    if old["sweep"] != new["sweep"]:
        yield from _axes(old["sweep"], new["sweep"])
    for name in sorted(new.keys() - _OPTIONS):
        if old[name] != new[name]:
            yield name, new[name]


_OPTIONS = {"name", "seeds", "seed", "judge", "models", "world", "trial", "sweep", "example"}
"""The parts of a study that other options set, or none does."""


def _axes(old: Sequence[Mapping[str, Any]], new: Sequence[Mapping[str, Any]]) -> Iterator[Any]:
    axes: dict[str, list[Any]] = {}
    for block in new:
        for axis, values in block.items():
            found = axes.setdefault(axis, [])
            found += [value for value in values if value not in found]
    for axis, values in axes.items():
        if not old or any(block.get(axis) != values for block in old):
            yield f"trial.{axis}", values


def _read(name: str, words: Sequence[str]) -> Study:
    given: dict[str, list[str]] = {}
    for option, value in zip(words[::2], words[1::2], strict=True):
        given.setdefault(option.removeprefix("--"), []).append(value)
    models = dict(text.split("=", 1) for text in given.pop("model", []))
    sets, judge = given.pop("set", []), given.pop("judge", [None])[0]
    numbers = {option: int(value) for option, (value,) in given.items()}
    return read(name, sets=sets, models=models, judge=judge, **numbers)


def toml(study: Study) -> str:
    """Return a study as the text of a study file; what has its default is left out.

    >>> print(toml(Study(name="mine", sweep=[{"N": [4, 8]}])))
    name = "mine"
    sweep = [{N = [4, 8]}]
    """
    values = study.model_dump(mode="json", exclude_defaults=True, exclude_none=True)
    plain = {name: value for name, value in values.items() if not isinstance(value, dict)}
    lines = [f"{_key(name)} = {_toml(value)}" for name, value in plain.items()]
    for name, value in values.items():
        if isinstance(value, dict):
            lines += ["", f"[{_key(name)}]"]
            lines += [f"{_key(own)} = {_toml(item)}" for own, item in value.items()]
    return "\n".join(lines)


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        inside = ", ".join(f"{_key(name)} = {_toml(item)}" for name, item in value.items())
        return "{" + inside + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return canonical(value)


def _key(name: str) -> str:
    bare = name.isascii() and name.replace("_", "").replace("-", "").isalnum()
    return name if bare else canonical(name)
