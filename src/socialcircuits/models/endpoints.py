"""Where a model is reached, and with which key: from the user's settings, never from a study."""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import urlsplit

from socialcircuits.errors import SettingError

CONFIG_VARIABLE = "SOCIALCIRCUITS_CONFIG"
KEY_VARIABLE = "SOCIALCIRCUITS_API_KEY"
BY_URL = "openai-compatible"


class Key:
    """A secret that does not show itself: neither printed, formatted nor pickled.

    >>> print(Key("sk-1"), [Key("sk-1")])
    [key] [[key]]
    """

    __slots__ = ("__secret",)

    def __init__(self, secret: str) -> None:
        self.__secret = secret

    def reveal(self) -> str:
        """Return the secret, for the one header it goes into."""
        return self.__secret

    def __repr__(self) -> str:
        return "[key]"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a key is not written anywhere")


@dataclass(frozen=True)
class Endpoint:
    """Where one model is reached.

    Args:
        provider: name of the provider.
        model: the server's name of the model.
        base_url: address up to and with the version.
        key: the key to send there, or None.
    """

    provider: str
    model: str
    base_url: str
    key: Key | None

    @property
    def name(self) -> str:
        """Provider and model, as records have it."""
        return f"{self.provider}/{self.model}"


@dataclass(frozen=True)
class _Provider:
    base_url: str
    key_env: str | None
    optional: bool = False


