from __future__ import annotations

import json
import re
from itertools import combinations, product
from typing import Any

import pytest
from jinja2 import UndefinedError, meta
from jinja2.exceptions import SecurityError

from socialcircuits.errors import SettingError, UsageError
from socialcircuits.graph import ADVERSARIES
from socialcircuits.prompts import (
    RELEASED,
    SECTIONS,
    WORDINGS,
    Place,
    Prompt,
    check,
    demand,
    find,
    library,
)
from socialcircuits.prompts.library import SCOPE, environment, read
from socialcircuits.prompts.lock import LOCK, renewed
from socialcircuits.prompts.lock import lines as lock_of

PLACE = Place("flags", "pairwise", "observer", "message", "image", "reasoned")
HEARD = "memory reports own-reports planted board reflections plan chat verification".split()
HEARD += "history check warnings".split()
OTHERS = ["judge", "pack", "peer", "said", "warning"]
PLACES = [
    Place("flags", protocol, role, purpose, view, form, wording)
    for protocol, role, purpose, view, form, wording in product(
        ("", "pairwise", "broadcast", "manager"),
        ("observer", "manager"),
        ("guess", "message", "probe", "report", "decision"),
        ("image", "text", "blind"),
        ("label", "reasoned"),
        [chosen for size in range(4) for chosen in combinations(RELEASED["broadcast"], size)],
    )
]
HONEST = ["observer", "blind"]
DECEIVERS = ["deceiver", "coordinated"]
STAGES = [
    ("chat", "before"), ("chat", "during"), ("plan", ""), ("message", "first"), ("message", ""),
    ("reflection", ""), ("decision", "alone"), ("decision", "claim"), ("vote", ""), ("report", ""),
]  # fmt: skip
PLACES += [
    Place(world, "deliberation", role, purpose, view, form, (), variant)
    for world, role, (purpose, variant), view, form in product(
        ("flags", "questions", "claims"),
        (*HONEST, *DECEIVERS),
        STAGES,
        ("image", "text", "blind"),
        ("label", "reasoned"),
    )
]
TALK = [("message", ""), ("probe", ""), ("probe", "own"), ("probe", "anonymous"),
        ("decision", "check")]  # fmt: skip
DEFENCES = [(), ("early-correction",), ("untrusted",), ("early-correction", "untrusted")]
PLACES += [
    Place(world, "chatroom", role, purpose, view, form, wording, variant)
    for world, role, (purpose, variant), view, form, wording in product(
        ("flags", "questions", "claims"),
        (*HONEST, "sybil"),
        TALK,
        ("image", "text", "blind"),
        ("label", "reasoned"),
        DEFENCES,
    )
]
PLACES += [
    Place("flags", protocol, role, purpose, view, "reasoned")
    for protocol, role, purpose, view in product(
        ("", "pairwise", "broadcast", "manager"),
        DECEIVERS,
        ("guess", "message", "probe", "report", "decision"),
        ("image", "text"),
    )
]


def written(body: str, **front: object) -> Prompt:
    """A prompt file made up for a test."""
    head: dict[str, Any] = {
        "id": "a/b",
        "version": 1,
        "section": "a",
        "variables": [],
        "source": "x",
        **front,
    }
    scope = head.pop("for", {})
    front_matter = "".join(f"{key} = {json.dumps(value)}\n" for key, value in head.items())
    front_matter += "".join(f"for.{key} = {json.dumps(value)}\n" for key, value in scope.items())
    return read("a/b", f"+++\n{front_matter}+++\n{body}\n")


@pytest.mark.parametrize("prompt", library(), ids=lambda prompt: prompt.id)
def test_a_prompt_file_says_what_it_is(prompt: Prompt) -> None:
    assert prompt.section in [*SECTIONS, *HEARD, *OTHERS]
    assert prompt.id.startswith(f"{prompt.section}/")
    assert "words are ours" in prompt.source
    used = meta.find_undeclared_variables(environment().parse(prompt.body))
    assert used == set(prompt.variables)
    assert not prompt.keys or prompt.section in ["question", *HEARD]
    assert prompt.keys or prompt.section != "question"
    assert not prompt.open or "answer" in prompt.keys


@pytest.mark.parametrize("section", [*SECTIONS, *HEARD])
def test_no_two_files_fit_one_place_equally_well(section: str) -> None:
    found = 0
    for place in PLACES:
        best = find(section, place)
        if best is None:
            continue
        found += 1
        equals = [
            prompt.id
            for prompt in library()
            if prompt.section == section
            and prompt.fits(place)
            and set(prompt.scope) == set(best.scope)
        ]
        assert equals == [best.id]
    assert found


