"""How large a study must be: from a pilot to seeds, calls, cost, and what the study can detect."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from math import ceil, floor
from typing import Any

from socialcircuits.agents import Access
from socialcircuits.analyses.amounts import Amount, Shared, Takes, share_out
from socialcircuits.analyses.comparisons import (
    Comparison,
    Design,
    Wanted,
    compared,
    design,
    measure_of,
    value,
)
from socialcircuits.analyses.piloting import Pilot
from socialcircuits.analyses.spreads import Spread
from socialcircuits.errors import RunFileError, SettingError
from socialcircuits.measures import Measure, cell
from socialcircuits.measures.notable import PILOT
from socialcircuits.records.summary import TrialSummary
from socialcircuits.statistics.sequential import enlargement, equal_looks, expected_part
from socialcircuits.studies import Builder, Plan, Study

__all__ = ["Answer", "Looks", "Point", "Sizing", "size"]

_STEPS = (0.5, 0.75, 1.0, 1.5, 2.0)
_WIDE = (2.0, 4.0, 8.0)
"""Multiples of the seeds that are needed, on the power curve; and of the study's own where no
number is enough."""

_ROUNDING = 1e-9


@dataclass(frozen=True)
class Answer:
    """What one comparison needs.

    Args:
        comparison: what is compared, and what the pilot shows of it.
        usable: part of the pilot's seeds that it rests on, above 0 and at most 1.
        seeds: that are needed, those included that will not be usable; None where no number is
            enough or the pilot shows no spread.
        cautious: the same at the upper limit of the pilot's deviation.
        power: at the study's own number of seeds; None where nothing is tested.
        detects: the smallest effect that those find with the wanted power (of a rate, half the
            width of its interval); None where there is none.
    """

    comparison: Comparison
    usable: float
    seeds: int | None
    cautious: int | None
    power: float | None
    detects: float | None

    def row(self) -> dict[str, Any]:
        """Return the columns condition, minus, n (units of the pilot), usable, test, deviation,
        means (what the deviation is), cautious_deviation, seeds, cautious_seeds, power, detects
        and why (there is no number)."""
        one, spread = self.comparison, self.comparison.spread
        return {
            "condition": dict(one.condition),
            "minus": dict(one.minus),
            "n": one.n,
            "usable": self.usable,
            "test": spread and spread.test,
            "deviation": spread and spread.deviation,
            "means": spread and spread.means,
            "cautious_deviation": spread and spread.cautious().deviation,
            "seeds": self.seeds,
            "cautious_seeds": self.cautious,
            "power": self.power,
            "detects": self.detects,
            "why": one.why,
        }


@dataclass(frozen=True)
class Looks:
    """What declared looks do to the size.

    Args:
        number: of looks.
        seeds: the most that are run, and
        at: the seeds complete at each look.
        expected: seeds that are run on average if the effect is there.
    """

    number: int
    seeds: int
    at: tuple[int, ...]
    expected: int


@dataclass(frozen=True)
class Point:
    """One point of the power curve.

    Args:
        amount: the seeds and what they take.
        power: the least over all comparisons; None for rates.
        detects: the largest of the smallest effects; None where one has none.
    """

    amount: Amount
    power: float | None
    detects: float | None


@dataclass(frozen=True)
class Sizing:
    """How large a study must be.

    Args:
        study: the study.
        wanted: what it is to find.
        measure: what is measured.
        design: what is compared.
        pilot: path of the pilot; empty where it was simulated for the moment.
        pilot_seeds: its seeds.
        label: what kind of agents it had.
        answers: one for each comparison.
        now: what the study's own seeds take.
        needed: what the seeds take that all comparisons need, and
        cautious: the same by the cautious reading; None where no number is enough for all.
        at_most: whether calls are an upper bound.
        looks: where looks at this comparison are declared.
        points: the power curve.
        shared: seeds shared out over N, or in words why not.
        warnings: what a reader must know, a sentence each without full stop.
    """

    study: Study
    wanted: Wanted
    measure: Measure
    design: Design
    pilot: str
    pilot_seeds: int
    label: str
    answers: tuple[Answer, ...]
    now: Amount
    needed: Amount | None
    cautious: Amount | None
    at_most: bool
    looks: Looks | None
    points: tuple[Point, ...]
    shared: Shared | str
    warnings: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Return what `plan --json` prints."""
        return {
            "study": self.study.name,
            "wanted": {**asdict(self.wanted), "measure": self.measure.name},
            "compared": asdict(self.design),
            "pilot": {"run": self.pilot or None, "agents": self.label, "seeds": self.pilot_seeds},
            "comparisons": [answer.row() for answer in self.answers],
            "own": asdict(self.now),
            "needed": self.needed and asdict(self.needed),
            "cautious": self.cautious and asdict(self.cautious),
            "calls_at_most": self.at_most,
            "looks": self.looks and asdict(self.looks),
            "curve": [asdict(point) for point in self.points],
            "allocation": self.shared if isinstance(self.shared, str) else asdict(self.shared),
            "warnings": list(self.warnings),
        }


