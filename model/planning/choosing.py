"""Choices of players: a thing of a domain, cards, yes or no."""

from __future__ import annotations

from dataclasses import replace

from ..game import syntax as sx
from ..game.game import Ty
from ..machine.core import TRUE, Const, Expr, Fill, Load, Local, Store
from ..machine.machine import Param
from ..machine.memory import Memory
from ..machine.simplify import binary, both, reduce
from ..machine.traversal import rename
from ..rules.context import Here, Plans
from ..rules.expected import describe
from ..rules.functions import total
from ..rules.meanings import (
    BOOL,
    BagMeaning,
    Checks,
    Iteration,
    Owed,
    Scalar,
    Value,
    bag_local,
    bag_param,
)
from ..rules.plan import Atomic, Fork, Plan, Rest
from ..rules.words import MAKERS as WORDS
from ..source.errors import did_you_mean
from .builder import Builder, Maker
from .naming import keep_record


def options_of(
    build: Builder, call: sx.Call, here: Here
) -> tuple[dict[str, sx.Expr], Expr | None, Checks, str]:
    """Read the named arguments of a choice: all, who chooses, what that owes, what is asked."""
    named = dict(call.named)
    name = call.func.name if isinstance(call.func, sx.Name) else ""
    allowed = WORDS[name].named
    for word, tree in call.named:
        if word not in allowed:
            raise build.elab.fail("RP213", f"`{name}` has no `{word}=`", tree.at,
                                 did_you_mean(word, allowed))
    ask_tree = named.get("ask")
    if ask_tree is not None and not isinstance(ask_tree, sx.Text):
        raise build.elab.fail("RP211", "`ask=` is a text", ask_tree.at)
    ask = ask_tree.value if isinstance(ask_tree, sx.Text) else ""
    if "by" not in named:
        if build.elab.seats() == 1:
            return named, Const(0), (), ask
        raise build.elab.fail("RP213", f"`{name}` does not say who chooses", call.at,
                             "add `by=` a player")
    who = build.elab.use(named["by"], here.scope, "player")
    return named, who.expr, who.checks, ask


def choose(build: Builder, kept: Memory, call: sx.Call, here: Here) -> tuple[Plans, Here]:
    """Plan a choice of one element of a domain."""
    name = kept.name
    named, by, checks, ask = options_of(build, call, here)
    wish = named.get("optional")
    optional = isinstance(wish, sx.Truth) and wish.value
    param, over, value_type, owed = domain_param(build, call.args[0], name, here)
    slot_type = replace(value_type, optional=value_type.optional or optional)
    slot = build.frames.local(kept, slot_type)
    keep = Atomic((Store(slot, (), Local(param.name)),))
    forks = [Fork(name, (param,), (), (keep,), clauses=(here.clause,))]
    if optional:
        forks.append(Fork("decline", (), (), (Atomic((Store(slot, (), Const(-1)),)),),
                          passes=True, clauses=(here.clause,)))
    rest = Rest("decide", name, ask, by, tuple(forks))
    plans: list[Plan] = list(build.owe(here.clause, (*checks, *owed)))
    if not optional:
        var = build.elab.fresh("some")
        some = exists(param, var)
        plans.extend(build.owe(here.clause, (Owed(
            some, "no-option",
            f"{describe(call.args[0])} is empty, but one must be chosen", call.at),)))
    value: Value = Scalar(slot_type, Load(slot))
    if over.pool is not None:
        code, record = keep_record(build, over.pool, kept, name, here)
        plans.append(Atomic(code))
        value = replace(record, optional=optional)
    return (*plans, rest), here.bind(name, value)


