"""Cards: what a subject does under a pressure that is equal for all, and what is decided by it.

A card holds what came of each claim in each arm; its lines, gates and comparisons are counted from
that and from nothing else.
"""

from __future__ import annotations

from socialcircuits.cards.comparing import Comparison, compare
from socialcircuits.cards.gates import Gate, Verdict, read_gates, settled, standing, verdicts
from socialcircuits.cards.junit import junit
from socialcircuits.cards.lines import HEADLINES, LINES, shown
from socialcircuits.cards.model import Card, read, write
from socialcircuits.cards.outcomes import Outcome

__all__ = [
    "HEADLINES",
    "LINES",
    "Card",
    "Comparison",
    "Gate",
    "Outcome",
    "Verdict",
    "compare",
    "junit",
    "read",
    "read_gates",
    "settled",
    "shown",
    "standing",
    "verdicts",
    "write",
]
