"""Collective accuracy over prompted uptake and the make-up of the team, and slices of it."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from socialcircuits.errors import SettingError
from socialcircuits.figures.style import (
    AMBER,
    GREEN,
    RIVAL,
    SMALL,
    TEXT,
    TRUTH,
    Series,
    check_once,
    legend,
    name_panel,
    new_figure,
    points,
    select,
    tidy,
)
from socialcircuits.statistics import LEVEL

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw", "seats_of_b"]

SLICES = {
    Fraction(0): Series("A", "all A", TRUTH, "o", "-"),
    Fraction(1, 2): Series("AB", "{0:g} A, {0:g} B", GREEN, "s", "--"),
    Fraction(1): Series("B", "all B", RIVAL, "D", ":", filled=False),
}
"""Share of seats of model B -> how its slice over alpha is drawn."""

LADDER = (
    Series("", "", "#00224E", "o", "-"),
    Series("", "", TRUTH, "s", "--"),
    Series("", "", GREEN, "^", "-.", filled=False),
    Series("", "", AMBER, "D", ":"),
    Series("", "", RIVAL, "v", (0, (5, 1)), filled=False),
)
"""How the slices at one alpha each are drawn, from the lowest to the highest; used in turn."""

LOW, HIGH = "#F4F8FB", "#4E9FD1"
"""Ends of the heat map's colours, both light enough for black text."""

CELL = 0.5
"""Height of a cell of the heat map by its width."""

DODGE = 0.02
"""Distance in alpha of points that are moved sideways."""

SPREAD = 0.6
"""Part of a team's place over which the points of all alphas are spread."""


def draw(table: pd.DataFrame, label: str) -> Figure:
    """Draw the grid of collective accuracy and its slices over alpha and over the team.

    Panel a is the grid, with value and n in each cell (a cell that was not run is empty). Panel b
    holds the slices over alpha of the teams of A alone, of half A and half B, and of B alone, as
    far as they were run; panel c the slices over the team, one for each alpha. Bars are the
    estimates' intervals; points are moved sideways a little so that these can be told apart.

    Args:
        table: estimates with columns measure, alpha (0 to 1), cast (see `seats_of_b`), value, low,
            high and n; one row of collective_accuracy for each alpha and team. Other measures, and
            rows where alpha is no number (off, or empty), are ignored; rows without a value
            (n = 0) have no point.
        label: what kind of agents was run.

    Raises:
        SettingError: a column is missing, a cell has two rows, there is no row of
            collective_accuracy, or a cast is not one of A and B or of another size than others.

    Source: Flag Game, Fig. 1c, 1d and 4a.

    >>> import pandas
    >>> rows = [{"measure": "collective_accuracy", "alpha": 0.5, "cast": cast, "value": 0.7,
    ...     "low": 0.6, "high": 0.8, "n": 30} for cast in ("8A", "4A 4B")]
    >>> [text.get_text() for text in draw(pandas.DataFrame(rows), "simulated").axes[0].texts][:2]
    ['0.70', 'n = 30']
    """
    drawn = select(table, ["collective_accuracy"], ["alpha"], ["cast"])
    drawn, seats = _teams(drawn)
    check_once(drawn, ["measure"], ["alpha", "b"])
    figure = new_figure(7.2, 5.9, label)
    panels = figure.subplot_mosaic([["a", "a"], ["b", "c"]], width_ratios=[1.0, 1.45])
    _heat_map(panels["a"], drawn, seats)
    _over_alpha(panels["b"], drawn, seats)
    _over_teams(panels["c"], drawn, seats)
    return figure


def seats_of_b(cast: str) -> tuple[int, int]:
    """Return how many seats of a cast are model B's, and of how many; in parts where not counted.

    Args:
        cast: models A and B in blocks of seats, counted or not.

    Raises:
        SettingError: the cast has another form or other models.

    >>> seats_of_b("7A 1B"), seats_of_b("8A"), seats_of_b("A B"), seats_of_b("B")
    ((1, 8), (0, 8), (1, 2), (1, 1))
    """
    blocks = [re.fullmatch(r"(\d*)([AB])", part) for part in str(cast).split()]
    counts = [block and block[1] for block in blocks]
    if not blocks or None in blocks or len({not count for count in counts}) > 1:
        raise SettingError("cast", cast, "models A and B, such as '8A', '7A 1B' or 'A B'")
    sizes = [(block[2], int(block[1] or 1)) for block in blocks if block]
    return sum(n for name, n in sizes if name == "B"), sum(n for _, n in sizes)


