"""What is told of a number, and what is told where it does not hold."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

import socialcircuits
from socialcircuits.cli import explain as verb
from socialcircuits.errors import RunFileError, SettingError, UsageError
from socialcircuits.report.assembling import page
from socialcircuits.report.explained import lines
from socialcircuits.report.explaining import Explainer, explain
from socialcircuits.report.explanation import Explanation
from socialcircuits.report.pictures import _DRAW
from socialcircuits.report.plotted import plotted
from socialcircuits.report.written import Written, read, write
from socialcircuits.studies import Run, judge
from tests.support.voices import AGENT, JUDGE, NEAR, OTHER, Voices, questions

SETTINGS = {"N": [4, 8], "rounds": 2}
UPLIFT = "accuracy.2.uplift"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    out = tmp_path_factory.mktemp("explaining") / "run.db"
    with socialcircuits.run("flag-game/population", out=out, seeds=3, settings=SETTINGS) as done:
        write(page(done), [done], out.with_name("run-report"))
        yield done


@pytest.fixture(scope="module")
def explainer(run: Run) -> Explainer:
    return Explainer([run])


@pytest.fixture(scope="module")
def written(run: Run) -> Written:
    return read(run.path.with_name("run-report") / "report.html")


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """A deliberation of models, judged by a model."""
    folder = tmp_path_factory.mktemp("judged")
    settings = {"file": str(questions(folder)), "N": 4, "deceivers": 1, "rounds": 1}
    settings |= {"strata": False}
    with pytest.MonkeyPatch.context() as patch:
        Voices(patch)
        with socialcircuits.run(
            "deliberation/timing",
            model=AGENT,
            judge=JUDGE,
            seeds=3,
            out=folder / "run.db",
            settings=settings,
        ) as done:
            yield done


def printed(found: Explanation) -> str:
    out = Console(width=300, highlight=False, markup=False)
    with out.capture() as captured:
        for line in lines(found):
            out.print(line, soft_wrap=isinstance(line, str))
    return captured.get()


def test_a_number_with_its_estimate_and_trials(run: Run, explainer: Explainer) -> None:
    found = explainer.explain(UPLIFT)
    (row,) = (r for r in run.rows() if r.measure == "uplift" and r.condition == {"N": 8})
    assert found.value == row.estimate.value
    assert found.method == row.estimate.method
    assert found.levels["seeds"] == {"planned": 3, "completed": 3, "excluded": 0}
    assert found.text.startswith(f"{row.estimate.value:.2f} (")
    assert [one.seed for one in found.rows] == [1, 2, 3]
    assert all(one.condition == {"N": 8} for one in found.rows)
    assert found.behind.steps == {"guess": 24, "probe": 24}
    assert found.behind.replies == 48
    assert found.behind.shared == 24
    assert found.again == found.text
    json.dumps(found.as_json(), allow_nan=False)
    assert explain([run], UPLIFT) == found


def test_a_number_says_where_the_viewer_shows_it(run: Run, explainer: Explainer) -> None:
    found = explainer.explain(UPLIFT)
    assert found.seen == f"socialcircuits view {run.path}#{UPLIFT}"
    assert found.address == f"#/numbers?number={UPLIFT}"
    assert f"{found.seen}, or {found.address} of an exported page" in printed(found)


def test_nothing_that_is_printed_hides(explainer: Explainer) -> None:
    found = explainer.explain(UPLIFT)
    assert found.shown is not None
    hostile = "\u202egnp\x1b[31m\x07"
    step = found.shown.steps[0]
    asked = replace(step, calls=tuple(replace(one, text=hostile) for one in step.calls))
    shown = replace(found.shown, run=hostile, steps=(asked,))
    text = printed(replace(found, shown=shown))
    assert text.count("\\u202egnp\\u001b[31m\\u0007") == 2
    assert text.replace("\n", "").isprintable()


def test_a_test_with_what_it_is_adjusted_for(explainer: Explainer) -> None:
    name = next(name for name in explainer.below("contrasts"))
    found = explainer.explain(name)
    assert found.test is not None
    assert 0 < found.test["p"] <= found.test["adjusted"]["p"] <= 1
    text = printed(found)
    assert f"{found.test['test']}, p " in text
    way = "Holm" if found.test["adjusted"]["declared"] else "BH"
    assert f"{way} of {found.test['adjusted']['among']}" in text


def test_a_count_of_the_whole_record(run: Run, explainer: Explainer) -> None:
    found = explainer.explain("counts.1.number")
    assert not found.rows
    assert found.again is None
    assert found.counts == {"trials": run.trials()["completed"], "replies": run.calls()["made"]}
    assert "over the whole record" in printed(found)


def test_the_digest_is_that_of_the_trials_wherever_they_lie(
    run: Run, explainer: Explainer, tmp_path: Path
) -> None:
    shutil.copy(run.path, tmp_path / "other.db")
    with Run(tmp_path / "other.db") as copy:
        other = explain([copy], UPLIFT)
    mine = explainer.explain(UPLIFT)
    assert other.digest == mine.digest
    assert other.rows != mine.rows
    assert explainer.explain("accuracy.1.uplift").digest != mine.digest


def test_a_number_that_its_trials_do_not_give_is_shown_up(run: Run) -> None:
    doubtful = Explainer([run])
    place, number = doubtful.numbers[UPLIFT]
    trail = replace(number.trail, trials=number.trail.trials[:2])
    doubtful.numbers[UPLIFT] = place, replace(number, trail=trail)
    found = doubtful.explain(UPLIFT)
    assert found.again not in {found.text, "", None}
    assert f"{found.again}: NOT THE SAME" in printed(found)
    elsewhere = next(one for one in run.summaries() if one.condition["N"] == 4)
    trail = replace(number.trail, trials=[elsewhere])
    doubtful.numbers[UPLIFT] = place, replace(number, trail=trail)
    assert "none: NOT THE SAME" in printed(doubtful.explain(UPLIFT))


def test_a_run_that_has_changed_since_its_report(run: Run, written: Written) -> None:
    place, text = written.numbers[UPLIFT]
    was = {**written.digests[0], "run": "00" * 16}
    stated = {**written.numbers, UPLIFT: type(written.numbers[UPLIFT])(place, "0.99")}
    found = Explainer([run], replace(written, digests=(was,), numbers=stated)).explain(UPLIFT)
    assert found.stated == "0.99"
    assert found.text.startswith(text)
    own = run.digests()["run"]
    told = f"{run.path} has changed since: its run digest was 00000000 and is {own[:8]}"
    assert found.changed == (told,)
    assert "CHANGED: the report says 0.99" in printed(found)
    same = Explainer([run], written).explain(UPLIFT)
    assert (same.stated, same.changed) == (None, ())
    gone = {"accuracy.9.x": type(written.numbers[UPLIFT])(place._replace(row="N = 128"), "0.5")}
    with pytest.raises(UsageError, match="now there is no such number"):
        Explainer([run], replace(written, numbers=gone)).explain("accuracy.9.x")


def test_the_trial_that_is_shown(run: Run, explainer: Explainer) -> None:
    numbers = [row.trial for row in explainer.explain(UPLIFT).rows]
    for given in (str(numbers[1]), f"{run.path}:{numbers[1]}"):
        shown = explainer.explain(UPLIFT, given).shown
        assert shown is not None
        assert shown.trial == numbers[1]
        record = run.file.trial(numbers[1])
        assert {step.step: step.answer for step in shown.steps} == {
            step.step: record.answer(step.step) for step in shown.steps
        }
        assert shown.truth == record.provided.facts["truth"]
    for wrong in ("99", "other.db:1", "x"):
        with pytest.raises(SettingError, match="one of its 3 trials"):
            explainer.explain(UPLIFT, wrong)
    with pytest.raises(SettingError, match="it rests on no trials"):
        explainer.explain("trials.1", "1")


def test_models_are_shown_with_prompts_tokens_and_labels(judged: Run) -> None:
    explainer = Explainer([judged])
    found = explainer.explain("adversaries.1.honest_defection", prompts=True)
    assert found.shown is not None
    asked = [call for step in found.shown.steps for call in step.calls]
    assert all(call.prompt_tokens == 100 for call in asked)
    sent = "".join(part["text"] for part in asked[0].prompt or ())
    assert "In which country is the place named" in sent
    labels = [one for one in found.shown.labels if one.judge == JUDGE]
    said = {step.step: step.answer for step in found.shown.steps}
    assert labels
    assert all(one.value["right"] == (said[one.step] == NEAR) for one in labels)
    assert all(one.calls[0].key in found.behind.judge_keys for one in labels)
    assert {key.hex() for key in judged.file.judgments()} >= set(found.behind.judge_keys)
    text = printed(found)
    assert all(part["text"] in text for part in asked[0].prompt or ())
    assert f"Prompt of the judge of {labels[0].id}, correctness" in text
    assert f"{found.behind.labels[JUDGE]} by {JUDGE}" in text
    assert explainer.explain("adversaries.1.honest_defection").shown != found.shown


def test_agreement_shows_the_labels_of_both_judges(judged: Run, tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    shutil.copy(judged.path, path)
    with pytest.MonkeyPatch.context() as patch:
        Voices(patch)
        judge(path, OTHER)
    with Run(path) as twice:
        found = explain([twice], "agreement.1.both")
    assert {JUDGE, OTHER} <= found.behind.labels.keys()
    assert found.behind.labels[JUDGE] == found.behind.labels[OTHER] == found.value
    assert found.shown is not None
    assert {JUDGE, OTHER} <= {label.judge for label in found.shown.labels}


def test_runs_side_by_side_and_pooled(run: Run, tmp_path: Path) -> None:
    def more(name: str, model: str, seed: int = 1) -> Path:
        with socialcircuits.run(
            "flag-game/population",
            out=tmp_path / name,
            seeds=2,
            seed=seed,
            model=f"simulated/{model}",
            settings=SETTINGS,
        ) as done:
            return done.path

    literal, again, other = more("a", "literal"), more("b", "literal", 2), more("c", "sycophantic")
    with Run(literal) as first, Run(other) as second:
        beside = Explainer([first, second])
        for name in beside.below("accuracy"):
            found = beside.explain(name)
            assert found.again == found.text
            assert {row.run for row in found.rows} <= {str(literal), str(other)}
        names = [n for n in beside.numbers if "minus" in beside.numbers[n][0].row]
        both = [beside.explain(name).rows for name in names]
        assert any({row.run for row in rows} == {str(literal), str(other)} for rows in both)
    with Run(literal, again) as pooled:
        found = explain([pooled], UPLIFT)
        assert found.n == 4
        assert [Path(row.run).name for row in found.rows] == ["a", "a", "b", "b"]
        assert found.again == found.text
        assert f"{again}" in printed(found)


def test_every_figure_says_what_it_is_drawn_from(run: Run, tmp_path: Path) -> None:
    for name in _DRAW:
        found = plotted(f"figure.{name}", [name], [tmp_path])
        assert found.about.endswith((".", "?"))
        assert "columns" in found.made.lower()
        assert "not drawn here" in "\n".join(found.lines())
    (tmp_path / "population-alpha-1.csv").write_text("N,value\n4,0.5\n")
    (tmp_path / "populations.csv").write_text("N\n")
    (data,) = plotted("figure.population", ["population"], [tmp_path]).data
    assert (Path(data.path).name, data.columns, data.rows) == (
        "population-alpha-1.csv",
        ("N", "value"),
        1,
    )


def test_the_verb_lists_what_there_is(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    def told(source: str, *, json_: bool = False) -> str:
        verb.command([source], json=json_)
        return capsys.readouterr().out

    report = f"{run.path.with_name('run-report') / 'report.md'}"
    whole = json.loads(told(report, json_=True))["numbers"]
    row = json.loads(told(f"{run.path}#accuracy.1", json_=True))["numbers"]
    ids = [one["id"] for one in whole]
    assert [one["id"] for one in row] == [one for one in ids if one.startswith("accuracy.1.")]
    assert len(told(f"{report}#accuracy.1").splitlines()) == len(row)
    text = told(str(run.path))
    assert "Figures: figure.population" in text
    assert all(one.rpartition(".")[0] in text for one in ids)
    assert json.loads(told(f"{report}#{UPLIFT}", json_=True))["id"] == UPLIFT
    assert "figure.population: Accuracy" in told(f"{report}#figure.population")


@pytest.mark.parametrize(
    ("sources", "told", "error"),
    [
        (["{run}#accuracy.2.uplif"], "near are accuracy.2.uplift", UsageError),
        (["{run}#figure.populatio"], "did you mean 'figure.population'", SettingError),
        (["{run}#trials.1", "{run}#trials.2"], "one number at a time", UsageError),
        (["{report}", "{run}#trials.1"], "it knows its runs", UsageError),
        (["{run}x#trials.1"], "there is no such run file", RunFileError),
    ],
)
def test_mistakes(run: Run, sources: list[str], told: str, error: type[Exception]) -> None:
    report = run.path.with_name("run-report") / "report.md"
    with pytest.raises(error, match=told):
        verb.command([source.format(run=run.path, report=report) for source in sources])
