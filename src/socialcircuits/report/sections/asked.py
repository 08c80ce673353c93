"""What was asked: the study in its settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from socialcircuits.importing import Imported, imported
from socialcircuits.report.numbers import Trials
from socialcircuits.report.page import Block, Head, Row, Table
from socialcircuits.report.words import plain, setting
from socialcircuits.studies import Run
from socialcircuits.studies.study import Study

HEADS = (Head("setting", "setting"), Head("value", "value"))


def blocks(run: Run, trials: Trials) -> Iterator[Block]:
    """Yield the settings that make the study: what is swept, and what differs from the defaults."""
    found = imported(run.file)
    named, caption = _settings(run), "All other settings have their defaults."
    if found is not None:
        named, caption = _elsewhere(run, found), "Nothing of it was asked or chosen here."
    rows = (Row(name, (name, value)) for name, value in named if value)
    yield Table("asked", caption, HEADS, tuple(rows))


def _elsewhere(run: Run, found: Imported) -> Iterator[tuple[str, str]]:
    yield "imported from", found.source
    yield "conversations", f"{found.conversations:,}"
    yield "messages", f"{found.messages:,}; readers known of {found.known:,}"
    yield "models", ", ".join(run.study.models.values())
    yield "judge", run.study.judge if run.judging() else ""


def _settings(run: Run) -> Iterator[tuple[str, str]]:
    study = run.study
    yield "world", _listed(study.world)
    for number, block in enumerate(study.sweep, 1):
        name = "conditions" if len(study.sweep) == 1 else f"conditions {number}"
        yield name, "; ".join(f"{axis} {_values(values)}" for axis, values in block.items())
    yield "in all", _listed(study.trial.model_dump(exclude_defaults=True))
    yield "seeds", "; and ".join(_seeds(part.study) for part in run.parts)
    yield "fewer seeds", _listed({f"N = {size}": n for size, n in study.allocation.items()})
    yield "models", _listed(study.models)
    yield "interventions", ", ".join(study.interventions)
    yield "items kept", "of middle difficulty for the honest models alone" if study.strata else ""
    yield "judge", study.judge if run.judging() else ""
    yield "contrast", f"largest less smallest {study.contrast}" if study.contrast else ""
    yield "declared tests", ", ".join(map(plain, study.family))
    if study.looks:
        measure = plain(study.looks.measure)
        yield "declared looks", f"{study.looks.number} at {measure} over {study.looks.axis}"


def _seeds(study: Study) -> str:
    return f"{study.seeds} a condition, from {study.first}; study seed {study.seed}"


def _listed(values: Mapping[str, Any], between: str = " ") -> str:
    return ", ".join(
        f"{name} ({_listed(value, ': ')})"
        if isinstance(value, dict)
        else f"{name}{between}{setting(value)}"
        for name, value in values.items()
    )


def _values(values: list[Any]) -> str:
    return ", ".join(map(setting, values))
