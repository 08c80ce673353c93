"""What is written for others holds no text of a question that may not be published."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from socialcircuits.graph import Observation, Reply, Settings
from socialcircuits.graph.vocabulary import Usage
from socialcircuits.records import Label, Provided, RunFile, RunStore, TrialPlan
from socialcircuits.records.odds import write_odds
from socialcircuits.records.tables import TABLES, WITHHELD, export, table, withheld
from socialcircuits.seeds import digest
from socialcircuits.trial import Setup, play
from socialcircuits.worlds import load
from tests.support.minds import Puppet
from tests.support.records import STUDY
from tests.support.trials import played_by, trial

CANARY = "hle-canary-26b5c67b-86ad"
SECRETS = ("quagga", "zyzzyva", "vavasour", "okapi")
ROWS: list[dict[str, Any]] = [
    {
        "id": "exact-1",
        "question": "Which quagga jumped?",
        "answer": "the zyzzyva",
        "answer_type": "exactMatch",
    },
    {
        "id": "choice-2",
        "question": "Which quagga?\nA. a vavasour\nB. an okapi",
        "answer": "B",
        "answer_type": "multipleChoice",
    },
]
LABELS = [
    Label(0, "correctness", "rules", 0, {"right": True, "extracted": "the zyzzyva"}, "zyzzyva"),
    Label(1, "clusters", "rules", 0, {"clusters": [["Colleague 1"], ["0"]], "correct": 0}),
    Label(2, "tactics", "m", 1, {"tactics": ["bare_assertion"]}, "it says", "the quagga"),
    Label(
        3,
        "reflection_audit",
        "m",
        0,
        {"holds": "different", "answer": "okapi", "credits": False, "doubts": True},
    ),
    Label(3, "defection_reason", "m", 0, {"reason": "uncertainty"}),
    Label(4, "of_another_house", "m", 0, {"note": "a vavasour", "list": ["okapi", 3]}),
    Label(5, "correctness", "rules", 0, None, why="unjudged"),
    Label(6, "clusters", "m", 0, None, why="void: invented: the zyzzyva"),
]


def play_question(world: Any, item: str, odds: bool) -> tuple[Setup, Provided]:
    """A trial whose agents say all that they see, and what a planner would put down of it."""
    deal = world.deal(digest("s"), 2, item)
    protocol, probes = ("isolated", None) if odds else ("broadcast", 1)
    plain = trial(protocol, 2, Settings(rounds=1, probes=probes))
    setup = replace(plain, evidence=deal.evidence, answers=(deal.answers,) * 2)

    def says(step: int, attempt: int, seen: Observation) -> Reply:
        shown = seen.evidence.text() if seen.evidence else "a quagga"
        used = Usage(10, 5, reasoning=f"thinking of {shown}")
        if seen.odds:
            return Reply(write_odds(dict.fromkeys(deal.answers, 1.0), {}), deal.truth, usage=used)
        said = json.dumps({"answer": deal.truth, "reason": shown, "lure": deal.lure})
        return Reply(said, deal.truth, shown, usage=used)

    setup = played_by(setup, Puppet(setup, says))
    known = {"truth": deal.truth, "answers": list(deal.answers), "lure": deal.lure}
    given = Provided(
        minds=("puppet", "puppet"),
        briefs=({}, {}),
        evidence=tuple(seen.key.hex() for seen in deal.evidence),
        facts={**known, **deal.facts},
    )
    return setup, given


@pytest.fixture(name="run", scope="module")
def a_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunFile]:
    """Three trials about two items of HLE and one about a bundled question."""
    folder = tmp_path_factory.mktemp("withheld")
    lines = (json.dumps({**row, "canary": CANARY}) for row in ROWS)
    (folder / "hle.jsonl").write_text("\n".join(lines))
    hle = load("questions", {"file": str(folder / "hle.jsonl")})
    topics = [(hle, "exact-1", False), (hle, "choice-2", False), (hle, "choice-2", True)]
    with RunStore(folder / "run.db", STUDY, {}, paid=False) as store:
        for number, topic in enumerate([*topics, (load("questions", {}), "divisors", False)]):
            setup, given = play_question(*topic)
            plan = TrialPlan(number, {"N": 2}, 1 + number)
            store.begin(plan)
            store.keep({e.key: e.text().encode() for e in setup.evidence if e})
            store.finish(plan, play(setup), given)
            store.label(number, [(label, ()) for label in LABELS if not given.facts["shareable"]])
    with RunFile(folder / "run.db") as run:
        yield run


@pytest.fixture(name="folder", scope="module")
def an_export(run: RunFile, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("export")
    export(run, folder)
    return folder


def read(folder: Path, name: str) -> pd.DataFrame:
    return pd.read_parquet(folder / f"{name}.parquet")


@pytest.mark.parametrize("name", TABLES)
def test_no_text_and_no_canary_is_in_any_exported_byte(folder: Path, name: str) -> None:
    packed = (folder / f"{name}.parquet").read_bytes()
    written = (folder / f"{name}.csv").read_text() + read(folder, name).to_csv()
    for secret in (*SECRETS, CANARY):
        assert secret not in written
        assert secret.encode() not in packed


def test_the_users_own_tables_hold_everything_but_the_canary(run: RunFile) -> None:
    whole = "".join(table(run, name).to_csv() for name in TABLES)
    assert all(secret in whole for secret in SECRETS)
    assert CANARY not in whole


def test_the_record_does_not_hold_the_canary(run: RunFile) -> None:
    for record in run.trials():
        assert CANARY not in json.dumps(record.provided.facts)
        assert CANARY.encode() not in run.content(bytes.fromhex(record.provided.evidence[0]))
    assert CANARY.encode() not in run.path.read_bytes()


@pytest.mark.parametrize("name", TABLES)
def test_only_texts_differ_and_only_of_what_is_withheld(
    run: RunFile, folder: Path, name: str
) -> None:
    own, written = table(run, name), read(folder, name)
    texts = {
        "trials": {"truth", "lure"},
        "labels": {"value", "reason", "quote", "why"},
        "calls": {"text", "reasoning"},
        "evidence": {"compatible"},
        "odds": {"answer"},
    }.get(name, {"answer", "reason"})
    changed = {c for c in own.columns if not own[c].equals(written[c])}
    assert changed == texts
    bundled = own["trial"] == 3
    assert bundled.any() or name in ("labels", "odds")
    assert own[bundled].equals(written[bundled])
    assert (own[bundled] != WITHHELD).all().all()


def test_codes_names_and_numbers_of_labels_stay(folder: Path) -> None:
    labels = read(folder, "labels")
    values = [json.loads(value) if value else None for value in labels["value"][: len(LABELS)]]
    assert values == [
        {"right": True, "extracted": WITHHELD},
        {"clusters": [["Colleague 1"], ["0"]], "correct": 0},
        {"tactics": ["bare_assertion"]},
        {"reason": "uncertainty"},
        {"holds": "different", "answer": WITHHELD, "credits": False, "doubts": True},
        {"note": WITHHELD, "list": [WITHHELD, 3]},
        None,
        None,
    ]
    assert labels["quote"].tolist()[:3] == ["", "", WITHHELD]
    assert labels["why"].tolist()[6:8] == ["unjudged", f"void: {WITHHELD}"]


def test_trials_that_are_withheld_are_counted(run: RunFile) -> None:
    assert withheld(run) == 3
