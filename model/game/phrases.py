"""The phrases of a clause: the parts of its conditions that could be left out one by one.

A phrase is what stands between `and` and `or` in a condition, the filter of a generator, or a
whole condition.  Leaving it out is putting a truth value in its place, the one that decides
nothing there: true in an `and` (and for a whole condition), false in an `or`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar, cast

from . import syntax as sx
from .game import Clause
from .texts import below, walk
from .unparse import unparse

Path = tuple[str | int, ...]
"""The way to a part of a clause: names of fields, and places in tuples."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A part of a clause's conditions; `path` leads to it from the clause.

    `neutral` is the truth value that leaves it out.  `alone` says that it is the whole of a
    condition, so that without it nothing is asked there.
    """

    path: Path
    text: str
    neutral: bool
    alone: bool = False

    @property
    def condition(self) -> Path:
        """The way to the whole condition that it is a part of."""
        path = self.path
        while path and path[-1] in ("left", "right"):
            path = path[:-1]
        return path


def phrases_of(clause: Clause) -> tuple[Phrase, ...]:
    """List the phrases of a clause, in the order of its text.

    Who may act (`by` of an action) and questions to players (`may`) are no phrases.
    """
    found: list[Phrase] = []
    for name in ("when", "whenever", "ensure", "always", "value"):
        tree = getattr(clause, name)
        if tree is not None:
            found += _in(tree, (name,), neutral=True if name == "when" else None, alone=True)
    for place, (_, domain) in enumerate(clause.params):
        found += _in(domain, ("params", place, 1))
    for name in ("do", "otherwise"):
        body = getattr(clause, name)
        for place, statement in enumerate(body.statements if body is not None else ()):
            found += _in(statement, (name, "statements", place))
    return tuple(found)


def _in(
    tree: sx.Expr | sx.Stmt, path: Path, *, neutral: bool | None = None, alone: bool = False
) -> Iterator[Phrase]:
    """List the phrases in a tree; with `neutral`, the tree itself stands where a phrase may."""
    match tree:
        case sx.Infix(op="and" | "or" as op):
            yield from _in(tree.left, (*path, "left"), neutral=op == "and")
            yield from _in(tree.right, (*path, "right"), neutral=op == "and")
            return
        case sx.Prefix(op="not", operand=sx.Infix(op="and" | "or") as inner):
            yield from _in(inner, (*path, "operand"))
            return
        case sx.Call(func=sx.Name(name="implies"), args=(first, second)):
            yield from _in(first, (*path, "args", 0), neutral=True)
            yield from _in(second, (*path, "args", 1), neutral=False)
            return
        case _:
            pass
    if neutral is not None and _may_go(tree):
        yield Phrase(path, unparse(cast("sx.Expr", tree)), neutral, alone)
    match tree:
        case sx.Generator(element=element, domain=domain, where=where):
            yield from _in(element, (*path, "element"))
            yield from _in(domain, (*path, "domain"))
            for place, test in enumerate(where):
                yield from _in(test, (*path, "where", place), neutral=True, alone=len(where) == 1)
        case sx.IfThen(test=test, then=then, other=other):
            yield from _in(test, (*path, "test"), neutral=True, alone=True)
            yield from _in_all(then, (*path, "then"))
            yield from _in_all(other, (*path, "other"))
        case sx.IfElse(test=test, then=yes, other=no):
            yield from _in(test, (*path, "test"), neutral=True, alone=True)
            yield from _in(yes, (*path, "then"))
            yield from _in(no, (*path, "other"))
        case _:
            for name, part in below(tree):
                yield from _in(part, (*path, *name))


def _in_all(trees: Sequence[sx.Stmt], path: Path) -> Iterator[Phrase]:
    for place, each in enumerate(trees):
        yield from _in(each, (*path, place))


def _may_go(tree: sx.Expr | sx.Stmt) -> bool:
    """Return whether a condition is one of the book that asks nobody."""
    match tree:
        case sx.Truth():
            return False
        case sx.Compare(left=sx.Name(name="actor", at=place), right=right):
            return place != right.at  # else it is what `by` of an action became
        case _:
            return not any(
                isinstance(part, sx.Call) and isinstance(part.func, sx.Name)
                and part.func.name == "may" for part in walk(tree))


Change = Callable[[Any], object]
"""What takes the place of a part, made of that part as it is when all changes in it are made."""


def rewritten(thing: T, changes: Mapping[Path, Change]) -> T:
    """Change some parts of a tree of tuples and frozen data, all at once.

    Every way is one in the tree as it was given, whatever else changes.  A part of a tuple for
    which there is a tuple is replaced by all of that.
    """
    below: dict[str | int, dict[Path, Change]] = {}
    for path, change in changes.items():
        if path:
            below.setdefault(path[0], {})[path[1:]] = change
    made: Any = thing
    if isinstance(thing, tuple):
        items: list[object] = []
        for place, one in enumerate(thing):
            new = rewritten(one, below.get(place, {}))
            items += new if isinstance(new, tuple) and not isinstance(one, tuple) else (new,)
        made = tuple(items)
    elif below:
        parts = {cast("str", name): rewritten(getattr(thing, cast("str", name)), inner)
                 for name, inner in below.items()}
        made = replace(cast("Any", thing), **parts)
    return cast("T", changes[()](made) if () in changes else made)


def at(thing: object, path: Path) -> Any:  # noqa: ANN401  (whatever is there)
    """Return what is at the end of a way."""
    for step in path:
        thing = cast("Any", thing)[step] if isinstance(step, int) else getattr(thing, step)
    return thing


def without(clause: Clause, phrases: Sequence[Phrase]) -> Clause:
    """Return a clause without some of its phrases; what is inside of one goes with it."""
    return rewritten(clause, left_out(phrases))


def left_out(phrases: Sequence[Phrase]) -> dict[Path, Change]:
    """Return the changes that put truth values in the places of phrases."""
    return {phrase.path: partial(_neutral, phrase.neutral) for phrase in phrases}


def _neutral(neutral: bool, tree: sx.Expr) -> sx.Expr:  # noqa: FBT001
    return sx.Truth(neutral, tree.at)


def only(clause: Clause, phrase: Phrase) -> Clause:
    """Return a clause with nothing of a condition left but one phrase of it."""
    kept = at(clause, phrase.path)
    return rewritten(clause, {phrase.condition: lambda _: kept})


def never_asked(clause: Clause, phrase: Phrase) -> Clause:
    """Return a clause without the whole condition that a phrase is a part of."""
    return rewritten(clause, {phrase.condition: partial(_neutral, True)})  # noqa: FBT003
