from __future__ import annotations

import pytest

from socialcircuits import errors
from socialcircuits.errors import SettingError, SocialCircuitsError

CODES = {
    "SocialCircuitsError": 1,
    "UsageError": 2,
    "SettingError": 2,
    "RunFileError": 2,
    "GraphError": 1,
    "ModelError": 3,
    "Unavailable": 3,
    "Refused": 3,
    "ReplayError": 3,
    "Unanswered": 3,
    "BudgetReached": 5,
    "TrialsFailed": 4,
    "GateFailed": 6,
    "GateInconclusive": 8,
    "Interrupted": 130,
}


def test_every_error_has_its_exit_code() -> None:
    tree = {
        name: kind.exit_code
        for name, kind in vars(errors).items()
        if isinstance(kind, type) and issubclass(kind, SocialCircuitsError)
    }
    assert tree == CODES


def test_a_setting_error_says_where_what_and_what_is_allowed() -> None:
    error = SettingError("$.trial.N", 1, "at least 2")
    assert str(error) == "$.trial.N: 1 is not allowed; expected at least 2"
    assert (error.where, error.given, error.expected) == ("$.trial.N", 1, "at least 2")


@pytest.mark.parametrize(
    ("given", "nearest"),
    [("pairwize", "pairwise"), ("Broadcast", "broadcast"), ("zzz", None), (12, None)],
)
def test_the_nearest_allowed_name_is_suggested(given: object, nearest: str | None) -> None:
    error = SettingError("$", given, "a protocol", among=["pairwise", "broadcast", "manager"])
    assert error.nearest == nearest
    assert ("did you mean" in str(error)) == (nearest is not None)
