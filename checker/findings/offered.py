"""Moves in what answers come to: those that one allows and another does not, told together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from ...model.machine.machine import Machine
from ...model.machine.state import Move, State
from ...model.plays.moves import edge_of, next_seat, node_of, offer, option
from ...model.plays.offers import Offer, joined
from ...model.plays.wording import is_choice, many
from ..bench.workbench import Instance

ELSEWHERE = "not asked here"
"""What is said of moves of another moment, which nothing forbids."""
MOVES = 2
"""So many moves are told that are not legal under every answer, and one more if that is all."""


def allowed(
    offers: Sequence[Mapping[str, Offer]], number: int, alike: Iterable[int],
    moments: Sequence[object] | None = None, how: tuple[str, str] = ("allowed", "not allowed"),
) -> list[str]:
    """Say which moves are legal under an answer, or not, that are otherwise under one like it.

    What is asked at another of the `moments` is not forbidden: it is said that it is not asked.
    """
    mine = offers[number]
    others = [each for each in alike if each != number]
    some = [one for text, one in mine.items()
            if any(text not in offers[each] for each in others)]
    made = [listed(how[0], some)] if some else []
    for now, said in ((True, how[1]), (False, ELSEWHERE)):
        lacking = {text: one for each in others for text, one in offers[each].items()
                   if text not in mine
                   and now == (moments is None or moments[each] == moments[number])}
        made += [listed(said, lacking.values())] if lacking else []
    return made


def listed(said: str, offers: Iterable[Offer]) -> str:
    """List moves behind what is said of them: the first ones, and how many more."""
    told = joined(offers)
    few = len(told) <= MOVES + 1
    left = 0 if few else sum(one.number for one in told[MOVES:])
    more = f" and {left} more" if left else ""
    return f"{said}: {'; '.join(one.text for one in told[:None if few else MOVES])}{more}"


def chances(instance: Instance, state: State) -> dict[str, Offer]:
    """Tell what chance may do in a state."""
    machine = instance.compiled.machine
    if node_of(machine, state).kind != "chance":
        return {}
    return by_text(_by_chance(machine, state, move) for move in instance.interpreter.moves(state))


def _by_chance(machine: Machine, state: State, move: Move) -> Offer:
    say = option if is_choice(edge_of(machine, state, move)) else offer
    return say(machine, state, move)


def odds(instance: Instance, state: State) -> dict[str, Fraction]:
    """Tell how likely is what chance may do in a state."""
    machine, found = instance.compiled.machine, dict[str, Fraction]()
    if node_of(machine, state).kind == "chance":
        for move, share in instance.interpreter.chance(state):
            text = _by_chance(machine, state, move).text
            found[text] = found.get(text, Fraction(0)) + share
    return found


def likely(known: Sequence[Mapping[str, Fraction]], number: int, alike: Iterable[int]) -> list[str]:
    """Say how likely under an answer is what others like it leave to chance with other odds."""
    others = [known[each] for each in alike if known[each].keys() == known[number].keys()]
    told = [f"in {share.numerator} of {many(share.denominator, 'case')}: {text}"
            for text, share in known[number].items() if any(each[text] != share for each in others)]
    few = len(told) <= MOVES + 1
    return told if few else [*told[:MOVES], f"and other odds of {len(told) - MOVES} more"]


def moves_offered(instance: Instance, state: State) -> dict[str, Offer]:
    """Return the legal moves of a state by their texts, beside those of chance, and who is next."""
    machine = instance.compiled.machine
    if node_of(machine, state).kind == "chance":
        return {}
    return by_text(offer(machine, state, move) for move in instance.interpreter.moves(state)
                   if next_seat(machine, state, move) is None)


def by_text(offers: Iterable[Offer]) -> dict[str, Offer]:
    """Return offers under what they say."""
    return {each.text: each for each in offers}
