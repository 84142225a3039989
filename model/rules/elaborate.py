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

from ..game import syntax as sx
from ..game.game import Clause, Game, Ty
from ..game.unparse import unparse
from ..game.uses import known_in
from ..machine.core import Const, Expr, Feature, Load, Table
from ..machine.simplify import binary, negate
from ..source.errors import Place, Reporter, did_you_mean
from . import functions, operators
from .expected import Expecting
from .meanings import (
    BOOL,
    NOTHING,
    PLAYER,
    SIZES,
    BagMeaning,
    Checks,
    Failed,
    Names,
    PlayerSet,
    PoolAt,
    RecordAt,
    Scalar,
    Span,
    Value,
    ZoneAt,
    called,
    one,
    used_at,
    with_checks,
)
from .words import FUNCTIONS, MAKERS, STATEMENTS, WORDS


class Elaborator(Expecting):
    """Elaborates the expressions of one game."""

    def value(self, tree: sx.Expr, scope: Names) -> Value:
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
                return self._call(tree, scope)
            case sx.Prefix(op="not", operand=operand):
                inner = self.truth(operand, scope)
                return Scalar(BOOL, negate(inner.expr), inner.checks)
            case sx.Prefix(operand=operand):
                inner = self.use(operand, scope, "int")
                ty = Ty("int", low=-inner.ty.high, high=-inner.ty.low)
                return Scalar(ty, binary("-", Const(0), inner.expr), inner.checks)
            case sx.Infix(op="and" | "or"):
                return operators.connective(self, tree, scope)
            case sx.Infix():
                return operators.arithmetic(self, tree, scope)
            case sx.Compare():
                return operators.compare(self, tree, scope)
            case sx.IfElse():
                return operators.if_else(self, tree, scope)
            case sx.SetOf():
                return operators.set_of(self, tree, scope)
            case sx.Generator():
                raise self.fail("RP211", "a generator is only expected inside a call", tree.at,
                                "as in `any(… for p in players)`")

    def _name(self, tree: sx.Name, scope: Names) -> Value:
        name = tree.name
        if name in scope.names:
            return used_at(scope.names[name], tree.at)
        game = self.game
        if name in game.constants:
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
            if zone.per:
                raise self.fail("RP212", f"`{name}` is one for each {zone.per}", tree.at,
                                f"write `{name}[{'p' if zone.per_player else '…'}]`")
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
            return self._unfold(self._defines[name], (), scope, tree.at)
        if name == "actor":
            raise self.fail("RP220", "nobody acts here, so there is no `actor`", tree.at,
                            "`actor` is the player who acts in a window; elsewhere name a "
                            "variable such as `active`, or a parameter")
        if " " in name:
            return self._seat(tree)
        if name in scope.lost:
            raise Failed(f"`{name}` was to be set by a statement with a mistake")
        raise self.fail("RP220", f"unknown name `{name}`", tree.at, self._meant(name, scope))

    def _meant(self, name: str, scope: Names) -> str:
        """Say what to write for an unknown name, or where it is known."""
        truth = name.capitalize() if name.lower() in ("true", "false") else ""
        if truth:
            return f"write `{truth}`"
        what = known_in(self.game, name)
        return did_you_mean(name, self.known(scope)) if not what else (
            f"`{name}` is {what}, known only there, and only once it has a value; what other "
            "sentences need as well stands in `state`")

    def _seat(self, tree: sx.Name) -> Scalar:
        """Find the player whom an example names: `Player 2`, or by the word of the game."""
        word, _, number = tree.name.rpartition(" ")
        game = self.game
        if (word.lower() not in ("player", game.player_word.lower())
                or not 1 <= int(number) <= game.players):
            raise self.fail("RP220", f"no player is called `{tree.name}`", tree.at,
                            f"there are `{game.player_word} 1` to "
                            f"`{game.player_word} {game.players}`")
        return Scalar(PLAYER, Const(int(number) - 1))

    def _attribute(self, tree: sx.Attr, scope: Names) -> Value:
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
        size = tree.name in SIZES and isinstance(base, BagMeaning | PlayerSet | PoolAt)
        raise self.fail("RP210", f"{called(base)} has no attributes", tree.at,
                        f"how many there are is `size({unparse(tree.value)})`" if size else "")

    def _index(self, tree: sx.Index, scope: Names) -> Value:
        if not isinstance(tree.value, sx.Name):
            raise self.fail("RP211", "only a name can be indexed", tree.at)
        name, game = tree.value.name, self.game
        if name in game.variables and game.variables[name].per:
            wanted = self.index_type(game.variables[name].per)
            index = self.use(tree.index, scope, wanted.kind, wanted.name)
            value = self.variable(name, index.expr, tree.at)
            return with_checks(value, index.checks)
        if name in game.zones and game.zones[name].per:
            wanted = self.index_type(game.zones[name].per)
            index = self.use(tree.index, scope, wanted.kind, wanted.name)
            return with_checks(self.zone_bag(ZoneAt(game.zones[name], (index.expr,))), index.checks)
        if name in game.pools and game.pools[name].per_player:
            index = self.use(tree.index, scope, "player")
            return PoolAt(name, (index.expr,), index.checks)
        known = [n for n, v in game.variables.items() if v.per]
        known += [n for n, z in game.zones.items() if z.per]
        known += [n for n, p in game.pools.items() if p.per_player]
        raise self.fail("RP220", f"`{name}` cannot be indexed", tree.value.at,
                        did_you_mean(name, known))

    def _call(self, tree: sx.Call, scope: Names) -> Value:
        if not isinstance(tree.func, sx.Name):
            size = isinstance(tree.func, sx.Attr) and tree.func.name in SIZES
            raise self.fail("RP211", "an ability is run by a statement, not inside an expression",
                            tree.at, f"how many there are is `size({unparse(tree.func.value)})`"
                            if size and isinstance(tree.func, sx.Attr) else
                            "one card is drawn by `card = draw(DECK, TARGET)`, and moved by "
                            "`move(card, SOURCE, TARGET)`")
        name = tree.func.name
        if name in FUNCTIONS:
            self.counted(FUNCTIONS[name], tree)
            return functions.FUNCTIONS[name](self, tree, scope)
        if name in self._defines:
            return self._unfold(self._defines[name], tree.args, scope, tree.at)
        if name in STATEMENTS or name in MAKERS:
            raise self.fail("RP211", f"`{name}` is a statement, not a value", tree.at,
                            "put it on a line of its own, or assign it to a name first")
        if name in self.game.steps or name in self.game.windows:
            kind = "step" if name in self.game.steps else "window"
            raise self.fail("RP211", f"`{name}` is a {kind}, not a value", tree.at,
                            "run it on a line of its own; what it finds out is kept in a variable "
                            "of `state`, or is a term (`define`)")
        if any(name in some for some in (
                self.game.zones, self.game.variables, self.game.pools)):
            inside = ", ".join(map(unparse, tree.args))
            raise self.fail("RP211", f"`{name}` is no function", tree.at,
                            f"what each player or card has stands in square brackets: "
                            f"`{name}[{inside}]`" if inside else f"its name alone: `{name}`")
        raise self.fail("RP220", f"unknown function `{name}`", tree.at,
                        f"write `size({', '.join(map(unparse, tree.args))})`" if name in SIZES
                        else did_you_mean(name, [*WORDS, *self.known(scope)]))

    def _unfold(
        self, versions: tuple[Clause, ...], args: tuple[sx.Expr, ...], scope: Names, at: Place
    ) -> Value:
        """Replace a derived term by its definition, with its parameters bound to the arguments.

        Of several versions it is the one whose feature is on.  Where none can be, any will do:
        no game comes here.
        """
        *others, clause = [each for each in versions if not self.apart(each)] or versions[-1:]
        if clause.id in self._unfolding:
            raise self.fail("RP214", f"`{clause.define}` is defined by itself", at)
        if len(args) != len(clause.define_params):
            raise self.fail(
                "RP213", f"`{clause.define}` takes {len(clause.define_params)} argument(s)", at)
        names: dict[str, Value] = {}
        checks: Checks = ()
        for (name, ty), arg in zip(clause.define_params, args, strict=True):
            if ty.optional:
                value = self.scalar(arg, scope)
                if value.ty.kind != "none":
                    self.expect(value.ty, ty.kind, ty.name, arg.at)
            else:
                value = self.use(arg, scope, ty.kind, ty.name)
            checks += value.checks
            names[name] = Scalar(ty if ty.kind != "int" else value.ty, value.expr)
        made: Value = self._defined(clause, Names(names), at)
        for other in others:
            made = operators.either_value(
                self, Feature(other.feature), self._defined(other, Names(names), at), made, at)
        return with_checks(made, checks)

    def _defined(self, clause: Clause, names: Names, at: Place) -> Value:
        """Return the value of a definition."""
        if clause.value is None:
            raise self.fail("RP214", f"`{clause.define}` has no value", at)
        # Versions of what is in it are told apart by what is around it (`apart`).
        around = (*self._unfolding, *self.planned) if self.game.apart else ()
        key = clause.id, tuple(names.names.values()), around
        if key not in self._known:
            self._unfolding += (clause.id,)
            try:
                self._known[key] = self.value(clause.value, names)
            finally:
                self._unfolding = self._unfolding[:-1]
        return self._known[key]


def condition(game: Game, tree: sx.Expr) -> Expr:
    """Elaborate a condition of a whole state, with no names of its own.

    Raises:
        Failed: if it makes no sense in this game.

    """
    return Elaborator(game, Reporter()).guard(tree, Names({}))
