"""Tables of a seat test: the lines of its card, and the claims behind each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from socialcircuits.cards import LINES, Outcome, shown
from socialcircuits.cards.outcomes import Outcomes, arm
from socialcircuits.cards.words import behind, family
from socialcircuits.measures.seat import EVIDENCE
from socialcircuits.statistics.dose import HalfDose
from socialcircuits.viewer.framing.analysed import Analysed
from socialcircuits.viewer.tables import Frame, framed

Row = dict[str, Any]


class _Tests(NamedTuple):
    """The seat tests of a run.

    Args:
        outcomes: of claims, as a card keeps them.
        evidence: of documents.
        trials: claim and arm -> number of the trial.
    """

    outcomes: Outcomes
    evidence: Outcomes
    trials: Mapping[tuple[str, str], int]


def lines(found: Analysed) -> Frame | None:
    """The lines of a card whose arm was run."""
    tests = _tests(found)
    if tests is None:
        return None
    whole = shown(tests.outcomes, tests.evidence)
    rows = []
    for name, rule in LINES.items():
        if any(True for _ in behind(name, tests.outcomes, tests.evidence)):
            estimate, counted = whole.lines[name].estimate, whole.lines[name].counted
            numbers = {key: getattr(estimate, key) for key in ("value", "low", "high", "n")}
            told = {"line": name, "family": family(name), "means": rule.means, **numbers}
            last = {"detectable": estimate.detectable, "method": estimate.method}
            rows.append({**told, **counted.model_dump(), **last})
    note = (
        "A line of the card: its number with its 95 % interval; n counts claims or documents. Of "
        "its arm, dropped ones do not belong to it; strays are known and answered with neither "
        f"answer. {_half(whole.half)}"
    )
    return framed("Lines of the card", note, rows)


def claims(found: Analysed) -> Frame | None:
    """Each claim of the arm of each line."""
    tests = _tests(found)
    if tests is None:
        return None
    note = (
        "A claim, or document, in the arm of a line: the private answers alone and after the "
        "peers, what the statement makes of the wrong answer, the answers of the fresh seats that "
        "heard it, and what the line counts; why it does not, where it is dropped."
    )
    return framed("Claims behind the lines", note, _claims(tests))


def _claims(tests: _Tests) -> Iterator[Row]:
    for name, rule in LINES.items():
        for one in behind(name, tests.outcomes, tests.evidence):
            yield {
                "line": name,
                "claim": one.claim,
                "trial": tests.trials[one.claim, rule.arm],
                "alone": one.outcome.alone,
                "after": one.outcome.after,
                "statement": one.outcome.stance or "",
                "fresh": ", ".join(one.outcome.fresh),
                "value": one.value,
                "result": one.result,
                "why": one.why,
            }


def _tests(found: Analysed) -> _Tests | None:
    """None where the run is none of a card: no seat tests, or one claim more than once in an arm,
    as where another setting is swept."""
    outcomes: dict[str, dict[str, Outcome]] = {}
    evidence: dict[str, dict[str, Outcome]] = {}
    trials: dict[tuple[str, str], int] = {}
    for trial in found.summaries:
        if trial.seat is None:
            continue
        name = arm(trial.seat.wrong, trial.seat.right, trial.seat.said)
        claim = str(trial.facts["item"])
        if (claim, name) in trials:
            return None
        trials[claim, name] = trial.trial
        place = evidence if trial.facts["world"] == EVIDENCE else outcomes
        place.setdefault(claim, {})[name] = Outcome.of(trial.seat)
    return _Tests(outcomes, evidence, trials) if trials else None


def _half(found: HalfDose) -> str:
    if found.value is None:
        return ""
    value, *ends = (
        f"{one:.1f}" if isinstance(one, float) else str(one)
        for one in (found.value, found.low, found.high)
    )
    return f"Half of the known claims are lost at {value} wrong peers ({' to '.join(ends)})."
