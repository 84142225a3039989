"""Statements that end the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..game import syntax as sx
from ..machine.core import Fill, Local
from ..machine.simplify import binary
from ..rules.context import Here, Plans
from ..rules.meanings import PlayerSet
from ..rules.plan import Finish
from .moving import arguments

if TYPE_CHECKING:
    from .planner import Planner


def win(planner: Planner, call: sx.Call, here: Here) -> Plans:
    """Plan `win(player or set)`."""
    (arg,) = arguments(planner, call, 1, 1)
    value = planner.elab.value(arg, here.scope)
    var = planner.elab.fresh("p")
    if isinstance(value, PlayerSet):
        member, checks = value.member(Local(var)), value.checks
    else:
        one = planner.elab.use(arg, here.scope, "player")
        member, checks = binary("==", Local(var), one.expr), one.checks
    code = Fill("winners", (), var, planner.elab.seats(), member)
    return (*planner.owe(here.clause, checks), Finish((code,)))


def end_game(planner: Planner, call: sx.Call, here: Here) -> Plans:
    """Plan `end_game()`."""
    del here
    arguments(planner, call, 0, 0)
    return (Finish(()),)
