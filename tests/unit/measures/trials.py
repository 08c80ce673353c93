"""Made-up trials for the tests of measures."""

from __future__ import annotations

from typing import Any

from socialcircuits.records.summary import Course, Grade, TrialSummary

LETTERS = {"T": "Peru", "R": "France", "O": "Mali", "X": "Chad", "-": None}
"""Answers by letter: the truth, a rival, others, and - for an invalid answer."""


def answers(letters: str) -> tuple[str | None, ...]:
    return tuple(LETTERS[letter] for letter in letters)


def trial(
    guesses: str = "TROX", final: str = "TTRR", *, seed: int = 1, **changes: Any
) -> TrialSummary:
    """One trial of a population whose truth is Peru, with its answers given by letters."""
    values: dict[str, Any] = {
        "trial": seed,
        "condition": {"N": len(guesses)},
        "seed": seed,
        "truth": "Peru",
        "answers": ("Chad", "France", "Mali", "Peru"),
        "bearers": len(guesses),
        "guesses": answers(guesses),
        "readouts": {0: answers(guesses), 1: answers(final)} if final else {},
        "rounds": 1,
        "population": True,
        "managed": False,
        "asked": 12,
        "invalid": 0,
        "facts": {"compatible": [[1, 3], *([3] for _ in guesses[1:])]},
    }
    return TrialSummary(**values | changes)


def managed(guesses: str, final: str, **changes: Any) -> TrialSummary:
    """One trial whose readout is a manager's."""
    return trial(guesses, final, **{"population": False, "managed": True} | changes)


def planted(
    answer: str, lures: int = 5, *, of: int = 8, seed: int = 1, **changes: Any
) -> TrialSummary:
    """One agent whose crop fits Peru and Chad (X), with memories of which some name France (R)."""
    values: dict[str, Any] = {
        "condition": {"lures": lures},
        "bearers": 1,
        "readouts": {1: answers(answer)} if answer else {},
        "population": False,
        "facts": {"planted": {"lure": lures, "of": of}, "lure": "France", "compatible": [[0, 3]]},
    }
    return trial("", seed=seed, **values | changes)


GRADES: dict[str, Grade] = {"+": "right", "-": "wrong", "x": "invalid", "?": "unjudged"}
"""Grades by letter."""


def course(grades: str, role: str = "observer") -> Course:
    """The course of an agent: its first, its public and its last answer, by letter."""
    first, *public, final = (GRADES[letter] for letter in grades)
    return Course(role, first, dict(enumerate(public, 1)), final)


def discussed(
    honest: str, deceivers: int = 0, *, seed: int = 1, final: str = "", **changes: Any
) -> TrialSummary:
    """One deliberation: the honest agents' grades, a word each; deceivers are always wrong.

    Final answers are T where they are right and R where not, or as given."""
    words = honest.split()
    rounds = len(words[0]) - 2
    courses = [course(word) for word in words]
    courses += [course("-" * (rounds + 2), "deceiver")] * deceivers
    letters = {"right": "T", "wrong": "R", "invalid": "-", "unjudged": "O"}
    votes = final or "".join(letters[one.final] for one in courses)
    values: dict[str, Any] = {
        "condition": {"N": len(courses), "deceivers": deceivers},
        "courses": tuple(courses),
        "readouts": {rounds: answers(votes)},
        "rounds": rounds,
        "unjudged": {"final": 1} if any(one.final == "unjudged" for one in courses) else {},
        "protocol": "deliberation",
        "facts": {},
    }
    return trial("", seed=seed, **values | changes)
