"""Where models are reached, and that keys stay where they belong."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import pytest

from socialcircuits.errors import SettingError
from socialcircuits.models import Key, resolve
from socialcircuits.models.endpoints import config_path

SECRET = "sk-planted-0123456789abcdef"
URL = "http://127.0.0.1:8080/v1"
HOSTED = {
    "openai": "https://api.openai.com/v1",
    "openrouter": "https://openrouter.ai/api/v1",
    "deepseek": "https://api.deepseek.com/v1",
    "xai": "https://api.x.ai/v1",
    "gemini": "https://generativelanguage.googleapis.com/v1beta/openai",
}
VARIABLES = (
    *(f"{name.upper()}_API_KEY" for name in (*HOSTED, "vllm")),
    "SOCIALCIRCUITS_API_KEY",
    "SOCIALCIRCUITS_CONFIG",
    "LAB_KEY",
)


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    for name in ("XDG_CONFIG_HOME", "APPDATA", "HOME"):
        monkeypatch.setenv(name, str(tmp_path))


def configure(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    monkeypatch.setenv("SOCIALCIRCUITS_CONFIG", str(path))


def test_openai(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", f" {SECRET}\n")
    found = resolve("openai/gpt-4o")
    assert (found.name, found.model) == ("openai/gpt-4o", "gpt-4o")
    assert found.base_url == "https://api.openai.com/v1"
    assert found.key is not None
    assert found.key.reveal() == SECRET
    assert SECRET not in f"{found!r} {found.key} {[found.key]} {found.key!r}"


@pytest.mark.parametrize("provider", HOSTED)
def test_hosted_providers_want_their_own_key(
    provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    variable = f"{provider.upper()}_API_KEY"
    with pytest.raises(SettingError, match=rf"\${variable}"):
        resolve(f"{provider}/org/model")
    monkeypatch.setenv(variable, SECRET)
    found = resolve(f"{provider}/org/model")
    assert (found.name, found.model) == (f"{provider}/org/model", "org/model")
    assert found.base_url == HOSTED[provider]
    assert found.key is not None


def test_servers_on_this_machine_want_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    found = resolve("ollama/qwen3:8b")
    assert (found.base_url, found.model, found.key) == (
        "http://127.0.0.1:11434/v1",
        "qwen3:8b",
        None,
    )
    assert resolve("vllm/Qwen/Qwen3-8B").base_url == "http://127.0.0.1:8000/v1"
    assert resolve("vllm/m").key is None
    monkeypatch.setenv("VLLM_API_KEY", SECRET)
    assert resolve("vllm/m").key is not None


def test_they_may_stand_elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    configure(monkeypatch, tmp_path, '[providers.vllm]\nbase_url = "http://farm:9000/v1"')
    monkeypatch.setenv("VLLM_API_KEY", SECRET)
    found = resolve("vllm/m")
    assert found.base_url == "http://farm:9000/v1"
    assert found.key is None


def test_a_key_cannot_be_written() -> None:
    with pytest.raises(TypeError, match="not written"):
        pickle.dumps(Key(SECRET))
    with pytest.raises(TypeError, match="not written"):
        copy.copy(Key(SECRET))
    assert not hasattr(Key(SECRET), "__dict__")


def test_a_missing_key_is_named() -> None:
    with pytest.raises(SettingError, match=r"OPENAI_API_KEY.*key for openai/gpt-4o"):
        resolve("openai/gpt-4o")


def test_a_key_of_odd_characters_is_refused_without_showing_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", f"{SECRET}\r\nX-Evil: 1")
    with pytest.raises(SettingError, match="plain characters") as raised:
        resolve("openai/gpt-4o")
    assert "planted" not in str(raised.value)


def test_a_server_by_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    found = resolve("openai-compatible/org/model", URL + "/")
    assert (found.model, found.base_url, found.key) == ("org/model", URL, None)
    monkeypatch.setenv("SOCIALCIRCUITS_API_KEY", SECRET)
    assert resolve("openai-compatible/m", URL).key is not None
    monkeypatch.setenv("LAB_KEY", "other")
    named = resolve("openai-compatible/m", URL, "LAB_KEY").key
    assert named is not None
    assert named.reveal() == "other"


def test_a_named_key_must_be_there() -> None:
    with pytest.raises(SettingError, match="LAB_KEY"):
        resolve("openai-compatible/m", URL, "LAB_KEY")


def test_an_address_must_be_given() -> None:
    with pytest.raises(SettingError, match="--base-url"):
        resolve("openai-compatible/m")


@pytest.mark.parametrize("options", [(URL, None), (None, "LAB_KEY")])
def test_a_provider_s_key_goes_to_no_other_address(
    options: tuple[str | None, str | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    with pytest.raises(SettingError, match="openai-compatible/MODEL"):
        resolve("openai/gpt-4o", *options)


@pytest.mark.parametrize(
    "url",
    [
        "ftp://host/v1",
        "file:///etc/passwd",
        "host/v1",
        "",
        "http://",
        "http://user:hunter2@host/v1",
        "http://hunter2@host/v1",
        "http://@host/v1",
        "http://host/v1?key=hunter2",
        "http://host/v1#hunter2",
        "http://host:port/v1",
        "http://[::1/v1",
    ],
)
def test_unusable_addresses(url: str) -> None:
    with pytest.raises(SettingError, match="--base-url") as raised:
        resolve("openai-compatible/m", url)
    assert "hunter2" not in str(raised.value)


@pytest.mark.parametrize("model", ["gpt-4o", "openai/", ""])
def test_a_model_has_a_provider(model: str) -> None:
    with pytest.raises(SettingError, match=r"\$\.model.*PROVIDER/MODEL"):
        resolve(model, where="$.model")


def test_an_unknown_provider() -> None:
    with pytest.raises(SettingError, match="did you mean 'openai'"):
        resolve("opnai/gpt-4o")


def test_the_user_s_own_providers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    text = f'[providers.lab]\nbase_url = "{URL}"\n[providers.paid]\nbase_url = "{URL}"\n'
    configure(monkeypatch, tmp_path, text + 'key_env = "LAB_KEY"\n')
    assert resolve("lab/m").key is None
    with pytest.raises(SettingError, match="LAB_KEY"):
        resolve("paid/m")
    monkeypatch.setenv("LAB_KEY", SECRET)
    assert resolve("paid/m").name == "paid/m"


def test_the_file_s_usual_place(tmp_path: Path) -> None:
    path = config_path()
    assert tmp_path in path.parents
    path.parent.mkdir(parents=True)
    path.write_text(f'[providers.lab]\nbase_url = "{URL}"', encoding="utf-8")
    assert resolve("lab/m").base_url == URL


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("providers = 3", "tables"),
        ("[providers", "valid TOML"),
        ("[providers.lab]", "base_url"),
        ("[providers]\nlab = 3", "base_url"),
        ('[providers.lab]\nbase_url = "http://a:hunter2@h/v1"', "without user name"),
        ("[providers.lab]\nbase_url = 3", "an address"),
        ('[providers.lab]\nbase_url = "http://h/v1"\nkey = "hunter2"', "key_env"),
        (
            '[providers.lab]\nbase_url = "http://h/v1"\nkey_env = ["hunter2"]',
            "environment variable",
        ),
        ('[providers.openai]\nbase_url = "http://h/v1"', "a name of its own"),
        ('[providers.gemini]\nbase_url = "http://h/v1"', "a name of its own"),
        ('[providers.local]\nbase_url = "http://h/v1"', "a name of its own"),
    ],
)
def test_a_damaged_file(
    text: str, sentence: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    configure(monkeypatch, tmp_path, text)
    with pytest.raises(SettingError, match=sentence) as raised:
        resolve("lab/m")
    assert "hunter2" not in str(raised.value)


def test_a_file_that_is_not_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SOCIALCIRCUITS_CONFIG", str(tmp_path / "none.toml"))
    with pytest.raises(SettingError, match="a file that exists"):
        resolve("lab/m")
