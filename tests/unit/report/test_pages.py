"""Pages of whole runs: no number without n, ids that are there once, and the first lines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import socialcircuits
from socialcircuits.agents import LABEL, BackEnd
from socialcircuits.measures.notable import INVALID
from socialcircuits.models import Capabilities, Completion, Request, ScriptedModel
from socialcircuits.report.assembling import headline, page, status
from socialcircuits.report.layout import laid, sentence
from socialcircuits.report.markdown import markdown
from socialcircuits.report.page import Line, Number, Page, Table
from socialcircuits.report.sections import contrasts, counts, measured, thresholds
from socialcircuits.studies import Execution, Run, execute, plan, read
from tests.support.pages import made_again
from tests.support.prompted import TEXT, agreeable
from tests.support.voices import AGENT, Voices, questions

STUDIES: dict[str, dict[str, Any]] = {
    "flag-game/population": {"seeds": 3, "settings": {"N": [4, 8], "rounds": 2}},
    "flag-game/protocols": {"seeds": 2, "settings": {"N": 4, "rounds": 2}},
    "flag-game/patching": {"seeds": 2, "settings": {"rounds": 2, "intervention": ["", "A0", "A1"]}},
    "deliberation/scaling": {"seeds": 6, "settings": {"N": [2, 8, 5, 6, 7], "rounds": 2}},
    "chatroom/sybils": {"seeds": 3, "settings": {"rounds": 2, "cast": ["A", "B"]}},
}  # fmt: skip


@pytest.fixture(scope="module", params=list(STUDIES))
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Run:
    out = tmp_path_factory.mktemp("pages") / "run.db"
    return socialcircuits.run(request.param, out=out, **STUDIES[request.param])


@pytest.fixture(scope="module")
def whole(made: Run) -> Page:
    return page(made)


def said(line: Line) -> str:
    return "".join(text for text, _ in sentence(line))


def test_no_number_is_without_n(whole: Page) -> None:
    numbers = {name: one for name, _, one in whole.numbers()}
    measured = 0
    for block in whole.blocks():
        if isinstance(block, Line):
            for text, name in sentence(block):
                if name and numbers[name].n is not None:
                    assert f"n {numbers[name].n:,} " in text
        elif isinstance(block, Table):
            units = {
                one.unit for _, p, one in whole.numbers() if p.block == block.name and one.unit
            }
            grid = laid(block)
            heads = [" ".join(column.lines) for column in grid.columns]
            column = next((heads.index(unit) for unit in units if unit in heads), None)
            for row in grid.rows:
                for cell in row.cells:
                    found = numbers.get(cell.id)
                    if found is not None and found.n is not None:
                        measured += 1
                        below = any(one.startswith(f"n {found.n:,}") for one in cell.lines)
                        beside = column is not None and row.cells[column].lines == (f"{found.n:,}",)
                        assert below or beside, cell.id
                        assert found.unit
    assert measured > 5


def test_a_number_without_n_is_a_count_or_a_cost(whole: Page) -> None:
    bare = [one for _, _, one in whole.numbers() if one.n is None]
    assert bare
    for one in bare:
        assert isinstance(one.value, int) or one.name.endswith("cost"), one.name
        assert not one.interval


def test_ids_and_places_are_there_once(whole: Page) -> None:
    found = list(whole.numbers())
    assert (
        len({name for name, _, _ in found}) == len({place for _, place, _ in found}) == len(found)
    )
    tables = [block for block in whole.blocks() if isinstance(block, Table)]
    for table in tables:
        names = [head.name for head in table.heads]
        assert len(set(names)) == len(names)
        assert all(name == name.lower() and not {".", " "} & set(name) for name in names)


def test_every_number_is_that_of_the_trials_of_its_trail(made: Run) -> None:
    builders = (measured.blocks, thresholds.blocks, contrasts.blocks, counts.blocks)
    assert list(made_again(made, builders)) == []


def test_agents_are_labelled_first_and_explained_last(made: Run, whole: Page) -> None:
    assert whole.label == LABEL
    assert markdown(whole).splitlines()[2] == LABEL
    last = whole.sections[-1].blocks[-1]
    assert isinstance(last, Line)
    row = said(last).partition("#")[2].partition(",")[0]
    assert said(last).startswith(f"Where a number comes from: socialcircuits explain {made.path}#")
    assert any(name.startswith(f"{row}.") for name, _, _ in whole.numbers())


def test_the_status_of_a_run_takes_no_estimates(made: Run) -> None:
    made.rows = None  # type: ignore[assignment, method-assign]
    try:
        found = status(made)
    finally:
        del made.rows
    texts = {place.row: one.text for _, place, one in found.numbers() if place.block == "counts"}
    assert texts["trials completed"] == f"{made.trials()['completed']:,}"
    assert said(found.sections[-1].blocks[-1]) == f"Digest: {made.digests()['run']}"  # type: ignore[arg-type]


def first_lines(run: Run) -> dict[str, Line]:
    return {line.name: line for line in page(run).head}


def faulty(patch: pytest.MonkeyPatch) -> None:
    """Let three of ten replies be no JSON."""
    asked = iter(range(10**6))

    def reply(request: Request) -> Completion:
        return Completion("no", "stop") if next(asked) % 10 < 3 else agreeable(request)

    able = Capabilities(schema=True, images=True)
    patch.setattr(BackEnd, "_model", lambda _, name, where: ScriptedModel(name, reply, able))


def test_invalid_replies_are_loud_in_the_first_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    faulty(monkeypatch)
    settings = {"N": [2, 4], "rounds": 2}
    out = tmp_path / "run.db"
    with socialcircuits.run(
        "flag-game/population", model=TEXT, seeds=3, out=out, settings=settings
    ) as run:
        line = first_lines(run)["replies"]
        trials = run.summaries()
        asked, invalid = sum(t.asked for t in trials), sum(t.invalid for t in trials)
        assert 0.25 < invalid / asked < 0.35
        assert line.loud
        assert said(line) == (
            f"INVALID REPLIES: {100 * invalid / asked:.1f} % (n {asked:,} replies) of those in "
            "trials that enter estimates."
        )
        assert f"**{said(line)}**" in markdown(page(run)).splitlines()[:10]
        (share,) = [part for part in line.parts if isinstance(part, Number)]
        assert share.trail.adds
        assert share.trail.adds(trials[0]) == f"{trials[0].invalid} of {trials[0].asked}"


def test_valid_replies_are_said_too(tmp_path: Path) -> None:
    settings = {"N": [4], "rounds": 1}
    with socialcircuits.run(
        "flag-game/population", seeds=1, out=tmp_path / "a.db", settings=settings
    ) as run:
        lines = first_lines(run)
    assert list(lines) == ["trials", "replies"]
    assert said(lines["replies"]).startswith("Invalid replies: 0.0 % (n ")
    assert not lines["replies"].loud
    assert 0 < INVALID < 0.1


def test_answers_that_nobody_judged_are_loud(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Voices(monkeypatch)
    settings = {"file": str(questions(tmp_path)), "N": 4, "deceivers": 1, "rounds": 1}
    given = {**settings, "strata": False}
    with socialcircuits.run(
        "deliberation/timing", model=AGENT, seeds=2, out=tmp_path / "a.db", settings=given
    ) as run:
        line = first_lines(run)["unjudged"]
        assert line.loud
        assert "judge: rules." in said(line)
        unjudged = sum(sum(trial.unjudged.values()) for trial in run.summaries())
        assert unjudged > 0
        (share,) = [part for part in line.parts if isinstance(part, Number)]
        assert share.value == pytest.approx(unjudged / (share.n or 0))


def test_an_unfinished_run_says_so(tmp_path: Path) -> None:
    def stop(done: int, _: int) -> None:
        if done >= 3:
            raise KeyboardInterrupt

    study, out = read("flag-game/population", sets=["N=4", "rounds=1"], seeds=5), tmp_path / "a.db"
    with pytest.raises(KeyboardInterrupt):
        execute(plan(study), out, Execution(sequential=True, progress=stop))
    with Run(out) as run:
        lines, trials = first_lines(run), run.trials()
    missing = trials["planned"] - trials["completed"]
    assert 0 < missing < 5
    assert lines["unfinished"].loud
    assert said(lines["unfinished"]).startswith(f"UNFINISHED: {missing} trials have not been run")
    looked = [said(line) for line in lines.values() if said(line).startswith("LOOKED AT: ")]
    assert len(looked) == 1


def test_a_headline_has_the_first_lines_and_one_table(tmp_path: Path) -> None:
    with socialcircuits.run(
        "deliberation/scaling",
        seeds=4,
        out=tmp_path / "a.db",
        settings={"N": [2, 5, 6, 7], "rounds": 1},
    ) as run:
        found = headline(run)
    (table,) = found.sections[0].blocks
    assert isinstance(table, Table)
    assert table.name == "adversaries"
    assert [line.name for line in found.head] == ["trials", "items", "replies"]
