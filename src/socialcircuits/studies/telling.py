"""What agents are told: the prompt of every kind of step of a condition, as it is sent.

What differs by seat or draw has a stand-in, in parentheses: the evidence, the allowed answers, what
was heard. What is left is what the experimenter tells.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from socialcircuits.agents import SIMULATED
from socialcircuits.agents.rendering import Catalogued
from socialcircuits.errors import ReplayError, SettingError
from socialcircuits.graph import Brief, Entry, Evidence, Heard, Observation, Reply, Step
from socialcircuits.graph.walk import Blocked
from socialcircuits.records import NO_KEY, Attempt
from socialcircuits.records.digests import canonical
from socialcircuits.seeds import digest
from socialcircuits.studies.planning import Builder, Plan
from socialcircuits.trial import Setup
from socialcircuits.trial.state import State

if TYPE_CHECKING:
    from socialcircuits.agents.prompted import Prompted
    from socialcircuits.graph.vocabulary import Segment, View
    from socialcircuits.models import Completion, Request

ANSWER, REASON, NAME = "(an answer)", "(a reason)", "(a name)"
UNWRITTEN = "(no prompt can be written: "
"""Begins what stands in the place of a prompt that the settings do not allow."""

Models = Mapping[str, tuple[str, ...]]
"""rendered prompt -> names in casts of the models that are sent it."""


@dataclass(frozen=True)
class Told:
    """What agents are told in one condition.

    Args:
        condition: the swept settings.
        texts: place -> rendered prompt -> names in casts of the models that are sent it. A place
            is a role, a purpose, how evidence is shown, and what was heard so far.
    """

    condition: Mapping[str, Any]
    texts: Mapping[str, Models]

    @property
    def digest(self) -> str:
        """Digest (hex) of all that is told, whichever models are told it.

        >>> one = Told({"N": 4}, {"observer guess (text)": {"Which flag?": ("A",)}})
        >>> one.digest == Told({}, {"observer guess (text)": {"Which flag?": ("B",)}}).digest
        True
        """
        rows = [[place, sorted(self.texts[place])] for place in sorted(self.texts)]
        return digest(canonical(rows)).hex()


def reads_prompts(plan: Plan) -> bool:
    """Whether any model of a study reads prompts; simulated agents read none."""
    return any(not model.startswith(f"{SIMULATED}/") for model in plan.study.models.values())


def tell(plan: Plan, builder: Builder | None = None) -> list[Told]:
    """Return what agents are told in each condition that enters estimates. Nobody is asked.

    Args:
        plan: the study's plan.
        builder: makes its trials, of which those of the first replicate are rendered. None puts a
            model that reads text into all seats: what simulated agents would be told.
    """
    from socialcircuits.agents.prompted import Prompted

    if builder is None:
        builder = Builder(plan.study)
        minds = dict.fromkeys(plan.study.models, _imagined())
    else:
        minds = {n: mind for n, mind in builder.originals.items() if isinstance(mind, Prompted)}
    told = []
    for planned in plan.groups[0].trials:
        if planned.cell.role == "estimate":
            setup, _ = builder.build(planned)
            names = builder.models(planned)
            told.append(Told(planned.cell.condition, _texts(setup, names, minds)))
    return told


def _imagined() -> Prompted:
    from socialcircuits.agents.prompted import Manner, Prompted
    from socialcircuits.models.absent import Absent

    async def nobody(request: Request) -> tuple[Completion, int]:
        raise ReplayError("a model that was only imagined is not asked")

    return Prompted(Absent("(its model)"), nobody, Manner("text", newer="(a newer model)"))


class _Kind(NamedTuple):
    """Steps that are told the same but for what they see and heard."""

    model: str
    role: str
    purpose: str
    variant: str
    form: str


def _texts(setup: Setup, names: Sequence[str], minds: Mapping[str, Prompted]) -> dict[str, Models]:
    found: dict[str, dict[str, set[str]]] = {}
    for kind, (step, observation, planted) in _observed(setup, names).items():
        if kind.model not in minds:
            continue
        nothing = tuple(Heard(part.section, ()) for part in observation.heard)
        for one in [observation] if planted else [observation._replace(heard=nothing), observation]:
            place, text = _rendered(minds[kind.model], step, one)
            found.setdefault(place, {}).setdefault(text, set()).add(kind.model)
    return {
        place: {text: tuple(sorted(models)) for text, models in texts.items()}
        for place, texts in found.items()
    }


def _observed(setup: Setup, names: Sequence[str]) -> dict[_Kind, tuple[Step, Observation, bool]]:
    """For each kind of step: one that heard something in all its sections, as far as the protocol
    lets any, what it observes, and whether that is given, so that it never hears nothing."""
    graph, state = setup.graph, State(setup, lambda key: None)
    kinds = [
        _Kind(names[s.seat], graph.seats[s.seat].role, s.purpose, s.variant, s.form)
        for s in graph.steps
    ]
    wanted = {kind for kind, step in zip(kinds, graph.steps, strict=True) if step.kind == "model"}
    found: dict[_Kind, tuple[Step, Observation, bool]] = {}
    said: dict[str, Entry] = {}
    for index, (kind, step) in enumerate(zip(kinds, graph.steps, strict=True)):
        if not wanted:
            break
        observation = state.observe(index)
        assert not isinstance(observation, Blocked), "graph order resolves all that is read"
        if kind in wanted and step.kind == "model":
            # Whether a seat of a small group was spoken to is chance: what could be heard counts.
            heard = tuple(map(_filled, observation.heard, step.views, [said] * len(step.views)))
            full = all(part.entries for part in observation.heard)
            given = any(graph.steps[e.step].kind == "given" for part in heard for e in part.entries)
            found[kind] = (step, observation._replace(heard=heard), given)
            if full:
                wanted.remove(kind)
        reply = setup.given.get(graph.step_id(index)) or _said(observation)
        said.setdefault(step.purpose, Entry(index, False, reply))
        state.settle(index, [Attempt(index, 0, NO_KEY, reply)])
    return found


def _filled(part: Heard, view: View, said: Mapping[str, Entry]) -> Heard:
    entries = [said[purpose] for purpose in view.purposes if purpose in said]
    if part.entries or not entries:
        return part
    return Heard(part.section, (entries[0]._replace(own=view.whose == "own"),))


def _said(observation: Observation) -> Reply:
    """A valid reply. Its answer is an allowed one, for a rule may look at it."""
    reason = REASON if observation.with_reason else ""
    return Reply(ANSWER, observation.answers[0], reason)


def _rendered(mind: Prompted, step: Step, observation: Observation) -> tuple[str, str]:
    """Return the place of a step, and its prompt with what is sent beside it."""
    role, evidence = observation.brief.role, observation.evidence
    sees, body = "blind" if evidence is None else "text", ""
    try:
        request = mind.request(_stood_in(observation), bytes(16))
        if any(segment.kind == "image" for segment in request.segments):
            sees = "image"
        head = [*_sent(request), *map(_read, step.views)]
        body = "\n".join([*head, *_written(request.segments)])
    except SettingError as error:
        body = f"{UNWRITTEN}{error})"
    heard = [part.section for part in observation.heard if part.entries]
    after = f", after {' and '.join(heard)}" if heard else ", at first" if step.views else ""
    variant = f" {step.variant}" if step.variant else ""
    return f"{role} {step.purpose}{variant} ({sees}){after}", body


def _stood_in(observation: Observation) -> Observation:
    evidence, number = observation.evidence, len(observation.answers)
    heard = tuple(Heard(part.section, tuple(_examples(part))) for part in observation.heard)
    if evidence is not None:
        named = evidence.catalogue() if isinstance(evidence, Catalogued) else None
        evidence = _Shown(evidence) if named is None else _Listed(evidence, named)
    answers = (f"({number} answers, in an order of the seat's own)",)
    brief = _unnamed(observation.brief)
    return observation._replace(answers=answers, evidence=evidence, heard=heard, brief=brief)


def _unnamed(brief: Brief) -> Brief:
    """The brief without what is drawn: who it is, and the truth that adversaries are told."""
    return brief._replace(
        name=brief.name and NAME,
        persona=brief.persona and "(who it is)",
        truth=brief.truth and "(the right answer)",
        lure=brief.lure and "(a wrong answer)",
        fellows=tuple(f"{NAME[:-1]} of fellow {n})" for n in range(1, len(brief.fellows) + 1)),
    )


def _examples(part: Heard) -> Iterator[Entry]:
    """One entry of one's own and one of others, as far as there are any."""
    for own in (True, False):
        entry = next((entry for entry in part.entries if entry.own == own), None)
        if entry is not None:
            # A reason that was planted names its answer.
            reason = entry.reply.reason.replace(entry.reply.answer or ANSWER, ANSWER)
            said = ANSWER if entry.reply.answer else None
            yield entry._replace(reply=Reply(ANSWER, said, reason), name=entry.name and NAME)


