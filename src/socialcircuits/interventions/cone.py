"""The causal cone: which steps of a trial a change can reach, before anything is asked."""

from __future__ import annotations

from socialcircuits.graph import Step, Walk
from socialcircuits.trial import Setup


def cone(before: Setup, after: Setup) -> frozenset[str]:
    """Return the ids of the steps of a changed trial that may have to be asked anew.

    A step is in the cone if its seat is told, shown or reads something else, or if one of the
    entries that it can read comes from the cone. All replies are taken as valid and delivered: an
    invalid one lets an older entry into a memory, which this does not foresee. What really has to
    be asked is less where a change leaves what was said as it was.

    Args:
        before: the trial.
        after: the trial after an intervention.
    """
    graph, walk = after.graph, Walk(after.graph)
    known = {before.graph.step_id(i): i for i in range(len(before.graph.steps))}
    first = Walk(before.graph)
    reached: set[int] = set()
    for index, step in enumerate(graph.steps):
        old = known.get(graph.step_id(index))
        if old is None or _told(before, step.seat) != _told(after, step.seat):
            reached.add(index)
            continue
        sources = _sources(walk, index, step)
        was = [before.graph.step_id(i) for i in _sources(first, old, before.graph.steps[old])]
        now = [graph.step_id(i) for i in sources]
        rewritten = bool(step.views) and (
            before.rewrites.get(step.seat) != after.rewrites.get(step.seat)
        )
        edited = any(
            before.edits.get(name, name) is not after.edits.get(name, name) for name in now
        )
        # A variant's answers hang on the isolated guesses of all.
        chosen = step.variant in after.choices and any(
            graph.steps[i].purpose == "guess" and not graph.steps[i].variant for i in reached
        )
        touched = chosen or rewritten or edited or was != now
        if touched or any(source in reached for source in sources):
            reached.add(index)
    return frozenset(graph.step_id(index) for index in reached)


def _told(setup: Setup, seat: int) -> tuple[object, ...]:
    seen = setup.evidence[seat]
    return (
        setup.minds[seat].id,
        seen.key if seen else None,
        setup.answers[seat],
        setup.briefs[seat],
    )


def _sources(walk: Walk, index: int, step: Step) -> list[int]:
    found: list[int] = []
    for view in step.views:
        candidates = walk.candidates(index, view)
        found += candidates if view.last is None else candidates[-view.last :]
    return found
