"""Who looked at a run before its end, and what that does to the chance of a false positive.

Looks that a study declares are taken while it runs (`interim`). Whoever takes estimates of an
unfinished run has looked too; that is noted in a file beside the run, which may be written by
another process then, and goes into the run file when that is gone on with.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from socialcircuits.records import RunFile, RunStore
from socialcircuits.records.schema import reading
from socialcircuits.studies.interim import LOOKS, Look, looks
from socialcircuits.studies.pooling import Part

__all__ = ["Looks", "Peek", "adopt", "peeked", "recorded", "sidecar"]

PEEKS = "peeks"
"""Under this name a run remembers the looks that were not declared."""

APART = 0.01
"""Looks that are less than this part of the study apart count as one in the chance that several
give."""


@dataclass(frozen=True)
class Peek:
    """A look that was not declared.

    Args:
        trials: completed trials that enter estimates, above 0 and fewer than `planned`.
        planned: how many there are in all.
        when: the time (UTC, ISO 8601).

    >>> Peek(10, 40, "2030-01-01T00:00:00+00:00").fraction
    0.25
    """

    trials: int
    planned: int
    when: str

    @property
    def fraction(self) -> float:
        """The completed part of the trials."""
        return self.trials / self.planned


@dataclass(frozen=True)
class Looks:
    """The looks at one run before its end.

    Args:
        declared: the declared looks that were taken, in order, the one at the end included.
        undeclared: all others, by completed trials; those at equal ones are one.
        stopped: the number of the declared look that stopped the run; None where none did.
        inflation: chance that a test at 5 %, taken at each look that was not declared and at the
            end, finds something where nothing is; None where there was no such look.
    """

    declared: tuple[Look, ...]
    undeclared: tuple[Peek, ...]
    stopped: int | None
    inflation: float | None

    def rows(self) -> list[dict[str, Any]]:
        """Return a row a look, declared ones first: declared (yes or no), look (its number), part
        (completed part of the study), seeds (complete), n (in the test), estimate, p, z, boundary,
        crossed, when. What a look does not have is None."""
        return [*map(_declared, self.declared), *map(_undeclared, self.undeclared)]

    @property
    def verdict(self) -> str:
        """What was looked at, and what it does to tests, in words; without full stop.

        >>> Looks((), (Peek(10, 40, ""), Peek(20, 40, "")), None, 0.103).verdict
        'results were looked at before the end, undeclared, at 25 % and 50 % of the trials: a test \
at 5 % that is taken each time and at the end finds something in 10.3 % of studies where nothing is'
        """
        parts = [_kept(self.declared)] if self.declared else []
        if self.inflation is not None:
            parts.append(_peeking([peek.fraction for peek in self.undeclared], self.inflation))
        return "; ".join(parts) or "nobody looked at results before the end"


def sidecar(run: Path) -> Path:
    """Return the file beside a run in which looks are noted until the run file takes them over.

    >>> sidecar(Path("runs/a.db")).name
    'a.db.looks'
    """
    return run.with_name(f"{run.name}.looks")


def peeked(part: Part) -> None:
    """Note that someone has taken estimates of a run, where it is not finished.

    A run is finished when every trial that is to enter estimates is completed or failed; before any
    is completed there is nothing to see. Where nothing can be written, nothing is noted.

    Raises:
        RunFileError: the run file is damaged.
    """
    numbers = _numbers(part)
    done = {plan.number for plan in part.file.plans()} & numbers
    failed = {plan.number for plan, _ in part.file.failures()} & numbers
    if not done or len(done | failed) == len(numbers):
        return
    peek = Peek(len(done), len(numbers), datetime.now(UTC).isoformat(timespec="seconds"))
    if peek.trials not in {one.trials for one in _peeks(part.file)}:
        with suppress(OSError), sidecar(part.file.path).open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(peek)) + "\n")


def recorded(part: Part) -> Looks:
    """Return all looks at a run, those in the file beside it included.

    Raises:
        RunFileError: the run file is damaged.
    """
    file = part.file
    with reading(file.path):
        declared = looks(file.recall(LOOKS))
    undeclared = _peeks(file)
    stopped = next((look.number for look in declared if look.stops), None)
    inflation = _inflation(undeclared, len(_numbers(part)))
    return Looks(tuple(declared), undeclared, stopped, inflation)


def adopt(store: RunStore) -> None:
    """Take the looks that were noted beside a run into its file, and remove the other one."""
    noted = _noted(store.path)
    if noted:
        held = [Peek(**one) for one in store.recall(PEEKS) or ()]
        store.remember(PEEKS, [asdict(peek) for peek in _once([*held, *noted])])
        sidecar(store.path).unlink(missing_ok=True)


def _numbers(part: Part) -> set[int]:
    """The numbers of the trials that are to enter estimates."""
    trials = (one.plan for group in part.groups() for one in group.trials)
    return {plan.number for plan in trials if plan.role == "estimate"}


def _peeks(file: RunFile) -> tuple[Peek, ...]:
    """The looks that a run file remembers, and those that are noted beside it."""
    with reading(file.path):
        remembered = [Peek(**one) for one in file.recall(PEEKS) or ()]
    return _once([*remembered, *_noted(file.path)])


def _noted(run: Path) -> list[Peek]:
    """The looks that are noted beside a run; a line that is none is passed over."""
    found = []
    with suppress(OSError):
        for line in sidecar(run).read_text("utf-8", "replace").splitlines():
            with suppress(ValueError, TypeError):
                peek = Peek(**json.loads(line))
                if 0 < peek.trials < peek.planned:
                    found.append(peek)
    return found


def _once(peeks: Iterable[Peek]) -> tuple[Peek, ...]:
    """One look for each number of completed trials, the first one, by that number."""
    found: dict[int, Peek] = {}
    for peek in peeks:
        found.setdefault(peek.trials, peek)
    return tuple(found[trials] for trials in sorted(found))


def _inflation(peeks: Sequence[Peek], end: int) -> float | None:
    if not peeks:
        return None
    # It loads scipy, and most runs were not looked at.
    from socialcircuits.statistics.sequential import inflation

    return inflation([*_spread((peek.trials for peek in peeks), end), end])


def _spread(trials: Iterable[int], end: int) -> Iterator[int]:
    """The looks without those that are all but one that came before, or the end."""
    before, apart = 0, APART * end
    for done in trials:
        if before + apart <= done <= end - apart:
            yield done
            before = done


def _kept(declared: Sequence[Look]) -> str:
    last = declared[-1]
    where = f"look {last.number} of {last.of} that were declared, at {last.seeds} of {last.planned}"
    if last.z is None:
        return f"{where} seeds, had nothing to test"
    beside = f"|z| = {abs(last.z):.2f}, boundary {last.boundary:.2f}"
    if last.stops:
        return (
            f"stopped by {where} seeds ({beside}): the level of 5 % is kept; an effect that stops "
            "a study early is on average given too large"
        )
    crossed = "crossed" if last.crossed else "did not cross"
    return f"{where} seeds, {crossed} ({beside}): the level of 5 % is kept"


def _peeking(fractions: Sequence[float], inflation: float) -> str:
    *most, last = (f"{fraction:.0%}".replace("%", " %") for fraction in fractions)
    places = f"{', '.join(most)} and {last}" if most else last
    return (
        f"results were looked at before the end, undeclared, at {places} of the trials: a test at "
        f"5 % that is taken each time and at the end finds something in {100 * inflation:.1f} % of "
        "studies where nothing is"
    )


def _declared(look: Look) -> dict[str, Any]:
    return {
        "declared": "yes",
        "look": look.number,
        "part": look.seeds / look.planned,
        "seeds": look.seeds,
        "n": look.n,
        "estimate": look.estimate,
        "p": look.p,
        "z": look.z,
        "boundary": look.boundary,
        "crossed": look.crossed,
        "when": look.when,
    }


def _undeclared(peek: Peek) -> dict[str, Any]:
    empty = dict.fromkeys(("seeds", "n", "estimate", "p", "z", "boundary", "crossed"))
    part = {"declared": "no", "look": None, "part": peek.fraction}
    return {**part, **empty, "when": peek.when}