@dataclass(frozen=True)
class _Shown:
    """Evidence whose text is a stand-in; pictures get theirs when they are written down."""

    original: Evidence

    @property
    def key(self) -> bytes:
        return self.original.key

    @property
    def answers(self) -> tuple[str, ...]:
        return self.original.answers

    def log_belief(self) -> tuple[int | None, ...]:
        return self.original.log_belief()

    def reasons(self) -> tuple[str, ...]:
        return self.original.reasons()

    def text(self) -> str:
        return f"(evidence, {len(self.original.text().splitlines())} lines)"

    def image(self) -> bytes | None:
        return self.original.image()


@dataclass(frozen=True)
class _Listed(_Shown):
    """Evidence of a world that lists what its answers look like: all seats are told that."""

    listed: str

    def catalogue(self) -> str:
        return self.listed


def _sent(request: Request) -> Iterator[str]:
    named = {"temperature": request.temperature, "top_p": request.top_p}
    sampling = [f"{name} {'not sent' if v is None else v}" for name, v in named.items()]
    if request.top_logprobs:
        sampling = ["the odds of every answer"]
    yield f"sent with: at most {request.max_tokens} tokens, {', '.join(sampling)}"
    yield f"schema: {canonical(request.schema) if request.schema else 'not sent'}"
    if request.prefill:
        yield f"the reply is begun: {request.prefill}"


def _read(view: View) -> str:
    room = "all entries" if view.last is None else f"the newest {view.last} entries"
    most = "" if view.max_bytes is None else f", at most {view.max_bytes} bytes"
    return f"{view.section}: {room}{most}"


def _written(segments: Sequence[Segment]) -> list[str]:
    """The lines of a prompt, one of dashes at each change of speaker."""
    parts, speaker = list[str](), ""
    for segment in segments:
        if segment.role != speaker:
            speaker = segment.role
            parts.append(f"\n\n{f'--- {speaker} ':-<40}\n")
        is_text = segment.kind == "text"
        parts.append(segment.data.decode() if is_text else f"{_picture(segment.data)}\n")
    return "".join(parts).splitlines()[1:]


def _picture(png: bytes) -> str:
    width, height = int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")
    return f"(evidence, a picture of {width} x {height} pixels)"
