"""Give names and types to expressions, and turn them into total core expressions.

An expression of the rules language may fail: a value may be unset, a tie may have no single winner.
Elaboration makes that explicit.  It returns a core expression that always has a value, together
with *checks*: core conditions, in order of evaluation, each of which is an obligation of the
sentence.  `a and b` owes b's checks only where a holds; a generator owes its checks for each
element.

Sets of players and bags of cards are not values of the core: a set is a membership test and a bag
is a count, both functions of an index.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..game import syntax as sx
from ..game.game import Ty
from ..game.unparse import unparse
from ..machine import intervals
from ..machine.core import FALSE, TRUE, Const, Load, Local, Table
from ..machine.simplify import binary, both, choice, conj, either, negate, reduce
from ..source.errors import did_you_mean
from .joins import comparable, join
from .meanings import (
    BOOL,
    EMPTY_SET,
    NO_SEATS,
    NOTHING,
    PLAYER,
    Bag,
    Check,
    Checks,
    Failed,
    Iteration,
    PlayerSet,
    PoolAt,
    RecordAt,
    Scalar,
    Scope,
    Span,
    Value,
    ZoneAt,
    called,
    one,
    typed,
    under,
    used_at,
    with_checks,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..game.game import Game, Zone
    from ..machine.core import BinaryOp, Expr
    from ..source.errors import Place, Reporter

class Elaborator:
    """Elaborates expressions of one game; also the table of what the declared names stand for."""

    def __init__(self, game: Game, report: Reporter) -> None:
        self.game = game
        self.report = report
        self.tables: dict[str, tuple[int, ...]] = {}
        self._fresh = 0
        self._unfolding: tuple[str, ...] = ()
        self.used: set[str] = set()
        for family in game.families.values():
            for name in family.attributes:
                key = f"{family.name}.{name}"
                self.tables[key] = tuple(card.attributes[name] for card in family.cards)
            self.tables[f"{family.name}.copies"] = tuple(card.copies for card in family.cards)
        self._enum_values = {
            value: (name, index)
            for name, values in game.enums.items()
            for index, value in enumerate(values)
        }
        self._defines = {c.define: c for c in game.clauses if c.define and c.in_force}

    # ------------------------------------------------------------------ small helpers

    def fresh(self, stem: str) -> str:
        """Make a new name for a local of the core."""
        self._fresh += 1
        return f"{stem}${self._fresh}"

    def fail(self, code: str, message: str, place: Place, help_: str = "") -> Failed:
        """Report an error and make the exception to raise."""
        self.report.error(code, message, place, help=help_)
        return Failed(message)

    def seats(self) -> int:
        """Give the number of players."""
        return self.game.players

    def kinds(self, family: str) -> int:
        """Give the number of card kinds of a family."""
        return len(self.game.families[family].cards)

    def copies(self, family: str) -> int:
        """Give the number of cards of a family."""
        return sum(self.tables[f"{family}.copies"])

    def most_copies(self, family: str) -> int:
        """Give the number of copies of the most common card of a family."""
        return max(self.tables[f"{family}.copies"], default=0)

    def span_of(self, ty: Ty) -> tuple[int, int]:
        """Give the least and greatest value of a scalar type (without none)."""
        if ty.kind == "int":
            return ty.low, ty.high
        if ty.kind == "bool":
            return 0, 1
        if ty.kind == "player":
            return 0, self.seats() - 1
        if ty.kind == "card":
            return 0, self.kinds(ty.name) - 1
        if ty.kind == "enum":
            return 0, len(self.game.enums[ty.name]) - 1
        if ty.kind == "record":
            return 0, self.game.pools[ty.name].capacity - 1
        return -1, -1

    # ------------------------------------------------------------------ entry points

    def scalar(self, tree: sx.Expr, scope: Scope) -> Scalar:
        """Elaborate an expression that must be one value."""
        return self.single(self.value(tree, scope), tree)

    def single(self, value: Value, tree: sx.Expr) -> Scalar:
        """Report it if a value is not one value."""
        if isinstance(value, Scalar):
            return value
        raise self.fail("RP210", f"expected one value, got {called(value)}", tree.at)

    def use(self, tree: sx.Expr, scope: Scope, kind: str, name: str = "") -> Scalar:
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
                            NO_SEATS if (kind, ty.kind) == ("player", "int") else "")

    def present(self, value: Scalar, tree: sx.Expr) -> Scalar:
        """Owe that an optional value is not `none`."""
        if not value.ty.optional:
            return value
        check = Check(
            binary("!=", value.expr, Const(-1)), "no-value",
            f"{describe(tree)} is used but is not set", tree.at,
        )
        return Scalar(replace(value.ty, optional=False), value.expr, (*value.checks, check))

    def there(self, value: RecordAt, tree: sx.Expr) -> RecordAt:
        """Owe that a name stands for a record."""
        if not value.optional:
            return value
        check = Check(binary(">=", value.index, Const(0)), "no-value",
                      f"{describe(tree)} is used, but there is no such record (any more)", tree.at)
        return replace(value, optional=False, checks=(*value.checks, check))

    def truth(self, tree: sx.Expr, scope: Scope) -> Scalar:
        """Elaborate a condition, which must be set."""
        return self.use(tree, scope, "bool")

    def guard(self, tree: sx.Expr | None, scope: Scope) -> Expr:
        """Elaborate a condition that is false where it makes no sense."""
        if tree is None:
            return TRUE
        value = self.truth(tree, scope)
        made = value.expr
        for check in reversed(value.checks):
            made = both(check.test, made)
        return made

    def players(self, tree: sx.Expr, scope: Scope) -> PlayerSet:
        """Elaborate a set of players."""
        value = self.value(tree, scope)
        if isinstance(value, PlayerSet):
            return value
        raise self.fail("RP210", f"expected a set of players, got {called(value)}", tree.at)

    def bag(self, tree: sx.Expr, scope: Scope) -> Bag:
        """Elaborate a zone, a bag local, or a generator over one."""
        if isinstance(tree, sx.Generator):
            return self._filtered(tree, scope)
        value = self.value(tree, scope)
        if isinstance(value, Bag):
            return value
        raise self.fail("RP210", f"expected cards or a zone, got {called(value)}", tree.at)

    def zone(self, tree: sx.Expr, scope: Scope) -> tuple[ZoneAt, Checks]:
        """Elaborate the name of a zone, with its owner."""
        value = self.value(tree, scope)
        if isinstance(value, Bag) and value.zone is not None:
            return value.zone, value.checks
        raise self.fail("RP210", f"expected a zone, got {called(value)}", tree.at,
                        "name a zone, as in `hand[active]`")

    # ------------------------------------------------------------------ iteration

    def iteration(self, tree: sx.Expr, scope: Scope) -> Iteration:
        """Elaborate what a loop or generator runs over."""
        value = self.value(tree, scope)
        if isinstance(value, PlayerSet):
            return Iteration(PLAYER, 0, self.seats(), value.member, one, value.checks,
                             value.order, value.start)
        if isinstance(value, Bag):
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
        """Give the value that the loop variable has at an index 0 … size-1."""
        value = binary("+", index, Const(over.low))
        if over.pool is not None:
            return RecordAt(over.pool.pool, over.pool.owner, index)
        low, high = (over.low, over.low + over.size - 1)
        ty = replace(over.ty, low=low, high=high) if over.ty.kind == "int" else over.ty
        return Scalar(ty, value)

    def generator(
        self, tree: sx.Generator, scope: Scope
    ) -> tuple[Iteration, str, Expr, Scope, Checks]:
        """Open a generator: its iteration, the core variable, the filter, and the scope inside."""
        over = self.iteration(tree.domain, scope)
        var = self.fresh(tree.var)
        index = Local(var)
        value = binary("+", index, Const(over.low))
        inside = scope.bind(tree.var, self.element(over, index))
        where = over.where(value)
        checks: list[Check] = []
        for test in tree.where:
            made = self.truth(test, inside)
            checks.extend(under(where, made.checks))
            where = both(where, made.expr)
        lifted = self._for_all(var, over.size, TRUE, tuple(checks))
        return over, var, where, inside, (*over.checks, *lifted)

    def _for_all(self, var: str, size: int, where: Expr, checks: Checks) -> Checks:
        return tuple(
            replace(check, test=reduce("all", var, size, where, check.test)) for check in checks
        )

    def _filtered(self, tree: sx.Generator, scope: Scope) -> Bag:
        if not isinstance(tree.element, sx.Name) or tree.element.name != tree.var:
            raise self.fail("RP211", "write `c for c in ZONE if …` to name some of its cards",
                            tree.at)
        source = self.value(tree.domain, scope)
        if not isinstance(source, Bag):
            raise self.fail("RP210", f"expected a zone, got {called(source)}", tree.domain.at)

        def count(kind: Expr) -> Expr:
            inside = scope.bind(tree.var, Scalar(Ty("card", source.family), kind))
            test: Expr = TRUE
            for each in tree.where:
                test = both(test, self.guard(each, inside))
            return choice(test, source.count(kind), Const(0))

        count(Const(0)) if self.kinds(source.family) else None
        return Bag(source.family, count, source.checks, source.zone)

    # ------------------------------------------------------------------ values

    def value(self, tree: sx.Expr, scope: Scope) -> Value:
        """Elaborate any expression; raises Failed after reporting what is wrong."""
        match tree:
            case sx.Num(value=number):
                return Scalar(Ty("int", low=number, high=number), Const(number))
            case sx.Truth(value=truth):
                return Scalar(BOOL, Const(int(truth)))
            case sx.Nothing():
                return Scalar(NOTHING, Const(-1))
            case sx.Text():
                raise self.fail("RP211", "a text is only expected in `ask=` and `outside(…)`",
                                tree.at)
            case sx.Name():
                return self._name(tree, scope)
            case sx.Attr():
                return self._attribute(tree, scope)
            case sx.Index():
                return self._index(tree, scope)
            case sx.Call():
                from .functions import call  # noqa: PLC0415  (functions needs this class)

                return call(self, tree, scope)
            case sx.Unary(op="not", operand=operand):
                inner = self.truth(operand, scope)
                return Scalar(BOOL, negate(inner.expr), inner.checks)
            case sx.Unary(operand=operand):
                inner = self.use(operand, scope, "int")
                ty = Ty("int", low=-inner.ty.high, high=-inner.ty.low)
                return Scalar(ty, binary("-", Const(0), inner.expr), inner.checks)
            case sx.Binary(op="and" | "or"):
                return self._connective(tree, scope)
            case sx.Binary():
                return self._arithmetic(tree, scope)
            case sx.Compare():
                return self._compare(tree, scope)
            case sx.IfElse():
                return self._if_else(tree, scope)
            case sx.SetOf():
                return self._set(tree, scope)
            case sx.Generator():
                raise self.fail("RP211", "a generator is only expected inside a call", tree.at,
                                "as in `any(… for p in players)`")

    def _name(self, tree: sx.Name, scope: Scope) -> Value:
        name = tree.name
        if name in scope.names:
            return used_at(scope.names[name], tree.at)
        game = self.game
        if name in game.constants:
            self.used.add(f"constants.{name}")
            number = game.constants[name].value
            return Scalar(Ty("int", low=number, high=number), Const(number))
        if name == "player_count":
            return Scalar(Ty("int", low=game.players, high=game.players), Const(game.players))
        if name == "players":
            return PlayerSet(one)
        if name == "winners":
            return PlayerSet(lambda p: Load("winners", (p,)))
        if name in game.variables:
            return self.variable(name, None, tree.at)
        if name in game.zones:
            zone = game.zones[name]
            if zone.per_player:
                raise self.fail("RP212", f"`{name}` is one for each player", tree.at,
                                f"write `{name}[p]`")
            return self.zone_bag(ZoneAt(zone, ()))
        if name in game.pools and not game.pools[name].per_player:
            return PoolAt(name, ())
        if name in self._enum_values:
            enum, index = self._enum_values[name]
            return Scalar(Ty("enum", enum), Const(index))
        if name in game.enums:
            return Span(Ty("enum", name), 0, len(game.enums[name]), one)
        if name in game.families:
            return Span(Ty("card", name), 0, self.kinds(name), one)
        if name in self._defines:
            from .functions import unfold  # noqa: PLC0415

            return unfold(self, self._defines[name], (), scope, tree.at)
        if name == "actor":
            raise self.fail("RP220", "nobody acts here, so there is no `actor`", tree.at,
                            "`actor` is the player who acts in a window; elsewhere name a "
                            "variable such as `active`, or a parameter")
        raise self.fail("RP220", f"unknown name `{name}`", tree.at,
                        did_you_mean(name, self.known(scope)))

    def known(self, scope: Scope) -> Iterable[str]:
        """Give all names that could be meant, for suggestions."""
        game = self.game
        groups: tuple[Iterable[str], ...] = (
            scope.names, game.constants, game.variables, game.zones, game.pools, game.enums,
            game.families, self._enum_values, self._defines, game.steps, game.windows,
            ("players", "player_count", "none", "winners"),
        )
        return [name for group in groups for name in group]

    def variable(self, name: str, owner: Expr | None, at: Place) -> Value:
        """Give the value of a declared variable; `owner` is the index of a `per` variable."""
        declared = self.game.variables[name]
        self.used.add(f"state.{name}")
        if declared.per and owner is None:
            raise self.fail("RP212", f"`{name}` is one for each {declared.per}", at,
                            f"write `{name}[…]`")
        index = () if owner is None else (owner,)
        if declared.type.kind == "players":
            return PlayerSet(lambda p: Load(name, (*index, p)))
        return Scalar(declared.type, Load(name, index))

    def zone_bag(self, at: ZoneAt) -> Bag:
        """Give the cards of a zone as a bag."""
        zone = at.zone
        self.used.add(f"zones.{zone.name}")

        def count(kind: Expr) -> Expr:
            parts: list[Expr] = []
            if zone.kind != "pile":
                parts.append(Load(zone.name, (*at.owner, kind)))
            for name, size in ordered_parts(zone):
                var = self.fresh("place")
                here = binary("==", Load(name, (*at.owner, Local(var))), kind)
                parts.append(reduce("sum", var, size, here, Const(1)))
            made: Expr = Const(0)
            for part in parts:
                made = binary("+", made, part)
            return made

        return Bag(zone.family, count, (), at)

    def _attribute(self, tree: sx.Attr, scope: Scope) -> Value:
        if isinstance(tree.value, sx.Name) and tree.value.name not in scope.names:
            family = self.game.families.get(tree.value.name)
            if family is not None:
                for index, card in enumerate(family.cards):
                    if card.id == tree.name:
                        return Scalar(Ty("card", family.name), Const(index))
                raise self.fail(
                    "RP220", f"no card `{tree.name}` in family `{family.name}`", tree.at,
                    did_you_mean(tree.name, (c.id for c in family.cards)))
        base = self.value(tree.value, scope)
        if isinstance(base, RecordAt):
            base = self.there(base, tree.value)
            fields = self.game.pools[base.pool].fields
            if tree.name not in fields:
                raise self.fail("RP220", f"`{base.pool}` has no field `{tree.name}`", tree.at,
                                did_you_mean(tree.name, fields))
            where = Load(f"{base.pool}.{tree.name}", (*base.owner, base.index))
            return Scalar(fields[tree.name], where, base.checks)
        if isinstance(base, Scalar) and base.ty.kind == "card":
            copies = self.tables[f"{base.ty.name}.copies"]
            most = Ty("int", low=0, high=max(copies, default=0))
            attributes = {"copies": most, **self.game.families[base.ty.name].attributes}
            if tree.name not in attributes:
                raise self.fail(
                    "RP220", f"cards of `{base.ty.name}` have no attribute `{tree.name}`",
                    tree.at, did_you_mean(tree.name, attributes))
            kind = self.present(base, tree.value)
            ty = attributes[tree.name]
            made = Table(f"{base.ty.name}.{tree.name}", kind.expr)
            if isinstance(kind.expr, Const) and 0 <= kind.expr.value < self.kinds(base.ty.name):
                return Scalar(ty, Const(self.tables[made.table][kind.expr.value]), kind.checks)
            return Scalar(ty, made, kind.checks)
        raise self.fail("RP210", f"{called(base)} has no attributes", tree.at)

    def _index(self, tree: sx.Index, scope: Scope) -> Value:
        if not isinstance(tree.value, sx.Name):
            raise self.fail("RP211", "only a name can be indexed", tree.at)
        name, game = tree.value.name, self.game
        if name in game.variables and game.variables[name].per:
            per = game.variables[name].per
            wanted = ("player", "") if per == "player" else (
                ("card", per) if per in game.families else ("enum", per))
            index = self.use(tree.index, scope, *wanted)
            value = self.variable(name, index.expr, tree.at)
            return with_checks(value, index.checks)
        if name in game.zones and game.zones[name].per_player:
            index = self.use(tree.index, scope, "player")
            return with_checks(self.zone_bag(ZoneAt(game.zones[name], (index.expr,))), index.checks)
        if name in game.pools and game.pools[name].per_player:
            index = self.use(tree.index, scope, "player")
            return PoolAt(name, (index.expr,), index.checks)
        known = [n for n, v in game.variables.items() if v.per]
        known += [n for n, z in game.zones.items() if z.per_player]
        known += [n for n, p in game.pools.items() if p.per_player]
        raise self.fail("RP220", f"`{name}` cannot be indexed", tree.value.at,
                        did_you_mean(name, known))

    def _connective(self, tree: sx.Binary, scope: Scope) -> Scalar:
        left, right = self.truth(tree.left, scope), self.truth(tree.right, scope)
        if tree.op == "and":
            checks = under(left.expr, right.checks)
            return Scalar(BOOL, both(left.expr, right.expr), (*left.checks, *checks))
        checks = under(negate(left.expr), right.checks)
        return Scalar(BOOL, either(left.expr, right.expr), (*left.checks, *checks))

    def _arithmetic(self, tree: sx.Binary, scope: Scope) -> Value:
        if tree.op in ("|", "&"):
            return self._set_operation(tree, scope)
        left_value = self.value(tree.left, scope)
        if isinstance(left_value, PlayerSet):
            return self._set_operation(tree, scope)
        left = self.used_as(self.single(left_value, tree.left), tree.left, "int")
        right = self.use(tree.right, scope, "int")
        op = _BINARY_OPS[tree.op]
        checks = (*left.checks, *right.checks)
        if tree.op in ("//", "%"):
            checks += (Check(binary("!=", right.expr, Const(0)), "division-by-zero",
                             "a division by zero", tree.at),)
        low, high = intervals.binary(
            op, (left.ty.low, left.ty.high), (right.ty.low, right.ty.high))
        return Scalar(Ty("int", low=low, high=high), binary(op, left.expr, right.expr), checks)

    def _set_operation(self, tree: sx.Binary, scope: Scope) -> PlayerSet:
        left, right = self.players(tree.left, scope), self.players(tree.right, scope)
        checks = (*left.checks, *right.checks)
        first, second = left.member, right.member
        if tree.op == "|":
            return PlayerSet(lambda p: either(first(p), second(p)), checks)
        if tree.op == "&":
            return replace(left, member=lambda p: both(first(p), second(p)), checks=checks,
                           ranking=False)
        if tree.op == "-":
            return replace(left, member=lambda p: both(first(p), negate(second(p))), checks=checks,
                           ranking=False)
        raise self.fail("RP210", f"`{tree.op}` does not work on sets of players", tree.at)

    def _compare(self, tree: sx.Compare, scope: Scope) -> Scalar:
        if tree.op in ("in", "not in"):
            return self._membership(tree, scope)
        left_value, right_value = self.value(tree.left, scope), self.value(tree.right, scope)
        if isinstance(left_value, PlayerSet) and isinstance(right_value, PlayerSet):
            return self._same_set(tree, left_value, right_value)
        if isinstance(left_value, PlayerSet) and isinstance(tree.right, sx.Nothing):
            raise self.fail("RP210", "a set of players is never `none`", tree.at, EMPTY_SET)
        if isinstance(left_value, RecordAt) or isinstance(right_value, RecordAt):
            return self._same_record(tree, left_value, right_value)
        left, right = self.single(left_value, tree.left), self.single(right_value, tree.right)
        if tree.op not in ("==", "!="):
            if left.ty.kind != "int" and right.ty == NOTHING:
                self.used_as(right, tree.right, "int")
            left = self.used_as(left, tree.left, "int")
            right = self.used_as(right, tree.right, "int")
        elif not comparable(left.ty, right.ty):
            raise self.fail("RP210", f"cannot compare {typed(str(left.ty))} with "
                            f"{typed(str(right.ty))}", tree.at,
                            NO_SEATS if {left.ty.kind, right.ty.kind} == {"player", "int"} else "")
        op = _BINARY_OPS[tree.op]
        return Scalar(BOOL, binary(op, left.expr, right.expr), (*left.checks, *right.checks))

    def _same_set(self, tree: sx.Compare, left: PlayerSet, right: PlayerSet) -> Scalar:
        if tree.op not in ("==", "!="):
            raise self.fail(
                "RP210", "sets of players are only compared with `==` and `!=`", tree.at)
        var = self.fresh("p")
        here = Local(var)
        equal = reduce("all", var, self.seats(), TRUE,
                       binary("==", left.member(here), right.member(here)))
        made = equal if tree.op == "==" else negate(equal)
        return Scalar(BOOL, made, (*left.checks, *right.checks))

    def _same_record(self, tree: sx.Compare, left: Value, right: Value) -> Scalar:
        """Compare a record with `none`, or with a record of the same pool."""
        if isinstance(right, RecordAt) and not isinstance(left, RecordAt):
            left, right = right, left
        assert isinstance(left, RecordAt)
        equal: Expr
        if isinstance(right, RecordAt) and right.pool == left.pool:
            pairs = zip(left.owner, right.owner, strict=True)
            equal = both(binary("==", left.index, right.index),
                         conj(binary("==", one, two) for one, two in pairs))
        elif isinstance(right, Scalar) and right.ty == NOTHING:
            equal = binary("<", left.index, Const(0)) if left.optional else FALSE
        else:
            raise self.fail("RP210", f"cannot compare {called(left)} with {called(right)}", tree.at)
        if tree.op not in ("==", "!="):
            raise self.fail("RP210", "records are only compared with `==` and `!=`", tree.at)
        made = equal if tree.op == "==" else negate(equal)
        return Scalar(BOOL, made, (*left.checks, *right.checks))

    def _membership(self, tree: sx.Compare, scope: Scope) -> Scalar:
        over = self.iteration(tree.right, scope)
        item = self.scalar(tree.left, scope)
        item = self.used_as(item, tree.left, over.ty.kind) if item.ty.kind == "none" else (
            self.present(item, tree.left))
        if not comparable(item.ty, over.ty):
            raise self.fail("RP210", f"{typed(str(item.ty))} is never in {describe(tree.right)}",
                            tree.at)
        low, high = Const(over.low), Const(over.low + over.size - 1)
        inside = both(binary(">=", item.expr, low), binary("<=", item.expr, high))
        if item.ty.kind == over.ty.kind and not item.ty.optional and over.ty.kind != "int":
            inside = TRUE
        made = both(inside, over.where(item.expr))
        made = made if tree.op == "in" else negate(made)
        return Scalar(BOOL, made, (*item.checks, *over.checks))

    def _if_else(self, tree: sx.IfElse, scope: Scope) -> Scalar:
        test = self.truth(tree.test, scope)
        then, other = self.scalar(tree.then, scope), self.scalar(tree.other, scope)
        ty = join(then.ty, other.ty)
        if ty is None:
            raise self.fail("RP210", f"the two sides are {typed(str(then.ty))} and "
                            f"{typed(str(other.ty))}", tree.at)
        checks = (*test.checks, *under(test.expr, then.checks),
                  *under(negate(test.expr), other.checks))
        return Scalar(ty, choice(test.expr, then.expr, other.expr), checks)

    def _set(self, tree: sx.SetOf, scope: Scope) -> PlayerSet:
        if tree.generator is not None:
            return self._set_generator(tree.generator, scope)
        items = [self.use(item, scope, "player") for item in tree.items]
        checks = tuple(check for item in items for check in item.checks)

        def member(p: Expr) -> Expr:
            made: Expr = FALSE
            for item in items:
                made = either(made, binary("==", p, item.expr))
            return made

        return PlayerSet(member, checks)

    def _set_generator(self, tree: sx.Generator, scope: Scope) -> PlayerSet:
        if not isinstance(tree.element, sx.Name) or tree.element.name != tree.var:
            raise self.fail("RP211", "write `{p for p in players if …}`", tree.at)
        over = self.iteration(tree.domain, scope)
        if over.ty.kind != "player":
            raise self.fail("RP210", "a set holds players", tree.domain.at)
        _, _, _, _, checks = self.generator(tree, scope)

        def member(p: Expr) -> Expr:
            inside = scope.bind(tree.var, Scalar(PLAYER, p))
            made = over.where(p)
            for test in tree.where:
                made = both(made, self.guard(test, inside))
            return made

        return PlayerSet(member, checks, over.order if over.order != "ascending" else "any",
                         over.start)


# ---------------------------------------------------------------------- helpers without state

_BINARY_OPS: dict[str, BinaryOp] = {
    "+": "+", "-": "-", "*": "*", "//": "//", "%": "%", "==": "==", "!=": "!=", "<": "<",
    "<=": "<=", ">": ">", ">=": ">=", "and": "and", "or": "or",
}


def _a(kind: str) -> str:
    """Give the name of a kind of value with its article."""
    words = {"bool": "yes or no", "int": "a number"}
    return words.get(kind, f"{'an' if kind[:1] in 'aeio' else 'a'} `{kind}`")


def ordered_parts(zone: Zone) -> tuple[tuple[str, int], ...]:
    """Name the arrays of a zone whose places are known, and their lengths."""
    if zone.kind == "pile":
        return ((zone.name, zone.capacity),)
    if zone.known:
        return ((f"{zone.name}.top", zone.known), (f"{zone.name}.bottom", zone.known))
    return ()


def describe(tree: sx.Expr) -> str:
    """Print an expression as its author would write it."""
    return f"`{unparse(tree)}`"