@pytest.mark.parametrize("view", ["image", "text", "blind"])
@pytest.mark.parametrize("form", ["label", "reasoned"])
def test_a_schema_line_asks_for_the_keys_it_declares(view: str, form: str) -> None:
    prompt = demand("question", PLACE._replace(view=view, form=form))
    asked = re.findall(r'"(\w+)": ', prompt.render({}))
    assert asked == list(prompt.keys.values())
    expected = ["restated"] * (view == "text") + ["answer"] + ["reason"] * (form == "reasoned")
    assert list(prompt.keys) == expected


def test_the_more_specific_file_wins() -> None:
    general = demand("task", PLACE)
    report = demand("task", PLACE._replace(protocol="broadcast", purpose="report"))
    assert set(general.scope) < set(report.scope)
    assert general.id != report.id
    assert demand("task", PLACE._replace(protocol="broadcast", purpose="probe")) is general


def test_a_list_fits_each_of_its_values_and_no_other() -> None:
    prompt = written("Hi.", **{"for": {"role": ["observer", "blind"], "wording": ["no-list"]}})
    place = PLACE._replace(wording=("identity", "no-list"))
    assert prompt.fits(place)
    assert prompt.fits(place._replace(role="blind"))
    assert not prompt.fits(place._replace(role="deceiver"))
    assert not prompt.fits(place._replace(wording=("identity",)))


def test_what_the_protocol_says_goes_before_what_the_world_says() -> None:
    place = PLACE._replace(protocol="deliberation", variant="first")
    for section, found in (
        ("role", "role/deliberation-honest"),
        ("task", "task/deliberation-first"),
    ):
        assert demand(section, place).id == found
    assert demand("role", PLACE).id == "role/flags-observer"


def test_every_adversary_is_one_of_these() -> None:
    assert list(ADVERSARIES) == [*DECEIVERS, "sybil"]


@pytest.mark.parametrize("role", DECEIVERS)
def test_every_stage_of_a_deceiver_has_its_secret(role: str) -> None:
    for world, (purpose, variant) in product(("flags", "questions", "claims"), STAGES):
        place = Place(world, "deliberation", role, purpose, "text", "reasoned", (), variant)
        check(place, None)
        assert "truth" in demand("secret", place).variables
    assert find("secret", place._replace(role="observer")) is None


@pytest.mark.parametrize("world", ["claims", "questions", "flags"])
def test_a_sybil_has_its_secret_and_no_other_role_of_a_chatroom_has_one(world: str) -> None:
    place = Place(world, "chatroom", "sybil", "message", "text", "reasoned")
    check(place, None)
    assert demand("secret", place).variables == ("lure",)
    for role in HONEST:
        assert find("secret", place._replace(role=role)) is None


@pytest.mark.parametrize("world", ["claims", "questions", "flags"])
@pytest.mark.parametrize("view", ["image", "text", "blind"])
def test_every_step_of_a_chatroom_has_its_prompt(world: str, view: str) -> None:
    for role, (purpose, variant) in product(HONEST, TALK):
        check(Place(world, "chatroom", role, purpose, view, "reasoned", (), variant), None)
    # A study is checked, before its steps are known, with a purpose that a chatroom does not have.
    for role in ("observer", "sybil"):
        check(Place(world, "chatroom", role, "report", view, "reasoned"), None)


def test_an_adversary_without_a_secret_is_refused() -> None:
    place = Place("flags", "pairwise", "deceiver", "message", "image", "reasoned")
    check(place, None)
    with pytest.raises(SettingError, match=r"protocol: 'pairwise' .*\(chatroom, deliberation\)"):
        check(place._replace(world="questions"), None)
    check(place._replace(role="sybil"), None)
    with pytest.raises(SettingError, match=r"protocol: 'two-way'"):
        check(place._replace(world="questions", protocol="two-way", role="sybil"), None)


def test_both_files_that_tell_of_fellows_say_the_same() -> None:
    place = Place("questions", "deliberation", "coordinated", "plan", "text", "reasoned")
    first = place._replace(purpose="message", variant="first")
    assert demand("secret", place).id != demand("secret", first).id
    assert demand("secret", place).body == demand("secret", first).body


def test_a_departure_changes_its_own_sections_only() -> None:
    changed = {
        wording: {
            section
            for section in SECTIONS
            if find(section, PLACE) is not find(section, PLACE._replace(wording=(wording,)))
        }
        for wording in WORDINGS
    }
    # The number stands in the line on uptake itself, which is one file with and without it.
    expected = {"identity": {"persona"}, "no-list": {"choice", "answers"}, "uptake-number": set()}
    assert changed == {**expected, "early-correction": set(), "untrusted": set()}


