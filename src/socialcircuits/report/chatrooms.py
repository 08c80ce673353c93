"""The figures of chatrooms, drawn from a run's tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from socialcircuits.analyses.dyad import dyads
from socialcircuits.analyses.hazard import adjusted, by_peers, injected
from socialcircuits.analyses.infection import curves, joint, speed
from socialcircuits.figures import (
    defences,
    dyad,
    dynamics,
    hazard,
    knowledge,
    networks,
    pairing,
    reasks,
    screening,
    stance,
    sybils,
)
from socialcircuits.measures import effects
from socialcircuits.measures.hidden_belief import CONTRASTED
from socialcircuits.report.slices import Drawn, Slice, Undrawn, cells, slices
from socialcircuits.studies import Run
from socialcircuits.studies.study import INTERVENTION

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

Draw = Callable[[Run], Drawn]

DEFENCE = "defence"


def replaced(run: Run) -> dict[str, tuple[int, ...]]:
    """Return the interventions that do nothing but replace what named agents say -> their seats."""
    found = {}
    for name, changes in run.study.interventions.items():
        agents = [change.get("agents") for change in changes if change.get("kind") == "message"]
        keys = [key for one in agents if isinstance(one, list) for key in one]
        if len(agents) == len(changes) and keys and all(str(key).isdecimal() for key in keys):
            found[name] = tuple(sorted({int(key) for key in keys}))
    return found


def _estimated(
    draw: Callable[[pd.DataFrame, str], Figure], starts: tuple[str, ...], *own: str
) -> Draw:
    """Return the drawer of a figure of the measures whose names start so."""

    def drawn(run: Run) -> Drawn:
        for part in slices(run, *own, table=_measured(run, *starts)):
            yield part.suffix, draw(_named(run, part.table), part.label), part.table

    return drawn


def _measured(run: Run, *starts: str) -> pd.DataFrame:
    table = cells(run)
    if table.empty or not table["measure"].str.startswith(starts).any():
        raise Undrawn("no completed trial has a value of the kind")
    return table[table["measure"].str.startswith(starts)]


def _stance(run: Run) -> Drawn:
    rows = joint(run.summaries())
    if not rows:
        raise Undrawn("no turn is exposed to an attacker")
    for part in slices(run, "cast", "deceivers", table=_frame(run, rows)):
        yield part.suffix, stance.draw(_named(run, part.table), part.label), part.table


def _hazard(run: Run) -> Drawn:
    plain = [one for one in run.summaries() if not one.condition.get(INTERVENTION)]
    rows = by_peers(plain) + [row for one in adjusted(plain) for row in one.curve()]
    if not rows:
        raise Undrawn("no chatroom has an attacker")
    made = injected(run.summaries(), replaced(run))
    below = _with_own(run, _frame(run, [one.row() for one in made]))
    for part in slices(run, "cast", INTERVENTION, table=_frame(run, rows)):
        changed = _within(part, below)
        pair = (_named(run, part.table), _named(run, changed))
        table = _together(curves=part.table, injected=changed)
        yield part.suffix, hazard.draw(*pair, part.label), table


def _dynamics(run: Run) -> Drawn:
    summaries = run.summaries()
    reached = _with_own(run, _frame(run, speed(summaries)))
    for part in slices(run, "cast", "deceivers", table=_frame(run, curves(summaries))):
        rounds = _within(part, reached)
        figure = dynamics.draw(_named(run, part.table), _named(run, rounds), part.label)
        yield part.suffix, figure, _together(curves=part.table, reached=rounds)


def _dyad(run: Run) -> Drawn:
    rows = [one.row() for one in dyads(run.summaries())]
    largest = max((row["group"] for row in rows), default=0)
    paired = _with_own(run, _frame(run, [row for row in rows if row["group"] == largest]))
    levels = _measured(run, "final_infection")
    for part in slices(run, "cast", "N", "deceivers", "majority", table=levels):
        here = _within(part, paired)
        figure = dyad.draw(_named(run, part.table), _named(run, here), part.label)
        yield part.suffix, figure, _together(levels=part.table, differences=here)


def _screening(run: Run) -> Drawn:
    names = ("known_at_first", "initial_infection", "final_infection")
    table = _with_own(run, _measured(run, *names))
    alone = table[table["deceivers"].astype(str) == "0"]
    if alone.empty:
        raise Undrawn("no chatroom is without attackers")
    for part in slices(run, "cast", "deceivers", table=alone):
        yield part.suffix, screening.draw(_named(run, part.table), part.label), part.table


def _defences(run: Run) -> Drawn:
    rows = [
        {**entry.pop("condition"), **entry}
        for entry in (row.as_json() for row in effects(run.summaries(), DEFENCE, CONTRASTED))
    ]
    paired = _with_own(run, _frame(run, rows))
    levels = _measured(run, *defences.LEVELS)
    for part in slices(run, DEFENCE, "deceivers", table=levels):
        here = _within(part, paired)
        figure = defences.draw(part.table, here, part.label)
        yield part.suffix, figure, _together(levels=part.table, differences=here)


def _named(run: Run, table: pd.DataFrame) -> pd.DataFrame:
    """Name casts of one model after it, for example ``A (quiet)``."""
    if "cast" not in table:
        return table
    models = {
        name: f"{name} ({model.partition('?')[0].rpartition('/')[2]})"
        for name, model in run.study.models.items()
    }
    return table.assign(cast=[models.get(cast, cast) for cast in table["cast"]])


def _frame(run: Run, rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Rows as a table; settings that were swept elsewhere only are empty, as in estimates."""
    import pandas as pd

    table = pd.DataFrame(list(rows))
    swept = {axis for cell in run.plan.cells for axis in cell.condition}
    return table.fillna(dict.fromkeys(swept & set(table.columns), ""))


def _within(part: Slice, table: pd.DataFrame) -> pd.DataFrame:
    """The rows at the settings of a slice."""
    for name, value in part.settings.items():
        if name in table:
            table = table[table[name] == value]
    return table


def _with_own(run: Run, table: pd.DataFrame) -> pd.DataFrame:
    """The table with the study's cast and attackers where they were not swept."""
    fixed = {name: getattr(run.study.trial, name) for name in ("cast", "deceivers")}
    return table.assign(**{name: value for name, value in fixed.items() if name not in table})


def _together(**tables: pd.DataFrame) -> pd.DataFrame:
    """One table of several, which names the part of the figure that each row is of."""
    import pandas as pd

    given = {name: table for name, table in tables.items() if not table.empty}
    return pd.concat(given, names=["part"]).reset_index("part").reset_index(drop=True)


TURNS = ("private_infection", "public_endorsement", "unvoiced_infection")
PAIRED = ("paired_", "strict_", "reject_false_")

DRAW: dict[str, Draw] = {
    "sybils": _estimated(sybils.draw, ("final_infection", *TURNS), "cast", "deceivers"),
    "stance": _stance,
    "reasks": _estimated(reasks.draw, ("reask_", "final_infection"), "cast"),
    "knowledge": _estimated(knowledge.draw, ("known_at_first", "abandoned"), "cast"),
    "hazard": _hazard,
    "dynamics": _dynamics,
    "pairing": _estimated(pairing.draw, PAIRED, "cast"),
    "dyad": _dyad,
    "screening": _screening,
    "defences": _defences,
    "networks": _estimated(networks.draw, ("final_infection", *TURNS), "network", "deceivers"),
}
"""Name of a figure -> its drawer."""
