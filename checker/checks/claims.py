"""Claims of the book about numbers: true for all values, all numbers of players, or refuted.

A claim is an expression over constants, card data, and the variables that it is `given`.  Z3
decides it (`model.solver.theories`): it follows, or there is a least counterexample.  "At most" and
"at least" are optima.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from ...model.game import syntax as sx
from ...model.game.game import Claim, Clause, Family, Game, Ty, Variable
from ...model.game.syntax import Expr as Tree
from ...model.game.unparse import unparse
from ...model.game.uses import closure, mentions
from ...model.machine.core import Const, Expr
from ...model.machine.simplify import binary
from ...model.rules.arrays import Frames
from ...model.rules.elaborate import Elaborator
from ...model.rules.meanings import Failed, Names
from ...model.rules.words import OF_SEATS
from ...model.solver import theories
from ...model.solver.solving import time_left, until
from ...model.source.errors import Reporter
from ...model.views.deeds import value_text


@dataclass(frozen=True, slots=True)
class ClaimAnswer:
    """What became of a claim for one number of players: holds, refuted, vacuous or unknown.

    It is vacuous if no values meet its conditions: then it says nothing, whatever it says.
    `figures` are what an equation that is refuted comes to and what it says, if these are numbers.
    """

    players: int
    verdict: str
    detail: str
    solution: Mapping[str, int]
    figures: tuple[int, int] | None = None
    late: bool = False
    """Whether it is unknown as the time was up."""


STATIC = ("claim", "maximum", "minimum")
"""The forms of claims about numbers, which no play is needed for."""


def counts_players(game: Game, clause: Clause) -> bool:
    """Return whether a claim may depend on the number of players."""
    claim = clause.claim
    names = closure(game, mentions(clause))
    each_has = {name for name, variable in game.variables.items() if variable.per == "player"}
    each_has |= {name for name, zone in game.zones.items() if zone.per_player}
    each_has |= {name for name, pool in game.pools.items() if pool.per_player}
    return claim is None or bool(claim.given) or bool(names & (OF_SEATS | each_has))


def read_by(game: Game, clause: Clause) -> object:
    """Return all that a claim about numbers reads of a game, but for the number of players."""
    names = closure(game, mentions(clause))
    cards = [(card.id, card.copies, sorted(card.attributes.items()))
             for family in game.families.values() for card in family.cards
             if names & {family.name, "copies", *family.attributes, card.id}]
    numbers = [(name, each.value) for name, each in game.constants.items() if name in names]
    terms = [(each.id, repr((each.value, each.when))) for each in game.clauses
             if each.in_force and each.define in names]
    modes = game.settings.variants if "variant" in names else ()
    return repr((clause.claim, cards, numbers, terms, modes))


def with_other_cards(game: Game, shift: int) -> Game:
    """Return a game in which what is assumed of cards is otherwise.

    Each value that the book does not print is the next one, `shift` places on, of those that cards
    of the family have; where they all have the same, another of its type.
    """
    families: dict[str, Family] = {}
    for name, family in game.families.items():
        values = {each: sorted({card.attributes[each] for card in family.cards}
                               | _others(ty, [card.attributes[each] for card in family.cards]))
                  for each, ty in family.attributes.items()}
        families[name] = replace(family, cards=tuple(replace(
            card, copies=card.copies + ("copies" in card.assumed), attributes={
                each: some[(some.index(value) + shift) % len(some)]
                if each in card.assumed and len(some := values[each]) > 1 else value
                for each, value in card.attributes.items()}) for card in family.cards))
    return replace(game, families=families)


def _others(ty: Ty, values: list[int]) -> set[int]:
    """Return another value of a type, if all cards have the same."""
    if len(set(values)) > 1 or ty.kind not in ("int", "bool"):
        return set()
    low, high = (0, 1) if ty.kind == "bool" else (ty.low, ty.high)
    return {min(values[0] + 1, high), max(values[0] - 1, low)}


def check_claims(game: Game, only: AbstractSet[str]) -> tuple[ClaimAnswer, ...]:
    """Decide the named claims about numbers for the game's number of players.

    Where there is a time to end (`until`), none takes more than half of what is left of it.
    """
    found: list[ClaimAnswer] = []
    for clause in game.clauses:
        claim = clause.claim
        if claim is None or clause.id not in only or claim.form not in STATIC:
            continue
        wanted = not claim.players or game.players in claim.players
        if not wanted and counts_players(game, clause):
            continue
        left = time_left()
        try:
            with until(None if left is None else time.monotonic() + left / 2):
                found.append(_decide(game, clause, claim))
        except Failed:
            found.append(ClaimAnswer(game.players, "unknown", "it cannot be read", {}))
    return tuple(found)


def _decide(game: Game, clause: Clause, claim: Claim) -> ClaimAnswer:
    given = {g.name: Variable(g.name, g.type, "player" if g.per_player else "", 0, "all", clause.id,
                              clause.place) for g in claim.given}
    widened = replace(game, variables={**game.variables, **given})
    elab = Elaborator(widened, Reporter())
    arrays = tuple(a for a in Frames(elab).arrays.values() if a.name in given)
    theory = theories.Theory((), arrays, elab.tables)
    limits = [] if claim.such_that is None else [_truth(elab, claim.such_that)]
    if claim.form == "claim":
        verdict = theories.valid(theory, limits, _truth(elab, claim.test))
        match verdict:
            case theories.Follows():
                return ClaimAnswer(game.players, "holds", "", {})
            case theories.Refuted(solution=solution):
                shown = {_named(name, game): value for name, value in solution}
                return ClaimAnswer(game.players, "refuted", _values(game, claim, shown),
                                   shown, None if shown else _figures(elab, theory, claim.test))
            case theories.Impossible():
                return _vacuous(clause, game)
            case theories.NoAnswer(why=why, late=late):
                return ClaimAnswer(game.players, "unknown", why, {}, late=late)
    best = theories.optimise(theory, elab.use(claim.test, Names({}), "int").expr, limits,
                          goal="max" if claim.form == "maximum" else "min")
    match best:
        case theories.NoAnswer(why=why, late=late):
            return ClaimAnswer(game.players, "unknown", why, {}, late=late)
        case theories.Impossible():
            return _vacuous(clause, game)
        case theories.Optimum(value=value, solution=solution):
            shown = {_named(name, game): number for name, number in solution}
            said = elab.use(claim.equals, Names({}), "int").expr if claim.equals else Const(value)
            same = binary("==", said, Const(value)) == Const(1)
            text = f"the {claim.form} is {value}"
            return ClaimAnswer(game.players, "holds" if same else "refuted", text, shown)


def _vacuous(clause: Clause, game: Game) -> ClaimAnswer:
    assert clause.claim is not None
    assert clause.claim.such_that is not None
    why = f"no values meet its condition `{unparse(clause.claim.such_that)}`"
    return ClaimAnswer(game.players, "vacuous", why, {})


def _truth(elab: Elaborator, tree: Tree) -> Expr:
    return elab.guard(tree, Names({}))


def _values(game: Game, claim: Claim, shown: Mapping[str, int]) -> str:
    if shown:
        types = {each.name: each.type for each in claim.given}
        return ", ".join(f"{name} = {value_text(game, types[name.partition(' of ')[0]], value)}"
                         for name, value in shown.items())
    return f"`{unparse(claim.test)}` is false"


def _figures(elab: Elaborator, theory: theories.Theory, test: Tree) -> tuple[int, int] | None:
    """Return what an equation that fails comes to and what it says, if these are numbers.

    Of statements with `and` it is the first that fails.
    """
    if isinstance(test, sx.Infix) and test.op == "and":
        left = theories.valid(theory, [], _truth(elab, test.left))
        failed = test.right if isinstance(left, theories.Follows) else test.left
        return _figures(elab, theory, failed)
    if not isinstance(test, sx.Compare) or test.op != "==":
        return None
    sides = (test.right, test.left) if isinstance(test.left, sx.Num) else (test.left, test.right)
    try:
        one, two = (elab.use(side, Names({}), "int").expr for side in sides)
    except Failed:
        return None
    made, said = (theories.optimise(theory, each, []) for each in (one, two))
    if isinstance(made, theories.Optimum) and isinstance(said, theories.Optimum):
        return made.value, said.value
    return None


def _named(name: str, game: Game) -> str:
    """Turn `g[0]` into `g of Gamemaster 1`."""
    if "[" not in name:
        return name
    stem, rest = name.split("[", 1)
    return f"{stem} of {game.player_word} {int(rest.rstrip(']').split(',')[0]) + 1}"
