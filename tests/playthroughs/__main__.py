"""Make the golden playthroughs and prompts anew: python -m tests.playthroughs"""

from __future__ import annotations

from tests.playthroughs.rendered import write_prompts
from tests.playthroughs.trace import FOLDER, write_all

for path in (*write_all(), *write_prompts()):
    print(path.relative_to(FOLDER.parents[1]))
