"""Which items are kept, that they are known before anything else is run, and what is counted."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from socialcircuits.errors import ModelError
from socialcircuits.records import RunFile
from socialcircuits.studies import Execution, Plan, Run, execute, plan, read, run
from socialcircuits.studies.strata import UNKNOWN, Strata, Stratum
from tests.support.clock import run as run_virtually
from tests.support.voices import FAR, ITEMS, JUDGE, LURE, NEAR, RIGHT, Voices, questions

MODELS = {"A": "openai/one?sees=text", "B": "openai/two?sees=text"}
RIGHTS = {"lima": 0, "nazca": 1, "cusco": 3, "puno": 4}
"""How often model A, alone, is right on each item."""
OTHERS = {"lima": 2, "nazca": 4, "cusco": 1, "puno": 0}
"""The same of model B."""


@pytest.fixture(autouse=True)
def virtual_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asyncio, "run", run_virtually)


class Knowing(Voices):
    """Models that answer each item alone so many times right, and right in all that follows.

    Args:
        words: the right answer and the wrong one.
    """

    def __init__(self, patch: pytest.MonkeyPatch, words: tuple[str, str] = (RIGHT, LURE)) -> None:
        super().__init__(patch)
        self._words = words
        self._turns = Counter[tuple[str, str]]()

    def say(self, name: str, text: str, seed: int) -> str:
        """Answer by what was asked before: the first four answers to a question are alone."""
        item = next(item for item in ITEMS if f"named {item}?" in text)
        rights = (RIGHTS if name == "openai/one" else OTHERS)[item]
        turn = self._turns[name, item]
        self._turns[name, item] += 1
        return self._words[0] if turn < rights or turn >= 4 else self._words[1]


def laid(folder: Path, sweep: str = "", models: Mapping[str, str] = MODELS, judge: str = "rules",
         more: str = "") -> Plan:  # fmt: skip
    """A deliberation of three on four items, of which the strata keep some."""
    chosen = "".join(f'{name} = "{model}"\n' for name, model in models.items())
    (folder / "study.toml").write_text(f"""
