"""The questions that come with the package, written for it; anyone may publish their text."""

from __future__ import annotations

from functools import cache
from importlib.resources import as_file, files

from socialcircuits.worlds.questions.item import Question
from socialcircuits.worlds.questions.loading import load


@cache
def bundled() -> tuple[Question, ...]:
    """Return the bundled questions in file order, about half of each kind, all shareable.

    >>> questions = bundled()
    >>> questions[0].id, questions[0].answer, questions[0].lures[:2]
    ('trailing-zeros', '505', ('405', '504'))
    """
    with as_file(files("socialcircuits.worlds.questions").joinpath("bundled.toml")) as path:
        return load(path, "own", shareable=True).questions


__all__ = ["bundled"]
