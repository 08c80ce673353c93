"""What judges said and where they disagree, as a page and as JSON values."""

from __future__ import annotations

from typing import Any

from socialcircuits.report.page import Page, Section
from socialcircuits.report.sections import counts, judges
from socialcircuits.studies import Run


def disagreements(run: Run) -> list[dict[str, Any]]:
    """Return how far each two judges of a run agree, a row for each part of a rubric, with the
    columns of `judges.Compared.row`."""
    return [one.row() for one in judges.compared(run)]


def judged(run: Run) -> Page:
    """Return what each judge said, and where judges disagree."""
    tables = (*counts.judging(run), *judges.table(run))
    return Page(run.study.name, run.label, (), (Section("Judges", tables),) if tables else ())
