"""What a study will take, before anything is asked: calls exactly, tokens and cost as a range."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from socialcircuits.agents import SIMULATED, Access, BackEnd
from socialcircuits.graph import Brief, Observation, Step
from socialcircuits.studies.planning import Builder, Plan
from socialcircuits.trial import Setup

BYTES_A_TOKEN = (3, 5)
"""Bytes of English prompt text that a token holds, at worst and at best."""

ENTRY = 60
"""Most tokens of one entry of a memory, and about what a reply with a reason takes."""

IMAGE = (85, 1100)
"""Tokens of one small picture, over the servers whose counting is published."""

DEAREST_IMAGE = {"openai/gpt-4o-mini": 8500}
"""Models that count a picture at more."""

ODDS = 10
"""Most calls that the probabilities of all answers usually take."""

REPLY = (10, 250)
"""Tokens of one reply: an answer alone, and the cap."""


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
    low: Counter[str] = Counter()
    high: Counter[str] = Counter()
    replies: Counter[str] = Counter()
    shared: set[tuple[object, ...]] = set()
    for planned in plan.trials[: len(plan.cells)]:
        setup, _ = builder.build(planned)
        names = [plan.study.models.get(name, "") for name in builder.models(planned, setup.graph)]
        for model, step, (least, most) in _prompts(setup, names):
            again = (model, *step, bool(step.variant) and len(setup.graph.seats))
            if step.shared and again in shared:
                continue
            shared.add(again)
            low[model] += least * plan.study.seeds
            high[model] += most * plan.study.seeds * (ODDS if step.form == "odds" else 1)
            replies[model] += plan.study.seeds
    sums = [(low[m], high[m], REPLY[0] * replies[m], REPLY[1] * replies[m]) for m in replies]
    prices = [back.calls.price(model.partition("?")[0]) for model in replies]
    cost = None
    if all(price is not None for price in prices):
        paired = [(price, found) for price, found in zip(prices, sums, strict=True) if price]
        at_least = sum(p.prompt * s[0] + p.completion * s[2] for p, s in paired)
        at_most = sum(p.prompt * s[1] + p.completion * s[3] for p, s in paired)
        cost = (float(at_least) / 1e9, float(at_most) / 1e9)
    total = [sum(column) for column in zip(*sums, strict=True)] or [0, 0, 0, 0]
    return Range((total[0], total[1]), (total[2], total[3]), cost)


def _prompts(setup: Setup, names: list[str]) -> Iterator[tuple[str, Step, tuple[int, int]]]:
    """Yield the model, the step and the tokens of its prompt for each step of prompted seats."""
    sizes: dict[tuple[object, ...], tuple[int, int]] = {}
    for step in setup.graph.steps:
        model = names[step.seat]
        if step.kind != "model" or model.startswith(f"{SIMULATED}/"):
            continue
        kind = (model, step.purpose, step.form, setup.briefs[step.seat].role)
        if kind not in sizes:
            picture = DEAREST_IMAGE.get(model.partition("?")[0], IMAGE[1])
            sizes[kind] = _size(setup, step, picture)
        yield model, step, sizes[kind]


def _size(setup: Setup, step: Step, picture: int) -> tuple[int, int]:
    brief: Brief = setup.briefs[step.seat]
    if step.form == "label":
        brief = brief._replace(bandwidth=1)
    if step.shared:
        brief = brief._replace(uptake=None, protocol="", wording=())
    evidence = setup.evidence[step.seat]
    asked = Observation(
        b"", step.purpose, step.variant, brief, brief.bandwidth > 1, setup.answers[step.seat],
        evidence, (),
    )  # fmt: skip
    segments = setup.minds[step.seat].segments(asked)
    text = sum(len(segment.data) for segment in segments if segment.kind == "text")
    pictures = sum(segment.kind == "image" for segment in segments)
    entries = sum(view.last or len(setup.graph.seats) for view in step.views)
    worst, best = BYTES_A_TOKEN
    return (
        text // best + pictures * IMAGE[0],
        text // worst + pictures * picture + entries * ENTRY,
    )
