"""The golden playthroughs: one small trial a protocol, step by step. After a change that is meant,
make them anew with `python -m tests.playthroughs` and read the difference."""

from __future__ import annotations

from difflib import unified_diff

import pytest

from socialcircuits.agents import LABEL
from socialcircuits.protocols import CATALOGUE
from tests.playthroughs.trace import CHANGES, FOLDER, golden, playthrough, study
from tests.support.trials import PROTOCOLS


@pytest.mark.parametrize("protocol", CHANGES)
def test_a_playthrough_is_as_it_was(protocol: str) -> None:
    was = golden(protocol).read_text(encoding="utf-8").splitlines(keepends=True)
    now = playthrough(protocol).splitlines(keepends=True)
    name = golden(protocol).name
    difference = "".join(unified_diff(was, now, f"golden {name}", f"{name} now", n=6))
    if difference:
        pytest.fail(
            f"{name} differs; if this is meant, run python -m tests.playthroughs\n{difference}",
            pytrace=False,
        )


@pytest.mark.parametrize("protocol", CHANGES)
def test_a_playthrough_is_labelled_and_can_be_read(protocol: str) -> None:
    text = golden(protocol).read_text(encoding="utf-8")
    assert LABEL in text
    assert max(len(line) for line in text.splitlines()) <= 120


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_playthrough_of_rounds_shows_what_matters(protocol: str) -> None:
    text = golden(protocol).read_text(encoding="utf-8")
    assert "asked again" in text
    assert text.count("guess/") == 4


def test_every_golden_file_is_a_protocol() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(CHANGES)
    assert {study(name).trial.protocol for name in CHANGES} == set(CATALOGUE)
