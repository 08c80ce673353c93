"""What agents are told, kept with the run, and compared."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from socialcircuits.agents import Access
from socialcircuits.analyses.parity import Contrast, Parity, parity
from socialcircuits.errors import BudgetReached, RunFileError
from socialcircuits.studies import Run, plan, read, run
from socialcircuits.studies.telling import Told, tell
from socialcircuits.studies.told import prompt_digest, recall
from tests.support.prompted import IMAGE, TEXT, change_prompts, script_models

POPULATION, PROTOCOLS = "flag-game/population", "flag-game/protocols"
UPTAKE = "Let the transcript memory count for somewhat more than your own crop."
QUESTION = "Which country's flag is it?"
HEARD = [
    "observer message (text), after memory",
    "observer message (text), at first",
    "observer probe (text), after memory",
    "observer probe (text), at first",
]
GUESS = "observer guess (text)"


@pytest.fixture(autouse=True)
def scripted(monkeypatch: pytest.MonkeyPatch) -> None:
    script_models(monkeypatch)


def told(source: str = POPULATION, seed: int = 1, **settings: Any) -> list[Told]:
    """What simulated agents would be told."""
    sets = [f"{name}={json.dumps(value)}" for name, value in settings.items()]
    return tell(plan(read(source, seeds=1, seed=seed, sets=sets)))


def made(out: Path, source: str = POPULATION, model: Any = TEXT, **settings: Any) -> Run:
    """A small run."""
    return run(source, out=out, model=model, seeds=1, settings={"N": [2], "rounds": 2, **settings})


def compared(*runs: Run) -> Parity:
    """Compare runs, and close them."""
    try:
        return parity(*runs)
    finally:
        for one in runs:
            one.close()


def changed(contrast: Contrast) -> dict[str, tuple[str, ...]]:
    return {difference.place: difference.lines for difference in contrast.differences}


def test_what_differs_by_draw_has_a_stand_in() -> None:
    one, two = (told(seed=seed, N=[4]) for seed in (1, 2))
    assert one == two
    assert set(one[0].texts) == {GUESS, *HEARD}
    (text,) = one[0].texts[HEARD[0]]
    assert '{"country": "(an answer)", "reason": "(a reason)"}' in text.splitlines()
    assert "(evidence, 4 lines)" in text.splitlines()
    assert "memory: the newest 8 entries" in text.splitlines()
    assert '["(24 answers, in an order of the seat\'s own)"]' in text


def test_it_is_the_same_at_every_size_where_only_the_size_differs() -> None:
    assert len({one.digest for one in told(N=[2, 4, 16])}) == 1


def test_what_was_told_is_what_was_sent(tmp_path: Path) -> None:
    with made(tmp_path / "a.db", N=[4], alpha=0.75) as done:
        (kept,) = recall(done.file) or []
        seen = set()
        for record in done.file.trials():
            for attempt in record.attempts:
                step = record.graph.steps[attempt.step]
                parts = done.file.prompt(attempt)
                sent = "\n".join(
                    b"".join(part.data for part in parts if part.role == role).decode()
                    for role in ("system", "user")
                )
                crop = done.file.content(bytes.fromhex(record.provided.evidence[step.seat]))
                assert crop.decode() in sent
                lines = set(sent.replace(crop.decode(), "").splitlines())
                entries = {line for line in lines if line.startswith('{"country')}
                named = {line for line in lines if line.startswith("Allowed countries: [")}
                when = "" if step.purpose == "guess" else ", at first"
                place = f"observer {step.purpose} (text){', after memory' if entries else when}"
                seen.add(place)
                (text,) = kept.texts[place]
                written = text.partition("--- system")[2].splitlines()[1:]
                stands_in = ("(evidence", '{"country": "(an', "Allowed countries", "--- user")
                assert len(named) == 1
                assert lines - entries - named == {
                    line for line in written if not line.startswith(stands_in)
                }
    assert seen == {GUESS, *HEARD}


def test_two_runs_differ_in_a_line_at_the_places_that_say_it(tmp_path: Path) -> None:
    found = compared(
        *(
            made(tmp_path / f"{alpha}.db", model="simulated/literal", alpha=alpha)
            for alpha in ("off", 0.75)
        )
    )
    assert found.imagined
    assert not found.same
    assert found.settings == ('trial.alpha: "off" there, 0.75 now',)
    (contrast,) = found.contrasts
    assert contrast.identical == 1
    assert changed(contrast) == dict.fromkeys(HEARD, (" ", f"+{UPTAKE}", f" {QUESTION}"))
    assert {difference.side for difference in contrast.differences} == {"both"}


def test_conditions_are_grouped_by_what_they_are_told(tmp_path: Path) -> None:
    axes: dict[str, Any] = {"m": [1, 3], "alpha": [0.5, 0.6], "memory": [4], "retries": [0, 2]}
    found = compared(made(tmp_path / "a.db", **axes))
    assert not found.imagined
    assert [len(group.conditions) for group in found.groups] == [4, 4]
    assert found.groups[1].words == "N = 2; alpha = 0.5, 0.6; m = 3; memory = 4; retries = 0, 2"
    assert found.groups[0].beside == {
        "rounds": (2,), "memory": (4,), "retries": (0, 2), "wording": ("printed",)
    }  # fmt: skip
    (contrast,) = found.contrasts
    # A probe asks for a country alone whatever m, but hears reasons where they are given.
    assert set(changed(contrast)) == {*HEARD[:2], HEARD[2]}
    assert '+{"country": "(an answer)", "reason": "(a reason)"}' in changed(contrast)[HEARD[2]]


def test_a_memory_of_another_length_is_a_difference(tmp_path: Path) -> None:
    found = compared(made(tmp_path / "a.db", memory=[4, 8]))
    (contrast,) = found.contrasts
    lines = changed(contrast)[HEARD[0]]
    assert [line for line in lines if line[0] in "+-"] == [
        "-memory: the newest 4 entries",
        "+memory: the newest 8 entries",
    ]


def test_who_is_told_does_not_matter_but_how_it_sees_does(tmp_path: Path) -> None:
    cast: dict[str, Any] = {"cast": ["A", "B", "A B"], "protocol": "broadcast"}
    both = {"A": TEXT, "B": TEXT.replace("one", "three")}
    alike = compared(made(tmp_path / "a.db", model=both, **cast))
    assert len(alike.groups) == 1
    assert alike.same
    seeing = compared(made(tmp_path / "b.db", model={"A": TEXT, "B": IMAGE}, **cast))
    assert len(seeing.groups) == 3
    guess = next(d for d in seeing.contrasts[0].differences if d.place.startswith("observer guess"))
    assert (guess.place, guess.side) == ("observer guess (image)", "second")
    assert guess.against == GUESS
    assert "+(evidence, a picture of 150 x 100 pixels)" in guess.lines


def test_a_model_that_is_told_its_name_is_compared_with_itself(tmp_path: Path) -> None:
    model = {name: f"openai/model-{name}?sees=text&newer=model-B" for name in "AB"}
    settings: dict[str, Any] = {"protocol": "broadcast", "cast": "A B", "alpha": 0.5}
    one, two = (
        made(tmp_path / f"{wording}.db", model=model, wording=f"identity{wording}", **settings)
        for wording in ("", " uptake-number")
    )
    (contrast,) = compared(one, two).contrasts
    (number, both) = ("Social-evidence uptake = 0.5. ", changed(contrast))
    lines = both["observer decision (text), at first"]
    assert sum(line.startswith(f"+{number}") for line in lines) == 2
    assert not any("model-" in line for line in lines if line[0] in "+-")


def test_printed_and_released_wording(tmp_path: Path) -> None:
    one, two = (
        made(
            tmp_path / f"{wording}.db",
            PROTOCOLS,
            model=f"{TEXT}&newer=model-three",
            wording=wording,
            geometry=geometry,
        )
        for wording, geometry in (("printed", "real"), ("released", "nominal"))
    )
    found = compared(one, two)
    assert found.settings == (
        'world.geometry: "real" there, "nominal" now',
        'trial.wording: "printed" there, "released" now',
    )
    pairwise, broadcast, manager = found.contrasts
    assert (pairwise.differences, manager.differences) == ((), ())
    lines = changed(broadcast)["observer report (text), at first"]
    assert any(line.startswith('+You are the model "model-one".') for line in lines)
    assert any(line.startswith("-Allowed countries: [") for line in lines)
    assert broadcast.identical == 1
    assert found.groups[4].beside["wording"] == ("identity no-list uptake-number",)


def test_a_place_of_one_side_is_held_against_what_is_most_like_it(tmp_path: Path) -> None:
    found = compared(made(tmp_path / "a.db", protocol=["pairwise", "broadcast"]))
    (contrast,) = found.contrasts
    report = next(d for d in contrast.differences if d.place == "observer report (text), at first")
    assert (report.side, report.against) == ("second", "observer message (text), at first")
    assert f"-{QUESTION}" in report.lines
    assert {d.side for d in contrast.differences} == {"first", "second"}


def test_conditions_that_only_one_run_holds_are_held_against_the_first(tmp_path: Path) -> None:
    found = compared(made(tmp_path / "a.db"), made(tmp_path / "b.db", m=[1, 3], N=[3]))
    assert [contrast.identical for contrast in found.contrasts] == [2, 5]
    assert found.contrasts[1].second == f"{tmp_path / 'b.db'}: N = 3; m = 3"


def test_what_was_kept_counts_whatever_the_prompts_are_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with made(tmp_path / "a.db") as old:
        before = old.told()
    change_prompts(monkeypatch, "task", "Be quick.\n")
    with made(tmp_path / "a.db") as old:
        assert old.told() == before
    with made(tmp_path / "b.db") as new:
        assert new.told() != before
    (contrast,) = compared(Run(tmp_path / "a.db"), Run(tmp_path / "b.db")).contrasts
    assert contrast.identical == 0
    assert "+Be quick." in changed(contrast)[GUESS]


def test_one_run_tells_one_thing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BudgetReached):
        run(POPULATION, out=tmp_path / "a.db", model=TEXT, seeds=1, settings={"N": [2]},
            access=Access(calls=5))  # fmt: skip
    with monkeypatch.context() as patch:
        change_prompts(patch, "task", "Be quick.\n")
        with pytest.raises(RunFileError, match=r"a\.db: the prompts have changed since the run"):
            run(POPULATION, out=tmp_path / "a.db", model=TEXT, seeds=1, settings={"N": [2]})
    run(POPULATION, out=tmp_path / "a.db", model=TEXT, seeds=1, settings={"N": [2]}).close()


def test_a_replay_keeps_what_was_told(tmp_path: Path) -> None:
    with made(tmp_path / "a.db") as one:
        replay = {"A": f"replay/{one.path}"}
        with run(POPULATION, out=tmp_path / "b.db", model=replay, seeds=1,
                 settings={"N": [2], "rounds": 2}) as two:  # fmt: skip
            assert one.told() == two.told() != []


def test_simulated_agents_are_told_nothing(tmp_path: Path) -> None:
    with made(tmp_path / "a.db", model="simulated/literal") as done:
        assert done.told() == []
        assert recall(done.file) is None


def test_what_no_prompt_can_say_is_said(tmp_path: Path) -> None:
    found = compared(
        made(tmp_path / "a.db", model="simulated/literal", protocol="manager", alpha=["off", 0.5])
    )
    lines = changed(found.contrasts[0])["manager decision (blind), at first"]
    assert any(line.startswith("+(no prompt can be written: $.trial.alpha") for line in lines)


def test_planted_reasons_are_told_without_their_answers() -> None:
    one, two = told(protocol="planted", N=[1], lures=[0, 8], rounds=1)
    assert one.digest == two.digest
    (place,) = one.texts
    assert place == HEARD[2]
    entry = '"reason": "What I see in my crop fits the flag of (an answer)."}'
    assert entry in next(iter(one.texts[place]))


def test_two_answers_are_told_where_two_are_allowed() -> None:
    (one,) = told(protocol="two-way", N=[2], rounds=1)
    (text,) = one.texts["observer guess two-way (text)"]
    assert "(2 answers, in an order of the seat's own)" in text


def test_a_reply_that_is_begun_is_told() -> None:
    (one,) = told(protocol="isolated", N=[1], probes="exact")
    (text,) = one.texts[GUESS]
    begun = 'the reply is begun: {"crop": "(evidence, 4 lines)", "country": "'
    assert begun in text.splitlines()


def test_json_holds_all_but_the_prompts(tmp_path: Path) -> None:
    found = compared(made(tmp_path / "a.db", m=[1, 3]))
    value = json.loads(json.dumps(found.as_json()))
    assert value["same"] is False
    assert [group["told"] for group in value["groups"]] == [g.digest for g in found.groups]
    assert value["contrasts"][0]["differences"][0]["place"] == HEARD[0]


def test_the_digest_of_a_run_hangs_on_conditions_and_texts() -> None:
    one = Told({"N": 2}, {"a": {"x": ("A",)}})
    others = [
        Told({"N": 3}, {"a": {"x": ("A",)}}),
        Told({"N": 2}, {"b": {"x": ("A",)}}),
        Told({"N": 2}, {"a": {"y": ("A",)}}),
    ]
    assert len({prompt_digest([told]) for told in (one, *others)}) == 4


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("DELETE FROM meta WHERE name = 'told'", "does not say what its agents were told"),
        ("UPDATE meta SET value = '5' WHERE name = 'told'", "damaged"),
        ("UPDATE meta SET value = '\"00\"' WHERE name = 'told'", "damaged: content 00 is missing"),
        ("UPDATE contents SET data = (SELECT data FROM contents LIMIT 1)", "damaged"),
    ],
)
def test_a_run_that_cannot_say_what_was_told_is_refused(
    tmp_path: Path, change: str, message: str
) -> None:
    made(tmp_path / "a.db").close()
    database = sqlite3.connect(tmp_path / "a.db")
    with database:
        database.execute(change)
    database.close()
    with pytest.raises(RunFileError, match=message):
        compared(Run(tmp_path / "a.db"))
