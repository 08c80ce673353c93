"""From what a seat observes to the prompt it is sent, in segments that are stored once each.

Segments of one role follow each other without anything between them: each brings its own line ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Literal, NamedTuple, Protocol, runtime_checkable

from socialcircuits.agents.parsing import Keys
from socialcircuits.errors import SettingError
from socialcircuits.graph import ADVERSARIES, Brief, Entry, Evidence, Heard, Observation
from socialcircuits.graph.vocabulary import Segment
from socialcircuits.prompts import SECTIONS, Place, check, demand, find, quote

Sees = Literal["image", "text"]


@runtime_checkable
class Catalogued(Protocol):
    """Evidence of a world that can list in words what its answers look like."""

    def catalogue(self) -> str:
        """One line an answer, in an order that is the same for all seats."""
        ...


class Identity(NamedTuple):
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
        shown: the keys under which others' answers and reasons are shown, where the heading does
            not say them.
        open: whether any text is an answer.
    """

    place: Place
    head: tuple[Segment, ...]
    tail: tuple[Segment, ...]
    keys: Keys
    shown: Keys
    open: bool


def frame(observation: Observation, sees: Sees, identity: Identity) -> Frame:
    """Return the frame of a prompt.

    A step that is told no protocol (the isolated guess) is told neither uptake nor any departure
    from the printed prompts, nor that its agent is an adversary, so that it is the same in all
    conditions.

    Args:
        observation: what the seat observes.
        sees: whether evidence is shown as a picture or as text.
        identity: for the wording ``identity``.

    Raises:
        SettingError: no prompt can be written: see `socialcircuits.prompts.check`; or the world has
            no pictures, or one that would not be shown, or nobody said which model is the newer
            one.
    """
    evidence, brief = observation.evidence, observation.brief
    if not brief.protocol:
        role = "observer" if brief.role in ADVERSARIES else brief.role
        brief = Brief(role, brief.bandwidth, world=brief.world)
    place = _place(observation, brief, sees)
    check(place, brief.uptake)
    values = {
        "answers": quote(observation.answers),
        **_shown(evidence),
        **_told(brief, place, identity),
    }
    found = {section: find(section, place) for section in SECTIONS}
    told_aside = bool(brief.truth or brief.lure)
    for section, told in (("uptake", brief.uptake is not None), ("secret", told_aside)):
        if not told:
            del found[section]
    texts = {section: prompt.render(values) for section, prompt in found.items() if prompt}
    head = [
        _text(_join(texts, "system role choice", "\n"), "system"),
        _text(texts["world"] + "\n\n"),
        _text(_join(texts, "answers evidence", "\n\n") + "\n"),
    ]
    if place.view == "image":
        head.append(_picture(evidence))
    if "secret" in texts:
        head.append(_text(f"\n{texts['secret']}\n"))
    asked = _join(texts, "uptake persona task", "\n")
    keys, shown = (
        Keys(**demand("question", place._replace(form=form)).keys)
        for form in (place.form, "reasoned")
    )
    tail = _text(f"\n{asked}\n"), _text(texts["question"])
    return Frame(place, tuple(head), tail, keys, shown, demand("question", place).open)


def heard(frame: Frame, sections: tuple[Heard, ...]) -> list[Segment]:
    """Return what was heard: for each section its heading and its entries, a line each.

    Entries show the parts they have: a name where messages are signed, an answer, a reason; never
    the reply as it came, which may restate private evidence. A section whose prompts have an
    ``own-`` part shows the reader's own entries there, first.

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
                out += _section(name, mine, frame)
        out += _section(section.section, entries, frame)
    return out


def _section(name: str, entries: tuple[Entry, ...], frame: Frame) -> Iterator[Segment]:
    shown = demand(name, frame.place).keys
    keys = Keys(**shown) if shown else frame.shown
    yield _heading(name, frame.place, not entries)
    for entry in entries:
        yield _line(entry.name, entry.reply.answer, entry.reply.reason, keys)


@lru_cache(maxsize=4096)
def _heading(section: str, place: Place, empty: bool) -> Segment:
    return _text(f"\n{demand(section, place).render({'empty': empty})}\n")


def _join(texts: Mapping[str, str], sections: str, between: str) -> str:
    return between.join(texts[section] for section in sections.split() if section in texts)


def _place(observation: Observation, brief: Brief, sees: Sees) -> Place:
    place = Place(
        brief.world,
        brief.protocol,
        brief.role,
        observation.purpose,
        sees,
        "reasoned" if observation.with_reason else "label",
        brief.wording,
        observation.variant,
    )
    return place._replace(view=_view(observation.evidence, place, sees))


def _view(evidence: Evidence | None, place: Place, sees: Sees) -> str:
    """How evidence is shown. Where a world shows it as text in any case, a picture stands beside
    the text of what has one."""
    if evidence is None:
        return "blind"
    pictured = find("evidence", place._replace(view="image"))
    if pictured is None or "evidence" not in pictured.variables:
        return sees
    has_one = evidence.image() is not None
    if has_one and sees == "text":
        expected = "image: a picture belongs to what is asked"
        raise SettingError("sees", sees, expected, among=("image",))
    return "image" if has_one else "text"


def _shown(evidence: Evidence | None) -> dict[str, object]:
    if evidence is None:
        return {}
    listed = evidence.catalogue() if isinstance(evidence, Catalogued) else ""
    return {"evidence": evidence.text(), "catalogue": listed}


def _told(brief: Brief, place: Place, identity: Identity) -> dict[str, object]:
    if "identity" in brief.wording and not identity.newer:
        expected = "the name of the model that agents are told is newer and better"
        raise SettingError("newer", identity.newer, expected)
    return {
        "model": quote(identity.model),
        "newer": quote(identity.newer),
        "reasoned": place.form == "reasoned",
        "name": brief.name,
        "persona": brief.persona,
        "truth": quote(brief.truth),
        "lure": quote(brief.lure),
        "fellows": quote(brief.fellows),
        "group": brief.group,
        "deceivers": 1 + len(brief.fellows),
        "uptake": brief.uptake,
        "alpha": None if brief.uptake is None else f"{brief.uptake / 1000:g}",
        "numbered": "uptake-number" in brief.wording,
        "corrects": "early-correction" in brief.wording,
    }


def _picture(evidence: Evidence | None) -> Segment:
    image = evidence.image() if evidence else None
    if image is None:
        raise SettingError("sees", "image", "text: this world has no pictures", among=("text",))
    return Segment("user", "image", image)


@lru_cache(maxsize=16384)
def _line(name: str, answer: str | None, reason: str, keys: Keys) -> Segment:
    said = {keys.name: name, keys.answer: answer, keys.reason: reason}
    return _text(quote({key: part for key, part in said.items() if key and part}) + "\n")


def _text(text: str, role: Literal["system", "user"] = "user") -> Segment:
    return Segment(role, "text", text.encode())
