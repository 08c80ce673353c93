"""What servers send back for a chat completion, in all the forms that real ones use."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeGuard

from socialcircuits.models.interface import Completion, Token

NO_CHOICES = "no choices"
ERROR_OBJECT = "error object"
TOOL_CALLS = "tool calls only"
REFUSAL = "refusal"
CUT_THINKING = "cut while thinking"
REASONING_ONLY = "reasoning only"
EMPTY = "empty"
TOO_LONG = "reply too long"

_OPENED = re.compile(r"<(?:think|thinking|thought)>", re.IGNORECASE)
_CLOSED = re.compile(r"</(?:think|thinking|thought)>\s*", re.IGNORECASE)
_JSON = ("{", "[", "`")

NEVER = -9999.0
"""Some services write this for a log-probability of minus infinity."""

_MOST_USD = 1e6


def decode(body: bytes) -> Any:
    """Return the JSON value of a body; a stream of events is put together as one.

    Raises:
        ValueError: the body is not JSON, or a stream that ended too early.

    >>> decode(b'data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}')
    {'choices': [{'message': {'content': 'Hi'}, 'finish_reason': 'stop', 'logprobs': None}], \
'usage': None}
    """
    body = body.lstrip(b"\xef\xbb\xbf \t\r\n")
    if body.startswith((b"data:", b"event:", b"id:", b"retry:", b":")):
        return _assemble(body)
    return _loads(body)


def error_of(found: Any) -> Any:
    """Return what a reply says went wrong, in whatever form, or None where it is no error.

    >>> error_of([{"error": {"message": "no"}}])
    {'message': 'no'}
    """
    if isinstance(found, list):
        return next(filter(None, map(error_of, found[:1])), None)
    if not isinstance(found, dict):
        return None
    if found.get("object") == "error":
        return found
    error = found.get("error") or found.get("errors")
    choice = _first(found.get("choices"))
    return error or (choice.get("error") if choice else None)


def finish_of(found: Any) -> str:
    """Return why a reply ended, empty if it does not say.

    >>> finish_of({"choices": [{"finish_reason": "length"}]})
    'length'
    """
    choice = _first(found.get("choices")) if isinstance(found, dict) else None
    finish = choice.get("finish_reason") if choice else None
    return finish if isinstance(finish, str) else ""


def completion(found: Any, seconds: float = 0.0) -> Completion:
    """Read a decoded reply; what is wrong with its content is said in `fault`.

    Faults are fixed words, since they enter the record: a server's own words (with request
    numbers and times) would make equal runs differ.

    >>> completion({"choices": [{"message": {"content": "Hi"}, "finish_reason": "stop"}]}).text
    'Hi'
    >>> completion({"choices": []}).fault
    'no choices'
    """
    usage = _usage(found) if isinstance(found, dict) else {}
    choice = _first(found.get("choices")) if isinstance(found, dict) else None
    if choice is None:
        fault = ERROR_OBJECT if error_of(found) else NO_CHOICES
        return Completion("", fault=fault, seconds=seconds, **usage)
    said = choice.get("message")
    message = said if isinstance(said, dict) else {"content": choice.get("text")}
    text, thought = _unthink(*_content(message.get("content")))
    for name in ("reasoning_content", "reasoning"):
        thought = thought or _content(message.get(name))[0]
    refusal = message.get("refusal")
    finish, fault = finish_of(found), ""
    if not text and isinstance(refusal, str) and refusal:
        text, fault = refusal, REFUSAL
    elif not text:
        fault = _fault(message, choice, finish, thought)
    return Completion(
        _whole(text),
        finish,
        fault,
        reasoning=_whole(thought),
        tokens=tuple(_tokens(choice.get("logprobs"))),
        seconds=seconds,
        **usage,
    )


def _fault(message: Mapping[str, Any], choice: Mapping[str, Any], finish: str, thought: str) -> str:
    """Why there is no text."""
    if choice.get("error"):
        return ERROR_OBJECT
    if message.get("tool_calls") or message.get("function_call"):
        return TOOL_CALLS
    if finish == "length":
        return CUT_THINKING
    return REASONING_ONLY if thought else EMPTY


def _loads(data: bytes) -> Any:
    try:
        return json.loads(data.decode("utf-8", "replace"))
    except RecursionError:
        raise ValueError("the JSON is nested too deeply") from None


def _first(choices: Any) -> dict[str, Any] | None:
    if isinstance(choices, list) and choices and isinstance(choices[0], dict):
        return choices[0]
    return None


def _content(value: Any) -> tuple[str, str]:
    """Text and reasoning of a content: a text, a part, or a list of them."""
    if isinstance(value, str):
        return value, ""
    if isinstance(value, list):
        pairs = [_content(part) for part in value if isinstance(part, str | dict)]
        return "".join(text for text, _ in pairs), "".join(thought for _, thought in pairs)
    if isinstance(value, dict):
        if value.get("type") in ("thinking", "reasoning"):
            inner = value.get("thinking") or value.get("reasoning") or value.get("text")
            return "", _content(inner)[0]
        text = value.get("text")
        return (text if isinstance(text, str) else ""), ""
    return "", ""


def _whole(text: str) -> str:
    """Join surrogate pairs that came apart; what stays alone is no character and becomes U+FFFD."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _unthink(text: str, thought: str) -> tuple[str, str]:
    """Part a text from the thinking in tags before it, whose first tag may stand in the prompt."""
    start = text.lstrip()
    opened, closed = _OPENED.match(start), _CLOSED.search(start)
    if opened is not None:
        start = start[opened.end() :]
        closed = _CLOSED.search(start)
    elif closed is None or start.startswith(_JSON) or _OPENED.search(start, 0, closed.start()):
        return text, thought
    if closed is None:
        return "", thought or start
    return start[closed.end() :], thought or start[: closed.start()].strip()


