"""Names of tests that are no measure."""

from __future__ import annotations

from socialcircuits.analyses.deliberation import KEPT
from socialcircuits.measures import CATALOGUE
from socialcircuits.measures.tested import TESTS


def test_a_name_means_one_thing() -> None:
    assert not TESTS.keys() & {measure.name for measure in CATALOGUE}
    assert len(set(TESTS.values())) == len(TESTS)


def test_contrasts_of_verification_have_a_name_each() -> None:
    names = {name for name in TESTS if name.startswith("verification_")}
    assert names == {f"verification_{name}" for name in KEPT}
