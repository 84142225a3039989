"""From the clauses' bodies to plans: names resolved, types checked, obligations made explicit.

The planner also puts the rules that hold "at any time" where they act.  A clause with `whenever` is
inserted after every primitive statement that writes something its condition reads (`at once`), or at
the end of the sentence that wrote it (`after the step`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from . import syntax as sx
from . import zones
from .core import FALSE, TRUE, Cite, Const, Fill, Let, Load, Local, Note, Store
from .core import If as CoreIf
from .elaborate import (
    BOOL, PLAYER, Bag, Check, Failed, PlayerSet, RecordAt, Scalar, Scope, bag_local, bag_param,
    comparable, describe,
)
from .errors import did_you_mean
from .fold import binary, both, choice, conj, either, negate, reduce
from .frames import Frames
from .functions import STATEMENTS, total, turn
from .game import Ty
from .machine import Condition, Domain, Obligation, Param
from .plan import Atomic, Branch, Finish, Fork, Loop, Owe, Rest, Run, Sentence
from .walk import arrays_read, writes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .core import Expr, Stmt
    from .elaborate import Checks, Elaborator, Iteration, Value
    from .errors import Place
    from .game import Body, Clause, Game, Window
    from .plan import Plan

Plans = tuple["Plan", ...]

TRIGGER = "when "
"""What the names of the steps that "at any time" rules become begin with."""

ACTIONS = "actions"
"""The name of the window that a game without turn structure consists of."""


@dataclass(frozen=True, slots=True)
class Unordered:
    """A place where the book names no order: a loop over players, or clauses on one step."""

    kind: str
    clauses: tuple[str, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Here:
    """Where a body stands: its clause, the prefix of its locals, how deep its window is nested."""

    clause: str
    prefix: str
    level: int
    scope: Scope
    changed: frozenset[str]
    loop_order: str = ""

    def bind(self, name: str, value: Value) -> Here:
        """Add a name."""
        return replace(self, scope=self.scope.bind(name, value))


class Planner:
    """Makes the plan of every step and window of a game."""

    def __init__(self, elab: Elaborator) -> None:
        self.elab = elab
        self.game: Game = elab.game
        self.report = elab.report
        self.frames = Frames(elab)
        self.obligations: dict[tuple[str, str, Place], Obligation] = {}
        self.unordered: dict[tuple[str, tuple[str, ...]], Unordered] = {}
        self.called: set[str] = set()
        self._triggers = [c for c in self.game.clauses if c.whenever is not None and c.in_force]
        self._trigger_deps = {c.id: self._reads_of(c) for c in self._triggers}
        self._active: tuple[str, ...] = ()
        self.within = ""
        self.circles: dict[str, frozenset[str]] = {}
        """Step or window → those that it can reach and that can reach it (set by the compiler)."""

    # ------------------------------------------------------------------ clauses and steps

    def step(self, name: str, level: int) -> Plans:
        """Plan a step: its clauses' bodies in order, then what must hold at its end."""
        self.within = name
        step = self.game.steps[name]
        names: dict[str, Value] = {}
        for param, ty in step.params.items():
            array = self.frames.local(_slot(name, level, param), ty)
            names[param] = Scalar(ty, Load(array))
        scope = Scope(names)
        plans: list[Plan] = []
        bodies = self._in_order(name)
        for clause in bodies:
            made = self._sentence(clause, scope, level)
            if made is not None:
                plans.append(made)
        gap = self._gap(name, tuple(p for p in plans if isinstance(p, Sentence)))
        for clause in self.game.clauses:
            if clause.on == name and clause.ensure is not None and clause.in_force:
                plans.extend(self._ensure(clause, scope))
        return (*gap, *plans)

    def _gap(self, name: str, sentences: tuple[Sentence, ...]) -> Plans:
        """Owe that one of several cases applies, where all of them decide the same thing."""
        cases = [s for s in sentences if s.test != TRUE]
        if len(cases) < 2 or len(cases) < len(sentences):  # noqa: PLR2004
            return ()
        declared = {a.name for a in self.frames.arrays.values() if a.declared}
        common = frozenset.intersection(*(_written(s.plans) for s in cases)) & declared
        if not common:
            return ()
        some: Expr = FALSE
        for case in cases:
            some = either(some, case.test)
        note = self.obligation(cases[0].clause, Check(
            some, "gap", f"none of the cases of `{name}` applies", self.game.steps[name].place))
        return (Owe(some, note, abandon=False),)

    def _in_order(self, name: str) -> list[Clause]:
        bodies = [c for c in self.game.clauses
                  if c.on == name and c.do is not None and c.in_force and not c.option
                  and c.whenever is None]
        ids = [c.id for c in bodies]
        before: dict[str, set[str]] = {c.id: set() for c in bodies}
        for clause in bodies:
            for other in clause.after:
                if other in before:
                    before[clause.id].add(other)
            for other in clause.before:
                if other in before:
                    before[other].add(clause.id)
        ordered: list[Clause] = []
        left = list(bodies)
        while left:
            ready = [c for c in left if not before[c.id] & {x.id for x in left}]
            if not ready:
                self.report.error("RP230", f"the order of the clauses of `{name}` runs in a circle",
                                  left[0].place, help="look at `after` and `before`")
                return bodies
            ordered.append(ready[0])
            left.remove(ready[0])
        for i, first in enumerate(ids):
            for second in ids[i + 1:]:
                if _path(before, first, second) or _path(before, second, first):
                    continue
                one, other = (next(c for c in bodies if c.id == name) for name in (first, second))
                if second not in one.overrides and first not in other.overrides:
                    self._note_unordered("clauses", (first, second),
                                         next(c for c in bodies if c.id == second).place)
        return ordered

    def _note_unordered(self, kind: str, clauses: tuple[str, ...], place: Place) -> None:
        self.unordered.setdefault((kind, clauses), Unordered(kind, clauses, place))

    def _sentence(self, clause: Clause, scope: Scope, level: int) -> Sentence | None:
        if clause.do is None:
            return None
        try:
            test = self.in_force(clause, scope)
        except Failed:
            return None
        return self.sentence(clause, clause.do, scope, level, test)

    def in_force(self, clause: Clause, scope: Scope) -> Expr:
        """Say when a clause holds: its own `when`, and no clause that overrides it."""
        test = self.elab.guard(clause.when, scope)
        for other in self.game.clauses:
            if other.in_force and clause.id in other.overrides:
                test = both(test, negate(self.elab.guard(other.when, scope)))
        return test

    def sentence(
        self, clause: Clause, body: Body, scope: Scope, level: int, test: Expr = TRUE
    ) -> Sentence:
        """Plan a body of a clause."""
        here = Here(clause.id, _slot(clause.id, level, ""), level, scope,
                    _changed(body.statements), clause.loop_order)
        plans: list[Plan] = [Atomic((Cite(clause.id),))]
        inner, _ = self._block(body.statements, here)
        plans.extend(inner)
        plans.extend(self._triggers_after(_written(inner), "after the step", level))
        otherwise: Plans | None = None
        if clause.otherwise is not None:
            there = replace(here, changed=_changed(clause.otherwise.statements))
            made, _ = self._block(clause.otherwise.statements, there)
            otherwise = (Atomic((Cite(clause.id),)), *made,
                         *self._triggers_after(_written(made), "after the step", level))
        return Sentence(clause.id, test, tuple(plans), otherwise)

    def _ensure(self, clause: Clause, scope: Scope) -> Plans:
        assert clause.ensure is not None
        try:
            test = self.in_force(clause, scope)
            must = self.elab.truth(clause.ensure, scope)
        except Failed:
            return ()
        defect = "limit-broken" if clause.kind == "limit" else "contradiction"
        note = self.obligation(clause.id, Check(
            must.expr, defect, f"{describe(clause.ensure)} does not hold when the step ends",
            clause.ensure.at))
        inner: Plans = (Atomic((Cite(clause.id),)), *self._owe(clause.id, must.checks),
                        Owe(must.expr, note, abandon=False))
        return (Branch(test, inner),)

    # ------------------------------------------------------------------ triggers

    def _reads_of(self, clause: Clause) -> frozenset[str]:
        try:
            assert clause.whenever is not None
            found = arrays_read(self.elab.guard(clause.whenever, Scope({})))
            return found | arrays_read(self.in_force(clause, Scope({})))
        except Failed:
            return frozenset()

    def _triggers_after(self, written: frozenset[str], timing: str, level: int) -> Plans:
        plans: list[Plan] = []
        for clause in self._triggers:
            when = clause.timing or "at once"
            if when != timing or clause.id in self._active or clause.do is None:
                continue
            if not written & self._trigger_deps[clause.id]:
                continue
            try:
                assert clause.whenever is not None
                test = both(self.in_force(clause, Scope({})),
                            self.elab.guard(clause.whenever, Scope({})))
            except Failed:
                continue
            chain = " ".join((clause.id, *self._active))
            plans.append(Branch(test, (Run(f"{TRIGGER}{chain}@{level}", ()),)))
        return tuple(plans)

    def trigger(self, name: str, level: int) -> Plans:
        """Plan what an "at any time" rule does; `name` lists it and those that it acts inside of.

        A rule does not interrupt itself, so the same rule inside others is planned apart.
        """
        chain = tuple(name.removeprefix(TRIGGER).split(" "))
        clause = next(c for c in self._triggers if c.id == chain[0])
        assert clause.do is not None
        self.within = name
        outer, self._active = self._active, chain
        try:
            return (self.sentence(clause, clause.do, Scope({}), level),)
        finally:
            self._active = outer

    # ------------------------------------------------------------------ obligations

    def obligation(self, clause: str, check: Check) -> int:
        """Give the number of an obligation of a clause."""
        key = (clause, check.prompt, check.place)
        if key not in self.obligations:
            self.obligations[key] = Obligation(len(self.obligations), clause, check.defect,
                                               check.prompt, check.place)
        return self.obligations[key].id

    def _owe(self, clause: str, checks: Checks, *, abandon: bool = True) -> Plans:
        return tuple(
            Owe(check.test, self.obligation(clause, check), abandon)
            for check in checks if check.test != TRUE
        )

    # ------------------------------------------------------------------ statements

    def _block(self, statements: tuple[sx.Stmt, ...], here: Here) -> tuple[Plans, Here]:
        plans: list[Plan] = []
        for stmt in statements:
            try:
                made, here = self._stmt(stmt, here)
            except Failed:
                # Later statements would only repeat that this one's names are unknown.
                here = _assume(stmt, here)
                continue
            plans.extend(made)
        return tuple(plans), here

    def _stmt(self, stmt: sx.Stmt, here: Here) -> tuple[Plans, Here]:
        match stmt:
            case sx.Assign():
                return self._assign(stmt, here)
            case sx.Do():
                return self._call(stmt.call, here), here
            case sx.IfThen():
                return self._if(stmt, here)
            case sx.ForEach():
                return self._for(stmt, here), here
            case sx.While():
                test = self.elab.guard(stmt.test, here.scope)
                body, _ = self._block(stmt.body, here)
                return (Loop((), test, body, ()),), here

    def _if(self, stmt: sx.IfThen, here: Here) -> tuple[Plans, Here]:
        question = _asks(stmt.test)
        if question is not None:
            call, positive = question
            name = f"may@{call.at.line}.{call.at.column}"
            made, inside = self._may(name, call, here)
            test = Load(here.prefix + name)
            then, _ = self._block(stmt.then, inside)
            other, _ = self._block(stmt.other, inside)
            if not positive:
                then, other = other, then
            return (*made, Branch(binary("==", test, Const(1)), then, other)), here
        test = self.elab.truth(stmt.test, here.scope)
        then, after_then = self._block(stmt.then, here)
        other, after_other = self._block(stmt.other, here)
        merged = here
        for name, value in after_then.scope.names.items():
            if name in after_other.scope.names or name not in here.scope.names:
                merged = merged.bind(name, value)
        for name, value in after_other.scope.names.items():
            if name not in merged.scope.names:
                merged = merged.bind(name, value)
        return (*self._owe(here.clause, test.checks), Branch(test.expr, then, other)), merged

    def _finish(self, plans: list[Plan], here: Here) -> Plans:
        """Put the triggers behind a primitive."""
        return (*plans, *self._triggers_after(_written(plans), "at once", here.level))

    # ---- assignment

    def _assign(self, stmt: sx.Assign, here: Here) -> tuple[Plans, Here]:
        if isinstance(stmt.value, sx.Call) and isinstance(stmt.value.func, sx.Name):
            name = stmt.value.func.name
            if name in _MAKERS and name not in here.scope.names:
                if not isinstance(stmt.target, sx.Name) or stmt.op != "=":
                    raise self.elab.fail("RP211", f"write `name = {name}(…)`", stmt.at,
                                         "assign it to a name of the body first")
                return self._make(name, stmt.target, stmt.value, here)
        value_tree = stmt.value if stmt.op == "=" else sx.Binary(
            stmt.op, stmt.target, stmt.value, stmt.at)
        value = self.elab.value(value_tree, here.scope)
        if isinstance(stmt.target, sx.Name) and stmt.target.name not in self.game.variables:
            return self._assign_local(stmt.target, value, here)
        if isinstance(value, PlayerSet):
            return self._finish(self._assign_set(stmt, value, here), here), here
        scalar = self.elab.single(value, value_tree)
        array, index, ty, checks = self._target(stmt.target, here)
        plans = [*self._owe(here.clause, checks),
                 *self.store(array, index, ty, scalar, stmt.value, here.clause,
                             describe(stmt.target))]
        return self._finish(plans, here), here

    def _target(
        self, target: sx.Expr, here: Here
    ) -> tuple[str, tuple[Expr, ...], Ty, Checks]:
        value = self.elab.value(target, here.scope)
        assignable = isinstance(value, Scalar) and isinstance(value.expr, Load)
        if assignable and isinstance(value, Scalar) and isinstance(value.expr, Load):
            return value.expr.array, value.expr.index, value.ty, value.checks
        raise self.elab.fail("RP211", f"{describe(target)} cannot be assigned", target.at)

    def _assign_local(self, target: sx.Name, value: Value, here: Here) -> tuple[Plans, Here]:
        name = target.name
        self._no_shadow(name, target.at)
        slot = here.prefix + name
        if isinstance(value, PlayerSet):
            self.frames.flags(slot)
            plans = self._fill(slot, (), value, here)
            return plans, here.bind(name, PlayerSet(lambda p: Load(slot, (p,))))
        if isinstance(value, Bag):
            self.frames.counts(slot, value.family)
            var = self.elab.fresh("k")
            code = Fill(slot, (), var, self.elab.kinds(value.family), value.count(Local(var)))
            plans = (*self._owe(here.clause, value.checks), Atomic((code,)))
            return plans, here.bind(name, bag_local(slot, value.family))
        if not isinstance(value, Scalar):
            raise self.elab.fail("RP211", "this cannot be kept in a name", target.at)
        known = here.scope.names.get(name)
        if isinstance(known, Scalar):
            if not isinstance(known.expr, Load) or known.expr.array != slot:
                raise self.elab.fail("RP211", f"`{name}` cannot be changed here", target.at)
            ty = known.ty
            if not comparable(ty, value.ty):
                raise self.elab.fail("RP210", f"`{name}` is `{ty}`, not `{value.ty}`", target.at)
            if value.ty.optional and not ty.optional:
                ty = replace(ty, optional=True)
                self.frames.local(slot, ty, changed=name in here.changed)
                here = here.bind(name, Scalar(ty, Load(slot)))
        else:
            ty = value.ty
        self.frames.local(slot, ty, changed=name in here.changed)
        array = self.frames.arrays[slot]
        if ty.kind == "int":
            ty = replace(ty, low=0 if ty.optional else array.low, high=array.high)
        plans = self.store(slot, (), ty, value, target, here.clause, f"`{name}`")
        return plans, here.bind(name, Scalar(ty, Load(slot)))

    def _no_shadow(self, name: str, at: Place) -> None:
        game = self.game
        if name in game.constants or name in game.zones or name in game.families or (
            name in game.pools or name in game.steps or name in game.windows
        ):
            raise self.elab.fail("RP221", f"`{name}` is a name of the spec and cannot be assigned",
                                 at)

    def _assign_set(self, stmt: sx.Assign, value: PlayerSet, here: Here) -> list[Plan]:
        target = self.elab.value(stmt.target, here.scope)
        if not isinstance(target, PlayerSet) or isinstance(stmt.target, sx.SetOf):
            raise self.elab.fail("RP210", f"{describe(stmt.target)} is not a set of players",
                                 stmt.target.at)
        where = target.member(Const(0))
        if not isinstance(where, Load):
            raise self.elab.fail("RP211", f"{describe(stmt.target)} cannot be assigned",
                                 stmt.target.at)
        checks = self._owe(here.clause, target.checks)
        return [*checks, *self._fill(where.array, where.index[:-1], value, here)]

    def _fill(self, array: str, prefix: tuple[Expr, ...], value: PlayerSet, here: Here) -> Plans:
        var = self.elab.fresh("p")
        code = Fill(array, prefix, var, self.elab.seats(), value.member(Local(var)))
        return (*self._owe(here.clause, value.checks), Atomic((code,)))

    def store(  # noqa: PLR0913
        self, array: str, index: tuple[Expr, ...], ty: Ty, value: Scalar, tree: sx.Expr,
        clause: str, called: str,
    ) -> Plans:
        """Write a scalar: its checks, its range, and then the core store."""
        if not comparable(ty, value.ty):
            raise self.elab.fail("RP210", f"{called} is `{ty}`, not `{value.ty}`", tree.at)
        if value.ty.kind == "none" and not ty.optional:
            raise self.elab.fail("RP210", f"{called} is `{ty}` and cannot be `none`", tree.at,
                                 f"declare it as `{ty}?`")
        if value.ty.optional and not ty.optional:
            value = self.elab.present(value, tree)
        plans = list(self._owe(clause, value.checks))
        made = value.expr
        low, high = ty.low, ty.high
        if ty.kind == "int" and value.ty.kind == "int" and (
            value.ty.low < low or value.ty.high > high
        ):
            temp = self.elab.fresh("new")
            new = Local(temp)
            fits = both(binary("<=", Const(low), new), binary("<=", new, Const(high)))
            kept = binary("max", Const(low), binary("min", Const(high), new))
            if ty.optional:
                fits = either(fits, binary("==", new, Const(-1)))
                kept = choice(binary("==", new, Const(-1)), Const(-1), kept)
            over = self.obligation(clause, Check(
                fits, "undefined-operation", f"{called} would leave {low}..{high}", tree.at))
            code: tuple[Stmt, ...] = (
                Let(temp, made), CoreIf(negate(fits), (Note(over),)), Store(array, index, kept))
            plans.append(Atomic(code))
        else:
            plans.append(Atomic((Store(array, index, made),)))
        return tuple(plans)

    # ---- loops

    def _for(self, stmt: sx.ForEach, here: Here) -> Plans:
        over = self.elab.iteration(stmt.domain, here.scope)
        name = f"{stmt.var}@{stmt.at.line}"
        checks = self._owe(here.clause, over.checks)
        if over.ty.kind == "player":
            if over.order == "any":
                self._note_unordered("loop", (here.clause,), stmt.at)
            return (*checks, *self._for_players(stmt, over, name, here))
        slot = self.frames.local(here.prefix + name, Ty("int", low=0, high=over.size))
        index = Load(slot)
        inside = here.bind(stmt.var, self.elab.element(over, index))
        body, _ = self._block(stmt.body, inside)
        here_value = binary("+", index, Const(over.low))
        return (*checks, Loop(
            (Store(slot, (), Const(0)),), binary("<", index, Const(over.size)),
            (Branch(over.where(here_value), body),),
            (Store(slot, (), binary("+", index, Const(1))),), over.size))

    def _for_players(self, stmt: sx.ForEach, over: Iteration, name: str, here: Here) -> Plans:
        body: Plans

        def inside(player: Expr) -> Plans:
            made, _ = self._block(stmt.body, here.bind(stmt.var, Scalar(PLAYER, player)))
            return made

        backwards = over.order == "counterclockwise" or (
            over.order == "any" and here.loop_order == "counterclockwise")
        start = over.start
        if over.order == "any" and backwards:
            start = Const(self.elab.seats() - 1)
        before, test, player, step = self.round(here.prefix + name, start, backwards=backwards)
        body = (Branch(over.where(player), inside(player)),)
        return (Loop(before, test, body, step, self.elab.seats()),)

    def round(
        self, name: str, start: Expr, *, backwards: bool
    ) -> tuple[tuple[Stmt, ...], Expr, Expr, tuple[Stmt, ...]]:
        """Make a loop once round the table: its start, its test, the player, its step."""
        seats = self.elab.seats()
        player = self.frames.local(name, PLAYER)
        done = self.frames.local(f"{name}#", Ty("int", low=0, high=seats))
        by = seats - 1 if backwards else 1
        before: tuple[Stmt, ...] = (Store(player, (), start), Store(done, (), Const(0)))
        step: tuple[Stmt, ...] = (
            Store(done, (), binary("+", Load(done), Const(1))),
            Store(player, (), turn(Load(player), by, seats)))
        return before, binary("<", Load(done), Const(seats)), Load(player), step

    # ---- calls

    def _call(self, call: sx.Call, here: Here) -> Plans:
        if isinstance(call.func, sx.Attr):
            return self._ability(call, call.func, here)
        assert isinstance(call.func, sx.Name)
        name = call.func.name
        if name in _VERBS:
            return _VERBS[name](self, call, here)
        if name in _MAKERS:
            if name in ("choose", "choose_cards", "may", "roll", "random"):
                raise self.elab.fail("RP211", f"the result of `{name}` is not used", call.at,
                                     f"write `x = {name}(…)`")
            target = sx.Name(f"unused@{call.at.line}", call.at)
            return self._make(name, target, call, here)[0]
        if name in self.game.steps or name in self.game.windows:
            return self._run(name, call, here)
        raise self.elab.fail("RP220", f"unknown statement `{name}`", call.at, did_you_mean(
            name, [*_VERBS, *_MAKERS, *self.game.steps, *self.game.windows]))

    def _run(self, name: str, call: sx.Call, here: Here) -> Plans:
        self.called.add(name)
        step = self.game.steps.get(name)
        params = step.params if step else {}
        if call.named or len(call.args) != len(params):
            raise self.elab.fail("RP213", f"`{name}` takes {len(params)} argument(s)", call.at)
        plans: list[Plan] = []
        code: list[Stmt] = []
        target = self.level_of(name, here)
        if target is None:
            note = self.obligation(here.clause, Check(
                FALSE, "capacity", f"`{name}` is nested deeper than its `depth`", call.at))
            return (Owe(FALSE, note, abandon=False),)
        for (param, ty), arg in zip(params.items(), call.args, strict=True):
            value = self.elab.scalar(arg, here.scope)
            slot = self.frames.local(_slot(name, target, param), ty)
            made = self.store(slot, (), ty, value, arg, here.clause, f"`{param}`")
            for plan in made:
                if isinstance(plan, Atomic):
                    code.extend(plan.code)
                else:
                    plans.append(plan)
        return (*plans, Run(f"{name}@{target}", tuple(code)))

    def level_of(self, name: str, here: Here) -> int | None:
        """Give how deep a step or window is nested when called from here; None beyond its depth."""
        if self.within not in self.circles.get(name, ()):
            return 0
        level = here.level + (1 if self.depth(name) > 1 else 0)
        return level if level < max(self.depth(other) for other in self.circles[name]) else None

    def depth(self, name: str) -> int:
        """Give how deep a step or window may be nested."""
        step, window = self.game.steps.get(name), self.game.windows.get(name)
        return step.depth if step else window.depth if window else 1

    def _ability(self, call: sx.Call, func: sx.Attr, here: Here) -> Plans:
        card = self.elab.scalar(func.value, here.scope)
        self.elab.expect(card.ty, "card", "", func.value.at)
        card = self.elab.present(card, func.value)
        if call.args or call.named:
            raise self.elab.fail("RP213", "an ability takes no arguments", call.at)
        slot = self.frames.local(f"{here.prefix}ability@{call.at.line}.{call.at.column}", card.ty)
        plans = [*self._owe(here.clause, card.checks), Atomic((Store(slot, (), card.expr),))]
        family = self.game.families[card.ty.name]
        if not any(func.name in each.abilities for each in family.cards):
            raise self.elab.fail("RP220", f"no card of `{family.name}` has an ability `{func.name}`",
                                 func.at, did_you_mean(
                                     func.name, {n for c in family.cards for n in c.abilities}))
        for index, each in enumerate(family.cards):
            body = each.abilities.get(func.name)
            if body is None:
                continue
            clause = f"card:{family.name}.{each.id}.{func.name}"
            names: dict[str, Value] = dict(here.scope.names)
            names["this"] = Scalar(Ty("card", family.name), Const(index))
            there = Here(clause, _slot(clause, here.level, ""), here.level, Scope(names),
                         _changed(body.statements))
            made, _ = self._block(body.statements, there)
            plans.append(Branch(binary("==", Load(slot), Const(index)), (
                Sentence(clause, TRUE, (Atomic((Cite(clause),)), *made)),)))
        return tuple(plans)

    # ---- cards

    def _args(self, call: sx.Call, low: int, high: int) -> tuple[sx.Expr, ...]:
        name = call.func.name if isinstance(call.func, sx.Name) else ""
        if call.named or not low <= len(call.args) <= high:
            wanted = str(low) if low == high else f"{low} or {high}"
            raise self.elab.fail("RP213", f"`{name}` takes {wanted} argument(s)", call.at)
        return call.args

    def _same_family(self, left: str, right: str, at: Place) -> None:
        if left != right:
            raise self.elab.fail("RP210", f"cards of `{left}` do not go where `{right}` lie", at)

    def move(self, call: sx.Call, here: Here) -> Plans:
        """Plan `move(card, SOURCE, TARGET)`."""
        card_tree, source_tree, target_tree = self._args(call, 3, 3)
        card = self.elab.use(card_tree, here.scope, "card")
        source, c1 = self.elab.zone(source_tree, here.scope)
        target, c2 = self.elab.zone(target_tree, here.scope)
        self._same_family(card.ty.name, source.zone.family, card_tree.at)
        self._same_family(source.zone.family, target.zone.family, target_tree.at)
        temp = self.elab.fresh("card")
        there = zones.has(self.elab.zone_bag(source), Local(temp))
        lost = self.obligation(here.clause, Check(
            there, "undefined-operation",
            f"{describe(card_tree)} is not in {describe(source_tree)}", call.at))
        steps = (*zones.take(self.elab, source, Local(temp), Const(1)),
                 *zones.put(self.elab, target, Local(temp), Const(1)))
        code: tuple[Stmt, ...] = (Let(temp, card.expr), CoreIf(there, steps, (Note(lost),)))
        plans = [*self._owe(here.clause, (*card.checks, *c1, *c2)), Atomic(code)]
        return self._finish(plans, here)

    def move_all(self, call: sx.Call, here: Here) -> Plans:
        """Plan `move_all(CARDS, [SOURCE,] TARGET)`."""
        args = self._args(call, 2, 3)
        bag = self.elab.bag(args[0], here.scope)
        target, c2 = self.elab.zone(args[-1], here.scope)
        if len(args) == 3:  # noqa: PLR2004
            source, c1 = self.elab.zone(args[1], here.scope)
        elif bag.zone is not None:
            source, c1 = bag.zone, ()
        else:
            raise self.elab.fail("RP211", "say where the cards are", call.at,
                                 "as in `move_all(cards, hand[p], discard)`")
        self._same_family(bag.family, source.zone.family, args[0].at)
        self._same_family(source.zone.family, target.zone.family, args[-1].at)
        plans: list[Plan] = list(self._owe(here.clause, (*bag.checks, *c1, *c2)))
        size = self.elab.kinds(bag.family)
        code: list[Stmt] = []
        whole = isinstance(args[0], (sx.Name, sx.Index)) and bag.zone is not None
        if not whole:
            slot = self.frames.counts(f"{here.prefix}moved@{call.at.line}", bag.family)
            var, kind = self.elab.fresh("k"), self.elab.fresh("k")
            code.append(Fill(slot, (), var, size, bag.count(Local(var))))
            if bag.zone is None:
                held = self.elab.zone_bag(source)
                short = reduce("any", kind, size, TRUE,
                               binary(">", Load(slot, (Local(kind),)), held.count(Local(kind))))
                lost = self.obligation(here.clause, Check(
                    negate(short), "undefined-operation",
                    f"not all of {describe(args[0])} are in {describe(args[1])}", call.at))
                limit = self.elab.fresh("k")
                code.append(CoreIf(short, (Note(lost),)))
                code.append(Fill(slot, (), limit, size, binary(
                    "min", Load(slot, (Local(limit),)), held.count(Local(limit)))))
            bag = bag_local(slot, bag.family)
        code.extend(zones.transfer(self.elab, bag, source, target))
        if not whole:
            code.append(Fill(slot, (), self.elab.fresh("k"), size, Const(0)))
        plans.append(Atomic(tuple(code)))
        return self._finish(plans, here)

    def shuffle_into(self, call: sx.Call, here: Here) -> Plans:
        """Plan `shuffle_into(ZONE, DECK)`."""
        args = self._args(call, 2, 2)
        source, c1 = self.elab.zone(args[0], here.scope)
        target, c2 = self.elab.zone(args[1], here.scope)
        self._same_family(source.zone.family, target.zone.family, call.at)
        code = (*zones.forget(self.elab, target),
                *zones.transfer(self.elab, self.elab.zone_bag(source), source, target))
        return self._finish([*self._owe(here.clause, (*c1, *c2)), Atomic(code)], here)

    def shuffle(self, call: sx.Call, here: Here) -> Plans:
        """Plan `shuffle(DECK)`."""
        (arg,) = self._args(call, 1, 1)
        deck, checks = self.elab.zone(arg, here.scope)
        code = zones.forget(self.elab, deck)
        return self._finish([*self._owe(here.clause, checks), Atomic(code)], here)

    def put_at_end(self, call: sx.Call, here: Here) -> Plans:
        """Plan `put_on_top(card, SOURCE, DECK)` and `put_on_bottom(…)`."""
        card_tree, source_tree, target_tree = self._args(call, 3, 3)
        top = isinstance(call.func, sx.Name) and call.func.name == "put_on_top"
        card = self.elab.use(card_tree, here.scope, "card")
        source, c1 = self.elab.zone(source_tree, here.scope)
        target, c2 = self.elab.zone(target_tree, here.scope)
        parts = zones.ordered_parts(target.zone)
        if not parts:
            raise self.elab.fail("RP211", f"{describe(target_tree)} does not know the place of a card",
                                 target_tree.at, "give the deck `known: N`, or make it a pile")
        array, size = parts[0] if top or len(parts) == 1 else parts[1]
        temp = self.elab.fresh("card")
        there = zones.has(self.elab.zone_bag(source), Local(temp))
        full = binary("<", zones.filled(self.elab, array, size, target.owner), Const(size))
        lost = self.obligation(here.clause, Check(
            there, "undefined-operation",
            f"{describe(card_tree)} is not in {describe(source_tree)}", call.at))
        over = self.obligation(here.clause, Check(
            full, "capacity", f"more than {size} known cards in {describe(target_tree)}", call.at))
        place = zones.push if top else zones.append
        known = (*zones.take(self.elab, source, Local(temp), Const(1)),
                 *place(self.elab, array, size, target.owner, Local(temp)))
        loose: tuple[Stmt, ...] = (Note(over),)
        if target.zone.kind != "pile":
            loose += (*zones.take(self.elab, source, Local(temp), Const(1)),
                      *zones.put(self.elab, target, Local(temp), Const(1)))
        code: tuple[Stmt, ...] = (
            Let(temp, card.expr),
            CoreIf(there, (CoreIf(full, known, loose),), (Note(lost),)))
        return self._finish(
            [*self._owe(here.clause, (*card.checks, *c1, *c2)), Atomic(code)], here)

    def tally(self, call: sx.Call, here: Here) -> Plans:
        """Plan `add(card, LEDGER)` and `clear(LEDGER)`."""
        adding = isinstance(call.func, sx.Name) and call.func.name == "add"
        args = self._args(call, 2 if adding else 1, 2 if adding else 1)
        ledger, checks = self.elab.zone(args[-1], here.scope)
        if ledger.zone.kind != "ledger":
            raise self.elab.fail("RP211", f"{describe(args[-1])} is not a ledger", args[-1].at,
                                 "cards that lie in a zone are moved")
        code: tuple[Stmt, ...]
        if adding:
            card = self.elab.use(args[0], here.scope, "card", ledger.zone.family)
            checks = (*card.checks, *checks)
            where = (*ledger.owner, card.expr)
            high = self.frames.arrays[ledger.zone.name].high
            more = binary("min", Const(high), binary("+", Load(ledger.zone.name, where), Const(1)))
            code = (Store(ledger.zone.name, where, more),)
        else:
            code = zones.empty(self.elab, ledger)
        return self._finish([*self._owe(here.clause, checks), Atomic(code)], here)

    def draw_many(self, call: sx.Call, here: Here) -> Plans:
        """Plan `draw(n, DECK, TARGET)`."""
        if len(call.args) == 2:  # noqa: PLR2004
            target = sx.Name(f"drawn@{call.at.line}", call.at)
            return self._make("draw", target, call, here)[0]
        number, deck_tree, target_tree = self._args(call, 3, 3)
        many = self.elab.use(number, here.scope, "int")
        deck, c1 = self.elab.zone(deck_tree, here.scope)
        left = self.frames.local(f"{here.prefix}left@{call.at.line}.{call.at.column}",
                                 Ty("int", low=0, high=max(many.ty.high, 0)))
        start = binary("max", Const(0), many.expr)
        one = self._draw_one(call, deck_tree, target_tree, None, here, stop=left)
        step: tuple[Stmt, ...] = (Store(left, (), binary("max", Const(0), binary(
            "-", Load(left), Const(1)))),)
        loop = Loop((Store(left, (), start),), binary(">", Load(left), Const(0)), one, step)
        del deck
        return (*self._owe(here.clause, (*many.checks, *c1)), loop)

    def _draw_one(  # noqa: PLR0913
        self, call: sx.Call, deck_tree: sx.Expr, target_tree: sx.Expr, slot: str | None, here: Here,
        *, stop: str | None,
    ) -> Plans:
        elab = self.elab
        deck, c1 = elab.zone(deck_tree, here.scope)
        target, c2 = elab.zone(target_tree, here.scope)
        self._same_family(deck.zone.family, target.zone.family, target_tree.at)
        held = elab.zone_bag(deck)
        name = elab.fresh("card")
        note = self.obligation(here.clause, Check(
            FALSE, "undefined-operation", f"a card is drawn from {describe(deck_tree)}, which is empty",
            call.at))

        def arrive(card: Expr, leave: tuple[Stmt, ...]) -> Plans:
            keep: tuple[Stmt, ...] = (Store(slot, (), card),) if slot is not None else ()
            code = (*keep, *leave, *zones.put(elab, target, card, Const(1)))
            return self._finish([Atomic(code)], here)

        chance: Plans = ()
        if deck.zone.kind != "pile":
            where = (*deck.owner, Local(name))
            loose = Load(deck.zone.name, where)
            domain = self.frames.domain(Ty("card", deck.zone.family))
            param = Param(name, domain, "card", binary(">", loose, Const(0)))
            leave = (Store(deck.zone.name, where, binary("-", loose, Const(1))),)
            chance = (Rest("chance", f"draw from {_plain(deck_tree)}", "", None, (
                Fork("draw", (param,), (), arrive(Local(name), leave), loose,
                     clauses=(here.clause,)),)),)
        plans = chance
        for known in (zones.known_bottom(deck), zones.known_top(deck)):
            if known is None:
                continue
            card, leave_code = known
            temp = elab.fresh("top")
            taken = self._finish([Atomic((
                Let(temp, card), *((Store(slot, (), Local(temp)),) if slot is not None else ()),
                *leave_code(elab), *zones.put(elab, target, Local(temp), Const(1))))], here)
            here_known = binary("!=", card, Const(-1))
            if known == zones.known_bottom(deck) or plans is chance and deck.zone.kind != "pile":
                here_known = both(here_known, binary("==", zones.loose(elab, deck), Const(0)))
            plans = (Branch(here_known, taken, plans),)
        halt: Plans = (Atomic((Store(stop, (), Const(0)),)),) if stop is not None else ()
        some = binary(">", total(elab, held), Const(0))
        clause = self._clause(here.clause)
        gives_up = slot is not None or (clause is not None and clause.otherwise is not None)
        nothing: Plans = (Owe(FALSE, note, abandon=gives_up), *halt)
        return (*self._owe(here.clause, (*c1, *c2)), Branch(some, plans, nothing))

    def _clause(self, name: str) -> Clause | None:
        return next((c for c in self.game.clauses if c.id == name), None)

    # ---- records

    def remove(self, call: sx.Call, here: Here) -> Plans:
        """Plan `remove(record)`."""
        (arg,) = self._args(call, 1, 1)
        record = self.elab.value(arg, here.scope)
        if not isinstance(record, RecordAt):
            raise self.elab.fail("RP210", f"{describe(arg)} is not a record", arg.at)
        pool = self.game.pools[record.pool]
        size = f"{pool.name}.size"
        start, var = self.elab.fresh("from"), self.elab.fresh("place")
        last = binary("-", Load(size, record.owner), Const(1))
        code: list[Stmt] = [Let(start, record.index)]
        from .core import For  # noqa: PLC0415

        for name in pool.fields:
            array = f"{pool.name}.{name}"
            first = self.frames.arrays[array].start[0]
            shift = Store(array, (*record.owner, Local(var)),
                          Load(array, (*record.owner, binary("+", Local(var), Const(1)))))
            code.append(For(var, pool.capacity - 1, (
                CoreIf(both(binary(">=", Local(var), Local(start)),
                            binary("<", Local(var), last)), (shift,)),)))
            code.append(Store(array, (*record.owner, last), Const(first)))
        code.append(Store(size, record.owner, last))
        return self._finish([Atomic(tuple(code))], here)

    def _new(self, target: sx.Name, call: sx.Call, here: Here) -> tuple[Plans, Here]:
        if len(call.args) != 1:
            raise self.elab.fail("RP213", "write `new(pool[p], field=value, …)`", call.at)
        value = self.elab.value(call.args[0], here.scope)
        from .elaborate import PoolAt  # noqa: PLC0415

        if not isinstance(value, PoolAt):
            raise self.elab.fail("RP210", f"{describe(call.args[0])} is not a pool", call.at)
        pool = self.game.pools[value.pool]
        slot = self.frames.local(here.prefix + target.name, Ty("record", pool.name))
        size = Load(f"{pool.name}.size", value.owner)
        note = self.obligation(here.clause, Check(
            FALSE, "capacity", f"more than {pool.capacity} records in `{pool.name}`", call.at))
        room = binary("<", size, Const(pool.capacity))
        plans: list[Plan] = [*self._owe(here.clause, value.checks), Owe(room, note, abandon=True),
                             Atomic((Store(slot, (), size),))]
        for name, tree in call.named:
            if name not in pool.fields:
                raise self.elab.fail("RP220", f"`{pool.name}` has no field `{name}`", tree.at,
                                     did_you_mean(name, pool.fields))
            made = self.elab.scalar(tree, here.scope)
            plans.extend(self.store(f"{pool.name}.{name}", (*value.owner, Load(slot)),
                                    pool.fields[name], made, tree, here.clause, f"`{name}`"))
        grow = Store(f"{pool.name}.size", value.owner, binary("+", Load(slot), Const(1)))
        plans.append(Atomic((grow,)))
        inside = here.bind(target.name, RecordAt(pool.name, value.owner, Load(slot)))
        return self._finish(plans, here), inside

    # ---- the end

    def win(self, call: sx.Call, here: Here) -> Plans:
        """Plan `win(player or set)`."""
        (arg,) = self._args(call, 1, 1)
        value = self.elab.value(arg, here.scope)
        var = self.elab.fresh("p")
        if isinstance(value, PlayerSet):
            member, checks = value.member(Local(var)), value.checks
        else:
            one = self.elab.use(arg, here.scope, "player")
            member, checks = binary("==", Local(var), one.expr), one.checks
        code = Fill("winners", (), var, self.elab.seats(), member)
        return (*self._owe(here.clause, checks), Finish((code,)))

    def end_game(self, call: sx.Call, here: Here) -> Plans:
        """Plan `end_game()`."""
        del here
        self._args(call, 0, 0)
        return (Finish(()),)

    # ---- choices and chance

    def _make(
        self, name: str, target: sx.Name, call: sx.Call, here: Here
    ) -> tuple[Plans, Here]:
        self._no_shadow(target.name, target.at)
        if target.name in self.game.variables:
            raise self.elab.fail(
                "RP211", f"`{name}` gives its result to a local name, not to `{target.name}`",
                target.at, "assign it to a name of the body first")
        match name:
            case "choose":
                return self._choose(target, call, here)
            case "choose_cards":
                return self._choose_cards(target, call, here)
            case "may":
                return self._may(target.name, call, here)
            case "roll":
                return self._roll(target, call, here)
            case "random":
                return self._random(target, call, here)
            case "new":
                return self._new(target, call, here)
            case _:
                return self._draw_card(target, call, here)

    def _named(
        self, call: sx.Call, here: Here, allowed: Iterable[str]
    ) -> tuple[dict[str, sx.Expr], Expr | None, Checks, str]:
        named = dict(call.named)
        name = call.func.name if isinstance(call.func, sx.Name) else ""
        for word, tree in call.named:
            if word not in allowed:
                raise self.elab.fail("RP213", f"`{name}` has no `{word}=`", tree.at,
                                     did_you_mean(word, allowed))
        ask_tree = named.get("ask")
        if ask_tree is not None and not isinstance(ask_tree, sx.Text):
            raise self.elab.fail("RP211", "`ask=` is a text", ask_tree.at)
        ask = ask_tree.value if isinstance(ask_tree, sx.Text) else ""
        if "by" not in allowed:
            return named, None, (), ask
        if "by" not in named:
            if self.elab.seats() == 1:
                return named, Const(0), (), ask
            raise self.elab.fail("RP213", f"`{name}` does not say who chooses", call.at,
                                 "add `by=` a player")
        who = self.elab.use(named["by"], here.scope, "player")
        return named, who.expr, who.checks, ask

    def _choose(self, target: sx.Name, call: sx.Call, here: Here) -> tuple[Plans, Here]:
        named, by, checks, ask = self._named(call, here, ("by", "ask", "optional"))
        if len(call.args) != 1:
            raise self.elab.fail("RP213", "`choose` takes one domain", call.at)
        optional = isinstance(named.get("optional"), sx.Truth) and named["optional"].value  # type: ignore[union-attr]
        param, over, value_type, owed = self._domain_param(call.args[0], target.name, here)
        slot_type = replace(value_type, optional=value_type.optional or optional)
        slot = self.frames.local(here.prefix + target.name, slot_type)
        keep = Atomic((Store(slot, (), Local(param.name)),))
        forks = [Fork(target.name, (param,), (), (keep,), clauses=(here.clause,))]
        if optional:
            forks.append(Fork("decline", (), (), (Atomic((Store(slot, (), Const(-1)),)),),
                              passes=True, clauses=(here.clause,)))
        rest = Rest("decide", target.name, ask, by, tuple(forks))
        plans: list[Plan] = list(self._owe(here.clause, (*checks, *owed)))
        if not optional:
            var = self.elab.fresh("some")
            some = _exists(param, var)
            plans.extend(self._owe(here.clause, (Check(
                some, "undefined-operation",
                f"{describe(call.args[0])} is empty, but one must be chosen", call.at),)))
        plans.append(rest)
        value: Value = Scalar(slot_type, Load(slot))
        if over.pool is not None:
            value = RecordAt(over.pool.pool, over.pool.owner, Load(slot))
        return tuple(plans), here.bind(target.name, value)

    def _domain_param(
        self, tree: sx.Expr, label: str, here: Here
    ) -> tuple[Param, Iteration, Ty, Checks]:
        """Make an edge parameter that runs over a domain (or a bare generator over one)."""
        name = self.elab.fresh(label)
        domain_tree, tests = tree, ()
        var = ""
        if isinstance(tree, sx.Generator):
            if not isinstance(tree.element, sx.Name) or tree.element.name != tree.var:
                raise self.elab.fail("RP211", "write `x for x in DOMAIN if …`", tree.at)
            domain_tree, tests, var = tree.domain, tree.where, tree.var
        over = self.elab.iteration(domain_tree, here.scope)
        value = Local(name)
        where = over.where(value)
        inside = here
        if var:
            index = binary("-", value, Const(over.low))
            element = self.elab.element(over, index)
            if isinstance(element, Scalar):
                element = replace(element, expr=value)
            inside = here.bind(var, element)
        for test in tests:
            where = both(where, self.elab.guard(test, inside.scope))
        ty = replace(over.ty, low=over.low, high=over.low + over.size - 1) if (
            over.ty.kind == "int") else over.ty
        return Param(name, self.frames.domain(ty), label, where), over, ty, over.checks

    def bag_param(self, call: sx.Call, label: str, here: Here) -> tuple[Param, Bag, Expr, Checks]:
        """Make an edge parameter for `choose_cards(…)`: the parameter, the cards, its condition."""
        named = dict(call.named)
        if len(call.args) != 1:
            raise self.elab.fail("RP213", "`choose_cards` takes one zone", call.at)
        source = self.elab.bag(call.args[0], here.scope)
        name, var, each = (self.elab.fresh(x) for x in (label, "k", "k"))
        domain = self.frames.domain(Ty("card", source.family))
        size = self.elab.kinds(source.family)
        chosen = reduce("sum", each, size, TRUE, bag_param(name, source.family).count(Local(each)))
        where: Expr = TRUE
        checks = source.checks
        for word, op in (("at_least", ">="), ("at_most", "<="), ("exactly", "==")):
            if word in named:
                bound = self.elab.use(named[word], here.scope, "int")
                checks += bound.checks
                where = both(where, binary(op, chosen, bound.expr))  # type: ignore[arg-type]
        most = source.count(Local(var))
        param = Param(name, domain, label, where, bag=True, var=var, most=most)
        return param, source, where, checks

    def _choose_cards(self, target: sx.Name, call: sx.Call, here: Here) -> tuple[Plans, Here]:
        named, by, by_checks, ask = self._named(
            call, here, ("by", "ask", "at_least", "at_most", "exactly"))
        param, source, _, checks = self.bag_param(call, target.name, here)
        slot = self.frames.counts(here.prefix + target.name, source.family)
        var = self.elab.fresh("k")
        picked = bag_param(param.name, source.family).count(Local(var))
        keep = Fill(slot, (), var, self.elab.kinds(source.family), picked)
        plans: list[Plan] = list(self._owe(here.clause, (*by_checks, *checks)))
        for word in ("at_least", "exactly"):
            if word in named:
                wanted = self.elab.use(named[word], here.scope, "int")
                enough = binary(">=", total(self.elab, source), wanted.expr)
                plans.extend(self._owe(here.clause, (Check(
                    enough, "undefined-operation",
                    f"{describe(call.args[0])} holds too few cards to choose from", call.at),)))
        plans.append(Rest("decide", target.name, ask, by, (
            Fork(target.name, (param,), (), (Atomic((keep,)),), clauses=(here.clause,)),)))
        return tuple(plans), here.bind(target.name, bag_local(slot, source.family))

    def _may(self, name: str, call: sx.Call, here: Here) -> tuple[Plans, Here]:
        _, by, checks, ask = self._named(call, here, ("by", "ask"))
        if call.args:
            raise self.elab.fail("RP213", "write `may(by=PLAYER, ask=\"…\")`", call.at)
        slot = self.frames.local(here.prefix + name, BOOL)
        forks = (
            Fork("yes", (), (), (Atomic((Store(slot, (), Const(1)),)),), clauses=(here.clause,)),
            Fork("no", (), (), (Atomic((Store(slot, (), Const(0)),)),), passes=True,
                 clauses=(here.clause,)),
        )
        label = name if "@" not in name else "may"
        plans = (*self._owe(here.clause, checks), Rest("decide", label, ask, by, forks))
        return plans, here.bind(name, Scalar(BOOL, Load(slot)))

    def _chance(
        self, target: sx.Name, param: Param, ty: Ty, weight: Expr, here: Here
    ) -> tuple[Rest, Here]:
        slot = self.frames.local(here.prefix + target.name, ty)
        keep = Atomic((Store(slot, (), Local(param.name)),))
        rest = Rest("chance", target.name, "", None, (
            Fork(target.name, (param,), (), (keep,), weight, clauses=(here.clause,)),))
        return rest, here.bind(target.name, Scalar(ty, Load(slot)))

    def _roll(self, target: sx.Name, call: sx.Call, here: Here) -> tuple[Plans, Here]:
        args = self._args(call, 1, 2)
        tree = sx.Call(sx.Name("range", call.at),
                       (args[0] if len(args) > 1 else sx.Num(1, call.at),
                        sx.Binary("+", args[-1], sx.Num(1, call.at), call.at)), (), call.at)
        param, _, ty, checks = self._domain_param(tree, target.name, here)
        rest, inside = self._chance(target, param, ty, Const(1), here)
        return (*self._owe(here.clause, checks), rest), inside

    def _random(self, target: sx.Name, call: sx.Call, here: Here) -> tuple[Plans, Here]:
        (arg,) = self._args(call, 1, 1)
        param, over, ty, checks = self._domain_param(arg, target.name, here)
        some = _exists(param, self.elab.fresh("some"))
        owed = Check(some, "undefined-operation", f"{describe(arg)} is empty", call.at)
        weight = over.copies(Local(param.name))
        rest, inside = self._chance(target, param, ty, weight, here)
        if over.pool is not None:
            slot = here.prefix + target.name
            inside = here.bind(target.name, RecordAt(over.pool.pool, over.pool.owner, Load(slot)))
        return (*self._owe(here.clause, (*checks, owed)), rest), inside

    def _draw_card(self, target: sx.Name, call: sx.Call, here: Here) -> tuple[Plans, Here]:
        deck_tree, target_tree = self._args(call, 2, 2)
        deck, _ = self.elab.zone(deck_tree, here.scope)
        ty = Ty("card", deck.zone.family)
        slot = self.frames.local(here.prefix + target.name, ty)
        plans = self._draw_one(call, deck_tree, target_tree, slot, here, stop=None)
        return plans, here.bind(target.name, Scalar(ty, Load(slot)))

    # ------------------------------------------------------------------ windows

    def window(self, name: str, level: int) -> Plans:
        """Plan a window: who acts in what order, and each player's options."""
        window = self.game.windows[name]
        self.within = name
        if window.who is None:
            tree = window.by or sx.Num(0, window.place)
            here = self._window_here(window, level, Scope({}))
            who = self.elab.use(tree, Scope({}), "player") if window.by else Scalar(PLAYER, Const(0))
            inside = here.bind("actor", Scalar(PLAYER, who.expr))
            return (*self._owe(here.clause, who.checks),
                    *self._turns(window, inside, repeat=window.repeat, level=level))
        return self._round_window(window, level)

    def _window_here(self, window: Window, level: int, scope: Scope) -> Here:
        clause = window.clause or f"window:{window.name}"
        return Here(clause, _slot(window.name, level, ""), level, scope, frozenset())

    def _turns(self, window: Window, here: Here, *, repeat: bool, level: int) -> Plans:
        actor = here.scope.names["actor"]
        assert isinstance(actor, Scalar)
        if not repeat:
            return (self._options(window, here, actor.expr, (), level),)
        if window.forced:
            return (Loop((), TRUE, (self._options(window, here, actor.expr, (), level),), ()),)
        on = self.frames.local(f"{here.prefix}open", BOOL)
        close: Plans = (Atomic((Store(on, (), Const(0)),)),)
        return (Loop((Store(on, (), Const(1)),), Load(on),
                     (self._options(window, here, actor.expr, close, level),), ()),)

    def _round_window(self, window: Window, level: int) -> Plans:
        here = self._window_here(window, level, Scope({}))
        assert window.who is not None
        who = self.elab.players(window.who, Scope({}))
        owed = self._owe(here.clause, who.checks)
        start = self.elab.use(window.start, Scope({}), "player") if window.start else Scalar(
            PLAYER, Const(0))
        owed += self._owe(here.clause, start.checks)
        seats = self.elab.seats()
        if window.order == "unstated":
            self._note_unordered("window", (window.name,), window.place)
        if window.each != "rounds" and window.order != "unstated":
            before, test, player, step = self.round(
                f"{here.prefix}actor", start.expr, backwards=window.order == "counterclockwise")
            inside = here.bind("actor", Scalar(PLAYER, player))
            turns = self._turns(window, inside, repeat=window.each == "until_pass", level=level)
            return (*owed, Loop(before, test, (Branch(who.member(player), turns),), step))
        pending = self.frames.flags(f"{here.prefix}pending")
        slot = self.frames.local(f"{here.prefix}actor", PLAYER)
        player = Load(slot)
        inside = here.bind("actor", Scalar(PLAYER, player))
        var, some = self.elab.fresh("p"), self.elab.fresh("p")
        refill = Fill(pending, (), var, seats, who.member(Local(var)))
        left = reduce("any", some, seats, TRUE, Load(pending, (Local(some),)))
        drop: Plans = (Atomic((Store(pending, (player,), Const(0)),)),)
        by = seats - 1 if window.order == "counterclockwise" else 1
        if window.each == "rounds":
            again: Plans = (Atomic((refill,)),)
            act = self._options(window, inside, player, drop, level, after=again)
        else:
            act = self._options(window, inside, player, drop, level,
                                after=() if window.each == "until_pass" else drop)
        if window.order == "unstated":
            name = self.elab.fresh("actor")
            pick = Param(name, self.frames.domain(PLAYER), "who acts next",
                         Load(pending, (Local(name),)))
            body: Plans = (Rest("open", f"{window.name}: who is next", "", None, (
                Fork("next", (pick,), (), (Atomic((Store(slot, (), Local(name)),)), act),
                     clauses=(here.clause,)),)),)
            return (*owed, Loop((refill,), left, body, ()))
        body = (Branch(binary("==", Load(pending, (player,)), Const(1)), (act,)),)
        step = (Store(slot, (), turn(player, by, seats)),)
        return (*owed, Loop((refill, Store(slot, (), start.expr)), left, body, step))

    def _options(  # noqa: PLR0913
        self, window: Window, here: Here, actor: Expr, done: Plans, level: int, after: Plans = ()
    ) -> Rest:
        forks: list[Fork] = []
        for clause in self.game.clauses:
            if clause.on == window.name and clause.option and clause.in_force:
                try:
                    forks.append(self._option(window, clause, here, level, after))
                except Failed:
                    continue
        if not window.forced:
            conditions = tuple(self._restrictions(window, window.done, here.scope))
            forks.append(Fork(window.done, (), conditions, done, passes=True,
                              clauses=tuple(c for c in (here.clause,) if ":" not in c)))
        return Rest("decide", window.name, window.title, actor, tuple(forks))

    def _option(
        self, window: Window, clause: Clause, here: Here, level: int, after: Plans
    ) -> Fork:
        outside, scope = here, here.scope
        params: list[Param] = []
        keep: list[Stmt] = []
        prefix = _slot(clause.id, level, "")
        for name, tree in clause.params:
            if isinstance(tree, sx.Call) and isinstance(tree.func, sx.Name) and (
                tree.func.name == "choose_cards"
            ):
                param, source, _, _ = self.bag_param(tree, name, outside)
                slot = self.frames.counts(prefix + name, source.family)
                var = self.elab.fresh("k")
                picked = bag_param(param.name, source.family)
                keep.append(Fill(slot, (), var, self.elab.kinds(source.family),
                                 picked.count(Local(var))))
                outside = outside.bind(name, picked)
                scope = scope.bind(name, bag_local(slot, source.family))
                params.append(param)
                continue
            param, over, ty, checks = self._domain_param(tree, name, outside)
            param = replace(param, where=both(conj(c.test for c in checks), param.where))
            params.append(param)
            slot = self.frames.local(prefix + name, ty)
            keep.append(Store(slot, (), Local(param.name)))
            if over.pool is not None:
                outside = outside.bind(name, RecordAt(over.pool.pool, over.pool.owner,
                                                      Local(param.name)))
                scope = scope.bind(name, RecordAt(over.pool.pool, over.pool.owner, Load(slot)))
            else:
                outside = outside.bind(name, Scalar(ty, Local(param.name)))
                scope = scope.bind(name, Scalar(ty, Load(slot)))
        permit = self.in_force(clause, outside.scope)
        conditions = [Condition(clause.id, "permit", permit)]
        conditions.extend(self._restrictions(window, clause.option, outside.scope))
        body: Plans = ()
        if clause.do is not None:
            body = (self.sentence(clause, clause.do, scope, level),)
        return Fork(clause.option, tuple(params), tuple(conditions),
                    (Atomic(tuple(keep)), *body, *after), clauses=(clause.id,))

    def _restrictions(self, window: Window, option: str, scope: Scope) -> Iterable[Condition]:
        for clause in self.game.clauses:
            if not clause.in_force:
                continue
            on = clause.on.split(".", 1)
            if clause.kind == "forbid" and on[0] == window.name:
                if len(on) > 1 and on[1] != option:
                    continue
                if len(on) == 1 and option == window.done:
                    continue
                yield Condition(clause.id, "forbid", negate(self.in_force(clause, scope)))
            elif clause.must and clause.on == window.name and clause.must != option:
                plain = Scope({k: v for k, v in scope.names.items() if k == "actor"})
                yield Condition(clause.id, "require", negate(self.in_force(clause, plain)))


