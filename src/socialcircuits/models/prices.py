"""What a call costs, in billionths of a US dollar, by a dated file that users can replace."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import ROUND_CEILING, Decimal
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from socialcircuits.errors import SettingError
from socialcircuits.graph.vocabulary import Segment
from socialcircuits.models.interface import Completion, Request

PER_USD = 1_000_000_000
"""Costs are whole billionths of a US dollar, so that sums are exact."""

FREE = frozenset({"local", "scripted"})
"""Providers that bill nobody."""

MESSAGE_TOKENS = 16
IMAGE_TOKENS, TILE_TOKENS, TILE = 2_833, 5_667, 512
"""The dearest count in use for an image of high detail (gpt-4o-mini): a base and so many a tile."""

MOST_TILES = 16

_NAMES = {"date", "currency", "models"}


class Price(NamedTuple):
    """Billionths of a US dollar a token: one dollar per million tokens is 1000.

    Args:
        prompt: for prompt tokens.
        cached: for prompt tokens from the provider's cache.
        completion: for completion tokens, reasoning included.
    """

    prompt: int
    cached: int
    completion: int

    def worst(self, request: Request) -> int:
        """Return the most that a request can cost; see `prompt_bound`.

        >>> Price(2500, 1250, 10000).worst(Request((Segment("user", "text", b"Hi"),), 10))
        185000
        """
        return prompt_bound(request) * self.prompt + request.max_tokens * self.completion

    def cost(self, request: Request, completion: Completion) -> int:
        """Return what a call cost: what the server says, or else by its counts; what it did not
        count is taken at its worst.

        >>> request = Request((), 10)
        >>> Price(2500, 1250, 10000).cost(request, Completion("", "", "", 100, 4, cached_tokens=60))
        215000
        """
        if completion.billed is not None:
            return completion.billed
        prompt, generated = completion.prompt_tokens, completion.completion_tokens
        prompt = prompt_bound(request) if prompt is None else prompt
        generated = request.max_tokens if generated is None else generated
        cached = min(completion.cached_tokens, prompt)
        fresh = (prompt - cached) * self.prompt
        return fresh + cached * self.cached + generated * self.completion


@dataclass(frozen=True)
class Prices:
    """What models cost.

    Args:
        date: the day for which the prices hold.
        models: name of a model -> its price.
        batches: name of a model -> its price in a batch, where that is another one.
    """

    date: date
    models: Mapping[str, Price]
    batches: Mapping[str, Price] = field(default_factory=dict)

    def of(self, name: str) -> Price | None:
        """Return the price of a model, or None where it is not known.

        >>> load_prices().of("openai/gpt-4o")
        Price(prompt=2500, cached=1250, completion=10000)
        """
        if name.partition("/")[0] in FREE:
            return Price(0, 0, 0)
        return self.models.get(name)

    def in_batch(self, name: str) -> Price | None:
        """Return the price of a model in a batch, or None where the model's price is not known.
        What is not said to be cheaper in a batch costs what it costs else.

        >>> load_prices().in_batch("openai/gpt-4o")
        Price(prompt=1250, cached=1250, completion=5000)
        """
        return self.batches.get(name) or self.of(name)


def prompt_bound(request: Request) -> int:
    """Return a number of prompt tokens that no tokenizer exceeds: one for each byte of text, some
    for each message, and the dearest count in use for each image.

    >>> prompt_bound(Request((Segment("user", "text", b"Hi"),), 10))
    34
    """
    total = MESSAGE_TOKENS + len(request.prefill.encode("utf-8", "replace"))
    for segment in request.segments:
        size = len(segment.data) if segment.kind == "text" else _image_tokens(segment)
        total += MESSAGE_TOKENS + size
    if request.schema is not None:
        total += len(json.dumps(dict(request.schema)))
    return total


def load_prices(path: Path | None = None) -> Prices:
    """Read prices from the user's file, or those that come with the package.

    Args:
        path: a TOML file with a ``date``, a ``currency`` (US dollars, also if absent) and, under
            ``[models]``, for each name a table with ``prompt``, ``completion`` and ``cached`` (as
            ``prompt`` if absent), in US dollars per million tokens, and ``batch``, the part of the
            price that is paid in a batch, 0 to 1 (1 if absent; there cached tokens are counted
            like others, since the two discounts need not go together).

    Raises:
        SettingError: the file cannot be read or is not of this form.

    >>> load_prices().date.isoformat()
    '2026-06-01'
    """
    where = str(path) if path else "prices.toml"
    source = path or resources.files("socialcircuits.models") / "prices.toml"
    try:
        found = tomllib.loads(source.read_text(encoding="utf-8"), parse_float=Decimal)
    except (OSError, UnicodeDecodeError):
        raise SettingError("--prices", where, "a readable UTF-8 file") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingError("--prices", where, f"valid TOML ({error})") from None
    day, models = found.get("date"), found.get("models")
    if type(day) is not date:
        raise SettingError(f"{where}: date", day, "a day, for example 2026-06-01")
    if found.get("currency", "USD") != "USD":
        raise SettingError(f"{where}: currency", found["currency"], "USD, as limits on cost are")
    if not isinstance(models, dict) or not {"date", "models"} <= set(found) <= _NAMES:
        raise SettingError(where, sorted(found), "date, currency and [models], nothing else")
    rows = {name: _row(f"{where}: models.{name}", row) for name, row in models.items()}
    whole = {name: _price(row, Decimal(1), row["cached"]) for name, row in rows.items()}
    # A discount on cached tokens need not go together with that on batches.
    halved = {
        name: _price(row, row["batch"], row["prompt"])
        for name, row in rows.items()
        if row["batch"] < 1
    }
    return Prices(day, whole, halved)


def _row(where: str, row: Any) -> dict[str, Decimal]:
    needed, names = {"prompt", "completion"}, {"prompt", "cached", "completion", "batch"}
    if not isinstance(row, dict) or not needed <= set(row) <= names:
        expected = "a table with prompt, completion and, if known, cached and batch"
        raise SettingError(where, row, expected)
    return {
        "prompt": _dollars(f"{where}.prompt", row["prompt"]),
        "cached": _dollars(f"{where}.cached", row.get("cached", row["prompt"])),
        "completion": _dollars(f"{where}.completion", row["completion"]),
        "batch": _part(f"{where}.batch", row.get("batch", 1)),
    }


def _dollars(where: str, value: Any) -> Decimal:
    number = _number(value)
    if not (number.is_finite() and number >= 0):
        raise SettingError(where, value, "US dollars per million tokens, from 0")
    return number


def _part(where: str, value: Any) -> Decimal:
    number = _number(value)
    if not (number.is_finite() and 0 <= number <= 1):
        raise SettingError(where, value, "a part of the price, 0 to 1")
    return number


def _number(value: Any) -> Decimal:
    whole = isinstance(value, int | Decimal) and not isinstance(value, bool)
    return Decimal(value) if whole else Decimal("NaN")


def _price(row: Mapping[str, Decimal], part: Decimal, cached: Decimal) -> Price:
    dollars = (row["prompt"], cached, row["completion"])
    return Price(*(int((part * d * 1000).to_integral_value(ROUND_CEILING)) for d in dollars))


def _image_tokens(segment: Segment) -> int:
    """A bound for one PNG picture, from the size in its header."""
    width, height = (int.from_bytes(segment.data[i : i + 4], "big") for i in (16, 20))
    tiles = -(-width // TILE) * -(-height // TILE)
    return IMAGE_TOKENS + TILE_TOKENS * min(max(tiles, 1), MOST_TILES)
