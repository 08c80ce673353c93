"""From a file of lines to conversations: every fault is found, with the number of its line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from socialcircuits.errors import SettingError, UsageError
from socialcircuits.graph.vocabulary import MONITOR, PRIVATE_TO_ALL, PRIVATE_TO_SELF
from socialcircuits.importing import inspect_logs
from socialcircuits.importing.fields import FieldMap
from socialcircuits.importing.lines import ALL, Fault, Line, line_of

__all__ = ["Conversation", "Read", "key", "read"]

OF_ALL = ("truth", "lure", "question")
"""Fields in which all lines of a conversation agree that have them."""

OF_SPEAKER = ("role", "name", "model")
"""Fields in which all lines of a speaker of a conversation agree that have them."""


class Conversation(NamedTuple):
    """One conversation: its name, and its lines in their order."""

    name: str
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Read:
    """What was read from one file.

    Args:
        conversations: in the order in which they begin.
        faults: the lines that cannot be taken, each with one reason, by number.
    """

    conversations: tuple[Conversation, ...]
    faults: tuple[Fault, ...]


def key(name: str) -> str:
    r"""Return the key of the seat of a speaker: the name, in which what cannot be printed is seen.

    >>> key("Ada"), key("a\x00b")
    ('Ada', 'a\\x00b')
    """
    if name.isprintable():
        return name
    return "".join(
        part if part.isprintable() else part.encode("unicode_escape").decode("ascii")
        for part in name
    )


def read(path: str | Path, fields: FieldMap) -> Read:
    """Return the conversations of a file, and every line that cannot be taken.

    The lines of a conversation need not stand together. They are put in the order of their turns,
    else of their times, else of the file.

    Args:
        path: a file of JSON Lines, or a log of Inspect (``.eval``), of which each reply is a line.
        fields: where the fields of a line stand.

    Raises:
        UsageError: the file cannot be read.
    """
    faults: list[Fault] = []
    held: dict[str, list[Line]] = {}
    ids: dict[str, int] = {}
    of_inspect = Path(path).suffix == inspect_logs.SUFFIX
    rows = enumerate(inspect_logs.rows(path), 1) if of_inspect else _rows(path, faults)
    for number, row in rows:
        try:
            line = line_of(row, number, fields)
            if line.id is not None and line.id in ids:
                raise SettingError("id", line.id, f"a name of its own; line {ids[line.id]} has it")
        except SettingError as error:
            faults.append(Fault(number, str(error)))
            continue
        if line.id is not None:
            ids[line.id] = number
        held.setdefault(line.conversation, []).append(line)
    conversations = []
    for name, lines in held.items():
        kept = tuple(_within(list(_in_order(_agreeing(lines, faults), faults)), faults))
        if kept:
            conversations.append(Conversation(name, kept))
    return Read(tuple(conversations), tuple(sorted(faults)))


def _rows(path: str | Path, faults: list[Fault]) -> Iterator[tuple[int, Any]]:
    try:
        with Path(path).open("rb") as file:
            for number, data in enumerate(file, 1):
                if not data.strip():
                    continue
                try:
                    text = data.decode("utf-8-sig" if number == 1 else "utf-8").strip()
                    yield number, json.loads(text)
                except UnicodeDecodeError as error:
                    faults.append(Fault(number, f"it is not in UTF-8: {error.reason}"))
                except (ValueError, RecursionError) as error:
                    faults.append(Fault(number, f"it is no JSON: {error}"))
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror})") from None


def _agreeing(lines: Sequence[Line], faults: list[Fault]) -> Iterator[Line]:
    """The lines that do not contradict an earlier one of their conversation or speaker."""
    said: dict[tuple[str, str], tuple[str, int]] = {}
    names: dict[str, str] = {}
    for line in lines:
        try:
            _same_names(line, names)
            own = {(name, "") for name in OF_ALL} | {(name, line.speaker) for name in OF_SPEAKER}
            new = {
                slot: (getattr(line, slot[0]), line.number)
                for slot in own
                if getattr(line, slot[0]) is not None
            }
            for slot, (value, _) in sorted(new.items()):
                before = said.get(slot, (value, 0))
                if before[0] != value:
                    whose = f" of {slot[1]}" if slot[1] else ""
                    expected = f"{before[0][:60]!r}{whose}, as line {before[1]} has it"
                    raise SettingError(slot[0], value[:60], expected)
        except SettingError as error:
            faults.append(Fault(line.number, str(error)))
            continue
        for slot, found in new.items():
            said.setdefault(slot, found)
        yield line


def _within(lines: Sequence[Line], faults: list[Fault]) -> Iterator[Line]:
    """The lines that go to nobody from whom their purpose keeps them."""
    roles = {line.speaker: line.role for line in lines if line.role}
    for line in lines:
        said = set(roles) | {line.speaker} if line.to == ALL else set(line.to or ())
        wrong = {name for name in said if not _may_read(line, name, roles.get(name))}
        if wrong:
            readers = _READERS[line.purpose]
            given = f"{min(wrong)[:60]!r} to read a {line.purpose}"
            faults.append(Fault(line.number, f"to: {given} is not allowed; expected {readers}"))
        else:
            yield line


def _may_read(line: Line, name: str, role: str | None) -> bool:
    if line.purpose in PRIVATE_TO_SELF:
        return name == line.speaker
    if line.purpose == "chat":
        return role == "coordinated"
    return line.purpose not in PRIVATE_TO_ALL or (line.purpose, role) == ("probe", MONITOR)


_READERS: Mapping[str, str] = {
    "probe": "nobody, or a speaker whose role is monitor",
    "chat": "speakers whose role is coordinated",
    **dict.fromkeys(sorted(PRIVATE_TO_SELF), "its speaker alone"),
    **dict.fromkeys(sorted(PRIVATE_TO_ALL - {"probe"}), "nobody"),
}


def _same_names(line: Line, names: dict[str, str]) -> None:
    """Refuse two names that would be seen as one."""
    listed = line.to if isinstance(line.to, tuple) else ()
    for name in (line.speaker, *listed):
        if names.setdefault(key(name), name) != name:
            expected = "another name: with what cannot be printed as codes it equals another"
            raise SettingError("speaker", name, expected)


_PLACES: Mapping[str, Callable[[Line], Any]] = {
    "turn": lambda line: line.turn,
    "time": lambda line: line.time,
    "round": lambda line: line.round,
}


def _in_order(lines: Iterator[Line], faults: list[Fault]) -> Iterator[Line]:
    """The lines of a conversation in their order, without those that have no place in it."""
    kept = list(lines)
    for name, place in _PLACES.items():
        having = [line for line in kept if place(line) is not None]
        if having:
            faults += [
                Fault(one.number, f"it has no {name}; others of its conversation have one")
                for one in kept
                if place(one) is None
            ]
            kept = having
    if kept and kept[0].turn is not None:
        kept = list(_by_turn(kept, faults))
    elif kept and kept[0].time is not None:
        kept = list(_by_time(kept, faults))
    latest = kept[0] if kept else None
    for line in kept:
        assert latest is not None
        if (line.round or 0) < (latest.round or 0):
            why = f"round {line.round} comes after round {latest.round} of line {latest.number}"
            faults.append(Fault(line.number, why))
            continue
        latest = line
        yield line


def _by_turn(lines: Sequence[Line], faults: list[Fault]) -> Iterator[Line]:
    turns: dict[int, int] = {}
    for line in sorted(lines, key=lambda one: (one.turn or 0, one.number)):
        other = turns.setdefault(line.turn or 0, line.number)
        if other == line.number:
            yield line
        else:
            faults.append(Fault(line.number, f"turn {line.turn} is that of line {other} too"))


def _by_time(lines: Sequence[Line], faults: list[Fault]) -> Iterator[Line]:
    kinds = {"number": "a number", "naive": "without a zone", "aware": "with a zone"}
    first = lines[0]
    alike = []
    for line in lines:
        assert line.time is not None
        assert first.time is not None
        if line.time[0] == first.time[0]:
            alike.append(line)
        else:
            one, other = kinds[line.time[0]], kinds[first.time[0]]
            why = f"its time is {one}, that of line {first.number} {other}"
            faults.append(Fault(line.number, why))
    yield from sorted(alike, key=lambda one: (one.time or ("", 0.0), one.number))
