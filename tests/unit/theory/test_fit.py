"""The likelihood against all hidden paths, the fit against another optimiser and known truths."""

from __future__ import annotations

from itertools import product
from math import exp, inf, log

import numpy as np
import pytest
from scipy.optimize import minimize

from socialcircuits.errors import SettingError
from socialcircuits.theory._profile import DROP, Surface
from socialcircuits.theory.fit import (
    Fit,
    Interval,
    answer_terms,
    fit,
    fit_groups,
    log_likelihood,
)
from socialcircuits.theory.histories import (
    GAVE_OTHER,
    GAVE_RIVAL,
    GAVE_TRUTH,
    HEARD_OTHER,
    HEARD_RIVAL,
    HEARD_TRUTH,
    Histories,
    joined,
)
from tests.support.copying import trials

A_TRUTH, A_RIVAL, BIAS = 0.2925, 0.1575, 0.3
NAMES = ("truth", "rival", "bias", "slip")


def of(*agents: list[int]) -> Histories:
    events = [event for own in agents for event in own]
    return Histories(np.array(events, np.int8), np.cumsum([0, *map(len, agents)]))


def swapped(histories: Histories) -> Histories:
    """Truth and rival change names."""
    names = np.array([HEARD_RIVAL, HEARD_TRUTH, HEARD_OTHER, GAVE_RIVAL, GAVE_TRUTH, GAVE_OTHER])
    return Histories(names[histories.events], histories.offsets)


def values(found: Fit) -> list[float]:
    return [one.value for name in NAMES if (one := getattr(found, name)).value is not None]


def by_paths(events: list[int], bias: float, slip: float) -> float:
    """Probability of an ambiguous agent's answers, summed over all that it may have held."""
    take = 1 / (1 + exp(-bias))
    adopts = {HEARD_TRUTH: (0, take), HEARD_RIVAL: (1, 1 - take)}
    whole = 0.0
    heard = [event for event in events if event in adopts]
    for start, *taken in product((0, 1), *[(False, True)] * len(heard)):
        held, chance, moves = start, 0.5, iter(taken)
        for event in events:
            if event in adopts:
                label, q = adopts[event]
                does = next(moves)
                chance *= q if does else 1 - q
                held = label if does else held
            elif event in {GAVE_TRUTH, GAVE_RIVAL}:
                chance *= 1 - slip if held == event - GAVE_TRUTH else slip
        whole += chance
    return whole


@pytest.fixture(scope="module")
def data() -> Histories:
    return trials(b"fit", [16, 32, 64], A_TRUTH, A_RIVAL, BIAS)


@pytest.fixture(scope="module")
def fitted(data: Histories) -> Fit:
    return fit(data)


@pytest.mark.parametrize("slip", [0.0, 0.2, 0.5])
@pytest.mark.parametrize("bias", [-40.0, -0.7, 0.0, 2.0])
def test_terms_are_sums_over_hidden_paths(bias: float, slip: float) -> None:
    for events in product(range(6), repeat=4):
        own = list(events)
        true, false = own.count(GAVE_TRUTH), own.count(GAVE_RIVAL)
        expected = [(1 - slip) ** true * slip**false, (1 - slip) ** false * slip**true]
        terms = answer_terms(of(own), bias, slip)[0]
        assert np.exp(terms) == pytest.approx([*expected, by_paths(own, bias, slip)], rel=1e-12)


def test_likelihoods_of_all_answers_add_up_to_one() -> None:
    whole = sum(
        exp(log_likelihood(of([one, HEARD_RIVAL, two, HEARD_TRUTH, three]), 0.3, 0.2, 0.5, 0.1))
        for one, two, three in product((GAVE_TRUTH, GAVE_RIVAL), repeat=3)
    )
    assert whole == pytest.approx(1, abs=1e-12)


def test_long_histories_do_not_underflow() -> None:
    turns = [GAVE_TRUTH, GAVE_RIVAL] * 2_000
    found = answer_terms(of(turns), 0.0, 1e-3)[0]
    assert found[:2] == pytest.approx([2_000 * (log(1e-3) + log(1 - 1e-3))] * 2, rel=1e-12)
    assert found[2] == pytest.approx(found[0], rel=1e-12)


@pytest.mark.parametrize("rival_first", [False, True])
def test_derivatives_are_those_of_the_value(data: Histories, rival_first: bool) -> None:
    surface = Surface([data, swapped(data)], rival_first)
    at, step = np.array([-0.5, 0.2, 0.4, -1.0, 0.6, -2.0]), 1e-5
    here = surface.slope(at)
    for place, unit in enumerate(np.eye(6) * step):
        above, below = surface.slope(at + unit), surface.slope(at - unit)
        assert here.gradient[place] == pytest.approx(
            (above.value - below.value) / (2 * step), rel=1e-6, abs=1e-5
        )
        assert here.bend[place] == pytest.approx(
            (above.gradient - below.gradient) / (2 * step), rel=1e-6, abs=1e-5
        )


