"""From a file of lines to a run file that reports, viewer, tables and judges read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from socialcircuits.errors import RunFileError, SettingError, UsageError
from socialcircuits.importing.building import Built, trial
from socialcircuits.importing.fields import FieldMap
from socialcircuits.importing.lines import Fault
from socialcircuits.importing.reading import read
from socialcircuits.records import RunFile, RunStore, TrialPlan
from socialcircuits.records.digests import trial_digest
from socialcircuits.records.provenance import notes
from socialcircuits.seeds import digest
from socialcircuits.studies.display import visible
from socialcircuits.studies.settings import Trial
from socialcircuits.studies.study import IMPORT, Study

__all__ = [
    "IMPORTED",
    "PLAIN",
    "SAID",
    "Imported",
    "convert",
    "counted",
    "fingerprint",
    "imported",
    "study_of",
    "trials",
]

IMPORTED = "imported"
"""Under this name a run remembers that it was imported, and what is unknown of it."""

SAID = "said"
"""Under this name a run remembers the digest of all that was said in its conversations."""

PLAIN = FieldMap()
"""All fields in columns of their own names."""


@dataclass(frozen=True)
class Imported:
    """What a run was imported from, and how much of it is known.

    Args:
        source: name of the file.
        conversations: how many there are.
        speakers: seats of all of them together.
        messages: what was said to others, or may have been.
        known: of how many messages it is known who could read them.
        untold: steps of which is known that they were taken, but not what was said.
        open: conversations without a right answer.
        skipped: lines that were left out.
    """

    source: str
    conversations: int
    speakers: int
    messages: int
    known: int
    untold: int
    open: int
    skipped: int

    @property
    def lines(self) -> tuple[str, ...]:
        """What a reader must know first, a sentence each.

        >>> Imported("talk.jsonl", 2, 6, 40, 38, 0, 0, 1).lines[0]
        'Lineage: readers are known of 38 of 40 messages; those of the other 2 are unknown.'
        """
        unknown, known = self.messages - self.known, f"{self.known:,} of {self.messages:,} messages"
        rest = f"; those of the other {unknown:,} are unknown." if unknown else "."
        found = [f"Lineage: readers are known of {known}{rest}"]
        if self.untold:
            found.append(f"Of {self.untold:,} private steps it is unknown what was said.")
        if self.open:
            found.append(f"{self.open:,} of {self.conversations:,} conversations have no truth.")
        if self.skipped:
            found.append(f"{self.skipped:,} bad lines were left out.")
        return tuple(found)


def imported(file: RunFile) -> Imported | None:
    """Return what a run was imported from; None for one that was run here.

    Raises:
        RunFileError: what it remembers is damaged.
    """
    found = file.recall(IMPORTED)
    try:
        return None if found is None else Imported(**found)
    except TypeError:
        raise RunFileError(f"{file.path}: damaged: what it was imported from") from None


def convert(
    source: str | Path, out: str | Path, fields: FieldMap = PLAIN, *, skip_bad: bool = False
) -> Imported:
    r"""Write the conversations of a file as a run file: one trial a conversation.

    Args:
        source: a file of JSON Lines, one message a line (`FIELDS`), or a log of Inspect.
        out: the run file; there is none yet.
        fields: where the fields stand.
        skip_bad: whether bad lines are left out.

    Returns:
        What was imported.

    Raises:
        UsageError: the file cannot be read, has no conversation, or some lines are bad; each has a
            line in the message.
        RunFileError: the run file exists, or cannot be written.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     talk = Path(folder) / "talk.jsonl"
    ...     _ = talk.write_text('{"conversation": 1, "speaker": "Ada", "text": "Lima."}\n')
    ...     convert(talk, Path(folder) / "talk.db").known
    0
    """
    path = Path(out)
    if path.exists():
        raise RunFileError(f"{path} exists; choose another --out")
    built, skipped = trials(source, fields, skip_bad=skip_bad)
    counts = counted(Path(source).name, built, skipped)
    _store(path, study_of(path, built, counts), built, counts)
    return counts


def trials(
    source: str | Path, fields: FieldMap, *, skip_bad: bool
) -> tuple[tuple[Built, ...], int]:
    """Return the conversations of a file as trials, and how many lines are bad.

    Raises:
        UsageError: as for `convert`.
    """
    found = read(source, fields)
    built, faults = list[Built](), list(found.faults)
    for conversation in found.conversations:
        try:
            built.append(trial(conversation))
        except SettingError as error:
            first = conversation.lines[0].number
            faults.append(Fault(first, f"conversation {conversation.name[:60]!r}: {error}"))
    _refuse(source, sorted(faults), skip_bad=skip_bad)
    if not built:
        raise UsageError(f"{source} has no conversation")
    return tuple(built), len(faults)


def _refuse(source: str | Path, faults: Sequence[Fault], *, skip_bad: bool) -> None:
    if faults and not skip_bad:
        head = f"{source}: {len(faults):,} bad lines; --skip-bad leaves them out"
        raise UsageError("\n  ".join([head, *(f"line {line}: {why}" for line, why in faults)]))


def counted(source: str, built: Sequence[Built], skipped: int) -> Imported:
    """Return what was imported, from the name of the file, its trials and the number of bad
    lines."""
    sums = {name: sum(one.lineage[name] for one in built) for name in built[0].lineage}
    return Imported(
        source=visible(source),
        conversations=len(built),
        speakers=sum(len(one.provided.minds) for one in built),
        open=sum(not one.provided.facts["truth"] for one in built),
        skipped=skipped,
        **sums,
    )


def fingerprint(built: Sequence[Built]) -> str:
    """Return the digest (hex) of all that was said in some conversations."""
    said = (trial_digest(one.played.graph, one.played.attempts) for one in built)
    return digest(*said).hex()


def study_of(path: Path, built: Sequence[Built], counts: Imported) -> Study:
    """Return the study that stands for conversations: none of its settings was anybody's choice."""
    models = dict.fromkeys(mind for one in built for mind in one.provided.minds)
    size = max(len(one.provided.minds) for one in built)
    return Study(
        name=f"{IMPORT}{visible(path.stem)}",
        about=(
            "conversations that happened elsewhere; readers are known of "
            f"{counts.known:,} of {counts.messages:,} messages"
        ),
        seeds=len(built),
        world={"kind": "questions"},
        trial=Trial(protocol="chatroom", N=max(2, size), cast="A1"),
        models={f"A{number}": model for number, model in enumerate(models, 1)},
        judges=[],
    )


def _store(path: Path, study: Study, built: Sequence[Built], counts: Imported) -> None:
    values: dict[str, Any] = study.model_dump(mode="json")
    try:
        with RunStore(path, values, notes(), paid=False) as store:
            store.remember(IMPORTED, asdict(counts))
            store.remember(SAID, fingerprint(built))
            for number, one in enumerate(built):
                plan = TrialPlan(number, {}, seed=number + 1)
                store.begin(plan)
                store.finish(plan, one.played, one.provided)
    except BaseException:
        # Half of it would look like all of it.
        path.unlink(missing_ok=True)
        raise
