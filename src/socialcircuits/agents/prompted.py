"""Prompted minds: a seat's observation becomes a prompt, a model's reply is read strictly."""

from __future__ import annotations

import io
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from hashlib import blake2b
from types import MappingProxyType
from typing import Any, Generic, TypeVar, get_args

from socialcircuits.agents.odds import begun, odds
from socialcircuits.agents.parsing import Keys, read
from socialcircuits.agents.rendering import Frame, Persona, Sees, frame, heard
from socialcircuits.errors import ModelError, SettingError
from socialcircuits.graph import Evidence, Observation, Reply
from socialcircuits.graph.vocabulary import Segment, Usage
from socialcircuits.models.interface import Capabilities, Completion, Model, Request
from socialcircuits.seeds import DIGEST_SIZE, digest, pack

Ask = Callable[[Request], Awaitable[tuple[Completion, int]]]
"""request -> the completion and its cost in billionths of a US dollar."""

CAP = 200
"""Most completion tokens, in pairwise and for the isolated guess (Flag Game, appendix D)."""

CAPS = {"broadcast": 250, "manager": 250}
"""Protocol -> most completion tokens, where it is not `CAP` (Flag Game, appendix D)."""

NOTHING = Capabilities()
"""What a server can do of which nothing is known."""

FRAMES = 4096
PROMPTS = 4096
"""How many frames and prompts a mind keeps at hand."""


