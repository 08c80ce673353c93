"""Every command that the documents show works as it stands, in order, in an empty folder."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.form.sources import ROOT
from tests.journeys.command import run

DOCUMENTS = [
    "README.md",
    "docs/how-to/run-a-study.md",
    "docs/how-to/compare-conditions.md",
    "docs/how-to/intervene.md",
]
FENCE = re.compile(r'^```\w+ title="(?P<path>[^"]+)"\n(?P<text>.*?)^```$', re.MULTILINE | re.DOTALL)


def commands(text: str) -> list[list[str]]:
    """The words of each command line of ours that stands indented in a document."""
    joined = text.replace("\\\n", " ")
    lines = re.findall(r"^    socialcircuits .*$", joined, re.MULTILINE)
    return [shlex.split(line, comments=True)[1:] for line in lines]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_the_commands_of_a_document_work(document: str, tmp_path: Path) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    for file in FENCE.finditer(text):
        (tmp_path / file["path"]).write_text(file["text"], encoding="utf-8")
    shown = commands(text)
    assert len(shown) >= 9
    for words in shown:
        # One seed a condition: what is shown is the command, not how long a whole study takes.
        seeds = ["--seeds", "1"] if words[0] == "run" else []
        done = run(*words, *seeds, at=tmp_path)
        assert done.returncode == 0, (words, done.stderr)
        assert done.stdout
