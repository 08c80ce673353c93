"""The literal character: takes a heard answer at face value, whatever it has seen."""

from collections.abc import Mapping

from socialcircuits.agents.simulated import Character, Traits


class Literal(Character):
    """Adds the weight of what it heard to what it sees, answer by answer."""

    name = "literal"
    defaults = Traits(
        error=-14000, salience=800, reading=3000, unclear=300, social=900, own=300, temperature=20
    )

    def hearsay(self, belief: Mapping[str, int], heard: Mapping[str, int]) -> Mapping[str, int]:
        """Every heard answer gains its own weight."""
        return heard
