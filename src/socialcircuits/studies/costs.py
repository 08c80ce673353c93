"""What a study will take, before anything is asked: calls exactly, tokens and cost as a range."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import NamedTuple

from socialcircuits.agents import SIMULATED, Access, BackEnd
from socialcircuits.agents.prompted import Prompted
from socialcircuits.graph import Brief, Observation, Step, Walk
from socialcircuits.studies.planning import Builder, Plan, Planned
from socialcircuits.trial import Setup

BYTES_A_TOKEN = (3, 5)
"""Bytes of English prompt text that a token holds, at worst and at best."""

ENTRY = 60
"""Most tokens of one entry of a memory of one-sentence reasons; others have
`LONG`."""

SHORT, LONG = 250, 400
"""A reply of at most so many tokens gives a short entry; and the tokens of a long one."""

MOST = 1 << 30
"""Entries where a view has no limit."""

IMAGE = (85, 1100)
"""Tokens of one small picture, over the servers whose counting is published."""

DEAREST_IMAGE = {"openai/gpt-4o-mini": 8500}
"""Models that count a picture at more."""

ODDS = 10
"""Most calls that the probabilities of all answers usually take."""

REPLY = 10
"""Fewest tokens of one reply: an answer alone."""


@dataclass(frozen=True)
class Range:
    """Tokens and cost, at least and at most, before retries and early stop.

    Args:
        prompt: prompt tokens, low and high.
        completion: completion tokens, low and high.
        cost_usd: low and high; None where the price of a model is not known.
    """

    prompt: tuple[int, int]
    completion: tuple[int, int]
    cost_usd: tuple[float, float] | None

    def as_json(self) -> dict[str, object]:
        """Return the range as JSON values."""
        return asdict(self)


def costs(plan: Plan, access: Access | None = None) -> Range:
    """Estimate the tokens and the cost of a study from its first prompts; nothing is asked.

    Prompts are rendered as they will be before anything is heard; memories are taken as empty at
    least and as full at most.

    Args:
        plan: the study's plan.
        access: for its file of prices; nothing is reached.

    Raises:
        SettingError: a model's option or a setting of the world is not allowed.
    """
    back = BackEnd.unreached(plan.study.models.values(), access)
    builder = Builder(plan.study, back=back)
    found: dict[str, Counter[str]] = {}
    shared: set[tuple[object, ...]] = set()
    first = [
        one for part in (plan.strata, plan.groups) for group in part[:1] for one in group.trials
    ]
    # What is shared is asked as often as the condition with most seeds needs it.
    for planned in sorted(first, key=lambda one: -_times(plan, one)):
        setup, _ = builder.build(planned)
        names = [plan.study.models.get(name, "") for name in builder.models(planned)]
        # Which items the strata keep is not known: perhaps none.
        surely = planned.plan.role == "stratum" or not plan.strata
        for model, step, size in _prompts(setup, names):
            again = (model, *step, bool(step.variant) and len(setup.graph.seats))
            if step.shared and again in shared:
                continue
            shared.add(again)
            sums = found.setdefault(model, Counter())
            times = _times(plan, planned)
            sums["low"] += size.low * times * surely
            sums["high"] += size.high * times * (ODDS if step.form == "odds" else 1)
            sums["short"] += REPLY * times * surely
            sums["long"] += size.cap * times
    whole = sum(found.values(), Counter[str]())
    prompt, completion = (whole["low"], whole["high"]), (whole["short"], whole["long"])
    return Range(prompt, completion, _cost(back, found))


def _times(plan: Plan, planned: Planned) -> int:
    alone = planned.plan.role == "stratum"
    return plan.study.seeds if alone else plan.study.replicates(planned.cell.trial)


def _cost(back: BackEnd, found: dict[str, Counter[str]]) -> tuple[float, float] | None:
    least = most = 0
    for model, sums in found.items():
        price = back.calls.price(model.partition("?")[0])
        if price is None:
            return None
        least += price.prompt * sums["low"] + price.completion * sums["short"]
        most += price.prompt * sums["high"] + price.completion * sums["long"]
    return float(least) / 1e9, float(most) / 1e9


class _Size(NamedTuple):
    """Tokens of one call: of its prompt at least and at most, and the cap of its reply."""

    low: int
    high: int
    cap: int


def _prompts(setup: Setup, names: list[str]) -> Iterator[tuple[str, Step, _Size]]:
    """Yield the model, the step and the size of its call for each step of prompted seats."""
    sizes: dict[tuple[object, ...], _Size] = {}
    walk = Walk(setup.graph)
    for index, step in enumerate(setup.graph.steps):
        model = names[step.seat]
        if step.kind != "model" or model.startswith(f"{SIMULATED}/"):
            continue
        kind = (model, step.purpose, step.variant, step.form, setup.briefs[step.seat].role)
        if kind not in sizes:
            picture = DEAREST_IMAGE.get(model.partition("?")[0], IMAGE[1])
            sizes[kind] = _size(setup, step, picture)
        size = sizes[kind]
        there = (min(len(walk.candidates(index, v)), v.last or MOST) for v in step.views)
        entry = ENTRY if size.cap <= SHORT else LONG
        yield model, step, size._replace(high=size.high + entry * sum(there))


def _size(setup: Setup, step: Step, picture: int) -> _Size:
    """The size of a call in which nothing is heard."""
    brief: Brief = setup.briefs[step.seat]
    if step.form == "label":
        brief = brief._replace(bandwidth=1)
    if step.shared:
        brief = brief._replace(uptake=None, protocol="", wording=())
    asked = Observation(
        b"", step.purpose, step.variant, brief, brief.bandwidth > 1, setup.answers[step.seat],
        setup.evidence[step.seat], (),
    )  # fmt: skip
    mind = setup.minds[step.seat]
    assert isinstance(mind, Prompted)
    request = mind.request(asked, bytes(16))
    text = sum(len(segment.data) for segment in request.segments if segment.kind == "text")
    pictures = sum(segment.kind == "image" for segment in request.segments)
    worst, best = BYTES_A_TOKEN
    return _Size(
        text // best + pictures * IMAGE[0],
        text // worst + pictures * picture,
        request.max_tokens,
    )
