"""From what was typed to a study, and to the run whose replies it takes over."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from socialcircuits.checking import checked
from socialcircuits.errors import RunFileError, SettingError
from socialcircuits.records import RunFile
from socialcircuits.records.digests import canonical, differences, identity
from socialcircuits.seeds import digest
from socialcircuits.studies.interim import stop
from socialcircuits.studies.planning import plan
from socialcircuits.studies.reading import read
from socialcircuits.studies.study import Study

REPLAY = "replay/"
"""A model name that starts so replays the run whose path follows."""


def prepare(
    source: str,
    models: Mapping[str, str],
    *,
    sets: Sequence[str] = (),
    seeds: int | None = None,
    seed: int | None = None,
    judge: str | None = None,
) -> tuple[Study, Path | None]:
    """Return the resolved study and, for a replay, the run whose replies are used.

    Args:
        source: a preset or a TOML file.
        models: name in casts -> model; ``replay/RUN`` for A takes all models from that run,
            and its judge where none is given.
        sets: changes as ``path=value``.
        seeds: replicates a condition.
        seed: the study seed.
        judge: the model that judges.

    Raises:
        SettingError: something is unknown or not allowed.
        RunFileError: the run to be replayed holds another study, or not all of its trials.
    """
    replayed = {m.removeprefix(REPLAY) for m in models.values() if m.startswith(REPLAY)}
    if not replayed:
        return read(source, sets=sets, models=models, seeds=seeds, seed=seed, judge=judge), None
    if len(models) > 1:
        raise SettingError("--model", dict(models), "replay/RUN alone: it takes all models of RUN")
    origin = Path(replayed.pop())
    with RunFile(origin) as recorded:
        original = recorded.study
        held = {identity(p.condition, p.seed, p.role) for p in recorded.plans()}
        last = stop(recorded)
    given = judge or original["judge"]
    study = read(source, sets=sets, models=original["models"], seeds=seeds, seed=seed, judge=given)
    if (
        judge is None
        and seeds is None
        and seed is None
        and not sets
        and study.name == original["name"]
    ):
        study = checked(Study, original, "$")
    _check_origin(origin, original, held, study, last)
    return study, origin


def _check_origin(
    origin: Path,
    original: Mapping[str, Any],
    held: Collection[str],
    study: Study,
    last: int | None,
) -> None:
    """Refuse a replay that would meet a step which the original run does not hold."""
    now = study.model_dump(mode="json")
    for part in ("seed", "world", "trial", "models"):
        changes = "; ".join(differences(f"$.{part}", original[part], now[part]))
        if original[part] != now[part]:
            raise RunFileError(f"{origin} holds another study ({changes}); it cannot be replayed")
    laid = plan(study)
    # Which trials on items follow their strata is known when those are read.
    needed = laid.strata or laid.groups
    if last is not None and all(original[part] == now[part] for part in ("looks", "seeds")):
        # It will stop where the original did.
        needed = tuple(group for group in needed if group.seed <= last)
    for trial in (trial for group in needed for trial in group.trials):
        name = identity(trial.plan.condition, trial.plan.seed, trial.plan.role)
        if name not in held:
            raise RunFileError(f"{origin} holds no completed trial {name}; it cannot be replayed")


def default_path(study: Study, origin: Path | None = None) -> Path:
    """Return where a run goes when nothing is said: a name of its own for each study."""
    mark = digest(canonical(study.model_dump(mode="json"))).hex()[:8]
    stem = study.name.removesuffix(".toml").replace("/", "-")
    return Path("runs") / f"{stem}-{mark}{'-replay' if origin else ''}.db"
