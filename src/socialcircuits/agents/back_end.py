"""The back end of a run: which models stand behind its prompted seats, and how they are asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property, partial
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from socialcircuits.agents.deployment import (
    SystemPrompt,
    deployed,
    json_object,
    system_id,
    system_of,
)
from socialcircuits.errors import ReplayError, SettingError

if TYPE_CHECKING:
    from socialcircuits.agents.prompted import Manner, Prompted
    from socialcircuits.calls import Calls, Limits
    from socialcircuits.models import Model

LOCAL = "local"


@dataclass(frozen=True)
class Access:
    """How models are reached. Nothing of it enters a study, a key or a digest but what system
    prompts say.

    Args:
        base_url: address of an OpenAI-compatible server, as the user typed it.
        key_env: name of the environment variable that holds its key; None: the usual one.
        gguf: weights file for ``local`` models; None: those fetched by name.
        calls: most calls of this process; None for no limit.
        cost: most billionths of a US dollar of this process; None for no limit.
        in_flight: most calls at once.
        prices: a file of prices; None: those that come with the package.
        systems: name in casts -> a system prompt of the user's own, for models that have its
            digest as an option (`deployed`).
        batch: whether judges are asked in batches, which cost less and take up to a day.
        tell: is told how far the batches are; None: nobody is.
    """

    base_url: str | None = None
    key_env: str | None = None
    gguf: Path | None = None
    calls: int | None = None
    cost: int | None = None
    in_flight: int = 64
    prices: Path | None = None
    systems: Mapping[str, SystemPrompt] = field(default_factory=dict)
    batch: bool = False
    tell: Callable[[str], None] | None = None

    def deployed(self, models: Mapping[str, str]) -> dict[str, str]:
        """Return the models of a study with the digests of their system prompts.

        Raises:
            SettingError: one has no use for it (`deployment.deployed`).
        """
        return deployed(models, self.systems)

    def check(self, models: Iterable[str]) -> None:
        """Refuse an address, key or system prompt that no model of a study would use.

        Raises:
            SettingError: there is none.
        """
        models = list(models)
        given = {"--base-url": self.base_url, "--key-env": self.key_env}
        for option, value in given.items():
            if value is not None and not any(m.startswith("openai-compatible/") for m in models):
                expected = "a study with a model openai-compatible/NAME, which alone is asked there"
                raise SettingError(option, value, expected)
        held = [system for system in map(system_of, models) if system]
        for system in self.systems.values():
            if system.id not in held:
                has = "the text with the digest " + " or ".join(held) if held else "no such option"
                expected = f"{has}, as the models of the study have it (this text: {system.id})"
                raise SettingError("--system", str(system.path), expected)

    def again(self) -> str:
        """Return the options that a later process must repeat; never a key."""
        options: tuple[tuple[str, object], ...] = (
            ("--base-url", self.base_url),
            ("--key-env", self.key_env),
            ("--gguf", self.gguf),
            ("--prices", self.prices),
            *(("--system", f"{name}={one.path}") for name, one in self.systems.items()),
        )
        given = "".join(
            f" {name} {quote(str(value))}" for name, value in options if value is not None
        )
        return given + (" --batch" if self.batch else "")

    def texts(self) -> dict[str, str]:
        """Return the digest of each system prompt -> its text."""
        return {system.id: system.text for system in self.systems.values()}

    def limits(self) -> Limits:
        """Return the limits on calls."""
        from socialcircuits.calls import Limits

        return Limits(calls=self.calls, cost=self.cost, in_flight=self.in_flight)


@dataclass
class BackEnd:
    """Makes prompted minds and keeps what they share: one budget, one set of connections.

    Args:
        access: how models are reached.
        recorded: what `ready` returned in a run that is now replayed; its models are not reached.
    """

    access: Access = field(default_factory=Access)
    recorded: Mapping[str, Any] | None = None

    _minds: dict[str, Prompted] = field(default_factory=dict, init=False)

    @classmethod
    def unreached(cls, models: Iterable[str], access: Access | None = None) -> BackEnd:
        """Return a back end whose models are never reached, to see what they would be told.

        Args:
            models: their names; they are taken to see pictures.
            access: for its file of prices and its system prompts.
        """
        access, able = access or Access(), {"images": True}
        texts = access.texts()
        recorded = {
            model: {
                "name": model.partition("?")[0],
                "capabilities": able,
                "system": texts.get(system_of(model), ""),
            }
            for model in models
        }
        return cls(access, recorded)

    @cached_property
    def calls(self) -> Calls:
        """The one gate through which all calls of the run go."""
        from socialcircuits.calls import Calls
        from socialcircuits.models.prices import load_prices

        return Calls(self.access.limits(), load_prices(self.access.prices))

    def mind(self, model: str, where: str, aliases: Mapping[str, str]) -> Prompted:
        """Return the mind of a model: ``PROVIDER/NAME``, optionally with ``?option=value&...``.

        Raises:
            SettingError: no such provider, weights or option, or a key is missing.
        """
        from socialcircuits.agents.prompted import Prompted

        if model not in self._minds:
            name, _, query = model.partition("?")
            stands = self._model(name, where) if self.recorded is None else self._absent(model)
            self.calls.price(stands.name)  # a limit on cost needs it: better said before a call
            ask = partial(self.calls.complete, stands)
            mind = Prompted(stands, ask, _manner(query, name, where), aliases=aliases)
            if self.recorded is not None:
                known = self.recorded[model]
                mind.allow(known["capabilities"], known.get("system", ""))
            self._minds[model] = mind
        return self._minds[model]

    def _absent(self, model: str) -> Model:
        from socialcircuits.models.absent import Absent

        assert self.recorded is not None
        if model not in self.recorded:
            raise ReplayError(f"replay: the original run did not ask {model}")
        return Absent(self.recorded[model]["name"])

    def _model(self, name: str, where: str) -> Model:
        provider, _, rest = name.partition("/")
        if provider == LOCAL:
            from socialcircuits.models.local import LocalModel

            return LocalModel(rest, self.access.gguf)
        from socialcircuits.models.endpoints import BY_URL, resolve
        from socialcircuits.models.openai_compatible import OpenAICompatible

        typed = (self.access.base_url, self.access.key_env) if provider == BY_URL else (None, None)
        endpoint = resolve(name, *typed, where)
        return OpenAICompatible(name, endpoint.model, endpoint.base_url, endpoint.key)

    async def ready(self, known: Mapping[str, Any] | None) -> dict[str, Any]:
        """Learn what the models can do, from an earlier process or by asking them.

        Returns:
            model -> its name, capabilities and, if it has one, the text of its system prompt (JSON
            values); they decide what is sent and so enter keys, and a replay needs them.

        Raises:
            SettingError: the text of a system prompt is not at hand.
            ModelError: a model cannot be reached, or does not speak the form.
        """
        found = dict(known or {})
        for model, mind in self._minds.items():
            text = self._text(model, found.get(model, {}).get("system", ""))
            if model not in found:
                able = asdict(await mind.model.probe())
                system = {"system": text} if text else {}
                found[model] = {"name": mind.model.name, "capabilities": able, **system}
            mind.allow(found[model]["capabilities"], text)
        return found

    def _text(self, model: str, held: str) -> str:
        """The text of a model's system prompt, from the user or from an earlier process."""
        system = system_of(model)
        text = self.access.texts().get(system, held)
        if system and system_id(text) != system:
            expected = f"the file whose text has the digest {system}, the system prompt of {model}"
            raise SettingError("--system", None, expected)
        return text

    async def close(self) -> None:
        """Free connections and child processes."""
        for mind in self._minds.values():
            await mind.model.close()


