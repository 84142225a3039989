"""Running steps and windows, and the abilities of cards."""

from __future__ import annotations

from collections.abc import Mapping

from ..game import syntax as sx
from ..game.game import Ty
from ..machine.core import FALSE, TRUE, Cite, Const, Load, Stmt, Store
from ..machine.memory import Memory
from ..machine.simplify import binary
from ..rules.context import Here, Plans, changed, own
from ..rules.meanings import BagMeaning, Owed, PlayerSet, PoolAt, Scalar, called
from ..rules.plan import Atomic, Branch, Owe, Plan, Run, Sentence, Target
from ..source.errors import did_you_mean
from .assigning import store
from .builder import Builder, gate


def run(build: Builder, name: str, call: sx.Call, here: Here) -> Plans:
    """Plan that a step or window runs; of several versions of a window the one that is on."""
    step = build.game.steps.get(name)
    params = step.params if step else {}
    if call.named or len(call.args) != len(params):
        raise build.elab.fail("RP213", f"`{name}` takes {len(params)} argument(s)", call.at)
    if step is not None:
        return _enter(build, name, params, call, here)
    *others, window = build.elab.windows(name)
    plans = _enter(build, window.name, params, call, here)
    for each in others:
        plans = (Branch(gate(each), _enter(build, each.name, params, call, here), plans),)
    return plans


def _enter(build: Builder, name: str, params: Mapping[str, Ty], call: sx.Call, here: Here) -> Plans:
    """Plan that a step runs, or one version of a window."""
    plans: list[Plan] = []
    code: list[Stmt] = []
    level = build.level_of(name, here)
    if level is None:
        beyond = f"`{own(name)}` is nested deeper than {build.deepest(name)}"
        note = build.obligation(here.clause, Owed(FALSE, "no-room", beyond, call.at))
        return (Owe(FALSE, note, abandon=False),)
    for (param, ty), arg in zip(params.items(), call.args, strict=True):
        value = build.elab.scalar(arg, here.scope)
        slot = build.frames.local(Memory("local", name, param, level), ty)
        made = store(build, slot, (), ty, value, arg, here.clause, f"`{param}`")
        for plan in made:
            if isinstance(plan, Atomic):
                code.extend(plan.code)
            else:
                plans.append(plan)
    return (*plans, Run(Target(name, level), tuple(code)))


def ability(build: Builder, call: sx.Call, func: sx.Attr, here: Here) -> Plans:
    """Plan `card.ability()`: the body of this name, of whichever card it is."""
    card = _card(build, call, func, here)
    slot = build.frames.local(here.kept_at("ability", call.at), card.ty)
    plans = [*build.owe(here.clause, card.checks), Atomic((Store(slot, (), card.expr),))]
    family = build.game.families[card.ty.name]
    if func.name not in family.abilities:
        raise build.elab.fail(
            "RP220", f"no card of `{family.name}` has an ability `{func.name}`",
            func.at, did_you_mean(func.name, family.abilities))
    for index, each in enumerate(family.cards):
        body = each.abilities.get(func.name)
        if body is None:
            continue
        clause = f"card:{family.name}.{each.id}.{func.name}"
        if clause in build.texts:
            raise build.elab.fail(
                "RP231", f"`{func.name}` of `{each.id}` can run inside itself", call.at,
                "a card's text stands where it is run; a step with a `depth` can run it")
        scope = here.scope.bind("this", Scalar(Ty("card", family.name), Const(index)))
        there = Here(clause, clause, here.level, scope,
                     changed(body.statements), moving=build.changes(body.statements),
                     origin=body.place)
        build.texts.append(clause)
        try:
            made, _ = build.block(body.statements, there)
        finally:
            build.texts.pop()
        plans.append(Branch(binary("==", Load(slot), Const(index)), (
            Sentence(clause, TRUE, (Atomic((Cite(clause),)), *made)),)))
    return tuple(plans)


def _card(build: Builder, call: sx.Call, func: sx.Attr, here: Here) -> Scalar:
    """Elaborate the card whose ability is run."""
    value = build.elab.value(func.value, here.scope)
    instead = next((text for kind, text in _INSTEAD if isinstance(value, kind)), "")
    if instead:
        raise build.elab.fail("RP211", f"the language has no `.{func.name}(…)` for "
                             f"{called(value)}", call.at, instead)
    card = build.elab.single(value, func.value)
    build.elab.expect(card.ty, "card", "", func.value.at)
    if call.args or call.named:
        raise build.elab.fail("RP213", "an ability takes no arguments", call.at)
    return build.elab.present(card, func.value)


_INSTEAD = ((PlayerSet, "as in `SET |= {p}` and `SET = SET - {p}`"),
            (BagMeaning, "cards are moved: `move(card, SOURCE, TARGET)`"),
            (PoolAt, "records are made with `new(…)` and taken away with `remove(r)`"))
"""What is written instead of a method, by what it would be of."""
