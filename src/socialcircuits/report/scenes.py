"""What figures show of single trials: who held what, over which crop of the flag."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from socialcircuits.figures import belief_map, evidence_share, gallery
from socialcircuits.measures import endpoints, rivalry
from socialcircuits.measures.trajectory import trajectory
from socialcircuits.records import TrialRecord
from socialcircuits.records.summary import Tally, TrialSummary
from socialcircuits.studies import Builder, Run

TELLING = ("right", "incompatible", "compatible", "invalid")
"""Kinds of answers: crops on which models differ by the first ones come first in the gallery."""


def belief_panels(run: Run) -> list[belief_map.Panel]:
    """Return a panel for each example of a run, or for each trial of its first seed."""
    trials = run.examples() or [
        run.file.trial(plan.number) for plan in run.file.plans() if plan.seed == run.study.first
    ]
    return [_panel(run, trial) for trial in trials if trial.summary().population]


def _panel(run: Run, trial: TrialRecord) -> belief_map.Panel:
    summary = trial.summary()
    counts = {a: summary.final.count(a) for a in summary.answers if a in summary.final}
    endpoint = endpoints.classify(counts, len(summary.final), summary.truth)
    wrong = {a: n for a, n in counts.items() if a != summary.truth}
    rival = max(sorted(wrong), key=wrong.__getitem__) if wrong else None
    held = zip(summary.final, trial.provided.evidence, strict=False)
    seeing = [answer for answer, seen in held if seen]
    places = _centres(trial.provided.facts)
    dots = [{**place, "answer": a} for place, a in zip(places, seeing, strict=True)]
    return belief_map.Panel(
        title=f"N = {len(summary.final)}: {endpoint.replace('_', ' ')}",
        picture=Builder(run.study).world.picture(summary.truth),
        dots=pd.DataFrame(dots),
        shares=pd.DataFrame(trajectory(summary).rows()),
        truth=summary.truth,
        rival=rival,
    )


def _centres(facts: Mapping[str, Any]) -> list[dict[str, float]]:
    """The centres of the crops that were dealt, as parts of the flag's width and height."""
    (width, height), (crop_width, crop_height) = facts["canvas"], facts["crop"]
    return [
        {"x": (x + crop_width / 2) / width, "y": (y + crop_height / 2) / height}
        for x, y in facts["positions"]
    ]


def disagreements(run: Run) -> list[gallery.Example]:
    """Return the crops on which the casts of a run of single agents disagree, the most telling
    first: where one is right and another names what the crop rules out."""
    by_seed: dict[int, list[TrialSummary]] = {}
    for summary in run.summaries():
        if "cast" in summary.condition and len(summary.guesses) == 1:
            by_seed.setdefault(summary.seed, []).append(summary)
    world = Builder(run.study).world
    found = []
    for seed in sorted(by_seed):
        told = {_name(run, one): (one.guesses[0], _kind(one)) for one in by_seed[seed]}
        if len({answer for answer, _ in told.values()}) > 1:
            one = by_seed[seed][0]
            picture = _cut(world.picture(one.truth), one.facts)
            found.append(gallery.Example(picture, one.truth, told))
    # Plain crops come again and again: each picture with its answers is shown once, then the rest.
    first: dict[object, gallery.Example] = {}
    for example in sorted(found, key=_rank):
        first.setdefault((example.picture.tobytes(), *example.answers.items()), example)
    shown = list(first.values())
    return shown + [one for one in sorted(found, key=_rank) if not any(one is s for s in shown)]


def _name(run: Run, summary: TrialSummary) -> str:
    cast = str(summary.condition["cast"])
    model = run.study.models.get(cast, "").partition("?")[0].rpartition("/")[2]
    return f"{cast} ({model})" if model else cast


def _kind(summary: TrialSummary) -> str:
    (answer,) = summary.guesses
    if answer is None:
        return "invalid"
    if answer == summary.truth:
        return "right"
    number = summary.answers.index(answer)
    return "compatible" if number in summary.facts["compatible"][0] else "incompatible"


def _rank(example: gallery.Example) -> tuple[int, ...]:
    return tuple(sorted(TELLING.index(kind) for _, kind in example.answers.values()))


def _cut(picture: Any, facts: Mapping[str, Any]) -> Any:
    (x, y), (width, height), scale = facts["positions"][0], facts["crop"], facts["scale"]
    return picture[y * scale : (y + height) * scale, x * scale : (x + width) * scale]


def probed_trial(run: Run, settings: Mapping[str, Any]) -> evidence_share.Shown | None:
    """Return the crops of one trial with what their two-way probes said: of an example, or of the
    first seed's largest group with these settings; None where nothing was probed so."""
    trials = [] if settings else run.examples()
    trials = trials or [
        run.file.trial(plan.number)
        for plan in run.file.plans()
        if plan.seed == run.study.first
        and all(plan.condition.get(name, "") == value for name, value in settings.items())
    ]
    probed = [trial for trial in trials if "two-way" in trial.summary().probed]
    if not probed:
        return None
    trial = max(probed, key=lambda one: one.summary().bearers)
    summary = trial.summary()
    tallies = summary.probed["two-way"]
    named = {answer for tally in tallies for answer in tally}
    rival = next(iter(sorted(a for a in named if a not in (None, summary.truth))), "none named")
    places = _centres(trial.provided.facts)
    rows = [{**p, **_share(tally, summary.truth)} for p, tally in zip(places, tallies, strict=True)]
    share = rivalry.MEASURE.value(summary)
    return evidence_share.Shown(
        picture=Builder(run.study).world.picture(summary.truth),
        crops=pd.DataFrame(rows),
        truth=summary.truth,
        rival=rival,
        share=None if share is None else float(share),
    )


def _share(tally: Tally, truth: str) -> dict[str, float | None]:
    valid = sum(weight for answer, weight in tally.items() if answer is not None)
    if not valid:
        return {"rival_share": None, "n": 0}
    return {"rival_share": float(1 - tally.get(truth, 0) / valid), "n": float(valid)}
