"""`socialcircuits theory outcome`: how groups of one size end."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from socialcircuits.cli.output import Json, print_json
from socialcircuits.cli.theory.options import (
    Bias,
    Classes,
    Distinct,
    Rival,
    Rounds,
    Size,
    Truth,
    apart,
    compared,
    say,
    settings,
    show,
)


def command(  # noqa: PLR0913, PLR0917 - one parameter an option of the verb
    n: Size,
    truth: Truth,
    rival: Rival,
    bias: Bias = 0.0,
    rounds: Rounds = None,
    classes: Classes = 4,
    distinct: Distinct = False,
    json: Json = False,
) -> None:
    """Print the probability of each way in which a group ends, and its mean truth share."""
    from socialcircuits.figures.phase import NO_AGENTS, PARTS
    from socialcircuits.theory.composition import composition
    from socialcircuits.theory.outcomes import CLASSES, outcome

    among = compared(classes)
    found = outcome(n, truth, rival, bias, rounds, apart(rounds, distinct))
    most, kinds = found.most_likely(classes), composition(n, truth, rival)
    given: dict[str, Any] = {"n": n, "truth": truth, "rival": rival, "bias": bias}
    given |= {"rounds": rounds, "distinct": distinct}
    if json:
        shown = {**given, "classes": classes, **asdict(found), "most_likely": most}
        print_json({**shown, "composition": asdict(kinds)})
        return
    say(settings(given))
    rows = [(PARTS[name].title, getattr(found, name)) for name in CLASSES]
    show(("ending", "probability"), [*rows, ("mean truth share", found.truth_share)])
    say(f"Most probable of {among}: {PARTS[most].title}.")
    say(
        f"Evidence decides for the truth only in {kinds.truth_only:.4f} of groups, for the rival "
        f"only in {kinds.rival_only:.4f}, for each somewhere in {kinds.both:.4f}, nowhere in "
        f"{kinds.neither:.4f}."
    )
    say(NO_AGENTS)
