"""Which locals a later statement may read, and what becomes of the others.

A local of a body is part of the state only while some later statement may read it: `clear` computes
that by the usual backward liveness over the nodes (Aho, Lam, Sethi, Ullman: Compilers, 9.2.5) and
resets dead locals on the way into a rest, so that situations which cannot be told apart are one
state.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..machine.core import TRUE, Const, Fill, For, If, Load, Store
from ..machine.simplify import binary, choice, conj
from ..machine.traversal import arrays_read, reads, writes
from ..rules.arrays import removals, reset

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..machine.core import Stmt
    from ..machine.machine import Array
    from ..rules.arrays import Frames
    from .lower import DraftEdge, DraftNode


def clear(nodes: list[DraftNode], frames: Frames) -> set[str]:
    """Reset dead locals on the way into a rest, and mark the arrays that no rest needs.

    Where a record is removed, the names of records that are still needed are put right.  Gives the
    arrays that are used at all.
    """
    arrays = frames.arrays
    gone = {removals(pool) for pool in frames.elab.game.pools}
    local = {name for name, array in arrays.items() if not array.declared} - gone
    known: Known = {}
    used: set[str] = set()
    facts = [[_facts(edge, arrays, local, known, used) for edge in node.edges] for node in nodes]
    asked = [arrays_read(node.by) if node.by is not None else frozenset() for node in nodes]
    own = [read & local for read in asked]
    used.update(*asked)
    owners = {name: {each.array for each in kept.owner if isinstance(each, Load)} & local
              for name, kept in frames.records.items()}
    flow = Flow(nodes, facts, own, owners)
    live = flow.solve()
    for node, edges in zip(nodes, facts, strict=True):
        for place, edge in enumerate(node.edges):
            if writes(edge.body) & gone:
                names = (live[edge.target] | reads(edge.body)) & frames.records.keys()
                edge.body = _renamed(edge.body, sorted(names), frames)
                edges[place] = _facts(edge, arrays, local, known, used)
    needless = {id(edge): flow.dead(edge) for node in nodes for edge in node.edges}
    dirty: list[set[str]] = [set() for _ in nodes]
    changed = True
    while changed:
        changed = False
        for node, edges in zip(nodes, facts, strict=True):
            for edge, (_, _, written) in zip(node.edges, edges, strict=True):
                out = (dirty[node.id] | written) - needless[id(edge)]
                if not out <= dirty[edge.target]:
                    dirty[edge.target] |= out
                    changed = True
    resets = {name: reset(arrays[name]) for name in local}
    for node, edges in zip(nodes, facts, strict=True):
        for edge, (_, _, written) in zip(node.edges, edges, strict=True):
            dead = (dirty[node.id] | written) & needless[id(edge)]
            edge.body = (*edge.body, *(resets[name] for name in sorted(dead)))
    kept = {name for node in nodes if node.kind != "rules" for name in live[node.id]}
    for name in local - kept:
        arrays[name] = replace(arrays[name], scratch=True)
    return used - gone


class Flow:
    """Liveness on the ways that can be gone: what is run goes back to where it was run from.

    What several places run is solved twice (as slices are: Horwitz, Reps, Binkley, TOPLAS 1990):
    first for what it needs itself, which is all that its callers see of it, then for what any of
    its callers needs after it.
    """

    def __init__(
        self, nodes: list[DraftNode], facts: list[list[Facts]], own: list[frozenset[str]],
        owners: dict[str, set[str]],
    ) -> None:
        self.nodes, self.facts, self.own, self.owners = nodes, facts, own, owners
        self.everything = frozenset(name for edges in facts for one in edges for name in one[2])
        self.inner: list[frozenset[str]] = [frozenset() for _ in nodes]
        self.live = self.inner
        self._ends = {node.slot: node for node in nodes if node.slot and not node.entry}
        self._sites = {id(edge): self._site(edge) for node in nodes for edge in node.edges}

    def solve(self) -> list[frozenset[str]]:
        """Return what is live at each node."""
        self._solve(ends=False)
        self.live = [*self.inner]
        self._solve(ends=True)
        return self.live

    def dead(self, edge: DraftEdge) -> frozenset[str]:
        """Return what may be reset at the end of an edge, and should be.

        That is what a rest does not need, or what only other callers of what is run here need.
        """
        if self.nodes[edge.target].kind != "rules":
            return self.everything - self.live[edge.target]
        return self.live[edge.target] - self._after(edge)

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

    def _after(self, edge: DraftEdge) -> frozenset[str]:
        """Return what is live behind an edge."""
        site = self._sites[id(edge)]
        if site is None:
            return self.live[edge.target]
        end, number = site
        return self.inner[edge.target] | self._before(end, number)

    def _before(self, node: DraftNode, number: int) -> frozenset[str]:
        """Return what is live before an edge."""
        exposed, killed, _ = self.facts[node.id][number]
        return exposed | (self._after(node.edges[number]) - killed)

    def _solve(self, *, ends: bool) -> None:
        changed = True
        while changed:
            changed = False
            for node in reversed(self.nodes):
                here = self.own[node.id]
                if node.slot and not node.entry:
                    here |= {node.slot}
                if ends or not node.slot or node.entry:
                    here = here.union(*(self._before(node, i) for i in range(len(node.edges))))
                here = here.union(*(self.owners[name] for name in here & self.owners.keys()))
                if here != self.live[node.id]:
                    self.live[node.id] = here
                    changed = True


Facts = tuple[frozenset[str], frozenset[str], frozenset[str]]
"""Of code, the locals that it reads before it sets them, sets for certain, and may set."""

Known = dict[int, tuple[Facts, frozenset[str]]]
"""Of statements, by identity, their facts and all that they read: many edges share them."""


def _facts(
    edge: DraftEdge, arrays: dict[str, Array], local: set[str], known: Known, used: set[str],
) -> Facts:
    """Return the facts of an edge; add what it reads and writes to `used`."""
    exposed: set[str] = set()
    for condition in edge.conditions:
        exposed |= arrays_read(condition.test)
    for param in edge.params:
        exposed |= arrays_read(param.where)
        if param.most is not None:
            exposed |= arrays_read(param.most)
    if edge.weight is not None:
        exposed |= arrays_read(edge.weight)
    killed: set[str] = set()
    written: set[str] = set()
    for stmt in edge.body:
        if id(stmt) not in known:
            known[id(stmt)] = (_flow((stmt,), arrays), reads((stmt,)))
        (read, sets, wrote), everything = known[id(stmt)]
        used |= everything
        exposed |= read - killed
        written |= wrote
        killed |= sets
    used |= exposed | written
    return (frozenset(exposed & local), frozenset(killed & local),
            frozenset(written & local))


def _flow(code: tuple[Stmt, ...], arrays: dict[str, Array]) -> Facts:
    """Return the facts of statements, those inside branches and loops in their order."""
    exposed: set[str] = set()
    killed: set[str] = set()
    for stmt in code:
        match stmt:
            case If(test=test, then=then, other=other):
                (one, sets, _), (two, also, _) = _flow(then, arrays), _flow(other, arrays)
                read, done = arrays_read(test) | one | two, sets & also
            case For(size=size, body=body):
                read, done, _ = _flow(body if size else (), arrays)
            case Store(array=name, index=()):
                read, done = reads((stmt,)), frozenset((name,))
            case Fill(array=name, prefix=(), size=size) if size == arrays[name].size:
                read, done = reads((stmt,)), frozenset((name,))
            case _:
                read, done = reads((stmt,)), frozenset()
        exposed |= read - killed
        killed |= done
    return frozenset(exposed), frozenset(killed), writes(code)


def _renamed(
    code: tuple[Stmt, ...], names: Sequence[str], frames: Frames
) -> tuple[Stmt, ...]:
    """Put names of records right where one is removed: the places of those behind it are less."""
    pools = {removals(pool): pool for pool in frames.elab.game.pools}
    made: list[Stmt] = []
    for stmt in code:
        match stmt:
            case Store(array=array, index=owner, value=place) if array in pools:
                for name in names:
                    kept, now = frames.records[name], Load(name)
                    if kept.pool != pools[array]:
                        continue
                    after = choice(binary(">", now, place), binary("-", now, Const(1)), now)
                    if not kept.between:
                        after = choice(binary("==", now, place), Const(-1), after)
                    same = conj(binary("==", one, two)
                                for one, two in zip(kept.owner, owner, strict=True))
                    put = Store(name, (), after)
                    made.append(put if same == TRUE else If(same, (put,)))
            case If(test=test, then=then, other=other):
                made.append(If(test, _renamed(then, names, frames),
                               _renamed(other, names, frames)))
            case For(var=var, size=size, body=body):
                made.append(For(var, size, _renamed(body, names, frames)))
            case _:
                made.append(stmt)
    return tuple(made)
