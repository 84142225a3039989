"""Notes in a game of when what a clause says otherwise would have done something.

A probed game has one more variable, which is set wherever two texts of a clause come out
differently: what they lead to may be undone later by another clause, so results alone do not tell.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import fields, replace
from functools import partial
from typing import cast

from . import syntax as sx
from .game import Body, Clause, Game, Ty, Variable
from .phrases import Change, Path, Phrase, at, left_out, rewritten, without
from .texts import Tree, walk

MARK = "a change decides"
"""A variable that no spec can have, as its name has blanks."""


def marked(game: Game) -> Game:
    """Return a game with the variable of the notes, and no note."""
    mark = Variable(MARK, Ty("bool", low=0, high=1), "", 0, "all", "", game.clauses[0].place)
    return replace(game, variables={**game.variables, MARK: mark})


def _note(tree: Tree) -> sx.Stmt:
    return sx.Assign(sx.Name(MARK, tree.at), "=", sx.Truth(True, tree.at), tree.at)  # noqa: FBT003


# ---------------------------------------------------------------------- phrases


def probed(game: Game, name: str, phrases: Sequence[Phrase]) -> tuple[Game, Game]:
    """Return a game, and one that differs from it if one of the phrases ever decides anything.

    Where a clause or an `if` asks its condition, the second game notes that the condition without
    the phrases comes out otherwise.  The clause itself lacks the phrases.
    """
    plain = marked(game)
    made: list[Clause] = []
    for clause in plain.clauses:
        made += _probed(clause, phrases) if clause.id == name else [clause]
    return plain, replace(plain, clauses=tuple(made))


def _probed(clause: Clause, phrases: Sequence[Phrase]) -> list[Clause]:
    changes: dict[Path, Change] = dict(left_out(phrases))
    first: list[Clause] = []
    for path in {_asked_at(clause, phrase): None for phrase in phrases}:
        if path is None:
            continue
        test = at(clause, path)
        if path == ("when",):
            unlike = _unlike(test, at(without(clause, phrases), path))
            first = [_probe(clause, unlike)]
        else:
            changes[path[:-1]] = partial(_asked, test)
    return [*first, rewritten(clause, changes)]


def replacing(game: Game, clause: Clause) -> tuple[Game, str] | None:
    """Return a game with a clause that runs where one does in the place of another one, and its id.

    That is where its condition holds and that of one that it overrides, which would act there.
    None if the clause is in no such place, or one without a condition is: then it takes a place
    wherever it runs.
    """
    there = [other for other in game.clauses if other.id in clause.overrides and other.in_force
             and other.do is not None and other.on == clause.on]
    if not clause.on or clause.option or clause.do is None or not there:
        return None
    conditions = [other.when for other in there if other.when is not None]
    if len(conditions) < len(there):
        return None
    test = conditions[0]
    for each in conditions[1:]:
        test = sx.Infix("or", test, each, test.at)
    if clause.when is not None:
        test = sx.Infix("and", clause.when, test, test.at)
    probe = _probe(clause, test)
    plain = marked(game)
    return replace(plain, clauses=(*plain.clauses, probe)), probe.id


def _probe(clause: Clause, test: sx.Expr) -> Clause:
    """Return a clause that notes right before another one that something holds."""
    return replace(
        clause, id=f"{clause.id} (probe)", when=test, overrides=(), otherwise=None,
        before=(*clause.before, clause.id), do=Body((_note(test),), "", test.at))


def _asked(test: sx.Expr, asks: sx.IfThen) -> tuple[sx.Stmt, ...]:
    """Put in front of an `if` that its condition is noted if it is not what it was."""
    return sx.IfThen(_unlike(test, asks.test), (_note(test),), (), test.at), asks


def _asked_at(clause: Clause, phrase: Phrase) -> Path | None:
    """Give the way to the condition that a phrase is part of, if its asking can be noted."""
    path = phrase.path
    if path[0] == "when":
        asked = clause.do is not None and not clause.option and bool(clause.on)
        return path[:1] if asked else None
    tests = [place for place, step in enumerate(path)
             if step == "test" and isinstance(at(clause, path[:place]), sx.IfThen)]
    return path[:tests[-1] + 1] if tests else None


def _unlike(one: sx.Expr, two: sx.Expr) -> sx.Expr:
    def but(yes: sx.Expr, no: sx.Expr) -> sx.Expr:
        return sx.Infix("and", yes, sx.Prefix("not", no, one.at), one.at)

    return sx.Infix("or", but(one, two), but(two, one), one.at)


# ---------------------------------------------------------------------- bodies

BODIES = frozenset({"do", "otherwise"})
"""The fields of a clause that hold statements."""
_ASKING = frozenset({"choose", "choose_cards", "may"})
"""Calls of which it is asked whether they are given other things, and not what they come to."""


def noted(old: Clause, new: Clause, *, exactly: bool = True) -> Clause:
    """Note in a clause's new body where the old one would have done something else.

    The note is a value that nothing holds (`outside`, about `MARK`): a duty that fails.  It stands
    before a statement of which a part has another value, or whose condition does not hold that was
    none before.  What cannot be compared as values is noted wherever it is reached, as all is
    unless `exactly`.
    """
    changes: dict[Path, Change] = {}
    for name in sorted(BODIES):
        body, before = getattr(new, name), getattr(old, name)
        if body is None:
            continue
        tests: dict[Path, list[sx.Expr]] = defaultdict(list)
        statements = before.statements if before is not None else ()
        for path, test in _in_block(statements, body.statements, (name, "statements")):
            tests[path].append(test if exactly else _true(body.statements[0]))
        for path, several in tests.items():
            changes[path] = partial(_noting, several)
    return rewritten(new, changes)


def _noting(tests: Sequence[sx.Expr], there: object) -> tuple[sx.Stmt, ...]:
    """Put notes in front of a statement, or at the end of a block."""
    notes = tuple(failing(test) if isinstance(test, sx.Truth) else
                  sx.IfThen(test, (failing(test),), (), test.at) for test in tests)
    if isinstance(there, tuple):
        return (*cast("tuple[sx.Stmt, ...]", there), *notes)
    return (*notes, cast("sx.Stmt", there))


def failing(tree: sx.Expr) -> sx.Stmt:
    """Return a statement that does nothing but fail a duty about `MARK`."""
    missing = sx.Call(sx.Name("outside", tree.at), (sx.Text(MARK, tree.at),), (), tree.at)
    return sx.IfThen(sx.Compare(">", missing, sx.Num(0, tree.at), tree.at), (_note(tree),), (),
                     tree.at)


def reaching(game: Game, names: Collection[str]) -> tuple[Game, sx.Expr]:
    """Return a game in which a condition holds from when one of some clauses' bodies is begun."""
    def begun(clause: Clause) -> Clause:
        body = clause.do
        return clause if clause.id not in names or body is None or not body.statements else replace(
            clause, do=replace(body, statements=(_note(body.statements[0]), *body.statements)))

    return (replace(marked(game), clauses=tuple(map(begun, game.clauses))),
            sx.Name(MARK, game.clauses[0].place))


