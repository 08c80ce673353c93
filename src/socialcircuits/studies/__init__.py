"""Studies: presets, study files, planning and execution."""

from socialcircuits.studies.costs import costs
from socialcircuits.studies.counting import count, targets_left_out
from socialcircuits.studies.execution import Execution, execute
from socialcircuits.studies.judging import judge
from socialcircuits.studies.planning import Builder, Plan, plan
from socialcircuits.studies.preparing import default_path, prepare
from socialcircuits.studies.reading import presets, read
from socialcircuits.studies.run import Run, run
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
    "judge",
    "plan",
    "prepare",
    "presets",
    "read",
    "run",
    "targets_left_out",
]
