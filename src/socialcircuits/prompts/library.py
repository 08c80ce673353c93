"""Reading the prompt files, and finding the one that fits a place best."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING, Any, NamedTuple

from socialcircuits.errors import SettingError
from socialcircuits.graph import ADVERSARIES
from socialcircuits.prompts.wordings import WORDINGS

if TYPE_CHECKING:
    from jinja2 import Environment, Template

SECTIONS = "system role choice world answers evidence secret uptake persona task question".split()
"""The sections that do not depend on what was heard, in the order of a prompt: the first three make
the system message, what is heard stands between ``secret`` and ``uptake``. What is shared by most
calls comes first, so that the prefix caches of servers serve. ``secret`` is told to adversaries
alone."""

REQUIRED = "world system role task question".split()
"""The sections that every prompt has."""

SCOPE = "protocol world role purpose variant view form wording".split()
"""What a file may name under ``for``: each a value, or a list of values any of which fits."""

FENCE = "+++\n"


class Place(NamedTuple):
    """Where a prompt is wanted.

    Args:
        world: kind of the world.
        protocol: name of the protocol; empty for the isolated guess, which belongs to none.
        role: role of the seat.
        purpose: purpose of the step.
        view: how evidence is shown: ``image``, ``text``, or ``blind`` where there is none.
        form: ``label``, an answer alone, or ``reasoned``, an answer and a reason.
        wording: names of departures from the printed prompts.
        variant: variant of the step; empty for the plain one.
    """

    world: str
    protocol: str
    role: str
    purpose: str
    view: str
    form: str
    wording: tuple[str, ...] = ()
    variant: str = ""


@dataclass(frozen=True)
class Prompt:
    """One prompt file.

    Args:
        id: its path below the folder, without the suffix.
        version: raised with every change of the file, from 1.
        section: which section of a prompt it is.
        scope: where it applies: some of `SCOPE` -> the values that fit.
        variables: names of the values it needs.
        source: what it follows, and whose words it uses.
        keys: in the section ``question`` the keys of the reply by their part (restated, answer,
            reason), in order; in a heading of what was heard the keys under which entries are shown
            by their part (name, answer, reason), where they are not those of the reply.
        open: in the section ``question``: whether any text is an answer.
        body: the text, a Jinja template.
        sha256: of the whole file, hexadecimal.
    """

    id: str
    version: int
    section: str
    scope: Mapping[str, tuple[str, ...]]
    variables: tuple[str, ...]
    source: str
    keys: Mapping[str, str]
    open: bool
    body: str
    sha256: str

    def fits(self, place: Place) -> bool:
        """Whether the file applies to a place."""
        return all(
            not set(values).isdisjoint(place.wording)
            if name == "wording"
            else getattr(place, name) in values
            for name, values in self.scope.items()
        )

    def render(self, values: Mapping[str, object]) -> str:
        """Return the text with its variables filled in; values are never read as templates.

        Args:
            values: variable -> value; others than those the file declares are not passed on.

        >>> find("answers", Place("flags", "", "observer", "guess", "image", "label")).render(
        ...     {"answers": '["Peru", "{{ 7 * 7 }}"]'}
        ... )
        'Allowed countries: ["Peru", "{{ 7 * 7 }}"]'
        """
        return self._template.render({name: values[name] for name in self.variables}).strip()

    @cached_property
    def _template(self) -> Template:
        return environment().from_string(self.body)


@cache
def environment() -> Environment:
    """Return the one template environment: sandboxed, and an undefined variable is an error."""
    # Imported here, so that asking for help does not load it.
    from jinja2 import StrictUndefined
    from jinja2.sandbox import SandboxedEnvironment

    return SandboxedEnvironment(
        undefined=StrictUndefined, autoescape=False, trim_blocks=True, lstrip_blocks=True
    )


@cache
def library() -> tuple[Prompt, ...]:
    """Return all prompt files, by id.

    >>> library()[0].id, library()[0].version
    ('answers/flags', 1)
    """
    found = _walk(files("socialcircuits.prompts"), "")
    return tuple(read(name, found[name]) for name in sorted(found))


def read(name: str, text: str) -> Prompt:
    r"""Read one prompt file.

    Args:
        name: its id.
        text: the whole file, line ends as ``\n``.

    Raises:
        ValueError: the file is not of the form.

    >>> read("a/b", '+++\nid = "a/b"\nversion = 1\nsection = "a"\n+++\nHi.\n')
    Traceback (most recent call last):
    ValueError: prompt a/b: 'variables'
    """
    start, front, body = text.split(FENCE, 2) if text.count(FENCE) >= 2 else (text, "", "")
    if start or not body.strip():
        raise ValueError(f"prompt {name}: no front matter between lines of +++, or no text")
    head: dict[str, Any] = tomllib.loads(front)
    try:
        prompt = Prompt(
            id=head.pop("id"),
            version=head.pop("version"),
            section=head.pop("section"),
            scope={name: _values(value) for name, value in head.pop("for", {}).items()},
            variables=tuple(head.pop("variables")),
            source=head.pop("source"),
            keys=head.pop("keys", {}),
            open=head.pop("open", False),
            body=body,
            sha256=sha256(text.encode()).hexdigest(),
        )
    except KeyError as error:
        raise ValueError(f"prompt {name}: {error}") from error
    unknown = [*head, *(key for key in prompt.scope if key not in SCOPE)]
    if prompt.id != name or prompt.version < 1 or unknown:
        raise ValueError(f"prompt {name}: id {prompt.id!r}, version {prompt.version}, {unknown}")
    return prompt


@lru_cache(maxsize=4096)
def find(section: str, place: Place) -> Prompt | None:
    """Return the file of a section that fits a place best, or None if none fits.

    The file that says most under ``for`` wins; among equals the one that names what comes first in
    `SCOPE`.

    >>> find("task", Place("flags", "broadcast", "observer", "report", "image", "label")).id
    'task/broadcast-report'
    >>> find("persona", Place("flags", "pairwise", "observer", "message", "image", "label"))
    """
    fitting = [prompt for prompt in library() if prompt.section == section and prompt.fits(place)]
    return max(fitting, key=_specificity, default=None)


def demand(section: str, place: Place) -> Prompt:
    """Return the file of a section that fits a place best, where there must be one.

    Raises:
        SettingError: there is none, because no prompts were written for this world or protocol.
    """
    found = find(section, place)
    if found is not None:
        return found
    worlds = _named("world")
    if place.world not in worlds:
        expected = "a world with prompts (" + ", ".join(sorted(worlds)) + ")"
        raise SettingError("$.world.kind", place.world, expected, among=worlds)
    having = {n for n in _named("protocol") if find(section, place._replace(protocol=n))}
    expected = f"a protocol whose prompts have the section {section} ({', '.join(sorted(having))})"
    raise SettingError("$.trial.protocol", place.protocol, expected, among=having)


def check(place: Place, uptake: int | None, where: str = "$.trial") -> None:
    """Refuse what no prompt can say, before anything is asked.

    Args:
        place: of any step of the trial.
        uptake: social-evidence uptake in thousandths, or None where nothing is said about it.
        where: path of the settings ``wording`` and ``alpha``, for messages.

    Raises:
        SettingError: a departure is unknown, no prompts were written for the world, for the role in
            the protocol or for what an adversary knows, or uptake is set in a protocol whose
            prompts have no line for it.

    >>> check(Place("flags", "manager", "observer", "report", "image", "label"), 500)
    Traceback (most recent call last):
    socialcircuits.errors.SettingError: $.trial.alpha: 0.5 is not allowed; expected none: the \
prompts of the protocol manager do not speak of uptake
    """
    for name in place.wording:
        if name not in WORDINGS:
            expected = "some of " + ", ".join(WORDINGS)
            raise SettingError(f"{where}.wording", name, expected, among=WORDINGS)
    for section in REQUIRED:
        demand(section, place)
    if place.role in ADVERSARIES:
        demand("secret", place)
    if uptake is not None and find("uptake", place) is None:
        expected = f"none: the prompts of the protocol {place.protocol} do not speak of uptake"
        raise SettingError(f"{where}.alpha", uptake / 1000, expected)


def _specificity(prompt: Prompt) -> tuple[int, tuple[bool, ...]]:
    return len(prompt.scope), tuple(name in prompt.scope for name in SCOPE)


def _values(value: str | list[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def _named(part: str) -> set[str]:
    """The values of one part of the scope that some file names."""
    return {value for prompt in library() for value in prompt.scope.get(part, ())}


def _walk(folder: Traversable, path: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for entry in folder.iterdir():
        if entry.is_dir():
            found |= _walk(entry, f"{path}{entry.name}/")
        elif entry.name.endswith(".md"):
            found[path + entry.name.removesuffix(".md")] = entry.read_text(encoding="utf-8")
    return found
