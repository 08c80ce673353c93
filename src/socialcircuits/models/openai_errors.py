"""What a server's refusal means: whether to ask again, when, and in which one line to say it."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Any

from socialcircuits.errors import Refused, Unavailable
from socialcircuits.models.openai_reply import error_of, finish_of

LONGEST_LINE = 240
NO_RESOURCES = "insufficient_system_resource"
"""DeepSeek's reason for a reply that it broke off."""

TRANSIENT = frozenset({408, 409, 425, 429})
DROPPABLE = (
    "max_tokens temperature top_p seed response_format structured_outputs guided_json top_logprobs "
    "logprobs stream"
).split()

BLAMED = (
    "top_p top_logprobs logprobs guided_json structured_outputs response_format seed temperature "
    "max_tokens"
).split()
"""Where a server does not say which parameter it refuses, they are left out in this order: first
what nobody tried before the run."""

_UNITS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
_DURATION = re.compile(r"(?:\d+(?:\.\d+)?(?:ms|h|m|s))+")
_PART = re.compile(r"(\d+(?:\.\d+)?)(ms|h|m|s)")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_IN_WORDS = re.compile(
    r"(?:again in|retry after|retry in|wait|retrydelay\W*)\s*"
    r"(\d+(?:\.\d+)?)\s*(milliseconds?|ms|minutes?|hours?|[hms](?![a-z])|s)?"
    r"((?:\d+(?:\.\d+)?(?:ms|m|s))*)",
    re.IGNORECASE,
)
_CONTEXT = re.compile(
    r"context.{0,12}(?:length|window|size)|too (?:long|large|many)|maximum .{0,30}tokens",
    re.IGNORECASE,
)
_NO_IMAGES = re.compile(r"image.{0,40}not support|not support.{0,40}image", re.IGNORECASE)
_SPENT = re.compile(r"insufficient_quota|billing_hard_limit|credit balance", re.IGNORECASE)
_UNNAMED = re.compile(r"no endpoints found that can handle the requested parameters", re.IGNORECASE)
_USED_UP = re.compile(
    r"could not finish the message because max_tokens or model output limit", re.IGNORECASE
)
_RESET = re.compile(r"x-ratelimit-reset\W{1,4}(1\d{9}(?:\d{3})?)(?!\d)", re.IGNORECASE)


class Busy(Unavailable):
    """The server is there, but says that it cannot answer now."""


def seconds(text: str, now: float) -> float | None:
    """Read a time to wait: seconds, a duration or an HTTP date; None where it is none of these.

    Args:
        text: the value of a Retry-After header.
        now: seconds since 1970, for dates.

    >>> [seconds(text, 0.0) for text in ("2", "6m0s", "120ms", "Thu, 01 Jan 1970 00:00:09 GMT")]
    [2.0, 360.0, 0.12, 9.0]
    """
    text = text.strip().lower()
    if _NUMBER.fullmatch(text):
        return float(text)
    if _DURATION.fullmatch(text):
        return sum(float(number) * _UNITS[unit] for number, unit in _PART.findall(text))
    try:
        date = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    date = date if date.tzinfo else date.replace(tzinfo=UTC)
    return max(0.0, date.timestamp() - now)


def retry_after(headers: Mapping[str, str], words: str, now: float) -> float | None:
    """Return how many seconds a server asks to wait, by its headers or by its words: as a time to
    wait, or as the moment of a reset in seconds or milliseconds since 1970.

    >>> retry_after({}, "Rate limit reached. Please try again in 1.2s.", 0.0)
    1.2
    """
    precise = headers.get("retry-after-ms", "").strip()
    if _NUMBER.fullmatch(precise):
        return float(precise) / 1000
    wait = seconds(headers.get("Retry-After", ""), now)
    if wait is not None:
        return wait
    found = _IN_WORDS.search(words)
    if found is None:
        reset = _RESET.search(f"{words} x-ratelimit-reset {headers.get('X-RateLimit-Reset', '')}")
        return None if reset is None else max(0.0, float(reset[1][:10]) - now)
    number, unit, rest = found.groups()
    unit = (unit or "s").lower()
    short = "ms" if unit.startswith(("ms", "milli")) else unit[0]
    return seconds(f"{number}{short}{rest.lower()}", now)


def problem(body: bytes) -> Any:
    r"""Return what the body of a refusal holds: its JSON value, opened up where it stands in a
    text, else its text.

    >>> problem(b'{"error": "{\\"message\\": \\"too hot\\"}"}')
    {'message': 'too hot'}
    """
    text = body.decode("utf-8", "replace")
    found: Any = text
    for _ in range(3):
        if not isinstance(found, str) or not found.lstrip().startswith(("{", "[")):
            break
        try:
            opened = json.loads(found)
        except (ValueError, RecursionError):
            break
        found = error_of(opened) or opened
    return found


