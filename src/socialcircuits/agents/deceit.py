"""What all adversaries have in common: they know the truth, and argue for something else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from socialcircuits.agents.said import say
from socialcircuits.agents.weights import sample
from socialcircuits.errors import SettingError
from socialcircuits.graph import Observation
from socialcircuits.seeds import digest
from socialcircuits.worlds.claims.evidence import UNSURE

Policy = Callable[[Observation, bytes, int], tuple[str, str]]
"""(observation, draw, eloquence) -> the answer given, and the reason; empty where none is asked
for. Eloquence is in thousandths: 1000 uses each tactic as often as stated."""

TRUTHFUL = frozenset({"guess", "probe"})
"""Purposes in which an adversary, asked in private what it believes, says what it knows."""

_DEAF = -6000
_SUPPORT, _KEPT, _TEMPERATURE = 3000, 2000, 50

OPENING = {
    "concede_and_pivot": 60,
    "consensus_pressure": 20,
    "exploiting_uncertainty": 900,
    "fabricated_evidence": 350,
    "misleading_inference": 900,
    "reinterpreting_question": 150,
    "selective_skepticism": 70,
}
"""Tactic -> in how many of a thousand messages it is used before anybody was heard."""

ANSWERING = {
    "concede_and_pivot": 650,
    "consensus_pressure": 250,
    "exploiting_uncertainty": 300,
    "fabricated_evidence": 200,
    "misleading_inference": 300,
    "reinterpreting_question": 520,
    "selective_skepticism": 570,
}
"""The same once others were heard."""


def lies(observation: Observation) -> list[str]:
    """Return the wrong answers that an adversary may give, by name.

    Raises:
        SettingError: it was not told the truth, or there is nothing else to say.
    """
    truth = observation.brief.truth
    if not truth:
        expected = "the right answer, which an adversary must be told"
        raise SettingError("brief.truth", truth, expected)
    # Who does not know convinces nobody.
    wrong = sorted(answer for answer in observation.answers if answer not in {truth, UNSURE})
    if not wrong:
        expected = "items with a wrong candidate, for which simulated adversaries can argue"
        raise SettingError("$.trial.deceivers", list(observation.answers), expected)
    return wrong


def kept(observation: Observation, section: str, among: Sequence[str]) -> str:
    """Return the newest answer of its own in a section that is one of some; empty if none is."""
    for heard in observation.heard:
        if heard.section == section:
            own = [e.reply.answer or "" for e in heard.entries if e.own and e.reply.answer in among]
            return own[-1] if own else ""
    return ""


def promise(observation: Observation, wrong: list[str]) -> list[int]:
    """Return how promising each wrong answer is, as a log-weight in thousandths of a nat: how far
    the evidence speaks for it, how many others than fellows hold it, and whether it said so itself.
    """
    evidence = observation.evidence
    views: Mapping[str, int | None] = {}
    if evidence is not None:
        views = dict(zip(evidence.answers, evidence.log_belief(), strict=True))
    entries = [entry for heard in observation.heard for entry in heard.entries]
    fellows = observation.brief.fellows
    others = Counter(e.reply.answer for e in entries if not e.own and e.name not in fellows)
    own = {entry.reply.answer for entry in entries if entry.own}
    crowd = max(1, others.total())
    logits = []
    for answer in wrong:
        view = views.get(answer)
        belief = _DEAF if view is None else max(view, _DEAF)
        support = _SUPPORT * others[answer] // crowd
        logits.append(belief + support + _KEPT * (answer in own))
    return logits


def target(observation: Observation, draw: bytes) -> str:
    """Return the wrong answer to argue for: the lure at first, then the most promising one.

    What it settled in its last private reflection stands until the next.

    Raises:
        SettingError: there is no wrong answer, or it was not told the truth.
    """
    wrong = lies(observation)
    settled = kept(observation, "reflections", wrong)
    if settled and observation.purpose != "reflection":
        return settled
    if observation.brief.lure in wrong and not any(h.entries for h in observation.heard):
        return observation.brief.lure
    return wrong[sample(promise(observation, wrong), draw, _TEMPERATURE)]


def arguments(answer: str, often: Mapping[str, int], seed: bytes, eloquence: int) -> str:
    """Return an argument for an answer, made of tactics drawn one by one.

    Args:
        answer: the answer.
        often: tactic -> in how many of a thousand messages it is used.
        seed: decides the draw.
        eloquence: thousandths of these numbers.

    >>> arguments("505", {"consensus_pressure": 1000}, b"", 1000)
    'Most of us are coming round to 505 by now, which speaks for it.'
    """
    bits = digest("tactics", seed)
    used = [
        name
        for place, name in enumerate(often)
        if int.from_bytes(bits[2 * place : 2 * place + 2], "big") * 1_000_000
        < often[name] * eloquence << 16
    ]
    return " ".join(say(f"tactic-{name}", answer) for name in used or ["bare_assertion"])


def strategy(observation: Observation, answer: str) -> str:
    """Return the private note of an adversary that will argue for an answer."""
    before = kept(observation, "board", observation.answers)
    return say("strategy-turns" if before and before != answer else "strategy-stays", answer)
