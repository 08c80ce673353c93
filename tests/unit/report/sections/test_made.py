"""How a run is made again: the command or the study file give the same study."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest

from socialcircuits.records import RunFile
from socialcircuits.report.sections.made import FILE, again, blocks, toml
from socialcircuits.studies import Run, prepare, read, run
from tests.support.pages import made
from tests.support.prompted import TEXT, script_models

CHANGES: dict[str, dict[str, Any]] = {
    "nothing": {},
    "seeds": {"seeds": 3, "seed": 7},
    "judge": {"judge": "openai/judge"},
    "model": {"models": {"A": "openai/m?temperature=0"}},
    "setting": {"sets": ["alpha=0.75", "family=[]"]},
    "axis": {"sets": ["N=4, 8", "rounds=2"]},
}
PRESETS = ("flag-game/population", "chatroom/compounding", "deliberation/questions")


def typed(command: str, folder: Path) -> Any:
    """The study that a command runs."""
    source, *words = shlex.split(command)[2:]
    given: dict[str, list[str]] = {}
    for option, value in zip(words[::2], words[1::2], strict=True):
        given.setdefault(option, []).append(value)
    options: dict[str, Any] = {
        "sets": given.get("--set", []),
        "models": dict(text.split("=", 1) for text in given.get("--model", [])),
    }
    for name in ("seeds", "seed"):
        if f"--{name}" in given:
            options[name] = int(given[f"--{name}"][0])
    options["judge"] = given.get("--judge", [None])[0]
    return read(str(folder / source) if source == FILE else source, **options)


@pytest.mark.parametrize(
    ("preset", "change"),
    [
        *((preset, change) for preset in PRESETS for change in CHANGES if change != "axis"),
        # The compositions of the others do not allow other sizes.
        (PRESETS[0], "axis"),
    ],
)
def test_a_preset_is_made_again_by_options(preset: str, change: str, tmp_path: Path) -> None:
    study = read(preset, **CHANGES[change])
    command = again(study)
    assert FILE not in command
    assert typed(command, tmp_path) == study


def test_a_sweep_that_no_option_gives_is_made_again_by_a_file(tmp_path: Path) -> None:
    study = read("flag-game/protocols", sets=["N=4, 8", "rounds=2"])
    command = again(study)
    assert command == f"socialcircuits run {FILE}"
    (tmp_path / FILE).write_text(toml(study), encoding="utf-8")
    assert typed(command, tmp_path) == study


def test_a_study_of_its_own_is_printed_whole(tmp_path: Path) -> None:
    text = """
seeds = 1
figures = ["population"]
[trial]
rounds = 1
[[sweep]]
N = [4, 5]
[[sweep]]
N = [6]
memory = [2]
[models]
A = "simulated/literal"
[interventions]
"one crop" = [{kind = "evidence", agents = [0], of = "informative"}]
"""
    source = tmp_path / "mine.toml"
    source.write_text(text, encoding="utf-8")
    with run(source, out=tmp_path / "run.db") as done:
        lines = made(done, blocks).lines()
        assert lines[:2] == [f"Again: socialcircuits run {FILE}", f"{FILE}:"]
        (tmp_path / FILE).write_text(lines[2], encoding="utf-8")
        assert read(str(tmp_path / FILE)) == done.study


def test_a_run_of_models_is_replayed_from_its_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script_models(monkeypatch)
    path, settings = tmp_path / "my run.db", {"N": [2], "rounds": 1}
    with run("flag-game/population", model=TEXT, seeds=1, out=path, settings=settings) as done:
        (line,) = [line for line in made(done, blocks).lines() if "asking nobody" in line]
        words = shlex.split(line.partition(": ")[2])
        assert words[:3] == ["socialcircuits", "run", "flag-game/population"]
        study, origin = prepare(words[2], {"A": words[4]})
        assert (words[3], study, origin) == ("--model", done.study, path)


def test_versions_digests_and_seeds_are_there(tmp_path: Path) -> None:
    settings = {"N": [4], "rounds": 1}
    paths = [tmp_path / f"{seed}.db" for seed in (1, 2)]
    for seed, path in enumerate(paths, 1):
        run("flag-game/population", seeds=1, seed=seed, out=path, settings=settings).close()
    with Run(paths[0]) as one:
        found = made(one, blocks)
        rows = {key: row["value"] for key, row in found.rows("made").items()}
        assert rows["python"] == one.file.notes["python"]
        assert rows["run digest"] == one.digests()["run"]
        assert rows["seeds"] == "1 a condition, from 1; study seed 1"
    with Run(*paths) as both:
        found = made(both, blocks)
        rows = {key: row["value"] for key, row in found.rows("made").items()}
        assert rows["run digest of all"] == both.digests()["run"]
        for path in paths:
            with RunFile(path) as file:
                assert rows[f"{path}: run digest"] == file.digests()["run"]
        assert len([line for line in found.lines() if line.startswith("Again: ")]) == 2
