"""Which final votes are one and the same answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

from socialcircuits.judges.base import Case, Judgment, Rubric, Transcript
from socialcircuits.judges.form import TEXT, WHOLE, Schema, Void, choice, listed, table

UNDECIDED = "left to a judge: not surely the same and not surely different"


class Clusters(Rubric):
    """The partition of the voters by what they voted for, and which part is right.

    The judge is given the question, the right answer and every valid vote under its voter's name.
    An invalid vote is nobody's and stands in no cluster. Source: adversarial influence, appendix C.
    """

    name = "clusters"

    def cases(self, transcript: Transcript) -> Iterator[Case]:
        """One a trial in which anybody cast a valid vote."""
        votes = {index: step for index, step, _ in transcript.said("vote")}
        if not votes:
            return
        lines = [
            {"id": transcript.name(step.seat), "vote": transcript.outcomes[index].answer or ""}
            for index, step in votes.items()
        ]
        texts = [{"question": transcript.question}, *transcript.reference(), *lines]
        ids = tuple(line["id"] for line in lines)
        yield Case(self, min(votes), tuple(texts), transcript=transcript, ids=ids)

    def form(self, case: Case) -> Schema:
        """Reasoning, clusters of names, and the index of the right one."""
        members = listed(choice(case.ids), most=len(case.ids))
        return table(reasoning=TEXT, clusters=listed(members, most=len(case.ids)), correct=WHOLE)

    def read(self, case: Case, said: Mapping[str, Any]) -> Judgment:
        """The partition: every id in exactly one cluster."""
        clusters, correct = said["clusters"], said["correct"]
        counts = Counter(name for cluster in clusters for name in cluster)
        missing = [name for name in case.ids if name not in counts]
        twice = [name for name, count in counts.items() if count > 1]
        invented = [name for name in counts if name not in case.ids]
        for fault, names in (("missing", missing), ("twice", twice), ("invented", invented)):
            if names:
                raise Void(f"{fault}: {', '.join(names)}")
        if not all(clusters):
            raise Void("an empty cluster")
        if not -1 <= correct < len(clusters):
            raise Void("no cluster has the index of the correct one")
        return Judgment({"clusters": clusters, "correct": correct}, said["reasoning"])

    def rules(self, case: Case) -> Judgment:
        """Equal answers together, where the world is sure of each pair."""
        transcript = case.transcript
        voters: dict[str, list[str]] = {}
        for _, step, reply in transcript.said("vote"):
            voters.setdefault(reply.answer or "", []).append(transcript.name(step.seat))
        groups = _grouped(transcript, list(voters))
        if groups is None:
            return Judgment(None, why=UNDECIDED)
        grades = [{transcript.grade(answer) for answer in group} for group in groups]
        right = [number for number, found in enumerate(grades) if found == {True}]
        if len(right) > 1 or any(found not in ({True}, {False}) for found in grades):
            return Judgment(None, why="left to a judge: which votes are right is not sure")
        clusters = [[name for answer in group for name in voters[answer]] for group in groups]
        return Judgment({"clusters": clusters, "correct": right[0] if right else -1}, "by rules")

    def parts(self, value: Mapping[str, Any]) -> Mapping[str, Hashable]:
        """The partition, and the part that is right, whatever their order."""
        sets = [frozenset(cluster) for cluster in value["clusters"]]
        right = sets[value["correct"]] if value["correct"] >= 0 else frozenset()
        return {"partition": frozenset(sets), "correct": right}


def _grouped(transcript: Transcript, answers: Sequence[str]) -> list[list[str]] | None:
    """Answers that are the same, or None where a pair is not sure or the pairs contradict."""
    groups: list[list[str]] = []
    for answer in answers:
        same = [{transcript.same(answer, other) for other in group} for group in groups]
        if any(found not in ({True}, {False}) for found in same) or same.count({True}) > 1:
            return None
        if {True} in same:
            groups[same.index({True})].append(answer)
        else:
            groups.append([answer])
    return groups
