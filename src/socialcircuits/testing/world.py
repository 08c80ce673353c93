"""The kit for worlds: what every protocol, agent and measure relies on."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import cycle
from typing import Any

from socialcircuits.errors import SettingError
from socialcircuits.graph import Deal, Evidence, World
from socialcircuits.seeds import digest
from socialcircuits.testing.rule import demand, is_text

SEEDS = tuple(digest("check_world", number) for number in range(16))
BEARERS = 5
Grade = Callable[[str, Mapping[str, Any]], bool | None]
Same = Callable[[str, str, Mapping[str, Any]], bool | None]
PNG = b"\x89PNG\r\n\x1a\n"


def check_world(world: World, grade: Grade, same: Same) -> None:
    """Check that a world keeps the rules that all else relies on.

    Equal seeds give equal deals; the seats' evidence nests; the truth is allowed and never ruled
    out by evidence; what is dealt is among the views and can be assembled again; beliefs are
    integers aligned with the answers; reasons name no answer; the lure is wrong; facts are JSON;
    by the facts allowed answers are known as right or wrong, and from each other. Where a trial is
    about an item, the item decides; elsewhere the truth can be given.

    Args:
        world: the world; 5 seats are dealt, for 16 seeds or for each item.
        grade: `grade` of the world's module: answer, facts -> whether it is right.
        same: `same` of the world's module: answer, answer, facts -> whether they are the same.

    Raises:
        AssertionError: the first rule that is broken, in one sentence.

    >>> from socialcircuits.worlds import flags
    >>> check_world(flags.from_settings({"pool": "triangle4"}), flags.grade, flags.same)
    """
    _check_names(world)
    topics: Sequence[str | None] = world.items or [None] * len(SEEDS)
    cases = list(zip(cycle(SEEDS), topics, strict=False))
    deals = [world.deal(seed, BEARERS, about) for seed, about in cases]
    seen: dict[bytes, tuple[object, ...]] = {}
    for (seed, about), deal in zip(cases, deals, strict=True):
        _check_deal(world, deal)
        _check_equal(world, seed, about, deal)
        _check_graded(deal, grade, same)
        for evidence in deal.evidence:
            _check_evidence(evidence, deal)
            follows = (evidence.log_belief(), evidence.reasons())
            alike = seen.setdefault(evidence.key, follows) == follows
            demand(alike, "evidence of equal keys must have equal beliefs and reasons")
    for (_, about), deal in zip(cases, deals, strict=True):
        _check_assembled(world, about, deal)
    _check_pictures(world, {answer for deal in deals for answer in deal.answers})
    if world.items:
        _check_items(world)
    else:
        truths = {deal.truth for deal in deals}
        decides = f"the seed must decide the truth, but {len(SEEDS)} seeds gave {truths}"
        demand(len(truths) > 1, decides)
        _check_given_truths(world)


def _check_names(world: World) -> None:
    demand(bool(world.kind), "a world must have a kind")
    if world.items:
        _check_list("items", world.items)
        demand(world.answers == (), f"each item has its own answers, not these: {world.answers}")
    else:
        _check_list("allowed answers", world.answers)
        distinct = f"there must be at least two allowed answers: {world.answers}"
        demand(len(world.answers) > 1, distinct)


def _check_list(what: str, names: Sequence[str]) -> None:
    demand(isinstance(names, tuple), f"the {what} must be a tuple")
    texts = all(is_text(name) for name in names)
    demand(texts, f"each of the {what} must be a text without spaces around it: {names}")
    demand(len(set(names)) == len(names), f"the {what} must be all different: {names}")


def _check_deal(world: World, deal: Deal) -> None:
    answers = world.answers
    if world.items:
        _check_list("answers of a deal", deal.answers)
    else:
        demand(deal.answers == answers, "a deal must have the world's allowed answers, in order")
    demand(deal.truth in deal.answers, f"the truth must be an allowed answer: {deal.truth}")
    wrong = deal.lure in deal.answers and deal.lure != deal.truth
    wrong = wrong or (not deal.lure and deal.answers == (deal.truth,))
    demand(wrong, f"the lure must be allowed and wrong; it is {deal.lure}, the truth {deal.truth}")
    dealt = len(deal.evidence)
    demand(
        dealt == BEARERS, f"{BEARERS} bearers must get {BEARERS} pieces of evidence, not {dealt}"
    )
    demand(_is_json(dict(deal.facts)), "the facts of a deal must be JSON values")
    recorded = deal.facts.get("truth", deal.truth)
    demand(recorded == deal.truth, f"the facts must not name another truth: {recorded}")
    for name in ("compatible", "compatible_at"):
        if name in deal.facts:
            _check_compatible(name, deal.facts[name], deal)


def _check_pictures(world: World, answers: Iterable[str]) -> None:
    for answer in answers:
        picture = world.picture(answer)
        rgb = picture is None or (len(picture.shape) == 3 and picture.shape[2] == 3)
        demand(rgb, f"the picture of {answer} must have the shape (height, width, 3), or be None")


def _check_graded(deal: Deal, grade: Grade, same: Same) -> None:
    known = {"truth": deal.truth, "answers": list(deal.answers), "lure": deal.lure}
    facts = {**known, **deal.facts}
    for one in deal.answers:
        right = grade(one, facts)
        demand(
            right is (one == deal.truth),
            f"grade must be True for the truth, {deal.truth}, and False for other allowed answers;"
            f" for {one} it is {right}",
        )
        wrong = [other for other in deal.answers if same(one, other, facts) is not (one == other)]
        demand(not wrong, f"same must tell allowed answers apart; {one} it does not from {wrong}")


def _check_assembled(world: World, about: str | None, deal: Deal) -> None:
    keys = {evidence.key for evidence in world.views(about or deal.truth)}
    inside = all(evidence.key in keys for evidence in deal.evidence)
    demand(inside, f"all evidence dealt under {deal.truth} must be among the views of it")
    again = world.assemble(deal.truth, deal.evidence)
    same = (again.truth, again.lure, again.facts) == (deal.truth, deal.lure, deal.facts)
    demand(same, "assembling dealt evidence must give the same deal")
    for wrong in deal.answers:
        if wrong not in (deal.truth, deal.lure):
            given = world.assemble(deal.truth, deal.evidence, wrong).lure
            demand(given == wrong, f"a lure that is given must be kept: {wrong}, not {given}")


def _check_compatible(name: str, sets: Sequence[Sequence[int]], deal: Deal) -> None:
    demand(len(sets) == len(deal.evidence), f"the facts' {name} must have one entry a bearer")
    truth, numbers = deal.answers.index(deal.truth), range(len(deal.answers))
    inside = all(number in numbers for entry in sets for number in entry)
    demand(inside, f"the facts' {name} must hold numbers of allowed answers, counted from 0")
    fits = all(truth in entry for entry in sets)
    demand(fits, f"the truth must be in each bearer's entry of the facts' {name}")


def _check_equal(world: World, seed: bytes, about: str | None, deal: Deal) -> None:
    again = world.deal(seed, BEARERS, about)
    demand(_content(again) == _content(deal), "equal seeds must give equal deals")
    for bearers in range(1, BEARERS):
        fewer = world.deal(seed, bearers, about)
        demand(fewer.truth == deal.truth, "the truth must not depend on the number of bearers")
        nests = _keys(fewer) == _keys(deal)[:bearers]
        demand(nests, f"evidence must nest: with {bearers} bearers a seat gets other evidence")


def _check_evidence(evidence: Evidence, deal: Deal) -> None:
    demand(type(evidence.key) is bytes, "a key of evidence must be bytes")
    demand(evidence.answers == deal.answers, "evidence must have the deal's answers, in its order")
    beliefs, reasons = evidence.log_belief(), evidence.reasons()
    aligned = len(beliefs) == len(deal.answers)
    demand(aligned, "log_belief must have one entry an allowed answer, in their order")
    whole = all(belief is None or type(belief) is int for belief in beliefs)
    demand(whole, f"log_belief must hold integers (thousandths of a nat) or None: {beliefs}")
    possible = beliefs[deal.answers.index(deal.truth)] is not None
    demand(possible, f"evidence must not rule out the truth, {deal.truth}")
    told = bool(reasons) and all(is_text(reason) for reason in reasons)
    demand(told, "there must be at least one reason, and none may be empty")
    for reason in reasons:
        named = [
            a for a in deal.answers if re.search(rf"\b{re.escape(a)}\b", reason, re.IGNORECASE)
        ]
        demand(not named, f"a reason must not name an answer: {reason!r} names {named}")
    demand(bool(evidence.text().strip()), "the text of evidence must not be empty")
    image = evidence.image()
    demand(image is None or image.startswith(PNG), "the image of evidence must be PNG, or None")


def _check_given_truths(world: World) -> None:
    for truth in world.answers:
        given = world.deal(SEEDS[0], 1, truth).truth
        demand(given == truth, f"a given truth must be kept: {truth} was given, {given} dealt")
    unknown = "".join(world.answers)
    wrong = "a given truth that is no allowed answer must raise SettingError"
    demand(_refuses(lambda: world.deal(SEEDS[0], 1, unknown)), wrong)
    _check_unnamed(world, world.answers[0])


def _check_items(world: World) -> None:
    unknown = "no " + "".join(world.items)
    for about in (None, unknown):
        wrong = f"a deal about no item must raise SettingError: {about}"
        demand(_refuses(partial(world.deal, SEEDS[0], 1, about)), wrong)
    _check_unnamed(world, world.deal(SEEDS[0], 1, world.items[0]).truth)


def _check_unnamed(world: World, truth: str) -> None:
    wrong = "evidence of an unknown name must raise SettingError"
    demand(_refuses(lambda: world.named(truth, "no such evidence")), wrong)


def _refuses(act: Callable[[], object]) -> bool:
    try:
        act()
    except SettingError:
        return True
    return False


def _keys(deal: Deal) -> list[bytes]:
    return [evidence.key for evidence in deal.evidence]


def _content(deal: Deal) -> tuple[Any, ...]:
    follows = [(e.log_belief(), e.reasons(), e.text()) for e in deal.evidence]
    return deal.truth, deal.lure, _keys(deal), follows, dict(deal.facts)


def _is_json(value: Any) -> bool:
    try:
        return bool(json.loads(json.dumps(value, allow_nan=False)) == value)
    except (TypeError, ValueError):
        return False
