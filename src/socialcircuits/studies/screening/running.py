"""Stage by stage: each is a study of its own, whose run file stands beside the output; so it is
resumed, paid for and read as any other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from socialcircuits.agents import LABEL, SIMULATED, Access
from socialcircuits.checking import checked
from socialcircuits.errors import BudgetReached, SettingError, TrialsFailed, UsageError
from socialcircuits.judges import RULES
from socialcircuits.measures.screening import REASONS, Reason
from socialcircuits.records import RunFile
from socialcircuits.records.digests import canonical
from socialcircuits.seeds import digest
from socialcircuits.studies.execution import Execution, Progress, execute
from socialcircuits.studies.planning import plan
from socialcircuits.studies.screening.samples import RUBRIC, sampled
from socialcircuits.studies.screening.settings import Screening, Stage, Stages, default_stages
from socialcircuits.studies.study import Study
from socialcircuits.worlds.claims import Claim, Step, load, read
from socialcircuits.worlds.claims.building import Sieve, Wanted

__all__ = ["Passage", "Screened", "save", "screen"]

Watch = Callable[[str], AbstractContextManager[Progress]]
"""Title -> what is told how far a stage has come."""


def _unwatched(title: str) -> AbstractContextManager[Progress]:
    return nullcontext(lambda done, planned: None)


class Passage(NamedTuple):
    """How the claims passed one stage.

    Args:
        stage: the stage.
        steps: what was dropped, a step for each reason, in order.
        samples: what a sample gives -> how many did, over all claims; ``both``: how many name both
            answers.
        run: the run file, and
        digest: the digest of its trials (hex).
    """

    stage: Stage
    steps: tuple[Step, ...]
    samples: Mapping[str, int]
    run: Path
    digest: str

    def as_json(self) -> dict[str, Any]:
        """Return the passage as JSON values, the run file by its name."""
        return {
            **self.stage.model_dump(),
            "steps": [_table(step) for step in self.steps],
            "found": dict(self.samples),
            "run": self.run.name,
            "digest": self.digest,
        }


@dataclass(frozen=True)
class Screened:
    """What a screening returns.

    Args:
        claims: the claims that are kept, in file order.
        drawn: the step in which candidates were drawn; None where all claims are candidates.
        passages: the stages; those for which no claim was left are missing.
        provenance: where the claims come from, this screening last.
    """

    claims: tuple[Claim, ...]
    drawn: Step | None
    passages: tuple[Passage, ...]
    provenance: Mapping[str, Any]


def screen(
    what: Screening, out: Path, access: Access | None = None, watch: Watch = _unwatched
) -> Screened:
    """Screen claims, or go on with it where its run files exist.

    With simulated agents equal claims and settings give equal results on every machine.

    Args:
        what: what is screened, and by whom.
        out: the file to which the claims will go; the run files stand beside it and have its name,
            with ``stage-1.db`` and so on for its ending.
        access: how models are reached, and the limits on calls and cost, which hold for all stages
            of this process together.
        watch: shows the progress of each stage.

    Raises:
        UsageError: the claims or a run file cannot be used, or a setting is not allowed.
        BudgetReached: a limit is reached; what was paid for is kept.
        TrialsFailed: some claims were not answered; they are asked again the next time.

    Source: believed but not said, appendix C and Table 8.
    """
    claims, origin = load(what.items), read(what.items).provenance
    stages = what.stages or default_stages(str(origin.get("dataset")))
    access = given = access or Access()
    _check(what, stages, access)
    sieve = Sieve(claims)
    sieve.sample(Wanted(what.seed, stages.candidates), "screening", lambda claim: claim.relation)
    drawn = next(iter(sieve.steps), None)
    passages: list[Passage] = []
    for number, stage in enumerate(stages.stage, 1):
        if sieve.left:
            path = out.with_suffix(f".stage-{number}.db")
            study = _study(what, stage, number, [claim.id for claim in sieve.left])
            with watch(f"stage {number} of {len(stages.stage)}") as tell, _within(access, given):
                access = _run(study, path, Execution(access=access, progress=tell))
            passages.append(_pass(sieve, stage, path, study.judge))
    now = {
        **_described(what),
        "candidates": stages.candidates,
        "drawn": _table(drawn) if drawn else None,
        "stages": [passage.as_json() for passage in passages],
    }
    provenance = {**origin, "screenings": [*origin.get("screenings", []), now]}
    return Screened(tuple(sieve.left), drawn, tuple(passages), provenance)


@contextmanager
def _within(access: Access, given: Access) -> Iterator[None]:
    """Say of a limit that is reached whether earlier stages took their part of it."""
    try:
        yield
    except BudgetReached as error:
        rest = "" if access == given else ", beside what earlier stages took"
        raise BudgetReached(f"{error}{rest}") from None


def _check(what: Screening, stages: Stages, access: Access) -> None:
    judged = [place for place, stage in enumerate(stages.stage) if stage.method == "judge"]
    if judged and not what.judge:
        expected = "strings where no judge is named: --judge MODEL, or rules for strings alone"
        raise SettingError(f"$.stage[{judged[0]}].method", "judge", expected)
    if what.judge and not judged:
        raise SettingError("--judge", what.judge, "none: no stage has the method judge")
    access.check([what.model, what.judge])


def _described(what: Screening) -> dict[str, Any]:
    return {
        "file": what.items.name,
        "file_digest": digest(what.items.read_bytes()).hex(),
        "model": what.asked,
        "agents": LABEL if what.simulated else "",
        "judge": what.judge,
        "seed": what.seed,
    }


def _table(step: Step) -> dict[str, Any]:
    return step._asdict() | {"left": step.left}


def _study(what: Screening, stage: Stage, number: int, ids: Sequence[str]) -> Study:
    judged = stage.method == "judge"
    values = {
        "name": "screening",
        "about": f"Stage {number} of a screening: what a model answers to each claim alone",
        # Samples of two stages are independent.
        "seed": int.from_bytes(digest("screening", what.seed, number)[:4]),
        "seeds": len(ids),
        "world": {"kind": "claims", "file": str(what.items), "only": list(ids)},
        "trial": {"protocol": "isolated", "N": 1, "probes": stage.samples},
        "models": {"A": what.asked},
        "judges": [RUBRIC] if judged else [],
        "judge": what.judge if judged else RULES,
    }
    return checked(Study, values, "$")


def _run(study: Study, path: Path, how: Execution) -> Access:
    """Run a stage to its end; return the access with what is left of its limits."""
    access = how.access
    models = [*study.models.values(), study.judge]
    if not any(model.startswith("openai-compatible/") for model in models):
        # The address is for a model that another stage asks.
        how = replace(how, access=replace(access, base_url=None, key_env=None))
    before = _spent(study, path)
    execute(plan(study), path, how)
    with RunFile(path) as file:
        failures = file.failures()
    if failures:
        claims, why = len(failures), failures[0][1]
        raise TrialsFailed(f"{path.name}: claims without an answer: {claims}; first: {why}")
    calls, cost = (now - then for now, then in zip(_spent(study, path), before, strict=True))
    return replace(access, calls=_rest(access.calls, calls), cost=_rest(access.cost, cost))


def _spent(study: Study, path: Path) -> tuple[int, int]:
    """The calls of a run file so far, and their cost in billionths of a US dollar."""
    if not path.exists():
        return 0, 0
    with RunFile(path) as file:
        judging = file.judging().values()
        made = 0 if study.models["A"].startswith(f"{SIMULATED}/") else file.calls()["made"]
        calls = made + sum(one["calls"] for one in judging)
        return calls, file.spent().cost + sum(one["cost"] for one in judging)


def _rest(limit: int | None, spent: int) -> int | None:
    return None if limit is None else max(0, limit - spent)


def _pass(sieve: Sieve[Claim], stage: Stage, path: Path, judge: str) -> Passage:
    """Drop the claims whose samples do not meet the thresholds of a stage."""
    claims, total = {claim.id: claim for claim in sieve.left}, Counter[str]()
    reasons: dict[str, Reason | None] = {}
    with RunFile(path) as file:
        for record in file.trials():
            claim = claims[record.provided.facts["item"]]
            found = sampled(record, claim, judge)
            total.update({**found.holds, "both": found.both})
            reasons[claim.id] = found.dropped(stage.limits)
        trials = file.digests()["run"]
    first = len(sieve.steps)
    for reason in REASONS:
        dropped = frozenset(one for one, why in reasons.items() if why == reason)
        sieve.keep(reason, stage.why(reason), partial(_is_left, dropped))
    return Passage(stage, tuple(sieve.steps[first:]), dict(sorted(total.items())), path, trials)


def _is_left(dropped: frozenset[str], claim: Claim) -> bool:
    return claim.id not in dropped


def save(screened: Screened, path: str | Path) -> None:
    """Write the kept claims, one a line; the first line says where they come from, and how they
    were screened. `worlds.claims.load` reads them.

    Raises:
        UsageError: the file cannot be written.
    """
    lines = [canonical({"provenance": screened.provenance})]
    lines += [canonical(asdict(claim)) for claim in screened.claims]
    try:
        Path(path).write_text("".join(f"{line}\n" for line in lines), "utf-8", newline="\n")
    except OSError as error:
        raise UsageError(f"{path} cannot be written ({error.strerror})") from error
