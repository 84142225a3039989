"""A silence: a place of a clause that says something which may stand nowhere in its sentence.

Contract: aspects (one file each) look at one clause of a loaded game and yield silences; a silence
holds the ways in which the clause could be read instead, each as changes of the clause's own tree.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from ..game import syntax as sx
from ..game.game import Body, Clause, Game, Variable
from ..game.phrases import Change, Path
from ..game.texts import Tree, below, walk
from ..game.uses import closure
from ..recent import Recent


@dataclass(frozen=True, slots=True)
class Answer:
    """One way to read a silence: its id, what it says, and what it changes of the clause.

    `elsewhere` is what it changes of other clauses, by their ids, `adds` the variables that it
    needs to remember something, and `brings` the clauses that only it has.
    """

    id: str
    title: str
    changes: Mapping[Path, Change]
    elsewhere: Mapping[str, Mapping[Path, Change]] = field(default_factory=dict)
    adds: tuple[Variable, ...] = ()
    brings: tuple[Clause, ...] = ()


@dataclass(frozen=True, slots=True)
class Silence:
    """A place of a clause at which an aspect is decided.

    `form` is the construct without what tells siblings apart: those of one form are one question.
    `subject` is the construct in words; `written` says (id, title) what the clause does.  `asks` is
    the question, where that of the aspect does not fit, and `about` the clause whose sentence it is
    asked of, if that is another one.  `adopted` is the answer by which the game is played, where
    what is written would leave undone what the sentence asks for; `decided` says by what.
    """

    aspect: str
    clause: str
    form: str
    subject: str
    written: tuple[str, str]
    answers: tuple[Answer, ...]
    asks: str = ""
    about: str = ""
    adopted: str = ""
    decided: str = ""


@dataclass(frozen=True, slots=True)
class Site:
    """A part of a clause, with the way to it from the clause."""

    path: Path
    tree: Tree

    def inner(self, *steps: str | int) -> Path:
        """Return the way to a part of this one."""
        return (*self.path, *steps)


@dataclass(frozen=True)
class View:
    """A clause in its game, as aspects look at it."""

    game: Game
    clause: Clause

    @cached_property
    def sites(self) -> tuple[Site, ...]:
        """Every part of the clause's body, outer before inner, in the order of the text."""
        return () if self.clause.do is None else _sites(self.clause.do)

    def blocks(self) -> Iterator[tuple[Path, tuple[sx.Stmt, ...]]]:
        """Yield every list of statements of the body, with the way to it."""
        if self.clause.do is not None:
            yield ("do", "statements"), self.clause.do.statements
        for site in self.sites:
            match site.tree:
                case sx.IfThen(then=then, other=other):
                    yield site.inner("then"), then
                    if other:
                        yield site.inner("other"), other
                case sx.ForEach(body=body) | sx.While(body=body):
                    yield site.inner("body"), body
                case _:
                    pass

    def mover(self) -> str:
        """Name who acts: `actor` in an option, else the variable that all windows go by, or ""."""
        return "actor" if self.clause.option else self.turn()

    def turn(self) -> str:
        """Name the variable that says whose turn it is, or "".

        Players act by it in windows; where there are several, it is the one that is passed on.
        """
        movers = {window.by.name for window in self.game.windows.values()
                  if isinstance(window.by, sx.Name)}
        if len(movers) > 1:
            movers = {name for name in movers if any(
                passes_on(part, name) for clause in self.game.clauses
                if clause.in_force and clause.do and name in clause.do.text
                for stmt in clause.do.statements for part in walk(stmt))}
        return movers.pop() if len(movers) == 1 else ""

    def person(self, who: sx.Expr) -> str:
        """Return what to call a player of whom an expression speaks, in an answer."""
        if isinstance(who, sx.Name) and who.name == self.mover():
            return "the player who acts" if self.clause.option else "the player whose turn it is"
        return "the player that it is about"

    def params(self) -> dict[str, str]:
        """Return the kinds of the parameters of the clause's step."""
        step = self.game.steps.get(self.clause.on)
        return {name: ty.kind for name, ty in step.params.items()} if step else {}

    def selves(self) -> tuple[str, ...]:
        """Name the one that the sentence is about: who acts, or the only player that a step has."""
        players = [name for name, kind in self.params().items() if kind == "player"]
        if players:
            return (players[0],) if len(players) == 1 else ()
        return (self.mover(),) if self.mover() else ()

    def runs(self, call: sx.Call) -> bool:
        """Return whether a call runs a step, a window or a card's ability."""
        name = call.func.name if isinstance(call.func, sx.Name) else ""
        return not name or name in self.game.steps or name in self.game.windows

    def reads(self, trees: Iterable[Tree]) -> frozenset[str]:
        """Name what trees read, by way of defined terms too."""
        game = self.game
        known = {clause.define for clause in game.clauses}.union(
            game.variables, game.zones, game.pools)
        found = {part.name for tree in trees for part in walk(tree)
                 if isinstance(part, sx.Attr) or (isinstance(part, sx.Name) and part.name in known)}
        return closure(self.game, found)


