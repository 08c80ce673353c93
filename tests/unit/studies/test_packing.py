"""A model writes a pack: what is asked, what is kept, what is left out, and that nothing is asked
twice."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from socialcircuits.agents import Access, BackEnd
from socialcircuits.errors import (
    BudgetReached,
    ModelError,
    Refused,
    RunFileError,
    SettingError,
    TrialsFailed,
    Unavailable,
    UsageError,
)
from socialcircuits.models import Capabilities, Completion, Request, ScriptedModel
from socialcircuits.packs import MOST, load, save
from socialcircuits.records import RunFile
from socialcircuits.studies.packing import Made, Writing, claims_of, write
from socialcircuits.worlds.claims import Claim
from tests.support.author_server import AuthorServer, Write, authoring, messages, sound
from tests.support.fault_server import spread

MODEL = "openai-compatible/author"
FAULTS = spread(["429", "429-ms", "cut", "hidden"], 0.6)


def claims(*numbers: int) -> tuple[Claim, ...]:
    return tuple(
        Claim(
            id=f"town-{n}",
            question=f"Which town is the {n}th?",
            truth_statement=f"The {n}th town is Town{n}.",
            false_statement=f"The {n}th town is Burg{n}.",
            truth=f"Town{n}",
            lure=f"Burg{n}",
            relation="town",
        )
        for n in numbers
    )


def made(
    server: AuthorServer,
    folder: Path,
    *wanted: Claim,
    access: Access | None = None,
    retries: int = 2,
) -> Made:
    what = Writing(wanted or claims(1, 2), MODEL, retries)
    access = replace(access or Access(), base_url=server.url)
    return write(what, folder / "mine.jsonl", access)


def spoilt(wrong: Mapping[str, str], until: int) -> Write:
    """Write for Burg1 messages of which some are replaced, so many times."""

    def say(answer: str, nth: int) -> dict[str, str]:
        worse = wrong if answer == "Burg1" and nth < until else {}
        return {**messages(answer), **worse}

    return say


def refusing(*answers: str) -> Write:
    return lambda answer, nth: "No." if answer in answers else messages(answer)


def test_each_answer_is_asked_for_once(tmp_path: Path) -> None:
    with authoring(AuthorServer()) as server:
        found = made(server, tmp_path)
        asked = [str(body["messages"][-1]["content"]) for body in server.asked]
    assert len(asked) == 4
    assert sum('Question: "Which town is the 2th?"' in text for text in asked) == 2
    assert all("at most 305 characters" in text for text in asked)
    assert found.counts == {"asked": 4, "invalid": 0, "refused": 0}
    assert found.left == ()
    words = found.pack.words("town-2", "Burg2")
    assert words.argued == tuple(f"Reason {n} speaks for Burg2." for n in range(1, MOST + 1))
    assert words.bare == "It is Burg2."
    assert len(found.pack.said) == 4


def test_a_pack_says_how_it_was_made(tmp_path: Path) -> None:
    with authoring(AuthorServer()) as server:
        found = made(server, tmp_path)
    with RunFile(found.run) as file:
        trials, started = file.digests()["run"], file.notes["started"]
    told = dict(found.pack.provenance)
    prompts = told.pop("prompts")
    assert told == {
        "writes": "pack",
        "made": "by a model",
        "model": MODEL,
        "mind": f"{MODEL}(sees=text,temperature=usual,top_p=usual)",
        "retries": 2,
        "claims": Writing(claims(1, 2), MODEL).digest,
        "date": started[:10],
        "run": trials,
        "claims_left_out": 0,
        "replies": {"asked": 4, "invalid": 0, "refused": 0},
    }
    assert set(prompts) == {"system/json", "pack/messages"}
    assert prompts["pack/messages"]["version"] == 1
    assert len(prompts["pack/messages"]["sha256"]) == 64
    save(found.pack, tmp_path / "mine.jsonl")
    assert load(tmp_path / "mine.jsonl") == found.pack


def test_an_unusable_reply_is_asked_for_again(tmp_path: Path) -> None:
    wrong = {"3": "It is Town1, surely not Burg1."}
    with authoring(AuthorServer(spoilt(wrong, until=2))) as server:
        found = made(server, tmp_path)
    assert found.counts == {"asked": 6, "invalid": 2, "refused": 0}
    assert found.left == ()


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"3": "It is Town1, surely not Burg1."}, "a message names the other answer"),
        ({"8": "Nobody knows."}, "a message lacks the answer"),
        ({"2": "Reason 1 speaks for: BURG1"}, "two messages are the same"),
        ({"9": "One more for Burg1."}, "$ has other keys"),
    ],
)
def test_a_claim_without_words_is_left_out(tmp_path: Path, wrong: dict[str, str], why: str) -> None:
    with authoring(AuthorServer(spoilt(wrong, until=9))) as server:
        found = made(server, tmp_path, retries=1)
        assert server.written["Burg1"] == 2
    (left,) = found.left
    assert ([claim.id for claim in left.claims], left.answer) == (["town-1"], "Burg1")
    assert (left.why, left.refused) == (why, False)
    assert set(found.pack.said) == {("town-2", "Town2"), ("town-2", "Burg2")}
    assert found.pack.provenance["claims_left_out"] == 1


def test_a_refusing_model_is_told_of(tmp_path: Path) -> None:
    with authoring(AuthorServer(refusing("Burg1"))) as server:
        found = made(server, tmp_path)
    assert found.counts == {"asked": 6, "invalid": 0, "refused": 3}
    (left,) = found.left
    assert (left.answer, left.why, left.refused) == ("Burg1", "refusal", True)
    with (
        authoring(AuthorServer(refusing("Burg1", "Burg2"))) as server,
        pytest.raises(ModelError, match=f"{MODEL} wrote words for no claim; first: refusal"),
    ):
        made(server, tmp_path / "none")


def test_claims_with_equal_questions_and_answers_share_their_words(tmp_path: Path) -> None:
    (claim,) = claims(1)
    document = replace(claim, id="document-1")
    with authoring(AuthorServer()) as server:
        found = made(server, tmp_path, claim, document)
        assert len(server.asked) == 2
    assert found.pack.words("town-1", "Burg1") == found.pack.words("document-1", "Burg1")


def test_transport_faults_change_nothing(tmp_path: Path) -> None:
    with authoring(AuthorServer()) as server:
        plain = made(server, tmp_path / "plain")
    with authoring(AuthorServer(faults=FAULTS)) as server:
        faulty = made(server, tmp_path / "faulty")
        assert sum(server.requests.values()) > len(server.written)
    assert faulty.pack.digest == plain.pack.digest
    assert faulty.pack.provenance["run"] == plain.pack.provenance["run"]


def test_nothing_is_asked_twice(tmp_path: Path) -> None:
    wanted = claims(1, 2, 3)
    with authoring(AuthorServer()) as server:
        for limit in (1, 2):
            with pytest.raises(BudgetReached):
                made(server, tmp_path, *wanted, access=Access(calls=limit, in_flight=1))
        assert sum(server.written.values()) == 3
        found = made(server, tmp_path, *wanted)
        assert set(server.written.values()) == {1}
        assert len(server.written) == 6
        again = made(server, tmp_path, *wanted)
        assert sum(server.written.values()) == 6
    assert again == found
    assert found.counts["asked"] == 6


def test_what_another_writing_left_is_not_taken_for_this_one(tmp_path: Path) -> None:
    with authoring(AuthorServer()) as server:
        made(server, tmp_path)
        with pytest.raises(RunFileError, match=r"holds another study \(\$\.claims"):
            made(server, tmp_path, *claims(1, 3))
        with pytest.raises(RunFileError, match=r"\$\.retries"):
            made(server, tmp_path, retries=5)


class Failing:
    """A model that writes sound messages, and fails for some answers."""

    def __init__(self, patch: pytest.MonkeyPatch, fault: Exception, *answers: str) -> None:
        self.answers, self._fault = answers, fault

        def model(back: BackEnd, name: str, where: str) -> ScriptedModel:
            return ScriptedModel(name, self._reply, Capabilities())

        patch.setattr(BackEnd, "_model", model)

    def _reply(self, request: Request) -> Completion:
        text = request.segments[-1].data.decode()
        answer = text.partition('hold: "')[2].partition('"')[0]
        if answer in self.answers:
            raise self._fault
        return Completion(json.dumps(sound(answer, 0)), "stop")


def test_a_server_that_is_gone_leaves_claims_for_the_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # More time than anybody waits: it is given up at once.
    gone = Failing(monkeypatch, Unavailable("nobody there", retry_after=1e6), "Burg2")
    what = Writing(claims(1, 2), "openai/author")
    with pytest.raises(TrialsFailed, match="claims without a reply: 1; first: nobody there"):
        write(what, tmp_path / "mine.jsonl")
    gone.answers = ()
    found = write(what, tmp_path / "mine.jsonl")
    assert (found.counts["asked"], len(found.pack.said)) == (4, 4)


def test_what_the_server_will_never_answer_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    never = Failing(monkeypatch, Refused("HTTP 400: against our rules"), "Burg2")
    what = Writing(claims(1, 2), "openai/author")
    found = write(what, tmp_path / "mine.jsonl")
    (left,) = found.left
    assert ([claim.id for claim in left.claims], left.refused) == (["town-2"], True)
    assert left.why == "HTTP 400: against our rules"
    assert len(found.pack.said) == 2
    never.answers = ("Town1", "Burg1", "Town2", "Burg2")
    with pytest.raises(ModelError, match="words for no claim; first: HTTP 400: against our rules"):
        write(what, tmp_path / "none.jsonl")


def test_who_cannot_write_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="simulated agents have no words of their own"):
        Writing(claims(1), "simulated/parrot")
    long = replace(claims(1)[0], lure="x" * 1701, false_statement="x" * 1701)
    with pytest.raises(
        UsageError, match=r"no message could hold: 1\n  town-1, 'xxx.*: it has 1,701"
    ):
        Writing((long,), MODEL)
    with pytest.raises(SettingError, match="--batch"):
        write(Writing(claims(1), "openai/author"), tmp_path / "a.jsonl", Access(batch=True))
    assert not list(tmp_path.iterdir())


def test_the_claims_of_a_test_are_those_of_its_worlds(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("question,true,false,passage\nA?,x,y,It is x.\nB?,v,w,\n", "utf-8")
    worlds = [{"kind": kind, "file": str(path)} for kind in ("claims", "documents")]
    found = claims_of(worlds)
    assert [claim.question for claim in found] == ["A?", "B?", "A?"]
    assert len({claim.id for claim in found}) == 3
    assert [len(kind) for kind in Writing(found, MODEL).kinds] == [2, 1]
