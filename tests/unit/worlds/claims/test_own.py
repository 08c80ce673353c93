"""A table of the user's own: every fault is named with its row and line, and nothing is lost."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from socialcircuits.errors import SettingError, UsageError
from socialcircuits.worlds import load
from socialcircuits.worlds.claims.own import Own, as_cell, is_own, read_own, refuse

HEAD = "question,true,false,passage,true_aliases,false_aliases"
SOUND = (
    "Who led the dig?,Ada Brandreth,Ivo Jarrett,The dig was led by Ada Brandreth.,A. Brandreth|Ada,"
)
BARE = "question,true,false"


def written(folder: Path, *lines: str | bytes, ends: bytes = b"\n") -> Path:
    path = folder / "mine.csv"
    path.write_bytes(ends.join(x if isinstance(x, bytes) else x.encode() for x in lines))
    return path


def faults(folder: Path, *lines: str | bytes) -> list[str]:
    return [str(fault) for fault in read_own(written(folder, *lines)).faults]


def test_a_sound_row_is_a_claim_and_with_a_passage_a_document(tmp_path: Path) -> None:
    own = read_own(written(tmp_path, HEAD, SOUND, "Name the gate.,North,South,,,The lower one"))
    assert own.faults == ()
    one, two = own.claims
    assert (one.question, one.truth, one.lure) == (
        "Who led the dig?",
        "Ada Brandreth",
        "Ivo Jarrett",
    )
    assert (one.aliases, two.lure_aliases) == (("A. Brandreth", "Ada"), ("The lower one",))
    assert one.truth_statement == "Who led the dig? Ada Brandreth"
    assert two.false_statement == "Name the gate. South"
    assert (one.relation, one.source, one.shareable) == ("own-field", "mine.csv (own)", False)
    (document,) = own.documents
    assert document.passage == "The dig was led by Ada Brandreth."
    assert document.claim.question == one.question
    assert document.claim.id != one.id


def test_the_id_follows_the_texts_and_not_the_place(tmp_path: Path) -> None:
    rows = ("A?,x1,y1", "B?,x2,y2")
    first = read_own(written(tmp_path, BARE, *rows)).claims
    turned = read_own(written(tmp_path, "FALSE, True ,Question", "y2,x2,B?", "y1,x1,A?")).claims
    assert [claim.id for claim in first] == [claim.id for claim in reversed(turned)]
    other = read_own(written(tmp_path, BARE, "A?,x1,z1")).claims[0]
    assert other.id not in {claim.id for claim in first}


@pytest.mark.parametrize("ends", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_line_ends_and_the_byte_order_mark_do_not_matter(
    tmp_path: Path, ends: bytes, mark: bytes
) -> None:
    lines = (
        mark + BARE.encode(),
        b'"Which',
        b'""day""?",1 May,"2, or 3, May"',
        b"",
        b"Who?,,Bo",
        b"",
    )
    own = read_own(written(tmp_path, *lines, ends=ends))
    (claim,) = own.claims
    assert claim.question == 'Which\n"day"?'.replace("\n", ends.decode())
    assert claim.lure == "2, or 3, May"
    assert [str(fault) for fault in own.faults] == ["row 2 (line 5), true: it is empty"]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (",Ada,Bo", ["question: it is empty"]),
        (" ,,", ["question: it is empty", "true: it is empty", "false: it is empty"]),
        ("Who?,Ada,ada", ["false: it is the same as the true answer"]),
        ("Who?,Ada,Ada B.", ["true: it is part of the false answer"]),
        ("Who?,Ada B.,Ada", ["false: it is part of the true answer"]),
        ("Is it Ada or Bo?,Ada,Bo", [f"{n}: it stands in the question" for n in ("true", "false")]),
        ("First?,Ada,Bo", ["question: it is that of row 1 too"]),
        ("FIRST,Ada,Bo", ["question: it is that of row 1 too"]),
        (b"Caf\xe9?,Ada,Bo", ["question: the byte 0xE9 is not UTF-8"]),
        ("Who?,Ad\0a,Bo", ["true: it holds NUL"]),
        ("Who?,Ada," + "b" * 4001, ["false: it has 4,001 characters; at most 4,000 are allowed"]),
        ("Who?,?!,Bo", ["true: expected a text with a letter or digit"]),
        (
            b"\xff,Ada,Ada",
            ["question: the byte 0xFF is not UTF-8", "false: it is the same as the true answer"],
        ),
    ],
)
def test_each_fault_of_a_row_is_named(
    tmp_path: Path, row: str | bytes, expected: list[str]
) -> None:
    found = read_own(written(tmp_path, BARE, "First?,right,wrong", row, "Last?,right,wrong"))
    assert [str(fault) for fault in found.faults] == [f"row 2 (line 3), {why}" for why in expected]
    assert [claim.question for claim in found.claims] == ["First?", "Last?"]


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("Who?,Ada", "row 2 (line 3): it has 2 cells, the first line 3"),
        ("Who?,Ada,Bo,Cy", "row 2 (line 3): it has 4 cells, the first line 3"),
        ('Who?,"Ada" B.,Bo', "row 2 (line 3), true: text follows its closing quote"),
        ('Who?,Ada,"Bo', "row 2 (line 3), false: its quote is not closed"),
    ],
)
def test_what_cannot_be_split_costs_no_row_after_it(tmp_path: Path, row: str, why: str) -> None:
    found = read_own(written(tmp_path, BARE, "First?,right,wrong", row, "Last?,right,wrong"))
    assert [str(fault) for fault in found.faults] == [why]
    assert [claim.question for claim in found.claims] == ["First?", "Last?"]


def test_a_stray_quote_takes_in_no_later_row(tmp_path: Path) -> None:
    lines = (BARE, '"One?,x,y', '"Two?",x,y', '"Three?",Ada,ada')
    assert faults(tmp_path, *lines) == [
        "row 1 (line 2), question: text follows its closing quote",
        "row 3 (line 4), false: it is the same as the true answer",
    ]
    assert [claim.question for claim in read_own(tmp_path / "mine.csv").claims] == ["Two?"]


def test_lines_are_counted_through_cells_of_several_lines(tmp_path: Path) -> None:
    lines = (BARE, '"A', "", 'b?",x,y', '"C', 'd?",,y', "E?,,y")
    assert faults(tmp_path, *lines) == [
        "row 2 (line 5), true: it is empty",
        "row 3 (line 7), true: it is empty",
    ]


def test_lengths_are_those_of_the_columns(tmp_path: Path) -> None:
    full = "a" * 3999 + "?"
    sound = f"{full},b{'c' * 3999},d{'e' * 3999},{'f' * 50_000},,"
    assert faults(tmp_path, HEAD, sound) == []
    assert faults(tmp_path, HEAD, f"{full}?,b,d,{'f' * 50_001},,{'g' * 4001}") == [
        "row 1 (line 2), question: it has 4,001 characters; at most 4,000 are allowed",
        "row 1 (line 2), passage: it has 50,001 characters; at most 50,000 are allowed",
        "row 1 (line 2), false_aliases: it has 4,001 characters; at most 4,000 are allowed",
    ]


def test_aliases_are_checked_as_those_of_a_claim(tmp_path: Path) -> None:
    assert faults(tmp_path, HEAD, "Who?,Ada,Bo,,Ada,", "Who came?,Ada,Bo,,X1|Bo,") == [
        "row 1 (line 2), true_aliases: expected another form than the answer itself",
        "row 2 (line 3), false: expected a wrong answer; it is a right one",
    ]


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("question,true", ["line 1, false: this column is missing"]),
        ("", ["line 1, question: this column is missing"]),
        ("question,true,false,true", ["line 1, true: there are two such columns"]),
        ("question,true,false,pasage", ["line 1, pasage: is the column passage meant?"]),
        ("question,true,false,note", []),
    ],
)
def test_faults_of_the_first_line_are_named(tmp_path: Path, head: str, expected: list[str]) -> None:
    found = faults(tmp_path, head)
    assert found[: len(expected)] == expected
    assert bool(found) == bool(expected)


def test_without_a_column_the_rest_is_checked_all_the_same(tmp_path: Path) -> None:
    path = written(tmp_path, "question,true", "Is it Ada?,Ada", b"Caf\xe9?,x")
    own = read_own(path)
    assert [str(fault) for fault in own.faults] == [
        "line 1, false: this column is missing",
        "row 1 (line 2), true: it stands in the question",
        "row 2 (line 3), question: the byte 0xE9 is not UTF-8",
    ]
    for skip_bad in (False, True):
        with pytest.raises(UsageError, match="faults: 3"):
            refuse(own, path, skip_bad=skip_bad)


def test_a_faulty_table_is_refused_with_all_its_faults_unless_they_are_skipped(
    tmp_path: Path,
) -> None:
    path = written(tmp_path, BARE, "A?,x1,y1", "B?,,y", "A?,x2,y2")
    own = read_own(path)
    with pytest.raises(UsageError) as caught:
        refuse(own, path, skip_bad=False)
    assert str(caught.value).splitlines() == [
        "mine.csv: faults: 2",
        "  row 2 (line 3), true: it is empty",
        "  row 3 (line 4), question: it is that of row 1 too",
    ]
    refuse(own, path, skip_bad=True)
    with pytest.raises(SettingError, match="at least one claim"):
        refuse(Own((), (), ()), path, skip_bad=False)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="a file that can be read"):
        read_own(tmp_path / "mine.csv")


@pytest.mark.parametrize(
    "text", ["=1+1", "+49 30", "-5", "@home", "Lima", 'a "b", c', "two\nlines"]
)
def test_a_cell_is_text_and_written_so_that_no_spreadsheet_runs_it(
    tmp_path: Path, text: str
) -> None:
    cell = as_cell(text)
    ((shown,),) = csv.reader(io.StringIO(cell, newline=""), strict=True)
    assert shown[0] not in "=+-@"
    assert shown.removeprefix("'") == text
    raw = '"' + text.replace('"', '""') + '"'
    for given in (cell, raw):
        own = read_own(written(tmp_path, BARE, f"What is it?,{given},other"))
        assert [claim.truth for claim in own.claims] == [text]


def test_such_tables_are_told_from_files_of_claims(tmp_path: Path) -> None:
    assert is_own(written(tmp_path, "question,TRUE,x"))
    assert not is_own(written(tmp_path, "id,question,truth,lure"))
    assert not is_own(written(tmp_path, ""))
    assert not is_own(tmp_path / "missing.csv")
    assert not is_own(tmp_path / "mine.jsonl")


def test_both_worlds_take_such_a_table(tmp_path: Path) -> None:
    path = written(tmp_path, HEAD, SOUND, "Name the gate.,North,South,,,", "Bad?,,x,,,")
    given = {"file": str(path), "skip_bad": True}
    claims, documents = load("claims", given), load("documents", given)
    assert (len(claims.items), len(documents.items)) == (2, 1)
    (seen,) = documents.views(documents.items[0])
    assert seen.text() == "The dig was led by Ada Brandreth.\n\nWho led the dig?"
    for kind in ("claims", "documents"):
        with pytest.raises(UsageError, match=r"faults: 1\n  row 3 \(line 4\), true: it is empty"):
            load(kind, {"file": str(path)})
    bare = written(tmp_path, BARE, "Name the gate.,North,South")
    with pytest.raises(SettingError, match="at least one passage") as caught:
        load("documents", {"file": str(bare)})
    assert caught.value.where == "$.world.file"
