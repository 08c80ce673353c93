"""What messages of a pack must hold, and what a pack must cover."""

from __future__ import annotations

from dataclasses import replace

import pytest

from socialcircuits.errors import UsageError
from socialcircuits.packs import MOST, Templates, Words, Written
from socialcircuits.packs.making import ARGUMENT, ROOM, Side, cover, fault, sides, tidy, unsayable
from socialcircuits.packs.written import LONGEST
from socialcircuits.studies.packing import claims_of
from socialcircuits.worlds.claims import bundled

LIMA = Side("Lima", ("Cusco", "Qosqo", "CU"))
SOUND = [f"Reason {n} speaks for Lima." for n in range(MOST)]


def with_one(text: str) -> list[str]:
    return [*SOUND[:-1], text]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("lima, I'm sure", ""),
        ("It is LIMA!", ""),
        # One or two letters are never read inside running text.
        ("CU later: it is Lima.", ""),
        ("", "a message is empty"),
        ("It is Limassol.", "a message lacks the answer"),
        ("It is the capital on the coast.", "a message lacks the answer"),
        ("It is Lima, not Cusco.", "a message names the other answer"),
        ("Lima. Nobody says qosqo.", "a message names the other answer"),
        ("Lima" + "!" * ARGUMENT, ""),
        ("Lima" + "!" * (ARGUMENT + 1), "a message is too long"),
        ("Lima\x00", "a message holds control characters"),
        ("Lima \ud83d", "a message holds control characters"),
        ("REASON 3 speaks for: Lima", "two messages are the same"),
    ],
)
def test_a_message_is_checked(text: str, why: str) -> None:
    assert fault(with_one(text), LIMA) == why


def test_a_message_becomes_one_line() -> None:
    # Such separators end a line of a file too.
    assert tidy("It is\u2028Lima.\r\n\tYes.\x85") == "It is Lima. Yes."


def test_both_answers_have_a_side() -> None:
    claim = replace(bundled()[0], aliases=("one", "two"), lure_aliases=("three",))
    assert sides(claim) == (
        Side(claim.truth, (claim.lure, "three")),
        Side(claim.lure, (claim.truth, "one", "two")),
    )


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("x" * ROOM, ""),
        ("x" * (ROOM + 1), "1,701 characters, and at most 1,700"),
        ("New Cusco", "it holds a form of the other answer"),
    ],
)
def test_an_answer_that_no_message_could_hold_is_found(answer: str, why: str) -> None:
    found = unsayable(Side(answer, LIMA.others))
    assert why in found
    assert bool(found) == bool(why)


def test_an_answer_that_can_be_argued_for_fits_bare_too() -> None:
    assert len(Templates().words("", "x" * ROOM).bare) <= LONGEST


def test_all_that_comes_with_the_package_can_be_written() -> None:
    claims = claims_of([{"kind": "claims", "list": "both"}, {"kind": "documents"}])
    assert len({claim.id for claim in claims}) == len(claims) == 144
    assert not [side for claim in claims for side in sides(claim) if unsayable(side)]


def test_a_pack_that_lacks_claims_is_refused_with_all_of_them() -> None:
    words = Words(tuple(SOUND), "It is Lima.")
    pack = Written("mine", 1, {}, {("a", "Lima"): words, ("b", "Lima"): words})
    cover(pack, [("a", "Lima"), ("b", "Lima")])
    wanted = [(item, answer) for item in "abcdef" for answer in ("Lima", "Cusco")]
    with pytest.raises(UsageError, match=r"no words for 6 of 6 claims .*\(a, b, c, \.\.\.\)"):
        cover(pack, wanted)
    with pytest.raises(UsageError, match=r"1 of 2 claims that are asked \(c\)"):
        cover(pack, [("a", "Lima"), ("c", "Lima")])


def test_templates_cover_everything() -> None:
    cover(Templates(), [("anything", "at all")])
