"""Where a number of a report leads: to views that exist, and always to one that applies."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from socialcircuits.report import assembling
from socialcircuits.report.numbers import MEASURES
from socialcircuits.studies import Run
from socialcircuits.viewer.chunks import Chunks
from socialcircuits.viewer.frames import frames
from socialcircuits.viewer.leading import LEADS, OWN

ROOT = Path(__file__).parents[3]
VIEWS = ROOT / "viewer" / "src" / "views"


def existing() -> set[str]:
    """The names of the views that the page lists."""
    listed = re.findall(r'from "\./(\w+)"', (VIEWS / "index.ts").read_text("utf-8"))
    sources = [(VIEWS / f"{name}.tsx") for name in listed if (VIEWS / f"{name}.tsx").exists()]
    found = [
        re.search(r'^  name: "(\w+)",$', one.read_text("utf-8"), re.MULTILINE) for one in sources
    ]
    return {one[1] for one in found if one}


def texts() -> set[str]:
    """All texts that stand in the source of the report."""
    folder = Path(assembling.__file__).parent
    trees = (ast.parse(path.read_text("utf-8")) for path in folder.rglob("*.py"))
    nodes = (node for tree in trees for node in ast.walk(tree))
    return {one.value for one in nodes if isinstance(one, ast.Constant) and type(one.value) is str}


def test_only_views_that_exist_are_named() -> None:
    named = {view for views in (*LEADS.values(), *OWN.values()) for view in views}
    assert "slope" in named
    assert named | {"numbers", "runs"} <= existing()


def test_only_tables_and_measures_that_exist_lead_anywhere() -> None:
    assert set(LEADS) <= texts()
    assert set(OWN) <= set(MEASURES)


@pytest.mark.parametrize("name", ["flags", "talk", "secret"])
def test_every_number_of_a_report_leads_to_a_view(runs: Mapping[str, Run], name: str) -> None:
    run = runs[name]
    estimated = measures(run)
    printed = Chunks(run).head()["printed"]
    leads = {tuple(one["views"]) for one in printed}
    assert len(leads) > 3
    for one in printed:
        assert one["views"][-1] == "runs"
        asked = [view for view in one["views"] if view.startswith("sweep")]
        assert {view.removeprefix("sweep?measure=") for view in asked} <= estimated, one["id"]


def measures(run: Run) -> set[str]:
    frame = frames(run)["estimates"]
    place = frame["columns"].index("measure")
    return {row[place] for row in frame["rows"]}
