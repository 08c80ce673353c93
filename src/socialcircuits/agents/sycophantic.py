"""The sycophantic character: gives way to whatever most of the others say."""

from collections.abc import Mapping

from socialcircuits.agents.hearing import Hearing
from socialcircuits.agents.simulated import Traits


class Sycophantic(Hearing):
    """Weighs what it heard far above what it sees, and the most heard answer twice."""

    name = "sycophantic"
    defaults = Traits(
        error=-14000, salience=1800, reading=6000, unclear=200, social=2800, own=200, temperature=15
    )

    def hearsay(self, belief: Mapping[str, int], heard: Mapping[str, int]) -> Mapping[str, int]:
        """Every heard answer gains its weight, the strongest twice; ties by name."""
        loudest = max(sorted(heard), key=heard.__getitem__)
        return {**heard, loudest: 2 * heard[loudest]}