def _teams(table: pd.DataFrame) -> tuple[pd.DataFrame, int | None]:
    """Add b, the share of B's seats, as a fraction; return the seats in all where they are told."""
    import pandas as pd

    parts = {cast: seats_of_b(cast) for cast in set(table["cast"])}
    told = {seats for cast, (_, seats) in parts.items() if re.search(r"\d", cast)}
    if len(told) > 1:
        given = f"casts of {' and '.join(map(str, sorted(told)))} seats"
        raise SettingError("cast", given, "casts of one size; choose one condition")
    shares = [Fraction(*parts[cast]) for cast in table["cast"]]
    b = pd.Series(shares, index=table.index, dtype=object)
    return table.assign(b=b), min(told, default=None)


def _team_axis(axes: Axes, table: pd.DataFrame, seats: int | None) -> list[Fraction]:
    """Name the teams along the x axis, at places 0, 1 and so on; return them in this order."""
    teams = sorted(set(table["b"]))
    names = [f"{float(team * (seats or 1)):g}" for team in teams]
    axes.set_xticks(range(len(teams)), names)
    whole = f"Seats of model B, of N = {seats}" if seats else "Share of seats of model B"
    axes.set_xlabel(whole, fontsize=TEXT)
    return teams


def _heat_map(axes: Axes, table: pd.DataFrame, seats: int | None) -> None:
    import numpy as np
    from matplotlib.colors import LinearSegmentedColormap

    teams = _team_axis(axes, table, seats)
    alphas = sorted(set(table["alpha"]))
    values = np.full((len(alphas), len(teams)), np.nan)
    for alpha, team, value in table[["alpha", "b", "value"]].itertuples(index=False):
        values[alphas.index(alpha), teams.index(team)] = value
    axes.imshow(
        values,
        cmap=LinearSegmentedColormap.from_list("accuracy", [LOW, HIGH]),
        vmin=np.floor(10 * table["value"].min()) / 10,
        vmax=np.ceil(10 * table["value"].max()) / 10,
        origin="lower",
        aspect=CELL,
    )
    axes.set_facecolor("0.88")
    for alpha, team, value, n in table[["alpha", "b", "value", "n"]].itertuples(index=False):
        place = (teams.index(team), alphas.index(alpha))
        _write(axes, "-" if np.isnan(value) else f"{value:.2f}", place, TEXT, 1)
        _write(axes, f"n = {n}", place, SMALL - 1, -8)
    axes.set_yticks(range(len(alphas)), [f"{alpha:g}" for alpha in alphas])
    axes.set_ylabel("Prompted uptake alpha", fontsize=TEXT)
    tidy(axes)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    name_panel(axes, "a", "collective accuracy by uptake and team")


def _write(axes: Axes, text: str, place: tuple[int, int], size: float, above: float) -> None:
    axes.annotate(
        text,
        place,
        xytext=(0, above),
        textcoords="offset points",
        ha="center",
        va="baseline",
        fontsize=size,
    )


def _over_alpha(axes: Axes, table: pd.DataFrame, seats: int | None) -> None:
    present = [team for team in SLICES if team in set(table["b"])]
    for place, team in enumerate(present):
        rows = table[table["b"] == team].sort_values("alpha")
        series = SLICES[team]
        half = series.title.format(seats / 2) if seats else "half A, half B"
        series = series._replace(title=half if team == Fraction(1, 2) else series.title)
        shift = DODGE * (place - (len(present) - 1) / 2)
        points(axes, rows["alpha"] + shift, rows, series)
    alphas = sorted(set(table["alpha"]))
    axes.set_xlim(-0.06, 1.06)
    axes.set_xticks(alphas, [f"{alpha:g}" for alpha in alphas])
    axes.set_xlabel("Prompted uptake alpha", fontsize=TEXT)
    _accuracy_axis(axes)
    name_panel(axes, "b", "over uptake, by team", legend_lines=2)
    if present:
        legend(axes, columns=2)


def _over_teams(axes: Axes, table: pd.DataFrame, seats: int | None) -> None:
    teams = _team_axis(axes, table, seats)
    alphas = sorted(set(table["alpha"]))
    for place, alpha in enumerate(alphas):
        rows = table[table["alpha"] == alpha].sort_values("b")
        series = LADDER[place % len(LADDER)]._replace(title=f"alpha = {alpha:g}")
        shift = SPREAD / len(alphas) * (place - (len(alphas) - 1) / 2)
        points(axes, rows["b"].map(teams.index).astype(float) + shift, rows, series)
    axes.set_xlim(-0.5, len(teams) - 0.5)
    _accuracy_axis(axes)
    lines = -(-len(alphas) // 3)
    name_panel(axes, "c", "over the team, by uptake", legend_lines=max(2, lines))
    legend(axes, columns=3)


def _accuracy_axis(axes: Axes) -> None:
    axes.set_ylim(-0.02, 1.02)
    axes.set_ylabel(f"Collective accuracy, {LEVEL:.0%} intervals", fontsize=TEXT)
    axes.grid(axis="y", color="0.9", linewidth=0.6)
    tidy(axes)
