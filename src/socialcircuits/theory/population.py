"""Who has what evidence, and what everyone believes at first.

Labels are numbers: with two of them 0 is the truth and 1 the rival, -1 is evidence that decides
nothing.

Source: Sec. 5.2, private evidence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from socialcircuits.errors import SettingError
from socialcircuits.theory._checks import ROUNDING, whole
from socialcircuits.theory._generator import (
    LARGEST_BOUND,
    fill,
    generator,
    integers,
    shuffle,
    threshold,
)

__all__ = ["AMBIGUOUS", "RIVAL", "TRUTH", "Population", "placed", "sampled"]

Labels = NDArray[np.int8]

TRUTH, RIVAL, AMBIGUOUS = 0, 1, -1
MOST_LABELS = 127


@dataclass(frozen=True)
class Population:
    """What each agent's evidence decides, and what it believes before anything is said.

    Args:
        evidence: shape (N,), a label from 0 for a zealot (0 the truth, 1 the rival), -1 for an
            ambiguous agent.
        beliefs: shape (N,), labels from 0; zealots hold the label of their evidence.

    Raises:
        SettingError: the shapes differ, a label is out of range, or a zealot holds another label.

    Source: Sec. 5.2, private evidence.

    >>> Population([0, -1, -1], [0, 1, 0]).evidence.tolist()
    [0, -1, -1]
    """

    evidence: Labels
    beliefs: Labels

    def __init__(self, evidence: ArrayLike, beliefs: ArrayLike) -> None:
        evidence, beliefs = as_labels("evidence", evidence, -1), as_labels("beliefs", beliefs, 0)
        if evidence.shape != beliefs.shape or not evidence.size:
            shapes = f"{evidence.shape}, {beliefs.shape}"
            raise SettingError("population", shapes, "evidence and beliefs of the same agents")
        if (wrong := (evidence >= 0) & (beliefs != evidence)).any():
            agent = int(wrong.argmax())
            raise SettingError("beliefs", f"agent {agent}", "a zealot to hold its evidence's label")
        object.__setattr__(self, "evidence", evidence)
        object.__setattr__(self, "beliefs", beliefs)


def placed(seed: bytes, agents: int, zealots: Sequence[int]) -> Population:
    """Place given numbers of zealots at random; ambiguous agents start from fair coins.

    Args:
        seed: any bytes.
        agents: N, from 1.
        zealots: for each label the number of its zealots, for two labels (z_T, z_R).

    Returns:
        A population whose ambiguous agents hold each label with equal probability.

    Raises:
        SettingError: there are more zealots than agents, or a number is negative.

    Source: Appendix G, independent fair initial beliefs.

    >>> population = placed(b"seed", 128, (37, 20))
    >>> [(population.evidence == label).sum().item() for label in (TRUTH, RIVAL, AMBIGUOUS)]
    [37, 20, 71]
    """
    whole("agents", agents, 1, LARGEST_BOUND)
    if not 1 <= len(zealots) <= MOST_LABELS or min(zealots) < 0 or sum(zealots) > agents:
        expected = f"numbers from 0 with a sum up to {agents}, for 1 to {MOST_LABELS} labels"
        raise SettingError("zealots", tuple(zealots), expected)
    evidence = np.full(agents, AMBIGUOUS, np.int8)
    evidence[: sum(zealots)] = np.repeat(np.arange(len(zealots), dtype=np.int8), zealots)
    shuffle(generator(seed, "places"), evidence)
    return _fair(seed, evidence, len(zealots))


def sampled(seed: bytes, agents: int, probabilities: Sequence[float]) -> Population:
    """Draw each agent's type of evidence independently; ambiguous agents start from fair coins.

    Args:
        seed: any bytes.
        agents: N, from 1.
        probabilities: for each label the probability of evidence that decides for it, for two
            labels (a_T, a_R); the rest up to 1 is ambiguous.

    Raises:
        SettingError: the probabilities are no probabilities or sum to more than 1.

    Source: Sec. 5.2, private evidence; Appendix G, composition and fair initial beliefs.

    >>> population = sampled(b"seed", 1000, (0.2925, 0.1575))
    >>> [(population.evidence == label).sum().item() for label in (TRUTH, RIVAL, AMBIGUOUS)]
    [277, 182, 541]
    """
    whole("agents", agents, 1, LARGEST_BOUND)
    sums = np.cumsum(probabilities)
    if not 1 <= sums.size <= MOST_LABELS or min(probabilities) < 0 or sums[-1] > 1 + ROUNDING:
        raise SettingError("probabilities", tuple(probabilities), "at most 1 in all, none below 0")
    limits = [threshold("probabilities", min(float(p), 1.0)) for p in sums]
    fill(generator(seed, "types"), words := np.empty(agents, np.uint64))
    types = np.searchsorted(limits, words >> np.uint64(1), side="right").astype(np.int8)
    evidence = np.where(types < len(probabilities), types, np.int8(AMBIGUOUS))
    return _fair(seed, evidence, len(probabilities))


def as_labels(where: str, given: ArrayLike, least: int) -> Labels:
    """Return one label an agent as an array of the one type that compiled functions take.

    >>> as_labels("beliefs", [0, 1], 0).dtype
    dtype('int8')
    """
    found = np.asarray(given)
    if found.ndim != 1 or (found.size and found.dtype.kind not in "iu"):
        raise SettingError(where, f"{found.ndim} axes of {found.dtype}", "one label an agent")
    if found.size and (found.min() < least or found.max() >= MOST_LABELS):
        outside = found.min() if found.min() < least else found.max()
        raise SettingError(where, int(outside), f"labels from {least} to {MOST_LABELS - 1}")
    return found.astype(np.int8)


def _fair(seed: bytes, evidence: Labels, labels: int) -> Population:
    coins = np.empty(evidence.size, np.int8)
    integers(generator(seed, "beliefs"), labels, coins)
    return Population(evidence, np.where(evidence >= 0, evidence, coins))
