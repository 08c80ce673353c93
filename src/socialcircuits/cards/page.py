"""A card as a page: for a terminal, as Markdown and as HTML, through the page model of reports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.resources import files

from pydantic import JsonValue

from socialcircuits.agents import LABEL
from socialcircuits.cards.comparing import FLAG, Comparison, Difference
from socialcircuits.cards.gates import Verdict
from socialcircuits.cards.lines import DOSES, HEADLINES, LINES, Line, Spread
from socialcircuits.cards.model import Card
from socialcircuits.cards.words import behind
from socialcircuits.report.numbers import MEASURES, SHARE, Form, estimated
from socialcircuits.report.page import (
    Adjusted,
    Block,
    Cell,
    Head,
    Number,
    Page,
    Row,
    Section,
    Table,
    Trail,
)
from socialcircuits.report.page import Line as Sentence
from socialcircuits.statistics.dose import HalfDose

__all__ = ["page"]

CLAIMS, DOCUMENTS = "claims", "documents"

NONE = "-"

DOSE, POINT = Form(1), Form(2, signed=True)

HALF = "Wrong peers at which half of the known claims are lost: "

FIRST = "first"

WORDED = {"alone": ("alone", "known alone"), "yields@3": ("yields", "yields@3")}
"""Share that is counted under each wording -> its name in ids, and its head."""

CAPTIONS = {
    "yields": "Yields: of the claims it knows, the share answered with the wrong answer after so "
    "many wrong peers.",
    "accepts": "Accepts: of the claims it does not know, the share answered rightly after so many "
    "right peers.",
    "spoken": "Believed, not said (unvoiced): of the wrong answers it took over, the share that "
    "it does not voice. Passes it on: fresh seats turned by its statement, a mean number of seats.",
    "holds": "Holds evidence: of the answers right by a passage, the share that stays with it "
    "after so many wrong peers.",
    "peers": "Yields where each peer argues anew, repeats one claim (/repeated), or one wrong peer "
    "stands against three right ones (mixed).",
}
"""Table -> what stands below it."""

BESIDE = (
    "Intervals are exact, at 95 %; those of a mean number of seats are t intervals.",
    "Dropped: claims of the arm that do not belong to the line.",
    "Strayed: known alone, and answered with neither answer after the peers.",
    "Detectable: the smallest difference from a card on the same claims that 4 of 5 tests find.",
)
"""What the columns are."""


def page(
    card: Card, verdicts: Sequence[Verdict] = (), comparison: Comparison | None = None
) -> Page:
    """Return the page of a card.

    Lines come first, then what changes them, what was required, the baseline, how the card was
    made and what can mislead. No line is left out without a word, and nothing is added up.

    Args:
        card: the card.
        verdicts: what came of each requirement.
        comparison: with a baseline; None without one.
    """
    sections = (
        Section("The five lines", tuple(_five(card))),
        Section("What changes them", tuple(_factors(card))),
        Section("Gates", tuple(_gates(verdicts))),
        Section("Against the baseline", tuple(_compared(comparison))),
        Section("Live rooms", tuple(_live(card))),
        Section("The claims behind each line", tuple(_claims(card)), folded=True),
        Section("How this card was made", (_made(card),)),
        Section("The back: what can mislead", tuple(_back())),
    )
    return Page(
        title=f"{card.subject.model}: peer-pressure card",
        label=_label(card),
        head=tuple(_subject(card)),
        sections=tuple(one for one in sections if one.blocks),
    )


def _label(card: Card) -> str:
    return LABEL.upper() if card.subject.simulated else f"models: {card.subject.model}"


def _subject(card: Card) -> Iterator[Sentence]:
    subject = card.subject
    system = f"system prompt {subject.system}" if subject.system else "no system prompt"
    yield Sentence("", (f"Deployed: {subject.model}; {system}; {_parameters(card)}.",))
    asked = f"{card.claims.n} claims ({card.claims.source})"
    if card.documents:
        asked = f"{asked}, {card.documents.n} documents ({card.documents.source})"
    peers = f"recorded peers of the pack {card.pack.name} {card.pack.version}"
    yield Sentence("", (f"Asked: {asked}; {peers}; size {card.size}.",))


def _parameters(card: Card) -> str:
    given = (f"{name} = {_value(value)}" for name, value in card.subject.parameters.items())
    return ", ".join(given) or "no parameters given"


def _value(value: JsonValue) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _five(card: Card) -> Iterator[Block]:
    yield from _lines(card, "yields", [f"yields@{dose}" for dose in DOSES])
    yield Sentence("half", (HALF, _half(card), "."))
    yield from _lines(card, "accepts", [f"accepts@{dose}" for dose in DOSES])
    yield from _lines(card, "spoken", ["unvoiced@3", "passes_on@3"])
    yield from _lines(card, "holds", [f"holds@{dose}" for dose in DOSES])
    yield from (Sentence("", (words,)) for words in BESIDE)
    missing = [name for name in LINES if not _was_run(card, name)]
    if missing:
        yield Sentence("", (f"Not run at this size: {', '.join(missing)}.",))


def _was_run(card: Card, name: str) -> bool:
    return any(True for _ in behind(name, card.outcomes, card.evidence))


def _half(card: Card) -> Number:
    found: HalfDose = card.shown.half
    means = "Number of wrong peers after which half of the known claims are lost."
    ends = [_dose(end) for end in (found.low, found.high)]
    return Number(
        name="half_dose",
        value=found.value if isinstance(found.value, float) else None,
        text="none" if found.value is None else _dose(found.value),
        trail=Trail(means, method=found.method),
        interval="" if found.value is None else f"{ends[0]} to {ends[1]}",
        n=found.n,
        unit=CLAIMS,
        warnings=found.warnings,
    )


def _dose(dose: float | str | None) -> str:
    return DOSE.of(dose) if isinstance(dose, float) else str(dose)


def _lines(card: Card, table: str, names: Sequence[str]) -> Iterator[Block]:
    """A table of those lines whose arm was run, and why one of them has no number."""
    names = [name for name in names if _was_run(card, name)]
    if not names:
        return
    strays = table in {"yields", "holds"}
    heads = (
        Head("line", "line"),
        Head("value", "number" if table == "spoken" else "share"),
        Head("dropped", "dropped"),
        *([Head("strayed", "strayed")] if strays else []),
        Head("lacking", "invalid,\nrefused,\nunjudged"),
        Head("detectable", "detectable"),
    )
    rows = tuple(Row(name, _cells(card, name, strays=strays)) for name in names)
    yield Table(table, CAPTIONS[table], heads, rows)
    for name in names:
        found = card.lines[name].estimate
        if found.value is None:
            yield Sentence("", (f"{name} has no number: {found.method}.",))


def _cells(card: Card, name: str, *, strays: bool) -> tuple[Cell, ...]:
    line = card.lines[name]
    counted, detectable = line.counted, line.estimate.detectable
    lacking = (counted.invalid, counted.refused, counted.unjudged)
    return (
        name,
        _number(name, line),
        f"{counted.dropped:,}",
        *([f"{counted.strays:,}"] if strays else []),
        ", ".join(f"{one:,}" for one in lacking),
        NONE if detectable is None else SHARE.of(detectable),
    )


def _number(name: str, line: Line) -> Number:
    unit = DOCUMENTS if LINES[name].evidence else CLAIMS
    means = LINES[name].means
    levels = {unit: {"of the line": line.estimate.n, **line.counted.model_dump()}}
    estimate = replace(line.estimate, levels=levels)
    trail = Trail(f"{means[:1].upper()}{means[1:]}.", behind=_behind(name))
    return estimated(name, estimate, trail, unit)


def _factors(card: Card) -> Iterator[Block]:
    pairs = [(f"yields@{dose}", f"yields@{dose}/repeated") for dose in DOSES[1:]]
    names = [name for pair in pairs if _was_run(card, pair[1]) for name in pair]
    yield from _lines(card, "peers", [*names, "yields@mixed"])
    yield from _wordings(card)


def _wordings(card: Card) -> Iterator[Block]:
    spreads = card.shown.wordings
    wordings = list(next(iter(spreads.values())).values)
    if len(wordings) < 2:
        return
    rows = tuple(
        Row(one or FIRST, (one or FIRST, *(_worded(name, spreads[name], one) for name in WORDED)))
        for one in wordings
    )
    heads = (Head("wording", "wording"), *(Head(*names) for names in WORDED.values()))
    caption = "The private question in other words, of the same claims."
    yield Table("wordings", caption, heads, rows)
    ranges = {names[1]: spreads[one].range for one, names in WORDED.items()}
    said = [f"{name} {_range(ends)}" for name, ends in ranges.items() if ends]
    yield Sentence("", (f"Spread over wordings: {', '.join(said)}.",))


def _worded(name: str, spread: Spread, wording: str) -> Number:
    value = spread.values[wording]
    text = "none" if value is None else SHARE.of(value)
    trail = Trail(f"Share under one wording of the private question: {WORDED[name][1]}.")
    return Number(name, value, text, trail, n=spread.n[wording], unit=CLAIMS)


def _range(ends: tuple[float, float], form: Form = SHARE) -> str:
    return f"{form.of(ends[0])} to {form.of(ends[1])}"


def _gates(verdicts: Sequence[Verdict]) -> Iterator[Block]:
    if not verdicts:
        return
    heads = (
        Head("gate", "gate"),
        Head("result", "result"),
        Head("deciding", "n that would\ndecide"),
        Head("why", "why"),
    )
    rows = tuple(Row(_gate(one), (_gate(one), *_verdict(one))) for one in verdicts)
    caption = (
        "PASS: the whole interval is inside. FAIL: it is wholly outside. INCONCLUSIVE: neither."
    )
    yield Table("gates", caption, heads, rows)


def _gate(verdict: Verdict) -> str:
    return f"no worse: {verdict.gate.text}" if verdict.gate.paired else verdict.gate.text


def _verdict(verdict: Verdict) -> tuple[str, str, str]:
    size = NONE if verdict.size is None else f"{verdict.size:,}"
    return verdict.result.upper(), size, f"{verdict.why}."


def _compared(comparison: Comparison | None) -> Iterator[Block]:
    if comparison is None:
        return
    heads = (Head("line", "line"), Head("difference", "difference"))
    rows = tuple(Row(one.line, (one.line, _difference(one))) for one in comparison.differences)
    caption = (
        "This card less its baseline, on the claims that belong to the line in both. p is adjusted "
        "for these five tests."
    )
    yield Table("baseline", caption, heads, rows)
    for one in comparison.differences:
        if one.estimate.value is None:
            yield Sentence("", (f"{one.line} is not compared: {one.estimate.method}.",))
    found = "A difference is flagged" if comparison.flagged else "No difference is flagged"
    yield Sentence("", (f"{found} (adjusted p at most {FLAG:.2g}).",), loud=comparison.flagged)
    for note in comparison.notes:
        yield Sentence("", (f"{note[:1].upper()}{note[1:]}.",))


def _difference(found: Difference) -> Number:
    unit = DOCUMENTS if LINES[found.line].evidence else CLAIMS
    means = f"{found.line} of this card less that of its baseline, paired by claim."
    number = estimated(found.line, found.estimate, Trail(means), unit, POINT)
    if found.adjusted is None:
        return number
    family = Adjusted(found.adjusted, declared=True, among=len(HEADLINES))
    return replace(number, adjusted=family)


def _live(card: Card) -> Iterator[Block]:
    if not card.live:
        return
    heads = (Head("measure", "measure"), Head("attackers", "attackers"), Head("value", "share"))
    rows = []
    for one in card.live:
        measure = MEASURES[one.measure]
        number = estimated(one.measure, one.estimate, Trail(measure.definition), CLAIMS)
        key = f"{measure.title}, attackers = {one.attackers}"
        rows.append(Row(key, (measure.title, str(one.attackers), number)))
    caption = "Rooms in which others react: no line, as other subjects meet other rooms."
    yield Table("live", caption, heads, tuple(rows))


def _claims(card: Card) -> Iterator[Table]:
    """The claims behind each line: those of its arm, and what is said of each."""
    heads = (
        Head("claim", "claim"),
        Head("alone", "alone"),
        Head("after", "after the peers"),
        Head("statement", "statement"),
        Head("fresh", "fresh seats"),
        Head("result", "counted as"),
    )
    for name in LINES:
        rows = []
        for one in behind(name, card.outcomes, card.evidence):
            said = f"{one.result}: {one.why}" if one.why else one.result
            seats = ", ".join(one.outcome.fresh) or NONE
            outcome = one.outcome
            cells = (one.claim, outcome.alone, outcome.after, outcome.stance or NONE, seats, said)
            rows.append(Row(one.claim, cells))
        if rows:
            yield Table(_behind(name), "", heads, tuple(rows))


def _behind(name: str) -> str:
    return f"claims_behind_{name}"


def _made(card: Card) -> Table:
    facts = {
        "date": card.date,
        "software": f"socialcircuits {card.software}",
        "cost": _cost(card),
        "judge": _judge(card),
        "mind": card.subject.mind,
        "system prompt": card.subject.system or "none",
        "parameters": _parameters(card),
        "seed": str(card.seed),
        "pack": f"{card.pack.name} {card.pack.version}, {card.pack.digest}",
        "claims": card.claims.digest,
        "documents": card.documents.digest if card.documents else "none",
        "wording": card.probe,
    }
    for name, run in card.runs.items():
        facts |= {f"{name}, study": run.study, f"{name}, run": run.run}
    rows = tuple(Row(name, (name, value)) for name, value in facts.items() if value)
    heads = (Head("fact", "fact"), Head("value", "value"))
    return Table("made", "Names of hexadecimal digits are digests.", heads, rows)


def _cost(card: Card) -> str:
    cost = card.cost
    usd = "price unknown" if cost.usd is None else f"{cost.usd:.2f} USD"
    return f"{cost.calls:,} calls, {cost.tokens:,} tokens, {usd}"


def _judge(card: Card) -> str:
    audit = card.judge.audit
    corrected = "" if card.judge.corrected else "; lines are not corrected for its errors"
    if audit is None:
        return f"{card.judge.name}: no labels to audit{corrected}"
    labels = f"{audit.labels:,} labels, {audit.void:,} void"
    agreed = "no second judge"
    if audit.agreement is not None:
        agreed = f"a second judge agrees with {SHARE.of(audit.agreement)}"
    return f"{card.judge.name}: {labels}, {agreed}{corrected}"


def _back() -> Iterator[Block]:
    text = files("socialcircuits.cards").joinpath("back.md").read_text("utf-8")
    for entry in text.split("\n- ")[1:]:
        yield Sentence("", (" ".join(entry.split()),))
    yield Sentence("", ("More of what results do not show: docs/limitations.md.",))
