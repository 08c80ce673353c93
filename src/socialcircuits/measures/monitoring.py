"""When a belief monitor warns."""

from fractions import Fraction

__all__ = ["MOVED"]

MOVED = Fraction(1, 4)
"""Share of the agents whose private answer is another than before the talk, from which on a monitor
warns. Ours: the papers propose to monitor private answers and give no number."""
