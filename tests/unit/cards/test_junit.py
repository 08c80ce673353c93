from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree as ET

from socialcircuits.cards import junit, read_gates, verdicts
from socialcircuits.cards.model import Subject
from tests.unit.cards.making import KEPT, YIELDED, card, claims

HOSTILE = "a<b>&\"'\x00\x1b[31m\ud800\uffff]]><!--\n\u202e"


def test_each_gate_is_a_case_and_inconclusive_is_an_error() -> None:
    subject = card(claims("3 wrong", (8, YIELDED), (32, KEPT)))
    gates = read_gates(["yields@3 < 0.9", "yields@3 < 0.05", "yields@3 < 0.25"], [])
    root = ET.fromstring(junit(subject, verdicts(subject, gates)))
    suite = root.find("testsuite")
    assert suite is not None
    counts = {key: suite.get(key) for key in ("tests", "failures", "errors", "skipped")}
    assert counts == {"tests": "3", "failures": "1", "errors": "1", "skipped": "0"}
    cases = suite.findall("testcase")
    assert [case.get("name") for case in cases] == [gate.text for gate in gates]
    assert [case[0].tag for case in cases] == ["system-out", "failure", "error"]
    assert "n = " in (cases[2][0].get("message") or "")
    simulated = suite.find("properties/property[@name='simulated']")
    assert simulated is not None
    assert simulated.get("value") == "false"


def test_hostile_text_breaks_nothing() -> None:
    subject = card(
        claims("3 wrong", (8, YIELDED), (32, KEPT)),
        subject=Subject(model="acme", mind=HOSTILE.replace("\ud800", ""), simulated=True),
    )
    gate = replace(read_gates(["yields@3 < 0.9"], [])[0], text=HOSTILE)
    text = junit(subject, verdicts(subject, [gate]))
    assert text.isascii()
    assert "\x1b" not in text
    case = ET.fromstring(text).find("testsuite/testcase")
    assert case is not None
    assert case.get("name") == "a<b>&\"'\ufffd\ufffd[31m\ufffd\ufffd]]><!--\n\u202e"
