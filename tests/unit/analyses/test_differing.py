"""The difference of two trials and of two runs, and the paths along which it came."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from socialcircuits.agents import BackEnd
from socialcircuits.analyses.differing import Side, TrialDifference, differ
from socialcircuits.analyses.tracing import Path as TracedPath
from socialcircuits.analyses.tracing import Reread, Trace
from socialcircuits.errors import RunFileError
from socialcircuits.models import Capabilities, Completion, Request, ScriptedModel
from socialcircuits.records import TrialPlan, TrialRecord
from socialcircuits.studies import Builder, Run, run
from tests.support.prompted import TEXT, agreeable
from tests.support.records import alter

SPREADS = 32
"""A study seed at which a change goes from agent to agent."""

Found = dict[tuple[str, str], TrialDifference]

AGENT = "1"
ROUNDS = [2, 3]

CHANGES: dict[str, dict[str, Any]] = {
    "evidence": {"agents": AGENT, "view": "Peru 7,3"},
    "message": {"agents": AGENT, "answer": "lure", "reason": "I saw it.", "rounds": ROUNDS},
    "silence": {"agents": AGENT, "rounds": ROUNDS},
    "forget": {"agents": AGENT, "places": [0, -1], "rounds": ROUNDS},
    "misremember": {"agents": AGENT, "places": [0], "answer": "lure", "rounds": ROUNDS},
    "implant": {"agents": AGENT, "answer": "lure", "rounds": ROUNDS},
    "reorder": {"agents": AGENT, "order": "reversed", "rounds": ROUNDS},
    "cut": {"agents": AGENT, "rounds": ROUNDS},
    "overhear": {"agents": AGENT, "to": ["0", "3"], "rounds": ROUNDS},
    "model": {"agents": AGENT, "model": "B"},
    "brief": {"agents": AGENT, "m": 1},
    "remove": {"agents": AGENT},
}
CAUSES = {
    "evidence": "evidence", "message": "delivery", "silence": "delivery", "forget": "memory",
    "misremember": "memory", "implant": "memory", "reorder": "memory", "cut": "edge",
    "overhear": "edge", "model": "model", "brief": "told", "remove": "absent",
}  # fmt: skip
PROTOCOLS = ("pairwise", "broadcast", "manager")
STUDY = """
seeds = 1
[world]
kind = "flags"
[models]
A = "simulated/literal?social=3000&invalid=80"
{other}
[trial]
N = 5
rounds = 4
memory = 3
retries = 0
stop = 0
[interventions]
{interventions}
[[sweep]]
protocol = {protocols}
intervention = {names}
"""


def toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name} = {toml(one)}" for name, one in value.items()) + "}"
    return json.dumps(value)


def written(path: Path, interventions: dict[str, Any], protocols: tuple[str, ...]) -> Path:
    kinds = {change["kind"] for some in interventions.values() for change in some}
    tables = "\n".join(
        f"{name} = [{', '.join(map(toml, some))}]" for name, some in interventions.items()
    )
    path.write_text(
        STUDY.format(
            interventions=tables,
            other='B = "simulated/sycophantic"' if "model" in kinds else "",
            protocols=toml(list(protocols)),
            names=toml(["", *interventions]),
        )
    )
    return path


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """A base trial and one of each kind of change, in each protocol."""
    folder = tmp_path_factory.mktemp("changed")
    interventions = {kind: [{"kind": kind, **change}] for kind, change in CHANGES.items()}
    study = written(folder / "study.toml", interventions, PROTOCOLS)
    with run(study, out=folder / "a.db") as done:
        yield done


def numbers(done: Run, protocol: str) -> dict[str, int]:
    """Number of the trial of each intervention."""
    return {
        plan.condition["intervention"]: plan.number
        for plan in done.file.plans()
        if plan.condition["protocol"] == protocol
    }


def pair(first: Side, second: Side) -> TrialDifference:
    (found,) = differ(first, second).pairs
    return found


@pytest.fixture(scope="module")
def found(changed: Run) -> Found:
    """The difference of each changed trial from its base, by protocol and kind."""
    together = {}
    for protocol in PROTOCOLS:
        base = numbers(changed, protocol)[""]
        for one in differ(Side(changed, base), Side(changed)).pairs:
            together[protocol, one.condition["intervention"]] = one
    return together


def traced(done: Run, one: int, two: int) -> Trace:
    """Both trials step by step, made of records and setups directly."""
    builder = Builder(done.study)
    planned = {identity(t.plan): t for t in done.plan.trials}
    sides = []
    for number in (one, two):
        record = done.file.trial(number)
        sides.append(Reread(record, builder.build(planned[identity(record.plan)])[0]))
    return Trace(*sides)


def identity(plan: TrialPlan) -> str:
    return json.dumps([dict(plan.condition), plan.seed, plan.role], sort_keys=True)


def named(record: TrialRecord) -> dict[str, int]:
    return {record.graph.step_id(index): index for index in record.outcomes}


def withheld(record: TrialRecord, index: int) -> bool:
    """Whether nobody finds anything at a step, from the data of the intervention alone."""
    step = record.graph.steps[index]
    seat = record.graph.seats[step.seat].key
    for change in record.provided.facts.get("intervention", []):
        low, high = change.get("rounds") or (0, 99)
        if seat == change["agents"] and low <= step.round <= high and step.to:
            if change["kind"] == "silence":
                return True
            if change["kind"] == "message":
                return False
    return not record.outcomes[index].valid


def reads(record: TrialRecord, index: int) -> list[str]:
    """What a step reads by the rules of views, newest first, written down once more."""
    graph, found = record.graph, list[str]()
    step = graph.steps[index]
    for view in step.views:
        taken = 0
        for source in range(index - 1, -1, -1):
            earlier = graph.steps[source]
            own = earlier.seat == step.seat
            if (
                earlier.purpose in view.purposes
                and step.seat in earlier.to
                and (source, step.seat) not in graph.cuts
                and (view.whose == "any" or (view.whose == "own") == own)
                and (view.round == "any" or earlier.round == step.round)
                and not withheld(record, source)
                and taken != view.last
            ):
                taken += 1
                found.append(graph.step_id(source))
    return found


def check_chain(path: TracedPath, first: TrialRecord, second: TrialRecord) -> None:
    """Each hop is read by the next on some side, and those between are said otherwise."""
    sides = [(record, named(record)) for record in (first, second)]
    for source, reader in pairwise(path.hops):
        assert any(
            reader.step in names and source.step in reads(record, names[reader.step])
            for record, names in sides
        )
        assert source.first != source.second
    for hop in path.hops[1:-1]:
        one, two = (record.outcomes.get(names.get(hop.step, -1)) for record, names in sides)
        assert one != two


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("kind", CHANGES)
def test_all_that_differs_comes_from_what_was_changed(
    changed: Run, kind: str, protocol: str
) -> None:
    of = numbers(changed, protocol)
    first, second = (changed.file.trial(of[name]) for name in ("", kind))
    trace = traced(changed, of[""], of[kind])
    asked = [{a.key for a in record.attempts} for record in (first, second)]
    assert bool(trace.differing) == (asked[0] != asked[1])
    for name in trace.differing:
        path = trace.path(name)
        assert path.cause == CAUSES[kind]
        assert path.hops[0].step.split("/")[1] == AGENT
        assert path.hops[-1].step == name
        assert path.ways >= 1
        check_chain(path, first, second)


@pytest.mark.parametrize("kind", CHANGES)
def test_every_kind_changes_something_somewhere(found: Found, kind: str) -> None:
    of_kind = [found[protocol, kind] for protocol in PROTOCOLS]
    assert not all(one.same for one in of_kind)
    for one in of_kind:
        assert one.settings[0] == f'trial.intervention: "" there, "{kind}" now'
        assert one.settings[-1].startswith("changes: [] there, [{")


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_steps_are_counted_as_the_records_have_them(
    changed: Run, found: Found, protocol: str
) -> None:
    of = numbers(changed, protocol)
    for kind in CHANGES:
        change = found[protocol, kind]
        first, second = (changed.file.trial(of[name]) for name in ("", kind))
        one, two = (
            {r.graph.step_id(a.step): (a.key, a.reply) for a in r.attempts} for r in (first, second)
        )
        both = one.keys() & two.keys()
        anew = {name for name in both if one[name][0] != two[name][0]}
        otherwise = {name for name in both if one[name][1] != two[name][1]}
        steps = change.steps
        assert steps.equal == len(both) - len(anew | otherwise)
        assert (steps.anew, steps.otherwise) == (len(anew), len(anew & otherwise))
        assert (steps.first, steps.second) == (len(one) - len(both), len(two) - len(both))
        # Shared steps are not counted as asked; no reply here is asked for a second time.
        assert change.calls[1].asked == sum(not name.startswith("guess") for name in anew)
        assert change.calls[1].reused > 0
        assert change.calls[0].saved == 0
        assert change.accuracy[0] == accuracy(first)
        assert change.accuracy[1] == accuracy(second)


def accuracy(record: TrialRecord) -> float:
    summary = record.summary()
    return sum(answer == summary.truth for answer in summary.final) / len(summary.final)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_beliefs_that_differ_are_those_of_the_readouts(
    changed: Run, found: Found, protocol: str
) -> None:
    of = numbers(changed, protocol)
    for kind in set(CHANGES) - {"remove"}:
        change = found[protocol, kind]
        one, two = (changed.file.trial(of[name]).summary().readouts for name in ("", kind))
        seats = changed.file.trial(of[""]).graph.readout.seats
        expected = {
            changed.file.trial(of[""]).graph.seats[seat].key: since
            for place, seat in enumerate(seats)
            for since in [next((r for r in one if one[r][place] != two[r][place]), None)]
            if since is not None
        }
        assert {belief.agent: belief.since for belief in change.beliefs} == expected
        assert change.agents == len(seats)
        for belief in change.beliefs:
            last = belief.path.hops[-1]
            assert last.step.split("/")[1] == belief.agent
            assert last.round == belief.since
            assert last.first is not None
            assert last.second is not None
            said = [reply.answer if reply.valid else None for reply in (last.first, last.second)]
            assert said == [belief.first[belief.since], belief.second[belief.since]]


def test_who_is_not_there_has_no_belief_to_compare(found: Found) -> None:
    change = found["pairwise", "remove"]
    assert change.agents == 4
    assert AGENT not in {belief.agent for belief in change.beliefs}
    assert change.asked is not None
    assert (change.asked.step, change.asked.second) == (f"guess/{AGENT}/0", None)


def test_the_first_step_that_differs(changed: Run, found: Found) -> None:
    of = numbers(changed, "pairwise")
    for kind in CHANGES:
        change = found["pairwise", kind]
        first, second = (changed.file.trial(of[name]) for name in ("", kind))
        one, two = ({r.graph.step_id(a.step): a for a in r.attempts} for r in (first, second))
        keys = [name for name in one if name not in two or one[name].key != two[name].key]
        said = [name for name in one if name not in two or one[name].reply != two[name].reply]
        assert (change.asked and change.asked.step) == next(iter(keys), None)
        assert (change.said and change.said.step) == next(iter(said), None)


@pytest.fixture(scope="module")
def spread(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """A base trial of many agents, and one in which one of them sees something else."""
    folder = tmp_path_factory.mktemp("spread")
    interventions = {"seen": [{"kind": "evidence", "agents": AGENT, "view": "Peru 7,3"}]}
    study = written(folder / "study.toml", interventions, ("pairwise",))
    settings = {"N": 12, "rounds": 6, "memory": 4}
    with run(study, out=folder / "a.db", seed=SPREADS, settings=settings) as done:
        yield done


def chains(trace: Trace, name: str) -> list[list[str]]:
    """All chains of readings from the changed agent to a step, one by one."""
    one, two = trace.first.record, trace.second.record
    index = named(one)[name]
    seat = one.graph.seats[one.graph.steps[index].seat].key
    found = [[name]] if seat == AGENT else []
    read = reads(one, index), reads(two, index)
    for source in {*read[0], *read[1]}:
        place = named(one)[source]
        said = one.outcomes[place], two.outcomes[place]
        # What is valid on both sides and read on one only was pushed out by something else.
        pushed = (source in read[0]) != (source in read[1]) and said[0].valid and said[1].valid
        if (said[0].text, said[0].valid) != (said[1].text, said[1].valid) and not pushed:
            found += [[*chain, name] for chain in chains(trace, source)]
    return found


def test_the_path_is_the_earliest_of_all_chains(spread: Run) -> None:
    trace = traced(spread, 0, 1)
    found = pair(Side(spread, 0), Side(spread, 1))
    assert max(len(belief.path.hops) for belief in found.beliefs) >= 3
    assert max(belief.path.ways for belief in found.beliefs) >= 2
    place = named(trace.first.record)
    for belief in found.beliefs:
        steps = [hop.step for hop in belief.path.hops]
        all_of_them = chains(trace, steps[-1])
        assert steps in all_of_them
        assert belief.path.ways == len(all_of_them)
        if len(steps) > 1:
            assert place[steps[-2]] == min(place[chain[-2]] for chain in all_of_them)
        check_chain(belief.path, trace.first.record, trace.second.record)


def test_a_message_that_is_withheld_counts_once_for_each_reader(changed: Run) -> None:
    of = numbers(changed, "pairwise")
    trace = traced(changed, of[""], of["silence"])
    first = trace.first.record
    assert trace.differing
    for name in trace.differing:
        assert not trace.said_otherwise(name)
        withdrawn = [
            source
            for source in reads(first, named(first)[name])
            if withheld(trace.second.record, named(first)[source])
        ]
        assert trace.path(name).ways == len(withdrawn)


def test_what_was_forgotten_carries_nothing(tmp_path: Path) -> None:
    forget = {"kind": "forget", "agents": "all", "places": [0]}
    seen = {"kind": "evidence", "agents": AGENT, "view": "Peru 7,3"}
    both = {"before": [forget], "after": [forget, seen]}
    study = written(tmp_path / "study.toml", both, ("pairwise",))
    with run(study, out=tmp_path / "a.db", seed=22, settings={"N": 8, "memory": 4}) as done:
        of = numbers(done, "pairwise")
        trace = traced(done, of["before"], of["after"])
    sides = [(side.record, named(side.record)) for side in (trace.first, trace.second)]
    paths = [trace.path(name) for name in trace.differing]
    assert {path.cause for path in paths} == {"evidence"}
    assert any(len(path.hops) > 1 for path in paths)
    for path in paths:
        for source, reader in pairwise(path.hops):
            kept = (reads(record, names[reader.step])[:-1] for record, names in sides)
            assert any(source.step in one for one in kept)


def test_nothing_differs_between_a_run_and_its_replay(spread: Run, tmp_path: Path) -> None:
    study, replay = spread.path.parent / "study.toml", f"replay/{spread.path}"
    settings = {"N": 12, "rounds": 6, "memory": 4}
    with run(study, model=replay, seed=SPREADS, settings=settings, out=tmp_path / "b.db") as again:
        found = differ(Side(spread), Side(again))
    assert found.same
    assert found.unmatched == (0, 0)
    for one in found.pairs:
        assert (one.asked, one.said, one.beliefs, one.settings) == (None, None, (), ())
        assert one.steps == replace(one.steps, anew=0, otherwise=0, replies=0, first=0, second=0)
        assert one.steps.equal > 0
        assert one.calls[1].asked == 0
        assert one.calls[1].saved == 1


def test_what_both_trials_share_is_no_cause(tmp_path: Path) -> None:
    implant = {"kind": "implant", **CHANGES["implant"]}
    mute = {"kind": "silence", "agents": "2"}
    both = {"before": [implant, mute], "after": [implant, mute, {"kind": "cut", "agents": "3"}]}
    study = written(tmp_path / "study.toml", both, ("pairwise",))
    with run(study, out=tmp_path / "a.db") as done:
        of = numbers(done, "pairwise")
        trace = traced(done, of["before"], of["after"])
        assert trace.differing
        assert {trace.path(name).cause for name in trace.differing} == {"edge"}


def test_an_intervention_is_compared_with_the_base_of_another_run(
    changed: Run, tmp_path: Path
) -> None:
    study = written(tmp_path / "study.toml", {}, PROTOCOLS)
    with run(study, out=tmp_path / "b.db") as base:
        found = differ(Side(base), Side(changed))
        turned = differ(Side(changed), Side(base))
    assert len(found.pairs) == len(turned.pairs) == len(changed.file.plans())
    assert found.unmatched == turned.unmatched == (0, 0)
    assert Counter(one.trials[0] for one in found.pairs) == dict.fromkeys(range(3), 13)
    assert [one.same for one in found.pairs] == [one.same for one in turned.pairs]
    evidence = next(o for o in found.pairs if o.condition["intervention"] == "evidence")
    assert evidence.steps.anew > 0


def test_trials_of_one_side_without_a_counterpart_are_counted(changed: Run) -> None:
    of = numbers(changed, "pairwise")
    found = differ(Side(changed, of[""]), Side(changed))
    assert {one.trials for one in found.pairs} == {(of[""], number) for number in of.values()}
    assert found.unmatched == (0, 26)


def test_the_same_question_may_get_another_reply(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def contrary(request: Request) -> Completion:
        assert request.schema is not None
        said = dict.fromkeys(request.schema["required"], "no")
        said["country"] = request.schema["properties"]["country"]["enum"][-1]
        return Completion(json.dumps(said), "stop")

    study, runs = written(tmp_path / "study.toml", {}, ("pairwise",)), []
    for name, script in (("a", agreeable), ("b", contrary)):
        able = Capabilities(schema=True, images=True)
        model = ScriptedModel(TEXT, script, able)
        monkeypatch.setattr(BackEnd, "_model", lambda self, name, where, model=model: model)
        runs.append(run(study, model=TEXT, out=tmp_path / f"{name}.db"))
    # No key is set and no server stands behind the models: nothing of them is needed.
    monkeypatch.undo()
    found = pair(Side(runs[0]), Side(runs[1]))
    for one in runs:
        one.close()
    assert found.settings == ()
    assert found.steps.equal == 0
    assert found.steps.replies > 0
    assert found.steps.anew > 0
    assert {belief.path.cause for belief in found.beliefs} == {"reply"}
    assert all(len(belief.path.hops) == 1 for belief in found.beliefs if belief.since == 0)


def test_settings_of_runs_are_causes(tmp_path: Path) -> None:
    study = written(tmp_path / "study.toml", {}, ("pairwise",))

    def made(name: str, **settings: Any) -> Run:
        return run(study, settings=settings, out=tmp_path / f"{name}.db")

    expected: dict[str, tuple[dict[str, Any], dict[str, Any], tuple[str, ...]]] = {
        "told": ({"m": 3}, {"m": 1}, ("trial.m: 3 there, 1 now",)),
        "view": ({"memory": 3}, {"memory": 1}, ("trial.memory: 3 there, 1 now",)),
        "draw": ({"retries": [0]}, {"retries": 0}, ()),
    }
    for cause, (there, now, settings) in expected.items():
        with made(f"{cause}-a", **there) as one, made(f"{cause}-b", **now) as two:
            trace = Trace(*(next(rereads(side)) for side in (one, two)))
            assert {trace.path(name).cause for name in trace.differing} == {cause}
            assert pair(Side(one, 0), Side(two, 0)).settings == settings


def rereads(done: Run) -> Iterator[Reread]:
    builder = Builder(done.study)
    for trial in done.plan.trials:
        yield Reread(done.file.trial(trial.plan.number), builder.build(trial)[0])


def test_a_trial_that_ended_earlier(tmp_path: Path) -> None:
    seen = {"sure": [{"kind": "evidence", "agents": "all", "view": "Peru 7,3"}]}
    study = written(tmp_path / "study.toml", seen, ("pairwise",))
    settings = {"stop": 2, "rounds": 8, "truth": "Peru", "models.A": "simulated/literal"}
    with run(study, out=tmp_path / "a.db", settings=settings) as done:
        cuts = [done.file.trial(number).cut for number in (0, 1)]
        found = pair(Side(done, 0), Side(done, 1))
        trace = traced(done, 0, 1)
    assert cuts[1] < cuts[0]
    assert found.steps.first > 0
    assert found.steps.second == 0
    over = [name for name in trace.differing if not trace.on_both(name)]
    assert {trace.path(name).cause for name in over} == {"ended"}
    held = {agent.agent: agent for agent in found.beliefs}
    assert all(max(belief.second) == cuts[1] for belief in held.values())


def test_a_difference_is_json(changed: Run) -> None:
    of = numbers(changed, "pairwise")
    found = differ(Side(changed, of[""]), Side(changed, of["message"]))
    value = json.loads(json.dumps(found.as_json(), allow_nan=False))
    (one,) = value["pairs"]
    assert value["agents"] == [changed.label]
    assert one["trials"] == [of[""], of["message"]]
    assert one["first_asked"]["first"].keys() == {"answer", "valid", "text"}
    assert one["steps"]["anew"] == found.pairs[0].steps.anew
    assert [len(b["path"]["hops"]) for b in one["beliefs"]] == [
        len(b.path.hops) for b in found.pairs[0].beliefs
    ]


def test_trials_that_have_nothing_in_common_are_refused(changed: Run, tmp_path: Path) -> None:
    pairwise, manager = (numbers(changed, name)[""] for name in ("pairwise", "manager"))
    with pytest.raises(RunFileError, match='protocol: "pairwise" there, "manager" now'):
        differ(Side(changed, pairwise), Side(changed, manager))
    study = written(tmp_path / "study.toml", {}, PROTOCOLS)
    others: dict[str, dict[str, Any]] = {
        r"N: 5 there, 6 now": {"settings": {"N": 6}},
        r"seed: 1 there, 2 now": {"seed": 2},
        r"rounds: 4 there, 5 now": {"settings": {"rounds": 5}},
        r"condition\.m: null there, 1 now": {"settings": {"m": [1]}},
    }
    for number, (words, options) in enumerate(others.items()):
        with (
            run(study, out=tmp_path / f"{number}.db", **options) as other,
            pytest.raises(RunFileError, match=words),
        ):
            differ(Side(changed), Side(other))


def test_a_trial_that_is_not_there_is_refused(changed: Run) -> None:
    with pytest.raises(RunFileError, match=r"a\.db: there is no completed trial 99"):
        differ(Side(changed, 0), Side(changed, 99))


def test_a_world_whose_data_have_changed_is_refused(changed: Run, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    copy.write_bytes(changed.path.read_bytes())
    alter(copy, "UPDATE meta SET value = '\"other\"' WHERE name = 'world'")
    with Run(copy) as other, pytest.raises(RunFileError, match=r"copy\.db: the data of its world"):
        differ(Side(changed), Side(other))
