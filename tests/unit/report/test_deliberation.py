"""What is printed of a run with adversaries: the numbers of the analyses; nothing for others."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from socialcircuits.analyses.behaviour import shares, timing
from socialcircuits.analyses.counting import counted
from socialcircuits.analyses.deliberation import coordination, pairings, verification
from socialcircuits.analyses.trends import FIXED_SEATING, explained, trends
from socialcircuits.measures.labelled import MEASURES as LABELLED
from socialcircuits.report.deliberation import show, unjudged
from socialcircuits.report.text import show as print_all
from socialcircuits.studies import Run, run
from tests.support.voices import AGENT, FAR, JUDGE, RIGHT, Voices, questions


def made(folder: Path, preset: str, seeds: int, **settings: Any) -> Run:
    settings = {"rounds": 2, **settings}
    return run(f"deliberation/{preset}", seeds=seeds, out=folder / "run.db", settings=settings)


@pytest.fixture(scope="module")
def coordinated(tmp_path_factory: pytest.TempPathFactory) -> Run:
    judges = ["correctness", "clusters", "coordination", "tactics"]
    settings = {"N": [6, 12, 7, 5], "seating": "trial", "judges": judges}
    return made(tmp_path_factory.mktemp("a"), "coordination", 10, **settings)


@pytest.fixture(scope="module")
def scaled(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return made(tmp_path_factory.mktemp("b"), "scaling", 10, N=[2, 8, 5, 6, 7])


def text(finished: Run) -> str:
    """What is printed, on lines as long as they are."""
    out = StringIO()
    console = Console(file=out, width=400)
    for part in show(finished):
        console.print(part, soft_wrap=True)
    return out.getvalue()


def line(found: str, *words: str) -> str:
    """The one line that has all these words."""
    (one,) = [one for one in found.splitlines() if all(word in one for word in words)]
    return one


def test_strata_say_how_many_items_are_kept(scaled: Run) -> None:
    rows = list(scaled.strata()[0].rows())
    kept = sum(row["items"] for row in rows if row["kept"])
    assert 0 < kept < 10
    said = line(text(scaled), "Items kept for A:")
    assert f"{kept} of 10" in said
    for row in rows:
        assert f"{row['items']} with {row['right']}" in said


def test_trends_are_printed_with_their_intervals_and_counts(scaled: Run) -> None:
    found, shown = trends(counted(scaled.summaries())), text(scaled)
    assert len(found) == 2
    for row in (one.row() for one in found):
        said = line(shown, row["measure"].replace("_", " "), " to ", str(row["trials"]), ".")
        low, high = 100 * row["low"], 100 * row["high"]
        assert f"{100 * row['slope']:.2f} ({low:.2f} to {high:.2f})" in said
        assert said.split()[-4:] == [
            str(row[name]) for name in ("questions", "compositions", "trials", "none")
        ]
        assert f"{row['r2']:.2f}" in said
    forms = [row for one in found for row in one.form_rows()]
    assert forms
    for row in forms:
        measure = row["measure"].replace("_", " ")
        name = row["form"].replace("0.3333", "1/3").replace("0.2", "1/5")
        said = line(shown, measure, f" {name} ", f"{row['score']:.4f}")
        assert f"{row['aic']:.1f}" in said
    parts = min(one.questions for one in found)
    assert f"({parts} parts or more)" in shown
    for row in (row for one in explained(counted(scaled.summaries())) for row in one.rows()):
        both = [row["tested"], row["given"]]
        (said,) = [one for one in shown.splitlines() if one.split()[:2] == both]
        assert (row["why"] or f"{row['chi2']:.2f}") in said


def test_the_weakness_of_fixed_seating_stands_beside_the_result(
    scaled: Run, coordinated: Run
) -> None:
    assert scaled.study.trial.seating == "composition"
    assert FIXED_SEATING in text(scaled)
    assert FIXED_SEATING not in text(coordinated)


@pytest.mark.parametrize("seating", [["trial"], ["trial", "composition"]])
def test_the_weakness_is_that_of_the_conditions_that_were_run(
    tmp_path: Path, seating: list[str]
) -> None:
    """The study's own default is the composition's; what counts is what was swept."""
    settings = {"N": [4], "deceivers": [1], "seating": seating, "strata": False}
    with made(tmp_path, "timing", 2, rounds=1, **settings) as finished:
        assert finished.study.trial.seating == "composition"
        assert (FIXED_SEATING in text(finished)) == ("composition" in seating)


def test_contrasts_of_coordination_are_printed(coordinated: Run) -> None:
    found, shown = coordination(coordinated.summaries()), text(coordinated)
    valued = [row for row in (one.row() for one in found) if row["value"] is not None]
    assert len(valued) > 4
    for row in valued:
        where = [f"{name} = {row[name]}" for name in ("N", "deceivers") if name in row]
        measure = f"{row['measure'].replace('_', ' ')}, mean over questions"
        said = line(shown, measure, row["contrast"], ", ".join(where) or " all ")
        assert f"{row['value']:+.3f}" in said
        assert f"{row['low']:.3f} to {row['high']:.3f}" in said
        assert f"{row['p']:.3f}" in said


def test_what_judges_found_is_printed(coordinated: Run) -> None:
    shown = text(coordinated)
    rows = [row for row in shares(coordinated.summaries()) if row.estimate.value is not None]
    assert {row.measure.split("_")[0] for row in rows} >= {"tactic", "code"}
    titles = {measure.name: measure.title for measure in LABELLED}
    for row in (row.as_json() for row in rows):
        where = ", ".join(f"{name} = {value}" for name, value in row["condition"].items()) or "all"
        said = line(shown, f"  {titles[row['measure']]} ", f"  {where}  ")
        assert f"{row['value']:.3f}" in said
        assert f"{row['low']:.3f} to {row['high']:.3f}" in said
        assert f" {row['levels']['labels']['judged']} " in said
    counts = coordinated.judging()["rules"]
    said = line(shown, "Judged by rules (the deterministic judge)")
    assert said == (
        "Judged by rules (the deterministic judge): "
        f"{counts['labels']:,} labels, {counts['unjudged']:,} without a value."
    )


def test_timing_is_printed(coordinated: Run) -> None:
    shown = text(coordinated)
    rows = [row for one in timing(coordinated.summaries()) for row in one.rows()]
    assert {row["class"] for row in rows} >= {"by round 1", "by round 2"}
    assert {row["coordinated"] for row in rows} == {True, False}
    for row in (row for row in rows if row["value"] is not None):
        said = line(shown, f" {row['class']} ", f"coordinated = {row['coordinated']} ")
        assert f"{row['value']:.3f}" in said


def test_a_single_coordinated_deceiver_is_marked(coordinated: Run) -> None:
    shown, counts = text(coordinated), counted(coordinated.summaries())
    lone = sum(one.lone for one in counts)
    assert lone
    assert line(shown, "nobody to coordinate with").startswith(
        f"N = 5, coordinated: one deceiver, nobody to coordinate with, {lone} trials. "
    )
    assert not any("N = 5" in one for one in shown.splitlines() if "True - False" in one)
    # Without 1 of 5 there are two proportions.
    assert trends(counts) == []
    assert "points per 0.1" not in shown


def test_agents_alone_are_counted_again_on_the_items_that_were_kept(tmp_path: Path) -> None:
    with run("deliberation/questions", seeds=8, out=tmp_path / "a.db") as finished:
        shown, table = text(finished), finished.table("labels")
        done = {p.number: p for p in finished.file.plans() if p.role == "estimate"}
    for cast in "AB":
        numbers = [n for n, plan in done.items() if plan.condition["cast"] == cast]
        mine = table[table["trial"].isin(numbers) & (table["rubric"] == "correctness")]
        assert len(mine) == 4 * len(numbers) > 0
        right = sum('"right":true' in str(value).replace(" ", "") for value in mine["value"])
        assert line(shown, f"  {cast}  ", " to ").split()[1] == f"{right / len(mine):.3f}"


@pytest.mark.parametrize(("preset", "analysis"), [("verification", verification),
                                                  ("pairings", pairings)])  # fmt: skip
def test_other_contrasts_are_printed_where_they_are_swept(
    tmp_path: Path, preset: str, analysis: Any
) -> None:
    with made(tmp_path, preset, 8, rounds=1) as finished:
        rows = [one.row() for one in analysis(finished.summaries())]
        valued = [row for row in rows if row["value"] is not None]
        assert valued
        shown = text(finished)
        assert "deceivers = , " not in shown
        assert "verify = ," not in shown
        for row in valued:
            assert row["contrast"] in shown
            assert f"{row['value']:+.3f}" in shown


@pytest.mark.parametrize("settings", [{"N": [4]}, {"N": [4], "protocol": "broadcast"}])
def test_nothing_is_printed_of_a_flag_game(tmp_path: Path, settings: dict[str, Any]) -> None:
    given = {"rounds": 2, **settings}
    out = tmp_path / "run.db"
    with run("flag-game/population", seeds=2, out=out, settings=given) as finished:
        assert list(show(finished)) == []


def test_of_a_closed_list_no_judge_is_named(tmp_path: Path) -> None:
    with made(tmp_path, "flags", 3, rounds=1) as finished:
        shown = text(finished)
    assert "Judged by" not in shown
    assert "Items kept" not in shown
    assert "by round 1" in shown
    assert "points per 0.1" not in shown  # two proportions are no trend
    assert "chi2" not in shown


def test_a_model_that_judges_is_named_with_what_it_was_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    voices = Voices(monkeypatch)
    settings = {"file": str(questions(tmp_path)), "N": 4, "deceivers": 1, "rounds": 1}
    finished = run(
        "deliberation/timing", model=AGENT, judge=JUDGE, seeds=2, out=tmp_path / "a.db",
        settings={**settings, "strata": False},
    )  # fmt: skip
    with finished:
        counts, shown = finished.judging(), text(finished)
    said = line(shown, f"Judged by {JUDGE}:")
    asked = len(voices.of(JUDGE))
    assert f"{counts[JUDGE]['labels']} labels, 0 without a value, {asked} replies asked for" in said
    assert f"{counts['rules']['unjudged']} without a value." in line(shown, "Judged by rules")


def test_a_run_of_which_nothing_is_judged_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Free text and no judge: no number of any kind, and the labels that are missing."""
    Voices(monkeypatch, say=lambda seed: "the land of the Kanem")
    settings = {"file": str(questions(tmp_path)), "N": 4, "deceivers": 1, "rounds": 1}
    out = tmp_path / "a.db"
    with run("deliberation/timing", model=AGENT, seeds=2, out=out, settings=settings) as finished:
        shown = text(finished)
    assert "Items kept for A: 0 of 2" in shown
    assert "2 with unjudged" in shown
    assert "8 labels, 8 without a value." in shown
    assert "share" not in shown


