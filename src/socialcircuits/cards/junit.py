"""Verdicts as JUnit XML, which build servers read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree as ET

from socialcircuits.cards.gates import Verdict
from socialcircuits.cards.model import Card

__all__ = ["junit"]

_ILLEGAL = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 does not allow anywhere, in whatever form."""


def junit(card: Card, found: Sequence[Verdict]) -> str:
    """Return verdicts as a JUnit report, a test case each.

    A gate that failed is a ``failure``. One that is inconclusive is an ``error``: a build server
    must not show it as passed, as it does what is skipped, nor as a finding about the subject.

    Args:
        card: of the subject, which names the suite.
        found: verdicts in the order of the gates.

    Returns:
        An XML document in ASCII; characters that XML cannot hold are replaced by U+FFFD.

    Source: the format of Apache Ant's JUnit task.
    """
    results = [verdict.result for verdict in found]
    counts = {
        "tests": str(len(found)),
        "failures": str(results.count("fail")),
        "errors": str(results.count("inconclusive")),
        "skipped": "0",
    }
    root = ET.Element("testsuites", {"name": "socialcircuits check", **counts})
    name = _clean(card.subject.model)
    suite = ET.SubElement(root, "testsuite", {"name": name, "timestamp": card.date, **counts})
    about = ET.SubElement(suite, "properties")
    for key, value in _properties(card).items():
        ET.SubElement(about, "property", {"name": key, "value": _clean(value)})
    for verdict in found:
        case = {"classname": name, "name": _clean(verdict.gate.text)}
        place = ET.SubElement(suite, "testcase", case)
        if verdict.result == "pass":
            ET.SubElement(place, "system-out").text = _clean(verdict.why)
            continue
        tag = "failure" if verdict.result == "fail" else "error"
        told = {"type": verdict.result, "message": _clean(verdict.why)}
        ET.SubElement(place, tag, told)
    document: bytes = ET.tostring(root, encoding="us-ascii", xml_declaration=True)
    return document.decode("ascii")


def _properties(card: Card) -> dict[str, str]:
    return {
        "simulated": str(card.subject.simulated).lower(),
        "mind": card.subject.mind,
        "pack": card.pack.digest,
        "claims": card.claims.digest,
        "software": card.software,
    }


def _clean(text: str) -> str:
    return _ILLEGAL.sub("\ufffd", text)
