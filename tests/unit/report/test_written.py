"""A report on disk: what is written, and what is read back."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import socialcircuits
from socialcircuits.errors import RunFileError, UsageError
from socialcircuits.report.assembling import page
from socialcircuits.report.grouping import opened
from socialcircuits.report.page import Head, Line, Number, Page, Picture, Place, Row, Table, Trail
from socialcircuits.report.page import Section as Part
from socialcircuits.report.written import Stated, numbers, read, write
from socialcircuits.studies import Run

HOSTILE = "--></script><!-- &amp; \u2028 </script>"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs of two study seeds, and one of another group."""
    made = tmp_path_factory.mktemp("written")
    for name, seed, size in (("a", 1, 4), ("b", 2, 4), ("c", 1, 6)):
        settings = {"N": [size], "rounds": 2}
        out = made / "runs" / f"{name}.db"
        socialcircuits.run("flag-game/population", out=out, seeds=1, seed=seed, settings=settings)
    socialcircuits.run(
        "flag-game/protocols", out=made / "runs" / "d.db", seeds=1, settings={"N": 4, "rounds": 2}
    )
    return made


@pytest.fixture(scope="module")
def run(folder: Path) -> Run:
    return Run(folder / "runs" / "a.db")


def small(text: str = "mine") -> Page:
    trail = Trail("trials that were completed")
    table = Table(
        "accuracy",
        text,
        (Head("n", "N"), Head("share", "share")),
        (Row(text, ("4", Number("share", 0.5, "0.50", trail, 0.1, 0.9, "0.10 to 0.90", 9))),),
    )
    line = Line("trials", (Number("completed", 3, "3", trail), " done"))
    return Page(text, "simulated agents", (line,), (Part("Results", (table,)), Part("Tests", ())))


@pytest.mark.parametrize("name", ["report.html", "report.md"])
@pytest.mark.parametrize("text", ["N = 4", HOSTILE])
def test_both_files_say_the_same_of_themselves(
    name: str, text: str, run: Run, folder: Path, tmp_path: Path
) -> None:
    write(small(text), [run], tmp_path / "deep" / "report")
    found = read(tmp_path / "deep" / "report" / name)
    assert found.study == "flag-game/population"
    assert [path.resolve() for path in found.runs] == [folder / "runs" / "a.db"]
    assert found.digests == ({name: run.digests()[name] for name in ("run", "labels")},)
    assert found.mixed is False
    assert found.numbers == {
        "trials.1": Stated(Place("trials", "", "1"), "3"),
        "accuracy.1.share": Stated(Place("accuracy", text, "share"), "0.50"),
    }


def test_the_page_of_a_run_is_read_back_whole(run: Run, tmp_path: Path) -> None:
    whole = page(run)
    write(whole, [run], tmp_path)
    found = read(tmp_path / "report.html").numbers
    stated = {name: Stated(place, number.text) for name, place, number in whole.numbers()}
    assert found == stated
    assert len(stated) > 10


def test_a_report_is_mailed_with_its_run(run: Run, folder: Path, tmp_path: Path) -> None:
    write(small(), [run], tmp_path / "report")
    mailed = tmp_path / "elsewhere" / "inbox"
    mailed.mkdir(parents=True)
    for file in (tmp_path / "report" / "report.html", folder / "runs" / "a.db"):
        shutil.copy(file, mailed)
    assert read(mailed / "report.html").runs == (mailed / "a.db",)
    (mailed / "a.db").unlink()
    with pytest.raises(UsageError, match=r"its run file a\.db is not there; looked at ") as error:
        read(mailed / "report.html")
    assert str(mailed / "a.db") in str(error.value)


def test_what_is_no_report_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        read(path)
    for content in (b"<html></html>", b"\xff\xfe", b""):
        path.write_bytes(content)
        with pytest.raises(UsageError, match="no report of socialcircuits"):
            read(path)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"numbers":{', '"numbers":['),
        ('"numbers":{', '"numbers":{"x":[1,"","",""],'),
        ('"numbers":{', '"numbers":{"x":["",""],'),
        ('"numbers":', '"counts":'),
        ('"mixed":false', '"mixed":"no"'),
        ('"path":"', '"path":7,"was":"'),
        ('"run":"', '"run":7,"was":"'),
    ],
)
def test_a_damaged_report_is_refused(old: str, new: str, run: Run, tmp_path: Path) -> None:
    path = write(small(), [run], tmp_path)[0]
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))
    with pytest.raises(UsageError, match="damaged"):
        read(path)


def test_a_report_of_another_version_is_refused(run: Run, tmp_path: Path) -> None:
    path = write(small(), [run], tmp_path)[0]
    path.write_text(path.read_text().replace('"format":1', '"format":99'))
    with pytest.raises(UsageError, match="another version"):
        read(path)


def test_a_folder_that_cannot_be_made_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(UsageError, match="file: cannot be written"):
        write(small(), [run], tmp_path / "file")
    assert (tmp_path / "file").read_text() == "mine"


def test_figures_follow_the_results(run: Run, tmp_path: Path) -> None:
    (tmp_path / "figures").mkdir()
    files = tuple(tmp_path / "figures" / f"population.{kind}" for kind in ("pdf", "png", "csv"))
    for file in files:
        file.write_bytes(b"data")
    write(small(), [run], tmp_path, [Picture("population", files)])
    text = (tmp_path / "report.html").read_text()
    titles = [text.index(f">{title}</h2>") for title in ("Results", "Figures", "Tests")]
    assert titles == sorted(titles)
    for kind in ("pdf", "png", "csv"):
        assert f'href="figures/population.{kind}"' in text
    assert str(tmp_path) not in text


def test_numbers_for_json() -> None:
    first, second = numbers(small())
    assert (first["id"], first["value"], first["n"]) == ("trials.1", 3, None)
    assert (second["low"], second["high"], second["n"], second["p"]) == (0.1, 0.9, 9, None)
    json.dumps([first, second], allow_nan=False)


def test_runs_that_differ_in_seeds_only_are_pooled(folder: Path) -> None:
    paths = [folder / "runs" / f"{name}.db" for name in "abc"]
    with opened(paths) as groups:
        assert [[part.file.path for part in run.parts] for run in groups] == [paths[:2], paths[2:]]
    with opened(paths[::-1]) as groups:
        assert [len(run.parts) for run in groups] == [1, 2]


def test_runs_of_two_presets_are_refused(folder: Path) -> None:
    message = "d.db is a run of flag-game/protocols, .*a.db one of flag-game/population"
    with (
        pytest.raises(RunFileError, match=message),
        opened([folder / "runs" / "a.db", folder / "runs" / "d.db"]),
    ):
        pass
