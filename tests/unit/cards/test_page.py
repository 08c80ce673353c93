"""The page of a card: every line with all that belongs to it, in each form, and no grade."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from socialcircuits.agents import LABEL
from socialcircuits.cards import LINES, Card, Outcome, compare, read_gates, verdicts
from socialcircuits.cards.model import Audit, Cost, Judge, Live, Subject
from socialcircuits.cards.outcomes import Asked
from socialcircuits.cards.page import page
from socialcircuits.cards.words import behind
from socialcircuits.report import text
from socialcircuits.report.html import html
from socialcircuits.report.markdown import markdown
from socialcircuits.report.page import Line, Number, Page, Table
from socialcircuits.statistics import proportion
from tests.unit.cards.making import DEAF, KEPT, TAUGHT, YIELDED, Arms, card, claims

HOSTILE = "<script>alert(1)</script>\u202e\x1b[31m"


def joined(*parts: Arms) -> Arms:
    """The arms of several, by claim."""
    found: Arms = {}
    for part in parts:
        for claim, arms in part.items():
            found.setdefault(claim, {}).update(arms)
    return found


STRAY = Outcome(alone="TRUE", after="ambiguous", refused=1)
WORDED = Outcome(
    alone="TRUE", after="TRUE", wordings={"second": Asked(alone="TRUE", after="FALSE")}
)


def full(**changed: Any) -> Card:
    """A card of 40 claims in most arms, and 10 documents."""
    outcomes = joined(
        claims("", (30, KEPT), (10, DEAF)),
        claims("1 wrong", (5, YIELDED), (25, KEPT), (10, DEAF)),
        claims("3 wrong", (12, YIELDED), (3, STRAY), (15, WORDED), (10, DEAF)),
        claims("8 wrong", (28, YIELDED), (2, KEPT), (10, DEAF)),
        claims("3 wrong/repeated", (9, YIELDED), (21, KEPT), (10, DEAF)),
        claims("3 right", (30, KEPT), (8, TAUGHT), (2, DEAF)),
        claims("1 wrong 3 right", (30, KEPT), (10, TAUGHT)),
    )
    return card(outcomes, claims("3 wrong", (10, KEPT)), **changed)


def tables(found: Page) -> dict[str, Table]:
    return {block.name: block for block in found.blocks() if isinstance(block, Table)}


def row(found: Page, table: str, key: str) -> dict[str, Any]:
    of = tables(found)[table]
    cells = next(one.cells for one in of.rows if one.key == key)
    return dict(zip((head.name for head in of.heads), cells, strict=True))


def sentences(found: Page) -> str:
    parts = [block.parts for block in found.blocks() if isinstance(block, Line)]
    return "\n".join(
        "".join(part.text if isinstance(part, Number) else part for part in one) for one in parts
    )


def test_a_line_has_all_that_belongs_to_it() -> None:
    found = row(page(full()), "yields", "yields@3")
    number, exact = found["value"], proportion(12, 30)
    assert (number.value, number.n, number.unit) == (0.4, 30, "claims")
    assert (number.low, number.high) == (exact.low, exact.high)
    assert (found["dropped"], found["strayed"], found["lacking"]) == ("10", "3", "0, 3, 0")
    assert re.fullmatch(r"0\.\d\d", found["detectable"])
    assert number.trail.definition.endswith("wrong answer after 3 wrong peers.")
    assert number.trail.levels["claims"]["of the line"] == 30


def test_zero_events_have_the_exact_bound() -> None:
    number = row(page(full()), "yields", "yields@0")["value"]
    assert (number.value, number.low) == (0, 0)
    assert number.high == pytest.approx(1 - 0.025 ** (1 / 30))
    assert number.interval == "0.00 to 0.12"


def test_every_line_stands_there_or_is_said_not_to() -> None:
    found = page(full())
    shown = {one.key for table in tables(found).values() for one in table.rows}
    missing = set(LINES) - shown
    assert missing == {
        "yields@1/repeated", "yields@8/repeated", "accepts@1", "accepts@8",
        "holds@0", "holds@1", "holds@8",
    }  # fmt: skip
    told = re.search(r"Not run at this size: (.*)\.", sentences(found))
    assert told
    assert set(told.group(1).split(", ")) == missing


def test_a_line_without_claims_says_why() -> None:
    found = page(card(claims("3 wrong", (12, DEAF))))
    assert row(found, "yields", "yields@3")["value"].text == "none"
    assert "yields@3 has no number: no claim was known alone." in sentences(found)
    assert "passes_on@3 has no number: no wrong answer was taken over" in sentences(found)
    assert "are lost: none." in sentences(found)


def test_the_dose_at_which_half_are_lost_and_the_spread_of_wordings() -> None:
    whole = full()
    found = page(whole)
    half = next(number for name, _, number in found.numbers() if name == "half.1")
    assert half.value == whole.shown.half.value
    assert half.text == f"{whole.shown.half.value:.1f}"
    assert row(found, "wordings", "second")["yields"].text == "1.00"
    assert row(found, "wordings", "second")["yields"].n == 15
    assert "yields@3 0.40 to 1.00." in sentences(found)


def test_gates_say_what_they_came_to_and_what_would_decide() -> None:
    whole = full()
    gates = read_gates(["yields@8 > 0.5", "yields@1 > 0.6", "yields@3 < 0.5"], [])
    found = page(whole, verdicts(whole, gates))
    assert row(found, "gates", "yields@8 > 0.5")["result"] == "PASS"
    assert row(found, "gates", "yields@1 > 0.6")["result"] == "FAIL"
    open_ = row(found, "gates", "yields@3 < 0.5")
    assert open_["result"] == "INCONCLUSIVE"
    assert int(open_["deciding"]) > 30
    assert f"n = {open_['deciding']} would decide" in open_["why"]


def test_a_baseline_is_compared_on_the_claims_of_both() -> None:
    whole = full()
    other = card(claims("3 wrong", (30, KEPT), (10, DEAF)), full().evidence)
    found = page(whole, (), compare(whole, other))
    number = row(found, "baseline", "yields@3")["difference"]
    assert (number.value, number.n, number.text) == (0.4, 30, "+0.40")
    assert number.adjusted.among == 5
    assert number.adjusted.declared
    assert number.adjusted.p == pytest.approx(5 * number.test.p)
    assert "unvoiced@3 is not compared: no claim belongs" in sentences(found)
    assert "A difference is flagged (adjusted p at most 0.05)." in sentences(found)


def test_what_stands_beside_the_lines() -> None:
    judge = Judge(name="a-judge", audit=Audit(labels=400, void=3, agreement=0.9))
    subject = Subject(
        model="acme-1", mind="acme-1#0", system="99ff", parameters={"t": 0.7}, simulated=False
    )
    live = Live(measure="final_infection", attackers=1, estimate=proportion(3, 10))
    whole = full(judge=judge, subject=subject, live=(live,), cost=Cost(calls=1234, tokens=9))
    found = page(whole)
    made = {one.key: str(one.cells[1]) for one in tables(found)["made"].rows}
    assert made["cost"] == "1,234 calls, 9 tokens, price unknown"
    assert made["judge"].startswith("a-judge: 400 labels, 3 void, a second judge agrees with 0.90")
    assert (made["date"], made["claims"], made["seat, run"]) == ("2026-01-31", "bb", "ff")
    assert "Deployed: acme-1; system prompt 99ff; t = 0.7." in sentences(found)
    assert tables(found)["live"].rows[0].key.endswith("attackers = 1")


def test_what_is_simulated_says_so_in_capitals() -> None:
    subject = Subject(model="simulated/fair", mind="simulated/fair()", simulated=True)
    assert page(full(subject=subject)).label == LABEL.upper()
    assert page(full()).label == "models: acme-1"


def test_the_back_says_what_can_mislead_and_gives_no_grade() -> None:
    found = page(full())
    *_, back = found.sections
    words = sentences(replace(found, head=(), sections=(back,)))
    for thing in ("recorded", "training", "notices a test", "wording", "judge", "circular"):
        assert thing in words, thing
    assert words.endswith("docs/limitations.md.")
    assert not re.search(r"\b(score|grade|rank)\b", sentences(found).replace("no grade", ""))


def test_the_terminal_needs_100_columns(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text, "WIDTH", 100)
    whole = full()
    gates = verdicts(whole, read_gates(["yields@3 < 0.5"], []))
    text.show(page(whole, gates, compare(whole, full())))
    lines = capsys.readouterr().out.splitlines()
    ruled = [place for place, line in enumerate(lines) if line.startswith(" ──")]
    assert len(ruled) == 9
    assert all(len(line) <= 100 for place in ruled for line in lines[place - 3 : place + 5])
    # Nothing is cut: the widest row holds its last cell.
    assert next(line for line in lines if "yields@3/repeated" in line).split()[-1].startswith("0.")


def test_all_text_is_shown_as_text() -> None:
    subject = Subject(model=HOSTILE, mind=HOSTILE, simulated=False)
    outcomes = {HOSTILE: {"3 wrong": YIELDED}}
    shown = html(page(card(outcomes, subject=subject)), {}, "{}")
    assert "<script>alert" not in shown
    assert "\u202e" not in shown
    assert "\x1b" not in shown
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in shown
    assert "<script>alert" not in markdown(page(card(outcomes, subject=subject)))


def test_each_number_leads_to_the_claims_behind_it(capsys: pytest.CaptureFixture[str]) -> None:
    found = page(full())
    behind_it = tables(found)["claims_behind_yields@3"]
    assert len(behind_it.rows) == 40
    assert behind_it.rows[0].cells == (
        "claim 0", "TRUE", "FALSE", "hedge", "FALSE, TRUE", "lost",
    )  # fmt: skip
    assert behind_it.rows[39].cells[-1] == "dropped: not right alone"
    shown = html(found, {}, "{}", explain="")
    assert '<a href="#claims_behind_yields@3">What is behind it, one by one</a>' in shown
    assert 'tabindex="0" id="claims_behind_yields@3"' in shown
    lines = {one.key for table in tables(found).values() for one in table.rows} & set(LINES)
    assert shown.count('<details class="folded">') == len(lines)
    assert "explain" not in shown
    # Folded parts are for who asks: neither a terminal nor Markdown has them.
    text.show(found)
    assert "claim 0" not in capsys.readouterr().out
    assert "claim 0" not in markdown(found)


@pytest.mark.parametrize(
    ("line", "outcome", "result", "why"),
    [
        ("yields@3", YIELDED, "lost", ""),
        ("yields@3", KEPT, "kept", ""),
        ("yields@3", STRAY, "strayed", ""),
        ("yields@3", DEAF, "dropped", "not right alone"),
        ("yields@3", Outcome(alone="unjudged", after="TRUE"), "dropped", "alone is unjudged"),
        ("yields@3", Outcome(alone="TRUE", after="unjudged"), "dropped", "peers is unjudged"),
        ("accepts@3", TAUGHT, "gained", ""),
        ("accepts@3", DEAF, "not gained", ""),
        ("accepts@3", KEPT, "dropped", "right alone"),
        ("unvoiced@3", YIELDED, "not said", ""),
        ("unvoiced@3", Outcome(alone="TRUE", after="FALSE", stance="endorse"), "said", ""),
        ("unvoiced@3", Outcome(alone="TRUE", after="FALSE"), "dropped", "no statement"),
        ("unvoiced@3", KEPT, "dropped", "was not taken over"),
        ("unvoiced@3", DEAF, "dropped", "was held alone"),
        ("passes_on@3", YIELDED, "passed on", ""),
        ("passes_on@3", Outcome(alone="TRUE", after="FALSE"), "dropped", "nobody heard it"),
    ],
)
def test_every_claim_behind_a_line_is_said_in_words(
    line: str, outcome: Outcome, result: str, why: str
) -> None:
    place = {"peru": {LINES[line].arm: outcome}}
    found = list(behind(line, place, {}))
    assert [(one.claim, one.result) for one in found] == [("peru", result)]
    assert found[0].why.endswith(why)
    assert bool(found[0].why) == bool(why)
    assert list(behind("holds@3", place, {})) == []
    assert [one.result for one in behind("holds@3", {}, {"peru": {"3 wrong": KEPT}})] == ["kept"]
