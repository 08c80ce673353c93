"""Arrays in, estimates out: every number gets its interval, its n and its method here.

What every measure needs is exported. Models of counts and of labels have modules of their own, to
be imported where they are used, since they load numpy and scipy: `clustered` (slopes of a rate),
`mixed` (logistic models with random intercepts), `forms` (of a dependence), `judges`.
"""

from socialcircuits.statistics.estimate import LEVEL, Estimate
from socialcircuits.statistics.intervals import mean, proportion, ratio
from socialcircuits.statistics.paired import (
    McNemar,
    SignFlip,
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
    "TopHit",
    "agreement",
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
