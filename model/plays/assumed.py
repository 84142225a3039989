"""Which assumed values a play rests on: those that its moves read, and those offered at its end.

A value is read where a rule that runs, or the condition of a move, looks it up for a card; the text
of a card is, where it is done.  A situation rests on the texts that its numbers come from.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..lowering.compile import Compiled
from ..machine.machine import Machine
from ..machine.state import Move
from ..recent import Recent
from ..run.interp import EndlessRules, Interpreter
from ..run.shape import Reads, shape_of


def _made(machine: Machine) -> tuple[Interpreter, Reads]:
    """Return what runs a machine and notes what is read from its tables, and where that is."""
    reads: Reads = {}
    return Interpreter(machine, reads=reads), reads


_noting = Recent(_made, most=8)
"""Plays of one machine are told one after the other."""
BACK = 12
"""So many moves are gone back to where a number was as it is at the start."""


def assumed_in(compiled: Compiled, moves: Sequence[Move]) -> tuple[str, ...]:
    """Name the cards with assumed values that legal moves from the setup read, in their order.

    What is read before anybody decides something does not count, unless it is a text that is done,
    nor what is read of cards of which this game has none.
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
              for value in card.assumed if card.copies}
    texts = _texts(compiled)
    judge, reads = _noting(compiled.machine)
    begun, first = False, judge.start()
    found = dict.fromkeys(texts[each] for each in first.cites if not since and each in texts)
    state = first.state
    for number, move in enumerate(moves):
        begun = begun or judge.nodes[state.node].kind == "decide"
        reads.clear()
        try:
            step = judge.step(state, move)
        except EndlessRules:
            break
        if number >= since:
            found |= dict.fromkeys(values[each] for each in reads if begun and each in values)
            found |= dict.fromkeys(texts[each] for each in step.cites if each in texts)
        state = step.state
    if offers or since >= len(moves):
        offered = judge.moves(state)
        reads.clear()
        for move in offered:
            judge.judge(state, move)
        found |= dict.fromkeys(values[each] for each in reads if each in values)
    return _by_card(found)


def texts_behind(compiled: Compiled, moves: Sequence[Move]) -> dict[str, tuple[str, ...]]:
    """Return which assumed texts of which cards have made the numbers of a situation what they are.

    Those are the texts that were done on the way from the setup since a number that is seen was
    last as it is at the start, if that is not long ago (`BACK`).
    """
    texts = _texts(compiled)
    if not texts:
        return {}
    judge, shape = _noting(compiled.machine)[0], shape_of(compiled.machine)
    cells = [(shape.offsets[array.name] + place, start) for array in compiled.machine.arrays
             if array.declared and not array.internal and not array.zone and "." not in array.name
             and array.domain.kind == "int" for place, start in enumerate(array.start)]
    step, done = judge.start(), list[tuple[str, ...]]()
    still = dict.fromkeys((cell for cell, _ in cells), 0)
    for number, move in enumerate((None, *moves)):
        try:
            step = step if move is None else judge.step(step.state, move)
        except EndlessRules:
            return {}
        done.append(step.cites)
        still |= {cell: number + 1 for cell, start in cells if step.state.values[cell] == start}
    since = min((still[cell] for cell, start in cells if step.state.values[cell] != start
                 and len(done) - still[cell] <= BACK), default=len(done))
    return _by_card(dict.fromkeys(texts[each] for cites in done[since:] for each in cites
                                  if each in texts))


def _texts(compiled: Compiled) -> dict[str, tuple[str, str]]:
    """Return cards and their texts by how these are cited, where something of a card is assumed."""
    return {f"card:{family.name}.{card.id}.{each}": (card.name, each)
            for family in compiled.game.families.values() for card in family.cards
            if card.assumed for each in card.abilities}


def _by_card(found: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """Sort fields by their cards, in the order in which they were found."""
    made: dict[str, tuple[str, ...]] = {}
    for name, each in found:
        made[name] = (*made.get(name, ()), each)
    return made
