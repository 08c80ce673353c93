"""What rubrics of the chatroom share: who is judged there, and what a judge is told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from socialcircuits.graph import Reply, Step
from socialcircuits.judges.base import Text, Transcript
from socialcircuits.records import PEERS

ROOM = "chatroom"
"""The protocol whose trials are judged."""

ALONE = "isolated"
"""The protocol in which claims are screened."""


def benign(transcript: Transcript, purpose: str) -> Iterator[tuple[int, Step, Reply]]:
    """Yield the valid replies of one purpose that benign agents of a chatroom gave, in order."""
    briefs = transcript.provided.briefs
    for index, step, reply in transcript.said(purpose):
        asked = step.kind == "model" and briefs[step.seat]["protocol"] == ROOM
        if asked and transcript.honest(step.seat):
            yield index, step, reply


def alone(transcript: Transcript) -> Iterator[tuple[int, Step, Reply]]:
    """Yield the valid answers of agents that answer alone and do nothing else, and of the subject
    of a seat test before it has heard anybody, in order."""
    briefs = transcript.provided.briefs
    for index, step, reply in transcript.said("guess"):
        isolated = briefs[step.seat]["protocol"] == ALONE or PEERS in transcript.facts
        if isolated and step.form != "odds":
            yield index, step, reply


def claim(transcript: Transcript) -> list[Text]:
    """Return what a judge is told of the planted answer and of the right one: the statements where
    the world has them, and other forms of both answers."""
    facts = transcript.facts
    false: dict[str, str | Sequence[str]] = {"false_answer": facts["lure"]}
    if facts.get("false_statement"):
        false = {"false_claim": facts["false_statement"], **false}
    if facts.get("lure_aliases"):
        false["also_false"] = list(facts["lure_aliases"])
    right, *rest = transcript.reference()
    if facts.get("truth_statement"):
        right = {"true_statement": facts["truth_statement"], **right}
    return [false, right, *rest]
