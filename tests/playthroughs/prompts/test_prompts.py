"""The rendered prompts, in full. After a change that is meant, make them anew with
`python -m tests.playthroughs` and read the difference."""

from __future__ import annotations

from difflib import unified_diff

import pytest

from tests.playthroughs.rendered import FOLDER, files

FILES = files()


@pytest.mark.parametrize("name", FILES)
def test_prompts_are_as_they_were(name: str) -> None:
    was = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines(keepends=True)
    now = FILES[name].splitlines(keepends=True)
    difference = "".join(unified_diff(was, now, f"golden {name}", f"{name} now", n=6))
    if difference:
        pytest.fail(
            f"{name} differs; if this is meant, run python -m tests.playthroughs\n{difference}",
            pytrace=False,
        )


def test_every_golden_file_is_rendered() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(FILES)


def test_no_prompt_shows_a_restated_crop() -> None:
    # Some entries that the goldens show restated a crop: its rows are joined by a slash.
    assert not [name for name, text in FILES.items() if " / " in text.replace("with / between", "")]


def test_only_text_prompts_show_colours_of_cells() -> None:
    assert "blue blue blue" in FILES["pairwise-text"]
    assert not [name for name, text in FILES.items() if "image" in name and "blue blue" in text]
