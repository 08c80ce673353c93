"""The vocabulary: steps, views, graphs, seats, observations, replies, and the interfaces of worlds
and minds. No behaviour beyond the walk that derives what a step reads."""

from socialcircuits.graph.graph import Graph, build
from socialcircuits.graph.protocol import Protocol, Settings, observers
from socialcircuits.graph.vocabulary import (
    ADVERSARIES,
    Brief,
    Entry,
    Evidence,
    Heard,
    Mind,
    Observation,
    Readout,
    Reply,
    Seat,
    Step,
    View,
)
from socialcircuits.graph.walk import Walk
from socialcircuits.graph.world import Deal, World

__all__ = [
    "ADVERSARIES",
    "Brief",
    "Deal",
    "Entry",
    "Evidence",
    "Graph",
    "Heard",
    "Mind",
    "Observation",
    "Protocol",
    "Readout",
    "Reply",
    "Seat",
    "Settings",
    "Step",
    "View",
    "Walk",
    "World",
    "build",
    "observers",
]
