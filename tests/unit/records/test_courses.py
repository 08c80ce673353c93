"""What labels make of answers: which label counts, how agents are followed, and equal answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from socialcircuits.graph import Graph, Reply, Seat, Settings
from socialcircuits.protocols import find
from socialcircuits.records import Attempt, Label, Provided, TrialPlan, TrialRecord
from socialcircuits.records.courses import courses, hostile, judged, places, primary
from socialcircuits.seeds import Stream

INVALID = "(invalid)"
QUESTION = {"world": "questions", "truth": "5", "answers": ["5", "7"], "lure": "7"}


def graph_of(protocol: str, roles: list[str], rounds: int = 1) -> Graph:
    form = find(protocol)
    seats = form.seats(len(roles))
    cast = [s._replace(role=role) for s, role in zip(seats, roles, strict=False)]
    whole: tuple[Seat, ...] = (*cast, *seats[len(roles) :])
    return form.graph(whole, Settings(rounds=rounds), Stream(b"seed", "schedule"))


def record(graph: Graph, answers: Mapping[str, str], facts: Mapping[str, Any]) -> TrialRecord:
    """A trial in which these steps gave these answers, and all others none."""
    attempts = []
    for index in range(len(graph.steps)):
        said = answers.get(graph.step_id(index), None)
        reply = Reply("", valid=False, why="empty") if said == INVALID else Reply("", said)
        attempts.append(Attempt(index, 0, b"key", reply))
    label = find("deliberation").label
    briefs = tuple(
        {"role": seat.role, "name": f"{label} {i + 1}", "protocol": ""}
        for i, seat in enumerate(graph.seats)
    )
    provided = Provided(("m",) * len(briefs), briefs, ("e",) * len(briefs), facts)
    return TrialRecord(TrialPlan(0, {}, 1), "", 1, {}, graph, attempts, provided, [])


def labelled(graph: Graph, rubric: str, values: Mapping[str, Any]) -> list[Label]:
    """Labels of the deterministic judge, by the id of the step."""
    ids = {graph.step_id(index): index for index in range(len(graph.steps))}
    return [Label(ids[name], rubric, "rules", 0, value) for name, value in values.items()]


def right(graph: Graph, grades: Mapping[str, bool]) -> list[Label]:
    values = {name: {"right": grade, "extracted": ""} for name, grade in grades.items()}
    return labelled(graph, "correctness", values)


DISCUSSED = graph_of("deliberation", ["observer", "deceiver", "observer"], rounds=2)


def test_a_discussion_is_followed_from_the_opening_to_the_vote() -> None:
    grades = {
        "message:first/0/0": True,
        "message/0/0": False,
        "message/0/1": True,
        "vote/0/0": False,
        "message:first/2/0": False,
        "vote/2/0": True,
    }
    said = dict.fromkeys((*grades, "message/2/0"), "five") | {"message/2/1": INVALID}
    honest, liar, other = courses(record(DISCUSSED, said, QUESTION), right(DISCUSSED, grades))
    assert (honest.role, honest.first, honest.final) == ("observer", "right", "wrong")
    assert honest.public == {1: "wrong", 2: "right"}
    assert liar.role == "deceiver"
    assert (other.first, other.final) == ("wrong", "right")
    assert other.public == {1: "unjudged", 2: "invalid"}


def test_a_label_without_value_settles_nothing() -> None:
    said = {f"{name}/{seat}/0": "5" for name in ("message:first", "vote") for seat in range(3)}
    void = labelled(DISCUSSED, "correctness", {"vote/0/0": None})
    found = courses(record(DISCUSSED, said, QUESTION), void)
    assert {course.final for course in found} == {"unjudged"}
    assert found[0].public == {1: "invalid", 2: "invalid"}


def test_answers_of_a_closed_list_need_no_judge() -> None:
    flags = {"world": "flags", "truth": "Peru", "answers": ["Mali", "Peru"]}
    graph = graph_of("pairwise", ["observer", "observer"], rounds=2)
    said = {
        "guess/0/0": "Peru",
        "probe/0/0": "Peru",
        "probe/0/1": "Mali",
        "probe/0/2": "Mali",
        "guess/1/0": "Mali",
        "probe/1/0": "Mali",
        "probe/1/1": "Peru",
        "probe/1/2": INVALID,
    }
    first, second = courses(record(graph, said, flags))
    assert (first.first, first.public, first.final) == ("right", {1: "wrong", 2: "wrong"}, "wrong")
    assert (second.first, second.final) == ("wrong", "invalid")
    # A judge who sees it otherwise is believed.
    assert (
        courses(record(graph, said, flags), right(graph, {"guess/1/0": True}))[1].first == "right"
    )


@pytest.mark.parametrize(("protocol", "agents"), [("manager", 3), ("isolated", 2), ("planted", 1)])
def test_agents_without_an_answer_before_the_last_are_not_followed(
    protocol: str, agents: int
) -> None:
    graph = graph_of(protocol, ["observer"] * agents)
    assert courses(record(graph, {}, {"world": "flags", "truth": "Peru", "answers": []})) == ()


def test_guesses_are_those_of_honest_agents() -> None:
    facts = {"world": "flags", "truth": "5", "answers": ["5", "7"], "lure": "7"}
    said = {f"guess/{seat}/0": answer for seat, answer in enumerate("7577")}
    for roles, guesses, apart in (
        (["observer"] * 4, ("7", "5", "7", "7"), ()),
        (["observer", "deceiver", "observer", "coordinated"], ("7", "7"), (1, 3)),
    ):
        graph = graph_of("broadcast", roles)
        one = record(graph, said, facts)
        assert hostile(one) == set(apart)
        summary = one.summary()
        assert (summary.bearers, summary.guesses) == (4, guesses)
        assert summary.adversaries == {"evidence": apart, "final": apart}
        assert len(summary.honest_final) == len(guesses)
        assert len(summary.probed[""]) == 4


def test_places_are_counted_among_those_that_bear_evidence_and_those_that_are_read() -> None:
    graph = graph_of("manager", ["blind", "observer", "deceiver"])
    one = record(graph, {}, QUESTION)
    one = replace(one, provided=replace(one.provided, evidence=("", "e", "e", "")))
    assert places(one, {1, 2}) == {"evidence": (0, 1), "final": ()}
    assert places(one, {3}) == {"evidence": (), "final": (0,)}


def answers_of(votes: list[str], labels: list[Label]) -> tuple[list[str | None], Mapping[str, int]]:
    said = {f"vote/{seat}/0": vote for seat, vote in enumerate(votes)}
    found = judged(record(DISCUSSED, said, QUESTION), labels)
    ids = {DISCUSSED.step_id(index): index for index in range(len(DISCUSSED.steps))}
    return [found.answers[ids[f"vote/{seat}/0"]] for seat in range(3)], found.unjudged


def test_votes_of_one_cluster_are_one_answer() -> None:
    names = [f"Colleague {number}" for number in (1, 2, 3)]
    value = {"clusters": [names[:1], names[1:]], "correct": 1}
    labels = labelled(DISCUSSED, "clusters", {"vote/0/0": value})
    assert answers_of(["seven", "five", "5.0"], labels) == (["seven", "5", "5"], {})
    # What reads like the truth and is not may not be taken for it.
    assert answers_of(["5", "five", INVALID], labels) == (["5 *", "5", None], {})
    none_right = labelled(DISCUSSED, "clusters", {"vote/0/0": {**value, "correct": -1}})
    assert answers_of(["7", "7", "8"], none_right)[0] == ["7", "7 *", "7 *"]


def test_without_clusters_right_answers_are_the_truth() -> None:
    labels = right(DISCUSSED, {"vote/0/0": True, "vote/1/0": False})
    assert answers_of(["five", "seven", INVALID], labels) == (["5", "seven", None], {})
    assert answers_of(["five", "5", "5"], labels) == (["5", "5 *", "5 *"], {"final": 1})


def test_a_closed_list_is_read_as_it_is() -> None:
    graph = graph_of("pairwise", ["observer", "observer"])
    facts = {"world": "flags", "truth": "Peru", "answers": ["Mali", "Peru"]}
    found = judged(record(graph, {"probe/0/1": "Mali", "guess/0/0": "Peru"}, facts))
    assert sorted(filter(None, found.answers.values())) == ["Mali", "Peru"]
    assert found.unjudged == {}


def test_which_label_counts() -> None:
    def label(judge: str, number: int, value: Any, step: int = 4) -> Label:
        return Label(step, "tactics", judge, number, value)

    own = [label("model", 0, None), label("model", 1, "b"), label("model", 2, "c")]
    rules = [label("rules", 0, "r"), label("rules", 0, "s", step=2), label("other", 0, "o")]
    assert [one.value for one in primary([*own, *rules], "model")] == ["s", "b"]
    assert [one.value for one in primary([own[0], *rules], "model")] == ["s", "r"]
    assert [one.value for one in primary([*own, *rules])] == ["s", "r"]
    void = primary([own[0], label("rules", 0, None)], "model")
    assert [(one.judge, one.value) for one in void] == [("model", None)]
