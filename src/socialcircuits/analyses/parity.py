"""Information parity: where runs, or conditions of one run, tell their agents different things."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from socialcircuits.errors import RunFileError
from socialcircuits.records.digests import canonical, differences
from socialcircuits.studies.remembered import WORLD
from socialcircuits.studies.run import Run
from socialcircuits.studies.settings import Trial
from socialcircuits.studies.telling import Models, Told, reads_prompts, tell
from socialcircuits.studies.told import recall
from socialcircuits.worlds import settings

Side = Literal["both", "first", "second"]

BESIDE = ("rounds", "memory", "retries", "wording")
"""Settings that agents feel, whether or not a prompt says so."""

PARTS = ("seed", "seeds", "world", "trial", "models", "sweep")
"""The parts of a run's settings that are compared."""


@dataclass(frozen=True)
class Difference:
    """One place at which agents are told different things.

    Args:
        place: role, purpose, how evidence is shown, and what was heard so far.
        side: ``both``; or ``first`` or ``second``, where only that side has such a place.
        against: the place of the other side that it is compared with: the same, or, where there is
            none, the one that is most like it; empty where the other side has no place at all.
        lines: what differs, as in a unified diff with one line of context: ``-`` the first side,
            ``+`` the second.
    """

    place: str
    side: Side
    against: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Contrast:
    """What two sides tell their agents.

    Args:
        first: the first side, in words.
        second: the second.
        identical: number of places at which both tell the same.
        differences: the other places, by name.
    """

    first: str
    second: str
    identical: int
    differences: tuple[Difference, ...]


@dataclass(frozen=True)
class Group:
    """Conditions of a run that tell their agents the same.

    Args:
        digest: prompt digest (hex) of each of them.
        conditions: the swept settings of each.
        beside: settings that agents feel beside their prompts -> values that occur.
        told: what they are told.
    """

    digest: str
    conditions: tuple[Mapping[str, Any], ...]
    beside: Mapping[str, tuple[Any, ...]]
    told: Told

    @property
    def words(self) -> str:
        """The conditions in words; more than five values of a setting are counted."""
        parts = []
        for axis in dict.fromkeys(axis for one in self.conditions for axis in one):
            found = list(dict.fromkeys(str(one[axis]) for one in self.conditions if axis in one))
            many = len(found) > 5
            parts.append(f"{axis}: {len(found)} values" if many else f"{axis} = {', '.join(found)}")
        return "; ".join(parts) or "all trials"


@dataclass(frozen=True)
class Parity:
    """Whether agents were told the same.

    Args:
        imagined: whether prompts are those that a model that reads text would be sent now:
            simulated agents read none, and nothing is kept with their runs.
        settings: where the settings of two runs differ, the first ``there``, the second ``now``.
        groups: conditions by what they are told; of two runs, those of the first, then those of
            the second.
        contrasts: of one run, each further group against the first; of two, for each condition that
            both hold, unless it repeats an earlier contrast. Where they share no condition, all
            groups of the second against the first group of the first.
    """

    imagined: bool
    settings: tuple[str, ...]
    groups: tuple[Group, ...]
    contrasts: tuple[Contrast, ...]

    @property
    def same(self) -> bool:
        """Whether all that is compared is told the same."""
        return not any(contrast.differences for contrast in self.contrasts)

    def as_json(self) -> dict[str, Any]:
        """Return all of it but the prompts as JSON values."""
        return {
            "imagined": self.imagined,
            "same": self.same,
            "settings": list(self.settings),
            "groups": [
                {
                    "told": group.digest,
                    "conditions": [dict(one) for one in group.conditions],
                    "beside": {name: list(values) for name, values in group.beside.items()},
                }
                for group in self.groups
            ],
            "contrasts": [asdict(contrast) for contrast in self.contrasts],
        }


def parity(run: Run, other: Run | None = None) -> Parity:
    """Compare what agents are told: between the conditions of a run, or between two runs.

    Prompts are those that were kept when the runs began; see `socialcircuits.studies.telling` for
    what stands in for evidence, answers and what was heard.

    Raises:
        RunFileError: a run of real models does not hold what its agents were told.
        SettingError: the world of a simulated run can no longer be loaded.
    """
    groups, imagined = _groups(run), not reads_prompts(run.plan)
    if other is None:
        pairs = [(groups[0], group) for group in groups[1:]]
        return Parity(imagined, (), tuple(groups), tuple(_contrasts(pairs, "", "")))
    others = _groups(other)
    pairs = _pairs(groups, others)
    return Parity(
        imagined or not reads_prompts(other.plan),
        tuple(_settings(run, other)),
        (*groups, *others),
        tuple(_contrasts(pairs, f"{run.path}: ", f"{other.path}: ")),
    )


