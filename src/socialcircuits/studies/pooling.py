"""Pooling: several runs of one study count as one, with more seeds a condition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from socialcircuits.checking import checked
from socialcircuits.errors import RunFileError
from socialcircuits.measures import cell
from socialcircuits.records import RunFile
from socialcircuits.records.digests import canonical, differences, identity
from socialcircuits.studies import strata
from socialcircuits.studies.interim import stop
from socialcircuits.studies.planning import Group, Plan, plan
from socialcircuits.studies.remembered import WORLD
from socialcircuits.studies.study import Study
from socialcircuits.studies.telling import Told, reads_prompts
from socialcircuits.studies.told import recall

SAME = ("world", "trial", "models", "sweep")
"""The parts of a study in which pooled runs agree."""


class Part(NamedTuple):
    """One of the runs: its file, its study and its plan."""

    file: RunFile
    study: Study
    plan: Plan

    @classmethod
    def of(cls, file: RunFile) -> Part:
        """Return the part that a run file is.

        Raises:
            RunFileError: the file is damaged.
            SettingError: its study is not allowed.
        """
        study = checked(Study, file.study, "$")
        return cls(file, study, plan(study))

    def groups(self) -> tuple[Group, ...]:
        """Return the groups of its plan that are run, as far as is known: on items that are kept,
        and up to the declared look that stopped it, if one did."""
        kept = strata.read(self.plan, self.file, self.study.judge).groups(self.plan)
        last = stop(self.file)
        if last is None:
            return kept
        done = {one.number for one in self.file.plans()}
        # Where trials failed and were tried again, later seeds may have stood in for theirs.
        return tuple(
            group
            for group in kept
            if group.seed <= last or any(one.plan.number in done for one in group.trials)
        )

    def told(self) -> dict[str, Told] | None:
        """Return what its agents were told, by condition (canonical JSON); empty where no model
        reads prompts, None where a model does and nothing was remembered."""
        if not reads_prompts(self.plan):
            return {}
        told = recall(self.file)
        return None if told is None else {canonical(dict(one.condition)): one for one in told}


def check(parts: Sequence[Part]) -> None:
    """Refuse to pool what does not belong together.

    Raises:
        RunFileError: the runs differ in more than seeds, or two of them hold the same trial.
    """
    for part in parts[1:]:
        _same_study(parts[0], part)
    _each_once(parts)


def mixture(parts: Sequence[Part]) -> str:
    """Say where agents of the runs were told different things; empty where they were told the same.

    Raises:
        RunFileError: what a run remembers is damaged.
    """
    first, *others = parts
    for part in others:
        both = f"{first.file.path} and {part.file.path}"
        mine, theirs = first.told(), part.told()
        if mine is None or theirs is None:
            file = first.file if mine is None else part.file
            return f"{both}: {file.path} does not say what its agents were told"
        for where in _places(mine, theirs):
            return f"{both}: agents were told different things, first at {where}"
    return ""


def offsets(parts: Sequence[Part]) -> list[int]:
    """Return what is added to each run's seeds.

    Equal seeds of equal study seeds have the same truth and evidence, whichever file holds them;
    all others are kept apart.
    """
    most: dict[int, int] = {}
    for part in parts:
        most[part.study.seed] = max(most.get(part.study.seed, 0), part.study.seeds)
    before = {seed: sum(list(most.values())[:place]) for place, seed in enumerate(most)}
    return [before[part.study.seed] for part in parts]


def planned(parts: Sequence[Part]) -> Counter[str]:
    """Return for how many seeds each condition is run, by its key (`measures.cell`): of items that
    are kept, as its allocation says, and up to the declared look that stopped a run. A seed that
    several runs have is one."""
    trials = {
        (cell(one.cell.condition), part.study.seed, one.plan.seed): None
        for part in parts
        for group in part.groups()
        for one in group.trials
        if one.plan.role == "estimate"
    }
    return Counter(key for key, _, _ in trials)


def _same_study(first: Part, part: Part) -> None:
    old, new = first.study.model_dump(mode="json"), part.study.model_dump(mode="json")
    changes = [change for name in SAME for change in differences(f"$.{name}", old[name], new[name])
               if old[name] != new[name]]  # fmt: skip
    if not changes and first.file.recall(WORLD) != part.file.recall(WORLD):
        changes = ["the data of its world (a pool file?)"]
    if changes:
        raise RunFileError(
            f"{part.file.path} is another study than {first.file.path} ({'; '.join(changes)}); "
            "pooled runs differ in seeds only"
        )


def _places(mine: Mapping[str, Told], theirs: Mapping[str, Told]) -> Iterator[str]:
    """Say where what is told differs, a condition and a place each."""
    for name in sorted(mine.keys() & theirs.keys()):
        one, two = mine[name].texts, theirs[name].texts
        # Whether a seat of a small group ever spoke is chance: what both were told counts.
        for place in sorted(one.keys() & two.keys()):
            if set(one[place]) != set(two[place]):
                yield f"{place} of condition {name}"


def _each_once(parts: Sequence[Part]) -> None:
    held: dict[tuple[int, str], RunFile] = {}
    for part in parts:
        for done in part.file.plans():
            if done.role != "estimate":
                continue
            name = identity(done.condition, done.seed, done.role)
            other = held.setdefault((part.study.seed, name), part.file)
            if other is not part.file:
                raise RunFileError(
                    f"{other.path} and {part.file.path} both hold the trial {name} of study seed "
                    f"{part.study.seed}; pooled runs hold each trial once"
                )
