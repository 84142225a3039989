"""Which of the chosen modes a game cannot be played in, by its numbers."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from ..game.unparse import unparse
from ..machine.traversal import loads
from ..rules.elaborate import Elaborator
from ..rules.meanings import Failed, Names
from ..run.evaluate import evaluate
from ..run.shape import Shape
from ..source.errors import quote

if TYPE_CHECKING:
    from ..game.game import Game
    from ..source.errors import Reporter


def unfit(game: Game, report: Reporter) -> dict[str, str]:
    """Return the chosen modes whose `when` does not hold, each with what to say of it.

    A `when` that is wrong, or that only play decides, goes to the report.
    """
    found: dict[str, str] = {}
    conditions = {name: variant.when for name, variant in game.variants.items() if variant.when}
    elab = Elaborator(game, report) if conditions else None
    for name, when in conditions.items():
        assert elab is not None
        with suppress(Failed):
            held = elab.guard(when, Names({}))
            if any(loads(held)):
                raise elab.fail("RP241", f"when the variant {quote(name)} is played has to be "
                                "known before the game begins", when.at,
                                "use constants, `player_count` and values of cards only")
            plain = Shape({}, {}, elab.tables)
            if name in game.settings.variants and not evaluate(plain, (), held, {}):
                found[name] = (f"the variant {quote(name)} is not for this game: with its cards "
                               f"and {game.players} players `{unparse(when)}` does not hold")
    return found
