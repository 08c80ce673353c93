"""Named random streams: the same names give the same numbers on every machine, for ever.

Nothing here depends on the random generators of numpy or of the standard library, whose algorithms
may change; bits come from BLAKE2b and SHAKE-128, and integers are drawn without bias.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from hashlib import blake2b, shake_128
from typing import TypeVar

T = TypeVar("T")

DIGEST_SIZE = 16
_MASK = (1 << 64) - 1
_WORDS = 64


def pack(*parts: str | int | bytes) -> bytes:
    """Encode parts so that different lists of parts never give the same bytes.

    >>> pack("ab", "c") == pack("a", "bc")
    False
    """
    out = []
    for part in parts:
        if isinstance(part, str):
            tag, data = b"s", part.encode("utf-8", "surrogatepass")
        elif isinstance(part, bytes):
            tag, data = b"b", part
        else:
            tag, data = b"i", str(int(part)).encode()
        out.append(tag + struct.pack("<I", len(data)) + data)
    return b"".join(out)


def digest(*parts: str | int | bytes) -> bytes:
    """Return the 16-byte digest of a list of parts.

    >>> digest("study", 1).hex()
    '6ffbd0d15c36c6726c2a92b5878077a7'
    """
    return blake2b(pack(*parts), digest_size=DIGEST_SIZE).digest()


def draw(seed: bytes, series: bytes, nth: int, attempt: int, part: int = 0) -> bytes:
    """Return the 16 random bytes of one attempt of one step (rule 8 of the data model).

    Args:
        seed: the trial's seed, or the shared seed for a shared step; 16 bytes.
        series: the packed seat key, purpose and variant.
        nth: the step's number in its series.
        attempt: 0 for the first asking.
        part: numbers the calls of one answer distribution.

    >>> draw(digest("seed"), pack("0", "probe", ""), 0, 0).hex()
    '56992c50bf118df2a3d53d15aeafbd1e'
    """
    return blake2b(
        series + struct.pack("<III", nth, attempt, part), key=seed, digest_size=DIGEST_SIZE
    ).digest()


class Stream:
    """An endless, named stream of unbiased random integers.

    Args:
        seed: any bytes, for example a digest.
        name: what the stream is for; streams of different names are independent.

    >>> stream = Stream(b"seed", "dice")
    >>> [stream.below(6) for _ in range(5)]
    [4, 0, 5, 1, 0]
    """

    def __init__(self, seed: bytes, name: str) -> None:
        self._root = pack(seed, name)
        self._words = self._generate()

    def _generate(self) -> Iterator[int]:
        block = 0
        while True:
            data = shake_128(self._root + struct.pack("<Q", block)).digest(8 * _WORDS)
            yield from struct.unpack(f"<{_WORDS}Q", data)
            block += 1

    def below(self, n: int) -> int:
        """Return an integer from 0 to n - 1, each equally likely; n must be at least 1."""
        if n < 1:
            raise ValueError(f"below({n}): n must be at least 1")
        limit = (_MASK + 1) % n
        while True:
            product = next(self._words) * n
            if product & _MASK >= limit:
                return product >> 64

    def choice(self, items: Sequence[T]) -> T:
        """Return one item, each equally likely; items must not be empty."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in a uniformly random order (Fisher-Yates)."""
        out = list(items)
        for i in range(len(out) - 1, 0, -1):
            j = self.below(i + 1)
            out[i], out[j] = out[j], out[i]
        return out

    def distinct_pair(self, items: Sequence[T]) -> tuple[T, T]:
        """Return two different positions' items, ordered, all ordered pairs equally likely."""
        first = self.below(len(items))
        second = self.below(len(items) - 1)
        return items[first], items[second + (second >= first)]
