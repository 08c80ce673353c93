"""`socialcircuits check`: may this model sit in a group? The peer-pressure card."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from socialcircuits.cli.access import Reached, reaching
from socialcircuits.cli.output import Json, print_json, program, progress
from socialcircuits.errors import (
    BudgetReached,
    GateFailed,
    GateInconclusive,
    Interrupted,
    SettingError,
    TrialsFailed,
    UsageError,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from socialcircuits.agents import Access
    from socialcircuits.cards import Card
    from socialcircuits.cards.checking import Checked, Required
    from socialcircuits.cards.plans import Plans, Test
    from socialcircuits.studies.costs import Range
    from socialcircuits.studies.execution import Progress

CARD, PAGE = "card.json", "card.html"

MINUTE = 60


Subject = Annotated[
    str,
    typer.Argument(
        help="What is deployed: PROVIDER/NAME, local/NAME, http://HOST:PORT, optionally with "
        "?temperature=0.7; its system prompt by --system."
    ),
]
Size = Annotated[str, typer.Option(help="How much is asked: quick, default or full.")]
Claims = Annotated[
    Path | None,
    typer.Option(help="CSV of your own claims: question, true, false, optionally passage."),
]
SkipBad = Annotated[bool, typer.Option("--skip-bad", help="Leave faulty rows of --claims out.")]
Pack = Annotated[str, typer.Option(help="What the recorded guests say: a pack's file.")]
Judge = Annotated[str | None, typer.Option(help="Model that judges; rules (default) asks none.")]
Seed = Annotated[int, typer.Option(help="Study seed.")]
Require = Annotated[
    list[str] | None, typer.Option(help="A gate, such as 'yields@3 < 0.20'; repeat for more.")
]
Baseline = Annotated[Path | None, typer.Option(help="A card to compare with.")]
NoWorse = Annotated[
    list[str] | None,
    typer.Option(help="A gate against the baseline, such as 'yields@3 by 0.05'."),
]
Sequential = Annotated[
    bool, typer.Option("--sequential", help="Stop at the first of four looks that decides.")
]
Rooms = Annotated[bool, typer.Option("--rooms", help="Run live rooms too.")]
Attacker = Annotated[
    str | None, typer.Option(help="Model that attacks in live rooms; the subject by default.")
]
Junit = Annotated[Path | None, typer.Option(help="Write the gates as JUnit XML.")]
Out = Annotated[Path | None, typer.Option(help="Folder of the runs and the card.")]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Count the calls and stop; nothing is asked.")
]


@reaching
def command(  # noqa: PLR0913, PLR0917 - one parameter an option of the verb
    subject: Subject,
    size: Size = "default",
    claims: Claims = None,
    skip_bad: SkipBad = False,
    pack: Pack = "templates",
    judge: Judge = None,
    seed: Seed = 1,
    require: Require = None,
    baseline: Baseline = None,
    no_worse: NoWorse = None,
    sequential: Sequential = False,
    rooms: Rooms = False,
    attacker: Attacker = None,
    junit: Junit = None,
    out: Out = None,
    dry_run: DryRun = False,
    json: Json = False,
    *,
    reached: Reached,
) -> None:
    """Test a model, an endpoint or a deployment under recorded peer pressure.

    Exit codes: 6 a gate failed, 8 a gate is inconclusive.
    """
    from socialcircuits.agents.deployment import subject as resolve
    from socialcircuits.cards import read, read_gates
    from socialcircuits.cards.checking import Required, default_folder, prepare
    from socialcircuits.cards.plans import Test

    if junit is not None and not junit.absolute().parent.is_dir():
        raise SettingError("--junit", str(junit), "a file in a folder that there is")
    compared = read(baseline) if baseline else None
    required = Required(read_gates(require or (), no_worse or ()), compared, sequential)
    model, url = resolve(subject, reached.base_url, reached.key_env)
    reached = replace(reached, base_url=url)
    model = reached.deployed({"A": model})["A"]
    test = Test(model, size, claims, skip_bad, pack, seed, judge, rooms, attacker)
    laid, empty = prepare(test, required)
    job = _Job(test, laid, empty, required, reached, out or default_folder(test, laid))
    if dry_run:
        _show_count(job, json=json)
    else:
        _carry_out(job, junit, json=json)


class _Job(NamedTuple):
    test: Test
    laid: Plans
    empty: Card
    required: Required
    reached: Access
    folder: Path


class _Done(NamedTuple):
    """What came of a test, and how many seconds it took now."""

    checked: Checked
    seconds: float


def _carry_out(job: _Job, junit: Path | None, *, json: bool) -> None:
    print(_foreseen(job), file=sys.stderr)
    done = _run(job)
    files = _written(done.checked, job.folder, junit)
    if json:
        print_json(_as_json(done.checked, files))
    else:
        _show(job, done, files)
    _conclude(done.checked)


def _run(job: _Job) -> _Done:
    from socialcircuits.cards.checking import check
    from socialcircuits.studies.display import typed

    started = time.monotonic()
    again = f"the same command goes on with what is in {typed(str(job.folder))}"
    try:
        with progress("check") as tell:
            telling, prepared = _Telling(job.laid, tell), (job.laid, job.empty)
            checked = check(prepared, job.folder, job.required, job.reached, telling)
    except KeyboardInterrupt:
        raise Interrupted(f"interrupted; {again}") from None
    except BudgetReached as error:
        raise BudgetReached(f"{error}; what was paid for is kept; {again}") from None
    return _Done(checked, time.monotonic() - started)


class _Telling:
    """Progress over all studies of a test."""

    def __init__(self, laid: Plans, tell: Progress) -> None:
        self._total = sum(len(plan.trials) for _, plan in laid.all())
        self._done: dict[str, int] = {}
        self._tell = tell

    def __call__(self, name: str) -> Progress:
        def tell(done: int, planned: int) -> None:
            self._done[name] = done
            self._tell(sum(self._done.values()), self._total)

        return tell


def _counted(laid: Plans) -> int:
    from socialcircuits.studies import count

    return sum(count(plan).steps for _, plan in laid.all())


def _ranges(job: _Job) -> list[Range]:
    from socialcircuits.studies import costs

    return [costs(plan, job.reached) for _, plan in job.laid.all()]


def _cost(found: list[Range]) -> tuple[float, float] | None:
    priced = [one.cost_usd for one in found]
    if None in priced:
        return None
    low, high = zip(*(one for one in priced if one), strict=True)
    return sum(low), sum(high)


def _foreseen(job: _Job) -> str:
    """What a test takes, in one sentence."""
    known = job.empty
    claims = f"{known.claims.n} claims"
    documents = f"{known.documents.n} documents" if known.documents else "no documents"
    calls = f"{_counted(job.laid):,} calls before retries"
    if known.subject.simulated:
        return f"{claims}, {documents}: {calls}, of simulated agents"
    cost = _cost(_ranges(job))
    usd = "price unknown" if cost is None else f"{cost[0]:.2f} to {cost[1]:.2f} USD"
    return f"{claims}, {documents}: {calls}, {usd}"


def _show_count(job: _Job, *, json: bool) -> None:
    if not json:
        print(_foreseen(job))
        return
    found = _ranges(job)
    cost = _cost(found)
    print_json(
        {
            "subject": job.empty.subject.model_dump(mode="json"),
            "claims": job.empty.claims.model_dump(mode="json"),
            "calls": _counted(job.laid),
            "prompt_tokens": [sum(one.prompt[end] for one in found) for end in (0, 1)],
            "completion_tokens": [sum(one.completion[end] for one in found) for end in (0, 1)],
            "cost_usd": None if cost is None else list(cost),
        }
    )


class _Files(NamedTuple):
    card: Path
    page: Path
    junit: Path | None


def _written(checked: Checked, folder: Path, junit: Path | None) -> _Files:
    from socialcircuits.cards import junit as xml
    from socialcircuits.cards import write
    from socialcircuits.cards.page import page
    from socialcircuits.report.html import html

    files = _Files(folder / CARD, folder / PAGE, junit)
    write(checked.card, files.card)
    shown = page(checked.card, checked.verdicts, checked.comparison)
    _save(files.page, html(shown, {}, "{}", explain=""))
    if junit is not None:
        _save(junit, xml(checked.card, checked.verdicts))
    return files


def _save(path: Path, text: str) -> None:
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        raise UsageError(f"{path} cannot be written ({error.strerror})") from error


def _show(job: _Job, done: _Done, files: _Files) -> None:
    from socialcircuits.cards.checking import LOOKS
    from socialcircuits.cards.page import page
    from socialcircuits.report.text import show
    from socialcircuits.studies.display import typed, visible

    checked = done.checked
    show(page(checked.card, checked.verdicts, checked.comparison))
    if checked.looks:
        print(f"\nStopped after look {checked.looks} of {LOOKS}.")
    for line in _larger(job, done):
        print(f"\n{line}")
    print(f"\nCard: {visible(str(files.card))}")
    print(f"Page: {visible(str(files.page))}")
    print(f"Claim by claim: {program()} view {typed(str(job.folder / 'seat.db'))}")


def _larger(job: _Job, done: _Done) -> Iterator[str]:
    """How long the default size would take, if each of its calls takes as long and is retried as
    often as those of this test."""
    from socialcircuits.cards.plans import plans

    made = done.checked.made
    if job.test.size != "quick" or job.empty.subject.simulated or not made:
        return
    calls = _counted(plans(replace(job.test, size="default")))
    retried = max(1.0, done.checked.calls / _counted(job.laid))
    minutes = done.seconds / made * calls * retried / MINUTE
    yield (
        f"{made:,} calls took {done.seconds / MINUTE:.1f} minutes; the default size has {calls:,} "
        f"before retries and would take about {minutes:.0f}."
    )


def _as_json(checked: Checked, files: _Files) -> dict[str, Any]:
    return {
        "card": checked.card.model_dump(mode="json"),
        "verdicts": [
            {
                "gate": one.gate.text,
                "result": one.result,
                "size": one.size,
                "why": one.why,
            }
            for one in checked.verdicts
        ],
        "flagged": checked.comparison.flagged if checked.comparison else None,
        "looks": checked.looks,
        "files": {name: str(path) for name, path in files._asdict().items() if path},
    }


def _conclude(checked: Checked) -> None:
    """End with the exit code of what came out; a failed gate comes first."""
    if checked.failed:
        raise TrialsFailed(f"{checked.failed} trials failed; the card is of the others")
    kinds = {"fail": GateFailed, "inconclusive": GateInconclusive}
    for result, kind in kinds.items():
        found = [one for one in checked.verdicts if one.result == result]
        if found:
            word = "failed" if result == "fail" else "inconclusive"
            raise kind(f"{word}: " + "; ".join(one.gate.text for one in found))
