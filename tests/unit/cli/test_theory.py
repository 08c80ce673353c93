"""The verbs of the theory: what they print, draw and refuse."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import socialcircuits
from socialcircuits import run
from socialcircuits.cli import app
from socialcircuits.theory.outcomes import CLASSES
from tests.form.sources import ROOT

SLICE = ("--truth", ".2925", "--rival", ".1575", "--bias", ".3")
"""The paper's slice: share .35 of .45, bias .3."""

SHOWN = re.compile(r"^    socialcircuits (.*)\n(?:\n```text\n((?:.*\n)*?)```\n)?", re.MULTILINE)
"""A command that stands indented in a document, and what it prints if that is shown."""


class Call:
    """Calls `socialcircuits` in this process, as a user's shell would."""

    def __init__(self, patch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._patch, self._capsys = patch, capsys

    def __call__(self, *words: str | Path) -> tuple[int, str, str]:
        """Return the exit code, standard output and standard error of a verb of the theory."""
        return self.any("theory", *words)

    def any(self, *words: str | Path) -> tuple[int, str, str]:
        """Return the same of any verb."""
        self._patch.setattr(sys, "argv", ["socialcircuits", *map(str, words)])
        with pytest.raises(SystemExit) as stop:
            app.main()
        done = self._capsys.readouterr()
        return int(stop.value.code or 0), done.out, done.err

    def text(self, *words: str | Path) -> list[list[str]]:
        """Return the words of each line of a call that must succeed."""
        code, out, err = self(*words)
        assert (code, err) == (0, "")
        return [line.split() for line in out.splitlines() if line.strip()]

    def json(self, *words: str | Path) -> dict[str, Any]:
        """Return the one object of a call that must succeed."""
        code, out, err = self(*words, "--json")
        assert (code, err) == (0, "")
        found = json.loads(out)
        assert isinstance(found, dict)
        return found

    def refused(self, *words: str | Path) -> str:
        """Return the one line of a call that must fail."""
        code, out, err = self(*words)
        assert (code, out) == (2, "")
        assert err.startswith("error: ")
        assert err.count("\n") == 1
        return err


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    return Call(monkeypatch, capsys)


def rounded(found: dict[str, Any], *names: str) -> list[float]:
    return [round(found[name], 4) for name in names or (*CLASSES, "truth_share")]


def test_outcome_prints_the_numbers_of_the_paper_s_slice(call: Call) -> None:
    found = call.json("outcome", "--n", "128", *SLICE)
    assert rounded(found) == [0.018, 0.0, 0.6919, 0.2901, 0.7182]
    assert (found["rounds"], found["classes"], found["most_likely"]) == (None, 4, "polarized")
    after = call.json("outcome", "--n", "128", *SLICE, "--rounds", "10")
    assert rounded(after, "correct", "polarized") == [0.0114, 0.7468]
    apart = call.json("outcome", "--n", "128", *SLICE, "--rounds", "10", "--distinct")
    assert rounded(apart, "correct", "polarized") == [0.0115, 0.7456]


def test_outcome_names_the_largest_of_three_or_four_classes(call: Call) -> None:
    given = ("outcome", "--n", "64", "--truth", ".34", "--rival", ".11", "--bias", ".3")
    four, three = call.json(*given), call.json(*given, "--classes", "3")
    assert (four["most_likely"], three["most_likely"]) == ("fragmented", "correct")
    assert [four[name] for name in CLASSES] == [three[name] for name in CLASSES]
    said = " ".join(" ".join(line) for line in call.text(*given, "--classes", "3"))
    assert "Most probable of three classes, fragmentation left out: correct consensus." in said


def test_outcome_as_text(call: Call) -> None:
    lines = call.text("outcome", "--n", "8", *SLICE)
    assert ["correct", "consensus", "0.4295"] in lines
    assert ["mean", "truth", "share", "0.6903"] in lines
    assert lines[-1] == ["theory:", "no", "agents", "were", "run"]


def test_accuracy_over_n(call: Call) -> None:
    found = call.json("accuracy", "--n", "128,2", *SLICE)
    assert found["n"] == [2, 128]
    assert [round(share, 4) for share in found["truth_share"]] == [0.6159, 0.7182]
    # Equation 12 by hand: a_0 = .55, a_T / (a_T + a_R) = .65.
    assert found["neutral_limit"][0] == pytest.approx(0.65 * (1 - 0.3025) + 0.3025 / 2)
    assert found["very_large"] == pytest.approx(0.71902466411186956)
    neutral = call.json("accuracy", "--n", "8", "--truth", ".3", "--rival", ".1")
    assert neutral["truth_share"] == pytest.approx(neutral["neutral_limit"])
    nothing = call.json("accuracy", "--n", "8", "--truth", "0", "--rival", "0")
    assert (nothing["truth_share"], nothing["very_large"]) == ([0.5], None)
    lines = call.text("accuracy", *SLICE)
    assert ["Highest", "at", "N", "=", "128."] in lines
    assert "A very large group (mean field, N to infinity before t): 0.7190.".split() in lines
    # Both have the truth share 1/2 at every N, but for the last digit.
    lines = call.text("accuracy", "--truth", ".3", "--rival", ".3")
    assert ["The", "same", "at", "every", "N."] in lines
    assert not any(line[0] == "Highest" for line in lines)


def test_headings_show_numbers_in_full(call: Call) -> None:
    given = ("outcome", "--n", "1000000", "--truth", ".1234567", "--rival", ".3")
    assert " ".join(call.text(*given)[0]) == (
        "N = 1,000,000, a_T = 0.1234567, a_R = 0.3, h_0 = 0, t to infinity"
    )
    one = call.text("outcome", "--n", "2", *SLICE, "--rounds", "1")[0]
    assert " ".join(one).endswith("h_0 = 0.3, after 1 round")


def test_trajectory_starts_at_fair_beliefs_and_ends_at_the_outcome(call: Call) -> None:
    found = call.json("trajectory", "--n", "16", *SLICE, "--rounds", "6")
    end = call.json("outcome", "--n", "16", *SLICE, "--rounds", "6")
    assert found["rounds"] == list(range(7))
    assert [found["exact"][0], found["mean_field"][0]] == pytest.approx([0.5675, 0.5675])
    assert found["exact"][-1] == pytest.approx(end["truth_share"], rel=1e-10)
    assert found["spread"][0] == pytest.approx((0.55 / 4 / 16) ** 0.5)
    assert len(call.text("trajectory", "--n", "16", *SLICE, "--rounds", "6")) == 3 + 7 + 3


def test_simulate_agrees_with_the_exact_chain(call: Call) -> None:
    given = ("simulate", "--n", "8", *SLICE, "--replicates", "1500", "--rounds", "3")
    found = call.json(*given)
    exact = call.json("outcome", "--n", "8", *SLICE, "--rounds", "3")
    for name in (*CLASSES, "truth_share"):
        assert found[name]["exact"] == exact[name]
        assert found[name]["low"] <= exact[name] <= found[name]["high"], name
    assert found == call.json(*given)
    assert found != call.json(*given, "--seed", "2")
    assert found["agents"].startswith("simulated agents: checks the software")


@pytest.mark.parametrize("network", ["ring", "lattice", "small-world", "scale-free"])
def test_simulate_on_networks_has_no_exact_value(call: Call, network: str) -> None:
    given = ("simulate", "--n", "36", *SLICE, "--replicates", "50", "--network", network)
    found = call.json(*given)
    assert sum(found[name]["value"] for name in CLASSES) == pytest.approx(1)
    assert found["truth_share"]["exact"] is None
    links, rewired = None if network == "lattice" else 2, 0.1 if network == "small-world" else None
    assert (found["links"], found["rewired"]) == (links, rewired)
    assert "complete network and memory 1" in found["no_exact"]
    lines = call.text(*given)
    assert lines[-1][:2] == ["simulated", "agents:"]
    assert lines[-2][:3] == ["No", "exact", "value:"]
    said = " ".join(lines[1])
    assert ("2 links" in said, "rewired 0.1" in said) == (links == 2, rewired == 0.1)
    assert "1 group," in " ".join(call.text(*given, "--replicates", "1")[1])


def test_memory_slows_the_group_and_has_no_exact_value(call: Call) -> None:
    given = ("simulate", "--n", "64", "--truth", ".3", "--rival", "0", "--replicates", "100")
    without, kept = call.json(*given), call.json(*given, "--memory", "16")
    assert kept["truth_share"]["high"] < without["truth_share"]["low"]
    assert kept["truth_share"]["exact"] is None


def test_phase_names_the_most_probable_class_everywhere(call: Call) -> None:
    found = call.json("phase", "--n", "64", "--points", "41")
    letters = "".join(name[0].upper() for name in found["most_likely"][0])
    assert letters == "CCCCCCCCCFFFPPPPPPPPPPPPPPPPPPPPPPPWWWWWW"
    three = call.json("phase", "--n", "64", "--points", "41", "--classes", "3")
    letters = "".join(name[0].upper() for name in three["most_likely"][0])
    assert letters == "CCCCCCCCCCCPPPPPPPPPPPPPPPPPPPPPPPPWWWWWW"
    lines = call.text("phase", "--n", "64", "--points", "41")
    shown = "64 correct 0.00-0.20, fragmented 0.23-0.28, polarized 0.30-0.85, wrong 0.88-1.00"
    assert shown.split() in lines


def test_phase_draws_the_map_and_a_slice(call: Call, tmp_path: Path) -> None:
    stem = tmp_path / "new" / "map"
    found = call.json("phase", "--n", "2,8", "--points", "5", "--figure", stem)
    assert found["figure"] == [f"{stem}.{kind}" for kind in ("pdf", "png", "csv")]
    table = pd.read_csv(f"{stem}.csv")
    assert table.shape == (10, 7)
    assert table["correct"].tolist() == pytest.approx([p for row in found["correct"] for p in row])
    cut = call.json("phase", "--n", "2,8", "--slice", ".35", "--figure", tmp_path / "cut")
    assert cut["most_likely"] == ["correct", "polarized"]
    assert rounded({"x": cut["polarized"][1]}, "x") == [0.4872]
    assert pd.read_csv(tmp_path / "cut.csv")["N"].tolist() == [2, 8]
    lines = call.text("phase", "--n", "8", "--slice", ".35", "--figure", tmp_path / "cut")
    assert ["8", "0.4295", "0.0833", "0.4872", "0.0000", "0.6903"] in lines
    assert lines[-1] == [str(tmp_path / "cut.csv")]


def test_a_figure_that_cannot_be_written_is_one_line(call: Call, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    line = call.refused("phase", "--n", "2", "--figure", tmp_path / "file" / "map")
    assert "cannot be written" in line


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["outcome", "--n", "0", *SLICE], "--n: 0 is not allowed; expected an integer from 1"),
        (["outcome", "--n", "8", "--truth", ".9", "--rival", ".2"], "at most 1 - truth = 0.1"),
        (["outcome", "--n", "8", *SLICE, "--classes", "5"], "classes: 5 is not allowed"),
        (["outcome", "--n", "8", *SLICE, "--rounds", "-1"], "rounds: -1"),
        (
            ["outcome", "--n", "5000", *SLICE, "--rounds", "1"],
            "that rounds alone set; `theory simulate` serves",
        ),
        (["outcome", "--n", "8", "--truth", ".1", "--rival", ".1", "--bias", "nan"], "finite"),
        (["accuracy", "--n", "2;4", *SLICE], "numbers parted by commas"),
        (["trajectory", "--n", "8", *SLICE, "--rounds", "-1"], "rounds: -1"),
        (["phase", "--total", "1.2"], "total: 1.2"),
        (["phase", "--classes", "2", "--n", "2"], "expected 3 or 4"),
        (["phase", "--points", "1"], "points: 1"),
        (["phase", "--slice", "2", "--n", "2"], "--slice: 2.0 is not allowed"),
        (["phase", "--runs", "nowhere.db"], "both run files or neither"),
        (["phase", "--runs", "nowhere.db", "--shares", "nowhere.db"], "no such run file"),
        *(
            (["phase", "--runs", "a", "--shares", "b", *words], f"error: {words[0]}: ")
            for words in (
                ["--slice", ".3"],
                ["--n", "2"],
                ["--total", ".45"],
                ["--bias", ".3"],
                ["--rounds", "3"],
                ["--classes", "4"],
                ["--points", "9"],
                ["--distinct"],
            )
        ),
        (["phase", "--slice", ".3", "--points", "9"], "--points: 9 is not allowed"),
        (["phase", "--n", "2", "--distinct"], "expected --rounds too"),
        (["outcome", "--n", "2", *SLICE, "--distinct"], "expected --rounds too"),
        (["accuracy", "--n", "2", *SLICE, "--distinct"], "expected --rounds too"),
        (["cohort", "--runs", "a", "--shares", "b", "--distinct"], "expected --rounds too"),
        *(
            ([*words, "--rounds", rounds], f"--rounds: {rounds} is not allowed")
            for words in (
                ["outcome", "--n", "2", *SLICE],
                ["accuracy", "--n", "2", *SLICE],
                ["trajectory", "--n", "2", *SLICE],
                ["simulate", "--n", "2", *SLICE],
                ["phase", "--n", "2"],
            )
            for rounds in ("1000000000000", "99999999999999999999")
        ),
        *(
            (["phase", "--n", "2", "--points", "2", "--figure", stem], "error: --figure: ")
            for stem in ("", ".", "/", "..")
        ),
        (["fit", "nowhere.db"], "no such run file"),
        (["simulate", "--n", "8", *SLICE, "--network", "rink"], "did you mean 'ring'?"),
        (["simulate", "--n", "7", *SLICE, "--network", "lattice"], "a product of two numbers"),
        (["simulate", "--n", "4", *SLICE, "--network", "ring"], "--n: 4"),
        (["simulate", "--n", "9", *SLICE, "--network", "ring", "--links", "0"], "--links: 0"),
        (["outcome", "--n", "9", "--truth", "2", "--rival", "0"], "--truth: 2.0"),
        (["simulate", "--n", "9", *SLICE, "--links", "2"], "nothing for a complete network"),
        (["simulate", "--n", "9", *SLICE, "--network", "ring", "--rewired", "1"], "for a ring"),
        (["simulate", "--n", "9", *SLICE, "--network", "ring", "--distinct"], "self pairs"),
        (["simulate", "--n", "8", *SLICE, "--memory", "0"], "memory: 0"),
        (["simulate", "--n", "8", *SLICE, "--replicates", "0"], "--replicates: 0"),
        (["simulate", "--n", "8", *SLICE, "--replicates", "9" * 15], "--replicates: 999"),
        (["phase", "--points", "9" * 15], "--points: 999"),
        (["simulate", "--n", "8", *SLICE, "--rounds", "-1"], "--rounds: -1"),
    ],
    ids=lambda value: " ".join(value[:1] + value[-2:]) if isinstance(value, list) else "",
)
def test_bad_input_is_one_line(call: Call, words: list[str], said: str) -> None:
    assert said in call.refused(*words)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Gossip on four seeds at N = 4 and 8, two-way probes of the same crops, and a broadcast."""
    folder, settings = tmp_path_factory.mktemp("runs"), {"N": [4, 8]}
    made = {name: folder / f"{name}.db" for name in ("gossip", "shares", "broadcast")}
    for name, preset in (("gossip", "population"), ("shares", "evidence-share")):
        run(f"flag-game/{preset}", out=made[name], seeds=4, settings=settings)
    once = {"protocol": "broadcast", "N": 4, "rounds": 2}
    run("flag-game/population", out=made["broadcast"], seeds=2, settings=once)
    return made


def measured(path: Path) -> dict[tuple[str, int], float | None]:
    """The run's own estimate of each measure at each N."""
    with socialcircuits.open(path) as gossip:
        return {
            (row.measure, row.condition["N"]): row.estimate.value
            for row in gossip.rows()
            if "minus" not in row.condition
        }


