"""Two machines side by side, where each player makes the same choices in both.

A pass of somebody who holds nothing that could be played is no decision, so that one reading asks
for it and another one does not is no difference; nor is who is next where no rule says so, if only
one of those who may be has a choice.  Both machines make such moves by themselves, and are compared
where somebody, or chance, picks.

Where each asks another player, the first goes on, and what is chosen there is owed in the second
until it asks the same one: that is a difference if it offers something else then, or never asks.
What who decides later knows of it is not compared; `crossed` says that there was such a case.  And
where one game is over and the other one not yet, it is only one if that may end otherwise.

It is asked only where the moves as such differ (`lockstep`), so it is done in Python.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from functools import lru_cache
from typing import NamedTuple

from ..drivers.draws import ALL, GAMMA, mixed
from ..engine.program import Program
from ..packed.flags import BEYOND, FILTERED, LEGAL, WINNER, Successor
from ..search.labels import Label, Labels
from ..search.shorten import fewer, in_common
from .courses import of_play
from .lockstep import Pair, SideBySide
from .product import Divergence, Split

Play = tuple[Label, ...]

LONGEST = 200
"""Moves that a machine makes by itself, one after the other, before it rests all the same."""
STEPS = 10_000
"""Moves of random plays in which a difference is looked for."""
SLOWLY = 5
"""At so many places behind a choice two games are compared that go on by themselves."""
TRIES = 2_000
"""Plays that are tried to shorten one."""
OWED = 4
"""So many choices at most are made in one game before the other one asks for them."""
ENDS = 500
"""Situations in which it is looked how a game ends that the same moves end under the other."""


class Settled:
    """One program, whose plays are told without the moves that it makes by itself."""

    def __init__(self, program: Program) -> None:
        self.program, self.labels = program, Labels(program)
        self.passes = {self.labels.edges[edge] for edge in program.passes}
        self._rests: dict[bytes, tuple[bytes, Play]] = {}

    def rest(self, packed: bytes) -> tuple[bytes, Play]:
        """Return where somebody, or chance, picks next, and the moves made by themselves till then.

        In what goes round for ever it is where it begins.
        """
        found = self._rests.get(packed)
        if found is None:
            found = self._rests[packed] = self._rest(packed)
        return found

    def forget(self) -> None:
        """Forget where situations come to rest, which may be many."""
        self._rests.clear()

    def _rest(self, packed: bytes) -> tuple[bytes, Play]:
        state = packed
        made: list[Label] = []
        while (row := self._alone(state)) is not None:
            made.append(self.labels.of(row))
            assert row[2] is not None
            state = row[2]
            if len(made) == LONGEST:
                return packed, ()
        return state, tuple(made)

    def _alone(self, packed: bytes) -> Successor | None:
        """Return the move that is made by itself; None where there is another one, or none."""
        moves = self.legal(packed)
        if self.program.kind(packed) == "open":
            moves = [row for row in moves if row[2] is None or self._chooses(row[2])] or moves[:1]
        return moves[0] if len(moves) == 1 and moves[0][2] is not None else None

    def _chooses(self, packed: bytes) -> bool:
        return self.program.kind(packed) != "decide" or len(self.legal(packed)) > 1

    def telling(self, moves: Iterable[Label]) -> list[Label]:
        """Return those of some moves of players that are more than to pass."""
        return [label for label in moves if label[0] == "decide" and label[:2] not in self.passes]

    def legal(self, packed: bytes) -> list[Successor]:
        """Return the legal moves."""
        return [row for row in self.program.succ(packed) if not row[3] & FILTERED]

    def in_full(self, play: Play) -> tuple[Play, list[int]] | None:
        """Return a play with the moves that are made by themselves; None if it is not legal.

        With it how many moves there are at the first choice, and for each choice with it, with the
        first moves made by themselves after it, and till the next one: `SLOWLY` numbers.
        """
        state, begun = self.rest(self.program.start()[0])
        made = [*begun]
        lengths = [len(made)]
        for label in play:
            row = self.labels.legal(state).get(label)
            if row is None or row[2] is None:
                return None
            state, more = self.rest(row[2])
            made.append(label)
            lengths += [len(made) + min(n, len(more)) for n in range(SLOWLY - 1)]
            made += more
            lengths.append(len(made))
        return tuple(made), lengths


class PendingChoice(NamedTuple):
    """A choice made in the first game, and among what; the second one has yet to ask for it."""

    who: int
    among: frozenset[Label]
    label: Label


class Standing(NamedTuple):
    """Where two games are: their states, what is owed in the second, and the plays to there.

    `waits` are the moves with an effect that one made by itself and the other one not yet, with how
    many more the first made, and `age` for how many choices that is so.  `left` are the plays to
    where they last were at the same point, if something is owed; `unlike`:
    somebody is offered something else than in the other game.  `alone`: one is over, by moves that
    it made by itself where the other one asked for more.  `doubt` are the plays to where a choice
    was owed that the second may never have asked for, as it was paid where the first asked the same
    one for the same: until nothing is owed where both ask alike, other moves part from there on.
    """

    pair: Pair
    owed: tuple[PendingChoice, ...] = ()
    waits: tuple[tuple[Label, int], ...] = ()
    age: int = 0
    plays: tuple[Play, Play] = ((), ())
    left: tuple[Play, Play] = ((), ())
    unlike: bool = False
    alone: bool = False
    doubt: tuple[Play, Play] | None = None

    @property
    def key(self) -> Hashable:
        """What tells it from others, whatever was played till there."""
        return (self.pair, self.owed, frozenset(self.waits), self.age, self.unlike, self.alone,
                self.doubt is None)


class SettledPair:
    """Two machines of one game, each past what it does by itself; see `settled_pair`."""

    def __init__(self, first: Program, second: Program) -> None:
        self.both = SideBySide(first, second)
        self.one, self.two = Settled(self.both.first), Settled(self.both.second)
        self.crossed = False
        self.bounds: tuple[str, ...] = ()
        """The bounds of the model that one of them met first, and the other did not."""
        self.crossings: dict[Pair, tuple[Play, Play]] = {}
        """Where each asks another one and nothing is owed, with the plays to there."""
        self._play: Play = ()
        self._pairs: list[Pair] = []
        self._compared: dict[int, Divergence] = {}

    def rest(self, pair: Pair) -> Pair:
        """Return where both rest."""
        return self.one.rest(pair[0])[0], self.two.rest(pair[1])[0]

    def settle(self, at: Standing) -> Standing:
        """Go on to where both rest and nothing is asked for that is owed."""
        if at.waits:
            at = at._replace(age=at.age + 1) if at.age < OWED else at._replace(waits=(), age=0)
        while True:
            (s, mine), (t, theirs) = self.one.rest(at.pair[0]), self.two.rest(at.pair[1])
            waits = Counter(dict(at.waits))
            waits.update(self.one.telling(mine))
            waits.subtract(self.two.telling(theirs))
            left = tuple((label, many) for label, many in waits.items() if many)
            at = at._replace(waits=left, age=at.age if left else 0)
            who = self.two.labels.asks(t)
            debt = next((each for each in at.owed if each.who == who), None)
            if debt is None:
                alone = "final" not in self._kinds(at.pair) and "final" in self._kinds((s, t))
                paid = at.doubt is not None and not at.owed and self._asks_alike((s, t))
                doubt = None if paid else at.doubt
                return at._replace(pair=(s, t), left=at.left if at.owed else at.plays, alone=alone,
                                   doubt=doubt)
            legal = self.two.labels.legal(t)
            after = legal[debt.label][2] if legal.keys() == debt.among else None
            if after is None:
                return at._replace(pair=(s, t), unlike=True)
            owed = list(at.owed)
            owed.remove(debt)
            doubt = at.doubt or (at.left if self._asks_alike((s, t)) else None)
            at = at._replace(pair=(s, after), owed=tuple(owed), doubt=doubt,
                             plays=(at.plays[0], (*at.plays[1], debt.label)))

    def follow(self, play: Play) -> Pair | None:
        """Return the pair that a play leads to; None if it is not legal in both.

        What it shares with the play before is not played again.
        """
        kept = in_common(self._play, play)
        self._play, self._pairs = play, self._pairs[:kept + 1] or [self.rest(self.both.start())]
        for at, label in enumerate(play[kept:], kept):
            found = next((way.pair for way in self.both.ways(self._pairs[at])
                          if way.label == label), None)
            if found is None:
                self._play = play[:at]
                return None
            self._pairs.append(self.rest(found))
        return self._pairs[-1]

    def tells(self, play: Play) -> bool:
        """Return whether other moves are legal, or others have won, past a play of every move."""
        pair: Pair | None = self.both.start()
        for label in play:
            assert pair is not None
            pair = next((way.pair for way in self.both.ways(pair) if way.label == label), None)
        return pair is None or min(self.levels(self.settle(Standing(pair))), default=9) <= LEGAL

    def levels(self, at: Standing) -> frozenset[int]:
        """Return the levels at which two games differ, as far as they are at the same point.

        What all see is compared where nobody waits for another one.
        """
        if at.unlike:
            return frozenset({LEGAL})
        kinds = self._kinds(at.pair)
        if kinds.count("final") == 1:
            return self._ends(at, kinds.index("final") == 0) | {LEGAL for _ in range(at.alone)}
        if self._forced_beyond(at.pair):
            return frozenset()
        if self._parted(at):
            return frozenset({LEGAL} if len(at.owed) == OWED else ())
        found = self.both.levels(at.pair)
        if "final" in kinds or not (at.owed or at.waits):
            return found
        if self.both.odds_unlike(at.pair):
            found |= {LEGAL}
        self.crossed = self.crossed or found > found & {WINNER, LEGAL}
        return found & {WINNER, LEGAL}

    def _kinds(self, pair: Pair) -> list[str]:
        return [self.both.first.kind(pair[0]), self.both.second.kind(pair[1])]

    def _forced_beyond(self, pair: Pair) -> tuple[str, ...]:
        """Name the bounds of the model that one meets by a move made by itself, if both do not."""
        met: list[list[str]] = []
        for side, state in zip((self.one, self.two), pair, strict=True):
            rows = side.legal(state) if self.both.bounded else []
            met.append(side.program.bounds_met(rows[0][3])
                       if len(rows) == 1 and rows[0][3] & BEYOND else [])
        return () if met[0] and met[1] else tuple(met[0] + met[1])

    def _asks_alike(self, pair: Pair) -> bool:
        """Return whether both ask the same one for the same."""
        one, two = self.one.labels, self.two.labels
        return (one.asks(pair[0]) == two.asks(pair[1])
                and one.legal(pair[0]).keys() == two.legal(pair[1]).keys())

    def _parted(self, at: Standing) -> bool:
        """Return whether each game asks another player."""
        one, two = self.one.labels.asks(at.pair[0]), self.two.labels.asks(at.pair[1])
        return one != two and min(-1 if who is None else who for who in (one, two)) >= 0

    def _ends(self, at: Standing, second: bool) -> frozenset[int]:  # noqa: FBT001  (which goes on)
        """Return the levels at which a game that goes on may end unlike the one that is over."""
        side, found = self.two if second else self.one, frozenset[int]()
        todo, seen = [at], {at.key}
        for number, here in enumerate(todo):
            if side.program.kind(here.pair[second]) == "final":
                found |= self.both.unlike(here.pair)
                continue
            after = [row[2] for row in side.legal(here.pair[second])]
            if here.unlike or not after or None in after or number == ENDS or WINNER in found:
                return frozenset({WINNER})
            for state in after:
                assert state is not None
                pair = (here.pair[0], state) if second else (state, here.pair[1])
                then = self.settle(here._replace(pair=pair))
                if then.key not in seen:
                    seen.add(then.key)
                    todo.append(then)
        return found

    def _ways(self, at: Standing) -> list[Standing]:
        """Return where one choice more leads to, before both rest."""
        mine, theirs = at.plays
        self.bounds = self.bounds or self._forced_beyond(at.pair) or self.both.bounds(at.pair)
        if not self._parted(at):
            return [at._replace(pair=way.pair, plays=((*mine, way.label), (*theirs, way.label)))
                    for way in self.both.ways(at.pair)]
        self.crossed = True
        if not at.owed:
            self.crossings.setdefault(at.pair, at.plays)
        self.bounds = self.bounds or tuple(
            bound for row in self.one.legal(at.pair[0]) for bound in
            self.one.program.bounds_met(row[3]) if row[3] & BEYOND)
        legal, who = self.one.labels.legal(at.pair[0]), self.one.labels.asks(at.pair[0])
        assert who is not None
        return [at._replace(pair=(row[2], at.pair[1]), plays=((*mine, label), theirs),
                            owed=(*at.owed, PendingChoice(who, frozenset(legal), label)))
                for label, row in legal.items() if row[2] is not None] * (len(at.owed) < OWED)

    def everywhere(self, limit: int) -> Divergence:
        """Look for the shortest play that shows a difference, in up to so many pairs; once."""
        if limit not in self._compared:
            self._compared[limit] = self._everywhere(limit)
            self.one.forget()
            self.two.forget()
        return self._compared[limit]

    def _everywhere(self, limit: int) -> Divergence:
        found, self.bounds = Divergence(), ()
        rows = [self.settle(Standing(self.both.start()))]
        seen = {rows[0].key}
        for here in rows:
            if found.pairs == limit:
                found.complete = False
                break
            found.pairs += 1
            if self._note(found, here):
                found.complete = False
                break
            for way in self._ways(here):
                after = self.settle(way)
                if after.key not in seen:
                    seen.add(after.key)
                    rows.append(after)
        found.bounds = self.bounds
        found.complete = found.complete and not found.bounds
        return found

    def in_play(self, *, seed: int, longest: int) -> Divergence:
        """Look for a difference in random plays, and shorten the play that shows it."""
        found = Divergence(complete=False)
        number = 0
        while found.pairs < STEPS:
            drawn, here = of_play(seed, number), self.settle(Standing(self.both.start()))
            number += 1
            while True:
                found.pairs += 1
                if self._note(found, here):
                    return self._shortened(found)
                ways = self._ways(here)
                if not ways or len(here.plays[0]) == longest:
                    break
                drawn = drawn + GAMMA & ALL
                here = self.settle(ways[mixed(drawn) % len(ways)])
        return self._shortened(found)

    def _note(self, found: Divergence, at: Standing) -> bool:
        """Keep how games differ; return whether moves, or who has won, do."""
        for level in self.levels(at) - found.splits.keys():
            together = at.unlike or not at.owed or self.both.same_asked(at.pair)
            doubt = at.doubt if level <= LEGAL else None
            mine, theirs = doubt or (at.plays if together else at.left)
            found.splits[level] = Split(level, mine, self.both.says(at.pair, level),
                                        None if mine == theirs else theirs)
        return min(found.splits, default=9) <= LEGAL

    def _shortened(self, found: Divergence) -> Divergence:
        """Leave out moves of the play to the most important split."""
        best = found.best
        if best is None or best.theirs is not None:
            return found

        def shows(play: Play) -> bool | None:
            pair = self.follow(play)
            return None if pair is None else best.level in self.levels(Standing(pair))

        play = fewer(best.play, shows, TRIES)
        found.splits = {best.level: Split(best.level, play, best.what)}
        return found


@lru_cache(maxsize=32)
def settled_pair(first: Program, second: Program) -> SettledPair:
    """Return two machines side by side, with what was found out of them."""
    return SettledPair(first, second)
