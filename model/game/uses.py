"""Who uses what in a spec: the names that clauses, windows and cards mention."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from ..recent import Recent
from . import syntax as sx
from .game import Body, Card, Clause, Game, Window
from .texts import children, walk


def trees_of(clause: Clause) -> Iterator[sx.Expr | sx.Stmt]:
    """Yield every tree that a clause holds."""
    yield from _some(clause.when, clause.ensure, clause.always, clause.whenever, clause.value)
    yield from (domain for _, domain in clause.params)
    for body in (clause.do, clause.otherwise):
        yield from _body(body)
    if clause.claim is not None:
        yield from _some(clause.claim.test, clause.claim.such_that, clause.claim.equals)
    if clause.example is not None:
        yield from _some(clause.example.expect)


def _some(*several: sx.Expr | None) -> Iterator[sx.Expr]:
    return (one for one in several if one is not None)


def _body(body: Body | None) -> Iterator[sx.Stmt]:
    return iter(() if body is None else body.statements)


def _window(window: Window) -> Iterator[sx.Expr]:
    return _some(window.by, window.who, window.start)


def _card(card: Card) -> Iterator[sx.Stmt]:
    for body in card.abilities.values():
        yield from _body(body)


def in_its_mode(game: Game, clause: Clause) -> bool:
    """Return whether a clause can act, or has any meaning, in the modes that are played.

    It is not if its condition never holds in them, if as a definition it always comes to the same
    by them, or if it does no more than to introduce modes of which none is played.
    """
    modes = {name for name, each in game.variants.items() if each.clause == clause.id}
    if modes and clause.do is None and not clause.define and not modes & {*game.settings.variants}:
        return False
    if clause.define and clause.value is not None:
        return isinstance(clause.value, sx.Truth) or by_modes(game, clause.value) is None
    conditions = (clause.when, clause.whenever)
    return not any(by_modes(game, test) is False for test in conditions if test is not None)


def by_modes(game: Game, test: sx.Expr) -> bool | None:
    """Return whether a condition holds by the modes that are played alone; None: not by them.

    Terms that it names are looked into.
    """
    match test:
        case sx.Truth():
            return test.value
        case sx.Prefix(op="not"):
            inner = by_modes(game, test.operand)
            return None if inner is None else not inner
        case sx.Infix(op="and" | "or" as op):
            sides = {by_modes(game, test.left), by_modes(game, test.right)}
            strong = op == "or"  # what decides it alone
            return strong if strong in sides else None if None in sides else not strong
        case sx.Call(func=sx.Name(name="variant"), args=(sx.Name(name=mode),)):
            return mode in game.settings.variants
        case sx.Call(func=sx.Name(name=name)) | sx.Name(name=name):
            value = next((each.value for each in game.clauses
                          if each.define == name and each.in_force), None)
            return None if value is None else by_modes(game, value)
        case _:
            return None


def names_in(trees: Iterable[sx.Expr | sx.Stmt]) -> frozenset[str]:
    """Collect the names in some trees, what stands behind a dot included."""
    return frozenset(part.name for tree in trees for part in walk(tree)
                     if isinstance(part, sx.Name | sx.Attr))


def read_in(trees: Iterable[sx.Expr | sx.Stmt]) -> Iterator[str]:
    """Yield the names whose values some trees need: not what is only assigned to.

    A value that only goes into the next value of the same variable is not needed.
    """
    todo = list(trees)
    while todo:
        tree = todo.pop()
        if isinstance(tree, sx.Assign):
            name, target = subject(tree.target), tree.target
            while isinstance(target, sx.Index):
                todo.append(target.index)
                target = target.value
            if isinstance(target, sx.Attr):
                todo.append(target.value)
            yield from (each for each in read_in((tree.value,)) if each != name)
            continue
        if isinstance(tree, sx.Name | sx.Attr):
            yield tree.name
        todo.extend(children(tree))


def all_bodies(game: Game) -> Iterator[Body]:
    """Yield what clauses and cards do."""
    for clause in game.clauses:
        yield from (body for body in (clause.do, clause.otherwise) if body is not None)
    for family in game.families.values():
        for card in family.cards:
            yield from card.abilities.values()


def all_trees(game: Game) -> Iterator[sx.Expr | sx.Stmt]:
    """Yield every tree of a game: of clauses, windows, cards, modes, and the score."""
    for clause in game.clauses:
        yield from trees_of(clause)
    for window in game.windows.values():
        yield from _window(window)
    for family in game.families.values():
        for card in family.cards:
            yield from _card(card)
    for variant in game.variants.values():
        yield from _some(variant.when)
    yield from _some(game.score)


def subject(tree: sx.Expr) -> str:
    """Return what a path ends in, such as a zone or a field, whoever's it is; "" for others."""
    while isinstance(tree, sx.Index):
        tree = tree.value
    return tree.name if isinstance(tree, sx.Name | sx.Attr) else ""