def size(laid: Plan, wanted: Wanted, pilot: Pilot, access: Access | None = None) -> Sizing:
    """Return how large a study must be to find an effect.

    The number of seeds is the largest that any of its comparisons needs. Seeds of the pilot that
    a comparison could not use (items that were not kept, measures without a value) are expected
    in the same part again.

    Args:
        laid: the study's plan.
        wanted: what it is to find.
        pilot: a run of the same study, perhaps of other models and with fewer seeds.
        access: for its file of prices; nothing is reached.

    Raises:
        SettingError: the measure has no meaning in the study, the axis is not swept, or the pilot
            shows no spread.
        RunFileError: no trial of the pilot is complete.
    """
    study, conditions = laid.study, {cell(one.condition) for one in laid.cells}
    trials = [one for one in pilot.run.summaries() if cell(one.condition) in conditions]
    if not trials:
        raise RunFileError(f"{pilot.run.path}: no trial that could be a pilot is complete")
    measure, takes = measure_of(laid, wanted, trials), Takes(study, access)
    found = design(laid, measure, wanted.against)
    answers = tuple(
        _answer(one, wanted, pilot.seeds, study.seeds) for one in compared(found, trials, measure)
    )
    _check_spread(answers, pilot)
    needed = _most(answer.seeds for answer in answers if answer.comparison.spread)
    cautious = _most(answer.cautious for answer in answers if answer.comparison.spread)
    shared: Shared | str = "a trend is of all group sizes together"
    if found.kind != "trend":
        shares = share_out(laid, _values(measure, trials), needed or study.seeds, access)
        shared = _findable(shares, answers, wanted)
    return Sizing(
        study=study,
        wanted=wanted,
        measure=measure,
        design=found,
        pilot=pilot.path,
        pilot_seeds=pilot.seeds,
        label=pilot.run.label,
        answers=answers,
        now=takes.amount(study.seeds),
        needed=None if needed is None else takes.amount(needed),
        cautious=None if cautious is None else takes.amount(cautious),
        at_most=takes.at_most,
        looks=_looks(study, measure, found, needed, wanted.power),
        points=tuple(
            _point(answers, wanted, takes.amount(seeds)) for seeds in _numbers(needed, study.seeds)
        ),
        shared=shared,
        warnings=(
            *_warnings(laid, pilot, answers, [needed, cautious]),
            *_other_looks(study, measure, found),
        ),
    )


def _answer(one: Comparison, wanted: Wanted, pilot_seeds: int, own: int) -> Answer:
    usable, spread = min(1.0, one.n / pilot_seeds), one.spread
    if spread is None:
        return Answer(one, usable, None, None, None, None)
    plain, cautious = (
        each.size(wanted.effect, wanted.power) for each in (spread, spread.cautious())
    )
    units = floor(own * usable + _ROUNDING)
    return Answer(
        one,
        usable,
        None if plain is None else ceil(plain / usable - _ROUNDING),
        None if cautious is None else ceil(cautious / usable - _ROUNDING),
        spread.power(wanted.effect, units),
        spread.detects(units, wanted.power),
    )


def _check_spread(answers: Sequence[Answer], pilot: Pilot) -> None:
    """Refuse a pilot from which nothing can be planned."""
    if not any(answer.comparison.spread for answer in answers):
        why = answers[0].comparison.why if answers else "it has no two conditions to compare"
        expected = f"a pilot that shows how much seeds differ ({why})"
        raise SettingError("--pilot", pilot.path or "simulated agents", expected)


def _most(numbers: Iterable[int | None]) -> int | None:
    """The largest; None where one of them cannot be reached."""
    found = list(numbers)
    return None if None in found else max(number for number in found if number is not None)


