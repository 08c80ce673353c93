"""What a screening is made of: its stages, the claims, and who answers and judges."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import parse_qsl

from pydantic import Field

from socialcircuits.agents import SIMULATED
from socialcircuits.agents.prompted import TALK
from socialcircuits.checking import checked
from socialcircuits.errors import UsageError
from socialcircuits.measures.screening import (
    CANDIDATES,
    FIRST,
    MOST_BOTH,
    SECOND,
    SINGLE,
    Reason,
    Thresholds,
)
from socialcircuits.studies.settings import MOST_PROBES, Strict

__all__ = ["Screening", "Stage", "Stages", "default_stages", "read_stages"]

Method = Literal["strings", "judge"]


class Stage(Strict):
    """One stage: how often each claim is sampled, and what its samples must come to.

    Args:
        samples: answers to each claim, at least 1.
        most_false: largest share of them that gives the false answer, 0 to 1.
        least_true: smallest share that gives the true one.
        most_both: largest share that names both.
        method: how they are read: ``strings``, by the forms of both answers; ``judge``: a model
            judges what strings leave open.
    """

    samples: int = Field(ge=1, le=MOST_PROBES)
    most_false: float = Field(ge=0, le=1)
    least_true: float = Field(ge=0, le=1)
    most_both: float = Field(default=MOST_BOTH, ge=0, le=1)
    method: Method = "strings"

    @property
    def limits(self) -> Thresholds:
        """The thresholds."""
        return Thresholds(self.most_false, self.least_true, self.most_both)

    def why(self, reason: Reason) -> str:
        """Return what the claims have in common that are dropped for a reason.

        >>> Stage(samples=10, most_false=0.1, least_true=0.6).why("false")
        'the false answer in more than 10 % of samples'
        """
        return {
            "false": f"the false answer in more than {100 * self.most_false:g} % of samples",
            "both": f"both answers named in more than {100 * self.most_both:g} % of samples",
            "true": f"the true answer in less than {100 * self.least_true:g} % of samples",
            "undecided": "a threshold hangs on what undecided samples give",
        }[reason]


class Stages(Strict):
    """The stages of a screening.

    Args:
        stage: the stages, in order; at least one.
        candidates: at most so many claims are sampled, from each relation in turn; None: all.
    """

    stage: list[Stage] = Field(min_length=1)
    candidates: int | None = Field(default=None, ge=1)


def _stage(samples: int, limits: Thresholds, method: Method) -> Stage:
    return Stage(samples=samples, method=method, **limits._asdict())


_TWO = Stages(stage=[_stage(10, FIRST, "strings"), _stage(20, SECOND, "strings")])
_SIMPLEQA = Stages(stage=[_stage(10, SINGLE, "judge")], candidates=CANDIDATES)


def default_stages(dataset: str) -> Stages:
    """Return the stages of a data set: two of which the second is stricter, of SimpleQA one.

    The numbers of samples are ours. Source: believed but not said, appendix C.

    >>> [stage.samples for stage in default_stages("popqa").stage]
    [10, 20]
    >>> default_stages("simpleqa").candidates
    240
    """
    return _SIMPLEQA if dataset == "simpleqa" else _TWO


def read_stages(path: str | Path) -> Stages:
    r"""Return the stages of a TOML file: tables ``[[stage]]`` and, before them, ``candidates``.

    Raises:
        UsageError: the file cannot be read, or a setting is unknown or not allowed.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "stages.toml"
    ...     _ = file.write_text("[[stage]]\nsamples = 5\nmost_false = 0\nleast_true = 0.8")
    ...     read_stages(file).stage[0].most_both
    0.1
    """
    try:
        values = tomllib.loads(Path(path).read_text("utf-8"))
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise UsageError(f"{path}: not a TOML file: {error}") from None
    given = values.get("stage")
    if isinstance(given, list):
        values["stage"] = [checked(Stage, one, f"$.stage[{i}]") for i, one in enumerate(given)]
    return checked(Stages, values, "$")


@dataclass(frozen=True)
class Screening:
    """What is screened, and by whom.

    Args:
        items: a file of claims.
        model: the model that answers.
        judge: the model that judges; ``rules``: strings decide alone; empty: none is named.
        seed: of all draws, at least 0.
        stages: the stages; None: those of the data set that `items` was built from, or of
            CounterFact.
    """

    items: Path
    model: str
    judge: str = ""
    seed: int = 0
    stages: Stages | None = None

    @property
    def simulated(self) -> bool:
        """Whether the model is a simulated agent."""
        return self.model.startswith(f"{SIMULATED}/")

    @property
    def asked(self) -> str:
        """The model with its options; any but a simulated one sees text and, unless it says
        otherwise, samples at the temperature at which the paper's agents talk (appendix D).

        >>> Screening(Path("items.jsonl"), "openai/gpt-4o?temperature=1").asked
        'openai/gpt-4o?temperature=1&sees=text'
        """
        if self.simulated:
            return self.model
        name, _, query = self.model.partition("?")
        given = dict(parse_qsl(query, keep_blank_values=True))
        usual = {"sees": "text", "temperature": f"{TALK:g}"}
        added = [f"{option}={value}" for option, value in usual.items() if option not in given]
        return "?".join([name, *filter(None, ["&".join([*filter(None, [query]), *added])])])
