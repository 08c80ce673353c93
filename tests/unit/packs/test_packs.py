"""Packs: words that are the same to every subject, known by their digest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from socialcircuits.errors import UsageError
from socialcircuits.packs import MOST, Templates, Words, Written, find, load, save

WORDS = Words(tuple(f"Reason {n} for Lima." for n in range(MOST)), "It is Lima.")
WRONG = Words(tuple(f"Reason {n} for Cusco." for n in range(MOST)), "It is Cusco.")
SAID = {("peru", "Lima"): WORDS, ("peru", "Cusco"): WRONG}
PACK = Written("mine", 2, {"made": "by hand"}, SAID)


def test_templates_argue_for_any_answer_in_the_same_words() -> None:
    pack = Templates()
    one, other = pack.words("peru", "Lima"), pack.words("chile", "Cusco")
    assert len(set(one.argued)) == MOST
    assert all("Lima" in text for text in (*one.argued, one.bare))
    assert tuple(text.replace("Lima", "Cusco") for text in one.argued) == other.argued


def test_the_templates_have_one_digest() -> None:
    # Made anew, and whatever was rendered: a card names it.
    pack = Templates()
    pack.words("peru", "Lima")
    assert pack.digest == Templates().digest == find("templates").digest
    assert pack.provenance["prompts"]["peer/bare"] == 1


def test_a_pack_comes_back_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "pack.jsonl"
    save(PACK, path)
    again = load(path)
    assert again == PACK
    assert again.digest == PACK.digest
    assert find(str(path)).words("peru", "Cusco") == WRONG


def test_another_word_is_another_pack() -> None:
    changed = {**SAID, ("peru", "Lima"): WORDS._replace(bare="It was Lima.")}
    assert Written("mine", 2, PACK.provenance, changed).digest != PACK.digest
    assert Written("mine", 3, PACK.provenance, SAID).digest != PACK.digest
    assert Written("mine", 2, {"made": "otherwise"}, SAID).digest == PACK.digest


def test_words_that_are_not_there_are_missed_by_name() -> None:
    with pytest.raises(UsageError, match="the pack mine has no words for item 'chile'"):
        PACK.words("chile", "Santiago")
    with pytest.raises(UsageError, match="no words for the answer 'Quito' to the item 'peru'"):
        PACK.words("peru", "Quito")


def lines(tmp_path: Path) -> tuple[Path, list[str]]:
    path = tmp_path / "pack.jsonl"
    save(PACK, path)
    return path, path.read_text("utf-8").splitlines()


def test_a_pack_that_was_changed_by_hand_is_refused(tmp_path: Path) -> None:
    path, kept = lines(tmp_path)
    path.write_text("\n".join(kept).replace("Reason 3", "Reason 9"), "utf-8")
    with pytest.raises(UsageError, match="its words are not those of its digest"):
        load(path)


@pytest.mark.parametrize(
    ("line", "text", "expected"),
    [
        (0, "{}", "line 1: .*pack"),
        (1, "not json", "line 2"),
        (1, json.dumps({"item": "peru", "answer": "Lima", "argued": ["one"], "bare": "x"}), "at"),
        (2, None, "stands twice"),
    ],
)
def test_a_file_that_is_no_pack_is_refused(
    tmp_path: Path, line: int, text: str | None, expected: str
) -> None:
    path, kept = lines(tmp_path)
    kept[line] = kept[1] if text is None else text
    path.write_text("\n".join(kept), "utf-8")
    with pytest.raises(UsageError, match=expected):
        load(path)


def test_a_file_that_is_not_there_or_empty_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no pack that can be read"):
        load(tmp_path / "none.jsonl")
    (tmp_path / "empty.jsonl").write_text("", "utf-8")
    with pytest.raises(UsageError, match="it is empty"):
        load(tmp_path / "empty.jsonl")
