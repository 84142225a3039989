"""Which locals a later statement may read, and what becomes of the others.

A local of a body is part of the state only while some later statement may read it: `clear` computes
that by the usual backward liveness over the nodes (Aho, Lam, Sethi, Ullman: Compilers, 9.2.5) and
resets dead locals on the way into a rest, so that situations which cannot be told apart are one
state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ..machine.core import TRUE, Const, Expr, Fill, For, If, Load, Local, Stmt, Store
from ..machine.machine import Array
from ..machine.simplify import binary, choice, conj
from ..machine.traversal import directly, parts, reads, rewritten, writes
from ..rules.arrays import Frames, removals, reset
from .lower import DraftEdge, DraftNode


def clear(nodes: list[DraftNode], frames: Frames) -> set[str]:
    """Reset dead locals on the way into a rest, and mark the arrays that no rest needs.

    Where a record is removed, the names of records that are still needed are put right.  Gives the
    arrays that are used at all.
    """
    arrays = frames.arrays
    gone = {removals(pool) for pool in frames.elab.game.pools}
    local = sorted({name for name, array in arrays.items() if not array.declared} - gone)
    reader = _Reader(arrays, local)
    facts = [[reader.edge(edge) for edge in node.edges] for node in nodes]
    asked = [reader.expr(node.by) & reader.local if node.by is not None else 0 for node in nodes]
    flow = Flow(nodes, facts, asked, reader.bits, [
        (reader.set((name,)), reader.set(each.array for each in kept.owner
                                         if isinstance(each, Load)))
        for name, kept in frames.records.items()])
    live = flow.solve()
    named = [(reader.set((name,)), name) for name in frames.records]
    for node, edges in zip(nodes, facts, strict=True):
        for place, edge in enumerate(node.edges):
            if gone and writes(edge.body) & gone:
                read = reads(edge.body)
                names = [name for bit, name in named if live[edge.target] & bit or name in read]
                edge.body = _renamed(edge.body, sorted(names), frames)
                edges[place] = reader.edge(edge)
    needless = [[flow.dead(edge) for edge in node.edges] for node in nodes]
    dirty = _dirty(nodes, facts, needless)
    resets = [reset(arrays[name]) for name in local]
    for node, edges, idle in zip(nodes, facts, needless, strict=True):
        for edge, (_, _, written), out in zip(node.edges, edges, idle, strict=True):
            dead = (dirty[node.id] | written) & out
            edge.body = (*edge.body, *(resets[place] for place in _places(dead)))
    kept = 0
    for node in nodes:
        kept |= live[node.id] if node.kind != "rules" else 0
    for place, name in enumerate(local):
        if not kept >> place & 1:
            arrays[name] = replace(arrays[name], scratch=True)
    return {name for name, bit in reader.bits.items() if reader.used & bit} - gone


def _places(bits: int) -> Iterator[int]:
    """Yield the places of the bits that are set, from the lowest on."""
    while bits:
        yield (bits & -bits).bit_length() - 1
        bits &= bits - 1


def _dirty(
    nodes: list[DraftNode], facts: list[list[Facts]], needless: list[list[Locals]]
) -> list[Locals]:
    """Return for each node the locals that may hold something there."""
    dirty = [0] * len(nodes)
    changed = True
    while changed:
        changed = False
        for node, edges, idle in zip(nodes, facts, needless, strict=True):
            for edge, (_, _, written), dead in zip(node.edges, edges, idle, strict=True):
                out = (dirty[node.id] | written) & ~dead
                if out & ~dirty[edge.target]:
                    dirty[edge.target] |= out
                    changed = True
    return dirty


class Flow:
    """Liveness on the ways that can be gone: what is run goes back to where it was run from.

    What several places run is solved twice (as slices are: Horwitz, Reps, Binkley, TOPLAS 1990):
    first for what it needs itself, which is all that its callers see of it, then for what any of
    its callers needs after it.  `owners` are locals, each with those that say whose it is.
    """

    def __init__(
        self, nodes: list[DraftNode], facts: list[list[Facts]], own: list[Locals],
        bits: Mapping[str, Locals], owners: list[tuple[Locals, Locals]],
    ) -> None:
        self.nodes, self.facts, self.owners = nodes, facts, owners
        self.own = [read | (bits[node.slot] if node.slot and not node.entry else 0)
                    for read, node in zip(own, nodes, strict=True)]
        self.everything = 0
        for edges in facts:
            for _, _, written in edges:
                self.everything |= written
        self.inner = [0] * len(nodes)
        self.live = self.inner
        self._ends = {node.slot: node for node in nodes if node.slot and not node.entry}
        self._sites = {id(edge): self._site(edge) for node in nodes for edge in node.edges}

    def solve(self) -> list[Locals]:
        """Return what is live at each node."""
        self._solve(ends=False)
        self.live = [*self.inner]
        self._solve(ends=True)
        return self.live

    def dead(self, edge: DraftEdge) -> Locals:
        """Return what may be reset at the end of an edge, and should be.

        That is what a rest does not need, or what only other callers of what is run here need.
        """
        if self.nodes[edge.target].kind != "rules":
            return self.everything & ~self.live[edge.target]
        return self.live[edge.target] & ~self._after(edge)

    def _site(self, edge: DraftEdge) -> tuple[DraftNode, int] | None:
        """Return the end of what an edge runs, and the way on from there that belongs to it."""
        target = self.nodes[edge.target]
        if not target.entry or target.slot not in self._ends:
            return None
        for stmt in reversed(edge.body):
            if isinstance(stmt, Store) and stmt.array == target.slot:
                assert isinstance(stmt.value, Const)
                return self._ends[target.slot], stmt.value.value
        return None

    def _after(self, edge: DraftEdge) -> Locals:
        """Return what is live behind an edge."""
        site = self._sites[id(edge)]
        if site is None:
            return self.live[edge.target]
        end, number = site
        return self.inner[edge.target] | self._before(end, number)

    def _before(self, node: DraftNode, number: int) -> Locals:
        """Return what is live before an edge."""
        exposed, killed, _ = self.facts[node.id][number]
        return exposed | (self._after(node.edges[number]) & ~killed)

    def _solve(self, *, ends: bool) -> None:
        """Compute what is live at each node anew as long as anything it follows from grows."""
        some = [*self.nodes]
        needed: dict[int, list[DraftNode]] = {}
        for node in some:
            if ends or not node.slot or node.entry:
                for edge in node.edges:
                    for target in self._behind(edge):
                        needed.setdefault(target, []).append(node)
        waiting = {node.id for node in some}
        while some:
            node = some.pop()
            waiting.discard(node.id)
            here = self.own[node.id]
            if ends or not node.slot or node.entry:
                for number in range(len(node.edges)):
                    here |= self._before(node, number)
            for name, whose in self.owners:
                if here & name:
                    here |= whose
            if here != self.live[node.id]:
                self.live[node.id] = here
                more = [each for each in needed.get(node.id, ()) if each.id not in waiting]
                waiting.update(each.id for each in more)
                some += more

    def _behind(self, edge: DraftEdge) -> Iterator[int]:
        """Yield the nodes on which it depends what is live behind an edge."""
        while True:
            yield edge.target
            site = self._sites[id(edge)]
            if site is None:
                return
            end, number = site
            edge = end.edges[number]


Locals = int
"""A set of locals: a bit for each, in the order of their names."""

Facts = tuple[Locals, Locals, Locals]
"""Of code, the locals that it reads before it sets them, sets for certain, and may set."""


class _Reader:
    """Reads the facts of edges; many share code, and conditions their parts: each is read once.

    Each array has a bit, the locals the lowest; `used` are the arrays that were met.
    """

    def __init__(self, arrays: dict[str, Array], local: Sequence[str]) -> None:
        self.arrays = arrays
        self.bits = {name: 1 << place for place, name in enumerate(dict.fromkeys(
            (*local, *arrays)))}
        self.local = (1 << len(local)) - 1
        self.used = 0
        self._known: dict[int, tuple[Stmt, Facts]] = {}
        self._read: dict[int, tuple[Expr, int]] = {}

    def set(self, names: Iterable[str]) -> Locals:
        """Return the locals among some names."""
        found = 0
        for name in names:
            found |= self.bits.get(name, 0)
        return found & self.local

    def edge(self, edge: DraftEdge) -> Facts:
        """Return the facts of an edge."""
        read = self.expr(edge.weight) if edge.weight is not None else 0
        for condition in edge.conditions:
            read |= self.expr(condition.test)
        for param in edge.params:
            read |= self.expr(param.where)
            if param.most is not None:
                read |= self.expr(param.most)
        exposed, killed, written = read, 0, 0
        for stmt in edge.body:
            reads_first, sets, wrote = self._statement(stmt)
            exposed |= reads_first & ~killed
            killed |= sets
            written |= wrote
        return exposed & self.local, killed & self.local, written & self.local

    def expr(self, expr: Expr) -> int:
        """Return the arrays that an expression reads."""
        known = self._read.get(id(expr))
        if known is not None:
            return known[1]
        found = 0
        if isinstance(expr, Load):
            found = self.bits.get(expr.array, 0)
            self.used |= found
        for part in parts(expr):
            found |= self.expr(part)
        self._read[id(expr)] = expr, found
        return found

    def _statement(self, stmt: Stmt) -> Facts:
        known = self._known.get(id(stmt))
        if known is None:
            known = self._known[id(stmt)] = stmt, self._flow((stmt,))
            self.used |= known[1][2]
        return known[1]

    def _flow(self, code: tuple[Stmt, ...]) -> Facts:
        """Return the facts of statements, those inside branches and loops in their order.

        They are of all arrays here.
        """
        exposed, killed, written = 0, 0, 0
        for stmt in code:
            read, done = 0, 0
            for expr in directly(stmt):
                read |= self.expr(expr)
            match stmt:
                case If(then=then, other=other):
                    (one, sets, wrote), (two, also, more) = self._flow(then), self._flow(other)
                    read, done = read | one | two, sets & also
                    written |= wrote | more
                case For(size=size, body=body):
                    one, sets, wrote = self._flow(body)
                    read, done = (one, sets) if size else (0, 0)
                    written |= wrote
                    for name in self._filled(stmt, {}):
                        done |= self.bits[name]
                case Store(array=name, index=index):
                    written |= (bit := self.bits.get(name, 0))
                    done = 0 if index else bit
                case Fill(array=name, prefix=prefix, size=size):
                    written |= (bit := self.bits.get(name, 0))
                    done = bit if not prefix and size == self.arrays[name].size else 0
                case _:
                    pass
            exposed |= read & ~killed
            killed |= done
        return exposed, killed, written

    def _filled(self, stmt: Stmt, over: Mapping[Expr, int]) -> Iterator[str]:
        """Yield the arrays whose every element is written, the loops around gone over in full."""
        match stmt:
            case For(var=var, size=size, body=body):
                for each in body:
                    yield from self._filled(each, {**over, Local(var): size})
            case Store(array=name, index=index):
                if index == tuple(over) and tuple(over.values()) == self.arrays[name].dims:
                    yield name
            case Fill(array=name, prefix=prefix, size=size):
                if prefix == tuple(over) and (*over.values(), size) == self.arrays[name].dims:
                    yield name
            case _:
                pass


def _renamed(code: tuple[Stmt, ...], names: Sequence[str], frames: Frames) -> tuple[Stmt, ...]:
    """Put names of records right where one is removed: the places of those behind it are less."""
    pools = {removals(pool): pool for pool in frames.elab.game.pools}

    def put_right(stmt: Stmt) -> Iterator[Stmt]:
        if not isinstance(stmt, Store) or stmt.array not in pools:
            yield stmt
            return
        place = stmt.value
        for name in names:
            kept, now = frames.records[name], Load(name)
            if kept.pool != pools[stmt.array]:
                continue
            after = choice(binary(">", now, place), binary("-", now, Const(1)), now)
            if not kept.between:
                after = choice(binary("==", now, place), Const(-1), after)
            same = conj(binary("==", one, two)
                        for one, two in zip(kept.owner, stmt.index, strict=True))
            put = Store(name, (), after)
            yield put if same == TRUE else If(same, (put,))

    return rewritten(code, put_right)
