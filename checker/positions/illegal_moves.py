"""Moves that look legal and are not, each with the clauses that stand against it.

First come the moves that clauses rule out though an option would offer them, those that fewest
clauses rule out before the others; then near misses: a value that meets all of a parameter's
condition but one part of it (a card of the hand that is of the wrong kind).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ...model.machine.core import Load
from ...model.machine.machine import Edge, Param
from ...model.machine.state import Arg, Move, State
from ...model.machine.traversal import conjuncts, within
from ...model.plays.moves import NoSuchMove, describe_move, move_from, move_json, node_of
from ...model.plays.plays import why_not
from ...model.run.interp import Interpreter
from ...model.run.shape import Locals
from ..bench.workbench import Instance

MOST = 8
"""So many illegal moves are listed at most."""


def illegal(instance: Instance, state: State) -> list[dict[str, Any]]:
    """List moves that look legal, and the clauses that stand against each."""
    machine, judge = instance.compiled.machine, instance.interpreter
    made: list[dict[str, Any]] = []
    known: set[tuple[int, tuple[str, ...]]] = set()
    for move in _unlucky(instance, state):
        reason, clauses = why_not(judge, state, move)
        named = tuple(c for c in clauses if c and not c.startswith("window:"))
        if not reason or not named or (move.edge, named) in known:
            continue
        told = move_json(machine, state, move)
        try:
            again = move_from(machine, state, {k: told[k] for k in ("event", "choice")})
        except NoSuchMove:
            continue
        if again != move:
            continue
        known.add((move.edge, named))
        told.pop("clause", None)
        made.append({**told, "clauses": list(named), "why": reason,
                     "says": describe_move(machine, state, move)})
        if len(made) == MOST:
            break
    return made


def _unlucky(instance: Instance, state: State) -> Iterator[Move]:
    """List moves that miss being legal by little: those that clauses rule out, then near misses."""
    judge = instance.interpreter
    node = node_of(instance.compiled.machine, state)
    if node.kind in ("chance", "final"):
        return
    barred = [v for v in judge.candidates(state) if not v.legal]
    yield from (v.move for v in sorted(barred, key=lambda v: len(v.failing) + len(v.broken)))
    for edge in node.edges:
        for place, param in enumerate(edge.params):
            before = next(judge.arguments(state, replace(edge, params=edge.params[:place])), None)
            if before is None:
                break
            for value in _misses(instance, state, edge, param, before):
                yield from _completed(judge, state, edge, (*before, value))


def _misses(
    instance: Instance, state: State, edge: Edge, param: Param, before: tuple[Arg, ...]
) -> Iterator[Arg]:
    """List values of a parameter that fail one part of its condition and meet the others."""
    judge = instance.interpreter
    names = judge.names(replace(edge, params=edge.params[: len(before)]), before)
    kinds = range(param.domain.low, param.domain.high + 1)
    if param.bag:
        for kind in kinds:
            if param.most is not None and _there(judge, state, param, {**names, param.var: kind}):
                yield tuple(int(each == kind) for each in kinds)
        return
    parts = list(conjuncts(param.where))
    for value in kinds:
        inner = {**names, param.name: value}
        if len(parts) > 1 and sum(not judge.evaluate(state, p, inner) for p in parts) == 1:
            yield value


def _there(judge: Interpreter, state: State, param: Param, names: Locals) -> bool:
    """Return whether a card lies where a bag is chosen from, and may all the same not be chosen."""
    if param.most is None or judge.evaluate(state, param.most, names):
        return False
    zones = [part for part in within(param.most) if isinstance(part, Load)
             and judge.shape.arrays[part.array].zone in ("bag", "deck")]
    return any(judge.evaluate(state, zone, names) for zone in zones)


def _completed(
    judge: Interpreter, state: State, edge: Edge, args: tuple[Arg, ...]
) -> Iterator[Move]:
    """Yield the parameters that follow their first values."""
    for param in edge.params[len(args):]:
        names = judge.names(replace(edge, params=edge.params[: len(args)]), args)
        value = next((v for v in judge.values(state, param, names)
                      if judge.evaluate(state, param.where, {**names, param.name: v})), None)
        if value is None:
            return
        args = (*args, value)
    yield Move(edge.id, args)
