"""The kit for worlds: passes what is sound, and every rule can fail."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
import pytest

from socialcircuits.errors import SettingError
from socialcircuits.graph import Deal, Evidence, World
from socialcircuits.seeds import Stream, digest
from socialcircuits.testing import check_world
from socialcircuits.worlds import CATALOGUE, load

COINS = ("fair", "bent", "forged")


@dataclass(frozen=True)
class Toss:
    """A coin fell heads or tails; a forged coin has no tails."""

    heads: bool
    answers: tuple[str, ...] = COINS
    beliefs: tuple[Any, ...] = (-693, -1204, None)
    told: tuple[str, ...] = ("It fell once.",)
    shown: str = "a coin"
    picture: bytes | None = None
    name: Any = None

    @property
    def key(self) -> Any:
        return digest("toss", int(self.heads)) if self.name is None else self.name

    def log_belief(self) -> tuple[Any, ...]:
        return (-693, -357, 0) if self.heads else self.beliefs

    def reasons(self) -> tuple[str, ...]:
        return self.told

    def text(self) -> str:
        return self.shown

    def image(self) -> bytes | None:
        return self.picture


class Coins:
    """Which of three coins is it? Every seat sees one toss. `spoil` breaks a deal."""

    kind = "coins"
    fingerprint = "00"
    items: Any = ()
    aliases: Mapping[str, str] = MappingProxyType({})

    def __init__(
        self,
        spoil: Callable[[Deal], Deal] = lambda deal: deal,
        *,
        answers: Any = COINS,
        picture: Any = None,
    ) -> None:
        self.answers, self._spoil, self._picture = answers, spoil, picture

    def picture(self, answer: str) -> Any:
        return self._picture

    def deal(self, shared_seed: bytes, bearers: int, about: str | None = None) -> Deal:
        if about is not None and about not in COINS:
            raise SettingError("$.world.truth", about, "a coin", among=COINS)
        truth = about or Stream(shared_seed, "truth").choice(COINS)
        fall = Stream(shared_seed, "tosses")
        tosses = tuple(Toss(fall.below(2) == 1 or truth == "forged") for _ in range(bearers))
        return self._spoil(Coins.assemble(self, truth, tosses))

    def views(self, about: str) -> tuple[Evidence, ...]:
        return (Toss(True),) if about == "forged" else (Toss(True), Toss(False))

    def named(self, truth: str, name: str) -> Evidence:
        if name not in ("heads", "tails"):
            raise SettingError("$.world.toss", name, "heads or tails")
        return Toss(name == "heads")

    def assemble(self, truth: str, evidence: Sequence[Evidence], lure: str = "") -> Deal:
        tosses = [toss for toss in evidence if isinstance(toss, Toss)]
        lure = lure or ("bent" if truth != "bent" else "fair")
        fits = [[0, 1, 2] if toss.heads else [0, 1] for toss in tosses]
        return Deal(truth, COINS, lure, tuple(tosses), {"compatible": fits})


class Riddles(Coins):
    """Which coin fell? Each riddle has its own candidates, and the second one has no wrong ones."""

    items: Any = ("first", "second")
    candidates: ClassVar = {"first": ("bent", "fair"), "second": ("forged",)}

    def __init__(self, spoil: Callable[[Deal], Deal] = lambda deal: deal) -> None:
        super().__init__(spoil, answers=())

    def deal(self, shared_seed: bytes, bearers: int, about: str | None = None) -> Deal:
        if about is None or about not in self.candidates:
            raise SettingError("$.trial.truth", about, "a riddle", among=self.items)
        answers = self.candidates[about]
        toss = Toss(False, answers, (0,) * len(answers), name=digest(about))
        return self._spoil(self.assemble(answers[0], (toss,) * bearers))

    def views(self, about: str) -> tuple[Evidence, ...]:
        return self.deal(b"", 1, about).evidence

    def assemble(self, truth: str, evidence: Sequence[Evidence], lure: str = "") -> Deal:
        answers = evidence[0].answers
        return Deal(truth, answers, lure or "".join(answers[1:]), tuple(evidence), {})


def grade(answer: str, facts: Mapping[str, Any]) -> bool | None:
    return bool(answer == facts["truth"])


def same(a: str, b: str, facts: Mapping[str, Any]) -> bool | None:
    return a == b


def check(world: World) -> None:
    check_world(world, grade, same)


def test_a_sound_world_passes() -> None:
    check(Coins())
    check(Coins(picture=np.zeros((2, 3, 3), dtype=np.uint8)))
    check(Riddles())


@pytest.mark.parametrize("kind", CATALOGUE)
def test_our_own_worlds_pass(kind: str) -> None:
    module = import_module(CATALOGUE[kind])
    check_world(load(kind, {}), module.grade, module.same)


def seen(**change: Any) -> Callable[[Deal], Deal]:
    """Change every piece of evidence."""
    return lambda deal: replace(
        deal,
        evidence=tuple(replace(t, **change) for t in deal.evidence if isinstance(t, Toss)),
    )


def facts(**change: Any) -> Callable[[Deal], Deal]:
    """Change the facts."""
    return lambda deal: replace(deal, facts={**deal.facts, **change})


BROKEN_DEALS = {
    "allowed answers, in order": lambda deal: replace(deal, answers=COINS[::-1]),
    "must be an allowed answer": lambda deal: replace(deal, truth="gold"),
    "the lure must be allowed and wrong": lambda deal: replace(deal, lure=deal.truth),
    "5 bearers must get 5": lambda deal: replace(deal, evidence=deal.evidence[:4]),
    "must be JSON": facts(seen={1, 2}),
    "must be JSON values": facts(pair=(1, 2)),
    "another truth": facts(truth="gold"),
    "one entry a bearer": facts(compatible=[[0, 1, 2]]),
    "numbers of allowed answers": facts(compatible=[[0, 1, 2, 3]] * 5),
    "must be in each bearer's entry": facts(compatible=[[1]] * 5),
    "key of evidence must be bytes": seen(name="toss"),
    "equal keys": seen(name=b"toss"),
    "the deal's answers": seen(answers=COINS[::-1]),
    "one entry an allowed answer": seen(beliefs=(0, 0)),
    "integers": seen(beliefs=(-0.7, -1, None)),
    "must not rule out the truth": seen(beliefs=(None, None, None)),
    "at least one reason": seen(told=()),
    "none may be empty": seen(told=("",)),
    "must not name an answer": seen(told=("It looks Forged.",)),
    "text of evidence": seen(shown=" "),
    "must be PNG": seen(picture=b"GIF89a"),
}


@pytest.mark.parametrize("sentence", BROKEN_DEALS)
def test_a_broken_deal_is_refused(sentence: str) -> None:
    with pytest.raises(AssertionError, match=sentence):
        check(Coins(BROKEN_DEALS[sentence]))


BROKEN_WORLDS: dict[str, dict[str, Any]] = {
    "must be a tuple": {"answers": list(COINS)},
    "without spaces around it": {"answers": ("fair", " bent", "forged")},
    "all different": {"answers": ("fair", "fair", "forged")},
    "height, width, 3": {"picture": np.zeros((2, 3), dtype=np.uint8)},
}


@pytest.mark.parametrize("sentence", BROKEN_WORLDS)
def test_a_broken_world_is_refused(sentence: str) -> None:
    with pytest.raises(AssertionError, match=sentence):
        check(Coins(**BROKEN_WORLDS[sentence]))


class Constant(Coins):
    """Always deals the first seed's situation."""

    def deal(self, shared_seed: bytes, bearers: int, about: str | None = None) -> Deal:
        return super().deal(b"", bearers, about)


