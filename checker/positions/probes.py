"""Trying a test position on another machine: of another reading, without a clause, of a mutant."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...model.machine.state import Move, State
from ...model.plays.board import values_by_name
from ...model.plays.documents import DocumentError, settings_json
from ...model.plays.moves import NoSuchMove, move_from, node_of
from ...model.plays.wording import plain_name
from ...model.run.evaluate import OutOfRangeError
from ...model.run.interp import EndlessRules, IllegalMove, UncoveredRules
from ..bench.workbench import Instance
from ..search.labels import Label, Labels, same_arrays
from .replays import check_position


def tells_apart(document: Mapping[str, Any], other: Instance) -> bool:
    """Return whether a position, by what can be observed, does not hold for another machine.

    Which clauses are cited is not looked at, nor what the engine keeps for itself, nor the way to
    the position.
    """
    bare = {key: value for key, value in document.items()
            if key not in ("reached_by", "perft", "illegal_moves", "state_sha256", "views")}
    bare |= {"spec_sha256": other.game.spec_sha256, "settings": settings_json(other.compiled)}
    bare["expect"] = {key: value for key, value in document["expect"].items()
                      if key not in ("cites", "under", "node", "state_sha256")}
    try:
        if check_position(bare, lambda _: other.compiled):
            return True
    except DocumentError as error:
        if not str(error).startswith(("`state`", "`node`")):
            return True
    except (EndlessRules, UncoveredRules):
        return True
    return False


NOT_TO_BE_MADE = (NoSuchMove, IllegalMove, EndlessRules, UncoveredRules, OutOfRangeError)
"""What is raised of a move of another machine that cannot be made, or comes to no rest."""


def follow(
    document: Mapping[str, Any], instance: Instance
) -> tuple[tuple[Move, ...], State] | None:
    """Make the moves to a position, by their names, in a game; None if they do not lead there.

    In the state that comes with them all that is declared is as the document says.
    """
    machine, judge = instance.compiled.machine, instance.interpreter
    made: list[Move] = []
    try:
        state = judge.start().state
        for step in document["reached_by"]["steps"]:
            made.append(move_from(machine, state, step))
            state = judge.step(state, made[-1]).state
    except NOT_TO_BE_MADE:
        return None
    shown = values_by_name(machine, state)
    if any(shown[a.name] != document["state"].get(a.name) for a in machine.declared):
        return None
    return tuple(made), state


def reaches(document: Mapping[str, Any], other: Instance) -> bool:
    """Return whether the play to a position leads to it in another machine too."""
    there = follow(document, other)
    return there is not None and (
        plain_name(node_of(other.compiled.machine, there[1]).name) == plain_name(document["node"]))


def differ(
    mine: Labels, theirs: Labels, s: bytes, t: bytes, *, comparable: bool
) -> bool:
    """Return whether two states differ in what is declared, or in what may be done."""
    if comparable and mine.declared(s) != theirs.declared(t):
        return True
    return mine.legal(s).keys() != theirs.legal(t).keys()


def before_parting(
    first: Instance, second: Instance, play: tuple[Label, ...]
) -> tuple[tuple[Move, ...], Move | None]:
    """Cut a play just before two machines part on it: the moves to there, and the next one."""
    other = second.member or second.program
    mine, theirs = Labels(first.program), Labels(other)
    comparable = same_arrays(mine.machine, theirs.machine)
    s, t = first.program.start()[0], other.start()[0]
    path: list[Move] = []
    for label in play:
        move, reply = mine.legal(s)[label], theirs.legal(t)[label]
        here = Move(move[0], move[1])
        if move[2] is None or reply[2] is None:
            return tuple(path), here
        if differ(mine, theirs, move[2], reply[2], comparable=comparable):
            return tuple(path), here
        path.append(here)
        s, t = move[2], reply[2]
    legal = list(mine.legal(s).values())
    return tuple(path), Move(legal[0][0], legal[0][1]) if legal else None
