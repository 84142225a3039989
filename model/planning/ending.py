"""Statements that end the game."""

from __future__ import annotations

from ..game import syntax as sx
from ..machine.core import Fill, Local
from ..machine.simplify import binary
from ..rules.context import Here, Plans
from ..rules.meanings import PlayerSet
from ..rules.plan import Finish
from .builder import Builder, Verb


def win(build: Builder, call: sx.Call, here: Here) -> Plans:
    """Plan `win(player or set)`."""
    (arg,) = call.args
    value = build.elab.value(arg, here.scope)
    var = build.elab.fresh("p")
    if isinstance(value, PlayerSet):
        member, checks = value.member(Local(var)), value.checks
    else:
        one = build.elab.use(arg, here.scope, "player")
        member, checks = binary("==", Local(var), one.expr), one.checks
    code = Fill("winners", (), var, build.elab.seats(), member)
    return (*build.owe(here.clause, checks), Finish((code,)))


def end_game(build: Builder, call: sx.Call, here: Here) -> Plans:
    """Plan `end_game()`."""
    del build, call, here
    return (Finish(()),)


VERBS: dict[str, Verb] = {"win": win, "end_game": end_game}
