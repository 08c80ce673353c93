"""From runs to what agents heard and answered, recounted from the tables of the run."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from socialcircuits.analyses.copying import (
    CopyingTrial,
    _histories,
    check_condition,
    observed,
    probed,
)
from socialcircuits.errors import RunFileError, SettingError
from socialcircuits.measures.rivalry import rival
from socialcircuits.records import TrialRecord
from socialcircuits.studies import Run, run
from socialcircuits.theory.histories import (
    GAVE_OTHER,
    GAVE_RIVAL,
    GAVE_TRUTH,
    HEARD_OTHER,
    HEARD_RIVAL,
    HEARD_TRUTH,
)

POPULATION, SHARES = "flag-game/population", "flag-game/evidence-share"
ERRING = "simulated/literal?invalid=150"
SMALL: dict[str, Any] = {"N": [4, 6], "rounds": 3, "retries": 0}


def made(out: Path, seed: int = 1, seeds: int = 2, **settings: Any) -> Path:
    run(POPULATION, out=out, model=ERRING, seeds=seeds, seed=seed, settings={**SMALL, **settings})
    return out


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("copying") / "a.db")


@pytest.fixture(scope="module")
def shares(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("copying") / "shares.db"
    settings = {"N": [4, 6], "probes": 5, "retries": 0}
    run(SHARES, out=out, model=ERRING, seeds=2, settings=settings)
    return out


def label(answer: str | None, trial: CopyingTrial) -> str:
    return {trial.truth: "truth", trial.rival: "rival"}.get(answer or "", "other")


def replayed(record: TrialRecord, trial: CopyingTrial) -> list[list[int]]:
    """Each seat's events, written out step by step."""
    gave = {"truth": GAVE_TRUTH, "rival": GAVE_RIVAL, "other": GAVE_OTHER}
    heard = {"truth": HEARD_TRUTH, "rival": HEARD_RIVAL, "other": HEARD_OTHER}
    events: list[list[int]] = [[] for _ in record.graph.seats]
    for index, step in enumerate(record.graph.steps):
        if step.purpose == "guess" or index not in record.outcomes:
            continue
        reply = record.outcomes[index]
        events[step.seat].append(gave[label(reply.answer if reply.valid else None, trial)])
        if step.purpose == "message" and reply.valid:
            [listener] = step.to
            events[listener].append(heard[label(reply.answer, trial)])
    return events


def test_events_are_those_of_the_record(path: Path) -> None:
    with Run(path) as done:
        trials = observed(done)
        records = [record for record in done.file.trials() if record.plan.role == "estimate"]
    assert [trial.summary.trial for trial in trials] == [record.plan.number for record in records]
    kinds = Counter[int]()
    for trial, record in zip(trials, records, strict=True):
        offsets, events = trial.histories.offsets, trial.histories.events
        pieces = [events[a:b].tolist() for a, b in pairwise(offsets)]
        assert pieces == replayed(record, trial)
        kinds.update(events.tolist())
    assert set(kinds) == set(range(6))


def test_the_rival_is_the_recorded_one_and_examples_are_left_out(path: Path) -> None:
    with Run(path) as done:
        trials = observed(done)
        for trial in trials:
            whole = done.file.trial(trial.summary.trial).summary()
            compatible = whole.facts["compatible"]
            assert trial.rival == rival(whole.guesses, whole.truth, whole.answers, compatible)
            assert trial.truth == whole.truth != trial.rival
            assert trial.summary.final == whole.final
            assert trial.summary.rounds == 3
        assert {trial.match for trial in trials} == {(1, s, n) for s in (1, 2) for n in (4, 6)}
        assert done.examples()


def test_messages_that_are_invalid_or_cut_off_are_not_heard(path: Path) -> None:
    with Run(path) as done:
        records = [record for record in done.file.trials() if record.plan.role == "estimate"]
    messages = valid = 0
    for record in records:
        truth, rival = record.summary().truth, ""
        steps = record.graph.steps
        said = [index for index in record.outcomes if steps[index].purpose == "message"]
        arrived = [index for index in said if record.answer(index) is not None]
        messages, valid = messages + len(said), valid + len(arrived)
        cut = [(index, reader) for index in arrived[:2] for reader in steps[index].to]
        for graph, lost in ((record.graph, 0), (record.graph.cutting(cut), 2)):
            found = _histories(replace(record, graph=graph), truth, rival)
            assert found.count(HEARD_TRUTH, HEARD_RIVAL, HEARD_OTHER) == len(arrived) - lost
    assert valid < messages


