"""Which assumed values a play rests on: those that its moves read, and those offered at its end.

A value is read where a rule that runs, or the condition of a move, looks it up for a card; the text
of a card is, where it is done.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..lowering.compile import Compiled
from ..machine.machine import Machine
from ..machine.state import Move
from ..recent import Recent
from ..run.interp import EndlessRules, Interpreter
from ..run.shape import Reads


def _made(machine: Machine) -> tuple[Interpreter, Reads]:
    """Return what runs a machine and notes what is read from its tables, and where that is."""
    reads: Reads = {}
    return Interpreter(machine, reads=reads), reads


_noting = Recent(_made, most=8)
"""Plays of one machine are told one after the other."""


def assumed_in(compiled: Compiled, moves: Sequence[Move]) -> tuple[str, ...]:
    """Name the cards with assumed values that legal moves from the setup read, in their order.

    What is read before anybody decides something does not count.
    """
    families = compiled.game.families.values()
    if not any(card.assumed for family in families for card in family.cards):
        return ()
    names = {(f"{family.name}.{value}", place): card.name
             for family in families for place, card in enumerate(family.cards)
             for value in card.assumed}
    texts = {f"card:{family.name}.{card.id}.{each}": card.name
             for family in families for card in family.cards
             if card.assumed for each in card.abilities}
    judge, reads = _noting(compiled.machine)
    found, begun = dict[str, None](), False
    state = judge.start().state
    for move in moves:
        begun = begun or judge.nodes[state.node].kind == "decide"
        reads.clear()
        try:
            step = judge.step(state, move)
        except EndlessRules:
            break
        if begun:
            found |= dict.fromkeys(names[each] for each in reads if each in names)
            found |= dict.fromkeys(texts[each] for each in step.cites if each in texts)
        state = step.state
    offered = judge.moves(state)
    reads.clear()
    for move in offered:
        judge.judge(state, move)
    return tuple(found | dict.fromkeys(names[each] for each in reads if each in names))
