"""Attribution of trials: read where a run holds it, else asked, and equal to a naive run."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from socialcircuits.analyses.attributing import Attributed, Question, attribute
from socialcircuits.analyses.ranking import rank
from socialcircuits.errors import SettingError
from socialcircuits.records import RunFile
from socialcircuits.studies import Run, execute, plan, run
from socialcircuits.studies.patching import find, patched

SMALL: dict[str, Any] = {"N": [4], "rounds": 3, "stop": 0, "truth": "Germany"}


def base(out: Path, settings: Mapping[str, Any] = {}) -> Path:
    """A small run without interventions."""
    run("flag-game/population", out=out, seeds=2, settings={**SMALL, **settings}).close()
    return out


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return base(tmp_path_factory.mktemp("original") / "run.db")


@pytest.fixture(scope="module")
def found(original: Path) -> Attributed:
    question = Question(0, "9,3", direct=True, shapley=6)
    return attribute(original, question, original.parent / "attributed.db")


@pytest.fixture(scope="module")
def preset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("preset") / "run.db"
    run("flag-game/patching", out=out, seeds=3, settings={"rounds": 3}).close()
    return out


def accuracy(file: RunFile, number: int) -> float:
    final = file.trial(number).summary().final
    return final.count("Germany") / len(final)


def test_effects_are_those_of_a_naive_run(
    original: Path, found: Attributed, tmp_path: Path
) -> None:
    changes = {str(i): [{"kind": "evidence", "agents": str(i), "view": "9,3"}] for i in range(4)}
    with Run(original) as before:
        study = patched(before, find(before, 0), changes)
    execute(plan(study), tmp_path / "naive.db")
    with RunFile(tmp_path / "naive.db") as naive:
        was, *now = (accuracy(naive, number) for number in range(5))
    [one] = found.found
    assert one.accuracy == was
    assert [row.effect for row in one.scores] == [after - was for after in now]
    assert any(row.effect for row in one.scores)


def test_only_what_changes_is_asked(original: Path, found: Attributed) -> None:
    with RunFile(found.path) as file, RunFile(original) as before:
        base_trial = file.trial(0)
        assert base_trial.digest == before.trial(0).digest
        assert base_trial.counts["made"] == 0
        assert file.notes["origin"] == str(original)
    assert 0 < found.saved < 1
    assert found.reused > base_trial.counts["reused"]


def test_the_table_holds_what_was_measured(found: Attributed) -> None:
    [one] = found.found
    table = one.table()
    assert table["agent"].tolist() == [0, 1, 2, 3]
    assert (one.truth, one.view, one.trial, one.seed) == ("Germany", "9,3", 0, 1)
    # A simulated agent gives its odds, so that dp is exact.
    assert one.probes is None
    gains = (table["informative_correct"] - table["original_correct"]) / 10
    assert table["dp"].tolist() == pytest.approx(gains.tolist())
    assert table["S"].tolist() == pytest.approx((table["dp"] * table["E"]).tolist())
    assert (table["direct"] + table["relayed"]).tolist() == pytest.approx(table["dA"].tolist())
    assert table["rank_S"].sum() == table["rank_dA"].sum() == 10
    assert (table["E"] >= 4 / table["D"]).all() or table["unreached"].any()


def test_shapley_values_of_few_agents_are_exact_and_add_up(found: Attributed) -> None:
    table = found.found[0].table()
    assert table["shapley_error"].tolist() == [0.0] * 4
    with Run(found.path) as done:
        everybody = next(p.number for p in done.file.plans()
                         if p.condition.get("intervention") == "patch 0 1 2 3")  # fmt: skip
        gained = accuracy(done.file, everybody) - found.found[0].accuracy
    assert table["shapley"].sum() == pytest.approx(gained)


def test_a_direct_effect_holds_what_all_others_said(original: Path, found: Attributed) -> None:
    with Run(found.path) as done, Run(original) as before:
        was = before.file.trial(0)
        for plan_ in done.file.plans():
            name = str(plan_.condition.get("intervention", ""))
            if not name.startswith("direct "):
                continue
            agent, now = int(name.removeprefix("direct ")), done.file.trial(plan_.number)
            steps = now.graph.steps
            hears = {r for s in steps if s.purpose == "message" and s.seat == agent for r in s.to}
            last = [i for i, s in enumerate(steps) if s.purpose == "probe" and s.round == 3]
            same = [steps[i].seat for i in last if now.outcomes[i] == was.outcomes[i]]
            assert set(range(4)) - hears - {agent} <= set(same)


def test_the_same_question_again_asks_nobody(original: Path, found: Attributed) -> None:
    held = found.path.read_bytes()
    again = attribute(found.path, Question(0, "9,3", direct=True, shapley=6))
    assert (again.asked, again.reused, again.saved) == (0, 0, 1.0)
    assert again.found[0].as_json() == found.found[0].as_json()
    assert found.path.read_bytes() == held


def test_a_patching_run_is_read(preset: Path, tmp_path: Path) -> None:
    [one] = attribute(preset, Question(0), tmp_path / "none.db").found
    assert not (tmp_path / "none.db").exists()
    assert (one.view, one.probes, len(one.scores)) == ("9,3", 10, 8)
    correct = [row["original_correct"] for row in one.rows()]
    # Probes of equal crops count together: ten or a multiple.
    with RunFile(preset) as file:
        seen = file.trial(0).provided.evidence
    assert len({(key, value) for key, value in zip(seen, correct, strict=True)}) == len(set(seen))


def test_patches_that_a_run_holds_are_not_asked_again(preset: Path, tmp_path: Path) -> None:
    found = attribute(preset, Question(0, direct=True), tmp_path / "more.db")
    with RunFile(found.path) as file:
        made = {p.condition["intervention"]: file.trial(p.number).counts["made"]
                for p in file.plans() if p.condition["protocol"] == "pairwise"}  # fmt: skip
    assert all(made[f"A{agent}"] == 0 for agent in range(8))
    assert sum(made.values()) > 0


def test_all_replicates_of_a_condition(preset: Path) -> None:
    found = attribute(preset, Question(0, every=True))
    assert [one.seed for one in found.found] == [1, 2, 3]
    assert found.found[0].as_json() == attribute(preset, Question(0)).found[0].as_json()
    assert rank(found.found).schedules == 3


def test_the_informative_view_is_the_first_that_allows_the_truth_alone(
    original: Path, tmp_path: Path
) -> None:
    [one] = attribute(original, Question(1), tmp_path / "run.db").found
    assert one.view == "0,2"
    assert one.scores[0].informative > 0.99


def test_without_such_a_view_one_must_be_named(tmp_path: Path) -> None:
    out = base(tmp_path / "run.db", {"truth": "Austria", "world.pool": "paper28"})
    with pytest.raises(SettingError, match=r"--view.*none that a seat can see allows Austria"):
        attribute(out, Question(0))


@pytest.mark.parametrize("protocol", ["manager", "broadcast"])
def test_other_protocols(tmp_path: Path, protocol: str) -> None:
    settings = {"protocol": [protocol], "alpha": ["off"], "m": [1], "cast": "A"}
    out = base(tmp_path / "run.db", settings)
    [one] = attribute(out, Question(0, direct=True), tmp_path / "found.db").found
    assert len(one.scores) == 4
    assert {row.unreached for row in one.scores} == {0}
    assert {row.effect for row in one.scores} <= {k / 4 for k in range(-4, 5)}


def test_each_model_of_a_mixed_cast_is_probed(tmp_path: Path) -> None:
    out = tmp_path / "run.db"
    models = {"A": "simulated/literal", "B": "simulated/literal?error=-2000"}
    run("flag-game/population", model=models, out=out, seeds=1,
        settings={**SMALL, "cast": ["3A 1B"]}).close()  # fmt: skip
    [one] = attribute(out, Question(0, "9,3"), tmp_path / "found.db").found
    informative = [row.informative for row in one.scores]
    assert informative[0] == informative[1] == informative[2] != informative[3]


def test_what_cannot_be_attributed_is_refused(preset: Path, tmp_path: Path) -> None:
    with Run(preset) as done:
        numbers = {(p.condition["protocol"], p.condition["intervention"]): p.number
                   for p in done.file.plans() if p.seed == 2}  # fmt: skip
    bases = numbers["pairwise", ""]
    with pytest.raises(SettingError, match=f"a trial without intervention: {bases}$"):
        attribute(preset, Question(numbers["pairwise", "A3"]))
    with pytest.raises(SettingError, match="agents speak to each other"):
        attribute(preset, Question(numbers["isolated", ""]))
    with pytest.raises(SettingError, match="one trial at a time"):
        attribute(preset, Question(0, direct=True, every=True))
    with pytest.raises(SettingError, match="an even number from 4"):
        attribute(preset, Question(0, shapley=3))
    drawn = base(tmp_path / "drawn.db", {"truth": ""})
    with pytest.raises(SettingError, match="one truth in all replicates"):
        attribute(drawn, Question(0, every=True))
    with pytest.raises(SettingError, match="not an example"):
        attribute(drawn, Question(2))


def test_a_tree_has_a_row_a_seat(found: Attributed) -> None:
    [one] = found.found
    for agent in range(4):
        tree = one.tree(agent).set_index("agent")
        assert tree.index.tolist() == [0, 1, 2, 3]
        assert tree.loc[agent, "time"] == 0
        reached = tree[tree["speaker"].notna()]
        assert len(reached) == 3 - one.scores[agent].unreached
        assert reached["position"].between(0, 1).all()
        # Four messages a round, so that time, round and place within the round say the same.
        place = 4 * (reached["round"] - 1) + 3 * reached["position"] + 1
        assert place.astype(float).tolist() == pytest.approx(reached["time"].tolist())
