"""Compact, self-contained blocks: a graph, and the attempts of one trial."""

from __future__ import annotations

import json
import struct
import sys
import zlib
from array import array
from collections.abc import Iterable, Sequence
from typing import Any

from socialcircuits.errors import RunFileError
from socialcircuits.graph import Graph, Readout, Reply, Seat, Step, View
from socialcircuits.graph.vocabulary import Segment, Usage
from socialcircuits.records.trial import NO_KEY, Attempt
from socialcircuits.seeds import DIGEST_SIZE

LARGEST = 1 << 28
"""A block that unpacks to more bytes than this is refused: run files may come from elsewhere."""


def deflate(data: bytes) -> bytes:
    """Compress bytes."""
    return zlib.compress(data, 6)


def inflate(data: bytes) -> bytes:
    """Decompress bytes, at most `LARGEST` of them.

    Raises:
        RunFileError: the data are damaged or too large.
    """
    worker = zlib.decompressobj()
    try:
        out = worker.decompress(data, LARGEST)
    except zlib.error as error:
        raise RunFileError(f"a block of the run file is damaged: {error}") from None
    if worker.unconsumed_tail or not worker.eof:
        raise RunFileError("a block of the run file is cut short or too large")
    return out


def _join(header: object, *columns: bytes) -> bytes:
    # ASCII escapes keep texts that are no valid Unicode, which models do send.
    parts = [json.dumps(header, separators=(",", ":")).encode(), *columns]
    return b"".join(struct.pack("<I", len(part)) + part for part in parts)


def _split(data: bytes) -> tuple[Any, list[bytes]]:
    parts, at = [], 0
    while at < len(data):
        (size,) = struct.unpack_from("<I", data, at)
        parts.append(data[at + 4 : at + 4 + size])
        at += 4 + size
    return json.loads(parts[0]), parts[1:]


def _pack(values: Iterable[int]) -> bytes:
    return _little(array("i", values)).tobytes()


def _unpack(data: bytes) -> list[int]:
    column = array("i")
    column.frombytes(data)
    return _little(column).tolist()


def _little(column: array[int]) -> array[int]:
    if sys.byteorder == "big":
        column.byteswap()
    return column


def _index(values: Iterable[Any]) -> tuple[list[Any], list[int]]:
    """Return the distinct values in first-seen order, and each value's number among them."""
    seen: dict[Any, int] = {}
    numbers = [seen.setdefault(value, len(seen)) for value in values]
    return list(seen), numbers


def encode_graph(graph: Graph) -> bytes:
    """Return a graph as bytes; equal graphs give equal bytes."""
    steps = graph.steps
    shapes, shape = _index((s.purpose, s.views, s.variant, s.kind, s.form, s.shared) for s in steps)
    readers, to = _index(s.to for s in steps)
    header = {
        "seats": [list(seat) for seat in graph.seats],
        "shapes": [[p, [list(v) for v in views], *rest] for p, views, *rest in shapes],
        "readers": [list(r) for r in readers],
        "readout": [graph.readout.purpose, list(graph.readout.seats), graph.readout.first_round],
        "stop": graph.stop,
        "cuts": sorted(list(cut) for cut in graph.cuts),
    }
    columns = (shape, to, [s.seat for s in steps], [s.round for s in steps], [s.nth for s in steps])
    return _join(header, *(_pack(column) for column in columns))


def decode_graph(data: bytes) -> Graph:
    """Return the graph that `encode_graph` wrote.

    Raises:
        RunFileError: the data are damaged.
    """
    try:
        return _graph(*_split(data))
    except (struct.error, ValueError, TypeError, LookupError) as error:
        raise RunFileError(f"a graph of the run file is damaged: {error}") from None


def _graph(header: dict[str, Any], columns: list[bytes]) -> Graph:
    shapes = []
    for purpose, views, variant, kind, form, shared in header["shapes"]:
        seen = tuple(map(_view, views))
        shapes.append((purpose, seen, variant, kind, form, shared))
    readers = [tuple(r) for r in header["readers"]]
    steps = []
    for shape, to, seat, round_, nth in zip(*(_unpack(c) for c in columns), strict=True):
        purpose, views, variant, kind, form, shared = shapes[shape]
        steps.append(
            Step(seat, purpose, round_, nth, readers[to], views, variant, kind, form, shared)
        )
    purpose, seats, first = header["readout"]
    return Graph(
        tuple(Seat(*seat) for seat in header["seats"]),
        tuple(steps),
        Readout(purpose, tuple(seats), first),
        header["stop"],
        frozenset((a, b) for a, b in header["cuts"]),
    )


