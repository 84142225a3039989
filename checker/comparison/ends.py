"""What can come out of a situation that a machine rests in, at the rests after it, and how likely.

The ends of a passage are found by plain exploration between two rests (`compile_game(pauses=…)`),
with what could not be done on the way or was so there though a claim says that it never is, and
who is asked what.  How likely they are is told exactly, for each way to choose on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from itertools import product
from math import prod

from ...model.plays.wording import plain_name
from ..packed.flags import BEYOND, FILTERED
from ..search.labels import Label, Labels
from .lockstep import Failed, failed

MOST_ODDS = 64
"""Distributions of results of one situation, over all ways to choose, that are told apart."""

Denied = tuple[tuple[Failed, Callable[[bytes], bool]], ...]
"""Claims that something never is so, with what says that a state shows it all the same."""
Result = tuple[bool, bytes, bytes, tuple[Failed, ...]]
"""Whether the game is over, who has won, what is declared (where it is over, what counts of that),
what went wrong on the way."""
Choice = tuple[int, bytes, tuple["Label", ...]]
"""Who decides (less than 0: nobody in particular), where, and the answers."""
Odds = frozenset[tuple[Result, Fraction]]
"""How likely each result is."""


@dataclass(slots=True)
class Ends:
    """What one order makes of a situation.

    `ways` are the results with the first way to each.  The situations on the way are numbered, the
    first one 0: `results` are those at which it ends, `steps` what each other one leads to, with
    weights, and at `chances` chance decides.  `asked` is who is asked what on the way, if there are
    several answers, with the first way there; `choices` are all situations in which that is so, and
    those in which anybody may be next.  `inside` says that this was looked at to its end, but
    for what is beyond some `bounds` of the model, `luck` that chance is asked, be it for the only
    thing left, `looked` how much was looked at.
    """

    ways: dict[Result, tuple[Label, ...]] = field(default_factory=dict)
    results: dict[int, Result] = field(default_factory=dict)
    steps: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    chances: set[int] = field(default_factory=set)
    asked: dict[tuple[int, str], tuple[Label, ...]] = field(default_factory=dict)
    choices: dict[int, Choice] = field(default_factory=dict)
    inside: bool = True
    bounds: dict[str, None] = field(default_factory=dict)
    luck: bool = False
    looked: int = 0

    @property
    def whole(self) -> bool:
        """Whether this is all that can come out."""
        return self.inside and not self.bounds

    def end(self, number: int, result: Result, way: tuple[Label, ...]) -> None:
        """Note that a situation is a result."""
        self.results[number] = result
        self.ways.setdefault(result, way)


def ends_of(labels: Labels, start: bytes, limit: int, denied: Denied) -> Ends:
    """Explore from a pause to those after it, past the pauses of what runs inside itself."""
    program = labels.program
    begun = labels.pause(start)
    assert begun is not None
    deeper = {begun: 1, ("after", begun[1]): -1}
    found = Ends()
    first: tuple[bytes, frozenset[Failed], int] = (start, frozenset(), 1)
    numbers = {first: 0}
    queue: list[tuple[bytes, frozenset[Failed], int, tuple[Label, ...]]] = [(*first, ())]
    for number, (state, failures, deep, way) in enumerate(queue):
        if number >= limit:
            found.inside = False
            break
        found.looked += 1
        over = program.kind(state) == "final"
        if over or not deep:
            won, seen = (labels.winners(state), labels.outcome(state)) if over else (
                b"", labels.declared(state))
            found.end(number, (over, won, seen, tuple(sorted(failures))), way)
            continue
        chance = program.kind(state) == "chance"
        found.luck = found.luck or chance
        moves = program.succ(state)
        weights = program.weights(state) if chance else [1] * len(moves)
        steps = found.steps[number] = []
        among: list[Label] = []
        beyond: list[str] = []
        for move, weight in zip(moves, weights, strict=True):
            if move[3] & BEYOND:
                beyond += program.bounds_met(move[3])
            if move[2] is None or move[3] & FILTERED or not weight:
                continue
            wrong, rests = failures | failed(program, move[3]), labels.pause(move[2])
            depth = deep + (deeper.get(rests, 0) if rests else 0)
            if denied and (rests is None or not depth):
                wrong |= {claim for claim, shows in denied if shows(move[2])}
            then = (move[2], wrong, depth)
            if then not in numbers:
                numbers[then] = len(queue)
                queue.append((*then, (*way, labels.of(move))))
            steps.append((numbers[then], weight))
            among.append(labels.of(move))
        if chance and len(steps) > 1:
            found.chances.add(number)
        who = labels.asks(state) if len(steps) > 1 and not chance else None
        if len(steps) > 1 and not chance:
            found.choices[number] = -1 if who is None else who, state, tuple(among)
        if who is not None and who >= 0:
            found.asked.setdefault((who, plain_name(labels.place(state))), way)
        found.bounds.update(dict.fromkeys(beyond))
        if not steps and not beyond:
            stuck = tuple(sorted({*failures, ("", "deadlock")}))
            found.end(number, (False, b"", labels.declared(state), stuck), way)
    return found


def odds_of(ends: Ends) -> frozenset[Odds] | None:
    """Return the distributions of results, for all ways to choose; None for rounds, or too many."""
    steps, results = ends.steps, ends.results
    order = _last_first(ends)
    if order is None:
        return None
    if all(len(some) <= 1 or place in ends.chances for place, some in steps.items()):
        return frozenset([_forward(ends, order[::-1])])
    known: dict[int, frozenset[Odds]] = {}
    for place in order:
        if place in results:
            known[place] = frozenset([frozenset([(results[place], Fraction(1))])])
        elif place in ends.chances:
            total = sum(weight for _, weight in steps[place])
            parts = [[(Fraction(weight, total), one) for one in known[then]]
                     for then, weight in steps[place]]
            if prod(map(len, parts)) > MOST_ODDS:
                return None
            known[place] = frozenset(map(_mixed, product(*parts)))
        else:
            known[place] = frozenset().union(*(known[then] for then, _ in steps[place]))
            if len(known[place]) > MOST_ODDS:
                return None
    return known[0]


def seen_odds_of(ends: Ends, look: Callable[[int, bytes], Hashable]) -> frozenset[Odds] | None:
    """Return the same for all ways to choose by no more than who decides sees (`look`)."""
    order = _last_first(ends)
    asked = {place: (who, look(who, state), among)
             for place, (who, state, among) in ends.choices.items()}
    several = {each: range(len(each[2])) for each in asked.values()}
    if order is None or prod(map(len, several.values())) > MOST_ODDS:
        return None
    found = set[Odds]()
    for answers in product(*several.values()):
        said = dict(zip(several, answers, strict=True))
        found.add(_forward(ends, order[::-1], {place: said[each] for place, each in asked.items()}))
    return frozenset(found)


def _last_first(ends: Ends) -> list[int] | None:
    """Return the situations, each behind those that it leads to; None for rounds."""
    try:
        return list(TopologicalSorter(
            {place: [then for then, _ in some]
             for place, some in ends.steps.items()}).static_order())
    except CycleError:
        return None


def _forward(ends: Ends, order: Iterable[int], said: Mapping[int, int] | None = None) -> Odds:
    """Pass the odds on from the start, where nobody has a choice, or it is said what is chosen."""
    here: dict[int, Fraction] = {0: Fraction(1)}
    found: dict[Result, Fraction] = {}
    for place in order:
        if place not in here:
            continue
        if place in ends.results:
            result = ends.results[place]
            found[result] = found.get(result, Fraction(0)) + here[place]
            continue
        steps = ends.steps[place]
        if said and place in said:
            steps = [steps[said[place]]]
        total = sum(weight for _, weight in steps)
        for then, weight in steps:
            here[then] = here.get(then, Fraction(0)) + here[place] * Fraction(weight, total)
    return frozenset(found.items())


def _mixed(parts: Iterable[tuple[Fraction, Odds]]) -> Odds:
    """Mix distributions."""
    found: dict[Result, Fraction] = {}
    for share, odds in parts:
        for result, likely in odds:
            found[result] = found.get(result, Fraction(0)) + share * likely
    return frozenset(found.items())