def test_phase_puts_runs_on_the_map(call: Call, runs: dict[str, Path], tmp_path: Path) -> None:
    given = ("phase", "--runs", runs["gossip"], "--shares", runs["shares"])
    found = call.json(*given, "--figure", tmp_path / "runs")
    trials = found["trials"]
    assert [(one["N"], one["seed"]) for one in trials] == [
        (n, s) for n in (4, 8) for s in range(1, 5)
    ]
    assert all(0 <= one["share"] <= 1 for one in trials)
    rows = measured(runs["gossip"])
    for n in (4, 8):
        ends = [one["endpoint"] for one in trials if one["N"] == n]
        assert ends.count("correct") / 4 == rows["correct_consensus", n]
        assert ends.count("polarized") / 4 == rows["polarization", n]
    assert pd.read_csv(tmp_path / "runs.csv").to_dict("records") == trials
    assert call.text(*given)[-2:] == [
        ["0", "trials", "without", "a", "share."],
        found["agents"].split(),
    ]
    assert found["without_share"] == 0


def test_cohort_averages_over_measured_shares(call: Call, runs: dict[str, Path]) -> None:
    given = ("--runs", runs["gossip"], "--shares", runs["shares"])
    found, trials = call.json("cohort", *given), call.json("phase", *given)["trials"]
    means = []
    for n in (4, 8):
        at = [
            call.json("phase", "--n", str(n), "--slice", one["share"])["truth_share"][0]
            for one in trials
            if one["N"] == n
        ]
        means.append(sum(at) / len(at))
    assert (found["n"], found["trials"]) == ([4, 8], [4, 4])
    assert found["truth_share"] == pytest.approx(means)
    assert found["fixed_share"] == pytest.approx(sum(one["share"] for one in trials) / 8)
    accuracy = measured(runs["gossip"])
    assert [one["value"] for one in found["measured"]] == [
        accuracy["collective_accuracy", n] for n in (4, 8)
    ]
    lines = call.text("cohort", *given)
    assert lines[-4][:2] == ["Mean", "truth"]


