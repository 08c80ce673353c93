"""Prompts as a text that can be read: what each kind of seat is sent, in full."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import takewhile
from pathlib import Path

from socialcircuits.agents.parsing import Keys, read
from socialcircuits.agents.prompted import Manner, Prompted
from socialcircuits.agents.rendering import Sees
from socialcircuits.graph import Brief, Entry, Evidence, Heard, Observation, Reply
from socialcircuits.graph.vocabulary import Segment
from socialcircuits.models.interface import Capabilities, Completion, Model, Request
from socialcircuits.seeds import Stream
from socialcircuits.worlds.flags import FlagSettings, FlagWorld

FOLDER = Path(__file__).parent / "prompts"

SEES: tuple[Sees, ...] = ("image", "text")
BANDS = (0, 200, 201, 400, 401, 600, 601, 800, 801, 1000)
WORDINGS = ((), ("identity",), ("no-list",), ("uptake-number",))
RELEASED = ("identity", "no-list", "uptake-number")
STEPS = {
    "guess": (("observer", "guess"),),
    "pairwise": (("observer", "message"), ("observer", "probe")),
    "broadcast": (("observer", "report"), ("observer", "decision")),
    "manager": (("observer", "report"), ("manager", "decision")),
}

WORLD = FlagWorld(FlagSettings())
EVIDENCE = WORLD.evidence("Russia", (9, 8))
ANSWERS = tuple(Stream(b"prompts", "answers").shuffled(WORLD.answers))


class Mute:
    """A model that is never asked."""

    name = "example/model-one"

    async def complete(self, request: Request) -> Completion:
        raise AssertionError("nobody asks this model")

    async def probe(self) -> Capabilities:
        return Capabilities()

    async def close(self) -> None:
        pass


MODEL: Model = Mute()


async def never(request: Request) -> tuple[Completion, int]:
    raise AssertionError("nobody is asked")


def mind(sees: Sees) -> Prompted:
    """A prompted mind for looking at prompts."""
    return Prompted(MODEL, never, Manner(sees, newer="model-two"))


def said(country: str, reason: str = "", crop: str = "") -> Reply:
    """A valid reply, as a model would give it."""
    parts = {"crop": crop, "country": country, "reason": reason}
    body = ", ".join(f'"{key}": "{value}"' for key, value in parts.items() if value)
    keys = Keys("country", "reason" if reason else "", "crop" if crop else "")
    reply = read("{" + body + "}", "stop", keys, ANSWERS, {})
    assert reply.valid, reply
    return reply


DUTCH = said("Netherlands", "Red, white and blue.", "red red red / white white white")
RUSSIAN = said("Russia", "Blue lies above red.", "blue blue blue / red red red")
PLAIN_DUTCH, PLAIN_RUSSIAN = said("Netherlands"), said("Russia")


def sections(protocol: str, role: str, purpose: str, bandwidth: int) -> tuple[Heard, ...]:
    """What a step has heard when a game is under way."""
    one, two = (DUTCH, RUSSIAN) if bandwidth > 1 else (PLAIN_DUTCH, PLAIN_RUSSIAN)
    if protocol == "guess":
        return ()
    own = protocol == "broadcast" or role == "manager"
    memory = (PLAIN_DUTCH, PLAIN_RUSSIAN) if protocol == "manager" else (one, two)
    heard = [Heard("memory", tuple(Entry(i, own, reply) for i, reply in enumerate(memory)))]
    if purpose == "decision":
        mine = role == "observer"
        heard.append(
            Heard("reports", (Entry(2, False, two), Entry(3, mine, one), Entry(4, False, two)))
        )
    return tuple(heard)


def observation(
    protocol: str,
    role: str,
    purpose: str,
    *,
    bandwidth: int = 3,
    uptake: int | None = None,
    wording: tuple[str, ...] = (),
    heard: tuple[Heard, ...] | None = None,
    evidence: Evidence = EVIDENCE,
) -> Observation:
    """What a seat observes; a manager sees no crop and decides with a country alone."""
    told = "" if protocol == "guess" else protocol
    alone = purpose in {"guess", "probe"} or role == "manager"
    brief = Brief(role, 1 if alone else bandwidth, uptake, "", WORLD.kind, told, wording)
    if heard is None:
        heard = sections(protocol, role, purpose, bandwidth)
    seen = None if role == "manager" else evidence
    return Observation(
        b"frame", purpose, "", brief, brief.bandwidth > 1, ANSWERS, seen, tuple(heard)
    )


def text(segments: Iterable[Segment]) -> str:
    """A prompt as it is read, a line of dashes at each change of speaker."""
    out, speaker = [], ""
    for segment in segments:
        if segment.role != speaker:
            speaker = segment.role
            out.append(f"\n{f'--- {speaker} ':-<40}\n")
        shown = segment.data.decode() if segment.kind == "text" else f"<{picture(segment.data)}>\n"
        out.append(shown)
    return "".join(out).strip("\n")


def changed(before: tuple[Segment, ...], now: tuple[Segment, ...]) -> str:
    """A prompt without the segments at its start that the prompt above it starts with too."""
    same = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(before, now, strict=False))))
    mark = "[it starts as the one above]\n\n" if same else ""
    return mark + (text(now[same:]).partition("\n")[2] if same else text(now)).strip("\n")


def picture(png: bytes) -> str:
    """A picture in words: the size is in the file's header."""
    width, height = int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")
    return f"PNG picture of {width} x {height} pixels"


