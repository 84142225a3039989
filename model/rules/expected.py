"""Expressions where a value of a certain kind is expected; what is wrong otherwise."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace

from ..game import syntax as sx
from ..game.game import Ty
from ..game.unparse import unparse
from ..game.uses import subject
from ..machine.core import TRUE, Const, Expr, Load, Local
from ..machine.simplify import binary, both, choice, reduce
from ..source.errors import Place
from .declared import Declared
from .meanings import (
    NO_SEATS,
    NO_SUMS,
    PLAYER,
    BagMeaning,
    Checks,
    Iteration,
    Names,
    Owed,
    PlayerSet,
    PoolAt,
    RecordAt,
    Scalar,
    Span,
    Value,
    ZoneAt,
    called,
    one,
    typed,
    under,
)
from .words import Word


class Expecting(Declared, ABC):
    """What functions and operators need of the elaboration of an expression, which calls them."""

    @abstractmethod
    def value(self, tree: sx.Expr, scope: Names) -> Value:
        """Elaborate any expression; raises Failed after reporting what is wrong."""

    def counted(self, word: Word, call: sx.Call) -> None:
        """Report a call with more or fewer arguments than a word takes."""
        low, high = word.takes
        if (call.named and not word.named) or not low <= len(call.args) <= high:
            wanted = f"{low}" if low == high else f"{low} or {high}"
            if high > low + 1:
                wanted = f"{low} to {high}"
            raise self.fail("RP213", f"`{word.name}` takes {wanted} argument(s)", call.at,
                            f"`{word.form}`: {word.means}")

    def word(self, call: sx.Call) -> str:
        """Return the name of what is called."""
        assert isinstance(call.func, sx.Name)
        return call.func.name

    def over(self, call: sx.Call, example: str) -> sx.Generator:
        """Return the generator that a call has as its argument."""
        (arg,) = call.args
        if isinstance(arg, sx.Generator):
            return arg
        name = self.word(call)
        raise self.fail("RP211", f"`{name}` takes a generator", arg.at,
                        f"as in `{name}({example})`")

    def scalar(self, tree: sx.Expr, scope: Names) -> Scalar:
        """Elaborate an expression that must be one value."""
        return self.single(self.value(tree, scope), tree)

    def single(self, value: Value, tree: sx.Expr) -> Scalar:
        """Report it if a value is not one value."""
        if isinstance(value, Scalar):
            return value
        many = isinstance(value, BagMeaning | PlayerSet | PoolAt)
        raise self.fail("RP210", f"expected one value, got {called(value)}", tree.at,
                        f"how many there are is `size({unparse(tree)})`" if many else "")

    def use(self, tree: sx.Expr, scope: Names, kind: str, name: str = "") -> Scalar:
        """Elaborate an expression of a given kind that must be set where it is used."""
        return self.used_as(self.scalar(tree, scope), tree, kind, name)

    def used_as(self, value: Scalar, tree: sx.Expr, kind: str, name: str = "") -> Scalar:
        """Report it if a value is not of a given kind; owe that it is set."""
        if value.ty.kind == "none":
            raise self.fail("RP210", "`none` can only be compared with `==` and `!=`", tree.at,
                            f"{_a(name or kind)} is needed here")
        self.expect(value.ty, kind, name, tree.at)
        return self.present(value, tree)

    def expect(self, ty: Ty, kind: str, name: str, place: Place) -> None:
        """Report it if a type is not of the kind wanted."""
        if ty.kind != kind or (name and ty.name != name):
            wanted = f"{kind} {name}".strip() if kind != "enum" else name
            raise self.fail("RP210", f"expected {typed(wanted)}, got {typed(str(ty))}", place,
                            NO_SEATS if (kind, ty.kind) == ("player", "int") else
                            NO_SUMS if (kind, ty.kind) == ("int", "player") else "")

    def present(self, value: Scalar, tree: sx.Expr) -> Scalar:
        """Owe that an optional value is not `none`."""
        if not value.ty.optional:
            return value
        check = Owed(
            binary("!=", value.expr, Const(-1)), "no-value",
            f"{describe(tree)} is used but is not set", tree.at, about=subject(tree),
        )
        return Scalar(replace(value.ty, optional=False), value.expr, (*value.checks, check))

    def there(self, value: RecordAt, tree: sx.Expr) -> RecordAt:
        """Owe that a name stands for a record."""
        if not value.optional:
            return value
        check = Owed(binary(">=", value.index, Const(0)), "no-value",
                      f"{describe(tree)} is used, but there is no such record (any more)", tree.at)
        return replace(value, optional=False, checks=(*value.checks, check))

    def truth(self, tree: sx.Expr, scope: Names) -> Scalar:
        """Elaborate a condition, which must be set."""
        return self.use(tree, scope, "bool")

    def guard(self, tree: sx.Expr | None, scope: Names) -> Expr:
        """Elaborate a condition that is false where it makes no sense."""
        if tree is None:
            return TRUE
        value = self.truth(tree, scope)
        made = value.expr
        for check in reversed(value.checks):
            made = both(check.test, made)
        return made

    def players(self, tree: sx.Expr, scope: Names) -> PlayerSet:
        """Elaborate a set of players."""
        value = self.value(tree, scope)
        if isinstance(value, PlayerSet):
            return value
        raise self.fail("RP210", f"expected a set of players, got {called(value)}", tree.at)

    def bag(self, tree: sx.Expr, scope: Names) -> BagMeaning:
        """Elaborate a zone, a bag local, or a generator over one."""
        if isinstance(tree, sx.Generator):
            return self._filtered(tree, scope)
        value = self.value(tree, scope)
        if isinstance(value, BagMeaning):
            return value
        raise self.fail("RP210", f"expected cards or a zone, got {called(value)}", tree.at)

    def zone(self, tree: sx.Expr, scope: Names) -> tuple[ZoneAt, Checks]:
        """Elaborate the name of a zone, with its owner."""
        value = self.value(tree, scope)
        if isinstance(value, BagMeaning) and value.zone is not None:
            return value.zone, value.checks
        raise self.fail("RP210", f"expected a zone, got {called(value)}", tree.at,
                        "name a zone, as in `hand[active]`")

    def iteration(self, tree: sx.Expr, scope: Names) -> Iteration:
        """Elaborate what a loop or generator runs over."""
        value = self.value(tree, scope)
        if isinstance(value, PlayerSet):
            return Iteration(PLAYER, 0, self.seats(), value.member, one, value.checks,
                             value.order, value.start)
        if isinstance(value, BagMeaning):
            count = value.count
            return Iteration(
                Ty("card", value.family), 0, self.kinds(value.family),
                lambda k: binary(">", count(k), Const(0)), count, value.checks,
            )
        if isinstance(value, Span):
            return Iteration(value.ty, value.low, value.size, value.where, one, value.checks,
                             ends=value.ends)
        if isinstance(value, PoolAt):
            length = Load(f"{value.pool}.size", value.owner)
            size = self.game.pools[value.pool].capacity
            return Iteration(Ty("record", value.pool), 0, size,
                             lambda i: binary("<", i, length), one, value.checks, pool=value)
        raise self.fail(
            "RP210", f"cannot run over {called(value)}", tree.at,
            "a domain is a set of players, a zone, a family, an enum, a pool or a range")

    def element(self, over: Iteration, index: Expr) -> Value:
        """Return the value that the loop variable has at an index 0 … size-1."""
        value = binary("+", index, Const(over.low))
        if over.pool is not None:
            return RecordAt(over.pool.pool, over.pool.owner, index)
        low, high = (over.low, over.low + over.size - 1)
        ty = replace(over.ty, low=low, high=high) if over.ty.kind == "int" else over.ty
        return Scalar(ty, value)

    def generator(
        self, tree: sx.Generator, scope: Names
    ) -> tuple[Iteration, str, Expr, Names, Checks]:
        """Open a generator: its iteration, the core variable, the filter, and the scope inside."""
        over = self.iteration(tree.domain, scope)
        var = self.fresh(tree.var)
        index = Local(var)
        value = binary("+", index, Const(over.low))
        inside = scope.bind(tree.var, self.element(over, index))
        where = over.where(value)
        checks: list[Owed] = []
        for test in tree.where:
            made = self.truth(test, inside)
            checks.extend(under(where, made.checks))
            where = both(where, made.expr)
        lifted = self.for_all(var, over.size, TRUE, tuple(checks))
        return over, var, where, inside, (*over.checks, *lifted)

    def for_all(self, var: str, size: int, where: Expr, checks: Checks) -> Checks:
        """Owe checks for each index below a size where a condition holds."""
        return tuple(
            replace(check, test=reduce("all", var, size, where, check.test)) for check in checks
        )

    def _filtered(self, tree: sx.Generator, scope: Names) -> BagMeaning:
        if not isinstance(tree.element, sx.Name) or tree.element.name != tree.var:
            raise self.fail("RP211", "write `c for c in ZONE if …` to name some of its cards",
                            tree.at)
        source = self.value(tree.domain, scope)
        if not isinstance(source, BagMeaning):
            raise self.fail("RP210", f"expected a zone, got {called(source)}", tree.domain.at)

        def count(kind: Expr) -> Expr:
            inside = scope.bind(tree.var, Scalar(Ty("card", source.family), kind))
            test: Expr = TRUE
            for each in tree.where:
                test = both(test, self.guard(each, inside))
            return choice(test, source.count(kind), Const(0))

        count(Const(0)) if self.kinds(source.family) else None
        return BagMeaning(source.family, count, source.checks, source.zone)


def _a(kind: str) -> str:
    """Return the name of a kind of value with its article."""
    words = {"bool": "yes or no", "int": "a number"}
    return words.get(kind, f"{'an' if kind[:1] in 'aeio' else 'a'} `{kind}`")


def describe(tree: sx.Expr) -> str:
    """Print an expression as its author would write it."""
    return f"`{unparse(tree)}`"


Function = Callable[[Expecting, sx.Call, Names], Value]
"""What stands behind a word of an expression."""
