"""Averages over runs against the outcome of each."""

from __future__ import annotations

from dataclasses import astuple, replace
from typing import Any

import numpy as np
import pytest

from socialcircuits.errors import SettingError
from socialcircuits.theory.cohort import cohort, mean_outcome
from socialcircuits.theory.outcomes import outcome, phase_map

EVIDENCE = [(0.3, 0.1), (0.05, 0.6), (0.0, 0.0), (1.0, 0.0), (0.3, 0.1)]


@pytest.mark.parametrize(
    ("n", "rounds", "self_pairs"),
    [(1, None, True), (16, None, True), (24, 3, False), (200, 1, True)],
)
def test_mean_outcome_is_the_mean(n: int, rounds: int | None, self_pairs: bool) -> None:
    kinds = EVIDENCE if n < 100 else EVIDENCE[:2]
    found = mean_outcome(n, kinds, 0.3, rounds, self_pairs)
    each = [astuple(outcome(n, *kind, 0.3, rounds, self_pairs)) for kind in kinds]
    assert astuple(found) == pytest.approx(np.mean(each, axis=0), abs=1e-12)
    assert sum(astuple(found)[:4]) == pytest.approx(1, abs=1e-12)


def test_cohort_averages_at_each_run_its_own_share() -> None:
    sizes, shares = [16, 4, 16, 16], [0.1, 0.9, 0.5, 0.5]
    found = cohort(sizes, shares, 0.45, 0.3)
    assert found.sizes.tolist() == [4, 16]
    assert found.runs.tolist() == [1, 3]
    assert found.fixed == pytest.approx(0.5)
    at = phase_map([4, 16], [0.1, 0.5, 0.9], 0.45, 0.3).truth_share
    assert found.truth_share == pytest.approx([at[0, 2], (at[1, 0] + 2 * at[1, 1]) / 3])
    assert found.fixed_truth_share == pytest.approx(at[:, 1])
    assert found.peak == 16


def test_a_cohort_whose_shares_change_with_size_has_a_peak() -> None:
    """As the paper finds: the fixed share has none."""
    sizes = [8] * 2 + [32] * 2 + [128] * 2
    found = cohort(sizes, [0.4, 0.6, 0.1, 0.3, 0.5, 0.7], 0.45, 0.3)
    assert found.peak == 32
    assert (np.diff(found.fixed_truth_share) > 0).all()


def test_rounding_does_not_move_the_peak() -> None:
    flat = cohort([2, 4, 8, 16], [0.5] * 4, 0.6, 0.0)
    assert flat.truth_share == pytest.approx(0.5, abs=1e-13)
    assert flat.peak == 2
    noisy = replace(flat, truth_share=np.array([0.5, 0.5 + 1e-15, 0.5, 0.5]))
    assert noisy.peak == 2
    with pytest.raises(SettingError, match="rounds"):
        mean_outcome(4, [(0.1, 0.1)], 0.0, rounds=10**12)


def test_time_matters_with_rounds() -> None:
    soon, late = (cohort([32], [0.3], 0.45, 0.3, rounds, False) for rounds in (1, 40))
    assert soon.truth_share[0] < late.truth_share[0]


@pytest.mark.parametrize(
    ("sizes", "shares", "where"),
    [([], [], "shares"), ([4], [], "shares"), ([4], [1.5], r"shares\[0\]"), ([0], [0.5], "sizes")],
)
def test_runs_that_do_not_fit_are_refused(sizes: Any, shares: Any, where: str) -> None:
    with pytest.raises(SettingError, match=where):
        cohort(sizes, shares, 0.45, 0.3)


def test_evidence_that_is_none_is_refused() -> None:
    with pytest.raises(SettingError, match="evidence"):
        mean_outcome(4, [], 0.0)
    with pytest.raises(SettingError, match="rival"):
        mean_outcome(4, [(0.7, 0.7)], 0.0)
    with pytest.raises(SettingError, match="rounds"):
        mean_outcome(4, EVIDENCE, 0.0, rounds=-1)
