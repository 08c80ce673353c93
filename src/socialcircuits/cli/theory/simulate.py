"""`socialcircuits theory simulate`: the same process agent by agent, on any network."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from math import isqrt
from typing import TYPE_CHECKING, Annotated, Any

import typer

from socialcircuits.cli.output import Json, print_json
from socialcircuits.cli.theory.options import (
    Bias,
    Distinct,
    Last,
    Rival,
    Size,
    Truth,
    counted,
    say,
    settings,
    show,
)
from socialcircuits.errors import SettingError
from socialcircuits.seeds import digest

if TYPE_CHECKING:
    from socialcircuits.theory.networks import AnyNetwork
    from socialcircuits.theory.simulation import Copying

NETWORKS = ("complete", "ring", "lattice", "small-world", "scale-free")

LINKS, REWIRED = 2, 0.1
"""Where nothing is said."""

MOST_REPLICATES = 1_000_000

NetworkKind = Annotated[str, typer.Option(help=", ".join(NETWORKS))]
Links = Annotated[
    int | None,
    typer.Option(
        help="Neighbours on each side of a ring or small world, links of each newcomer of a "
        f"scale-free network ({LINKS})."
    ),
]
Rewired = Annotated[
    float | None,
    typer.Option(help=f"Probability that a link of a small world is rewired ({REWIRED})."),
]
Memory = Annotated[
    int, typer.Option(help="Labels that an agent keeps; in the theory the last one only.")
]


def command(  # noqa: PLR0913, PLR0917 - one parameter an option of the verb
    n: Size,
    truth: Truth,
    rival: Rival,
    bias: Bias = 0.0,
    rounds: Last = 10,
    network: NetworkKind = "complete",
    links: Links = None,
    rewired: Rewired = None,
    memory: Memory = 1,
    replicates: Annotated[int, typer.Option(help="Groups, each with its own evidence.")] = 200,
    seed: Annotated[int, typer.Option(help="Seed of all draws.")] = 1,
    distinct: Distinct = False,
    json: Json = False,
) -> None:
    """Run agents that follow the theory's rule, and count how their groups end."""
    from socialcircuits.agents import LABEL
    from socialcircuits.theory.chain import acceptance
    from socialcircuits.theory.simulation import Copying

    links, rewired = _effective(network, links, rewired, distinct)
    draw = _networks(network, n, links or 0, rewired or 0.0, distinct)
    rule = Copying(acceptance(bias), memory)
    _check(rounds, replicates)
    given: dict[str, Any] = {"n": n, "truth": truth, "rival": rival, "bias": bias, "rounds": rounds}
    why = _unknown(n, network, memory)
    exact = {} if why else _exact(given, not distinct)
    seeds = [digest("theory simulate", seed, nth) for nth in range(replicates)]
    rows = _rows(*_run(seeds, draw, (n, truth, rival), rule, rounds), exact)
    if json:
        given |= {"distinct": distinct, "network": network, "links": links, "rewired": rewired}
        given |= {"memory": memory, "replicates": replicates, "seed": seed, "agents": LABEL}
        print_json({**given, **rows, "no_exact": why})
        return
    say(settings({**given, "distinct": distinct}))
    where, groups = _network_words(network, links, rewired), counted(replicates, "group")
    say(f"{where}, memory {memory}, {groups}, seed {seed}")
    _show(rows, why)
    say(LABEL)


def _check(rounds: int, replicates: int) -> None:
    from socialcircuits.theory._checks import whole, whole_rounds

    whole_rounds(rounds)
    whole("replicates", replicates, 1, MOST_REPLICATES)


def _unknown(n: int, network: str, memory: int) -> str | None:
    """Why there is no exact value; None if there is."""
    from socialcircuits.theory.outcomes import LARGEST_STEPPED

    if network != "complete" or memory > 1:
        return "it is known for the complete network and memory 1 only"
    if n > LARGEST_STEPPED:
        return f"the exact chain serves groups of up to {LARGEST_STEPPED:,}"
    return None


def _exact(given: dict[str, Any], self_pairs: bool) -> dict[str, float]:
    from socialcircuits.theory.outcomes import outcome

    return asdict(outcome(**given, self_pairs=self_pairs))


