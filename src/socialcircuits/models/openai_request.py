"""The body of a chat-completions request, joined from pieces that are serialised once."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from typing import Any

from socialcircuits.graph.vocabulary import Segment
from socialcircuits.models.interface import Capabilities, Form, Request

LARGEST_KEPT = 1 << 14

OWN = frozenset(
    "model messages n stream stream_options max_tokens max_completion_tokens temperature top_p "
    "seed response_format structured_outputs guided_json logprobs top_logprobs".split()
)
"""Parameters of the body that are set here, or without which a reply could not be read or paid."""

ALWAYS: Mapping[str, Mapping[str, Any]] = {
    # Without it, parameters that the chosen back end does not know are left out in silence.
    "openrouter": {"provider": {"require_parameters": True}}
}
"""Provider -> what is sent to it with every request, unless the request says otherwise."""

_ROLE, _KIND = attrgetter("role"), attrgetter("kind")


def body(model: str, request: Request, options: Mapping[str, Any]) -> bytes:
    """Return the JSON body of a request.

    Segments of one role in a row form one message; a message without images has a plain text.
    Each distinct segment is escaped once, so that work grows with what is new in a prompt.

    Args:
        model: the server's name of the model.
        request: its segments and its prefill are used.
        options: all other parameters, from `options`.

    >>> request = Request((Segment("user", "text", b"Hi"), Segment("user", "text", b"!")), 8)
    >>> body("m", request, {"max_tokens": 8})
    b'{"model":"m","messages":[{"role":"user","content":"Hi!"}],"max_tokens":8}'
    """
    messages = [_message(role, tuple(run)) for role, run in groupby(request.segments, _ROLE)]
    if request.prefill:
        messages.append(_message("assistant", (_segment(request.prefill),)))
    rest = json.dumps(options, separators=(",", ":")).encode()[1:]
    return b'{"model":%b,"messages":[%b]%b%b' % (
        json.dumps(model).encode(),
        b",".join(messages),
        b"," if options else b"",
        rest,
    )


def options(request: Request, able: Capabilities) -> dict[str, Any]:
    """Return the parameters beside the prompt, those that the server takes, under their names.

    >>> options(Request((), 8, temperature=0.2, seed=1, extra={"top_k": 40}), Capabilities())
    {'max_tokens': 8, 'temperature': 0.2, 'top_k': 40}
    """
    alternatives = min(request.top_logprobs, able.logprobs)
    found: dict[str, Any] = {
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
        "top_p": request.top_p,
        "seed": request.seed if able.seed else None,
        "logprobs": True if alternatives else None,
        "top_logprobs": alternatives or None,
    }
    if request.schema is not None and able.schema:
        found |= _formed(able.form, dict(request.schema))
    taken = {name: value for name, value in found.items() if value is not None}
    return {**taken, **request.extra}


def _formed(form: Form, schema: dict[str, Any]) -> dict[str, Any]:
    """The parameter by which a server is told the form of a reply."""
    if form == "guided_json":
        return {"guided_json": schema}
    if form == "structured_outputs":
        return {"structured_outputs": {"json": schema}}
    if form == "json_object":
        return {"response_format": {"type": "json_object"}}
    named = {"name": "reply", "strict": True, "schema": schema}
    return {"response_format": {"type": "json_schema", "json_schema": named}}


def _segment(text: str) -> Segment:
    return Segment("assistant", "text", text.encode("utf-8", "replace"))


def _message(role: str, segments: tuple[Segment, ...]) -> bytes:
    if len(segments) == 1 and len(segments[0].data) <= LARGEST_KEPT:
        return _join_once(role, segments)
    return _join(role, segments)


def _join(role: str, segments: tuple[Segment, ...]) -> bytes:
    if all(segment.kind == "text" for segment in segments):
        content = b'"%b"' % b"".join(map(_piece, segments))
    else:
        content = b"[%b]" % b",".join(_parts(segments))
    return b'{"role":"%b","content":%b}' % (role.encode(), content)


def _parts(segments: Sequence[Segment]) -> list[bytes]:
    parts = []
    for kind, run in groupby(segments, _KIND):
        if kind == "text":
            parts.append(b'{"type":"text","text":"%b"}' % b"".join(map(_piece, run)))
        else:
            parts += map(_piece, run)
    return parts


def _piece(segment: Segment) -> bytes:
    return _escape(segment) if len(segment.data) > LARGEST_KEPT else _escape_once(segment)


def _escape(segment: Segment) -> bytes:
    """The segment as it stands in a body: a text without its quotes, an image as a whole part."""
    if segment.kind == "image":
        url = b"data:image/png;base64," + b64encode(segment.data)
        return b'{"type":"image_url","image_url":{"url":"%b","detail":"high"}}' % url
    text = segment.data.decode("utf-8", "replace")
    return json.dumps(text, ensure_ascii=False)[1:-1].encode()


_escape_once = lru_cache(maxsize=4096)(_escape)
_join_once = lru_cache(maxsize=4096)(_join)
