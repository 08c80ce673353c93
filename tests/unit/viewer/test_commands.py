"""`view` and `export` as a user types them."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from socialcircuits.cli import export, view
from socialcircuits.errors import RunFileError, UsageError
from socialcircuits.report.assembling import page
from socialcircuits.report.written import write
from socialcircuits.studies import Run
from tests.journeys.command import COMMAND
from tests.unit.viewer.shapes import Blocks


def test_export_writes_a_page_of_several_runs(
    flags: Run, secret: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths, target = [str(flags.path), str(secret.path)], tmp_path / "page.html"
    export.command(paths, out=target, json=True)
    found = json.loads(capsys.readouterr().out)
    assert found["runs"] == paths
    assert found["files"] == [str(target)]
    assert found["withheld"] == len(secret.file.plans())
    assert len(Blocks(target.read_text()).chunks("head")) == 2
    export.command(paths, out=target)
    assert capsys.readouterr().out.splitlines() == [
        str(target),
        f"Texts withheld in {found['withheld']} trials: their questions are not marked shareable.",
    ]


@pytest.mark.parametrize(
    ("runs", "options", "said"),
    [
        (1, {}, "nothing to write: expected --out PAGE.html, --tables FOLDER, or both"),
        (2, {"tables": Path("t")}, "--tables: 2 runs given; expected one"),
    ],
)
def test_export_says_what_is_wrong(
    flags: Run, runs: int, options: dict[str, Any], said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        export.command([str(flags.path)] * runs, **options)


def test_view_opens_the_browser_at_what_it_prints(
    flags: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr("socialcircuits.viewer.server.Server.serve_forever", lambda _: None)
    view.command([str(flags.path)])
    told = capsys.readouterr().out
    assert told == f"{opened[0]}  (Ctrl-C ends it)\n"
    assert opened[0].startswith("http://127.0.0.1:")
    with pytest.raises(RunFileError, match="there is no such run file"):
        view.command(["none.db"])
    assert len(opened) == 1


def test_view_opens_at_a_number(
    flags: Run, secret: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr("socialcircuits.viewer.server.Server.serve_forever", lambda _: None)
    one, other = str(flags.path), str(secret.path)

    view.command([one, f"{other}#accuracy.1.uplift"])
    write(page(flags), [flags], tmp_path / "one")
    view.command([f"{tmp_path}/one/report.html#trials.1"])
    view.command([f"{tmp_path}/one/report.html"])
    places = [place.partition("/#")[2] for place in opened]
    assert places == [
        "/numbers?number=accuracy.1.uplift&run=secret.db",
        "/numbers?number=trials.1&run=flags.db",
        "",
    ]


def test_numbers_of_several_runs_together_stand_in_no_view(flags: Run, tmp_path: Path) -> None:
    copied = tmp_path / "other.db"
    copied.write_bytes(flags.path.read_bytes())
    with Run(copied) as other:
        report, _ = write(page(flags), [flags, other], tmp_path / "both")
    assert "socialcircuits view" not in report.read_text("utf-8")
    with pytest.raises(UsageError, match=r"trials\.1 is of 2 runs together; expected a run file"):
        view.command([f"{report}#trials.1"])


def test_view_serves_until_it_is_interrupted(flags: Run, tmp_path: Path) -> None:
    command = [*COMMAND, "view", str(flags.path), "--no-browser", "--json"]
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        assert told["runs"] == ["flags.db"]
        with urlopen(f"{told['address']}data/runs", timeout=60) as answer:
            assert json.load(answer) == {"runs": ["flags.db"]}
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 0
    assert not errors.strip()
