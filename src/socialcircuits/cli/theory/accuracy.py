"""`socialcircuits theory accuracy`: how much truth groups keep, by size."""

from __future__ import annotations

from typing import TYPE_CHECKING

from socialcircuits.cli.output import Json, print_json
from socialcircuits.cli.theory.options import (
    ROUNDING,
    Bias,
    Distinct,
    Rival,
    Rounds,
    Sizes,
    Truth,
    apart,
    numbers,
    same,
    say,
    settings,
    show,
)

if TYPE_CHECKING:
    from collections.abc import Sequence


def command(  # noqa: PLR0913, PLR0917 - one parameter an option of the verb
    truth: Truth,
    rival: Rival,
    n: Sizes = "2,4,8,16,32,64,128",
    bias: Bias = 0.0,
    rounds: Rounds = None,
    distinct: Distinct = False,
    json: Json = False,
) -> None:
    """Print the mean truth share at each N, its limit under neutral copying, and that of a very
    large group."""
    from socialcircuits.figures.phase import NO_AGENTS
    from socialcircuits.theory.accuracy import neutral_truth_share, truth_share

    sizes, alone = numbers("n", n, int), apart(rounds, distinct)
    shares = [truth_share(size, truth, rival, bias, rounds, alone) for size in sizes]
    neutral = [neutral_truth_share(size, truth, rival) for size in sizes]
    large = _large(truth, rival, bias, rounds)
    given = {"truth": truth, "rival": rival, "bias": bias, "rounds": rounds, "distinct": distinct}
    if json:
        found = {"n": sizes, "truth_share": shares, "neutral_limit": neutral, "very_large": large}
        print_json({**given, **found})
        return
    say(settings(given))
    heads = ("N", "mean truth share", "neutral copying, t to infinity")
    show(heads, zip(sizes, shares, neutral, strict=True))
    if large is not None:
        first = "N to infinity" if rounds is not None else "N to infinity before t"
        say(f"A very large group (mean field, {first}): {large:.4f}.")
    if same(shares):
        say("The same at every N.")
    else:
        say(f"Highest at N = {_highest(sizes, shares):,}.")
    say(NO_AGENTS)


def _large(truth: float, rival: float, bias: float, rounds: int | None) -> float | None:
    """Truth share of the mean field from fair beliefs; None where nothing drives it."""
    from socialcircuits.theory.mean_field import fixed_points, path

    if rounds is not None:
        return truth + (1 - truth - rival) * float(path(rounds, truth, rival, bias))
    points = fixed_points(truth, rival, bias)
    return min(points, key=lambda point: point.slope).share if points else None


def _highest(sizes: Sequence[int], shares: Sequence[float]) -> int:
    least = max(shares) - ROUNDING
    return next(size for size, share in zip(sizes, shares, strict=True) if share >= least)