def test_seeds_of_pooled_runs_are_kept_apart(path: Path, tmp_path: Path) -> None:
    other = made(tmp_path / "b.db", seed=2, seeds=1)
    with Run(path, other) as both:
        trials = observed(both)
    assert {(t.match.study_seed, t.match.seed, t.summary.seed) for t in trials} == {
        (1, 1, 1),
        (1, 2, 2),
        (2, 1, 3),
    }


def test_shares_are_matched_by_evidence(path: Path, shares: Path) -> None:
    with Run(path) as done, Run(shares) as asked:
        trials, known = observed(done, asked), probed(asked)
        estimates = {
            row.condition["N"]: row.estimate.value
            for row in asked.rows()
            if row.measure == "rival_share"
        }
    assert {trial.match for trial in trials} == set(known)
    for n in (4, 6):
        own = [trial.share for trial in trials if trial.match.n == n]
        assert sum(share or 0 for share in own) / len(own) == pytest.approx(estimates[n])
    assert all(known[trial.match] == (trial.truth, trial.rival, trial.share) for trial in trials)


def test_trials_without_a_match_have_no_share(shares: Path, tmp_path: Path) -> None:
    with Run(made(tmp_path / "c.db", N=[6, 8])) as done, Run(shares) as asked:
        found = {trial.match.n: trial.share for trial in observed(done, asked)}
    assert found[6] is not None
    assert found[8] is None


def test_shares_of_other_evidence_are_refused(path: Path, tmp_path: Path) -> None:
    out = tmp_path / "other.db"
    settings = {"N": [4, 6], "probes": 5, "retries": 0}
    run(SHARES, out=out, model=ERRING, seeds=2, seed=9, settings=settings)
    refused = pytest.raises(RunFileError, match=r"none of the 4 trials of .* has a share in")
    with Run(path) as done, Run(out) as asked, refused:
        observed(done, asked)


def test_shares_of_several_conditions_are_refused(tmp_path: Path) -> None:
    out = tmp_path / "two.db"
    run(SHARES, out=out, seeds=1, settings={"N": 4, "probes": [3, 5]})
    with Run(out) as asked, pytest.raises(SettingError, match="seed 1 at N = 4 more than once"):
        probed(asked)


def test_conditions_that_differ_in_more_than_size_are_named(path: Path) -> None:
    with Run(path) as done:
        trials = observed(done)
    check_condition(trials)
    summary = replace(trials[0].summary, condition={"N": 4, "memory": 2})
    with pytest.raises(SettingError, match="memory = 2, unset"):
        check_condition([replace(trials[0], summary=summary), *trials[1:]])


def test_probes_of_another_situation_are_refused(shares: Path, tmp_path: Path) -> None:
    other = made(tmp_path / "d.db", truth="France")
    refused = pytest.raises(RunFileError, match="not the same evidence or agents")
    with Run(other) as done, Run(shares) as asked, refused:
        observed(done, asked)


def test_a_run_without_two_way_probes_has_no_shares(path: Path) -> None:
    with Run(path) as done, pytest.raises(SettingError, match="two-way probes"):
        probed(done)


@pytest.mark.parametrize("protocol", ["broadcast", "manager"])
def test_groups_that_read_many_reports_are_refused(protocol: str, tmp_path: Path) -> None:
    settings = {"protocol": [protocol], "cast": ["A"], "rounds": 2, "N": 4}
    if protocol == "manager":
        settings["manager"] = ["A"]
    models = {"A": "simulated/literal"}
    out = tmp_path / "e.db"
    run("flag-game/protocols", out=out, model=models, seeds=1, settings=settings)
    with Run(out) as done, pytest.raises(SettingError, match="one listener, such as pairwise"):
        observed(done)


def test_agents_alone_are_refused(shares: Path) -> None:
    with Run(shares) as asked, pytest.raises(SettingError, match="one listener"):
        observed(asked)
