"""What an exploration has found and what is still to be expanded: in Python, or in compiled code.

Both find the same states in the same order, with the same parents, counts and first witnesses.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ...model.machine.state import Move
from ..drivers.breadth import ENDLESS as ENDLESS_EVENT
from ..drivers.breadth import STUCK
from ..engine.engine import Engine
from ..engine.program import Program
from ..engine.search import Search, States
from ..packed.flags import BEYOND, ENDLESS, FILTERED, never_rests

RESHAPED = 1 << 13
"""After so many states it is known which parts of a state change often."""

CHUNK = 128
"""After so many states clocks, memory and interrupts are looked at."""

COMPILED_CHUNK = 8192
"""The same for compiled code, of states and moves together: some milliseconds."""


@dataclass(frozen=True, slots=True)
class Witness:
    """Where something happens first: a move in a state (by number), or, without one, the state.

    State -1 is the setup: what happens before the first rest.
    """

    state: int
    move: Move | None = None


@dataclass(slots=True)
class SearchTally:
    """What is counted on the way; plain data, for the checkpoint."""

    transitions: int = 0
    final: int = 0
    stuck_states: int = 0
    cursor: int = 0
    levels: list[int] = field(default_factory=lambda: [0])
    level_end: int = 1
    seen_flags: int = 0
    notes: dict[int, Witness] = field(default_factory=dict)
    broken: dict[int, Witness] = field(default_factory=dict)
    endless: dict[int, Witness] = field(default_factory=dict)
    stuck: dict[int, Witness] = field(default_factory=dict)

    def first_time(self, program: Program, flags: int, witness: Witness) -> None:
        """Keep the first witness of everything that flags tell of."""
        self.seen_flags |= flags & ~(ENDLESS | BEYOND)
        for obligation in program.notes(flags):
            self.notes.setdefault(obligation, witness)
        for limit in program.broken(flags):
            self.broken.setdefault(limit, witness)

    def end_level(self, found: int) -> None:
        """Begin the next level, if one is done and there is another."""
        if self.cursor == self.level_end and self.cursor < found:
            self.levels.append(self.cursor)
            self.level_end = found


class PythonFrontier:
    """States in a dictionary, expanded one by one."""

    def __init__(self, program: Program, tally: SearchTally, *, cover: bool) -> None:
        self.program, self.tally = program, tally
        self.machine = program.covering() if cover else program.made
        first, flags = program.start()
        self.order: Sequence[bytes] = []
        self.parents = array("I")
        self.restore([first], [0])
        tally.first_time(program, flags, Witness(-1))

    def restore(self, states: Iterable[bytes], parents: Iterable[int]) -> None:
        """Go on from states found before, and their parents."""
        self._order = list(states)
        self.order = self._order
        self.parents = array("I", parents)
        self._seen = dict.fromkeys(self._order)

    def begin(self, packed: bytes) -> int:
        """Begin in a state, too, before anything was expanded; give its number."""
        if packed not in self._seen:
            self._seen[packed] = None
            self._order.append(packed)
            self.parents.append(0)
            self.tally.level_end = len(self._order)
        return self._order.index(packed)

    def advance(self, most: int) -> bool:
        """Expand the next few states, all of one level; give False if memory was short."""
        tally, order = self.tally, self._order
        for packed in order[tally.cursor : min(tally.cursor + CHUNK, tally.level_end)]:
            legal = [row for row in self.machine.succ(packed) if not row[3] & FILTERED]
            for edge, arguments, after, flags in legal:
                if flags:
                    witness = Witness(tally.cursor, Move(edge, arguments))
                    if never_rests(flags):
                        tally.endless.setdefault(edge, witness)
                    tally.first_time(self.program, flags, witness)
                tally.transitions += after is not None
                if after is not None and after not in self._seen:
                    self._seen[after] = None
                    order.append(after)
                    self.parents.append(tally.cursor)
            if not legal:
                self._end(tally.cursor, packed)
            tally.cursor += 1
            if len(order) >= most:
                break
        tally.end_level(len(order))
        return True

    def _end(self, number: int, packed: bytes) -> None:
        """Count a state that nothing follows."""
        rank = self.program.rank(packed)
        if self.program.kinds[rank] == "final":
            self.tally.final += 1
            return
        self.tally.stuck_states += 1
        self.tally.stuck.setdefault(self.program.layout.rests[rank], Witness(number))

    def memory(self) -> int:
        """Estimate the bytes that the states take; the same in every run."""
        states = len(self._order) * sys.getsizeof(self._order[0])
        kept = sys.getsizeof(self._order) + sys.getsizeof(self._seen)
        return states + kept + len(self.parents) * self.parents.itemsize


class CompiledFrontier:
    """States in the memory of compiled code, which expands them."""

    def __init__(self, program: Program, engine: Engine, tally: SearchTally) -> None:
        self.program, self.tally, self.machine = program, tally, engine
        self.search = Search(engine)
        self._reshaped = False
        self.order: Sequence[bytes] = States(self.search)
        first, flags = program.start()
        engine.start()
        self.search.add(first, 0)
        tally.first_time(program, flags, Witness(-1))
        self.search.see(flags, (), ())

    @property
    def parents(self) -> array[int]:
        """The number of the parent of each state, as of now."""
        return self.search.parents()

    def restore(self, states: Iterable[bytes], parents: Iterable[int]) -> None:
        """Go on from states found before, and their parents; the first is there already."""
        tally, search = self.tally, self.search
        for number, (packed, parent) in enumerate(zip(states, parents, strict=True)):
            if number:
                search.add(packed, parent)
        search.count(search.counts()._replace(
            cursor=tally.cursor, transitions=tally.transitions, final=tally.final,
            stuck=tally.stuck_states))
        rests = self.program.layout.rests
        stuck = [rests.index(node) for node in tally.stuck]
        search.see(tally.seen_flags, list(tally.endless), stuck)

    def begin(self, packed: bytes) -> int:
        """Begin in a state, too, before anything was expanded; give its number."""
        self.search.add(packed, 0)
        self.tally.level_end = len(self.order)
        return self.search.find(packed)

    def advance(self, most: int) -> bool:
        """Expand the next few states, all of one level; give False if memory was short."""
        tally, search = self.tally, self.search
        before = search.counts()
        whole = search.advance(most, tally.level_end, COMPILED_CHUNK)
        counts = search.counts()
        for kind, number, place in search.events(before.events):
            packed = self.order[number]
            if kind == STUCK:
                rank = self.program.rank(packed)
                tally.stuck[self.program.layout.rests[rank]] = Witness(number)
                continue
            edge, arguments, _, flags = self.program.succ(packed)[place]
            witness = Witness(number, Move(edge, arguments))
            if kind == ENDLESS_EVENT:
                tally.endless[edge] = witness
            else:
                tally.first_time(self.program, flags, witness)
        tally.cursor, tally.transitions = counts.cursor, counts.transitions
        tally.final, tally.stuck_states = counts.final, counts.stuck
        tally.end_level(counts.states)
        if counts.states >= RESHAPED and not self._reshaped:
            self.search.reshape()
            self._reshaped = True
        return whole

    def memory(self) -> int:
        """Return the bytes that the states take; the same in every run."""
        return self.search.memory()


def frontier(
    program: Program, tally: SearchTally, *, cover: bool
) -> PythonFrontier | CompiledFrontier:
    """Make the frontier of an exploration, with its first state."""
    engine = program.searching(cover=cover)
    if engine is None:
        return PythonFrontier(program, tally, cover=cover)
    return CompiledFrontier(program, engine, tally)