seeds = 4
strata = true
judge = "{judge}"
{more}
[models]
{chosen}
[world]
kind = "questions"
file = "{questions(folder)}"
[trial]
protocol = "deliberation"
N = 3
rounds = 1
{sweep}
""")
    return plan(read(str(folder / "study.toml")))


ONE = {"A": MODELS["A"]}
ONE_BY_ONE = Execution(sequential=True)
PAIRS = '[[sweep]]\ndeceivers = [1]\ncast = ["A", "B"]\ndeceiver = ["A", "B"]\n'


def done(folder: Path, laid: Plan, how: Execution = ONE_BY_ONE) -> Run:
    path = folder / "run.db"
    execute(laid, path, how)
    return Run(path)


@pytest.mark.parametrize(
    ("stratum", "kept"),
    [
        (Stratum(0, 0, 4), False),
        (Stratum(1, 0, 4), True),
        (Stratum(2, 0, 4), True),
        (Stratum(3, 0, 4), True),
        (Stratum(4, 0, 4), False),
        (Stratum(2, 1, 4), False),
        (Stratum(0, 4, 4), False),
    ],
)
def test_what_is_right_some_times_and_all_known_is_kept(stratum: Stratum, kept: bool) -> None:
    assert stratum.kept is kept


def test_the_rows_of_the_table_add_up() -> None:
    found = {
        (seed, "A"): Stratum(right, unjudged, 4)
        for seed, (right, unjudged) in enumerate([(0, 0), (1, 0), (4, 0), (1, 0), (1, 2), (0, 4)])
    }
    rows = list(Strata(found, ("A", "B")).rows())
    mine = {row["right"]: (row["items"], row["kept"]) for row in rows if row["model"] == "A"}
    assert mine == {
        0: (1, False), 1: (2, True), 2: (0, True), 3: (0, True), 4: (1, False),
        UNKNOWN: (2, False),
    }  # fmt: skip
    assert sum(row["items"] for row in rows) == len(found)
    assert [row for row in rows if row["model"] == "B"] == [
        {"model": "B", "right": 0, "items": 0, "kept": False}
    ]


def items(run: Run, role: str) -> list[str]:
    """The items of the completed trials of a role."""
    trials = run.file.trials()
    return [one.provided.facts["item"] for one in trials if one.plan.role == role]


def test_models_answer_alone_before_anything_else_and_only_kept_items_are_discussed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    voices, study = Knowing(monkeypatch), laid(tmp_path, models=ONE)
    with done(tmp_path, study) as run:
        alone, discussed = items(run, "stratum"), items(run, "estimate")
        (found,) = run.strata()
        by_item = {
            one.provided.facts["item"]: found.found[one.plan.seed, "A"]
            for one in run.file.trials()
            if one.plan.role == "stratum"
        }
        numbers = {one.seed: one.trial for one in run.summaries()}
        assert run.trials() == {"planned": 6, "completed": 6, "failed": 0, "excluded": 4}
        assert {row.estimate.n for row in run.rows() if row.measure == "invalid_share"} == {2}
        seeds = next(row.estimate.levels["seeds"] for row in run.rows())
        assert seeds == {"planned": 2, "completed": 2, "excluded": 0}
    assert set(alone) == set(ITEMS)
    assert {name: one.right for name, one in by_item.items()} == RIGHTS
    assert set(discussed) == {"nazca", "cusco"}
    first = [asked.keys for asked in voices.asked[:16]]
    assert set(first) == {"answer argument"}
    assert [asked.text.count("named ") for asked in voices.asked[:16]] == [1] * 16
    assert "notes" in voices.asked[16:][3].keys
    # Whatever is kept, a trial keeps its number.
    planned = {one.plan.seed: one.plan.number for group in study.groups for one in group.trials}
    assert planned == {1: 4, 2: 5, 3: 6, 4: 7}
    assert len(numbers) == 2
    assert numbers.items() < planned.items()


def test_in_pairings_the_honest_model_selects(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Knowing(monkeypatch)
    kept: dict[tuple[str, str], set[str]] = {}
    with done(tmp_path, laid(tmp_path, PAIRS)) as run:
        for one in run.file.trials():
            if one.plan.role == "estimate":
                names = (one.plan.condition["cast"], one.plan.condition["deceiver"])
                kept.setdefault(names, set()).add(one.provided.facts["item"])
        table = {(row["model"], row["right"]): row["items"] for row in run.strata()[0].rows()}
    mine, other = {"nazca", "cusco"}, {"lima", "cusco"}
    assert kept == {
        (cast, deceiver): mine if cast == "A" else other for cast in "AB" for deceiver in "AB"
    }
    assert table == {
        **{("A", right): int(right in RIGHTS.values()) for right in range(5)},
        **{("B", right): int(right in OTHERS.values()) for right in range(5)},
    }


def test_a_mixed_cast_keeps_what_all_its_honest_models_keep(tmp_path: Path) -> None:
    study = laid(tmp_path, '[[sweep]]\ncast = ["2A 1B", "3A"]\n')
    found = {(seed, "A"): Stratum(2, 0, 4) for seed in range(1, 5)}
    found |= {(seed, "B"): Stratum(4 * (seed == 2) or 1, 0, 4) for seed in range(1, 5)}
    kept = Strata(found, ("A", "B")).groups(study)
    casts = {group.seed: [t.cell.condition["cast"] for t in group.trials] for group in kept}
    assert casts == {1: ["2A 1B", "3A"], 2: ["3A"], 3: ["2A 1B", "3A"], 4: ["2A 1B", "3A"]}
    del found[3, "A"]
    assert [group.seed for group in Strata(found, ("A", "B")).groups(study)] == [1, 2, 4]


def test_what_is_not_judged_is_not_kept_until_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Knowing(monkeypatch, words=(NEAR, FAR))
    with done(tmp_path, laid(tmp_path, models=ONE)) as run:
        assert [row for row in run.strata()[0].rows() if row["items"]] == [
            {"model": "A", "right": UNKNOWN, "items": 4, "kept": False}
        ]
        assert run.trials() == {"planned": 4, "completed": 4, "failed": 0, "excluded": 4}
        assert run.rows() == []
    (tmp_path / "run.db").unlink()
    Knowing(monkeypatch, words=(NEAR, FAR))
    with done(tmp_path, laid(tmp_path, models=ONE, judge=JUDGE)) as run:
        assert set(items(run, "estimate")) == {"nazca", "cusco"}
        assert run.file.judging()["rules"]["unjudged"] > 0


def test_a_run_that_ends_after_its_strata_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Ended(BaseException):
        """Stands for the end of the process."""

    def stop(done: int, planned: int) -> None:
        seen.append((done, planned))
        if done == 4:
            raise Ended

    study = laid(tmp_path, models=ONE)
    with monkeypatch.context() as patch:
        Knowing(patch)
        execute(study, tmp_path / "whole.db", ONE_BY_ONE)
    seen: list[tuple[int, int]] = []
    voices = Knowing(monkeypatch)
    with pytest.raises(Ended):
        execute(study, tmp_path / "run.db", Execution(sequential=True, progress=stop))
    assert len(voices.asked) == 16
    noted = Execution(sequential=True, progress=lambda *numbers: seen.append(numbers))
    with done(tmp_path, study, noted) as run:
        assert seen[-1] == (6, 6)
        assert run.digests() == _digests(tmp_path / "whole.db")
    before = len(voices.asked)
    execute(study, tmp_path / "run.db")
    assert len(voices.asked) == before


def _digests(path: Path) -> dict[str, str]:
    with RunFile(path) as file:
        return file.digests()


def test_an_item_whose_stratum_fails_is_not_discussed_and_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Failing(Knowing):
        def say(self, name: str, text: str, seed: int) -> str:
            if "named nazca?" in text:
                raise ModelError("no answer from the back end")
            return super().say(name, text, seed)

    study = laid(tmp_path, models=ONE)
    Failing(monkeypatch)
    with done(tmp_path, study) as run:
        assert [why for _, why in run.failures()] == ["no answer from the back end"]
        assert run.failures()[0][0].role == "stratum"
        assert items(run, "estimate") == ["cusco"]
        assert run.trials() == {"planned": 5, "completed": 4, "failed": 1, "excluded": 4}
        assert sum(row["items"] for row in run.strata()[0].rows()) == 3
    Knowing(monkeypatch)
    with done(tmp_path, study) as run:
        assert set(items(run, "estimate")) == {"nazca", "cusco"}
        assert run.trials() == {"planned": 6, "completed": 6, "failed": 0, "excluded": 4}


def test_simulated_agents_are_sifted_too_and_a_replay_keeps_the_same_items(tmp_path: Path) -> None:
    settings = {"N": 4, "deceivers": 1, "rounds": 1}
    with run("deliberation/timing", seeds=6, out=tmp_path / "a.db", settings=settings) as first:
        kept = {one.seed for one in first.summaries()}
        assert 0 < len(kept) < 6
        rights = {seed: one.right for (seed, _), one in first.strata()[0].found.items()}
        assert kept == {seed for seed, right in rights.items() if 1 <= right <= 3}
        assert first.trials()["planned"] == 6 + len(kept)
        digests = first.digests()
    model = f"replay/{tmp_path / 'a.db'}"
    again: dict[str, Any] = {"model": model, "seeds": 6, "settings": settings}
    with run("deliberation/timing", out=tmp_path / "b.db", **again) as second:
        assert second.digests() == digests
        assert second.file.calls()["made"] == 0


def test_strata_are_the_same_whatever_is_swept(tmp_path: Path) -> None:
    """How hard an item is hangs on the study seed and the model alone."""
    found = []
    for number, settings in enumerate(({"N": 4, "rounds": 1}, {"N": 6, "rounds": 2, "chat": 1})):
        out = tmp_path / f"{number}.db"
        given = {**settings, "deceivers": 1}
        with run("deliberation/timing", seeds=4, out=out, settings=given) as finished:
            found.append((finished.strata()[0].found, _stratum_digests(finished)))
    assert found[0] == found[1]


def _stratum_digests(run: Run) -> list[str]:
    return [one.digest for one in run.file.trials() if one.plan.role == "stratum"]


def test_pooled_runs_have_the_strata_of_each(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"N": 4, "deceivers": 1, "rounds": 1}
    for number, first in enumerate((1, 4)):
        given = {**settings, "first": first}
        run("deliberation/timing", seeds=3, out=tmp_path / f"{number}.db", settings=given).close()
    with Run(tmp_path / "0.db", tmp_path / "1.db") as pooled:
        rows = [row for found in pooled.strata() for row in found.rows()]
        assert sum(row["items"] for row in rows) == 6
        assert pooled.trials()["planned"] == 6 + len(pooled.summaries())
        seeds = [row.estimate.levels["seeds"] for row in pooled.rows()]
        assert all(one["planned"] == len(pooled.summaries()) for one in seeds)