def test_value_is_the_log_likelihood(data: Histories, fitted: Fit) -> None:
    assert fitted.log_likelihood == pytest.approx(log_likelihood(data, *values(fitted)), abs=1e-6)


def test_known_parameters_are_found(fitted: Fit) -> None:
    for name, known in zip(NAMES, (A_TRUTH, A_RIVAL, BIAS, 0.0), strict=True):
        found: Interval = getattr(fitted, name)
        assert found.low <= known <= found.high
        assert fitted.identified[name].yes
    assert fitted.bias.high - fitted.bias.low < 0.8
    assert fitted.slip.value == 0.0
    assert "one side" in fitted.identified["slip"].why
    assert fitted.seen.agents == 112
    assert fitted.seen.ambiguous == pytest.approx(112 * (1 - A_TRUTH - A_RIVAL), abs=15)


def test_a_slip_is_told_from_a_change_of_belief() -> None:
    found = fit(trials(b"slips", [32, 64], A_TRUTH, A_RIVAL, BIAS, 0.05))
    for name, known in zip(NAMES, (A_TRUTH, A_RIVAL, BIAS, 0.05), strict=True):
        one: Interval = getattr(found, name)
        assert one.error is not None
        assert one.value == pytest.approx(known, abs=4 * one.error)
    assert found.slip.low > 0.03


@pytest.mark.parametrize("place", range(4))
def test_ends_of_intervals_are_where_another_optimiser_puts_them(
    data: Histories, fitted: Fit, place: int
) -> None:
    found: Interval = getattr(fitted, NAMES[place])
    best = np.array(values(fitted))
    for end in (found.low, found.high):
        if end == 0:
            continue

        def loss(rest: np.ndarray, end: float = end) -> float:
            truth, rival, bias, slip = np.insert(rest, place, end)
            if truth < 0 or rival < 0 or truth + rival > 1 or not 0 <= slip <= 0.5:
                return inf
            return -log_likelihood(data, truth, rival, bias, slip)

        start = np.maximum(np.delete(best, place), 1e-9)
        top = minimize(loss, start, method="Nelder-Mead", options={"xatol": 1e-6, "fatol": 1e-8})
        assert top.fun == pytest.approx(DROP - fitted.log_likelihood, abs=1e-3)


def test_standard_errors_are_those_of_the_information(data: Histories, fitted: Fit) -> None:
    best, step = np.array(values(fitted))[:3], 1e-4
    bend = np.empty((3, 3))
    for (i, a), (j, b) in product(enumerate(np.eye(3) * step), repeat=2):
        corners = [
            sign * log_likelihood(data, *(best + x * a + y * b))
            for x, y, sign in ((1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1))
        ]
        bend[i, j] = sum(corners) / (4 * step**2)
    expected = np.sqrt(np.diag(np.linalg.inv(-bend)))
    errors = [getattr(fitted, name).error for name in NAMES[:3]]
    assert errors == pytest.approx(expected, rel=1e-4)
    assert fitted.slip.error is None


def test_truth_and_rival_are_symmetric(data: Histories, fitted: Fit) -> None:
    other = fit(swapped(data))
    assert fitted.bias.value is not None
    assert other.truth.value == pytest.approx(fitted.rival.value, abs=1e-5)
    assert other.truth.high == pytest.approx(fitted.rival.high, abs=1e-5)
    assert other.rival.low == pytest.approx(fitted.truth.low, abs=1e-5)
    assert other.bias.value == pytest.approx(-fitted.bias.value, abs=1e-4)
    assert other.bias.low == pytest.approx(-fitted.bias.high, abs=1e-4)


def test_third_labels_change_nothing_but_their_count(data: Histories, fitted: Fit) -> None:
    cut = int(data.offsets[1])
    events = np.insert(data.events, [1, cut - 1], [GAVE_OTHER, HEARD_OTHER])
    offsets = np.where(data.offsets > 0, data.offsets + 2, 0)
    other = fit(Histories(events, offsets))
    assert values(other) == values(fitted)
    assert other.seen.other_answers == 1 / (1 + fitted.seen.answers)
    assert other.seen.other_heard == 1 / (1 + data.count(HEARD_TRUTH, HEARD_RIVAL))
    assert fitted.seen.other_heard == 0


DECIDED = [[GAVE_TRUTH, HEARD_RIVAL] * 8 + [GAVE_TRUTH]] * 6 + [
    [GAVE_RIVAL, HEARD_TRUTH] * 8 + [GAVE_RIVAL]
] * 4


