"""A model writes a pack: what recorded guests say of the claims of a test, once for all subjects.

What is asked is a run: one trial a claim, one step an answer. So replies are committed before they
are used, and a command that is given again asks only for what is missing.
"""

from socialcircuits.studies.packing.running import Left, Made, write
from socialcircuits.studies.packing.settings import Writing, claims_of

__all__ = ["Left", "Made", "Writing", "claims_of", "write"]
