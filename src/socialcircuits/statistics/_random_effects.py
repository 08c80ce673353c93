"""The likelihood of counts with random intercepts of questions and trials, and its slope.

The log-odds of row i of trial j of question q are x_i b + s u_q + t v_j, all u and v standard
normal. Without trial effects (t = 0) the integral over u is taken by adaptive Gauss-Hermite
quadrature with 15 points, with them over u and v by Laplace's approximation. The derivatives of
second order of a question's joint log density form an arrow: its trials meet in the question only.
So all questions are solved at once, without a matrix.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import special

from socialcircuits.statistics._counts import Floats, Ints

POINTS = 15
"""Points of the quadrature over the question's intercept."""

_STEPS = 60
_HALVINGS = 30


class Rows(NamedTuple):
    """Rows of counts, those of one question next to each other, and in it those of one trial.

    Args:
        events: shape (rows,).
        sizes: shape (rows,).
        design: shape (rows, columns).
        question: shape (rows,), numbers from 0, ascending.
        starts: shape (questions,), the first row of each.
        trial: shape (rows,), numbers from 0, ascending.
        heads: shape (trials,), the first row of each.
    """

    events: Floats
    sizes: Floats
    design: Floats
    question: Ints
    starts: Ints
    trial: Ints
    heads: Ints

    @property
    def of(self) -> Ints:
        """The question of each trial."""
        return self.question[self.heads]

    def sums(self, values: Floats) -> Floats:
        """Sum over the rows of each question, along the first axis."""
        total: Floats = np.add.reduceat(values, self.starts, axis=0)
        return total

    def by_trial(self, values: Floats) -> Floats:
        """Sum over the rows of each trial."""
        total: Floats = np.add.reduceat(values, self.heads)
        return total

    def over_trials(self, values: Floats) -> Floats:
        """Sum over the trials of each question."""
        total: Floats = np.add.reduceat(values, self.trial[self.starts])
        return total


class _Arrow(NamedTuple):
    """The joint density of the random effects at its mode, and its second derivatives there.

    Args:
        u: shape (questions,), mode of the questions' effects.
        v: shape (trials,), mode of the trials' effects.
        slopes: shape (rows,), derivative of the log likelihood by the log-odds.
        weights: shape (rows,), the negative second one.
        bends: shape (rows,), derivative of `weights`.
        mass: shape (trials,), sum of `weights`.
        trial: shape (trials,), curvature in v.
        question: shape (questions,), curvature in u when the v follow.
    """

    u: Floats
    v: Floats
    slopes: Floats
    weights: Floats
    bends: Floats
    mass: Floats
    trial: Floats
    question: Floats


def log_likelihood(rows: Rows, effects: Floats, s: float, t: float | None) -> tuple[float, Floats]:
    """Return the log likelihood and its gradient by effects, s and, where it is not None, t.

    The binomial coefficients, which no parameter changes, are left out. The gradient is that of
    the approximation, not of the integral: where its points stand depends on the parameters too.

    Args:
        rows: the counts.
        effects: shape (columns,), in log-odds.
        s: standard deviation of the questions' effects; its sign does not matter.
        t: standard deviation of the trials' effects; None: there are none.

    Source: Pinheiro and Bates (1995), sections 2.2 and 2.4.
    """
    fixed = rows.design @ effects
    arrow = _mode(rows, fixed, s, t or 0.0)
    if t is None:
        return _quadrature(rows, fixed, s, arrow)
    return _laplace(rows, fixed, s, t, arrow)


def _log_chance(rows: Rows, odds: Floats) -> Floats:
    shape = (-1,) + (1,) * (odds.ndim - 1)
    found: Floats = rows.events.reshape(shape) * odds - rows.sizes.reshape(shape) * np.logaddexp(
        0.0, odds
    )
    return found


def _mode(rows: Rows, fixed: Floats, s: float, t: float) -> _Arrow:
    """Newton's method for all questions at once, halving the steps of those that lose by it."""
    u, v = np.zeros(len(rows.starts)), np.zeros(len(rows.heads))
    density = _density(rows, fixed + 0.0, u, v)
    arrow = _arrow(rows, fixed, s, t, u, v)
    for _ in range(_STEPS):
        du, dv = _solve(
            rows,
            arrow,
            (s, t),
            s * rows.sums(arrow.slopes) - u,
            t * rows.by_trial(arrow.slopes) - v,
        )
        for _ in range(_HALVINGS):
            odds = fixed + s * (u + du)[rows.question] + t * (v + dv)[rows.trial]
            moved = _density(rows, odds, u + du, v + dv)
            worse = moved < density - 1e-9 * (1 + abs(density))
            if not worse.any():
                break
            shrink = np.where(worse, 0.5, 1.0)
            du, dv = du * shrink, dv * shrink[rows.of]
        u, v, density = u + du, v + dv, moved
        arrow = _arrow(rows, fixed, s, t, u, v)
        if max(abs(du).max(), abs(dv).max()) < 1e-8:
            break
    return arrow


