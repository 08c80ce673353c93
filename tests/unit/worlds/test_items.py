"""What worlds of items share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from socialcircuits.errors import SettingError
from socialcircuits.worlds import load
from socialcircuits.worlds._items import (
    are_texts,
    check_flags,
    check_known,
    check_needs_file,
    check_texts,
    read_settings,
)

KINDS = ("questions", "claims", "documents")


@dataclass(frozen=True)
class Settings:
    file: str = ""
    loud: Any = False
    names: tuple[str, ...] = ()


@pytest.mark.parametrize("kind", KINDS)
def test_every_world_of_items_deals_one_item_to_all_seats(kind: str) -> None:
    world = load(kind, {})
    for item in world.items:
        deal = world.deal(b"any", 3, item)
        assert len({seen.key for seen in deal.evidence}) == 1
        assert (deal.facts["item"], deal.facts["world"]) == (item, kind)
        assert world.deal(b"another", 3, item) == deal
        (view,) = world.views(item)
        assert world.assemble(deal.truth, [view] * 3) == deal
    assert (world.answers, dict(world.aliases), world.picture("x")) == ((), {}, None)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_item_is_refused(kind: str) -> None:
    world = load(kind, {})
    near = world.items[0][:-1]
    with pytest.raises(SettingError) as caught:
        world.deal(b"any", 2, near)
    assert (caught.value.where, caught.value.nearest) == ("$.trial.truth", world.items[0])
    with pytest.raises(SettingError, match=r"\$\.trial\.N: 0 .* at least 1 seat that sees the "):
        world.deal(b"any", 0, world.items[0])
    with pytest.raises(SettingError, match="none: every seat sees the"):
        world.named("x", world.items[0])
    both = [*world.views(world.items[0]), *world.views(world.items[1])]
    with pytest.raises(SettingError, match=f"that of one {kind[:-1]}$"):
        world.assemble("x", both)


@pytest.mark.parametrize("kind", KINDS)
def test_only_some_are_taken_in_the_order_of_the_list(kind: str) -> None:
    whole = load(kind, {})
    some = load(kind, {"only": [whole.items[3], whole.items[1]]})
    assert some.items == (whole.items[1], whole.items[3])
    assert some.fingerprint != whole.fingerprint
    with pytest.raises(SettingError) as caught:
        load(kind, {"only": [whole.items[0] + "x"]})
    assert (caught.value.where, caught.value.nearest) == ("$.world.only", whole.items[0])


def test_settings_are_read_by_name_and_lists_become_tuples() -> None:
    assert read_settings(Settings, "small", {"names": ["a"]}).names == ("a",)
    with pytest.raises(SettingError, match="a setting of the small world") as caught:
        read_settings(Settings, "small", {"nams": ["a"]})
    assert (caught.value.where, caught.value.nearest) == ("$.world", "names")


def test_settings_of_the_wrong_kind_are_refused() -> None:
    given: dict[str, Any] = {"file": 3, "loud": "yes"}
    wrong = Settings(**given)
    with pytest.raises(SettingError, match=r"^\$\.world\.file: 3 .* expected text$"):
        check_texts(wrong, "file")
    with pytest.raises(SettingError, match=r"^\$\.world\.loud: 'yes' .* expected true or false$"):
        check_flags(wrong, "loud")
    check_texts(Settings(), "file")
    check_flags(Settings(), "loud")
    assert not are_texts(["a"])
    assert not are_texts((1,))


def test_what_is_about_a_file_needs_one() -> None:
    loud = Settings(loud=True)
    check_needs_file(loud, "mine.csv", "loud")
    check_needs_file(Settings(), "", "loud")
    with pytest.raises(SettingError, match="nothing where no file is named"):
        check_needs_file(loud, "", "loud")


def test_names_that_are_not_there_are_refused() -> None:
    check_known("only", ("b",), ["a", "b"])
    with pytest.raises(SettingError, match=r"only: 'c' .* expected one of 2, such as a, b"):
        check_known("only", ("b", "c"), ["a", "b"])
