"""Prompted minds: a seat's observation becomes a prompt, a model's reply is read strictly."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from hashlib import blake2b
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, get_args

from socialcircuits.agents.odds import begun, odds
from socialcircuits.agents.parsing import Keys, read
from socialcircuits.agents.rendering import Frame, Identity, Sees, frame, heard
from socialcircuits.agents.shelf import Shelf
from socialcircuits.agents.waiting import Waiting
from socialcircuits.errors import SettingError
from socialcircuits.graph import Evidence, Observation, Reply
from socialcircuits.graph.vocabulary import Segment
from socialcircuits.models.interface import Capabilities, Completion, Model, Request
from socialcircuits.models.openai_request import OWN
from socialcircuits.prompts import Place
from socialcircuits.seeds import DIGEST_SIZE, digest, pack

Ask = Callable[[Request], Awaitable[tuple[Completion, int]]]
"""request -> the completion and its cost in billionths of a US dollar."""

CAP = 200
"""Most completion tokens, in pairwise and for the isolated guess (Flag Game, appendix D)."""

CAPS = {"broadcast": 250, "manager": 250}
"""Protocol -> most completion tokens, where it is not `CAP` (Flag Game, appendix D)."""

TEMPERATURE, TOP_P = 0.2, 1.0
"""Usual sampling of the Flag Game (appendix D)."""

ROOM, CHATROOM, LOCAL_ROOM = 4096, 1024, 400
"""Most completion tokens of hosted models, whose reasoning counts too, in deliberations and of
questions, and in the chatroom; and there of local models, which do not reason apart."""

TALK, PRIVATE = 0.7, 0.0
"""Usual temperatures of the chatroom: of what is said, and of private answers (Believed but Not
Said, appendix D)."""

FREE_TEXT = ("questions", "claims", "documents")
"""Worlds whose answers are free text."""

NOTHING = Capabilities()
"""What a server can do of which nothing is known."""

_EFFORT, _DIGEST = re.compile("[a-z]*"), re.compile(f"(?:[0-9a-f]{{{2 * DIGEST_SIZE}}})?")

FRAMES = 4096
PROMPTS = 4096
"""How many frames and prompts a mind keeps at hand."""


class Sampling(NamedTuple):
    """What is sent beside a prompt; None is not sent."""

    temperature: float | None
    top_p: float | None
    cap: int


@dataclass(frozen=True)
class Manner:
    """How a model is asked.

    Args:
        sees: evidence as an ``image`` or as ``text``; each has prompts of its own, and their
            numbers are never pooled.
        temperature: sampling temperature, 0 to 2; None sends none, for models that refuse it;
            ``usual``: 0.2 (Flag Game, appendix D); in the chatroom 0.7 for messages and 0 for
            private answers (Believed but Not Said, appendix D); else none in deliberations and of
            questions and claims, where the provider's default holds (adversarial deliberation,
            section 2.4).
        top_p: nucleus, above 0 and at most 1; None sends none; ``usual``: 1 where 0.2 is the usual
            temperature, else none.
        max_tokens: most completion tokens, at least 1; None: 200 in pairwise and for the isolated
            guess, 250 in broadcast and manager, 1024 in the chatroom, in deliberations and of
            questions and claims 4096; for local models 400 where it would be more than 250.
        longest: most characters of every free text (a restated crop, a reason, an answer in one's
            own words, a note), at least 1, asked for in the schema; None asks for no limit. For
            small models, which else run on until they are cut; not every server knows such limits.
        reasoning_effort: how much the model is to reason, in the provider's word, such as ``low``;
            empty sends none.
        extra: further parameters, sent as they are: a JSON object as `deployment.json_object` has
            it, with none of `models.openai_request.OWN`; empty: none.
        system: digest of a system prompt of the user's own, which stands before all that agents
            are told here (`deployment.system_id`); empty: none.
        newer: under the wording ``identity``, the model that is called newer and better.

    Raises:
        SettingError: a value is not allowed.

    >>> flags = Place("flags", "pairwise", "observer", "message", "image", "label")
    >>> Manner("image").sampling(flags, "openai/gpt-4o")
    Sampling(temperature=0.2, top_p=1.0, cap=200)
    """

    sees: Sees
    temperature: float | Literal["usual"] | None = "usual"
    top_p: float | Literal["usual"] | None = "usual"
    max_tokens: int | None = None
    longest: int | None = None
    reasoning_effort: str = ""
    extra: str = ""
    system: str = ""
    newer: str = ""

    def __post_init__(self) -> None:
        forms = get_args(Sees)
        if self.sees not in forms:
            raise SettingError("sees", self.sees, " or ".join(forms), among=forms)
        if isinstance(self.temperature, int | float) and not 0 <= self.temperature <= 2:
            raise SettingError("temperature", self.temperature, "0 to 2")
        if isinstance(self.top_p, int | float) and not 0 < self.top_p <= 1:
            raise SettingError("top_p", self.top_p, "a number above 0 and at most 1")
        for name in ("max_tokens", "longest"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise SettingError(name, value, "a whole number of at least 1")
        if not _EFFORT.fullmatch(self.reasoning_effort):
            raise SettingError("reasoning_effort", self.reasoning_effort, "a word such as low")
        if not _DIGEST.fullmatch(self.system):
            expected = "the digest of a text; give its file by --system FILE"
            raise SettingError("system", self.system, expected)
        taken = sorted({*OWN, "reasoning_effort"} & json.loads(self.extra or "{}").keys())
        if taken:
            expected = "other parameters: these are options of their own or set by the run"
            raise SettingError("extra", ", ".join(taken), expected)

    def further(self) -> dict[str, Any]:
        """Return the parameters that are sent beside those of `Sampling`.

        >>> Manner("text", reasoning_effort="low", extra='{"top_k":40}').further()
        {'top_k': 40, 'reasoning_effort': 'low'}
        """
        effort = {"reasoning_effort": self.reasoning_effort} if self.reasoning_effort else {}
        return {**json.loads(self.extra or "{}"), **effort}

    def sampling(self, place: Place, model: str) -> Sampling:
        """Return what is sent beside a prompt.

        Args:
            place: where the prompt stands.
            model: name of the model, with its provider.
        """
        usual = _usual(place, model.startswith("local/"))
        return Sampling(
            _settled(self.temperature, usual.temperature),
            _settled(self.top_p, usual.top_p),
            self.max_tokens or usual.cap,
        )


def _usual(place: Place, local: bool) -> Sampling:
    if place.protocol == "chatroom":
        temperature = TALK if place.purpose == "message" else PRIVATE
        return Sampling(temperature, None, LOCAL_ROOM if local else CHATROOM)
    if place.protocol == "deliberation" or place.world in FREE_TEXT:
        return Sampling(None, None, LOCAL_ROOM if local else ROOM)
    return Sampling(TEMPERATURE, TOP_P, CAPS.get(place.protocol, CAP))


def _settled(value: float | Literal["usual"] | None, usual: float | None) -> float | None:
    return usual if isinstance(value, str) else value


@dataclass(frozen=True)
class _Prompt:
    """A prompt that is ready to be sent."""

    frame: Frame
    segments: tuple[Segment, ...]
    schema: Mapping[str, Any]
    sampling: Sampling


class Prompted(Waiting):
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
        send: as `ask`; judges ask the same model through it.
        manner: how it is asked.
        id: name of the mind.
    """

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
        self.send, self.manner, self._aliases = ask, manner, aliases
        self._identity = Identity(model.name.rpartition("/")[2], manner.newer)
        self._can = capabilities
        self._system: tuple[Segment, ...] = ()
        self._further = manner.further()
        self._frames: Shelf[tuple[Evidence | None, Frame]] = Shelf(FRAMES)
        self._prompts: Shelf[tuple[Observation, _Prompt]] = Shelf(PROMPTS)

    def allow(self, capabilities: Mapping[str, Any], system: str = "") -> None:
        """Take what the server turned out to do and what the manner has but a digest of, before
        anything is asked.

        Args:
            capabilities: the fields of `Capabilities`.
            system: the text of the system prompt; empty where there is none.

        Raises:
            SettingError: evidence is to be shown as an image, and the model takes none.
        """
        self._can = Capabilities(**capabilities)
        self._system = (Segment("system", "text", f"{system}\n\n".encode()),) if system else ()
        self._prompts = Shelf(PROMPTS)
        if self.manner.sees == "image" and not self._can.images:
            expected = f"text: {self.model.name} takes no images"
            raise SettingError("sees", "image", expected, among=("text",))

    @property
    def capabilities(self) -> Capabilities:
        """What its server can do, as far as known."""
        return self._can

    @property
    def gives_odds(self) -> bool:
        """Whether its server continues a reply that is begun, and gives token probabilities."""
        return self._can.prefill and self._can.logprobs > 0

    def segments(self, observation: Observation) -> tuple[Segment, ...]:
        """Return the prompt, in segments of which most are shared with other calls."""
        return self._prompt(observation).segments

    def digest(self, observation: Observation) -> bytes:
        """Return the 16-byte digest of all that is sent: text, pixels, schema and sampling."""
        prompt = self._prompt(observation)
        temperature, top_p, cap = prompt.sampling
        sent: tuple[str | int, ...] = (str(temperature), str(top_p), cap)
        if observation.odds:
            sent = (str(temperature), "odds", self._can.logprobs)
        schema = repr(prompt.schema) if self._can.schema else ""
        parts = blake2b(pack(schema, *sent), digest_size=DIGEST_SIZE)
        for segment in prompt.segments:
            seen = segment.data if segment.kind == "text" else _pixels(segment.data)
            parts.update(pack(segment.role, segment.kind, seen))
        return parts.digest()

    async def ask(self, observation: Observation, draw: bytes) -> Reply:
        """Send the prompt once and read what comes back; an invalid reply says why.

        Raises:
            ModelError: no reply came.
        """
        request = self.request(observation, draw)
        if observation.odds:
            temperature = self._prompt(observation).sampling.temperature
            return await odds(self.send, request, observation.answers, temperature)
        completion, cost = await self.send(request)
        return self._read(completion, cost, self._prompt(observation), observation)

    def request(self, observation: Observation, draw: bytes) -> Request:
        """Return what is sent for an observation; for odds, the first of several requests.

        Args:
            observation: what the seat observes.
            draw: at least 4 random bytes.
        """
        prompt = self._prompt(observation)
        if observation.odds:
            opening = begun(prompt.frame.keys, observation.evidence)
            places = self._can.logprobs
            return Request(
                prompt.segments,
                1,
                0.0,
                prefill=opening,
                top_logprobs=places,
                extra=self._further,
            )
        return Request(
            segments=prompt.segments,
            max_tokens=prompt.sampling.cap,
            temperature=prompt.sampling.temperature,
            top_p=prompt.sampling.top_p,
            seed=int.from_bytes(draw[:4], "big") >> 1 if self._can.seed else None,
            schema=prompt.schema if self._can.schema else None,
            extra=self._further,
        )

    def _read(
        self, completion: Completion, cost: int, prompt: _Prompt, observation: Observation
    ) -> Reply:
        usage = completion.usage(cost)
        if completion.fault:
            return Reply(completion.text, valid=False, why=completion.fault, usage=usage)
        answers = () if prompt.frame.open else observation.answers
        reply = read(
            completion.text,
            completion.finish,
            prompt.frame.keys,
            answers,
            self._aliases,
            observation.brief.name,
        )
        return Reply(reply.text, reply.answer, reply.reason, reply.valid, reply.why, usage)

    def _prompt(self, observation: Observation) -> _Prompt:
        # By identity: two pieces of evidence with one key may still look different in a picture.
        kept = self._prompts.get(id(observation))
        if kept is None or kept[0] is not observation:
            kept = observation, self._compose(observation)
            self._prompts.put(id(observation), kept)
        return kept[1]

    def _compose(self, observation: Observation) -> _Prompt:
        whole, longest = self._frame(observation), self.manner.longest
        told = (*self._system, *whole.head)
        segments = (*told, *heard(whole, observation.heard), *whole.tail)
        listed = () if "no-list" in whole.place.wording else observation.answers
        sampling = self.manner.sampling(whole.place, self.model.name)
        schema = _schema(whole.keys, None if whole.open else listed, longest)
        return _Prompt(whole, segments, schema, sampling)

    def _frame(self, observation: Observation) -> Frame:
        seen = observation.evidence
        asked = (observation.purpose, observation.variant, observation.with_reason)
        key = (*asked, observation.brief, observation.answers, id(seen))
        kept = self._frames.get(key)
        if kept is None or kept[0] is not seen:
            kept = seen, frame(observation, self.manner.sees, self._identity)
            self._frames.put(key, kept)
        return kept[1]


@lru_cache(maxsize=1024)
def _schema(keys: Keys, allowed: tuple[str, ...] | None, longest: int | None) -> Mapping[str, Any]:
    """The JSON schema of a reply. Where the prompt lists no answers, the schema lists none; None:
    any text is an answer."""
    limit = {} if longest is None else {"maxLength": longest}
    values: dict[str, dict[str, Any]] = {key: {"type": "string", **limit} for key in keys.all()}
    if keys.answer and allowed is not None:
        values[keys.answer] = {"type": "string", **({"enum": list(allowed)} if allowed else {})}
    elif limit:
        values[keys.answer or keys.reason]["minLength"] = 1
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
