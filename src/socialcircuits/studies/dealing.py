"""Which situation a trial is in: truth, evidence and lure."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from socialcircuits.errors import SettingError
from socialcircuits.graph import Deal, Evidence, World
from socialcircuits.measures.rivalry import rival
from socialcircuits.seeds import Stream, digest
from socialcircuits.studies.settings import Trial


def situation(
    world: World, trial: Trial, shared: bytes, seats: Sequence[bool], about: str = ""
) -> Deal:
    """Return the situation of a trial.

    Seat i gets the same evidence in every cast: what a seat that sees nothing would have got is
    left out. Where evidence is to be weak or strong, or a lure to agree or to contradict, the truth
    is the first in an order drawn by the seed that can serve.

    Args:
        world: the world.
        trial: the trial's settings.
        shared: the seed that all conditions of the replicate share.
        seats: for each place at the table, whether it bears evidence.
        about: its item, or its truth; empty where the truth is drawn.

    Raises:
        SettingError: no truth can serve, or the item decides what the trial sets.
    """
    if world.items:
        _check_free(world, trial)
    if trial.evidence == "any" and trial.lure == "plausible":
        deal = world.deal(shared, len(seats), about or None)
        if all(seats):
            return deal
        return world.assemble(deal.truth, _borne(deal.evidence, seats))
    order = Stream(shared, "truth").shuffled(world.answers)
    for truth in [trial.truth] if trial.truth else order:
        fitting = _fitting(world, truth, trial)
        if fitting:
            return _draw(world, truth, trial, shared, (fitting, seats))
    expected = "a world some answer of which has such evidence and such a lure"
    where, given = "$.trial.evidence", f"{trial.evidence} evidence, lure {trial.lure}"
    if trial.truth:
        where, given = "$.trial.truth", trial.truth
        lure = "" if trial.lure == "plausible" else f" and a lure that {trial.lure}"
        expected = f"an answer that has {trial.evidence} evidence{lure}"
    raise SettingError(where, given, expected)


def _check_free(world: World, trial: Trial) -> None:
    given = {"truth": trial.truth, "evidence": trial.evidence, "lure": trial.lure}
    for name, value in given.items():
        default = Trial.model_fields[name].default
        if value != default:
            expected = f"{default!r} in the world {world.kind}, where the item decides it"
            raise SettingError(f"$.trial.{name}", value, expected)


def left_out(world: World, trial: Trial) -> list[str]:
    """Return the answers that cannot be the truth of a trial: none of their evidence serves.

    >>> from socialcircuits.worlds import load
    >>> left_out(load("flags", {}), Trial(evidence="strong"))
    ['Austria', 'Bulgaria', 'Hungary', 'Italy', 'Netherlands', 'Nigeria', 'Yemen']
    """
    if trial.evidence == "any" and trial.lure == "plausible":
        return []
    return [truth for truth in world.answers if not _fitting(world, truth, trial)]


def _fitting(world: World, truth: str, trial: Trial) -> list[Evidence]:
    """The evidence for a truth that is as weak or strong as asked for, and leaves a lure."""
    free = trial.lure == "plausible"
    return [
        seen
        for seen in world.views(truth)
        if _strength(seen, trial.evidence) and (free or _lures(truth, trial.lure, [seen]))
    ]


def _strength(seen: Evidence, wanted: str) -> bool:
    allowed = sum(value is not None for value in seen.log_belief())
    return wanted == "any" or (allowed == 1) == (wanted == "strong")


def _lures(truth: str, wanted: str, evidence: Sequence[Evidence]) -> list[str]:
    """The wrong answers that all this evidence allows (agrees) or rules out (contradicts)."""
    beliefs = [dict(zip(seen.answers, seen.log_belief(), strict=True)) for seen in evidence]
    return [
        answer
        for answer in evidence[0].answers
        if answer != truth
        and all((belief[answer] is not None) == (wanted == "agrees") for belief in beliefs)
    ]


def _draw(
    world: World,
    truth: str,
    trial: Trial,
    shared: bytes,
    room: tuple[Sequence[Evidence], Sequence[bool]],
) -> Deal:
    fitting, seats = room
    stream, dealt = Stream(digest(shared, trial.evidence), "crops"), list[Evidence]()
    while len(dealt) < len(seats):
        dealt += stream.shuffled(fitting)
    evidence = _borne(dealt, seats)
    if trial.lure == "plausible":
        return world.assemble(truth, evidence)
    lures = _lures(truth, trial.lure, evidence)
    if not lures:
        expected = "plausible: no answer is such a lure for the evidence that was drawn"
        raise SettingError("$.trial.lure", trial.lure, expected)
    return world.assemble(truth, evidence, Stream(digest(shared, trial.lure), "lure").choice(lures))


def _borne(evidence: Sequence[Evidence], seats: Sequence[bool]) -> list[Evidence]:
    return [seen for seen, bears in zip(evidence, seats, strict=False) if bears]


def between(deal: Deal) -> Callable[[tuple[str | None, ...]], frozenset[str]]:
    """Return the choice that leaves the truth and the rival, whom the isolated guesses name."""

    def choice(guesses: tuple[str | None, ...]) -> frozenset[str]:
        found = rival(guesses, deal.truth, deal.answers, deal.facts["compatible"])
        return frozenset((deal.truth, found))

    return choice
