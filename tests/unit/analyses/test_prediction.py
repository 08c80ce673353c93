"""The theory fitted to some replicates against how the others ended."""

from __future__ import annotations

from dataclasses import replace

import pytest

import socialcircuits as sc
from socialcircuits.analyses.copying import CopyingTrial, observed
from socialcircuits.analyses.prediction import ENDPOINTS, Prediction, by_evidence, predict
from socialcircuits.errors import SettingError
from socialcircuits.studies import Run
from socialcircuits.theory.cohort import mean_outcome
from socialcircuits.theory.histories import GAVE_RIVAL, GAVE_TRUTH, Histories

SIZES = [8, 16, 32]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Run:
    out = tmp_path_factory.mktemp("prediction") / "population.db"
    return sc.run("flag-game/population", out=out, seeds=10, settings={"N": SIZES})


@pytest.fixture(scope="module")
def trials(finished: Run) -> list[CopyingTrial]:
    return observed(finished)


@pytest.fixture(scope="module")
def found(trials: list[CopyingTrial]) -> Prediction:
    return predict(trials)


def test_every_class_is_predicted_at_every_size(found: Prediction) -> None:
    assert found.why == ""
    assert (found.fitted, found.held_out) == ((1, 3, 5, 7, 9), (2, 4, 6, 8, 10))
    named = [(share.n, share.endpoint) for share in found.shares]
    assert named == [(n, endpoint) for n in SIZES for endpoint in ENDPOINTS.values()]
    for n in SIZES:
        own = [share for share in found.shares if share.n == n]
        assert sum(share.predicted for share in own) == pytest.approx(1, abs=1e-9)
        assert sum(share.alike for share in own) == pytest.approx(1, abs=1e-9)
        assert sum(share.measured.value or 0 for share in own) == pytest.approx(1)
        assert {share.measured.n for share in own} == {5}
        assert {share.rounds for share in own} == {{8: 20, 16: 24, 32: 32}[n]}


def test_the_misfit_is_shown(found: Prediction) -> None:
    """Simulated agents remember eight messages and weigh them: they are not the theory's agents.
    What holds is that seeds with evidence of their own are foretold better than seeds alike."""
    assert any(share.inside for share in found.shares)
    own = sum(abs(share.misfit or 0) for share in found.shares)
    alike = sum(abs(share.alike - (share.measured.value or 0)) for share in found.shares)
    assert own < alike
    for share in found.shares:
        assert share.measured.value is not None
        assert share.misfit == share.predicted - share.measured.value
    seen = found.groups.seen
    assert seen.other_answers is not None
    assert 0.1 < seen.other_answers < 0.5
    assert found.groups.log_likelihood > found.alike.log_likelihood + 50


def test_predictions_are_those_of_the_fitted_seeds(
    found: Prediction, trials: list[CopyingTrial]
) -> None:
    evidence = list(zip(found.groups.truth, found.groups.rival, strict=True))
    assert len(evidence) == len(found.fitted)
    assert found.groups.bias.value is not None
    end = mean_outcome(16, evidence, found.groups.bias.value, 24, self_pairs=False)
    [polarized] = [s for s in found.shares if (s.n, s.endpoint) == (16, "polarization")]
    assert polarized.predicted == pytest.approx(end.polarized)
    changed = [
        replace(trial, summary=replace(trial.summary, readouts={1: (trial.truth,) * 8}))
        if trial.summary.seed in found.held_out and trial.match.n == 8
        else trial
        for trial in trials
    ]
    again = predict(changed)
    assert [s.predicted for s in again.shares] == [s.predicted for s in found.shares]
    assert again.shares[0].measured.value == 1


def test_measured_shares_are_those_of_the_run(finished: Run, trials: list[CopyingTrial]) -> None:
    found = predict(trials, held_out=[2, 3, 4, 5, 6, 7, 8, 9, 10])
    assert found.fitted == (1,)
    first = by_evidence(trials)[1]
    assert first.agents == sum(SIZES)
    whole = {(r.condition["N"], r.measure): r.estimate.value for r in finished.rows() if not
             r.condition.get("minus")}  # fmt: skip
    ends = {
        (trial.match.n, trial.summary.seed): trial.summary.final.count(trial.truth)
        for trial in trials
    }
    for share in found.shares:
        if share.endpoint == "correct_consensus":
            one = ends[share.n, 1] >= 0.85 * share.n
            total = whole[share.n, share.endpoint]
            assert total is not None
            assert share.measured.value == pytest.approx((10 * total - one) / 9)


@pytest.mark.parametrize("held_out", [[], [11], list(range(1, 11))])
def test_both_sides_need_seeds_of_the_run(trials: list[CopyingTrial], held_out: list[int]) -> None:
    with pytest.raises(SettingError, match="held_out"):
        predict(trials, held_out)


def test_conditions_that_differ_in_more_than_size_are_refused(
    trials: list[CopyingTrial],
) -> None:
    first = trials[0]
    condition = {**first.summary.condition, "alpha": 0.5}
    other = replace(first, summary=replace(first.summary, condition=condition))
    with pytest.raises(SettingError, match=r"alpha = 0\.5, unset.*but for N"):
        predict([other, *trials[1:]])


def test_seeds_that_do_not_identify_h_predict_nothing(trials: list[CopyingTrial]) -> None:
    silent = Histories([GAVE_TRUTH, GAVE_RIVAL], [0, 1, 2])
    found = predict([replace(trial, histories=silent) for trial in trials])
    assert found.shares == ()
    assert found.why.endswith("h_0 are not identified")
    assert not found.alike.identified["bias"].yes
