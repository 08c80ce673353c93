"""The mind that writes: a model that is asked for the messages of guests."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

from socialcircuits.agents.prompted import TALK, Prompted
from socialcircuits.agents.waiting import Waiting
from socialcircuits.graph import Observation, Reply
from socialcircuits.graph.vocabulary import Segment
from socialcircuits.judges.form import TEXT, Void, read_object, suited, table
from socialcircuits.models.interface import Completion, Request
from socialcircuits.packs import MOST
from socialcircuits.packs.making import Side, fault, longest, sides, tidy
from socialcircuits.prompts import Place, Prompt, demand, library, quote
from socialcircuits.seeds import DIGEST_SIZE, pack
from socialcircuits.worlds.claims import Claim, ClaimEvidence

__all__ = ["ANSWERS", "PURPOSE", "Author", "messages", "prompts"]

MOST_TOKENS = 4096
"""Most completion tokens of a reply; the reasoning of a model counts too."""

ANSWERS = ("true", "false")
"""The variants of the step that asks for messages, in the order of `sides`."""

PURPOSE = "message"
"""Purpose of that step."""

FORM = table(**{str(number): TEXT for number in range(1, MOST + 1)})
"""The form of a reply: exactly so many messages, by number."""

_CUT = "length"


def prompts() -> tuple[Prompt, Prompt]:
    """Return the prompt files: the system message and the request."""
    rules = demand("system", Place("claims", "", "", PURPOSE, "text", "label"))
    (ask,) = (prompt for prompt in library() if prompt.section == "pack")
    return rules, ask


def messages(text: str) -> tuple[str, ...]:
    """Return the messages of a reply, in order.

    Raises:
        Void: it is not of the form.

    >>> import json
    >>> said = json.dumps({str(n): f"Lima, {n} times." for n in range(1, 9)})
    >>> messages(said)[7], len(messages(said))
    ('Lima, 8 times.', 8)
    """
    said = read_object(text, FORM)
    return tuple(tidy(said[str(number)]) for number in range(1, MOST + 1))


class Author(Waiting):
    """The mind that writes. Its id is that of the model as a mind.

    Args:
        asked: the model as a mind; it samples at the temperature at which agents talk, unless it
            says otherwise.
    """

    def __init__(self, asked: Prompted) -> None:
        self.id = asked.id
        self._asked, manner = asked, asked.manner
        self._temperature = TALK if isinstance(manner.temperature, str) else manner.temperature
        self._top_p = None if isinstance(manner.top_p, str) else manner.top_p
        self._cap = manner.max_tokens or MOST_TOKENS

    def segments(self, observation: Observation) -> tuple[Segment, ...]:
        """Return the prompt."""
        rules, ask = prompts()
        claim, side = _of(observation)
        told = {
            "question": quote(claim.question),
            "answer": quote(side.answer),
            "longest": longest(side.answer),
        }
        return (
            Segment("system", "text", rules.render({}).encode()),
            Segment("user", "text", ask.render(told).encode("utf-8", "surrogatepass")),
        )

    def digest(self, observation: Observation) -> bytes:
        """Return the digest of all that is sent: text, schema and sampling."""
        schema = repr(self._schema(observation))
        parts = blake2b(digest_size=DIGEST_SIZE)
        parts.update(pack(schema, str(self._temperature), str(self._top_p), self._cap))
        for segment in self.segments(observation):
            parts.update(pack(segment.role, segment.kind, segment.data))
        return parts.digest()

    async def ask(self, observation: Observation, draw: bytes) -> Reply:
        """Send the prompt once; a reply that cannot be used is invalid and says why.

        Raises:
            ModelError: no reply came.
        """
        request = Request(
            segments=self.segments(observation),
            max_tokens=self._cap,
            temperature=self._temperature,
            top_p=self._top_p,
            seed=int.from_bytes(draw[:4], "big") >> 1 if self._asked.capabilities.seed else None,
            schema=self._schema(observation),
            extra=self._asked.manner.further(),
        )
        completion, cost = await self._asked.send(request)
        why = _fault(completion, _of(observation)[1])
        return Reply(completion.text, valid=not why, why=why, usage=completion.usage(cost))

    def _schema(self, observation: Observation) -> Mapping[str, Any] | None:
        if not self._asked.capabilities.schema:
            return None
        limited = self._asked.manner.longest is not None
        return suited(FORM, longest(_of(observation)[1].answer) if limited else None)


def _of(observation: Observation) -> tuple[Claim, Side]:
    seen = observation.evidence
    assert isinstance(seen, ClaimEvidence), "an author's evidence is a claim"
    return seen.claim, sides(seen.claim)[ANSWERS.index(observation.variant)]


def _fault(completion: Completion, side: Side) -> str:
    if completion.fault or completion.finish == _CUT:
        return completion.fault or "cut"
    try:
        return fault(messages(completion.text), side)
    except Void as error:
        return str(error)