def test_the_departures_of_a_chatroom_change_its_own_sections_only() -> None:
    place = Place("claims", "chatroom", "observer", "message", "text", "reasoned")
    for name in ("early-correction", "untrusted"):
        defended = place._replace(wording=(name,))
        changed = {s for s in [*SECTIONS, *HEARD] if find(s, place) is not find(s, defended)}
        assert changed == ({"history"} if name == "untrusted" else set())
        attacking = place._replace(role="sybil")
        for section in [*SECTIONS, *HEARD]:
            assert find(section, attacking) is find(section, attacking._replace(wording=(name,)))
    task = demand("task", place)
    plain, urged = (task.render({"corrects": corrects}) for corrects in (False, True))
    assert urged.startswith(plain)
    assert "say so openly and at once" in urged.removeprefix(plain)


@pytest.mark.parametrize("protocol", ["pairwise", "broadcast"])
def test_the_bands_of_uptake_have_inclusive_upper_edges(protocol: str) -> None:
    prompt = demand("uptake", PLACE._replace(protocol=protocol))
    said = [
        prompt.render({"uptake": uptake, "alpha": "", "numbered": False}) for uptake in range(1001)
    ]
    assert [i for i in range(1000) if said[i] != said[i + 1]] == [200, 400, 600, 800]
    assert len(set(said)) == 5


def test_a_world_without_prompts_is_refused_by_name() -> None:
    with pytest.raises(SettingError, match=r"\$.world.kind: 'flag' .* mean 'flags'"):
        check(PLACE._replace(world="flag"), None)


def test_a_protocol_without_a_section_is_refused_by_name() -> None:
    with pytest.raises(SettingError, match=r"'pairwise' is not allowed.*broadcast, manager"):
        demand("reports", PLACE)


def test_a_departure_without_a_name_is_refused() -> None:
    with pytest.raises(SettingError, match="did you mean 'no-list'"):
        check(PLACE._replace(wording=("nolist",)), None)


def test_uptake_is_allowed_where_there_is_a_line_for_it() -> None:
    check(PLACE, 500)
    check(PLACE._replace(protocol="broadcast"), 0)
    with pytest.raises(SettingError, match=r"alpha: 0\.5 is not allowed"):
        check(PLACE._replace(protocol="manager"), 500)


def test_values_are_never_read_as_templates() -> None:
    hostile = "{{ 7 * 7 }}{% raw %}"
    assert written("So: {{ x }}", variables=["x"]).render({"x": hostile}) == f"So: {hostile}"


def test_a_variable_that_is_not_declared_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        written("So: {{ x }}").render({"x": "y"})


def test_templates_are_sandboxed() -> None:
    with pytest.raises(SecurityError):
        written("{{ x.__class__.__mro__ }}", variables=["x"]).render({"x": ""})


@pytest.mark.parametrize(
    "front", [{"id": "a/c"}, {"version": 0}, {"colour": "red"}], ids=["id", "version", "key"]
)
def test_a_file_that_is_not_of_the_form_is_refused(front: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="a/b"):
        written("Hi.", **front)


def test_a_scope_that_no_place_has_is_refused() -> None:
    head = 'id = "a/b"\nversion = 1\nsection = "a"\nvariables = []\nsource = "x"\n'
    with pytest.raises(ValueError, match="where"):
        read("a/b", f'+++\n{head}for = {{ where = "here" }}\n+++\nHi.\n')


@pytest.mark.parametrize("text", ["Hi.\n", "+++\nid = 1\n+++\n \n", "x+++\n+++\nHi.\n"])
def test_a_file_without_front_matter_or_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no front matter"):
        read("a/b", text)


def test_scope_names_are_fields_of_a_place() -> None:
    assert set(SCOPE) == set(Place._fields)


def test_every_prompt_is_locked() -> None:
    assert LOCK.read_text(encoding="utf-8") == lock_of(library())


def test_an_edited_prompt_needs_a_new_version() -> None:
    first, edited = written("Hello."), written("Hello!")
    with pytest.raises(UsageError, match="higher version: a/b"):
        renewed(lock_of([first]), [edited])
    raised = written("Hello!", version=2)
    assert renewed(lock_of([first]), [raised]) == f"a/b 2 {raised.sha256}\n"
    with pytest.raises(UsageError):
        renewed(lock_of([raised]), [first])


def test_new_and_removed_prompts_need_nothing() -> None:
    assert renewed("gone/x 3 00\n", [written("Hello.")]).startswith("a/b 1 ")
