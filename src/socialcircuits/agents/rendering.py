"""From what a seat observes to the prompt it is sent, in segments that are stored once each.

Segments of one role follow each other without anything between them: each brings its own line ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Literal, NamedTuple, Protocol, runtime_checkable

from socialcircuits.agents.parsing import Keys
from socialcircuits.errors import SettingError
from socialcircuits.graph import Brief, Entry, Evidence, Heard, Observation
from socialcircuits.graph.vocabulary import Segment
from socialcircuits.prompts import SECTIONS, Place, check, demand, find, quote

Sees = Literal["image", "text"]


@runtime_checkable
class Catalogued(Protocol):
    """Evidence of a world that can list in words what its answers look like."""

    def catalogue(self) -> str:
        """One line an answer, in an order that is the same for all seats."""
        ...


class Persona(NamedTuple):
    """What an agent is told about models under the wording ``identity``: the name of its own and
    of the one that is called newer and better."""

    model: str
    newer: str


class Frame(NamedTuple):
    """All of a prompt but what was heard: the same for all steps of one kind of a seat.

    Args:
        place: where the prompt stands.
        head: what comes before what was heard.
        tail: what comes after it.
        keys: the keys of the reply.
        shown: the keys under which others' answers and reasons are shown.
    """

    place: Place
    head: tuple[Segment, ...]
    tail: tuple[Segment, ...]
    keys: Keys
    shown: Keys


def frame(observation: Observation, sees: Sees, persona: Persona) -> Frame:
    """Return the frame of a prompt.

    A step that is told no protocol (the isolated guess) is told neither uptake nor any departure
    from the printed prompts, so that it is the same in all conditions.

    Args:
        observation: what the seat observes.
        sees: whether evidence is shown as a picture or as text.
        persona: for the wording ``identity``.

    Raises:
        SettingError: no prompt can be written: see `socialcircuits.prompts.check`; or the world has
            no pictures, or nobody said which model is the newer one.
    """
    brief, evidence = observation.brief, observation.evidence
    if not brief.protocol:
        brief = brief._replace(uptake=None, wording=())
    place = _place(observation, brief, sees)
    check(place, brief.uptake)
    values = {
        "answers": quote(observation.answers),
        **_shown(evidence),
        **_told(brief, place, persona),
    }
    found = {section: find(section, place) for section in SECTIONS}
    if brief.uptake is None:
        del found["uptake"]
    texts = {section: prompt.render(values) for section, prompt in found.items() if prompt}
    head = [
        _text(_join(texts, "system role choice", "\n"), "system"),
        _text(texts["world"] + "\n\n"),
        _text(_join(texts, "answers evidence", "\n\n") + "\n"),
    ]
    if place.view == "image":
        head.append(_picture(evidence))
    asked = _join(texts, "uptake persona task", "\n")
    keys, shown = (
        Keys(**demand("question", place._replace(form=form)).keys)
        for form in (place.form, "reasoned")
    )
    tail = _text(f"\n{asked}\n"), _text(texts["question"])
    return Frame(place, tuple(head), tail, keys, shown)


def heard(frame: Frame, sections: tuple[Heard, ...]) -> list[Segment]:
    """Return what was heard: for each section its heading and its entries, a line each.

    Others' entries show an answer and, where one was given, a reason; never the reply as it came,
    which may restate private evidence. A section whose prompts have an ``own-`` part shows the
    reader's own entries there, first.

    Raises:
        SettingError: the prompts of this protocol have no such section.
    """
    out: list[Segment] = []
    for section in sections:
        entries, name = section.entries, f"own-{section.section}"
        if find(name, frame.place):
            mine = tuple(entry for entry in entries if entry.own)
            entries = tuple(entry for entry in entries if not entry.own)
            if mine:
                out += [_heading(name, frame.place), *_lines(mine, frame.shown)]
        empty = not entries
        out += [_heading(section.section, frame.place, empty), *_lines(entries, frame.shown)]
    return out


@lru_cache(maxsize=4096)
def _heading(section: str, place: Place, empty: bool = False) -> Segment:
    return _text(f"\n{demand(section, place).render({'empty': empty})}\n")


def _join(texts: Mapping[str, str], sections: str, between: str) -> str:
    return between.join(texts[section] for section in sections.split() if section in texts)


def _place(observation: Observation, brief: Brief, sees: Sees) -> Place:
    return Place(
        brief.world,
        brief.protocol,
        brief.role,
        observation.purpose,
        "blind" if observation.evidence is None else sees,
        "reasoned" if observation.with_reason else "label",
        brief.wording,
    )


def _shown(evidence: Evidence | None) -> dict[str, object]:
    if evidence is None:
        return {}
    listed = evidence.catalogue() if isinstance(evidence, Catalogued) else ""
    return {"crop": evidence.text(), "catalogue": listed}


def _told(brief: Brief, place: Place, persona: Persona) -> dict[str, object]:
    if "identity" in brief.wording and not persona.newer:
        expected = "the name of the model that agents are told is newer and better"
        raise SettingError("newer", persona.newer, expected)
    return {
        "model": quote(persona.model),
        "newer": quote(persona.newer),
        "reasoned": place.form == "reasoned",
        "uptake": brief.uptake,
        "alpha": None if brief.uptake is None else f"{brief.uptake / 1000:g}",
        "numbered": "uptake-number" in brief.wording,
    }


def _picture(evidence: Evidence | None) -> Segment:
    image = evidence.image() if evidence else None
    if image is None:
        raise SettingError("sees", "image", "text: this world has no pictures", among=("text",))
    return Segment("user", "image", image)


def _lines(entries: tuple[Entry, ...], keys: Keys) -> Iterator[Segment]:
    return (_line(entry.reply.answer or "", entry.reply.reason, keys) for entry in entries)


@lru_cache(maxsize=16384)
def _line(answer: str, reason: str, keys: Keys) -> Segment:
    said = {keys.answer: answer, keys.reason: reason} if reason else {keys.answer: answer}
    return _text(quote(said) + "\n")


def _text(text: str, role: Literal["system", "user"] = "user") -> Segment:
    return Segment(role, "text", text.encode())
