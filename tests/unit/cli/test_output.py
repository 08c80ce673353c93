"""What goes to standard output and what to standard error."""

from __future__ import annotations

import pytest

from socialcircuits.cli.output import print_json, progress


def test_json_is_one_line_and_never_holds_nan(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"name": "Côte d'Ivoire", "value": None})
    assert capsys.readouterr().out == '{"name": "Côte d\'Ivoire", "value": null}\n'
    with pytest.raises(ValueError, match="not JSON compliant"):
        print_json({"value": float("nan")})


def test_progress_is_a_line_each_tenth(capsys: pytest.CaptureFixture[str]) -> None:
    with progress("mine") as tell:
        for done in range(101):
            tell(done, 100)
    out, err = capsys.readouterr()
    assert out == ""
    lines = err.splitlines()
    assert lines == [f"mine: {10 * tenth} of 100 trials" for tenth in range(11)]


def test_nothing_planned_is_shown_as_done(capsys: pytest.CaptureFixture[str]) -> None:
    with progress("mine") as tell:
        tell(0, 0)
    assert capsys.readouterr().err == "mine: 0 of 0 trials\n"
