"""Another piece of evidence (agent patching: Flag Game, section 5.1)."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from socialcircuits.errors import SettingError
from socialcircuits.interventions._base import WHERE, AtAgents, Keys, Scene, chosen
from socialcircuits.trial import Setup


class Evidence(AtAgents):
    """Agents see something else, from the start.

    Args:
        agents: see `AtAgents`; without default.
        view: what, as the world names it: in the flag world ``7,3``, the corner (x, y) of a crop of
            the hidden flag in cells, or ``Peru 7,3``, a crop of another one.
    """

    kind: Literal["evidence"] = "evidence"
    agents: str | Keys
    view: str

    def apply(self, setup: Setup, scene: Scene) -> Setup:
        """Return the trial in which these seats see it.

        Raises:
            SettingError: a seat has a part without evidence, as a manager.
        """
        shown, seats = scene.world.named(scene.truth, self.view), set(self.seats(setup))
        for seat in seats - set(chosen(setup, "all")):
            key = setup.graph.seats[seat].key
            raise SettingError(f"{WHERE}.agents", key, "agents; this seat has no evidence")
        evidence = tuple(shown if i in seats else seen for i, seen in enumerate(setup.evidence))
        return replace(setup, evidence=evidence)
