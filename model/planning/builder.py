"""What plans are built with: arrays, obligations, and the rules of any time that writing sets off.

A clause with `whenever` is inserted after every primitive statement that writes something its
condition reads (`at once`), or at the end of the sentence that wrote it (`after the step`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace

import networkx as nx

from ..game import syntax as sx
from ..game.game import Clause, Game, Ty, Window
from ..game.uses import changes
from ..machine.core import FALSE, TRUE, Const, Expr, Feature, Load, Stmt, Store
from ..machine.machine import Obligation
from ..machine.memory import Memory
from ..machine.presence import reads_if
from ..machine.simplify import binary, both, either, negate
from ..machine.traversal import arrays_read
from ..rules.arrays import Frames
from ..rules.context import Here, Plans, Unordered, noting, own, surely, written
from ..rules.elaborate import Elaborator
from ..rules.functions import turn
from ..rules.meanings import BOOL, PLAYER, Checks, Failed, Names, Owed
from ..rules.ordering import Order, order_of
from ..rules.plan import Atomic, Branch, Owe, Plan, Run, Target
from ..source.errors import Place, quote


def gate(version: Clause | Window) -> Expr:
    """Return in which configurations something is there: in all, if it is no version."""
    return TRUE if version.feature < 0 else Feature(version.feature)


class Builder(ABC):
    """What the plan of a statement needs of the planner, which stands on top of all statements."""

    def __init__(self, elab: Elaborator) -> None:
        self.elab = elab
        self.game: Game = elab.game
        self.report = elab.report
        self.frames = Frames(elab)
        self.named = {clause.id: clause for clause in self.game.clauses}
        self.obligations: dict[tuple[str, str, Place], Obligation] = {}
        self.unordered: dict[Unordered, None] = {}
        self.running: nx.DiGraph[Target] = nx.DiGraph()
        """What runs what, as far as it has been lowered."""
        self.current = Target("")
        """What is being lowered."""
        self.texts: list[str] = []
        """The texts of cards that are being planned, each within the one before."""
        self._overriding: dict[str, list[Clause]] = {}
        for clause in self.game.clauses:
            for each in dict.fromkeys(clause.overrides if clause.in_force else ()):
                self._overriding.setdefault(each, []).append(clause)
        self._rule_order = order_of(
            (c for c in self.game.clauses if c.whenever is not None and c.in_force),
            self.game.turns)
        self.rules = self.in_order(self._rule_order, "of the rules of any time")
        self._watching = {c.id: self._asked_by(c) for c in self.rules}
        self._watched = {
            name: frozenset[str]().union(*map(arrays_read, asked))
            for name, asked in self._watching.items()}
        self.active: tuple[str, ...] = ()
        self._changes: dict[tuple[int, ...], frozenset[str]] = {}
        self._hushed = 0
        self._tests: dict[tuple[str, tuple[str, ...]], Expr | None] = {}
        self.within = Target("")
        """What is being planned."""
        self.circles: dict[str, frozenset[str]] = {}
        """Step or window → those that it can reach and that can reach it (set by the compiler)."""

    @abstractmethod
    def block(self, statements: tuple[sx.Stmt, ...], here: Here) -> tuple[Plans, Here]:
        """Plan statements one after the other, each with the names that those before it made."""

    # ------------------------------------------------------------------ obligations and order

    def obligation(self, clause: str, check: Owed, *, others: tuple[str, ...] = ()) -> int:
        """Return the number of an obligation of a clause (and of others that share it)."""
        key = (clause, check.prompt, check.place)
        if key not in self.obligations:
            self.obligations[key] = Obligation(len(self.obligations), clause, check.kind,
                                               check.prompt, check.place, others,
                                               about=check.about)
        return self.obligations[key].id

    def owe(self, clause: str, checks: Checks) -> Plans:
        """Plan obligations of a clause, but for those that always hold."""
        return tuple(
            Owe(check.test, self.obligation(clause, check), abandon=True)
            for check in checks if check.test != TRUE
        )

    def in_order(self, order: Order, what: str) -> tuple[Clause, ...]:
        """Sort clauses by `after` and `before`, else as the file has them."""
        names = order.names()
        if names is None:
            round_ = " before ".join(map(quote, order.circle()))
            self.report.error("RP230", f"the order {what} runs in a circle: {round_}",
                              order.clauses[0].place, help="look at `after` and `before`")
            return order.clauses
        clauses = {clause.id: clause for clause in order.clauses}
        return tuple(clauses[each] for each in names)

    def note_pairs(self, kind: str, order: Order, among: Iterable[Clause]) -> None:
        """Note each two of some clauses, which all act now, that nothing orders."""
        for one, two in order.open(among):
            self.note_unordered(kind, (one.id, two.id))

    def note_unordered(self, kind: str, clauses: tuple[str, ...]) -> None:
        """Note that nothing says in which order something is done."""
        self.unordered[Unordered(kind, clauses)] = None

    def in_force(self, clause: Clause, scope: Names) -> Expr:
        """Say when a clause holds: its own `when`, and no clause that overrides it."""
        with self.elab.planning(clause.id):
            test = self.elab.guard(clause.when, scope)
        for other in self._overriding.get(clause.id, ()):
            overrides = both(self.elab.guard(other.when, scope), gate(other))
            test = both(test, negate(overrides))
        return both(test, gate(clause))

    # ------------------------------------------------------------------ rules of any time

    def _asked_by(self, clause: Clause) -> tuple[Expr, ...]:
        try:
            assert clause.whenever is not None
            with self.elab.planning(clause.id):
                return self.elab.guard(clause.whenever, Names({})), self.in_force(clause, Names({}))
        except Failed:
            return ()

    def watched(self, plans: Iterable[Plan], timing: str, level: int) -> Plans:
        """Put the rules of any time that something may set off behind it.

        A rule that acts `once per change` looks at its condition before it as well, and is set off
        if that did not hold then; what it is set off by is kept while the rules before it act.
        Of a sentence that may end without a write that sets a rule off, it is noted if it is made.
        """
        plans = tuple(plans)
        before: list[Stmt] = []
        due: list[Stmt] = []
        rules: list[Plan] = []
        together: list[Clause] = []
        arrays = written(plans)
        sure = arrays if timing == "at once" else surely(plans, arrays)
        noted: dict[str, str] = {}
        for clause in self.rules:
            if self._watched[clause.id].isdisjoint(arrays):
                continue
            when = clause.timing or "at once"
            if when != timing or clause.id in self.active or clause.do is None:
                continue
            if self.elab.apart(clause, *self.active):
                continue
            touched = self._reads(clause, arrays)
            if touched == FALSE:
                continue
            due_now = self._sets_off(clause)
            if due_now is None:
                continue
            test = both(due_now, touched)
            target = Target(clause.id, level, rule=True, around=self.active)
            if self._acts_now(clause.id, level):
                continue
            made = self._reads(clause, sure)
            if made != touched:
                for name in sorted((arrays - sure) & self._watched[clause.id]):
                    if name not in noted:
                        noted[name] = self.frames.local(
                            Memory("local", name, self.elab.fresh("made")), BOOL)
                    made = either(made, both(
                        Load(noted[name]), self._reads(clause, frozenset({name}))))
            now = both(due_now, made)
            if clause.fires == "once per change":
                kept = Memory("local", clause.id, self.elab.fresh("held"))
                slot = self.frames.local(kept, BOOL)
                before.append(Store(slot, (), test))
                due.append(Store(slot, (), both(negate(Load(slot)), now)))
                test = both(Load(slot), test)
            else:
                test = now
            together.append(clause)
            rules.append(Branch(test, (Run(target, ()),)))
        self.note_pairs("rules", self._rule_order, together)
        if noted:
            before += [Store(slot, (), Const(0)) for slot in noted.values()]
            plans = noting(plans, noted)
        if before and not due:
            return (Atomic(tuple(before)), *plans, *rules)
        if before:
            return (Atomic(tuple(before)), *plans, Atomic(tuple(due)), *rules)
        return (*plans, *rules)

    def _reads(self, clause: Clause, arrays: frozenset[str]) -> Expr:
        """Return in which configurations what a rule looks at reads one of some arrays."""
        found: Expr = FALSE
        for asked in self._watching[clause.id]:
            found = either(found, reads_if(asked, arrays))
        return found

    def _sets_off(self, clause: Clause) -> Expr | None:
        """Return when a rule of any time is to act; None if what says so is wrong.

        That is the same wherever it is asked, but for the versions of terms that go together with
        the clause that is being planned.
        """
        key = (clause.id, self.elab.planned if self.game.apart else ())
        if key not in self._tests:
            self._tests[key] = None
            with suppress(Failed), self.elab.planning(clause.id):
                assert clause.whenever is not None
                self._tests[key] = both(self.in_force(clause, Names({})),
                                        self.elab.guard(clause.whenever, Names({})))
        return self._tests[key]

    @contextmanager
    def undisturbed(self) -> Iterator[None]:
        """Plan primitives behind which no rule of any time acts."""
        self._hushed += 1
        try:
            yield
        finally:
            self._hushed -= 1

    def finish(self, plans: list[Plan], here: Here) -> Plans:
        """Put the triggers behind a primitive."""
        if self._hushed:
            return tuple(plans)
        return self.watched(plans, "at once", here.level)

    def changes(self, statements: tuple[sx.Stmt, ...]) -> frozenset[str]:
        """Name what statements may change, and all that they run."""
        key = tuple(map(id, statements))
        if key not in self._changes:
            self._changes[key] = changes(self.game, statements)
        return self._changes[key]

    # ------------------------------------------------------------------ what runs inside what

    def level_of(self, name: str, here: Here) -> int | None:
        """Give how deep a step or window is nested when called from here; None beyond its depth.

        Of those that run inside each other one that alone has a depth is counted by itself; if
        several have one, each is, together, up to the greatest.
        """
        circle = self.circles.get(own(name))
        if circle is None:
            return 0
        level = 0
        if self.within.rule:
            level = here.level + (self.depth(name) > 1)
        elif self.within.name in circle:
            level = here.level + (self.depth(name) > 1 and len(self._deep(circle)) > 1)
        while self.runs_now(Target(name, level)):
            level += 1
        return level if level < max(map(self.depth, circle)) else None

    def runs_now(self, target: Target) -> bool:
        """Return whether what is being planned may be running inside something."""
        return target in self.running and (
            target == self.current or nx.has_path(self.running, target, self.current))

    def _acts_now(self, rule: str, level: int) -> bool:
        """Return whether what is being planned may be running inside a rule, at a level."""
        return any(self.runs_now(each) for each in list(self.running)
                   if each.rule and each.name == rule and each.level == level)

    def depth(self, name: str) -> int:
        """Return how deep a step or window may be nested."""
        step, window = self.game.steps.get(name), self.game.windows.get(name)
        return step.depth if step else window.depth if window else 1

    def _deep(self, circle: frozenset[str]) -> list[str]:
        """List those of a circle that have a depth."""
        return sorted(each for each in circle if self.depth(each) > 1)

    def deepest(self, name: str) -> str:
        """Say which depth a step or window, nested deeper, is beyond."""
        circle = self._deep(self.circles[own(name)])
        if circle == [own(name)]:
            return "its `depth`"
        if len(circle) == 1:
            return f"the `depth` of `{circle[0]}`"
        *names, last = (f"`{each}`" for each in circle)
        return (f"`depth: {max(map(self.depth, circle))}`, the greatest of {', '.join(names)} and "
                f"{last}, which are counted together")

    # ------------------------------------------------------------------ round the table

    def round(
        self, kept: Memory, start: Expr, *, backwards: bool
    ) -> tuple[tuple[Stmt, ...], Expr, Expr, tuple[Stmt, ...]]:
        """Make a loop once round the table: its start, its test, the player, its step."""
        seats = self.elab.seats()
        player = self.frames.local(kept, PLAYER)
        past = replace(kept, role="past" if kept.place else "local", part="#")
        done = self.frames.local(past, Ty("int", low=0, high=seats))
        by = seats - 1 if backwards else 1
        before: tuple[Stmt, ...] = (Store(player, (), start), Store(done, (), Const(0)))
        step: tuple[Stmt, ...] = (
            Store(done, (), binary("+", Load(done), Const(1))),
            Store(player, (), turn(Load(player), by, seats)))
        return before, binary("<", Load(done), Const(seats)), Load(player), step


Verb = Callable[[Builder, sx.Call, Here], Plans]
"""Plans a statement."""
Maker = Callable[[Builder, Memory, sx.Call, Here], tuple[Plans, Here]]
"""Plans a statement whose result gets a name."""
