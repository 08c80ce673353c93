"""Noise never flips a decision, and a change of meaning never stays right."""

from __future__ import annotations

import string
from collections.abc import Callable

from hypothesis import assume, given
from hypothesis import strategies as st

from socialcircuits.worlds.questions.grading import settle

OPTIONS = {"A": "London", "B": "Paris", "C": "Rome", "D": "5 mW", "E": "5 MW"}

NOISE: list[Callable[[str], str]] = [
    lambda text: f" {text} ",
    lambda text: f"\n{text}\n\n",
    lambda text: f"\u00a0{text}\t",
    lambda text: f"{text}.",
    lambda text: f"**{text}**",
    lambda text: f'"{text}"',
    lambda text: f"`{text}`",
    lambda text: f"\\boxed{{{text}}}",
    lambda text: f"\\text{{{text}}}",
    lambda text: f"The answer is {text}",
    lambda text: f"Answer: {text}",
    lambda text: f"I thought about it.\nFinal answer: {text}",
]
DECIDED = [
    ("Paris", "Paris", False),
    ("not Paris", "Paris", False),
    ("I don't know", "Paris", False),
    ("no", "yes", False),
    ("42", "42", False),
    ("43", "42", False),
    ("-42", "42", False),
    ("1,234,567", "1234567", False),
    ("1\u00bd", "3/2", False),
    ("10\u00b2", "102", False),
    ("2.5e-3", "0.0025", False),
    ("3.1416", "3.14", False),
    ("5 mW", "5 MW", False),
    ("5 km", "5000 m", False),
    ("26/12/1999", "26 December 1999", False),
    ("27 December 1999", "26 December 1999", False),
    ("5 or 6", "5", False),
    ("B", "B", True),
    ("b", "B", True),
    ("(A)", "B", True),
    ("B. Paris", "B", True),
    ("B. Rome", "B", True),
    ("A or B", "B", True),
    ("5 MW", "D", True),
    ("5 MW", "E", True),
]

digits = st.text(string.digits, min_size=1, max_size=6)
letters = st.text(string.ascii_letters, min_size=1, max_size=8)
prefixes = st.sampled_from(["", *"TGMkhdcm\u00b5npf"])
units = st.sampled_from(["m", "g", "s", "A", "Hz", "N", "Pa", "J", "W", "V", "\u03a9", "eV"])
numbers = st.one_of(
    digits,
    st.tuples(digits, digits).map(".".join),
    st.tuples(digits, digits).map(",".join),
    st.tuples(digits, digits).map("/".join),
    st.tuples(digits, digits, digits).map(lambda d: f"{d[0]} {d[1]}/{d[2]}"),
    st.tuples(digits, digits, st.integers(-20, 20)).map(lambda d: f"{d[0]}.{d[1]}e{d[2]}"),
    st.tuples(digits, st.integers(2, 20)).map(lambda d: f"{d[0]}^{d[1]}"),
    st.tuples(digits, digits).map(lambda d: f"{d[0]} to {d[1]}"),
    st.tuples(digits, digits).map(lambda d: f"{d[0]}, {d[1]}"),
    st.tuples(digits, prefixes, units).map(lambda d: f"{d[0]} {d[1]}{d[2]}"),
    st.dates().map(lambda date: f"{date:%d/%m/%Y}"),
    st.dates().map(lambda date: f"{date.day} {date:%B} {date.year}"),
)
words = st.lists(letters, min_size=1, max_size=4).map(" ".join)


@given(st.sampled_from(DECIDED), st.lists(st.sampled_from(NOISE), max_size=4))
def test_noise_never_flips_a_decision(
    pair: tuple[str, str, bool], noise: list[Callable[[str], str]]
) -> None:
    answer, reference, choice = pair
    options = OPTIONS if choice else {}
    plain = settle(answer, reference, options=options).right
    assert plain is not None
    noisy = answer
    for add in noise:
        noisy = add(noisy)
    assert settle(noisy, reference, options=options).right in {plain, None}
    if len(noise) == 1:
        assert settle(noisy, reference, options=options).right is plain


@given(numbers, st.data())
def test_another_digit_is_never_right(reference: str, data: st.DataObject) -> None:
    at = data.draw(st.sampled_from([i for i, c in enumerate(reference) if c.isdigit()]))
    other = data.draw(st.sampled_from([d for d in string.digits if d != reference[at]]))
    changed = reference[:at] + other + reference[at + 1 :]
    # One to any power is one, and zero of anything is zero.
    assume(not any(c in reference for c in "^e/ ") or not {"0", "1"} & {reference[0], changed[0]})
    assert settle(changed, reference).right is not True


@given(numbers)
def test_another_sign_is_never_right(reference: str) -> None:
    assume(any(c in "123456789" for c in reference.split("e", maxsplit=1)[0]))
    assume(not reference.startswith("0"))
    for sign in "-\u2212\u2013":
        assert settle(sign + reference, reference).right is not True
        assert settle(reference, sign + reference).right is not True


@given(st.integers(2, 99), st.integers(-20, 20), st.integers(-20, 20))
def test_another_exponent_is_never_right(base: int, one: int, other: int) -> None:
    assume(one != other)
    assert settle(f"{base}^{one}", f"{base}^{other}").right is not True
    assert settle(f"{base}e{one}", f"{base}e{other}").right is not True
    assert settle(f"{base} \\times 10^{{{one}}}", f"{base}.0e{other}").right is not True
    assert settle(f"5 m^{one}", f"5 m^{other}").right is not True


@given(st.integers(1, 999), prefixes, prefixes, units)
def test_another_prefix_is_never_right(number: int, one: str, other: str, unit: str) -> None:
    assume(one != other)
    assert settle(f"{number} {one}{unit}", f"{number} {other}{unit}").right is not True
    assert settle(f"{one}{unit}", f"{other}{unit}").right is not True


@given(words, st.data())
def test_another_letter_is_never_right(reference: str, data: st.DataObject) -> None:
    at = data.draw(st.sampled_from([i for i, c in enumerate(reference) if c != " "]))
    others = [c for c in string.ascii_letters if c.lower() != reference[at].lower()]
    changed = reference[:at] + data.draw(st.sampled_from(others)) + reference[at + 1 :]
    assert settle(changed, reference).right is not True


@given(st.one_of(words, numbers), st.data())
def test_a_moved_character_is_never_right(reference: str, data: st.DataObject) -> None:
    shuffled = "".join(data.draw(st.permutations(reference)))
    squeezed = shuffled.replace(" ", "").lower(), reference.replace(" ", "").lower()
    assume(squeezed[0] != squeezed[1])
    verdict = settle(shuffled, reference)
    assert verdict.right is not True or verdict.why in {"the number", "the date"}


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_text_has_a_verdict(answer: str, reference: str) -> None:
    assert settle(answer, reference).right in {True, False, None}
    options = {"A": reference, "B": answer, "C": "Paris"}
    assert settle(answer, "A", options=options).right in {True, False, None}


@given(st.one_of(words, numbers))
def test_the_reference_itself_is_never_wrong(reference: str) -> None:
    assert settle(reference, reference).right is not False
