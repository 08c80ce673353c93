"""Which models a running server has."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from http.client import HTTPException
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any, NoReturn
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

from socialcircuits.errors import Refused, Unavailable
from socialcircuits.models.endpoints import BY_URL, Endpoint, resolve
from socialcircuits.models.openai_errors import failure, problem

LONGEST = 10.0
"""Seconds that a server may take to list its models."""

LARGEST = 4 << 20
"""Most bytes of that list."""


class _Staying(HTTPRedirectHandler):
    """Follows no redirect: a key goes only where the user said."""

    def redirect_request(self, *asked: object) -> None:
        return None


def served(base_url: str, key_env: str | None = None) -> list[str]:
    """Ask a server once, by ``GET {base_url}/models``, for the names of its models.

    Args:
        base_url: address up to and with the version, as the user typed it.
        key_env: name of the variable that holds its key (`resolve`).

    Returns:
        the names, in the server's order; one model may have several. Of llama.cpp, which says
        where its file lies, the name of the file.

    Raises:
        SettingError: the address or the key cannot be used.
        Unavailable: nobody answers there, or not now.
        Refused: the server does not list its models, or wants another key.
    """
    # The model is not known yet; address and key do not depend on it.
    endpoint = resolve(f"{BY_URL}/model", base_url, key_env)
    status, headers, body = _get(endpoint)
    if status != 200:
        key = endpoint.key.reveal() if endpoint.key else ""
        raise failure(base_url, status, headers, problem(body), now=time.time(), key=key)
    try:
        names = [_name(row) for row in json.loads(body)["data"]]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        _unlisted(base_url)
    if not all(name.isprintable() and name for name in names):
        _unlisted(base_url)
    return names


def _name(row: Mapping[str, Any]) -> str:
    name: str = row["id"]
    # llama.cpp says where its file lies, and answers to any name.
    path = PureWindowsPath if "\\" in name else PurePosixPath
    return path(name).name if row.get("owned_by") == "llamacpp" else name


def _unlisted(base_url: str) -> NoReturn:
    hint = "name one: URL#NAME"
    raise Refused(f"{base_url}: the server does not list its models in the OpenAI form; {hint}")


def _get(endpoint: Endpoint) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body."""
    headers = {"Authorization": f"Bearer {endpoint.key.reveal()}"} if endpoint.key else {}
    opener = build_opener(ProxyHandler({}), _Staying)
    try:
        asked = Request(f"{endpoint.base_url}/models", headers=headers)  # noqa: S310 - checked
        with opener.open(asked, timeout=LONGEST) as reply:
            return reply.status, dict(reply.headers), reply.read(LARGEST)
    except HTTPError as error:
        with error:
            return error.code, dict(error.headers), error.read(LARGEST)
    except TimeoutError:
        what = f"no reply within {LONGEST:g} s"
    except (OSError, HTTPException):
        what = "cannot connect, or the connection was cut"
    # Raised outside of the handlers: what urllib raises may hold the request's headers.
    raise Unavailable(f"{endpoint.base_url}: {what}")


__all__ = ["served"]
