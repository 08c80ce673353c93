"""Random words inside compiled code: xoshiro256++, started from a named seed.

Everything is done in integers, so the same seed gives the same numbers on every processor. The
state is an array of four words; a compiled loop loads it, works on the four words in registers and
saves it, which keeps a word at about a nanosecond.

Source: Blackman and Vigna (2021) for the generator; Lemire (2019) for unbiased bounds.
"""

from __future__ import annotations

from hashlib import blake2b
from math import frexp, ldexp

import numpy as np
from numba import njit
from numpy.typing import NDArray

from socialcircuits.errors import SettingError
from socialcircuits.seeds import pack

Words = NDArray[np.uint64]
State = tuple[np.uint64, np.uint64, np.uint64, np.uint64]

HALF = np.uint64(32)
LOW = np.uint64(0xFFFFFFFF)
LARGEST_BOUND = 2**31 - 1
_ONE = np.uint64(1)
_BITS = 63
_KEPT = 32


def generator(seed: bytes, name: str) -> Words:
    """Return the first state of a named stream; shape (4,), changed in place by those who draw.

    Args:
        seed: any bytes, for example a digest.
        name: what the stream is for; streams of different names are independent.

    >>> fill(generator(b"seed", "dice"), words := np.empty(2, np.uint64))
    >>> [hex(word) for word in words]
    ['0xe68868f68266f9b8', '0x334d5eb6d3423fba']
    """
    words = blake2b(pack(seed, name), digest_size=32).digest()
    return np.frombuffer(words, "<u8").astype(np.uint64)


def threshold(where: str, probability: float) -> np.uint64:
    """Return the integer that the upper 63 bits of a word fall below with a probability.

    The probability is rounded to 32 significant bits (relative error at most 2^-33), so that the
    last digit of a floating-point function, which differs between processors, changes nothing.

    Args:
        where: the setting's name, for the error.
        probability: from 0 to 1.

    Raises:
        SettingError: the probability is outside [0, 1] or not a number.

    >>> int(threshold("p", 0.5)) == 2**62, int(threshold("p", 1.0)) == 2**63
    (True, True)
    """
    if not 0 <= probability <= 1:
        raise SettingError(where, probability, "a probability from 0 to 1")
    mantissa, exponent = frexp(probability)
    return np.uint64(int(ldexp(round(ldexp(mantissa, _KEPT)), exponent - _KEPT + _BITS)))


@njit(cache=True)
def load(state: Words) -> State:
    """Take the four words out of the array."""
    return state[0], state[1], state[2], state[3]


@njit(cache=True)
def save(state: Words, s: State) -> None:
    """Put the four words back into the array."""
    state[0], state[1], state[2], state[3] = s


@njit(cache=True)
def step(s: State) -> tuple[np.uint64, State]:
    """Return the next word and the state after it."""
    s0, s1, s2, s3 = s
    total = s0 + s3
    word = ((total << np.uint64(23)) | (total >> np.uint64(41))) + s0
    shifted = s1 << np.uint64(17)
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    s3 = (s3 << np.uint64(45)) | (s3 >> np.uint64(19))
    return word, (s0, s1, s2, s3)


@njit(cache=True)
def below(s: State, bound: np.uint64) -> tuple[np.uint64, State]:
    """Return an integer from 0 to bound - 1, each equally likely, and the state after it.

    The bound is at most 2^31 - 1. The upper half of a word is multiplied by the bound; the few
    words that would favour some results are drawn anew.
    """
    word, s = step(s)
    product = (word >> HALF) * bound
    if (product & LOW) < bound:
        refused = (_ONE << HALF) % bound
        while (product & LOW) < refused:
            word, s = step(s)
            product = (word >> HALF) * bound
    return product >> HALF, s


@njit(cache=True)
def fill(state: Words, words: Words) -> None:
    """Fill an array with the next words."""
    s = load(state)
    for i in range(words.size):
        words[i], s = step(s)
    save(state, s)


@njit(cache=True)
def integers(state: Words, bound: int, out: NDArray[np.int8] | NDArray[np.int64]) -> None:
    """Fill an array with integers from 0 to bound - 1, each equally likely."""
    s = load(state)
    for i in range(out.size):
        drawn, s = below(s, np.uint64(bound))
        out[i] = drawn
    save(state, s)


@njit(cache=True)
def shuffle(state: Words, items: NDArray[np.int8]) -> None:
    """Put an array into a uniformly random order, in place (Fisher-Yates)."""
    s = load(state)
    for i in range(items.size - 1, 0, -1):
        j, s = below(s, np.uint64(i + 1))
        items[i], items[j] = items[j], items[i]
    save(state, s)
