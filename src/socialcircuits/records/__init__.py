"""The record is the product: the run store, provenance, digests and tables."""

from socialcircuits.records.reader import RunFile, TrialRecord
from socialcircuits.records.store import RunStore, TrialJournal, shared_by
from socialcircuits.records.summary import TrialSummary
from socialcircuits.records.trial import (
    NO_KEY,
    Asking,
    Attempt,
    Played,
    Provided,
    TrialPlan,
    segment_digest,
)

__all__ = [
    "NO_KEY",
    "Asking",
    "Attempt",
    "Played",
    "Provided",
    "RunFile",
    "RunStore",
    "TrialJournal",
    "TrialPlan",
    "TrialRecord",
    "TrialSummary",
    "segment_digest",
    "shared_by",
]
