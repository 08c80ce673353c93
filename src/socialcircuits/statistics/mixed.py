"""Logistic mixed models of counts: questions differ, and so do the trials of a question.

Agents of a question move together because some questions are harder, and agents of a trial because
they read the same messages. A model without these effects takes every agent for new evidence and
rejects far too often. A fit that did not reach a maximum says so; it never gives numbers.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import optimize, special

from socialcircuits.errors import SettingError
from socialcircuits.statistics._counts import Counts, Floats, Ints, codes, read, redundant
from socialcircuits.statistics._random_effects import POINTS, Rows, log_likelihood
from socialcircuits.statistics.estimate import LEVEL, SMALLEST, Estimate, Significance
from socialcircuits.statistics.intervals import few
from socialcircuits.statistics.power import detectable

__all__ = ["LikelihoodRatio", "MixedFit", "likelihood_ratio", "logistic_mixed"]

_STARTS = ((0.8, 0.3), (0.3, 0.8), (1.6, 0.6), (0.1, 0.1))
"""Starts of the standard deviations of question and trial; at least two are used."""

_SAME = 1e-6
"""Maxima whose log likelihoods differ by less are one."""

_FLAT = 1e-9
"""The log likelihood that a maximum may still have to gain."""

_ODDS = 15.0
"""Fixed log-odds beyond this are those of a rate of 0 or 1: the maximum is at infinity."""

_WIDE = 10.0
"""A random intercept that is wider makes nearly every rate 0 or 1."""

_ZERO = 1e-3
"""Deviations below this, in log-odds, are 0."""

_NEWTON = 25
_STEP = 1e-4


@dataclass(frozen=True)
class MixedFit:
    """A logistic mixed model of counts.

    Args:
        coefficients: by name of the column, "intercept" first, change of the log-odds per 1 of the
            column, at given random effects, with Wald intervals and, those of columns, with what
            their test would have detected; without value where `why` says something. Their n is
            the number of questions. Columns are tested by `likelihood_ratio`.
        errors: their standard errors by the same names, from the second derivatives of the log
            likelihood by all parameters; empty where `why` says something.
        covariances: of the coefficients, shape (columns, columns) in their order; empty likewise.
        deviations: standard deviation in log-odds of the random intercepts, by effect; empty where
            `why` says something. It is 0 only where two starts found the likelihood highest there,
            and the method then says so.
        effects: what has random intercepts: ("question",) or ("question", "trial").
        log_likelihood: of the counts; None where `why` says something.
        data: number of "questions", of "trials" with agents, of "agents" and of "events".
        method: model, approximation and interval, in words.
        why: why there is no fit; empty where there is one.
    """

    coefficients: Mapping[str, Estimate]
    errors: Mapping[str, float]
    covariances: tuple[tuple[float, ...], ...]
    deviations: Mapping[str, float]
    effects: tuple[str, ...]
    log_likelihood: float | None
    data: Mapping[str, int]
    method: str
    why: str = ""


@dataclass(frozen=True)
class LikelihoodRatio:
    """Whether columns of a model say something that the others do not.

    Args:
        statistic: twice the gain in log likelihood, at least 0; None without two fits.
        degrees: number of columns in question.
        p: chance of a statistic at least as large without dependence; None likewise.
        why: why there is no test; empty where there is one.
    """

    statistic: float | None
    degrees: int
    p: float | None
    why: str

    @property
    def significance(self) -> Significance | None:
        """The test as it stands beside an estimate; None where there is none."""
        if self.p is None:
            return None
        return Significance(self.p, f"likelihood ratio, chi squared ({self.degrees})")


class _Groups(NamedTuple):
    """Numbers of the question and of the trial of each kept row, shape (rows,), from 0 each."""

    question: Ints
    trial: Ints

    @property
    def sizes(self) -> tuple[int, int]:
        """How many questions and trials there are."""
        return len(set(self.question.tolist())), len(set(self.trial.tolist()))


class _Top(NamedTuple):
    """A maximum: where it is, how high, and the covariance of the parameters."""

    at: Floats
    height: float
    covariance: Floats


def logistic_mixed(
    events: Sequence[int],
    sizes: Sequence[int],
    columns: Mapping[str, Sequence[float]],
    questions: Sequence[Hashable],
    *,
    trials: bool | Sequence[Hashable] = True,
) -> MixedFit:
    """Fit a logistic model to counts, with random intercepts of questions and of trials.

    Every row is one trial, nested in its question, unless the trials' labels are given: a trial may
    then have several rows, and may as well be an agent whose rows are rounds. The likelihood is
    integrated over the random intercepts: with trial effects by Laplace's approximation, without by
    adaptive Gauss-Hermite quadrature with 15 points. It is maximised from two starts, and from up
    to four until two of them agree; a maximum counts if the second derivatives are those of a
    maximum and less than 1e-9 is left to gain. There is no fit, and `why` says so, where starts do
    not agree, where all or none of the agents count, where a column is a combination of the others,
    where a rate is 0 or 1 by the columns alone (separation), where a deviation is above 10, with
    fewer than two questions, or with trial effects where each question has one trial. Rows without
    agents are left out.

    Args:
        events: shape (rows,), agents of whom it holds, from 0 to the row's size.
        sizes: shape (rows,), number of agents of the trial.
        columns: by name, shape (rows,), the fixed effects besides the intercept.
        questions: shape (rows,), labels.
        trials: whether trials have random intercepts too; without them the trials of a question
            are taken to differ by chance alone. Or labels, shape (rows,), of the trials of a
            question; equal labels of different questions are different trials.

    Raises:
        SettingError: lengths differ, a count is outside its range, or a column is not finite.

    Source: Pinheiro and Bates (1995), sections 2.2 and 2.4; checked against lme4 (Bates et al.
    2015).

    >>> d, n = [0, 1, 2, 1, 3, 3, 0, 1, 1, 0, 2, 4], [4] * 12
    >>> columns = {"proportion": [0.0, 0.2, 0.4] * 4}
    >>> fit = logistic_mixed(d, n, columns, list("aaabbbcccddd"), trials=False)
    >>> round(fit.coefficients["proportion"].value, 2), round(fit.deviations["question"], 2)
    (7.79, 0.76)
    """
    counts = read(events, sizes, columns)
    labels = range(len(events)) if isinstance(trials, bool) else trials
    groups = _groups(counts, questions, labels)
    effects = ("question",) if trials is False else ("question", "trial")
    why = _unfit(counts, groups, effects)
    if why:
        return _without(counts, groups, effects, why)
    rows, back = _rows(counts, groups)
    best, why = _highest(rows, len(effects))
    if best is None:
        return _without(counts, groups, effects, why)
    why = _excess(rows, effects, best)
    if why:
        return _without(counts, groups, effects, why)
    return _described(counts, groups, effects, best, back)


def likelihood_ratio(full: MixedFit, reduced: MixedFit) -> LikelihoodRatio:
    """Test whether the columns that only the full model has say something.

    The statistic is compared with chi squared, with as many degrees of freedom as columns were
    left out. Without one of the fits there is no test.

    Args:
        full: the model with all columns.
        reduced: the model of the same counts and random intercepts with some of them left out.

    Raises:
        SettingError: the models are not of the same counts and random intercepts, or the columns
            of the reduced one are not some of those of the full one.

    Source: Wilks (1938).

    >>> d, n, q = [0, 1, 2, 1, 3, 3, 0, 1, 1, 0, 2, 4], [4] * 12, list("aaabbbcccddd")
    >>> full = logistic_mixed(d, n, {"proportion": [0.0, 0.2, 0.4] * 4}, q, trials=False)
    >>> found = likelihood_ratio(full, logistic_mixed(d, n, {}, q, trials=False))
    >>> round(found.statistic, 2), found.degrees, round(found.p, 4)
    (12.51, 1, 0.0004)
    """
    if (full.data, full.effects) != (reduced.data, reduced.effects):
        given = (dict(reduced.data), reduced.effects)
        raise SettingError("reduced", given, f"those of the full model, {full.data, full.effects}")
    more, fewer = list(full.coefficients), list(reduced.coefficients)
    degrees = len(more) - len(fewer)
    if degrees < 1 or not set(fewer) <= set(more):
        raise SettingError("reduced", fewer, f"some of the columns {more}")
    for fit in (full, reduced):
        if fit.why:
            return LikelihoodRatio(None, degrees, None, fit.why)
    assert full.log_likelihood is not None
    assert reduced.log_likelihood is not None
    statistic = 2 * (full.log_likelihood - reduced.log_likelihood)
    if statistic < -_SAME:
        return LikelihoodRatio(None, degrees, None, "did not converge: fewer columns fit better")
    statistic = max(0.0, statistic)
    p = max(SMALLEST, float(special.chdtrc(degrees, statistic)))
    return LikelihoodRatio(statistic, degrees, p, "")


def _groups(counts: Counts, questions: Sequence[Hashable], trials: Sequence[Hashable]) -> _Groups:
    rows = len(questions)
    if len(trials) != rows:
        raise SettingError("trials", len(trials), f"one label a row ({rows})")
    pairs = list(zip(questions, trials, strict=True))
    return _Groups(
        codes(questions, counts, "questions", rows), codes(pairs, counts, "trials", rows)
    )


def _unfit(counts: Counts, groups: _Groups, effects: Sequence[str]) -> str:
    """Why these counts cannot be fitted; empty where they can."""
    questions, trials = groups.sizes
    if questions < 2:
        return f"{questions} questions: nothing shows how questions differ"
    if "trial" in effects and trials == questions:
        return "one trial a question: trials cannot be told from questions"
    total = counts.events.sum()
    if total in {0, counts.sizes.sum()}:
        return f"it holds of {'none' if total == 0 else 'all'} of the agents"
    column = redundant(counts.design)
    return "" if column is None else f"{counts.names[column]} is a combination of other columns"


def _rows(counts: Counts, groups: _Groups) -> tuple[Rows, Floats]:
    """Order rows by question and trial, and make the columns orthogonal; also the way back to the
    given."""
    order = np.lexsort((groups.trial, groups.question))
    question, trial = groups.question[order], groups.trial[order]
    heads = np.flatnonzero(np.diff(trial, prepend=-1))
    base, triangle = np.linalg.qr(counts.design[order])
    size = np.sqrt(len(order))
    rows = Rows(
        events=counts.events[order],
        sizes=counts.sizes[order],
        design=base * size,
        question=question,
        starts=np.flatnonzero(np.diff(question, prepend=-1)),
        trial=np.repeat(np.arange(len(heads)), np.diff(heads, append=len(trial))),
        heads=heads,
    )
    return rows, np.linalg.inv(triangle) * size


def _highest(rows: Rows, effects: int) -> tuple[_Top | None, str]:
    """The maximum that at least two starts agree on, or why there is none."""
    tops: list[_Top] = []
    for start in _STARTS:
        top = _climb(rows, _begin(rows, start[:effects]), effects)
        tops += [top] if top else []
        best = max(tops, key=lambda top: top.height, default=None)
        if best and sum(top.height > best.height - _SAME for top in tops) > 1:
            return best, ""
    reached = f"{len(tops)} of {len(_STARTS)} starts reached a maximum, no two the same"
    return None, f"did not converge: {reached}"


def _excess(rows: Rows, effects: Sequence[str], top: _Top) -> str:
    """Why a maximum is not to be believed; empty where it is."""
    fixed, deviations = top.at[: -len(effects)], np.abs(top.at[-len(effects) :])
    if abs(rows.design @ fixed).max() > _ODDS:
        return "separation: by the columns alone a rate is 0 or 1"
    for effect, deviation in zip(effects, deviations, strict=True):
        if deviation > _WIDE:
            return f"deviation of {effect} above {_WIDE:g} log-odds: the approximation fails there"
    return ""


def _begin(rows: Rows, deviations: Sequence[float]) -> Floats:
    """The pooled rate for all, as orthogonal columns say it, and the deviations."""
    odds = special.logit(rows.events.sum() / rows.sizes.sum())
    effects = rows.design.sum(axis=0) * odds / len(rows.design)
    return np.concatenate([effects, deviations])


def _climb(rows: Rows, start: Floats, effects: int) -> _Top | None:
    """Climb by quasi-Newton steps, then by Newton's; None if the end is not a maximum."""

    def height(at: Floats) -> tuple[float, Floats]:
        fixed, scales = at[:-effects], at[-effects:]
        return log_likelihood(rows, fixed, scales[0], scales[1] if effects > 1 else None)

    def depth(at: Floats) -> tuple[float, Floats]:
        value, slope = height(at)
        return -value, -slope

    at = optimize.minimize(depth, start, jac=True, method="BFGS", options={"gtol": 1e-4}).x
    for _ in range(_NEWTON):
        value, slope = height(at)
        moves = np.eye(len(at)) * _STEP
        bends = [(height(at - move)[1] - height(at + move)[1]) / (2 * _STEP) for move in moves]
        curvature = (np.array(bends) + np.array(bends).T) / 2
        if not np.isfinite(curvature).all() or np.linalg.eigvalsh(curvature)[0] <= _FLAT:
            return None
        covariance = np.linalg.inv(curvature).astype(np.float64)
        step = covariance @ slope
        if slope @ step / 2 < _FLAT:
            return _Top(at, value, covariance)
        at = at + step
    return None