def sees_images(model: str, where: str = "$.models") -> bool:
    """Whether a model is shown evidence as pictures.

    Raises:
        SettingError: an option of the model is unknown or not allowed.

    >>> sees_images("openai/gpt-4o"), sees_images("simulated/literal")
    (True, False)
    """
    name, _, query = model.partition("?")
    return not name.startswith("simulated/") and _manner(query, name, where).sees == "image"


def _or_none(text: str) -> float | None:
    return None if text == "none" else float(text)


def _manner(query: str, name: str, where: str) -> Manner:
    from socialcircuits.agents.prompted import Manner

    readers: dict[str, Callable[[str], Any]] = {
        "sees": str,
        "temperature": _or_none,
        "top_p": _or_none,
        "max_tokens": int,
        "longest": int,
        "reasoning_effort": str,
        "extra": json_object,
        "system": str,
        "newer": str,
    }
    forms = {
        "max_tokens": "a whole number",
        "longest": "a whole number",
        "extra": "a JSON object, with %26 for & and %2B for +",
    }
    values: dict[str, Any] = {"sees": "image"}
    if name.startswith(f"{LOCAL}/"):
        # Small models talk on until they are cut; hosted servers may refuse such a schema.
        values = {"sees": "text", "longest": 240}
    for option, text in parse_qsl(query, keep_blank_values=True):
        if option not in readers:
            expected = "an option: " + ", ".join(readers)
            raise SettingError(where, option, expected, among=readers)
        try:
            values[option] = readers[option](text)
        except ValueError:
            expected = forms.get(option, "a number, or none")
            raise SettingError(f"{where}?{option}", text, expected) from None
    return Manner(**values)
