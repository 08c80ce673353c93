"""Tables of estimates: of every study, of groups, and of planted memories."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from socialcircuits.analyses.deltas import RUN, deltas
from socialcircuits.errors import RunFileError
from socialcircuits.measures import CATALOGUE, endpoints, memory_conflict
from socialcircuits.measures import effects as changes
from socialcircuits.measures.hidden_belief import CONTRASTED
from socialcircuits.records.digests import canonical
from socialcircuits.studies.study import INTERVENTION
from socialcircuits.viewer.framing.analysed import Analysed
from socialcircuits.viewer.tables import Frame, framed

INTERVAL = "value with its 95 % interval low to high; n counts the units of evidence"
DIFFERENCE = f"A difference on matched units: {INTERVAL}; p of the named test."
DEFENCE = "defence"
CLASSES = ("correct_consensus", "wrong_consensus", "polarization", "fragmentation")

_PART = ("measure", "value", "low", "high", "n", "method", "p", "test")


def estimates(found: Analysed) -> Frame | None:
    """Every estimate of the run."""
    note = (
        f"A measure in a condition: {INTERVAL}; levels say what was planned, completed and left "
        "out. Where minus is not empty, the difference from that setting on matched seeds."
    )
    return framed("Estimates", note, found.estimates, found.axes)


def measures(found: Analysed) -> Frame | None:
    """What the measures of the run are."""
    used = {row["measure"] for row in found.estimates}
    rows = [
        {"measure": one.name, "title": one.title, "definition": one.definition}
        for one in CATALOGUE
        if one.name in used
    ]
    return framed("Measures", "A measure that has an estimate, and what is counted.", rows)


def slice_(found: Analysed) -> Frame | None:
    """Classes of endings beside the measured rival share, a row a condition."""
    rows: dict[str, dict[str, Any]] = {}
    for row in found.levels:
        settings = {axis: row[axis] for axis in found.axes}
        plain = {"N": found.run.study.trial.N, **settings}
        own = rows.setdefault(canonical(settings), plain)
        if row["measure"] in CLASSES:
            own |= {"n": row["n"], **_named(row, row["measure"], "")}
        elif row["measure"] == "rival_share":
            own |= {**_named(row, "rival_share", "rival"), "rival_n": row["n"]}
    kept = [row for row in rows.values() if CLASSES[0] in row]
    note = (
        "A condition of a population: the share of trials that end in each class, over n seeds, "
        "and the mean rival evidence share of those in which crops were probed so; 95 % intervals."
    )
    return framed(
        "Classes and evidence", note, kept, ["N", *(axis for axis in found.axes if axis != "N")]
    )


def _named(row: Mapping[str, Any], name: str, short: str) -> dict[str, Any]:
    ends = short or name
    return {name: row["value"], f"{ends}_low": row["low"], f"{ends}_high": row["high"]}


def thresholds(found: Analysed) -> Frame | None:
    """Shares of the classes under each pair of thresholds, where the study asks for it."""
    rows = [row for sweep in found.run.thresholds() for row in sweep.rows()]
    note = (
        f"A class of endings under one of {len(endpoints.PAIRS)} pairs of thresholds: a "
        "sensitivity, not an uncertainty. Trials of groups only."
    )
    return framed("Thresholds", note, rows, found.axes)


def ladders(found: Analysed) -> Frame | None:
    """The classes of answers to planted memories, rung by rung."""
    classes = {one.name: one.name.removesuffix("_share") for one in memory_conflict.MEASURES}
    rows = []
    for row in found.levels:
        if row["measure"] in classes:
            settings = {axis: row[axis] for axis in found.axes}
            rung = {"lures": found.run.study.trial.lures, **settings}
            ends = {name: row[name] for name in ("value", "low", "high", "n")}
            rows.append({**rung, "class": classes[row["measure"]], **ends})
    note = (
        "A class of answer at one rung, the number of planted entries that name the lure: its "
        "share over n seeds with its 95 % interval. The five shares of a rung add up to 1."
    )
    return framed("Memory ladders", note, rows, found.axes)


def yields(found: Analysed) -> Frame | None:
    """Where agents go over to a planted memory."""
    names = {"yield_point", "yielded"}
    kept = (*(axis for axis in found.axes if axis != "lures"), *_PART[:6])
    rows = [{name: row[name] for name in kept} for row in found.levels if row["measure"] in names]
    note = (
        "The number of entries for the lure at which an agent goes over to it, and the share that "
        f"has done so when all name it: {INTERVAL}. Seeds with an invalid answer are left out."
    )
    return framed("Yield points", note, rows, found.axes)


def _part(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: row[name] for name in _PART if name in row}


def effects(found: Analysed) -> Frame | None:
    """What interventions change."""
    rows = [
        {**{axis: row[axis] for axis in found.axes}, **_part(row)}
        for row in found.less(INTERVENTION)
    ]
    return framed(
        "Effects of interventions", f"With it less without. {DIFFERENCE}", rows, found.axes
    )


def defences(found: Analysed) -> Frame | None:
    """What defences change in chatrooms."""
    if DEFENCE not in found.axes:
        return None
    each = [row.as_json() for row in changes(found.summaries, DEFENCE, CONTRASTED)]
    rows = [{**_settings(row), **_part(row)} for row in each if row["n"]]
    return framed("Defences", f"With it less without any. {DIFFERENCE}", rows, found.axes)


def _settings(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row["condition"].items() if name not in {RUN, "minus"}}


def strata(found: Analysed) -> Frame | None:
    """How hard the items are for each model alone."""
    rows = [row for one in found.run.strata() for row in one.rows()]
    note = (
        "A model and how many of four isolated answers to an item are right: the number of such "
        "items, and whether they are kept."
    )
    return framed("Strata", note, rows, found.axes)


def differences(found: Analysed) -> Frame | None:
    """What differs from the first run of the page, on matched seeds."""
    if found.first is None:
        return None
    try:
        each = [row.as_json() for row in deltas(found.first, found.run)]
    except RunFileError:
        # Runs of other seeds, worlds or conditions stand beside each other without a difference.
        return None
    rows = [{**_settings(row), **_part(row)} for row in each]
    note = f"This run less the first one of the page. {DIFFERENCE} They are no declared tests."
    return framed("Differences between runs", note, rows, found.axes)
