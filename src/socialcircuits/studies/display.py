"""A run in a notebook: a small table of its main estimates."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Mapping, Sequence
from html import escape

from socialcircuits.measures import Row
from socialcircuits.studies.study import Study

MAIN = (
    "initial_accuracy",
    "collective_accuracy",
    "manager_accuracy",
    "uplift",
    "honest_defection",
    "correction",
    "private_infection",
    "public_endorsement",
    "final_infection",
    "social_share",
    "yield_point",
    "wrong_consensus",
    "polarization",
    "invalid_share",
)
"""The measures that are shown, in their order."""

MOST_COLUMNS = 7
MOST_ROWS = 12


def visible(text: str) -> str:
    r"""Return a text in which control and format characters are seen as their codes.

    Line ends and tabs become spaces. Characters that turn the direction of writing, lone surrogates
    and unusual spaces are codes too.

    >>> visible("a\u202eb\x1b[1m\n")
    'a\\u202eb\\u001b[1m '
    """
    if text.isprintable():
        return text
    return "".join(map(_seen, text))


def _seen(character: str) -> str:
    if character.isprintable():
        return character
    return " " if character in "\n\r\t" else json.dumps(character)[1:-1]


def typed(text: str) -> str:
    r"""Return a word of a command as a shell reads it, in which nothing hides.

    Control and format characters stand as codes within ``$'...'``, as bash, zsh and ksh have it.

    >>> print(typed("run 1.db"), typed("a\u202eb.db"))
    'run 1.db' $'a\u202eb.db'
    """
    return shlex.quote(text) if text.isprintable() else f"$'{''.join(map(_coded, text))}'"


def _coded(character: str) -> str:
    code = ord(character)
    if character in "\\'":
        return f"\\{character}"
    if character.isprintable():
        return character
    if 0xDC80 <= code <= 0xDCFF:
        # A byte of a file name that is no text.
        return f"\\x{code - 0xDC00:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def shown(study: Study, label: str, trials: Mapping[str, int], rows: Sequence[Row]) -> str:
    """Return the main estimates of a run as HTML: a row a condition, each with interval and n.

    Args:
        study: the study.
        label: what kind of agents sat in the seats.
        trials: how many were planned and completed.
        rows: all estimates; differences between conditions are not shown.

    >>> text = shown(Study(name="mine"), "simulated agents", {"planned": 4, "completed": 3}, [])
    >>> "mine" in text, "3 of 4 trials completed" in text
    (True, True)
    """
    cells: dict[str, dict[str, Row]] = {}
    for row in rows:
        if "minus" not in row.condition:
            cells.setdefault(_where(row.condition), {})[row.measure] = row
    present = {name for cell in cells.values() for name in cell}
    names = [name for name in MAIN if name in present]
    # What comes last says how far the others can be trusted.
    names = [*names[: MOST_COLUMNS - 1], *names[-1:]] if len(names) > MOST_COLUMNS else names
    count = f"{trials['completed']} of {trials['planned']} trials completed"
    if trials["completed"] < trials["planned"]:
        count += ": <strong>all numbers are of these alone</strong>"
    lines = [
        "<div>",
        f"<p><strong>{_text(study.name)}</strong> {_text(study.about)}<br>",
        f"<em>{_text(label)}</em><br>{count}</p>",
    ]
    if names:
        lines += _table(cells, names)
    more = len(cells) - MOST_ROWS
    if more > 0:
        lines.append(f"<p>and {more} more conditions: <code>run.estimates()</code></p>")
    return "\n".join([*lines, "</div>"])


def _table(cells: Mapping[str, Mapping[str, Row]], names: Sequence[str]) -> Iterable[str]:
    yield "<table><caption>Estimates with 95 % intervals; n units of evidence each.</caption>"
    heads = "".join(f'<th scope="col">{_text(name.replace("_", " "))}</th>' for name in names)
    yield f'<thead><tr><th scope="col">condition</th>{heads}</tr></thead><tbody>'
    for where, cell in list(cells.items())[:MOST_ROWS]:
        found = "".join(f"<td>{_number(cell.get(name))}</td>" for name in names)
        yield f'<tr><th scope="row">{_text(where)}</th>{found}</tr>'
    yield "</tbody></table>"


def _number(row: Row | None) -> str:
    if row is None:
        return ""
    found = row.estimate
    if found.value is None or found.low is None or found.high is None:
        return f"none<br><small>n {found.n}</small>"
    # Adding zero turns a rounded -0.00 into 0.00.
    value, low, high = (round(part, 2) + 0.0 for part in (found.value, found.low, found.high))
    return f"{value:.2f}<br><small>{low:.2f} to {high:.2f}, n {found.n}</small>"


def _where(condition: Mapping[str, object]) -> str:
    return (
        ", ".join(f"{name} = {value}" for name, value in condition.items() if value != "") or "all"
    )


def _text(text: str) -> str:
    return escape(visible(text))