def _values(measure: Measure, trials: Iterable[TrialSummary]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for trial in trials:
        number = value(measure, trial)
        if number is not None:
            found.setdefault(cell(trial.condition), []).append(number)
    return found


def _findable(shared: Shared | str, answers: Sequence[Answer], wanted: Wanted) -> Shared | str:
    """The seeds that are shared out, or in words that the fewest of them could find nothing."""
    if isinstance(shared, str):
        return shared
    fewest = min(shared.shares, key=lambda one: one.seeds)
    if _detected(answers, wanted, fewest.seeds) is None:
        return f"N = {fewest.size} would get {fewest.seeds}, with which nothing can be found"
    return shared


def _looks(
    study: Study, measure: Measure, found: Design, needed: int | None, power: float
) -> Looks | None:
    declared = study.looks
    if declared is None or needed is None:
        return None
    if (declared.measure, declared.axis) != (measure.name, found.axis):
        return None
    fractions = equal_looks(declared.number)
    most = ceil(needed * enlargement(fractions, power))
    at = tuple(ceil(part * most) for part in fractions)
    return Looks(declared.number, most, at, ceil(expected_part(fractions, power) * most))


def _numbers(needed: int | None, own: int) -> list[int]:
    """The numbers of seeds on the power curve."""
    steps = [own * part for part in _WIDE] if needed is None else [needed * p for p in _STEPS]
    return sorted({own, *(max(2, ceil(step)) for step in steps)})


def _point(answers: Sequence[Answer], wanted: Wanted, amount: Amount) -> Point:
    powers = [
        spread.power(wanted.effect, units) for spread, units in _spreads(answers, amount.seeds)
    ]
    return Point(amount, _all(powers, min), _detected(answers, wanted, amount.seeds))


def _detected(answers: Sequence[Answer], wanted: Wanted, seeds: int) -> float | None:
    found = [spread.detects(units, wanted.power) for spread, units in _spreads(answers, seeds)]
    return _all(found, max)


def _spreads(answers: Sequence[Answer], seeds: int) -> Iterator[tuple[Spread, int]]:
    """The spreads that are known, each with the units of so many seeds that can be used."""
    for answer in answers:
        if answer.comparison.spread is not None:
            yield answer.comparison.spread, floor(seeds * answer.usable + _ROUNDING)


def _all(numbers: Sequence[float | None], chosen: Callable[[list[float]], float]) -> float | None:
    known = [number for number in numbers if number is not None]
    return chosen(known) if len(known) == len(numbers) else None


def _warnings(
    laid: Plan, pilot: Pilot, answers: Sequence[Answer], seeds: Sequence[int | None]
) -> Iterator[str]:
    yield from _of_models(laid.study, pilot)
    fewest = min(answer.comparison.n for answer in answers if answer.comparison.spread)
    if fewest < PILOT:
        yield (
            f"a comparison rests on only {fewest} seeds of the pilot, too few to know how much "
            f"seeds differ: run a pilot of {PILOT} or more"
        )
    lacking = [answer for answer in answers if not answer.comparison.spread]
    if lacking:
        yield (
            f"{len(lacking)} of {len(answers)} comparisons are not planned for: "
            f"{lacking[0].comparison.why}"
        )
    if None in seeds:
        reading = "" if seeds[0] is None else " by the cautious reading of the pilot"
        yield (
            f"more questions alone cannot reach the power{reading}: what the compositions leave is "
            "too much; sweep more compositions, or look for a larger effect"
        )
    items = len(Builder(laid.study).world.items)
    if items and max(number or 0 for number in seeds) > items:
        yield f"the world has {items} items, and each is one seed: give it more"
    if laid.study.allocation:
        yield "the study's own allocation over N is set aside: all N are counted with equal seeds"


def _other_looks(study: Study, measure: Measure, found: Design) -> Iterator[str]:
    """Say where the declared looks are at another comparison than the one that is planned for."""
    declared = study.looks
    if declared and (declared.measure, declared.axis) != (measure.name, found.axis):
        yield (
            f"the study looks at {declared.measure} over {declared.axis}, which is not planned for "
            f"here: see --measure {declared.measure} --against {declared.axis}"
        )


def _of_models(study: Study, pilot: Pilot) -> Iterator[str]:
    """Warn of a pilot of other agents than the study's."""
    then, now = pilot.run.study.models, study.models
    if not pilot.path:
        yield (
            "the pilot was simulated for the moment: the spread of real agents may differ: run a "
            "small pilot, and name it with --pilot"
        )
    elif {name: then.get(name) for name in now} != now:
        models = ", ".join(sorted(set(then.values())))
        yield f"the pilot is of other models ({models}): the spread of the study's may differ"
