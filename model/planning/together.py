"""Effects on several players at the same time: all read the old state, and then all change.

The body runs for one player after the other, each time from the state in which the loop began, and
what it changed there is put together in arrays beside it: numbers that go up or down and cards that
move are added up, what is set outright must not be set to two things, and only one may add a record
to a pool.  Nothing acts in between: the rules of any time look at what has come of all.  Where a
body touches what belongs to its own player only, there is nothing to put together, and it just
runs; but not where somebody chooses in it, who would see what was done for the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from ..game import syntax as sx
from ..game.texts import walk
from ..machine.core import (
    FALSE,
    TRUE,
    Const,
    Expr,
    Fill,
    For,
    If,
    Let,
    Load,
    Local,
    Note,
    Stmt,
    Store,
)
from ..machine.machine import Array
from ..machine.memory import Memory
from ..machine.simplify import binary, both, either, negate, reduce
from ..machine.traversal import directly, loads, statements
from ..rules.arrays import removals
from ..rules.context import Here, Plans, written
from ..rules.meanings import BOOL, Owed
from ..rules.plan import Atomic, Branch, Finish, Loop, Owe, Plan, Rest, Run, Sentence, inside
from .builder import Builder

Index = tuple["Expr", ...]


def all_at_once(
    build: Builder, stmt: sx.ForEach, body: Plans, here: Here, player: Expr
) -> tuple[tuple[Stmt, ...], Plans, tuple[Stmt, ...]]:
    """Plan what a loop does for one player at the time of the others: before, in and after it.

    The rules of any time are for the caller.
    """
    _refuse(build, stmt, body)
    names = [name for name in written(body) if _lasting(build, name, here)]
    own = all(index[:1] == (player,) for name, index in _touched(body) if name in names)
    if own and not _shows(build, body, names):
        return (), body, ()
    up_or_down = _relative(stmt)
    beside = here.kept_at(stmt.var, stmt.at)
    kept = [_kept(build, beside, build.frames.arrays[name], up_or_down)
            for name in sorted(names)]
    begin = tuple(code for one in kept for code in (
        *one.copy(one.now, one.old), *one.copy(one.now, one.sum)))
    again = tuple(code for one in kept for code in one.copy(one.old, one.now))
    part = Sentence(here.clause, TRUE, body, part=True)
    return begin, (Atomic(again), part, *_merged(build, stmt, kept, here, beside)), tuple(
        code for one in kept for code in one.copy(one.sum, one.now))


def _refuse(build: Builder, stmt: sx.ForEach, body: Plans) -> None:
    """Refuse what only one of several can do at a time."""
    for tree in stmt.body:
        for part in walk(tree):
            if isinstance(part, sx.Call) and build.elab.word(part) == "draw":
                deck = part.args[-2]
                if not (isinstance(deck, sx.Index) and isinstance(deck.index, sx.Name)
                        and deck.index.name == stmt.var):
                    raise build.elab.fail(
                        "RP211", "several cannot draw from one deck at the same time", part.at,
                        "say who is first: `clockwise(p)`")
    runs = any(isinstance(plan, Run | Finish) for plan in inside(body))
    if runs or written(body) & {removals(name) for name in build.game.pools}:
        raise build.elab.fail(
            "RP211", "what several do at the same time runs no step or window, removes no record "
            "and does not end the game", stmt.at, "say who is first: `clockwise(p)`")


def _lasting(build: Builder, name: str, here: Here) -> bool:
    """Return whether an array is of the spec, or a local that the body did not begin with."""
    array = build.frames.arrays[name]
    return array.declared or any(name == here.kept(known).array for known in here.scope.names)


def _shows(build: Builder, body: Plans, names: Iterable[str]) -> bool:
    """Return whether somebody is asked who would see what was done for another player."""
    return any(isinstance(plan, Rest) and plan.kind != "chance" for plan in inside(body)) and any(
        build.frames.arrays[name].seen_by == "all" for name in names)


def _touched(plans: Iterable[Plan]) -> Iterator[tuple[str, Index]]:
    """Yield each element of an array that plans read or write, by its index."""
    exprs: list[Expr] = []
    for plan in inside(plans):
        code: tuple[Stmt, ...] = ()
        match plan:
            case Atomic():
                code = plan.code
            case Loop():
                code, exprs = (*plan.before, *plan.step), [*exprs, plan.test]
            case Owe() | Branch():
                exprs.append(plan.test)
            case Rest(forks=forks):
                exprs += [] if plan.by is None else [plan.by]
                for fork in forks:
                    exprs += [each.where for each in fork.params]
                    exprs += [each.most for each in fork.params if each.most is not None]
                    exprs += [each.test for each in fork.conditions]
                    exprs += [] if fork.weight is None else [fork.weight]
            case _:
                pass
        for one in statements(code):
            exprs += directly(one)
            if isinstance(one, Store):
                yield one.array, one.index
            elif isinstance(one, Fill):
                yield one.array, one.prefix
    for expr in exprs:
        for load in loads(expr):
            yield load.array, load.index


def _relative(stmt: sx.ForEach) -> frozenset[str]:
    """Name the numbers that a body only raises and lowers."""
    ways: dict[str, set[str]] = {}
    for tree in stmt.body:
        for part in walk(tree):
            if isinstance(part, sx.Assign):
                target: sx.Expr = part.target
                while isinstance(target, sx.Index):
                    target = target.value
                if isinstance(target, sx.Name | sx.Attr):
                    ways.setdefault(target.name, set()).add(part.op)
    return frozenset(name for name, ops in ways.items() if ops <= {"+", "-"})


@dataclass(frozen=True, slots=True)
class _Together:
    """An array that several change: itself, as it was, and what has come of all so far.

    `adds` says that changes add up, `one_only` that no two may change an element at all.
    """

    array: Array
    old: str
    sum: str
    adds: bool
    one_only: bool
    fresh: Callable[[str], str]

    @property
    def now(self) -> str:
        """The array itself."""
        return self.array.name

    def each(self, code: Callable[[Index], tuple[Stmt, ...]]) -> tuple[Stmt, ...]:
        """Run code for each element."""
        names = [self.fresh("each") for _ in self.array.dims]
        made = code(tuple(Local(name) for name in names))
        for name, size in reversed([*zip(names, self.array.dims, strict=True)]):
            made = (For(name, size, made),)
        return made

    def copy(self, source: str, target: str) -> tuple[Stmt, ...]:
        """Copy one array to another."""
        return self.each(lambda at: (Store(target, at, Load(source, at)),))

    def fits(self) -> Expr:
        """Say that what one has changed goes together with what the others have."""
        names = [self.fresh("each") for _ in self.array.dims]
        at = tuple(Local(name) for name in names)
        now, old, so_far = Load(self.now, at), Load(self.old, at), Load(self.sum, at)
        if self.adds:
            made = binary("<=", Const(0), binary("+", so_far, binary("-", now, old))) if (
                self.array.zone) else TRUE
        else:
            made = either(binary("==", now, old), binary("==", so_far, old))
            if not self.one_only:
                made = either(made, binary("==", so_far, now))
        for name, size in zip(names, self.array.dims, strict=True):
            made = reduce("all", name, size, TRUE, made)
        return made

    def add(self, over: int) -> tuple[Stmt, ...]:
        """Put what one has changed to what the others have; `over` notes what leaves the range."""
        def put(at: Index) -> tuple[Stmt, ...]:
            now, old, so_far = Load(self.now, at), Load(self.old, at), Load(self.sum, at)
            if not self.adds:
                return (If(binary("!=", now, old), (Store(self.sum, at, now),)),)
            new = self.fresh("new")
            low, high = Const(self.array.low), Const(self.array.high)
            inside_ = both(binary("<=", low, Local(new)), binary("<=", Local(new), high))
            return (Let(new, binary("+", so_far, binary("-", now, old))),
                    If(negate(inside_), (Note(over),)),
                    Store(self.sum, at, binary("max", low, binary("min", high, Local(new)))))

        return self.each(put)


def _kept(
    build: Builder, beside: Memory, array: Array, relative: frozenset[str]
) -> _Together:
    """Make the arrays beside one in which its changes are put together."""
    fields = {f"{pool.name}.{name}": name for pool in build.game.pools.values()
              for name in pool.fields}
    own = array.of.name if array.of is not None else fields.get(array.name, array.name)
    counted = array.domain.kind == "int" and own in relative
    cards = array.zone in ("bag", "deck", "ledger")
    old, together = (build.frames.beside(array, replace(beside, part=f" {word} {array.name}"))
                     for word in ("before", "together"))
    growing = array.name in {f"{pool}.size" for pool in build.game.pools}
    return _Together(array, old, together, counted or cards, growing or array.zone == "pile",
                     build.elab.fresh)


def _merged(
    build: Builder, stmt: sx.ForEach, kept: list[_Together], here: Here, beside: Memory
) -> Plans:
    """Plan that what one player has changed is added, unless it cannot be done beside the others'.

    Then nothing of what this one does is done.
    """
    fits: Expr = TRUE
    for one in kept:
        fits = both(fits, one.fits())
    clash = build.obligation(here.clause, Owed(
        FALSE, "conflict", "two players change the same thing at the same time", stmt.at))
    over = build.obligation(here.clause, Owed(
        FALSE, "out-of-range", "what several change at the same time leaves its range", stmt.at))
    slot = build.frames.local(replace(beside, part=" fits"), BOOL)
    return (Atomic((Store(slot, (), fits),)), Owe(binary("==", Load(slot), Const(1)), clash,
                                                  abandon=False),
            Branch(binary("==", Load(slot), Const(1)),
                   (Atomic(tuple(code for one in kept for code in one.add(over))),)))
