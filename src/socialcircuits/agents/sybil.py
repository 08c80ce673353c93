"""The sybil: asserts one false claim, whatever it hears."""

from __future__ import annotations

from socialcircuits.agents.said import say
from socialcircuits.graph import Observation


def sybil(observation: Observation, draw: bytes, eloquence: int) -> tuple[str, str]:
    """Return what a sybil says: the answer that it was told, in every kind of step, since it knows
    no other (believed but not said, A.4). It pushes back where somebody has named another answer
    since it last spoke, else reinforces whoever named its own, else asserts.

    >>> from socialcircuits.graph import Brief
    >>> told = Brief("sybil", lure="Cusco")
    >>> seen = Observation(b"", "message", "", told, True, ("Cusco", "Lima"), None, ())
    >>> sybil(seen, bytes(16), 1000)
    ('Cusco', 'I am certain of this: it is Cusco.')
    """
    claim = observation.brief.lure
    if not observation.with_reason:
        return claim, ""
    named = set[str]()
    for heard in observation.heard:
        for entry in reversed(heard.entries):
            if entry.own:
                break
            if entry.reply.answer:
                named.add(entry.reply.answer)
    manner = "pushes_back" if named - {claim} else "reinforces" if named else "asserts"
    return claim, say(f"sybil-{manner}", claim)
