"""What the answers to an open point come to, in the situation that is shown."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice, starmap
from typing import TYPE_CHECKING, Any

from ...model.game.game import PRINTED
from ...model.plays.wording import many
from ...model.run.interp import EndlessRules
from ...model.source.errors import SpecErrors, UsageError
from ..bench.workbench import side_by_side
from ..comparison.equivalence import apart_in_play, same_everywhere
from ..comparison.settled import Settled, SettledPair
from ..findings.evidence import NotReplayed, moves_of, play_of, position_of, state_after
from ..findings.outcomes import (
    board_seen,
    later_outcomes,
    outcome_parts,
    outcomes,
    set_aside,
)
from ..findings.results import NotChecked, Outcome, Shown
from ..packed.flags import DUTIES, LEGAL

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...model.machine.state import Move
    from ..bench.workbench import Instance
    from ..comparison.product import Divergence, Split
    from ..findings.results import Method
    from ..judge.audit import Audit
    from ..search.labels import Label
    from .points import Point


SETTLED = 4_000
"""Pairs of states past moves that nobody picks, of one comparison."""
LATER = ("if each player chooses the same, nothing differs whoever is asked first; what who "
         "decides later knows of it was not compared")
"""Why nothing is said of a reading that only asks players in another order."""
SOON = 8
"""So many moves behind the first difference it is looked for one that can be told."""


@dataclass(frozen=True, slots=True)
class Apart:
    """A reading that was told apart from the adopted one: in a scope, or at the printed size."""

    reading: str
    adopted: Instance
    other: Instance
    found: Divergence
    best: Split
    scope: str
    method: Method
    mode: str = ""
    """In which mode the printed game was played, in words; "" in the chosen one."""
    smaller: Apart | None = None
    """What shows it in a scope, with a much shorter play, or better."""
    also: tuple[str, ...] = ()
    """Other readings that nothing tells from this one."""
    settled: bool = False
    """Whether the play is told without the moves that are made by themselves."""

    def moves(self, instance: Instance, play: tuple[Label, ...]) -> tuple[Move, ...]:
        """Return the moves of a play in a game.

        Raises:
            NotReplayed: if one is not legal there.

        """
        if not self.settled:
            return moves_of(instance, play)
        if instance is self.other and play == self.best.play and self.best.theirs is not None:
            play = self.best.theirs
        two = self.adopted, self.other
        known = dict(zip(map(id, two), side_by_side(*two), strict=True))
        made = Settled((known.get(id(instance)) or instance.program).whole).in_full(play)
        if made is None:
            raise NotReplayed("a move is not legal under this reading")
        return moves_of(instance, made)


def best_of(found: Divergence) -> Split:
    """Return the split at the most important level of what showed one."""
    assert found.best is not None
    return found.best


def really(audit: Audit, point: Point, apart: Apart) -> tuple[Apart | None, bool]:
    """Return a difference in moves or ends as it is where somebody has a choice; None if none is.

    That somebody who can do nothing is asked under one reading only is none, nor that another
    player is asked first, if each chooses the same; then it is noted that what who decides later
    knows was not compared.  Also returned is whether all was looked at for one: never where it was
    met in random plays.
    """
    if apart.best.level > LEGAL:
        return apart, True
    one, two = side_by_side(apart.adopted, apart.other)
    pair = SettledPair(one.whole, two.whole)
    if pair.tells(apart.best.play):
        return apart, True
    found = pair.in_play(seed=audit.seed, longest=audit.plays.longest) if (
        apart.method == "sampled") else pair.everywhere(SETTLED)
    if found.best is not None:
        return replace(apart, found=found, best=found.best, settled=True), True
    note = later(point, apart.reading)
    if pair.crossed and note not in audit.not_checked:
        audit.not_checked.append(note)
    return None, found.complete


def later(point: Point, reading: str) -> NotChecked:
    """Return the note that it was not compared what players know of each other's choices."""
    return NotChecked(f"{point.id} = {reading}", f"{point.asks}: {LATER}")


def told_apart(audit: Audit, point: Point, apart: Sequence[Apart]) -> list[Apart]:
    """Return readings, those as one that neither plays of the printed game nor scopes tell apart.

    What parts from the adopted reading by the same play may be the same; all else is not.  Of what
    a scope shows, the printed game is played in the modes of the scope: its numbers may make equal
    what is not.
    """
    kept: list[Apart] = []
    for one in apart:
        place = next((number for number, each in enumerate(kept) if _alike(
            audit, point, each, one)), None)
        if place is None:
            kept.append(one)
        else:
            kept[place] = replace(kept[place], also=(*kept[place].also, one.reading))
    return kept


def _alike(audit: Audit, point: Point, one: Apart, two: Apart) -> bool:
    """Return whether nothing tells two readings apart."""
    if (one.scope, one.mode, one.best) != (two.scope, two.mode, two.best):
        return False
    try:
        pairs = [(one.other, two.other)]
        if one.scope != PRINTED:
            modes = one.other.game.settings.variants
            first, second = (audit.bench.instance(
                PRINTED, rulings={point.id: each.reading}, variants=modes) for each in (one, two))
            pairs.append((first, second))
        if any(apart_in_play(first.whole, second.whole, seed=audit.seed, plays=audit.plays)
               is not None for first, second in starmap(side_by_side, pairs)):
            return False
        return all(same_everywhere(*side_by_side(*(audit.bench.instance(
            scope.name, rulings={point.id: each.reading}) for each in (one, two)))) is True
            for scope in audit.comparable())
    except (SpecErrors, UsageError, EndlessRules):
        return False