def _in_block(
    old: tuple[sx.Stmt, ...], new: tuple[sx.Stmt, ...], path: Path
) -> Iterator[tuple[Path, sx.Expr]]:
    """Yield where a block says something else than before, and when that is not the same."""
    first = 0
    while first < min(len(old), len(new)) and _same(old[first], new[first]):
        first += 1
    last = 0
    while last < min(len(old), len(new)) - first and _same(old[-1 - last], new[-1 - last]):
        last += 1
    was, now = old[first:len(old) - last], new[first:len(new) - last]
    here = (*path, first) if first < len(new) else path
    for one, many in ((now, was), (was, now)):
        match one:
            case (sx.IfThen(test=test, then=then, other=other),) if many and (
                    _same(then, many) or _same(other, many)):
                yield here, _true(test) if _asks(test) else (
                    sx.Prefix("not", test, test.at) if _same(then, many) else test)
                return
            case _:
                pass
    if len(was) == len(now):
        for place, (before, after) in enumerate(zip(was, now, strict=True), first):
            yield from _in_statement(before, after, (*path, place))
    else:
        yield here, _true((*new, *old)[0])


def _in_statement(old: sx.Stmt, new: sx.Stmt, path: Path) -> Iterator[tuple[Path, sx.Expr]]:
    tests: Iterator[sx.Expr] = iter((_true(new),))
    match old, new:
        case sx.Assign(), sx.Assign() if _same(old.target, new.target) and old.op == new.op:
            tests = _unequal(old.value, new.value)
        case sx.Do(), sx.Do():
            tests = _given(old.call, new.call)
        case sx.IfThen(), sx.IfThen():
            tests = _unequal(old.test, new.test)
            yield from _in_block(old.then, new.then, (*path, "then"))
            yield from _in_block(old.other, new.other, (*path, "other"))
        case sx.ForEach(), sx.ForEach() if old.var == new.var:
            tests = _unequal(old.domain, new.domain)
            yield from _in_block(old.body, new.body, (*path, "body"))
        case _:
            pass
    for test in tests:
        yield path, test


