"""All tables of a run as files."""

from __future__ import annotations

from pathlib import Path

from socialcircuits.records.tables import export as export_record
from socialcircuits.studies import Run


def export(run: Run, folder: Path) -> list[Path]:
    """Write the tables of the record and the estimates, as Parquet and CSV.

    Raises:
        RunFileError: the folder cannot be written.
    """
    written = export_record(run.file, folder)
    frame = run.estimates()
    for axis in frame.columns.difference(["value", "low", "high", "n"]):
        # Axes may hold numbers in one condition and texts in another; Parquet wants one type.
        if frame[axis].dtype == object:
            frame[axis] = frame[axis].map(lambda value: "" if value is None else str(value))
    parquet, csv = folder / "estimates.parquet", folder / "estimates.csv"
    frame.to_parquet(parquet, index=False)
    frame.to_csv(csv, index=False)
    return [*written, parquet, csv]
