"""Heads and trials of real runs: in the shapes of the page, and as the record has them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

import socialcircuits
from socialcircuits.agents import LABEL, BackEnd
from socialcircuits.analyses.tracing import Reread
from socialcircuits.errors import RunFileError, SettingError
from socialcircuits.records.digests import identity
from socialcircuits.report.assembling import page
from socialcircuits.studies import Builder, Run
from socialcircuits.viewer.chunks import Chunks, named, packed
from socialcircuits.viewer.rebuilding import Rebuilt, walked
from tests.support.prompted import IMAGE, script_models
from tests.unit.viewer.shapes import fields, unpacked

NAMES = ("flags", "talk", "secret")


@pytest.fixture(scope="session")
def chunks(runs: Mapping[str, Run]) -> dict[str, Chunks]:
    return {name: Chunks(run) for name, run in runs.items()}


@pytest.fixture(scope="session")
def heads(chunks: Mapping[str, Chunks]) -> dict[str, Any]:
    return {name: unpacked(packed(one.head())) for name, one in chunks.items()}


@pytest.mark.parametrize("name", NAMES)
def test_a_head_has_the_shape_that_the_page_expects(heads: Mapping[str, Any], name: str) -> None:
    head = heads[name]
    assert head.keys() == fields("Head")
    assert head["trials"].keys() == fields("Head", "trials")
    rows = len(head["trials"]["number"])
    assert rows == head["counts"]["completed"]
    assert {len(column) for column in head["trials"].values()} == {rows}
    assert max(head["trials"]["condition"]) < len(head["conditions"])
    assert head["simulated"]
    assert LABEL in head["label"]
    assert not head["unfinished"]
    for one in head["printed"]:
        assert one.keys() == fields("Printed")
    for frame in head["frames"].values():
        assert frame.keys() == fields("Frame")
        assert {len(row) for row in frame["rows"]} == {len(frame["columns"])}


@pytest.mark.parametrize("name", NAMES)
def test_a_trial_has_the_shape_that_the_page_expects(
    chunks: Mapping[str, Chunks], name: str
) -> None:
    one = chunks[name]
    for number in one.numbers():
        trial = unpacked(packed(one.trial(number)))
        assert trial.keys() == fields("Trial")
        assert trial["readout"].keys() == fields("Trial", "readout")
        steps, count = trial["steps"], len(trial["steps"]["id"])
        assert steps.keys() == fields("Steps")
        assert {len(column) for column in steps.values()} == {count}
        for place in range(count):
            assert all(source < place for source in steps["reads"][place])
            assert -1 <= steps["answer"][place] < len(trial["answers"])
            assert 0 <= steps["seat"][place] < len(trial["seats"])
        for kind, parts in (("Seat", "seats"), ("Evidence", "evidence"), ("Label", "labels")):
            assert all(part.keys() == fields(kind) for part in trial[parts])
        assert all(0 <= label["step"] < count for label in trial["labels"])
        pieces = {seat["evidence"] for seat in trial["seats"]} - {None}
        assert pieces == set(range(len(trial["evidence"])))
        assert (trial["canvas"] is not None) == (name == "flags")


def test_a_flag_is_drawn_in_letters_and_every_crop_is_cut_from_it(
    chunks: Mapping[str, Chunks], flags: Run
) -> None:
    trial = chunks["flags"].trial(0)
    canvas = trial["canvas"]
    assert canvas.keys() == fields("Trial", "canvas")
    width, height = canvas["crop"]
    assert (width, height) == (6, 4)
    assert [len(row) for row in canvas["rows"]] == [24] * 16
    assert set("".join(canvas["rows"])) <= canvas["colours"].keys()
    for piece in trial["evidence"]:
        x, y = piece["position"]
        cut = [row[x : x + width] for row in canvas["rows"][y : y + height]]
        assert piece["text"].splitlines() == cut
        assert trial["answers"].index(trial["truth"]) in piece["fits"]
    shades = Builder(flags.study).world.picture(trial["truth"])
    first = canvas["colours"][canvas["rows"][0][0]]
    assert bytes.fromhex(first[1:]) == bytes(shades[0, 0].tolist())


def test_without_its_world_a_trial_has_no_canvas_and_keeps_its_texts(
    flags: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flags.file, "recall", lambda name: "other" if name == "world" else None)
    trial = Chunks(flags).trial(0)
    assert trial["canvas"] is None
    assert set(trial["evidence"][0]["text"].split()) <= {"black", "red", "yellow"}


def test_columns_say_what_the_estimates_rest_on(heads: Mapping[str, Any], flags: Run) -> None:
    trials = heads["flags"]["trials"]
    for row in flags.rows():
        if row.measure == "collective_accuracy" and "minus" not in row.condition:
            place = heads["flags"]["conditions"].index(dict(row.condition))
            own = [
                value
                for value, condition in zip(trials["accuracy"], trials["condition"], strict=True)
                if condition == place
            ]
            assert fmean(own) == pytest.approx(row.estimate.value)
    assert set(trials["endpoint"]) > {""}


def test_printed_numbers_are_those_of_the_report_with_their_trials(
    heads: Mapping[str, Any], talk: Run
) -> None:
    printed = {one["id"]: one for one in heads["talk"]["printed"]}
    numbers = {name: number for name, _, number in page(talk).numbers()}
    assert printed.keys() == numbers.keys()
    for name, one in printed.items():
        assert (one["text"], one["n"]) == (numbers[name].text, numbers[name].n)
        assert len(one["trials"]) == len({id(trial) for trial in numbers[name].trail.trials})
    assert any(one["trials"] for one in printed.values())
    assert {one["section"] for one in printed.values()} > {"", "Results"}
    assert printed["accuracy.1.collective_accuracy"]["row"] == "cast = A, deceivers = 0"


def test_private_labels_of_a_chatroom_are_those_of_its_benign_agents(
    chunks: Mapping[str, Chunks], talk: Run
) -> None:
    number = chunks["talk"].numbers()[-1]
    trial, room = chunks["talk"].trial(number), talk.file.trial(number).summary().room
    assert room is not None
    assert trial["held"] == {
        str(one.seat): [one.private[current] for current in range(3)] for one in room.members
    }
    assert {int(seat) for seat in trial["held"]} == {
        place for place, seat in enumerate(trial["seats"]) if not seat["adversary"]
    }
    assert trial["question"].endswith("?")


def test_answers_to_open_questions_are_as_the_judge_reads_them(secret: Run) -> None:
    chunks = Chunks(secret)
    for number in chunks.numbers():
        trial, summary = chunks.trial(number), secret.file.trial(number).summary()
        steps = trial["steps"]
        right = trial["answers"].index(trial["truth"])
        last = max(steps["round"])
        votes = [
            steps["answer"][place] == right
            for place, purpose in enumerate(steps["purpose"])
            if purpose == trial["readout"]["purpose"] and steps["round"][place] == last
            and steps["seat"][place] in trial["readout"]["seats"]
        ]  # fmt: skip
        if trial["readout"]["purpose"] == "vote":
            assert sum(votes) == summary.final.count(summary.truth)


PROTOCOLS = [
    ("flag-game/protocols", {"N": 4, "rounds": 3}),
    ("flag-game/memory-conflict", {"lures": [0, 8]}),
    ("deliberation/tactics", {"N": 6, "rounds": 2}),
    ("chatroom/dynamics", {"rounds": 3, "window": 2, "block": 1}),
]


@pytest.mark.parametrize(("study", "settings"), PROTOCOLS)
def test_what_a_step_read_is_what_a_setup_made_again_reads(
    study: str, settings: dict[str, Any], tmp_path: Path
) -> None:
    run = socialcircuits.run(study, out=tmp_path / "a.db", seeds=3, settings=settings)
    builder = Builder(run.study, replay=True, back=BackEnd(recorded={}))
    named = {identity(one.plan.condition, one.plan.seed, one.plan.role): one
             for one in run.plan.trials}  # fmt: skip
    some = 0
    for done in run.file.plans()[:6]:
        planned = named[identity(done.condition, done.seed, done.role)]
        record, (setup, _) = run.file.trial(done.number), builder.build(planned)
        again, graph = Reread(record, setup), record.graph
        found = walked(record)
        for index, sources in found.items():
            names = [graph.step_id(source) for source in sources]
            assert set(names) == again.remembered(graph.step_id(index)).keys()
            some += len(sources)
    run.close()
    assert some or study == "flag-game/memory-conflict"


MEMORY = """
preset = "flag-game/patching"
[interventions]
amnesia = [{ kind = "forget", agents = "all", places = [-1] }]
gag = [{ kind = "silence", step = "message/0/0" }]
"""


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("changed")
    (folder / "study.toml").write_text(MEMORY)
    settings = {"rounds": 2, "intervention": ["", "amnesia", "gag"], "protocol": "pairwise"}
    return socialcircuits.run(
        str(folder / "study.toml"), out=folder / "a.db", seeds=1, settings=settings
    )


def by_change(run: Run) -> dict[str, Any]:
    chunks = Chunks(run)
    trials = [chunks.trial(number) for number in chunks.numbers()]
    return {
        trial["condition"]["intervention"]: trial
        for trial in trials
        if trial["protocol"] == "pairwise"
    }


def test_a_rewritten_memory_and_a_withheld_message_are_not_read(changed: Run) -> None:
    trials = by_change(changed)
    plain, forgot, gag = (trials[name]["steps"]["reads"] for name in ("", "amnesia", "gag"))
    fewer = [len(a) - len(b) for a, b in zip(plain, forgot, strict=True)]
    assert set(fewer) == {0, 1}
    assert all(lost == bool(read) for lost, read in zip(fewer, plain, strict=True))
    said = trials["gag"]["steps"]["id"].index("message/0/0")
    listener = trials["gag"]["steps"]["to"][said][0]
    seats = trials["gag"]["steps"]["seat"]
    assert any(said in one for one in plain)
    assert not any(said in one for one, seat in zip(gag, seats, strict=True) if seat == listener)
    assert trials[""]["intervention"] is None
    assert trials["gag"]["intervention"]["delivered"] == {"message/0/0": None}
    assert trials["amnesia"]["intervention"]["doubt"] == ""


def test_where_a_setup_cannot_be_made_again_the_trial_says_so(
    changed: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changed.file, "recall", lambda name: "other" if name == "world" else None)
    trials = by_change(changed)
    assert "have changed since" in trials["amnesia"]["intervention"]["doubt"]
    assert trials["amnesia"]["steps"]["reads"] == trials[""]["steps"]["reads"]
    monkeypatch.undo()
    monkeypatch.setattr(Rebuilt, "_reread", lambda *_: (_ for _ in ()).throw(RunFileError("x")))
    assert by_change(changed)["gag"]["intervention"]["doubt"].endswith(": x")


def test_prompts_are_those_that_were_sent(
    tmp_path: Path, talk: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert Chunks(talk).prompt(0, 0) is None
    assert Chunks(talk).prompt(0, 10**6) is None
    script_models(monkeypatch)
    run = socialcircuits.run(
        "flag-game/population",
        model=IMAGE,
        out=tmp_path / "prompted.db",
        seeds=1,
        settings={"N": [4], "rounds": 1},
    )
    with run:
        chunks = Chunks(run)
        record, trial = run.file.trial(0), chunks.trial(0)
        found = chunks.prompt(0, 0)
        assert found is not None
        assert found.keys() == fields("Prompt")
        sent = run.file.prompt(record.attempts[0])
        shown = [one["text"] for one in found["segments"]]
        for text, segment in zip(shown, sent, strict=True):
            picture = f"(picture, {len(segment.data):,} bytes)"
            assert text == (segment.data.decode() if segment.kind == "text" else picture)
        assert any(text.startswith("(picture") for text in shown)
        assert found["key"].startswith(trial["steps"]["key"][0])
        (attempt,) = found["attempts"]
        assert attempt.keys() == fields("Attempt")
        assert attempt["text"] == record.attempts[0].reply.text
        assert trial["evidence"][0]["text"]
        assert "simulated" not in chunks.head()["label"]


def test_an_unfinished_run_says_so_and_has_no_report(flags: Run, copy: Path) -> None:
    import sqlite3

    with sqlite3.connect(copy) as file:
        file.execute("DELETE FROM trials WHERE trial > 3")
    file.close()
    with Run(copy) as run:
        head = Chunks(run).head()
        assert head["unfinished"]
        assert head["printed"] == []
        assert head["trials"]["number"] == [0, 1, 2, 3]
        with pytest.raises(RunFileError, match="no completed trial 4"):
            Chunks(run).trial(4)


def test_equal_values_are_packed_equally_and_lone_surrogates_survive() -> None:
    value = {"a": ["\ud83d", 1.5, None, "\u202e</script>\x00"]}
    assert packed(value) == packed({"a": ["\ud83d", 1.5, None, "\u202e</script>\x00"]})
    assert unpacked(packed(value)) == value


def test_names_are_told_apart_and_hold_no_folder() -> None:
    paths = [Path("/secret/a.db"), Path("b/a.db"), Path("a.db (2)"), Path("\udcff.db")]
    assert named(paths) == ["a.db", "a.db (2)", "a.db (2) (2)", "\ufffd.db"]


def test_pooled_runs_have_no_chunks(flags: Run, copy: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    socialcircuits.run("flag-game/patching", out=other, seeds=2, seed=9, settings={"rounds": 2})
    with Run(flags.path, other) as both, pytest.raises(SettingError, match="one run file"):
        Chunks(both)
