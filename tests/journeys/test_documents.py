"""Every command that the documents show works as it stands, in order, in an empty folder."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.form.sources import ROOT
from tests.journeys.command import run


class Document(NamedTuple):
    """A document, how many commands it shows at least, and whether its runs have as many seeds as
    shown."""

    path: str
    commands: int
    whole: bool = False


DOCUMENTS = (
    Document("README.md", 14),
    Document("docs/how-to/run-a-study.md", 9),
    Document("docs/how-to/compare-conditions.md", 9),
    Document("docs/how-to/intervene.md", 9),
    Document("docs/how-to/report-a-run.md", 11, whole=True),
    Document("docs/how-to/explain-a-number.md", 9, whole=True),
    Document("docs/how-to/plan-a-study.md", 3, whole=True),
    Document("docs/how-to/view-a-run.md", 4),
    Document("docs/how-to/import-conversations.md", 10, whole=True),
    Document("docs/how-to/combine.md", 3),
    Document("docs/how-to/check-a-model.md", 5),
    Document("docs/how-to/use-documents.md", 3, whole=True),
    Document("docs/how-to/system-prompts.md", 2, whole=True),
)

COMMENT = re.compile(r"\s#.*")
FENCE = re.compile(r'^```\w+ title="(?P<path>[^"]+)"\n(?P<text>.*?)^```$', re.MULTILINE | re.DOTALL)


def commands(text: str) -> list[list[str]]:
    """The words of each command line of ours that stands indented in a document."""
    joined = text.replace("\\\n", " ")
    lines = re.findall(r"^    socialcircuits .*$", joined, re.MULTILINE)
    # What follows a sign within a word is an id, as a shell has it too.
    return [shlex.split(COMMENT.sub("", line))[1:] for line in lines]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: Path(document.path).stem)
def test_the_commands_of_a_document_work(document: Document, tmp_path: Path) -> None:
    text = (ROOT / document.path).read_text(encoding="utf-8")
    for file in FENCE.finditer(text):
        (tmp_path / file["path"]).write_text(file["text"], encoding="utf-8")
    shown = commands(text)
    assert len(shown) >= document.commands
    for words in shown:
        # One seed a condition: what is shown is the command, not how long a whole study takes.
        seeds = ["--seeds", "1"] if words[0] == "run" and not document.whole else []
        done = run(*words, *seeds, at=tmp_path)
        assert done.returncode == 0, (words, done.stderr)
        assert done.stdout