def _density(rows: Rows, odds: Floats, u: Floats, v: Floats) -> Floats:
    return rows.sums(_log_chance(rows, odds)) - rows.over_trials(v**2) / 2 - u**2 / 2


def _arrow(rows: Rows, fixed: Floats, s: float, t: float, u: Floats, v: Floats) -> _Arrow:
    chance = special.expit(fixed + s * u[rows.question] + t * v[rows.trial])
    weights = rows.sizes * chance * (1 - chance)
    mass = rows.by_trial(weights)
    trial = 1 + t**2 * mass
    question = 1 + s**2 * rows.over_trials(mass / trial)
    slopes, bends = rows.events - rows.sizes * chance, weights * (1 - 2 * chance)
    return _Arrow(u, v, slopes, weights, bends, mass, trial, question)


def _solve(
    rows: Rows, arrow: _Arrow, scales: tuple[float, float], for_u: Floats, for_v: Floats
) -> tuple[Floats, Floats]:
    """Solve the arrow's linear equations for a right-hand side."""
    s, t = scales
    cross = s * t * arrow.mass
    u = (for_u - rows.over_trials(cross * for_v / arrow.trial)) / arrow.question
    return u, (for_v - cross * u[rows.of]) / arrow.trial


def _quadrature(rows: Rows, fixed: Floats, s: float, arrow: _Arrow) -> tuple[float, Floats]:
    points, weights = special.roots_hermite(POINTS)
    width = np.sqrt(2 / arrow.question)
    u = arrow.u[:, None] + width[:, None] * points
    odds = fixed[:, None] + s * u[rows.question]
    terms = np.log(weights) + points**2 + rows.sums(_log_chance(rows, odds)) - u**2 / 2
    parts = special.logsumexp(terms, axis=1)
    value = float((parts + np.log(width) - np.log(2 * np.pi) / 2).sum())
    posterior = np.exp(terms - parts[:, None])
    slopes = rows.events[:, None] - rows.sizes[:, None] * special.expit(odds)
    summed = rows.sums(slopes)
    by_u = posterior * (s * summed - u)
    by_width = 1 + (by_u * points).sum(axis=1) * width
    by_odds, by_s, _ = _through_mode(rows, arrow, (s, 0.0), by_u.sum(axis=1), by_width)
    by_odds = by_odds + (posterior[rows.question] * slopes).sum(axis=1)
    by_s += float((posterior * u * summed).sum())
    return value, np.append(rows.design.T @ by_odds, by_s)


def _laplace(rows: Rows, fixed: Floats, s: float, t: float, arrow: _Arrow) -> tuple[float, Floats]:
    u, v, slopes = arrow.u, arrow.v, arrow.slopes
    density = _density(rows, fixed + s * u[rows.question] + t * v[rows.trial], u, v)
    value = float(density.sum() - (np.log(arrow.trial).sum() + np.log(arrow.question).sum()) / 2)
    by_odds, by_s, by_t = _through_mode(rows, arrow, (s, t), np.zeros_like(u), np.ones_like(u))
    by_s += float(slopes @ u[rows.question])
    by_t += float(slopes @ v[rows.trial])
    return value, np.concatenate([rows.design.T @ (slopes + by_odds), [by_s, by_t]])


def _through_mode(
    rows: Rows, arrow: _Arrow, scales: tuple[float, float], by_mode: Floats, by_width: Floats
) -> tuple[Floats, float, float]:
    """What changes by way of the mode and the curvature there: by log-odds, by s and by t.

    `by_mode` and `by_width`, of shape (questions,), say what a question's mode and the logarithm of
    the width around it, one over the root of the curvature, are worth.
    """
    (s, t), at, of = scales, rows.question, rows.of
    u, v, slopes, weights, bends, mass, trial, question = arrow
    by_mass = by_width[of] * (t**2 / trial + (s**2 / question)[of] / trial**2)
    curving = -by_mass[rows.trial] * bends / 2
    for_u, for_v = s * rows.sums(curving) + by_mode, t * rows.by_trial(curving)
    pull_u, pull_v = _solve(rows, arrow, scales, for_u, for_v)
    by_odds = curving - weights * (s * pull_u[at] + t * pull_v[rows.trial])
    by_s = by_odds @ u[at] + pull_u @ rows.sums(slopes)
    by_s -= s * (by_width * rows.over_trials(mass / trial) / question).sum()
    by_t = by_odds @ v[rows.trial] + pull_v @ rows.by_trial(slopes)
    by_t -= t * (by_width[of] * mass / trial).sum()
    by_t += s**2 * t * (by_width * rows.over_trials(mass**2 / trial**2) / question).sum()
    return by_odds, float(by_s), float(by_t)
