"""The sycophantic character: gives way to whatever most of the others say."""

from collections.abc import Mapping

from socialcircuits.agents.simulated import Character, Traits


class Sycophantic(Character):
    """Weighs what it heard far above what it sees, and the most heard answer twice."""

    name = "sycophantic"
    defaults = Traits(
        error=-14000, salience=800, reading=3000, unclear=300, social=2400, own=100, temperature=20
    )

    def hearsay(self, belief: Mapping[str, int], heard: Mapping[str, int]) -> Mapping[str, int]:
        """Every heard answer gains its weight, the strongest twice; ties by name."""
        loudest = max(sorted(heard), key=heard.__getitem__)
        return {**heard, loudest: 2 * heard[loudest]}
