"""Operators: arithmetic, comparisons, `and` and `or`, sets of players."""

from __future__ import annotations

from dataclasses import replace

from ..game import syntax as sx
from ..game.game import Ty
from ..game.unparse import unparse
from ..machine import intervals
from ..machine.core import FALSE, TRUE, BinaryOp, Const, Expr, Local
from ..machine.simplify import binary, both, choice, conj, either, negate, reduce
from ..source.errors import Place
from .expected import Expecting, describe
from .meanings import (
    BOOL,
    EMPTY_SET,
    MAY_BE_NONE,
    NO_SEATS,
    NOTHING,
    PLAYER,
    BagMeaning,
    Checks,
    Names,
    Owed,
    PlayerSet,
    RecordAt,
    Scalar,
    Value,
    called,
    comparable,
    join,
    typed,
    under,
)

_BINARY_OPS: dict[str, BinaryOp] = {
    "+": "+", "-": "-", "*": "*", "//": "//", "%": "%", "==": "==", "!=": "!=", "<": "<",
    "<=": "<=", ">": ">", ">=": ">=", "and": "and", "or": "or",
}


def connective(elab: Expecting, tree: sx.Infix, scope: Names) -> Scalar:
    """Elaborate `and` and `or`; what the right side owes is owed where it is asked for."""
    left, right = elab.truth(tree.left, scope), elab.truth(tree.right, scope)
    if tree.op == "and":
        checks = under(left.expr, right.checks)
        return Scalar(BOOL, both(left.expr, right.expr), (*left.checks, *checks))
    checks = under(negate(left.expr), right.checks)
    return Scalar(BOOL, either(left.expr, right.expr), (*left.checks, *checks))


def arithmetic(elab: Expecting, tree: sx.Infix, scope: Names) -> Value:
    """Elaborate `+ - * // %`, and `| & -` of sets."""
    if tree.op in ("|", "&"):
        return _set_operation(elab, tree, scope)
    left_value = elab.value(tree.left, scope)
    if isinstance(left_value, PlayerSet):
        return _set_operation(elab, tree, scope)
    left = elab.used_as(elab.single(left_value, tree.left), tree.left, "int")
    right = elab.use(tree.right, scope, "int")
    op = _BINARY_OPS[tree.op]
    checks = (*left.checks, *right.checks)
    if tree.op in ("//", "%"):
        checks += (Owed(binary("!=", right.expr, Const(0)), "division-by-zero",
                         "a division by zero", tree.at),)
    low, high = intervals.binary(op, (left.ty.low, left.ty.high), (right.ty.low, right.ty.high))
    return Scalar(Ty("int", low=low, high=high), binary(op, left.expr, right.expr), checks)


def _set_operation(elab: Expecting, tree: sx.Infix, scope: Names) -> PlayerSet:
    left, right = elab.players(tree.left, scope), elab.players(tree.right, scope)
    checks = (*left.checks, *right.checks)
    first, second = left.member, right.member
    if tree.op == "|":
        return PlayerSet(lambda p: either(first(p), second(p)), checks)
    if tree.op in ("&", "-"):
        kept = second if tree.op == "&" else lambda p: negate(second(p))
        return replace(left, member=lambda p: both(first(p), kept(p)), checks=checks, ranking=False)
    raise elab.fail("RP210", f"`{tree.op}` does not work on sets of players", tree.at)


def compare(elab: Expecting, tree: sx.Compare, scope: Names) -> Scalar:
    """Elaborate a comparison."""
    if tree.op in ("in", "not in"):
        return _membership(elab, tree, scope)
    left_value, right_value = elab.value(tree.left, scope), elab.value(tree.right, scope)
    if isinstance(left_value, PlayerSet) and isinstance(right_value, PlayerSet):
        return _same_set(elab, tree, left_value, right_value)
    if isinstance(left_value, PlayerSet) and isinstance(tree.right, sx.Nothing):
        raise elab.fail("RP210", "a set of players is never `none`", tree.at, EMPTY_SET)
    if isinstance(left_value, RecordAt) or isinstance(right_value, RecordAt):
        return _same_record(elab, tree, left_value, right_value)
    left, right = elab.single(left_value, tree.left), elab.single(right_value, tree.right)
    if tree.op not in ("==", "!="):
        if left.ty.kind != "int" and right.ty == NOTHING:
            elab.used_as(right, tree.right, "int")
        left = elab.used_as(left, tree.left, "int")
        right = elab.used_as(right, tree.right, "int")
    elif not comparable(left.ty, right.ty):
        raise elab.fail("RP210", f"cannot compare {typed(str(left.ty))} with "
                        f"{typed(str(right.ty))}", tree.at,
                        NO_SEATS if {left.ty.kind, right.ty.kind} == {"player", "int"} else "")
    _insist_on_optional(elab, tree, left, right)
    op = _BINARY_OPS[tree.op]
    return Scalar(BOOL, binary(op, left.expr, right.expr), (*left.checks, *right.checks))


def _insist_on_optional(elab: Expecting, tree: sx.Compare, left: Scalar, right: Scalar) -> None:
    """Report it if what is compared with `none` can never be that."""
    for value, at, other in ((left, tree.left, right), (right, tree.right, left)):
        if other.ty == NOTHING and not value.ty.optional:
            zero = f"write `{unparse(at)} {tree.op} 0`; " if value.ty.kind == "int" else ""
            raise elab.fail("RP210", f"{describe(at)} is `{value.ty}`, which is never `none`",
                            tree.at, f"{zero}{MAY_BE_NONE}")


