"""From cases to labels: by rules, and by a model through the same engine as trials."""

from __future__ import annotations

from socialcircuits.graph import Brief, Mind, Readout, Reply, Seat, Step, build
from socialcircuits.judges.base import Case, Judgment
from socialcircuits.judges.form import read_object
from socialcircuits.judges.mind import PURPOSE
from socialcircuits.records import Attempt, Label
from socialcircuits.records.courses import RULES
from socialcircuits.seeds import digest
from socialcircuits.trial import Journal, Known, Setup, play_waiting
from socialcircuits.trial.loop import unknown

# One seed for all: the draw of a label is its pass, so equal prompts share (rule 10).
_SEED = digest("judges")


def settle(case: Case) -> Label:
    """Return the label of the deterministic judge; without a value where it leaves the case.

    It is complete for simulated agents, and never wrong about a model: there it settles what the
    world can grade, and which votes are equal. What it settles no model need be asked about.

    >>> from socialcircuits.judges import RUBRICS, Transcript
    >>> from socialcircuits.records import Provided
    >>> graph = build([Seat("0")], [Step(0, "message", 0)], Readout("message", (0,), 0))
    >>> facts = {"world": "flags", "truth": "Peru"}
    >>> given = Provided(("simulated/literal()",), (Brief()._asdict(),), ("",), facts)
    >>> trial = Transcript(graph, {0: Reply("Chad", "Chad")}, given, "Whose flag is it?")
    >>> settle(next(RUBRICS["correctness"].cases(trial))).value
    {'right': False, 'extracted': 'Chad'}
    """
    return _label(case, RULES, 0, case.rubric.rules(case))


async def judge_case(
    case: Case,
    mind: Mind,
    number: int = 0,
    retries: int = 2,
    known: Known = unknown,
    journal: Journal | None = None,
) -> tuple[Label, tuple[Attempt, ...]]:
    """Ask a judge for one label. Nothing is stored but by the journal.

    Args:
        case: what is judged.
        mind: the judge.
        number: the pass, from 0; another pass is another draw.
        retries: how often a void reply is asked for again, at least 0.
        known: where replies that need not be asked for again are found; equal prompts have equal
            keys, whatever trial they come from.
        journal: where replies are committed before they are used.

    Returns:
        The label, and all attempts; if the last one is void the label has no value and says why.

    Raises:
        Exception: whatever the mind raised.
    """
    played = await play_waiting(_setup(case, mind, number, retries), known, journal)
    return labelled(case, mind.id, number, played.attempts[-1].reply), played.attempts


def labelled(case: Case, judge: str, number: int, reply: Reply) -> Label:
    """Return the label that a judge's reply to a case stands for.

    Args:
        case: what was judged.
        judge: id of the judge.
        number: the pass.
        reply: the reply.
    """
    if not reply.valid:
        return _label(case, judge, number, Judgment(None, why=f"void: {reply.why}"))
    said = read_object(reply.text, case.rubric.form(case))
    return _label(case, judge, number, case.rubric.read(case, said))


def _label(case: Case, judge: str, number: int, found: Judgment) -> Label:
    return Label(case.step, case.rubric.name, judge, number, *found)


def _setup(case: Case, mind: Mind, number: int, retries: int) -> Setup:
    step = Step(0, PURPOSE, 0, number, variant=case.rubric.name, form="spoken")
    graph = build([Seat("judge", "judge")], [step], Readout(PURPOSE, (0,), 0))
    return Setup(
        shared_seed=_SEED,
        trial_seed=_SEED,
        graph=graph,
        minds=(mind,),
        evidence=(case,),
        answers=((),),
        briefs=(Brief("judge"),),
        retries=retries,
    )
