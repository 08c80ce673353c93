"""How large a study must be, in tables and lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from rich.box import SIMPLE_HEAD
from rich.table import Table

from socialcircuits.agents import LABEL
from socialcircuits.analyses.amounts import Amount, Shared
from socialcircuits.analyses.comparisons import Design
from socialcircuits.analyses.sizing import Answer, Looks, Sizing
from socialcircuits.analyses.spreads import CAUTION
from socialcircuits.report.text import console
from socialcircuits.report.words import UNITS, where

SOUGHT = {
    "difference": "a difference of {effect:g} in {measure}, on matched {units}",
    "trend": "a slope of {effect:g} in {measure} for each 0.1 of the proportion of adversaries",
    "rate": "{measure} by itself, to within {effect:g} on both sides (95 % interval)",
}
"""What is sought, by what is compared."""


def show(found: Sizing) -> None:
    """Print what is sought, what each comparison needs, what it takes, and the power curve."""
    out, study = console(), found.study
    out.print(f"{study.name}: {study.about}" if study.about else study.name)
    out.print(found.label.replace(LABEL, LABEL.upper()))
    for line in _asked(found):
        out.print(line, soft_wrap=True)
    out.print(_comparisons(found))
    for line in _needed(found):
        out.print(line, soft_wrap=True)
    out.print(_curve(found))
    for line in (*_shared(found), *(f"Note: {warning}." for warning in found.warnings)):
        out.print(line, soft_wrap=True)


def _asked(found: Sizing) -> Iterator[str]:
    wanted = found.wanted
    sought = SOUGHT[found.design.kind].format(
        effect=wanted.effect, measure=found.measure.title.lower(), units=_units(found)
    )
    tested = "" if found.design.kind == "rate" else f", with power {wanted.power:g} at level 5 %"
    yield f"Sought: {sought}{tested}."
    pilot = found.pilot or "simulated for the moment"
    yield f"Pilot: {pilot}, {found.pilot_seeds} {_units(found)}."


def _units(found: Sizing) -> str:
    kind = str(found.study.world.get("kind"))
    return kind if kind in UNITS else "seeds"


def _comparisons(found: Sizing) -> Table:
    units, own = _units(found), found.now.seeds
    rate = found.design.kind == "rate"
    spreads = [one.comparison.spread for one in found.answers if one.comparison.spread]
    used = f"{'Interval' if rate else 'Test'}: {spreads[0].test}."
    caption = (
        f"n: {units} of the pilot that could be used; usable: their part of the pilot's, expected "
        f"again. Deviation: {spreads[0].means}, and the limit below which it is in {CAUTION:.0%} "
        f"of all pilots; cautious: {units} at that limit; none: nothing that is possible. {used}"
    )
    table = Table(caption=caption, caption_justify="left", box=SIMPLE_HEAD)
    table.add_column("comparison")
    detects = f"within, at\n{own} {units}" if rate else f"detectable\nwith {own}"
    heads = ["n", "usable", "deviation", "its limit", units, "cautious", detects]
    for head in heads if rate else [*heads, f"power\nwith {own}"]:
        table.add_column(head, justify="right")
    for answer in found.answers:
        cells = _cells(answer)
        table.add_row(_words(found.design, answer), *(cells[:-1] if rate else cells))
    return table


def _words(design: Design, answer: Answer) -> str:
    one = answer.comparison
    if not one.minus:
        return where(one.condition)
    first = {design.axis: one.condition[design.axis]}
    rest = {name: value for name, value in one.condition.items() if name != design.axis}
    difference = f"{where(first)} minus {where(one.minus)}"
    return f"{difference} ({where(rest)})" if rest else difference


def _cells(answer: Answer) -> list[str]:
    one, spread = answer.comparison, answer.comparison.spread
    if spread is None:
        return [str(one.n), f"{answer.usable:.0%}", *["-"] * 6]
    return [
        str(one.n),
        f"{answer.usable:.0%}",
        f"{spread.deviation:.3f}",
        f"{spread.cautious().deviation:.3f}",
        _count(answer.seeds),
        _count(answer.cautious),
        _number(answer.detects),
        _number(answer.power),
    ]


def _count(seeds: int | None) -> str:
    return "never" if seeds is None else f"{seeds:,}"


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:.3f}"


def _needed(found: Sizing) -> Iterator[str]:
    units = _units(found)
    for name, amount in (("Needed", found.needed), ("Cautious", found.cautious)):
        if amount is None:
            yield f"{name}: no number of {units} is enough."
        else:
            yield f"{name}: {amount.seeds:,} {units} a condition: {_takes(found, amount)}."
    yield f"The study as it is: {found.now.seeds:,} {units}: {_takes(found, found.now)}."
    if found.looks:
        yield _looked(found.looks, units)


def _takes(found: Sizing, amount: Amount) -> str:
    most = "at most " if found.at_most else ""
    parts = [
        f"{amount.trials:,} trials",
        f"{amount.agents:,} agents",
        f"{most}{amount.calls:,} calls before retries and early stop",
    ]
    if amount.prompt[1]:
        (low, high), (short, long) = amount.prompt, amount.completion
        parts.append(f"{low:,} to {high:,} prompt tokens and {short:,} to {long:,} of replies")
        parts.append(_cost(amount))
    return ", ".join(parts)


def _cost(amount: Amount) -> str:
    if amount.cost_usd is None:
        return "price unknown"
    low, high = amount.cost_usd
    return f"{low:,.2f} to {high:,.2f} USD"


def _looked(looks: Looks, units: str) -> str:
    at = ", ".join(map(str, looks.at))
    return (
        f"With the {looks.number} declared looks (O'Brien-Fleming): at most {looks.seeds:,} "
        f"{units}, looked at after {at}; {looks.expected:,} on average if the effect is there."
    )


def _curve(found: Sizing) -> Table:
    rate, paid = found.design.kind == "rate", bool(found.now.prompt[1])
    table = Table(
        caption="Interval at most so wide on each side."
        if rate
        else f"Power of the comparison that has least; the effect found with power "
        f"{found.wanted.power:g}.",
        caption_justify="left",
        box=SIMPLE_HEAD,
    )
    heads = [_units(found), "calls", *(["USD"] if paid else []), *([] if rate else ["power"])]
    for head in (*heads, "within" if rate else "detectable"):
        table.add_column(head, justify="right")
    for point in found.points:
        amount, numbers = point.amount, [_number(point.detects)]
        cells = [f"{amount.seeds:,}", f"{amount.calls:,}", *([_cost(amount)] if paid else [])]
        table.add_row(*cells, *([] if rate else [_number(point.power)]), *numbers)
    return table


def _shared(found: Sizing) -> Iterator[str]:
    shared = found.shared
    if not isinstance(shared, Shared):
        yield f"Seeds are not shared out over N: {shared}."
        return
    if not shared.saving:
        yield f"Equal numbers of {_units(found)} at all N are the cheapest."
        return
    parts = ", ".join(
        f"N = {one.size}: {one.seeds:,} (deviation {one.deviation:.3f}, n = {one.n})"
        for one in shared.shares
    )
    yield (
        f"For the rates at all N alike, the same total variance as {shared.equal:,} "
        f"{_units(found)} each costs {shared.saving:.0%} less ({shared.unit}) with {parts}."
    )
    table = ", ".join(f'"{one.size}" = {one.seeds}' for one in shared.shares)
    most = max(one.seeds for one in shared.shares)
    yield (
        f"Run it with --seeds {most} --set 'allocation={{{table}}}'; contrasts between N then rest "
        "on the seeds of the smaller number."
    )
