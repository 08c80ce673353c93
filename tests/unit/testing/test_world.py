"""The kit for worlds: passes what is sound, and every rule can fail."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from socialcircuits.errors import SettingError
from socialcircuits.graph import Deal, Evidence
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
    aliases: Mapping[str, str] = MappingProxyType({})

    def __init__(
        self,
        spoil: Callable[[Deal], Deal] = lambda deal: deal,
        *,
        answers: Any = COINS,
        grade: Callable[[str, str], bool] = str.__eq__,
        picture: Any = None,
    ) -> None:
        self.answers, self.grade, self._spoil, self._picture = answers, grade, spoil, picture

    def picture(self, answer: str) -> Any:
        return self._picture

    def deal(self, shared_seed: bytes, bearers: int, truth: str | None = None) -> Deal:
        if truth is not None and truth not in COINS:
            raise SettingError("$.world.truth", truth, "a coin", among=COINS)
        truth = truth or Stream(shared_seed, "truth").choice(COINS)
        fall = Stream(shared_seed, "tosses")
        tosses = tuple(Toss(fall.below(2) == 1 or truth == "forged") for _ in range(bearers))
        return self._spoil(Coins.assemble(self, truth, tosses))

    def views(self, truth: str) -> tuple[Evidence, ...]:
        return (Toss(True),) if truth == "forged" else (Toss(True), Toss(False))

    def named(self, truth: str, name: str) -> Evidence:
        if name not in ("heads", "tails"):
            raise SettingError("$.world.toss", name, "heads or tails")
        return Toss(name == "heads")

    def assemble(self, truth: str, evidence: Sequence[Evidence], lure: str = "") -> Deal:
        tosses = [toss for toss in evidence if isinstance(toss, Toss)]
        lure = lure or ("bent" if truth != "bent" else "fair")
        fits = [[0, 1, 2] if toss.heads else [0, 1] for toss in tosses]
        return Deal(truth, COINS, lure, tuple(tosses), {"compatible": fits})


def test_a_sound_world_passes() -> None:
    check_world(Coins())
    check_world(Coins(picture=np.zeros((2, 3, 3), dtype=np.uint8)))


@pytest.mark.parametrize("kind", CATALOGUE)
def test_our_own_worlds_pass(kind: str) -> None:
    check_world(load(kind, {}))


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
    "in its order": lambda deal: replace(deal, answers=COINS[::-1]),
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
        check_world(Coins(BROKEN_DEALS[sentence]))


BROKEN_WORLDS: dict[str, dict[str, Any]] = {
    "must be a tuple": {"answers": list(COINS)},
    "without spaces around it": {"answers": ("fair", " bent", "forged")},
    "all different": {"answers": ("fair", "fair", "forged")},
    "grade must be True": {"grade": lambda answer, truth: False},
    "grade must be False": {"grade": lambda answer, truth: True},
    "height, width, 3": {"picture": np.zeros((2, 3), dtype=np.uint8)},
}


@pytest.mark.parametrize("sentence", BROKEN_WORLDS)
def test_a_broken_world_is_refused(sentence: str) -> None:
    with pytest.raises(AssertionError, match=sentence):
        check_world(Coins(**BROKEN_WORLDS[sentence]))


class Constant(Coins):
    """Always deals the first seed's situation."""

    def deal(self, shared_seed: bytes, bearers: int, truth: str | None = None) -> Deal:
        return super().deal(b"", bearers, truth)


class Forgetful(Coins):
    """Deals something else each time."""

    asked = 0

    def deal(self, shared_seed: bytes, bearers: int, truth: str | None = None) -> Deal:
        self.asked += 1
        return super().deal(digest(shared_seed, self.asked), bearers, truth)


class Moody(Coins):
    """Chooses the truth by the number of seats."""

    def deal(self, shared_seed: bytes, bearers: int, truth: str | None = None) -> Deal:
        return super().deal(shared_seed, bearers, truth or COINS[(bearers + shared_seed[0]) % 3])


class Reversed(Coins):
    """Deals the evidence from the last seat to the first."""

    def deal(self, shared_seed: bytes, bearers: int, truth: str | None = None) -> Deal:
        deal = super().deal(shared_seed, bearers, truth)
        fits = deal.facts["compatible"][::-1]
        return replace(deal, evidence=deal.evidence[::-1], facts={"compatible": fits})


class Stubborn(Coins):
    """Does not take a truth that is given."""

    def deal(self, shared_seed: bytes, bearers: int, truth: str | None = None) -> Deal:
        return super().deal(shared_seed, bearers)


class Lenient(Coins):
    """Takes an unknown truth for the first coin."""

    def deal(self, shared_seed: bytes, bearers: int, truth: str | None = None) -> Deal:
        known = truth if truth is None or truth in COINS else COINS[0]
        return super().deal(shared_seed, bearers, known)


class Blind(Coins):
    """Keeps back a view that it deals."""

    def views(self, truth: str) -> tuple[Evidence, ...]:
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
        check_world(world)