class Forgetful(Coins):
    """Deals something else each time."""

    asked = 0

    def deal(self, shared_seed: bytes, bearers: int, about: str | None = None) -> Deal:
        self.asked += 1
        return super().deal(digest(shared_seed, self.asked), bearers, about)


class Moody(Coins):
    """Chooses the truth by the number of seats."""

    def deal(self, shared_seed: bytes, bearers: int, about: str | None = None) -> Deal:
        return super().deal(shared_seed, bearers, about or COINS[(bearers + shared_seed[0]) % 3])


class Reversed(Coins):
    """Deals the evidence from the last seat to the first."""

    def deal(self, shared_seed: bytes, bearers: int, about: str | None = None) -> Deal:
        deal = super().deal(shared_seed, bearers, about)
        fits = deal.facts["compatible"][::-1]
        return replace(deal, evidence=deal.evidence[::-1], facts={"compatible": fits})


class Stubborn(Coins):
    """Does not take a truth that is given."""

    def deal(self, shared_seed: bytes, bearers: int, about: str | None = None) -> Deal:
        return super().deal(shared_seed, bearers)


class Lenient(Coins):
    """Takes an unknown truth for the first coin."""

    def deal(self, shared_seed: bytes, bearers: int, about: str | None = None) -> Deal:
        known = about if about is None or about in COINS else COINS[0]
        return super().deal(shared_seed, bearers, known)


