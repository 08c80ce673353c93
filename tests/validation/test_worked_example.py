"""The page on statistics: its examples run as they stand, its worked example holds."""

from __future__ import annotations

import doctest
import json
import re
from pathlib import Path

import pytest

from socialcircuits.statistics.shares import fisher
from tests.form.sources import ROOT

PAGE = ROOT / "docs" / "explanation" / "statistics.md"
TEXT = PAGE.read_text(encoding="utf-8")
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)

TRIALS = {4: 38, 8: 38, 16: 38, 32: 38, 64: 38, 128: 37}
PRINTED = json.loads((Path(__file__).parent / "data" / "flag_game_table3.json").read_text())
"""Table 3 of the paper: N -> class -> smallest and largest percentage of trials."""


def test_the_examples_run_as_they_stand() -> None:
    examples = "\n".join(match[1] for match in BLOCK.finditer(TEXT))
    found = doctest.DocTestParser().get_doctest(examples, {}, PAGE.name, str(PAGE), 0)
    assert len(found.examples) > 40
    failed, tried = doctest.DocTestRunner().run(found)
    assert (failed, tried) == (0, len(found.examples))


def counts(percent: float, trials: int) -> list[int]:
    return [k for k in range(trials + 1) if round(100 * k / trials, 1) == percent]


@pytest.mark.parametrize("size", TRIALS, ids=str)
def test_printed_percentages_are_counts_of_so_many_trials(size: int) -> None:
    printed = PRINTED[str(size)]
    flat = [percent for ends in printed.values() for percent in ends]
    possible = [n for n in range(20, 61) if all(counts(percent, n) for percent in flat)]
    assert possible == [TRIALS[size]]
    row = next(
        line for line in TEXT.splitlines() if line.startswith(f"| {size} | {TRIALS[size]} |")
    )
    for name, cell in zip(("correct", "wrong", "polarized"), row.split(" | ")[2:5], strict=True):
        low, high = (counts(percent, TRIALS[size])[0] for percent in printed[name])
        assert cell.strip(" |") == (f"{low} to {high}" if low < high else str(low))


def test_what_the_page_concludes_holds_at_every_count_of_the_ranges() -> None:
    def p_values(name: str, first: int, second: int) -> list[float]:
        sides = [
            [(k, TRIALS[n]) for low, high in [PRINTED[str(n)][name]] for k in span(n, low, high)]
            for n in (first, second)
        ]
        return [fisher(*one, *other).p for one in sides[0] for other in sides[1]]

    def span(n: int, low: float, high: float) -> range:
        return range(counts(low, TRIALS[n])[0], counts(high, TRIALS[n])[0] + 1)

    assert min(p_values("correct", 16, 128)) > 0.2
    assert min(p_values("correct", 16, 4)) > 0.8
    assert max(p_values("polarized", 128, 4)) == pytest.approx(0.0047, abs=5e-5)
    assert max(p_values("wrong", 128, 4)) == pytest.approx(0.0010, abs=5e-5)
