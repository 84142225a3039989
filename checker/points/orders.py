"""Whether an order that nobody states matters: run both orders to the end and compare the results.

Lock-step comparison would call the dealing of cards order-dependent, because the first card goes to
somebody else.  What counts is what can come out: for every situation in which the effects are about
to run, the situations in which they can end under each order (the sets of normal forms of the two
rewritings; cf. Newman, 1942), with what could not be done on the way or was so there though a claim
says that it never is, and with what odds (exact ones, for each way to choose on the way); and where
that is the same, who is asked what on the way.  The machine is compiled with a rest before and
after the effects (`compile_game(pauses=…)`), so both sets are found by plain exploration between
two rests.  The situations are all those of a scope, or those of random plays of the printed game.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter
from itertools import product
from math import prod
from typing import TYPE_CHECKING, cast

from ...model.game import syntax as sx
from ...model.machine.duties import DEFECTS
from ...model.rules.elaborate import Elaborator
from ...model.rules.meanings import Failed as Unclear
from ...model.rules.meanings import Names
from ...model.source.errors import Reporter
from ..bench.workbench import side_by_side
from ..comparison.lockstep import Failed, failed
from ..engine.transfer import transfer
from ..packed.flags import BEYOND, FILTERED, LEGAL, PUBLIC, WINNER
from ..search.explore import Exploration
from ..search.labels import Labels, plain
from ..search.playouts import again

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from ...model.game.game import Clause, Game, Window
    from ...model.game.syntax import Expr as Tree
    from ...model.machine.duties import Kind
    from ..bench.workbench import Instance
    from ..engine.program import Program
    from ..search.labels import Label

GO_ON = "go on"
MOST = 400_000
"""States of a game that pauses, in which situations are sought."""
MOST_INSIDE = 5_000
"""States that are looked at between the pauses of one situation."""
PLAYED, SITUATIONS, FEWER = 40, 100, 1_000
"""Random plays in which situations are sought, how many of them are compared, and states that are
looked at between the pauses of one of these; and ten times so many for all."""
MOST_ODDS = 64
"""Distributions of results of one situation, over all ways to choose, that are told apart."""


@dataclass(frozen=True, slots=True)
class Parting:
    """A situation from which one order can lead where the other cannot, or not as likely.

    `play` leads to the situation; `inside` from there to a result under `reading`; `other` says
    what the other reading makes of that result.  Where both come to the same, `goes_wrong` are the
    clauses that fail on the way under `reading`, with their classes, and under the other one.
    """

    play: tuple[Label, ...]
    inside: tuple[Label, ...]
    reading: int
    level: int
    other: str
    goes_wrong: tuple[tuple[Failed, ...], tuple[Failed, ...]] = ((), ())


@dataclass(frozen=True, slots=True)
class Comparison:
    """The outcome: a parting or none, the number of situations compared, and whether it was all.

    `luck`: chance decides something on the way.
    """

    parting: Parting | None
    situations: int
    complete: bool
    luck: bool = False


def compare_orders(
    first: Instance, second: Instance, *, around: Collection[str] | None = None,
    most: int = MOST, inside: int = MOST_INSIDE, telling: Tree | None = None,
) -> Comparison:
    """Compare two instances that differ in an order and pause around it.

    Args:
        first: the instance under one order, compiled with pauses.
        second: the same under the other order.
        around: what it pauses around that has the order; None: all that it pauses around.
        most: how many states of the game to look at in search of situations.
        inside: how many states to look at between the pauses of one situation.
        telling: what holds in the situations that could tell the orders apart; only they count.

    """
    both = _Both(first, second, telling)
    paused = _paused(both.one.program, most)
    found = Comparison(None, 0, paused.run.finished)
    for number in paused.before(around):
        found = both.add(found, paused.run.order[number], inside)
        if found.parting is not None:
            play = tuple(both.one.of_move(move) for move in paused.run.path(number))
            return replace(found, parting=replace(found.parting, play=play))
    return found


def compare_in_play(
    first: Instance, second: Instance, *, around: Collection[str], longest: int, seed: int,
    telling: Tree | None = None,
) -> Comparison:
    """Compare them in situations of random plays, as many as are found in `PLAYED` of them.

    It is complete if each of these was compared in full; that says nothing of other situations.

    Args: as of `compare_orders`, and the number of moves after which a play is given up.

    """
    both = _Both(first, second, telling)
    program, found, seen = both.one.program, Comparison(None, 0, complete=True), set[bytes]()
    for number in range(PLAYED):
        state, _ = program.start()
        play: list[Label] = []
        for move in (*again(program, seed=seed, number=number, longest=longest), None):
            what, _, name = plain(both.one.place(state)).partition(" ")
            if what == "before" and name in around and state not in seen:
                seen.add(state)
                found = both.add(found, state, FEWER)
                if found.parting is not None:
                    return replace(found, parting=replace(found.parting, play=tuple(play)))
                if len(seen) == SITUATIONS or both.looked > 10 * FEWER:
                    return found
            row = None if move is None else program.taken(state, move)
            if move is None or row is None or row[2] is None:
                break
            play.append(both.one.of_move(move))
            state = row[2]
    return found


class _Both:
    """Two instances that differ in an order, ready to be compared in one situation after another.

    `looked` counts the states between the pauses of the situations until now.
    """

    def __init__(self, first: Instance, second: Instance, telling: Tree | None) -> None:
        program, other = side_by_side(first, second)
        self.tells = _holds(first.game, program, telling) if telling is not None else None
        self.one, self.two = Labels(program), Labels(other)
        self.denied = _denied(first.game, program), _denied(second.game, other)
        self.moved = transfer(program, other)
        self.players = first.compiled.machine.player_names
        self.looked = 0

    def add(self, known: Comparison, state: bytes, inside: int) -> Comparison:
        """Compare in one situation more; the play of a parting is left to who knows it."""
        mine = _ends(self.one, state, inside, self.denied[0])
        theirs = _ends(self.two, self.moved(state), inside, self.denied[1])
        self.looked += mine.looked + theirs.looked
        situations = known.situations + (self.tells is None or self.tells(state))
        complete = known.complete and mine.whole and theirs.whole
        parting = _part(mine, theirs)
        if parting is None and mine.whole and theirs.whole:
            parting, told = _unlikely(mine, theirs)
            complete = complete and told
            parting = parting or _unasked(mine, theirs, self.players)
        luck = known.luck or mine.luck or theirs.luck
        return Comparison(parting, situations, complete and parting is None, luck)


class _Paused:
    """The situations of a program in which it pauses, as far as it is explored."""

    def __init__(self, program: Program, most: int) -> None:
        self.run = Exploration(program)
        self.run.run(max_states=most)
        nodes = {node.id: node.name for node in program.machine.nodes}
        names = [nodes[rest] for rest in program.layout.rests]
        self._before: dict[str, list[int]] = {}
        for number, state in enumerate(self.run.order):
            what, _, name = names[program.rank(state)].partition(" ")
            if what == "before":
                self._before.setdefault(name, []).append(number)

    def before(self, around: Collection[str] | None) -> list[int]:
        """Return the numbers of the states before something, in the order of the exploration."""
        return sorted(number for name, some in self._before.items()
                      if around is None or name in around for number in some)


_paused = lru_cache(maxsize=16)(_Paused)


def several_concerned(clause: Clause) -> Tree | None:
    """Return the condition that a loop of a clause over players concerns two of them or more.

    None if all it does is not under one condition: then each player is concerned.
    """
    loops = [stmt for stmt in (clause.do.statements if clause.do is not None else ())
             if isinstance(stmt, sx.ForEach)]
    match loops:
        case [sx.ForEach(var=var, domain=domain, body=(sx.IfThen(test=test, other=()),))]:
            return _several(var, domain, test)
        case _:
            return None


def several_act(window: Window) -> Tree | None:
    """Return the condition that two players or more may act in a window."""
    return None if window.who is None else _several("p", window.who)


def _several(var: str, domain: Tree, *tests: Tree) -> Tree:
    """Build the condition that there are two or more in a domain, of which something is so."""
    at = domain.at
    each = sx.Generator(sx.Num(1, at), var, domain, tests, at)
    return sx.Compare(">=", sx.Call(sx.Name("sum", at), (each,), (), at), sx.Num(2, at), at)


def _holds(game: Game, program: Program, test: Tree) -> Callable[[bytes], bool] | None:
    """Compile a condition; None if it speaks of what only a body knows."""
    with suppress(Unclear):
        return program.predicate(Elaborator(game, Reporter()).guard(test, Names({})))
    return None


Result = tuple[bool, bytes, bytes, tuple[Failed, ...]]
"""Whether the game is over, who has won, what is declared (where it is over, what counts of that),
what went wrong on the way."""
Odds = frozenset[tuple[Result, Fraction]]
"""How likely each result is."""


@dataclass(slots=True)
class Ends:
    """What one order makes of a situation.

    `ways` are the results with the first way to each.  The situations on the way are numbered, the
    first one 0: `results` are those at which it ends, `steps` what each other one leads to, with
    weights, and at `chances` chance decides.  `asked` is who is asked what on the way, if there are
    several answers, with the first way there.  `whole` says that this is all, `luck` that chance is
    asked, be it for the only thing left, `looked` how much was looked at.
    """

    ways: dict[Result, tuple[Label, ...]] = field(default_factory=dict)
    results: dict[int, Result] = field(default_factory=dict)
    steps: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    chances: set[int] = field(default_factory=set)
    asked: dict[tuple[int, str], tuple[Label, ...]] = field(default_factory=dict)
    whole: bool = True
    luck: bool = False
    looked: int = 0

    def end(self, number: int, result: Result, way: tuple[Label, ...]) -> None:
        """Note that a situation is a result."""
        self.results[number] = result
        self.ways.setdefault(result, way)


def _part(ends: Ends, other: Ends) -> Parting | None:
    """Find a result that one side lacks, or has with other odds: the shortest way to one."""
    both = (ends, other)
    won, won_too = ({result[1] for result in each.ways if result[0]} for each in both)
    level = WINNER if won != won_too else PUBLIC
    for reading, (mine, theirs) in enumerate((both, both[::-1])):
        extra = [one for one in mine.ways if one not in theirs.ways] if theirs.whole else ()
        if extra:
            one = min(extra, key=lambda one: (len(mine.ways[one]), one))
            alike = [{*each[3]} for each in theirs.ways if each[:3] == one[:3]]
            wrong = {*one[3]}.difference(*alike), set[Failed]().union(*alike) - {*one[3]}
            told = "the same comes out" if alike else "this result cannot be reached"
            return Parting((), mine.ways[one], reading, level, told,
                           (_classed(wrong[0] if alike else ()), _classed(wrong[1])))
    return None


def _unasked(ends: Ends, other: Ends, players: Sequence[str]) -> Parting | None:
    """Find what a player is asked in one order only, of what is asked in both or in one."""
    both = (ends, other)
    for reading, (mine, theirs) in enumerate((both, both[::-1])):
        extra = [one for one in mine.asked if one not in theirs.asked]
        if extra:
            one = min(extra, key=lambda one: (len(mine.asked[one]), one))
            instead = [players[who] for who, what in sorted(theirs.asked) if what == one[1]]
            told = f"{' or '.join(instead)} is asked that" if instead else "nobody is asked that"
            return Parting((), mine.asked[one], reading, LEGAL, told)
    return None


def _classed(wrong: Iterable[Failed]) -> tuple[Failed, ...]:
    """Return clauses with the classes of what is wrong with them, each once."""
    return tuple(sorted({(clause, DEFECTS.get(cast("Kind", kind), kind))
                         for clause, what in wrong for kind in (what.split(" ", maxsplit=1)[0],)}))


def _unlikely(ends: Ends, other: Ends) -> tuple[Parting | None, bool]:
    """Find a result that is not as likely under both orders, and say whether that could be told."""
    if not ends.chances and not other.chances:
        return None, True
    both = (ends, other)
    odds, odds_too = _odds(ends), _odds(other)
    if odds is None or odds_too is None:
        return None, False
    if odds == odds_too:
        return None, True
    if len(odds) == len(odds_too) == 1:
        mine_odds, their_odds = dict(next(iter(odds))), dict(next(iter(odds_too)))
        one = max(mine_odds, key=lambda one: (mine_odds[one] - their_odds[one], one))
        told = f"the same result, with the odds {their_odds[one]} and not {mine_odds[one]}"
        return Parting((), ends.ways[one], 0, WINNER, told), True
    reading = 0 if odds - odds_too else 1
    one = min(both[reading].ways, key=lambda one: (len(both[reading].ways[one]), one))
    told = "the choices on the way cannot lead to the same odds of the results"
    return Parting((), both[reading].ways[one], reading, WINNER, told), True


Denied = tuple[tuple[Failed, Callable[[bytes], bool]], ...]
"""Claims that something never is so, with what says that a state shows it all the same."""


def _denied(game: Game, program: Program) -> Denied:
    """List the claims of a game that something never is so."""
    elab, found = Elaborator(game, Reporter()), list[tuple[Failed, Callable[[bytes], bool]]]()
    for clause in game.clauses:
        if clause.in_force and clause.claim is not None and clause.claim.form == "never":
            with suppress(Unclear):  # such a claim is not checked at all
                test = elab.guard(clause.claim.test, Names({}))
                found.append(((clause.id, "false-claim"), program.predicate(test)))
    return tuple(found)


def _ends(labels: Labels, start: bytes, limit: int, denied: Denied) -> Ends:
    """Explore from a pause to the pauses after it."""
    program = labels.program
    after = labels.place(start).replace("before ", "after ", 1)
    found = Ends()
    first: tuple[bytes, frozenset[Failed]] = (start, frozenset())
    numbers = {first: 0}
    queue: list[tuple[bytes, frozenset[Failed], tuple[Label, ...]]] = [(*first, ())]
    for number, (state, failures, way) in enumerate(queue):
        if number >= limit:
            found.whole = False
            break
        found.looked += 1
        over = program.kind(state) == "final"
        if over or labels.place(state) == after:
            won, seen = (labels.winners(state), labels.outcome(state)) if over else (
                b"", labels.declared(state))
            found.end(number, (over, won, seen, tuple(sorted(failures))), way)
            continue
        chance = program.kind(state) == "chance"
        found.luck = found.luck or chance
        moves = program.succ(state)
        weights = program.weights(state) if chance else [1] * len(moves)
        steps = found.steps[number] = []
        for move, weight in zip(moves, weights, strict=True):
            found.whole = found.whole and not move[3] & BEYOND
            if move[2] is None or move[3] & FILTERED or not weight:
                continue
            then = (move[2], failures | failed(program, move[3]))
            if denied and not labels.place(move[2]).startswith(("before ", "after ")):
                shown = {claim for claim, shows in denied if shows(move[2])}
                then = (move[2], then[1] | shown)
            if then not in numbers:
                numbers[then] = len(queue)
                queue.append((*then, (*way, labels.of(move))))
            steps.append((numbers[then], weight))
        if chance and len(steps) > 1:
            found.chances.add(number)
        who = labels.asks(state) if len(steps) > 1 and not chance else None
        if who is not None and who >= 0:
            found.asked.setdefault((who, plain(labels.place(state))), way)
        if not steps:
            stuck = tuple(sorted({*failures, ("", "deadlock")}))
            found.end(number, (False, b"", labels.declared(state), stuck), way)
    return found


def _odds(ends: Ends) -> frozenset[Odds] | None:
    """Return the distributions of results, for all ways to choose; None for rounds, or too many."""
    steps, results = ends.steps, ends.results
    try:
        order = list(TopologicalSorter(
            {place: [then for then, _ in some] for place, some in steps.items()}).static_order())
    except CycleError:
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


def _forward(ends: Ends, order: Iterable[int]) -> Odds:
    """Pass the odds on from the start, where nobody has a choice."""
    here: dict[int, Fraction] = {0: Fraction(1)}
    found: dict[Result, Fraction] = {}
    for place in order:
        if place in ends.results:
            result = ends.results[place]
            found[result] = found.get(result, Fraction(0)) + here[place]
            continue
        total = sum(weight for _, weight in ends.steps[place])
        for then, weight in ends.steps[place]:
            here[then] = here.get(then, Fraction(0)) + here[place] * Fraction(weight, total)
    return frozenset(found.items())


def _mixed(parts: Iterable[tuple[Fraction, Odds]]) -> Odds:
    """Mix distributions."""
    found: dict[Result, Fraction] = {}
    for share, odds in parts:
        for result, likely in odds:
            found[result] = found.get(result, Fraction(0)) + share * likely
    return frozenset(found.items())


def without_pauses(play: tuple[Label, ...]) -> tuple[Label, ...]:
    """Drop the moves that only leave a pause."""
    return tuple(label for label in play if f": {GO_ON}(" not in label[1])