def test_what_is_not_judged_is_said_below_the_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A model whose answers the rules can settle some times: the rest stands between two ends."""
    Voices(monkeypatch, say=lambda seed: (RIGHT, FAR)[seed % 2])
    settings = {"file": str(questions(tmp_path)), "N": 4, "deceivers": 1, "rounds": 1}
    settings |= {"strata": False}
    out = tmp_path / "a.db"
    with run("deliberation/timing", model=AGENT, seeds=2, out=out, settings=settings) as finished:
        print_all(finished)
        printed = capsys.readouterr().out
        counts = counted(finished.summaries())
        rows = {row.measure: row.estimate for row in finished.rows()}
    hanging = sum("honest_defection" in one.unjudged for one in counts)
    assert hanging
    assert f"of {len(counts)} trials {hanging} for honest defection" in printed
    note = unjudged(rows["honest_defection"])
    assert f"honest defection: N = 4, deceivers = 1: {note}." in printed


def test_pooled_runs_count_the_judges_of_all(tmp_path: Path) -> None:
    settings = {"N": 4, "deceivers": 1, "rounds": 1}
    paths = []
    for number, first in enumerate((1, 5)):
        paths.append(tmp_path / f"{number}.db")
        given = {**settings, "first": first}
        run("deliberation/timing", seeds=4, out=paths[-1], settings=given).close()
    each = []
    for path in paths:
        with Run(path) as one:
            each.append(one.judging()["rules"]["labels"])
    with Run(*paths) as pooled:
        assert pooled.judging()["rules"]["labels"] == sum(each)
        assert f"{sum(each)} labels" in line(text(pooled), "Judged by rules")
        assert pooled.as_json()["judging"] == pooled.judging()