@dataclass(frozen=True)
class Manner:
    """How a model is asked; the defaults are the paper's (Flag Game, appendix D).

    Args:
        sees: evidence as an ``image`` or as ``text``; each has prompts of its own, and their
            numbers are never pooled.
        temperature: sampling temperature, 0 to 2; None sends none, for models that refuse it.
        top_p: nucleus, above 0 and at most 1; None sends none.
        max_tokens: most completion tokens, at least 1; None: 200 in pairwise and for the isolated
            guess, 250 in broadcast and manager.
        longest: most characters of a restated crop and of a reason, at least 1, asked for in the
            schema; None asks for no limit. For small models, which else run on until they are cut;
            not every server knows such limits.
        newer: under the wording ``identity``, the model that is called newer and better.

    Raises:
        SettingError: a value is not allowed.

    >>> Manner("image").temperature
    0.2
    """

    sees: Sees
    temperature: float | None = 0.2
    top_p: float | None = 1.0
    max_tokens: int | None = None
    longest: int | None = None
    newer: str = ""

    def __post_init__(self) -> None:
        forms = get_args(Sees)
        if self.sees not in forms:
            raise SettingError("sees", self.sees, " or ".join(forms), among=forms)
        if self.temperature is not None and not 0 <= self.temperature <= 2:
            raise SettingError("temperature", self.temperature, "0 to 2")
        if self.top_p is not None and not 0 < self.top_p <= 1:
            raise SettingError("top_p", self.top_p, "a number above 0 and at most 1")
        for name in ("max_tokens", "longest"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise SettingError(name, value, "a whole number of at least 1")


@dataclass(frozen=True)
class _Prompt:
    """A prompt that is ready to be sent."""

    frame: Frame
    segments: tuple[Segment, ...]
    schema: Mapping[str, Any]
    cap: int


class Prompted:
    """A mind that asks a model.

    Its id is the model's name and the manner, without any address. The id does not depend on what
    the server can do; digests do, for a reply under a schema comes from another distribution.

    Args:
        model: the model.
        ask: sends a request to it: keeps limits, retries transport faults, knows prices.
        manner: how it is asked.
        capabilities: what its server can do, as far as known; see `allow`.
        aliases: other names of answers -> the answer.

    Attributes:
        model: the model.
        id: name of the mind.
    """

    waits = True

    def __init__(
        self,
        model: Model,
        ask: Ask,
        manner: Manner,
        capabilities: Capabilities = NOTHING,
        aliases: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.model = model
        shown = {name: value for name, value in asdict(manner).items() if value not in (None, "")}
        self.id = f"{model.name}({','.join(f'{name}={value}' for name, value in shown.items())})"
        self._ask, self._manner, self._aliases = ask, manner, aliases
        self._persona = Persona(model.name.rpartition("/")[2], manner.newer)
        self._can = capabilities
        self._frames: _Shelf[tuple[Evidence | None, Frame]] = _Shelf(FRAMES)
        self._prompts: _Shelf[tuple[Observation, _Prompt]] = _Shelf(PROMPTS)

    def allow(self, capabilities: Mapping[str, Any]) -> None:
        """Take what the server turned out to do, before anything is asked.

        Args:
            capabilities: the fields of `Capabilities`.

        Raises:
            SettingError: evidence is to be shown as an image, and the model takes none.
        """
        self._can = Capabilities(**capabilities)
        if self._manner.sees == "image" and not self._can.images:
            expected = f"text: {self.model.name} takes no images"
            raise SettingError("sees", "image", expected, among=("text",))

    @property
    def gives_odds(self) -> bool:
        """Whether its server continues a reply that is begun, and gives token probabilities."""
        return self._can.prefill and self._can.logprobs > 0

    def segments(self, observation: Observation) -> tuple[Segment, ...]:
        """Return the prompt, in segments of which most are shared with other calls."""
        return self._prompt(observation).segments

    def digest(self, observation: Observation) -> bytes:
        """Return the 16-byte digest of all that is sent: text, pixels, schema and sampling."""
        prompt, manner = self._prompt(observation), self._manner
        sampling: tuple[str | int, ...] = (str(manner.temperature), str(manner.top_p), prompt.cap)
        if observation.odds:
            sampling = (str(manner.temperature), "odds", self._can.logprobs)
        schema = repr(prompt.schema) if self._can.schema else ""
        parts = blake2b(pack(schema, *sampling), digest_size=DIGEST_SIZE)
        for segment in prompt.segments:
            seen = segment.data if segment.kind == "text" else _pixels(segment.data)
            parts.update(pack(segment.role, segment.kind, seen))
        return parts.digest()

    def answer(self, observation: Observation, draw: bytes) -> Reply:
        """Refuse: a model's reply has to be waited for.

        Raises:
            ModelError: always.
        """
        raise ModelError(f"{self.id} cannot answer at once: its replies have to be waited for")

    async def ask(self, observation: Observation, draw: bytes) -> Reply:
        """Send the prompt once and read what comes back; an invalid reply says why.

        Raises:
            ModelError: no reply came.
        """
        request = self.request(observation, draw)
        if observation.odds:
            temperature = self._manner.temperature
            return await odds(self._ask, request, observation.answers, temperature)
        completion, cost = await self._ask(request)
        return self._read(completion, cost, self._prompt(observation), observation)

    def request(self, observation: Observation, draw: bytes) -> Request:
        """Return what is sent for an observation; for odds, the first of several requests.

        Args:
            observation: what the seat observes.
            draw: at least 4 random bytes.
        """
        prompt, manner = self._prompt(observation), self._manner
        if observation.odds:
            opening = begun(prompt.frame.keys, observation.evidence)
            places = self._can.logprobs
            return Request(prompt.segments, 1, 0.0, prefill=opening, top_logprobs=places)
        return Request(
            segments=prompt.segments,
            max_tokens=prompt.cap,
            temperature=manner.temperature,
            top_p=manner.top_p,
            seed=int.from_bytes(draw[:4], "big") >> 1 if self._can.seed else None,
            schema=prompt.schema if self._can.schema else None,
        )

    def _read(
        self, completion: Completion, cost: int, prompt: _Prompt, observation: Observation
    ) -> Reply:
        usage = Usage(
            prompt=completion.prompt_tokens,
            completion=completion.completion_tokens,
            cached=completion.cached_tokens,
            cost=cost,
            seconds=completion.seconds,
            finish=completion.finish,
            reasoning=completion.reasoning,
        )
        if completion.fault:
            return Reply(completion.text, valid=False, why=completion.fault, usage=usage)
        keys, answers = prompt.frame.keys, observation.answers
        reply = read(completion.text, completion.finish, keys, answers, self._aliases)
        return Reply(reply.text, reply.answer, reply.reason, reply.valid, reply.why, usage)

    def _prompt(self, observation: Observation) -> _Prompt:
        # By identity: two pieces of evidence with one key may still look different in a picture.
        kept = self._prompts.get(id(observation))
        if kept is None or kept[0] is not observation:
            kept = observation, self._compose(observation)
            self._prompts.put(id(observation), kept)
        return kept[1]

    def _compose(self, observation: Observation) -> _Prompt:
        whole = self._frame(observation)
        segments = (*whole.head, *heard(whole, observation.heard), *whole.tail)
        place = whole.place
        cap = self._manner.max_tokens or CAPS.get(place.protocol, CAP)
        listed = () if "no-list" in place.wording else observation.answers
        return _Prompt(whole, segments, _schema(whole.keys, listed, self._manner.longest), cap)

    def _frame(self, observation: Observation) -> Frame:
        seen = observation.evidence
        slot = (observation.purpose, observation.brief, observation.with_reason)
        key = (*slot, observation.answers, id(seen))
        kept = self._frames.get(key)
        if kept is None or kept[0] is not seen:
            kept = seen, frame(observation, self._manner.sees, self._persona)
            self._frames.put(key, kept)
        return kept[1]


T = TypeVar("T")


class _Shelf(Generic[T]):
    """Keeps what was put last."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._items: OrderedDict[Hashable, T] = OrderedDict()

    def get(self, key: Hashable) -> T | None:
        return self._items.get(key)

    def put(self, key: Hashable, item: T) -> None:
        self._items[key] = item
        if len(self._items) > self._room:
            self._items.popitem(last=False)


@lru_cache(maxsize=1024)
def _schema(keys: Keys, allowed: tuple[str, ...], longest: int | None) -> Mapping[str, Any]:
    """The JSON schema of a reply. Where the prompt lists no answers, the schema lists none."""
    limit = {} if longest is None else {"maxLength": longest}
    values: dict[str, dict[str, Any]] = {key: {"type": "string", **limit} for key in keys.all()}
    values[keys.answer] = {"type": "string", **({"enum": list(allowed)} if allowed else {})}
    return {
        "type": "object",
        "properties": values,
        "required": list(keys.all()),
        "additionalProperties": False,
    }


@lru_cache(maxsize=1024)
def _pixels(png: bytes) -> bytes:
    """Digest of a picture's pixels: how a PNG file is packed differs between versions."""
    from PIL import Image

    with Image.open(io.BytesIO(png)) as picture:
        return digest(picture.mode, *picture.size, picture.tobytes())
