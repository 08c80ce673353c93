"""The sentences that simulated agents say. Each is one prompt file of the section ``said``, so that
a judge can find in a text what was done there."""

from __future__ import annotations

from functools import cache, lru_cache

from socialcircuits.prompts import Prompt, library

_MOST = 1 << 16


@cache
def sentences() -> dict[str, Prompt]:
    """Return name -> file of all sentences, by name.

    >>> len([name for name in sentences() if name.startswith("tactic-")])
    8
    """
    found = (prompt for prompt in library() if prompt.section == "said")
    return {prompt.id.removeprefix("said/"): prompt for prompt in found}


@lru_cache(maxsize=_MOST)
def say(name: str, answer: str, truth: str = "") -> str:
    """Return one sentence about an answer and, where it names one, another that is held against it.

    >>> say("tactic-bare_assertion", "505")
    'It is plainly 505, as anybody can see.'
    """
    return sentences()[name].render({"answer": answer, "truth": truth})


@lru_cache(maxsize=_MOST)
def said(text: str, kind: str, answers: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return which sentences of a kind a text holds, and about which of the answers.

    Args:
        text: what a simulated agent said.
        kind: first part of the sentences' names, such as ``reflection``.
        answers: the answers that may be spoken of.

    Returns:
        (name without the kind, answer) of each, by name.

    >>> said(say("tactic-bare_assertion", "505"), "tactic", ("505", "50"))
    (('bare_assertion', '505'),)
    """
    names = [name for name in sentences() if name.startswith(f"{kind}-")]
    return tuple(
        (name.removeprefix(f"{kind}-"), answer)
        for name in names
        for answer in answers
        if say(name, answer) in text
    )
