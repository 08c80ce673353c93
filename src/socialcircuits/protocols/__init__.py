"""Protocols: who speaks to whom, when, and what each may read. One file and one line each."""

from socialcircuits.errors import SettingError
from socialcircuits.graph import Protocol
from socialcircuits.protocols import (
    broadcast,
    chatroom,
    deliberation,
    isolated,
    manager,
    pairwise,
    planted,
    seat,
    stratum,
    two_way,
)

CATALOGUE: dict[str, Protocol] = {
    "pairwise": pairwise.PAIRWISE,
    "broadcast": broadcast.BROADCAST,
    "manager": manager.MANAGER,
    "isolated": isolated.ISOLATED,
    "two-way": two_way.TWO_WAY,
    "planted": planted.PLANTED,
    "deliberation": deliberation.DELIBERATION,
    "stratum": stratum.STRATUM,
    "chatroom": chatroom.CHATROOM,
    "seat": seat.SEAT,
}
"""All protocols by name."""


def find(name: str, where: str = "$.trial.protocol") -> Protocol:
    """Return the protocol of a name.

    Raises:
        SettingError: no protocol has this name.

    >>> find("deliberation").label
    'Colleague'
    """
    if name not in CATALOGUE:
        raise SettingError(where, name, "one of " + ", ".join(CATALOGUE), among=CATALOGUE)
    return CATALOGUE[name]


__all__ = ["CATALOGUE", "find"]
