"""What calls cost, to the billionth."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from socialcircuits.errors import SettingError
from socialcircuits.graph.vocabulary import Segment
from socialcircuits.models import Completion, Price, Request, load_prices
from socialcircuits.models.openai_compatible import _white_png
from socialcircuits.models.prices import prompt_bound

PRICE = Price(2500, 1250, 10000)
TEXT = Segment("user", "text", "Côte".encode())
REQUEST = Request((TEXT,), 100)


def test_the_file_of_the_package() -> None:
    prices = load_prices()
    assert prices.date == date(2026, 6, 1)
    assert prices.of("openai/gpt-4o") == PRICE
    assert prices.of("openai/gpt-4.1-nano") == Price(100, 25, 400)
    assert prices.of("openai/gpt-4o-2024-05-13") is None
    assert all(p.cached <= p.prompt <= p.completion for p in prices.models.values())


@pytest.mark.parametrize("name", ["local/smollm2-135m-abc", "scripted/x"])
def test_what_bills_nobody(name: str) -> None:
    assert load_prices().of(name) == Price(0, 0, 0)


def test_a_cost() -> None:
    counted = Completion("", prompt_tokens=1000, completion_tokens=50, cached_tokens=400)
    assert PRICE.cost(REQUEST, counted) == 600 * 2500 + 400 * 1250 + 50 * 10000


def test_what_was_not_counted_costs_its_worst() -> None:
    bound = prompt_bound(REQUEST)
    assert PRICE.worst(REQUEST) == bound * 2500 + 100 * 10000
    assert PRICE.cost(REQUEST, Completion("")) == PRICE.worst(REQUEST)
    half = Completion("", prompt_tokens=10, completion_tokens=None, cached_tokens=99)
    assert PRICE.cost(REQUEST, half) == 10 * 1250 + 100 * 10000


def test_the_bound_counts_bytes_images_schema_and_prefill() -> None:
    plain = prompt_bound(REQUEST)
    assert plain == 16 + 16 + len(TEXT.data)
    assert prompt_bound(Request((TEXT,), 1, prefill="é")) == plain + 2
    assert prompt_bound(Request((TEXT,), 1, schema={"a": 1})) == plain + len('{"a": 1}')
    small, large = (Segment("user", "image", _white_png(side)) for side in (150, 700))
    assert prompt_bound(Request((TEXT, small), 1)) == plain + 16 + 2833 + 5667
    assert prompt_bound(Request((TEXT, large), 1)) == plain + 16 + 2833 + 4 * 5667
    assert prompt_bound(Request((TEXT, Segment("user", "image", b"?")), 1)) > plain + 8500


def test_a_file_of_one_s_own(tmp_path: Path) -> None:
    path = tmp_path / "prices.toml"
    row = '"lab/m" = { prompt = 1, completion = 0.0001 }'
    path.write_text(f"date = 2026-11-30\n[models]\n{row}", encoding="utf-8")
    prices = load_prices(path)
    assert prices.of("lab/m") == Price(1000, 1000, 1)
    assert prices.of("openai/gpt-4o") is None


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("date = 2026-11-30", "nothing else"),
        ("[models]", "date"),
        ("date = '2026-11-30'\n[models]", "a day"),
        ("date = 2026-11-30\nmodels = 3", "nothing else"),
        ("date = 2026-11-30\n[models]\na = 3", "prompt, completion"),
        ("date = 2026-11-30\n[models]\na = { prompt = 1 }", "prompt, completion"),
        ("date = 2026-11-30\n[models]\na = { prompt = -1, completion = 1 }", "from 0"),
        ("date = 2026-11-30\n[models]\na = { prompt = nan, completion = 1 }", "from 0"),
        ("date = 2026-11-30\n[models]\na = { prompt = true, completion = 1 }", "from 0"),
        ("date = 2026-11-30\n[models]\na = { prompt = '1', completion = 1 }", "from 0"),
        ('date = 2026-11-30\ncurrency = "EUR"\n[models]', "currency.*USD"),
        (
            "date = 2026-11-30\n[models]\na = { prompt = 1, completion = 1, batch = 2 }",
            "batch.*0 to 1",
        ),
        ("[models", "valid TOML"),
    ],
)
def test_a_damaged_file(text: str, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "prices.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SettingError, match=sentence):
        load_prices(path)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="readable"):
        load_prices(tmp_path / "none.toml")


def test_in_a_batch(tmp_path: Path) -> None:
    path = tmp_path / "prices.toml"
    rows = (
        '"lab/m" = { prompt = 1, cached = 0.1, completion = 3, batch = 0.5 }\n'
        '"lab/full" = { prompt = 1, cached = 0.1, completion = 3 }\n'
        '"lab/odd" = { prompt = 0.0001, completion = 0.0001, batch = 0.5 }\n'
    )
    path.write_text(f'date = 2026-11-30\ncurrency = "USD"\n[models]\n{rows}', encoding="utf-8")
    prices = load_prices(path)
    # Cached tokens may cost a tenth, or half, or both: they are counted at the half.
    assert prices.in_batch("lab/m") == Price(500, 500, 1500)
    assert prices.of("lab/m") == Price(1000, 100, 3000)
    assert prices.in_batch("lab/full") == prices.of("lab/full")
    assert prices.in_batch("lab/odd") == Price(1, 1, 1)
    assert prices.in_batch("lab/unknown") is None
    assert prices.in_batch("local/small") == Price(0, 0, 0)


def test_what_a_server_bills_is_what_it_costs() -> None:
    billed = Completion("", prompt_tokens=1000, completion_tokens=50, billed=77)
    assert PRICE.cost(REQUEST, billed) == 77


@pytest.mark.parametrize("name", ["ollama/qwen3", "vllm/m", "openrouter/m", "openai/gpt-99"])
def test_an_unknown_price_is_not_zero(name: str) -> None:
    assert load_prices().of(name) is None
