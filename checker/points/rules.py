"""Two rules of any time that one event sets off: where that happens, before either of them acts.

What comes out does not tell whether two rules ever met: the first may end the game, and hide what
the other would have done, and what cannot be done is left out.  So a rule is added for each pair,
which acts before both while both conditions hold, and does nothing but note it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from ...model.game import syntax as sx
from ...model.game.game import PRINTED, Body, Clause, Game
from ...model.game.probes import MARK, failing, marked
from ...model.lowering.compile import compile_game
from ...model.silences.moved import ends
from ..audit.audit import Audit, Meeting
from ..audit.parallel import answers
from ..bench.workbench import Instance
from ..clauses.printed import is_scope
from ..comparison.equivalence import PAIRS
from ..comparison.lockstep import failed
from ..engine.program import Program
from ..findings.evidence import cannot, counted_in, moves_of
from ..findings.shares import Frequency
from ..search.explore import Exploration
from ..search.labels import Label, edge_labels
from ..search.lifting import Showings, shown_along
from ..search.playouts import Sample, sample
from .points import Point


def orders_of(game: Game, point: Point, reading: str) -> dict[str, str]:
    """Return the rulings under which two rules act in the order of a reading, none if it is so.

    No other rule comes before them and ends the game, unless that is stated: then it would never
    be seen which of the two is first.
    """
    made: dict[str, str] = {}
    file = [clause.id for clause in game.clauses]
    for other in game.clauses:
        if (other.id in point.clauses or other.whenever is None or not other.in_force
                or other.do is None or not ends(other.do.statements)):
            continue
        for mine in point.clauses:
            pair = sorted((mine, other.id), key=file.index)
            made["order/" + "/".join(pair)] = "first" if pair[0] == mine else "second"
    return {point.id: reading, **made} if made or reading != point.adopted else {}


def meeting(audit: Audit, point: Point) -> Meeting:
    """Return where two rules meet, in the scopes and in random plays of the printed game."""
    if point.id not in audit.met:
        _note(audit, [point], {name: _met(audit, name, [point]) for name in _games(audit)})
    return audit.met[point.id]


def meet(audit: Audit, points: Sequence[Point]) -> None:
    """Find out where the rules of some points meet: each game is looked at once for all of them."""
    games = _games(audit) if points else []
    some = [*answers(replace(audit, kept=None), partial(_met, points=points), games,
                     lambda name: f"where rules meet in {name}", Mapping)]
    if all(each.value is not None for each in some):  # else each point asks, and tells why not
        _note(audit, points, dict(zip(games, [each.value or {} for each in some], strict=True)))


def _games(audit: Audit) -> list[str]:
    """Name the scopes, and the printed game if it is asked about and is none."""
    names = [scope.name for scope in audit.comparable()]
    return [*names, PRINTED] if audit.of_printed and not is_scope(audit) else names


def _note(
    audit: Audit, points: Sequence[Point], found: Mapping[str, Mapping[str, Meeting]]
) -> None:
    scopes = [scope.name for scope in audit.comparable()]
    for point in points:
        met = found.get(PRINTED, {}).get(point.id, Meeting())
        audit.met[point.id] = replace(met, scopes=tuple(
            name for name in scopes if point.id in found[name]))


def _met(audit: Audit, name: str, points: Sequence[Point]) -> Mapping[str, Meeting]:
    """Return the points whose rules meet in a game, and of the printed game how often, and how."""
    scope = next((scope for scope in audit.comparable() if scope.name == name), None)
    made = _program((audit.printed if scope is None else scope.instance).game, points)
    if made is None:
        return {}
    program, duties = made
    if scope is not None:
        notes = Exploration(program).run(max_states=PAIRS).notes
        return {point: Meeting() for point, duty in duties.items() if duty in notes}
    drawn = sample(program, plays=audit.plays, seed=audit.seed)
    bits = {duty: bit for bit in drawn.flags for duty in program.notes(1 << bit)}
    shown = shown_along(
        program, Sample(first={bit: drawn.first[bit] for bit in bits.values()}), Showings(),
        plays=audit.plays, seed=audit.seed).notes
    names = edge_labels(program.machine)
    found: dict[str, Meeting] = {}
    for point, duty in duties.items():
        often = counted_in(drawn, [bits[duty]] if duty in bits else [])
        play = tuple((*names[move.edge], move.args) for move in shown.get(duty, ())[:-1])
        found[point] = Meeting(often=often, play=play if duty in bits else None)
    return found


def _program(game: Game, points: Sequence[Point]) -> tuple[Program, dict[str, int]] | None:
    """Compile a game that notes where rules meet; return it with the note of each point.

    None if there is nothing to note: one of the two is not in force, or has no condition.
    """
    plain = marked(game)
    known = {clause.id: clause for clause in game.clauses if clause.in_force}
    probes: dict[str, Clause] = {}
    for point in points:
        one, two = (known.get(name) for name in point.clauses)
        if one is not None and two is not None and one.whenever and two.whenever:
            probes[point.id] = _probe(one, two)
    if not probes:
        return None
    machine = compile_game(replace(plain, clauses=(*probes.values(), *plain.clauses))).machine
    duties = {each.clause: each.id for each in machine.obligations if each.about == MARK}
    return Program(machine).whole, {
        point: duties[probe.id] for point, probe in probes.items() if probe.id in duties}


def _probe(one: Clause, two: Clause) -> Clause:
    """Return a rule that acts before two others while the conditions of both hold, and notes it."""
    assert one.whenever is not None
    test, place = one.whenever, one.whenever.at
    for each in (two.whenever, one.when, two.when):
        test = test if each is None else sx.Infix("and", test, each, place)
    return replace(
        one, id=f"{one.id}+{two.id}", whenever=test, when=None, overrides=(), otherwise=None,
        after=(), before=(one.id, two.id), fires="each time",
        do=Body((failing(test),), "", place))


def often_failing(
    audit: Audit, two: tuple[Instance, Instance], play: tuple[Label, ...]
) -> Frequency:
    """Count the random plays in which something fails that fails under one of two orders alone.

    That is what fails on the last move of a play.
    """
    failing = [{name for name, _ in cannot(each, moves_of(each, play))} for each in two]
    found: list[Frequency] = []
    for instance, names in zip(two, failing, strict=True):
        program = instance.program.whole
        drawn = sample(program, plays=audit.plays, seed=audit.seed)
        apart = names - (failing[0] & failing[1])
        found.append(counted_in(
            drawn, [bit for bit in drawn.flags if failed(program, 1 << bit) & apart]))
    return max(found, key=lambda each: (each.seen, each.ci95))
