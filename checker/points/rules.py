"""Two rules of any time that one event sets off: where that happens, before either of them acts.

What comes out does not tell whether two rules ever met: the first may end the game, and hide what
the other would have done, and what cannot be done is left out.  So a rule is added for each pair,
which acts before both while both conditions hold, and does nothing but note it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ...model.game import syntax as sx
from ...model.game.game import Body
from ...model.game.probes import MARK, failing, marked
from ...model.lowering.compile import compile_game
from ...model.silences.moved import ends
from ..comparison.equivalence import PAIRS
from ..comparison.lockstep import failed
from ..engine.program import Program
from ..findings.evidence import cannot, moves_of
from ..findings.shares import Frequency
from ..search.explore import Exploration
from ..search.labels import edge_labels
from ..search.lifting import Showings, shown_along
from ..search.playouts import Sample, interval, sample

if TYPE_CHECKING:
    from ...model.game.game import Game
    from ..bench.workbench import Instance
    from ..judge.audit import Audit, Scoped
    from ..search.labels import Label
    from .points import Point


@dataclass(frozen=True, slots=True)
class Meeting:
    """Where the conditions of two rules hold at once as one of them is set off.

    `often` is how many random plays of the printed game come to it, None if the printed game is a
    scope; `play` are the moves to the situation before the first of these.
    """

    scopes: tuple[Scoped, ...] = ()
    often: Frequency | None = None
    play: tuple[Label, ...] | None = None

    @property
    def seen(self) -> bool:
        """Whether it ever happens."""
        return bool(self.scopes) or bool(self.often and self.often.seen)


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
    """Look in the scopes and in random plays of the printed game for where two rules meet."""
    scopes = tuple(
        scope for scope in audit.comparable()
        if {clause.id for clause in scope.instance.game.clauses if clause.in_force}.issuperset(
            point.clauses) and _meets(scope, point))
    printed = audit.printed.game
    if any(scope.name == printed.settings.scope for scope in audit.comparable()):
        return Meeting(scopes)
    made = _program(printed, point)
    if made is None:
        return Meeting(scopes)
    program, duty = made
    drawn = sample(program, plays=audit.plays.many, longest=audit.plays.longest, seed=audit.seed)
    seen = 0
    play: tuple[Label, ...] | None = None
    for bit, many in drawn.flags.items():
        if duty in program.notes(1 << bit):
            seen = many
            shown = shown_along(program, Sample(first={bit: drawn.first[bit]}), Showings(),
                                longest=audit.plays.longest, seed=audit.seed).notes.get(duty, ())
            names = edge_labels(program.machine)
            play = tuple((*names[move.edge], move.args) for move in shown[:-1])
    return Meeting(scopes, Frequency(drawn.plays, seen, interval(seen, drawn.plays)), play)


def _meets(scope: Scoped, point: Point) -> bool:
    made = _program(scope.instance.game, point)
    return made is not None and made[1] in Exploration(made[0]).run(max_states=PAIRS).notes


def _program(game: Game, point: Point) -> tuple[Program, int] | None:
    """Compile a game that notes where two rules meet; return it with the number of the note.

    None if one of the two has no condition of its own, or nothing sets both off.
    """
    one, two = (clause for clause in game.clauses if clause.id in point.clauses)
    if one.whenever is None or two.whenever is None or not (one.in_force and two.in_force):
        return None
    plain = marked(game)
    place = one.whenever.at
    test = one.whenever
    for each in (two.whenever, one.when, two.when):
        test = test if each is None else sx.Infix("and", test, each, place)
    probe = replace(
        one, id=f"{one.id}+{two.id}", whenever=test, when=None, overrides=(), otherwise=None,
        after=(), before=point.clauses, fires="each time", do=Body((failing(test),), "", place))
    machine = compile_game(replace(plain, clauses=(probe, *plain.clauses))).machine
    duty = next((each.id for each in machine.obligations if each.about == MARK), None)
    return None if duty is None else (Program(machine).whole, duty)


def often_failing(
    audit: Audit, two: tuple[Instance, Instance], play: tuple[Label, ...]
) -> Frequency:
    """Count the random plays in which something fails that fails under one of two orders alone.

    That is what fails on the last move of a play.
    """
    failing = [{name for name, _ in cannot(each, moves_of(each, play))} for each in two]
    seen = 0
    for instance, names in zip(two, failing, strict=True):
        program = instance.program.whole
        drawn = sample(program, plays=audit.plays.many, longest=audit.plays.longest,
                       seed=audit.seed)
        apart = names - (failing[0] & failing[1])
        seen = max(seen, *(many for bit, many in drawn.flags.items()
                           if failed(program, 1 << bit) & apart), 0)
    return Frequency(audit.plays.many, seen, interval(seen, audit.plays.many))
