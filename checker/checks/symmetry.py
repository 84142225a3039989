"""Do the rules treat all seats alike?  Turn the table by one seat and compare.

The machine is equivariant if turning a state and then moving gives the same as moving and then
turning (`comparison.turned`).  Every explored state is compared; what the setup decides is left
out, since only moves are compared.  Rules that name a seat, and loops whose order is not stated,
can break it; where these only ask another one next, that is the question in which order they run,
and none of seats.  Where all choose at the same time somebody is asked first, too, and that is told
to nobody.
"""

from __future__ import annotations

from functools import partial

from ...model.game.uses import called_in
from ...model.machine.state import Arg, Move, State
from ...model.plays.wording import many
from ..audit.audit import Audit
from ..audit.parallel import attempt
from ..audit.scoped import Scoped
from ..comparison.turned import Turned, Ways
from ..findings.evidence import play_of, position_of, state_after
from ..findings.observations import Observation
from ..findings.results import LEGAL, PUBLIC, Evidence, Holds, Identity, Method, Shown

Made = tuple[int, tuple[Arg, ...]]
"""A move: its edge and its arguments."""
MOST = 500
"""States compared in each scope, the nearest ones."""
ORDER = ", nor who is asked next where no order is stated"
"""What is left out, too, where a loop over players in no stated order, or over all at the same
time, asks another one next."""


def run(audit: Audit) -> None:
    """Compare every scope with itself, turned by one seat."""
    alike: list[Scoped] = []
    asked: set[str] = set()
    for scope in audit.comparable():
        if scope.instance.compiled.machine.players < 2:
            continue
        moves = attempt(
            audit, f"seats alike in scope {scope.name}", partial(_alike, audit, scope, asked))
        if moves:
            alike.append(scope)
        elif moves is not None:
            audit.unchecked(
                f"seats in scope {scope.name}", "nobody moves, and the setup is not compared")
    partly = [s.name for s in alike if s.explored.states > MOST or not s.whole]
    wholly = [s.name for s in alike if s.name not in partly]
    far = [scope for scope in alike if scope.explored.states > MOST]
    if far:
        audit.unchecked(
            f"whether all seats are alike in {audit.within(far)} beyond {many(MOST, 'state')}",
            "only the nearest states are compared")
    for scope in alike:
        if not scope.whole:
            audit.unchecked(
                f"whether all seats are alike in scope {scope.name} beyond what was explored",
                f"the exploration met {scope.explored.stop}")
    shown: tuple[tuple[list[str], Method], ...] = ((wholly, "exhaustive"), (partly, "bounded"))
    for but in ("", ORDER):
        for every, method in shown:
            names = [name for name in every if (name in asked) == bool(but)]
            if names:
                audit.holds.append(Holds(
                    "", f"every move treats all seats alike (the setup is not compared{but})",
                    method, ", ".join(names)))


def _alike(audit: Audit, scope: Scoped, asked: set[str]) -> int | None:
    """Count the moves compared; None if one shows that seats differ, and that is added.

    The scope is one of those `asked` if moves differ in who is asked next, as no order is stated.
    """
    instance, program = scope.instance, scope.instance.program.whole
    edges = {edge.id: edge for node in instance.compiled.machine.nodes for edge in node.edges}
    table, compared = Turned(program), 0
    for number, packed in enumerate(scope.exploration.order[:MOST]):
        mine, theirs = table.both_sides(packed)
        compared += len(mine)
        if mine == theirs:
            continue
        state, turned = (program.unpack(each) for each in (packed, table.turn(packed)))
        found = _differ(scope, (mine, theirs), (state, turned))
        if found is None:
            asked.add(scope.name)
            continue
        differ, clauses = found
        moves = scope.exploration.path(number)
        audit.observe(Observation(
            Identity("asymmetry", "".join(clauses[:1]), "seats"), clauses,
            Evidence("witness", "exhaustive", scope.name,
                     plays=(Shown("", play_of(instance, moves)),),
                     position=position_of(instance, state_after(instance, moves)),
                     depth=len(moves), replayed=True,
                     details={"move": edges[differ[0]].label}),
            LEGAL if _only_asked(mine, theirs, differ) else PUBLIC))
        return None
    return compared


def _differ(
    scope: Scoped, ways: tuple[Ways, Ways], states: tuple[State, State]
) -> tuple[Made, tuple[str, ...]] | None:
    """Return the first move that differs, and the clauses at work.

    One in what comes of it is first.  None if all differ in who is asked next alone, by loops over
    players in no stated order, or over all at the same time.
    """
    mine, theirs = ways
    differ = [key for key in dict.fromkeys((*mine, *theirs)) if mine.get(key) != theirs.get(key)]
    seated = _seated(scope)
    for key in sorted(differ, key=lambda each: _only_asked(mine, theirs, each)):
        clauses = _at_work(scope, *states, key)
        if not (_only_asked(mine, theirs, key) and seated & {*clauses}):
            return key, clauses
    return None


def _only_asked(mine: Ways, theirs: Ways, move: Made) -> bool:
    """Return whether a move differs in nothing but who is asked next."""
    return move in mine and move in theirs and mine[move][:2] == theirs[move][:2]


def _seated(scope: Scoped) -> set[str]:
    """Return the clauses that take the players in an order that nobody states, or all at once."""
    return {c for each in scope.instance.compiled.unordered for c in each.clauses
            if each.kind == "loop"} | {
        c.id for c in scope.instance.game.clauses if c.in_force and c.do is not None
        and "simultaneously" in called_in(c.do.statements)}


def _at_work(scope: Scoped, state: State, turned: State, differ: Made) -> tuple[str, ...]:
    """Name the clauses at work in the moves that differ.

    First those on the way that take the players in an order that nobody states, which no turn of
    the table keeps; then whose rule it is that the two sides part at, if they run through different
    rules; then those of one side only, then all.
    """
    judge, machine = scope.instance.interpreter, scope.instance.compiled.machine
    edges = {edge.id: edge for node in machine.nodes for edge in node.edges}
    move = Move(*differ)
    back = Move(move.edge, tuple(
        arg if isinstance(arg, tuple) or param.domain.kind != "player" or arg < 0
        else (arg - 1) % machine.players
        for param, arg in zip(edges[move.edge].params, move.args, strict=True)))
    sides: list[tuple[str, ...]] = []
    ways: list[tuple[int, ...]] = []
    for here, made in ((state, back), (turned, move)):
        step = judge.step(here, made) if made in judge.moves(here) else None
        sides.append(edges[made.edge].clauses if step is None else step.cites)
        ways.append(() if step is None else step.edges)
    one, two = sides
    alone = [c for c in (*one, *two) if (c in one) != (c in two)]
    nodes = {edge.id: node for node in machine.nodes for edge in node.edges}
    passed = [c for way in ways for edge in way for c in nodes[edge].clauses]
    seated = _seated(scope)
    suspects = [c for c in (*passed, *one, *two) if c in seated]
    parting = next((nodes[a].clauses for a, b in zip(*ways, strict=False) if a != b), ())
    return tuple(c for c in dict.fromkeys((*suspects, *parting, *alone, *one, *two))
                 if c and ":" not in c)
