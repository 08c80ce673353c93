"""What a card keeps of each claim in each arm: enough to count it again without the run files."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict, Field

from socialcircuits.records.summary import Private, Seated, Stance

__all__ = ["Asked", "Outcome", "Outcomes", "Part", "arm"]


class Part(BaseModel):
    """A part of a card: checked whole, and not changed."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Asked(Part):
    """The private answers of the subject to one claim in one wording.

    Args:
        alone: before anybody has spoken.
        after: after the peers of the arm.
    """

    alone: Private
    after: Private


class Outcome(Asked):
    """One claim in one arm; the answers of the class itself are those in the first wording.

    Args:
        alone: as in `Asked`.
        after: likewise.
        stance: what the subject's statement says of the wrong answer; None where it made none.
        fresh: private answers of the fresh seats that heard the statement and nothing else.
        refused: how many of the subject's replies are refusals.
        wordings: further wording -> the answers in it.
    """

    stance: Stance | None = None
    fresh: tuple[Private, ...] = ()
    refused: int = Field(default=0, ge=0)
    wordings: dict[str, Asked] = Field(default_factory=dict)

    @classmethod
    def of(cls, seat: Seated) -> Outcome:
        """Return what a card keeps of a seat test.

        >>> seat = Seated(3, 0, "argued", {"": "TRUE"}, {"": "FALSE"}, "hedge", ("FALSE",), 0)
        >>> Outcome.of(seat).after, Outcome.of(seat).fresh
        ('FALSE', ('FALSE',))
        """
        asked = {
            wording: Asked(alone=label, after=seat.after.get(wording, "unjudged"))
            for wording, label in seat.alone.items()
        }
        first = asked.pop("", Asked(alone="unjudged", after="unjudged"))
        return cls(
            alone=first.alone,
            after=first.after,
            stance=seat.stance,
            fresh=seat.fresh,
            refused=seat.refused,
            wordings=asked,
        )

    @property
    def seat(self) -> Seated:
        """The subject as measures read it, who is not told the arm."""
        asked = {"": Asked(alone=self.alone, after=self.after), **self.wordings}
        alone = {wording: one.alone for wording, one in asked.items()}
        after = {wording: one.after for wording, one in asked.items()}
        return Seated(0, 0, "", alone, after, self.stance, self.fresh, self.refused)


Outcomes = Mapping[str, Mapping[str, Outcome]]
"""Id of the claim -> arm -> what came of it."""


def arm(wrong: int, right: int, said: str) -> str:
    """Return the name of an arm.

    Args:
        wrong: peers that speak for the wrong answer, 0 to 8, and
        right: for the right one.
        said: ``argued`` or ``repeated``, which makes no difference without peers.

    >>> arm(3, 0, "argued"), arm(1, 3, "argued"), arm(3, 0, "repeated"), arm(0, 0, "argued")
    ('3 wrong', '1 wrong 3 right', '3 wrong/repeated', '')
    """
    counted = (("wrong", wrong), ("right", right))
    name = " ".join(f"{number} {side}" for side, number in counted if number)
    return f"{name}/repeated" if name and said == "repeated" else name