# ---------------------------------------------------------------------- helpers

_VERBS = {
    "move": Planner.move, "move_all": Planner.move_all, "shuffle_into": Planner.shuffle_into,
    "shuffle": Planner.shuffle, "put_on_top": Planner.put_at_end,
    "put_on_bottom": Planner.put_at_end, "add": Planner.tally, "clear": Planner.tally,
    "draw": Planner.draw_many, "remove": Planner.remove, "win": Planner.win,
    "end_game": Planner.end_game,
}
_MAKERS = ("choose", "choose_cards", "may", "roll", "random", "new", "draw")
assert set(_VERBS) | set(_MAKERS) == set(STATEMENTS)


def _slot(owner: str, level: int, name: str) -> str:
    return f"{owner}@{level}.{name}" if level else f"{owner}.{name}"


def _plain(tree: sx.Expr) -> str:
    from .elaborate import unparse  # noqa: PLC0415

    return unparse(tree)


def _exists(param: Param, var: str) -> Expr:
    """Say whether a parameter has any value: its condition with the parameter quantified."""
    from .substitute import rename  # noqa: PLC0415

    low, high = param.domain.low, param.domain.high
    value = binary("+", Local(var), Const(low))
    return reduce("any", var, high - low + 1, TRUE, rename(param.where, param.name, value))