_HOSTED: Mapping[str, _Provider] = {
    "openai": _Provider("https://api.openai.com/v1", "OPENAI_API_KEY"),
    "openrouter": _Provider("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
    "deepseek": _Provider("https://api.deepseek.com/v1", "DEEPSEEK_API_KEY"),
    "xai": _Provider("https://api.x.ai/v1", "XAI_API_KEY"),
    "gemini": _Provider(
        "https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY"
    ),
}

_OWN: Mapping[str, _Provider] = {
    "ollama": _Provider("http://127.0.0.1:11434/v1", None),
    "vllm": _Provider("http://127.0.0.1:8000/v1", "VLLM_API_KEY", optional=True),
}
"""Servers that users run: they stand on this machine unless the configuration says where."""

BUILT_IN: Mapping[str, _Provider] = {**_HOSTED, **_OWN}


def config_path() -> Path:
    """Return the user's configuration file: where the variable SOCIALCIRCUITS_CONFIG says, else
    ``socialcircuits/config.toml`` in the folder that the system keeps for configuration."""
    given = os.environ.get(CONFIG_VARIABLE)
    if given:
        return Path(given)
    if sys.platform == "win32":
        folder = Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming")
    elif sys.platform == "darwin":
        folder = Path.home() / "Library" / "Application Support"
    else:
        folder = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return folder / "socialcircuits" / "config.toml"


def resolve(
    model: str, base_url: str | None = None, key_env: str | None = None, where: str = "--model"
) -> Endpoint:
    """Find where a model is reached.

    Args:
        model: ``PROVIDER/MODEL``: a provider that is built in (`BUILT_IN`), one of the user's
            configuration file (``[providers.NAME]`` with ``base_url`` and, if it wants a key,
            ``key_env``; ``ollama`` and ``vllm`` may be moved there), or ``openai-compatible`` for
            a server given by its address.
        base_url: that address, as the user typed it; only with ``openai-compatible``.
        key_env: name of the variable that holds its key. Without it the key is taken from
            SOCIALCIRCUITS_API_KEY if that is set, and none is sent if it is not.
        where: where the model was named, for errors.

    Raises:
        SettingError: an unknown provider, a missing or unusable address, a missing key, a damaged
            configuration file.

    >>> resolve("openai-compatible/qwen", "http://127.0.0.1:8080/v1", None).name
    'openai-compatible/qwen'
    """
    provider, _, name = model.partition("/")
    if not name:
        raise SettingError(where, model, "PROVIDER/MODEL, for example openai/gpt-4o")
    if provider == BY_URL:
        if base_url is None:
            raise SettingError("--base-url", base_url, f"the address of the server of {model}")
        wanted = key_env or (KEY_VARIABLE if os.environ.get(KEY_VARIABLE) else None)
        found = _Provider(address("--base-url", base_url), wanted)
    elif base_url is not None or key_env is not None:
        given = "--base-url" if base_url is not None else "--key-env"
        raise SettingError(where, model, f"{BY_URL}/MODEL together with {given}")
    else:
        known = {**BUILT_IN, **_configured()}
        if provider not in known:
            raise SettingError(
                where, model, f"a provider among {', '.join(known)}, {BY_URL}", among=known
            )
        found = known[provider]
    variable = found.key_env
    if found.optional and variable is not None and not os.environ.get(variable):
        variable = None
    return Endpoint(provider, name, found.base_url, _key(model, variable))


def address(where: str, url: Any) -> str:
    """Check the base URL of a server.

    Args:
        where: where it was given, for errors, in which user name, password and query do not show.
        url: the address.

    Returns:
        the address without spaces around it and slashes at its end.

    Raises:
        SettingError: it is no address that can be used.

    >>> address("--base-url", "http://127.0.0.1:8080/v1/")
    'http://127.0.0.1:8080/v1'
    """
    expected = "an address such as http://127.0.0.1:8080/v1, without user name, password or query"
    if not isinstance(url, str):
        raise SettingError(where, url, expected)
    try:
        parts = urlsplit(url.strip())
        host, port = parts.hostname, parts.port
    except ValueError:
        raise SettingError(where, "this address", expected) from None
    shown = f"{parts.scheme}://{host or ''}" + (f":{port}" if port else "")
    plain = not (parts.query or parts.fragment or parts.username or parts.password)
    if parts.scheme not in {"http", "https"} or not host or not plain or "@" in parts.netloc:
        raise SettingError(where, shown, expected)
    return url.strip().rstrip("/")


def _key(model: str, variable: str | None) -> Key | None:
    if variable is None:
        return None
    secret = os.environ.get(variable, "").strip()
    if not secret:
        raise SettingError(f"${variable}", "", f"the key for {model} in this environment variable")
    if not (secret.isascii() and secret.isprintable() and " " not in secret):
        raise SettingError(f"${variable}", "[key]", "a key of plain characters without spaces")
    return Key(secret)


def _configured() -> dict[str, _Provider]:
    """The providers of the user's configuration file."""
    path = config_path()
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        if CONFIG_VARIABLE in os.environ:
            raise SettingError(f"${CONFIG_VARIABLE}", str(path), "a file that exists") from None
        return {}
    except (OSError, UnicodeDecodeError):
        raise SettingError("configuration", str(path), "a readable UTF-8 file") from None
    try:
        table = tomllib.loads(text).get("providers", {})
    except tomllib.TOMLDecodeError as error:
        raise SettingError("configuration", str(path), f"valid TOML ({error})") from None
    if not isinstance(table, dict):
        raise SettingError(f"{path}: providers", table, "tables [providers.NAME]")
    return {name: _provider(f"{path}: providers.{name}", name, row) for name, row in table.items()}


def _provider(where: str, name: str, row: Any) -> _Provider:
    if name in {*_HOSTED, BY_URL, "local", "simulated", "scripted"} or "/" in name:
        raise SettingError(where, name, "a name of its own, without a slash")
    if not isinstance(row, dict) or not {"base_url"} <= set(row) <= {"base_url", "key_env"}:
        raise SettingError(where, name, "a table with base_url and, if it wants a key, key_env")
    key_env = row.get("key_env")
    if key_env is not None and not (isinstance(key_env, str) and key_env):
        raise SettingError(f"{where}.key_env", "this value", "the name of an environment variable")
    return _Provider(address(f"{where}.base_url", row["base_url"]), key_env)
