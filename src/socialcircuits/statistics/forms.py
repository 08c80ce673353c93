"""Which form has the dependence of a rate: none, a line, a bend, a logarithm or a step?

A form is judged by how well it foretells questions that it was not fitted to. The fit to the data
at hand always favours the form with more parameters.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

import numpy as np

from socialcircuits.errors import SettingError
from socialcircuits.seeds import Stream
from socialcircuits.statistics._counts import Floats, Ints, codes, read, redundant
from socialcircuits.statistics.clustered import composition_means

__all__ = ["FOLDS", "R2_WARNING", "Form", "compare_forms"]

FOLDS = 10
"""Groups of questions that are foretold in turn; fewer where there are fewer questions."""

R2_WARNING = (
    "R2 of composition means depends on noise: the fewer agents behind a mean, the lower it is. "
    "It compares forms on the same means only, and grows with every parameter."
)

_STEPS = 200
_SETTLED = 1e-12


@dataclass(frozen=True)
class Form:
    """How well one form of dependence describes and foretells a rate.

    Args:
        name: "constant", "linear", "quadratic", "log", or "step above" with its cut-point.
        parameters: number of coefficients, 1 to 3.
        score: cross-validated log score: mean log likelihood of an agent of a question that was
            not fitted, in nats, below 0; the higher the better.
        error: standard error of `score` between questions.
        behind: the best form's score less this one's, 0 or more.
        behind_error: standard error of `behind` between questions, which are paired; 0 for the
            best form itself.
        aic: Akaike's criterion of the fit to all questions, the lower the better. It takes agents
            for independent, which they are not, and so makes differences too large: second to the
            score.
        r2: share of the variance between composition means that a least-squares line in the
            form's terms explains, 0 to 1; None where it cannot be had. See `R2_WARNING`.
    """

    name: str
    parameters: int
    score: float
    error: float
    behind: float
    behind_error: float
    aic: float
    r2: float | None


class _Table(NamedTuple):
    """Counts by question and by value of x, each of shape (questions, values)."""

    events: Floats
    sizes: Floats


def compare_forms(
    events: Sequence[int],
    sizes: Sequence[int],
    x: Sequence[float],
    questions: Sequence[Hashable],
    compositions: Sequence[Hashable],
    seed: bytes = b"",
) -> tuple[Form, ...]:
    """Compare forms of the dependence of a rate on x, the best cross-validated one first.

    All forms are linear in their terms for the rate itself, not for its log-odds: constant, a;
    linear, a + b x; quadratic, a + b x + c x^2; log, a + b log(1 + x / x0) with x0 the smallest x
    above 0; step above c, a where x is at most c and b elsewhere, one form for each observed value
    but the largest (so the first is the step at more than 0 where 0 was observed). Steps are many;
    the best of them is the luckiest too. Forms that the observed values cannot tell from simpler
    ones are left out: the quadratic and the logarithm need three values, a line two.

    A form is fitted by maximum likelihood, with half an event and half a non-event added at each
    value of x, so that every rate is above 0 and below 1. For the score, questions are dealt at
    random into 10 groups, and each is foretold by the fit to the others. Rows without agents are
    left out.

    Args:
        events: shape (rows,), agents of whom it holds, from 0 to the row's size.
        sizes: shape (rows,), number of agents.
        x: shape (rows,), 0 or more: the proportion or the count of adversaries.
        questions: shape (rows,), labels.
        compositions: shape (rows,), labels, for R2; x has one value a composition.
        seed: seed of the groups of questions.

    Raises:
        SettingError: lengths differ, a count is outside its range, x is negative or not finite or
            differs within a composition, or there are fewer than two questions with agents.

    Source: Adversarial deliberation, section 3.1, names the forms; scores: Gneiting and Raftery
    (2007), section 4.1; folds of whole groups: Roberts et al. (2017).

    >>> x = [0.0, 0.2, 0.4] * 4
    >>> d, n = [0, 1, 2, 1, 2, 3, 0, 1, 3, 0, 2, 4], [6] * 12
    >>> questions = [q for q in "abcd" for _ in range(3)]
    >>> forms = compare_forms(d, n, x, questions, x)
    >>> [(form.name, round(form.score, 3)) for form in forms[:2]]
    [('linear', -0.502), ('quadratic', -0.503)]
    """
    counts = read(events, sizes, {"x": x})
    code = codes(questions, counts, "questions", len(events))
    groups = codes(compositions, counts, "compositions", len(events)).tolist()
    number = int(code.max(initial=-1)) + 1
    if number < 2:
        raise SettingError("questions", number, "at least 2 questions with agents")
    values, at = np.unique(counts.design[:, 1], return_inverse=True)
    if values[0] < 0:
        raise SettingError("x", float(values[0]), "0 or more")
    table = _Table(*(_crossed(given, code, at) for given in (counts.events, counts.sizes)))
    folds = _folds(number, seed)
    designs = {
        name: design for name, design in _designs(values).items() if redundant(design) is None
    }
    scores = {name: _scores(table, design, folds) for name, design in designs.items()}
    best = max(scores, key=lambda name: scores[name].sum())
    given = counts.events.astype(int).tolist(), counts.sizes.astype(int).tolist()
    found = []
    for name, design in designs.items():
        terms = {f"term {i}": design[at, i].tolist() for i in range(1, design.shape[1])}
        fit = _log_score(table, _fitted(table, design))
        form = Form(
            name,
            design.shape[1],
            *_per_agent(scores[name], table),
            *_per_agent(scores[best] - scores[name], table),
            aic=2 * design.shape[1] - 2 * float(fit.sum()),
            r2=composition_means(*given, terms, groups).r2,
        )
        found.append(form)
    return tuple(sorted(found, key=lambda form: -form.score))


def _crossed(given: Floats, code: Ints, at: Ints) -> Floats:
    sums = np.zeros((int(code.max()) + 1, int(at.max()) + 1))
    np.add.at(sums, (code, at), given)
    return sums


def _designs(values: Floats) -> dict[str, Floats]:
    """The terms of each form, of shape (values, parameters)."""
    one = np.ones_like(values)
    terms = {"constant": [], "linear": [values], "quadratic": [values, values**2]}
    if len(values) > 2:
        terms["log"] = [np.log1p(values / values[values > 0][0])]
    terms |= {f"step above {cut:.4g}": [(values > cut).astype(float)] for cut in values[:-1]}
    return {name: np.column_stack([one, *columns]) for name, columns in terms.items()}


def _folds(questions: int, seed: bytes) -> list[list[int]]:
    order = Stream(seed, "folds of questions").shuffled(range(questions))
    folds = min(FOLDS, questions)
    return [order[i::folds] for i in range(folds)]


def _scores(table: _Table, design: Floats, folds: Sequence[Sequence[int]]) -> Floats:
    """Log likelihood of each question under the fit to the other groups."""
    scores = np.zeros(len(table.events))
    for fold in folds:
        rest = _Table(*(np.delete(counts, fold, axis=0) for counts in table))
        own = _Table(*(counts[list(fold)] for counts in table))
        scores[list(fold)] = _log_score(own, _fitted(rest, design))
    return scores


def _log_score(table: _Table, rates: Floats) -> Floats:
    found: Floats = table.events @ np.log(rates) + (table.sizes - table.events) @ np.log1p(-rates)
    return found


def _fitted(table: _Table, design: Floats) -> Floats:
    """The rate at each value: a concave problem, whose halves of an event keep it inside (0, 1)."""
    events = table.events.sum(axis=0) + 0.5
    others = (table.sizes - table.events).sum(axis=0) + 0.5
    base, _ = np.linalg.qr(design)
    rates = np.full(len(design), events.sum() / (events + others).sum())
    height = events @ np.log(rates) + others @ np.log1p(-rates)
    for _ in range(_STEPS):
        slope = base.T @ (events / rates - others / (1 - rates))
        bend = base.T @ ((events / rates**2 + others / (1 - rates) ** 2)[:, None] * base)
        step = np.linalg.solve(bend, slope)
        if slope @ step < _SETTLED:
            break
        move = base @ step
        while True:
            tried = rates + move
            if ((tried > 0) & (tried < 1)).all():
                risen = events @ np.log(tried) + others @ np.log1p(-tried)
                if risen >= height - _SETTLED:
                    break
            move = move / 2
        rates, height = tried, risen
    return rates


def _per_agent(scores: Floats, table: _Table) -> tuple[float, float]:
    """The mean an agent of scores of questions, and its standard error between questions."""
    agents = table.sizes.sum(axis=1)
    total, n = agents.sum(), len(scores)
    value = scores.sum() / total
    spread = ((scores - value * agents) ** 2).sum() * n / (n - 1)
    return float(value), sqrt(spread) / float(total)
