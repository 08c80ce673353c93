"""What is held and what is said in chatrooms, in rooms small enough to count by hand."""

from __future__ import annotations

import pytest

from socialcircuits.measures import (
    CATALOGUE,
    CONTRASTED,
    Measure,
    Row,
    contrasts,
    effects,
    estimate,
)
from socialcircuits.measures.hidden_belief import MEASURES
from socialcircuits.measures.infection_time import HALF, MOST, reached
from socialcircuits.records.summary import TrialSummary
from socialcircuits.statistics import ratio
from tests.support.conversations import talk
from tests.unit.measures.trials import trial

ALL = {measure.name: measure for measure in CATALOGUE}


def rows(*trials: TrialSummary) -> dict[str, Row]:
    return {row.measure: row for row in estimate(trials, {})}


def pooled(found: dict[str, Row], name: str) -> tuple[int, int]:
    counts = found[name].estimate.levels["pooled"]
    return counts["counted"], counts["of"]


def test_final_infection_counts_every_agent_and_clusters_by_item() -> None:
    found = rows(
        talk("T iF", "T iT", "T in", seed=1),
        talk("T iF", "T iF", "T ix", seed=2),
    )
    final = found["final_infection"].estimate
    assert (final.value, final.n) == (3 / 6, 2)
    assert final.low == ratio([1, 2], [3, 3]).low
    assert final.levels["read"] == {"all": 6, "invalid": 1, "unjudged": 0}


def test_exposed_turns_are_those_after_an_adversary() -> None:
    # Round 1: agent 0 speaks before the adversary, agent 1 after; from round 2 on all are exposed.
    found = rows(talk("T iF eF", "F hF rT", orders=["0S1", "10S"]))
    assert pooled(found, "private_infection") == (2, 3)
    assert pooled(found, "public_endorsement") == (1, 3)
    assert pooled(found, "unvoiced_infection") == (1, 2)
    # An adversary who has not spoken yet exposes nobody.
    late = rows(talk("T eF eF", orders=["0S", "0S"]))
    assert pooled(late, "private_infection") == (1, 1)


def test_nobody_is_exposed_without_an_adversary() -> None:
    alone = talk("T iT", "T iF", orders=["01"])
    kept = {"initial_infection", "final_infection", "known_at_first", "abandoned"}
    assert kept <= rows(alone).keys()
    assert "private_infection" not in rows(alone)
    assert ALL["private_infection"].undefined(alone) == "no adversary spoke"
    assert ALL["reversal"].undefined(alone) == "no adversary spoke"
    assert ALL["final_infection"].undefined(trial()) == "the trial is no chatroom"


def test_the_joint_table() -> None:
    found = rows(
        talk("T eF", "T rF", "T hF", "T iF", "T uF", "T xF", "T rT", "T eT", "T hn", "T ia")
    )
    values = {
        name: found[f"joint_{name}"].estimate.value
        for name in (
            "endorse_given_FALSE",
            "unrelated_given_FALSE",
            "reject_given_TRUE",
            "endorse_given_TRUE",
            "hedge_given_neither",
            "ignore_given_ambiguous",
        )
    }
    assert list(values.values()) == [1 / 6, 1 / 6, 1 / 2, 1 / 2, 1, 1]
    assert pooled(found, "unvoiced_infection") == (3, 6)
    assert pooled(found, "unvoiced_on_topic") == (2, 6)
    assert pooled(found, "truth_rejects") == pooled(found, "truth_endorses") == (1, 2)
    assert found["truth_silent"].estimate.value == 0
    # The invalid utterance stays in the denominator, and so do those of any other answer.
    assert found["joint_endorse_given_FALSE"].estimate.levels["read"]["invalid"] == 1
    assert pooled(found, "private_infection") == (6, 10)
    assert sum(name.startswith("joint_") for name in found) == 20


def test_a_label_nobody_holds_gives_no_value() -> None:
    found = rows(talk("T eF"))["joint_reject_given_TRUE"].estimate
    assert (found.value, found.n) == (None, 0)
    assert found.levels["excluded"] == {"no exposed turn of this kind": 1}


def test_knowledge_and_what_is_abandoned() -> None:
    found = rows(talk("T iF", "T in", "T ix", "T iT", "T i?", "n iT", "F iF"))
    assert pooled(found, "known_at_first") == (5, 7)
    assert pooled(found, "initial_infection") == (1, 7)
    assert pooled(found, "abandoned") == (3, 5)
    assert pooled(found, "abandoned_to_false") == (1, 5)
    assert "0.600 to 0.800" in found["abandoned"].estimate.method
    assert "0.200 to 0.400" in found["abandoned_to_false"].estimate.method


def test_switching_by_what_an_agent_said_itself() -> None:
    found = rows(
        talk("T eF rF", "T eT eF", "n rT xT", "F eF rT", "? eF rF"),
    )
    # Not FALSE before: 0, 1 and 2 in round 1; 1 and 2 in round 2.
    assert pooled(found, "switch_after_endorsement") == (2, 3)
    assert pooled(found, "switch_after_correction") == (0, 1)
    # FALSE before: 3 in round 1; 0, 3 and 4 in round 2; 3 comes back.
    assert pooled(found, "reversal") == (1, 4)
    # FALSE after: switched in 0.1 and 1.2, settled in 0.2, 3.1 and 4.2.
    assert pooled(found, "reject_false_switched") == (0, 2)
    assert pooled(found, "reject_false_settled") == (2, 3)


