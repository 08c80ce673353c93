"""Tables of crops and patches: whose evidence says what, and what it does."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from socialcircuits.analyses.attribution import Attribution
from socialcircuits.analyses.ranking import Contest, Ranked, Ranking, rank
from socialcircuits.measures import rivalry
from socialcircuits.records.digests import canonical
from socialcircuits.statistics import Estimate
from socialcircuits.studies.study import INTERVENTION
from socialcircuits.viewer.framing.analysed import Analysed
from socialcircuits.viewer.rebuilding import identified
from socialcircuits.viewer.tables import Frame, framed
from socialcircuits.viewer.trials import accuracy

Row = dict[str, Any]

_TWO_WAY = "two-way"


def evidence_share(found: Analysed) -> Frame | None:
    """What two-way probes of each crop say."""
    rows = []
    for one in found.summaries:
        for crop, tally in enumerate(one.probed.get(_TWO_WAY, ())):
            share = rivalry.MEASURE.value(replace(one, probed={_TWO_WAY: (tally,)}))
            valid = sum(weight for answer, weight in tally.items() if answer is not None)
            rows.append({"trial": one.trial, "crop": crop, "rival_share": share, "n": float(valid)})
    note = (
        "A crop, by its place among the seats of the trial that bear evidence, from 0: the share "
        "of the n valid isolated probes between truth and rival that chose the rival."
    )
    return framed("Evidence", note, rows)


def patches(found: Analysed) -> Frame | None:
    """Each trial with an intervention beside the one that it changes."""
    run, done = found.run, {identified(plan): plan.number for plan in found.run.file.plans()}
    by_number = {one.trial: one for one in found.summaries}
    rows = []
    for planned in run.plan.trials:
        base = run.plan.bases.get(planned.plan.number)
        if base is None:
            continue
        after, before = (
            by_number.get(done.get(identified(one), -1)) for one in (planned.plan, base)
        )
        if after is None or before is None:
            continue
        one, two = accuracy(before), accuracy(after)
        rows.append(
            {
                **after.condition,
                "trial": after.trial,
                "base": before.trial,
                "seed": after.seed,
                "patched": _patched(found, before.trial, after.trial),
                "before": one,
                "after": two,
                "change": None if one is None or two is None else two - one,
            }
        )
    note = (
        "A trial with an intervention beside the trial that it changes: keys of the seats that "
        "see something else, and the group's accuracy before and after. One trial has no interval."
    )
    return framed("Patches", note, rows, list(dict.fromkeys((*found.axes, INTERVENTION))))


def _patched(found: Analysed, before: int, after: int) -> str:
    """The keys of the seats that see something else."""
    one, two = (found.run.file.trial(number) for number in (before, after))
    shown = zip(two.graph.seats, one.provided.evidence, two.provided.evidence, strict=False)
    return " ".join(seat.key for seat, old, new in shown if old != new)


def attribution(found: Analysed) -> Frame | None:
    """The agents of each schedule of which all patches and probes are held."""
    rows = []
    for one in found.attributions:
        named = {"trial": one.trial, "seed": one.seed, "view": one.view}
        probes = "exact" if one.probes is None else one.probes
        rows += [{**_settings(found, one), **named, "probes": probes, **row} for row in one.rows()]
    note = (
        "An agent of a schedule: accuracy gain dp, mean arrival time D, closeness E, predicted "
        "influence S = dp x E, and the change dA of the group's accuracy when it alone is patched. "
        "Ranks count from the largest, 1. One game each: no interval."
    )
    return framed("Which agent matters", note, rows, found.axes)


def ranks(found: Analysed) -> Frame | None:
    """How predictors of influence rank agents."""
    rows = [
        {**settings, **_ranking(pooled, one)}
        for settings, pooled in _pooled(found)
        for one in pooled.rankings
    ]
    note = (
        "A predictor of dA over schedules: Spearman's coefficient within equal dp (within), of all "
        "agents (overall), two-sided p; its mean over schedules (each) and how often its first "
        "agent is that of dA (hits), with 95 % intervals. chance: hits of a random agent."
    )
    return framed("Predicted and measured ranks", note, rows, found.axes)


def contests(found: Analysed) -> Frame | None:
    """S against each other predictor."""
    rows = [
        {**settings, **_contest(one)}
        for settings, pooled in _pooled(found)
        for one in pooled.contests
    ]
    note = (
        "S less another predictor on the same schedules: rank agreement within equal dp (each) and "
        "hits, with 95 % intervals and sign-flip p."
    )
    return framed("S against other predictors", note, rows, found.axes)


def _pooled(found: Analysed) -> list[tuple[Row, Ranked]]:
    groups: dict[str, tuple[Row, list[Attribution]]] = {}
    for one in found.attributions:
        settings = _settings(found, one)
        groups.setdefault(canonical(settings), (settings, []))[1].append(one)
    return [(settings, rank(several)) for settings, several in groups.values()]


def _settings(found: Analysed, one: Attribution) -> Row:
    """The swept settings of an attributed trial, which has no intervention."""
    own = next(trial for trial in found.summaries if trial.trial == one.trial)
    return {name: value for name, value in own.condition.items() if name != INTERVENTION}


def _ranking(pooled: Ranked, one: Ranking) -> Row:
    return {
        "predictor": one.predictor,
        "schedules": pooled.schedules,
        "undecided": pooled.undecided,
        "chance": pooled.chance,
        "within": one.within.spearman,
        "within_tau": one.within.kendall,
        "within_p": one.within.p_two_sided,
        "overall": one.overall.spearman,
        "overall_p": one.overall.p_two_sided,
        **_ends("each", one.each),
        **_ends("hits", one.hits),
    }


def _contest(one: Contest) -> Row:
    return {
        "other": one.other,
        **_ends("each", one.each),
        "each_p": one.each_p,
        **_ends("hits", one.hits),
        "hits_p": one.hits_p,
    }


def _ends(name: str, found: Estimate) -> Row:
    return {
        name: found.value,
        f"{name}_low": found.low,
        f"{name}_high": found.high,
        f"{name}_n": found.n,
    }
