"""`socialcircuits theory trajectory`: the truth share round by round."""

from __future__ import annotations

from socialcircuits.cli.output import Json, print_json
from socialcircuits.cli.theory.options import (
    Bias,
    Distinct,
    Last,
    Rival,
    Size,
    Truth,
    say,
    settings,
    show,
)


def command(  # noqa: PLR0913, PLR0917 - one parameter an option of the verb
    n: Size,
    truth: Truth,
    rival: Rival,
    bias: Bias = 0.0,
    rounds: Last = 10,
    distinct: Distinct = False,
    json: Json = False,
) -> None:
    """Print the exact mean truth share of groups of N beside the mean field, over t / N."""
    from socialcircuits.figures.phase import NO_AGENTS
    from socialcircuits.theory.accuracy import trajectory

    found = trajectory(n, truth, rival, bias, rounds, not distinct)
    columns = {
        "rounds": found.rounds.tolist(),
        "exact": found.exact.tolist(),
        "mean_field": found.mean_field.tolist(),
        "spread": found.spread.tolist(),
    }
    given = {"n": n, "truth": truth, "rival": rival, "bias": bias, "distinct": distinct}
    if json:
        print_json({**given, **columns})
        return
    say(settings({**given, "rounds": rounds}))
    heads = ("t / N", "exact mean", "mean field", "spread")
    show(heads, zip(*columns.values(), strict=True))
    say("Exact mean: of groups of N, over which evidence they hold.")
    say("Mean field, and linear-noise standard deviation: one group that holds just a_T and a_R.")
    say(NO_AGENTS)
