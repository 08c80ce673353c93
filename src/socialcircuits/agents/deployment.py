"""What a user deploys: a model behind an address, with a system prompt and parameters of its own.

Texts and parameters enter ids as what they say; paths and addresses never do.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, NoReturn
from urllib.parse import parse_qsl, urlsplit

from socialcircuits.errors import SettingError
from socialcircuits.records.digests import canonical
from socialcircuits.seeds import digest

LARGEST = 1 << 18
"""Most bytes of a system prompt's file."""

SHOWN = 10
"""How many of a server's models an error lists."""


def system_id(text: str) -> str:
    """Return the digest (32 hex digits) by which a system prompt is known.

    >>> system_id("Be brief.")
    'fc8eded2858d319ca36990941c69705a'
    """
    return digest("system", text).hex()


class SystemPrompt(NamedTuple):
    """A system prompt of the user's own.

    Args:
        path: its file, as typed; it enters no key, digest or record.
        text: what it says, without line ends at its end.
    """

    path: Path
    text: str

    @property
    def id(self) -> str:
        """The digest of its text (`system_id`)."""
        return system_id(self.text)


def read_system(path: Path, where: str = "--system") -> SystemPrompt:
    """Read a system prompt: UTF-8, at most `LARGEST` bytes.

    A byte order mark and line ends at the end do not count; all else is kept as it is.

    Args:
        path: its file.
        where: the option that named it, for errors.

    Raises:
        SettingError: there is no such file, it is too large, not UTF-8, holds NUL or says nothing.
    """
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise SettingError(where, str(path), f"a file that can be read ({why})") from None
    if len(data) > LARGEST:
        raise SettingError(where, str(path), f"a file of at most {LARGEST:,} bytes")
    try:
        text = data.decode("utf-8-sig").rstrip("\r\n")
    except UnicodeDecodeError as error:
        expected = f"UTF-8 (byte {error.start + 1} is not)"
        raise SettingError(where, str(path), expected) from None
    if "\0" in text:
        expected = f"a text without NUL (character {text.index(chr(0)) + 1})"
        raise SettingError(where, str(path), expected)
    if not text.strip():
        raise SettingError(where, str(path), "a text that says something")
    return SystemPrompt(path, text)


def system_of(model: str) -> str:
    """Return the digest of a model's system prompt; empty where it has none.

    >>> system_of("openai/gpt-4o?sees=text&system=6c3f"), system_of("openai/gpt-4o")
    ('6c3f', '')
    """
    return dict(parse_qsl(model.partition("?")[2])).get("system", "")


def deployed(models: Mapping[str, str], systems: Mapping[str, SystemPrompt]) -> dict[str, str]:
    """Return models with the digests of their system prompts as an option.

    Args:
        models: name in casts -> model.
        systems: name in casts -> its system prompt.

    Raises:
        SettingError: no model has the name, it is simulated and reads no prompt, or it has another
            system prompt.

    >>> prompt = SystemPrompt(Path("brief.txt"), "Be brief.")
    >>> deployed({"A": "openai/gpt-4o"}, {"A": prompt})
    {'A': 'openai/gpt-4o?system=fc8eded2858d319ca36990941c69705a'}
    """
    found = dict(models)
    for name, system in systems.items():
        if name not in found:
            raise SettingError("--system", name, "a model: " + ", ".join(found), among=found)
        model, held = found[name], system_of(found[name])
        if model.startswith("simulated/"):
            expected = f"a model that reads prompts; {name} is {model}, a simulated agent"
            raise SettingError("--system", str(system.path), expected)
        if held not in {"", system.id}:
            expected = f"the text with the digest {held}, which {name} has (this one: {system.id})"
            raise SettingError("--system", str(system.path), expected)
        if not held:
            found[name] = f"{model}{'&' if '?' in model else '?'}system={system.id}"
    return found


def json_object(text: str) -> str:
    """Return the one text (`records.digests.canonical`) of a JSON object.

    Raises:
        ValueError: it is no JSON object, or holds NaN, Infinity or half a character.

    >>> json_object('{"top_k": 40, "stop": ["."]}')
    '{"stop":["."],"top_k":40}'
    """
    try:
        found = json.loads(text, parse_constant=_no_number)
    except RecursionError:
        raise ValueError("too deep") from None
    if not isinstance(found, dict):
        raise ValueError("not an object")
    whole = canonical(found)
    whole.encode()
    return whole


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def subject(
    text: str, base_url: str | None = None, key_env: str | None = None, where: str = "SUBJECT"
) -> tuple[str, str | None]:
    """Turn what was typed into a model and the address of its server.

    ``http(s)://HOST[:PORT][/PATH][#NAME][?option=value&...]`` is a running OpenAI-compatible
    server; without a path it is ``/v1``, and without a name the server is asked for the one model
    that it has. All else is a model already and stays as it is.

    Args:
        text: an address, or ``PROVIDER/NAME``, ``local/NAME`` or ``simulated/CHARACTER``.
        base_url: the address that was given beside it.
        key_env: name of the variable that holds the key (`models.resolve`).
        where: where the text was typed, for errors.

    Raises:
        SettingError: the address cannot be used, there are two, or the server has none or several
            models.
        ModelError: the server cannot be asked.

    >>> subject("http://127.0.0.1:8080#qwen?sees=text")
    ('openai-compatible/qwen?sees=text', 'http://127.0.0.1:8080/v1')
    >>> subject("openai/gpt-4o")
    ('openai/gpt-4o', None)
    """
    if not text.lower().startswith(("http://", "https://")):
        return text, base_url
    if base_url is not None:
        raise SettingError("--base-url", base_url, f"no second address: {where} is one")
    from socialcircuits.models.endpoints import BY_URL, address

    place, mark, query = text.partition("?")
    url, _, name = place.partition("#")
    url = address(where, url)
    if not urlsplit(url).path:
        url += "/v1"
    return f"{BY_URL}/{name or _only(url, key_env, where)}{mark}{query}", url


def _only(url: str, key_env: str | None, where: str) -> str:
    """The name of the one model that a server has."""
    from socialcircuits.models.served import served

    names = served(url, key_env)
    if len(names) != 1:
        rest = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
        listed = ", ".join(names[:SHOWN]) + rest if names else "none"
        raise SettingError(where, url, f"URL#NAME; the server's models: {listed}")
    return names[0]


__all__ = [
    "SystemPrompt",
    "deployed",
    "json_object",
    "read_system",
    "subject",
    "system_id",
    "system_of",
]
