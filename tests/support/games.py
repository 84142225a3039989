"""Games that many tests look at, each read and compiled once in a run of the tests."""

from functools import cache

from ruleproof.model.game.game import Game, Settings
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import Compiled, compile_game


@cache
def loaded(source: str, scope: str = "printed") -> Game:
    """Read a game, by a bundled name or the path of a folder."""
    return load_game(source, Settings(scope=scope))


@cache
def compiled(source: str, scope: str = "printed") -> Compiled:
    """Compile a game."""
    return compile_game(loaded(source, scope))
