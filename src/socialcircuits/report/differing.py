"""The difference of two trials or runs, in lines of text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from socialcircuits.agents import LABEL
from socialcircuits.analyses.deltas import RUN
from socialcircuits.analyses.differing import (
    Answers,
    Belief,
    Calls,
    RunDifference,
    Steps,
    TrialDifference,
)
from socialcircuits.analyses.tracing import Cause, Path, Said
from socialcircuits.graph import Reply
from socialcircuits.measures import Row
from socialcircuits.report.words import p_text, where
from socialcircuits.statistics import LEVEL

MOST = 3
"""Most trials that are shown in detail."""

LONGEST = 90
"""Most characters of one side's reply."""

MANY = 1_000_000
"""More chains than this are not counted out."""

CAUSES: dict[Cause, str] = {
    "evidence": "the agent sees something else",
    "model": "another mind sits there",
    "told": "the agent is told something else about its part",
    "draw": "its replies are drawn from another seed",
    "memory": "what it remembers was rewritten",
    "view": "it may read more or less",
    "prompt": "its prompt has other words",
    "reply": "the same question got another reply",
    "given": "what is given differs",
    "delivery": "what others read there is not what was said, or nothing",
    "edge": "only on one side does the next one read it",
    "absent": "only one side has it",
    "ended": "the other trial had ended",
}
"""Each cause in words, said of the first hop."""


def lines(found: RunDifference) -> Iterator[str]:
    """Yield a difference: settings, a summary where there are many trials, and the first trials
    that differ in full."""
    yield from (agents.replace(LABEL, LABEL.upper()) for agents in found.agents)
    first = found.pairs[0].settings
    common = [line for line in first if all(line in pair.settings for pair in found.pairs)]
    if common:
        yield "Settings that differ (the first there, the second now):"
        yield from (f"  {line}" for line in common)
    elif not any(pair.settings for pair in found.pairs):
        yield "No setting differs."
    differing = [pair for pair in found.pairs if not pair.same]
    many = len(found.pairs) > 1 or any(found.unmatched)
    if many:
        yield from _summary(found, differing)
    for pair in differing[:MOST] if many else found.pairs:
        yield ""
        yield from _trial(pair, [line for line in pair.settings if line not in common])
    if len(differing) > MOST:
        yield ""
        yield f"{len(differing) - MOST} more trials differ; --json tells of all."


def delta_lines(rows: Sequence[Row]) -> Iterator[str]:
    """Yield what changes from the first run to the second on matched seeds, a line a measure."""
    if not rows:
        return
    yield ""
    yield (
        f"Second less first on matched seeds, {100 * LEVEL:g} % intervals; p values are not "
        "corrected for their number:"
    )
    for row in rows:
        yield f"  {_delta(row)}"


def _delta(row: Row) -> str:
    found, settings = row.estimate, dict(row.condition)
    del settings["minus"], settings[RUN]
    place = f"{row.measure.replace('_', ' ')}, {where(settings)}"
    seeds = f"{found.n} of {found.levels['seeds']['planned']} seeds"
    if found.value is None:
        return f"{place}: none, {seeds}"
    words = f"{place}: {found.value:+.3f} ({found.low:+.3f} to {found.high:+.3f}), {seeds}"
    if found.test is None:
        return words
    words += f", p {p_text(found.test.p, found.test.exact)} ({found.test.test})"
    null = found.low is None or found.high is None or found.low <= 0 <= found.high
    if null and found.detectable is not None:
        words += f", open: {found.detectable:.3f} would have been found"
    return words


