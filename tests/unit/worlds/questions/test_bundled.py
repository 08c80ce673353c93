"""The bundled questions: their form, and every answer that code can check."""

from __future__ import annotations

import calendar
import tomllib
import unicodedata
from collections import Counter, deque
from collections.abc import Callable
from datetime import date, timedelta
from fractions import Fraction
from functools import cache
from heapq import heappop, heappush
from importlib.resources import files
from itertools import combinations, count, permutations, product
from math import comb, cos, factorial, isqrt, log10, pi, prod, sqrt

import numpy as np
import pytest

from socialcircuits.worlds.questions import Question, bundled

QUESTIONS = {question.id: question for question in bundled()}
ROWS = {
    row["id"]: row
    for row in tomllib.loads(
        files("socialcircuits.worlds.questions").joinpath("bundled.toml").read_text("utf-8")
    )["question"]
}

BY_THOUGHT = set(
    "five-magnitudes doubly-landlocked away-from-brazil anchor lamps-in-series perihelion long-day"
    " quarter-moon hydrogen-halides third-gas first-ionization oxygen-rich-vessel kin-of-whales"
    " botanical-berry four-chambers panama-canal farthest-north farthest-west with-a-coast"
    " eleventh-century same-birthday malagasy maltese robot easy-problem stable-sort".split()
)
"""Facts that no computation shows; the reason stands beside each in the file."""

STOPS = ("UAA", "UAG", "UGA")
WEEK = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()


def zeros() -> int:
    number, found = factorial(2026), 0
    while number % 10 == 0:
        number, found = number // 10, found + 1
    return found


def apart() -> int:
    @cache
    def ways(left: tuple[int, ...], after_s: bool) -> int:
        total = 0 if any(left) else 1
        for kind, number in enumerate(left):
            if number and not (kind == 0 and after_s):
                rest = tuple(n - (k == kind) for k, n in enumerate(left))
                total += ways(rest, kind == 0)
        return total

    return ways((4, 4, 2, 1), False)


def derangements() -> int:
    return sum(all(a != i for i, a in enumerate(p)) for p in permutations(range(7)))


def two_heads() -> int:
    chances, no_head, one_head = 0.0, 1.0, 0.0
    for toss in range(1, 2000):
        chances += toss * one_head / 2
        no_head, one_head = (no_head + one_head) / 2, no_head / 2
    return round(chances)


def regions() -> int:
    crossings, chords = comb(7, 4), comb(7, 2)
    vertices, edges = 7 + crossings, chords + 2 * crossings + 7
    return edges - vertices + 1


def circumradius() -> Fraction:
    a, b, c = 13, 14, 15
    area_16 = (a + b + c) * (-a + b + c) * (a - b + c) * (a + b - c)
    assert isqrt(area_16) ** 2 == area_16
    return Fraction(a * b * c, isqrt(area_16))


