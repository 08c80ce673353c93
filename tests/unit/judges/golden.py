"""What a judge is sent by each rubric, as a text that can be read. After a change that is meant,
make the files anew with `python -m tests.unit.judges.golden` and read the difference."""

from __future__ import annotations

from pathlib import Path

from socialcircuits.judges import RUBRICS, prompt_of
from tests.unit.judges.scenes import cases, scene_of

FOLDER = Path(__file__).parent / "prompts"

STEPS = {
    "correctness": "message/2/0",
    "clusters": "vote/0/0",
    "reflection_audit": "reflection/0/1",
    "message_audit": "message/0/0",
    "tactics": "message/2/0",
    "defection_reason": "reflection/0/1",
    "coordination": "chat:before/2/0",
    "stance": "message/1/0",
    "private_answer": "probe/1/1",
}
"""Rubric -> the case that is shown."""


def golden(rubric: str) -> Path:
    return FOLDER / f"{rubric}.txt"


def rendered(rubric: str) -> str:
    """The prompt, a line of dashes at each change of speaker."""
    case = cases(rubric, scene_of(rubric))[STEPS[rubric]]
    out, speaker = [], ""
    for segment in prompt_of(case):
        if segment.role != speaker:
            speaker = segment.role
            out.append(f"\n{f'--- {speaker} ':-<40}\n")
        out.append(segment.data.decode())
    return "".join(out).strip("\n") + "\n"


def write() -> None:
    FOLDER.mkdir(exist_ok=True)
    for rubric in RUBRICS:
        golden(rubric).write_text(rendered(rubric), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write()
