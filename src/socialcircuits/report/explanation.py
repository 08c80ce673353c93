"""What is told of a number of a report and of where it comes from: plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

__all__ = ["Asked", "Behind", "Call", "Explanation", "Judged", "Row", "Shown"]


@dataclass(frozen=True)
class Row:
    """One trial on which a number rests.

    Args:
        run: the run file.
        trial: number of the trial in it.
        seed: its seed there.
        condition: the swept settings.
        item: id of its item; empty where its world has none.
        adds: what it adds, in words; empty where the number is no sum or mean over trials.
        digest: digest of the trial (hex).
    """

    run: str
    trial: int
    seed: int
    condition: Mapping[str, Any]
    item: str
    adds: str
    digest: str


@dataclass(frozen=True)
class Call:
    """One reply that was asked for.

    Args:
        key: its key (hex), as in the table of calls; empty of given and computed steps.
        attempt: number of the attempt.
        text: the reply as it came.
        valid: whether it could be read, and
        why: why not, or how it was read.
        prompt_tokens: tokens of the prompt, and
        completion_tokens: of the reply; None where nobody counted.
        prompt: the prompt that was sent, in parts of role and text, where it was asked for.
    """

    key: str
    attempt: int
    text: str
    valid: bool
    why: str
    prompt_tokens: int | None
    completion_tokens: int | None
    prompt: tuple[Mapping[str, str], ...] | None = None


@dataclass(frozen=True)
class Asked:
    """One step that a number reads.

    Args:
        step: its index, and
        id: its name.
        seat: key of the seat.
        role: what the seat was told to be.
        round: the round.
        answer: the answer that counts; None where it is invalid.
        reason: its reason.
        shared: whether trials of other conditions rest on it too.
        calls: its attempts.
    """

    step: int
    id: str
    seat: str
    role: str
    round: int
    answer: str | None
    reason: str
    shared: bool
    calls: tuple[Call, ...]


@dataclass(frozen=True)
class Judged:
    """One label that a number reads; the fields are those of a label, with the judge's calls."""

    step: int
    id: str
    rubric: str
    judge: str
    value: Any
    reason: str
    quote: str
    why: str
    calls: tuple[Call, ...]


@dataclass(frozen=True)
class Shown:
    """One of the trials, in full.

    Args:
        run: the run file.
        trial: its number.
        truth: the right answer.
        lure: the wrong answer that is planted, or that the evidence supports best.
        steps: the steps that are read, in order.
        labels: the labels that are read, by step.
    """

    run: str
    trial: int
    truth: str
    lure: str
    steps: tuple[Asked, ...]
    labels: tuple[Judged, ...]


@dataclass(frozen=True)
class Behind:
    """The replies behind a number.

    Args:
        reads: what is read of each trial, in words.
        steps: purpose -> number of the steps that are read.
        silent: how many of these steps were given or computed: they asked nobody.
        replies: attempts of the others.
        invalid: how many of these could not be read.
        keys: the keys of the replies (hex), each once.
        shared: how many of the replies stand for steps that other conditions share.
        asked: replies that the trials as a whole asked for, and
        reused: found in the record of another run.
        labels: judge -> number of the labels that are read.
        judge_keys: the keys of the judges' replies.
    """

    reads: str
    steps: Mapping[str, int] = field(default_factory=dict)
    silent: int = 0
    replies: int = 0
    invalid: int = 0
    keys: tuple[str, ...] = ()
    shared: int = 0
    asked: int = 0
    reused: int = 0
    labels: Mapping[str, int] = field(default_factory=dict)
    judge_keys: tuple[str, ...] = ()


@dataclass(frozen=True)
class Explanation:
    """Where a number comes from. All is plain values.

    Args:
        id: its id in the page.
        place: name of the table or line, key of the row, name of the column.
        study: the title of the page.
        agents: what kind of agents sat in the seats.
        cautions: what the page says at its head that must not be overlooked.
        quantity: what it is, such as a measure's name.
        text: the number with its interval, as printed.
        definition: what is counted, over what.
        method: estimator, interval and test; empty for a count.
        value: the number; None where there is none.
        n: number of units of evidence; None for a count.
        unit: what these units are.
        levels: counts at each level.
        test: p, test, and the adjusted p with the size of its family; None where nothing is tested.
        detectable: what as many units would have found with power .8; empty unless tested.
        warnings: what a reader must know.
        rows: the trials on which it rests; none for what is counted over whole run files.
        digest: digest of these rows (hex); the same for everybody who has the same trials.
        again: the number as printed on a page of these trials alone; None where it rests on none,
            empty where that page does not have it.
        behind: the replies behind it.
        shown: one of the trials in full.
        counts: of what rests on no trials: what the whole runs hold.
        seen: the command that shows it in the viewer, with its trials, and
        address: where it stands in a page of the run; both empty where numbers of several runs
            are one.
        stated: what the report says, where it is another report's number.
        changed: run files that are not what they were when the report was written.
    """

    id: str
    place: tuple[str, str, str]
    study: str
    agents: str
    cautions: tuple[str, ...]
    quantity: str
    text: str
    definition: str
    method: str
    value: float | int | None
    n: int | None
    unit: str
    levels: Mapping[str, Mapping[str, int]]
    test: Mapping[str, Any] | None
    detectable: str
    warnings: tuple[str, ...]
    rows: tuple[Row, ...]
    digest: str
    again: str | None
    behind: Behind
    shown: Shown | None
    counts: Mapping[str, int]
    seen: str
    address: str
    stated: str | None = None
    changed: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the explanation as JSON values."""
        return asdict(self)
