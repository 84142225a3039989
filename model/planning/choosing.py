"""Choices and chance: what rests until somebody, or something, decides."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..game import syntax as sx
from ..game.game import Ty
from ..machine.core import FALSE, TRUE, Const, Fill, Load, Local, Store
from ..machine.machine import Param
from ..machine.simplify import binary, both, reduce
from ..machine.traversal import rename
from ..rules.context import Here, Plans
from ..rules.elaborate import describe
from ..rules.functions import total
from ..rules.meanings import BOOL, Bag, Check, Scalar, bag_local, bag_param
from ..rules.plan import Atomic, Fork, Rest
from ..source.errors import did_you_mean
from .assigning import no_shadow
from .moving import arguments, draw_one
from .naming import keep_record
from .recording import new_record

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..machine.core import Expr
    from ..rules.meanings import Checks, Iteration, Value
    from ..rules.plan import Plan
    from .planner import Planner


def make(
    planner: Planner, name: str, target: sx.Name, call: sx.Call, here: Here
) -> tuple[Plans, Here]:
    """Plan `target = name(…)`, where somebody or chance decides, or a record is made."""
    no_shadow(planner, target.name, target.at)
    if target.name in planner.game.variables:
        raise planner.elab.fail(
            "RP211", f"`{name}` gives its result to a local name, not to `{target.name}`",
            target.at, "assign it to a name of the body first")
    match name:
        case "choose":
            return choose(planner, target, call, here)
        case "choose_cards":
            return choose_cards(planner, target, call, here)
        case "may":
            return may(planner, target.name, call, here)
        case "roll":
            return roll(planner, target, call, here)
        case "random":
            return random(planner, target, call, here)
        case "new":
            return new_record(planner, target, call, here)
        case _:
            return draw_card(planner, target, call, here)


def options_of(
    planner: Planner, call: sx.Call, here: Here, allowed: Iterable[str]
) -> tuple[dict[str, sx.Expr], Expr | None, Checks, str]:
    """Read the named arguments of a choice: all, who chooses, what that owes, what is asked."""
    named = dict(call.named)
    name = call.func.name if isinstance(call.func, sx.Name) else ""
    for word, tree in call.named:
        if word not in allowed:
            raise planner.elab.fail("RP213", f"`{name}` has no `{word}=`", tree.at,
                                 did_you_mean(word, allowed))
    ask_tree = named.get("ask")
    if ask_tree is not None and not isinstance(ask_tree, sx.Text):
        raise planner.elab.fail("RP211", "`ask=` is a text", ask_tree.at)
    ask = ask_tree.value if isinstance(ask_tree, sx.Text) else ""
    if "by" not in allowed:
        return named, None, (), ask
    if "by" not in named:
        if planner.elab.seats() == 1:
            return named, Const(0), (), ask
        raise planner.elab.fail("RP213", f"`{name}` does not say who chooses", call.at,
                             "add `by=` a player")
    who = planner.elab.use(named["by"], here.scope, "player")
    return named, who.expr, who.checks, ask


def choose(planner: Planner, target: sx.Name, call: sx.Call, here: Here) -> tuple[Plans, Here]:
    """Plan a choice of one element of a domain."""
    named, by, checks, ask = options_of(planner, call, here, ("by", "ask", "optional"))
    if len(call.args) != 1:
        raise planner.elab.fail("RP213", "`choose` takes one domain", call.at)
    wish = named.get("optional")
    optional = isinstance(wish, sx.Truth) and wish.value
    param, over, value_type, owed = domain_param(planner, call.args[0], target.name, here)
    slot_type = replace(value_type, optional=value_type.optional or optional)
    slot = planner.frames.local(here.prefix + target.name, slot_type)
    keep = Atomic((Store(slot, (), Local(param.name)),))
    forks = [Fork(target.name, (param,), (), (keep,), clauses=(here.clause,))]
    if optional:
        forks.append(Fork("decline", (), (), (Atomic((Store(slot, (), Const(-1)),)),),
                          passes=True, clauses=(here.clause,)))
    rest = Rest("decide", target.name, ask, by, tuple(forks))
    plans: list[Plan] = list(planner.owe(here.clause, (*checks, *owed)))
    if not optional:
        var = planner.elab.fresh("some")
        some = exists(param, var)
        plans.extend(planner.owe(here.clause, (Check(
            some, "no-option",
            f"{describe(call.args[0])} is empty, but one must be chosen", call.at),)))
    value: Value = Scalar(slot_type, Load(slot))
    if over.pool is not None:
        code, record = keep_record(planner, over.pool, slot, target.name, here)
        plans.append(Atomic(code))
        value = replace(record, optional=optional)
    return (*plans, rest), here.bind(target.name, value)


def domain_param(
    planner: Planner, tree: sx.Expr, label: str, here: Here
) -> tuple[Param, Iteration, Ty, Checks]:
    """Make an edge parameter that runs over a domain (or a bare generator over one)."""
    name = planner.elab.fresh(label)
    domain_tree = tree
    tests: tuple[sx.Expr, ...] = ()
    var = ""
    if isinstance(tree, sx.Generator):
        if not isinstance(tree.element, sx.Name) or tree.element.name != tree.var:
            raise planner.elab.fail("RP211", "write `x for x in DOMAIN if …`", tree.at)
        domain_tree, tests, var = tree.domain, tree.where, tree.var
    over = planner.elab.iteration(domain_tree, here.scope)
    value = Local(name)
    where = over.where(value)
    inside = here
    if var:
        index = binary("-", value, Const(over.low))
        element = planner.elab.element(over, index)
        if isinstance(element, Scalar):
            element = replace(element, expr=value)
        inside = here.bind(var, element)
    for test in tests:
        where = both(where, planner.elab.guard(test, inside.scope))
    ty = replace(over.ty, low=over.low, high=over.low + over.size - 1) if (
        over.ty.kind == "int") else over.ty
    return Param(name, planner.frames.domain(ty), label, where), over, ty, over.checks


def cards_param(
    planner: Planner, call: sx.Call, label: str, here: Here
) -> tuple[Param, Bag, Expr, Checks]:
    """Make an edge parameter for `choose_cards(…)`: the parameter, the cards, its condition."""
    named = dict(call.named)
    if len(call.args) != 1:
        raise planner.elab.fail("RP213", "`choose_cards` takes one zone", call.at)
    source = planner.elab.bag(call.args[0], here.scope)
    name, var, each = (planner.elab.fresh(x) for x in (label, "k", "k"))
    domain = planner.frames.domain(Ty("card", source.family))
    size = planner.elab.kinds(source.family)
    chosen = reduce("sum", each, size, TRUE, bag_param(name, source.family).count(Local(each)))
    where: Expr = TRUE
    checks = source.checks
    for word, op in (("at_least", ">="), ("at_most", "<="), ("exactly", "==")):
        if word in named:
            bound = planner.elab.use(named[word], here.scope, "int")
            checks += bound.checks
            where = both(where, binary(op, chosen, bound.expr))  # type: ignore[arg-type]
    most = source.count(Local(var))
    param = Param(name, domain, label, where, bag=True, var=var, most=most)
    return param, source, where, checks


def choose_cards(
    planner: Planner, target: sx.Name, call: sx.Call, here: Here
) -> tuple[Plans, Here]:
    """Plan a choice of cards."""
    named, by, by_checks, ask = options_of(
        planner, call, here, ("by", "ask", "at_least", "at_most", "exactly"))
    param, source, _, checks = cards_param(planner, call, target.name, here)
    slot = planner.frames.counts(here.prefix + target.name, source.family)
    var = planner.elab.fresh("k")
    picked = bag_param(param.name, source.family).count(Local(var))
    keep = Fill(slot, (), var, planner.elab.kinds(source.family), picked)
    plans: list[Plan] = list(planner.owe(here.clause, (*by_checks, *checks)))
    for word in ("at_least", "exactly"):
        if word in named:
            wanted = planner.elab.use(named[word], here.scope, "int")
            enough = binary(">=", total(planner.elab, source), wanted.expr)
            plans.extend(planner.owe(here.clause, (Check(
                enough, "too-few",
                f"{describe(call.args[0])} holds too few cards to choose from", call.at),)))
    plans.append(Rest("decide", target.name, ask, by, (
        Fork(target.name, (param,), (), (Atomic((keep,)),), clauses=(here.clause,)),)))
    return tuple(plans), here.bind(target.name, bag_local(slot, source.family))


def may(planner: Planner, name: str, call: sx.Call, here: Here) -> tuple[Plans, Here]:
    """Plan a question for yes or no."""
    _, by, checks, ask = options_of(planner, call, here, ("by", "ask"))
    if call.args:
        raise planner.elab.fail("RP213", 'write `may(by=PLAYER, ask="…")`', call.at)
    slot = planner.frames.local(here.prefix + name, BOOL)
    forks = (
        Fork("yes", (), (), (Atomic((Store(slot, (), Const(1)),)),), clauses=(here.clause,)),
        Fork("no", (), (), (Atomic((Store(slot, (), Const(0)),)),), passes=True,
             clauses=(here.clause,)),
    )
    label = name if "@" not in name else "may"
    plans = (*planner.owe(here.clause, checks), Rest("decide", label, ask, by, forks))
    return plans, here.bind(name, Scalar(BOOL, Load(slot)))


def chance(  # noqa: PLR0917 - what is drawn, from what, in this order
    planner: Planner, target: sx.Name, param: Param, ty: Ty, weight: Expr, here: Here
) -> tuple[Rest, Here]:
    """Plan that chance sets a name, each value with its weight."""
    slot = planner.frames.local(here.prefix + target.name, ty)
    keep = Atomic((Store(slot, (), Local(param.name)),))
    rest = Rest("chance", target.name, "", None, (
        Fork(target.name, (param,), (), (keep,), weight, clauses=(here.clause,)),))
    return rest, here.bind(target.name, Scalar(ty, Load(slot)))


def roll(planner: Planner, target: sx.Name, call: sx.Call, here: Here) -> tuple[Plans, Here]:
    """Plan the roll of a die."""
    args = arguments(planner, call, 1, 2)
    tree = sx.Call(sx.Name("range", call.at),
                   (args[0] if len(args) > 1 else sx.Num(1, call.at),
                    sx.Binary("+", args[-1], sx.Num(1, call.at), call.at)), (), call.at)
    param, _, ty, checks = domain_param(planner, tree, target.name, here)
    some = exists(param, planner.elab.fresh("some"))
    if some == FALSE:
        raise planner.elab.fail("RP205", f"{describe(call)} has no outcome", call.at,
                                "`roll(6)` gives 1 to 6, `roll(2, 5)` gives 2 to 5")
    owed = Check(some, "no-option", f"{describe(call)} is chance with no outcome",
                 call.at)
    rest, inside = chance(planner, target, param, ty, Const(1), here)
    return (*planner.owe(here.clause, (*checks, owed)), rest), inside


def random(planner: Planner, target: sx.Name, call: sx.Call, here: Here) -> tuple[Plans, Here]:
    """Plan that chance takes an element of a domain."""
    (arg,) = arguments(planner, call, 1, 1)
    param, over, ty, checks = domain_param(planner, arg, target.name, here)
    some = exists(param, planner.elab.fresh("some"))
    owed = Check(some, "no-option", f"{describe(arg)} is empty", call.at)
    weight = over.copies(Local(param.name))
    rest, inside = chance(planner, target, param, ty, weight, here)
    plans = planner.owe(here.clause, (*checks, owed))
    if over.pool is not None:
        slot = here.prefix + target.name
        code, record = keep_record(planner, over.pool, slot, target.name, here)
        plans += (Atomic(code),)
        inside = here.bind(target.name, record)
    return (*plans, rest), inside


def draw_card(planner: Planner, target: sx.Name, call: sx.Call, here: Here) -> tuple[Plans, Here]:
    """Plan that one card is drawn and gets a name."""
    deck_tree, target_tree = arguments(planner, call, 2, 2)
    deck, _ = planner.elab.zone(deck_tree, here.scope)
    ty = Ty("card", deck.zone.family)
    slot = planner.frames.local(here.prefix + target.name, ty)
    plans = draw_one(planner, call, deck_tree, target_tree, slot, here, stop=None)
    return plans, here.bind(target.name, Scalar(ty, Load(slot)))


def exists(param: Param, var: str) -> Expr:
    """Say whether a parameter has any value: its condition with the parameter quantified."""
    low, high = param.domain.low, param.domain.high
    value = binary("+", Local(var), Const(low))
    return reduce("any", var, high - low + 1, TRUE, rename(param.where, param.name, value))
