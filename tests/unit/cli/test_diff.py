"""The verb that compares trials and runs, and what it prints."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

import socialcircuits
from socialcircuits.analyses.differing import RunDifference, Side, differ
from socialcircuits.analyses.tracing import Path as Chain
from socialcircuits.analyses.tracing import Said
from socialcircuits.cli import diff
from socialcircuits.errors import RunFileError
from socialcircuits.report.differing import CAUSES, LONGEST, MANY, MOST, lines

STUDY = """
seeds = 2
[trial]
N = 6
stop = 0
truth = "Germany"
[interventions]
sees = [{kind = "evidence", agents = "4", view = "9,3"}]
gone = [{kind = "remove", agents = "1"}]
[[sweep]]
intervention = ["", "sees", "gone"]
"""
LABEL = "SIMULATED AGENTS: CHECKS THE SOFTWARE, NOT A FINDING ABOUT ANY MODEL"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A run of two seeds: a base trial and two changed ones each."""
    folder = tmp_path_factory.mktemp("runs")
    (folder / "study.toml").write_text(STUDY)
    out = folder / "a.db"
    socialcircuits.run(str(folder / "study.toml"), out=out, seed=3).close()
    return str(out)


def printed(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().out.splitlines()


def number(made: str, intervention: str, seed: int = 1) -> int:
    with socialcircuits.open(made) as run:
        return next(
            plan.number
            for plan in run.file.plans()
            if (plan.condition["intervention"], plan.seed) == (intervention, seed)
        )


def compared(one: tuple[str, int | None], two: tuple[str, int | None]) -> RunDifference:
    with socialcircuits.open(one[0]) as first, socialcircuits.open(two[0]) as second:
        return differ(Side(first, one[1]), Side(second, two[1]))


def test_two_trials_are_told_in_full(made: str, capsys: pytest.CaptureFixture[str]) -> None:
    base, sees = number(made, ""), number(made, "sees")
    diff.command(f"{made}:{base}", f"{made}:{sees}")
    text = printed(capsys)
    (one,) = compared((made, base), (made, sees)).pairs
    assert text[:5] == [
        LABEL,
        "Settings that differ (the first there, the second now):",
        '  trial.intervention: "" there, "sees" now',
        '  changes: [] there, [{"agents":"4","kind":"evidence","view":"9,3"}] now',
        "",
    ]
    head = f"Trial {base} there, trial {sees} now (seed 1, intervention = sees)"
    assert text[5] == head
    counts = f"{one.steps.anew} asked anew ({one.steps.otherwise} answered otherwise)"
    assert text[6] == f"  Steps: {one.steps.equal} equal, {counts}."
    assert text[7].startswith("  First asked anew: guess/4/0 (round 0): ")
    assert f"  Beliefs that differ: {len(one.beliefs)} of 6 in the readout." in text
    assert one.beliefs
    for belief in one.beliefs:
        at = text.index(f"    agent {belief.agent}, from round {belief.since}")
        hops = belief.path.hops
        origin = text[at + 3].strip()
        assert origin.startswith(f"{'at' if len(hops) == 1 else 'from'} {hops[0].step}")
        assert CAUSES["evidence"] in origin
        for place, hop in enumerate(hops[1:], start=at + 4):
            assert text[place].strip().startswith(f"read by {hop.step} (round {hop.round}): ")
    asked, reused = one.calls[1].asked, one.calls[1].reused
    assert text[-1] == (
        f"  Replies: {one.calls[0].asked} asked there; {asked} asked, {reused} reused "
        f"({one.calls[1].saved:.0%} saved) now."
    )


def test_it_prints_one_object(made: str, capsys: pytest.CaptureFixture[str]) -> None:
    base, sees = number(made, ""), number(made, "sees")
    names = f"{made}:{base}", f"{made}:{sees}"
    diff.command(*names, json=True)
    value = json.loads(capsys.readouterr().out)
    assert (value["first"], value["second"]) == names
    expected = compared((made, base), (made, sees)).as_json()
    assert {name: value[name] for name in expected} == json.loads(json.dumps(expected))


def test_runs_are_summed_up(made: str, capsys: pytest.CaptureFixture[str]) -> None:
    base = number(made, "")
    diff.command(f"{made}:{base}", made)
    text = printed(capsys)
    assert "Trials: 3 compared, 2 differ." in text
    assert "  first at a guess of round 0: 2" in text
    assert "Trials without a counterpart: 0 there, 3 now." in text
    assert sum(line.startswith("Trial ") for line in text) == 2
    # What not all have in common stands with each trial.
    assert text[1].startswith("Trials: ")
    assert '  trial.intervention: "" there, "gone" now' in text
    gone = compared((made, base), (made, number(made, "gone"))).pairs[0].steps
    assert gone.first > 12
    assert any(line.endswith(f", {gone.first} only there.") for line in text)


def test_equal_runs_have_no_details(made: str, capsys: pytest.CaptureFixture[str]) -> None:
    diff.command(made, made)
    assert printed(capsys) == [LABEL, "No setting differs.", "Trials: 6 compared, 0 differ."]


def test_only_some_trials_are_shown(made: str, tmp_path: Path) -> None:
    study = tmp_path / "study.toml"
    study.write_text(STUDY)
    with socialcircuits.run(str(study), out=tmp_path / "b.db", seed=3, settings={"m": 1}) as other:
        text = list(lines(compared((made, None), (str(other.path), None))))
    assert text[1:3] == [
        "Settings that differ (the first there, the second now):",
        "  trial.m: 3 there, 1 now",
    ]
    assert sum(line.startswith("Trial ") for line in text) == MOST
    assert text[-1] == f"{6 - MOST} more trials differ; --json tells of all."


def test_a_file_may_have_a_colon_in_its_name(
    made: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    odd = tmp_path / "a:1"
    shutil.copy(made, odd)
    diff.command(str(odd), f"{odd}:{number(made, '')}")
    assert "Trials: 3 compared, 2 differ." in printed(capsys)


def test_what_cannot_be_compared_is_one_line(made: str) -> None:
    with pytest.raises(RunFileError, match="there is no completed trial 77"):
        diff.command(made, f"{made}:77")
    other = number(made, "", seed=2)
    with pytest.raises(RunFileError, match="replicate: 1 there, 2 now"):
        diff.command(f"{made}:{number(made, '')}", f"{made}:{other}")
    with pytest.raises(RunFileError, match="nowhere"):
        diff.command(made, "nowhere:x")


def test_long_replies_and_many_chains_are_cut_short(made: str) -> None:
    found = compared((made, number(made, "")), (made, number(made, "sees")))
    (one,) = found.pairs
    belief = one.beliefs[0]
    last = belief.path.hops[-1]
    assert last.first is not None
    wordy = replace(last.first, reason="x" * 500)
    invalid = replace(last.first, text="?", answer=None, valid=False)
    hops = (
        Said("message/4/0", 1, wordy, replace(wordy, reason="y" * 500)),
        Said("message/4/1", 1, invalid, None),
        last,
    )
    odd = replace(belief, path=Chain("evidence", hops, MANY + 1))
    text = list(lines(replace(found, pairs=(replace(one, beliefs=(odd,)),))))
    origin = next(line for line in text if line.startswith("      from message/4/0"))
    assert origin.endswith("(the earliest of more than 1,000,000 chains)")
    assert len(origin) < 2 * LONGEST + 150
    assert "        read by message/4/1 (round 1): invalid there, nothing now" in text
