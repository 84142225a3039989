"""Windows in which two players can act at the same moment: whether it matters who acts first.

That one order of asking reaches every play says nothing of who may act first where two want to.  So
in each situation at which nobody has said who acts, each act of one player is tried before and
after each act of another: what comes out must be the same, and neither may shut the other out.
Even so the order is not harmless: whoever decides later knows more (`knowing`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from ...model.game.game import PRINTED
from ...model.machine.machine import Machine, Node
from ...model.plays.wording import many
from ...model.run.interp import UNPLAYABLE
from ..audit.audit import Audit
from ..engine.program import Program
from ..findings.evidence import moves_of, play_of
from ..findings.observations import Observation
from ..findings.outcomes import outcomes
from ..findings.results import LEVELS, Evidence, Method, Shown
from ..findings.rows import Outcome
from ..packed.flags import FILTERED, LEGAL, PUBLIC, WINNER, Successor
from ..points.left_open import left_open
from ..points.points import Point, has_clauses
from ..points.readings import about, asked
from ..points.situation import come_to
from ..search.explore import Exploration
from ..search.labels import Label, Labels
from ..search.playouts import again
from .knowing import asks_first, compare_windows, undecided
from .passages import without_pauses

MOST = 40_000
"""Situations of which the moves are listed in one search."""
TRIED = 40
"""Random plays of the printed game in which races are looked for."""
STATES = 60_000
"""Situations of a scope in which they are."""
INSIDE = 1_000
"""The same from one act to the next time that anybody may act."""

Way = tuple["Label", ...]
Ending = tuple[bool, bytes, bytes, bytes, tuple[Way, Way]]
"""Whether the game is over, who has won, what all and not all see; and what was chosen in each act,
of which nothing but who is next is there if the other one shut it out."""


@dataclass(frozen=True, slots=True)
class Race:
    """A situation with two acts of two players: the plays of both orders from there on."""

    state: bytes
    players: tuple[int, int]
    ways: tuple[Way, Way]
    level: int


def compare_acts(audit: Audit, point: Point) -> None:
    """Report a window in which it matters who acts first, or say that it does not, and where."""
    (window,) = point.names
    scopes = [scope for scope in audit.comparable() if has_clauses(scope.instance.game, point)]
    names = [scope.name for scope in scopes]
    situations, whole = 0, bool(scopes)
    for name in names if PRINTED in names or not audit.of_printed else [PRINTED, *names]:
        try:
            paused = audit.bench.instance(name, rulings={point.id: "unstated"},
                                          pauses=frozenset(point.names))
            races = Races(paused.program.whole, window)
            states, way = (_explored(races) if name in names else _played(audit, races))
            race = races.first(states)
        except UNPLAYABLE:
            whole = False
            continue
        if race is not None:
            method: Method = "exhaustive" if name in names else "sampled"
            _report(audit, point, (name, method), race, way(race.state))
            return
        situations += races.situations
        whole = whole and (races.whole or name not in names)
    looked = [audit.within(scopes)] * bool(scopes) + (
        [] if PRINTED in names or not audit.of_printed
        else [f"{TRIED} random plays of the printed game"])
    if not situations:
        audit.not_checked.append(left_open(
            point, "never can two players act at once in " + ", nor in ".join(looked)))
        return
    compare_windows(audit, point, f"two can act at once in {many(situations, 'situation')} of "
           f"{' and '.join(looked)}, and if both do the same the same comes out whoever is first"
           + ", as far as was looked at" * (not whole),
           (*names, *[PRINTED] * (len(looked) > bool(scopes))))


Ways = Callable[[bytes], "Way"]
"""Gives the moves to a situation."""


def _explored(races: Races) -> tuple[list[bytes], Ways]:
    """Return the situations of a scope, nearest first."""
    run = Exploration(races.program)
    races.whole = run.run(max_states=STATES).complete

    def way(state: bytes) -> Way:
        return tuple(map(races.labels.of_move, run.path(run.order.index(state))))

    return list(run.order), way


def _played(audit: Audit, races: Races) -> tuple[list[bytes], Ways]:
    """Return the situations of some random plays of the printed game."""
    program = races.program
    found: dict[bytes, tuple[int, int]] = {}
    for number in range(TRIED):
        state = program.start()[0]
        for place, move in enumerate(again(program, plays=audit.plays, seed=audit.seed,
                                           number=number)):
            found.setdefault(state, (place, number))
            row = program.taken(state, move)
            state = (row and row[2]) or state

    def way(state: bytes) -> Way:
        place, number = found[state]
        moves = again(program, plays=audit.plays, seed=audit.seed, number=number)
        return tuple(map(races.labels.of_move, moves[:place]))

    return sorted(found, key=found.__getitem__), way


def _report(
    audit: Audit, point: Point, where: tuple[str, Method], race: Race, before: Way
) -> None:
    """Report a race: the two plays, and what each leads to."""
    scope, method = where
    instance = audit.bench.instance(scope, rulings={point.id: "unstated"})
    plays = [moves_of(instance, without_pauses((*before, *way))) for way in race.ways]
    machine = instance.compiled.machine
    told = outcomes([(instance, play) for play in plays], race.level)
    there = come_to(instance, plays[0], len(without_pauses(before)))
    audit.observe(Observation(
        about(point), point.clauses,
        Evidence("split", method, scope, position=there,
                 plays=tuple(Shown("unstated", play_of(instance, play)) for play in plays),
                 depth=len(plays[0]), replayed=True),
        LEVELS[race.level], question=asked(point), readings=tuple(
            Outcome(reading, f"{machine.player_names[player]} is first",
                    text)
            for reading, player, text in zip(
                asks_first(race.players), race.players, told, strict=True))))


class Races:
    """Looks for races in a window of a machine that pauses behind it.

    The machine asks the players in every order.
    """

    def __init__(self, program: Program, window: str) -> None:
        self.program = program
        self.labels = Labels(program)
        machine = program.machine
        self.nodes = {node.id: _ends(machine, node) for node in undecided(machine, window)}
        """Where nobody has said who acts; with that, and where the window is closed then."""
        self.situations = 0
        """How many were looked at in which two players could act."""
        self.whole = True
        """Whether all was looked at that they could do there."""
        self._left = MOST

    def first(self, states: Iterable[bytes]) -> Race | None:
        """Return the first race in some situations; one that decides who wins comes before all."""
        best: Race | None = None
        for state in states:
            if self._node(state) not in self.nodes:
                continue
            if self._left <= 0:
                self.whole = False
                break
            for race in self._at(state):
                if race.level == WINNER:
                    return race
                best = best or race
        return best

    def _at(self, state: bytes) -> Iterator[Race]:
        """Yield the races of one situation."""
        asked = {move[1][0]: move for move in self._legal(state)}
        acts = {player: [(self.labels.of(move), act) for act in self._legal(move[2])
                         if act[0] not in self.program.passes]
                for player, move in asked.items() if move[2] is not None}
        able = [player for player, some in acts.items() if some]
        self.situations += len(able) > 1
        for one, two in combinations(able, 2):
            for first in acts[one]:
                for second in acts[two]:
                    mine = self._both(state, first, second)
                    theirs = self._both(state, second, first)
                    if mine is None or theirs is None:
                        self.whole = False
                    elif mine.keys() != theirs.keys():
                        yield self._race(state, (one, two), mine, theirs)  # type: ignore[arg-type]

    def _race(self, state: bytes, players: tuple[int, int], mine: dict[Ending, Way],
              theirs: dict[Ending, Way]) -> Race:
        won, won_too = ({one[1] for one in each if one[0]} for each in (mine, theirs))
        shut = any(len(act) == 1 for each in (mine, theirs) for one in each for act in one[4])
        level = WINNER if won != won_too else LEGAL if shut else PUBLIC
        return Race(state, players, _unlike(mine, theirs), level)

    def _both(
        self, state: bytes, first: tuple[Label, Successor], second: tuple[Label, Successor]
    ) -> dict[Ending, Way] | None:
        """Return what comes out of one act and then another; None if that is too much."""
        found: dict[Ending, Way] = {}
        home = self._node(state)
        ends = self._after(home, (first[0], self.labels.of(first[1])), first[1][2])
        again = (second[0], self.labels.of(second[1]))
        for end, way in ends or ():
            there = self._follow(end, again) if self._node(end) == home else None
            if there is None:
                found.setdefault(self._ending(end, (way, (second[0],))), way)
                continue
            last = self._after(home, again, there)
            if last is None:
                return None
            for over, its in last:
                found.setdefault(self._ending(over, (way, its)), (*way, *its))
        return None if ends is None else found

    def _ending(self, state: bytes, acts: tuple[Way, Way]) -> Ending:
        over, labels = self.program.kind(state) == "final", self.labels
        mine, theirs = sorted(acts)
        return (over, labels.winners(state) if over else b"", labels.public(state),
                labels.hidden(state), (mine, theirs))

    def _after(
        self, home: int, way: Way, state: bytes | None
    ) -> list[tuple[bytes, Way]] | None:
        """Return where an act can end, with all ways to it; None if that is too much.

        That is where anybody may act again, where the window is closed, or the game is over.
        """
        found: list[tuple[bytes, Way]] = []
        todo = [] if state is None else [(state, way)]
        for number, (here, its) in enumerate(todo):
            if self.program.kind(here) == "final" or self._node(here) in self.nodes[home]:
                found.append((here, its))
                continue
            if number >= INSIDE or self._left <= 0:
                return None
            for move in self._legal(here):
                if move[2] is None:
                    return None
                todo.append((move[2], (*its, self.labels.of(move))))
        return found if todo else None

    def _node(self, state: bytes) -> int:
        return self.program.layout.rests[self.program.rank(state)]

    def _follow(self, state: bytes, way: Way) -> bytes | None:
        here: bytes | None = state
        for label in way:
            if here is not None:
                self._left -= 1
                here = self.labels.find(here, label)
        return here

    def _legal(self, state: bytes | None) -> list[Successor]:
        """Return the legal moves of a situation."""
        if state is None:
            return []
        self._left -= 1
        return [move for move in self.program.succ(state) if not move[3] & FILTERED
                and (self.program.kind(state) != "chance" or move[2] is not None)]


def _ends(machine: Machine, home: Node) -> set[int]:
    """Return where one comes to from a rest if players pass: there again, or out of the window."""
    nodes = {node.id: node for node in machine.nodes}
    asked = [nodes[edge.target] for edge in home.edges]
    todo = [edge.target for node in asked for edge in node.edges if edge.passes]
    found = {home.id}
    for number in todo:
        if nodes[number].kind != "rules":
            found.add(number)
            continue
        todo += [edge.target for edge in nodes[number].edges if edge.target not in todo]
    return found


def _unlike(mine: dict[Ending, Way], theirs: dict[Ending, Way]) -> tuple[Way, Way]:
    """Return two ways to different ends: if possible to other winners, by the same choices."""
    pairs = ((one, two) for one in mine for two in theirs
             if one not in theirs or two not in mine)
    one, two = min(pairs, key=lambda pair: (pair[0][1] == pair[1][1], pair[0][4] != pair[1][4]))
    return mine[one], theirs[two]
