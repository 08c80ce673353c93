"""One trial: its frozen description, and the loop that runs its graph."""

from socialcircuits.trial.loop import play
from socialcircuits.trial.setup import Setup
from socialcircuits.trial.state import Known, keys
from socialcircuits.trial.wavefront import MOST_IN_FLIGHT, Journal, play_waiting

__all__ = ["MOST_IN_FLIGHT", "Journal", "Known", "Setup", "keys", "play", "play_waiting"]
