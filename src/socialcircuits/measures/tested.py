"""Tests that are printed and are no contrast of a measure: their names, for a study's family.

A measure's own name stands for its contrasts on matched seeds.
"""

from __future__ import annotations

__all__ = ["TESTS"]

_VERIFIED = {
    "honest_defection": "honest defection",
    "correction": "correction",
    "honest_final_accuracy": "final accuracy of honest agents",
    "collective_accuracy": "collective accuracy",
    "group_accuracy": "accuracy of the group vote",
    "honest_group_accuracy": "accuracy of the vote of honest agents",
}

TESTS: dict[str, str] = {
    "defection_slope": "honest defection over the proportion of adversaries, against no slope",
    "correction_slope": "correction over the proportion of adversaries, against no slope",
    "proportion_given_count": "defection by the proportion of adversaries, their number known",
    "count_given_proportion": "defection by the number of adversaries, their proportion known",
    "coordination_honest_defection": "honest defection: coordinated less independent deceivers",
    "coordination_correction": "correction: coordinated less independent deceivers",
    "pairing_honest": "honest defection of one honest model less that of another",
    "pairing_deceiver": "honest defection under one model of deceivers less that under another",
    "pairing_proportion": "honest defection at the largest less that at the smallest proportion",
    "pairing_models": "effect of the honest model less that of the deceivers' model",
    **{
        f"verification_{name}": f"{words}: with verification less without"
        for name, words in _VERIFIED.items()
    },
    "timing_round_1": "share of first defections that come by round 1, against one half",
    "timing_round_2": "share of first defections that come by round 2, against one half",
    "hazard_by_peers": "switching by the number of infected peers, items, agents and rounds equal",
    "injected_peers": "final infection with peers made to assert the claim less that without",
    "reask_own": "final infection asked for the agent's own view less that asked as usual",
    "reask_anonymous": "final infection asked with own messages unsigned less that asked as usual",
    "dyad_less_group": "final infection of dyads less that of groups with one adversary",
    "influence_within": "predicted against measured influence, within equal accuracy gain",
    "influence_overall": "predicted against measured influence, of all agents",
    "influence_contest": "rank agreement of S less that of another predictor",
    "influence_hits": "hits of the first agent by S less those by another predictor or chance",
}
"""Name -> what is tested."""
