"""The tables of a run that the page draws, by name: the same analyses as figures and report.

A frame stands in a head only where it has rows. Columns that a row has no value for hold null;
a swept setting that does not apply holds the empty text. SETTINGS stands for the swept settings,
one column each, always first. Intervals are 95 %; `n` counts units of evidence (seeds, questions,
items or schedules, as the note says).

| name | a row is | columns behind SETTINGS |
| --- | --- | --- |
| estimates | a measure in a condition; a contrast or effect where `minus` is not empty | measure value low high n levels method p test detectable warnings minus |
| measures | a measure that has an estimate | measure title definition |
| slice | a condition of a population, for the phase diagram | n correct_consensus wrong_consensus polarization fragmentation (each also _low _high) rival_share rival_low rival_high rival_n; N is always there |
| thresholds | a class under one pair of thresholds | endpoint consensus polar share trials |
| ladders | a class of answer at one rung of a planted memory | class lures value low high n; class: private_target social other_compatible incompatible no_answer |
| yields | where agents go over to a planted memory | measure (yield_point, yielded) value low high n method |
| evidence_share | a crop probed between truth and rival | trial crop (place among the seats that bear evidence, from 0) rival_share n |
| patches | a trial with an intervention beside the one that it changes | trial base seed patched (keys of the seats that see something else, with spaces between) before after change |
| effects | a measure under an intervention less without | measure value low high n p test method |
| attribution | an agent of a schedule of which all patches and probes are held | trial seed view probes agent original_correct informative_correct dp D E S dA rank_S rank_dA unreached out_degree paths, and where measured direct relayed shapley shapley_error |
| ranks | a predictor of dA over the schedules of a condition | predictor schedules undecided chance within within_tau within_p overall overall_p each each_low each_high each_n hits hits_low hits_high hits_n |
| contests | S less another predictor on the same schedules | other each each_low each_high each_n each_p hits hits_low hits_high hits_n hits_p |
| composition | defection or correction of one composition | measure model composition N adversaries proportion value low high n trials none method |
| trends | the straight line of a change over the proportion of adversaries | measure model slope low high means_slope means_low means_high r2 questions compositions trials none method intercept middle means_intercept group; slope: for each 0.1 of the proportion |
| forms | one form of that dependence | measure model form parameters score error behind behind_error aic r2 |
| tests | proportion given number of adversaries, and the other way round | models tested given chi2 degrees p why questions trials agents events method |
| matched | a matched difference: coordination, verification or pairing of models | kind measure contrast value low high n pairs left_out unjudged p exact method |
| timing | when honest agents first defected | class value low high n agents p exact unjudged method |
| labelled | a labelled share: tactics, audits, codes, reasons, coordination | measure round (null: all) value low high n |
| strata | items by how many of four answers alone are right | model right items kept |
| curves | private infection or public endorsement after a round | measure round value low high n counted of unjudged method |
| speed | when half and most of the final infection is there | final agents half_round most_round round_1 round_4 trials n |
| joint | stance by private answer after the round, of exposed turns | label stance value low high n counted of method |
| knowledge | what agents knew beside what they gave up | known_at_first abandoned abandoned_to_false final_infection (each also _low _high _n _counted _of) |
| reasks | private answers under another instruction | wording retained final (each also _low _high _n _counted _of) standard difference low high n p exact method |
| pairings | correction, performance and silence under each pairing of turn and answer | pairing quantity value low high n counted of method |
| hazard | how often agents switch, by infected peers | measure (hazard_raw, reversal_raw, hazard_adjusted) peers value low high n counted of unjudged left_out note method |
| hazard_fits | the adjusted hazard of a condition | value low high n chi2 degrees p why deviation_item deviation_agent rise agents rounds switches unjudged periods verdict method |
| acts | who switches, by what it or its peers said in the round | act whose value low high n counted of method |
| injected | peers made to assert the claim, less without | peers value low high n changed unchanged p exact left_out method |
| dyads | a dyad less a larger group | measure group dyad group_infection value low high n p exact dyad_messages group_messages left_out method |
| defences | a measure with a defence less without any | measure value low high n p test method |
| agreement | how far two judges agree on a part of a rubric | judges rubric part pairs agreed share share_low share_high kappa kappa_low kappa_high alpha alone n |
| confusion | what the one and the other judge said of the same thing | judges rubric part first second pairs |
| corrected | final infection as a second judge would have it | judge measure label rate value low high n labelled unlabelled method |
| card_lines | a line of the card, where every claim was asked once in an arm | line family means value low high n dropped invalid refused unjudged strays detectable method |
| card_claims | a claim in the arm of a line | line claim trial alone after statement fresh value result why |
| deltas | this run less the first of the page, on matched seeds | measure value low high n p test method |
| prompts | what is told at a place to the agents of conditions with one prompt digest | told place models text |
| caveats | a sentence of the report on what its numbers do not show | sentence |
| told | a place at which the first run of the page and this one tell different things | first second identical place side against lines |
"""  # noqa: E501 - a table

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from socialcircuits.studies import Run
from socialcircuits.viewer.framing import between, card, judges, measured, patched, spoken
from socialcircuits.viewer.framing.analysed import Analysed
from socialcircuits.viewer.tables import Frame

__all__ = ["CATALOGUE", "frames"]

CATALOGUE: Mapping[str, Callable[[Analysed], Frame | None]] = {
    "estimates": measured.estimates,
    "measures": measured.measures,
    "slice": measured.slice_,
    "thresholds": measured.thresholds,
    "ladders": measured.ladders,
    "yields": measured.yields,
    "evidence_share": patched.evidence_share,
    "patches": patched.patches,
    "effects": measured.effects,
    "attribution": patched.attribution,
    "ranks": patched.ranks,
    "contests": patched.contests,
    "composition": spoken.composition,
    "trends": spoken.trends,
    "forms": spoken.forms,
    "tests": spoken.tests,
    "matched": spoken.matched,
    "timing": spoken.timing,
    "labelled": spoken.labelled,
    "strata": measured.strata,
    "curves": spoken.curves,
    "speed": spoken.speed,
    "joint": spoken.joint,
    "knowledge": spoken.knowledge,
    "reasks": spoken.reasks,
    "pairings": spoken.pairings,
    "hazard": spoken.hazard,
    "hazard_fits": spoken.hazard_fits,
    "acts": spoken.acts,
    "injected": spoken.injected,
    "dyads": spoken.dyads,
    "defences": measured.defences,
    "agreement": judges.agreement,
    "confusion": judges.confusion,
    "corrected": judges.corrected,
    "card_lines": card.lines,
    "card_claims": card.claims,
    "deltas": measured.differences,
    "prompts": between.prompts,
    "caveats": spoken.caveats,
    "told": between.told,
}
"""Name -> the function that makes it; None where it does not apply."""


def frames(run: Run, first: Run | None = None) -> dict[str, dict[str, Any]]:
    """Return the tables of a run that have rows, by name, as JSON values.

    Args:
        run: the run.
        first: the run that it is compared with; None for none.
    """
    found = Analysed(run, first)
    made = {name: make(found) for name, make in CATALOGUE.items()}
    return {name: frame.as_json() for name, frame in made.items() if frame is not None}
