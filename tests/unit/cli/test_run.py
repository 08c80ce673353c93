"""How the options of `run` are read."""

from __future__ import annotations

import pytest

from socialcircuits.cli.run import models_of
from socialcircuits.errors import SettingError


@pytest.mark.parametrize(
    ("given", "models"),
    [
        ([], {}),
        (["simulated/literal"], {"A": "simulated/literal"}),
        (["B=simulated/literal"], {"B": "simulated/literal"}),
        (["simulated/literal?social=9"], {"A": "simulated/literal?social=9"}),
        (["replay/runs/a=b.db"], {"A": "replay/runs/a=b.db"}),
        (["replay/a", "B=simulated/x?own=1"], {"A": "replay/a", "B": "simulated/x?own=1"}),
    ],
)
def testmodels_of_are_named(given: list[str], models: dict[str, str]) -> None:
    assert models_of(given) == models


@pytest.mark.parametrize("given", [["A="], [""], ["x/y", "A=x/z"], ["B=x/y", "B=x/y"]])
def test_a_model_without_a_name_of_its_own_is_refused(given: list[str]) -> None:
    with pytest.raises(SettingError, match="each name once"):
        models_of(given)
