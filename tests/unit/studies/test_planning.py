"""Which trials a study has, what they share, and how many steps they take."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from socialcircuits.graph import Step
from socialcircuits.records import Provided
from socialcircuits.studies import Builder, Plan, Study, count, plan, read
from socialcircuits.studies.planning import Planned
from socialcircuits.trial import Setup, keys

POPULATION, PROTOCOLS = "flag-game/population", "flag-game/protocols"
SMALL = ["N=[4, 8]", "rounds=2"]


def built(study: Study) -> Iterator[tuple[Planned, Setup, Provided]]:
    builder = Builder(study)
    for planned in plan(study).trials:
        yield planned, *builder.build(planned)


def first(study: Study) -> Setup:
    return next(built(study))[1]


@pytest.mark.parametrize(
    ("source", "options", "trials", "steps", "examples"),
    [
        (POPULATION, {}, 243, 638_560, 5_172),
        (POPULATION, {"seeds": 1}, 9, 15_964, 5_172),
        (POPULATION, {"models": {"A": "simulated/sycophantic"}}, 243, 638_560, 5_172),
        (POPULATION, {"seeds": 2, "sets": ["N=[4, 8]"]}, 6, 1_000, 500),
        (PROTOCOLS, {}, 720, 92_400, 0),
        (PROTOCOLS, {"models": {"A": "simulated/literal"}}, 180, 25_560, 0),
        (PROTOCOLS, {"seeds": 1, "sets": ["stop=0", "m=1"]}, 12, 1_540, 0),
    ],
)
def test_the_number_of_steps_is_known_beforehand(
    source: str, options: dict[str, Any], trials: int, steps: int, examples: int
) -> None:
    counted = count(plan(read(source, **options)))
    assert counted.as_json() == {
            "trials": trials, "steps": steps, "example_steps": examples, "stratum_steps": 0,
        }  # fmt: skip


def test_the_count_follows_from_the_protocols() -> None:
    def pairwise(n: int, rounds: int) -> int:
        return n * (rounds + 1) + n * rounds

    sizes = {4: 20, 8: 20, 16: 24, 32: 32, 64: 32, 128: 32}
    one_seed = 128 + sum(pairwise(n, rounds) for n, rounds in sizes.items())
    assert one_seed * 40 == 638_560
    assert 64 + pairwise(4, 20) + pairwise(16, 24) + pairwise(64, 32) == 5_172
    seats, broadcast, manager = 8 * 2, 8 * 2 * 10, (8 + 1) * 10
    assert 60 * (seats + 3 * pairwise(8, 10) + 3 * broadcast + 6 * manager) == 92_400


def test_two_names_of_one_model_share_their_guesses() -> None:
    same = {"A": "simulated/literal", "B": "simulated/literal"}
    study = read(PROTOCOLS, seeds=1, models=same)
    known = {key for _, setup, _ in built(study) for key in keys(setup.shared_only())}
    assert len(known) == 8
    assert count(plan(study)).steps == 1_524 + len(known)


def test_trials_are_numbered_and_grouped_by_replicate() -> None:
    laid = plan(read(POPULATION, seeds=3, sets=["N=[4, 8]"]))
    assert [t.plan.number for t in laid.trials] == list(range(8))
    groups = [[(t.plan.seed, t.plan.role, t.cell.trial.N) for t in g.trials] for g in laid.groups]
    assert groups[:3] == [[(s, "estimate", 4), (s, "estimate", 8)] for s in (1, 2, 3)]
    assert groups[3] == [(1, "example", 4), (1, "example", 8)]
    assert [cell.condition for cell in laid.cells] == [{"N": 4}, {"N": 8}]


def test_the_condition_enters_the_trial_seed_and_models_do_not() -> None:
    def seeds(study: Study) -> list[tuple[bytes, bytes]]:
        return [(setup.shared_seed, setup.trial_seed) for _, setup, _ in built(study)]

    base = seeds(read(POPULATION, seeds=2, sets=SMALL))
    assert len({trial for _, trial in base}) == len(base) == 6
    # Two replicates, and the examples: their truth is set, which makes it another item.
    assert len({shared for shared, _ in base}) == 3
    same = [
        read(POPULATION, seeds=2, sets=SMALL, models={"A": "simulated/sycophantic"}),
        read(POPULATION, seeds=2, sets=[*SMALL, "name=other", "about=other", "figures=[]"]),
    ]
    assert [seeds(study) for study in same] == [base, base]
    more = seeds(read(POPULATION, seeds=3, sets=SMALL))
    assert more[:4] + more[6:] == base
    other = seeds(read(POPULATION, seeds=2, sets=SMALL, seed=2))
    assert not {trial for _, trial in other} & {trial for _, trial in base}
    swept = seeds(read(POPULATION, seeds=2, sets=[*SMALL, "m=[1, 3]"]))
    examples = {trial for _, trial in base[4:]}
    assert {trial for _, trial in swept} & {trial for _, trial in base} == examples
    assert {shared for shared, _ in swept} == {shared for shared, _ in base}


def test_schedules_are_shared_between_casts_uptakes_bandwidths_and_models() -> None:
    sets = ["protocol=pairwise", "alpha=[0, 1]", "m=[1, 3]", "rounds=3"]
    steps = set()
    for models in (None, {"A": "simulated/sycophantic", "B": "simulated/literal"}):
        study = read(PROTOCOLS, seeds=1, sets=sets, models=models)
        cells = [(planned.cell, setup) for planned, setup, _ in built(study)]
        assert {cell.trial.cast for cell, _ in cells} == {"A", "A B", "B"}
        steps |= {setup.graph.steps for _, setup in cells}
    assert len(steps) == 1


def messages(setup: Setup) -> list[Step]:
    return [step for step in setup.graph.steps if step.purpose == "message"]


def test_schedules_differ_between_replicates_sizes_and_lengths() -> None:
    def schedule(*sets: str, **options: Any) -> list[Step]:
        return messages(first(read(POPULATION, sets=["N=[8]", *sets], **options)))

    base = schedule("rounds=3")
    assert schedule("rounds=3", seeds=2) == base
    assert schedule("rounds=3", seed=2) != base
    assert schedule("rounds=4")[: len(base)] != base
    trials = [messages(s) for _, s, _ in built(read(POPULATION, seeds=2, sets=["N=[8]"]))]
    assert trials[0] != trials[1]


def test_crops_nest_over_group_sizes_and_protocols() -> None:
    sets = ["N=[4, 8, 16]", "rounds=1", "pool=stripe24"]
    dealt: dict[int, list[list[str]]] = {}
    truths: dict[int, set[str]] = {}
    for planned, _, given in built(read(PROTOCOLS, seeds=3, sets=sets)):
        crops = [key for key in given.evidence if key]
        assert len(crops) == planned.cell.trial.N
        dealt.setdefault(planned.plan.seed, []).append(crops)
        truths.setdefault(planned.plan.seed, set()).add(given.facts["truth"])
    longest = {seed: max(several, key=len) for seed, several in dealt.items()}
    for seed, several in dealt.items():
        assert all(crops == longest[seed][: len(crops)] for crops in several)
        assert len(truths[seed]) == 1
        assert len(several) == 12 * 3
    assert len({tuple(crops) for crops in longest.values()}) == 3


def test_isolated_guesses_have_one_key_in_all_conditions() -> None:
    sets = ["N=[4, 8]", "rounds=1", "alpha=['off', 0, 1]", "m=[1, 3]"]
    study = read(PROTOCOLS, seeds=1, sets=sets)
    by_seat: dict[tuple[str, str], set[bytes]] = {}
    for _, setup, given in built(study):
        seats = [seat.key for seat in setup.graph.seats if seat.role == "observer"]
        for name, mind, key in zip(seats, given.minds, keys(setup.shared_only()), strict=False):
            by_seat.setdefault((name, mind), set()).add(key)
    assert len(by_seat) == 16
    assert all(len(found) == 1 for found in by_seat.values())
    assert count(plan(study)).steps - sum(steps_of(plan(study))) == 16


def steps_of(laid: Plan) -> list[int]:
    """Number of steps of each trial that are not shared."""
    builder = Builder(laid.study)
    return [sum(not s.shared for s in builder.graph(t).steps) for t in laid.trials]


def test_a_record_says_what_was_delivered_in_place_of_what_was_said(tmp_path: Path) -> None:
    said = "{ kind = 'message', step = 'message/2/0', answer = 'truth', reason = 'So.' }"
    lines = ["preset = 'deliberation/withheld'", "[interventions]", f"other = [{said}]"]
    (tmp_path / "it.toml").write_text("\n".join(lines))
    sets = ["rounds=2", "intervention=['', 'honest', 'round-1', 'silent', 'other']"]
    found = {
        planned.cell.trial.intervention: (setup, given.facts)
        for planned, setup, given in built(read(str(tmp_path / "it.toml"), seeds=1, sets=sets))
    }
    delivered = {name: facts.get("delivered") for name, (_, facts) in found.items()}
    setup, facts = found[""]
    one = next(i for i, brief in enumerate(setup.briefs) if brief.role == "deceiver")
    silent = [f"message:first/{one}/0", f"message/{one}/0", f"message/{one}/1"]
    assert delivered == {
        "": None,
        "honest": None,
        "round-1": {silent[1]: None},
        "silent": dict.fromkeys(silent),
        "other": {"message/2/0": {"answer": facts["truth"], "reason": "So."}},
    }


def test_seats_get_their_models_briefs_and_evidence() -> None:
    study = read(PROTOCOLS, seeds=1, sets=["alpha=0.25", "m=1", "cast='3A 5B'"])
    for planned, setup, given in built(study):
        names = [mind.id.split("(")[0].removeprefix("simulated/") for mind in setup.minds]
        assert names[:8] == ["literal"] * 3 + ["compatibility"] * 5
        assert {(brief.bandwidth, brief.uptake) for brief in setup.briefs} == {(1, 250)}
        assert all(seen is not None for seen in setup.evidence[:8])
        if planned.cell.trial.protocol == "manager":
            chosen = {"A": "literal", "B": "compatibility"}[planned.cell.trial.manager]
            assert names[8:] == [chosen]
            assert setup.evidence[8] is None
            assert setup.briefs[8].role == "manager"
        assert given.minds == tuple(mind.id for mind in setup.minds)


def test_each_seat_is_told_the_answers_in_an_order_of_its_own() -> None:
    setups = [setup for _, setup, _ in built(read(POPULATION, seeds=2, sets=["N=[4, 8]"]))]
    few, many = setups[0], setups[1]
    assert few.answers == many.answers[:4]
    assert len(set(many.answers)) == 8
    assert len({tuple(sorted(told)) for told in many.answers}) == 1
    assert setups[2].answers != few.answers


def test_a_truth_that_is_given_is_kept() -> None:
    trials = [(p, given) for p, _, given in built(read(POPULATION, seeds=1, sets=["N=[4]"]))]
    assert [given.facts["truth"] for p, given in trials if p.plan.role == "example"] == ["France"]
