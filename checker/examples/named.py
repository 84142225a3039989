"""Whether the game has what the moves of a worked example name, in whatever situation.

A move that cannot be made where the example makes it contradicts the rules; a card, a player or an
option that no move of the game could name is a slip of the pen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..bench.workbench import Instance
from .move_text import MoveWords, SceneError, arguments, is_named, parts_of, plain, under

ANY = ("pass", "next", "chance", "choose", "cards", "answer")
"""What a move of any game may be called."""
SPOKEN = {"chance": "chance can never be",
          **dict.fromkeys(("choose", "cards", "answer"), "no choice can be")}
"""What is said of a value that nothing in the game could be, by the name of the move."""


def check_moves(instance: Instance, moves: Sequence[object]) -> None:
    """Look at what the moves of an example name.

    Raises:
        SceneError: for the first name or value that no move of the game could have.

    """
    with under("moves"):
        for place, given in enumerate(moves):
            with under(place):
                _check(instance, given)


def _check(instance: Instance, given: object) -> None:
    """Look at what one move names: some edge of the machine has to take it."""
    name, value = parts_of(given)
    machine = instance.compiled.machine
    edges = [edge for node in machine.nodes for edge in node.edges
             if is_named(node, edge, name, value)]
    wrong: list[SceneError] = []
    for edge in edges:
        try:
            arguments(MoveWords(instance), None, edge, value)
        except SceneError as error:
            wrong.append(error)
        else:
            return
    written = next(iter(given)) if isinstance(given, Mapping) else given
    if wrong:
        raise _of_all(wrong, name, str(written))
    known = (*(clause.option for clause in instance.game.clauses if clause.option),
             *(window.done for window in instance.game.windows.values()), *ANY)
    if name not in map(plain, known):
        unknown = SceneError(f"the game has no move `{written}`", given=written, known=known)
        unknown.path = (str(written),)
        raise unknown


def _of_all(wrong: Sequence[SceneError], name: str, written: str) -> SceneError:
    """Put together why no move takes what is given: what any of them could have there."""
    first = wrong[0]
    known = dict.fromkeys(each for one in wrong if one.path == first.path for each in one.known)
    text = f"{SPOKEN[name]} `{first.given}`" if name in SPOKEN and first.given is not None else str(
        first)
    error = SceneError(text, given=first.given, known=known)
    error.path = (written, *first.path)
    return error