class Blind(Coins):
    """Keeps back a view that it deals."""

    def views(self, about: str) -> tuple[Evidence, ...]:
        return (Toss(True),)


class Guessing(Coins):
    """Takes any name for heads."""

    def named(self, truth: str, name: str) -> Evidence:
        return Toss(True)


class Headstrong(Coins):
    """Keeps to its own lure."""

    def assemble(self, truth: str, evidence: Sequence[Evidence], lure: str = "") -> Deal:
        return super().assemble(truth, evidence)


class Absent(Coins):
    """Forgets a seat."""

    def assemble(self, truth: str, evidence: Sequence[Evidence], lure: str = "") -> Deal:
        return super().assemble(truth, evidence[1:], lure)


@pytest.mark.parametrize(
    ("world", "sentence"),
    [
        (Constant(), "the seed must decide the truth"),
        (Forgetful(), "equal seeds must give equal deals"),
        (Moody(), "must not depend on the number of bearers"),
        (Reversed(), "evidence must nest"),
        (Stubborn(), "a given truth must be kept"),
        (Lenient(), "must raise SettingError"),
        (Blind(), "must be among the views"),
        (Guessing(), "evidence of an unknown name must raise SettingError"),
        (Headstrong(), "a lure that is given must be kept"),
        (Absent(), "must give the same deal"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Coins) else "",
)
def test_a_world_that_deals_wrongly_is_refused(world: Coins, sentence: str) -> None:
    with pytest.raises(AssertionError, match=sentence):
        check(world)


@pytest.mark.parametrize(
    ("judging", "sentence"),
    [
        ({"grade": lambda answer, facts: False}, "grade must be True for the truth"),
        ({"grade": lambda answer, facts: True}, "and False for other"),
        ({"grade": lambda answer, facts: None}, "it is None"),
        ({"same": lambda a, b, facts: True}, "same must tell allowed answers apart"),
        ({"same": lambda a, b, facts: None}, "same must tell allowed answers apart"),
    ],
)
def test_wrong_grading_is_refused(judging: dict[str, Any], sentence: str) -> None:
    with pytest.raises(AssertionError, match=sentence):
        check_world(Coins(), **{"grade": grade, "same": same, **judging})


class Anything(Riddles):
    """Deals a riddle that it does not have."""

    def deal(self, shared_seed: bytes, bearers: int, about: str | None = None) -> Deal:
        return super().deal(shared_seed, bearers, about if about in self.items else "first")


class Twice(Riddles):
    """Has a riddle twice."""

    items = ("first", "first")


class General(Riddles):
    """Has answers besides those of its riddles."""

    def __init__(self) -> None:
        super().__init__()
        self.answers = COINS


class Hopeless(Riddles):
    """Offers a wrong answer and has no lure."""

    def __init__(self) -> None:
        super().__init__(lambda deal: replace(deal, lure=""))


@pytest.mark.parametrize(
    ("world", "sentence"),
    [
        (Anything(), "a deal about no item must raise SettingError: None"),
        (Twice(), "the items must be all different"),
        (General(), "each item has its own answers"),
        (Hopeless(), "the lure must be allowed and wrong"),
        (Riddles(seen(name=b"toss")), "equal keys"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Coins) else "",
)
def test_a_world_with_unsound_items_is_refused(world: Riddles, sentence: str) -> None:
    with pytest.raises(AssertionError, match=sentence):
        check(world)