def _asks(test: sx.Expr) -> tuple[sx.Call, bool] | None:
    positive = True
    while isinstance(test, sx.Unary) and test.op == "not":
        test, positive = test.operand, not positive
    if isinstance(test, sx.Call) and isinstance(test.func, sx.Name) and test.func.name == "may":
        return test, positive
    return None


def _path(before: dict[str, set[str]], first: str, second: str) -> bool:
    seen: set[str] = set()
    left = [second]
    while left:
        name = left.pop()
        if name == first:
            return True
        if name not in seen:
            seen.add(name)
            left.extend(before.get(name, ()))
    return False


def _changed(statements: tuple[sx.Stmt, ...]) -> frozenset[str]:
    """Name the locals that are assigned more than once, or changed in place, or in a loop."""
    seen: set[str] = set()
    again: set[str] = set()

    def visit(block: tuple[sx.Stmt, ...], *, looped: bool) -> None:
        for stmt in block:
            match stmt:
                case sx.Assign(target=sx.Name(name=name), op=op):
                    if op != "=" or name in seen or looped:
                        again.add(name)
                    seen.add(name)
                case sx.IfThen(then=then, other=other):
                    visit(then, looped=looped)
                    visit(other, looped=looped)
                case sx.ForEach(body=body) | sx.While(body=body):
                    visit(body, looped=True)
                case _:
                    pass

    visit(statements, looped=False)
    return frozenset(again)


def _assume(stmt: sx.Stmt, here: Here) -> Here:
    del stmt
    return here


def _written(plans: Iterable[Plan]) -> frozenset[str]:
    """Name the arrays that plans write themselves (not in the steps that they run)."""
    found: set[str] = set()
    for plan in plans:
        match plan:
            case Atomic(code=code) | Finish(code=code):
                found |= writes(code)
            case Branch(then=then, other=other):
                found |= _written(then) | _written(other)
            case Loop(body=body):
                found |= _written(body)
            case Rest(forks=forks):
                for fork in forks:
                    found |= _written(fork.plans)
            case Sentence(plans=inner):
                found |= _written(inner)
            case Owe() | Run():
                pass
    return frozenset(found)


__all__ = ["ACTIONS", "TRIGGER", "Domain", "Planner", "Unordered"]
