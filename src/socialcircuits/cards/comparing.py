"""Two cards: whether they may be compared, and how they differ on the claims of both."""

from __future__ import annotations

from dataclasses import dataclass, replace

from socialcircuits.agents import LABEL
from socialcircuits.cards.lines import HEADLINES, LINES, Units, units
from socialcircuits.cards.model import Card
from socialcircuits.errors import UsageError
from socialcircuits.statistics.deciding import Ends, matched_ends, mean_ends, moments
from socialcircuits.statistics.estimate import LEVEL, Estimate
from socialcircuits.statistics.multiplicity import holm
from socialcircuits.statistics.paired import matched_difference, matched_proportions

__all__ = ["FLAG", "Comparison", "Difference", "Pairs", "comparable", "compare", "pairs"]

FLAG = 1 - LEVEL
"""A comparison is flagged from this adjusted p value down."""


@dataclass(frozen=True)
class Pairs:
    """The numbers of the claims that belong to a line in both cards, in one order.

    Args:
        first: of the card.
        second: of its baseline.
        bounds: smallest and largest possible difference.
        share: whether each number is 0 or 1.
    """

    first: tuple[float, ...]
    second: tuple[float, ...]
    bounds: Ends
    share: bool

    def ends(self, n: int | None = None, level: float = LEVEL) -> Ends:
        """Return the interval of the mean difference, or that which n such claims would have.

        >>> pairs = Pairs((1.0, 0.0), (0.0, 0.0), (-1.0, 1.0), True)
        >>> [round(end, 3) for end in pairs.ends(80)]
        [0.393, 0.607]
        """
        apart = [a - b for a, b in zip(self.first, self.second, strict=True)]
        if not apart:
            return self.bounds
        if not self.share:
            return mean_ends(moments(apart), n or len(apart), self.bounds, level)
        count, times = n or len(apart), n / len(apart) if n else 1
        gained, lost = apart.count(1), apart.count(-1)
        return matched_ends(gained * times, lost * times, count, level)

    def estimate(self, level: float = LEVEL) -> Estimate:
        """Return the mean of card less baseline, with its interval, its test and what would have
        been detected."""
        if not self.first:
            return Estimate(None, None, None, 0, "no claim belongs to this line in both cards")
        if self.share:
            found, kind = matched_proportions(self.first, self.second), "score (Tango)"
        else:
            found = matched_difference(self.first, self.second, self.bounds)
            kind = "t, exact where all are equal,"
        assert found.value is not None
        low, high = self.ends(level=level)
        method = f"paired differences over claims, interval {kind} at level {level:.5g}"
        low, high = min(low, found.value), max(high, found.value)
        return replace(found, low=low, high=high, method=method)


@dataclass(frozen=True)
class Difference:
    """A line of two cards.

    Args:
        line: its name.
        estimate: card less baseline, on the claims of both.
        adjusted: its p value adjusted for the family of headlines; None where nothing is tested.
    """

    line: str
    estimate: Estimate
    adjusted: float | None


@dataclass(frozen=True)
class Comparison:
    """The five headlines of two cards.

    Args:
        differences: one a headline, in their order.
        flagged: whether any adjusted p value is at most `FLAG`.
        notes: what else differs between the cards, a sentence each without full stop.
    """

    differences: tuple[Difference, ...]
    flagged: bool
    notes: tuple[str, ...]


def comparable(card: Card, baseline: Card) -> None:
    """Refuse a baseline that was put under another pressure, or is none for this subject.

    Raises:
        UsageError: the first thing that differs: pack, claims, documents or wording of the private
            questions; or the baseline is simulated and the card is not.
    """
    if baseline.subject.simulated and not card.subject.simulated:
        told = f"{baseline.subject.model} is simulated and is no reference for any model"
        raise UsageError(f"baseline: {told}")
    for name, first, second in (
        ("another pack", _pack(card), _pack(baseline)),
        ("other claims", card.claims.digest, baseline.claims.digest),
        ("other documents", _documents(card), _documents(baseline)),
        ("another wording of the private questions", card.probe, baseline.probe),
    ):
        if first != second and None not in {first, second}:
            told = f"{second} there, {first} here: they cannot be compared"
            raise UsageError(f"baseline: it has {name}: {told}")


def pairs(name: str, card: Card, baseline: Card) -> Pairs:
    """Return what two cards have of one line, on the claims that belong to it in both.

    Args:
        name: of the line.
        card: whose differences are asked for.
        baseline: from what.
    """
    first, second = _units(name, card), _units(name, baseline)
    both = sorted({*first.values} & {*second.values})
    most = max(first.bounds[1], second.bounds[1])
    return Pairs(
        tuple(first.values[claim] for claim in both),
        tuple(second.values[claim] for claim in both),
        (-most, most),
        LINES[name].share,
    )


def compare(card: Card, baseline: Card) -> Comparison:
    """Compare the five headlines of two cards, paired by claim.

    Shares have Tango's interval and McNemar's mid-p test, the number of seats turned the t interval
    and sign flips. The p values are adjusted for five tests (Holm's steps); a headline that cannot
    be tested counts as one that found nothing.

    Raises:
        UsageError: the cards cannot be compared; see `comparable`.
    """
    comparable(card, baseline)
    found = [pairs(name, card, baseline).estimate() for name in HEADLINES]
    adjusted = holm([one.test.p if one.test else 1.0 for one in found])
    differences = tuple(
        Difference(name, one, p if one.test else None)
        for name, one, p in zip(HEADLINES, found, adjusted, strict=True)
    )
    return Comparison(differences, min(adjusted) <= FLAG, _notes(card, baseline))


def _units(name: str, card: Card) -> Units:
    return units(name, card.outcomes, card.evidence)


def _pack(card: Card) -> str:
    return f"{card.pack.name} {card.pack.version} ({card.pack.digest})"


def _documents(card: Card) -> str | None:
    return card.documents.digest if card.documents else None


def _notes(card: Card, baseline: Card) -> tuple[str, ...]:
    notes = []
    if card.subject.simulated:
        notes.append(LABEL)
    if card.seed != baseline.seed:
        told = "what peers said, and in which order, was drawn anew"
        notes.append(f"the seeds differ ({card.seed} and {baseline.seed}): {told}")
    if card.judge.name != baseline.judge.name:
        notes.append(f"the judges differ: {card.judge.name} and {baseline.judge.name}")
    return tuple(notes)
