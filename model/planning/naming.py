"""What the names of a body stand for as it goes on: set or not, their record there or gone."""

from __future__ import annotations

from dataclasses import replace

from ..game import syntax as sx
from ..machine.core import Const, Expr, Load, Stmt, Store
from ..machine.memory import Memory
from ..machine.simplify import binary
from ..rules.arrays import Kept, reset
from ..rules.context import Here, Plans
from ..rules.meanings import (
    BOOL,
    PLAYER,
    BagMeaning,
    Names,
    Owed,
    PlayerSet,
    PoolAt,
    RecordAt,
    Scalar,
    Value,
    called,
    join,
    with_checks,
)
from ..rules.plan import Atomic
from ..source.errors import Place
from .builder import Builder

# --------------------------------------------------------------------------- set or not


def after_branch(
    build: Builder, here: Here, then: tuple[Plans, Here], other: tuple[Plans, Here], at: Place
) -> tuple[Plans, Plans, Plans, Here]:
    """Join the names of two branches: what runs before them, they, and the place after them.

    A name that only one of them sets gets a flag, which every use of the name checks.
    """
    (yes, one), (no, two) = then, other
    first: list[Stmt] = []
    merged = here
    for name in dict.fromkeys((*one.scope.names, *two.scope.names)):
        known = here.scope.names.get(name)
        left, right = one.scope.names.get(name), two.scope.names.get(name)
        if left is known and right is known:
            continue
        value = _joined(build, name, left, right, at)
        sure = [mine is not None and name not in side.loose
                for mine, side in ((left, one), (right, two))]
        if all(sure):
            merged = merged.bind(name, value)
            continue
        flag = build.frames.local(_flag(here, name), BOOL)
        if known is None:
            kept = here.kept(name)
            mine = (build.frames.arrays.get(each.array) for each in (kept, _whose(kept)))
            first += (Store(flag, (), Const(0)), *(reset(each) for each in mine if each))
        yes, no = ((*plans, *_set(here, (name,))) if set_here else plans
                   for plans, set_here in zip((yes, no), sure, strict=True))
        owed = Owed(binary("==", Load(flag), Const(1)), "no-value",
                     f"`{name}` is used but was never set", at, of_name=True)
        merged = merged.bind(name, with_checks(value, (owed,)), loose=True)
    return (Atomic(tuple(first)),) if first else (), yes, no, merged


def after_turn(here: Here, body: Plans, inside: Here) -> Plans:
    """Note at the end of a loop's body which names from outside it has set for certain."""
    known = here.scope.names
    return (*body, *_set(here, tuple(
        name for name in here.loose if name not in inside.loose
        and inside.scope.names[name] is not known[name])))


def _set(here: Here, names: tuple[str, ...]) -> Plans:
    stores = tuple(Store(_flag(here, name).array, (), Const(1)) for name in sorted(names))
    return (Atomic(stores),) if stores else ()


def _flag(here: Here, name: str) -> Memory:
    return replace(here.kept(name), part=" is set")


def _joined(build: Builder, name: str, left: Value | None, right: Value | None, at: Place) -> Value:
    """Give what a name stands for that is one thing after one branch, another after the other."""
    found = [replace(value, checks=tuple(c for c in value.checks if not c.of_name))
             for value in (left, right) if value is not None]
    first, last = found[0], found[-1]
    if isinstance(first, Scalar) and isinstance(last, Scalar):
        ty = join(first.ty, last.ty)
        if ty is not None:
            return replace(first, ty=ty)
    elif isinstance(first, RecordAt) and isinstance(last, RecordAt) and first.pool == last.pool:
        return replace(first, optional=first.optional or last.optional)
    elif isinstance(first, (PlayerSet, BagMeaning)) and type(first) is type(last):
        return first
    both = f"{called(first)} after one branch, {called(last)} after the other"
    raise build.elab.fail("RP210", f"`{name}` is {both}", at, "use two names")


# --------------------------------------------------------------------------- records


def keep_record(
    build: Builder, at: PoolAt, kept: Memory, name: str, here: Here
) -> tuple[tuple[Stmt, ...], RecordAt]:
    """Let a local hold the place of a record, and fix whose record it is.

    The code runs when the name is given its record; with it goes what the name stands for.
    """
    owner = at.owner
    code: tuple[Stmt, ...] = ()
    if not all(_steady(build, each, here) for each in owner) or (owner and name in here.changed):
        whose = build.frames.local(_whose(kept), PLAYER)
        code = tuple(Store(whose, (), each) for each in owner)
        owner = (Load(whose),)
    build.frames.records[kept.array] = Kept(at.pool, owner)
    return code, RecordAt(at.pool, owner, Load(kept.array))


def _whose(kept: Memory) -> Memory:
    return replace(kept, part=" of")


def _steady(build: Builder, owner: Expr, here: Here) -> bool:
    """Return whether nothing in a body changes who owns the records that it names."""
    if not isinstance(owner, Load):
        return isinstance(owner, Const)
    if build.frames.arrays[owner.array].declared:
        return not owner.index and owner.array not in here.moving
    return all(owner.array != here.kept(name).array for name in here.changed)


def shaken(build: Builder, here: Here, statements: tuple[sx.Stmt, ...]) -> Here:
    """Give the place after statements that may remove a record: a name may then stand for none."""
    names = {name: replace(value, optional=True) for name, value in here.scope.names.items()
             if isinstance(value, RecordAt) and not value.optional}
    if not names or "remove" not in build.changes(statements):
        return here
    return replace(here, scope=Names({**here.scope.names, **names}, here.scope.lost))
