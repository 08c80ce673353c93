"""What a number of seeds takes, and how seeds are shared out over group sizes for less."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean, variance

from socialcircuits.agents import Access
from socialcircuits.analyses.piloting import equal_seeds
from socialcircuits.measures import cell
from socialcircuits.statistics.allocation import allocation
from socialcircuits.studies import Builder, Plan, Study, costs, count, plan
from socialcircuits.studies.planning import Group, Planned

__all__ = ["Amount", "Share", "Shared", "Takes", "share_out"]


@dataclass(frozen=True)
class Amount:
    """What so many seeds take, before retries and early stop; examples aside.

    Args:
        seeds: replicates a condition; in a world of items, items.
        trials: all of them.
        agents: seats over all trials.
        calls: steps in which something is asked; where items are selected at first, or choices may
            turn out the same, at most so many.
        prompt: prompt tokens, low and high, of models that read prompts, and
        completion: those of replies.
        cost_usd: low and high; None where a price is not known.
    """

    seeds: int
    trials: int
    agents: int
    calls: int
    prompt: tuple[int, int]
    completion: tuple[int, int]
    cost_usd: tuple[float, float] | None


class Takes:
    """What one seed of a study takes, and so any number of them: all seeds have as many steps.

    Args:
        study: the study; its own number of seeds does not matter.
        access: for its file of prices; nothing is reached.

    Attributes:
        at_most: whether calls are an upper bound.

    Raises:
        SettingError: a model's option or a setting of the world is not allowed.

    >>> from socialcircuits.studies import read
    >>> Takes(read("flag-game/protocols")).amount(60).calls
    92400
    """

    def __init__(self, study: Study, access: Access | None = None) -> None:
        one = plan(equal_seeds(study, 1))
        counted, builder = count(one), Builder(one.study)
        self._trials, self._calls = counted.trials, counted.steps + counted.stratum_steps
        self._seats = sum(len(builder.seating(planned)) for planned in one.trials)
        self._spend = costs(one, access)
        two_way = any(planned.cell.trial.protocol == "two-way" for planned in one.trials)
        self.at_most = two_way or bool(one.strata)

    def amount(self, seeds: int) -> Amount:
        """Return what so many seeds take."""
        (low, high), (short, long) = self._spend.prompt, self._spend.completion
        cost = self._spend.cost_usd
        return Amount(
            seeds=seeds,
            trials=seeds * self._trials,
            agents=seeds * self._seats,
            calls=seeds * self._calls,
            prompt=(seeds * low, seeds * high),
            completion=(seeds * short, seeds * long),
            cost_usd=None if cost is None else (seeds * cost[0], seeds * cost[1]),
        )


@dataclass(frozen=True)
class Share:
    """The seeds of one group size.

    Args:
        size: N.
        seeds: its number of seeds.
        deviation: between seeds of the pilot; where several conditions have this N, the root of
            the sum of their variances.
        n: fewest seeds of the pilot in these conditions.
        cost: of one seed, in calls or US dollars.
    """

    size: int
    seeds: int
    deviation: float
    n: int
    cost: float


@dataclass(frozen=True)
class Shared:
    """Seeds shared out over N: the sum of variances of equal numbers, for less.

    Args:
        shares: by N.
        equal: the equal number of seeds that they stand for.
        unit: in what costs are: calls or USD.
        cost: of all of them.
        saving: part of the cost of equal numbers that is saved, from 0 to below 1.
    """

    shares: tuple[Share, ...]
    equal: int
    unit: str
    cost: float
    saving: float


def share_out(
    laid: Plan, values: Mapping[str, Sequence[float]], seeds: int, access: Access | None = None
) -> Shared | str:
    """Share out seeds over N in proportion to deviation over the square root of cost.

    The cost is in US dollars where all prices are known and above 0, else in calls.

    Args:
        laid: the study's plan.
        values: key of each condition (`cell`) -> the pilot's values, one a seed.
        seeds: the equal number that is to be matched.
        access: for its file of prices.

    Returns:
        Why not, as words, where N has one value or the pilot shows no spread at some N.
    """
    one = plan(equal_seeds(laid.study, 1))
    by_size: dict[int, list[Planned]] = {}
    for planned in one.groups[0].trials:
        by_size.setdefault(planned.cell.trial.N, []).append(planned)
    if len(by_size) == 1:
        return "N has one value"
    sizes = sorted(by_size)
    spread = {
        size: [values.get(cell(planned.cell.condition), ()) for planned in by_size[size]]
        for size in sizes
    }
    fewest = {size: min(map(len, found)) for size, found in spread.items()}
    for size in sizes:
        if fewest[size] < 2:
            return f"the pilot has fewer than two seeds with a value at N = {size}"
    deviations = {size: sum(map(variance, found)) ** 0.5 for size, found in spread.items()}
    for size in sizes:
        if not deviations[size]:
            return f"the pilot shows no spread at N = {size} (n = {fewest[size]})"
    unit, price = _prices(one, by_size, access)
    found = allocation([price[size] for size in sizes], [deviations[s] for s in sizes], seeds)
    shares = tuple(
        Share(size, number, deviations[size], fewest[size], price[size])
        for size, number in zip(sizes, found.seeds, strict=True)
    )
    return Shared(shares, seeds, unit, found.cost, found.saving)


def _prices(
    one: Plan, by_size: Mapping[int, Sequence[Planned]], access: Access | None
) -> tuple[str, dict[int, float]]:
    """What one seed costs at each N."""
    parts = {
        size: replace(one, groups=(Group(one.study.first, tuple(members)),), strata=())
        for size, members in by_size.items()
    }
    spends = {size: costs(part, access).cost_usd for size, part in parts.items()}
    dollars = {size: fmean(spend) for size, spend in spends.items() if spend and spend[1]}
    if len(dollars) == len(parts):
        return "USD", dollars
    return "calls", {size: float(count(part).steps) for size, part in parts.items()}
