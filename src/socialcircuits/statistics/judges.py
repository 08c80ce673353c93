"""Do two judges label the same things alike, and what does the second make of the first's rates?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist, fmean
from typing import TypeVar

from socialcircuits.errors import SettingError
from socialcircuits.statistics.estimate import LEVEL, Estimate, t_quantile
from socialcircuits.statistics.intervals import proportion, ratio

__all__ = ["JudgeAgreement", "corrected_rate", "judge_agreement", "krippendorff_alpha"]

Label = TypeVar("Label", bound=Hashable)
Pair = tuple[Hashable, Hashable]

SUM = 1e-6
"""Shares add up to 1 within this."""

ROUNDING = 1e-12
"""What is nearer to zero is zero up to rounding."""


@dataclass(frozen=True)
class JudgeAgreement:
    """How far two judges agree.

    Args:
        share: share of the things that both labelled to which both gave the same label.
        kappa: Cohen's kappa, at most 1: 0 is what chance would give judges who use the labels as
            often as these. Without value where both used one and the same label only.
        alpha: Krippendorff's nominal alpha; None where only one label was used.
        both: number of things that both labelled.
        missing: number of things that one of them or both did not.
    """

    share: Estimate
    kappa: Estimate
    alpha: float | None
    both: int
    missing: int


def judge_agreement(
    first: Sequence[Hashable | None],
    second: Sequence[Hashable | None],
    clusters: Sequence[Hashable] | None = None,
) -> JudgeAgreement:
    """Compare the labels that two judges gave to the same things.

    The interval of kappa is asymptotic: normal with the linearised variance, which is that of
    Fleiss, Cohen and Everitt; with clusters the linearised values are summed within each, with the
    factor G / (G - 1) and the t quantile of G - 1 degrees of freedom. Where the judges agree
    throughout, that variance is zero; the lower end is then kappa at the lower end of the share's
    interval. The share has the interval of `proportion`, or of `ratio` over clusters. Things that
    a judge did not label are left out and counted.

    Args:
        first: shape (n,), the first judge's labels; None where there is none.
        second: shape (n,), the second judge's, of the same things.
        clusters: shape (n,), the item of each thing; None: each is independent of the others.

    Raises:
        SettingError: the lengths differ.

    Source: Cohen (1960); Fleiss, Cohen and Everitt (1969) for the variance; Krippendorff (2004).

    >>> found = judge_agreement(list("aaabbbab"), list("aaabbbba"))
    >>> found.share.value, found.kappa.value, round(found.kappa.low, 2), round(found.alpha, 3)
    (0.75, 0.5, -0.1, 0.531)
    """
    groups = list(range(len(first))) if clusters is None else list(clusters)
    if not len(first) == len(second) == len(groups):
        raise SettingError("second", len(second), f"one label a thing ({len(first)})")
    kept = [i for i in range(len(first)) if first[i] is not None and second[i] is not None]
    pairs = [(first[i], second[i]) for i in kept]
    labels = [groups[i] for i in kept]
    if clusters is None:
        share = proportion(sum(a == b for a, b in pairs), len(pairs))
    else:
        things = Counter(labels)
        same = Counter(group for group, (a, b) in zip(labels, pairs, strict=True) if a == b)
        share = ratio([same[group] for group in things], list(things.values()))
    return JudgeAgreement(
        share=share,
        kappa=_kappa(pairs, labels, share, clustered=clusters is not None),
        alpha=krippendorff_alpha([first, second]),
        both=len(pairs),
        missing=len(first) - len(pairs),
    )


def krippendorff_alpha(labels: Sequence[Sequence[Hashable | None]]) -> float | None:
    """Return Krippendorff's alpha for nominal labels of any number of judges.

    A thing counts with all pairs of its labels; one with fewer than two labels says nothing.

    Args:
        labels: shape (judges, things); None where a judge gave no label.

    Returns:
        alpha, at most 1; None where all labels that can be paired are the same, or none can.

    Raises:
        SettingError: judges have different numbers of things.

    Source: Krippendorff (2004), chapter 11, nominal data with missing values.

    >>> round(krippendorff_alpha([[1, 2, 3, 3], [1, 2, 3, None], [None, 2, 2, 3]]), 3)
    0.719
    """
    if len({len(judge) for judge in labels}) > 1:
        raise SettingError("labels", [len(judge) for judge in labels], "one label a judge a thing")
    totals: Counter[Hashable] = Counter()
    differing = 0.0
    for thing in zip(*labels, strict=True):
        given = Counter(label for label in thing if label is not None)
        n = given.total()
        if n > 1:
            totals += given
            differing += (n**2 - sum(count**2 for count in given.values())) / (n - 1)
    n = totals.total()
    expected = n**2 - sum(count**2 for count in totals.values())
    return 1 - differing * (n - 1) / expected if expected else None


def corrected_rate(
    shares: Mapping[Label, float],
    first: Sequence[Label],
    second: Sequence[Hashable],
    label: Hashable,
) -> Estimate:
    """Estimate how often the second judge would give a label, from an audit of the first's.

    The rate is the sum over the first judge's labels of their share of all things times the share
    of the audited things of that label to which the second gave `label`. It stands under the
    second judge, who need not be right either. The interval is normal, with the audit's variance
    within each label (shares from half a thing more of each kind, so that none is certain); the
    shares are taken as known. There is no value where a label with a share was not audited.

    Args:
        shares: by label of the first judge, share of all things, from 0 to 1, in sum 1.
        first: shape (n,), the first judge's labels of a random audit; no missing values.
        second: shape (n,), the second judge's labels of the same things.
        label: the second judge's label whose rate is wanted.

    Raises:
        SettingError: the lengths differ, or shares are negative or do not add up to 1.

    Source: Levy and Kass (1970), predictive values; stratified variance as in Cochran (1977).

    >>> rate = corrected_rate({"yes": 0.3, "no": 0.7}, list("yyynnnnn"), list("yynnnnny"), "y")
    Traceback (most recent call last):
    socialcircuits.errors.SettingError: shares: 'y' is not allowed; expected a share of each label
    >>> rate = corrected_rate({"y": 0.3, "n": 0.7}, list("yyynnnnn"), list("yynnnnny"), "y")
    >>> round(rate.value, 3), round(rate.low, 3), round(rate.high, 3)
    (0.34, 0.028, 0.652)
    """
    if len(first) != len(second):
        raise SettingError("second", len(second), f"one label a thing ({len(first)})")
    if min(shares.values(), default=-1.0) < 0 or abs(sum(shares.values()) - 1) > SUM:
        raise SettingError("shares", dict(shares), "numbers from 0 that add up to 1")
    audited = Counter(first)
    for given in audited:
        if given not in shares:
            raise SettingError("shares", given, "a share of each label")
    hits = Counter(a for a, b in zip(first, second, strict=True) if b == label)
    unseen = [given for given, share in shares.items() if share and not audited[given]]
    if unseen:
        why = f"no estimate: {unseen[0]!r} was not audited"
        return Estimate(None, None, None, len(first), why)
    value = variance = 0.0
    for given, n in audited.items():
        near = (hits[given] + 0.5) / (n + 1)
        value += shares[given] * hits[given] / n
        variance += shares[given] ** 2 * near * (1 - near) / n
    half = NormalDist().inv_cdf((1 + LEVEL) / 2) * sqrt(variance)
    method = f"predictive values of an audit, under judge 2, normal interval, level {LEVEL:g}"
    return Estimate(value, max(0.0, value - half), min(1.0, value + half), len(first), method)


def _kappa(
    pairs: Sequence[Pair], groups: Sequence[Hashable], share: Estimate, *, clustered: bool
) -> Estimate:
    n = len(pairs)
    rows, columns = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    chance = sum(rows[label] * columns[label] for label in rows)
    if chance == n**2:
        why = "no estimate: both judges used one and the same label only" if n else "no thing"
        return Estimate(None, None, None, share.n, why)
    expected, observed = chance / n**2, fmean(a == b for a, b in pairs)
    kappa = _rounded((observed - expected) / (1 - expected))
    if observed == 1:
        assert share.low is not None
        low = _rounded((share.low - expected) / (1 - expected))
        method = f"Cohen's kappa, agreement throughout: lower end from the share, level {LEVEL:g}"
        return Estimate(kappa, low, 1.0, share.n, method)
    # What one thing adds: to the agreement, less what it adds to the agreement by chance.
    sums: dict[Hashable, float] = {}
    for (a, b), group in zip(pairs, groups, strict=True):
        by_chance = (columns[a] + rows[b]) / n - 2 * expected
        pull = (a == b) - observed - (1 - kappa) * by_chance
        sums[group] = sums.get(group, 0.0) + pull / (1 - expected) / n
    return _around(kappa, sum(value**2 for value in sums.values()), len(sums), clustered=clustered)


def _around(kappa: float, variance: float, units: int, *, clustered: bool) -> Estimate:
    if clustered and units < 2:
        method = f"Cohen's kappa, one cluster: interval is the whole range, level {LEVEL:g}"
        return Estimate(kappa, -1.0, 1.0, units, method)
    if clustered:
        half = t_quantile(units - 1) * sqrt(variance * units / (units - 1))
        kind = "linearised variance between clusters with t quantile"
    else:
        half = NormalDist().inv_cdf((1 + LEVEL) / 2) * sqrt(variance)
        kind = "asymptotic normal interval"
    low, high = _rounded(max(-1.0, kappa - half)), _rounded(min(1.0, kappa + half))
    return Estimate(kappa, low, high, units, f"Cohen's kappa, {kind}, level {LEVEL:g}")


def _rounded(number: float) -> float:
    return 0.0 if abs(number) < ROUNDING else number
