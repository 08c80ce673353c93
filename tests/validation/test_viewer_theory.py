"""The theory of the viewer's page, in TypeScript, agrees with the theory of this package."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from socialcircuits.seeds import Stream
from socialcircuits.theory import outcomes

VIEWER = Path(__file__).parents[2] / "viewer"
COMPILER = VIEWER / "node_modules" / ".bin" / "tsc"
LARGEST = 128
TOLERANCE = 1e-9

pytestmark = [
    pytest.mark.skipif(shutil.which("node") is None, reason="there is no node"),
    pytest.mark.skipif(not COMPILER.exists(), reason="npm ci was not run in viewer/"),
]

SCRIPT = """
const { groups, mostLikely, CLASSES, VALUES, LARGEST } = require("./outcomes.js");
const finished = (work) => {
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
};
const asked = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
const rows = asked.map(({ n, shares, total, ...dynamics }) => {
  const found = finished(groups(n, dynamics)(shares, total));
  const most = [3, 4].map((kinds) => shares.map((_, i) => mostLikely(found, kinds, VALUES * i)));
  return { values: [...found], most };
});
console.log(JSON.stringify({ rows, classes: CLASSES, largest: LARGEST }));
"""


class Setting(NamedTuple):
    """One row of a phase map, with the names of both sides."""

    n: int
    shares: list[float]
    total: float
    bias: float
    rounds: int | None
    distinct: bool


def compiled(folder: Path) -> Path:
    """Compile the module as it is in the page and put the script beside it."""
    source = VIEWER / "src" / "theory" / "outcomes.ts"
    options = ("--ignoreConfig", "--target", "es2023", "--module", "commonjs", "--outDir")
    subprocess.run([COMPILER, source, *options, folder], check=True, cwd=VIEWER, timeout=120)
    script = folder / "compare.js"
    script.write_text(SCRIPT, encoding="utf-8")
    return script


def in_the_page(script: Path, settings: list[Setting]) -> dict[str, Any]:
    asked = json.dumps([setting._asdict() for setting in settings])
    done = subprocess.run(
        ["node", script], input=asked, capture_output=True, text=True, check=True, timeout=120
    )
    found = json.loads(done.stdout)
    assert isinstance(found, dict)
    return found


def here(setting: Setting) -> outcomes.PhaseMap:
    apart = not setting.distinct
    return outcomes.phase_map(
        [setting.n], setting.shares, setting.total, setting.bias, setting.rounds, apart
    )


def drawn(many: int) -> list[Setting]:
    """Draw settings; every second one is after some rounds, and those of small groups."""
    stream = Stream(b"viewer", "theory")
    settings = []
    for place in range(many):
        stepped = place % 2 == 1
        settings.append(
            Setting(
                n=1 + stream.below(48 if stepped else LARGEST),
                shares=[stream.below(10_001) / 10_000],
                total=stream.below(1_001) / 1_000,
                bias=(stream.below(8_001) - 4_000) / 1_000,
                rounds=stream.below(30) if stepped else None,
                distinct=stream.below(2) == 1,
            )
        )
    return settings


EXTREMES = [
    Setting(1, [0.0, 1.0], 0.0, 0.0, None, False),
    Setting(1, [0.5], 1.0, 0.0, 3, True),
    Setting(2, [0.0, 0.5, 1.0], 1.0, 0.3, None, False),
    Setting(20, [0.15, 0.85], 1.0, 0.0, 0, False),
    Setting(64, [0.4], 0.02, -4.0, None, False),
    Setting(64, [0.4], 0.02, 4.0, None, False),
    Setting(128, [0.0, 0.35, 0.5, 1.0], 0.45, 0.3, None, False),
    Setting(128, [0.35], 0.45, 0.3, 2, True),
    Setting(128, [0.999], 0.99, 1e-19, None, False),
    Setting(128, [0.9], 0.1, 4.0, None, False),
    Setting(128, [0.1], 0.1, -4.0, None, False),
]


def test_fifty_settings_and_the_extremes(tmp_path: Path) -> None:
    settings = [*drawn(50), *EXTREMES]
    found = in_the_page(compiled(tmp_path), settings)
    assert found["classes"] == list(outcomes.CLASSES)
    assert found["largest"] == LARGEST
    for setting, row in zip(settings, found["rows"], strict=True):
        exact = here(setting)
        parts = (*outcomes.CLASSES, "truth_share")
        values = [float(getattr(exact, p)[0, i]) for i in range(len(setting.shares)) for p in parts]
        away = [abs(a - b) for a, b in zip(row["values"], values, strict=True)]
        assert max(away) < TOLERANCE, (setting, row["values"], values)
        for kinds, most in zip((3, 4), row["most"], strict=True):
            assert [most] == exact.most_likely(kinds).tolist(), setting
