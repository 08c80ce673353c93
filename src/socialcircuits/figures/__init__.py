"""Figures: a table in, a matplotlib figure out; one file a figure.

Each module has a `draw` function that returns a `matplotlib.figure.Figure` without any global
state; `save` writes it with the table it was drawn from.
"""

from socialcircuits.figures.output import save

__all__ = ["save"]
