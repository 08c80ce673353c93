"""One file that works offline: whole, inert, and without what may not be published."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from socialcircuits.errors import RunFileError, UsageError
from socialcircuits.records.tables import WITHHELD
from socialcircuits.studies import Run
from socialcircuits.viewer import export
from socialcircuits.viewer.chunks import Chunks
from socialcircuits.viewer.shell import DATA, HEAD, policy
from tests.support.voices import ITEMS
from tests.unit.viewer.shapes import Blocks

SHELL = Path(__file__).parents[3] / "src/socialcircuits/viewer/page.html"


@pytest.fixture(scope="module")
def written(runs: Mapping[str, Run], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return export(list(runs.values()), tmp_path_factory.mktemp("export") / "page.html")


@pytest.fixture(scope="module")
def blocks(written: Path) -> Blocks:
    return Blocks(written.read_text("utf-8"))


def test_the_built_page_is_one_small_file_that_asks_nobody() -> None:
    text = SHELL.read_text("utf-8")
    assert len(text.encode()) <= 150 * 1024
    assert (text.count(HEAD), text.count(DATA)) == (1, 1)
    found = Blocks(text)
    assert all(found.own())
    assert not [tag for tag, attributes in found.tags if {"src", "href"} & attributes.keys()]
    styles = re.findall(r"<style[^>]*>(.*?)</style>", text, re.DOTALL)
    assert len(styles) == 1
    assert not re.search(r"url\((?!['\"]?data:)|@import", styles[0])


def test_a_page_holds_every_run_and_every_trial(blocks: Blocks, runs: Mapping[str, Run]) -> None:
    heads = blocks.chunks("head")
    assert [name for name, _ in heads] == ["flags.db", "talk.db", "secret.db"]
    assert all(name == head["run"] for name, head in heads)
    trials = [(name, trial["number"]) for name, trial in blocks.chunks("trial")]
    assert trials == [
        (f"{name}.db", plan.number) for name, run in runs.items() for plan in run.file.plans()
    ]
    assert "deltas" not in heads[0][1]["frames"]


def test_blocks_are_inert_and_name_their_trial(blocks: Blocks) -> None:
    data = [attributes for attributes, _ in blocks.scripts if "data-run" in attributes]
    assert {one["type"] for one in data} == {"text/plain"}
    assert sum("data-head" in one for one in data) == 3
    assert all(str(one["data-trial"]).isdecimal() for one in data if "data-trial" in one)


def test_the_policy_allows_the_pages_own_script_and_no_connection(blocks: Blocks) -> None:
    (told,) = [
        str(attributes["content"])
        for tag, attributes in blocks.tags
        if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    rules = dict(rule.split(" ", 1) for rule in told.split("; "))
    assert told == policy()
    digests = [sha256(script.encode()).digest() for script in blocks.own()]
    expected = [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests]
    assert rules == {
        "default-src": "'none'",
        "script-src": " ".join(expected),
        "style-src": "'unsafe-inline'",
        "img-src": "data: blob:",
        "connect-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'none'",
    }


def test_equal_runs_give_equal_bytes(runs: Mapping[str, Run], written: Path) -> None:
    paths = [run.path for run in runs.values()]
    again = written.with_name("again.html")
    fresh = [Run(path) for path in paths]
    export(fresh, again)
    for run in fresh:
        run.close()
    assert again.read_bytes() == written.read_bytes()


def texts(value: Any) -> str:
    """All texts of a chunk, not escaped."""
    if isinstance(value, dict):
        return "\n".join(map(texts, (*value.keys(), *value.values())))
    return "\n".join(map(texts, value)) if isinstance(value, list) else str(value)


def test_texts_that_may_not_be_published_are_withheld(secret: Run, tmp_path: Path) -> None:
    # Beside a run on flags it would hold their countries: those of the other run's prompts.
    alone = Blocks(export([secret], tmp_path / "secret.html").read_text("utf-8"))
    private = [chunk for kind in ("head", "trial") for _, chunk in alone.chunks(kind)]
    whole = texts(private)
    for word in ("Peru", "Chad", "Mali", "In which country", "graded by rules", "Incas"):
        assert word not in whole
    for word in ("lima", "honest_defection", "correctness", "Colleague", WITHHELD):
        assert word in whole
    assert str(secret.path.parent) not in whole
    trial = private[-1]
    assert trial["item"] in ITEMS
    assert trial["question"] == WITHHELD
    assert trial["truth"] in trial["answers"]
    assert all(answer.startswith(WITHHELD) for answer in trial["answers"])


def test_what_is_withheld_can_still_be_drawn(blocks: Blocks, secret: Run) -> None:
    local = Chunks(secret)
    for name, trial in blocks.chunks("trial"):
        if name == "secret.db":
            own = local.trial(trial["number"])
            assert own["question"].startswith("In which country")
            assert len(set(trial["answers"])) == len(trial["answers"]) == len(own["answers"])
            for column in ("answer", "valid", "reads", "to", "seat", "round", "key"):
                assert trial["steps"][column] == own["steps"][column]
            right = own["answers"].index(own["truth"])
            assert trial["answers"].index(trial["truth"]) == right
            assert (trial["endpoint"], trial["accuracy"]) == (own["endpoint"], own["accuracy"])


def test_open_texts_are_not_withheld(blocks: Blocks) -> None:
    trials = [trial for name, trial in blocks.chunks("trial") if name == "talk.db"]
    assert all(trial["question"].endswith("?") for trial in trials)
    assert WITHHELD not in texts(trials)


def test_a_run_file_is_never_written_over(flags: Run) -> None:
    before = flags.path.read_bytes()
    with pytest.raises(UsageError, match="this is a run file"):
        export([flags], flags.path)
    assert flags.path.read_bytes() == before


def test_a_page_that_cannot_be_finished_leaves_the_old_one(
    flags: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "page.html"
    target.write_text("the old one")

    def fail(self: Chunks, number: int) -> None:
        raise RunFileError("damaged")

    monkeypatch.setattr(Chunks, "trial", fail)
    with pytest.raises(RunFileError, match="damaged"):
        export([flags], target)
    assert list(tmp_path.iterdir()) == [target]
    assert target.read_text() == "the old one"
    with pytest.raises(RunFileError, match="cannot be written"):
        export([flags], tmp_path / "no folder" / "page.html")
    with pytest.raises(UsageError, match="at least one run"):
        export([], target)
