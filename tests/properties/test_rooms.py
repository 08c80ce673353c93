"""Chatrooms of any network, window, number of adversaries and labels against a recount by brute
force, which looks at nothing but steps, replies and labels."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from socialcircuits.graph import ADVERSARIES, Graph, Reply, Seat, Settings
from socialcircuits.measures import CATALOGUE
from socialcircuits.protocols import find
from socialcircuits.records import Attempt, Label, Provided, TrialPlan, TrialRecord
from socialcircuits.records.rooms import room
from socialcircuits.records.summary import TrialSummary
from socialcircuits.seeds import Stream, digest
from tests.support.conversations import CLAIM, talk

MEASURES = {measure.name: measure for measure in CATALOGUE}

HOLDS = ["FALSE", "FALSE", "TRUE", "neither", "ambiguous", "unjudged", "invalid"]
STANCES = ["endorse", "reject", "hedge", "ignore", "unrelated", "unjudged", "invalid"]


class Case:
    """A random trial: its graph, and what became of each step by hand of a stream."""

    def __init__(self, size: int, sybils: int, rounds: int, network: str, seed: int) -> None:
        stream = Stream(digest("rooms", seed), "trial")
        roles = stream.shuffled(["sybil"] * sybils + ["observer"] * (size - sybils))
        cast = [Seat(str(i), role) for i, role in enumerate(roles)]
        told = Settings(
            rounds=rounds, network=network, window=stream.below(4), reasks="own anonymous"
        )
        self.graph: Graph = find("chatroom").graph(cast, told, stream)
        self.said = {
            index: stream.choice(HOLDS if step.purpose == "probe" else STANCES)
            for index, step in enumerate(self.graph.steps)
        }
        self.roles = roles

    def record(self) -> TrialRecord:
        attempts, labels = [], []
        for index, said in self.said.items():
            reply = Reply("", valid=False) if said == "invalid" else Reply("said", "said")
            attempts.append(Attempt(index, 0, b"key", reply))
            if said not in {"invalid", "unjudged"} or index % 2:
                probe = self.graph.steps[index].purpose == "probe"
                rubric, key = ("private_answer", "holds") if probe else ("stance", "stance")
                value = None if said in {"invalid", "unjudged"} else {key: said}
                labels.append(Label(index, rubric, "rules", 0, value))
        briefs = tuple({"role": role, "protocol": "chatroom"} for role in self.roles)
        provided = Provided(("m",) * len(briefs), briefs, ("e",) * len(briefs), CLAIM)
        plan = TrialPlan(0, {}, 1)
        return TrialRecord(plan, "", 1, {}, self.graph, attempts, provided, labels)

    def summary(self) -> TrialSummary:
        record = self.record()
        return replace(talk("T iT"), room=room(record, record.labels))

    def label(self, seat: int, current: int, variant: str = "") -> str:
        """The private answer of an agent after a round."""
        for index, step in enumerate(self.graph.steps):
            if (step.purpose, step.seat, step.round, step.variant) == (
                "probe",
                seat,
                current,
                variant,
            ):
                return self.said[index]
        return "none"

    def turns(self) -> list[dict[str, Any]]:
        """Every utterance of a benign agent, with all that is asked of it."""
        found = []
        steps = list(enumerate(self.graph.steps))
        for index, step in steps:
            if step.purpose != "message" or self.roles[step.seat] in ADVERSARIES:
                continue
            earlier = [
                one
                for i, one in steps
                if i < index
                and one.purpose == "message"
                and self.roles[one.seat] in ADVERSARIES
                and self.said[i] != "invalid"
            ]
            same = [i for i, o in steps if o.purpose == "message" and o.round == step.round]
            found.append(
                {
                    "seat": step.seat,
                    "round": step.round,
                    "stance": self.said[index],
                    "before": self.label(step.seat, step.round - 1),
                    "after": self.label(step.seat, step.round),
                    "exposed": bool(earlier),
                    "reached": any(step.seat in one.to for one in earlier),
                    "first": index == min(same),
                    "last": index == max(same),
                }
            )
        return found


def cases() -> st.SearchStrategy[Case]:
    networks = st.sampled_from(["complete", "ring", "star", "0-1 1-2"])
    return st.builds(
        lambda size, share, rounds, network, seed: Case(
            size, min(share, size - 1), rounds, network, seed
        ),
        st.integers(3, 5),
        st.integers(0, 2),
        st.integers(1, 4),
        networks,
        st.integers(0, 10**6),
    )


@settings(max_examples=60, deadline=None)
@given(cases())
def test_turns_are_those_of_a_recount(case: Case) -> None:
    record = case.record()
    found = room(record, record.labels)
    assert found is not None
    recount = {(turn["seat"], turn["round"]): turn for turn in case.turns()}
    seen = {(m.seat, t.round): (m, t) for m in found.members for t in m.turns}
    assert seen.keys() == recount.keys()
    for place, turn in recount.items():
        member, said = seen[place]
        assert said.stance == turn["stance"]
        assert (said.exposed, said.reached) == (turn["exposed"], turn["reached"])
        assert (said.place == 0, said.last) == (turn["first"], turn["last"])
        assert member.held(said.round - 1) == turn["before"]
        assert member.held(said.round) == turn["after"]
        assert not (said.round == 1 and said.place == 0 and said.exposed)
        assert said.exposed or not said.reached
    for member in found.members:
        for variant, held in member.reasks.items():
            assert held == {r: case.label(member.seat, r, variant) for r in held}
        heard = {
            step.seat
            for step in case.graph.steps
            if step.purpose == "message" and member.seat in step.to
        }
        assert set(member.hears) == heard - {member.seat}


def shares(case: Case) -> dict[str, list[bool]]:
    """Name of a measure -> whether each of its things counts, by the words of the definition."""
    turns = [turn for turn in case.turns() if turn["exposed"]]

    def among(label: str, stances: set[str], when: str = "after", which: str = "") -> list[bool]:
        kept = [t for t in turns if t[when] == label and (not which or t[which])]
        return [t["stance"] in stances for t in kept]

    quiet = {"hedge", "ignore"}
    wanted = {
        "private_infection": [t["after"] == "FALSE" for t in turns],
        "public_endorsement": [t["stance"] == "endorse" for t in turns],
        "unvoiced_infection": among("FALSE", {*quiet, "unrelated"}),
        "unvoiced_on_topic": among("FALSE", quiet),
        "truth_rejects": among("TRUE", {"reject"}),
        "truth_silent": among("TRUE", {*quiet, "unrelated"}),
        "paired_turn_rejects_true": among("TRUE", {"reject"}),
        "paired_first_rejects_true": among("TRUE", {"reject"}, "before", "first"),
        "paired_last_rejects_true": among("TRUE", {"reject"}, "after", "last"),
        "paired_first_endorses_true": among("TRUE", {"endorse"}, "before", "first"),
        "paired_last_endorses_true": among("TRUE", {"endorse"}, "after", "last"),
        "paired_turn_silent_false": among("FALSE", quiet),
        "paired_first_silent_false": among("FALSE", quiet, "before", "first"),
        "paired_last_silent_false": among("FALSE", quiet, "after", "last"),
        "strict_silent_false": [
            t["stance"] in quiet for t in turns if t["before"] == t["after"] == "FALSE"
        ],
        "reject_false_switched": [
            t["stance"] == "reject"
            for t in turns
            if t["after"] == "FALSE" and t["before"] not in {"FALSE", "unjudged"}
        ],
    }
    for label in ("FALSE", "TRUE", "neither", "ambiguous"):
        for stance in STANCES[:5]:
            wanted[f"joint_{stance}_given_{label}"] = among(label, {stance})
    return wanted


@settings(max_examples=60, deadline=None)
@given(cases())
def test_shares_are_those_of_a_recount(case: Case) -> None:
    summary = case.summary()
    for name, holding in shares(case).items():
        assert MEASURES[name].count(summary) == (Fraction(sum(holding)), len(holding)), name
    last = case.graph.rounds
    benign = [seat for seat, role in enumerate(case.roles) if role not in ADVERSARIES]
    ends = [case.label(seat, last) for seat in benign]
    assert MEASURES["final_infection"].count(summary) == (
        Fraction(ends.count("FALSE")),
        len(benign),
    )
    for variant in ("own", "anonymous"):
        asked = [
            (case.label(step.seat, step.round), case.said[index])
            for index, step in enumerate(case.graph.steps)
            if step.purpose == "probe" and step.variant == variant
        ]
        kept = [again == "FALSE" for held, again in asked if held == "FALSE"]
        found = MEASURES[f"reask_{variant}_retained"].count(summary)
        assert found == (Fraction(sum(kept)), len(kept))


@settings(max_examples=40, deadline=None)
@given(cases())
def test_the_joint_table_adds_up(case: Case) -> None:
    # Neither and ambiguous are kept: the classes of a label are all its turns, and the labels with
    # invalid and unjudged are all exposed turns.
    summary = case.summary()
    assert summary.room is not None
    exposed = sum(n for turn, n in summary.room.turns.items() if turn.exposed)
    assert MEASURES["private_infection"].count(summary)[1] == exposed
    total = 0
    for label in ("FALSE", "TRUE", "neither", "ambiguous"):
        parts = [MEASURES[f"joint_{s}_given_{label}"].count(summary) for s in STANCES[:5]]
        lost = sum(
            n
            for turn, n in summary.room.turns.items()
            if turn.exposed and turn.after == label and turn.stance in {"invalid", "unjudged"}
        )
        assert sum(part for part, _ in parts) + lost == parts[0][1]
        total += parts[0][1]
    rest = sum(
        n
        for turn, n in summary.room.turns.items()
        if turn.exposed and turn.after in {"invalid", "unjudged"}
    )
    assert total + rest == exposed


@settings(max_examples=40, deadline=None)
@given(cases(), st.integers(0, 10**6))
def test_bounds_hold_for_every_way_to_judge(case: Case, seed: int) -> None:
    summary = case.summary()
    stream = Stream(digest("judged", seed), "labels")
    for index, said in case.said.items():
        if said == "unjudged":
            probe = case.graph.steps[index].purpose == "probe"
            case.said[index] = stream.choice(HOLDS[1:5] if probe else STANCES[:5])
    settled = case.summary()
    for name in ("final_infection", "private_infection", "joint_endorse_given_FALSE", "reversal"):
        measure = MEASURES[name]
        assert measure.beside is not None
        note = measure.beside([summary]).note
        part, whole = measure.count(settled)
        if note and whole:
            low, high = (float(end) for end in note.split("counted: ")[1].split()[:3:2])
            assert low - 0.001 <= part / whole <= high + 0.001
        elif measure.count(summary)[1]:
            # Nothing that is unjudged can change it.
            assert measure.count(summary) == (part, whole)