def mentions(clause: Clause) -> frozenset[str]:
    """Collect the names that a clause mentions, the step or window that it stands on included."""
    found = set(names_in(trees_of(clause)))
    found.update(part for part in (*clause.on.split("."), clause.must) if part)
    return frozenset(found)


def known_in(game: Game, name: str) -> str:
    """Say in whose body a name is a local, or whose parameter it is; "" if it is none."""
    for clause in game.clauses:
        if name in {param for param, _ in (*clause.params, *clause.define_params)}:
            return f"a parameter of `{clause.id}`"
        if any(_sets(body, name) for body in (clause.do, clause.otherwise)):
            return f"a local name of `{clause.id}`"
    return next((f"a local name of the ability `{ability}` of `{card.id}`"
                 for family in game.families.values() for card in family.cards
                 for ability, body in card.abilities.items() if _sets(body, name)), "")


def _sets(body: Body | None, name: str) -> bool:
    """Return whether a body gives a value to a name, or runs a loop with it."""
    return any(
        (isinstance(part, sx.Assign) and part.target == sx.Name(name, part.target.at))
        or (isinstance(part, sx.ForEach) and part.var == name)
        for stmt in _body(body) for part in walk(stmt))


def closure(game: Game, names: Iterable[str]) -> frozenset[str]:
    """Collect names, and those that the definitions of terms among them mention, and so on."""
    terms: dict[str, list[Clause]] = {}
    for clause in game.clauses:
        if clause.define and clause.in_force:
            terms.setdefault(clause.define, []).append(clause)
    found: set[str] = set()
    todo = list(names)
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += (each for clause in terms.get(name, ()) for each in mentions(clause))
    return frozenset(found)


def card_values(game: Game, trees: Iterable[sx.Expr | sx.Stmt]) -> tuple[int, int]:
    """Count the values of cards that trees read, one for each card and attribute.

    With them, how many of these the book does not print (`assumed`).
    """
    terms = {c.define: c.value for c in game.clauses if c.define and c.value is not None}
    names: set[str] = set()
    todo = list(trees)
    while todo:
        for part in walk(todo.pop()):
            if isinstance(part, sx.Attr):
                names.add(part.name)
            elif isinstance(part, sx.Name) and part.name in terms:
                todo.append(terms.pop(part.name))
    read = [name in card.assumed for family in game.families.values() for card in family.cards
            for name in names & {*family.attributes, "copies"}]
    return len(read), sum(read)


def called_in(trees: Iterable[sx.Expr | sx.Stmt]) -> frozenset[str]:
    """Name the functions, statements, steps, windows and abilities that trees call."""
    return frozenset(getattr(part.func, "name", "") for tree in trees for part in walk(tree)
                     if isinstance(part, sx.Call))


def changes(game: Game, trees: Iterable[sx.Expr | sx.Stmt]) -> frozenset[str]:
    """Name the variables, zones, pools and fields that statements may change, and all they run.

    The rules of any time are taken in where something is changed that they watch.  A statement that
    removes a record gives `remove` too.
    """
    return _bodies_of(game).reach(trees).changed


def runs(game: Game, step: str) -> frozenset[str]:
    """Name what a step runs, and what that runs, as `changes` follows it; rules of any time too."""
    return _bodies_of(game).reach(_bodies(game, step)).called


