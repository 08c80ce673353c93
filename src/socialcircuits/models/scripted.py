"""A model whose replies are written beforehand, for tests of what asks models."""

from __future__ import annotations

from collections.abc import Callable

from socialcircuits.models.interface import Capabilities, Completion, Request


class ScriptedModel:
    """A model that replies by a function, at once and without any server.

    Args:
        name: enters the ids of minds.
        function: from a request to the completion; it may raise Unavailable or Refused.
        capabilities: what `probe` says it does.

    >>> import asyncio
    >>> model = ScriptedModel("scripted/echo", lambda request: Completion("Peru", "stop"))
    >>> asyncio.run(model.complete(Request((), 8))).text
    'Peru'
    """

    def __init__(
        self,
        name: str,
        function: Callable[[Request], Completion],
        capabilities: Capabilities = Capabilities(),  # noqa: B008 - it is frozen
    ) -> None:
        self.name = name
        self._function = function
        self._capabilities = capabilities

    async def complete(self, request: Request) -> Completion:
        """Return what the function returns."""
        return self._function(request)

    async def probe(self) -> Capabilities:
        """Return the capabilities that were given."""
        return self._capabilities

    async def close(self) -> None:
        """Do nothing; there is nothing to free."""
