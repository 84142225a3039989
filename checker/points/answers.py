"""What the answers to an open point come to, in the situation that is shown."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, starmap

from ...model.game.game import PRINTED, Game
from ...model.machine.state import Move
from ...model.orders.deciders import chosen_at_once
from ...model.plays.wording import many
from ...model.run.interp import UNPLAYABLE
from ..audit.audit import Audit
from ..audit.scoped import Scoped
from ..bench.workbench import Instance, side_by_side
from ..clauses.exercise import may_differ
from ..comparison.equivalence import apart_in_play, same_everywhere
from ..comparison.product import Divergence, Split, split_after
from ..comparison.settled import SLOWLY, Settled, settled_pair
from ..findings.evidence import NotReplayed, moves_of, play_of
from ..findings.outcomes import allows_more, asked_here, barred, later_outcomes, outcome_parts
from ..findings.results import Method, NotChecked, Shown
from ..findings.rows import Elsewhere, Outcome
from ..packed.flags import DUTIES, LEGAL, WINNER
from ..search.labels import Label
from ..search.shorten import in_common
from .left_open import left_open
from .points import Point, has_clauses
from .silences import has_reading
from .situation import (
    Situation,
    Way,
    asked_unlike,
    asks_another,
    at_one_moment,
    before,
    behind,
    looks_unlike,
)

SETTLED = 4_000
"""Pairs of states past moves that nobody picks, of one comparison."""
SAME = "if each player chooses the same, nothing differs whoever is asked first"
KNOWN_LATER = "what whoever is asked later knows of what was chosen before was not compared"
"""What is so under a reading that only asks players in another order, and what that leaves open."""
LONG = 60
"""Beside a play of the printed game with more moves a shorter one is sought in the scopes; beside
one that shows no other moves, what matters more."""
SOON = 8
"""So many moves behind the first difference it is looked for one that can be told."""


@dataclass(frozen=True, slots=True)
class Contrast:
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
    beside: Contrast | None = None
    """What shows it in a scope, with a much shorter play, or better; or shows more elsewhere."""
    also: tuple[str, ...] = ()
    """Other readings that nothing tells from this one."""
    settled: bool = False
    """Whether the play is told without the moves that are made by themselves."""
    pictured: bool = False
    """Whether it shows a situation of the kind that the question is about (`points.pictured`)."""

    def moves(self, instance: Instance, play: tuple[Label, ...]) -> tuple[Move, ...]:
        """Return the moves of a play in a game.

        Raises:
            NotReplayed: if one is not legal there.

        """
        return self.way(instance, play).moves

    def way(self, instance: Instance, play: tuple[Label, ...]) -> Way:
        """Return the same with the lengths that it has where both games have made the same choices.

        Raises:
            NotReplayed: if a move is not legal there.

        """
        if not self.settled:
            return Way(instance, moves_of(instance, play), range(len(play) + 1))
        same = len(play)
        if play == self.best.play and self.best.theirs is not None:
            same = in_common(play, self.best.theirs)
            play = self.best.theirs if instance is self.other else play
        two = self.adopted, self.other
        known = dict(zip(map(id, two), side_by_side(*two), strict=True))
        made = Settled((known.get(id(instance)) or instance.program).whole).in_full(play)
        if made is None:
            raise NotReplayed("a move is not legal under this reading")
        return Way(instance, moves_of(instance, made[0]), made[1][:SLOWLY * same + 1])


def best_of(found: Divergence) -> Split:
    """Return the split at the most important level of what showed one."""
    assert found.best is not None
    return found.best


def really(audit: Audit, point: Point, apart: Contrast) -> tuple[Contrast | None, bool]:
    """Return a difference in moves or ends as it is where somebody has a choice; None if none is.

    That somebody who can do nothing is asked under one reading only is none, nor that another
    player is asked first, if each chooses the same; then it is noted that what who decides later
    knows was not compared.  Also returned is whether all was looked at for one: never where it was
    met in random plays.
    """
    if apart.best.level > LEGAL:
        return apart, True
    one, two = side_by_side(apart.adopted, apart.other)
    pair = settled_pair(one.whole, two.whole)
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
    """Return the note that a reading asks in another order: `knowing` says what comes of that."""
    return left_open(point, f"{SAME}; {KNOWN_LATER}", reading)


def asked_at_once(audit: Audit, point: Point, reading: str) -> bool:
    """Return whether several choose at once under a reading, or under the adopted one, alone.

    No comparison says what each knows then: all make the same choices in both games, and who solves
    a game sees all.
    """
    names = [PRINTED] if has_clauses(audit.printed.game, point) else [
        scope.name for scope in audit.comparable() if has_clauses(scope.instance.game, point)]
    return any(_unlike(audit.bench.game(name), audit.bench.game(name, rulings={point.id: reading}))
               for name in names)


def _unlike(game: Game, other: Game) -> bool:
    """Return whether several choose at once in a clause of one of two games alone."""
    bodies = {clause.id: clause.do for clause in game.clauses}
    changed = [clause.id for clause in other.clauses if clause.do != bodies.get(clause.id)]
    return any(chosen_at_once(game, name) != chosen_at_once(other, name) for name in changed)


def told_apart(audit: Audit, point: Point, apart: Sequence[Contrast]) -> list[Contrast]:
    """Return readings, those as one that neither plays of the printed game nor scopes tell apart.

    What parts from the adopted reading by the same play may be the same; all else is not.  Of what
    a scope shows, the printed game is played in the modes of the scope: its numbers may make equal
    what is not.
    """
    kept: list[Contrast] = []
    for one in apart:
        place = next((number for number, each in enumerate(kept) if _alike(
            audit, point, each, one)), None)
        if place is None:
            kept.append(one)
        else:
            kept[place] = replace(kept[place], also=(*kept[place].also, one.reading))
    return kept


def _alike(audit: Audit, point: Point, one: Contrast, two: Contrast) -> bool:
    """Return whether nothing tells two readings apart."""
    if (one.scope, one.mode, one.best) != (two.scope, two.mode, two.best):
        return False
    try:
        pairs = [(one.other, two.other)]
        if audit.of_printed and one.scope != PRINTED:
            modes = one.other.game.settings.variants
            first, second = (audit.bench.instance(
                PRINTED, rulings={point.id: each.reading}, variants=modes) for each in (one, two))
            pairs.append((first, second))
        if any(apart_in_play(first, second, seed=audit.seed, plays=audit.plays)
               is not None for first, second in starmap(side_by_side, pairs)):
            return False
        return all(same_everywhere(*side_by_side(*(audit.bench.instance(
            scope.name, rulings={point.id: each.reading}) for each in (one, two)))) is True
            for scope in audit.comparable()
            if any(could_differ(audit, scope, point, each.reading) for each in (one, two)))
    except UNPLAYABLE:
        return False


def could_differ(audit: Audit, scope: Scoped, point: Point, reading: str) -> bool:
    """Return whether two readings could differ in a scope, by what ran there."""
    if point.kind == "silence" and not has_reading(scope.instance.game, point.id, reading):
        return False
    clauses = {clause.id: clause for clause in scope.instance.game.clauses}
    return any(may_differ(scope, audit.bench.changes(point.id, name), clauses)
               for name in (point.adopted, reading))


def main_of(audit: Audit, point: Point, apart: list[Contrast]) -> Contrast:
    """Return what shows most: in the printed game, who wins, as chosen, what is asked, soonest.

    What takes more than `LONG` moves is not played for that under all answers.
    """
    def shows(one: Contrast) -> tuple[bool, int, bool, bool]:
        known = (one, *((one.beside,) if one.beside is not None and one.pictured else ()))
        return (one.scope != PRINTED, min(each.best.level for each in known), bool(one.mode),
                not one.pictured)

    def told(one: Contrast) -> int:
        others = [each for each in apart if each is not one]
        return len({*_side_by_side(audit, point, one, others)[0]})

    some = sorted(apart, key=lambda one: (*shows(one), len(one.best.play)))
    few = [one for one in some if shows(one) == shows(some[0]) and len(one.best.play) <= LONG]
    return some[0] if len(apart) == 1 or len(few) < 2 else max(few, key=told)


@dataclass(frozen=True, slots=True)
class Consequences:
    """What answers come to: a line for each, plays to other situations, the situation shown.

    `scene`: of the first two games, after how many moves they come to it, and how many are told.
    `adds`: which of the first two readings only allows more than the other one there; "" if none.
    """

    readings: tuple[Outcome, ...]
    plays: tuple[Shown, ...]
    situation: Situation
    scene: tuple[tuple[int, int], ...]
    adds: str


def answers(audit: Audit, point: Point, main: Contrast, others: Sequence[Contrast]) -> Consequences:
    """Say what each answer comes to from the moment on in which the main one parts.

    The situation is the one before the move from which on the answers are told apart, or, if only
    what may be done differs, after it.  An answer that comes to the same as the adopted one there
    is told with what it comes to elsewhere, and the play to that.  Of answers to a derived question
    that no play told apart the shortest is told.
    """
    titles, split = dict(point.readings), main.best
    told, places, shown = _side_by_side(audit, point, main, others)
    situation = before(shown, fails=split.level == DUTIES)
    summed = situation.summed(shown, told)
    made, plays = list[Outcome](), list[Shown]()
    some = (None, main, *others)
    for number, one in enumerate(some):
        reading = point.adopted if one is None else one.reading
        place = places[number]
        text = summed[place]
        like = next((k for k in range(number) if told[places[k]] == told[place]), None)
        beside = None
        if one is not None and like is not None:
            first = some[like]
            if not place:
                text = "not reached by the moves shown"
            elif text == summed[places[like]]:
                text = f"the same here as under the {_ordinal(like)} answer"
            other = one if first is None or not place else _between(audit, point, first, one)
            beside = None if other is None else _elsewhere(other, titles[made[like].id], plays)
        also = () if not number else (main, *others)[number - 1].also
        alike = [titles.get(each, each) for each in (reading, *also)]
        title = min(alike, key=len) if point.kind == "silence" else "; or ".join(alike) + (
            " (no play told them apart)" * bool(also))
        made.append(Outcome(reading, title, text, elsewhere=beside))
    scene = tuple((begun, len(way.moves)) for begun, way in zip(
        situation.since[:2], shown, strict=False))
    adds = allows_more([each[:2] for each in shown[:2]])
    return Consequences(tuple(made), tuple(plays), situation, scene,
                        "" if adds is None else made[adds].id)


def _ordinal(place: int) -> str:
    names = "first", "second", "third", "fourth", "fifth", "sixth"
    return names[place] if place < len(names) else f"{place + 1}th"


def _elsewhere(one: Contrast, title: str, plays: list[Shown]) -> Elsewhere:
    """Tell by its own play what a reading comes to, and what under another title; add the play."""
    ways, told, _ = _parting(
        one, [one.way(game, one.best.play) for game in (one.adopted, one.other)])
    there = before(ways, fails=one.best.level == DUTIES, play=1)
    mine, text = there.summed(ways, told)
    plays.append(Shown(one.reading, play_of(*ways[1][:2]), elsewhere=True))
    which = f" {one.mode}" * bool(one.mode)
    return Elsewhere(
        f"in another game{which}, after {many(len(ways[1].moves), 'move')}", text, title, mine,
        there.position)


def _between(audit: Audit, point: Point, one: Contrast, two: Contrast) -> Contrast | None:
    """Look for what tells two readings apart in random plays, which need not be the adopted one."""
    if (one.scope, one.mode) != (two.scope, two.mode):
        return None
    first, second = side_by_side(one.other, two.other)
    play = apart_in_play(first, second, seed=audit.seed, plays=audit.plays)
    if play is None:
        return None
    found = split_after(first, second, play)
    return None if found.best is None else really(audit, point, Contrast(
        two.reading, one.other, two.other, found, found.best, two.scope, "sampled", two.mode))[0]


def _side_by_side(
    audit: Audit, point: Point, main: Contrast, others: Sequence[Contrast]
) -> tuple[list[str], list[int], list[Way]]:
    """Return what answers come to where the main one parts, and the games till there.

    With it for each answer which of these is told of it: that of the adopted one where the
    situation does not come up.
    """
    two = [main.way(game, main.best.play) for game in (main.adopted, main.other)]
    there = [_there(audit, point, main, one) for one in others]
    whole, short = ([way for way in there if way is not None and way.whole == each]
                    for each in (True, False))
    shown, told, reach = _parting(main, [*two, *whole], short)
    order = [*whole, *reach]
    places = [0, 1, *(0 if way is None or way not in order else 2 + order.index(way)
                      for way in there)]
    return told, places, shown


def _parting(
    main: Contrast, ways: list[Way], short: Sequence[Way] = ()
) -> tuple[list[Way], list[str], list[Way]]:
    """Return ways as far as to where they are told apart first, and what they come to there.

    Who wins in the end, and what tells more of them apart, is told behind that; and, if no more
    hangs on it, what may soon be done under one of them alone.  Where what is chosen comes to the
    same in the end, that is where it is asked for under one answer alone; and where another player
    is asked the same, that is told first.  With them go those of the `short` ways that come so far,
    which are returned as they were, too.
    """
    told = _parts(ways, main.best.level)
    whole = ["; ".join(parts) for parts in told]
    if len({*whole}) < 2:
        whole = later_outcomes([each[:2] for each in ways], whole)
        told = [(text,) for text in whole]
    first = main.found.first
    another = asks_another(ways)
    if another is not None and len(
            {asked_here(*each.cut(another)[:2]) for each in ways[:2]}) < 2:
        another = None
    for place in chain([] if another is None else [another], islice(looks_unlike(
            ways, first, main.best.play, settled=main.settled), SOON)):
        here = (first is not None and main.best.play[:place] == first.play and not main.settled)
        reach = [each for each in short if place < len(each.lengths)]
        both = [*ways, *reach]
        shorter = [each.cut(place) for each in both]
        soon = [asked_here(*each[:2]) for each in shorter] if place == another else _parts(
            shorter, first.level if first is not None and here else LEGAL)
        if len({*soon[:2]}) > 1:
            more = main.best.level == WINNER or len({*soon}) < len({*told})
            near = max(len(each.moves) - each.lengths[place] for each in ways) <= SOON
            shut = main.best.level == LEGAL and near and not any(_barred(shorter))
            ends = [*(told if more else _barred(ways) if shut else [()] * len(ways)),
                    *[()] * len(reach)]
            return shorter, [_in_turn(one, end, each.onward(place))
                             for each, one, end in zip(both, soon, ends, strict=True)], reach
    for place in islice(asked_unlike(ways), SOON if len({*whole[:2]}) < 2 else 0):
        shorter = [each.cut(place) for each in ways]
        soon = _parts(shorter, LEGAL)
        if len({*soon[:2]}) > 1:
            return shorter, ["; ".join(parts) for parts in soon], []
    own = main.settled and all(
        len(each.lengths) > SLOWLY and each.lengths[-1] == len(each.moves) for each in ways)
    met = at_one_moment(ways, -SLOWLY) if own else None
    if met is not None:
        soon = _parts(met, LEGAL)
        if len({*soon[:2]}) > 1:
            return met, ["; ".join(parts) for parts in soon], []
    return ways, whole, []


def _barred(ways: Sequence[Way]) -> list[tuple[str, ...]]:
    return barred([each[:2] for each in ways])


def _parts(ways: Sequence[Way], level: int) -> list[tuple[str, ...]]:
    return outcome_parts([each[:2] for each in ways], level)


def _in_turn(soon: tuple[str, ...], later: tuple[str, ...], when: str) -> str:
    """Tell what comes at once, and then what is new."""
    new = [part for part in later if part not in soon]
    return "; ".join((*soon, *[behind(when, "; ".join(new))] * bool(new)))


def _there(audit: Audit, point: Point, main: Contrast, one: Contrast) -> Way | None:
    """Return the game under another answer in the moves of the main one, as far as they are legal.

    None if it cannot be played so at all.
    """
    game = one.other
    if (one.scope, one.mode) != (main.scope, main.mode):
        if point.kind == "rules":
            return None
        settings = main.adopted.game.settings
        game = audit.bench.instance(main.scope, rulings={point.id: one.reading},
                                    variants=settings.variants, players=main.adopted.game.players)
    play = main.best.play
    try:
        return main.way(game, play)
    except NotReplayed:
        most = bisect_left(range(len(play)), 1, key=lambda n: not _legal(main, game, play[:n]))
        return main.way(game, play[:most - 1])._replace(whole=False) if most > 1 else None


def _legal(main: Contrast, game: Instance, play: tuple[Label, ...]) -> bool:
    """Return whether the moves of a play are legal in a game."""
    try:
        main.way(game, play)
    except NotReplayed:
        return False
    return True