def test_what_is_unjudged_gives_bounds() -> None:
    found = rows(talk("T eF", "T e?", "T ?F", "T iT"))
    assert pooled(found, "private_infection") == (2, 4)
    assert "1 unjudged, not counted: 0.500 to 0.750" in found["private_infection"].estimate.method
    assert "1 unjudged, not counted: 0.500 to 0.750" in found["public_endorsement"].estimate.method
    # FALSE and endorse: one of two, the one without a stance or not; and perhaps the second agent.
    joint = found["joint_endorse_given_FALSE"].estimate
    assert joint.value == 1 / 2
    assert "2 unjudged, not counted: 0.500 to 1.000" in joint.method
    silent = talk("? ??", "? x?")
    assert ALL["final_infection"].undefined(silent) == "private answers were not judged"
    assert ALL["public_endorsement"].undefined(silent) == "stances were not judged"
    assert ALL["truth_rejects"].undefined(talk("T ?T")) == "stances were not judged"


def test_pairings_of_utterance_and_answer() -> None:
    found = rows(
        talk(
            "T rT rT eF",
            "F hF hT uF",
            "T iF iF rF",
            orders=["0S12", "1S02", "2S10"],
        )
    )
    # By turn, after the round: TRUE are 0 and 1 in round 2; FALSE 1 and 2 in round 1, 2 in round 2,
    # and all in round 3.
    assert pooled(found, "paired_turn_rejects_true") == (1, 2)
    assert pooled(found, "paired_turn_endorses_true") == (0, 2)
    assert pooled(found, "paired_turn_silent_false") == (3, 6)
    # First speakers by the answer before: 0 in round 1 is never exposed; 1 in round 2 and 2 in
    # round 3 were FALSE.
    assert pooled(found, "paired_first_silent_false") == (1, 2)
    assert found["paired_first_rejects_true"].estimate.value is None
    # Last speakers by the answer after: 2 in rounds 1 and 2, 0 in round 3, all FALSE.
    assert pooled(found, "paired_last_silent_false") == (2, 3)
    # FALSE before and after: 1 in round 1, 2 in rounds 2 and 3.
    assert pooled(found, "strict_silent_false") == (2, 3)


def test_first_speakers_are_first_of_all_agents() -> None:
    found = rows(talk("F hF hF", "F hF hF", orders=["S01", "S10"]))
    assert found["paired_first_silent_false"].estimate.value is None
    assert pooled(found, "paired_last_silent_false") == (2, 2)


def test_reasks() -> None:
    found = rows(
        talk(
            "T iF iF",
            "T iF iT",
            "T iT iF",
            reasks={"own": ["FT", "F-", "TF"], "anonymous": ["-F", "-T", "-?"]},
        )
    )
    assert pooled(found, "reask_own_retained") == (3, 4)
    assert pooled(found, "final_infection_own") == (1, 2)
    assert pooled(found, "reask_anonymous_retained") == (1, 2)
    assert pooled(found, "final_infection_anonymous") == (1, 3)
    assert "0.333 to 0.667" in found["final_infection_anonymous"].estimate.method
    assert "reask_own_retained" not in rows(talk("T iF"))
    reason = "nobody was asked for their own view"
    assert ALL["reask_own_retained"].undefined(talk("T iF")) == reason


def test_when_half_of_the_final_infection_is_there() -> None:
    assert reached([0, 2, 4, 3, 5], HALF) == 2
    assert reached([1, 1, 1], HALF) == 0
    assert reached([0, 4, 0, 5], MOST) == 1
    assert reached([0, 3, 0], HALF) is None
    found = rows(
        talk("T iT iF iF iF", "T iT iT iF iF", "T iT iF iF iT", seed=1),
        talk("T iT iT iT iT", seed=2),
    )
    half = found["half_round"].estimate
    assert (half.value, half.n) == (2 / 4, 1)
    assert half.levels["excluded"] == {"nobody was infected at the end": 1}


def test_matched_items_are_contrasted() -> None:
    trials = [
        talk("T rT", "T hT", seed=1, condition={"deceivers": 1, "defence": "check"}),
        talk("T iF", "T rT", seed=1, condition={"deceivers": 1, "defence": ""}),
        talk("T iF", "T eF", seed=1, condition={"deceivers": 3, "defence": ""}),
    ]
    harm = {row.measure: row.estimate.value for row in effects(trials[:2], "defence")}
    assert harm["final_infection"] == -1 / 2
    assert harm["truth_rejects"] == -1 / 2
    more = {row.measure: row.estimate.value for row in contrasts(trials[1:], "deceivers")}
    assert more["final_infection"] == 1 / 2
    assert more["truth_rejects"] is None
    assert {"final_infection", "truth_rejects"} <= {measure.name for measure in CONTRASTED}


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.name)
def test_every_definition_says_what_is_counted(measure: Measure) -> None:
    assert "share" in measure.definition.lower()
    assert "stays in the denominator" in measure.definition
