"""A run: start one, open one, and take its tables and estimates."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from socialcircuits.agents import LABEL, SIMULATED, Access
from socialcircuits.errors import RunFileError, SettingError
from socialcircuits.measures import (
    Row,
    arms,
    contrasts,
    effects,
    estimate,
    robustness,
    yields,
)
from socialcircuits.measures.endpoints import ThresholdSweep
from socialcircuits.records import RunFile, TrialPlan, TrialRecord, TrialSummary
from socialcircuits.records.digests import canonical
from socialcircuits.records.tables import TABLES, table
from socialcircuits.records.trial import Spent
from socialcircuits.seeds import digest
from socialcircuits.studies import strata
from socialcircuits.studies.counting import targets_left_out
from socialcircuits.studies.display import shown
from socialcircuits.studies.execution import Execution, execute
from socialcircuits.studies.looks import peeked
from socialcircuits.studies.planning import plan
from socialcircuits.studies.pooling import Part, check, mixture, offsets, planned
from socialcircuits.studies.preparing import default_path, prepare
from socialcircuits.studies.strata import Strata
from socialcircuits.studies.told import prompt_digest, recall

if TYPE_CHECKING:
    import pandas as pd


class Run:
    """A run file with its study, tables and estimates; or several, pooled.

    Args:
        path: the run file.
        more: run files of the same study with other seeds, whose trials count with those of the
            first: estimates and counts are those of all, examples those of the first.
        mixed: pool them even where their agents were told different things.

    Attributes:
        path: the first run file.
        study: its study.
        plan: its plan.
        parts: all runs.
        mixed: where their agents were told different things; empty where they were told the same.

    Raises:
        RunFileError: a file is missing, damaged, or no run file of this version; or the runs differ
            in more than seeds, two hold the same trial, or their agents were told different things.
    """

    def __init__(self, path: str | Path, *more: str | Path, mixed: bool = False) -> None:
        with ExitStack() as opened:
            files = [opened.enter_context(RunFile(name)) for name in (path, *more)]
            self.parts = tuple(Part.of(file) for file in files)
            check(self.parts)
            self.mixed = mixture(self.parts)
            if self.mixed and not mixed:
                raise RunFileError(
                    f"not pooled: {self.mixed}; mixed (--mixed) pools them all the same"
                )
            self._close = opened.pop_all().close
        self._file, self.study, self.plan = self.parts[0]
        self.path = self._file.path
        self._offsets = offsets(self.parts)
        self._summaries: dict[tuple[Path, int], TrialSummary] = {}
        self._places: dict[int, tuple[Path, int]] = {}
        self._only: frozenset[tuple[Path, int]] | None = None
        self._rows: tuple[int, list[Row]] = (-1, [])

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def __repr__(self) -> str:
        trials = self.trials()
        done, planned, more = trials["completed"], trials["planned"], len(self.parts) - 1
        others = f" and {more} more" if more else ""
        return f"<Run {self.path}{others}: {self.study.name}, {done} of {planned} trials>"

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return shown(self.study, self.label, self.trials(), self.rows())

    def close(self) -> None:
        """Close the run files."""
        self._close()

    @property
    def file(self) -> RunFile:
        """The record itself; of pooled runs, the first."""
        return self._file

    @property
    def label(self) -> str:
        """What kind of agents sat in the seats; stands on every table and figure."""
        models = sorted(set(self.study.models.values()))
        real = [model for model in models if not model.startswith(f"{SIMULATED}/")]
        parts = [LABEL] if len(real) < len(models) else []
        return "; ".join([*parts, *(["models: " + ", ".join(real)] if real else [])])

    def digests(self) -> dict[str, str]:
        """Return the run, labels and public digests (hex); of pooled runs, digests of
        theirs in whatever order."""
        found = [part.file.digests() for part in self.parts]
        if len(found) == 1:
            return found[0]
        return {name: digest(*sorted(one[name] for one in found)).hex() for name in found[0]}

    def told(self) -> list[str]:
        """Return the prompt digests (hex): one, or several where agents of pooled runs were
        told different things; none for simulated agents, who read no prompts."""
        found = [recall(part.file) for part in self.parts]
        return list(dict.fromkeys(prompt_digest(told) for told in found if told is not None))

    def calls(self) -> dict[str, int]:
        """Count the replies: made, repeated, reused, invalid, voided; see `RunFile.calls`."""
        return _sums([part.file.calls() for part in self.parts])

    def spent(self) -> Spent:
        """Add up the tokens and the cost of all replies that were asked for."""
        return Spent(*map(sum, zip(*(part.file.spent() for part in self.parts), strict=True)))

    def judging(self) -> dict[str, dict[str, int]]:
        """Count what each judge was asked and said; see `RunFile.judging`."""
        found = [part.file.judging() for part in self.parts]
        judges = sorted({judge for one in found for judge in one})
        return {judge: _sums([one[judge] for one in found if judge in one]) for judge in judges}

    def failures(self) -> list[tuple[TrialPlan, str]]:
        """Return the failed trials with the reason of each."""
        return [failure for part in self.parts for failure in part.file.failures()]

    def examples(self) -> list[TrialRecord]:
        """Return the completed trials that enter no estimate."""
        plans = [p for p in self._file.plans() if p.role == "example"]
        return [self._file.trial(p.number) for p in plans]

    def summaries(self) -> list[TrialSummary]:
        """Return the completed trials that enter estimates, each with its last readout only, which
        is all that estimates read; `file.trial(number).summary()` holds the others too."""
        return [
            self._last(file, p.number, offset)
            for (file, _, _), offset in zip(self.parts, self._offsets, strict=True)
            for p in file.plans()
            if p.role == "estimate" and (self._only is None or (file.path, p.number) in self._only)
        ]

    def alone(self) -> list[TrialSummary]:
        """Return the completed trials in which models answer alone to choose the items; they enter
        no estimate, and are the same whatever `only` keeps."""
        return [
            self._last(file, p.number, offset)
            for (file, _, _), offset in zip(self.parts, self._offsets, strict=True)
            for p in file.plans()
            if p.role == "stratum"
        ]

    def place(self, summary: TrialSummary) -> tuple[Path, int]:
        """Return the file and the number of the trial of one of this run's summaries.

        Raises:
            KeyError: it is none of this run's.
        """
        return self._places[id(summary)]

    def record(self, summary: TrialSummary) -> TrialRecord:
        """Return the record of the trial of one of this run's summaries.

        Raises:
            KeyError: it is none of this run's.
        """
        path, number = self.place(summary)
        return next(part.file for part in self.parts if part.file.path == path).trial(number)

    def only(self, kept: Collection[tuple[Path, int]]) -> Run:
        """Return this run as if, of the trials that enter estimates, only these were completed.

        Counts of trials, replies and cost stay those of the whole run.

        Args:
            kept: file and number of each, as `place` gives them.
        """
        part = copy(self)
        part._only, part._rows = frozenset(kept), (-1, [])  # noqa: SLF001 - of its own kind
        return part

    def _last(self, file: RunFile, number: int, offset: int) -> TrialSummary:
        # A completed trial does not change any more.
        if (file.path, number) not in self._summaries:
            summary = file.trial(number).summary(self.study.judge)
            last = max(summary.readouts, default=None)
            kept = {} if last is None else {last: summary.readouts[last]}
            found = replace(summary, readouts=kept, seed=summary.seed + offset)
            self._summaries[file.path, number] = found
            self._places[id(found)] = (file.path, number)
        return self._summaries[file.path, number]

    def rows(self) -> list[Row]:
        """Return all estimates: each measure in each condition, then the study's contrasts, the
        effects of interventions and of recorded guests, and where agents yield to a planted memory.

        Of a run that is not finished this is a look at it, which is noted beside its file."""
        for part in self.parts:
            peeked(part)
        summaries = self.summaries()
        # What is completed does not change: with as many trials as before, the rows are as before.
        if self._rows[0] != len(summaries):
            rows = estimate(summaries, planned(self.parts))
            sizes = {c.condition.get(self.study.contrast) for c in self.plan.cells}
            if self.study.contrast and len(sizes) > 1:
                rows += contrasts(summaries, self.study.contrast)
            rows += effects(summaries) + arms(summaries) + yields(summaries)
            self._rows = (len(summaries), rows)
        return list(self._rows[1])

    def strata(self) -> list[Strata]:
        """Return how often each model alone was right on each item, and so which items are kept;
        one of each run, none where the study keeps all items."""
        if not self.study.strata:
            return []
        judge = self.study.judge
        return [strata.read(part.plan, part.file, judge) for part in self.parts]

    def thresholds(self) -> list[ThresholdSweep]:
        """Return how the endpoint classes move with their thresholds, where the study asks for it.

        A sensitivity, not an uncertainty.
        """
        return robustness(self.summaries()) if "robustness" in self.study.figures else []

    def estimates(self) -> pd.DataFrame:
        """Return all estimates as a table.

        Columns: measure; each swept setting (empty where it does not apply); minus, the
        condition that is subtracted in a contrast (JSON, empty otherwise); value, low and high
        (missing where n is 0); n, the number of units of evidence; levels (JSON); method; p, test
        and detectable, of contrasts (missing for others); warnings (JSON).
        """
        import pandas as pd

        axes = list(dict.fromkeys(axis for c in self.plan.cells for axis in c.condition))
        rows = []
        for row in self.rows():
            entry = row.as_json()
            condition = entry.pop("condition")
            minus = condition.pop("minus", None)
            entry["minus"] = canonical(minus) if minus is not None else ""
            entry["levels"] = canonical(entry["levels"])
            entry["warnings"] = canonical(entry["warnings"])
            settings = {axis: condition.get(axis, "") for axis in axes}
            rows.append({"measure": entry.pop("measure"), **settings, **entry})
        return pd.DataFrame(rows)

    def table(self, name: str) -> pd.DataFrame:
        """Return a table: trials, steps, messages, probes, labels, calls, evidence, odds or
        estimates.

        Of pooled runs it names the run of each row, but for estimates, which are those of all.

        Raises:
            SettingError: there is no such table.
        """
        if name == "estimates":
            return self.estimates()
        if name not in TABLES:
            names = [*TABLES, "estimates"]
            raise SettingError("table", name, "one of " + ", ".join(names), among=names)
        if len(self.parts) == 1:
            return table(self._file, name)
        import pandas as pd

        tables = {str(part.file.path): table(part.file, name) for part in self.parts}
        return pd.concat(tables, names=["run"]).reset_index("run").reset_index(drop=True)

    def trials(self) -> dict[str, int]:
        """Count the trials: planned, completed, failed, and excluded from estimates (examples, and
        those in which models answer alone to select the items). Trials on items that were not
        selected are not planned."""
        counts = []
        for part in self.parts:
            groups = (*part.plan.strata, *part.groups())
            trials = [one for group in groups for one in group.trials]
            statuses = part.file.statuses()
            counts.append(
                {
                    "planned": len(trials),
                    "completed": statuses.get("completed", 0),
                    "failed": statuses.get("failed", 0),
                    "excluded": sum(t.plan.role != "estimate" for t in trials),
                }
            )
        return _sums(counts)

    def as_json(self) -> dict[str, Any]:
        """Return what `run --json` prints."""
        spent = self.spent()
        return {
            "run": str(self.path),
            "pooled": [str(part.file.path) for part in self.parts[1:]],
            "mixed": self.mixed,
            "digest": self.digests()["run"],
            "told": self.told(),
            "agents": self.label,
            "trials": self.trials(),
            "calls": self.calls(),
            "tokens": {"prompt": spent.prompt, "completion": spent.completion},
            "cost_usd": spent.cost / 1e9 if spent.cost else 0,
            "dropped": [dict(condition) for condition in self.plan.dropped],
            "left_out": targets_left_out(self.plan),
            "strata": [row for one in self.strata() for row in one.rows()],
            "judging": self.judging(),
            "estimates": [row.as_json() for row in self.rows()],
            "thresholds": [row for sweep in self.thresholds() for row in sweep.rows()],
        }


def _sums(counts: Sequence[Mapping[str, int]]) -> dict[str, int]:
    return {name: sum(one[name] for one in counts) for name in counts[0]}


def run(  # noqa: PLR0913 - one keyword an option; the public way in
    study: str | Path,
    *,
    model: str | Mapping[str, str] | None = None,
    out: str | Path | None = None,
    seeds: int | None = None,
    seed: int | None = None,
    settings: Mapping[str, Any] | None = None,
    judge: str | None = None,
    access: Access | None = None,
) -> Run:
    """Run a study, or go on with it where its run file exists, and return the run.

    Args:
        study: a preset, for example ``flag-game/population``, or a TOML file.
        model: the model A, or a mapping of names in casts to models.
        out: the run file; by default one in ``runs/`` named after the study.
        seeds: replicates a condition.
        seed: the study seed, by default 1.
        settings: changes, for example ``{"N": [4, 16], "m": 1}``.
        judge: the model that judges; by default ``rules``, which asks no model.
        access: how real models are reached, and the limits on calls and cost.

    Raises:
        SettingError: something is unknown or not allowed; nothing has been run then.
        RunFileError: the run file cannot be used.
    """
    study = str(study)
    models = {"A": model} if isinstance(model, str) else dict(model or {})
    sets = [f"{name}={_toml(value)}" for name, value in (settings or {}).items()]
    resolved, origin = prepare(study, models, sets=sets, seeds=seeds, seed=seed, judge=judge)
    access = access or Access()
    resolved = resolved.model_copy(update={"models": access.deployed(resolved.models)})
    path = Path(out) if out else default_path(resolved, origin)
    execute(plan(resolved), path, Execution(origin=origin, access=access))
    return Run(path)


def _toml(value: Any) -> str:
    if hasattr(value, "tolist"):  # numbers and arrays of numpy
        value = value.tolist()
    if isinstance(value, Path):
        value = str(value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name} = {_toml(item)}" for name, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    try:
        return canonical(value)
    except (TypeError, ValueError):
        raise SettingError("settings", value, "numbers, texts, lists and tables") from None
