"""The kit for agents: a mind that is a function of what it observes and of its draw."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import product

from socialcircuits.graph import Brief, Entry, Heard, Mind, Observation, Reply
from socialcircuits.seeds import digest
from socialcircuits.testing.rule import demand, is_text
from socialcircuits.worlds import load

DRAWS = tuple(digest("check_agent", number) for number in range(8))


def check_agent(mind: Mind) -> None:
    """Check that a mind keeps the rules that records, resume and replay rely on.

    Its id is one fixed word; its digest is the same for equal observations and differs where
    something else is told, seen or heard; equal draws give equal replies, at once or waited for; a
    valid reply names an allowed answer, and has a reason exactly where one is asked for; an invalid
    one says why.

    Args:
        mind: the mind; it is asked some hundred times, in the flag world.

    Raises:
        AssertionError: the first rule that is broken, in one sentence.

    >>> from socialcircuits.agents import load
    >>> check_agent(load("simulated/literal?invalid=200"))
    """
    one_word = is_text(mind.id) and mind.id.isprintable() and len(mind.id.split()) == 1
    demand(one_word, f"the id of a mind must be one printable word: {mind.id!r}")
    demand(type(mind.waits) is bool, "waits must be True or False")
    name = mind.id
    observations = list(_observations())
    _check_digests(mind, observations)
    asked = list(product(observations, DRAWS))
    replies = [mind.answer(observation, draw) for observation, draw in asked]
    for (observation, _), reply in zip(asked, replies, strict=True):
        _check_reply(observation, reply)
    again = [mind.answer(observation, draw) for observation, draw in asked]
    demand(again == replies, "the same observation and draw must give the same reply")
    waited = asyncio.run(_ask_all(mind, asked))
    demand(waited == replies, "ask must give the same reply as answer")
    demand(mind.id == name, "the id of a mind must not change")


def _check_digests(mind: Mind, observations: list[Observation]) -> None:
    digests = [mind.digest(observation) for observation in observations]
    demand(all(type(found) is bytes for found in digests), "digests must be bytes")
    again = [mind.digest(observation) for observation in observations]
    demand(again == digests, "equal observations must have equal digests")
    distinct = len(set(digests)) == len(digests)
    demand(distinct, "the digest must depend on all that is told, seen and heard")


def _check_reply(observation: Observation, reply: Reply) -> None:
    if not reply.valid:
        demand(bool(reply.why), "an invalid reply must say why")
        return
    allowed = reply.answer in observation.answers
    demand(allowed, f"a valid reply must name an allowed answer, not {reply.answer!r}")
    if observation.with_reason:
        demand(bool(reply.reason), "a valid reply must have a reason where one is asked for")
    else:
        demand(not reply.reason, "a reply must have no reason where none is asked for")


async def _ask_all(mind: Mind, asked: list[tuple[Observation, bytes]]) -> list[Reply]:
    return await asyncio.gather(*(mind.ask(observation, draw) for observation, draw in asked))


def _observations() -> Iterator[Observation]:
    """Observations that differ from one another in what is told, seen or heard."""
    deal = load("flags", {"pool": "triangle4"}).deal(digest("check_agent"), 1)
    said = (Reply(deal.truth, deal.truth), Reply(deal.lure, deal.lure))
    heard = [
        (),
        (Heard("memory", (Entry(0, False, said[0]),)),),
        (Heard("memory", (Entry(0, False, said[1]),)),),
        (Heard("memory", (Entry(0, False, said[0]), Entry(1, True, said[1]))),),
    ]
    for evidence, bandwidth, sections in product((deal.evidence[0], None), (1, 3), heard):
        brief = Brief(bandwidth=bandwidth)
        frame = digest(bandwidth, evidence.key if evidence else b"")
        yield Observation(
            frame, "message", "", brief, bandwidth > 1, deal.answers, evidence, sections
        )
