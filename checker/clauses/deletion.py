"""Clauses that do nothing: never in force, without effect, or covered by others.

A clause is tested by taking it out: if the game without it cannot be told from the game with it, in
any reachable situation of any scope, it does nothing there.  A scope may lack what the clause is
about, so random plays at the printed size must not tell the two apart either, and the report says
so; where Z3 proves the two the same in every state, it says that.  Three cases: it was never in
force (`dead`), it was but changed nothing (`inert`), or it ruled something out that others rule out
too (`redundant`; then one of these suffices, and nothing says which to drop).  What no other
sentence rules out, and is not missed, is `inert`; but of a limit that a forced step breaks it is
asked what holds then, and no more.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import product

from ...model.game import syntax as sx
from ...model.game.game import PRINTED, Clause, Game
from ...model.run.interp import UNPLAYABLE, EndlessRules, SetUpBeyondError
from ...model.silences.silence import called
from ...model.source.errors import SpecErrors, UsageError
from ..audit.audit import Audit
from ..audit.parallel import ask_all
from ..audit.scoped import names_of
from ..bench.meaning import changes_of
from ..bench.workbench import side_by_side
from ..comparison.equivalence import runs_in_play, same_everywhere
from ..findings.observations import Observation
from ..findings.results import TEXT, Class, Evidence, Holds, Identity, Method
from ..search.labels import same_arrays
from .cover import bars_as_much, covers, denies, ever_bars, is_allowed, makers, makes
from .exercise import (
    KEPT_OUT,
    does_something_elsewhere,
    holds_elsewhere,
    noticing,
    nowhere,
    takes_a_place,
)
from .missed import (
    breaks,
    breaks_beside,
    breaks_in,
    end_apart,
    missed,
    missed_at_all,
    missed_in,
    missed_otherwise,
    runs_in,
)
from .printed import at_printed_size, by_so_many, looked

AGAIN = ("another part of the same sentence does the same",
         "the book says it again as a reminder, and the same both times",
         "the book says at least as much again, and one of the two is a reminder")
"""What is told under what holds of a clause that does nothing because its kin do it."""


def run(audit: Audit) -> None:
    """Take out every clause that acts, one at a time."""
    game = audit.printed.game
    audit.passed_over("clauses that do nothing")
    shut = {name for one in audit.observed if one.identity.kind == "shut" for name in one.clauses}
    questions = [clause.id for clause in game.clauses
                 if clause.in_force and acts(clause) and clause.id not in shut
                 and not _only_shuffles(clause)]
    ask_all(audit, without, questions, lambda clause: f"without {clause}",
            about=lambda clause: otherwise_read(audit, (clause,)), prepare=partial(_unite, audit))
    found = {one.identity.clause for one in audit.observed if one.identity.cls in IDLE}
    idle = [clause for clause in game.clauses if clause.id in found]
    pairs = [(a.id, b.id) for i, a in enumerate(idle) for b in idle[i + 1:]
             if alike(a, b) and b not in kin(game, a)]
    about = partial(otherwise_read, audit)
    ask_all(audit, without_all, pairs, _without, about=about, prepare=partial(_unite, audit))
    enough = {name for one in audit.observed if one.identity.kind == "pair" for name in one.clauses}
    left = [clause for clause in idle if clause.id not in enough]
    groups = {tuple(b.id for b in left if b is a or alike(a, b)): None for a in left}
    ask_all(audit, without_all, [each for each in groups if len(each) > 2], _without, about=about,
            prepare=partial(_unite, audit))


def _unite(audit: Audit, _: object) -> None:
    """Compile what the clauses are taken out of; also their questions, if these are asked anew."""
    audit.bench.narrow(())
    audit.bench.unite([*(one.name for one in audit.comparable()), audit.bench.settings.scope], {})


def otherwise_read(audit: Audit, clauses: Sequence[str]) -> list[object]:
    """Give the questions about clauses that are findings, and what their readings change."""
    return [(one.question, changes_of(audit.bench, one.question.point,
                                      [reading.id for reading in one.readings if reading.apart]))
            for one in (*audit.known, *audit.observed)
            if one.question is not None and not {*clauses}.isdisjoint(one.clauses)]


def _without(names: tuple[str, ...]) -> str:
    return f"without {', '.join(names[:-1])} and {names[-1]}"


IDLE: tuple[Class, ...] = ("dead-clause", "inert-clause", "redundant-clause")


def alike(first: Clause, second: Clause) -> bool:
    """Return whether two clauses act at the same point, so that one may stand in for the other.

    A limit stands wherever something is done.
    """
    if first.always is not None or second.always is not None:
        return True
    if first.whenever is not None or second.whenever is not None:
        return first.whenever is not None and second.whenever is not None
    return first.on.split(".")[0] == second.on.split(".")[0]


def without_all(audit: Audit, names: tuple[str, ...]) -> None:
    """Take out clauses of which none is missed alone; if they are missed, any of some is enough."""
    missed = _told(audit, names)
    if missed and len(names) > 2:
        names = tuple(name for name in names if _told(
            audit, tuple(other for other in names if other != name)) is False)
    if not missed or len(names) < 2:
        return
    audit.observe(Observation(
        Identity("redundant-clause", "+".join(names), "pair"), names,
        Evidence("coverage", audit.reach(), names_of(audit.comparable()), replayed=False,
                 core=names, mode=by_so_many(audit, proved=False)), TEXT,
        said=looked(audit, proved=False)))


def _told(audit: Audit, names: tuple[str, ...]) -> bool | None:
    """Return whether taking out clauses changes the game in some scope; None if that is not known.

    Without a clause that names a card of which there is none, the card has no place.
    """
    found: bool | None = False
    for scope in audit.comparable():
        try:
            other = audit.bench.instance(scope.name, changes=({"drop": list(names)},))
            one, two = side_by_side(scope.instance, other)
            same = same_everywhere(one, two)
        except UNPLAYABLE:
            return None
        if same is False and same_arrays(one.machine, two.machine):
            return True
        found = None if same is None else found
    return found


def acts(clause: Clause) -> bool:
    """Return whether a clause has an effect of its own that could be missed.

    What is bookkeeping of the encoding is no sentence of the book that somebody could take out.
    """
    if clause.define or clause.claim is not None or clause.example is not None or (
            "*" in clause.internal):
        return False
    return (clause.do is not None or clause.always is not None or clause.ensure is not None
            or bool(clause.must) or (clause.kind == "forbid" and bool(clause.on)))


def _only_shuffles(clause: Clause) -> bool:
    """Return whether all that a clause does is to shuffle, and nobody chooses to.

    Without it cards would lie in an order that somebody knows: a deck of the encoding never does.
    """
    does = () if clause.do is None else clause.do.statements
    return bool(does) and not clause.option and all(
        isinstance(each, sx.Do) and called(each) == "shuffle" for each in does)


def without(audit: Audit, name: str) -> None:
    """Take out one clause."""
    clause = next(c for c in audit.printed.game.clauses if c.id == name)
    whole = True
    change = {"drop": [clause.id]}
    for scope in noticing(audit, clause):
        try:
            other = audit.bench.instance(scope.name, changes=(change,))
            one, two = side_by_side(scope.instance, other)
            same = same_everywhere(one, two)
        except (SpecErrors, UsageError):
            audit.unchecked(
                f"whether {clause.id} does anything", "other entries of the spec need it")
            return
        except SetUpBeyondError as error:
            audit.unchecked(f"whether {clause.id} does anything", f"without it {error}")
            return
        except EndlessRules:
            return
        if same is False:
            if not same_arrays(one.machine, two.machine):
                audit.unchecked(
                    f"whether {clause.id} does anything",
                    "without it there is no place for a card that it alone names")
            return
        whole = whole and same is True
    if not whole:
        audit.unchecked(
            f"whether {clause.id} does anything", "not everything was explored")
        return
    if clause.ensure is not None and _ever_fails(audit, clause):
        return
    if missed_otherwise(audit, clause):
        return
    again, reminders = _said_again(audit, clause)
    if again:
        audit.holds.append(Holds(
            clause.id, again, audit.reach(), names_of(audit.comparable()), idle=True))
        return
    _at_printed_size(audit, clause, reminders)


def kin(game: Game, clause: Clause) -> tuple[Clause, ...]:
    """List the other parts of a clause's sentence, and what the book says again in other words.

    Clauses that cite the same lines and sentences are parts of one; of which a clause is a reminder
    the spec says (`restates`).
    """
    def belongs(other: Clause) -> bool:
        same = clause.lines is not None and (
            clause.lines, clause.sentences) == (other.lines, other.sentences)
        return same or clause.reminds(other)

    return tuple(other for other in game.clauses if other.id != clause.id and other.in_force
                 and acts(other) and belongs(other))


def _said_again(audit: Audit, clause: Clause) -> tuple[str, tuple[str, ...]]:
    """Say that a clause does nothing only because its kin do it; "" if that is not so.

    Without its kin it is missed: one sentence that was written down in parts, or a reminder.  Also
    reminders of it are named that do what it does, and more: that is no reminder.  One that rules
    out more, and not all of it, is not named: it takes other sentences to do what this one does.
    """
    others = kin(audit.printed.game, clause)
    if clause.ensure is not None:
        made = [other for other in others if other.do is not None and makes(audit, other, clause)]
        return (AGAIN[2 * any(clause.reminds(other) for other in made)] if made else ""), ()
    again = tuple(other for other in others if clause.reminds(other))
    sets = dict.fromkeys((again, others, *((other,) for other in others)))
    scopes = {scope.name: scope for each in (clause, *others) for scope in noticing(audit, each)}
    for some, scope in product(filter(None, sets), scopes.values()):
        if missed(audit, scope, clause, gone=[other.id for other in some]):
            if not any(clause.reminds(other) for other in some):
                return AGAIN[0], ()
            if some != again or clause.restates:
                return as_reminded(audit, again), ()
            more = [other.id for other in again if _told(audit, (other.id,))]
            if not more:
                return as_reminded(audit, again), ()
            return "", tuple(name for name in more if bars_as_much(audit, name, clause))
    return "", ()


def as_reminded(audit: Audit, again: Sequence[Clause]) -> str:
    """Say of what does nothing beside reminders whether these do something without it."""
    return AGAIN[2 if _told(audit, tuple(other.id for other in again)) is not False else 1]


def _at_printed_size(audit: Audit, clause: Clause, reminders: tuple[str, ...]) -> None:
    """Look at the printed game, unless that is what was explored, and report."""
    ran = clause.id in audit.ran()
    shown = at_printed_size(audit, audit.bench.instance(
        "printed", changes=({"drop": [clause.id]},)))
    if shown.play is not None:
        return
    ran = ran or runs_in_play(
        audit.printed.program, clause.id, seed=audit.seed, plays=audit.plays)
    if does_something_elsewhere(audit, clause, partial(missed_in, audit, clause)):
        return
    if not ran and does_something_elsewhere(audit, clause, partial(runs_in, audit, clause)):
        audit.unchecked(
            f"whether {clause.id} does anything",
            "it applies in a mode or with a number of players that was only played at random")
        return
    if ran and clause.overrides and not shown.proved and not takes_a_place(audit, clause):
        audit.unchecked(f"whether {clause.id} does anything", nowhere(
            audit, f"where it takes the place of {' or '.join(clause.overrides)}, that would do "
            "nothing", audit.comparable()))
        return
    _report(audit, clause, reminders, ran=ran, proved=shown.proved)


def _ever_fails(audit: Audit, clause: Clause) -> bool:
    """Return whether what the clause requires was ever found not to be so."""
    return any(
        duty.clause == clause.id and duty.id in scope.exploration.result().notes
        for scope in audit.scopes for duty in scope.instance.compiled.machine.obligations)


def _ever_breaks(audit: Audit, limit: Clause, others: Sequence[str]) -> bool:
    """Return whether a limit is ever broken by force, where it is not left to others to tell."""
    if others:
        return breaks_beside(audit, limit, others)
    return breaks(audit, limit) or does_something_elsewhere(
        audit, limit, partial(breaks_in, audit, limit))


def _report(
    audit: Audit, clause: Clause, reminders: tuple[str, ...], *, ran: bool, proved: bool
) -> None:
    cls: Class = "inert-clause" if ran else "dead-clause"
    bars = clause.do is None or clause.ensure is not None or clause.always is not None
    others = reminders
    if reminders:
        cls = "redundant-clause"
    elif bars:
        cls = "redundant-clause" if ever_bars(audit, clause) else "dead-clause"
    if cls == "redundant-clause" and not others:
        others = (makers if clause.ensure is not None else covers)(audit, clause)
    if clause.always is not None and _ever_breaks(audit, clause, others):
        return
    kept = _is_kept_out(audit, clause, cls)
    if (why := KEPT_OUT if kept else _no_defect(audit, clause, cls, others)):
        audit.holds.append(Holds(
            clause.id, why, audit.reach(), names_of(audit.comparable()), idle=kept))
        return
    if cls == "redundant-clause" and not others:
        cls = "inert-clause"
    proved = proved and cls != "dead-clause" and not reminders  # what was seen, and not proved
    names = PRINTED if proved else names_of(audit.comparable())
    method: Method = "proof" if proved else audit.reach()
    clauses = (clause.id, *others)
    ends = not proved and not bars and end_apart(audit, lambda scope: side_by_side(
        scope.instance, audit.bench.instance(scope.name, changes=({"drop": [clause.id]},))))
    audit.observe(Observation(
        Identity(cls, clause.id, "clause"), clauses,
        Evidence("coverage", method, names, replayed=False, core=clauses,
                 mode=by_so_many(audit, proved=proved)), TEXT,
        said={"bars": bars, "always": clause.ensure is not None, "reminders": bool(reminders),
              "ends": ends, "allowed": bars and is_allowed(audit, clause), **looked(audit, proved),
              "more": clause.ensure is None and _do_more(audit, others)}))


def _do_more(audit: Audit, others: tuple[str, ...]) -> bool | None:
    """Return whether clauses that cover another one are missed where that stands; None: unknown."""
    more = _told(audit, others)
    return any(missed_at_all(audit, each) for each in audit.printed.game.clauses
               if each.id in others) if more is False else more


def _is_kept_out(audit: Audit, clause: Clause, cls: Class) -> bool:
    """Return whether a clause forbids an option that is offered only where it leaves that."""
    return (cls == "dead-clause" and clause.kind == "forbid" and clause.when is not None
            and holds_elsewhere(audit, clause))


def _no_defect(audit: Audit, clause: Clause, cls: Class, makers: tuple[str, ...]) -> str:
    """Say why it is no defect of the book that a clause does nothing; "" if it is one."""
    others = [other for other in audit.printed.game.clauses if other.in_force
              and other.do is not None and other.on == clause.on]
    if cls == "inert-clause" and clause.on and any(denies(clause, other) for other in others):
        return "it names the other case of another sentence, in which nothing is done"
    if cls == "redundant-clause" and clause.ensure is not None and not makers:
        return "it is always so, and no other sentence sees to it: a check of the encoding"
    return ""
