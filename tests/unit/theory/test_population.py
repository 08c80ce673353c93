"""Evidence and first beliefs: numbers, probabilities, independence of the two."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from socialcircuits.errors import SettingError
from socialcircuits.theory.population import AMBIGUOUS, Population, placed, sampled


def test_zealots_are_as_many_as_given_and_hold_their_label() -> None:
    population = placed(b"seed", 50, (7, 0, 5))
    assert [np.sum(population.evidence == label) for label in (0, 1, 2, AMBIGUOUS)] == [7, 0, 5, 38]
    decided = population.evidence >= 0
    assert (population.beliefs[decided] == population.evidence[decided]).all()


def test_places_and_coins_are_uniform() -> None:
    runs, agents = 2000, 5
    first, coins = np.zeros(agents), np.zeros(agents)
    for run in range(runs):
        population = placed(f"{run}".encode(), agents, (1, 1))
        first += population.evidence == 0
        coins += (population.evidence == AMBIGUOUS) & (population.beliefs == 1)
    for counts, share in ((first, 1 / 5), (coins, 3 / 10)):
        assert np.abs(counts - runs * share).max() < 4.5 * np.sqrt(runs * share * (1 - share))


def test_evidence_has_its_probabilities() -> None:
    agents, law = 100_000, (0.2925, 0.0, 0.1575)
    population = sampled(b"seed", agents, law)
    for label, share in enumerate(law):
        spread = np.sqrt(agents * share * (1 - share))
        assert abs(np.sum(population.evidence == label) - agents * share) <= 4.5 * spread
    ambiguous = population.beliefs[population.evidence == AMBIGUOUS]
    counts = np.bincount(ambiguous, minlength=3)
    assert np.abs(counts - ambiguous.size / 3).max() < 4.5 * np.sqrt(ambiguous.size * 2 / 9)


@pytest.mark.parametrize("law", [(0.3, 0.7), (0.1, 0.2, 0.3, 0.4), (1.0,), (0.0, 1.0)])
def test_shares_that_sum_to_one_leave_nobody_ambiguous(law: tuple[float, ...]) -> None:
    assert sampled(b"seed", 10_000, law).evidence.min() == (0 if law[0] else 1)


@pytest.mark.parametrize(
    ("build", "what"),
    [
        (lambda: placed(b"", 0, (0, 0)), "agents: 0"),
        (lambda: placed(b"", 3, (2, 2)), "zealots: .* up to 3"),
        (lambda: placed(b"", 3, (2, -1)), "zealots: .* from 0"),
        (lambda: placed(b"", 3, ()), "zealots: .* labels"),
        (lambda: sampled(b"", 3, (0.6, 0.5)), "probabilities: .* at most 1"),
        (lambda: sampled(b"", 3, (0.6, -0.5)), "probabilities: .* none below 0"),
        (lambda: sampled(b"", 3, (float("nan"), 0.5)), "probabilities: "),
        (lambda: sampled(b"", 3, ()), "probabilities: "),
        (lambda: Population([0, -1], [1, 1]), "agent 0.* a zealot to hold"),
        (lambda: Population([0, -1], [0]), "evidence and beliefs of the same agents"),
        (lambda: Population(np.empty(0, int), np.empty(0, int)), "population: "),
        (lambda: Population([-2], [0]), "evidence: -2 .* from -1"),
        (lambda: Population([-1], [127]), "beliefs: 127 .* to 126"),
        (lambda: Population([-1], [-1]), "beliefs: -1 .* from 0"),
        (lambda: Population([0.0], [0]), "evidence: .* one label an agent"),
    ],
)
def test_what_is_no_population(build: Callable[[], Population], what: str) -> None:
    with pytest.raises(SettingError, match=what):
        build()