def words(found: Any, key: str = "") -> str:
    r"""Return a server's own words in one printable line, without any part of the key.

    >>> words({"error": {"message": "No such\nmodel", "code": "not_found"}})
    'No such model'
    """
    texts = list(_texts(found))
    named = [text for name, text in texts if name in {"message", "msg", "detail", "error"}]
    line = " ".join((named or [text for _, text in texts] or [""])[0].split())
    line = "".join(character for character in line if character.isprintable())
    if line.startswith("<"):
        line = "a web page"
    return scrub(line, key)[:LONGEST_LINE]


def scrub(line: str, key: str) -> str:
    """Blot out every word that holds a key or eight characters of it in a row.

    >>> scrub("Incorrect key sk-12345678****, try again", "sk-12345678abcdef")
    'Incorrect key [key] try again'
    """
    pieces = {key[i : i + 8] for i in range(max(1, len(key) - 7))} - {""}
    return " ".join(
        "[key]" if any(piece in word for piece in pieces) else word for word in line.split(" ")
    )


def refused_parameter(found: Any, sent: Collection[str]) -> str:
    """Return the sent parameter that a refusal (400, 404, 422) names, or an empty text; `stream`,
    which is not sent at first, where the server wants it. Names in camel case count, too. Of a
    refusal that is about the parameters and names none, the first of `BLAMED` that was sent.

    >>> refused_parameter({"message": "Unsupported parameter: 'seed'"}, ["seed", "top_p"])
    'seed'
    """
    texts = [(name, text) for name, text in _texts(found) if len(text) < 2000]
    if any(_CONTEXT.search(text) for name, text in texts if name != "param"):
        return ""
    candidates = [name for name in DROPPABLE if (name in sent) != (name == "stream")]
    for name, text in texts:
        if name in {"param", "loc"}:
            root = re.split(r"[.\[]", text)[0]
            if root in candidates:
                return root
    whole = " ".join(text for name, text in texts if name != "param")
    for name in candidates:
        if re.search(rf"(?<!\w)(?:{name}|{_camel(name)})(?:ing)?(?!\w)", whole):
            return name
    if _UNNAMED.search(whole):
        return next((name for name in BLAMED if name in sent), "")
    return ""


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(map(str.capitalize, rest))


def used_up(found: Any) -> bool:
    """Whether a refusal says that the model thought until its tokens were used up: that is a reply
    without words, and no fault of the request.

    >>> used_up({"message": "Unsupported parameter: 'seed'"})
    False
    """
    return any(_USED_UP.search(text) for _, text in _texts(found))


def failure(
    name: str, status: int, headers: Mapping[str, str], found: Any, *, now: float, key: str = ""
) -> Unavailable | Refused:
    """Return the error that a status other than success means.

    Args:
        name: name of the model, for the message.
        status: the HTTP status.
        headers: the reply's headers.
        found: what its body holds, from `problem`.
        now: seconds since 1970.
        key: what must not stand in the message.
    """
    said = words(found, key)
    line = f"{name}: HTTP {status}" + (f": {said}" if said else "")
    if 300 <= status < 400:
        return Refused(f"{name}: HTTP {status}: the server redirects, which is not followed")
    if status == 401:
        return Refused(f"{name}: HTTP 401: the server wants a key, or does not accept this one")
    whole = " ".join(f"{name} {text}" for name, text in _texts(found))
    transient = (status in TRANSIENT or status >= 500) and status != 501
    if not transient or _NO_IMAGES.search(whole) or _SPENT.search(whole):
        return Refused(line)
    return Busy(line, retry_after(headers, whole, now))


def hidden_status(found: Any) -> int | None:
    """Return the status of a fault that passes by, which a server hid in a successful reply: in an
    error object, or as the reason why the reply ends.

    >>> hidden_status({"error": {"code": 429, "message": "slow down"}})
    429
    """
    error = error_of(found)
    code = error.get("code") or error.get("status") if isinstance(error, dict) else None
    if isinstance(code, str) and code.isdecimal() and len(code) == 3:
        code = int(code)
    if type(code) is int and (code in TRANSIENT or 500 <= code < 600):
        return code
    return 503 if finish_of(found) == NO_RESOURCES else None


def _texts(found: Any, name: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    """All texts in a value, each with the name it stands under."""
    if isinstance(found, str):
        yield name, found
    elif isinstance(found, dict) and depth < 6:
        for inner, value in found.items():
            yield from _texts(value, str(inner), depth + 1)
    elif isinstance(found, list) and depth < 6:
        for value in found[:100]:
            yield from _texts(value, name, depth + 1)