def _described(
    counts: Counts, groups: _Groups, effects: tuple[str, ...], top: _Top, back: Floats
) -> MixedFit:
    k = len(counts.names)
    data, method = _data(counts, groups), _method(effects)
    deviations = dict(zip(effects, np.abs(top.at[k:]).tolist(), strict=True))
    for effect in effects:
        if deviations[effect] < _ZERO:
            deviations[effect] = 0.0
            method += f", the likelihood is highest where the deviation of {effect} is 0"
    n = data["questions"]
    values = (back @ top.at[:k]).tolist()
    covariances = back @ top.covariance[:k, :k] @ back.T
    errors = np.sqrt(np.diag(covariances)).tolist()
    half = float(special.ndtri((1 + LEVEL) / 2))
    chosen = special.gammaln(counts.sizes + 1) - special.gammaln(counts.events + 1)
    chosen -= special.gammaln(counts.sizes - counts.events + 1)
    return MixedFit(
        coefficients={
            name: Estimate(
                value,
                value - half * error,
                value + half * error,
                n,
                method,
                detectable=None if name == counts.names[0] else detectable(error),
                warnings=few(n),
            )
            for name, value, error in zip(counts.names, values, errors, strict=True)
        },
        errors=dict(zip(counts.names, errors, strict=True)),
        covariances=tuple(map(tuple, covariances.tolist())),
        deviations=deviations,
        effects=effects,
        log_likelihood=top.height + float(chosen.sum()),
        data=data,
        method=method,
    )


def _without(counts: Counts, groups: _Groups, effects: tuple[str, ...], why: str) -> MixedFit:
    data = _data(counts, groups)
    nothing = Estimate(None, None, None, data["questions"], f"no estimate: {why}")
    return MixedFit(
        coefficients=dict.fromkeys(counts.names, nothing),
        errors={},
        covariances=(),
        deviations={},
        effects=effects,
        log_likelihood=None,
        data=data,
        method=_method(effects),
        why=why,
    )


def _data(counts: Counts, groups: _Groups) -> dict[str, int]:
    questions, trials = groups.sizes
    return {
        "questions": questions,
        "trials": trials,
        "agents": int(counts.sizes.sum()),
        "events": int(counts.events.sum()),
    }


def _method(effects: Sequence[str]) -> str:
    how = "Laplace" if "trial" in effects else f"adaptive Gauss-Hermite, {POINTS} points"
    return (
        f"logistic mixed model on counts, random intercepts of {' and '.join(effects)}, {how}, "
        f"Wald interval, level {LEVEL:g}"
    )
