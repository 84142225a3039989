"""Where a clause, or a change of clauses, can make a difference at all: what exploration covered.

A complete exploration takes every legal move and runs every body whose turn comes.  What it never
ran cannot be missed there when it is taken out, nor can it be told from another text of the same
body; so the scope need not be explored again.

And where nothing showed: whether it could have (`missing`).  That two texts come to the same where
neither was ever asked is no verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from typing import Any

from ...model.game import syntax as sx
from ...model.game.game import PRINTED, Clause, Game
from ...model.game.probes import BODIES, MARK, marked, noted, reaching, replacing
from ...model.game.uses import closure, mentions
from ...model.lowering.compile import compile_game
from ...model.machine.core import TRUE, Expr, Local
from ...model.machine.simplify import binary, both, reduce
from ...model.rules.elaborate import Elaborator, condition
from ...model.rules.meanings import Failed, Names
from ...model.run.interp import UNPLAYABLE
from ...model.source.errors import Reporter, SpecErrors
from ..audit.audit import Audit
from ..audit.scoped import Scoped
from ..bench.meaning import MARKS
from ..bench.modes import Setting, played_as
from ..bench.workbench import Instance
from ..comparison.equivalence import PAIRS, runs_in_play, same_everywhere, same_in_play
from ..engine.program import Program
from ..search.explore import Exploration
from ..search.playouts import met, sample

BODY = frozenset({"do", "otherwise", "says", "uses", "fires"})
"""The fields of a clause that do nothing where its body does not run."""
OF_CLAUSES = frozenset({"id", "title", "changes", "drop"})
"""What a reading may hold if all that it does is to change or take out clauses."""
CONDITIONS = frozenset({"when", "whenever", "ensure", "always"})
"""The fields of a clause that say when something holds."""
TEXTS = frozenset({"id", "says", "place", "lines", "sentences", "uses", "internal", "why",
                   "restates", "missing", *MARKS})
"""Those in which there are no rules."""
FEWEST = 4
"""Scopes in which it is looked whether a body does something else."""
TRIED = 200
"""Random plays of the printed game in which two conditions are held against each other."""


def missing(audit: Audit, changed: Callable[[str], Game]) -> str:
    """Say what never came up, so that a change of the rules could not show; "" if all did.

    `changed` gives the game of a scope as it is changed, or the printed one; all are looked at.

    Raises:
        SpecErrors: if the changed game makes no sense.

    """
    def runs(name: str) -> bool:
        return any(ran(scope, name) for scope in audit.comparable()) or runs_in_play(
            audit.printed.program, name, seed=audit.seed, plays=audit.plays)

    pairs = list(_changed(audit.printed.game, changed(PRINTED)))
    bodies: list[str] = []
    unknown = False
    for old, new, names in pairs:
        conditions = names & CONDITIONS
        apart = _apart(audit, old, new, conditions) if conditions else False
        if apart:
            return ""
        unknown = unknown or apart is None
        if names & BODIES:
            bodies.append(new.id)
        elif not conditions and runs(new.id):
            return ""
    if not pairs:
        return "" if _acts(audit, changed(PRINTED)) else (
            f"nothing that it adds or leaves out ever runs in {audit.plays} at the printed size")
    if bodies and _otherwise(audit, changed, bodies):
        return "" if _comes_through(audit, bodies) else nowhere(
            audit, "no situation comes up in which what it changes runs and no bound of the model "
            "is met", _where(audit, bodies))
    if unknown:
        return "whether its condition ever comes out differently could not be looked at"
    if all(names <= CONDITIONS for _, _, names in pairs):
        return nowhere(audit, "no situation in which the conditions differ comes up",
                       audit.comparable())
    if any(map(runs, bodies)):
        return nowhere(audit, "no situation in which they do different things comes up",
                       _where(audit, bodies))
    if not bodies and all(new.define for _, new, _ in pairs):
        return "whether what it defines ever comes out differently could not be looked at"
    return nowhere(audit, "nothing that it changes ever runs", audit.comparable())


def nowhere(audit: Audit, what: str, scopes: Sequence[Scoped]) -> str:
    """Say that something never comes up, and where it was looked for."""
    if not audit.of_printed:
        return f"{what} in {audit.within(scopes)}"
    names = f"{audit.within(scopes)}, nor in " if scopes else ""
    return f"{what} in {names}{audit.plays} at the printed size"


def _acts(audit: Audit, other: Game) -> bool:
    """Return whether a clause that one of two games has alone runs in random plays of that game."""
    here, there = ({clause.id for clause in game.clauses if clause.in_force}
                   for game in (audit.printed.game, other))

    def plays(program: Program, names: set[str]) -> bool:
        return any(runs_in_play(program, name, seed=audit.seed, plays=audit.plays)
                   for name in sorted(names))

    return plays(audit.printed.program, here - there) or (
        bool(there - here) and plays(Program(compile_game(other).machine), there - here))


def _otherwise(audit: Audit, changed: Callable[[str], Game], bodies: Sequence[str]) -> bool:
    """Return whether a body ever does something else than before, in plays or in some scopes.

    Where all of the printed game was explored there is nothing else that could come up; where a
    bound of the model cut it, there may be.
    """
    def differs(old: Game, new: Game) -> tuple[Program, set[int]]:
        known = {clause.id: clause for clause in old.clauses}
        for exactly in (True, False):
            game = replace(marked(new), clauses=tuple(
                noted(known[each.id], each, exactly=exactly) if each.id in bodies
                and each.id in known else each for each in new.clauses))
            with suppress(SpecErrors):
                machine = compile_game(game).machine
                return Program(machine), {
                    each.id for each in machine.obligations if each.about == MARK}
        return Program(compile_game(new).machine), set()

    if any(scope.name == PRINTED and scope.whole for scope in audit.comparable()):
        return True
    program, notes = differs(audit.printed.game, changed(PRINTED))
    drawn = sample(program.whole, plays=audit.plays, seed=audit.seed)
    if any(notes.intersection(program.whole.notes(1 << bit)) for bit in drawn.first):
        return True
    for scope in _where(audit, bodies):
        program, notes = differs(scope.instance.game, changed(scope.name))
        if notes & Exploration(program).run(max_states=PAIRS).notes.keys():
            return True
    return False


def _comes_through(audit: Audit, bodies: Sequence[str]) -> bool:
    """Return whether one of some bodies ever runs on a move that meets no bound of the model.

    On others nothing is compared.
    """
    scopes = _where(audit, bodies)
    if not audit.drawn.beyond and all(scope.whole or not scope.finished for scope in scopes):
        return True

    def begun(game: Game) -> tuple[Program, Callable[[bytes], bool]]:
        made, test = reaching(game, bodies)
        program = Program(compile_game(made).machine).whole
        return program, program.predicate(condition(made, test))

    for scope in scopes:
        program, holds = begun(scope.instance.game)
        explored = Exploration(program)
        explored.run(max_states=PAIRS)
        if scope.whole or any(map(holds, explored.order)):
            return True
    return met(*begun(audit.printed.game), plays=audit.plays, seed=audit.seed) is not None


def _where(audit: Audit, bodies: Sequence[str]) -> list[Scoped]:
    """Return some scopes in which one of some bodies ran."""
    return [scope for scope in audit.comparable()
            if any(ran(scope, name) for name in bodies)][:FEWEST]


def _changed(game: Game, other: Game) -> Iterator[tuple[Clause, Clause, frozenset[str]]]:
    """Yield the clauses that two games have in other words, with the fields that differ."""
    known = {clause.id: clause for clause in game.clauses}
    for new in other.clauses:
        old = known.get(new.id)
        if old is not None and old is not new and (names := frozenset(
                each.name for each in fields(new)
                if getattr(old, each.name) != getattr(new, each.name)) - TEXTS):
            yield old, new, names


def _apart(audit: Audit, old: Clause, new: Clause, names: frozenset[str]) -> bool | None:
    """Return whether somewhere one form of some conditions holds, and the other one does not.

    Of an option that is so where it could be taken, for whoever decides there, and some of what may
    be chosen.  None: the conditions speak of what is known only where they are asked.
    """
    def differs(game: Game, program: Program) -> Callable[[bytes], bool]:
        elab, rests = Elaborator(game, Reporter()), program.layout.rests
        nodes = {node.id: node.by for node in program.machine.nodes if new.option and any(
            new.id in edge.clauses for edge in node.edges)}
        if not nodes:
            every = [program.predicate(_unlike(elab, old, new, name, None))
                     for name in sorted(names)]
            return lambda state: any(test(state) for test in every)
        tests = {node: [program.predicate(_unlike(elab, old, new, name, by))
                        for name in sorted(names)] for node, by in nodes.items()}
        return lambda state: any(test(state) for test in tests.get(rests[program.rank(state)], ()))

    return _comes_up(audit, differs)


def _comes_up(
    audit: Audit, made: Callable[[Game, Program], Callable[[bytes], bool]]
) -> bool | None:
    """Return whether a situation of a scope, or of some plays of the printed game, is such a one.

    `made` is made for each game.  None: the printed game lacks something of which it speaks.
    """
    for scope in audit.comparable():
        with suppress(Failed):
            if any(map(made(scope.instance.game, scope.instance.program),
                       scope.exploration.order)):
                return True
    program = audit.printed.program.whole
    with suppress(Failed):
        return met(program, made(audit.printed.game, program),
                   plays=audit.plays.so_many(TRIED), seed=audit.seed) is not None
    return None


def _unlike(elab: Elaborator, old: Clause, new: Clause, name: str, by: Expr | None) -> Expr:
    """Return the condition that two forms of a condition come out differently.

    Of an option that is asked for who acts, `by`; None: for anybody.

    Raises:
        Failed: if they speak of something that is known only where they are asked.

    """
    every = sx.Name("players", new.place)
    step = elab.game.steps.get(new.on)
    given: list[tuple[str, sx.Expr]] = [("actor", every), *new.params] if new.option else [
        (each, every) for each, ty in (step.params if step else {}).items() if ty.kind == "player"]
    scope, around = Names({}), []
    for each, domain in given:
        about = domain if isinstance(domain, sx.Generator) else sx.Generator(
            sx.Name(each, new.place), each, domain, (), new.place)
        over, var, where, inside, _ = elab.generator(about, scope)
        scope = scope.bind(each, elab.value(about.element, inside))
        mine = TRUE if by is None or each != "actor" else binary("==", Local(var), by)
        around.append((var, over.size, both(where, mine)))
    one, two = (TRUE if (tree := getattr(each, name)) is None else elab.guard(tree, scope)
                for each in (old, new))
    made = binary("!=", one, two)
    for var, size, where in reversed(around):
        made = reduce("any", var, size, where, made)
    return made


KEPT_OUT = "the option is offered only where this leaves it"
"""What is told under what holds of a ban that nothing else needs, for all that is offered."""


def holds_elsewhere(audit: Audit, clause: Clause) -> bool:
    """Return whether a ban on an option that never comes up would, were the option offered more.

    That is in another window, or of all that its parameters choose among.  Then it is the sentence
    that keeps the option out of there, and not what never is.
    """
    window, _, option = clause.on.partition(".")
    assert clause.when is not None
    denied = sx.Prefix("not", clause.when, clause.when.at)

    def holding(game: Game, program: Program) -> Callable[[bytes], bool]:
        elab, rests = Elaborator(game, Reporter()), program.layout.rests
        taken = next((each for each in game.clauses if option and each.on == window
                      and each.option == option), clause)
        params = tuple((name, replace(domain, where=()) if isinstance(domain, sx.Generator)
                        else domain) for name, domain in taken.params)
        banned = replace(taken, option=option or "any", params=params, when=denied)
        tests = {node.id: program.predicate(
            _unlike(elab, replace(banned, when=None), banned, "when", node.by))
            for node in program.machine.nodes if node.kind == "decide" and node.by is not None
            and node.step in game.windows}
        return lambda state: (here := tests.get(rests[program.rank(state)])) is not None and (
            here(state))

    return _comes_up(audit, holding) is True


def takes_a_place(audit: Audit, clause: Clause) -> bool:
    """Return whether a clause ever acts where one that it overrides would have acted.

    Elsewhere it makes no difference whether it is there.
    """
    found = replacing(audit.printed.game, clause)
    if found is None:
        return True
    game, probe = found
    if runs_in_play(Program(compile_game(game).machine), probe, seed=audit.seed,
                    plays=audit.plays):
        return True
    for scope in audit.comparable():
        mine = scope.instance.game.clause(clause.id)
        made = replacing(scope.instance.game, mine) if mine and ran(scope, clause.id) else None
        if made is not None:
            tried = Exploration(Program(compile_game(made[0]).machine), cover=True)
            covered = tried.run(max_states=PAIRS).coverage
            if covered is not None and probe in covered.clauses:
                return True
    return False


def does_something_elsewhere(
    audit: Audit, clause: Clause, differs: Callable[[Instance], bool]
) -> bool:
    """Return whether something that shows in no scope does in another mode or number of players.

    If the clause that it is about speaks of modes, the game without the chosen ones is one.
    `differs` is asked of the printed game in each mode; what makes no sense there is passed over.
    """
    if not audit.of_printed:
        return False
    for modes, players in _elsewhere(audit, clause):
        with suppress(*UNPLAYABLE):
            if differs(audit.bench.instance(PRINTED, variants=modes, players=players)):
                return True
    return False


def _elsewhere(audit: Audit, clause: Clause) -> Iterator[Setting]:
    """Yield how else the printed game is played: last, what takes longest to go through."""
    first = played_as(audit.bench)
    yield from first
    modes = "variant" in closure(audit.printed.game, mentions(clause))
    yield from (each for each in played_as(audit.bench, every=True, without=modes)
                if each not in first)


def differ_elsewhere(audit: Audit, one: Program, two: Program, *, duties: bool = False) -> bool:
    """Return whether two games in another mode or number of players can be told apart.

    In random plays; and in all situations, where the game as it is chosen was explored so.
    """
    if not same_in_play(one, two, seed=audit.seed, duties=duties, plays=audit.plays):
        return True
    return audit.explored_printed is not None and same_everywhere(one, two, duties=duties) is False


def noticing(audit: Audit, clause: Clause) -> list[Scoped]:
    """List the scopes in which taking out a clause may be noticed, those where it runs first."""
    scopes = [scope for scope in audit.comparable() if may_be_missed(scope, clause)]
    return sorted(scopes, key=lambda scope: not ran(scope, clause.id))


def ran(scope: Scoped, clause: str) -> bool:
    """Return whether a clause's body ran, or its option was taken."""
    return clause in scope.covered.clauses


