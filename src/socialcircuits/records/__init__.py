"""The record is the product: the run store, provenance, digests and tables."""

from socialcircuits.records.courses import graded, primary
from socialcircuits.records.reader import RunFile
from socialcircuits.records.record import TrialRecord
from socialcircuits.records.store import JUDGED, RunStore, TrialJournal, shared_by
from socialcircuits.records.summary import Course, Grade, TrialSummary
from socialcircuits.records.trial import (
    NO_KEY,
    PEERS,
    Asking,
    Attempt,
    Label,
    Played,
    Provided,
    TrialPlan,
    segment_digest,
)

__all__ = [
    "JUDGED",
    "NO_KEY",
    "PEERS",
    "Asking",
    "Attempt",
    "Course",
    "Grade",
    "Label",
    "Played",
    "Provided",
    "RunFile",
    "RunStore",
    "TrialJournal",
    "TrialPlan",
    "TrialRecord",
    "TrialSummary",
    "graded",
    "primary",
    "segment_digest",
    "shared_by",
]
