"""Made-up trials for the tests of measures."""

from __future__ import annotations

from typing import Any

from socialcircuits.records.summary import TrialSummary

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