def _view(values: list[Any]) -> View:
    view = View(*values)
    window = view.window and (view.window[0], view.window[1])
    return view._replace(purposes=tuple(view.purposes), window=window)


def encode_reply(reply: Reply) -> list[Any]:
    """Return a reply as JSON values, its usage last if it has one."""
    values = [reply.text, reply.answer, reply.reason, reply.valid, reply.why]
    return values if reply.usage is None else [*values, list(reply.usage)]


def decode_reply(values: Sequence[Any]) -> Reply:
    """Return the reply that `encode_reply` wrote."""
    text, answer, reason, valid, why, *usage = values
    return Reply(text, answer, reason, valid, why, Usage(*usage[0]) if usage else None)


def encode_segment(segment: Segment) -> bytes:
    """Return a segment as bytes: role and kind on the first line, then its data."""
    return f"{segment.role} {segment.kind}\n".encode() + segment.data


def decode_segment(data: bytes) -> Segment:
    """Return the segment that `encode_segment` wrote."""
    head, _, rest = data.partition(b"\n")
    role, kind = head.decode().split(" ")
    return Segment(role, kind, rest)  # type: ignore[arg-type]


def encode_attempts(attempts: Sequence[Attempt]) -> bytes:
    """Return the attempts of one trial, compressed; a reply object is stored once."""
    by_id: dict[int, int] = {}
    replies: list[Reply] = []
    numbers = []
    for attempt in attempts:
        number = by_id.setdefault(id(attempt.reply), len(replies))
        if number == len(replies):
            replies.append(attempt.reply)
        numbers.append(number)
    prompts, sent = _index(attempt.prompt for attempt in attempts)
    segments, _ = _index(segment for prompt in prompts for segment in prompt)
    place = {segment: number for number, segment in enumerate(segments)}
    steps = [attempt.step for attempt in attempts]
    header = {
        "replies": [encode_reply(reply) for reply in replies],
        "prompts": [[place[segment] for segment in prompt] for prompt in prompts],
    }
    columns = (
        numbers,
        [b - a for a, b in zip([0, *steps], steps, strict=False)],
        [attempt.attempt for attempt in attempts],
        sent,
    )
    keyed = bytes(attempt.key != NO_KEY for attempt in attempts)
    packed = deflate(_join(header, *(_pack(column) for column in columns), keyed))
    # Digests do not compress: they stand behind, as they are.
    tail = [*segments, *(attempt.key for attempt in attempts)]
    return struct.pack("<II", len(packed), len(segments)) + packed + b"".join(tail)


def decode_attempts(data: bytes) -> list[Attempt]:
    """Return the attempts that `encode_attempts` wrote.

    Raises:
        RunFileError: the block is damaged.
    """
    try:
        return _attempts(data)
    except (struct.error, ValueError, TypeError, LookupError) as error:
        raise RunFileError(f"a block of the run file is damaged: {error}") from None


def _attempts(data: bytes) -> list[Attempt]:
    size, count = struct.unpack_from("<II", data)
    at = 8 + size
    header, (*columns, keyed) = _split(inflate(data[8:at]))
    if len(data) != at + DIGEST_SIZE * (count + sum(keyed)):
        raise ValueError("its digests do not fit its attempts")
    segments = [data[at + DIGEST_SIZE * i : at + DIGEST_SIZE * (i + 1)] for i in range(count)]
    at += DIGEST_SIZE * count
    replies = [decode_reply(values) for values in header["replies"]]
    prompts = [tuple(segments[i] for i in prompt) for prompt in header["prompts"]]
    out, step = [], 0
    rows = zip(*(_unpack(column) for column in columns), keyed, strict=True)
    for number, delta, attempt, sent, has_key in rows:
        step += delta
        key = data[at : at + DIGEST_SIZE] if has_key else NO_KEY
        at += len(key)
        out.append(Attempt(step, attempt, key, replies[number], prompts[sent]))
    return out