def clock_hands() -> int:
    apart = abs((3 * 60 + 40) // 2 - 40 * 6)
    return min(apart, 360 - apart)


def over_the_box() -> str:
    shortest = min((a + b) ** 2 + c**2 for a, b, c in permutations((1, 2, 3)))
    outside = max(n for n in range(1, 10) if shortest % n**2 == 0)
    return f"{outside}√{shortest // outside**2}"


def dodecahedron() -> int:
    golden = (1 + sqrt(5)) / 2
    signs = (1, -1)
    vertices = [np.array(v) for v in product(signs, repeat=3)]
    for a, b in product(signs, repeat=2):
        vertices += [np.roll((0, a / golden, b * golden), k) for k in range(3)]
    normals = [
        np.roll((0, a * golden, b), k) for a, b in product(signs, repeat=2) for k in range(3)
    ]
    border = max(float(normals[0] @ v) for v in vertices)
    faces = [{i for i, v in enumerate(vertices) if n @ v > border - 1e-9} for n in normals]
    assert [len(face) for face in faces] == [5] * 12
    return sum(not any({i, j} <= f for f in faces) for i, j in combinations(range(20), 2))


def circle_of_41() -> int:
    circle = deque(range(1, 42))
    while len(circle) > 1:
        circle.rotate(-2)
        circle.popleft()
    return circle[0]


def night_bridge() -> int:
    start = (frozenset((1, 3, 4, 8)), True)
    queue: list[tuple[int, int, tuple[frozenset[int], bool]]] = [(0, 0, start)]
    order = count(1)
    while True:
        minutes, _, (near, torch_near) = heappop(queue)
        if not near:
            return minutes
        side = near if torch_near else frozenset((1, 3, 4, 8)) - near
        for walkers in [*combinations(sorted(side), 1), *combinations(sorted(side), 2)]:
            state = (near ^ frozenset(walkers), not torch_near)
            heappush(queue, (minutes + max(walkers), next(order), state))


def cube_of_resistors() -> int:
    corners = list(product((0, 1), repeat=3))
    places = np.array(corners)
    near = (np.abs(places[:, None] - places[None]).sum(2) == 1).astype(float)
    inverse = np.linalg.pinv(np.diag(near.sum(1)) - near)
    return round(6 * float(inverse[0, 0] + inverse[7, 7] - 2 * inverse[0, 7]))


def burning_butane() -> int:
    for a in range(1, 10):
        carbon, water = 4 * a, 5 * a
        if (2 * carbon + water) % 2 == 0:
            return a + (2 * carbon + water) // 2 + carbon + water
    raise AssertionError


def heptanes() -> int:
    def name(tree: dict[int, set[int]], node: int, above: int) -> str:
        return "(" + "".join(sorted(name(tree, n, node) for n in tree[node] - {above})) + ")"

    trees: dict[str, dict[int, set[int]]] = {"()": {0: set()}}
    for size in range(1, 7):
        larger = {}
        for tree, node in [(old, node) for old in trees.values() for node in old]:
            if len(tree[node]) < 4:
                grown = {n: set(others) for n, others in tree.items()} | {size: {node}}
                grown[node].add(size)
                larger[min(name(grown, root, -1) for root in grown)] = grown
        trees = larger
    return len(trees)


def gametes() -> Fraction:
    offspring = list(product("Aa", "Aa", "Bb", "Bb"))
    both = sum(a != b and c != d for a, b, c, d in offspring)
    return Fraction(both, len(offspring))


def gray_code() -> str:
    words = [""]
    for _ in range(4):
        words = ["0" + word for word in words] + ["1" + word for word in reversed(words)]
    return words[13]


def sorting_five() -> int:
    @cache
    def sortable(orders: frozenset[tuple[int, ...]], comparisons: int) -> bool:
        if len(orders) <= 1 or len(orders) > 2**comparisons:
            return len(orders) <= 1
        for i, j in combinations(range(5), 2):
            less = frozenset(order for order in orders if order[i] < order[j])
            parts = (less, orders - less)
            if all(sortable(part, comparisons - 1) for part in parts):
                return True
        return False

    everything = frozenset(permutations(range(5)))
    return next(n for n in count() if sortable(everything, n))


def lost_days() -> str:
    ahead = 1752 // 100 - 1752 // 400 - 2
    day = date(1752, 9, 2) + timedelta(days=ahead + 1)
    return f"{day.day} {calendar.month_name[day.month]} {day.year}"


def october() -> str:
    day = date(1917, 10, 25) + timedelta(days=1917 // 100 - 1917 // 400 - 2)
    return f"{day.day} {calendar.month_name[day.month]} {day.year}"


def roman() -> str:
    signs = "M 1000 CM 900 D 500 CD 400 C 100 XC 90 L 50 XL 40 X 10 IX 9 V 5 IV 4 I 1".split()
    number, written = 1999, ""
    for sign, value in zip(signs[::2], map(int, signs[1::2]), strict=True):
        written += number // value * sign
        number %= value
    return written


def greek() -> str:
    letters = [chr(n) for n in range(0x3B1, 0x3CA) if n != 0x3C2]  # 3C2 is the final form of sigma
    assert len(letters) == 24
    return unicodedata.name(letters[16]).split()[-1].lower()


def price() -> str:
    change = 100 * (Fraction(13, 10) * Fraction(7, 10) * Fraction(11, 10) - 1)
    return f"it is {float(abs(change)):g} % {'higher' if change > 0 else 'lower'}"


def birthdays() -> int:
    return next(n for n in count() if 1 - prod((365 - i) / 365 for i in range(n)) > 0.99)


def four_doors() -> Fraction:
    won = Fraction(0)
    for prize in range(4):
        openable = [door for door in (1, 2, 3) if door != prize]
        for opened in openable:
            taken = [door for door in (1, 2, 3) if door != opened]
            won += Fraction(taken.count(prize), 4 * len(openable) * len(taken))
    return won


def islanders() -> str:
    found = []
    for knights in product((True, False), repeat=3):
        said = (sum(knights) == 1, sum(knights) == 2, not any(knights))
        if said == knights:
            found.append("".join(n for n, knight in zip("ABC", knights, strict=True) if knight))
    return " or ".join(f"only {who}" for who in found)


def cards() -> str:
    needed = []
    for shown in "EK47":
        behind = "0123456789" if shown.isalpha() else "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        pairs = [(shown, b) if shown.isalpha() else (b, shown) for b in behind]
        broken = [letter in "AEIOU" and int(digit) % 2 == 1 for letter, digit in pairs]
        needed += [shown] if any(broken) else []
    return " and ".join(needed)


def painted() -> int:
    cubes = product(range(5), repeat=3)
    return sum(sum(place in (0, 4) for place in cube) == 1 for cube in cubes)


def slow_sound() -> str:
    # Ratio of specific heats and molar mass in kg/mol.
    gases = {"air": (1.40, 0.02896), "carbon dioxide": (1.29, 0.04401)}
    gases |= {"helium": (1.667, 0.0040026), "methane": (1.31, 0.01604)}
    speeds = {name: sqrt(ratio * 8.314 * 293.15 / mass) for name, (ratio, mass) in gases.items()}
    assert [round(speed) for speed in speeds.values()] == [343, 267, 1008, 446]
    return min(speeds, key=lambda name: speeds[name])


def near_neighbour() -> str:
    radii = {"Mercury": 0.387, "Venus": 0.723, "Mars": 1.524, "Jupiter": 5.203}
    angles = [2 * pi * i / 3600 for i in range(3600)]
    means = {
        name: sum(sqrt(1 + r * r - 2 * r * cos(a)) for a in angles) / 3600
        for name, r in radii.items()
    }
    assert (round(means["Mercury"], 2), round(means["Venus"], 2)) == (1.04, 1.14)
    return min(means, key=lambda name: means[name])


def freezing() -> str:
    particles = {"glucose": 1, "calcium chloride": 3, "sodium chloride": 2, "urea": 1}
    return max(particles, key=lambda name: particles[name])


def blood() -> str:
    groups = {max(gene, "O", key="OAB".index) for gene in "AB"}
    return " or ".join(sorted(groups)) + " only"


def affected_son() -> Fraction:
    children = list(product(("X", "x"), ("X", "Y")))
    return Fraction(children.count(("x", "Y")), len(children))


def largest(options: dict[str, int]) -> str:
    return max(options, key=lambda name: options[name])


COMPUTED: dict[str, Callable[[], object]] = {
    "trailing-zeros": zeros,
    "last-two-digits": lambda: f"{pow(3, 2026, 100):02}",
    "three-remainders": lambda: next(n for n in count(1) if (n % 7, n % 9, n % 11) == (3, 4, 5)),
    "free-of-2-3-5": lambda: sum(all(n % p for p in (2, 3, 5)) for n in range(1, 1001)),
    "divisors": lambda: sum(720720 % n == 0 for n in range(1, 720721)),
    "apart-letters": apart,
    "wrong-envelopes": derangements,
    "two-heads": two_heads,
    "circle-regions": regions,
    "circumradius": circumradius,
    "clock-hands": clock_hands,
    "over-the-box": over_the_box,
    "dodecahedron": dodecahedron,
    "circle-of-41": circle_of_41,
    "night-bridge": night_bridge,
    "mean-speed": lambda: f"{2 / (Fraction(1, 30) + Fraction(1, 90))} km/h",
    "cube-of-resistors": lambda: f"{cube_of_resistors()} ohm",
    "thin-lens": lambda: f"{1 / (Fraction(1, 20) - Fraction(1, 30))} cm",
    "far-satellite": lambda: isqrt(4**3),
    "burning-butane": burning_butane,
    "barium-hydroxide": lambda: round(14 + log10(2 * 0.005)),
    "manganate": lambda: f"{4 * 2 - 2 * 1:+}",
    "heptanes": heptanes,
    "sense-codons": lambda: len(set(product("UCAG", repeat=3)) - set(map(tuple, STOPS))),
    "double-heterozygotes": gametes,
    "turns-in-a-year": lambda: round(365.2564 + 1),
    "signed-byte": lambda: int.from_bytes(b"\xb5", signed=True),
    "float-gap": lambda: next(n for n in range(2**53 - 1000, 2**53 + 1000) if int(float(n)) != n),
    "gray-code": gray_code,
    "sorting-five": sorting_five,
    "floor-division": lambda: -7 // 2,
    "leap-years": lambda: sum(calendar.isleap(year) for year in range(1801, 2001)),
    "first-day-of-1900": lambda: WEEK[date(1900, 1, 1).weekday()],
    "lost-days": lost_days,
    "no-year-zero": lambda: 10 - (1 - 10),
    "roman-1999": roman,
    "greek-letter": greek,
    "one-prime": lambda: next(
        n for n in (299, 323, 391, 397) if all(n % p for p in range(2, isqrt(n) + 1))
    ),
    "largest-power": lambda: largest(
        {"3^63": 3**63, "2^100": 2**100, "5^43": 5**43, "10^30": 10**30}
    ),
    "price-changes": price,
    "birthdays-99": birthdays,
    "four-doors": four_doors,
    "rare-disease": lambda: f"{100 * 0.009 / (0.009 + 0.99 * 0.09):.0f} %",
    "three-islanders": islanders,
    "four-cards": cards,
    "rope-around-earth": lambda: f"{100 / (2 * pi):.0f} cm",
    "painted-cube": painted,
    "conical-glass": lambda: Fraction(1, 2) ** 3,
    "kelvin-fahrenheit": lambda: f"{(1.8 * 273.15 - 32) / 0.8:.2f}",
    "slow-sound": slow_sound,
    "momentum-tripled": lambda: 3**2,
    "near-neighbour": near_neighbour,
    "lowest-freezing": freezing,
    "blood-groups": blood,
    "affected-son": affected_son,
    "october-revolution": october,
}


def right(question: Question) -> str:
    return question.options[question.answer] if question.options else question.answer


@pytest.mark.parametrize("name", COMPUTED)
def test_the_answer_is_what_is_computed(name: str) -> None:
    assert right(QUESTIONS[name]) == str(COMPUTED[name]())


def test_every_question_is_computed_or_thought_through() -> None:
    assert not BY_THOUGHT & set(COMPUTED)
    assert BY_THOUGHT | set(COMPUTED) == set(QUESTIONS)


def test_there_are_enough_of_both_kinds_in_many_fields() -> None:
    kinds = Counter(question.kind for question in QUESTIONS.values())
    fields = Counter(question.category for question in QUESTIONS.values())
    assert kinds == {"exact": 40, "choice": 42}
    assert len(fields) >= 12
    assert min(fields.values()) >= 2


def test_the_right_letters_are_spread_evenly() -> None:
    letters = Counter(q.answer for q in QUESTIONS.values() if q.kind == "choice")
    assert set(letters) == set("ABCD")
    assert max(letters.values()) - min(letters.values()) <= 1


@pytest.mark.parametrize("name", QUESTIONS)
def test_each_has_lures_a_reason_and_may_be_shared(name: str) -> None:
    question, row = QUESTIONS[name], ROWS[name]
    assert len(question.lures) >= 3
    assert len({text.casefold() for text in question.options.values()}) == len(question.options)
    assert row["why"]
    assert "\n" not in row["why"]
    assert question.shareable
    assert question.source == "bundled.toml (own)"
    assert (question.image, question.canary) == (None, None)
