"""Questions about open points: the situation, what is done, and the ways on to choose from."""

from __future__ import annotations

from ...checker.questions.results import AskedPosition
from ...model.lowering.compile import Compiled
from ..blocks.boards import board_of
from ..blocks.paper import Paper, draw


def question_lines(asked: AskedPosition, compiled: Compiled, paper: Paper) -> list[str]:
    """Write a question; the ways on are numbered from 1."""
    out = list[str]()
    for point, asks in asked.points.items():
        out += paper.wrap(f"{asks}? [{point}]", "  ", "  ")
    drawn = draw(board_of(asked.position, compiled), paper, indent="    ")
    out += ["  The situation", *(line.text for line in drawn)]
    out += [*paper.wrap(f"Then: {asked.move}", "  "), "  What is so after that?"]
    for number, way in enumerate(asked.continuations, 1):
        said = f"{way.text}{' (as it is ruled now)' if way.adopted else ''}"
        out += paper.wrap(said, f"    {number}  ")
    return out
