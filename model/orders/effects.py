"""What plans may do, and what could tell two orders of them apart: the ground of every order proof.

An order is proved harmless only where nothing can tell which came first:

* neither writes what the other reads or writes.  That holds for the locals of bodies as well, but
  for those which are set before they are read each time, and which nothing reads afterwards;
* neither ends the game, cuts the other short (an obligation that fails abandons the rest of its
  body), or can fail to come to an end, after which the other would never happen;
* if the game can rest amid them: no limit is in force, since a limit forbids moves by what has
  happened up to the next rest, and no claim about the states of play reads what they write.

All of it is read off the plans of the clauses, planned where they stand and with all that they run.
Plans that did not come out whole, because the text has an error, are a ground for nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import reduce

from ..game.game import Game
from ..lowering.called import called, plans_of, texts
from ..machine.core import Expr, Fill, For, If, Load, Stmt, Store
from ..machine.traversal import arrays_read, expressions, loads, reads
from ..planning.planner import Planner
from ..rules.elaborate import Elaborator
from ..rules.meanings import Failed, Names
from ..rules.plan import (
    Atomic,
    Branch,
    Finish,
    Loop,
    Owe,
    Plan,
    Rest,
    Run,
    Sentence,
    Target,
    inside,
)
from ..solver import theories
from ..source.errors import Reporter


@dataclass(slots=True)
class Effects:
    """What plans may do.

    What they touch in rows of the player that the array `seat` holds stands apart (`own`) from all
    else (`other`).
    """

    seat: str = ""
    own: set[str] = field(default_factory=set)
    own_written: set[str] = field(default_factory=set)
    other: set[str] = field(default_factory=set)
    other_written: set[str] = field(default_factory=set)
    ends: bool = False
    """They may end the game."""
    rests: bool = False
    """The game may rest amid them."""
    stalls: bool = False
    """They may never come to an end."""

    @property
    def read(self) -> set[str]:
        """All arrays that may be read."""
        return self.own | self.other

    @property
    def written(self) -> set[str]:
        """All arrays that may be written."""
        return self.own_written | self.other_written

    def shared(self) -> set[str]:
        """Name what is written for one player and read or written for another."""
        return self.other_written | (self.own_written & self.other)

    def clash(self, they: Effects) -> set[str]:
        """Name what one of two writes and the other one reads or writes."""
        return (self.written & (they.read | they.written)) | (they.written & self.read)

    def take(self, plan: Plan) -> None:
        """Add what a plan itself may do, without the plans in it."""
        for text in texts(plan):
            self.read_by(text)
        match plan:
            case Finish():
                self.ends = True
            case Rest():
                self.rests = True
                free = any(not fork.conditions for fork in plan.forks)
                self.stalls = self.stalls or not free
            case Loop(before=before, trips=trips):
                # What starts with nothing is `while`, or a window that is never closed.
                self.stalls = self.stalls or not (before or trips)
            case _:
                pass

    def read_by(self, text: Expr | tuple[Stmt, ...]) -> None:
        """Add what a piece of text reads and writes."""
        code = text if isinstance(text, tuple) else ()
        for expr in expressions(code) if isinstance(text, tuple) else (text,):
            for load in loads(expr):
                (self.own if self._mine(load.index) else self.other).add(load.array)
        self._writes(code)

    def _mine(self, index: tuple[Expr, ...]) -> bool:
        return bool(index) and index[0] == Load(self.seat)

    def _writes(self, code: Iterable[Stmt]) -> None:
        for stmt in code:
            match stmt:
                case Store(array=array, index=index) | Fill(array=array, prefix=index):
                    (self.own_written if self._mine(index) else self.other_written).add(array)
                case If(then=then, other=other):
                    self._writes((*then, *other))
                case For(body=body):
                    self._writes(body)
                case _:
                    pass


class Ground:
    """Plans of a game, from which its order proofs are read."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.planner = Planner(Elaborator(game, Reporter()))

    @property
    def sound(self) -> bool:
        """Whether all that was planned came out whole."""
        return not self.planner.report.failed

    def effects(self, plans: Iterable[Plan], seat: str = "") -> Effects:
        """Collect what plans may do, with all that they run."""
        found = Effects(seat)
        for plan in called(self.planner, plans):
            found.take(plan)
        return found

    def private(self, plans: Iterable[Plan]) -> frozenset[str]:
        """Name the locals that plans, with all that they run, set before they ever read them."""
        plans = tuple(plans)
        arrays = self.planner.frames.arrays
        stale = _Stale(self.planner).of(plans)
        return frozenset(name for name, each in arrays.items()
                         if not each.declared and name not in stale)

    def seen_amid(self, *several: Effects) -> bool:
        """Return whether a limit or a claim may see the game while some of these are under way."""
        if not any(each.rests for each in several):
            return False
        if any(c.always is not None and c.in_force for c in self.game.clauses):
            return True
        written = {name for each in several for name in each.written}
        return bool(written & self._claimed())

    def cut_short(self, plans: Iterable[Plan], *, otherwise: bool) -> bool:
        """Return whether an obligation that fails in plans may abandon what stands behind them.

        With `otherwise` every obligation that fails does.
        """
        for plan in plans:
            inner: Iterable[Plan] = ()
            match plan:
                case Owe(test=test, abandon=abandon):
                    if (abandon or otherwise) and not self._always(test):
                        return True
                case Branch(then=then, other=other):
                    inner = (*then, *other)
                case Loop(body=body):
                    inner = body
                case Rest(forks=forks):
                    inner = (each for fork in forks for each in fork.plans)
                case _:
                    pass  # a sentence, a step or a window is all that is abandoned in it
            if self.cut_short(inner, otherwise=otherwise):
                return True
        return False

    def _always(self, test: Expr) -> bool:
        """Return whether a condition that depends on no state holds."""
        if arrays_read(test):
            return False
        theory = theories.Theory(tables=self.planner.elab.tables)
        return isinstance(theories.valid(theory, (), test), theories.Follows)

    def _claimed(self) -> set[str]:
        """Name the arrays that claims about the states of play read."""
        found: set[str] = set()
        for clause in self.game.clauses:
            claim = clause.claim
            if claim is None or claim.form not in ("never", "reachable") or not clause.in_force:
                continue
            try:
                found |= arrays_read(self.planner.elab.guard(claim.test, Names({})))
            except Failed:
                continue  # an error: the ground is not sound
        return found


