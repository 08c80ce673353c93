"""A study is resumed from its file with the trials that it began with, in their order."""

from __future__ import annotations

from pathlib import Path

import pytest

from socialcircuits.errors import RunFileError
from socialcircuits.records import RunFile, RunStore
from socialcircuits.studies import Plan, Run, Study, execute, plan

MODELS = {"A": "simulated/literal"}
AXES = {"m": [1, 3], "N": [4, 5]}
"""Not in the order of the alphabet."""


def laid(axes: dict[str, list[int]]) -> Plan:
    trial = {"rounds": 1}
    values = {"name": "mine", "seeds": 2, "models": MODELS, "trial": trial, "sweep": [axes]}
    return plan(Study.model_validate(values))


def interrupted(path: Path, monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    """Begin the study and stop it in the middle of a replicate."""
    finish, done = RunStore.finish, list[int]()

    def counting(store: RunStore, *given: object) -> None:
        if len(done) == after:
            raise KeyboardInterrupt
        done.append(0)
        finish(store, *given)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(RunStore, "finish", counting)
        with pytest.raises(KeyboardInterrupt):
            execute(laid(AXES), path)


def test_a_run_is_resumed_from_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, halved = tmp_path / "whole.db", tmp_path / "halved.db"
    execute(laid(AXES), whole)
    interrupted(halved, monkeypatch, after=3)
    with Run(halved) as begun:
        again = begun.plan
    execute(again, halved)
    with RunFile(whole) as one, RunFile(halved) as two:
        assert one.plans() == two.plans()
        assert one.digests() == two.digests()


def test_the_plan_of_a_file_numbers_trials_as_the_file_does(tmp_path: Path) -> None:
    execute(laid(AXES), tmp_path / "a.db")
    with Run(tmp_path / "a.db") as finished:
        assert [one.plan for one in finished.plan.trials] == finished.file.plans()


def test_axes_in_another_order_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.db"
    interrupted(path, monkeypatch, after=3)
    turned = laid(dict(reversed(AXES.items())))
    with pytest.raises(RunFileError, match="in another order, first 1"):
        execute(turned, path)
    with RunFile(path) as held:
        assert len(held.plans()) == 3
