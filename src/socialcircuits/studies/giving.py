"""What is given in a trial and not asked: planted memories, and the words of recorded guests."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from socialcircuits.graph import Deal, Graph, Protocol, Reply, World
from socialcircuits.packs import MOST, Pack
from socialcircuits.prompts import Place, demand
from socialcircuits.records import PEERS, Provided
from socialcircuits.seeds import Stream, digest
from socialcircuits.studies.settings import Trial
from socialcircuits.trial import Setup


@dataclass(frozen=True)
class Dealt:
    """A trial whose situation is dealt.

    Args:
        world: its world.
        trial: its settings.
        deal: truth, evidence and lure.
        about: its item; empty in a world without any.
        shared: the seed that all conditions of the replicate share.
        graph: its graph.
    """

    world: World
    trial: Trial
    deal: Deal
    about: str
    shared: bytes
    graph: Graph

    @property
    def given(self) -> list[str]:
        """The ids of the given steps, in order."""
        graph = self.graph
        return [graph.step_id(i) for i, step in enumerate(graph.steps) if step.kind == "given"]


class Given(NamedTuple):
    """What is given.

    Args:
        replies: step id -> what was said.
        facts: what the record says of it (JSON values).
    """

    replies: Mapping[str, Reply]
    facts: Mapping[str, Any]


def give(form: Protocol, dealt: Dealt, pack: Pack) -> Given:
    """Return what is given in a trial: nothing in most protocols.

    Args:
        form: its protocol.
        dealt: the trial.
        pack: the words of recorded guests.

    Raises:
        SettingError: no reasons of planted memories were written for this world.
        UsageError: the pack has no words for the item.
    """
    if "lures" in form.takes:
        return Given(
            planted(dealt), {"planted": {"lure": dealt.trial.lures, "of": len(dealt.given)}}
        )
    if "peers" in form.takes:
        wrong, right = dealt.trial.recorded
        told = {"wrong": wrong, "right": right, "said": dealt.trial.said}
        origin = {"pack": pack.name, "version": pack.version, "digest": pack.digest}
        return Given(recorded(dealt, pack), {PEERS: {**told, **origin}})
    return Given({}, {})


def planted(dealt: Dealt) -> dict[str, Reply]:
    """Return the planted memory: step id -> what was said.

    `trial.lures` of the entries name the lure, the others the truth. Which of them is drawn by the
    seed and nests: an entry that names the lure does so on every higher rung too. With m = 3 every
    entry has a reason of one form, from the prompts.

    Raises:
        SettingError: no such reason was written for this world.
    """
    deal, trial, given = dealt.deal, dealt.trial, dealt.given
    drawn = set(Stream(dealt.shared, "planted").shuffled(range(len(given)))[: trial.lures])
    said = {answer: _entry(dealt.world.kind, answer, trial.m) for answer in (deal.truth, deal.lure)}
    return {
        step: said[deal.lure if place in drawn else deal.truth] for place, step in enumerate(given)
    }


def _entry(world: str, answer: str, m: int) -> Reply:
    if m == 1:
        return Reply(_json({"answer": answer}), answer)
    place = Place(world, "", "planted", "message", "blind", "reasoned")
    reason = demand("planted", place).render({"answer": answer})
    return Reply(_json({"answer": answer, "reason": reason}), answer, reason)


def recorded(dealt: Dealt, pack: Pack) -> dict[str, Reply]:
    """Return what recorded guests say: step id -> the message.

    Which arguments are used and in which order is drawn by the seed of the item and nests: the
    first of three is the first of eight too. Where guests speak for both answers, who comes when is
    drawn as well.

    Args:
        dealt: the trial; its wrong guests speak for the lure.
        pack: their words.

    Raises:
        UsageError: the pack has no words for the item.
    """
    deal, trial = dealt.deal, dealt.trial
    wrong, right = trial.recorded
    sides = [deal.lure] * wrong + [deal.truth] * right
    order = Stream(digest(dealt.shared, trial.peers), "guests").shuffled(sides)
    words = {answer: pack.words(dealt.about, answer) for answer in set(sides)}
    arguments = iter(Stream(dealt.shared, "arguments").shuffled(range(MOST)))
    replies = {}
    for step, answer in zip(dealt.given, order, strict=True):
        argued, bare = words[answer]
        text = argued[next(arguments)] if trial.said == "argued" else bare
        replies[step] = Reply(_json({"message": text}), answer, text)
    return replies


def provided(setup: Setup, deal: Deal, more: Mapping[str, Any]) -> Provided:
    """Return what the record says of a trial's seats and situation.

    Args:
        setup: the trial.
        deal: its situation.
        more: facts besides those of the situation.
    """
    known = {"truth": deal.truth, "answers": list(deal.answers), "lure": deal.lure}
    facts = {**known, **deal.facts, **more}
    if setup.edits:
        facts["delivered"] = {
            step: said and {"answer": said.answer, "reason": said.reason}
            for step, said in setup.edits.items()
        }
    return Provided(
        minds=tuple(mind.id for mind in setup.minds),
        briefs=tuple(
            {**b._asdict(), "wording": list(b.wording), "fellows": list(b.fellows)}
            for b in setup.briefs
        ),
        evidence=tuple(seen.key.hex() if seen else "" for seen in setup.evidence),
        facts=facts,
    )


def _json(said: dict[str, Any]) -> str:
    return json.dumps(said, ensure_ascii=False)