def _usage(found: Mapping[str, Any]) -> dict[str, Any]:
    usage = _dict(found.get("usage"))
    names = ("prompt_tokens", "completion_tokens", "total_tokens")
    prompt, generated, total = (_count(usage.get(name)) for name in names)
    if prompt is not None and generated is not None:
        # xAI and Gemini count reasoning in the total only, though it is billed.
        generated = max(generated, (total or 0) - prompt)
    cached = (
        _dict(usage.get("prompt_tokens_details")).get("cached_tokens"),
        usage.get("prompt_cache_hit_tokens"),
        usage.get("cached_tokens"),
        _dict(found.get("timings")).get("cache_n"),
    )
    return {
        "prompt_tokens": prompt,
        "completion_tokens": generated,
        "cached_tokens": next(filter(None, map(_count, cached)), 0),
        "billed": _billed(usage),
    }


def _billed(usage: Mapping[str, Any]) -> int | None:
    """What a server says a call costs, in billionths of a US dollar; servers say it in dollars
    (OpenRouter, where the use of one's own key is billed apart) or in tenths of a billionth (xAI).
    """
    ticks = _count(usage.get("cost_in_usd_ticks"))
    if ticks is not None:
        return -(-ticks // 10)
    costs = [usage.get("cost")]
    if usage.get("is_byok") is True:
        costs.append(_dict(usage.get("cost_details")).get("upstream_inference_cost"))
    known = [cost for cost in costs if _is_number(cost) and 0 <= cost < _MOST_USD]
    return math.ceil(round(math.fsum(known) * 1e9, 3)) if len(known) == len(costs) else None


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _count(value: Any) -> int | None:
    return value if type(value) is int and value >= 0 else None


def _is_number(value: Any) -> TypeGuard[int | float]:
    return type(value) in {int, float}


def _tokens(found: Any) -> Iterator[Token]:
    """Tokens with alternatives from the forms of chat completions and of plain completions."""
    rows: list[Any]
    if isinstance(found, dict) and isinstance(found.get("tokens"), list):
        tokens = found["tokens"]
        columns = [found.get("token_logprobs"), found.get("top_logprobs")]
        chosen, tops = [(c if isinstance(c, list) else []) + [None] * len(tokens) for c in columns]
        rows = [
            {"token": token, "logprob": chosen[i], "top_logprobs": tops[i]}
            for i, token in enumerate(tokens)
        ]
    else:
        content = found.get("content") if isinstance(found, dict) else found
        rows = content if isinstance(content, list) else []
    for row in rows:
        if isinstance(row, dict) and isinstance(row.get("token"), str):
            yield Token(_whole(row["token"]), _alternatives(row))


def _alternatives(row: Mapping[str, Any]) -> dict[str, float]:
    listed = row.get("top_logprobs")
    pairs: list[tuple[Any, Any]]
    if isinstance(listed, dict):
        pairs = list(listed.items())
    else:
        entries = listed if isinstance(listed, list) else []
        pairs = [(e.get("token"), e.get("logprob")) for e in entries if isinstance(e, dict)]
    pairs.append((row["token"], row.get("logprob")))
    found: dict[str, float] = {}
    for token, value in pairs:
        known = _is_number(value) and math.isfinite(value) and value > NEVER
        if isinstance(token, str) and known:
            found.setdefault(_whole(token), min(float(value), 0.0))
    return found


def _events(body: bytes) -> Iterator[Any]:
    """The values of a stream's events, with None for its end mark."""
    for event in body.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n\n"):
        lines = [line[5:].strip() for line in event.split(b"\n") if line.startswith(b"data:")]
        data = b"\n".join(lines)
        if data:
            yield None if data == b"[DONE]" else _loads(data)


def _assemble(body: bytes) -> Any:
    """Put the events of a stream together as the one reply they make."""
    message: dict[str, Any] = {}
    finish = usage = None
    logprobs: list[Any] = []
    ended = seen = False
    for event in _events(body):
        if event is None:
            ended = True
        elif error_of(event):
            return {"error": error_of(event)}
        elif isinstance(event, dict):
            usage = event.get("usage") or usage
            choice = _first(event.get("choices"))
            if choice is not None and choice.get("index", 0) == 0:
                seen = True
                _add(message, choice.get("delta") or choice.get("message"))
                finish = choice.get("finish_reason") or finish
                piece = choice.get("logprobs")
                logprobs += (piece.get("content") or []) if isinstance(piece, dict) else []
    if not ended and finish is None:
        raise ValueError("the stream ended too early")
    whole = {"message": message, "finish_reason": finish}
    whole["logprobs"] = {"content": logprobs} if logprobs else None
    return {"choices": [whole] if seen else [], "usage": usage}


def _add(message: dict[str, Any], delta: Any) -> None:
    for name, value in delta.items() if isinstance(delta, dict) else ():
        if name == "tool_calls":
            message[name] = value or message.get(name)
        elif name != "role" and value is not None:
            text, thought = _content(value)
            message[name] = message.get(name, "") + text
            if thought:
                message["reasoning"] = message.get("reasoning", "") + thought
