"""Which items are kept after stratification, by how often a model alone was right."""

__all__ = ["FEWEST", "MOST"]

FEWEST, MOST = 1, 3
"""Right answers, of four, of an item that is kept (adversarial deliberation, section 2.3)."""