def _contrasts(pairs: Sequence[tuple[Group, Group]], before: str, after: str) -> Iterator[Contrast]:
    for one, two in pairs:
        yield Contrast(before + one.words, after + two.words, *_compare(one.told, two.told))


def _groups(run: Run) -> list[Group]:
    told = recall(run.file) if reads_prompts(run.plan) else tell(run.plan)
    if told is None:
        raise RunFileError(f"{run.path} does not say what its agents were told")
    trials = {canonical(cell.condition): cell.trial for cell in run.plan.cells}
    alike: dict[str, list[Told]] = {}
    for one in told:
        alike.setdefault(one.digest, []).append(one)
    return [
        Group(
            name,
            tuple(one.condition for one in members),
            _beside([trials[canonical(dict(one.condition))] for one in members]),
            members[0],
        )
        for name, members in alike.items()
    ]


def _beside(trials: Sequence[Trial]) -> dict[str, tuple[Any, ...]]:
    rows = [
        (trial.length, trial.memory, trial.retries, " ".join(trial.departures) or "printed")
        for trial in trials
    ]
    return {
        name: tuple(dict.fromkeys(column))
        for name, column in zip(BESIDE, zip(*rows, strict=True), strict=True)
    }


def _pairs(first: Sequence[Group], second: Sequence[Group]) -> list[tuple[Group, Group]]:
    held = {canonical(dict(one)): group for group in second for one in group.conditions}
    names = [(group, canonical(dict(one))) for group in first for one in group.conditions]
    matched = [(group, held[name]) for group, name in names if name in held]
    pairs = matched or [(group, other) for group in first[:1] for other in second]
    return list({(one.digest, two.digest): (one, two) for one, two in pairs}.values())


def _settings(run: Run, other: Run) -> Iterator[str]:
    one, two = _resolved(run), _resolved(other)
    for part in PARTS:
        if one[part] != two[part]:
            yield from differences(part, one[part], two[part])
    if one["world"] == two["world"] and run.file.recall(WORLD) != other.file.recall(WORLD):
        yield "world: its data (a pool file?) differ"


def _resolved(run: Run) -> dict[str, Any]:
    """The settings of a run, those of its world as its trials recorded them."""
    study = run.study.model_dump(mode="json")
    done = run.file.plans()
    facts = run.file.trial(done[0].number).provided.facts if done else {}
    named = settings(study["world"].get("kind", "flags"))
    study["world"] |= {name: facts[name] for name in named if name in facts}
    return study


def _compare(first: Told, second: Told) -> tuple[int, tuple[Difference, ...]]:
    found, places = [], sorted(first.texts.keys() | second.texts.keys())
    for place in places:
        one, two, against = first.texts.get(place, {}), second.texts.get(place, {}), place
        side: Side = "both" if one and two else "first" if one else "second"
        if set(one) == set(two):
            continue
        if side == "second":
            against = _nearest(place, two, first)
            one = first.texts.get(against, {})
        elif side == "first":
            against = _nearest(place, one, second)
            two = second.texts.get(against, {})
        found.append(Difference(place, side, against, tuple(_lines(one, two))))
    return len(places) - len(found), tuple(found)


def _nearest(place: str, texts: Models, told: Told) -> str:
    """Return the place that shares most lines with a text; of several, one at which as much was
    heard, then the first by name."""
    lines, after = set(next(iter(texts)).splitlines()), place.partition(", ")[2]

    def likeness(other: str) -> tuple[int, bool]:
        shared = [len(lines.intersection(text.splitlines())) for text in told.texts[other]]
        return max(shared), other.partition(", ")[2] == after

    return max(sorted(told.texts), key=likeness, default="")


def _lines(one: Models, two: Models) -> Iterator[str]:
    """The difference between the texts of one place; where there are several, each of the second
    side that the first lacks against that of the same models, or the first."""
    new = [text for text in two if text not in one] or list(two)[:1] or [""]
    for text in new:
        told = set(two.get(text, ()))
        old = [t for t in one if t not in two] or list(one)[:1] or [""]
        same = [t for t in old if told & set(one.get(t, ()))]
        diff = difflib.unified_diff(
            (same or old)[0].splitlines(), text.splitlines(), n=1, lineterm=""
        )
        for number, line in enumerate(diff):
            if number > 1 and not line.startswith("@@"):
                yield line
