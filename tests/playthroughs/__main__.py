"""Make the golden playthroughs anew: python -m tests.playthroughs"""

from __future__ import annotations

from tests.playthroughs.trace import FOLDER, write_all

for path in write_all():
    print(path.relative_to(FOLDER.parents[1]))
