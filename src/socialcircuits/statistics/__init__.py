"""Arrays in, estimates out: every number gets its interval, its n and its method here.

What every measure needs is exported. The rest has modules of its own, to be imported where it is
used, since they load numpy and scipy: `clustered` (slopes of a rate), `mixed` (logistic models with
random intercepts), `hazard`, `forms` (of a dependence), `judges`, `shares` (of two groups),
`multiplicity` (families of tests), `power` and `sequential` (before and during a study).
"""

from socialcircuits.statistics.estimate import LEVEL, Estimate, Significance
from socialcircuits.statistics.intervals import mean, proportion, ratio
from socialcircuits.statistics.paired import (
    McNemar,
    SignFlip,
    matched_difference,
    matched_proportions,
    mcnemar,
    paired_difference,
    sign_flip,
)
from socialcircuits.statistics.ranks import (
    Agreement,
    TopHit,
    agreement,
    midranks,
    spearman,
    top_hit,
)

__all__ = [
    "LEVEL",
    "Agreement",
    "Estimate",
    "McNemar",
    "SignFlip",
    "Significance",
    "TopHit",
    "agreement",
    "matched_difference",
    "matched_proportions",
    "mcnemar",
    "mean",
    "midranks",
    "paired_difference",
    "proportion",
    "ratio",
    "sign_flip",
    "spearman",
    "top_hit",
]
