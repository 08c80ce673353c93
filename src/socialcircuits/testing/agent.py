"""The kit for agents: a mind that is a function of what it observes and of its draw."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import product

from socialcircuits.agents import Character
from socialcircuits.graph import Brief, Deal, Entry, Heard, Mind, Observation, Reply
from socialcircuits.seeds import digest
from socialcircuits.testing.rule import demand, is_text
from socialcircuits.worlds import load

DRAWS = tuple(digest("check_agent", number) for number in range(8))

KNOWING = ("guess", "probe")
"""What an adversary is asked in private, where it says what it knows."""

ROOM = "chatroom"
"""Where a message need not name an answer."""

Asked = list[tuple[Observation, Reply]]

DECEIVING = ("message", "report", "decision", "vote", "reflection", "plan", "chat")


def check_agent(mind: Mind) -> None:
    """Check that a mind keeps the rules that records, resume and replay rely on.

    Its id is one fixed word; its digest is the same for equal observations and differs where
    something else is told, seen or heard; equal draws give equal replies, at once or waited for; a
    valid reply names an allowed answer, and has a reason exactly where one is asked for; an invalid
    one says why. All that holds for a simulated character in a chatroom, where a message may name
    no answer, and in the seat of each adversary. There it never names the right answer but in
    isolated guesses and probes; a sybil, which is told a wrong answer alone, not even there.

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
    deal = load("flags", {"pool": "triangle4"}).deal(digest("check_agent"), 1)
    _check_replies(mind, list(_observations(deal)))
    if isinstance(mind, Character):
        _check_replies(mind, list(_chatting(deal)))
        for role in mind.adversaries:
            _check_deceit(_check_replies(mind, list(_deceiving(deal, role))), deal.truth)
    demand(mind.id == name, "the id of a mind must not change")


def _check_replies(mind: Mind, observations: list[Observation]) -> Asked:
    _check_digests(mind, observations)
    asked = list(product(observations, DRAWS))
    replies = [mind.answer(observation, draw) for observation, draw in asked]
    for (observation, _), reply in zip(asked, replies, strict=True):
        _check_reply(observation, reply)
    again = [mind.answer(observation, draw) for observation, draw in asked]
    demand(again == replies, "the same observation and draw must give the same reply")
    waited = asyncio.run(_ask_all(mind, asked))
    demand(waited == replies, "ask must give the same reply as answer")
    return [(observation, reply) for (observation, _), reply in zip(asked, replies, strict=True)]


def _check_deceit(asked: Asked, truth: str) -> None:
    for observation, reply in asked:
        role, purpose = observation.brief.role, observation.purpose
        if purpose in KNOWING and observation.brief.truth:
            knows = not reply.valid or reply.answer == truth
            demand(knows, f"a {role} must name the right answer in a {purpose}")
        else:
            demand(reply.answer != truth, f"a {role} must not name the right answer in a {purpose}")


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
    silent = (observation.brief.protocol, observation.purpose) == (ROOM, "message")
    allowed = reply.answer in observation.answers or (silent and reply.answer is None)
    demand(allowed, f"a valid reply must name an allowed answer, not {reply.answer!r}")
    if observation.with_reason:
        demand(bool(reply.reason), "a valid reply must have a reason where one is asked for")
    else:
        demand(not reply.reason, "a reply must have no reason where none is asked for")


async def _ask_all(mind: Mind, asked: list[tuple[Observation, bytes]]) -> list[Reply]:
    return await asyncio.gather(*(mind.ask(observation, draw) for observation, draw in asked))


def _observations(deal: Deal) -> Iterator[Observation]:
    """Observations that differ from one another in what is told, seen or heard."""
    said = (Reply(deal.truth, deal.truth), Reply(deal.lure, deal.lure))
    memories = [
        (),
        (Heard("memory", (Entry(0, False, said[0]),)),),
        (Heard("memory", (Entry(0, False, said[1]),)),),
        (Heard("memory", (Entry(0, False, said[0]), Entry(1, True, said[1]))),),
    ]
    for evidence, bandwidth, sections in product((deal.evidence[0], None), (1, 3), memories):
        brief = Brief(bandwidth=bandwidth)
        frame = digest(bandwidth, evidence.key if evidence else b"")
        yield Observation(
            frame, "message", "", brief, bandwidth > 1, deal.answers, evidence, sections
        )
    for purpose, bandwidth in product(("message", "reflection", "vote"), (1, 3)):
        yield _deliberating(deal, purpose, Brief(bandwidth=bandwidth))


def _deceiving(deal: Deal, role: str) -> Iterator[Observation]:
    """What an adversary observes before and after it has heard anybody."""
    fellows = ("Colleague 2", "Colleague 3") if role == "coordinated" else ()
    truth = "" if role == "sybil" else deal.truth
    brief = Brief(role, name="Colleague 1", truth=truth, lure=deal.lure, fellows=fellows)
    for purpose, bandwidth in product((*KNOWING, *DECEIVING), (1, 3)):
        told = brief._replace(bandwidth=bandwidth, group=7 if fellows else 0)
        late = _deliberating(deal, purpose, told)
        yield late
        yield late._replace(heard=())


def _chatting(deal: Deal) -> Iterator[Observation]:
    """What is observed in a chatroom: nothing yet, the talk, the same with an answer given alone,
    and with a warning."""
    said = [Reply(f"It is {a}.", a, f"It is {a}.") for a in (deal.truth, deal.lure)]
    names = ("Alice", "Bob", "Carol")
    talk = [Entry(i, i % 3 == 0, said[i % 3 > 0], names[i % 3]) for i in range(9)]
    aside = Entry(9, False, Reply("Hello.", None, "Hello."), "Bob")
    guards = ((), (Heard("check", (Entry(10, True, said[0]),)),), (Heard("warnings", (aside,)),))
    told = Brief(name="Alice", protocol=ROOM)
    for purpose, variant in (("message", ""), ("probe", ""), ("probe", "own")):
        frame = digest(ROOM, purpose, variant)
        for entries, guard in (((), ()), *(((*talk, aside), guard) for guard in guards)):
            heard = (Heard("history", entries), *guard)
            yield Observation(
                frame, purpose, variant, told, True, deal.answers, deal.evidence[0], heard
            )


def _deliberating(deal: Deal, purpose: str, brief: Brief) -> Observation:
    """What stands on the board, in private notes and, for a coordinated one, in the chat."""
    whole = [Reply(f"{a}. Of course.", a, "Of course.") for a in (deal.truth, deal.lure)]
    board = [Entry(i, i == 1, whole[i % 2], f"Colleague {i}") for i in range(4)]
    heard = [
        Heard("reflections", (Entry(8, True, whole[1], "Colleague 1"),)),
        Heard("board", tuple(board)),
    ]
    if brief.fellows:
        heard.append(Heard("chat", tuple(entry._replace(reply=whole[1]) for entry in board)))
    return Observation(
        digest(purpose, *map(str, brief)),
        purpose,
        "",
        brief,
        brief.bandwidth > 1,
        deal.answers,
        deal.evidence[0],
        tuple(heard),
    )
