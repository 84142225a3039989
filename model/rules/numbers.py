"""Terms of a spec that are numbers: one alone, or one for each player."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from ..game import syntax as sx
from ..game.game import Clause
from ..machine.core import Local
from .elaborate import Elaborator
from .meanings import PLAYER, Failed, Names, Scalar

PLAYER_OF = "p"
"""What the player is called of whom a term is a number."""


def as_number(elab: Elaborator, term: Clause) -> Iterator[tuple[Scalar, bool]]:
    """Yield a term as an expression, if it is a number, and whether each player has one."""
    each = bool(term.define_params)
    if len(term.define_params) > 1 or any(ty.kind != "player" for _, ty in term.define_params):
        return
    name = sx.Name(term.define, term.place)
    call = sx.Call(name, (sx.Name(PLAYER_OF, term.place),), (), term.place) if each else name
    with suppress(Failed):
        yield elab.use(call, Names({PLAYER_OF: Scalar(PLAYER, Local(PLAYER_OF))}), "int"), each