def may_be_missed(scope: Scoped, clause: Clause) -> bool:
    """Return whether taking out a clause could change anything in a scope."""
    means = bool(clause.overrides or clause.define)
    if not scope.finished or means or ran(scope, clause.id):
        return True
    judges = clause.ensure is not None or clause.always is not None or clause.kind == "forbid"
    if judges or clause.must:
        return clause.always is not None or entered(scope, clause.on.split(".")[0])
    return False


def entered(scope: Scoped, name: str) -> bool:
    """Return whether play came to a step or a window."""
    taken = scope.covered.edges
    return any(edge.id in taken for node in scope.instance.compiled.machine.nodes
               if node.step == name for edge in node.edges)


def may_differ(scope: Scoped, reading: Mapping[str, Any], clauses: Mapping[str, Clause]) -> bool:
    """Say whether a reading (a list of changes, as the spec gives it) could matter in a scope."""
    if not scope.finished or not reading.keys() <= OF_CLAUSES:
        return True
    dropped = [clauses.get(name) for name in reading.get("drop") or ()]
    if any(clause is None or may_be_missed(scope, clause) for clause in dropped):
        return True
    changes: Mapping[str, Any] = reading.get("changes") or {}
    return any(
        name not in clauses or not set(fields) <= BODY or ran(scope, name)
        for name, fields in changes.items())
