"""Rules of any time that can act only once for each change of their condition."""

from __future__ import annotations

from ..lowering.compile import Compiled
from ..planning.planner import Planner
from ..rules.elaborate import Elaborator
from ..rules.meanings import Failed, Names
from ..rules.plan import Atomic, Finish, Owe, Sentence, Target
from ..run.evaluate import evaluate
from ..run.shape import NOTHING, shape_of
from ..source.errors import Reporter


def why_once(compiled: Compiled, name: str) -> str:
    """Say why a rule acts as soon as its condition holds, and never again, or give "".

    That is so if it always ends the game, interrupts, and does not hold from the start.
    """
    planner = Planner(Elaborator(compiled.game, Reporter()))
    clause = next(each for each in compiled.game.clauses if each.id == name)
    if clause.timing == "after the step" or clause.whenever is None:
        return ""
    try:
        sentence: Sentence = planner.trigger(Target(name, rule=True))[0]  # type: ignore[assignment]
        holds = planner.elab.guard(clause.whenever, Names({}))
    except Failed:
        return ""
    machine = compiled.machine
    start = machine.start_values
    for plan in sentence.plans:
        if isinstance(plan, Finish):
            held = evaluate(shape_of(machine), start, holds, NOTHING)
            return "" if held else "the game ends as soon as its condition holds"
        if not isinstance(plan, Atomic | Owe) or (isinstance(plan, Owe) and plan.abandon):
            return ""
    return ""
