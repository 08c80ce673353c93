"""A mistake of the user: one line that says what is wrong, exit code 2, nothing written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import socialcircuits
from socialcircuits.errors import SocialCircuitsError
from socialcircuits.seeds import Stream
from tests.journeys.command import SMALL, listing, refused, result, run, start

POPULATION = "flag-game/population"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["flag-game/populatoin"], "did you mean 'flag-game/population'?"),
        (["mine.toml"], "mine.toml: No such file or directory"),
        ([POPULATION, "--model", "simulated/litteral"], "did you mean 'literal'?"),
        ([POPULATION, "--model", "simulated/literal?sozial=1"], "did you mean 'social'?"),
        ([POPULATION, "--model", "gpt"], "expected one of simulated/literal"),
        ([POPULATION, "--set", "truth=Frence"], "did you mean 'France'?"),
        ([POPULATION, "--set", "rouns=3"], "did you mean 'rounds'?"),
        ([POPULATION, "--set", "trial.rouns=3"], "did you mean 'rounds'?"),
        ([POPULATION, "--set", "protocol=pairwize"], "did you mean 'pairwise'?"),
        ([POPULATION, "--set", "world.canvs=[9, 9]"], "did you mean 'canvas'?"),
        ([POPULATION, "--set", "crop=[25, 4]"], "at most the canvas of (24, 16) cells"),
        ([POPULATION, "--set", "N=1"], "$.trial.N: 1 is not allowed; expected at least 2"),
        ([POPULATION, "--set", "m=2"], "$.trial.m: 2 is not allowed; expected 1 or 3"),
        ([POPULATION, "--set", "cast=C"], "C"),
        ([POPULATION, "--set", "pool=extension"], "Indonesia and Monaco are equal"),
        ([POPULATION, "--seeds", "0"], "$.seeds: 0 is not allowed; expected at least 1"),
        ([POPULATION, "--model", "replay/nowhere"], "nowhere: there is no such run file"),
    ],
    ids=lambda value: value[-1] if isinstance(value, list) else "",
)
def test_a_setting_that_is_not_allowed(words: list[str], said: str, tmp_path: Path) -> None:
    done = run("run", *words, "--out", "a.db", at=tmp_path)
    assert said in refused(done)
    assert listing(tmp_path) == set()


def test_a_run_file_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("mine")
    for out in ("folder", "file/below.db", "/proc/run.db", "x" * 300):
        line = refused(run("run", *SMALL, "--out", out, at=tmp_path))
        assert out.split("/below")[0] in line
    assert listing(tmp_path) == {"file"}
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.parametrize("verb", ["status", "resume", "report", "digest"])
def test_a_run_file_that_is_not_there(verb: str, tmp_path: Path) -> None:
    assert "there is no such run file" in refused(run(verb, "nowhere.db", at=tmp_path))
    assert listing(tmp_path) == set()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a finished run file of SMALL."""
    folder = tmp_path_factory.mktemp("whole")
    result("run", *SMALL, "--out", "a.db", at=folder)
    return (folder / "a.db").read_bytes()


def damaged(how: str, whole: bytes) -> bytes:
    """A run file that something has happened to."""
    if how == "cut short":
        return whole[: len(whole) // 2]
    if how == "overwritten":
        middle = len(whole) // 2
        return whole[: middle - 8192] + b"\xff" * 16384 + whole[middle + 8192 :]
    return b"country,answer\n" * 1000


@pytest.mark.parametrize("how", ["cut short", "overwritten", "no database"])
def test_a_damaged_run_file_is_refused_and_left_alone(
    how: str, whole: bytes, tmp_path: Path
) -> None:
    data = damaged(how, whole)
    for words in (["report", "a.db"], ["resume", "a.db"], ["run", *SMALL, "--out", "a.db"]):
        (tmp_path / "a.db").write_bytes(data)
        assert "a.db" in refused(run(*words, at=tmp_path))
        assert (tmp_path / "a.db").read_bytes() == data
        assert listing(tmp_path) == {"a.db"}


def test_flipped_bits_never_give_a_traceback(whole: bytes, tmp_path: Path) -> None:
    """Anything may be flipped: what reads a run file must work or say that it is damaged."""
    path, stream, refusals = tmp_path / "a.db", Stream(b"flips", "bits"), 0
    for _ in range(200):
        data = bytearray(whole)
        for _ in range(1 + stream.below(30)):
            data[stream.below(len(data))] ^= 1 << stream.below(8)
        path.write_bytes(data)
        try:
            with socialcircuits.open(path) as opened:
                json.dumps(opened.as_json())
                opened.table("steps")
        except SocialCircuitsError:
            refusals += 1
    assert refusals > 100


def test_a_run_file_of_another_study_is_kept(whole: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.db").write_bytes(whole)
    line = refused(run("run", *SMALL, "--set", "m=1", "--out", "a.db", at=tmp_path))
    assert "holds another study ($.trial.m: 3 there, 1 now)" in line
    assert (tmp_path / "a.db").read_bytes() == whole


def test_two_processes_cannot_write_one_run_file(tmp_path: Path) -> None:
    model = "simulated/literal?latency=600000"
    first = start("run", *SMALL, "--model", model, "--out", "a.db", at=tmp_path)
    try:
        second = run("run", *SMALL, "--model", model, "--out", "a.db", at=tmp_path)
        assert "another process is writing this run" in refused(second)
        assert result("status", "a.db", at=tmp_path)["trials"]["completed"] == 0
    finally:
        first.kill()
        first.communicate()


def test_a_replay_of_another_study_is_refused(whole: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.db").write_bytes(whole)
    for study in (["flag-game/protocols"], [*SMALL, "--seed", "2"], [*SMALL, "--set", "m=1"]):
        done = run("run", *study, "--model", "replay/a.db", "--out", "b.db", at=tmp_path)
        assert "a.db" in refused(done)
        assert listing(tmp_path) == {"a.db"}


def test_a_part_of_a_study_can_be_replayed(whole: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.db").write_bytes(whole)
    words = ("--seeds", "1", "--model", "replay/a.db", "--out", "b.db")
    assert result("run", *SMALL, *words, at=tmp_path)["calls"]["made"] == 0
