"""From the clauses' bodies to plans: names resolved, types checked, obligations made explicit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from ..game import syntax as sx
from ..game.game import Body, Clause
from ..game.texts import walk
from ..game.unparse import unparse
from ..machine.core import FALSE, TRUE, Cite, Const, Expr, Load
from ..machine.duties import Kind
from ..machine.memory import Memory
from ..machine.simplify import binary, conj, either, negate
from ..rules.context import Here, Plans, asks, changed, told, written
from ..rules.expected import describe
from ..rules.meanings import Failed, Names, Owed, Scalar, Value
from ..rules.ordering import order_on
from ..rules.plan import Atomic, Branch, Loop, Owe, Plan, Sentence, Target
from ..rules.words import FUNCTIONS, MAKERS, STATEMENTS
from ..source.errors import did_you_mean
from . import choosing, drawing, ending, moving, recording
from .assigning import assign, no_shadow
from .builder import Builder, Maker, Verb, gate
from .choosing import may
from .looping import loop_over
from .naming import after_branch, after_turn, shaken
from .running import ability, run

_VERBS: dict[str, Verb] = {**moving.VERBS, **drawing.VERBS, **recording.VERBS, **ending.VERBS}
_MAKERS: dict[str, Maker] = {**choosing.MAKERS, **drawing.MAKERS, **recording.MAKERS}


def _in_all(there: Mapping[str, Expr], has: Mapping[str, frozenset[str]]) -> Expr:
    """Return in which configurations all clauses that are there have something in common."""
    found: Expr = FALSE
    for name in sorted(frozenset[str]().union(*has.values())):
        found = either(found, conj(
            negate(there[clause]) for clause, names in has.items() if name not in names))
    return found


class Planner(Builder):
    """Makes the plan of every step and window of a game."""

    # ------------------------------------------------------------------ clauses and steps

    def step(self, name: str, level: int) -> Plans:
        """Plan a step: its clauses' bodies in order, then what must hold at its end."""
        self.within = Target(name, level)
        step = self.game.steps[name]
        names: dict[str, Value] = {}
        for param, ty in step.params.items():
            array = self.frames.local(Memory("local", name, param, level), ty)
            names[param] = Scalar(ty, Load(array))
        scope = Names(names)
        plans: list[Plan] = []
        order = order_on(self.game, name)
        self.note_pairs("clauses", order, order.clauses)
        for clause in self.in_order(order, f"of the clauses of `{name}`"):
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
        there = {s.clause: gate(self.named[s.clause]) for s in sentences}
        cases = [s for s in sentences if s.test != there[s.clause]]
        declared = {a.name for a in self.frames.arrays.values() if a.declared}
        shared = either(_in_all(there, {s.clause: written(s.plans) & declared for s in cases}),
                        _in_all(there, {s.clause: told(s.plans) for s in cases}))
        alone = conj(negate(there[s.clause]) for s in sentences if s not in cases)
        some: Expr = FALSE
        for case in cases:
            some = either(some, case.test)
        owed: list[Plan] = []
        before: Expr = FALSE
        for place, case in enumerate(cases):
            after: Expr = FALSE
            for other in cases[place + 1:]:
                after = either(after, there[other.clause])
            asked = conj((shared, alone, there[case.clause], negate(before), after))
            before = either(before, there[case.clause])
            if asked == FALSE:
                continue
            note = self.obligation(case.clause, Owed(
                some, "no-case", f"none of the cases of `{name}` applies",
                self.game.steps[name].place),
                others=tuple(each.clause for each in cases if each is not case))
            owed.append(Owe(either(some, negate(asked)), note, abandon=False))
        return tuple(owed)

    def _sentence(self, clause: Clause, scope: Names, level: int) -> Sentence | None:
        if clause.do is None:
            return None
        try:
            test = self.in_force(clause, scope)
        except Failed:
            return None
        return self.sentence(clause, clause.do, scope, level, test)

    def sentence(
        self, clause: Clause, body: Body, scope: Names, level: int, test: Expr = TRUE
    ) -> Sentence:
        """Plan a body of a clause."""
        here = Here(clause.id, clause.id, level, scope,
                    changed(body.statements, scope.names), clause.loop_order,
                    self.changes(body.statements), origin=body.place)
        plans: list[Plan] = [Atomic((Cite(clause.id),))]
        otherwise: Plans | None = None
        with self.elab.planning(clause.id):
            inner, _ = self.block(body.statements, here)
            plans.extend(self.watched(inner, "after the step", level))
            if clause.otherwise is not None:
                there = replace(shaken(self, here, body.statements),
                                changed=changed(clause.otherwise.statements, scope.names),
                                moving=self.changes(clause.otherwise.statements),
                                origin=clause.otherwise.place, part="otherwise ")
                made, _ = self.block(clause.otherwise.statements, there)
                otherwise = (Atomic((Cite(clause.id),)),
                             *self.watched(made, "after the step", level))
        return Sentence(clause.id, test, tuple(plans), otherwise)

    def _ensure(self, clause: Clause, scope: Names) -> Plans:
        assert clause.ensure is not None
        try:
            test = self.in_force(clause, scope)
            with self.elab.planning(clause.id):
                must = self.elab.truth(clause.ensure, scope)
        except Failed:
            return ()
        kind: Kind = "limit-at-end" if clause.kind == "limit" else "required-at-end"
        note = self.obligation(clause.id, Owed(
            must.expr, kind, f"{describe(clause.ensure)} does not hold when the step ends",
            clause.ensure.at))
        inner: Plans = (Atomic((Cite(clause.id),)), *self.owe(clause.id, must.checks),
                        Owe(must.expr, note, abandon=False))
        return (Branch(test, inner),)

    def trigger(self, target: Target) -> Plans:
        """Plan what an "at any time" rule does.

        A rule does not interrupt itself, so the same rule inside others is planned apart.
        """
        clause = next(c for c in self.rules if c.id == target.name)
        assert clause.do is not None
        self.within = target
        outer, self.active = self.active, (target.name, *target.around)
        try:
            return (self.sentence(clause, clause.do, Names({}), target.level),)
        finally:
            self.active = outer

    # ------------------------------------------------------------------ statements

    def block(self, statements: tuple[sx.Stmt, ...], here: Here) -> tuple[Plans, Here]:
        """Plan statements one after the other, each with the names that those before it made."""
        plans: list[Plan] = []
        for stmt in statements:
            try:
                made, here = self._stmt(stmt, here)
            except Failed:
                # Later statements would only repeat that this one's names are unknown.
                here = replace(here, scope=here.scope.lose(self._locals(stmt)))
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
        no_shadow(self, stmt.target.name, stmt.target.at)
        if stmt.target.name in self.game.variables:
            raise self.elab.fail(
                "RP211", f"`{name}` gives its result to a local name, not to "
                f"`{stmt.target.name}`", stmt.target.at, "assign it to a name of the body first")
        self.elab.counted(MAKERS[name], stmt.value)
        return _MAKERS[name](self, here.kept(stmt.target.name), stmt.value, here)

    def _locals(self, stmt: sx.Stmt) -> Iterator[str]:
        """List the locals that a statement sets."""
        for each in walk(stmt):
            if isinstance(each, sx.Assign) and isinstance(each.target, sx.Name) and (
                each.target.name not in self.game.variables
            ):
                yield each.target.name

    def _if(self, stmt: sx.IfThen, here: Here) -> tuple[Plans, Here]:
        question = asks(stmt.test)
        if question is not None:
            call, positive = question
            kept = here.kept_at("may", call.at)
            self.elab.counted(MAKERS["may"], call)
            made, inside = may(self, kept, call, here)
            test = Load(kept.array)
            then, other = self.block(stmt.then, inside), self.block(stmt.other, inside)
            first, yes, no, after = after_branch(self, inside, then, other, stmt.at)
            if not positive:
                yes, no = no, yes
            return (*made, *first, Branch(binary("==", test, Const(1)), yes, no)), after
        truth = self.elab.truth(stmt.test, here.scope)
        then, other = self.block(stmt.then, here), self.block(stmt.other, here)
        first, yes, no, after = after_branch(self, here, then, other, stmt.at)
        return (*self.owe(here.clause, truth.checks), *first, Branch(truth.expr, yes, no)), after

    def _call(self, call: sx.Call, here: Here) -> Plans:
        if isinstance(call.func, sx.Attr):
            return ability(self, call, call.func, here)
        assert isinstance(call.func, sx.Name)
        name = call.func.name
        if name in STATEMENTS:
            self.elab.counted(STATEMENTS[name], call)
            return _VERBS[name](self, call, here)
        if name in MAKERS:
            raise self.elab.fail("RP211", f"the result of `{name}` is not used", call.at,
                                 f"write `x = {name}(…)`")
        if name in self.game.steps or name in self.game.windows:
            return run(self, name, call, here)
        if name in FUNCTIONS:
            raise self.elab.fail("RP211", f"`{name}` is a value, not a statement", call.at,
                                 f"assign it, as in `x = {unparse(call)}`")
        raise self.elab.fail("RP220", f"unknown statement `{name}`", call.at, did_you_mean(
            name, [*STATEMENTS, *MAKERS, *self.game.steps, *self.game.windows]))
