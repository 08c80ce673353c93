"""Models behind any provider that Inspect knows."""

from __future__ import annotations

import asyncio
import json
from base64 import b64encode
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from socialcircuits.errors import Refused, SettingError, Unavailable
from socialcircuits.graph.vocabulary import Segment
from socialcircuits.models.interface import Capabilities, Completion, Request, Token
from socialcircuits.models.openai_reply import (
    CUT_THINKING,
    EMPTY,
    NO_CHOICES,
    REASONING_ONLY,
    REFUSAL,
    TOOL_CALLS,
)

if TYPE_CHECKING:
    from inspect_ai.model import (
        ChatCompletionChoice,
        ChatMessage,
        Content,
        GenerateConfig,
        Logprobs,
        Model,
        ModelOutput,
    )

PREFIX = "inspect:"
"""What the name of a model behind Inspect starts with."""

MISSING = "an installed Inspect: pip install 'socialcircuits[inspect]'"

MOST_CONNECTIONS = 4096
"""Inspect's own limit on requests at once; ours is set elsewhere and is lower."""

FINISH = {"max_tokens": "length", "model_length": "length"}
"""Inspect's stop reasons -> finish reasons, where they differ."""

LONGEST_LINE = 240

_HELLO = Segment("user", "text", b'one two three. Reply in JSON: {"word": "one"}')
_WHITE = Segment(
    "user",
    "image",
    bytes.fromhex(  # 32 x 32 pixels
        "89504e470d0a1a0a0000000d494844520000002000000020080000000056112528"
        "000000164944415478da63f84f00308c2a185530aa60a42a00003f68fc2ea944d0"
        "c80000000049454e44ae426082"
    ),
)
_SCHEMA = {
    "type": "object",
    "properties": {"word": {"type": "string", "enum": ["one", "two"]}},
    "required": ["word"],
    "additionalProperties": False,
}


class InspectModel:
    """A model that Inspect reaches.

    Inspect leaves out in silence what a provider does not take, such as a seed or a schema.

    Args:
        name: enters the ids of minds: ``inspect:PROVIDER/NAME``.
        model: Inspect's model; it is not closed here.

    >>> from inspect_ai.model import ModelOutput, ModelUsage, get_model
    >>> said = ModelOutput.from_content("model", "Peru")
    >>> said.usage = ModelUsage(input_tokens=12, output_tokens=1)
    >>> model = InspectModel("inspect:mockllm/model", get_model("mockllm/model",
    ...     custom_outputs=[said]))
    >>> request = Request((Segment("user", "text", b"Where?"),), 8)
    >>> asyncio.run(model.complete(request)).prompt_tokens
    12
    """

    def __init__(self, name: str, model: Model) -> None:
        self.name = name
        self._model = model

    def __repr__(self) -> str:
        return f"InspectModel({self.name!r})"

    async def complete(self, request: Request) -> Completion:
        """Send one request, in a task of its own: outside of an evaluation Inspect keeps what was
        said as long as the task lives.

        Raises:
            Unavailable: what Inspect's provider takes for a fault that passes.
            Refused: anything else that the provider raises; or a parameter that Inspect does not
                know how to send.
        """
        # Made here, so that what is wrong with it is no fault of the provider.
        messages, config = _messages(request), _config(self.name, request)
        task = asyncio.create_task(self._model.generate(messages, config=config))
        try:
            output = await task
        except Exception as error:
            raise self._said(error) from None
        return _completion(output)

    def _said(self, error: Exception) -> Exception:
        cause = error.__cause__ if isinstance(error.__cause__, Exception) else error
        line = f"{self.name}: {_line(cause)}"
        # Providers say themselves which of their errors pass.
        decision = self._model.api.should_retry(cause)
        if decision:
            return Unavailable(line, getattr(decision, "retry_after", None))
        return Refused(line)

    async def probe(self) -> Capabilities:
        """Find out by up to four tiny requests whether a picture and a schema are refused.

        Raises:
            ModelError: it cannot be reached, or refuses even a plain text.
        """
        last: Refused | None = None
        for images, schema in ((True, True), (False, True), (True, False), (False, False)):
            segments = (_WHITE, _HELLO) if images else (_HELLO,)
            request = Request(segments, 64, schema=_SCHEMA if schema else None)
            try:
                await self.complete(request)
            except Refused as error:
                last = error
            else:
                return Capabilities(schema=schema, seed=True, images=images)
        assert last is not None
        raise last

    async def close(self) -> None:
        """Do nothing: whoever made the model closes it."""


class OwnInspectModel(InspectModel):
    """A model that Inspect reaches for us alone: retries and limits are ours, not Inspect's.

    Args:
        name: ``inspect:PROVIDER/NAME``, with a provider of Inspect.
        where: path of the setting, for errors.

    Raises:
        SettingError: Inspect is not installed, or has no such provider, or the provider lacks a
            package or a key.
    """

    def __init__(self, name: str, where: str = "$.models") -> None:
        try:
            from inspect_ai.model import GenerateConfig, get_model
        except ImportError:
            raise SettingError(where, name, MISSING) from None
        config = GenerateConfig(
            max_retries=0, max_connections=MOST_CONNECTIONS, adaptive_connections=False
        )
        try:
            model = get_model(name.removeprefix(PREFIX), config=config, memoize=False)
        except Exception as error:  # noqa: BLE001 - what a provider of Inspect lacks, it says so
            expected = f"inspect:PROVIDER/NAME that Inspect can reach ({_line(error)})"
            raise SettingError(where, name, expected) from None
        super().__init__(name, model)

    async def close(self) -> None:
        """Free what the provider holds."""
        await self._model.api.aclose()


