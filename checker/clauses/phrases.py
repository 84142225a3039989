"""Phrases that do nothing: parts of a condition without which the game is the same.

Each phrase of each clause (`model/game/phrases`) is left out, and the game without it compared with
the game.  Many phrases matter only in situations that a small scope does not have, so a phrase is
reported only if

- Z3 proves the machine without it the same at the printed size (`model/solver/equality`), in every
  state;
- or no reachable situation of the complete scopes tells the two apart, and either one of these is
  the printed game, or both values of the phrase were seen to count there (the condition made of the
  phrase alone is neither always true nor always false), and random plays at the printed size do not
  tell them apart either.

Where a condition is asked, it must come out the same; that a later clause undoes what came of it is
not enough.  What is true only of the cards at hand is not reported: with the attributes dealt to
other cards the phrase must still do nothing.  Nor is what keeps a sentence from asking for a value
that is not there (`x != none`), or an option out of where it is not offered.  Two phrases of a
clause may each do nothing as long as the other one stands; then the smallest sets that suffice are
named.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations

from ...model.game import phrases as parts
from ...model.game import syntax as sx
from ...model.game.game import PRINTED, Clause, Family, Game
from ...model.game.phrases import Phrase
from ...model.game.probes import probed
from ...model.game.uses import card_values, closure, names_in
from ...model.lowering.compile import compile_game
from ...model.run.interp import UNPLAYABLE, EndlessRules
from ...model.solver.equality import proved_same
from ...model.source.errors import SpecErrors, UnfitModeError, UsageError
from ..audit.audit import Absence, Audit
from ..audit.parallel import ask_all
from ..audit.scoped import Scoped, names_of
from ..bench.family import GameFamily
from ..bench.workbench import Instance
from ..comparison.equivalence import same_everywhere, same_in_play
from ..engine.program import Program
from ..findings.observations import Observation
from ..findings.results import TEXT, Evidence, Holds, Identity, Method
from ..search.playouts import Plays
from .deletion import as_reminded, kin
from .exercise import (
    KEPT_OUT,
    differ_elsewhere,
    does_something_elsewhere,
    holds_elsewhere,
    ran,
)
from .missed import end_apart
from .printed import by_so_many, looked

MOST = 4
"""Idle phrases of one clause of which all sets are tried."""
FIRST = Plays(12)
"""Random plays with the attributes dealt anew."""
NUMBER = ("it speaks of how many play, and with other numbers nothing was seen to hang on it, nor "
          "proved that nothing does")
"""Why nothing is said of a phrase that one number of players makes true or false in any case."""
SHUFFLES = 2
"""How often the attributes of the cards are dealt anew."""


def run(audit: Audit) -> None:
    """Leave out the phrases of every clause that does something, one at a time.

    A clause that does nothing as a whole is told so; that its phrases do nothing says no more.
    """
    game = audit.printed.game
    idle = {c for one in audit.observed for c in one.clauses
            if one.identity.cls in ("dead-clause", "inert-clause", "redundant-clause")}
    idle |= {each.clause for each in audit.holds if each.idle}
    questions = [c.id for c in game.clauses if c.in_force and c.id not in idle and asked(game, c)
                 and "*" not in c.internal]
    probes = Probes(game, questions)
    ask_all(audit, lambda audit, clause: phrases(audit, probes, clause), questions,
            lambda clause: f"phrases of {clause}", lost=_of)


def _of(clause: str) -> Absence:
    return {"left": "phrases", "clauses": (clause,)}


class Probes:
    """A game, and what differs from it if a phrase does something, compiled as one family."""

    def __init__(self, game: Game, clauses: Sequence[str]) -> None:
        self.game = game
        games = [probed(game, clause.id, (phrase,))
                  for clause in game.clauses if clause.id in clauses
                  for phrase in asked(game, clause)]
        self.family = GameFamily(games[0][0], [two for _, two in games]) if games else None
        self._clauses = tuple(clauses)

    def __reduce__(self) -> tuple[type[Probes], tuple[Game, tuple[str, ...]]]:
        return Probes, (self.game, self._clauses)

    def pair(self, name: str, some: Sequence[Phrase]) -> tuple[Program, Program]:
        """Return the game with and without some phrases of a clause."""
        pair = probed(self.game, name, some)
        one, two = (None if self.family is None else self.family.member(game) for game in pair)
        return (one, two) if one is not None and two is not None else (
            compiled(pair[0]), compiled(pair[1]))


def asked(game: Game, clause: Clause) -> tuple[Phrase, ...]:
    """Return the phrases of a clause that are looked into.

    Not those of `whenever`: many only keep a rule from doing again what it has done, which is no
    phrase of the book; nor what a ruling on a silence of it has added, nor a term that is so in any
    case by a sentence of its own.
    """
    if clause.claim is not None or clause.example is not None:
        return ()
    written = (game.as_written or game).clause(clause.id) or clause
    own = {phrase.text for phrase in parts.phrases_of(written)}
    return tuple(p for p in parts.phrases_of(clause)
                 if p.text in own and p.path[0] != "whenever"
                 and not _spared(game, parts.at(clause, p.path)))


def _spared(game: Game, tree: sx.Expr) -> bool:
    """Return whether a phrase asks whether a value is there, or rests on assumed attributes.

    Or it is a term that a sentence says to be so, or not so, in any case.
    """
    guards = isinstance(tree, sx.Compare) and (
        isinstance(tree.left, sx.Nothing) or isinstance(tree.right, sx.Nothing))
    name = tree.func if isinstance(tree, sx.Call) else tree
    given = isinstance(name, sx.Name) and any(
        each.define == name.name and each.in_force and isinstance(each.value, sx.Truth)
        for each in game.clauses)
    return guards or given or card_values(game, [tree])[1] > 0


# ---------------------------------------------------------------------- one clause


def phrases(audit: Audit, probes: Probes, name: str) -> None:
    """Leave out each phrase of one clause; report those that do nothing."""
    clause = next(c for c in audit.printed.game.clauses if c.id == name)
    found: dict[Phrase, Method] = {}
    for phrase in asked(audit.printed.game, clause):
        try:
            method = does_nothing(audit, probes, clause, (phrase,))
        except UNPLAYABLE:
            continue
        why = "" if method is None else (
            KEPT_OUT if keeps_out(audit, clause, phrase) else said_again(audit, clause, phrase))
        if why:
            audit.holds.append(Holds(name, why, audit.reach(), names_of(audit.comparable())))
        elif method is not None and not does_something_elsewhere(
                audit, clause, partial(_counts_in, audit, name, phrase)):
            if _with_any_number(audit, clause, phrase):
                found[phrase] = method
            else:
                audit.unchecked(f"phrases of {name}", NUMBER, **_of(name))
    if found:
        _report(audit, probes, clause, found)


def _counts_in(audit: Audit, name: str, phrase: Phrase, instance: Instance) -> bool:
    """Return whether a phrase of a clause does something in plays of the printed game in a mode.

    Where a mode changes the sentence, the phrase may not be in it.
    """
    if not _has(instance.game, name, (phrase,)):
        return False
    one, two = _pair(instance.game, name, (phrase,))
    return differ_elsewhere(audit, one, two, duties=True)


def _with_any_number(audit: Audit, clause: Clause, phrase: Phrase) -> bool:
    """Return whether a phrase is proved to do nothing with any number of players it may mean.

    What speaks of how many play, itself or by a term, does nothing with the number that is chosen
    in any case.
    """
    said = names_in((parts.at(clause, phrase.path),))
    if "player_count" not in closure(audit.printed.game, said):
        return True
    low, high = audit.printed.game.players_range
    for number in range(low, high + 1):
        try:
            game = audit.bench.game(PRINTED, players=number)
            same = not _has(game, clause.id, (phrase,)) or proved_same(
                *(compile_game(each).machine for each in probed(game, clause.id, (phrase,))))
        except UnfitModeError:  # nobody plays it so
            continue
        except (SpecErrors, UsageError):
            return False
        if not same:
            return False
    return True


def keeps_out(audit: Audit, clause: Clause, phrase: Phrase) -> bool:
    """Return whether other sentences ban what a phrase of a ban decides.

    That is so where the ban comes out otherwise without it, were the option offered more.
    """
    test, other = clause.when, parts.without(clause, [phrase]).when
    if clause.kind != "forbid" or test is None:
        return False
    other = sx.Truth(True, test.at) if other is None else other  # noqa: FBT003
    return holds_elsewhere(audit, replace(clause, when=sx.Compare("!=", test, other, test.at)))


def said_again(audit: Audit, clause: Clause, phrase: Phrase) -> str:
    """Say that a phrase does nothing only because the book says it again; "" if that is not so."""
    again = [other for other in kin(audit.printed.game, clause) if clause.reminds(other)]
    change = {"drop": [other.id for other in again]}
    for scope in audit.comparable() if again else ():
        try:
            alone = audit.bench.instance(scope.name, changes=(change,)).game
            if _has(alone, clause.id, (phrase,)) and same_everywhere(
                    *_pair(alone, clause.id, (phrase,)), duties=True) is False:
                return as_reminded(audit, again)
        except UNPLAYABLE:
            continue
    return ""


def does_nothing(
    audit: Audit, probes: Probes, clause: Clause, some: Sequence[Phrase]
) -> Method | None:
    """Return how it was shown that some phrases do nothing together; None if they do something.

    Raises:
        SpecErrors: if the clause makes no sense without them.
        EndlessRules: if without them the rules go round for ever.

    """
    scope = audit.explored_printed
    explored = scope is not None and scope.finished
    one, two = probes.pair(clause.id, some)
    # Plays of the family come first: all else takes games that are compiled alone.
    if not explored and not same_in_play(one, two, seed=audit.seed, duties=True, plays=audit.plays):
        return None
    if not _for_any_cards(audit, clause.id, some):
        return None
    alone = probed(audit.printed.game, clause.id, some)
    if proved_same(*(compile_game(each).machine for each in alone)):
        return "proof"
    # What counts is soon seen, if it does; what is the same, only when all was looked at.
    if not explored and (any(p.alone for p in some) or not all(
            _counts(audit, clause, phrase) for phrase in some)):
        return None
    return audit.reach() if _in_scopes(audit, clause, some) else None


def _in_scopes(audit: Audit, clause: Clause, some: Sequence[Phrase]) -> bool:
    """Say whether no situation of the complete scopes tells the game from that without phrases."""
    scopes = [scope for scope in audit.comparable() if scope.finished]
    for scope in sorted(scopes, key=lambda scope: not ran(scope, clause.id)):
        if not _has(scope.instance.game, clause.id, some):
            return False
        one, two = _pair(scope.instance.game, clause.id, some)
        if same_everywhere(one, two, duties=True) is not True:
            return False
    return bool(scopes)


def _has(game: Game, name: str, some: Sequence[Phrase]) -> bool:
    """Return whether a clause of a game has some phrases."""
    clause = game.clause(name)
    return clause is not None and all(each in parts.phrases_of(clause) for each in some)


def _pair(game: Game, name: str, some: Sequence[Phrase]) -> tuple[Program, Program]:
    """Compile a game, and what differs from it if one of the phrases does something."""
    one, two = probed(game, name, some)
    return compiled(one), compiled(two)


def compiled(game: Game) -> Program:
    """Compile a game for a question that is soon answered."""
    return Program(compile_game(game).machine)


def _counts(audit: Audit, clause: Clause, phrase: Phrase) -> bool:
    """Return whether a phrase is sometimes true and sometimes false where its clause runs.

    And whether that shows: the condition that is the phrase alone must differ from the one that is
    always true, and the condition without what the phrase allows from the condition.
    """
    denied = replace(phrase, neutral=not phrase.neutral)

    def shows(change: Callable[[Clause], Clause], base: Callable[[Clause], Clause] | None) -> bool:
        for scope in audit.comparable():
            if not ran(scope, clause.id):
                continue
            try:
                one = scope.instance.program.whole if base is None else (
                    altered(scope.instance, clause.id, base))
                two = altered(scope.instance, clause.id, change)
                if same_everywhere(one, two) is False:
                    return True
            except (SpecErrors, EndlessRules):
                continue
        return False

    return shows(lambda c: parts.without(c, [denied]), None) and shows(
        lambda c: parts.only(c, phrase), lambda c: parts.never_asked(c, phrase))


def altered(instance: Instance, name: str, change: Callable[[Clause], Clause]) -> Program:
    """Compile an instance with one clause changed."""
    game = instance.game
    return compiled(replace(game, clauses=tuple(
        change(each) if each.id == name else each for each in game.clauses)))


def _for_any_cards(audit: Audit, name: str, some: Sequence[Phrase]) -> bool:
    """Return whether random plays show no difference with the attributes dealt to other cards."""
    game = audit.printed.game
    if not any(family.attributes and len(family.cards) > 1 for family in game.families.values()):
        return True
    for turn in range(1, SHUFFLES + 1):
        dealt = replace(game, families={
            key: _dealt(family, turn) for key, family in game.families.items()})
        try:
            one, two = _pair(dealt, name, some)
            if not same_in_play(one, two, seed=audit.seed, duties=True, plays=FIRST):
                return False
        except (SpecErrors, EndlessRules):
            continue
    return True


def _dealt(family: Family, turn: int) -> Family:
    """Deal each attribute to another card than before, each by another number of places."""
    cards = family.cards
    made = []
    for place, card in enumerate(cards):
        attributes = {
            name: cards[(place + turn * (number + 1)) % len(cards)].attributes[name]
            for number, name in enumerate(family.attributes)}
        made.append(replace(card, attributes=attributes))
    return replace(family, cards=tuple(made))


# ---------------------------------------------------------------------- the finding


def _report(audit: Audit, probes: Probes, clause: Clause, found: dict[Phrase, Method]) -> None:
    names = list(found)
    sets = _enough(audit, probes, clause, names)
    proved = all(method == "proof" for method in found.values()) and sets == [()]
    scopes = names_of(audit.comparable())
    method: Method = "proof" if proved else audit.reach()
    texts = [p.text for p in names]
    suffices = [[p.text for p in each] for each in sets]
    ends = any(method != "proof" and end_apart(audit, partial(_in_scope, clause.id, phrase))
               for phrase, method in found.items())
    audit.observe(Observation(
        Identity("inert-clause", clause.id, "phrase"), (clause.id,),
        Evidence("coverage", method, PRINTED if proved else scopes, replayed=False,
                 mode=by_so_many(audit, proved=proved), core=(clause.id,),
                 details={"phrases": texts, "suffices": suffices}),
        TEXT, said={
            "number": len(names), "phrases": ", ".join(f"`{each}`" for each in texts),
            "suffices": sets != [()], "ends": ends, **looked(audit, proved)}))


def _in_scope(name: str, phrase: Phrase, scope: Scoped) -> tuple[Program, Program]:
    """Give the game of a scope with and without a phrase of a clause."""
    return _pair(scope.instance.game, name, (phrase,))


def _enough(
    audit: Audit, probes: Probes, clause: Clause, names: Sequence[Phrase]
) -> list[tuple[Phrase, ...]]:
    """Return the smallest sets of some phrases that must stay for the game to be the same."""
    if len(names) == 1:
        return [()]
    if len(names) > MOST:
        audit.unchecked(f"which of {len(names)} phrases of {clause.id} suffice", "too many")
        return [tuple(names)]
    found: list[tuple[Phrase, ...]] = []
    for size in range(len(names)):
        for kept in combinations(names, size):
            if any(set(each) <= set(kept) for each in found):
                continue
            gone = [p for p in names if p not in kept]
            try:
                if does_nothing(audit, probes, clause, gone) is not None:
                    found.append(kept)
            except UNPLAYABLE:
                continue
    return found or [tuple(names)]
