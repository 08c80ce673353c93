"""Rules of every test: no network but loopback, no window, the same examples on every CI run."""

from __future__ import annotations

import ipaddress
import os
import socket
from typing import Any

import hypothesis
import pytest

hypothesis.settings.register_profile("local", deadline=None)
hypothesis.settings.register_profile("ci", deadline=None, derandomize=True, database=None)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "local")


def pytest_configure(config: pytest.Config) -> None:
    """Keep matplotlib off the screen and out of the user's home; child processes inherit both."""
    os.environ["MPLBACKEND"] = "Agg"
    if getattr(config, "cache", None) is not None:
        os.environ["MPLCONFIGDIR"] = str(config.cache.mkdir("matplotlib"))


def is_loopback(address: Any) -> bool:
    """Whether connecting to an address stays on this machine."""
    if not isinstance(address, tuple):
        return True  # a Unix socket's path
    if address[0] == "localhost":
        return True
    try:
        return ipaddress.ip_address(address[0]).is_loopback
    except ValueError:
        return False


@pytest.fixture(autouse=True)
def closed_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail every test that connects to another machine."""
    connect, connect_ex = socket.socket.connect, socket.socket.connect_ex

    def guarded(self: socket.socket, address: Any) -> None:
        if not is_loopback(address):
            pytest.fail(f"a test tried to connect to {address!r}; only loopback is open")
        connect(self, address)

    def guarded_ex(self: socket.socket, address: Any) -> int:
        if not is_loopback(address):
            pytest.fail(f"a test tried to connect to {address!r}; only loopback is open")
        return connect_ex(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)
    monkeypatch.setattr(socket.socket, "connect_ex", guarded_ex)
