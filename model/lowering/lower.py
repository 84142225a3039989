"""From plans to nodes and edges: control flow is cut where something rests, jumps or loops.

Lowering runs backwards.  A `Continuation` is "run this code, then be at that node"; the plan of a
statement list in front of a point is again a point.  Straight code just grows the point's code; a
decision, a chance, or a branch that cannot be an update becomes a node whose edges end in points.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import assert_never

from ..game.game import Ty
from ..machine.core import TRUE, Const, Expr, For, If, Load, Note, Stmt, Store
from ..machine.machine import Condition, Param, Pause
from ..machine.memory import Memory
from ..machine.simplify import binary, negate
from ..planning.planner import Planner
from ..rules.context import own
from ..rules.plan import Atomic, Branch, Finish, Loop, Owe, Plan, Rest, Run, Sentence, Target
from ..sealed import sealed
from .called import plans_of

Code = tuple["Stmt", ...]
FINAL = 0


@sealed
class Continuation:
    """Run `code`, then be at `node`."""

    code: Code
    node: int


@dataclass(slots=True)
class DraftEdge:
    """An edge under construction."""

    target: int
    body: Code
    label: str = ""
    params: tuple[Param, ...] = ()
    conditions: tuple[Condition, ...] = ()
    clauses: tuple[str, ...] = ()
    weight: Expr | None = None
    passes: bool = False


@dataclass(slots=True)
class DraftNode:
    """A node under construction."""

    id: int
    name: str
    kind: str
    step: str
    by: Expr | None = None
    ask: str = ""
    clauses: tuple[str, ...] = ()
    edges: list[DraftEdge] = field(default_factory=list)
    entry: bool = False
    slot: str = ""
    """Of the entry and the end of what several places run: the local that says which one did."""
    pause: Pause | None = None


@sealed
class Around:
    """What surrounds a statement: its step, its clause, and where its failure leads."""

    step: str
    clause: str
    fail: Continuation
    otherwise: bool = False


@dataclass(slots=True)
class PlanInstance:
    """What is run, with its entry, its exit, and who returns where."""

    target: Target
    entry: DraftNode
    exit: DraftNode
    returns: list[tuple[int, Continuation, str]] = field(default_factory=list)

    @property
    def caller(self) -> Memory:
        """What keeps from which place it was run."""
        return Memory("return", self.target.words, "return", self.target.level)


class Lowerer:
    """Builds the nodes of one game."""

    def __init__(self, planner: Planner, pauses: frozenset[str] = frozenset()) -> None:
        self.planner = planner
        self.pauses = pauses
        self.nodes: list[DraftNode] = []
        self.instances: dict[Target, PlanInstance] = {}
        self.instead: set[int] = set()
        """The obligations after whose failure an `otherwise` runs."""
        self._queue: list[PlanInstance] = []
        self.node("game over", "final", "")

    def node(self, name: str, kind: str, step: str, *, clauses: tuple[str, ...] = ()) -> DraftNode:
        """Add a node."""
        made = DraftNode(len(self.nodes), name, kind, step, clauses=clauses)
        self.nodes.append(made)
        return made

    # ------------------------------------------------------------------ instances

    def game(self, start: str) -> int:
        """Lower everything that the step `start` can reach; give the entry node."""
        entry = self.instance(Target(start))
        entry.returns.append((0, Continuation((), FINAL), ""))
        while self._queue:
            instance = self._queue.pop(0)
            self.planner.current = instance.target
            self._lower_instance(instance)
        for instance in self.instances.values():
            self._close(instance)
        needless = {i.caller.array for i in self.instances.values() if len(i.returns) == 1}
        for node in self.nodes:
            for edge in node.edges:
                edge.body = tuple(s for s in edge.body if not (
                    isinstance(s, Store) and s.array in needless))
        return entry.entry.id

    def instance(self, target: Target) -> PlanInstance:
        """Find or queue the instance of what is run."""
        if target not in self.instances:
            step, level = target.name, target.level
            shown = f"{step} ({level + 1})" if level else step
            entry = self.node(shown, "rules", step)
            entry.entry = True
            leave = self.node(f"{shown}: end", "rules", step)
            made = PlanInstance(target, entry, leave)
            self.instances[target] = made
            self._queue.append(made)
        return self.instances[target]

    def _lower_instance(self, instance: PlanInstance) -> None:
        game, target = self.planner.game, instance.target
        name = target.name
        plans = plans_of(self.planner, target)
        owner = name if target.rule else (game.steps.get(name) or game.windows[name]).clause
        end = Continuation((), instance.exit.id)
        around = Around(instance.entry.step, owner, end)
        paused = not target.rule and own(name) in self.pauses
        if paused:
            around = replace(around, fail=self._pause(("after", name), end, around))
        point = self.lower(plans, around.fail, around)
        if paused:
            point = self._pause(("before", name), point, around)
        instance.entry.clauses = (owner,) if owner else ()
        instance.entry.edges.append(DraftEdge(point.node, point.code))

    def _close(self, instance: PlanInstance) -> None:
        single = len(instance.returns) == 1
        slot = instance.caller.array
        for site, point, clause in instance.returns:
            conditions = () if single else (
                Condition(clause, "rule", binary("==", Load(slot), Const(site))),)
            goes_on = (clause,) if clause and point.code else ()
            instance.exit.edges.append(DraftEdge(
                point.node, point.code, conditions=conditions, clauses=goes_on))
        if not single:
            last = instance.exit.edges[-1]
            last.conditions = ()
            instance.entry.slot = instance.exit.slot = slot
            sites = Ty("int", low=0, high=len(instance.returns) - 1)
            self.planner.frames.local(instance.caller, sites)

    def _pause(self, pause: Pause, after: Continuation, around: Around) -> Continuation:
        """Make the game rest here, with one way on: for looking at what happens in between."""
        node = self.node(" ".join(pause), "open", around.step)
        node.pause = pause
        node.edges.append(DraftEdge(after.node, after.code, "go on"))
        return Continuation((), node.id)

    # ------------------------------------------------------------------ plans

    def lower(self, plans: tuple[Plan, ...], after: Continuation, around: Around) -> Continuation:
        """Put plans in front of a point."""
        for plan in reversed(plans):
            after = self._one(plan, after, around)
        return after

    def _one(self, plan: Plan, after: Continuation, around: Around) -> Continuation:
        flat = self._flat((plan,), otherwise=around.otherwise)
        if flat is not None:
            return Continuation((*flat, *after.code), after.node)
        match plan:
            case Owe():
                return self._owe(plan, after, around)
            case Branch(test=test, then=then, other=other):
                yes, no = self.lower(then, after, around), self.lower(other, after, around)
                return self.branch(test, yes, no, around)
            case Loop(before=before, test=test, body=body, step=step):
                head = self._inner("loop", around)
                inside = self.lower(body, Continuation(step, head.id), around)
                self._split(head, test, inside, after, around)
                return Continuation(before, head.id)
            case Rest():
                return self._rest(plan, after, around)
            case Run(target=target, args=args):
                self.planner.running.add_edge(self.planner.current, target)
                instance = self.instance(target)
                site = len(instance.returns)
                instance.returns.append((site, after, around.clause))
                return Continuation((*args, Store(instance.caller.array, (), Const(site))),
                             instance.entry.id)
            case Sentence():
                return self._sentence(plan, after, around)
            case Finish(code=code):
                return Continuation(code, FINAL)
            case Atomic():
                raise AssertionError("atomic plans are flat")
            case _:
                assert_never(plan)

    def _sentence(self, plan: Sentence, after: Continuation, around: Around) -> Continuation:
        paused, behind = self._paused(plan), after
        if paused:
            after = self._pause(("after", plan.clause), after, around)
        fail = after
        inside = replace(around, clause=plan.clause, fail=after, otherwise=False)
        if plan.otherwise is not None:
            fail = self.lower(plan.otherwise, after, inside)
        inside = replace(inside, fail=fail, otherwise=plan.otherwise is not None)
        point = self.lower(plan.plans, after, inside)
        if paused:
            point = self._pause(("before", plan.clause), point, around)
        return point if plan.test == TRUE else self.branch(plan.test, point, behind, inside)

    def _paused(self, plan: Sentence) -> bool:
        """Return whether the game rests around a sentence, in any version of it."""
        return own(plan.clause) in self.pauses and not plan.part

    def _owe(self, plan: Owe, after: Continuation, around: Around) -> Continuation:
        way = around.fail if plan.abandon or around.otherwise else after
        if around.otherwise:
            self.instead.add(plan.obligation)
        failed = Continuation((Note(plan.obligation), *way.code), way.node)
        return self.branch(plan.test, after, failed, around)

    def branch(
        self, test: Expr, yes: Continuation, no: Continuation, around: Around
    ) -> Continuation:
        """Make a node that goes one way or the other."""
        if isinstance(test, Const):
            return yes if test.value else no
        node = self._inner("if", around)
        self._split(node, test, yes, no, around)
        return Continuation((), node.id)

    def _inner(self, what: str, around: Around) -> DraftNode:
        clauses = (around.clause,) if around.clause else ()
        return self.node(f"{around.step}/{around.clause or what}", "rules", around.step,
                         clauses=clauses)

    def _split(
        self, node: DraftNode, test: Expr, yes: Continuation, no: Continuation, around: Around
    ) -> None:
        node.edges.append(DraftEdge(yes.node, yes.code, conditions=(
            Condition(around.clause, "rule", test),)))
        if test != TRUE:
            node.edges.append(DraftEdge(no.node, no.code, conditions=(
                Condition(around.clause, "rule", negate(test)),)))

    def _rest(self, plan: Rest, after: Continuation, around: Around) -> Continuation:
        node = self.node(f"{around.step}/{plan.name}" if plan.name != around.step else plan.name,
                         plan.kind, around.step,
                         clauses=(around.clause,) if around.clause else ())
        node.by, node.ask = plan.by, plan.ask
        for fork in plan.forks:
            point = self.lower(fork.plans, after, around)
            node.edges.append(DraftEdge(
                point.node, point.code, fork.label, fork.params, fork.conditions, fork.clauses,
                fork.weight, fork.passes))
        return Continuation((), node.id)

    def _flat(self, plans: tuple[Plan, ...], *, otherwise: bool) -> Code | None:
        """Return the straight code of plans that neither rest nor jump, or None."""
        code: list[Stmt] = []
        for plan in plans:
            match plan:
                case Atomic(code=inner):
                    code.extend(inner)
                case Owe(test=test, obligation=note, abandon=abandon):
                    if abandon or otherwise:
                        return None
                    code.append(If(negate(test), (Note(note),)))
                case Branch(test=test, then=then, other=other):
                    yes = self._flat(then, otherwise=otherwise)
                    no = self._flat(other, otherwise=otherwise)
                    if yes is None or no is None:
                        return None
                    code.extend(_if(test, yes, no))
                case Loop(before=before, test=test, body=body, step=step, trips=trips):
                    inside = self._flat(body, otherwise=otherwise) if trips else None
                    if inside is None:
                        return None
                    code.extend(before)
                    trip = self.planner.elab.fresh("trip")
                    code.append(For(trip, trips, (If(test, (*inside, *step)),)))
                case Sentence(test=test, plans=inner_plans, otherwise=other_plans):
                    if self._paused(plan):
                        return None
                    inside = self._flat(inner_plans, otherwise=other_plans is not None)
                    if inside is None:
                        return None
                    code.extend(_if(test, inside, ()))
                case _:
                    return None
        return tuple(code)


def _if(test: Expr, yes: Code, no: Code) -> Code:
    if isinstance(test, Const):
        return yes if test.value else no
    return (If(test, yes, no),) if yes or no else ()