def _same_set(elab: Expecting, tree: sx.Compare, left: PlayerSet, right: PlayerSet) -> Scalar:
    if tree.op not in ("==", "!="):
        raise elab.fail("RP210", "sets of players are only compared with `==` and `!=`", tree.at)
    var = elab.fresh("p")
    here = Local(var)
    equal = reduce("all", var, elab.seats(), TRUE,
                   binary("==", left.member(here), right.member(here)))
    made = equal if tree.op == "==" else negate(equal)
    return Scalar(BOOL, made, (*left.checks, *right.checks))


def _same_record(elab: Expecting, tree: sx.Compare, left: Value, right: Value) -> Scalar:
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
        raise elab.fail("RP210", f"cannot compare {called(left)} with {called(right)}", tree.at)
    if tree.op not in ("==", "!="):
        raise elab.fail("RP210", "records are only compared with `==` and `!=`", tree.at)
    made = equal if tree.op == "==" else negate(equal)
    return Scalar(BOOL, made, (*left.checks, *right.checks))


def _membership(elab: Expecting, tree: sx.Compare, scope: Names) -> Scalar:
    over = elab.iteration(tree.right, scope)
    item = elab.scalar(tree.left, scope)
    item = elab.used_as(item, tree.left, over.ty.kind) if item.ty.kind == "none" else (
        elab.present(item, tree.left))
    if not comparable(item.ty, over.ty):
        raise elab.fail("RP210", f"{typed(str(item.ty))} is never in {describe(tree.right)}",
                        tree.at)
    low, high = Const(over.low), Const(over.low + over.size - 1)
    inside = both(binary(">=", item.expr, low), binary("<=", item.expr, high))
    if item.ty.kind == over.ty.kind and not item.ty.optional and over.ty.kind != "int":
        inside = TRUE
    made = both(inside, over.where(item.expr))
    made = made if tree.op == "in" else negate(made)
    return Scalar(BOOL, made, (*item.checks, *over.checks))


def if_else(elab: Expecting, tree: sx.IfElse, scope: Names) -> Scalar:
    """Elaborate `x if c else y`."""
    test = elab.truth(tree.test, scope)
    then, other = elab.scalar(tree.then, scope), elab.scalar(tree.other, scope)
    made = either_scalar(elab, test.expr, then, other, tree.at)
    return replace(made, checks=(*test.checks, *made.checks))


def either_scalar(elab: Expecting, test: Expr, then: Scalar, other: Scalar, at: Place) -> Scalar:
    """Return one of two scalars."""
    ty = join(then.ty, other.ty)
    if ty is None:
        raise elab.fail("RP210", f"the two sides are {typed(str(then.ty))} and "
                        f"{typed(str(other.ty))}", at)
    return Scalar(ty, choice(test, then.expr, other.expr), _either_checks(test, then, other))


def either_value(elab: Expecting, test: Expr, then: Value, other: Value, at: Place) -> Value:
    """Return one of two scalars, bags, or sets of players that a loop takes alike."""
    match then, other:
        case Scalar(), Scalar():
            return either_scalar(elab, test, then, other, at)
        case BagMeaning(), BagMeaning() if then.family == other.family:
            return BagMeaning(
                then.family, lambda kind: choice(test, then.count(kind), other.count(kind)),
                _either_checks(test, then, other))
        case PlayerSet(), PlayerSet() if (then.order, then.start, then.ranking) == (
                other.order, other.start, other.ranking):
            return replace(
                then, member=lambda p: choice(test, then.member(p), other.member(p)),
                checks=_either_checks(test, then, other))
        case _:
            raise elab.fail("RP210", f"it is {called(then)} or {called(other)}", at)


def _either_checks(
    test: Expr, then: Scalar | BagMeaning | PlayerSet, other: Scalar | BagMeaning | PlayerSet
) -> Checks:
    return *under(test, then.checks), *under(negate(test), other.checks)


def set_of(elab: Expecting, tree: sx.SetOf, scope: Names) -> PlayerSet:
    """Elaborate a set of players."""
    if tree.generator is not None:
        return _set_generator(elab, tree.generator, scope)
    items = [elab.use(item, scope, "player") for item in tree.items]
    checks = tuple(check for item in items for check in item.checks)

    def member(p: Expr) -> Expr:
        made: Expr = FALSE
        for item in items:
            made = either(made, binary("==", p, item.expr))
        return made

    return PlayerSet(member, checks)


def _set_generator(elab: Expecting, tree: sx.Generator, scope: Names) -> PlayerSet:
    if not isinstance(tree.element, sx.Name) or tree.element.name != tree.var:
        raise elab.fail("RP211", "write `{p for p in players if …}`", tree.at)
    over = elab.iteration(tree.domain, scope)
    if over.ty.kind != "player":
        raise elab.fail("RP210", "a set holds players", tree.domain.at)
    _, _, _, _, checks = elab.generator(tree, scope)

    def member(p: Expr) -> Expr:
        inside = scope.bind(tree.var, Scalar(PLAYER, p))
        made = over.where(p)
        for test in tree.where:
            made = both(made, elab.guard(test, inside))
        return made

    return PlayerSet(member, checks, over.order if over.order != "ascending" else "any", over.start)
