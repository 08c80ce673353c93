"""What is deployed: the user's system prompt, parameters and address, and what of them is known."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from socialcircuits.agents import Access, BackEnd
from socialcircuits.agents.deployment import (
    LARGEST,
    SHOWN,
    SystemPrompt,
    deployed,
    json_object,
    read_system,
    subject,
    system_id,
    system_of,
)
from socialcircuits.agents.prompted import Manner, Prompted
from socialcircuits.errors import SettingError
from socialcircuits.graph import Observation
from socialcircuits.models import Capabilities, ScriptedModel
from socialcircuits.models.interface import Completion
from socialcircuits.models.openai_request import OWN, body
from socialcircuits.studies import run
from tests.playthroughs.rendered import MODEL, never, observation
from tests.support.clock import run as run_virtually
from tests.support.voices import AGENT, JUDGE, Voices, questions

TEXT = "You are the support agent of Example Ltd.\n\nBe brief."
SYSTEM = SystemPrompt(Path("support.txt"), TEXT)
ABLE = {"schema": True, "seed": True, "images": True}
NAME = "openai-compatible/player?sees=text"
OWN_NAME = f"{NAME}&system={SYSTEM.id}"


def mind(text: str = TEXT, **manner: Any) -> Prompted:
    system = system_id(text) if text else ""
    found = Prompted(MODEL, never, Manner("text", system=system, **manner))
    found.allow(ABLE, text)
    return found


def sent(prompted: Prompted, seen: Observation) -> dict[str, Any]:
    request = prompted.request(seen, bytes(16))
    found = json.loads(body("m", request, {"max_tokens": 8}))
    assert isinstance(found, dict)
    return found


SEEN = observation("pairwise", "observer", "message")


# The text


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"Be brief.", "Be brief."),
        (b"\xef\xbb\xbfBe brief.\r\n\n", "Be brief."),
        (b"  Be \r\n{{ brief }}  \n", "  Be \r\n{{ brief }}  "),
        ("Sei höflich. 短く".encode(), "Sei höflich. 短く"),
        (b"x" * LARGEST, "x" * LARGEST),
    ],
)
def test_a_file_is_taken_as_it_is(data: bytes, text: str, tmp_path: Path) -> None:
    path = tmp_path / "support.txt"
    path.write_bytes(data)
    assert read_system(path) == (path, text)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (None, "a file that can be read (No such file or directory)"),
        (b"x" * (LARGEST + 1), "a file of at most 262,144 bytes"),
        (b"Be \xe9brief", "UTF-8 (byte 4 is not)"),
        (b"\xff\xfeB\0", "UTF-8 (byte 1 is not)"),
        (b"Be\0brief", "a text without NUL (character 3)"),
        (b" \n\n", "a text that says something"),
    ],
)
def test_a_file_that_cannot_be_used_is_one_clear_error(
    data: bytes | None, sentence: str, tmp_path: Path
) -> None:
    path = tmp_path / "support.txt"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(SettingError) as refused:
        read_system(path)
    assert str(refused.value) == f"--system: {str(path)!r} is not allowed; expected {sentence}"


def test_a_folder_is_no_text(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="can be read"):
        read_system(tmp_path)


# The prompt


@pytest.mark.parametrize("protocol", ["guess", "pairwise", "broadcast", "manager"])
def test_it_stands_first_and_a_blank_line_after_it(protocol: str) -> None:
    purpose = {"guess": "guess", "pairwise": "message"}.get(protocol, "decision")
    role = "manager" if protocol == "manager" else "observer"
    seen = observation(protocol, role, purpose)
    plain, own = sent(mind(""), seen)["messages"], sent(mind(), seen)["messages"]
    assert own[0]["role"] == plain[0]["role"] == "system"
    assert own[0]["content"] == f"{TEXT}\n\n{plain[0]['content']}"
    assert plain[0]["content"][0] not in "\n "
    assert own[1:] == plain[1:]


def test_one_character_makes_another_mind_and_another_prompt() -> None:
    minds = [mind(""), mind(TEXT), mind(TEXT + " "), mind(TEXT.replace("B", "b"))]
    assert len({one.id for one in minds}) == len({one.digest(SEEN) for one in minds}) == 4
    assert mind(TEXT).id == mind(TEXT).id
    assert mind(TEXT).id.endswith(f",system={SYSTEM.id})")
    assert "Example" not in mind(TEXT).id


def test_a_prompt_that_was_seen_before_the_text_came_is_made_again() -> None:
    prompted = Prompted(MODEL, never, Manner("text", system=SYSTEM.id))
    before = prompted.digest(SEEN)
    prompted.allow(ABLE, TEXT)
    assert prompted.segments(SEEN)[0].data == f"{TEXT}\n\n".encode()
    assert prompted.digest(SEEN) != before


# Parameters


def test_parameters_enter_id_and_request() -> None:
    extra = json_object('{"top_k": 40, "stop": ["."]}')
    own = mind("", reasoning_effort="low", extra=extra)
    usual = "sees=text,temperature=usual,top_p=usual"
    assert own.id == (
        f'example/model-one({usual},reasoning_effort=low,extra={{"stop":["."],"top_k":40}})'
    )
    further = {"stop": ["."], "top_k": 40, "reasoning_effort": "low"}
    assert own.request(SEEN, bytes(16)).extra == further
    assert not mind("").request(SEEN, bytes(16)).extra


def test_they_go_with_the_question_for_odds_too() -> None:
    seen = observation("pairwise", "observer", "probe")._replace(odds=True)
    prompted = mind(extra='{"top_k":1}')
    assert prompted.request(seen, bytes(16)).extra == {"top_k": 1}
    assert prompted.request(seen, bytes(16)).segments[0].data.startswith(TEXT.encode())


@pytest.mark.parametrize("name", sorted({*OWN, "reasoning_effort"}))
def test_what_the_run_sets_cannot_be_set_beside_it(name: str) -> None:
    with pytest.raises(SettingError, match=f"^extra: '{name}' is not allowed; expected other"):
        Manner("text", extra=json_object(json.dumps({name: 1, "top_k": 1})))


@pytest.mark.parametrize(
    "text",
    ["", "[1]", "1", "{", "{'a': 1}", '{"a": NaN}', '{"a": "\\ud800"}', '{"a":' * 100_000],
)
def test_what_is_no_json_object_is_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - whatever json says of it
        json_object(text)
    back = BackEnd.unreached([f"{NAME}&extra={text}"])
    with pytest.raises(SettingError, match=r"^\$\.models\.A\?extra: .*expected a JSON object"):
        back.mind(f"{NAME}&extra={text}", "$.models.A", {})


@pytest.mark.parametrize(
    ("option", "where", "sentence"),
    [
        ("system=support.txt", "system", "the digest of a text; give its file by --system FILE"),
        ("system=abc", "system", "the digest of a text"),
        ("reasoning_effort=very low", "reasoning_effort", "a word such as low"),
        ("reasoning=low", "$.models.A", "did you mean 'reasoning_effort'"),
    ],
)
def test_an_option_that_cannot_be_used_is_one_clear_error(
    option: str, where: str, sentence: str
) -> None:
    model = f"{NAME}&{option}"
    with pytest.raises(SettingError) as refused:
        BackEnd.unreached([model]).mind(model, "$.models.A", {})
    assert str(refused.value).startswith(f"{where}: ")
    assert sentence in str(refused.value)


def test_the_order_in_which_parameters_are_typed_does_not_count() -> None:
    names = [
        f'{NAME}&extra={{"a":{{"x":1,"y":2}},"b":1}}',
        f'{NAME}&extra={{"b": 1, "a": {{"y":2,"x":1}}}}',
    ]
    back = BackEnd.unreached(names)
    one, other = (back.mind(name, "$", {}) for name in names)
    assert one.id == other.id
    assert one.digest(SEEN) == other.digest(SEEN)


# Models and their texts


def test_the_digest_and_not_the_path_is_an_option_of_the_model() -> None:
    elsewhere = SystemPrompt(Path("/elsewhere/other.md"), TEXT)
    models = {"A": NAME, "B": "openai/gpt-4o", "C": "simulated/literal"}
    found = deployed(models, {"A": SYSTEM, "B": SYSTEM})
    assert found == deployed(models, {"A": elsewhere, "B": elsewhere}) != models
    assert found["A"] == OWN_NAME
    assert found["B"] == f"openai/gpt-4o?system={SYSTEM.id}"
    assert found["C"] == models["C"]
    assert deployed(found, {"A": elsewhere}) == found
    assert {system_of(model) for model in found.values()} == {SYSTEM.id, ""}


@pytest.mark.parametrize(
    ("models", "sentence"),
    [
        ({"A": "simulated/deaf?social=1"}, "A is simulated/deaf?social=1, a simulated agent"),
        ({"B": NAME}, "a model: B"),
        ({"A": f"{NAME}&system={system_id('another')}"}, system_id("another")),
    ],
)
def test_a_model_that_has_no_use_for_it_is_refused(models: dict[str, str], sentence: str) -> None:
    with pytest.raises(SettingError) as refused:
        Access(systems={"A": SYSTEM}).deployed(models)
    assert str(refused.value).startswith("--system: ")
    assert sentence in str(refused.value)


def test_a_text_that_no_model_of_the_study_has_is_refused() -> None:
    access = Access(systems={"A": SYSTEM})
    access.check([OWN_NAME, "rules"])
    with pytest.raises(
        SettingError, match=r"'support.txt' is not allowed; expected no such option"
    ):
        access.check([NAME, "rules"])
    other = system_id("another")
    with pytest.raises(
        SettingError, match=f"expected the text with the digest {other}, .*{SYSTEM.id}"
    ):
        access.check([f"{NAME}&system={other}"])


def test_what_a_later_process_must_repeat_is_said_as_a_shell_has_it() -> None:
    spaced = SystemPrompt(Path("my prompts/support.txt"), TEXT)
    access = Access("http://127.0.0.1:1/v1", systems={"A": spaced})
    assert access.again() == (
        " --base-url http://127.0.0.1:1/v1 --system 'A=my prompts/support.txt'"
    )


def scripted(self: BackEnd, name: str, where: str) -> ScriptedModel:
    return ScriptedModel(name, lambda request: Completion("{}"), Capabilities(schema=True))


def test_the_text_is_remembered_with_what_the_model_can_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(BackEnd, "_model", scripted)
    first = BackEnd(Access(systems={"A": SYSTEM}))
    digest = first.mind(OWN_NAME, "$", {})
    known = asyncio.run(first.ready(None))
    assert known[OWN_NAME]["system"] == TEXT
    later, replayed = BackEnd(), BackEnd(recorded=known)
    resumed = later.mind(OWN_NAME, "$", {})
    assert asyncio.run(later.ready(known)) == known
    wanted = digest.digest(SEEN)
    assert resumed.digest(SEEN) == wanted
    assert replayed.mind(OWN_NAME, "$", {}).digest(SEEN) == wanted


@pytest.mark.parametrize("held", [None, {OWN_NAME: {"system": "Another text."}}])
def test_without_the_text_nobody_is_asked(
    held: dict[str, Any] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BackEnd, "_model", scripted)
    back = BackEnd()
    back.mind(OWN_NAME, "$", {})
    with pytest.raises(SettingError, match=f"--system: .*digest {SYSTEM.id}, the system prompt of"):
        asyncio.run(back.ready(held))


def test_what_nobody_is_asked_is_as_long_as_what_will_be() -> None:
    plain, own = (
        BackEnd.unreached([OWN_NAME], access).mind(OWN_NAME, "$", {}).segments(SEEN)
        for access in (None, Access(systems={"A": SYSTEM}))
    )
    more = sum(len(part.data) for part in own) - sum(len(part.data) for part in plain)
    assert more == len(TEXT) + 2


def test_a_judge_is_told_nothing_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asyncio, "run", run_virtually)
    voices = Voices(monkeypatch)
    settings = {
        "file": str(questions(tmp_path)),
        "N": 4,
        "deceivers": 1,
        "rounds": 1,
        "strata": False,
    }
    run(
        "deliberation/timing",
        model={"A": f"{AGENT}&system={SYSTEM.id}"},
        judge=JUDGE,
        seeds=1,
        settings=settings,
        access=Access(systems={"A": SYSTEM}),
        out=tmp_path / "a.db",
    ).close()
    agents = voices.of(AGENT.partition("?")[0])
    assert agents
    assert all(asked.text.startswith(f"{TEXT}\n\n") for asked in agents)
    assert voices.of(JUDGE)
    assert not any("Example Ltd" in asked.text for asked in voices.of(JUDGE))


# What was typed


@pytest.mark.parametrize(
    ("text", "model", "url"),
    [
        ("openai/gpt-4o?temperature=1", "openai/gpt-4o?temperature=1", None),
        ("simulated/deaf", "simulated/deaf", None),
        ("local/smollm2-135m", "local/smollm2-135m", None),
        ("http://127.0.0.1:8080#m", "openai-compatible/m", "http://127.0.0.1:8080/v1"),
        ("HTTPS://h/api/v1/#org/m", "openai-compatible/org/m", "HTTPS://h/api/v1"),
        ("http://h/#m?sees=text", "openai-compatible/m?sees=text", "http://h/v1"),
        (
            "http://h#m?extra={%22u%22:%22http://x%22}",
            "openai-compatible/m?extra={%22u%22:%22http://x%22}",
            "http://h/v1",
        ),
    ],
)
def test_a_model_is_itself_and_an_address_with_a_name_needs_nobody(
    text: str, model: str, url: str | None
) -> None:
    assert subject(text) == (model, url)


def test_an_address_given_beside_a_model_stays() -> None:
    given = "http://127.0.0.1:8080/v1"
    assert subject("openai-compatible/m", given) == ("openai-compatible/m", given)
    with pytest.raises(SettingError, match=r"^--base-url: .*no second address: SUBJECT is one"):
        subject("http://127.0.0.1:8081#m", given)


@pytest.mark.parametrize("text", ["http://", "http://u:p@h/v1#m", "http://h:port#m"])
def test_an_address_that_cannot_be_used_is_refused(text: str) -> None:
    with pytest.raises(SettingError, match=r"^--subject: .*expected an address such as") as refused:
        subject(text, where="--subject")
    assert "u:p" not in str(refused.value)


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        (["one", "two"], "URL#NAME; the server's models: one, two"),
        ([], "URL#NAME; the server's models: none"),
        ([f"m{i}" for i in range(SHOWN + 2)], "m9 and 2 more"),
    ],
)
def test_the_one_model_of_a_server_is_found(
    names: list[str], sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = "socialcircuits.models.served.served"
    monkeypatch.setattr(served, lambda url, key_env: [f"{url}|{key_env}"])
    model, _ = subject("http://h?sees=text", key_env="LAB_KEY")
    assert model == "openai-compatible/http://h/v1|LAB_KEY?sees=text"
    monkeypatch.setattr(served, lambda url, key_env: names)
    with pytest.raises(SettingError) as refused:
        subject("http://h")
    assert str(refused.value).startswith("SUBJECT: 'http://h/v1' is not allowed; expected URL#NAME")
    assert str(refused.value).endswith(sentence)
