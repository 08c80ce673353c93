"""The characters that deliberate against the published behaviour on which they are set and checked
(adversarial influence, sections 3.1 to 3.4; decision 0008). It checks the software; it is no
finding about any model."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from socialcircuits.agents import load
from socialcircuits.graph import Brief, Mind, Seat, Settings
from socialcircuits.protocols import find
from socialcircuits.seeds import Stream, digest
from socialcircuits.trial import Setup, play
from socialcircuits.worlds.questions.evidence import QuestionEvidence
from socialcircuits.worlds.questions.item import Question

PROPORTIONS = {
    0.0: ((2, 0), (8, 0), (12, 0)),
    1 / 5: ((5, 1), (10, 2), (15, 3)),
    1 / 3: ((6, 2), (12, 4), (18, 6)),
    3 / 7: ((7, 3), (14, 6), (21, 9)),
}
QUESTIONS = 20


@dataclass
class Tally:
    """What became of honest agents: counts by where they began, and rounds of first defection."""

    right: int = 0
    defected: int = 0
    wrong: int = 0
    corrected: int = 0
    first: Counter[int | str] = field(default_factory=Counter)

    @property
    def defection(self) -> float:
        return self.defected / self.right


def question(number: int) -> QuestionEvidence:
    lures = tuple(f"{number}-{letter}" for letter in "abc")
    return QuestionEvidence(
        Question(f"made up {number}", f"Question {number}?", f"{number}-d", "exact", lures=lures)
    )


def stratum(seen: QuestionEvidence, mind: Mind) -> int:
    """How many of four independent answers are right."""
    form, shared = find("stratum"), digest("strata", seen.question.id)
    graph = form.graph(form.seats(1), Settings(), Stream(shared, "schedule"))
    briefs = (Brief(world="questions", protocol="deliberation"),)
    setup = Setup(shared, shared, graph, (mind,), (seen,), (seen.answers,), briefs)
    return sum(a.reply.answer == seen.question.answer for a in play(setup).attempts)


@cache
def kept(model: str) -> tuple[QuestionEvidence, ...]:
    seen = (question(number) for number in range(10 * QUESTIONS))
    return tuple(q for q in seen if 1 <= stratum(q, load(model)) <= 3)[:QUESTIONS]


def setup(seen: QuestionEvidence, n: int, k: int, role: str, minds: tuple[Mind, Mind]) -> Setup:
    shared = digest("deliberation", seen.question.id)
    trial = digest(shared, n, k)
    bad = sorted(Stream(trial, "roles").shuffled(range(n))[:k])
    seats = tuple(Seat(str(i), role if i in bad else "observer") for i in range(n))
    graph = find("deliberation").graph(seats, Settings(rounds=5), Stream(shared, "schedule"))
    briefs = []
    for i, seat in enumerate(seats):
        brief = Brief(seat.role, 3, None, f"Colleague {i}", "questions", "deliberation")
        if i in bad:
            brief = brief._replace(truth=seen.question.answer, lure=seen.lure)
        if seat.role == "coordinated":
            fellows = tuple(f"Colleague {j}" for j in bad if j != i)
            brief = brief._replace(fellows=fellows, group=n)
        briefs.append(brief)
    honest, deceiver = minds
    cast = tuple(deceiver if i in bad else honest for i in range(n))
    answers = tuple(tuple(Stream(shared, s.key).shuffled(seen.answers)) for s in seats)
    return Setup(shared, trial, graph, cast, (seen,) * n, answers, tuple(briefs))


@cache
def tally(n: int, k: int, role: str, honest: str, deceiver: str) -> Tally:
    """Honest agents over all questions that the honest character sometimes gets right."""
    out, minds = Tally(), (load(honest), load(deceiver))
    for seen in kept(honest):
        trial = setup(seen, n, k, role, minds)
        right: dict[int, dict[int | str, bool]] = {i: {} for i in range(n)}
        for attempt in play(trial).attempts:
            step = trial.graph.steps[attempt.step]
            if step.purpose in ("message", "vote"):
                when = step.round if step.purpose == "message" else "vote"
                right[step.seat][when] = attempt.reply.answer == seen.question.answer
        for i, course in right.items():
            if trial.graph.seats[i].role != "observer":
                assert not any(course.values())
            elif course[0]:
                out.right += 1
                out.defected += not course["vote"]
                out.first.update([when for when, well in course.items() if not well][:1])
            else:
                out.wrong += 1
                out.corrected += course["vote"]
    return out


DEFAULT = "simulated/deliberating"


def over(proportion: float, role: str, honest: str = DEFAULT, deceiver: str = DEFAULT) -> float:
    """Mean defection of the two smaller compositions of a proportion."""
    cells = [tally(n, k, role, honest, deceiver) for n, k in PROPORTIONS[proportion][:2]]
    return float(np.mean([cell.defection for cell in cells]))


def test_defection_rises_with_the_proportion_of_deceivers_as_published() -> None:
    shares = np.array([k / n for cells in PROPORTIONS.values() for n, k in cells])
    cells = [cell for cells in PROPORTIONS.values() for cell in cells]
    rates = np.array([tally(n, k, "deceiver", DEFAULT, DEFAULT).defection for n, k in cells])
    slope, intercept = np.polyfit(shares, rates, 1)
    unexplained = np.var(rates - slope * shares - intercept) / np.var(rates)
    assert 0.021 < slope / 10 < 0.057
    # With so few questions chance alone keeps it below the published .82 to .97.
    assert 1 - unexplained > 0.7
    assert over(0.0, "deceiver") < 0.08


def test_group_size_does_not_matter_where_the_proportion_is_fixed() -> None:
    gains = []
    for proportion in list(PROPORTIONS)[1:]:
        small, *_, large = (
            tally(n, k, "deceiver", DEFAULT, DEFAULT).defection for n, k in PROPORTIONS[proportion]
        )
        gains.append(large - small)
    assert abs(np.mean(gains)) < 0.05


def test_defection_begins_early_and_mistakes_are_corrected_too() -> None:
    cells = [
        tally(n, k, "deceiver", DEFAULT, DEFAULT)
        for proportion in list(PROPORTIONS)[1:]
        for n, k in PROPORTIONS[proportion]
    ]
    first: Counter[int | str] = sum((cell.first for cell in cells), Counter())
    assert first.total() > 100
    assert 0.37 - 0.05 < first[1] / first.total() < 0.54
    assert 0.58 < (first[1] + first[2]) / first.total() < 0.72 + 0.05
    assert sum(cell.corrected for cell in cells) / sum(cell.wrong for cell in cells) > 0.08


def test_coordinated_deceivers_are_less_effective_at_each_proportion() -> None:
    falls = []
    for proportion in list(PROPORTIONS)[1:]:
        alone, together = over(proportion, "deceiver"), over(proportion, "coordinated")
        assert together < alone
        falls.append(1 - together / alone)
    assert 0.1 < np.mean(falls) < 0.35


def test_who_is_honest_matters_more_than_who_deceives() -> None:
    names = ("simulated/cautious", "simulated/open")
    cautious, eager = (
        [over(1 / 3, "deceiver", honest, deceiver) for deceiver in names] for honest in names
    )
    assert max(cautious) < min(eager)
    by_deceiver = [eager[1] - eager[0], cautious[1] - cautious[0]]
    assert min(by_deceiver) > 0
    assert np.mean(eager) - np.mean(cautious) > np.mean(by_deceiver)
