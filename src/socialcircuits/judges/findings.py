"""What rubrics of many labels share: labels that must show their quote, and the sentences of
simulated agents, in which the same labels can be recognised."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from socialcircuits.judges.base import Case
from socialcircuits.judges.form import TEXT, Schema, Void, choice, listed, stands, table
from socialcircuits.prompts import library

UNKNOWN = "no known sentence of a simulated agent"
"""Why the rules say nothing of a text that no simulated agent of ours has written."""

_GAP = "\0"


def findings(names: Sequence[str]) -> Schema:
    """Return the form of labels that were found, each with its quote."""
    return listed(table(label=choice(names), quote=TEXT), most=len(names))


def quotes(case: Case, found: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return label -> its quote.

    Raises:
        Void: a quote does not stand in the judged text.
    """
    out: dict[str, str] = {}
    for finding in found:
        label, quote = finding["label"], finding["quote"]
        if not stands(quote, case.judged):
            raise Void(f"the quote for {label} is not in the judged text")
        out.setdefault(label, quote)
    return out


def joined(found: Iterable[str]) -> str:
    """Return quotes as one text, a line each, each once."""
    return "\n".join(dict.fromkeys(found))


def recognise(kind: str, text: str) -> dict[str, str]:
    """Return which sentences of simulated agents stand in a text.

    Args:
        kind: tactic, reflection, message or chat.
        text: what was said.

    Returns:
        Name of the sentence -> the sentence as it stands there.
    """
    found = ((name, pattern.search(text)) for name, pattern in _sentences(kind))
    return {name: match[0] for name, match in found if match}


@cache
def _sentences(kind: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    start, out = f"said/{kind}-", []
    for prompt in library():
        if prompt.id.startswith(start):
            parts = prompt.render(dict.fromkeys(prompt.variables, _GAP)).split(_GAP)
            pattern = ".+?".join(map(re.escape, parts))
            out.append((prompt.id.removeprefix(start), re.compile(pattern, re.DOTALL)))
    return tuple(out)