def may_run(game: Game, trees: Iterable[sx.Expr | sx.Stmt]) -> tuple[frozenset[str], bool]:
    """Name what statements call; and return whether a rule of any time watches what they change."""
    known = _bodies_of(game)
    body = known.body(trees)
    return body.called, any(watched & body.changed for watched, _ in known.rules)


@dataclass(frozen=True, slots=True)
class _Body:
    """What statements change themselves, and the names of what they call."""

    changed: frozenset[str]
    called: frozenset[str]


class _Bodies:
    """The bodies of a game, each looked through once."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.rules = [
            (closure(game, _watched(game, each)), self.body(_body(each.do)))
            for each in game.clauses if each.whenever is not None and each.in_force]
        self._known: dict[str, _Body] = {}

    def reach(self, trees: Iterable[sx.Expr | sx.Stmt]) -> _Body:
        """Name what statements may change and call, with all that they run."""
        waiting, bodies = self.rules, [self.body(trees)]
        found, called = set[str](), set[str]()
        while bodies:
            body = bodies.pop()
            found |= body.changed
            bodies += map(self._called, body.called - called)
            called |= body.called
            if not bodies:
                bodies = [body for watched, body in waiting if found & watched]
                waiting = [each for each in waiting if not found & each[0]]
        return _Body(frozenset(found), frozenset(called))

    def _called(self, name: str) -> _Body:
        if name not in self._known:
            self._known[name] = self.body(_bodies(self.game, name))
        return self._known[name]

    def body(self, trees: Iterable[sx.Expr | sx.Stmt]) -> _Body:
        """Look through some statements."""
        trees = tuple(trees)
        changed = (_changed(self.game, part) for tree in trees for part in walk(tree))
        return _Body(frozenset(chain.from_iterable(changed)), called_in(trees))


_bodies_of = Recent(_Bodies, 8)


def _watched(game: Game, clause: Clause) -> frozenset[str]:
    """Name what the condition of a rule of any time mentions."""
    others = [each.when for each in game.clauses if clause.id in each.overrides]
    return names_in(_some(clause.whenever, clause.when, *others))


def _changed(game: Game, part: sx.Expr | sx.Stmt) -> Iterator[str]:
    """Name what one statement changes itself; a removed record may be of any pool."""
    match part:
        case sx.Assign(target=target):
            yield _base(target)
        case sx.Call(func=sx.Name(name="remove")):
            yield "remove"
            yield from game.pools
        case sx.Call(func=sx.Name(), args=args):
            yield from map(_base, args)
        case _:
            pass


def _base(tree: sx.Expr) -> str:
    """Return the name of a variable, zone or pool without its index, and of a field."""
    match tree:
        case sx.Name(name=name) | sx.Attr(name=name):
            return name
        case sx.Index(value=inner) | sx.Generator(domain=inner):
            return _base(inner)
        case _:
            return ""


def _bodies(game: Game, name: str) -> Iterator[sx.Stmt]:
    """Yield what runs when a step, a window or an ability of this name is called."""
    for clause in game.clauses:
        if clause.on == name:
            yield from (*_body(clause.do), *_body(clause.otherwise))
    for family in game.families.values():
        for card in family.cards:
            yield from _body(card.abilities.get(name))


def users(game: Game) -> Mapping[str, tuple[str, ...]]:
    """For each name: the clauses, windows and cards that mention it, in the order of the spec.

    Clauses stand under their id, others as `windows.NAME` and `cards.FAMILY.ID`.
    """
    found: dict[str, dict[str, None]] = {}

    def note(who: str, names: frozenset[str]) -> None:
        for name in names:
            found.setdefault(name, {})[who] = None

    for clause in game.clauses:
        note(clause.id, mentions(clause))
    for window in game.windows.values():
        note(f"windows.{window.name}", names_in(_window(window)))
    for family in game.families.values():
        for card in family.cards:
            note(f"cards.{family.name}.{card.id}", names_in(_card(card)))
    if game.score is not None:
        note("score", names_in(iter((game.score,))))
    return {name: tuple(who) for name, who in sorted(found.items())}
