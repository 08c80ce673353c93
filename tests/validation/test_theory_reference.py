"""Values of the theory that were calculated independently in high-precision arithmetic."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from socialcircuits.measures.endpoints import classify
from socialcircuits.theory import accuracy, chain, composition, mean_field, outcomes

FILE = Path(__file__).parent / "data" / "theory-reference.json"
ROWS: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))["rows"]

EXACT, FLOATING, ABSOLUTE = 1e-12, 1e-10, 1e-12
"""Relative tolerances of rows that are exact and of those made in floating point; the latter state
an absolute error too, below which their digits mean nothing."""


def group(given: dict[str, Any]) -> chain.Chain:
    bias = float(given.get("h0", 0))
    return chain.Chain(given["N"], given["zT"], given["zR"], bias)


def shares(given: dict[str, Any]) -> tuple[float, float]:
    return float(given["aT"]), float(given["aR"])


def composition_probs(given: dict[str, Any]) -> dict[str, Any]:
    found = composition.composition(given["N"], *shares(given))
    return {
        "neither": found.neither,
        "T_only": found.truth_only,
        "R_only": found.rival_only,
        "both": found.both,
    }


def multinomial_pmf(given: dict[str, Any]) -> float:
    return composition.composition_pmf(given["N"], (given["zT"], given["zR"]), *shares(given))


def rates_mean_var(given: dict[str, Any]) -> dict[str, Any]:
    n = given["n"]
    up, down = chain.rates(group(given))
    mean, variance = chain.step_moments(group(given))
    return {"Wplus": up[n], "Wminus": down[n], "mean_dx": mean[n], "var_dx": variance[n]}


def of_law(law: np.ndarray[Any, np.dtype[np.float64]], given: dict[str, Any]) -> dict[str, Any]:
    """What the rows say of a law of n; entropy and mode too, where they ask for them."""
    n = np.arange(len(law))
    mean = float(law @ n)
    classes: dict[str, float] = dict.fromkeys(outcomes.CLASSES, 0.0)
    for held, chance in enumerate(law):
        classes[outcomes.class_of(given["N"], given["zT"] + held)] += float(chance)
    positive = law[law > 0]
    return {
        "p0": law[0],
        "p_last": law[-1],
        "p_mid": law[(len(law) - 1) // 2],
        "mean_n": mean,
        "var_n": law @ (n - mean) ** 2,
        "mode": int(np.argmax(law > law.max() * (1 - 1e-12))),
        "entropy_nats": -positive @ np.log(positive),
        "mean_share": (given["zT"] + mean) / given["N"],
        **classes,
    }


def stationary(given: dict[str, Any]) -> dict[str, Any]:
    return of_law(chain.limit_law(group(given)), given)


def transient_fair_start(given: dict[str, Any]) -> dict[str, Any]:
    return of_law(chain.law_after(group(given), given["t"]), given)


def fixation(given: dict[str, Any]) -> float:
    return chain.fixation(given["N"], float(given["h0"]), start=given["n"])


def fixation_fair_start(given: dict[str, Any]) -> float:
    return chain.fixation(given["N"], float(given["h0"]))


def neutral_mean_x_t(given: dict[str, Any]) -> float:
    assert given["x0"] == ".5"  # the mean of fair beliefs
    law = chain.law_after(group(given), given["t"])
    return float(law @ np.arange(len(law))) / (len(law) - 1)


def neutral_eigenvalue(given: dict[str, Any]) -> float:
    return chain.neutral_eigenvalue(group(given), given["k"])


def mean_absorption_steps_fair_start(given: dict[str, Any]) -> float:
    return chain.absorption_steps(group(given))


def mean_field_row(given: dict[str, Any]) -> dict[str, Any]:
    truth, rival = float(given["fT"]), float(given["fR"])
    points = mean_field.fixed_points(truth, rival, float(given["h0"]))
    (stable,) = [point for point in points if point.stability == "stable"]
    assert stable.variance is not None
    return {
        "fixed_points": [[point.x, point.stability] for point in points],
        "s_stable": stable.share,
        "A_prime": stable.slope,
        "ou_var_times_N": stable.variance / (1 - truth - rival) ** 2,
    }


def drift(given: dict[str, Any]) -> dict[str, Any]:
    where = [float(given[name]) for name in ("x", "fT", "fR", "h0")]
    return {"A": mean_field.drift(*where), "A_prime": mean_field.slope(*where)}


def eq12(given: dict[str, Any]) -> float:
    return accuracy.neutral_truth_share(given["N"], *shares(given))


def eq14(given: dict[str, Any]) -> dict[str, Any]:
    mean, variance = accuracy.neutral_moments(given["N"], (given["zT"], given["zR"]))
    return {"mean_x": mean, "var_x": variance, "var_x_times_N": variance * given["N"]}


def classified(given: dict[str, Any]) -> dict[str, Any]:
    counts, truth = given["counts"], given["truth"]
    n = sum(counts.values())
    named = {
        "correct_consensus": "correct",
        "wrong_consensus": "wrong",
        "polarization": "polarized",
        "fragmentation": "fragmented",
    }
    label = named[classify(counts, n, truth)]
    if len(counts) == 2 and truth in counts:
        assert outcomes.class_of(n, counts[truth]) == label
    return {"label": label}


def of_outcome(found: outcomes.Outcome) -> dict[str, Any]:
    classes: dict[str, float] = {name: getattr(found, name) for name in outcomes.CLASSES}
    return {**classes, "mean_share": found.truth_share}


def outcome_stationary(given: dict[str, Any]) -> dict[str, Any]:
    return of_outcome(outcomes.outcome(given["N"], *shares(given), float(given["h0"])))


def outcome_finite_time(given: dict[str, Any]) -> dict[str, Any]:
    assert given["t"] == given["kappa"] * given["N"]
    bias, rounds = float(given["h0"]), given["kappa"]
    return of_outcome(outcomes.outcome(given["N"], *shares(given), bias, rounds=rounds))


def phase_row(given: dict[str, Any]) -> dict[str, Any]:
    among = [i / 40 for i in range(41)]
    total, bias = float(given["total"]), float(given["h0"])
    found = outcomes.phase_map([given["N"]], among, total, bias)
    four = np.sort([found.correct[0], found.wrong[0], found.polarized[0], found.fragmented[0]], 0)
    return {
        "four_class": "".join("CWPF"[i] for i in found.most_likely()[0]),
        "three_class": "".join("CWPF"[i] for i in found.most_likely(3)[0]),
        "min_margin": (four[3] - four[2]).min(),
        "correct_at": found.correct[0, ::10].tolist(),
        "polarized_at": found.polarized[0, ::10].tolist(),
    }


THEORY: dict[str, Callable[[dict[str, Any]], Any]] = {
    "composition_probs": composition_probs,
    "multinomial_pmf": multinomial_pmf,
    "rates_mean_var": rates_mean_var,
    "stationary": stationary,
    "transient_fair_start": transient_fair_start,
    "fixation": fixation,
    "fixation_fair_start": fixation_fair_start,
    "neutral_mean_x_t": neutral_mean_x_t,
    "neutral_eigenvalue": neutral_eigenvalue,
    "mean_absorption_steps_fair_start": mean_absorption_steps_fair_start,
    "mean_field": mean_field_row,
    "drift": drift,
    "eq12": eq12,
    "eq14": eq14,
    "classify": classified,
    "outcome_stationary": outcome_stationary,
    "outcome_finite_time": outcome_finite_time,
    "phase_row": phase_row,
}


def temporal(given: dict[str, Any]) -> dict[str, Any]:
    from socialcircuits.theory.arrival import NEVER, arrivals, reach
    from socialcircuits.theory.contacts import Contacts

    speakers, listeners = zip(*given["contacts"], strict=True)
    tau = arrivals(given["N"], [Contacts(speakers, listeners)])
    found = reach(tau)
    means = zip(found.mean_arrival.tolist(), found.unreached, strict=True)
    return {
        "tau": [[None if time == NEVER else time for time in row] for row in tau.tolist()],
        "D": [None if unreached else mean for mean, unreached in means],
        "E": found.closeness.tolist(),
    }


def attribution(given: dict[str, Any]) -> dict[str, Any]:
    assert given["contacts"] == "temporal row above"
    above = next(row for row in ROWS if row["fn"] == "temporal")
    closeness = temporal(above["inputs"])["E"]
    return {"S": [float(dp) * e for dp, e in zip(given["dp"], closeness, strict=True)]}


def table5_checks(given: dict[str, Any]) -> dict[str, Any]:
    others = len(given["rows"]) - 1
    dp, mean, closeness, score = (
        [float(row[column]) for row in given["rows"]] for column in (2, 3, 4, 5)
    )
    sums = [round(d * others) for d in mean]
    bounds = [(others + 1) * others / total for total in sums]
    return {
        "sum_tau": sums,
        "jensen_E_lower": bounds,
        "all_E_above_jensen": all(e > low for e, low in zip(closeness, bounds, strict=True)),
        "S_equals_dp_times_E": [p * e for p, e in zip(dp, closeness, strict=True)] == score,
    }


ARRIVAL: dict[str, Callable[[dict[str, Any]], Any]] = {
    "temporal": temporal,
    "attribution": attribution,
    "table5_checks": table5_checks,
}
"""Rows of `socialcircuits.theory.arrival`, which is imported where it is used."""


def agree(found: Any, expected: Any, exact: bool) -> None:
    """Compare what was found with a row's outputs, part by part."""
    if isinstance(expected, dict):
        assert found.keys() >= expected.keys()
        for name, value in expected.items():
            agree(found[name], value, exact)
    elif isinstance(expected, list):
        assert len(found) == len(expected)
        for one, value in zip(found, expected, strict=True):
            agree(one, value, exact)
    elif not is_number(expected):
        assert found == expected
    elif exact:
        assert found == pytest.approx(float(expected), rel=EXACT, abs=0)
    else:
        assert found == pytest.approx(float(expected), rel=FLOATING, abs=ABSOLUTE)


def is_number(value: Any) -> bool:
    """Whether a value is a real number; whole numbers and names are compared as they are."""
    if not isinstance(value, str):
        return isinstance(value, float)
    return not value.isalpha()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['id']}-{row['fn']}")
def test_reference(row: dict[str, Any]) -> None:
    agree({**THEORY, **ARRIVAL}[row["fn"]](row["inputs"]), row["outputs"], row["exact"])


def test_every_kind_of_row_is_there() -> None:
    assert {row["fn"] for row in ROWS} == set(THEORY) | set(ARRIVAL)


def test_a_wrong_digit_is_seen() -> None:
    agree({"p0": 0.5}, {"p0": "0.5"}, exact=True)
    with pytest.raises(AssertionError):
        agree({"p0": 0.5 + 1e-11}, {"p0": "0.5"}, exact=True)
