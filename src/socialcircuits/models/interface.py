"""What a model is: one small interface, whatever stands behind it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol

from socialcircuits.graph.vocabulary import Segment, Usage


class Token(NamedTuple):
    """One generated token with the most likely alternatives in its place.

    Args:
        text: the token.
        top: token -> natural log-probability; -inf is left out.
    """

    text: str
    top: Mapping[str, float]


@dataclass(frozen=True)
class Request:
    """One call.

    Args:
        segments: the prompt, in order; neighbours of one role form one message.
        max_tokens: cap on completion tokens, at least 1.
        temperature: sampling temperature, at least 0; None sends none.
        top_p: nucleus, 0 to 1; None sends none.
        seed: sampling seed, 0 to 2^31 - 1; sent only where the model takes one.
        schema: JSON schema of the reply; sent only where the model takes one.
        prefill: start of the reply that the model continues; only where it can.
        top_logprobs: alternatives asked for each token; 0 asks for none.
        extra: further parameters of the request's body, sent as they are; JSON values, and none
            of those that are set here.
        ticket: tells this call from others whose requests are equal; never sent, and no part of
            what makes requests equal.
    """

    segments: tuple[Segment, ...]
    max_tokens: int
    temperature: float | None = None
    top_p: float | None = None
    seed: int | None = None
    schema: Mapping[str, Any] | None = None
    prefill: str = ""
    top_logprobs: int = 0
    extra: Mapping[str, Any] = field(default_factory=dict)
    ticket: bytes = field(default=b"", compare=False)


@dataclass(frozen=True)
class Completion:
    """What a server sent back.

    Args:
        text: the reply; empty where none came.
        finish: the server's finish reason, empty if not said.
        fault: why this is no reply (no choices, tool calls only, ...); empty if it is one.
        prompt_tokens: and
        completion_tokens: as the server counted, reasoning included; None where it did not.
        cached_tokens: prompt tokens from the server's cache.
        reasoning: reasoning that came apart from the reply.
        tokens: the tokens with alternatives, where asked for and given.
        seconds: from sending to the end of the reply.
        billed: what the server says that it bills, in billionths of a US dollar; None where it
            says nothing.
    """

    text: str
    finish: str = ""
    fault: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int = 0
    reasoning: str = ""
    tokens: tuple[Token, ...] = ()
    seconds: float = 0.0
    billed: int | None = None

    def usage(self, cost: int) -> Usage:
        """Return what it took, as the record keeps it.

        Args:
            cost: in billionths of a US dollar.

        >>> Completion("Peru", "stop", prompt_tokens=12, completion_tokens=1).usage(0).prompt
        12
        """
        return Usage(
            prompt=self.prompt_tokens,
            completion=self.completion_tokens,
            cached=self.cached_tokens,
            cost=cost,
            seconds=self.seconds,
            finish=self.finish,
            reasoning=self.reasoning,
        )


Form = Literal["json_schema", "structured_outputs", "guided_json", "json_object"]
"""How a server is told the form of a reply: three ways to send a schema (OpenAI's, and the newer
and the older one of vLLM), and the bare wish for a JSON object, which holds nobody to a schema."""


@dataclass(frozen=True)
class Capabilities:
    """What a server turned out to do.

    Args:
        schema: it accepts a JSON schema, or can at least be held to a JSON object.
        logprobs: most alternatives it gives a token; 0 for none.
        prefill: it continues a given start of the reply.
        seed: it accepts a seed.
        images: it accepts images.
        form: how it is told the form of a reply; of no meaning without `schema`.
    """

    schema: bool = False
    logprobs: int = 0
    prefill: bool = False
    seed: bool = False
    images: bool = False
    form: Form = "json_schema"


class Model(Protocol):
    """A model behind a server, in this process, or scripted."""

    @property
    def name(self) -> str:
        """Provider and model, without any address: enters the ids of minds."""
        ...

    async def complete(self, request: Request) -> Completion:
        """Send one request, once.

        Raises:
            Unavailable: a transport fault; it may be sent again.
            Refused: it will not be answered however often it is sent.
        """
        ...

    async def probe(self) -> Capabilities:
        """Find out what the server does; asked once, before a run."""
        ...

    async def close(self) -> None:
        """Free what the model holds (connections, a child process)."""
        ...