def titled(title: str, body: str) -> str:
    """A prompt under its title."""
    return f"{f' {title} ':=^100}\n\n{body}\n"


def prompts(protocol: str, sees: Sees) -> Iterator[str]:
    """All prompts of a protocol, one after another."""
    before: tuple[Segment, ...] = ()
    for role, purpose in STEPS[protocol]:
        for bandwidth in (1,) if purpose == "guess" else (3, 1):
            seen = observation(protocol, role, purpose, bandwidth=bandwidth)
            title = f"{protocol}, {role}, {purpose}, m = {bandwidth}, sees {sees}"
            segments = mind(sees).segments(seen)
            yield titled(title, changed(before, segments))
            before = segments
        empty = tuple(Heard(part.section, ()) for part in seen.heard)
        if empty:
            first = observation(protocol, role, purpose, heard=empty)
            title = f"{protocol}, {role}, {purpose}, m = 3, sees {sees}, nothing heard so far"
            segments = mind(sees).segments(first)
            yield titled(title, changed(before, segments))
            before = segments


def ladder() -> Iterator[str]:
    """The line on uptake at each end of each band, for both protocols that have one."""
    for protocol, purpose in (("pairwise", "message"), ("broadcast", "decision")):
        for numbered in ((), ("uptake-number",)):
            lines = []
            for uptake in BANDS:
                seen = observation(protocol, "observer", purpose, uptake=uptake, wording=numbered)
                asked = mind("image").segments(seen)[-2].data.decode().strip().splitlines()
                lines.append(f"{uptake:>4}  {asked[0]}")
            title = f"{protocol}, uptake in thousandths, wording {list(numbered)}"
            yield titled(title, "\n".join(lines))


def variants() -> Iterator[str]:
    """A broadcast decision under each departure from the printed prompts, and under all."""
    before: tuple[Segment, ...] = ()
    for wording in (*WORDINGS, RELEASED):
        seen = observation("broadcast", "observer", "decision", uptake=750, wording=wording)
        title = f"broadcast decision, wording {list(wording)}"
        segments = mind("image").segments(seen)
        yield titled(title, changed(before, segments))
        before = segments


def files() -> dict[str, str]:
    """Name of each golden file -> its text."""
    # Imported here, for they are built on what stands above.
    from tests.playthroughs.discussed import discussions
    from tests.playthroughs.rooms import rooms

    found = {
        f"{protocol}-{sees}": "\n".join(prompts(protocol, sees))
        for protocol in STEPS
        for sees in SEES
    }
    found["uptake"] = "\n".join(ladder())
    found["wording"] = "\n".join(variants())
    return found | discussions() | rooms()


def write_prompts() -> list[Path]:
    """Make all rendered prompts anew and return their files."""
    FOLDER.mkdir(exist_ok=True)
    paths = []
    for name, body in files().items():
        paths.append(FOLDER / f"{name}.txt")
        paths[-1].write_text(body, encoding="utf-8")
    return paths
