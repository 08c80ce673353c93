"""Screening of claims: a model answers each of them alone, again and again, in stages; kept are
those whose true answer it usually gives and whose false one it does not (believed but not said,
appendix C)."""

from socialcircuits.studies.screening.running import Passage, Screened, save, screen
from socialcircuits.studies.screening.settings import Screening, Stage, Stages, read_stages

__all__ = ["Passage", "Screened", "Screening", "Stage", "Stages", "read_stages", "save", "screen"]