def test_without_ambiguous_agents_h_is_not_identified() -> None:
    found = fit(of(*DECIDED))
    assert found.truth.value == pytest.approx(0.6, abs=1e-3)
    assert not found.identified["bias"].yes
    assert "no agent is ambiguous" in found.identified["bias"].why
    assert (found.bias.value, found.bias.low, found.bias.high) == (None, -inf, inf)


def test_unknown_shares_do_not_say_that_nobody_is_ambiguous() -> None:
    found = fit(of([GAVE_TRUTH, HEARD_RIVAL, GAVE_TRUTH] * 4))
    assert not (found.identified["truth"].yes and found.identified["rival"].yes)
    assert found.seen.ambiguous < 0.5
    assert "the best fit has no ambiguous agent" in found.identified["bias"].why
    groups = fit_groups([of(*DECIDED), of(*DECIDED)])
    assert "the best fit has no ambiguous agent" in groups.identified["bias"].why


def test_who_heard_nothing_tells_no_type_and_no_h() -> None:
    found = fit(of(*[[GAVE_TRUTH, GAVE_TRUTH]] * 6, *[[GAVE_RIVAL]] * 4))
    for name in ("truth", "rival", "bias"):
        assert not found.identified[name].yes
    assert found.truth.value is None
    assert (found.bias.value, found.bias.low, found.bias.high) == (None, -inf, inf)


def test_one_way_changes_limit_h_on_one_side() -> None:
    """Everybody takes each truth over; nobody that holds it hears of the rival."""
    found = fit(of(*[[GAVE_RIVAL, HEARD_TRUTH, GAVE_TRUTH]] * 20, *DECIDED))
    assert found.bias.value is None
    assert 0 < found.bias.low < found.bias.high == inf
    assert not found.identified["bias"].yes
    assert "lower limit" in found.identified["bias"].why


def test_two_agents_give_values_and_exclude_none() -> None:
    changes = [GAVE_RIVAL, HEARD_TRUTH, GAVE_RIVAL, HEARD_TRUTH, GAVE_TRUTH]
    back = [GAVE_TRUTH, HEARD_RIVAL, GAVE_TRUTH, HEARD_RIVAL, GAVE_RIVAL]
    found = fit(of(changes, back))
    assert found.bias.value == pytest.approx(0, abs=1e-6)
    assert not any(one.yes for one in found.identified.values())
    assert "too little" in found.identified["bias"].why
    assert found.identified["slip"].why == "no value is excluded"


def test_a_share_of_zero_has_a_limit_on_one_side() -> None:
    found = fit(trials(b"no rivals", [64], 0.4, 0.0, 0.0))
    assert found.rival.value == found.rival.low == 0.0
    assert found.rival.error is None
    assert 0 < found.rival.high < 0.1
    assert found.identified["rival"] == (True, "at the end of its range: the interval has one side")


def test_groups_have_their_own_evidence_and_one_h() -> None:
    kinds = [(0.5, 0.05), (0.05, 0.5), (0.2, 0.2)]
    groups = [trials(bytes([i]), [64, 64], *kind, BIAS) for i, kind in enumerate(kinds)]
    found, alike = fit_groups(groups), fit(joined(groups))
    assert np.column_stack([found.truth, found.rival]) == pytest.approx(np.array(kinds), abs=0.12)
    assert found.bias.low <= BIAS <= found.bias.high
    assert found.log_likelihood > alike.log_likelihood + 20
    assert set(found.identified) == {"bias", "slip"}


def test_one_group_is_fitted_as_all(data: Histories, fitted: Fit) -> None:
    found = fit_groups([data])
    assert found.truth[0] == pytest.approx(fitted.truth.value, abs=1e-5)
    assert found.rival[0] == pytest.approx(fitted.rival.value, abs=1e-5)
    assert found.bias.low == pytest.approx(fitted.bias.low, abs=1e-5)
    assert found.seen == fitted.seen or found.seen.ambiguous == pytest.approx(
        fitted.seen.ambiguous, abs=1e-3
    )


@pytest.mark.parametrize("make", [fit, lambda histories: fit_groups([histories])])
@pytest.mark.parametrize("events", [[], [GAVE_OTHER, HEARD_TRUTH]])
def test_without_an_answer_there_is_nothing_to_fit(make: object, events: list[int]) -> None:
    assert callable(make)
    with pytest.raises(SettingError, match="answers that name truth or rival"):
        make(of(events))


def test_numbers_out_of_range_are_refused(data: Histories) -> None:
    with pytest.raises(SettingError, match="slip"):
        answer_terms(data, 0.0, 0.7)
    with pytest.raises(SettingError, match="bias"):
        answer_terms(data, inf)
    with pytest.raises(SettingError, match="rival"):
        log_likelihood(data, 0.6, 0.6, 0.0)
