"""One writer a run file, held by the operating system and so released by any end of a process."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from socialcircuits.errors import RunFileError


class WriterLock:
    """An exclusive lock beside the run file.

    It is not taken on the run file itself: closing a second handle there would drop the locks that
    SQLite holds for this process.
    """

    def __init__(self, run: Path) -> None:
        self._path = run.with_name(run.name + "-lock")
        self._handle = self._take(run)

    def _take(self, run: Path) -> int:
        while True:
            try:
                handle = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
            except OSError as error:
                raise RunFileError(f"{run}: cannot be written: {error.strerror}") from None
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                os.close(handle)
                raise RunFileError(
                    f"{run}: another process is writing this run; wait for it or choose another "
                    "--out"
                ) from None
            if self._current(handle):
                return handle
            # The former owner removed the file between our opening and locking it.
            os.close(handle)

    def _current(self, handle: int) -> bool:
        try:
            return self._path.stat().st_ino == os.fstat(handle).st_ino
        except FileNotFoundError:
            return False

    def release(self) -> None:
        """Give the lock up and remove its file."""
        self._path.unlink(missing_ok=True)
        os.close(self._handle)
