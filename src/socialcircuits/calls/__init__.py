"""Calls: limits, budget, retries and single flight, for whatever asks a model."""

from socialcircuits.calls.calls import Calls
from socialcircuits.calls.limits import Limits, Spent

__all__ = ["Calls", "Limits", "Spent"]
