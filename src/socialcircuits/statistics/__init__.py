"""Arrays in, estimates out: every number gets its interval, its n and its method here."""

from socialcircuits.statistics.estimate import LEVEL, Estimate
from socialcircuits.statistics.intervals import mean, proportion, ratio
from socialcircuits.statistics.paired import (
    McNemar,
    SignFlip,
    mcnemar,
    paired_difference,
    sign_flip,
)

__all__ = [
    "LEVEL",
    "Estimate",
    "McNemar",
    "SignFlip",
    "mcnemar",
    "mean",
    "paired_difference",
    "proportion",
    "ratio",
    "sign_flip",
]
