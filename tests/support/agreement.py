"""Comparing what programs run on with the reference interpreter, state by state."""

from collections.abc import Iterable, Iterator
from random import Random

from ruleproof.checker.engine.program import Program
from ruleproof.checker.packed.flags import FILTERED
from ruleproof.model.machine.machine import Machine
from ruleproof.model.machine.state import Move, State, Transition
from ruleproof.model.run.interp import EndlessRules, Interpreter

Row = tuple[Move, bool, State | None, tuple[int, ...], tuple[int, ...]]
"""A move, whether it is legal, where it leads, the limits it breaks, the obligations noted."""


def interpreted(game: Interpreter, state: State) -> list[tuple[Row, Transition | None]]:
    """List the moves of a state whose conditions hold, as the interpreter sees them.

    A move that meets a bound of the model leads nowhere, and breaks no limit.
    """
    rows: list[tuple[Row, Transition | None]] = []
    for verdict in game.candidates(state):
        chance = game.nodes[state.node].kind == "chance"
        if verdict.failing or (chance and not verdict.legal):
            continue
        step: Transition | EndlessRules
        try:
            step = game.take(state, verdict.move)
        except EndlessRules as error:
            step = error
        noted = tuple(sorted(set(step.notes)))
        met = tuple(note for note in noted if note in game.bounds)
        if met or isinstance(step, EndlessRules):
            rows.append(((verdict.move, verdict.legal, None, (), met or noted), None))
        else:
            rows.append(((verdict.move, verdict.legal, step.state, step.broken, noted), step))
    return rows


def listed(program: Program, packed: bytes) -> list[Row]:
    """List the same as a program sees them."""
    rows: list[Row] = []
    for edge, args, after, flags in program.succ(packed):
        move, legal = Move(edge, args), not flags & FILTERED
        state = None if after is None else program.unpack(after)
        rows.append((move, legal, state, program.broken(flags), program.notes(flags)))
    return rows


def anywhere(machine: Machine, random: Random) -> Iterator[State]:
    """Make up states at every rest, reachable or not."""
    for node in machine.nodes:
        if node.kind not in ("rules", "final"):
            values = [
                random.choice((array.low, array.high, random.randint(array.low, array.high)))
                for array in machine.arrays
                for _ in range(array.size)
            ]
            yield State(node.id, tuple(values))


def compare(
    machine: Machine, *, most: int = 10_000, also: Iterable[State] = (), native: bool = True,
    program: Program | None = None,
) -> tuple[int, int]:
    """Compare all that a program answers with the interpreter, on up to `most` states.

    Give the numbers of states and of legal moves seen.  `also` are states to begin from; `native`
    asks for compiled code; `program` is what answers, if not one made here.
    """
    game, program = Interpreter(machine), program or Program(machine, native=native)
    assert native == (program.engine is not None)
    covering = program.covering()
    try:
        first = game.start()
    except EndlessRules:
        assert program_is_endless(program)
        return 0, 0
    packed, flags = program.start()
    assert program.unpack(packed) == first.state
    assert program.broken(flags) == first.broken
    assert program.notes(flags) == tuple(sorted(set(first.notes)))
    cites, edges = set(first.cites), set(first.edges)
    seen, todo, moves = {packed: None}, [*map(program.pack, also), packed], 0
    while todo and len(seen) < most:
        packed = todo.pop()
        state = program.unpack(packed)
        assert program.pack(state) == packed
        rows = interpreted(game, state)
        assert listed(program, packed) == [row for row, _ in rows]
        for row, step in rows:
            if row[1] and step is not None:
                cites |= set(step.cites)
                edges |= set(step.edges)
        after = [s for _, _, s, f in program.succ(packed) if s is not None and not f & FILTERED]
        assert covering.succ(packed) == program.succ(packed)
        if game.nodes[state.node].kind == "chance":
            chances = [game.weight(state, row[0]) for row, _ in rows]
            assert program.weights(packed) == chances
        moves += len(after)
        for new in after:
            if new not in seen:
                seen[new] = None
                todo.append(new)
    coverage = program.coverage(covering.record)
    assert cites <= coverage.clauses
    assert edges <= coverage.edges
    return len(seen), moves


def program_is_endless(program: Program) -> bool:
    """Return whether the setup of a program goes round for ever."""
    try:
        program.start()
    except EndlessRules:
        return True
    return False
