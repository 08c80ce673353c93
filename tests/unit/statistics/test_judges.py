"""Agreement of judges against hand, statsmodels, published alpha, and resampling of clusters."""

from __future__ import annotations

from collections import Counter
from importlib import import_module
from math import sqrt

import numpy as np
import pytest
from scipy import stats

from socialcircuits.errors import SettingError
from socialcircuits.seeds import Stream
from socialcircuits.statistics import proportion, ratio
from socialcircuits.statistics.judges import corrected_rate, judge_agreement, krippendorff_alpha

# Krippendorff (2004), chapter 11: four judges, twelve things, missing labels, alpha .743.
PUBLISHED = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]


def pairs(n: int) -> tuple[list[int], list[int]]:
    stream = Stream(b"judges", str(n))
    first = [stream.below(3) for _ in range(n)]
    return first, [label if stream.below(4) else stream.below(3) for label in first]


def test_alpha_against_the_published_example() -> None:
    assert krippendorff_alpha(PUBLISHED) == pytest.approx(0.743, abs=5e-4)


def test_alpha_without_disagreement_or_without_labels() -> None:
    assert krippendorff_alpha([[1, 2, None], [1, 2, 3]]) == 1
    assert krippendorff_alpha([[1, 1], [1, 1]]) is None
    assert krippendorff_alpha([[1, None], [None, 1]]) is None
    with pytest.raises(SettingError, match="one label a judge a thing"):
        krippendorff_alpha([[1, 2], [1]])


def test_kappa_against_statsmodels() -> None:
    first, second = pairs(90)
    counts = Counter(zip(first, second, strict=True))
    table = np.array([[counts[a, b] for b in range(3)] for a in range(3)])
    other = import_module("statsmodels.stats.inter_rater").cohens_kappa(table)
    found = judge_agreement(first, second)
    assert found.kappa.value == pytest.approx(other.kappa, abs=1e-12)
    assert found.kappa.low == pytest.approx(other.kappa_low, abs=1e-12)
    assert found.kappa.high == pytest.approx(other.kappa_upp, abs=1e-12)
    assert found.share == proportion(sum(counts[a, a] for a in range(3)), 90)
    assert (found.both, found.missing) == (90, 0)


def test_clusters_of_one_differ_by_their_factor_and_quantile_only() -> None:
    first, second = pairs(30)
    alone, found = judge_agreement(first, second), judge_agreement(first, second, range(30))
    assert alone.kappa.low is not None
    assert alone.kappa.value is not None
    assert found.kappa.low is not None
    assert found.kappa.value is not None
    widths = (e.value - e.low for e in (found.kappa, alone.kappa) if e.value and e.low is not None)
    factor = stats.t.ppf(0.975, 29) * sqrt(30 / 29) / stats.norm.ppf(0.975)
    assert next(widths) / next(widths) == pytest.approx(factor)


def test_copies_of_a_thing_in_one_cluster_add_nothing() -> None:
    first, second = pairs(40)
    once = judge_agreement(first, second, range(40))
    items = [i for i in range(40) for _ in range(3)]
    found = judge_agreement([first[i] for i in items], [second[i] for i in items], items)
    assert found.kappa.low == pytest.approx(once.kappa.low)
    assert found.kappa.high == pytest.approx(once.kappa.high)
    assert found.kappa.n == 40
    same = [3 * (a == b) for a, b in zip(first, second, strict=True)]
    assert found.share == ratio(same, [3] * 40)


def test_missing_labels_are_left_out_and_counted() -> None:
    first, second = pairs(20)
    whole = judge_agreement(first, second)
    found = judge_agreement([*first, None, 1, None], [*second, 2, None, None])
    assert (found.both, found.missing) == (20, 3)
    assert (found.share, found.kappa, found.alpha) == (whole.share, whole.kappa, whole.alpha)


def test_agreement_throughout_keeps_a_lower_end() -> None:
    found = judge_agreement([1, 2] * 10, [1, 2] * 10)
    low = proportion(20, 20).low
    assert low is not None
    assert (found.kappa.value, found.kappa.high, found.alpha) == (1, 1, 1)
    assert found.kappa.low == pytest.approx((low - 0.5) / 0.5)


def test_one_label_only_has_no_kappa() -> None:
    found = judge_agreement([1] * 5, [1] * 5)
    assert (found.share.value, found.kappa.value, found.alpha) == (1, None, None)
    assert "one and the same label" in found.kappa.method
    empty = judge_agreement([None], [1])
    assert (empty.share.value, empty.kappa.value, empty.alpha) == (None, None, None)


@pytest.mark.parametrize("n", range(3, 30))
def test_a_judge_with_one_label_agrees_by_chance_without_noise(n: int) -> None:
    found = judge_agreement([1] + [2] * (n - 1), [2] * n).kappa
    assert (found.value, found.low, found.high) == (0, 0, 0)


def test_one_cluster_says_nothing() -> None:
    found = judge_agreement([1, 2, 1], [1, 2, 2], ["a"] * 3)
    assert (found.kappa.low, found.kappa.high) == (-1, 1)


def test_corrected_rate_by_hand() -> None:
    # Of 4 audited "t" the second says "t" to 3, of 2 audited "f" to 1: .6 * .75 + .4 * .5.
    found = corrected_rate({"t": 0.6, "f": 0.4}, list("ttttff"), list("tttftf"), "t")
    assert found.value == pytest.approx(0.65)
    assert found.high is not None
    spread = 0.36 * 0.7 * 0.3 / 4 + 0.16 * 0.25 / 2
    assert found.high == pytest.approx(min(1, 0.65 + stats.norm.ppf(0.975) * sqrt(spread)))
    assert "under judge 2" in found.method


def test_corrected_rate_needs_an_audit_of_every_label() -> None:
    found = corrected_rate({"t": 0.6, "f": 0.4}, ["t"], ["t"], "t")
    assert found.value is None
    assert "'f' was not audited" in found.method
    assert corrected_rate({"t": 1.0, "f": 0.0}, ["t"], ["t"], "t").value == 1


@pytest.mark.parametrize("shares", [{}, {"t": 0.5}, {"t": 1.5, "f": -0.5}])
def test_shares_add_up(shares: dict[str, float]) -> None:
    with pytest.raises(SettingError, match="numbers from 0 that add up to 1"):
        corrected_rate(shares, ["t"], ["t"], "t")


def test_lengths() -> None:
    with pytest.raises(SettingError, match="one label a thing"):
        judge_agreement([1, 2], [1])
    with pytest.raises(SettingError, match="one label a thing"):
        corrected_rate({"t": 1.0}, ["t"], [], "t")
