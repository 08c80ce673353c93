"""Named departures from the prompts as the paper prints them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from socialcircuits.errors import SettingError

WORDINGS: Mapping[str, str] = {
    "early-correction": "honest agents of a chatroom are told to correct falsehoods at once",
    "identity": "agents are told their model's name, and which model is newer and better",
    "no-list": "the allowed countries are not listed",
    "uptake-number": "the line on social-evidence uptake begins with the number",
    "untrusted": "what honest agents of a chatroom read is marked as untrusted",
}
"""Name of a departure -> what it changes, in words."""

RELEASED: Mapping[str, tuple[str, ...]] = {
    "pairwise": ("uptake-number",),
    "broadcast": ("identity", "no-list", "uptake-number"),
    "manager": (),
}
"""Protocol -> how its prompts in the paper's released code depart from the printed ones."""


def wording(
    names: str | Sequence[str], protocol: str, where: str = "$.trial.wording"
) -> tuple[str, ...]:
    """Return the departures that a setting names, sorted, each once.

    Args:
        names: ``printed`` (none), ``released`` (those of the released code for this protocol), the
            name of one departure, or a list of names.
        protocol: name of the protocol.
        where: the setting, for messages.

    Raises:
        SettingError: no departure has this name.

    >>> wording("released", "broadcast")
    ('identity', 'no-list', 'uptake-number')
    >>> wording(["no-lists"], "pairwise")
    Traceback (most recent call last):
    socialcircuits.errors.SettingError: $.trial.wording: 'no-lists' is not allowed; expected \
printed, released or some of early-correction, identity, no-list, uptake-number, untrusted; did \
you mean 'no-list'?
    """
    if names == "printed":
        return ()
    if names == "released":
        return RELEASED.get(protocol, ())
    chosen = {names} if isinstance(names, str) else set(names)
    for name in sorted(chosen, key=str):
        if name not in WORDINGS:
            expected = "printed, released or some of " + ", ".join(WORDINGS)
            raise SettingError(where, name, expected, among=(*WORDINGS, "printed", "released"))
    return tuple(sorted(chosen))
