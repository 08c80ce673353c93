"""The wavefront, one at a time, the plain loop and a replay come to the same record."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from socialcircuits.agents import CHARACTERS, Recorded, load
from socialcircuits.graph import Graph, Observation, Reply, Seat, Settings, Step
from socialcircuits.records import Played
from socialcircuits.records.digests import public_digest, trial_digest
from socialcircuits.seeds import Stream
from socialcircuits.trial import Setup, play, play_waiting
from socialcircuits.trial.loop import unknown
from socialcircuits.trial.stopping import StopTracker
from socialcircuits.trial.wavefront import _Wavefront
from tests.support.clock import run, timed
from tests.support.journals import Notebook
from tests.support.minds import Puppet, Waiting, one_second
from tests.support.trials import (
    PROTOCOLS,
    Gossip,
    draws,
    longest_chain,
    played_by,
    recorded,
    trial,
)


@dataclass(frozen=True)
class Case:
    """One trial to be run in every way."""

    protocol: str
    n: int
    settings: Settings
    invalid: int = 100
    unanimous: bool = False
    seed: int = 1
    retries: int = 2

    def setup(self) -> Setup:
        return trial(
            self.protocol,
            self.n,
            self.settings,
            mind=Gossip(invalid=self.invalid, certain=self.unanimous),
            seed=self.seed,
            retries=self.retries,
            unanimous=self.unanimous,
        )


CASES = st.builds(
    Case,
    protocol=st.sampled_from(PROTOCOLS),
    n=st.integers(2, 9),
    settings=st.builds(
        Settings,
        rounds=st.integers(1, 8),
        memory=st.integers(1, 9),
        stop=st.sampled_from([None, 1, 2, 3, 5]),
    ),
    invalid=st.sampled_from([0, 100, 500]),
    unanimous=st.booleans(),
    seed=st.integers(0, 1000),
    retries=st.integers(0, 2),
)

OFTEN_PERU = st.sampled_from(["Peru"] * 9 + ["Chad", None])

LARGE = [
    Case("pairwise", 128, Settings(rounds=10)),
    Case("pairwise", 128, Settings(rounds=6, stop=3), unanimous=True, invalid=0),
    Case("broadcast", 128, Settings(rounds=3, stop=2)),
    Case("manager", 128, Settings(rounds=8, stop=5), unanimous=True),
]


def waited(setup: Setup, in_flight: int) -> tuple[Played, Waiting, _Wavefront]:
    """Run a trial as a wavefront over minds with scattered latencies."""
    mind = Waiting(setup.minds[0])
    wavefront = _Wavefront(played_by(setup, mind), unknown, None, in_flight)
    played = run(wavefront.run())
    return played, mind, wavefront


def replayed(setup: Setup, original: Played) -> Played:
    """Run a trial again from the replies of another run of it."""
    silent = played_by(setup, Recorded(setup.minds[0]))
    return play(silent, recorded(original.attempts))


def check_all_ways(case: Case, in_flight: int) -> None:
    setup = case.setup()
    plain = play(setup)
    played, mind, wavefront = waited(setup, in_flight)
    assert played == plain
    assert mind.highest <= in_flight
    assert wavefront.state.stop.cut in (None, played.cut)
    assert wavefront.state.stop.horizon == played.cut
    assert played.voided == 0

    single, one, _ = waited(setup, 1)
    assert single == plain
    where = draws(setup)
    order = [where[draw] for draw in one.asked]
    assert order == [(attempt.step, attempt.attempt) for attempt in plain.attempts]

    again = replayed(setup, played)
    assert again == replace(plain, made=0, reused=plain.made)
    assert trial_digest(again.graph, again.attempts) == trial_digest(plain.graph, plain.attempts)


@given(CASES, st.integers(2, 30))
@settings(max_examples=60)
def test_all_ways_come_to_the_same_record(case: Case, in_flight: int) -> None:
    check_all_ways(case, in_flight)


@pytest.mark.parametrize("case", LARGE, ids=lambda case: f"{case.protocol}-{case.settings.stop}")
def test_all_ways_come_to_the_same_record_in_large_groups(case: Case) -> None:
    check_all_ways(case, 200)


def test_the_cases_reach_what_they_are_meant_to_reach() -> None:
    mixed, agreeing = play(LARGE[0].setup()), play(LARGE[1].setup())
    assert mixed.cut == 10
    assert agreeing.cut == 2
    assert 0.05 < mixed.invalid / mixed.made < 0.15


def test_a_wavefront_is_much_faster_than_one_at_a_time() -> None:
    setup = LARGE[0].setup()
    _, together = timed(play_waiting(played_by(setup, Waiting(Gossip(), one_second))))
    _, single = timed(
        play_waiting(played_by(setup, Waiting(Gossip(), one_second)), in_flight=1),
    )
    assert single == 128 + 11 * 128 + 10 * 128
    assert single / together > 80


@pytest.mark.parametrize("seed", range(1, 5))
def test_the_finish_time_is_the_longest_chain(seed: int) -> None:
    setup = trial("pairwise", 128, Settings(rounds=10, memory=8, stop=5), seed=seed)
    mind = Waiting(Gossip(), one_second)
    played, finish = timed(play_waiting(played_by(setup, mind)))
    assert played.cut == 10
    assert finish == longest_chain(setup.graph)


def test_the_longest_chain_of_128_agents() -> None:
    # Single schedules lie between 21 and 32; the typical ones between 23 and 26.
    chains = []
    for seed in range(1, 10):
        setup = trial("pairwise", 128, Settings(rounds=10, memory=8, stop=5), seed=seed)
        purposes = [step.purpose for step in setup.graph.steps]
        assert purposes.count("message") == 1280
        assert purposes.count("probe") == 11 * 128
        mind = Waiting(Gossip(), one_second)
        chains.append(timed(play_waiting(played_by(setup, mind)))[1])
    assert 23 <= statistics.median(chains) <= 26


@pytest.mark.parametrize("protocol", ["broadcast", "manager"])
def test_rounds_of_reports_take_two_latencies_each(protocol: str) -> None:
    setup = trial(protocol, 16, Settings(rounds=10, stop=None))
    _, finish = timed(play_waiting(played_by(setup, Waiting(Gossip(), one_second))))
    assert finish == longest_chain(setup.graph) == 20


def test_there_is_no_barrier_between_rounds() -> None:
    setup = trial("pairwise", 32, Settings(rounds=10, stop=5))
    mind = Waiting(Gossip())
    run(play_waiting(played_by(setup, mind)))
    where, steps = draws(setup), setup.graph.steps
    early = set()
    open_steps = [sum(step.round == r for step in steps) for r in range(11)]
    for event, draw in mind.events:
        step = steps[where[draw][0]]
        if event == "came":
            open_steps[step.round] -= 1
        elif step.purpose == "message" and open_steps[step.round - 1]:
            early.add(step.round)
    assert early == set(range(1, 11))


def said(answer: str | None) -> Reply:
    """A reply that names an answer, or an invalid one."""
    return Reply(answer or "?", answer, valid=answer is not None)


@pytest.mark.parametrize(("protocol", "cut"), [("pairwise", 4), ("broadcast", 5), ("manager", 5)])
@pytest.mark.parametrize("in_flight", [0, 1, 50])
def test_a_unanimous_group_stops_after_five_readouts(
    protocol: str, cut: int, in_flight: int
) -> None:
    setup = trial(protocol, 4, Settings(rounds=10, stop=5))
    puppet = Puppet(setup, lambda step, attempt, seen: said("Peru"))
    played = stopped(setup, puppet, in_flight)
    assert played.cut == cut
    assert played.voided == 0
    readouts = {
        played.graph.steps[a.step].round
        for a in played.attempts
        if played.graph.steps[a.step].purpose == played.graph.readout.purpose
    }
    assert len(readouts) == 5


def stopped(setup: Setup, puppet: Puppet, in_flight: int) -> Played:
    """Run a trial of puppets: in the plain loop, or as a wavefront of scattered latencies."""
    if not in_flight:
        return play(played_by(setup, puppet))
    return run(play_waiting(played_by(setup, Waiting(puppet)), in_flight=in_flight))


@pytest.mark.parametrize(("protocol", "cut"), [("pairwise", 7), ("broadcast", 7), ("manager", 7)])
@pytest.mark.parametrize("broken_by", [None, "Chad"])
@pytest.mark.parametrize("in_flight", [0, 50])
def test_one_invalid_or_other_answer_breaks_unanimity(
    protocol: str, cut: int, broken_by: str | None, in_flight: int
) -> None:
    setup = trial(protocol, 4, Settings(rounds=10, stop=5), retries=1)
    steps, readout = setup.graph.steps, setup.graph.readout

    def script(index: int, attempt: int, seen: Observation) -> Reply:
        step = steps[index]
        spoilt = step.seat == readout.seats[-1] and step.purpose == readout.purpose
        return said(broken_by if spoilt and step.round == 2 else "Peru")

    assert stopped(setup, Puppet(setup, script), in_flight).cut == cut


def test_an_invalid_attempt_that_is_put_right_breaks_nothing() -> None:
    setup = trial("manager", 4, Settings(rounds=10, stop=5), retries=1)
    puppet = Puppet(setup, lambda step, attempt, seen: said("Peru" if attempt else None))
    assert play(played_by(setup, puppet)).cut == 5


def test_isolated_guesses_do_not_count_as_readouts() -> None:
    setup = trial("broadcast", 3, Settings(rounds=3, stop=1))
    steps = setup.graph.steps
    puppet = Puppet(
        setup, lambda i, attempt, seen: said("Chad" if steps[i].purpose == "guess" else "Peru")
    )
    assert play(played_by(setup, puppet)).cut == 1


def naive_cut(graph: Graph, answers: dict[int, str | None]) -> int:
    """The last round that runs, by reading all answers round by round."""
    held: dict[int, set[str | None]] = {}
    for index, answer in answers.items():
        held.setdefault(graph.steps[index].round, set()).add(answer)
    streak, last = 0, None
    for current in sorted(held):
        answer = next(iter(held[current])) if len(held[current]) == 1 else None
        streak = 0 if answer is None else streak + 1 if answer == last else 1
        last = answer
        if streak == graph.stop:
            return current
    return graph.rounds


@given(
    st.sampled_from(PROTOCOLS), st.integers(2, 5), st.integers(1, 9), st.integers(1, 4), st.data()
)
def test_the_horizon_never_passes_the_cut(
    protocol: str, n: int, rounds: int, stop: int, data: st.DataObject
) -> None:
    graph = trial(protocol, n, Settings(rounds=rounds, stop=stop)).graph
    told = [i for i, s in enumerate(graph.steps) if s.purpose == graph.readout.purpose]
    held = data.draw(st.lists(OFTEN_PERU, min_size=len(told), max_size=len(told)))
    answers = dict(zip(told, held, strict=True))
    cut = naive_cut(graph, answers)
    tracker, before = StopTracker(graph), 0
    for index in data.draw(st.permutations(told)):
        assert before <= tracker.horizon <= cut
        before = tracker.horizon
        tracker.settle(index, answers[index])
    assert tracker.horizon == cut
    assert tracker.cut in (None, cut)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_reply_is_committed_before_it_is_read(protocol: str) -> None:
    setup = trial(protocol, 8, Settings(rounds=4, stop=None), mind=Gossip(invalid=100))
    notebook, where = Notebook(), draws(setup)
    checked = []

    def committed(observation: Observation, draw: bytes) -> None:
        standing = {attempt.step: attempt.reply for attempt in notebook.answered}
        read = [entry for heard in observation.heard for entry in heard.entries]
        assert all(standing[entry.step] == entry.reply for entry in read)
        assert where[draw] in {(asked.step, asked.attempt) for asked in notebook.asking}
        checked.extend(read)

    mind = Waiting(setup.minds[0], before=committed)
    played = run(play_waiting(played_by(setup, mind), journal=notebook))
    assert len(checked) > 50
    assert sorted(notebook.answered, key=lambda a: a[:2]) == list(played.attempts)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("in_flight", [1, 5, 100])
def test_a_failed_call_loses_nothing_and_resume_asks_only_what_is_missing(
    protocol: str, in_flight: int
) -> None:
    setup = trial(protocol, 6, Settings(rounds=4, stop=None), mind=Gossip(invalid=100))
    plain, draw_of = play(setup), {place: draw for draw, place in draws(setup).items()}
    middle = plain.attempts[len(plain.attempts) // 2]
    failing = frozenset({draw_of[middle.step, middle.attempt]})
    notebook = Notebook()
    broken = Waiting(setup.minds[0], failing=failing)
    with pytest.raises(ConnectionError, match="the line is dead"):
        run(play_waiting(played_by(setup, broken), journal=notebook, in_flight=in_flight))
    came = {draw for event, draw in broken.events if event == "came"}
    assert came == set(broken.asked)
    assert len(notebook.answered) == len(came) - 1
    assert len(notebook.asking) == len(came)

    mended, kept = Waiting(setup.minds[0]), dict(notebook.replies)
    resumed = run(play_waiting(played_by(setup, mended), kept.get, notebook, in_flight))
    assert set(mended.asked) & came == failing
    assert len(mended.asked) == len(plain.attempts) - len(kept)
    assert resumed.attempts == plain.attempts


def relabelled(setup: Setup, order: list[int]) -> Setup:
    """The same trial with its agents in other seats: old seat `order[i]` becomes seat i."""
    new = {old: i for i, old in enumerate(order)}
    graph = setup.graph
    steps: list[Step] = [
        step._replace(seat=new[step.seat], to=tuple(sorted(new[r] for r in step.to)))
        for step in graph.steps
    ]
    readout = graph.readout._replace(seats=tuple(sorted(new[s] for s in graph.readout.seats)))
    seats: tuple[Seat, ...] = tuple(graph.seats[old] for old in order)
    return replace(
        setup,
        graph=replace(graph, seats=seats, steps=tuple(steps), readout=readout),
        minds=tuple(setup.minds[old] for old in order),
        evidence=tuple(setup.evidence[old] for old in order),
        answers=tuple(setup.answers[old] for old in order),
        briefs=tuple(setup.briefs[old] for old in order),
    )


@given(CASES, st.integers(0, 1000))
@settings(max_examples=40)
def test_relabelling_agents_permutes_the_outcomes_exactly(case: Case, shuffle: int) -> None:
    setup = case.setup()
    kinds = [Gossip(invalid=case.invalid), *(load(f"simulated/{name}") for name in CHARACTERS)]
    minds = tuple(kinds[seat % len(kinds)] for seat in range(len(setup.minds)))
    setup = replace(setup, minds=minds)
    order = Stream(b"order", str(shuffle)).shuffled(range(len(minds)))
    before, after = play(setup), play(relabelled(setup, order))
    assert after.attempts == before.attempts
    for digest_of in (trial_digest, public_digest):
        assert digest_of(after.graph, after.attempts) == digest_of(before.graph, before.attempts)
