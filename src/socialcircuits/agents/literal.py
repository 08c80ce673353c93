"""The literal character: takes a heard answer at face value, whatever it has seen."""

from collections.abc import Mapping

from socialcircuits.agents.hearing import Hearing
from socialcircuits.agents.simulated import Traits


class Literal(Hearing):
    """Adds the weight of what it heard to what it sees, answer by answer."""

    name = "literal"
    defaults = Traits(
        error=-14000, salience=1800, reading=6000, unclear=200, social=1400, own=500, temperature=15
    )

    def hearsay(self, belief: Mapping[str, int], heard: Mapping[str, int]) -> Mapping[str, int]:
        """Every heard answer gains its own weight."""
        return heard
