"""`models` and `doctor`: what they list, what they check, and that no key is shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from socialcircuits.cli import doctor, models
from socialcircuits.errors import Interrupted, SettingError
from socialcircuits.models import local, weights

SECRET = "sk-do-not-show"

KEYLESS = ("openrouter", "deepseek", "xai", "gemini")
"""Hosted providers of whose keys none is set here."""

app = typer.Typer()
app.add_typer(models.app, name="models")
app.command("doctor")(doctor.command)


@pytest.fixture(autouse=True)
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, no runtime, and a configuration with two providers."""
    config = tmp_path / "config.toml"
    config.write_text(
        '[providers.lab]\nbase_url = "http://127.0.0.1:8080/v1"\n'
        '[providers.farm]\nbase_url = "https://farm.example/v1"\nkey_env = "FARM_KEY"\n'
    )
    monkeypatch.setenv("SOCIALCIRCUITS_CONFIG", str(config))
    monkeypatch.setenv("SOCIALCIRCUITS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    for name in ("FARM_KEY", *(f"{hosted.upper()}_API_KEY" for hosted in KEYLESS)):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(local, "installed", lambda: False)
    return config


def run(*words: str, code: int = 0) -> str:
    done = CliRunner().invoke(app, words)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == code, done.output
    assert SECRET not in done.output
    return done.output


def test_what_can_sit_in_the_seats() -> None:
    found = json.loads(run("models", "--json"))
    assert found["simulated"][0] == "simulated/literal"
    assert [(row["name"], row["fetched"]) for row in found["local"]] == [
        ("local/smollm2-135m", False),
        ("local/qwen2.5-coder-1.5b", False),
    ]
    assert found["providers"] == [
        {"name": "openai", "base_url": "https://api.openai.com/v1", "problem": ""},
        *(
            {"name": name, "base_url": "", "problem": f"no key in ${name.upper()}_API_KEY"}
            for name in KEYLESS
        ),
        {"name": "ollama", "base_url": "http://127.0.0.1:11434/v1", "problem": ""},
        {"name": "vllm", "base_url": "http://127.0.0.1:8000/v1", "problem": ""},
        {"name": "lab", "base_url": "http://127.0.0.1:8080/v1", "problem": ""},
        {"name": "farm", "base_url": "", "problem": "no key in $FARM_KEY"},
    ]


def test_a_built_in_server_that_stands_elsewhere_is_listed_once(fresh: Path) -> None:
    fresh.write_text('[providers.ollama]\nbase_url = "http://farm:11434/v1"\n')
    rows = json.loads(run("models", "--json"))["providers"]
    assert [row["base_url"] for row in rows if row["name"] == "ollama"] == ["http://farm:11434/v1"]


def test_provenance_is_said_wherever_weights_are_offered() -> None:
    listed = run("models")
    assert "a third party's upload without a licence" in listed
    assert "no findings about any model" in listed
    assert "not fetched, 1,117 MB" in listed


def test_fetch_says_what_it_gets(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fetch(name: str, progress: weights.Progress) -> Path:
        progress(1, 22)
        return tmp_path / name

    monkeypatch.setattr(weights, "fetch", fetch)
    done = CliRunner().invoke(app, ["models", "fetch", "local/qwen2.5-coder-1.5b"])
    assert done.stdout == f"local/qwen2.5-coder-1.5b: {tmp_path / 'qwen2.5-coder-1.5b'}\n"
    assert "licence: none given; a third party's upload" in done.stderr
    assert "part 1 of 22" in done.stderr
    done = CliRunner().invoke(app, ["models", "fetch", "smollm2-135m", "--json"])
    assert json.loads(done.stdout)["bytes"] == 98_362_432


def test_fetch_of_an_unknown_name() -> None:
    with pytest.raises(SettingError, match="did you mean 'smollm2-135m'"):
        run("models", "fetch", "smollm2")


def test_fetch_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    def fetch(name: str, progress: weights.Progress) -> Path:
        raise KeyboardInterrupt

    monkeypatch.setattr(weights, "fetch", fetch)
    with pytest.raises(Interrupted, match="parts that were fetched are kept"):
        run("models", "fetch", "smollm2-135m")


def checks(code: int = 0) -> dict[str, list[tuple[bool, str]]]:
    found = json.loads(run("doctor", "--json", code=code))
    assert found["ok"] == (code == 0)
    by_name: dict[str, list[tuple[bool, str]]] = {}
    for check in found["checks"]:
        by_name.setdefault(check["name"], []).append((check["ok"], check["found"]))
    return by_name


def test_a_sound_machine(fresh: Path) -> None:
    found = checks()
    assert found["settings"] == [(True, str(fresh))]
    assert found["provider"] == [
        (True, "openai: ready"),
        *((True, f"{name}: no key in ${name.upper()}_API_KEY") for name in KEYLESS),
        (True, "ollama: ready"),
        (True, "vllm: ready"),
        (True, "lab: ready"),
        (True, "farm: no key in $FARM_KEY"),
    ]
    assert found["server"] == [(True, "not tried: the extra local is not installed")]
    assert "socialcircuits models fetch smollm2-135m" in found["weights"][0][1]
    lines = run("doctor").splitlines()
    assert len(lines) == sum(map(len, found.values()))
    assert all(line.startswith("ok ") for line in lines)


def test_a_damaged_configuration(fresh: Path) -> None:
    fresh.write_text("[providers")
    found = checks(code=3)
    assert len(found["settings"]) == 1
    assert not found["settings"][0][0]
    assert "valid TOML" in found["settings"][0][1]
    assert "provider" not in found
    assert "FAIL settings" in run("doctor", code=3)


def test_damaged_weights(tmp_path: Path) -> None:
    path = weights.named("smollm2-135m").path
    path.parent.mkdir(parents=True)
    path.write_bytes(b"GGUF")
    ok, said = checks(code=3)["weights"][0]
    assert not ok
    assert said == "smollm2-135m: damaged (socialcircuits models fetch smollm2-135m)"


def test_a_server_that_does_not_start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(local, "installed", lambda: True)
    assert checks()["server"] == [(True, "not tried: no weights are fetched")]
    monkeypatch.setattr(weights, "find", lambda name: tmp_path)
    ok, said = checks(code=3)["server"][0]
    assert not ok
    assert "not on this machine" in said


def test_missing_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    needs = ["numpy>=2.0", "no-such-thing[x]>=1", "nor-this==1; extra == 'far'"]
    monkeypatch.setattr("importlib.metadata.requires", lambda name: needs)
    found = checks(code=3)
    assert found["packages"] == [(False, "missing: no-such-thing")]
    assert found["extra far"] == [(True, "missing: nor-this")]


def test_too_little_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "LEAST_DISK", 10**18)
    assert not checks(code=3)["disk"][0][0]
    monkeypatch.setattr(doctor, "OLDEST", (4, 0))
    assert not checks(code=3)["python"][0][0]
