"""How a kit says that a rule is broken."""

from __future__ import annotations


def demand(holds: bool, broken: str) -> None:
    """Raise AssertionError with a sentence unless a rule holds, whatever Python's -O says."""
    if not holds:
        raise AssertionError(broken)


def is_text(value: object) -> bool:
    """Whether a value is a text that says something, without spaces around it."""
    return isinstance(value, str) and value == value.strip() != ""
