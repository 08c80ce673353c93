"""The default character against the published behaviour it is set on (arXiv 2609.19124): the
accuracy of a first answer from one crop. It checks the software; it is no finding."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from socialcircuits.agents import CHARACTERS, load
from socialcircuits.graph import Brief, Observation
from socialcircuits.seeds import digest, draw, pack
from socialcircuits.worlds.flags import FlagEvidence, FlagSettings, FlagWorld

DEFAULT = next(iter(CHARACTERS))


def crops(world: FlagWorld) -> Iterator[tuple[str, FlagEvidence]]:
    """Every crop of every flag of the pool, each as likely as in a deal."""
    width, height = (
        whole - part + 1
        for whole, part in zip(world.settings.canvas, world.settings.crop, strict=True)
    )
    for country in world.answers:
        for position in ((x, y) for y in range(height) for x in range(width)):
            yield country, world.evidence(country, position)


def isolated_accuracy(model: str, pool: str, draws: int) -> tuple[float, int]:
    """Share of right isolated guesses over all crops of a pool, and how many guesses there were."""
    world, mind, right, asked = FlagWorld(FlagSettings(pool=pool)), load(model), 0, 0
    series = pack("0", "guess", "")
    for number, (country, evidence) in enumerate(crops(world)):
        seen = Observation(
            digest(evidence.key),
            "guess",
            "",
            Brief(bandwidth=1),
            False,
            world.answers,
            evidence,
            (),
        )
        for nth in range(draws):
            reply = mind.answer(seen, draw(digest("isolated", number), series, nth, 0))
            right += reply.answer == country
            asked += 1
    return right / asked, asked


def test_the_default_character_sees_as_much_of_a_stripe_flag_as_published() -> None:
    accuracy, asked = isolated_accuracy(f"simulated/{DEFAULT}", "stripe24", draws=2)
    assert asked == 24 * 247 * 2 == 11_856
    assert 0.29 < accuracy < 0.36


@pytest.mark.parametrize("pool", ["stripe24", "paper28"])
def test_a_perfect_reader_of_one_crop_is_right_as_often_as_can_be(pool: str) -> None:
    # Without prior, misreading and error: the most likely flag is right .42 of the time, a flag
    # sampled from the posterior .39.
    perfect = "simulated/literal?error=-28000&salience=0&reading=0&unclear=0&temperature={}"
    best, _ = isolated_accuracy(perfect.format(1), pool, draws=1)
    sampled, _ = isolated_accuracy(perfect.format(100), pool, draws=2)
    assert best == pytest.approx(0.42, abs=0.005)
    assert sampled == pytest.approx(0.39, abs=0.012)