Facts = tuple[frozenset[str], frozenset[str]]
"""Arrays that may be read before they are set; arrays that are set for certain."""

NOTHING: Facts = (frozenset(), frozenset())


class _Stale:
    """Finds what plans may read before they have set it: what is left from before."""

    def __init__(self, planner: Planner) -> None:
        self.planner = planner
        self.known: dict[Target, frozenset[str]] = {}

    def of(self, plans: tuple[Plan, ...]) -> frozenset[str]:
        """Find it for plans with all that they run (the least fixed point of what runs what)."""
        targets = {plan.target: plans_of(self.planner, plan.target)
                   for plan in called(self.planner, plans) if isinstance(plan, Run)}
        self.known = dict.fromkeys(targets, frozenset())
        changed = True
        while changed:
            changed = False
            for target, body in targets.items():
                found = self._plans(body)[0]
                changed = changed or found != self.known[target]
                self.known[target] = found
        return self._plans(plans)[0]

    def _plans(self, plans: Iterable[Plan]) -> Facts:
        found = NOTHING
        for plan in plans:
            found = _then(found, self._plan(plan))
        return found

    def _plan(self, plan: Plan) -> Facts:
        match plan:
            case Atomic(code=code) | Finish(code=code):
                return self._code(code)
            case Owe(test=test):
                return arrays_read(test), frozenset()
            case Branch(test=test, then=then, other=other):
                ways = _either(self._plans(then), self._plans(other))
                return _then((arrays_read(test), frozenset()), ways)
            case Loop(before=before, test=test, body=body, step=step):
                once = _then(self._plans(body), self._code(step))
                again = arrays_read(test) | once[0]
                return _then(self._code(before), (again, frozenset()))
            case Rest(forks=forks):
                after = [self._plans(fork.plans) for fork in forks] or [NOTHING]
                return _then((_read_by(plan), frozenset()), reduce(_either, after))
            case Run(target=target, args=args):
                return _then(self._code(args), (self.known.get(target, frozenset()), frozenset()))
            case Sentence(test=test, plans=inner, otherwise=otherwise):
                read = self._plans(inner)[0] | self._plans(otherwise or ())[0]
                return arrays_read(test) | read, frozenset()  # it may be cut short

    def _code(self, code: Iterable[Stmt]) -> Facts:
        found = NOTHING
        for stmt in code:
            match stmt:
                case Store(array=array, index=()):
                    each: Facts = (reads((stmt,)), frozenset({array}))
                case Fill(array=array, prefix=(), size=size) if (
                    size == self.planner.frames.arrays[array].size
                ):
                    each = (reads((stmt,)), frozenset({array}))
                case If(test=test, then=then, other=other):
                    each = _then((arrays_read(test), frozenset()),
                                 _either(self._code(then), self._code(other)))
                case _:
                    each = (reads((stmt,)), frozenset())
            found = _then(found, each)
        return found


def _then(first: Facts, second: Facts) -> Facts:
    return first[0] | (second[0] - first[1]), first[1] | second[1]


def _either(one: Facts, two: Facts) -> Facts:
    return one[0] | two[0], one[1] & two[1]


def _read_by(plan: Plan) -> frozenset[str]:
    """Name what a plan itself reads, without the plans in it."""
    return frozenset(name for text in texts(plan) for name in (
        reads(text) if isinstance(text, tuple) else arrays_read(text)))


def read_around(part: Iterable[Plan], whole: Iterable[Plan]) -> frozenset[str]:
    """Name what plans read themselves outside of a part of them."""
    within = {id(plan) for plan in inside(part)}
    return frozenset().union(*(_read_by(p) for p in inside(whole) if id(p) not in within))
