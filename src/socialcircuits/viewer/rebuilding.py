"""What a record alone does not say: the world that was drawn from, and memories that were
rewritten."""

from __future__ import annotations

from functools import cached_property

from socialcircuits.agents import BackEnd
from socialcircuits.analyses.tracing import Reread
from socialcircuits.errors import RunFileError, SocialCircuitsError
from socialcircuits.graph import Reply, Walk
from socialcircuits.graph.walk import Blocked
from socialcircuits.records import TrialPlan, TrialRecord
from socialcircuits.records.digests import identity
from socialcircuits.studies import Builder, Run
from socialcircuits.studies.execution import CAPABILITIES
from socialcircuits.studies.remembered import WORLD
from socialcircuits.worlds.flags import FlagWorld

__all__ = ["Rebuilt", "identified", "walked"]

Reads = dict[int, list[int]]
"""Step -> the earlier steps whose output was in its context, in order."""


class Rebuilt:
    """A run with its world and the setups of its trials, as far as they can be made again.

    Args:
        run: the run; nobody is asked.
    """

    def __init__(self, run: Run) -> None:
        self._run = run

    @cached_property
    def _builder(self) -> Builder:
        """Raises SocialCircuitsError: the world cannot be loaded, or its data have changed."""
        back = BackEnd(recorded=self._run.file.recall(CAPABILITIES) or {})
        found = Builder(self._run.study, replay=True, back=back)
        if self._run.file.recall(WORLD) not in {None, found.world.fingerprint}:
            raise RunFileError("the data of its world (a pool file?) have changed since")
        return found

    @cached_property
    def flags(self) -> FlagWorld | None:
        """The world of flags from which the run drew; None of another world, or where it cannot be
        loaded as it was."""
        if self._run.study.world.get("kind", "flags") != "flags":
            return None
        try:
            world = self._builder.world
        except SocialCircuitsError:
            return None
        return world if isinstance(world, FlagWorld) else None

    def reads(self, record: TrialRecord) -> tuple[Reads, str]:
        """Return what each step of a trial read, and why that may differ from what it did read;
        empty where it does not.

        Where an intervention changed memories or delivery, the trial's setup is made again: the
        record does not hold what was done to memories.
        """
        if not record.provided.facts.get("intervention"):
            return walked(record), ""
        try:
            return self._reread(record), ""
        except SocialCircuitsError as error:
            return walked(record), f"as if nothing had been done to memories and delivery: {error}"

    def _reread(self, record: TrialRecord) -> Reads:
        own = identified(record.plan)
        planned = next((one for one in self._run.plan.trials if identified(one.plan) == own), None)
        if planned is None:
            raise RunFileError("the trial is not in the plan of its study")
        setup, _ = self._builder.build(planned)
        if setup.graph != record.graph:
            raise RunFileError("its schedule is made otherwise now")
        again, graph = Reread(record, setup), record.graph
        places = {graph.step_id(index): index for index in record.outcomes}
        return {
            index: sorted(places[source] for source in again.remembered(graph.step_id(index)))
            for index in record.outcomes
        }


def identified(plan: TrialPlan) -> str:
    """Return the name under which a trial stands in the plan of its study and in the record; their
    numbers may differ, and it is the record's that counts."""
    return identity(plan.condition, plan.seed, plan.role)


def walked(record: TrialRecord) -> Reads:
    """Return what each step of a recorded trial read, if what was said was delivered: the walk of
    the graph (rule 5), over the record's outcomes."""
    walk, said = Walk(record.graph), record.outcomes

    def delivered(step: int) -> Reply | None:
        reply = said.get(step)
        return reply if reply is not None and reply.valid else None

    found: Reads = {}
    for index in said:
        heard = walk.read(index, delivered)
        assert not isinstance(heard, Blocked), "graph order resolves all that is read"
        found[index] = sorted({entry.step for section in heard for entry in section.entries})
    return found
