"""`items pack`: what it prints and writes, and that a test takes what it wrote."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from socialcircuits.agents import Access
from socialcircuits.cards.checking import Required, prepare
from socialcircuits.cards.plans import Test as Wanted
from socialcircuits.cli.items import app
from socialcircuits.errors import BudgetReached, SettingError, UsageError
from socialcircuits.packs import load
from tests.support.author_server import AuthorServer, authoring, messages
from tests.support.checks import PLAYER, performed, table, towns

TOWNS = towns(3)
AUTHOR = "openai-compatible/author"


@pytest.fixture
def server() -> Iterator[AuthorServer]:
    with authoring(AuthorServer(questions=TOWNS)) as found:
        yield found


@pytest.fixture
def claims(tmp_path: Path) -> Path:
    return table(tmp_path / "mine.csv", TOWNS, passages=2)


def written(server: AuthorServer, claims: Path, *more: str) -> str:
    """What is printed when a pack of claims is written beside them."""
    out = claims.with_name("pack.jsonl")
    words = ["pack", claims, "--model", AUTHOR, "-o", out, "--base-url", server.url, *more]
    done = CliRunner().invoke(app, [*map(str, words)], catch_exceptions=False)
    assert done.exit_code == 0
    return done.stdout


def test_a_pack_is_written(server: AuthorServer, claims: Path) -> None:
    lines = written(server, claims).splitlines()
    pack = load(claims.with_name("pack.jsonl"))
    mind, run = f"{AUTHOR}(sees=text,temperature=usual,top_p=usual)", claims.with_name("pack.db")
    assert lines == [
        f"written by {mind}; {run}",
        "replies: 6, invalid 0, refused 0",
        "claims and documents: 5, left out 0",
        f"written to {claims.with_name('pack.jsonl')}; digest {pack.digest}",
    ]
    assert len(pack.said) == 10


def test_it_is_json(server: AuthorServer, claims: Path) -> None:
    found = json.loads(written(server, claims, "--json"))
    pack = load(claims.with_name("pack.jsonl"))
    assert (found["pack"], found["digest"]) == ("pack", pack.digest)
    assert found["provenance"] == pack.provenance
    assert found["left_out"] == []


def test_who_refuses_is_told_of(claims: Path) -> None:
    def write(answer: str, nth: int) -> dict[str, str] | str:
        return "I will not." if answer == "Burg0s" else messages(answer)

    with authoring(AuthorServer(write)) as server:
        lines = written(server, claims).splitlines()
        found = json.loads(written(server, claims, "--json"))
    assert lines[1:3] == [
        "replies: 8, invalid 0, refused 3",
        "claims and documents: 5, left out 2",
    ]
    assert lines[3].startswith("  own-")
    assert lines[3].endswith(", 'Burg0s': refusal")
    assert lines[4].startswith("no test can ask what is left out: ")
    (left,) = found["left_out"]
    assert (len(left["claims"]), left["answer"], left["refused"]) == (2, "Burg0s", True)


def test_a_limit_says_how_to_go_on(server: AuthorServer, claims: Path) -> None:
    with pytest.raises(BudgetReached, match="is kept; the same command goes on"):
        written(server, claims, "--max-calls", "2")
    assert not claims.with_name("pack.jsonl").exists()
    assert "replies: 6," in written(server, claims)
    assert set(server.written.values()) == {1}


def test_mistakes_are_found_before_anything_is_asked(server: AuthorServer, claims: Path) -> None:
    claims.write_text("question,true,false\nWhich?,a,a\n", "utf-8")
    with pytest.raises(UsageError, match=r"mine\.csv: faults: 1\n  row 1"):
        written(server, claims)
    claims.write_text("question,true,false\nWhich?,x,y\n", "utf-8")
    system = claims.with_name("system.txt")
    system.write_text("Be brief.", "utf-8")
    with pytest.raises(SettingError, match="--system"):
        written(server, claims, "--system", str(system))
    assert not server.bodies


def test_a_test_takes_a_pack_and_no_other(
    server: AuthorServer, claims: Path, tmp_path: Path
) -> None:
    written(server, claims)
    path = str(claims.with_name("pack.jsonl"))
    what = Wanted(PLAYER, "quick", claims=claims, pack=path)
    server.bodies.clear()
    card = performed(what, tmp_path / "card", access=Access(base_url=server.url)).card
    assert (card.pack.name, card.pack.digest) == ("pack", load(path).digest)
    # What it heard is what was written, and no template.
    told = "".join(str(body["messages"]) for body in server.asked)
    assert {text for words in load(path).said.values() for text in words.argued} >= {
        *re.findall(r"Reason \d speaks for \w+\.", told)
    }
    assert "speaks for" in told
    assert "I looked this up" not in told
    server.bodies.clear()
    others = table(tmp_path / "others.csv", towns(7), passages=1)
    with pytest.raises(UsageError, match="the pack pack has no words for"):
        prepare(Wanted(PLAYER, "quick", claims=others, pack=path), Required())
    assert not server.bodies
