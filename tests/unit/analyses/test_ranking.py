"""Many schedules: what counts as agreement, as a hit, and as beating another predictor."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from socialcircuits.analyses.attribution import Attribution
from socialcircuits.analyses.ranking import Ranked, rank
from socialcircuits.errors import SettingError
from socialcircuits.graph import Settings
from socialcircuits.interventions.attribution import Score, arrivals
from socialcircuits.protocols import find
from socialcircuits.report.attribution import verdicts
from socialcircuits.seeds import Stream

FORM = find("pairwise")
ARRIVALS = arrivals(FORM.graph(FORM.seats(4), Settings(rounds=1), Stream(b"", "")))


def schedule(effects: list[float], **columns: list[Any]) -> Attribution:
    """A schedule of four agents; dp is 1 and E, out-degree and paths are 0 unless given."""
    plain: dict[str, list[Any]] = {
        "gain": [1.0] * 4, "closeness": [0.0] * 4, "out_degree": [0] * 4, "paths": [0] * 4
    }  # fmt: skip
    rows = zip(*(plain | columns).values(), effects, strict=True)
    scores = tuple(
        Score(agent, 1 - gain, 1.0, 1.0, closeness, 0, out_degree, paths, effect)
        for agent, (gain, closeness, out_degree, paths, effect) in enumerate(rows)
    )
    return Attribution(0, 1, "Peru", "0,0", 10, 0.0, scores, ARRIVALS)


def row(ranked: Ranked, name: str) -> Any:
    return next(one for one in ranked.rankings if one.predictor == name)


def contest(ranked: Ranked, name: str) -> Any:
    return next(one for one in ranked.contests if one.other == name)


GOOD = schedule([0.0, 0.25, 0.5, 0.75], closeness=[0.1, 0.2, 0.3, 0.4], out_degree=[4, 3, 2, 1])


def test_a_predictor_that_ranks_as_patching_does_beats_one_that_does_not() -> None:
    ranked = rank([GOOD] * 12)
    assert row(ranked, "S").within.spearman == pytest.approx(1.0)
    assert row(ranked, "out_degree").within.spearman == pytest.approx(-1.0)
    assert row(ranked, "S").within.p == pytest.approx((1 / 24) ** 12)
    assert (row(ranked, "S").hits.value, row(ranked, "out_degree").hits.value) == (1.0, 0.0)
    against = contest(ranked, "out_degree")
    assert against.each.value == pytest.approx(2.0)
    assert against.each_p == pytest.approx(2 / 2**12)
    said = list(verdicts(ranked))
    assert any(line.startswith("S beats out_degree in rank agreement") for line in said)
    assert any(line.startswith("S beats random in hits") for line in said)


def test_within_equal_dp_score_and_closeness_are_one() -> None:
    ranked = rank([GOOD] * 3)
    assert row(ranked, "E").within == row(ranked, "S").within
    assert contest(ranked, "E").each.n == 0
    assert not any("S is not told apart from E in rank" in line for line in verdicts(ranked))


def test_agents_without_gain_count_in_all_but_not_within() -> None:
    gains = [1.0, 1.0, 0.0, 0.0]
    one = schedule([0.5, 0.25, 0.75, 0.0], gain=gains, closeness=[0.1, 0.2, 0.3, 0.4])
    ranked = rank([one])
    assert row(ranked, "S").within.n == row(ranked, "out_degree").within.n + 2 == 2
    assert row(ranked, "S").within.spearman == pytest.approx(-1.0)
    assert row(ranked, "S").overall.n == 4
    assert row(ranked, "dp").within.spearman is None


def test_schedules_in_which_all_patches_do_the_same_cannot_be_hit() -> None:
    flat = schedule([0.25] * 4, closeness=[0.1, 0.2, 0.3, 0.4])
    tied = schedule([0.5, 0.5, 0.0, 0.0], closeness=[0.4, 0.1, 0.2, 0.3])
    ranked = rank([flat, tied, GOOD])
    assert (ranked.schedules, ranked.undecided) == (3, 1)
    assert ranked.chance == pytest.approx((0.5 + 0.25) / 2)
    assert row(ranked, "S").hits.n == 2
    nothing = rank([flat])
    assert (nothing.chance, row(nothing, "S").hits.value) == (None, None)
    assert list(verdicts(nothing)) == []


def test_differences_in_the_last_digit_are_ties() -> None:
    third = float(np.float64(0.1) + np.float64(0.2))
    one = schedule([0.3, third, 0.0, 0.0], closeness=[0.3, third, 0.1, 0.1])
    assert row(rank([one]), "S").within.kendall == pytest.approx(1.0)
    assert rank([one]).chance == 0.5


def test_nothing_is_refused() -> None:
    with pytest.raises(SettingError, match="at least one attribution"):
        rank([])
