"""The tree of exceptions. What a user can cause says where, what was given, what is allowed.

Each class carries the process exit code that the command line returns for it.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import ClassVar


class SocialCircuitsError(Exception):
    """Root of all errors raised on purpose; exit code 1 unless a subclass says otherwise."""

    exit_code: ClassVar[int] = 1


class UsageError(SocialCircuitsError):
    """The command, a setting or a file from the user cannot be used; exit code 2."""

    exit_code = 2


class SettingError(UsageError):
    """One setting has a value that is not allowed.

    Args:
        where: path of the setting, for example ``$.trial.N``.
        given: the value as the user gave it.
        expected: what is allowed, in words.
        among: the allowed names, if they are a closed list; the nearest one is suggested.

    >>> str(SettingError("$.trial.m", 2, "1 or 3"))
    '$.trial.m: 2 is not allowed; expected 1 or 3'
    >>> str(SettingError("$.model", "literl", "a character", among=["literal", "sycophantic"]))
    "$.model: 'literl' is not allowed; expected a character; did you mean 'literal'?"
    """

    def __init__(
        self, where: str, given: object, expected: str, *, among: Iterable[str] = ()
    ) -> None:
        self.where, self.given, self.expected = where, given, expected
        near = difflib.get_close_matches(str(given), list(among), n=1, cutoff=0.5)
        self.nearest = near[0] if near else None
        hint = f"; did you mean {self.nearest!r}?" if self.nearest else ""
        super().__init__(f"{where}: {given!r} is not allowed; expected {expected}{hint}")


class RunFileError(UsageError):
    """A run file is missing, damaged, locked, unwritable or belongs to another study."""


class GraphError(SocialCircuitsError):
    """A protocol made a graph that breaks a rule of the data model (a fault of its author)."""


class ModelError(SocialCircuitsError):
    """A model or back end did not do its part; exit code 3."""

    exit_code = 3


class Unavailable(ModelError):
    """A transport fault: no reply came (429, 5xx, timeout, cut connection). It may be sent again.

    Args:
        message: what happened, without any key.
        retry_after: seconds that the server asks to wait, or None.
    """

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        self.retry_after = retry_after
        super().__init__(message)


class Refused(ModelError):
    """The server will not answer this request however often it is sent: wrong key, unknown model,
    refused parameter, context too long, image for a text model."""


class Unanswered(ModelError):
    """Nothing that a model would say is an allowed answer: an invalid answer, not a fault."""


class BudgetReached(SocialCircuitsError):
    """The limit on calls or cost is reached; what was paid for is kept; exit code 5."""

    exit_code = 5


class ReplayError(ModelError):
    """A replay met a step whose reply the original run does not hold."""


class TrialsFailed(SocialCircuitsError):
    """The run finished, but some trials failed; exit code 4."""

    exit_code = 4


class GateFailed(SocialCircuitsError):
    """A requirement on a card is not met; exit code 6."""

    exit_code = 6


class GateInconclusive(SocialCircuitsError):
    """What was asked does not decide a requirement on a card; exit code 8."""

    exit_code = 8


class Interrupted(SocialCircuitsError):
    """The user stopped a command; exit code 130."""

    exit_code = 130