def _unequal(old: sx.Expr, new: sx.Expr) -> Iterator[sx.Expr]:
    """Yield when an expression does not come to what it came to before."""
    if _same(old, new) or (isinstance(old, sx.Text) and isinstance(new, sx.Text)):
        return
    match old, new:
        case sx.Call(func=sx.Name(name=name)), sx.Call() if name in _ASKING:
            yield from _given(old, new)
        case sx.Generator(), sx.Generator() if old.var == new.var and _same(
                old.domain, new.domain) and _same(old.element, new.element):
            test = sx.Compare("!=", _all(old), _all(new), new.at)
            inside = sx.Generator(test, new.var, new.domain, (), new.at)
            yield sx.Call(sx.Name("any", new.at), (inside,), (), new.at)
        case sx.Index(), sx.Index() if _same(old.value, new.value):
            yield from _unequal(old.index, new.index)
        case _:
            unknown = _asks(old) or _asks(new) or isinstance(old, sx.Generator) or isinstance(
                new, sx.Generator)
            yield _true(new) if unknown else sx.Compare("!=", old, new, new.at)


def _given(old: sx.Call, new: sx.Call) -> Iterator[sx.Expr]:
    """Yield when a call is given something else than before."""
    if not (_same(old.func, new.func) and len(old.args) == len(new.args)
            and [name for name, _ in old.named] == [name for name, _ in new.named]):
        yield _true(new)
        return
    for one, two in zip(old.args, new.args, strict=True):
        yield from _unequal(one, two)
    for (_, one), (_, two) in zip(old.named, new.named, strict=True):
        yield from _unequal(one, two)


def _all(generator: sx.Generator) -> sx.Expr:
    """Return the condition of what a generator takes."""
    test: sx.Expr = _true(generator)
    for place, each in enumerate(generator.where):
        test = sx.Infix("and", test, each, each.at) if place else each
    return test


def _true(tree: Tree) -> sx.Truth:
    return sx.Truth(True, tree.at)  # noqa: FBT003


def _asks(tree: Tree) -> bool:
    """Return whether somebody is asked in an expression: it has a value only once."""
    return any(isinstance(part, sx.Call) and isinstance(part.func, sx.Name)
               and part.func.name in _ASKING for part in walk(tree))


def _same(one: object, two: object) -> bool:
    """Compare trees, whatever their places are."""
    if isinstance(one, tuple) and isinstance(two, tuple):
        several, more = cast("tuple[object, ...]", one), cast("tuple[object, ...]", two)
        return len(several) == len(more) and all(map(_same, several, more))
    if isinstance(one, sx.Expr | sx.Stmt):
        return type(one) is type(two) and all(
            each.name == "at" or _same(getattr(one, each.name), getattr(two, each.name))
            for each in fields(one))
    return one == two
