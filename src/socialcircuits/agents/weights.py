"""Integer sampling weights: floats differ between processors, digests must not."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from decimal import Context, Decimal
from functools import cache
from itertools import accumulate

from socialcircuits.graph.vocabulary import NAT

_SCALE = 1 << 40
_DEEPEST = 28 * NAT
_CONTEXT = Context(prec=50)


@cache
def exponentials() -> tuple[int, ...]:
    """Return round(2^40 exp(-k / 1000)) for k = 0 .. 28000; below that a weight is zero.

    Decimal arithmetic is exact to the same digits on every machine.

    >>> table = exponentials()
    >>> table[0] == 2**40, table[1000]
    (True, 404487723188)
    """
    ratio = _CONTEXT.exp(_CONTEXT.divide(Decimal(-1), Decimal(NAT)))
    weight, table = Decimal(_SCALE), []
    for _ in range(_DEEPEST + 1):
        table.append(int(weight.to_integral_value()))
        weight = _CONTEXT.multiply(weight, ratio)
    return tuple(table)


@cache
def log(n: int) -> int:
    """Return the natural logarithm of a positive integer in thousandths of a nat.

    >>> log(28)
    3332
    """
    return int((_CONTEXT.ln(Decimal(n)) * NAT).to_integral_value())


def masses(logits: Sequence[int], percent: int = 100) -> list[int]:
    """Return the integer weights of softmax(logits / temperature).

    Args:
        logits: log-weights in thousandths of a nat, at least one.
        percent: temperature in hundredths, at least 1.

    >>> even, less = masses([0, -1000])
    >>> round(less / (even + less), 4)
    0.2689
    """
    table, top = exponentials(), max(logits)
    if percent == 100:
        depths = [top - logit for logit in logits]
    else:
        depths = [(top - logit) * 100 // percent for logit in logits]
    return [table[d] if d <= _DEEPEST else 0 for d in depths]


def sample(logits: Sequence[int], draw: bytes, percent: int = 100) -> int:
    """Return the index sampled from softmax(logits / temperature).

    Args:
        logits: log-weights in thousandths of a nat, at least one.
        draw: at least 8 random bytes.
        percent: temperature in hundredths, at least 1.

    >>> [sample([0, 0], bytes([high] * 8)) for high in (1, 255)]
    [0, 1]
    """
    return pick(masses(logits, percent), draw)


def pick(weights: Sequence[int], draw: bytes) -> int:
    """Return an index with a probability in proportion to its weight.

    Args:
        weights: integers from 0, not all 0.
        draw: at least 8 random bytes.

    >>> pick([0, 3, 1], bytes([191] * 8)), pick([0, 3, 1], bytes([192] * 8))
    (1, 2)
    """
    sums = list(accumulate(weights))
    return bisect_right(sums, (int.from_bytes(draw[:8], "big") * sums[-1]) >> 64)
