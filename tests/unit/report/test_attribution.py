"""What a report says of patched agents: one schedule, many, and patches by N."""

from __future__ import annotations

from pathlib import Path

import pytest

from socialcircuits.analyses.attributing import Question, attribute
from socialcircuits.analyses.ranking import PREDICTORS, rank
from socialcircuits.measures.tested import TESTS
from socialcircuits.report.numbers import Trials
from socialcircuits.report.page import Line, Number, Place, Table
from socialcircuits.report.sections import attribution
from socialcircuits.studies import Run, run
from tests.support.walking import complaints, numbers


@pytest.fixture(scope="module")
def patched(tmp_path_factory: pytest.TempPathFactory) -> Run:
    out = tmp_path_factory.mktemp("runs") / "run.db"
    return run("flag-game/patching", out=out, seeds=2, settings={"rounds": 2})


def column(run: Run, block: str, name: str) -> list[Number]:
    found = numbers(run, attribution.blocks)
    return [one for place, one in found.items() if (place.block, place.column) == (block, name)]


def test_numbers_follow_from_the_trials_of_their_trails(patched: Run) -> None:
    found = numbers(patched, attribution.blocks)
    assert {place.block for place in found} == {"agents", "schedules", "rankings", "contests"}
    assert list(complaints(patched, attribution.blocks)) == []


def test_agents_are_those_of_the_first_schedule(patched: Run) -> None:
    (one,) = attribute(patched.path, Question(0)).found
    found = numbers(patched, attribution.blocks)
    for row in one.rows():
        for name in ("dp", "D", "E", "S", "dA", "rank_S", "out_degree"):
            shown = found.get(Place("agents", f"A{row['agent']}", name.lower()))
            assert (shown and shown.value) == row[name]
    effect = found[Place("agents", "A3", "da")]
    assert effect.trail.adds is not None
    said = [effect.trail.adds(trial) for trial in effect.trail.trials]
    assert len([text for text in said if text == "isolated probes"]) == 2
    before, after = (
        int(text.split(": ")[1].split(" of ")[0])
        for text in said
        if text.startswith(("as it was", "A3"))
    )
    assert effect.value == (after - before) / 8


def test_rankings_are_those_of_all_schedules(patched: Run) -> None:
    ranked = rank(attribute(patched.path, Question(0, every=True)).found)
    first = column(patched, "rankings", "within")[0]
    within = ranked.rankings[0].within
    assert (first.value, first.n, first.unit) == (within.spearman, 2, "schedules")
    assert first.test is not None
    assert (first.test.p, first.test.exact) == (within.p_two_sided, True)
    found = numbers(patched, attribution.blocks).values()
    own = {one.name for one in found if one.test and not one.name.endswith(tuple(PREDICTORS))}
    assert own == {name for name in TESTS if name.startswith("influence_")}
    hits = column(patched, "rankings", "hits")
    assert [one.value for one in hits] == [
        *(one.hits.value for one in ranked.rankings),
        ranked.chance,
    ]
    contests = [one for one in ranked.contests if one.hits.value is not None]
    assert [(one.value, one.test) for one in column(patched, "contests", "hits")] == [
        (one.hits.value, one.hits.test) for one in contests
    ]


def test_a_coefficient_is_the_mean_of_those_of_the_schedules(patched: Run) -> None:
    each = column(patched, "rankings", "each")[0]
    alone = [one.value for one in column(patched, "schedules", "agreement")]
    assert each.value == pytest.approx(sum(one or 0 for one in alone) / 2)
    assert each.trail.adds is not None
    said = {each.trail.adds(trial) for trial in each.trail.trials}
    assert {f"schedule of seed {i}: {one:.3f}" for i, one in enumerate(alone, 1)} <= said


def test_a_schedule_of_which_a_trial_is_missing_is_left_out(patched: Run) -> None:
    first, *_ = (one for one in patched.summaries() if one.condition["intervention"] == "A5")
    kept = [patched.place(one) for one in patched.summaries() if one is not first]
    rows = numbers(patched.only(kept), attribution.blocks)
    assert {place.row for place in rows if place.block == "schedules"} == {"seed 2"}


def test_runs_are_pooled_by_schedule(patched: Run, tmp_path: Path) -> None:
    more = tmp_path / "more.db"
    run("flag-game/patching", out=more, seeds=1, seed=2, settings={"rounds": 2}).close()
    with Run(patched.path, more) as both:
        (within, *_) = column(both, "rankings", "within")
        assert within.n == 3
        assert list(complaints(both, attribution.blocks)) == []


def test_effects_stand_by_n_without_a_second_test(tmp_path: Path) -> None:
    settings = {"N": [4, 8], "rounds": 2}
    finished = run(
        "flag-game/population-patching", out=tmp_path / "run.db", seeds=2, settings=settings
    )
    shown = column(finished, "patched", "effect")
    rows = [
        row.estimate.value
        for row in finished.rows()
        if row.measure == "collective_accuracy" and "minus" in row.condition
    ]
    assert [one.value for one in shown] == rows
    assert len(rows) == 2
    assert not any(one.test for one in shown)
    assert list(complaints(finished, attribution.blocks)) == []


def test_others_have_none(tmp_path: Path) -> None:
    settings = {"N": [4], "rounds": 2}
    other = run("flag-game/population", out=tmp_path / "run.db", seeds=1, settings=settings)
    assert not list(attribution.blocks(other, Trials(other)))


def test_wrong_informative_evidence_is_said_aloud(tmp_path: Path) -> None:
    settings = {"rounds": 2, "truth": "France"}
    finished = run("flag-game/patching", out=tmp_path / "run.db", seeds=1, settings=settings)
    blocks = list(attribution.blocks(finished, Trials(finished)))
    (agents,) = [one for one in blocks if isinstance(one, Table) and one.name == "agents"]
    assert "where" not in [head.name for head in agents.heads]
    loud = [one for one in blocks if isinstance(one, Line) and one.loud]
    assert len(loud) == 1