def test_fit_says_what_it_knows_and_how_far_it_is_off(call: Call, runs: dict[str, Path]) -> None:
    found = call.json("fit", runs["gossip"], "--holdout", "1")
    assert (found["fitted"], found["held_out"]) == ([1, 2, 3], [4])
    assert found["agents"].startswith("simulated agents")
    for name in ("truth", "rival", "bias", "slip"):
        one = found["alike"][name]
        assert one["identified"] in {True, False}
        if one["low"] is not None and one["high"] is not None and one["value"] is not None:
            assert one["low"] <= one["value"] <= one["high"]
    assert len(found["own"]["truth"]) == 3
    for one in found["prediction"]:
        assert one["misfit"] == pytest.approx(one["own"] - one["measured"])
        assert one["inside"] == (one["low"] <= one["own"] <= one["high"])
    totals = [sum(one["own"] for one in found["prediction"] if one["n"] == n) for n in (4, 8)]
    assert totals == pytest.approx([1, 1])
    half = call.json("fit", runs["gossip"])
    assert half["held_out"] == [3, 4]
    assert call.text("fit", runs["gossip"], "--holdout", "1")[0][:6] == [
        "Fitted",
        "to",
        "3",
        "of",
        "4",
        "seeds:",
    ]


def test_runs_that_do_not_fit_are_refused(call: Call, runs: dict[str, Path]) -> None:
    gossip, shares = runs["gossip"], runs["shares"]
    assert "at least one seed to fit" in call.refused("fit", gossip, "--holdout", "4")
    assert "a speaker has one listener" in call.refused("fit", runs["broadcast"])
    assert "two-way probes" in call.refused("cohort", "--runs", gossip, "--shares", gossip)
    assert "no such run file" in call.refused("cohort", "--runs", "nowhere", "--shares", shares)


