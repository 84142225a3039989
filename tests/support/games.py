"""Games that many tests look at, each read and compiled once in a run of the tests."""

from collections.abc import Iterable
from functools import cache

import pytest

from ruleproof.model.game.game import Game, Settings
from ruleproof.model.loading.load import bundled, load_game
from ruleproof.model.lowering.compile import Compiled, compile_game


@cache
def loaded(source: str, scope: str = "printed") -> Game:
    """Read a game, by a bundled name or the path of a folder."""
    return load_game(source, Settings(scope=scope))


@cache
def compiled(source: str, scope: str = "printed") -> Compiled:
    """Compile a game."""
    return compile_game(loaded(source, scope))


def often(*some: str, of: Iterable[str] | None = None) -> list[object]:
    """List games as parameters of a test, of the bundled ones only `some` outside of the campaign.

    A law that each of them would show is tried on one or two of different kind in the suite.
    """
    seldom = {*bundled()} - {*some}
    return [pytest.param(name, marks=[pytest.mark.campaign] if name in seldom else [])
            for name in (bundled() if of is None else of)]
