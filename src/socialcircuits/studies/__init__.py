"""Studies: presets, study files, planning and execution."""

from socialcircuits.studies.costs import costs
from socialcircuits.studies.execution import Execution, execute
from socialcircuits.studies.planning import Builder, Plan, count, plan, targets_left_out
from socialcircuits.studies.reading import presets, read
from socialcircuits.studies.run import Run, default_path, prepare, run
from socialcircuits.studies.study import Study

__all__ = [
    "Builder",
    "Execution",
    "Plan",
    "Run",
    "Study",
    "costs",
    "count",
    "default_path",
    "execute",
    "plan",
    "prepare",
    "presets",
    "read",
    "run",
    "targets_left_out",
]
