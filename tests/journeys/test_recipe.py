"""The recipe for a new protocol in CONTRIBUTING.md, carried out as it stands on a copy of the
package."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.form.sources import PACKAGE, ROOT
from tests.journeys.command import result
from tests.journeys.test_documents import FENCE, commands

KIT = """
from socialcircuits.protocols import find
from socialcircuits.testing import check_protocol
check_protocol(find("ring"))
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package with the recipe carried out."""
    root = tmp_path_factory.mktemp("recipe")
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(PACKAGE, root / "src" / "socialcircuits", ignore=ignored)
    recipe = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    paths = [carry_out(fence, root) for fence in FENCE.finditer(recipe)]
    assert len(paths) == 3
    return root


def carry_out(fence: re.Match[str], root: Path) -> Path:
    """Write a file, or apply a diff; return what was written."""
    path = root / fence["path"]
    if not fence[0].startswith("```diff"):
        assert not path.exists()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(fence["text"], encoding="utf-8")
        return path
    text = path.read_text(encoding="utf-8")
    for hunk in re.split(r"^@@.*\n", fence["text"], flags=re.MULTILINE)[1:]:
        lines = hunk.splitlines(keepends=True)
        before = "".join(line[1:] for line in lines if line[0] in " -")
        after = "".join(line[1:] for line in lines if line[0] in " +")
        assert text.count(before) == 1, before
        text = text.replace(before, after)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def env(copy: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(copy / "src")}


def python(*words: str, at: Path, env: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, *words], cwd=at, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_its_test_passes(copy: Path, env: dict[str, str]) -> None:
    python("-m", "pytest", "-q", "-p", "no:cacheprovider", "tests", at=copy, env=env)


def test_its_example_is_right(copy: Path, env: dict[str, str]) -> None:
    path = "src/socialcircuits/protocols/ring.py"
    python("-m", "doctest", path, at=copy, env=env)


def test_the_public_kit_takes_it(copy: Path, env: dict[str, str]) -> None:
    python("-c", KIT, at=copy, env=env)


def test_the_command_line_runs_it(copy: Path, env: dict[str, str], tmp_path: Path) -> None:
    (words,) = commands((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))
    assert "protocol=ring" in shlex.join(words)
    found = result(*words, at=tmp_path, env=env)
    assert found["trials"]["completed"] == found["trials"]["planned"] > 0
    measures = {row["measure"]: row for row in found["estimates"]}
    assert measures["collective_accuracy"]["n"] == 5
    again = (*words[:2], "--model", f"replay/{found['run']}", "--out", "again.db")
    assert result(*again, at=tmp_path, env=env)["digest"] == found["digest"]
