"""What counts as notable: what a report says in its first lines, and a plan of its pilot."""

from __future__ import annotations

from fractions import Fraction

__all__ = ["INVALID", "PILOT", "UNJUDGED"]

INVALID = Fraction(1, 20)
"""Share of invalid replies. Invalid answers stay in denominators: with one in twenty, an accuracy
may be 5 points too low for no other reason."""

PILOT = 8
"""Matched seeds below which a pilot says little about how seeds differ: with seven the upper limit
of a deviation that holds in four of five pilots is 1.4 times the deviation itself."""

UNJUDGED = Fraction(1, 20)
"""Share of answers that no judge has settled, for the same reason."""
