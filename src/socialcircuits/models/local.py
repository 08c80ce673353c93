"""A model on this machine: llama.cpp's server in a child process, spoken to like any other."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import queue
import subprocess
import sys
import threading
from collections import deque
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from socialcircuits.errors import Refused, SettingError, Unavailable
from socialcircuits.models.interface import Capabilities, Completion, Request
from socialcircuits.models.openai_compatible import OpenAICompatible
from socialcircuits.models.weights import Weights, check, local, named

CAPABILITIES = Capabilities(schema=True, logprobs=1000, prefill=True, seed=True, images=False)
"""What the pinned llama.cpp does; a higher cap on alternatives costs more than it tells."""

_START_SECONDS = 300.0
_STOP_SECONDS = 5.0
_LOG_LINES = 50


def installed() -> bool:
    """Whether the extra ``local`` is there."""
    return importlib.util.find_spec("xllamacpp") is not None


def threads() -> int:
    """How many threads a local model computes with.

    ``SOCIALCIRCUITS_THREADS`` wins; else one core is left free, because llama.cpp's threads wait
    for each other and a shared core slows all of them down several times.

    Raises:
        SettingError: the variable is no whole number from 1.
    """
    chosen = os.environ.get("SOCIALCIRCUITS_THREADS")
    if not chosen:
        return max(1, (os.cpu_count() or 1) - 1)
    if not chosen.isdecimal() or int(chosen) < 1:
        raise SettingError("SOCIALCIRCUITS_THREADS", chosen, "a whole number from 1")
    return int(chosen)


class Address(NamedTuple):
    """Where a local server listens, and the key it asks for."""

    base_url: str
    key: str


class LocalServer:
    """llama.cpp's server in a child process on loopback, which ends with this process.

    Args:
        weights: the model file.
        seconds: how long loading may take.
    """

    def __init__(self, weights: Weights, seconds: float = _START_SECONDS) -> None:
        self._weights, self._seconds = weights, seconds
        self._process: subprocess.Popen[str] | None = None
        self._reader: threading.Thread | None = None
        self._checked = False
        self._log: deque[str] = deque(maxlen=_LOG_LINES)
        self._ready: queue.SimpleQueue[Address | None] = queue.SimpleQueue()

    def check(self) -> None:
        """Find out, once and without starting anything, whether the server can be started.

        Raises:
            Refused: the extra is missing.
            ModelError: the weights are not fetched, or damaged.
        """
        if self._checked:
            return
        if not installed():
            raise Refused(
                f"{self._weights.id}: the llama.cpp runtime is missing; install it with: "
                "pip install 'socialcircuits[local]'"
            )
        check(self._weights)
        self._checked = True

    def start(self) -> Address:
        """Start the server and return when the model is loaded.

        Raises:
            Refused: the extra is missing, the weights cannot be loaded, or it took too long.
            ModelError: the weights are not fetched, or damaged.
        """
        self.check()
        program = "socialcircuits.models.llama_server"
        command = [sys.executable, "-P", "-m", program, str(self._weights.path), str(threads())]
        self._process = subprocess.Popen(  # noqa: S603 - our own program, no shell
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,  # Ctrl-C is for the run, which ends the server when it is done
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        try:
            address = self._ready.get(timeout=self._seconds)
        except queue.Empty:
            self._process.kill()  # while it loads it does not see that stdin is closed
            self.stop()
            raise Refused(self._failed(f"not loaded after {self._seconds:g} seconds")) from None
        if address is None:
            self.stop()
            raise Refused(self._failed("the weights cannot be loaded"))
        return address

    def ended(self) -> str | None:
        """That the server no longer runs, and how it ended; None if it runs or never did."""
        if self._process is None or self._process.poll() is None:
            return None
        code = self._process.returncode
        return f"{self._weights.id}: the server has ended with code {code}"

    def stop(self) -> None:
        """End the server; nothing happens where it does not run."""
        if self._process is None or self._reader is None:
            return
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join()
        self._process.stdout.close()

    def _read(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        for line in self._process.stdout:
            match line.split():
                case ["listening", address, key]:
                    self._ready.put(Address(f"{address}/v1", key))
                case _:
                    self._log.append(line.strip())
        self._ready.put(None)

    def _failed(self, what: str) -> str:
        """What happened and why, in one line: the first of several errors is the cause."""
        errors = [said for _, mark, said in (line.partition(" E ") for line in self._log) if mark]
        said = [*errors, *reversed(self._log), "nothing was said"][0]
        return f"{self._weights.id}: {what} ({said.strip()})"


class LocalModel:
    """A model on this machine; its server is started by the first call and ended by `close`.

    Args:
        name: weights that are offered by name, or what to call those of `gguf`.
        gguf: a model file of the user's, or None.
        timeout: seconds that a call may take.

    Raises:
        SettingError: no weights of this name are offered, or `gguf` is no model file.
    """

    def __init__(self, name: str, gguf: Path | None = None, timeout: float = 600.0) -> None:
        self._weights = named(name) if gguf is None else local(gguf, name)
        self._timeout = timeout
        self._server = LocalServer(self._weights)
        self._http: OpenAICompatible | None = None
        self._starting = asyncio.Lock()

    @property
    def name(self) -> str:
        """``local/``, the name of the weights, and the start of their hash."""
        return self._weights.id

    async def complete(self, request: Request) -> Completion:
        """Send one request, once (`Model.complete`).

        Raises:
            Unavailable: the server did not answer, and still runs.
            Refused: it cannot be started, has ended, or refuses the request.
        """
        http = await self._started()
        try:
            completion = await http.complete(request)
        except Unavailable:
            last = self._server.ended()
            if last is None:
                raise
            raise Refused(last) from None
        # llama.cpp repeats the start that the reply was given.
        return replace(completion, text=completion.text.removeprefix(request.prefill))

    async def probe(self) -> Capabilities:
        """Return what the pinned llama.cpp does; the weights are checked, nothing is started.

        Raises:
            Refused: the extra is missing.
            ModelError: the weights are not fetched, or damaged.
        """
        await asyncio.to_thread(self._server.check)
        return CAPABILITIES

    async def close(self) -> None:
        """End the server."""
        if self._http is not None:
            await self._http.close()
            self._http = None
        await asyncio.to_thread(self._server.stop)

    async def _started(self) -> OpenAICompatible:
        async with self._starting:
            if self._http is None:
                address = await asyncio.to_thread(self._server.start)
                self._http = OpenAICompatible(
                    self.name, self._weights.name, *address, timeout=self._timeout
                )
                self._http.capabilities = CAPABILITIES
            return self._http


__all__ = ["CAPABILITIES", "Address", "LocalModel", "LocalServer", "installed", "threads"]
