from __future__ import annotations

import subprocess
import sys

import pytest

from socialcircuits.errors import SettingError
from socialcircuits.graph import World
from socialcircuits.worlds import CATALOGUE, load


@pytest.mark.parametrize("kind", CATALOGUE)
def test_every_world_loads_with_its_defaults(kind: str) -> None:
    world: World = load(kind, {})
    assert world.kind == kind
    assert len(world.answers or world.items) >= 2


def test_an_unknown_world_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(SettingError) as caught:
        load("flag", {})
    assert caught.value.where == "$.world.kind"
    assert caught.value.nearest == "flags"


def test_an_unknown_setting_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(SettingError) as caught:
        load("flags", {"canvass": [24, 16]})
    assert caught.value.where == "$.world"
    assert caught.value.nearest == "canvas"


def test_a_world_is_imported_only_when_asked_for() -> None:
    script = "import sys, socialcircuits.worlds; print('numpy' in sys.modules, end='')"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout == "False"


@pytest.mark.parametrize("kind", CATALOGUE)
def test_dealing_loads_no_picture_library(kind: str) -> None:
    script = (
        f"import sys; from socialcircuits.worlds import load; world = load({kind!r}, {{}})"
        "; deal = world.deal(b's', 8, *world.items[:1])"
        "; [(e.log_belief(), e.reasons(), e.text(), e.key) for e in deal.evidence]"
        "; print('PIL' in sys.modules, end='')"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout == "False"
