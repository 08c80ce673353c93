"""Every number of a report leads to trials and to the replies behind it, and comes out again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from socialcircuits.report.assembling import page
from socialcircuits.report.explaining import Explainer
from socialcircuits.report.explanation import Explanation
from socialcircuits.report.grouping import opened
from socialcircuits.report.numbers import MEASURES
from socialcircuits.report.written import read, write
from socialcircuits.studies import run
from tests.journeys import command
from tests.support.voices import AGENT, JUDGE, Voices, questions

SAMPLES: Mapping[str, Mapping[str, Any]] = {
    "flag-game/population": {"seeds": 3, "settings": {"N": [4, 8], "rounds": 2}},
    "deliberation/scaling": {
        "model": AGENT,
        "judge": JUDGE,
        "seeds": 4,
        "settings": {"N": 4, "deceivers": [0, 1], "rounds": 1},
    },
    "chatroom/sybils": {"seeds": 2, "settings": {"N": 5, "rounds": 4, "deceivers": [0, 1]}},
}
"""A small run of each study; that of questions is judged by a model."""


@pytest.fixture(scope="module", params=SAMPLES)
def explainer(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Explainer]:
    """A report as it was written, and its run."""
    folder, options = tmp_path_factory.mktemp("sample"), {**SAMPLES[request.param]}
    with pytest.MonkeyPatch.context() as patch:
        if "judge" in options:
            Voices(patch)
            options["settings"] = {**options["settings"], "file": str(questions(folder))}
        with run(request.param, out=folder / "run.db", **options) as done:
            write(page(done), [done], folder / "report")
    report = read(folder / "report" / "report.html")
    with opened(report.runs) as runs:
        yield Explainer(runs, report)


def test_walk(explainer: Explainer) -> None:
    (one,) = explainer.runs
    trials, keys = one.table("trials"), set(one.table("calls")["key"])
    digests = dict(zip(trials["trial"], trials["digest"], strict=True))
    judged = {key.hex() for key in one.file.judgments()}
    found = [explainer.explain(name) for name in explainer.below()]
    for number in found:
        assert_explained(number)
        assert number.stated is None
        assert not number.changed
        assert {row.trial: row.digest for row in number.rows}.items() <= digests.items()
        assert set(number.behind.keys) <= keys
        assert set(number.behind.judge_keys) <= judged
    told = [number.id for number in found if number.again and adds_up(number)]
    assert {name.split(".")[0] for name in told} >= {"accuracy", "endpoints"}
    # All that a judge of a model said is behind some number.
    assert {key for number in found for key in number.behind.judge_keys} == judged


def assert_explained(found: Explanation) -> None:
    """A number leads to a reply and comes out again, or says that it is of the whole record."""
    assert found.definition, found.id
    if not found.rows:
        assert found.counts["replies"] > 0, found.id
        assert found.n is None, found.id
        return
    assert found.again == found.text, found.id
    assert 0 < len(found.behind.keys) <= found.behind.replies, found.id
    assert found.shown is not None
    assert any(call.key for step in found.shown.steps for call in step.calls), found.id


def adds_up(found: Explanation) -> bool:
    """Whether a number is a measure in a condition; then what its trials add must make it."""
    measure = MEASURES.get(found.quantity)
    if measure is None or found.value is None or found.test or found.place[0] == "thresholds":
        return False
    parts = [part(row.adds) for row in found.rows]
    if measure.kind == "ratio":
        value = sum(a for a, _ in parts) / sum(b for _, b in parts)
    else:
        value = sum(a / b for a, b in parts) / len(parts)
    # Parts that are no whole numbers are told to three digits.
    assert abs(float(value) - found.value) < 1e-3, (found.id, value, found.value)
    return True


def part(adds: str) -> tuple[Fraction, int]:
    if adds in {"holds", "does not hold"}:
        return Fraction(adds == "holds"), 1
    share, _, whole = adds.partition(" of ")
    return Fraction(share), int(whole)


def test_from_a_report_to_a_call(explainer: Explainer) -> None:
    (one,), report = explainer.runs, explainer.report
    assert report is not None
    at = one.path.parent
    done = command.run("explain", f"{report.path}#accuracy.1.invalid_share", at=at)
    assert done.returncode == 0, done.stderr
    assert "calculated from these trials alone: the same" in done.stdout
    found = explainer.explain("accuracy.1.invalid_share")
    assert found.digest in done.stdout
    assert found.shown is not None
    assert found.shown.steps[0].calls[0].key[:12] in done.stdout


def test_an_unknown_number_is_refused_in_one_line(tmp_path: Path) -> None:
    run("flag-game/population", out=tmp_path / "a.db", seeds=1, settings={"N": 4}).close()
    done = command.run("explain", "a.db#accuracy.1.uplif", at=tmp_path)
    assert "near are accuracy.1.uplift" in command.refused(done)
