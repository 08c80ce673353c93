"""Heads and trials, the chunks that the page is given: from the server and in a file the same.

The shapes are those of viewer/src/data/types.ts.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from socialcircuits.agents import LABEL
from socialcircuits.analyses.parity import parity
from socialcircuits.errors import SettingError, SocialCircuitsError
from socialcircuits.graph import Reply
from socialcircuits.graph.vocabulary import Usage
from socialcircuits.importing import LINEAGE, imported
from socialcircuits.measures import endpoints
from socialcircuits.records import TrialSummary
from socialcircuits.records.courses import OPEN
from socialcircuits.records.digests import canonical
from socialcircuits.records.schema import reading
from socialcircuits.records.tables import WITHHELD, is_private
from socialcircuits.report.assembling import page
from socialcircuits.report.page import Place
from socialcircuits.report.words import adjusted_text
from socialcircuits.studies import Run
from socialcircuits.studies.display import typed
from socialcircuits.studies.interim import stop
from socialcircuits.viewer.frames import frames
from socialcircuits.viewer.leading import views
from socialcircuits.viewer.rebuilding import Rebuilt, identified
from socialcircuits.viewer.trials import NANO, accuracy, endpoint, rival_share, trial
from socialcircuits.viewer.withholding import before_colon, without_texts, without_words

__all__ = ["Chunks", "named", "packed"]

FORMAT = 1
"""Version of the shapes."""

Chunk = dict[str, Any]


def packed(value: object) -> str:
    """Return a value as gzipped JSON in base64; equal values give equal text.

    >>> len(packed({"answer": "Peru"}))
    52
    """
    # ASCII escapes keep texts that are no valid Unicode, which models do send.
    text = json.dumps(value, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(gzip.compress(text.encode("ascii"), 6, mtime=0)).decode("ascii")


def named(paths: Sequence[Path]) -> list[str]:
    """Return the name of each run in a page: that of its file, with a number where files in other
    folders have the same. Folders are no part of it: a page is mailed.

    >>> named([Path("a/x.db"), Path("b/x.db"), Path("y.db")])
    ['x.db', 'x.db (2)', 'y.db']
    """
    found: list[str] = []
    for path in paths:
        # A file name need not be text; no page could hold it as it is.
        plain = path.name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        name, number = plain, 1
        while name in found:
            number += 1
            name = f"{plain} ({number})"
        found.append(name)
    return found


class Chunks:
    """The chunks of one run file.

    Args:
        run: the run; not several pooled.
        name: by which the page knows it; empty: that of its file.
        first: the first run of the page, which this one is compared with; None for the first.
        published: whether the chunks leave this machine: texts of questions that may not be
            published are then withheld.

    Raises:
        SettingError: several runs are pooled.
    """

    def __init__(
        self, run: Run, name: str = "", first: Run | None = None, *, published: bool = False
    ) -> None:
        if len(run.parts) > 1:
            raise SettingError("run", str(run.path), "one run file: a page holds each by itself")
        self.run, self.name = run, name or named([run.path])[0]
        self._first, self._published = first, published
        self._rebuilt = Rebuilt(run)

    def numbers(self) -> list[int]:
        """Return the numbers of the completed trials, as they stand in the file now."""
        return [plan.number for plan in self.run.file.plans()]

    def trial(self, number: int) -> Chunk:
        """Return one completed trial; see `socialcircuits.viewer.trials.trial`.

        Raises:
            RunFileError: it is not there, or damaged.
        """
        file = self.run.file
        with reading(file.path):
            record = file.trial(number)
            found = trial(record, file, self._rebuilt, self.run.study.judge)
            withheld = self._published and is_private(record)
            return without_texts(found) if withheld else found

    def prompt(self, number: int, step: int) -> Chunk | None:
        """Return the prompt of the last attempt of a step, by its place in the columns of its
        trial, with what came at each attempt and what it took; None where there is no such step,
        or its mind reads no prompt."""
        file = self.run.file
        with reading(file.path):
            record = file.trial(number)
            steps = list(record.outcomes)
            if not 0 <= step < len(steps):
                return None
            tried = [one for one in record.attempts if one.step == steps[step]]
            last = tried[-1]
            segments = [
                {
                    "role": segment.role,
                    "text": segment.data.decode("utf-8", "surrogatepass")
                    if segment.kind == "text"
                    else f"(picture, {len(segment.data):,} bytes)",
                }
                for segment in file.prompt(last)
            ]
            if not segments:
                return None
            attempts = [_attempt(one.reply) for one in tried]
            return {"key": last.key.hex(), "segments": segments, "attempts": attempts}

    def head(self) -> Chunk:
        """Return the head of the run: what it is, a row a completed trial, and the tables of its
        analyses (`socialcircuits.viewer.frames`). The numbers of a report are those of a run that
        is through: until then there are none."""
        run, study = self.run, self.run.study
        trials, counts = self._trials(), run.trials()
        missing = counts["planned"] - counts["completed"] - counts["failed"]
        unfinished = missing > 0 and stop(run.file) is None
        cells = run.plan.cells
        return {
            "format": FORMAT,
            "run": self.name,
            "file": typed(run.path.name),
            "study": study.name,
            "about": study.about,
            "label": f"{run.label}; {study.about}" if imported(run.file) else run.label,
            "simulated": LABEL in run.label,
            "world": str(study.world.get("kind", "flags")),
            "protocols": list(dict.fromkeys(cell.trial.protocol for cell in cells)),
            "digests": run.digests(),
            "unfinished": unfinished,
            "counts": {**counts, **run.calls()},
            "costUsd": run.spent().cost / NANO,
            "settings": self._settings(),
            "axes": list(dict.fromkeys(axis for cell in cells for axis in cell.condition)),
            **trials,
            "failures": self._failures(),
            "thresholds": {
                "consensus": float(endpoints.CONSENSUS),
                "polarization": float(endpoints.POLAR),
            },
            "frames": frames(run, self._first),
            "printed": [] if unfinished else self._printed(),
            "parity": self._parity(),
            "judges": list(run.judging()),
        }

    @cached_property
    def _summaries(self) -> dict[int, TrialSummary]:
        """Number of each completed trial -> what measures see of it."""
        run, judge = self.run, self.run.study.judge
        examples = [record.summary(judge) for record in run.examples()]
        found = [*run.summaries(), *run.alone(), *examples]
        return {one.trial: one for one in sorted(found, key=lambda one: one.trial)}

    def _trials(self) -> Chunk:
        found, plans = self._summaries, {p.number: p for p in self.run.file.plans()}
        sizes = {identified(one.plan): one.cell.trial.N for one in self.run.plan.trials}
        conditions: dict[str, Mapping[str, Any]] = {}
        rows = []
        for number, one in found.items():
            plan = plans[number]
            key = canonical(dict(plan.condition))
            conditions.setdefault(key, plan.condition)
            rows.append(
                {
                    "number": number,
                    "condition": list(conditions).index(key),
                    "seed": plan.seed,
                    "role": plan.role,
                    "item": str(one.facts.get("item", "")),
                    "truth": WITHHELD if self._withheld(one) else one.truth,
                    "agents": one.facts.get(LINEAGE, {}).get("seats")
                    or sizes.get(identified(plan), one.bearers),
                    "rounds": one.rounds,
                    "endpoint": endpoint(one),
                    "accuracy": accuracy(one),
                    "rival": rival_share(one),
                    "calls": one.asked,
                    "invalid": one.invalid,
                }
            )
        columns = {name: [row[name] for row in rows] for name in _COLUMNS}
        return {"conditions": [dict(one) for one in conditions.values()], "trials": columns}

    def _withheld(self, trial: TrialSummary) -> bool:
        return self._published and trial.facts.get("shareable", True) is not True

    @cached_property
    def _private(self) -> bool:
        """Whether any text is withheld; also where no trial says that it need not be."""
        open_ended = self.run.study.world.get("kind") in OPEN
        found = self._summaries.values()
        return any(map(self._withheld, found)) or (self._published and open_ended and not found)

    def _settings(self) -> Any:
        settings = self.run.study.model_dump(mode="json")
        if self._published:
            # Where a file lay on this machine is nobody's business.
            world = settings["world"]
            settings["world"] = {name: _file_alone(value) for name, value in world.items()}
        return without_words(settings) if self._private else settings

    def _failures(self) -> list[Chunk]:
        found = [(plan.number, why) for plan, why in self.run.failures()]
        return [
            {"number": number, "why": before_colon(why) if self._private else why}
            for number, why in found
        ]

    def _printed(self) -> list[Chunk]:
        """The numbers of the report, with the numbers of the trials that they rest on, and the
        views that show them."""
        run, report = self.run, page(self.run)
        titles = {block.name: one.title for one in report.sections for block in one.blocks}
        return [
            {
                "id": name,
                "section": titles.get(place.block, ""),
                "row": self._row(place),
                "name": number.name,
                "text": number.text,
                "interval": number.interval,
                "n": number.n,
                "unit": number.unit,
                "adjusted": "" if number.adjusted is None else adjusted_text(number.adjusted),
                "trials": sorted({run.place(one)[1] for one in number.trail.trials}),
                "views": views(place.block, number),
            }
            for name, place, number in report.numbers()
        ]

    def _row(self, place: Place) -> str:
        # Why a trial failed may quote the reply that was at fault.
        quotes = self._private and place.block == "failures"
        return before_colon(place.row) if quotes else place.row

    def _parity(self) -> Chunk | None:
        """What agents were told; None where the run does not say."""
        try:
            return parity(self.run).as_json()
        except SocialCircuitsError:
            return None


def _attempt(reply: Reply) -> Chunk:
    """The reply as it came, and what it took."""
    usage = reply.usage or Usage()
    return {
        "text": reply.text,
        "valid": reply.valid,
        "why": reply.why,
        "prompt": usage.prompt,
        "completion": usage.completion,
        "costUsd": usage.cost / NANO,
    }


def _file_alone(value: Any) -> Any:
    return Path(value).name if isinstance(value, str) and Path(value).is_absolute() else value


_COLUMNS = (
    "number", "condition", "seed", "role", "item", "truth", "agents", "rounds", "endpoint",
    "accuracy", "rival", "calls", "invalid",
)  # fmt: skip
