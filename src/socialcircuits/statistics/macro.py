"""Averages over cells of a study, in which every cell counts alike however large it is."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from statistics import fmean
from typing import TypeVar

from socialcircuits.errors import SettingError
from socialcircuits.statistics.estimate import LEVEL, Estimate, t_quantile
from socialcircuits.statistics.intervals import _too_few, _wilson, few

__all__ = ["macro_ratio"]


Cluster = TypeVar("Cluster", bound=Hashable)


def macro_ratio(cells: Sequence[Mapping[Cluster, tuple[int, int]]]) -> Estimate:
    """Estimate the mean over cells of rates that are pooled in each, with clusters across cells.

    The interval is that of `ratio`: Wilson's on an effective number of trials, here the binomial
    variance of the mean over the linearised variance between clusters, at most the number of all
    trials, with the t quantile of clusters - 1 degrees of freedom. A cluster, such as an item, may
    have trials in several cells. Where no trial or every trial succeeds the effective number is the
    number of clusters. Cells without trials are left out; no cell gives no value, one cluster gives
    the whole range.

    Args:
        cells: each maps a cluster to its successes and its trials in the cell.

    Raises:
        SettingError: a cluster has more successes than trials.

    Source: Wilson (1927) on Kish's (1965) effective sample size; linearisation as in Cochran
    (1977).

    >>> found = macro_ratio([{"a": (1, 2), "b": (2, 2)}, {"a": (0, 4), "b": (1, 4), "c": (0, 4)}])
    >>> round(found.value, 3), round(found.low, 3), round(found.high, 3), found.n
    (0.417, 0.077, 0.859, 3)
    """
    for hits, size in (part for cell in cells for part in cell.values()):
        if not 0 <= hits <= size:
            raise SettingError("cells", hits, f"an integer from 0 to the cluster's {size}")
    kept = [{name: part for name, part in cell.items() if part[1]} for cell in cells]
    kept = [cell for cell in kept if cell]
    pulls: dict[Cluster, float] = {}
    rates, total = [], 0
    for cell in kept:
        size = sum(n for _, n in cell.values())
        rates.append(sum(hits for hits, _ in cell.values()) / size)
        total += size
        for name, (hits, n) in cell.items():
            pull = (hits - rates[-1] * n) / size / len(kept)
            pulls[name] = pulls.get(name, 0.0) + pull
    clusters = len(pulls)
    rate = fmean(rates) if rates else 0.0
    if clusters < 2:
        return _too_few([rate] * clusters, (0.0, 1.0))
    variance = sum(pull**2 for pull in pulls.values()) * clusters / (clusters - 1)
    if rate in {0.0, 1.0}:
        effective = float(clusters)
    else:
        effective = min(float(total), rate * (1 - rate) / variance) if variance else float(total)
    low, high = _wilson(rate, effective, t_quantile(clusters - 1))
    method = (
        f"mean of the pooled rates of {len(kept)} cells, Wilson interval on effective n "
        f"{effective:.1f} of {total} with t quantile, level {LEVEL:g}"
    )
    return Estimate(rate, low, high, clusters, method, warnings=few(clusters))
