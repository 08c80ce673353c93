"""The kit for models: what calls, records and prompted seats rely on."""

from __future__ import annotations

import asyncio
import math
from dataclasses import replace

from socialcircuits.errors import ModelError
from socialcircuits.graph.vocabulary import Segment
from socialcircuits.models.interface import Capabilities, Completion, Model, Request
from socialcircuits.testing.rule import demand, is_text

_TOGETHER = 8
_PLAIN = Request((Segment("user", "text", b"one two three four"),), 16, temperature=0.0)


def check_model(model: Model) -> None:
    """Check that a model keeps the rules that calls and records rely on.

    Its name is one fixed word without an address; it says what it can do; a completion has a text
    or a fault, both of whole characters; counts and times are none or not negative;
    log-probabilities come where asked for, and only there, and are at most 0; requests can be sent
    together; closing twice does no harm; what fails is a ModelError.

    Args:
        model: a model that answers; it is asked some ten times, and closed.

    Raises:
        AssertionError: the first rule that is broken, in one sentence.

    >>> from socialcircuits.models.scripted import ScriptedModel
    >>> check_model(ScriptedModel("scripted/echo", lambda request: Completion("four", "stop")))
    """
    asyncio.run(_check(model))


async def _check(model: Model) -> None:
    name = model.name
    one_word = is_text(name) and name.isprintable() and len(name.split()) == 1
    demand(one_word, f"the name of a model must be one printable word: {name!r}")
    demand("://" not in name, f"the name of a model must hold no address: {name!r}")
    try:
        able = await model.probe()
        _check_capabilities(able)
        plain = await asyncio.gather(*(model.complete(_numbered(i)) for i in range(_TOGETHER)))
        for completion in plain:
            _check_completion(completion)
            demand(not completion.tokens, "log-probabilities must come only where asked for")
        if able.logprobs:
            await _check_tokens(model, able.logprobs)
    except ModelError:
        raise
    except AssertionError:
        raise
    except Exception as error:
        kind = type(error).__name__
        raise AssertionError(f"what fails must be a ModelError, not {kind}") from error
    finally:
        await model.close()
        await model.close()
    demand(model.name == name, "the name of a model must not change")


def _numbered(number: int) -> Request:
    return replace(_PLAIN, segments=(*_PLAIN.segments, Segment("user", "text", b"!" * number)))


def _check_capabilities(able: Capabilities) -> None:
    flags = (able.schema, able.prefill, able.seed, able.images)
    demand(all(type(flag) is bool for flag in flags), "capabilities must be True or False")
    whole = type(able.logprobs) is int and able.logprobs >= 0
    demand(whole, f"capabilities: logprobs must be a whole number from 0: {able.logprobs!r}")


def _check_completion(completion: Completion) -> None:
    demand(type(completion) is Completion, "complete must return a Completion")
    demand(bool(completion.text or completion.fault), "a completion must have a text or a fault")
    for text in (completion.text, completion.fault, completion.finish, completion.reasoning):
        demand(_is_whole(text), "texts must be whole characters, without lone surrogates")
    counts = (completion.prompt_tokens, completion.completion_tokens)
    known = all(count is None or (type(count) is int and count >= 0) for count in counts)
    demand(known, "token counts must be None or whole numbers from 0")
    cached = completion.cached_tokens
    demand(type(cached) is int and cached >= 0, "cached tokens must be a whole number from 0")
    demand(0 <= completion.seconds < math.inf, "seconds must be finite and not negative")


def _is_whole(text: object) -> bool:
    return isinstance(text, str) and text.encode("utf-8", "replace").decode() == text


async def _check_tokens(model: Model, alternatives: int) -> None:
    completion = await model.complete(replace(_PLAIN, top_logprobs=alternatives))
    _check_completion(completion)
    demand(bool(completion.tokens), "log-probabilities must come where they are offered")
    values = [value for token in completion.tokens for value in token.top.values()]
    demand(all(-math.inf < value <= 0 for value in values), "log-probabilities must be at most 0")