def domain_param(
    build: Builder, tree: sx.Expr, label: str, here: Here
) -> tuple[Param, Iteration, Ty, Checks]:
    """Make an edge parameter that runs over a domain (or a bare generator over one)."""
    name = build.elab.fresh(label)
    domain_tree = tree
    tests: tuple[sx.Expr, ...] = ()
    var = ""
    if isinstance(tree, sx.Generator):
        if not isinstance(tree.element, sx.Name) or tree.element.name != tree.var:
            raise build.elab.fail("RP211", "write `x for x in DOMAIN if …`", tree.at)
        domain_tree, tests, var = tree.domain, tree.where, tree.var
    over = build.elab.iteration(domain_tree, here.scope)
    value = Local(name)
    where = over.where(value)
    inside = here
    if var:
        index = binary("-", value, Const(over.low))
        element = build.elab.element(over, index)
        if isinstance(element, Scalar):
            element = replace(element, expr=value)
        inside = here.bind(var, element)
    for test in tests:
        where = both(where, build.elab.guard(test, inside.scope))
    ty = replace(over.ty, low=over.low, high=over.low + over.size - 1) if (
        over.ty.kind == "int") else over.ty
    return Param(name, build.frames.domain(ty), label, where), over, ty, over.checks


def cards_param(
    build: Builder, call: sx.Call, label: str, here: Here
) -> tuple[Param, BagMeaning, Expr, Checks]:
    """Make an edge parameter for `choose_cards(…)`: the parameter, the cards, its condition."""
    named = dict(call.named)
    if len(call.args) != 1:
        raise build.elab.fail("RP213", "`choose_cards` takes one zone", call.at)
    source = build.elab.bag(call.args[0], here.scope)
    name, var, each = (build.elab.fresh(x) for x in (label, "k", "k"))
    domain = build.frames.domain(Ty("card", source.family))
    size = build.elab.kinds(source.family)
    chosen = reduce("sum", each, size, TRUE, bag_param(name, source.family).count(Local(each)))
    where: Expr = TRUE
    checks = source.checks
    for word, op in (("at_least", ">="), ("at_most", "<="), ("exactly", "==")):
        if word in named:
            bound = build.elab.use(named[word], here.scope, "int")
            checks += bound.checks
            where = both(where, binary(op, chosen, bound.expr))  # type: ignore[arg-type]
    most = source.count(Local(var))
    param = Param(name, domain, label, where, bag=True, var=var, most=most)
    return param, source, where, checks


def choose_cards(build: Builder, kept: Memory, call: sx.Call, here: Here) -> tuple[Plans, Here]:
    """Plan a choice of cards."""
    name = kept.name
    named, by, by_checks, ask = options_of(build, call, here)
    param, source, _, checks = cards_param(build, call, name, here)
    slot = build.frames.counts(kept, source.family)
    var = build.elab.fresh("k")
    picked = bag_param(param.name, source.family).count(Local(var))
    keep = Fill(slot, (), var, build.elab.kinds(source.family), picked)
    plans: list[Plan] = list(build.owe(here.clause, (*by_checks, *checks)))
    for word in ("at_least", "exactly"):
        if word in named:
            wanted = build.elab.use(named[word], here.scope, "int")
            enough = binary(">=", total(build.elab, source), wanted.expr)
            plans.extend(build.owe(here.clause, (Owed(
                enough, "too-few",
                f"{describe(call.args[0])} holds too few cards to choose from", call.at,
                about="" if source.zone is None else source.zone.zone.name),)))
    plans.append(Rest("decide", name, ask, by, (
        Fork(name, (param,), (), (Atomic((keep,)),), clauses=(here.clause,)),)))
    return tuple(plans), here.bind(name, bag_local(slot, source.family))


def may(build: Builder, kept: Memory, call: sx.Call, here: Here) -> tuple[Plans, Here]:
    """Plan a question for yes or no."""
    _, by, checks, ask = options_of(build, call, here)
    slot = build.frames.local(kept, BOOL)
    forks = (
        Fork("yes", (), (), (Atomic((Store(slot, (), Const(1)),)),), clauses=(here.clause,)),
        Fork("no", (), (), (Atomic((Store(slot, (), Const(0)),)),), passes=True,
             clauses=(here.clause,)),
    )
    plans = (*build.owe(here.clause, checks), Rest("decide", kept.name, ask, by, forks))
    return plans, here.bind(kept.key, Scalar(BOOL, Load(slot)))


def exists(param: Param, var: str) -> Expr:
    """Return whether a parameter has any value: its condition with the parameter quantified."""
    low, high = param.domain.low, param.domain.high
    value = binary("+", Local(var), Const(low))
    return reduce("any", var, high - low + 1, TRUE, rename(param.where, param.name, value))


MAKERS: dict[str, Maker] = {"choose": choose, "choose_cards": choose_cards, "may": may}
