"""Games that commands are about, compiled."""

from __future__ import annotations

from ...model.game.game import Settings
from ...model.loading.load import load_game
from ...model.lowering.compile import Compiled, compile_game


def compiled_game(name: str, settings: Settings) -> Compiled:
    """Load and compile a game: a bundled name or a folder.

    Raises:
        UsageError: there is none, or the settings do not fit it.
        SpecErrors: it does not load.

    """
    return compile_game(load_game(name, settings))