def _summary(found: RunDifference, differing: list[TrialDifference]) -> Iterator[str]:
    yield f"Trials: {len(found.pairs)} compared, {len(differing)} differ."
    firsts = Counter(
        (pair.asked.round, pair.asked.step.partition("/")[0]) for pair in differing if pair.asked
    )
    for (current, purpose), count in sorted(firsts.items()):
        yield f"  first at a {purpose} of round {current}: {count}"
    if differing:
        changed = sum(len(pair.beliefs) for pair in differing)
        agents = sum(pair.agents for pair in differing)
        yield f"  beliefs that differ in these trials: {changed} of {agents}"
    if any(found.unmatched):
        there, now = found.unmatched
        yield f"Trials without a counterpart: {there} there, {now} now."


def _trial(pair: TrialDifference, settings: list[str]) -> Iterator[str]:
    condition = "".join(f", {name} = {value}" for name, value in pair.condition.items())
    yield f"Trial {pair.trials[0]} there, trial {pair.trials[1]} now (seed {pair.seed}{condition})"
    yield from (f"  {line}" for line in settings)
    yield f"  Steps: {_steps(pair.steps)}."
    if pair.asked is not None:
        yield f"  First asked anew: {_said(pair.asked)}"
    if pair.said is not None:
        yield f"  First answered otherwise: {_said(pair.said)}"
    if pair.agents:
        yield f"  Beliefs that differ: {len(pair.beliefs)} of {pair.agents} in the readout."
    for belief in pair.beliefs:
        yield from _belief(belief)
    there, now = pair.accuracy
    if there is not None and now is not None:
        yield f"  Accuracy at the end: {there:.3f} there, {now:.3f} now."
    yield f"  Replies: {_calls(pair.calls[0])} there; {_calls(pair.calls[1])} now."


def _steps(steps: Steps) -> str:
    counts = {
        "equal": steps.equal,
        f"asked anew ({steps.otherwise} answered otherwise)": steps.anew,
        "asked the same and answered otherwise": steps.replies,
        "only there": steps.first,
        "only now": steps.second,
    }
    return ", ".join(f"{count} {words}" for words, count in counts.items() if count)


def _belief(belief: Belief) -> Iterator[str]:
    yield f"    agent {belief.agent}, from round {belief.since}"
    yield f"      there: {_answers(belief.first)}"
    yield f"      now:   {_answers(belief.second)}"
    yield from (f"      {line}" for line in _path(belief.path))


def _path(path: Path) -> Iterator[str]:
    origin = path.hops[0]
    if len(path.hops) == 1:
        yield f"at {origin.step}: {CAUSES[path.cause]}{_others(path)}"
        return
    yield f"from {_said(origin)}; {CAUSES[path.cause]}{_others(path)}"
    for hop in path.hops[1:]:
        yield f"  read by {_said(hop)}"


def _others(path: Path) -> str:
    if path.ways == 1:
        return ""
    several = f"more than {MANY:,}" if path.ways > MANY else f"{path.ways:,}"
    return f" (the earliest of {several} chains)"


def _said(said: Said) -> str:
    one, two = said.first, said.second
    # Reasons only where the answers do not tell the sides apart.
    reasons = one is not None and two is not None and one != two and one.answer == two.answer
    there, now = (_words(reply, reasons=reasons) for reply in (one, two))
    return f"{said.step} (round {said.round}): {there} there, {now} now"


def _words(reply: Reply | None, *, reasons: bool) -> str:
    if reply is None:
        return "nothing"
    if not reply.valid:
        return "invalid"
    words = reply.answer or reply.text
    if reasons and reply.reason:
        words = f"{words} ({reply.reason})"
    return words if len(words) <= LONGEST else f"{words[:LONGEST]} ..."


def _answers(answers: Answers) -> str:
    """The answers with the round in which each began."""
    parts, last = [], object()
    for current in sorted(answers):
        answer = answers[current]
        if answer != last:
            parts.append(f"{'invalid' if answer is None else answer} ({current})")
        last = answer
    return ", ".join(parts)


def _calls(calls: Calls) -> str:
    if not calls.reused:
        return f"{calls.asked:,} asked"
    return f"{calls.asked:,} asked, {calls.reused:,} reused ({calls.saved:.0%} saved)"
