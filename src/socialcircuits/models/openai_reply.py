"""What servers send back for a chat completion, in all the forms that real ones use."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from typing import Any

from socialcircuits.models.interface import Completion, Token

NO_CHOICES = "no choices"
ERROR_OBJECT = "error object"
TOOL_CALLS = "tool calls only"
REFUSAL = "refusal"
CUT_THINKING = "cut while thinking"
REASONING_ONLY = "reasoning only"
EMPTY = "empty"
TOO_LONG = "reply too long"

NEVER = -9999.0
"""Some services write this for a log-probability of minus infinity."""


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


def completion(found: Any, seconds: float = 0.0) -> Completion:
    """Read a decoded reply; what is wrong with its content is said in `fault`.

    Faults are fixed words, since they enter the record: a server's own words (with request
    numbers and times) would make equal runs differ.

    >>> completion({"choices": [{"message": {"content": "Hi"}, "finish_reason": "stop"}]}).text
    'Hi'
    >>> completion({"choices": []}).fault
    'no choices'
    """
    usage = _usage(found.get("usage")) if isinstance(found, dict) else {}
    choice = _first(found.get("choices")) if isinstance(found, dict) else None
    if choice is None:
        fault = ERROR_OBJECT if error_of(found) else NO_CHOICES
        return Completion("", fault=fault, seconds=seconds, **usage)
    said = choice.get("message")
    message = said if isinstance(said, dict) else {"content": choice.get("text")}
    text, thought = _content(message.get("content"))
    for name in ("reasoning_content", "reasoning"):
        thought = thought or _content(message.get(name))[0]
    refusal = message.get("refusal")
    finish = choice.get("finish_reason")
    finish = finish if isinstance(finish, str) else ""
    fault = ""
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


def _usage(usage: Any) -> dict[str, Any]:
    if not isinstance(usage, dict):
        return {}
    details = usage.get("prompt_tokens_details")
    cached = _count(details.get("cached_tokens")) if isinstance(details, dict) else None
    return {
        "prompt_tokens": _count(usage.get("prompt_tokens")),
        "completion_tokens": _count(usage.get("completion_tokens")),
        "cached_tokens": cached or _count(usage.get("prompt_cache_hit_tokens")) or 0,
    }


def _count(value: Any) -> int | None:
    return value if type(value) is int and value >= 0 else None


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
        known = type(value) in {int, float} and math.isfinite(value) and value > NEVER
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
