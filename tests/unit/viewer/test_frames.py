"""The tables that the page draws: what analyses give, under documented names."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from fractions import Fraction
from math import isnan
from pathlib import Path
from typing import Any

import pytest

import socialcircuits
from socialcircuits.analyses.attributing import all_held
from socialcircuits.analyses.infection import curves
from socialcircuits.measures import rivalry
from socialcircuits.studies import Run
from socialcircuits.viewer import frames as documented
from socialcircuits.viewer.frames import CATALOGUE, frames
from socialcircuits.viewer.tables import framed

Frames = Mapping[str, Mapping[str, Any]]


@pytest.fixture(scope="module")
def made(runs: Mapping[str, Run]) -> dict[str, Frames]:
    return {name: frames(run) for name, run in runs.items()}


@pytest.fixture(scope="module")
def probed(tmp_path_factory: pytest.TempPathFactory) -> Run:
    out = tmp_path_factory.mktemp("frames") / "probed.db"
    settings = {"N": [4], "rounds": 1}
    return socialcircuits.run("flag-game/evidence-share", out=out, seeds=2, settings=settings)


@pytest.fixture(scope="module")
def ladder(tmp_path_factory: pytest.TempPathFactory) -> Run:
    out = tmp_path_factory.mktemp("frames") / "ladder.db"
    settings = {"evidence": "weak", "lure": "agrees", "m": 1, "cast": "A"}
    return socialcircuits.run("flag-game/memory-conflict", out=out, seeds=3, settings=settings)


def rows(frame: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [dict(zip(frame["columns"], row, strict=True)) for row in frame["rows"]]


def table() -> dict[str, str]:
    """Name of each documented frame -> what is said of its columns."""
    assert documented.__doc__
    lines = re.findall(r"^\| (\w+) \| .*? \| (.*) \|$", documented.__doc__, re.MULTILINE)
    return {name: text for name, text in lines if name != "name"}


def test_every_frame_is_documented_and_every_documented_name_is_one() -> None:
    assert list(table()) == list(CATALOGUE)


def test_columns_are_those_that_are_documented(
    made: Mapping[str, Frames], runs: Mapping[str, Run], probed: Run, ladder: Run
) -> None:
    each = [(runs[name], found) for name, found in made.items()]
    each += [(run, frames(run)) for run in (probed, ladder)]
    told, seen = table(), set()
    for run, found in each:
        swept = {axis for one in run.plan.cells for axis in one.condition}
        for name, frame in found.items():
            seen.add(name)
            words = set(re.findall(r"\w+", told[name]))
            stems = {f"{word}{end}" for word in words for end in words if end.startswith("_")}
            assert set(frame["columns"]) <= words | stems | swept, name
            assert "n" in frame["columns"] or name in WITHOUT_N, name
    assert {"estimates", "attribution", "hazard", "ladders", "evidence_share", "timing"} <= seen


WITHOUT_N = {
    "patches", "attribution", "ranks", "contests", "thresholds", "strata", "knowledge", "trends",
    "forms", "tests", "confusion", "measures", "told", "prompts", "caveats",
}  # fmt: skip
"""Frames of single trials or counts, or with an n for each of several values."""


@pytest.mark.parametrize("name", ["flags", "talk", "secret"])
def test_estimates_are_those_of_the_run(
    made: Mapping[str, Frames], runs: Mapping[str, Run], name: str
) -> None:
    expected = runs[name].estimates()
    found = rows(made[name]["estimates"])
    assert len(found) == len(expected)
    assert [row["value"] for row in found] == [
        None if isnan(value) else value for value in expected["value"].astype(float)
    ]
    assert [row["n"] for row in found] == list(expected["n"])
    json.dumps(made[name], allow_nan=False)


def test_every_estimate_is_of_a_measure_that_is_defined(made: Mapping[str, Frames]) -> None:
    for found in made.values():
        told = {row["measure"]: row["definition"] for row in rows(found["measures"])}
        used = {row["measure"] for row in rows(found["estimates"])}
        assert told.keys() == used - {"yield_point", "yielded"}
        assert all(text.endswith(".") for text in told.values())


def test_curves_are_those_of_the_analysis(made: Mapping[str, Frames], talk: Run) -> None:
    expected = curves(talk.summaries())
    found = rows(made["talk"]["curves"])
    assert [(row["round"], row["value"], row["n"]) for row in found] == [
        (row["round"], row["value"], row["n"]) for row in expected
    ]
    assert {row["measure"] for row in found} == {"infection", "endorsement"}


def test_the_hazard_holds_the_raw_and_the_adjusted_curve(made: Mapping[str, Frames]) -> None:
    found = rows(made["talk"]["hazard"])
    assert {row["measure"] for row in found} >= {"hazard_raw"}
    assert len(made["talk"]["hazard_fits"]["rows"]) == 1
    assert all(row["note"] for row in found if row["measure"] == "hazard_raw")


def test_agents_of_held_schedules_are_attributed(made: Mapping[str, Frames], flags: Run) -> None:
    expected = [row for one in all_held(flags) for row in one.rows()]
    found = rows(made["flags"]["attribution"])
    assert [(row["agent"], row["S"], row["dA"]) for row in found] == [
        (row["agent"], row["S"], row["dA"]) for row in expected
    ]
    assert [row["predictor"] for row in rows(made["flags"]["ranks"])][:2] == ["S", "E"]
    assert rows(made["flags"]["contests"])[-1]["other"] == "random"


def test_a_patch_stands_beside_the_trial_that_it_changes(
    made: Mapping[str, Frames], flags: Run
) -> None:
    found = rows(made["flags"]["patches"])
    assert sorted(row["trial"] for row in found) == sorted(flags.plan.bases)
    for row in found:
        after, before = (flags.file.trial(row[name]) for name in ("trial", "base"))
        assert after.plan.seed == before.plan.seed == row["seed"]
        assert not before.plan.condition["intervention"]
        pairs = zip(before.provided.evidence, after.provided.evidence, strict=True)
        changed = [str(place) for place, (old, new) in enumerate(pairs) if old != new]
        assert row["patched"].split() == changed
        if row["change"] is not None:
            assert row["change"] == pytest.approx(row["after"] - row["before"])


def test_a_patch_is_found_where_numbers_of_plan_and_record_differ(tmp_path: Path) -> None:
    settings = {"N": 4, "rounds": 1, "cast": "A B", "intervention": ["", "a", "b"]}
    study = tmp_path / "study.toml"
    study.write_text(
        'preset = "flag-game/protocols"\n[interventions]\n'
        'a = [{ kind = "evidence", agents = ["0"], view = "0,0" }]\n'
        'b = [{ kind = "evidence", agents = ["1"], view = "0,0" }]\n'
    )
    settings["protocol"] = ["pairwise", "broadcast"]
    with socialcircuits.run(str(study), out=tmp_path / "a.db", seeds=1, settings=settings) as run:
        found = rows(frames(run)["patches"])
        assert len(found) == 4
        for row in found:
            one, two = (run.file.trial(row[name]).plan.condition for name in ("trial", "base"))
            assert one["protocol"] == two["protocol"] == row["protocol"]
            assert (one["intervention"], two["intervention"]) == (row["intervention"], "")


def test_a_ladder_has_five_shares_that_add_up_to_one_on_each_rung(ladder: Run) -> None:
    found = frames(ladder)
    sums: dict[int, float] = {}
    for row in rows(found["ladders"]):
        sums[row["lures"]] = sums.get(row["lures"], 0) + row["value"]
    assert sums == pytest.approx(dict.fromkeys(range(9), 1.0))
    assert [row["measure"] for row in rows(found["yields"])] == ["yield_point", "yielded"]


def test_shares_of_crops_pool_to_the_rival_share_of_their_trial(probed: Run) -> None:
    found = rows(frames(probed)["evidence_share"])
    for one in probed.summaries():
        own = [row for row in found if row["trial"] == one.trial]
        pooled = sum(row["rival_share"] * row["n"] for row in own) / sum(row["n"] for row in own)
        assert pooled == pytest.approx(float(rivalry.MEASURE.value(one) or 0))
        assert [row["crop"] for row in own] == list(range(4))


def test_a_second_run_is_compared_with_the_first(flags: Run, talk: Run, copy: Path) -> None:
    with Run(copy) as same:
        found = rows(frames(same, flags)["deltas"])
        assert found
        assert {row["value"] for row in found} == {0.0}
        assert not {"run", "minus"} & set(found[0])
        for told in rows(frames(same, flags)["told"]):
            assert (told["place"], told["first"]) == (None, told["second"])
        assert str(copy.parent) not in json.dumps(frames(same, flags))
        other = frames(talk, flags)
        assert "deltas" not in other
        assert {row["side"] for row in rows(other["told"])} <= {"first", "second", "both"}


def test_values_of_a_table_are_plain() -> None:
    import numpy as np

    given = [{"a": Fraction(1, 4), "b": np.float64("nan"), "c": np.int64(3), "d": [1, "x"]}]
    frame = framed("t", "n", given)
    assert frame is not None
    assert frame.rows == ((0.25, None, 3.0, '[1,"x"]'),)
    assert framed("t", "n", []) is None
