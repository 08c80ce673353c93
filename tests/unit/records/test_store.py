"""Writing and reading run files, and refusing those that are none."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from socialcircuits.errors import RunFileError
from socialcircuits.graph import Reply, Settings
from socialcircuits.records import RunFile, RunStore, TrialJournal, TrialPlan, shared_by
from socialcircuits.records.schema import APPLICATION, VERSION
from socialcircuits.records.tables import TABLES, table
from socialcircuits.seeds import Stream
from socialcircuits.trial import play, play_waiting
from tests.support.clock import run
from tests.support.minds import Waiting
from tests.support.records import STUDY, alter, provided, write
from tests.support.trials import Gossip, draws, played_by, trial

PLAN = TrialPlan(0, {"N": 4}, seed=1)


@pytest.fixture(name="path")
def a_path(tmp_path: Path) -> Path:
    return tmp_path / "run.db"


def store(path: Path, study: dict[str, Any] | None = None) -> RunStore:
    return RunStore(path, study or STUDY, {}, paid=True)


def test_what_is_written_is_read(path: Path) -> None:
    written = write(path)
    with RunFile(path) as file:
        assert file.study == STUDY
        assert file.notes == {"python": "3"}
        assert file.plans() == [plan for plan, _, _ in written]
        for record, (plan, setup, played) in zip(file.trials(), written, strict=True):
            assert record.plan == plan
            assert record.graph == setup.graph
            assert tuple(record.attempts) == played.attempts
            assert record.cut == played.cut
            assert record.provided == provided(setup)
            assert record.counts == {
                "made": played.made,
                "reused": 0,
                "invalid": played.invalid,
                "voided": 0,
                "repeated": 0,
                "prompt": 0,
                "completion": 0,
                "cost": 0,
            }
            for seen in setup.evidence:
                assert seen is None or file.content(seen.key).decode() == seen.text()
        assert file.calls()["made"] == sum(played.made for _, _, played in written)
        assert file.statuses() == {"completed": 3}
        assert file.failures() == []


def test_the_same_trials_in_another_order_have_the_same_digests(tmp_path: Path) -> None:
    paths = [tmp_path / "a.db", tmp_path / "b.db"]
    write(paths[1], write(paths[0])[::-1])
    first, second = (RunFile(path).digests() for path in paths)
    assert first == second
    assert set(first) == {"run", "labels", "public"}


def test_a_finished_run_is_one_plain_file(path: Path) -> None:
    write(path)
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    assert sqlite3.connect(path).execute("PRAGMA journal_mode").fetchone() == ("delete",)


def test_a_summary_has_what_measures_need(path: Path) -> None:
    (_, setup, played), *_ = write(path)
    with RunFile(path) as file:
        summary = file.trial(0).summary()
    standing = {a.step: a.reply for a in played.attempts}
    steps = setup.graph.steps
    assert summary.guesses == tuple(
        standing[i].answer for i, step in enumerate(steps) if step.purpose == "guess"
    )
    assert set(summary.readouts) == set(range(played.cut + 1))
    assert summary.final == tuple(
        standing[i].answer
        for i, step in enumerate(steps)
        if (step.purpose, step.round) == ("probe", played.cut)
    )
    assert (summary.truth, summary.bearers, summary.rounds) == ("Peru", 3, 2)
    assert summary.asked == len(played.attempts)
    assert summary.invalid == sum(not a.reply.valid for a in played.attempts) > 0


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("PRAGMA application_id = 1", "not a run file of socialcircuits"),
        (f"PRAGMA user_version = {VERSION + 1}", f"version {VERSION + 1}; .* reads version 1"),
        ("PRAGMA user_version = 0", "run file of version 0; this program reads version 1"),
        (
            "CREATE TRIGGER evil AFTER INSERT ON meta BEGIN DELETE FROM trials; END",
            "no triggers or views, this one has .*evil",
        ),
        ("CREATE VIEW evil AS SELECT * FROM trials", "no triggers or views, this one has .*evil"),
        ("DROP TABLE trials", "no such table"),
        ("DELETE FROM meta", "damaged"),
    ],
)
@pytest.mark.parametrize("writing", [False, True])
def test_what_is_no_run_file_of_this_version_is_refused(
    path: Path, statement: str, words: str, writing: bool
) -> None:
    write(path)
    alter(path, statement)
    with pytest.raises(RunFileError, match=words) as caught:
        store(path).close() if writing else read_all(path)
    assert str(caught.value).startswith(str(path))


def a_foreign_database(path: Path) -> None:
    alter(path, "CREATE TABLE meta (name TEXT, value TEXT)")


FOREIGN: dict[str, tuple[Callable[[Path], object], str]] = {
    "foreign": (a_foreign_database, "not a run file of socialcircuits"),
    "text": (lambda path: path.write_text("N,answer\n" * 500), "not a usable run file"),
    "empty": (lambda path: path.touch(), "not a run file of socialcircuits"),
    "missing": (lambda path: None, "there is no such run file"),
    "folder": (lambda path: path.mkdir(), "there is no such run file"),
}


@pytest.mark.parametrize("kind", list(FOREIGN))
def test_other_files_are_refused_and_left_alone(path: Path, kind: str) -> None:
    make, words = FOREIGN[kind]
    make(path)
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(RunFileError, match=words):
        RunFile(path)
    if kind != "missing":
        with pytest.raises(RunFileError):
            store(path)
    assert (path.read_bytes() if path.is_file() else None) == before


@pytest.mark.parametrize("cut", [100, 4096, 20_000])
def test_a_cut_file_is_refused(path: Path, cut: int) -> None:
    write(path)
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(RunFileError):
        read_all(path)


def read_all(path: Path) -> None:
    """Read a run file in every way there is."""
    with RunFile(path) as file:
        assert isinstance(file.study, dict)
        assert isinstance(file.notes, dict)
        file.digests()
        file.calls()
        file.statuses()
        file.failures()
        for name in TABLES:
            table(file, name)
        for record in file.trials():
            record.summary()


def write_on(path: Path) -> None:
    """Go on with a run file, as resume does."""
    with store(path) as writer:
        writer.completed()
        writer.replies(0)
        writer.begin(TrialPlan(9, {}, 9))


@pytest.mark.parametrize("use", [read_all, write_on])
def test_a_flipped_byte_anywhere_is_harmless_or_one_clear_error(
    path: Path, use: Callable[[Path], None]
) -> None:
    write(path)
    whole, stream, refused = path.read_bytes(), Stream(b"seed", "flips"), 0
    for _ in range(150):
        damaged = bytearray(whole)
        damaged[stream.below(len(whole))] ^= 1 + stream.below(255)
        path.write_bytes(damaged)
        try:
            use(path)
        except RunFileError:
            refused += 1
        for left in path.parent.glob(f"{path.name}-*"):
            left.unlink()
    assert refused > 3


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE trials SET condition = '{'",
        "UPDATE trials SET condition = '[1'",
        "UPDATE trials SET provided = x'00'",
        "UPDATE trials SET attempts = x'00'",
        "UPDATE trials SET attempts = substr(attempts, 1, length(attempts) - 16)",
        "UPDATE trials SET graph = x'00'",
        "UPDATE trials SET digest = x'00'",
        "UPDATE contents SET data = x'00'",
        "UPDATE meta SET value = '{' WHERE name = 'study'",
    ],
)
def test_a_damaged_value_is_one_clear_error(path: Path, statement: str) -> None:
    write(path)
    alter(path, statement)
    with pytest.raises(RunFileError):
        read_all(path)


def test_a_changed_reply_does_not_pass_for_the_original(path: Path) -> None:
    write(path)
    alter(path, "UPDATE trials SET attempts = (SELECT attempts FROM trials WHERE trial = 1)")
    with RunFile(path) as file:
        assert file.trial(1).plan.number == 1
        for read in (lambda: file.trial(0), file.digests):
            with pytest.raises(RunFileError, match="damaged: trial 0 is not as sealed"):
                read()


@pytest.mark.parametrize(
    "change",
    ["made = 999", "cut = 0", "seed = 7", "digest = x'00'", "condition = '{}'", "cut = 'text'"],
)
def test_a_changed_number_of_a_trial_does_not_pass(path: Path, change: str) -> None:
    write(path)
    alter(path, f"UPDATE trials SET {change} WHERE trial = 0")
    with RunFile(path) as file, pytest.raises(RunFileError, match="is not as sealed"):
        file.digests()


@pytest.mark.parametrize(
    ("study", "words"),
    [
        ({**STUDY, "seed": 2}, r"\$\.seed: 1 there, 2 now"),
        ({**STUDY, "trial": {"N": 4}}, r"\$\.trial\.N: 3 there, 4 now"),
        ({**STUDY, "trial": {"N": 3, "m": 1}}, r"\$\.trial\.m: null there, 1 now"),
        ({"name": "small", "seed": 3, "trial": {"N": 2}}, r"\$\.seed.*; \$\.trial\.N"),
    ],
)
def test_another_study_is_refused_and_the_difference_named(
    path: Path, study: dict[str, Any], words: str
) -> None:
    write(path)
    with pytest.raises(RunFileError, match=words):
        store(path, study)
    store(path).close()


def test_provenance_may_differ(path: Path) -> None:
    write(path)
    with RunStore(path, STUDY, {"python": "4"}, paid=False):
        pass
    assert RunFile(path).notes == {"python": "3"}


def test_a_second_writer_is_refused_until_the_first_is_done(path: Path) -> None:
    with store(path), pytest.raises(RunFileError, match="another process is writing this run"):
        store(path)
    store(path).close()
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_writer_that_fails_frees_the_lock(path: Path) -> None:
    with pytest.raises(ZeroDivisionError), store(path):
        raise ZeroDivisionError
    with pytest.raises(RunFileError, match="another study"):
        store(path, {"name": "other"})
    store(path).close()


def test_readers_and_a_writer_get_along(path: Path) -> None:
    write(path)
    with RunFile(path) as reader, store(path) as writer:
        writer.begin(TrialPlan(9, {}, 9))
        assert reader.statuses() == {"completed": 3, "open": 1}
    with RunFile(path) as file:
        assert file.statuses() == {"completed": 3, "open": 1}


def test_a_folder_is_made_where_it_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "run.db"
    write(path)
    assert path.is_file()


def test_a_place_where_nothing_can_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(RunFileError, match="cannot be written: File exists"):
        store(tmp_path / "file" / "run.db")
    (tmp_path / "folder").mkdir()
    with pytest.raises(RunFileError, match="cannot be written"):
        store(tmp_path / "folder")


def test_what_a_deleted_file_left_behind_is_not_read(path: Path) -> None:
    writer = store(path)
    writer.remember("note", "old")
    left = {name: path.with_name(path.name + name).read_bytes() for name in ("-wal", "-shm")}
    assert all(left.values())
    writer.close()
    path.unlink()
    for name, data in left.items():
        path.with_name(path.name + name).write_bytes(data)
    with store(path) as again:
        assert again.recall("note") is None
    read_all(path)


def test_a_half_made_file_of_a_killed_process_does_no_harm(path: Path) -> None:
    path.with_name(path.name + "-new").write_text("half")
    path.with_name(path.name + "-lock").touch()
    written = write(path)
    read_all(path)
    with RunFile(path) as file:
        assert file.plans() == [plan for plan, _, _ in written]


def test_a_full_disk_is_one_clear_error_and_what_was_committed_is_kept(path: Path) -> None:
    with store(path) as writer:
        writer.begin(PLAN)
        pages = writer._db.execute("PRAGMA page_count").fetchone()[0]
        writer._db.execute(f"PRAGMA max_page_count = {pages + 2}")
        big = Reply("x" * 100_000)
        with pytest.raises(RunFileError, match="full; what was committed is kept"):
            writer.commit(0, [(bytes(16), big)], [])
    with RunFile(path) as file:
        assert file.statuses() == {"open": 1}


def test_a_failed_trial_says_why_and_is_tried_again(path: Path) -> None:
    with store(path) as writer:
        writer.begin(PLAN)
        writer.fail(PLAN, "the line is dead")
    with RunFile(path) as file:
        assert file.failures() == [(PLAN, "the line is dead")]
        assert list(file.trials()) == []
        with pytest.raises(RunFileError, match="there is no completed trial 0"):
            file.trial(0)
    with store(path) as writer:
        assert writer.completed() == set()
        writer.begin(PLAN)
    assert RunFile(path).failures() == []


ODD = ["\ud800", "\0", "é" * 500_000, "</script>", "a\r\n\u2028b"]


@pytest.mark.parametrize("text", ODD, ids=range(len(ODD)))
def test_any_text_that_comes_is_kept(path: Path, text: str) -> None:
    reply = Reply(text, None, text, valid=False, why=text)
    with store(path) as writer:
        writer.begin(PLAN)
        writer.commit(0, [(b"k" * 16, reply)], [])
        assert writer.replies(0) == {b"k" * 16: reply}
        setup = trial("broadcast", 2, Settings(rounds=1))
        puppet = Odd(reply)
        writer.finish(PLAN, play(played_by(setup, puppet)), provided(setup))
    with RunFile(path) as file:
        assert {a.reply for a in file.trial(0).attempts} == {reply}


class Odd(Gossip):
    """Always says the same."""

    def __init__(self, reply: Reply) -> None:
        super().__init__()
        self._reply = reply

    def answer(self, observation: object, draw: bytes) -> Reply:
        return self._reply


class Crashing(TrialJournal):
    """A crashed process takes nothing back."""

    def forget(self, keys: Sequence[bytes]) -> None:
        assert len(keys) == 1


def test_what_failed_without_a_crash_is_not_counted_as_repeated(path: Path) -> None:
    setup = trial("pairwise", 2, Settings(rounds=1))
    failing = frozenset(draws(setup))
    with store(path) as writer:
        writer.begin(PLAN)
        for mind in (Waiting(setup.minds[0], failing=failing), Waiting(setup.minds[0])):
            with contextlib.suppress(ConnectionError):
                journal = TrialJournal(writer, 0)
                played = run(play_waiting(played_by(setup, mind), journal=journal))
        writer.finish(PLAN, played, provided(setup))
    with RunFile(path) as file:
        assert file.calls()["repeated"] == 0


def test_what_was_in_flight_at_a_crash_is_counted_as_repeated(path: Path) -> None:
    setup = trial("manager", 4, Settings(rounds=3, stop=None), mind=Gossip(invalid=100))
    plain = play(setup)
    where = {place: draw for draw, place in draws(setup).items()}
    middle = plain.attempts[len(plain.attempts) // 2]
    failing = frozenset({where[middle.step, middle.attempt]})
    with store(path) as writer:
        writer.begin(PLAN)
        broken = Waiting(setup.minds[0], failing=failing)
        with pytest.raises(ConnectionError):
            run(play_waiting(played_by(setup, broken), journal=Crashing(writer, 0)))
        came = len(broken.asked) - 1
    with store(path) as writer:
        writer.begin(PLAN)
        kept = writer.replies(0)
        assert len(kept) == came
        mended = Waiting(setup.minds[0])
        journal = TrialJournal(writer, 0)
        played = run(play_waiting(played_by(setup, mended), kept.get, journal))
        writer.finish(PLAN, played, provided(setup))
    with RunFile(path) as file:
        record = file.trial(0)
        assert tuple(record.attempts) == plain.attempts
        assert record.counts["made"] == plain.made
        assert record.counts["repeated"] == 1
        assert file.calls()["repeated"] == 1


def test_replies_shared_by_a_group_are_kept_apart_from_trials(path: Path) -> None:
    reply, bad = Reply("Peru", "Peru"), Reply("?", valid=False)
    with store(path) as writer:
        writer.commit(shared_by(1), [(b"a" * 16, reply), (b"b" * 16, bad)], [])
        writer.commit(shared_by(2), [(b"c" * 16, reply)], [], reused=True)
        assert writer.replies(shared_by(1)) == {b"a" * 16: reply, b"b" * 16: bad}
    with RunFile(path) as file:
        assert file.shared(2) == {b"c" * 16: reply}
        calls = file.calls()
    assert (calls["made"], calls["reused"], calls["invalid"]) == (2, 1, 1)


def test_the_application_id_is_written(path: Path) -> None:
    write(path)
    header = path.read_bytes()
    assert header[68:72] == b"SCIR" == APPLICATION.to_bytes(4, "big")
    assert int.from_bytes(header[60:64], "big") == VERSION == 1
