"""What a run tells its agents, and what of it the first run of the page does not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from socialcircuits.analyses.parity import Contrast, parity
from socialcircuits.errors import SocialCircuitsError
from socialcircuits.studies import Run
from socialcircuits.viewer.framing.analysed import Analysed
from socialcircuits.viewer.tables import Frame, framed


def prompts(found: Analysed) -> Frame | None:
    """What agents are told, place by place."""
    try:
        groups = parity(found.run).groups
    except SocialCircuitsError:
        return None
    rows = [
        {"told": group.digest, "place": place, "models": ", ".join(models), "text": text}
        for group in groups
        for place, texts in sorted(group.told.texts.items())
        for text, models in texts.items()
    ]
    note = (
        "What agents of the conditions of one prompt digest (told) are told at a place: role, "
        "purpose, how evidence is shown, and what was heard before. Words in brackets stand for "
        "evidence, answers and what was heard."
    )
    return framed("Prompts", note, rows)


def told(found: Analysed) -> Frame | None:
    """Where the prompts of this run differ from those of the first run of the page."""
    if found.first is None:
        return None
    try:
        contrasts = parity(found.first, found.run).contrasts
    except SocialCircuitsError:
        # A run that does not say what its agents were told stands beside the other without this.
        return None
    rows = [row for one in contrasts for row in _rows(one, (found.first, found.run))]
    note = (
        "A place at which the first run of the page and this one tell different things, with the "
        "lines of a unified difference; no place where all is told the same. The column "
        "identical counts the other places."
    )
    return framed("Told differently", note, rows)


def _rows(contrast: Contrast, runs: tuple[Run, Run]) -> Iterator[dict[str, Any]]:
    # Where the files lie on this machine is no part of a page.
    first, second = (
        words.removeprefix(f"{run.path}: ")
        for words, run in zip((contrast.first, contrast.second), runs, strict=True)
    )
    settings = {"first": first, "second": second, "identical": contrast.identical}
    blank = {"place": None, "side": None, "against": None, "lines": None}
    yield from ({**settings, **vars(one)} for one in contrast.differences)
    if not contrast.differences:
        yield {**settings, **blank}