@pytest.mark.parametrize("verb", ["phase", "cohort"])
def test_shares_of_no_trial_are_refused(
    call: Call, runs: dict[str, Path], verb: str, tmp_path: Path
) -> None:
    other, once = tmp_path / "other.db", {"N": 4}
    run("flag-game/evidence-share", out=other, seeds=4, seed=2, settings=once)
    line = call.refused(verb, "--runs", runs["gossip"], "--shares", other)
    assert f"none of the 8 trials of {runs['gossip']} has a share in {other}" in line
    assert "the same study seed, seeds and N" in line
    part = tmp_path / "part.db"
    run("flag-game/evidence-share", out=part, seeds=4, settings=once)
    lines = call.text(verb, "--runs", runs["gossip"], "--shares", part)
    assert "4 trials without a share" in " ".join(" ".join(line) for line in lines)


@pytest.mark.parametrize("verb", ["phase", "cohort", "fit"])
def test_several_conditions_are_refused_in_words(
    call: Call, runs: dict[str, Path], verb: str, tmp_path: Path
) -> None:
    swept = tmp_path / "swept.db"
    run("flag-game/population", out=swept, seeds=2, settings={"N": 4, "alpha": [0.25, 0.75]})
    words = [swept] if verb == "fit" else ["--runs", swept, "--shares", runs["shares"]]
    line = call.refused(verb, *words)
    assert line == (
        "error: run: 'alpha = 0.25, 0.75' is not allowed; "
        "expected one value of each axis but for N\n"
    )


