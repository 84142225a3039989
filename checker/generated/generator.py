"""The successor function of a machine as Python source.

One function for each rest.  It tries the edges in order; conditions are tested as soon as the
parameters that they use are bound; a move copies the packed state into a bytearray, changes it, and
runs the rules that follow.  A rules node that only one edge leads to is written out in place;
every other one is a function `r…(t)` that returns the next rules node, or -1 at a rest, so that
cycles of rules are a loop (`run`, see `codegen`) and not a recursion.

Three modes share all of this: `full` (moves with arguments and flags), `lean` (next states only,
for exploration) and `cover` (lean, with marks for coverage).  The names in the source:

    s, t        the packed state; the copy that is being changed
    out         what the function returns
    N           obligations noted by the move under way (one number, as bits)
    M           lean and cover: (position in `out`, flags) for all that deserves a flag
    X           cover: the record
    l…, q…, g…  a limit, a fold, a restriction on a bag
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ...model.machine.core import TRUE, Expr, Note, Unary
from ...model.machine.machine import Edge, Machine, Node
from ...model.machine.traversal import arrays_read, statements, unrolled, unrolled_code, writes
from .actions import Actions, Lines, Marks
from .formulas import Formulas
from .guards import Guards
from .packing import Layout
from .pieces import BITOR
from .scope import Scope

Mode = Literal["full", "lean", "cover"]

FILTERED = 1
"""A limit forbids the move, as another move breaks none."""
ENDLESS = 2
"""The rules that follow the move never come to a rest; what they note on the way is told."""
FLAGS = 2
"""The number of these two; the bits of limits and then of obligations follow."""

DEEPEST = 30
"""How deep code is nested before it goes on in a function of its own."""


@dataclass(frozen=True, slots=True)
class After:
    """What may happen from a node to the next rest: what is written, whether anything is noted."""

    written: frozenset[str]
    notes: bool


def noting(edge: Edge) -> bool:
    """Say whether an edge itself may note that an obligation failed."""
    return any(isinstance(stmt, Note) for stmt in statements(edge.body))


@dataclass(slots=True)
class Generator:
    """Writes the source for one machine in one mode."""

    machine: Machine
    layout: Layout
    mode: Mode
    budget: int
    marks: Marks | None
    formulas: Formulas = field(init=False)
    nodes: Mapping[int, Node] = field(init=False)
    notes: Mapping[int, int] = field(init=False)
    guards: Guards = field(init=False)
    rules: dict[int, str] = field(default_factory=dict)
    waiting: list[int] = field(default_factory=list)
    entries: dict[int, int] = field(init=False)
    after: dict[int, After] = field(default_factory=dict)
    own: dict[int, After] = field(default_factory=dict)
    limit_reads: tuple[frozenset[str], ...] = field(init=False)

    def __post_init__(self) -> None:
        self.formulas = Formulas(self.layout, self.machine.tables, self.budget)
        self.guards = Guards(self.formulas)
        self.limit_reads = tuple(arrays_read(limit.test) for limit in self.machine.limits)
        self.nodes = {node.id: node for node in self.machine.nodes}
        first = FLAGS + len(self.machine.limits)
        self.notes = {duty.id: 1 << first + i for i, duty in enumerate(self.machine.obligations)}
        self.entries = {node.id: 0 for node in self.machine.nodes}
        for node in self.machine.nodes:
            for edge in node.edges:
                self.entries[edge.target] += 1
        self.entries[self.machine.start] += 1

    # ------------------------------------------------------------------------------ whole

    def source(self) -> str:
        """Write everything."""
        parts = [self.limit(i) for i in range(len(self.machine.limits))]
        parts.append(self.start())
        for rank, node in enumerate(self.layout.rests):
            parts.append(self.rest(rank, self.nodes[node]))
            if self.mode == "full" and self.nodes[node].kind == "chance":
                parts.append(self.weights(rank, self.nodes[node]))
        while self.waiting:
            node = self.waiting.pop()
            self.rules[node] = ""
            self.rules[node] = self.rule(self.nodes[node])
        parts += self.rules.values()
        table = ", ".join(f"n{rank}" for rank in range(len(self.layout.rests)))
        known = ", ".join(f"{node}: r{node}" for node in self.rules)
        parts += self.formulas.functions
        parts.append(f"D = [{table}]\nR = {{{known}}}")
        head = "s[0]" if self.layout.head == 1 else "s[0] | s[1] << 8"
        parts.append(f"def nexts(s):\n    return D[{head}](s)")
        return "\n\n".join(parts) + "\n"

    def limit(self, number: int) -> str:
        """Write the test of a limit."""
        test = self.formulas.test(self.machine.limits[number].test, Scope("t"))
        return f"def l{number}(t):\n    return {test.text}"

    def start(self) -> str:
        """Write the setup: to the first rest, with its flags."""
        lines = Lines()
        lines.add("t = bytearray(S0)")
        if self._tail(lines, self.machine.start, Scope("t"), inside=False):
            lines.block("if k >= 0 and run(t, k):")
            lines.add(f"N[0], f = 0, N[0] | {ENDLESS}")
            lines.add("return None, f")
            lines.depth -= 1
        lines.add("N[0], f = 0, N[0]")
        for i in range(len(self.machine.limits)):
            lines.add(f"if not l{i}(t): f |= {1 << FLAGS + i}")
        lines.add("return bytes(t), f")
        return "\n".join(["def start():", *lines.text])

    # ------------------------------------------------------------------------------ rests

    def rest(self, rank: int, node: Node) -> str:
        """Write the function that lists what may happen at a rest."""
        lines = Lines()
        if node.kind == "final" or not node.edges:
            return f"def n{rank}(s):\n    return []"
        lines.add("out = []")
        scope = self._preload(lines, node)
        limits = sorted({i for edge in node.edges for i in self._limits_of(edge)})
        for i in limits:
            lines.add(f"h{i} = l{i}(s)")
        filtered = bool(limits) and node.kind in ("decide", "open")
        if filtered and self.mode == "cover":
            lines.add("K = legal(s)")
        for edge in sorted(node.edges, key=lambda edge: edge.id):

            def emit(scope: Scope, arguments: Sequence[str], edge: Edge = edge) -> None:
                self._move(lines, node, edge, scope, arguments, filtered=filtered)

            self.guards.write(lines, edge, scope, emit)
        settle = {"full": "settle(out)", "lean": "thin(out)", "cover": "out"}[self.mode]
        lines.add(f"return {settle if filtered else 'out'}")
        return "\n".join([f"def n{rank}(s):", *lines.text])

    def weights(self, rank: int, node: Node) -> str:
        """Write the function that lists the weights of what chance may do, in the same order."""
        lines = Lines()
        lines.add("out = []")
        for edge in sorted(node.edges, key=lambda edge: edge.id):

            def emit(scope: Scope, _: Sequence[str], edge: Edge = edge) -> None:
                value = self.formulas.piece(edge.weight or TRUE, scope)
                first, value = self.formulas.temps.twice(value)
                lines.add(f"if {first} > 0: out.append({value.text})")

            self.guards.write(lines, edge, Scope("s"), emit)
        lines.add("return out")
        return "\n".join([f"def w{rank}(s):", *lines.text])

    def _preload(self, lines: Lines, node: Node) -> Scope:
        """Read the elements that the edges of a rest ask for more than once."""
        exprs: list[Expr] = []
        for edge in node.edges:
            exprs += [condition.test for condition in edge.conditions]
            for param in edge.params:
                exprs += [param.where, *([param.most] if param.most else [])]
            exprs += [edge.weight] if edge.weight else []
        return self._actions(lines).read(exprs, Scope("s"))

    # ------------------------------------------------------------------------------ moves

    def _move(
        self,
        lines: Lines,
        node: Node,
        edge: Edge,
        scope: Scope,
        arguments: Sequence[str],
        *,
        filtered: bool,
    ) -> None:
        """Write what taking an edge does, and what is listed for it."""
        if node.kind == "chance" and edge.weight is not None:
            weigh = self.formulas.piece(edge.weight, scope)
            if weigh.high <= 0:
                return
            if weigh.low <= 0:
                lines.block(f"if {weigh.at(BITOR)} > 0:")
        if filtered and self.mode == "cover":
            lines.block("if K.pop():")
        lines.add("t = bytearray(s)")
        inner = Scope("t", scope.names, scope.known)
        actions = self._actions(lines)
        actions.mark_edge(edge.id)
        actions.mark_clauses(edge.clauses)
        inner = actions.body(edge.body, inner, (edge.id, ()))
        since = len(lines.text)
        loops = self._tail(lines, edge.target, inner, inside=False, source=node.id)
        if not loops:
            self._drop_calls(lines, since)
        row = f"({''.join(f'{argument}, ' for argument in arguments)})"
        if loops:
            lines.block("if k >= 0 and run(t, k):")
            lines.add(f"N[0], f = 0, N[0] | {ENDLESS}")
            if self.mode == "full":
                lines.add(f"out.append(({edge.id}, {row}, None, f))")
            elif filtered and self.mode == "lean":
                lines.add(f"out.append((None, ({-1 - edge.id}, f)))")
            else:
                lines.add(f"M.append(({-1 - edge.id}, f))")
            lines.depth -= 1
            lines.block("else:")
        flags = self._flags(lines, edge)
        if self.mode == "full":
            lines.add(f"out.append(({edge.id}, {row}, bytes(t), {flags}))")
        elif filtered and self.mode == "lean":
            lines.add(f"out.append((bytes(t), {flags}))")
        else:
            if flags == "f":
                lines.add("if f: M.append((len(out), f))")
            lines.add("out.append(bytes(t))")

    def _drop_calls(self, lines: Lines, since: int) -> None:
        """Take out the marks that say where no call follows, as nowhere one does."""
        kept = lines.text[:since]
        for line in lines.text[since:]:
            if line.strip() != "k = -1":
                kept.append(line)
            elif kept[-1].endswith(":"):
                kept.append(line.replace("k = -1", "pass"))
        lines.text = kept

    def _flags(self, lines: Lines, edge: Edge) -> str:
        """Gather the flags of a move in `f`; give `0` if it can have none."""
        limits, notes = self._limits_of(edge), self._can_note(edge)
        if not limits and not notes:
            return "0"
        lines.add("N[0], f = 0, N[0]" if notes else "f = 0")
        for i in limits:
            lines.add(f"if h{i} and not l{i}(t): f |= {1 << FLAGS + i}")
        return "f"

    def _actions(self, lines: Lines) -> Actions:
        return Actions(self.formulas, self.notes, self.marks, lines)

    def _own(self, edge: Edge) -> After:
        """Find out what may happen on an edge itself."""
        if edge.id not in self.own:
            self.own[edge.id] = After(writes(edge.body), noting(edge))
        return self.own[edge.id]

    def _after(self, node: int) -> After:
        """Find out what may still happen before the next rest, from a node on."""
        if node not in self.after:
            seen, todo = {node}, [node]
            written: frozenset[str] = frozenset()
            notes = False
            while todo:
                here = self.nodes[todo.pop()]
                for edge in here.edges if here.kind == "rules" else ():
                    own = self._own(edge)
                    written |= own.written
                    notes = notes or own.notes
                    if edge.target not in seen:
                        seen.add(edge.target)
                        todo.append(edge.target)
            self.after[node] = After(written, notes)
        return self.after[node]

    def _can_note(self, edge: Edge) -> bool:
        return self._own(edge).notes or self._after(edge.target).notes

    def _limits_of(self, edge: Edge) -> list[int]:
        """List the limits that an edge, with the rules that follow, could break."""
        if not self.machine.limits:
            return []
        written = self._own(edge).written | self._after(edge.target).written
        return [i for i, read in enumerate(self.limit_reads) if read & written]

    # ------------------------------------------------------------------------------ rules

    def rule(self, node: Node) -> str:
        """Write a rules node as a function."""
        lines = Lines()
        self._cases(lines, node, Scope("t"), inside=True)
        return "\n".join([f"def r{node.id}(t):", *lines.text])

    def _tail(
        self, lines: Lines, target: int, scope: Scope, *, inside: bool, source: int | None = None
    ) -> bool:
        """Write what follows an edge: the mark of a rest, the next rules, or a call of them.

        `inside` a rules function the next rules node is returned; elsewhere it is put into `k`, and
        the answer is whether that may have happened.
        """
        node = self.nodes[target]
        if node.kind != "rules":
            if target != source:
                rank = self.layout.rank(target)
                if self.layout.head == 1:
                    lines.add(f"t[0] = {rank}")
                else:
                    lines.add(f"t[0:2] = {rank.to_bytes(2, 'little')!r}")
            lines.add("return -1" if inside else "k = -1")
            return False
        if self._in_place(node) and lines.depth < DEEPEST:
            return self._cases(lines, node, scope, inside=inside)
        if target not in self.rules:
            self.rules[target] = ""
            self.waiting.append(target)
        lines.add(f"return {target}" if inside else f"k = r{target}(t)")
        return True

    def _in_place(self, node: Node) -> bool:
        """Say whether a rules node is written out where it is used: once, or short and last."""
        if self.entries[node.id] == 1:
            return True
        short = sum(
            unrolled_code(edge.body) + sum(unrolled(c.test) for c in edge.conditions)
            for edge in node.edges
        )
        last = all(self.nodes[edge.target].kind != "rules" for edge in node.edges)
        return last and short <= 24

    def _cases(self, lines: Lines, node: Node, scope: Scope, *, inside: bool) -> bool:
        """Write the edges of a rules node: the first whose conditions hold is taken."""
        loops, head, depth = False, "if", lines.depth
        tests = [[c.test for c in edge.conditions] for edge in node.edges]
        scope = self._actions(lines).read((test for each in tests for test in each), scope)
        holding: list[Expr] = []
        for edge, conditions in zip(node.edges, tests, strict=True):
            left = [test for test in conditions if test not in holding]
            test, inner = self.guards.tests(left, scope)
            if test.const == 0:
                continue
            if test.const is None:
                lines.block(f"{head} {test.text}:")
                head = "elif"
            elif head == "elif":
                lines.block("else:")
            actions = self._actions(lines)
            actions.mark_edge(edge.id)
            actions.mark_clauses(edge.clauses)
            after = actions.body(edge.body, inner, (edge.id, ()))
            loops |= self._tail(lines, edge.target, after, inside=inside)
            lines.depth = depth
            if test.const == 1:
                return loops
            if len(left) == 1:
                holding.append(Unary("not", left[0]))
                scope = self.formulas.assume(left[0], scope, truth=False)
        if head == "elif":
            lines.block("else:")
        lines.add(f"uncovered({node.id})")
        lines.depth = depth
        return loops
