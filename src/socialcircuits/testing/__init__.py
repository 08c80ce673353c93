"""Public kits: check a world, a protocol, an agent, a model or a judge's rubric of one's own
against the rules of the house.

Each kit takes an object and raises AssertionError, in one sentence, on the first rule it breaks.
"""

from socialcircuits.testing.agent import check_agent
from socialcircuits.testing.judge import check_judge
from socialcircuits.testing.model import check_model
from socialcircuits.testing.protocol import check_protocol
from socialcircuits.testing.world import check_world

__all__ = ["check_agent", "check_judge", "check_model", "check_protocol", "check_world"]
