"""Tables of deliberations and chatrooms: who changes, what is said, and what is hidden."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from socialcircuits.analyses.behaviour import audits_by_round, shares
from socialcircuits.analyses.behaviour import timing as timings
from socialcircuits.analyses.counting import by_composition
from socialcircuits.analyses.deliberation import coordination, verification
from socialcircuits.analyses.deliberation import pairings as models
from socialcircuits.analyses.dyad import dyads as contrasts
from socialcircuits.analyses.hazard import acts as acting
from socialcircuits.analyses.hazard import by_peers
from socialcircuits.analyses.hazard import injected as experiments
from socialcircuits.analyses.infection import curves as by_round
from socialcircuits.analyses.infection import joint as both
from socialcircuits.analyses.infection import knowledge as known
from socialcircuits.analyses.infection import reasks as again
from socialcircuits.analyses.infection import speed as speeds
from socialcircuits.analyses.infection import timing as paired
from socialcircuits.analyses.trends import explained
from socialcircuits.report.chatrooms import replaced
from socialcircuits.report.sections import rooms
from socialcircuits.report.sections import trends as slopes
from socialcircuits.viewer.framing.analysed import Analysed
from socialcircuits.viewer.tables import Frame, framed

Rows = Iterable[Mapping[str, Any]]

QUESTIONS = "95 % intervals with questions as clusters; n counts questions"
ITEMS = "95 % intervals with items as clusters; n counts items"
NOT_FALSE = "Neither, ambiguous, invalid and unjudged answers count as not FALSE."


def _frame(found: Analysed, title: str, note: str, rows: Rows) -> Frame | None:
    return framed(title, note, rows, found.axes)


def composition(found: Analysed) -> Frame | None:
    """Defection and correction, composition by composition."""
    note = (
        f"Share of honest agents that changed, at one composition: {QUESTIONS}. Trials whose "
        "counts hang on unjudged answers are left out; none counts those in which nobody could."
    )
    rows = [one.row() for one in by_composition(found.counts)]
    return _frame(found, "Defection and correction", note, rows)


def trends(found: Analysed) -> Frame | None:
    """The straight lines over the proportion of adversaries."""
    note = (
        "A line: intercept, slope for each 0.1 of the proportion with a 95 % interval whose errors "
        "are clustered by question and composition; beside it least squares on composition means."
    )
    rows = [
        {
            **one.row(),
            "intercept": one.intercept.value,
            "middle": one.middle,
            "means_intercept": one.means_intercept.value,
            "group": one.group,
        }
        for one in found.trends
    ]
    return _frame(found, "Slopes", note, rows)


def forms(found: Analysed) -> Frame | None:
    """Other forms of the dependence."""
    note = (
        "A form of the dependence on the proportion; score: mean log likelihood of an agent of a "
        "question left out of the fit, the higher (the nearer 0) the better; the best stands first."
    )
    return _frame(found, "Forms", note, [row for one in found.trends for row in one.form_rows()])


def tests(found: Analysed) -> Frame | None:
    """Proportion and number of adversaries against each other."""
    note = (
        "Likelihood ratio of the one where the other is known, in a logistic mixed model with "
        "questions and trials; why says where there is no fit."
    )
    rows = [row for one in explained(found.counts) for row in one.rows()]
    return _frame(found, "Proportion or number", note, rows)


def matched(found: Analysed) -> Frame | None:
    """Matched conditions of deliberations."""
    kinds = {"coordination": coordination, "verification": verification, "pairing": models}
    rows = [
        {"kind": kind, **one.row()}
        for kind, contrast in kinds.items()
        for one in contrast(found.summaries)
    ]
    note = (
        "Mean difference over questions with its paired 95 % interval and sign-flip p; n counts "
        "questions, left_out those without a pair, unjudged trials whose value hangs on such."
    )
    return _frame(found, "Matched differences", note, rows)


def timing(found: Analysed) -> Frame | None:
    """When honest agents first defected."""
    each = [one for one in timings(found.summaries) if one.vote.n or one.left_out]
    note = (
        f"Share of first defections by a round, over all compositions: {QUESTIONS}; p of one half."
    )
    return _frame(found, "Time of defection", note, [row for one in each for row in one.rows()])


def labelled(found: Analysed) -> Frame | None:
    """Tactics, audits, codes and reasons, as judges labelled them."""
    rows = []
    for one in shares(found.summaries):
        entry = one.as_json()
        measure, marked, current = entry["measure"].partition("_round_")
        ends = {name: entry[name] for name in ("value", "low", "high", "n")}
        when = int(current) if marked else None
        rows.append({**entry["condition"], "measure": measure, "round": when, **ends})
    note = (
        f"A labelled share over all compositions: {QUESTIONS}. Audits by round are over all "
        "conditions. What the judge left open stays in the denominator."
    )
    rows += audits_by_round(found.summaries)
    return _frame(found, "Labelled shares", note, rows)


def curves(found: Analysed) -> Frame | None:
    """Private infection and public endorsement after each round."""
    note = (
        "Of benign agents the share FALSE after a round, and of their utterances that of those "
        f"which endorse: {ITEMS}. {NOT_FALSE}"
    )
    return _frame(found, "Private and public curves", note, by_round(found.summaries))


def speed(found: Analysed) -> Frame | None:
    """When the final infection is there."""
    note = (
        "The first round with half, and with 80 %, of the final infection, all trials added up; n "
        "counts items."
    )
    return _frame(found, "Speed", note, speeds(found.summaries))


def joint(found: Analysed) -> Frame | None:
    """What is said beside what is held."""
    note = f"Of exposed turns with a private label the share with a stance: {ITEMS}."
    return _frame(found, "Stance given belief", note, both(found.summaries))


def knowledge(found: Analysed) -> Frame | None:
    """What agents knew and gave up."""
    note = f"Shares of a condition, each with {ITEMS}. Known by one probe: some of it was guessed."
    return _frame(found, "Knowledge", note, known(found.summaries))


def reasks(found: Analysed) -> Frame | None:
    """Private answers under another instruction."""
    note = f"Kept FALSE, and final infection less that by the usual probe: {ITEMS}. {NOT_FALSE}"
    return _frame(found, "Re-asks", note, [one.row() for one in again(found.summaries)])


def pairings(found: Analysed) -> Frame | None:
    """Gaps between saying and holding under each pairing."""
    note = f"A gap under one pairing of turn and private answer: {ITEMS}."
    return _frame(found, "Pairings", note, paired(found.summaries))


def hazard(found: Analysed) -> Frame | None:
    """Switching by infected peers, raw and adjusted."""
    rows = by_peers(found.plain) + [row for one in found.adjusted for row in one.curve()]
    note = (
        f"Rate of switching to FALSE by infected peers: {ITEMS}; of is rounds of agents. The "
        "adjusted curve holds items, agents and rounds equal; the raw one does not (see note)."
    )
    return _frame(found, "Hazard by infected peers", note, rows)


def hazard_fits(found: Analysed) -> Frame | None:
    """The adjusted hazard of each condition."""
    note = (
        "Change of the log-odds of switching for one more infected peer, with its 95 % interval "
        "and likelihood ratio; n counts items."
    )
    return _frame(found, "Adjusted hazard", note, [one.row() for one in found.adjusted])


def acts(found: Analysed) -> Frame | None:
    """Switching by what was said."""
    note = f"Rate of switching by own act and by what was heard: {ITEMS}. None of it shows a cause."
    return _frame(found, "Acts", note, acting(found.summaries))


def injected(found: Analysed) -> Frame | None:
    """Peers made to assert the claim."""
    each = experiments(found.summaries, replaced(found.run))
    note = (
        "Final infection of the others, with less without, on matched items; paired 95 % interval."
    )
    return _frame(found, "Injected peers", note, [one.row() for one in each])


def dyads(found: Analysed) -> Frame | None:
    """Dyads against larger groups."""
    note = "Final infection, dyad less group, on matched items; paired 95 % interval; n: items."
    return _frame(found, "Dyads", note, [one.row() for one in contrasts(found.summaries)])


def caveats(found: Analysed) -> Frame | None:
    """What the numbers of the run do not show, as the report says it."""
    said = (*rooms.caveats(found.run), *slopes.caveats(found.run))
    note = "A sentence of the report on what its numbers do not show."
    return framed("Caveats", note, [{"sentence": one} for one in said])