@dataclass(frozen=True, slots=True)
class Answered:
    """What answers come to: a line for each, plays to other situations, the situation shown."""

    readings: tuple[Outcome, ...]
    plays: tuple[Shown, ...]
    position: dict[str, Any]


def answers(point: Point, main: Apart, others: Sequence[Apart]) -> Answered:
    """Say what each answer comes to from the moment on in which the main one parts.

    The situation is the one before the move from which on the answers are told apart, or, if only
    what may be done differs, after it.  An answer that comes to the same as the adopted one there
    is told with what it comes to elsewhere, and the play to that.  Of answers to a derived question
    that come to the same in every play the shortest is told.
    """
    titles, split = dict(point.readings), main.best
    ways = [(main.adopted, main.moves(main.adopted, split.play)),
            (main.other, main.moves(main.other, split.play))]
    places = [0, 1]
    for one in others:
        here = _there(main, one)
        places.append(0 if here is None else len(ways))
        ways += [] if here is None else [(one.other, here)]
    (length, told), made, plays = _parting(main, ways), list[Outcome](), list[Shown]()
    for number, reading in enumerate((point.adopted, main.reading,
                                      *(one.reading for one in others))):
        place = places[number]
        text = told[place]
        if number > 1 and told[place] == told[0]:
            one = others[number - 2]
            best = one.best.play
            theirs = one.moves(one.other, best)
            plays.append(Shown(reading, play_of(one.other, theirs), elsewhere=True))
            elsewhere = outcomes(
                ((one.adopted, one.moves(one.adopted, best)), (one.other, theirs)), one.best.level)
            how = ("the same here; it differs in another game" if place else
                   "this situation does not come up; in another game")
            text = f"{how}, after {many(len(theirs), 'move')}: {elsewhere[1]}"
        also = () if not number else (main, *others)[number - 1].also
        alike = [titles.get(each, each) for each in (reading, *also)]
        title = min(alike, key=len) if point.kind == "silence" else "; or ".join(alike) + (
            " (the same in every play)" * bool(also))
        made.append(Outcome(reading, title, text))
    return Answered(tuple(made), tuple(plays), _before(
        ways, length, fails=split.level == DUTIES))


def _parting(
    main: Apart, ways: Sequence[tuple[Instance, tuple[Move, ...]]]
) -> tuple[int, list[str]]:
    """Return after how many moves ways are told apart first, and what they come to from there on.

    What a game that goes on comes to at its end is told behind that.
    """
    best, first, longest = main.best, main.found.first, len(ways[0][1])
    told = outcome_parts(ways, best.level)
    whole = ["; ".join(parts) for parts in told]
    if len({*whole}) < 2:
        whole = later_outcomes(ways, whole)
        told = [(text,) for text in whole]
    if main.settled or first is None or best.play[:len(first.play)] != first.play:
        return longest, whole
    start = max(1, len(first.play))
    for length in islice(_seen_lengths(ways[:2], start, longest), SOON):
        level = first.level if length == len(first.play) else LEGAL
        soon = outcome_parts([(game, moves[:length]) for game, moves in ways], level)
        if len({*soon[:2]}) > 1:
            later = many(longest - length, "more move")
            return length, [_in_turn(one, end, f"after {later}")
                            for one, end in zip(soon, told, strict=True)]
    return longest, whole


def _seen_lengths(
    two: Sequence[tuple[Instance, tuple[Move, ...]]], start: int, longest: int
) -> Iterator[int]:
    """Yield after how many moves two games can be told apart by what players see of them.

    Not as long as the games differ in what lies in internal zones: a card that one of them has put
    there is on its way, and that it is not where it lies in the other is no difference.  After that
    only where the two look different.
    """
    states = [state_after(game, moves[:start]) for game, moves in two]
    waited = False
    for length in range(start, longest):
        if length > start:
            states = [state_after(game, moves[length - 1:length], state)
                      for (game, moves), state in zip(two, states, strict=True)]
        ends = [(game, state) for (game, _), state in zip(two, states, strict=True)]
        one, other = (set_aside(*end) for end in ends)
        if one != other:
            waited = True
        elif not waited or board_seen(*ends[0]) != board_seen(*ends[1]):
            yield length


def _in_turn(soon: tuple[str, ...], later: tuple[str, ...], when: str) -> str:
    """Tell what comes at once, and then what is new."""
    new = [part for part in later if part not in soon]
    return "; ".join(soon) + (f"; {when}: {'; '.join(new)}" if new else "")


def _before(
    ways: Sequence[tuple[Instance, tuple[Move, ...]]], length: int, *, fails: bool
) -> dict[str, Any]:
    """Return the last situation that looks the same in two games, of those after so many moves.

    If something `fails`, that is before the move on which it does.
    """
    (adopted, mine), (other, theirs) = ways[:2]
    after = state_after(adopted, mine[:length])
    if not length or (not (fails or adopted.interpreter.final(after)) and board_seen(
            adopted, after) == board_seen(other, state_after(other, theirs[:length]))):
        return position_of(adopted, after)
    return position_of(adopted, state_after(adopted, mine[:length - 1]), mine[length - 1])


def _there(main: Apart, one: Apart) -> tuple[Move, ...] | None:
    """Return the moves to the situation of the main answer under another one; None if not legal."""
    if (one.scope, one.mode) != (main.scope, main.mode):
        return None
    try:
        return main.moves(one.other, main.best.play)
    except NotReplayed:
        return None