def _parts(body: Body) -> tuple[Site, ...]:
    return tuple(site for place, stmt in enumerate(body.statements)
                 for site in parts_of(Site(("do", "statements", place), stmt)))


_sites = Recent(_parts, 2_000)
"""A body is the same object under all settings, and each clause looks at those of all others."""


def parts_of(site: Site) -> Iterator[Site]:
    """Yield a part and all that is in it."""
    yield site
    for path, tree in below(site.tree):
        yield from parts_of(Site((*site.path, *path), tree))


def called(tree: object) -> str:
    """Return the name of the function or statement that a tree calls, or ""."""
    match tree:
        case sx.Call(func=sx.Name(name=name)):
            return name
        case sx.Do(call=call):
            return called(call)
        case sx.Assign(value=value):
            return called(value)
        case _:
            return ""


def zone_of(tree: sx.Expr) -> str:
    """Return the name of the zone, pool or variable that a tree speaks of, or ""."""
    match tree:
        case sx.Name(name=name):
            return name
        case sx.Index(value=inner) | sx.Generator(domain=inner):
            return zone_of(inner)
        case _:
            return ""


def owner_of(tree: sx.Expr) -> sx.Expr | None:
    """Return whose zone, pool or variable a tree speaks of, if it says so."""
    match tree:
        case sx.Index(index=index):
            return index
        case sx.Generator(domain=domain):
            return owner_of(domain)
        case _:
            return None


def both(one: sx.Expr | None, two: sx.Expr) -> sx.Expr:
    """Build `one and two`."""
    return two if one is None else sx.Infix("and", one, two, two.at)


def call(name: str, at: sx.Expr, *args: sx.Expr) -> sx.Call:
    """Build a call at the place of a tree."""
    return sx.Call(sx.Name(name, at.at), args, (), at.at)


def some_of(domain: sx.Expr) -> sx.Expr:
    """Build the condition that a domain holds something."""
    if isinstance(domain, sx.Generator):
        test: sx.Expr = sx.Truth(True, domain.at)  # noqa: FBT003
        for place, each in enumerate(domain.where):
            test = each if place == 0 else both(test, each)
        return call("any", domain, sx.Generator(test, domain.var, domain.domain, (), domain.at))
    return sx.Compare(">", call("size", domain, domain), sx.Num(0, domain.at), domain.at)


def instead(new: object) -> Change:
    """Return the change that puts something else in the place of a part."""
    return lambda _: new


def only_if(test: sx.Expr, *more: sx.Stmt) -> Change:
    """Return the change that puts a statement, and more of them, under a condition."""
    return lambda stmt: sx.IfThen(test, (stmt, *more), (), stmt.at)


def gives(stmt: object, mover: str) -> bool:
    """Return whether a statement says whose turn it is."""
    return isinstance(stmt, sx.Assign) and _is(stmt.target, mover)


def passes_on(stmt: object, mover: str) -> bool:
    """Return whether a statement gives the turn to a player who is told by whose it was."""
    return isinstance(stmt, sx.Assign) and gives(stmt, mover) and any(
        _is(part, mover) for part in walk(stmt.value))


def _is(tree: object, name: str) -> bool:
    return isinstance(tree, sx.Name) and tree.name == name
