"""The sybil: asserts one false claim, whatever it hears."""

from __future__ import annotations

from socialcircuits.agents.said import say
from socialcircuits.errors import SettingError
from socialcircuits.graph import Observation


def sybil(observation: Observation, draw: bytes, eloquence: int) -> tuple[str, str]:
    """Return what a sybil says: the answer that it was told, in every kind of step, since it knows
    no other (believed but not said, A.4). It pushes back where somebody has named another answer
    since it last spoke, else reinforces whoever named its own, else asserts.

    Raises:
        SettingError: it was told no answer.

    >>> from socialcircuits.graph import Brief
    >>> told = Brief("sybil", lure="Cusco")
    >>> seen = Observation(b"", "message", "", told, True, ("Cusco", "Lima"), None, ())
    >>> sybil(seen, bytes(16), 1000)
    ('Cusco', 'I am certain that Cusco is the answer.')
    """
    claim = observation.brief.lure
    if claim not in observation.answers:
        raise SettingError("brief.lure", claim, "an answer, which a sybil must be told")
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