def _rows(
    names: Sequence[str], shares: Sequence[float], exact: dict[str, float]
) -> dict[str, dict[str, float | None]]:
    """Share of groups in each class, and mean truth share, each with its interval."""
    from socialcircuits.statistics import mean, proportion
    from socialcircuits.theory.outcomes import CLASSES

    found = {str(name): proportion(names.count(name), len(names)) for name in CLASSES}
    found["truth_share"] = mean(shares)
    return {
        name: {"value": one.value, "low": one.low, "high": one.high, "exact": exact.get(name)}
        for name, one in found.items()
    }


def _effective(
    kind: str, links: int | None, rewired: float | None, distinct: bool
) -> tuple[int | None, float | None]:
    """Return links and rewired share that hold; None where the network has none.

    Refuse settings that another network has.
    """
    if kind not in NETWORKS:
        raise SettingError("network", kind, "one of " + ", ".join(NETWORKS), among=NETWORKS)
    if links is not None and kind in {"complete", "lattice"}:
        raise SettingError("links", links, f"nothing for a {kind} network")
    if rewired is not None and kind != "small-world":
        raise SettingError("rewired", rewired, f"nothing for a {kind} network")
    if distinct and kind != "complete":
        raise SettingError("distinct", distinct, "nothing: no self pairs elsewhere")
    if links is None and kind not in {"complete", "lattice"}:
        links = LINKS
    if rewired is None and kind == "small-world":
        rewired = REWIRED
    return links, rewired


def _network_words(kind: str, links: int | None, rewired: float | None) -> str:
    parts = [f"{kind} network"]
    parts += [] if links is None else [counted(links, "link")]
    parts += [] if rewired is None else [f"rewired {rewired}"]
    return ", ".join(parts)


def _networks(
    kind: str, n: int, links: int, rewired: float, distinct: bool
) -> Callable[[bytes], AnyNetwork]:
    """Return what makes the network from a seed."""
    from socialcircuits.theory import networks

    if kind == "small-world":
        return lambda seed: networks.small_world(seed, n, links, rewired)
    if kind == "scale-free":
        return lambda seed: networks.scale_free(seed, n, links)
    fixed: AnyNetwork
    if kind == "lattice":
        fixed = networks.lattice(*_sides(n))
    else:
        fixed = networks.ring(n, links) if kind == "ring" else networks.Complete(n, not distinct)
    return lambda _: fixed


def _sides(n: int) -> tuple[int, int]:
    """Rows and columns of the lattice of n agents that is the nearest to a square."""
    rows = next((side for side in range(isqrt(max(n, 0)), 2, -1) if n % side == 0), None)
    if rows is None:
        raise SettingError("n", n, "for a lattice, a product of two numbers from 3, such as 100")
    return rows, n // rows


def _run(
    seeds: Sequence[bytes],
    draw: Callable[[bytes], AnyNetwork],
    sampling: tuple[int, float, float],
    rule: Copying,
    rounds: int,
) -> tuple[list[str], list[float]]:
    """Class and truth share of each group at the end."""
    from socialcircuits.theory.outcomes import class_of
    from socialcircuits.theory.population import sampled
    from socialcircuits.theory.simulation import simulate

    n, truth, rival = sampling
    names: list[str] = []
    shares = []
    for seed in seeds:
        people = sampled(seed, n, (truth, rival))
        [[holders, _]] = simulate(seed, people, [rounds * n], rule, draw(seed)).counts.tolist()
        names.append(class_of(n, holders))
        shares.append(holders / n)
    return names, shares


def _show(rows: dict[str, dict[str, float | None]], why: str | None) -> None:
    from socialcircuits.figures.phase import PARTS
    from socialcircuits.statistics import LEVEL

    heads = ("ending", "share of groups", f"{LEVEL:.0%} from", "to", "exact")
    titles = [PARTS[name].title if name in PARTS else "mean truth share" for name in rows]
    lines = [(title, *row.values()) for title, row in zip(titles, rows.values(), strict=True)]
    show(heads, lines)
    if why:
        say(f"No exact value: {why}.")
