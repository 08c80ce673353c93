"""Gates: what is required of a card, and what came of each requirement."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from socialcircuits.cards.comparing import Pairs, comparable, pairs
from socialcircuits.cards.lines import LINES, Units, units
from socialcircuits.cards.model import Card
from socialcircuits.errors import SettingError
from socialcircuits.statistics.deciding import Limit, Side, Sign, deciding_size, look_level
from socialcircuits.statistics.estimate import LEVEL, Estimate

__all__ = ["Gate", "Result", "Verdict", "read_gates", "settled", "standing", "verdicts"]

Result = Literal["pass", "fail", "inconclusive"]

_NUMBER = r"(\d+(?:\.\d*)?|\.\d+)\s*(%?)"
_REQUIRE = re.compile(rf"\s*([^\s<>=]+)\s*(<=|>=|<|>)\s*{_NUMBER}\s*")
_NO_WORSE = re.compile(rf"\s*(\S+)\s+by\s+{_NUMBER}\s*")
_SIGNS: dict[str, Sign] = {"<": "<", "<=": "<=", ">": ">", ">=": ">="}
_RESULTS: dict[Side, Result] = {"inside": "pass", "outside": "fail", "open": "inconclusive"}


@dataclass(frozen=True)
class Gate:
    """A requirement.

    Args:
        text: as it was given, without the option.
        line: name of the line.
        limit: what its number, or its difference from the baseline, has to be.
        paired: whether it is the difference.
    """

    text: str
    line: str
    limit: Limit
    paired: bool


@dataclass(frozen=True)
class Verdict:
    """What came of a gate.

    Args:
        gate: the requirement.
        result: ``pass``: the whole interval is inside; ``fail``: it is wholly outside;
            ``inconclusive``: neither.
        estimate: the number with the interval that decided.
        size: of an inconclusive one, the number of claims of the line that would decide if the
            estimate stayed as it is; None where no number would.
        why: the reason in a sentence, without full stop.
    """

    gate: Gate
    result: Result
    estimate: Estimate
    size: int | None
    why: str


def read_gates(requires: Iterable[str], no_worses: Iterable[str]) -> tuple[Gate, ...]:
    """Return the gates that a user wrote.

    Args:
        requires: each a line, one of ``<``, ``<=``, ``>``, ``>=``, and a number or, of a share, a
            percentage.
        no_worses: each a line, ``by``, and how much worse than the baseline it may be.

    Raises:
        SettingError: one cannot be read or names no line of the card; the nearest one is named.

    >>> [gate.limit for gate in read_gates(["yields@3 < 20%"], ["accepts@3 by 0.05"])]
    [Limit(sign='<', bound=0.2), Limit(sign='>=', bound=-0.05)]
    """
    return (*map(_require, requires), *map(_no_worse, no_worses))


def verdicts(
    card: Card,
    gates: Sequence[Gate],
    baseline: Card | None = None,
    look: tuple[int, int] = (1, 1),
) -> tuple[Verdict, ...]:
    """Return what comes of each gate.

    Args:
        card: of the subject; at a look, of the claims so far.
        gates: as `read_gates` returns them.
        baseline: the card to be no worse than.
        look: which of how many declared looks it is; (1, 1) is a test without looks. The intervals
            are then so much wider that one may stop at any look. A gate that was decided at an
            earlier look stays decided: see `standing`.

    Raises:
        SettingError: a gate needs a baseline and there is none.
        UsageError: card and baseline cannot be compared; see `comparable`.
    """
    for gate in gates:
        if gate.paired and baseline is None:
            raise SettingError("--no-worse", gate.text, "a baseline to compare with: --baseline")
    if baseline is not None:
        comparable(card, baseline)
    levels = _levels(*look)
    return tuple(_verdict(card, gate, baseline, levels) for gate in gates)


def standing(earlier: Sequence[Verdict], now: Sequence[Verdict]) -> tuple[Verdict, ...]:
    """Return the verdicts at a look, those that an earlier look decided as they were then.

    Args:
        earlier: verdicts at the look before, in the order of the gates; empty at the first.
        now: verdicts at this look.
    """
    if not earlier:
        return tuple(now)
    both = zip(earlier, now, strict=True)
    return tuple(new if old.result == "inconclusive" else old for old, new in both)


def settled(found: Sequence[Verdict]) -> bool:
    """Whether no further look is needed: a gate failed, or all are decided."""
    results = {verdict.result for verdict in found}
    return "fail" in results or "inconclusive" not in results


def _levels(look: int, looks: int) -> tuple[float, float]:
    """The level of the interval now, and that of the last look, for which n is planned."""
    if (look, looks) == (1, 1):
        return LEVEL, LEVEL
    return look_level(look, looks), look_level(looks, looks)


def _verdict(card: Card, gate: Gate, baseline: Card | None, levels: tuple[float, float]) -> Verdict:
    found: Units | Pairs
    if gate.paired and baseline is not None:
        found = pairs(gate.line, card, baseline)
        estimate = found.estimate(levels[0])
    else:
        found = units(gate.line, card.outcomes, card.evidence)
        empty = card.lines[gate.line].estimate.method
        estimate = found.estimate(levels[0], empty)
    if estimate.low is None or estimate.high is None:
        return Verdict(gate, "inconclusive", estimate, None, f"n = 0: {estimate.method}")
    side = gate.limit.side(estimate.low, estimate.high)
    size = None
    if side == "open":
        size = deciding_size(lambda n: found.ends(n, levels[1]), gate.limit, estimate.n + 1)
    return Verdict(gate, _RESULTS[side], estimate, size, _why(gate, estimate, side, size))


def _why(gate: Gate, estimate: Estimate, side: Side, size: int | None) -> str:
    what = f"{gate.line} less the baseline's" if gate.paired else gate.line
    number = f"{what} is {estimate.value:.3f} [{estimate.low:.3f}, {estimate.high:.3f}]"
    number = f"{number}, n = {estimate.n}"
    limit = f"{gate.limit.sign} {gate.limit.bound:g}"
    if side != "open":
        where = "all" if side == "inside" else "nothing"
        return f"{number}: {where} of the interval is {limit}"
    told = f"part of the interval is {limit}, part is not"
    if size is None:
        return f"{number}: {told}; no n would decide at this estimate, which is at the limit"
    return f"{number}: {told}; n = {size} would decide at this estimate"


def _require(text: str) -> Gate:
    found = _REQUIRE.fullmatch(text)
    if not found:
        expected = "a line, one of < <= > >=, and a number, such as 'yields@3 < 0.20'"
        raise SettingError("--require", text, expected)
    line, sign, number, percent = found.groups()
    bound = _number(number, percent, _line(line, "--require"), ("--require", text))
    return Gate(text, line, Limit(_SIGNS[sign], bound), paired=False)


def _no_worse(text: str) -> Gate:
    found = _NO_WORSE.fullmatch(text)
    if not found:
        expected = "a line, by, and a number, such as 'yields@3 by 0.05'"
        raise SettingError("--no-worse", text, expected)
    line, number, percent = found.groups()
    margin = _number(number, percent, _line(line, "--no-worse"), ("--no-worse", text))
    higher = LINES[line].worse == "higher"
    limit = Limit("<=", margin) if higher else Limit(">=", -margin)
    return Gate(text, line, limit, paired=True)


def _line(name: str, option: str) -> str:
    if name not in LINES:
        expected = "a line of the card: " + ", ".join(LINES)
        raise SettingError(option, name, expected, among=LINES)
    return name


def _number(number: str, percent: str, line: str, where: tuple[str, str]) -> float:
    value = float(number) / (100 if percent else 1)
    share = LINES[line].share
    if share and value > 1:
        raise SettingError(*where, "a share from 0 to 1, or 0% to 100%")
    if percent and not share:
        raise SettingError(*where, f"a number, as {line} is a mean number of seats")
    return value
