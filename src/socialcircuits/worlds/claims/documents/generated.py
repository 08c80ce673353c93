"""Documents made on demand from templates: nobody has read them, so no model can know them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from socialcircuits.seeds import Stream, digest
from socialcircuits.worlds.claims.building import fill
from socialcircuits.worlds.claims.item import Claim, Document

__all__ = ["generated", "most"]


def generated(number: int, seed: int) -> tuple[Document, ...]:
    """Return documents made from the templates, each kind in turn.

    Equal numbers and seeds give equal documents on every machine, and more of them begin with the
    same ones. No name is used twice.

    Args:
        number: how many, 1 to `most()`.
        seed: from 0; whoever does not know it cannot make the same.

    >>> one, two = generated(2, 7)
    >>> one.claim.truth, one.claim.truth in one.passage, one.claim.lure in one.passage
    ('17 weeks', True, False)
    """
    stream = Stream(digest("generated documents", seed), "order")
    kinds = stream.shuffled(_templates()["template"])
    names = stream.shuffled(_names())[:number]
    return tuple(
        _made(kinds[place % len(kinds)], name, f"generated-{seed}-{place + 1}")
        for place, name in enumerate(names)
    )


def most() -> int:
    """Return how many documents there are for one seed.

    >>> most()
    960
    """
    return len(_names())


def _made(kind: Mapping[str, Any], name: str, id: str) -> Document:  # noqa: A002 - the field's name
    stream = Stream(digest("generated document", id), kind["name"])
    drawn = {listed: iter(stream.shuffled(_values(listed))) for listed in _listed(kind)}
    truth, lure = (next(drawn[kind["answers"]]) for _ in range(2))
    places = {place: next(drawn[listed]) for place, listed in kind["places"].items()}
    claim = Claim(
        id=id,
        question=fill(kind["question"], name=name),
        truth_statement=fill(kind["statement"], name=name, answer=truth),
        false_statement=fill(kind["statement"], name=name, answer=lure),
        truth=truth,
        lure=lure,
        relation=kind["relation"],
        source="templates.toml (generated)",
    )
    return Document(claim, fill(kind["passage"], name=name, truth=truth, **places).strip())


def _listed(kind: Mapping[str, Any]) -> list[str]:
    return sorted({kind["answers"], *kind["places"].values()})


@cache
def _values(name: str) -> tuple[str, ...]:
    values = _templates()["values"][name]
    return tuple(values if isinstance(values, list) else _numbers(values))


def _numbers(values: Mapping[str, Any]) -> Iterator[str]:
    for number in range(values["least"], values["most"] + 1, values["step"]):
        yield values["form"].format(number)


@cache
def _names() -> tuple[str, ...]:
    names = _templates()["names"]
    return tuple(start + end for start in names["starts"].split() for end in names["ends"].split())


@cache
def _templates() -> Mapping[str, Any]:
    folder = files("socialcircuits.worlds.claims.documents")
    return tomllib.loads(folder.joinpath("templates.toml").read_text("utf-8"))
