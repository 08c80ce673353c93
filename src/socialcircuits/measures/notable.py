"""What counts as notable: shares above which a report says so in its first lines."""

from __future__ import annotations

from fractions import Fraction

__all__ = ["INVALID", "UNJUDGED"]

INVALID = Fraction(1, 20)
"""Share of invalid replies. Invalid answers stay in denominators: with one in twenty, an accuracy
may be 5 points too low for no other reason."""

UNJUDGED = Fraction(1, 20)
"""Share of answers that no judge has settled, for the same reason."""
