"""The judge that asks a model: a case becomes a prompt, the reply is read by the rubric."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from typing import Any, Literal, NamedTuple

from socialcircuits.agents.waiting import Waiting
from socialcircuits.errors import SettingError
from socialcircuits.graph import Observation, Reply
from socialcircuits.graph.vocabulary import Segment
from socialcircuits.judges.base import Case
from socialcircuits.judges.form import Void, read_object, suited
from socialcircuits.models.interface import Capabilities, Completion, Model, Request
from socialcircuits.prompts import Place, demand, find, library
from socialcircuits.seeds import DIGEST_SIZE, pack

PURPOSE = "label"
"""Purpose of a judge's steps."""

MOST_TOKENS = 2000
"""Most completion tokens of a label where nothing else is said."""

_CUT = "length"
_GAP = "\0"


@dataclass(frozen=True)
class Line:
    """The way to a model.

    Args:
        model: the model.
        ask: sends a request to it; returns the completion and its cost in billionths of a US
            dollar.
        capabilities: what its server can do.
    """

    model: Model
    ask: Callable[[Request], Awaitable[tuple[Completion, int]]]
    capabilities: Capabilities


class Wording(NamedTuple):
    """What a judge is told besides the case: as system, before the texts and after them."""

    system: Segment
    before: Segment
    after: Segment


@cache
def wording(rubric: str) -> Wording:
    """Return the words of a rubric.

    Raises:
        SettingError: it has no prompt file.
    """
    place = Place("", "", "judge", PURPOSE, "", "", variant=rubric)
    prompt = find("judge", place)
    if prompt is None:
        names = [known.id.removeprefix("judge/") for known in library() if known.section == "judge"]
        raise SettingError("rubric", rubric, "one of " + ", ".join(names), among=names)
    before, after = prompt.render({"texts": _GAP}).split(_GAP)
    rules = demand("system", place).render({})
    return Wording(_text(rules, "system"), _text(before), _text(after))


def prompt_of(case: Case) -> tuple[Segment, ...]:
    """Return what a judge is sent for a case; most segments are shared with other cases."""
    words = wording(case.rubric.name)
    lines = (_text(line + "\n") for line in case.lines())
    return words.system, words.before, *lines, words.after


class JudgeMind(Waiting):
    """A mind that judges with a model. Its id is the model's name and how it is asked.

    Args:
        line: the way to the model.
        temperature: sampling temperature, 0 to 2; None sends none, for models that refuse it.
        max_tokens: most completion tokens, at least 1.
        longest: most characters of a free text in the reply, and a limit on its lists, asked for in
            the schema; None asks for no limits. For small models, which else run on.

    Raises:
        SettingError: a value is not allowed.
    """

    def __init__(
        self,
        line: Line,
        temperature: float | None = 0.0,
        max_tokens: int = MOST_TOKENS,
        longest: int | None = None,
    ) -> None:
        if temperature is not None and not 0 <= temperature <= 2:
            raise SettingError("temperature", temperature, "0 to 2")
        for name, value in (("max_tokens", max_tokens), ("longest", longest)):
            if value is not None and value < 1:
                raise SettingError(name, value, "a whole number of at least 1")
        manner = {"temperature": temperature, "max_tokens": max_tokens, "longest": longest}
        shown = (f"{name}={value}" for name, value in manner.items() if value is not None)
        self.id = f"{line.model.name}({','.join(shown)})"
        self._line, self._temperature = line, temperature
        self._max_tokens, self._longest = max_tokens, longest

    def segments(self, observation: Observation) -> tuple[Segment, ...]:
        """Return the prompt."""
        return prompt_of(_case(observation))

    def digest(self, observation: Observation) -> bytes:
        """Return the 16-byte digest of all that is sent: text, schema and sampling."""
        schema = repr(self._schema(_case(observation))) if self._line.capabilities.schema else ""
        parts = blake2b(digest_size=DIGEST_SIZE)
        parts.update(pack(schema, str(self._temperature), self._max_tokens))
        for segment in self.segments(observation):
            parts.update(pack(segment.role, segment.kind, segment.data))
        return parts.digest()

    async def ask(self, observation: Observation, draw: bytes) -> Reply:
        """Send the prompt once; a reply that is void is invalid and says why.

        Raises:
            ModelError: no reply came.
        """
        case, able = _case(observation), self._line.capabilities
        request = Request(
            segments=self.segments(observation),
            max_tokens=self._max_tokens,
            temperature=self._temperature,
            seed=int.from_bytes(draw[:4], "big") >> 1 if able.seed else None,
            schema=self._schema(case) if able.schema else None,
            ticket=draw,
        )
        completion, cost = await self._line.ask(request)
        return _reply(case, completion, cost)

    def _schema(self, case: Case) -> Mapping[str, Any]:
        return suited(case.rubric.form(case), self._longest)


def _case(observation: Observation) -> Case:
    case = observation.evidence
    assert isinstance(case, Case), "a judge's evidence is its case"
    return case


def _reply(case: Case, completion: Completion, cost: int) -> Reply:
    usage = completion.usage(cost)
    try:
        if completion.fault or completion.finish == _CUT:
            raise Void(completion.fault or "cut")
        said = read_object(completion.text, case.rubric.form(case))
        judgment = case.rubric.read(case, said)
    except Void as fault:
        return Reply(completion.text, valid=False, why=str(fault), usage=usage)
    return Reply(completion.text, reason=judgment.reason, usage=usage)


def _text(text: str, role: Literal["system", "user"] = "user") -> Segment:
    return Segment(role, "text", text.encode("utf-8", "surrogatepass"))
