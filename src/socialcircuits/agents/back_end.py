"""The back end of a run: which models stand behind its prompted seats, and how they are asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from socialcircuits.errors import ReplayError, SettingError

if TYPE_CHECKING:
    from socialcircuits.agents.prompted import Manner, Prompted
    from socialcircuits.calls import Calls, Limits
    from socialcircuits.models import Model

LOCAL = "local"


@dataclass(frozen=True)
class Access:
    """How models are reached. Nothing of it enters a study, a key or a digest.

    Args:
        base_url: address of an OpenAI-compatible server, as the user typed it.
        key_env: name of the environment variable that holds its key; None: the usual one.
        gguf: weights file for ``local`` models; None: those fetched by name.
        calls: most calls of this process; None for no limit.
        cost: most billionths of a US dollar of this process; None for no limit.
        in_flight: most calls at once.
        prices: a file of prices; None: those that come with the package.
    """

    base_url: str | None = None
    key_env: str | None = None
    gguf: Path | None = None
    calls: int | None = None
    cost: int | None = None
    in_flight: int = 64
    prices: Path | None = None

    def check(self, models: Iterable[str]) -> None:
        """Refuse an address or key that no model of a study would use.

        Raises:
            SettingError: there is none.
        """
        given = {"--base-url": self.base_url, "--key-env": self.key_env}
        for option, value in given.items():
            if value is not None and not any(m.startswith("openai-compatible/") for m in models):
                expected = "a study with a model openai-compatible/NAME, which alone is asked there"
                raise SettingError(option, value, expected)

    def again(self) -> str:
        """Return the options that a later process must repeat; never a key."""
        options = (
            ("--base-url", self.base_url),
            ("--key-env", self.key_env),
            ("--gguf", self.gguf),
            ("--prices", self.prices),
        )
        return "".join(f" {name} {value}" for name, value in options if value is not None)

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
            access: for its file of prices.
        """
        able = {"images": True}
        recorded = {m: {"name": m.partition("?")[0], "capabilities": able} for m in models}
        return cls(access or Access(), recorded)

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
                mind.allow(self.recorded[model]["capabilities"])
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
            model -> its name and capabilities (JSON values); they decide what is sent and so enter
            keys, and a replay needs them.

        Raises:
            ModelError: a model cannot be reached, or does not speak the form.
        """
        found = dict(known or {})
        for model, mind in self._minds.items():
            if model not in found:
                able = asdict(await mind.model.probe())
                found[model] = {"name": mind.model.name, "capabilities": able}
            mind.allow(found[model]["capabilities"])
        return found

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
        "newer": str,
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
            whole = option in {"max_tokens", "longest"}
            expected = "a whole number" if whole else "a number, or none"
            raise SettingError(f"{where}?{option}", text, expected) from None
    return Manner(**values)
