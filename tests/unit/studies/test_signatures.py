"""Models that sign what they say: nobody reads their labels, and no judge does."""

from __future__ import annotations

from pathlib import Path

import pytest

from socialcircuits.studies import Run, run
from tests.support.voices import AGENT, JUDGE, NEAR, RIGHT, Voices, questions

SIGNS = ("Colleague 3: ", "**Colleague 1:** ", "[Colleague 4]: ")


def deliberate(folder: Path, out: str) -> Run:
    settings = {
        "file": str(questions(folder)), "N": 4, "deceivers": 2, "coordinated": True, "rounds": 2,
        "majority": "any", "strata": False, "chat": 1,
    }  # fmt: skip
    return run(
        "deliberation/timing", model=AGENT, judge=JUDGE, seeds=1, out=folder / out,
        settings=settings,
    )  # fmt: skip


@pytest.mark.parametrize("sign", SIGNS)
def test_labels_in_front_of_replies_are_neither_read_nor_judged(
    sign: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        plain = Voices(patch, say=lambda seed: (RIGHT, NEAR)[seed % 2])
        deliberate(tmp_path, "plain.db").close()
    signed = Voices(monkeypatch, say=lambda seed: (RIGHT, NEAR)[seed % 2], sign=sign)
    with deliberate(tmp_path, "signed.db") as finished, Run(tmp_path / "plain.db") as other:
        (record,), (same,) = finished.file.trials(), other.file.trials()
        labels = [(label.step, label.rubric, label.value) for label in record.labels]
        assert labels == [(label.step, label.rubric, label.value) for label in same.labels]
        for index, reply in record.outcomes.items():
            assert reply.text.count(sign) >= 1
            assert (reply.answer, reply.reason) == (
                same.outcomes[index].answer, same.outcomes[index].reason,
            )  # fmt: skip
        assert finished.summaries()[0].courses == other.summaries()[0].courses
    # Whatever is asked, of agents and of judges, is what is asked where nobody signs.
    assert sorted(signed.asked) == sorted(plain.asked)
    assert len(signed.of(JUDGE)) > 0


def test_a_label_within_what_is_said_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what stands in front is a label: others may be spoken of."""
    voices = Voices(monkeypatch, sign="As Colleague 3: says, ")
    with deliberate(tmp_path, "run.db") as finished:
        record = next(finished.file.trials())
        spoken = [reply.reason for reply in record.outcomes.values()]
    assert all(reason.startswith("As Colleague 3: says, ") for reason in spoken)
    assert any("As Colleague 3: says, some argument" in asked.text for asked in voices.asked)
