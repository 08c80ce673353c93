"""What no file of the repository may hold: where packages come from, or a path of one machine."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from tests.form.sources import ROOT

REGISTRY = re.compile(
    r"\bpypi\.(org|python)|python"
    r"hosted\.|registry\.npmjs|deb\.debian\.|proxy\.golang"
    r"|--index-url|--extra-index-url|--find-links|--trusted-host"
)
MACHINE = re.compile(r"(?<![\w.}>-])/(home|root|Users|work|tmp|opt|mnt|private|var/tmp)/\w")
HOST_IN_PINS = re.compile(r"://|\bindex\b|^-", re.MULTILINE)


def texts() -> dict[str, str]:
    """The text of every file that is tracked or would be, by path."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("not a git checkout: which files belong to the repository is not known")
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    found = {}
    for path in listed.stdout.splitlines():
        data = (ROOT / path).read_bytes() if (ROOT / path).is_file() else b"\0"
        if b"\0" not in data:
            found[path] = data.decode("utf-8")
    return found


def test_no_registry_address() -> None:
    own = "tests/form/test_repository.py"
    assert not [path for path, text in texts().items() if REGISTRY.search(text) and path != own]


def test_no_path_of_a_machine() -> None:
    places = []
    for path, text in texts().items():
        places += [f"{path}: {match[0]}" for match in MACHINE.finditer(text)]
    assert not places


def test_pins_say_versions_only() -> None:
    for file in (ROOT / "requirements").iterdir():
        assert not HOST_IN_PINS.search(file.read_text(encoding="utf-8")), file.name


@pytest.mark.parametrize("folder", ["home", "tmp", "Users"])
def test_a_path_of_a_machine_is_seen(folder: str) -> None:
    assert MACHINE.search(f"see '/{folder}/me/x'")
    assert not MACHINE.search(f"see docs/{folder}/me")
