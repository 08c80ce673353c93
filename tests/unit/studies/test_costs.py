"""What a study will take, before anything is asked."""

from __future__ import annotations

import pytest

from socialcircuits.studies import costs, plan, read

PROTOCOLS = "flag-game/protocols"
SMALL = ["N=4", "rounds=2"]


def test_simulated_agents_take_no_tokens() -> None:
    spent = costs(plan(read(PROTOCOLS, seeds=2, sets=SMALL)))
    assert (spent.prompt, spent.completion, spent.cost_usd) == ((0, 0), (0, 0), (0.0, 0.0))


@pytest.mark.parametrize("model", ["openai/gpt-4o", "openai/gpt-4o-mini", "local/smollm2-135m"])
def test_the_range_needs_no_key_and_grows_with_the_seeds(model: str) -> None:
    one, three = (
        costs(plan(read(PROTOCOLS, models={"A": model}, seeds=seeds, sets=SMALL)))
        for seeds in (1, 3)
    )
    assert 0 < one.prompt[0] < one.prompt[1]
    assert 0 < one.completion[0] < one.completion[1]
    assert three.prompt == (3 * one.prompt[0], 3 * one.prompt[1])
    assert one.cost_usd is not None
    assert one.cost_usd[0] <= one.cost_usd[1]


def test_an_unknown_price_is_said() -> None:
    study = read(PROTOCOLS, models={"A": "openai-compatible/mine"}, seeds=1, sets=SMALL)
    assert costs(plan(study)).cost_usd is None


def test_a_picture_costs_more_than_its_text() -> None:
    seen, read_as_text = (
        costs(plan(read(PROTOCOLS, models={"A": f"openai/gpt-4o?sees={how}"}, seeds=1, sets=SMALL)))
        for how in ("image", "text")
    )
    assert seen.prompt[1] > seen.prompt[0] + 85
    assert read_as_text.prompt[0] > 0
