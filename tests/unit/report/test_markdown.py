"""A page as Markdown, whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from socialcircuits.report.markdown import markdown
from socialcircuits.report.page import (
    Adjusted,
    Head,
    Line,
    Number,
    Page,
    Picture,
    Row,
    Section,
    Table,
    Trail,
)
from socialcircuits.statistics import Significance

EXPECTED = """\
# mine: does \\*it\\* hold?

simulated agents: checks the software, not a finding about any model

**FAILED: 1,200 trials.**

## Tests

| # | where | seeds | estimate | p | adjusted p | verdict |
| --- | --- | --: | --: | --: | --: | --- |
| contrasts.1 | N = 8 \\| m<br>minus 4 | 38 | +0.10 (-0.20 to +0.40) \\[1\\] | 0.400 | \
0.400 BH of 1 | open: 0.35 would have been found |
| contrasts.2 | none | 0 | none<br>n 0 |  |  |  |

Differences \\<b\\>.

- \\[1\\] few units.

## Figures

![population](figures/a%20b.png)

population: [PNG](figures/a%20b.png), [PDF](figures/a%20b.pdf)

beliefs not drawn: no \\`trial\\`

```
socialcircuits run "a|b"
N = 4
```
"""


def page() -> Page:
    trail = Trail("differences")
    number = Number(
        "uplift", 0.1, "+0.10", trail, -0.2, 0.4, "-0.20 to +0.40", 38, "seeds",
        Significance(0.4, "sign flips"), detectable="0.35",
        adjusted=Adjusted(0.4, declared=False, among=1), warnings=("few units",),
    )  # fmt: skip
    none = Number("uplift", None, "none", trail, n=0, unit="seeds")
    rows = (Row("a", ("N = 8 | m\nminus 4", number)), Row("b", ("none", none)))
    heads = (Head("where", "where"), Head("difference", "estimate"))
    drawn = Picture("population", (Path("figures/a b.png"), Path("figures/a b.pdf")))
    tests = Section("Tests", (Table("contrasts", "Differences <b>.", heads, rows),))
    typed = Line("", ('socialcircuits run "a|b"\nN = 4',))
    figures = Section("Figures", (drawn, Picture("beliefs", left_out="no `trial`"), typed))
    head = Line(
        "failed", ("FAILED: ", Number("failed", 1200, "1,200", trail), " trials."), loud=True
    )
    label = "simulated agents: checks the software, not a finding about any model"
    return Page("mine: does *it* hold?", label, (head,), (tests, figures))


def test_a_whole_page() -> None:
    assert markdown(page()) == EXPECTED


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a|b", "a\\|b"),
        ("<script>", "\\<script\\>"),
        ("[x](y)", "\\[x\\](y)"),
        ("# head", "\\# head"),
        ("- item - 3", "\\- item - 3"),
        ("3. item", "3\\. item"),
        ("3.5 items", "3\\.5 items"),
        ("~~~", "\\~\\~\\~"),
        ("a\x1b[2J\u202e", "a\\\\u001b\\[2J\\\\u202e"),
    ],
)
def test_no_text_is_taken_for_a_sign(text: str, shown: str) -> None:
    found = markdown(Page(text, "agents", (Line("", (text,)),), ()))
    assert found == f"# {shown}\n\nagents\n\n{shown}\n"
