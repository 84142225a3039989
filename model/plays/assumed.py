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
    return tuple(assumed_after(compiled, moves, 0, offers=True))


def assumed_after(
    compiled: Compiled, moves: Sequence[Move], since: int, *, offers: bool = False
) -> dict[str, tuple[str, ...]]:
    """Return which assumed values of which cards the moves read that follow `since` others.

    As `assumed_in` has it; the text of a card is called as its ability.  What the moves read that
    are offered in the end is there with `offers`, and if none follows.
    """
    families = compiled.game.families.values()
    if not any(card.assumed for family in families for card in family.cards):
        return {}
    values = {(f"{family.name}.{value}", place): (card.name, value)
              for family in families for place, card in enumerate(family.cards)
              for value in card.assumed}
    texts = {f"card:{family.name}.{card.id}.{each}": (card.name, each)
             for family in families for card in family.cards
             if card.assumed for each in card.abilities}
    judge, reads = _noting(compiled.machine)
    found, begun = dict[tuple[str, str], None](), False
    state = judge.start().state
    for number, move in enumerate(moves):
        begun = begun or judge.nodes[state.node].kind == "decide"
        reads.clear()
        try:
            step = judge.step(state, move)
        except EndlessRules:
            break
        if begun and number >= since:
            found |= dict.fromkeys(values[each] for each in reads if each in values)
            found |= dict.fromkeys(texts[each] for each in step.cites if each in texts)
        state = step.state
    if offers or since >= len(moves):
        offered = judge.moves(state)
        reads.clear()
        for move in offered:
            judge.judge(state, move)
        found |= dict.fromkeys(values[each] for each in reads if each in values)
    cards = dict.fromkeys(name for name, _ in found)
    return {name: tuple(field for card, field in found if card == name) for name in cards}
