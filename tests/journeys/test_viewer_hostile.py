"""Texts of a run are anybody's: in valid replies, reasons, names, questions and answers none is
ever more than text, in a file and from the server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from socialcircuits.models import Completion, Request
from socialcircuits.records import RunFile, TrialRecord
from socialcircuits.studies import Run, judge
from socialcircuits.studies import run as study
from socialcircuits.viewer import export
from tests.support.browser import Opened, address, browsing, holds, serving
from tests.support.voices import AGENT, JUDGE, OTHER, Asked, Voices, judgment

LONG = "x" * 2**20
MARKUP = (
    "</script><script>document.title = 'had'</script><img src=x onerror=alert(1)>"
    "<a href=\"javascript:alert(2)\">a</a><iframe src='data:text/html,<script>alert(3)</script>'>"
    "<svg onload=alert(4)><!--data-->&#x3c;b>"
)
EVIL = MARKUP + "\u202etxt.exe\u2066\x07\x1b[31m\x00\u2028 end"
SHOWN = (
    EVIL.replace("\u202e", "\\u202e")
    .replace("\u2066", "\\u2066")
    .replace("\x07", "\\u0007")
    .replace("\x1b", "\\u001b")
    .replace("\x00", "\\u0000")
    .replace("\u2028", "\\u2028")
)
FILE = "a\"'<img src=x onerror=alert(1)>&amp;\u202e.db"
TRIALS = ("trial", "shares", "evidence", "circuit", "patch", "transcript")
OTHERS = ("runs", "numbers", "sweep", "slope", "judge", "tactics", "parity", "diff", "nowhere")
MADE = "main :is(img, script, iframe, a[href^='javascript'], a[href^='data'], [onload], [onerror])"


class Evil(Voices):
    """Agents and judges whose replies are valid, and the first of which says a megabyte."""

    def _reply(self, name: str, request: Request) -> Completion:
        found = super()._reply(name, request)
        if len(self.asked) > 1:
            return found
        said = json.loads(found.text)
        longest = {key: text if key == "answer" else text + LONG for key, text in said.items()}
        return replace(found, text=json.dumps(longest))


def reading(asked: Asked, number: int) -> str:
    """A judge that says the same of what it reads, and quotes it."""
    if asked.keys != "reasoning found":
        return json.dumps({**json.loads(judgment(asked)), "reasoning": EVIL})
    said = [line["argument"] for line in asked.lines if "argument" in line][-1]
    found = [{"label": "fabricated_evidence", "quote": said[:60]}]
    return json.dumps({"reasoning": EVIL, "found": found})


def questions(folder: Path) -> Path:
    """A file of questions whose texts and answers are hostile."""
    text, markup = json.dumps(EVIL), json.dumps(MARKUP)
    path = folder / "questions.toml"
    path.write_text(
        "\n".join(
            f'[[question]]\nid = "{item}"\ncategory = {markup}\nquestion = {text}\n'
            f'answer = "Peru"\nlures = [{markup}, "Mali"]\n'
            for item in ("lima", "cusco")
        ),
        encoding="utf-8",
    )
    return path


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A run with hostile texts; whoever reads it finds hostile names of agents in it too."""
    folder, plain = tmp_path_factory.mktemp("hostile"), RunFile.trial

    def trial(self: RunFile, number: int) -> TrialRecord:
        record = plain(self, number)
        briefs = tuple({**brief, "name": EVIL} for brief in record.provided.briefs)
        return replace(record, provided=replace(record.provided, briefs=briefs))

    settings: dict[str, Any] = {"file": str(questions(folder)), "shareable": True}
    settings |= {"strata": False, "N": [4], "deceivers": [1], "coordinated": [False], "rounds": 1}
    with pytest.MonkeyPatch.context() as patch:
        Evil(patch, judge=reading, sign=EVIL)
        options: dict[str, Any] = {"model": AGENT, "judge": JUDGE, "seeds": 2}
        out = folder / FILE
        study("deliberation/tactics", out=out, settings=settings, **options).close()
        judge(out, OTHER)
        patch.setattr(RunFile, "trial", trial)
        yield out


@pytest.fixture(scope="module")
def page(run: Path) -> Path:
    with Run(run) as held:
        return export([held], run.with_name("page.html"))


@pytest.fixture(scope="module")
def browser(page: Path) -> Iterator[Any]:
    # A browser holds this thread's event loop: the run is made before.
    assert page.exists()
    with browsing() as opened:
        yield opened


@pytest.fixture(scope="module", params=["file", "server"])
def base(request: pytest.FixtureRequest, run: Path, page: Path) -> Iterator[str]:
    """The address of the page, before the view."""
    if request.param == "file":
        yield address(page, "")
        return
    with serving(run) as server:
        yield f"{server.address}#/"


@pytest.mark.parametrize("view", [*TRIALS, *OTHERS])
def test_it_is_shown_as_text(browser: Any, base: str, view: str) -> None:
    seen = Opened(browser, f"{base}{view}?seat=0&rubric=tactics&table=1")
    tab = seen.tab
    tab.locator("main h2").wait_for()
    tab.locator("main :is(canvas, svg, table, article, p)").first.wait_for()
    holds(tab.locator(MADE), 0)
    assert "had" not in tab.title()
    if view in {"trial", "transcript"}:
        tab.locator("main .about .said", has_text=SHOWN).wait_for()
        tab.locator("main h3", has_text=MARKUP[:40]).first.wait_for()
        tab.locator("main :is(article, .agent) .said", has_text=SHOWN).first.wait_for()
        assert len(tab.locator("main").inner_text()) < 400_000
    assert not seen.wrong
    tab.context.close()


def test_a_megabyte_is_shown_in_parts(browser: Any, base: str) -> None:
    seen = Opened(browser, f"{base}transcript")
    more = seen.tab.get_by_role("button", name="more of 1,04").first
    more.wait_for()
    more.click()
    assert 50_000 < len(seen.tab.locator("main").inner_text()) < 400_000
    assert not seen.wrong
