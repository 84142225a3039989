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

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import cast

from ...model.game import syntax as sx
from ...model.game.game import Clause, Game, Window
from ...model.game.syntax import Expr as Tree
from ...model.machine.duties import DEFECTS, Kind
from ...model.plays.knowledge import Knowledge, seen
from ...model.rules.context import own
from ...model.rules.elaborate import Elaborator, condition
from ...model.rules.meanings import Failed as Unclear
from ...model.rules.meanings import Names
from ...model.source.errors import Reporter
from ..bench.workbench import Instance, side_by_side
from ..comparison.ends import Denied, Ends, ends_of, odds_of, seen_odds_of
from ..comparison.lockstep import Failed
from ..engine.program import Program
from ..engine.transfer import transfer
from ..packed.flags import LEGAL, PUBLIC, WINNER
from ..search.explore import Exploration
from ..search.labels import Label, Labels
from ..search.playouts import Plays, again
from .unseen import hides

GO_ON = "go on"
MOST = 400_000
"""States of a game that pauses, in which situations are sought."""
MOST_INSIDE = 5_000
"""States that are looked at between the pauses of one situation."""
MOST_INSTEAD = 20
"""Results of the other order that one is held against, to tell what differs."""
PLAYED, SITUATIONS, FEWER = 40, 100, 1_000
"""Random plays in which situations are sought, how many of them are compared, and states that are
looked at between the pauses of one of these; and ten times so many for all."""


@dataclass(frozen=True, slots=True)
class Parting:
    """A situation from which one order can lead where the other cannot, or not as likely.

    `play` leads to the situation; `inside` from there to a result under `reading`; `other` says
    what the other reading makes of that result.  Where both come to the same, `goes_wrong` are the
    clauses that fail on the way under `reading`, with their classes, and under the other one.
    Else `instead` are ways to what the other one comes to, and `alone` says that it is one thing.
    """

    play: tuple[Label, ...]
    inside: tuple[Label, ...]
    reading: int
    level: int
    other: str
    goes_wrong: tuple[tuple[Failed, ...], tuple[Failed, ...]] = ((), ())
    instead: tuple[tuple[Label, ...], ...] = ()
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Comparison:
    """The outcome: a parting or none, the number of situations compared, and whether it was all.

    `luck`: chance decides something on the way; `several`: two players or more do, in one place, or
    one who may see only a part of what was chosen, or came by chance, before; `bounds` of the model
    are met on the way.
    """

    parting: Parting | None
    situations: int
    complete: bool
    luck: bool = False
    several: bool = False
    bounds: tuple[str, ...] = ()


def compare_orders(
    first: Instance, second: Instance, *, around: Collection[str] | None = None,
    telling: Tree | None = None,
) -> Comparison:
    """Compare two instances that differ in an order and pause around it.

    Args:
        first: the instance under one order, compiled with pauses.
        second: the same under the other order.
        around: what it pauses around that has the order; None: all that it pauses around.
        telling: what holds in the situations that could tell the orders apart; only they count.

    """
    both = _Both(first, second, telling)
    paused = _paused(both.one.program, MOST)
    found = Comparison(None, 0, paused.run.finished)
    for number in paused.before(around):
        found = both.add(found, paused.run.order[number], MOST_INSIDE)
        if found.parting is not None:
            play = tuple(both.one.of_move(move) for move in paused.run.path(number))
            return replace(found, parting=replace(found.parting, play=play))
    return found


