"""Which modes a game cannot be played in, by its numbers, and in which it has to be."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from ..game.game import Game
from ..game.syntax import Expr
from ..game.unparse import unparse
from ..machine.traversal import loads
from ..rules.elaborate import Elaborator
from ..rules.meanings import Failed, Names
from ..run.evaluate import evaluate
from ..run.shape import Shape
from ..source.errors import Reporter, quote


def unfit(game: Game, report: Reporter) -> dict[str, str]:
    """Return the chosen modes whose `when` does not hold, each with what to say of it.

    A `when` that is wrong, or that only play decides, goes to the report.
    """
    return {name: f"the variant {quote(name)} is not for this game: with its cards and "
            f"{game.players} players `{unparse(when)}` does not hold"
            for name, when, holds in _conditions(game, report)
            if name in game.settings.variants and not holds}


def bound(game: Game) -> tuple[str, ...]:
    """Return the modes that are not chosen, and in which the game has to be played all the same."""
    return tuple(name for name, _, holds in _conditions(game, Reporter())
                 if holds and game.variants[name].binding and name not in game.settings.variants)


def _conditions(game: Game, report: Reporter) -> Iterator[tuple[str, Expr, bool]]:
    """Yield the modes that have a condition, with that and whether it holds."""
    elab = Elaborator(game, report)
    for name, variant in game.variants.items():
        if variant.when is None:
            continue
        with suppress(Failed):
            held = elab.guard(variant.when, Names({}))
            if any(loads(held)):
                raise elab.fail("RP241", f"when the variant {quote(name)} is played has to be "
                                "known before the game begins", variant.when.at,
                                "use constants, `player_count` and values of cards only")
            plain = Shape({}, {}, elab.tables)
            yield name, variant.when, bool(evaluate(plain, (), held, {}))
