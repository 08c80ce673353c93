"""What agents were told is kept with the run: it counts later, whatever the prompts are then."""

from __future__ import annotations

import json
from collections.abc import Sequence

from socialcircuits.errors import RunFileError, SettingError
from socialcircuits.records import RunFile, RunStore
from socialcircuits.records.digests import canonical
from socialcircuits.records.schema import reading
from socialcircuits.seeds import digest
from socialcircuits.studies.planning import Builder, Plan
from socialcircuits.studies.telling import UNWRITTEN, Told, reads_prompts, tell

TOLD = "told"
"""Under this name a run remembers the key of the content that holds what its agents were told."""


def remember(plan: Plan, builder: Builder, store: RunStore) -> None:
    """Keep in the run file what its agents are told, before anything is asked.

    Nothing is kept for simulated agents, who read no prompts.

    Raises:
        SettingError: a prompt cannot be written as a condition wants it.
        RunFileError: trials are left to run, and the prompts have changed since the run began.
    """
    done = len(store.completed())
    if not reads_prompts(plan) or done == len(plan.trials):
        return
    told = tell(plan, builder)
    _check(told)
    data, held = _packed(told), store.recall(TOLD)
    key = digest(data)
    if held is None and not done:
        store.keep({key: data})
        store.remember(TOLD, key.hex())
    elif held not in (None, key.hex()):
        raise RunFileError(
            f"{store.path}: the prompts have changed since the run began, and one run tells its "
            "agents one thing; choose another --out"
        )


def _check(told: Sequence[Told]) -> None:
    for one in told:
        for place, texts in one.texts.items():
            for text in texts:
                if text.startswith(UNWRITTEN):
                    expected = "what prompts can say: " + text[len(UNWRITTEN) :].rstrip(")")
                    raise SettingError("$.sweep", f"{dict(one.condition)}, {place}", expected)


def recall(file: RunFile) -> list[Told] | None:
    """Return what the agents of a run were told, by condition; None where nothing was remembered.

    Raises:
        RunFileError: it is missing or damaged.
    """
    held = file.recall(TOLD)
    if held is None:
        return None
    with reading(file.path):
        data = file.content(bytes.fromhex(held))
        if digest(data).hex() != held:
            raise RunFileError(f"{file.path}: damaged: what its agents were told has changed")
        return _unpacked(data)


def _packed(told: Sequence[Told]) -> bytes:
    """All in one content, each text once: prompts are much alike, and shrink together."""
    texts = list(
        dict.fromkeys(text for one in told for found in one.texts.values() for text in found)
    )
    numbers = {text: number for number, text in enumerate(texts)}
    conditions = [
        {
            "condition": dict(one.condition),
            "places": {
                place: [[numbers[text], names] for text, names in found.items()]
                for place, found in one.texts.items()
            },
        }
        for one in told
    ]
    return canonical({"texts": texts, "conditions": conditions}).encode()


def _unpacked(data: bytes) -> list[Told]:
    held = json.loads(data)
    texts = held["texts"]
    return [
        Told(
            row["condition"],
            {
                place: {texts[number]: tuple(names) for number, names in found}
                for place, found in row["places"].items()
            },
        )
        for row in held["conditions"]
    ]


def prompt_digest(told: Sequence[Told]) -> str:
    """Return the digest (hex) of what agents are told in all conditions, in whatever order.

    >>> one, two = Told({"N": 4}, {}), Told({"N": 8}, {})
    >>> prompt_digest([one, two]) == prompt_digest([two, one])
    True
    """
    rows = sorted([canonical(dict(one.condition)), one.digest] for one in told)
    return digest(canonical(rows)).hex()