def compare_in_play(
    first: Instance, second: Instance, *, around: Collection[str], plays: Plays, seed: int,
    telling: Tree | None = None,
) -> Comparison:
    """Compare them in situations of random plays, as many as are found in `PLAYED` of them.

    It is complete if each of these was compared in full; that says nothing of other situations.

    Args: as of `compare_orders`, and how long the plays may be.

    """
    both = _Both(first, second, telling)
    program, found, seen = both.one.program, Comparison(None, 0, complete=True), set[bytes]()
    for number in range(PLAYED):
        state, _ = program.start()
        play: list[Label] = []
        for move in (*again(program, plays=plays, seed=seed, number=number), None):
            what, name = both.one.pause(state) or ("", "")
            if what == "before" and own(name) in around and state not in seen:
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
        self.closed = hides(program.machine)
        self.looked = 0

    def add(self, known: Comparison, state: bytes, inside: int) -> Comparison:
        """Compare in one situation more; the play of a parting is left to who knows it."""
        mine = ends_of(self.one, state, inside, self.denied[0])
        theirs = ends_of(self.two, self.moved(state), inside, self.denied[1])
        self.looked += mine.looked + theirs.looked
        situations = known.situations + (self.tells is None or self.tells(state))
        complete = known.complete and mine.whole and theirs.whole
        parting = _part(mine, theirs)
        blind = False
        if parting is None and mine.whole and theirs.whole:
            parting, told = _unlikely(mine, theirs)
            if parting is not None and self._as_likely(mine, theirs):
                parting, blind = None, True
            complete = complete and told
            parting = parting or _unasked(mine, theirs, self.players)
        luck = known.luck or mine.luck or theirs.luck
        several = (known.several or blind
                   or len({who for who, _ in (*mine.asked, *theirs.asked)}) > 1)
        bounds = tuple(dict.fromkeys((*known.bounds, *mine.bounds, *theirs.bounds)))
        return Comparison(
            parting, situations, complete and parting is None, luck, several, bounds)


    def _as_likely(self, ends: Ends, other: Ends) -> bool:
        """Return whether results are as likely if all choose by what they see, which is not all."""
        if not self.closed:
            return False
        odds, odds_too = (seen_odds_of(each, partial(_seen, labels.program))
                          for each, labels in ((ends, self.one), (other, self.two)))
        return odds is not None and len(odds) > 1 and odds == odds_too


def _seen(program: Program, who: int, state: bytes) -> Knowledge:
    return seen(program.machine, program.unpack(state), who if who >= 0 else None)


class _Paused:
    """The situations of a program in which it pauses, as far as it is explored."""

    def __init__(self, program: Program, most: int) -> None:
        self.run = Exploration(program)
        self.run.run(max_states=most)
        nodes = {node.id: node for node in program.machine.nodes}
        rests = [nodes[rest] for rest in program.layout.rests]
        self._before: dict[str, list[int]] = {}
        for number, state in enumerate(self.run.order):
            node = rests[program.rank(state)]
            if node.pause is not None and node.pause[0] == "before":
                self._before.setdefault(own(node.pause[1]), []).append(number)

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
        return program.predicate(condition(game, test))
    return None


def _part(ends: Ends, other: Ends) -> Parting | None:
    """Find a result that one side lacks, or has with other odds: the shortest way to one."""
    both = (ends, other)
    won = set.intersection(*({one[1] for one in each.ways if one[0]} for each in both))
    extra = [[one for one in mine.ways if one not in theirs.ways] if theirs.whole else []
             for mine, theirs in (both, both[::-1])]
    level = WINNER if any(
        one[0] and one[1] not in won for some in extra for one in some) else PUBLIC
    if level == WINNER:  # what is over with winners of both would not show it
        extra = [[one for one in some if not one[0] or one[1] not in won] for some in extra]
    for reading, (mine, theirs) in enumerate((both, both[::-1])):
        if extra[reading]:
            one = min(extra[reading], key=lambda one: (len(mine.ways[one]), one))
            alike = [{*each[3]} for each in theirs.ways if each[:3] == one[:3]]
            wrong = {*one[3]}.difference(*alike), set[Failed]().union(*alike) - {*one[3]}
            told = "the same comes out" if alike else "this result cannot be reached"
            near = () if alike else sorted((
                each for each in theirs.ways if each[:2] == one[:2]), key=lambda each: (
                    each in mine.ways, len(theirs.ways[each]), each))[:MOST_INSTEAD]
            return Parting((), mine.ways[one], reading, level, told,
                           (_classed(wrong[0] if alike else ()), _classed(wrong[1])),
                           tuple(theirs.ways[each] for each in near), len(theirs.ways) == 1)
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
    odds, odds_too = odds_of(ends), odds_of(other)
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


def _denied(game: Game, program: Program) -> Denied:
    """List the claims of a game that something never is so."""
    elab, found = Elaborator(game, Reporter()), list[tuple[Failed, Callable[[bytes], bool]]]()
    for clause in game.clauses:
        if clause.in_force and clause.claim is not None and clause.claim.form == "never":
            with suppress(Unclear):  # such a claim is not checked at all
                test = elab.guard(clause.claim.test, Names({}))
                found.append(((clause.id, "false-claim"), program.stated(test)))
    return tuple(found)


def without_pauses(play: tuple[Label, ...]) -> tuple[Label, ...]:
    """Drop the moves that only leave a pause."""
    return tuple(label for label in play if f": {GO_ON}(" not in label[1])
