"""The compatibility-reasoning character: lets its evidence judge what it hears."""

from collections.abc import Mapping

from socialcircuits.agents.hearing import Hearing
from socialcircuits.agents.simulated import Traits


class Compatibility(Hearing):
    """Believes a heard answer as far as its own evidence allows it; the weight of an answer that
    the evidence speaks against goes to the answers that it allows."""

    name = "compatibility"
    defaults = Traits(
        error=-12000, salience=1800, reading=6000, unclear=250, social=1400, own=500, temperature=15
    )

    def hearsay(self, belief: Mapping[str, int], heard: Mapping[str, int]) -> Mapping[str, int]:
        """Allowed answers gain their weight; the rest is spread over all allowed answers."""
        allowed = [answer for answer, weight in belief.items() if 2 * weight > self.traits.error]
        gains = {answer: heard[answer] for answer in allowed if answer in heard}
        astray = sum(heard.values()) - sum(gains.values())
        for answer in allowed:
            gains[answer] = gains.get(answer, 0) + astray // len(allowed)
        return gains
