"""From the clauses' bodies to plans: names resolved, types checked, obligations made explicit.

The planner also puts the rules that hold "at any time" where they act.  A clause with `whenever` is
inserted after every primitive statement that writes something its condition reads (`at once`), or
at the end of the sentence that wrote it (`after the step`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import networkx as nx

from ..game import syntax as sx
from ..game.game import Ty
from ..game.uses import changes
from ..machine.core import FALSE, TRUE, Cite, Const, Load, Store
from ..machine.machine import Obligation
from ..machine.simplify import binary, both, conj, either, negate
from ..machine.traversal import arrays_read
from ..rules.arrays import Frames
from ..rules.context import (
    MAKERS,
    TRIGGER,
    Here,
    Plans,
    Unordered,
    asks,
    changed,
    slot_name,
    told,
    written,
)
from ..rules.elaborate import describe
from ..rules.functions import STATEMENTS, turn
from ..rules.meanings import (
    BOOL,
    PLAYER,
    Bag,
    Check,
    Failed,
    PlayerSet,
    PoolAt,
    Scalar,
    Scope,
    called,
)
from ..rules.ordering import order_of, order_on
from ..rules.plan import Atomic, Branch, Loop, Owe, Plan, Run, Sentence
from ..source.errors import did_you_mean
from .assigning import assign, store
from .choosing import make, may
from .ending import end_game, win
from .looping import loop_over
from .moving import draw_many, move, move_all, put_at_end, shuffle, shuffle_into, tally
from .naming import after_branch, after_turn, shaken
from .recording import remove

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ..game.game import Body, Clause, Game
    from ..machine.core import Expr, Stmt
    from ..machine.duties import Kind
    from ..rules.elaborate import Elaborator
    from ..rules.meanings import Checks, Value
    from ..rules.ordering import Order
    from ..source.errors import Place


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
        self.running: nx.DiGraph[str] = nx.DiGraph()
        """Which instance (`NAME@LEVEL`) runs which, as far as they have been lowered."""
        self.current = ""
        """The instance that is being lowered."""
        self.texts: list[str] = []
        """The texts of cards that are being planned, each within the one before."""
        self._rule_order = order_of(
            c for c in self.game.clauses if c.whenever is not None and c.in_force)
        self._triggers = self._sorted(self._rule_order, "of the rules of any time")
        self._trigger_deps = {c.id: self._reads_of(c) for c in self._triggers}
        self._active: tuple[str, ...] = ()
        self._changes: dict[tuple[int, ...], frozenset[str]] = {}
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
            array = self.frames.local(slot_name(name, level, param), ty)
            names[param] = Scalar(ty, Load(array))
        scope = Scope(names)
        plans: list[Plan] = []
        order = order_on(self.game, name)
        self._note_pairs("clauses", order, order.clauses)
        for clause in self._sorted(order, f"of the clauses of `{name}`"):
            made = self._sentence(clause, scope, level)
            if made is not None:
                plans.append(made)
        gap = self._gap(name, tuple(p for p in plans if isinstance(p, Sentence)))
        for clause in self.game.clauses:
            if clause.on == name and clause.ensure is not None and clause.in_force:
                plans.extend(self._ensure(clause, scope))
        return (*gap, *plans)

    def _gap(self, name: str, sentences: tuple[Sentence, ...]) -> Plans:
        """Owe that one of several cases applies, where all of them decide the same thing.

        That is: they set the same variable, or tell the same step whom or what it is about.
        """
        cases = [s for s in sentences if s.test != TRUE]
        if len(cases) < 2 or len(cases) < len(sentences):
            return ()
        declared = {a.name for a in self.frames.arrays.values() if a.declared}
        common = frozenset.intersection(*(written(s.plans) for s in cases)) & declared
        if not common and not frozenset.intersection(*(told(s.plans) for s in cases)):
            return ()
        some: Expr = FALSE
        for case in cases:
            some = either(some, case.test)
        note = self.obligation(cases[0].clause, Check(
            some, "no-case", f"none of the cases of `{name}` applies", self.game.steps[name].place),
            others=tuple(case.clause for case in cases[1:]))
        return (Owe(some, note, abandon=False),)

    def _sorted(self, order: Order, what: str) -> tuple[Clause, ...]:
        """Sort clauses by `after` and `before`, else as the file has them."""
        names = order.names()
        if names is None:
            self.report.error("RP230", f"the order {what} runs in a circle",
                              order.clauses[0].place, help="look at `after` and `before`")
            return order.clauses
        clauses = {clause.id: clause for clause in order.clauses}
        return tuple(clauses[each] for each in names)

    def _note_pairs(self, kind: str, order: Order, among: Iterable[Clause]) -> None:
        """Note each two of some clauses, which all act now, that nothing orders."""
        for one, two in order.open(among):
            self.note_unordered(kind, (one.id, two.id), two.place)

    def note_unordered(self, kind: str, clauses: tuple[str, ...], place: Place) -> None:
        """Note that nothing says in which order something is done."""
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
        here = Here(clause.id, slot_name(clause.id, level, ""), level, scope,
                    changed(body.statements, scope.names), clause.loop_order,
                    self.changes(body.statements))
        plans: list[Plan] = [Atomic((Cite(clause.id),))]
        inner, _ = self.block(body.statements, here)
        plans.extend(self.watched(inner, "after the step", level))
        otherwise: Plans | None = None
        if clause.otherwise is not None:
            there = replace(shaken(self, here, body.statements),
                            changed=changed(clause.otherwise.statements, scope.names),
                            moving=self.changes(clause.otherwise.statements))
            made, _ = self.block(clause.otherwise.statements, there)
            otherwise = (Atomic((Cite(clause.id),)),
                         *self.watched(made, "after the step", level))
        return Sentence(clause.id, test, tuple(plans), otherwise)

    def _ensure(self, clause: Clause, scope: Scope) -> Plans:
        assert clause.ensure is not None
        try:
            test = self.in_force(clause, scope)
            must = self.elab.truth(clause.ensure, scope)
        except Failed:
            return ()
        kind: Kind = "limit-at-end" if clause.kind == "limit" else "required-at-end"
        note = self.obligation(clause.id, Check(
            must.expr, kind, f"{describe(clause.ensure)} does not hold when the step ends",
            clause.ensure.at))
        inner: Plans = (Atomic((Cite(clause.id),)), *self.owe(clause.id, must.checks),
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

    def watched(self, plans: Iterable[Plan], timing: str, level: int) -> Plans:
        """Put the rules of any time that something may set off behind it.

        A rule that acts `once per change` looks at its condition before it as well, and is set off
        if that did not hold then; what it is set off by is kept while the rules before it act.
        """
        plans = tuple(plans)
        before: list[Stmt] = []
        due: list[Stmt] = []
        rules: list[Plan] = []
        together: list[Clause] = []
        arrays = written(plans)
        for clause in self._triggers:
            when = clause.timing or "at once"
            if when != timing or clause.id in self._active or clause.do is None:
                continue
            if not arrays & self._trigger_deps[clause.id]:
                continue
            try:
                assert clause.whenever is not None
                test = both(self.in_force(clause, Scope({})),
                            self.elab.guard(clause.whenever, Scope({})))
            except Failed:
                continue
            chain = " ".join((clause.id, *self._active))
            target = f"{TRIGGER}{chain}@{level}"
            if self._acts_now(clause.id, level):
                continue
            if clause.fires == "once per change":
                slot = self.frames.local(self.elab.fresh(f"{clause.id}.held"), BOOL)
                before.append(Store(slot, (), test))
                due.append(Store(slot, (), both(negate(Load(slot)), test)))
                test = both(Load(slot), test)
            together.append(clause)
            rules.append(Branch(test, (Run(target, ()),)))
        self._note_pairs("rules", self._rule_order, together)
        if before:
            return (Atomic(tuple(before)), *plans, Atomic(tuple(due)), *rules)
        return (*plans, *rules)

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

    def obligation(self, clause: str, check: Check, *, others: tuple[str, ...] = ()) -> int:
        """Give the number of an obligation of a clause (and of others that share it)."""
        key = (clause, check.prompt, check.place)
        if key not in self.obligations:
            self.obligations[key] = Obligation(len(self.obligations), clause, check.kind,
                                               check.prompt, check.place, others)
        return self.obligations[key].id

    def owe(self, clause: str, checks: Checks, *, abandon: bool = True) -> Plans:
        """Plan obligations of a clause, but for those that always hold."""
        return tuple(
            Owe(check.test, self.obligation(clause, check), abandon)
            for check in checks if check.test != TRUE
        )

    # ------------------------------------------------------------------ statements

    def block(self, statements: tuple[sx.Stmt, ...], here: Here) -> tuple[Plans, Here]:
        """Plan statements one after the other, each with the names that those before it made."""
        plans: list[Plan] = []
        for stmt in statements:
            try:
                made, here = self._stmt(stmt, here)
            except Failed:
                # Later statements would only repeat that this one's names are unknown.
                continue
            plans.extend(made)
            here = shaken(self, here, (stmt,))
        return tuple(plans), here

    def _stmt(self, stmt: sx.Stmt, here: Here) -> tuple[Plans, Here]:
        match stmt:
            case sx.Assign():
                made = self._made(stmt, here)
                return made if made is not None else assign(self, stmt, here)
            case sx.Do():
                return self._call(stmt.call, here), here
            case sx.IfThen():
                return self._if(stmt, here)
            case sx.ForEach():
                return loop_over(self, stmt, here), here
            case sx.While():
                within = shaken(self, here, stmt.body)
                truth = self.elab.truth(stmt.test, within.scope)
                unknown = negate(conj(check.test for check in truth.checks))
                body, inside = self.block(stmt.body, within)
                body = (*self.owe(here.clause, truth.checks), *after_turn(within, body, inside))
                return (Loop((), either(unknown, truth.expr), body, ()),), here

    def _made(self, stmt: sx.Assign, here: Here) -> tuple[Plans, Here] | None:
        """Plan `x = choose(…)` and its like; None if the value is an expression."""
        if not isinstance(stmt.value, sx.Call) or not isinstance(stmt.value.func, sx.Name):
            return None
        name = stmt.value.func.name
        if name not in MAKERS or name in here.scope.names:
            return None
        if not isinstance(stmt.target, sx.Name) or stmt.op != "=":
            raise self.elab.fail("RP211", f"write `name = {name}(…)`", stmt.at,
                                 "assign it to a name of the body first")
        return make(self, name, stmt.target, stmt.value, here)

    def _if(self, stmt: sx.IfThen, here: Here) -> tuple[Plans, Here]:
        question = asks(stmt.test)
        if question is not None:
            call, positive = question
            name = f"may@{call.at.line}.{call.at.column}"
            made, inside = may(self, name, call, here)
            test = Load(here.prefix + name)
            then, other = self.block(stmt.then, inside), self.block(stmt.other, inside)
            first, yes, no, after = after_branch(self, inside, then, other, stmt.at)
            if not positive:
                yes, no = no, yes
            return (*made, *first, Branch(binary("==", test, Const(1)), yes, no)), after
        truth = self.elab.truth(stmt.test, here.scope)
        then, other = self.block(stmt.then, here), self.block(stmt.other, here)
        first, yes, no, after = after_branch(self, here, then, other, stmt.at)
        return (*self.owe(here.clause, truth.checks), *first, Branch(truth.expr, yes, no)), after

    def finish(self, plans: list[Plan], here: Here) -> Plans:
        """Put the triggers behind a primitive."""
        return self.watched(plans, "at once", here.level)

    def changes(self, statements: tuple[sx.Stmt, ...]) -> frozenset[str]:
        """Name what statements may change, and all that they run."""
        key = tuple(map(id, statements))
        if key not in self._changes:
            self._changes[key] = changes(self.game, statements)
        return self._changes[key]

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
        alone = name == "draw" and len(call.args) == 2
        if name in _VERBS and not alone:
            return _VERBS[name](self, call, here)
        if name in MAKERS:
            if name in ("choose", "choose_cards", "may", "roll", "random"):
                raise self.elab.fail("RP211", f"the result of `{name}` is not used", call.at,
                                     f"write `x = {name}(…)`")
            target = sx.Name(f"unused@{call.at.line}", call.at)
            return make(self, name, target, call, here)[0]
        if name in self.game.steps or name in self.game.windows:
            return self._run(name, call, here)
        raise self.elab.fail("RP220", f"unknown statement `{name}`", call.at, did_you_mean(
            name, [*_VERBS, *MAKERS, *self.game.steps, *self.game.windows]))

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
                FALSE, "no-room", f"`{name}` is nested deeper than its `depth`", call.at))
            return (Owe(FALSE, note, abandon=False),)
        for (param, ty), arg in zip(params.items(), call.args, strict=True):
            value = self.elab.scalar(arg, here.scope)
            slot = self.frames.local(slot_name(name, target, param), ty)
            made = store(self, slot, (), ty, value, arg, here.clause, f"`{param}`")
            for plan in made:
                if isinstance(plan, Atomic):
                    code.extend(plan.code)
                else:
                    plans.append(plan)
        return (*plans, Run(f"{name}@{target}", tuple(code)))

    def level_of(self, name: str, here: Here) -> int | None:
        """Give how deep a step or window is nested when called from here; None beyond its depth."""
        if name not in self.circles:
            return 0
        level = 0
        if self.within.startswith(TRIGGER) or self.within in self.circles[name]:
            level = here.level + (1 if self.depth(name) > 1 else 0)
        while self.runs_now(f"{name}@{level}"):
            level += 1
        return level if level < max(self.depth(other) for other in self.circles[name]) else None

    def runs_now(self, instance: str) -> bool:
        """Say whether what is being planned may be running inside an instance."""
        return instance in self.running and (
            instance == self.current or nx.has_path(self.running, instance, self.current))

    def _acts_now(self, rule: str, level: int) -> bool:
        """Say whether what is being planned may be running inside a rule, at a level."""
        return any(self.runs_now(name) for name in list(self.running)
                   if name.startswith(TRIGGER) and name.endswith(f"@{level}")
                   and name.removeprefix(TRIGGER).rsplit("@", 1)[0].split(" ")[0] == rule)

    def depth(self, name: str) -> int:
        """Give how deep a step or window may be nested."""
        step, window = self.game.steps.get(name), self.game.windows.get(name)
        return step.depth if step else window.depth if window else 1

    def _ability(self, call: sx.Call, func: sx.Attr, here: Here) -> Plans:
        value = self.elab.value(func.value, here.scope)
        instead = next((text for kind, text in _INSTEAD if isinstance(value, kind)), "")
        if instead:
            raise self.elab.fail("RP211", f"the language has no `.{func.name}(…)` for "
                                 f"{called(value)}", call.at, instead)
        card = self.elab.single(value, func.value)
        self.elab.expect(card.ty, "card", "", func.value.at)
        card = self.elab.present(card, func.value)
        if call.args or call.named:
            raise self.elab.fail("RP213", "an ability takes no arguments", call.at)
        slot = self.frames.local(f"{here.prefix}ability@{call.at.line}.{call.at.column}", card.ty)
        plans = [*self.owe(here.clause, card.checks), Atomic((Store(slot, (), card.expr),))]
        family = self.game.families[card.ty.name]
        if func.name not in family.abilities:
            raise self.elab.fail(
                "RP220", f"no card of `{family.name}` has an ability `{func.name}`",
                func.at, did_you_mean(func.name, family.abilities))
        for index, each in enumerate(family.cards):
            body = each.abilities.get(func.name)
            if body is None:
                continue
            clause = f"card:{family.name}.{each.id}.{func.name}"
            if clause in self.texts:
                raise self.elab.fail(
                    "RP231", f"`{func.name}` of `{each.id}` can run inside itself", call.at,
                    "a card's text stands where it is run; a step with a `depth` can run it")
            names: dict[str, Value] = dict(here.scope.names)
            names["this"] = Scalar(Ty("card", family.name), Const(index))
            there = Here(clause, slot_name(clause, here.level, ""), here.level, Scope(names),
                         changed(body.statements), moving=self.changes(body.statements))
            self.texts.append(clause)
            try:
                made, _ = self.block(body.statements, there)
            finally:
                self.texts.pop()
            plans.append(Branch(binary("==", Load(slot), Const(index)), (
                Sentence(clause, TRUE, (Atomic((Cite(clause),)), *made)),)))
        return tuple(plans)


_INSTEAD = ((PlayerSet, "as in `SET |= {p}` and `SET = SET - {p}`"),
            (Bag, "cards are moved: `move(card, SOURCE, TARGET)`"),
            (PoolAt, "records are made with `new(…)` and taken away with `remove(r)`"))
"""What is written instead of a method, by what it would be of."""

_VERBS: dict[str, Callable[[Planner, sx.Call, Here], Plans]] = {
    "move": move, "move_all": move_all, "shuffle_into": shuffle_into, "shuffle": shuffle,
    "put_on_top": put_at_end, "put_on_bottom": put_at_end, "add": tally, "clear": tally,
    "draw": draw_many, "remove": remove, "win": win, "end_game": end_game,
}
assert set(_VERBS) | set(MAKERS) == set(STATEMENTS)
