"""The lock of the prompt files: an edited prompt needs a new version.

``python -m socialcircuits.prompts.lock`` makes ``prompts.lock`` anew, after a change that is meant.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from socialcircuits.errors import UsageError
from socialcircuits.prompts.library import Prompt, library

LOCK = Path(__file__).with_name("prompts.lock")


def lines(prompts: Iterable[Prompt]) -> str:
    """Return the lock of prompts: a line each, with id, version and SHA-256 of the file."""
    return "".join(f"{prompt.id} {prompt.version} {prompt.sha256}\n" for prompt in prompts)


def renewed(old: str, prompts: Iterable[Prompt]) -> str:
    """Return the new lock in place of an old one.

    Raises:
        UsageError: a file was changed and its version not raised.
    """
    prompts = tuple(prompts)
    locked = {name: (int(version), sha) for name, version, sha in map(str.split, old.splitlines())}
    kept = [
        prompt.id
        for prompt in prompts
        if prompt.id in locked
        and prompt.sha256 != locked[prompt.id][1]
        and prompt.version <= locked[prompt.id][0]
    ]
    if kept:
        raise UsageError(f"prompts changed without a higher version: {', '.join(kept)}")
    return lines(prompts)


def main() -> None:
    """Make the lock file anew, or say which file needs a higher version."""
    old = LOCK.read_text(encoding="utf-8") if LOCK.exists() else ""
    try:
        LOCK.write_text(renewed(old, library()), encoding="utf-8", newline="\n")
    except UsageError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
