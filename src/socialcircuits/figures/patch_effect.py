"""How much a patch of crops changes collective accuracy as the population grows."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from socialcircuits.errors import SettingError
from socialcircuits.figures.evidence_share import BESIDE, WIDTH
from socialcircuits.figures.style import (
    GREY,
    RIVAL,
    SMALL,
    TEXT,
    TRUTH,
    Series,
    check_columns,
    check_once,
    dodge,
    legend,
    new_figure,
    points,
    tidy,
)
from socialcircuits.statistics import LEVEL

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw", "table"]

LOOKS = (
    Series("", "", TRUTH, "o", "-"),
    Series("", "", RIVAL, "s", "none", filled=False),
    Series("", "", GREY, "D", "none", filled=False),
)
"""How the means at one share of patched agents are drawn: the share with most N first."""


def draw(means: pd.DataFrame, runs: pd.DataFrame, label: str) -> Figure:
    r"""Draw the mean change of collective accuracy over N, with the single runs beside it.

    A line joins the means at the share of patched agents that most N have; means at another share
    are hollow, for they are another intervention. Under each N stand how many agents were patched
    and the number of runs.

    Args:
        means: columns N (positive integers), patched (how many of the N have another crop), value
            (mean change of collective accuracy, -1 to 1), low, high and n (runs); one row for each
            N. A row without a value has no point.
        runs: columns N and change (-1 to 1; missing ones are not drawn); one row a run.
        label: what kind of agents was run.

    Raises:
        SettingError: a column is missing, a table is empty, `means` has two rows at one N or more
            than three shares of patched agents, more agents are patched than there are, or runs
            have an N without a mean.

    Source: Flag Game, Fig. 7d.

    >>> import pandas
    >>> mean = {"N": 8, "patched": 1, "value": 0.4, "low": 0.2, "high": 0.6, "n": 10}
    >>> runs = pandas.DataFrame({"N": [8], "change": [0.375]})
    >>> axes = draw(pandas.DataFrame([mean]), runs, "simulated agents").axes[0]
    >>> axes.get_xticklabels()[0].get_text()
    '8\n1 of 8\nn = 10'
    """
    shares = _check(means, runs)
    means = means.astype(dict.fromkeys(("N", "value", "low", "high"), float)).sort_values("N")
    figure = new_figure(max(4.6, 1.2 + 0.75 * len(means)), 3.5, label)
    axes = figure.subplots()
    _runs(axes, runs.astype(float))
    for look, share in zip(LOOKS, shares, strict=False):
        here = [Fraction(int(k), int(n)) == share for k, n in _pairs(means)]
        title = f"{share} of crops patched: mean, {LEVEL:.0%} interval"
        points(axes, means.loc[here, "N"] * 2**BESIDE, means[here], look._replace(title=title))
    names = [
        f"{size:g}\n{patched:g} of {size:g}\nn = {n:g}"
        for size, patched, n in zip(means["N"], means["patched"], means["n"], strict=True)
    ]
    axes.set_xscale("log", base=2)
    axes.set_xticks(means["N"].tolist(), names)
    axes.set_xticks([], minor=True)
    axes.set_xlim(means["N"].min() / 1.5, means["N"].max() * 1.5)
    axes.axhline(0, color=GREY, linewidth=0.8, zorder=1)
    axes.set_xlabel("Population size N, patched agents, runs", fontsize=TEXT)
    axes.set_ylabel("Change of collective accuracy", fontsize=TEXT)
    axes.grid(axis="y", color="0.9", linewidth=0.6)
    tidy(axes)
    axes.tick_params(axis="x", labelsize=SMALL)
    legend(axes, columns=1)
    return figure


def table(means: pd.DataFrame, runs: pd.DataFrame) -> pd.DataFrame:
    """Return the data of the figure as one table: means, then runs.

    Args:
        means: as in `draw`.
        runs: as in `draw`.

    Returns:
        Columns part (mean or run), N, patched, change, low, high and n; empty where a column does
        not apply or there is no value.
    """
    import pandas as pd

    parts = [means.assign(part="mean", change=means["value"]), runs.assign(part="run")]
    columns = ["part", "N", "patched", "change", "low", "high", "n"]
    whole = pd.concat([part.reindex(columns=columns) for part in parts], ignore_index=True)
    return whole.astype({"patched": "Int64", "n": "Int64"})


def _pairs(means: pd.DataFrame) -> zip[tuple[float, float]]:
    return zip(means["patched"], means["N"], strict=True)


def _check(means: pd.DataFrame, runs: pd.DataFrame) -> Sequence[Fraction]:
    """Return the shares of patched agents, the one that most N have first."""
    check_columns(means, ["N", "patched", "value", "low", "high", "n"])
    check_columns(runs, ["N", "change"])
    check_once(means.assign(what="mean"), ["what"], ["N"])
    for patched, size in _pairs(means):
        if not 0 <= patched <= size:
            raise SettingError("patched", f"{patched:g} of {size:g}", "0 to N agents")
    alone = sorted(set(runs["N"]) - set(means["N"]))
    if alone:
        raise SettingError("runs", f"N = {alone[0]}", "the N of the means")
    shares = [Fraction(int(patched), int(size)) for patched, size in _pairs(means)]
    ordered = sorted(set(shares), key=lambda share: (-shares.count(share), share))
    if len(ordered) > len(LOOKS):
        given = ", ".join(map(str, ordered))
        raise SettingError("patched", given, f"at most {len(LOOKS)} shares of patched agents")
    return ordered


def _runs(axes: Axes, runs: pd.DataFrame) -> None:
    axes.scatter(
        dodge(runs["N"], WIDTH),
        runs["change"],
        s=11,
        color=(GREY, 0.5),
        linewidths=0,
        label="one run",
    )