def test_fit_without_h_prints_both_fits_and_why(call: Call, tmp_path: Path) -> None:
    tiny = tmp_path / "tiny.db"
    run("flag-game/population", out=tiny, seeds=2, settings={"N": 2})
    found = call.json("fit", tiny)
    assert (found["prediction"], found["no_prediction"]) == ([], "h_0 is not identified")
    assert not found["alike"]["bias"]["identified"]
    lines = [" ".join(line) for line in call.text("fit", tiny)]
    assert "No prediction: h_0 is not identified." in lines
    assert sum(line.startswith("h_0 ") for line in lines) == 2
    assert not any(line.startswith("own:") for line in lines)


@pytest.mark.parametrize("document", ["explanation/theory.md", "how-to/use-the-theory.md"])
def test_documents_show_what_is_printed(
    call: Call, document: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs" / document).read_text(encoding="utf-8")
    found = [(shlex.split(words), shown) for words, shown in SHOWN.findall(text)]
    assert len(found) >= 7
    for words, shown in found:
        code, out, err = call.any(*words)
        assert code == 0, (words, err)
        printed = [line.rstrip() for line in out.splitlines() if line.strip()]
        assert not shown or printed == shown.splitlines(), words


def test_help_of_the_verbs_loads_nothing_heavy() -> None:
    script = (
        "import sys\n"
        "from socialcircuits.cli import app\n"
        "for verb in ([], ['phase'], ['simulate'], ['fit'], ['cohort']):\n"
        "    sys.argv = ['socialcircuits', 'theory', *verb, '--help']\n"
        "    try:\n        app.main()\n"
        "    except SystemExit as stop:\n        assert not stop.code\n"
        "heavy = {'numba', 'numpy', 'scipy', 'pandas', 'matplotlib'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("Usage: socialcircuits theory") == 5
