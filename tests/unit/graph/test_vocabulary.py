from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from socialcircuits.graph import Brief, Entry, Heard, Observation, Reply, Settings, observers

ODD = st.text(st.characters(exclude_categories=()), max_size=5)
HEARD = st.lists(
    st.builds(
        Heard,
        section=st.sampled_from(["memory", "reports"]),
        entries=st.lists(
            st.builds(
                Entry,
                step=st.just(0),
                own=st.booleans(),
                reply=st.builds(Reply, text=ODD),
                name=st.sampled_from(["", "Colleague 1", "Colleague 2"]),
            ),
            max_size=3,
        ).map(tuple),
    ),
    max_size=2,
).map(tuple)


def observed(heard: tuple[Heard, ...], frame: bytes = b"frame") -> Observation:
    return Observation(frame, "probe", "", Brief(), False, (), None, heard)


def shown(heard: tuple[Heard, ...]) -> list[tuple[str, list[tuple[bool, str, str]]]]:
    return [(part.section, [(e.own, e.reply.text, e.name) for e in part.entries]) for part in heard]


@given(HEARD, HEARD)
def test_the_digest_of_an_observation_is_what_is_shown(
    first: tuple[Heard, ...], second: tuple[Heard, ...]
) -> None:
    same = observed(first).digest() == observed(second).digest()
    assert same == (shown(first) == shown(second))


def test_an_observation_depends_on_its_frame_but_not_on_which_step_said_it() -> None:
    said = Reply("Peru", "Peru")
    here, there = ((Heard("memory", (Entry(step, False, said),), step),) for step in (1, 2))
    assert observed(here).digest() == observed(there).digest()
    assert observed(here).digest() != observed(here, b"other").digest()


@given(ODD, st.one_of(st.none(), ODD), ODD, st.booleans(), ODD)
def test_the_fingerprint_of_a_reply_is_its_content(
    text: str, answer: str | None, reason: str, valid: bool, why: str
) -> None:
    reply = Reply(text, answer, reason, valid, why)
    assert reply.fingerprint == Reply(text, answer, reason, valid, why).fingerprint
    others = [
        Reply(text + "x", answer, reason, valid, why),
        Reply(text, (answer or "") + "x", reason, valid, why),
        Reply(text, None if answer is not None else "", reason, valid, why),
        Reply(text, answer, reason, not valid, why),
        Reply(text, answer, reason, valid, why + "x"),
    ]
    assert len({reply.fingerprint, *(other.fingerprint for other in others)}) == 6


def test_observers_are_named_by_number() -> None:
    assert [(seat.key, seat.role) for seat in observers(3)] == [
        ("0", "observer"),
        ("1", "observer"),
        ("2", "observer"),
    ]


def test_settings_have_the_values_of_the_paper() -> None:
    assert Settings() == Settings(rounds=10, memory=8, stop=5)
