"""Tests of a subject in this process: run into a folder, quietly."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from socialcircuits.agents import Access
from socialcircuits.cards.checking import Checked, Required, check, prepare
from socialcircuits.cards.plans import Test
from socialcircuits.studies.execution import Progress
from tests.support.guest_server import Answers

PLAYER = "openai-compatible/player?sees=text"
"""A subject that `tests.support.guest_server` plays."""


def towns(number: int) -> dict[str, Answers]:
    """So many questions with their answers."""
    return {f"Which town is the {i}th?": Answers(f"Town{i}s", f"Burg{i}s") for i in range(number)}


def table(path: Path, questions: Mapping[str, Answers], passages: int = 0) -> Path:
    """Write questions as a table of own claims, the first of them with a passage."""
    rows = []
    for i, (question, found) in enumerate(questions.items()):
        cells = (question, *found, f"It is {found.true}." if i < passages else "")
        rows.append(",".join('"' + cell.replace('"', '""') + '"' for cell in cells))
    path.write_text("\n".join(["question,true,false,passage", *rows, ""]), encoding="utf-8")
    return path


NOTHING, ANYWHERE = Required(), Access()


def performed(
    test: Test,
    folder: Path,
    required: Required = NOTHING,
    access: Access = ANYWHERE,
    told: list[str] | None = None,
) -> Checked:
    """Run a test; the names of the studies are told in the order in which they begin."""

    def progress(name: str) -> Progress:
        if told is not None:
            told.append(name)
        return lambda done, planned: None

    return check(prepare(test, required), folder, required, access, progress)