def _line(error: Exception) -> str:
    """What an error says, as one line; those of Inspect hold marked-up text."""
    said = str(getattr(error, "message", "") or error) or type(error).__name__
    line = " ".join(said.split())
    return line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]}..."


def _messages(request: Request) -> list[ChatMessage]:
    """Segments of one role in a row as one message; the start of the reply as the last one."""
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser

    kinds = {"system": ChatMessageSystem, "user": ChatMessageUser}
    segments = list(request.segments)
    if request.prefill:
        segments.append(Segment("assistant", "text", request.prefill.encode("utf-8", "replace")))
    return [
        kinds.get(role, ChatMessageAssistant)(content=_content(list(run)))
        for role, run in groupby(segments, attrgetter("role"))
    ]


def _content(segments: Sequence[Segment]) -> str | list[Content]:
    parts = list(_parts(segments))
    if len(parts) == 1 and isinstance(parts[0], str):
        return parts[0]
    from inspect_ai.model import ContentText

    return [ContentText(text=part) if isinstance(part, str) else part for part in parts]


def _parts(segments: Sequence[Segment]) -> Iterator[Any]:
    from inspect_ai.model import ContentImage

    for kind, run in groupby(segments, attrgetter("kind")):
        if kind == "text":
            yield b"".join(segment.data for segment in run).decode("utf-8", "replace")
        else:
            for segment in run:
                url = f"data:image/png;base64,{b64encode(segment.data).decode()}"
                yield ContentImage(image=url, detail="high")


def _config(name: str, request: Request) -> GenerateConfig:
    from inspect_ai.model import GenerateConfig, ResponseSchema
    from inspect_ai.util import JSONSchema
    from pydantic import ValidationError

    known = {key: value for key, value in request.extra.items() if _has(GenerateConfig, key)}
    others = {key: value for key, value in request.extra.items() if key not in known}
    alternatives = request.top_logprobs
    try:
        config = GenerateConfig(**known)
    except ValidationError as error:
        raise Refused(f"{name}: extra: {_line(error)}") from None
    config.max_tokens, config.temperature = request.max_tokens, request.temperature
    config.top_p, config.seed = request.top_p, request.seed
    if alternatives:
        config.logprobs, config.top_logprobs = True, alternatives
    if request.schema is not None:
        schema = JSONSchema.model_validate(json.loads(json.dumps(dict(request.schema))))
        config.response_schema = ResponseSchema(name="reply", json_schema=schema, strict=True)
    if others:
        config.extra_body = {**(config.extra_body or {}), **others}
    return config


def _has(config: type[GenerateConfig], name: str) -> bool:
    return name in config.model_fields


def _completion(output: ModelOutput) -> Completion:
    usage, seconds = output.usage, output.time or 0.0
    counts: dict[str, Any] = {}
    if usage is not None:
        cached = usage.input_tokens_cache_read or 0
        counts = {
            "prompt_tokens": usage.input_tokens + cached + (usage.input_tokens_cache_write or 0),
            "completion_tokens": usage.output_tokens,
            "cached_tokens": cached,
            "billed": None if usage.total_cost is None else round(usage.total_cost * 1e9),
        }
    if not output.choices:
        return Completion("", "", output.error or NO_CHOICES, seconds=seconds, **counts)
    choice = output.choices[0]
    thought = _reasoning(choice)
    return Completion(
        choice.message.text,
        FINISH.get(choice.stop_reason, choice.stop_reason),
        _fault(choice, thought),
        reasoning=thought,
        tokens=tuple(_tokens(choice.logprobs)),
        seconds=seconds,
        **counts,
    )


def _fault(choice: ChatCompletionChoice, thought: str) -> str:
    """Why this is no reply."""
    if choice.stop_reason == "content_filter":
        return REFUSAL
    if choice.message.text:
        return ""
    if choice.message.tool_calls:
        return TOOL_CALLS
    if FINISH.get(choice.stop_reason) == "length":
        return CUT_THINKING
    return REASONING_ONLY if thought else EMPTY


def _reasoning(choice: ChatCompletionChoice) -> str:
    if isinstance(choice.message.content, str):
        return ""
    thought = [part for part in choice.message.content if part.type == "reasoning"]
    return "\n".join(
        (part.summary or "") if part.redacted else part.reasoning for part in thought
    ).strip()


def _tokens(found: Logprobs | None) -> Iterator[Token]:
    for token in found.content if found else ():
        pairs = [(other.token, other.logprob) for other in token.top_logprobs or ()]
        top: dict[str, float] = {}
        for text, value in [*pairs, (token.token, token.logprob)]:
            if value > float("-inf"):
                top.setdefault(text, min(value, 0.0))
        yield Token(token.token, top)
