"""How long: whether a game that is won goes on, what cards give lasts, a limit is always kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..game import syntax as sx
from ..game.game import Clause, Game, Variable
from ..game.phrases import Change, Path
from ..game.texts import walk
from ..game.uses import runs
from .moved import ends as may_end
from .options import after_turns, turn_steps
from .silence import Answer, Silence, View, called, instead, zone_of

WHEN_IT_ENDS, HOW_LONG, HOW_BINDING = "when-it-ends", "how-long", "how-binding"
WAYS = {"at once": ("at-once", "in the middle of what is going on"),
        "after the step": ("after-the-step", "when the effect under way is over")}


def find_end(view: View) -> Iterator[Silence]:
    """Yield the rules that end the game at any time and say when; one that does not is a point."""
    clause = view.clause
    if clause.whenever is None or clause.do is None or not clause.timing:
        return
    if any(ruling.point == f"timing/{clause.id}" for ruling in view.game.rulings):
        return  # it says nothing of when, and that is the point which is ruled
    if _leads_to_the_end(view, clause.do.statements):
        (other,) = (text for text in WAYS if text != clause.timing)
        yield Silence(WHEN_IT_ENDS, clause.id, "the end of the game", "the game ends",
                      WAYS[clause.timing],
                      (Answer(*WAYS[other], {("timing",): lambda _: other}),))


def _leads_to_the_end(view: View, stmts: tuple[sx.Stmt, ...]) -> bool:
    """Return whether statements may end the game, or run steps of which sentences do."""
    bodies, seen = [stmts], set[str]()
    for body in bodies:
        if may_end(body):
            return True
        run = {called(part) for stmt in body for part in walk(stmt)} & view.game.steps.keys()
        bodies += (each.do.statements for each in view.game.clauses
                   if each.on in run - seen and each.do is not None and each.in_force)
        seen |= run
    return False


def find_how_long(view: View) -> Iterator[Silence]:
    """Yield what cards change and a clause sets back while the turn goes on."""
    names = [name for name in _set_back(view) if _is_given(view.game, name)]
    steps = turn_steps(view) if names else ()
    inside = frozenset[str]().union(*(runs(view.game, step) for step in steps)) - {*steps}
    if not steps or not _goes_on(view.clause, inside):
        return
    for name in names:
        variable = view.game.variables[name]
        back: dict[str, dict[Path, Change]] = {}
        for clause in view.game.clauses:
            if _goes_on(clause, inside):
                for path in _set_back(View(view.game, clause)).get(name, ()):
                    back.setdefault(clause.id, {})[path] = instead(())
        own = back.pop(view.clause.id)
        yield Silence(
            HOW_LONG, view.clause.id, f"`{name}` is set back", f"`{name}` is set back",
            ("as-written", "it ends here"),
            (Answer("the-turn", "until the turn ends", own,
                    {**back, **after_turns(view, _anew(variable))}),),
            f"how long does what cards change of the {view.game.titles.of(name)} last")


def _goes_on(clause: Clause, inside: frozenset[str]) -> bool:
    """Return whether a clause is about what a step of the turn runs, and nobody chooses it."""
    return clause.in_force and not clause.option and (
        clause.whenever is not None or clause.on in inside)


def _set_back(view: View) -> dict[str, list[Path]]:
    """Return where a body sets variables to what they start with, by their names."""
    found: dict[str, list[Path]] = {}
    for site in view.sites:
        if isinstance(site.tree, sx.Assign) and site.tree.op == "=":
            variable = view.game.variables.get(zone_of(site.tree.target))
            if variable is not None and _starts_with(variable, site.tree.value):
                found.setdefault(variable.name, []).append(site.path)
    return found


def _starts_with(variable: Variable, value: sx.Expr) -> bool:
    match value:
        case sx.Num(value=start) | sx.Truth(value=start):
            return start == variable.start
        case sx.SetOf(items=(), generator=None):
            return variable.start == 0
        case _:
            return False


def _is_given(game: Game, name: str) -> bool:
    """Return whether abilities of cards change a variable of the game, or of a player."""
    variable = game.variables[name]
    return not variable.internal and variable.per in ("", "player") and any(
        isinstance(part, sx.Assign) and zone_of(part.target) == name
        for family in game.families.values() for card in family.cards
        for body in card.abilities.values() for stmt in body.statements for part in walk(stmt))


def _anew(variable: Variable) -> sx.Stmt:
    """Return the statement that gives a variable what it starts with, for each player."""
    at = variable.place
    start: sx.Expr = sx.Num(variable.start, at)
    if variable.type.kind == "bool":
        start = sx.Truth(bool(variable.start), at)
    elif variable.type.kind != "int":
        start = sx.SetOf((), None, at)
    target: sx.Expr = sx.Name(variable.name, at)
    if not variable.per:
        return sx.Assign(target, "=", start, at)
    each = sx.Assign(sx.Index(target, sx.Name("p", at), at), "=", start, at)
    return sx.ForEach("p", sx.Name("players", at), (each,), at)


def find_limit(view: View) -> Iterator[Silence]:
    """Yield the limits of all times, which could be such that they are kept as a turn ends."""
    clause = view.clause
    steps = turn_steps(view) if clause.kind == "limit" and clause.always is not None else ()
    if not steps:
        return
    kept = replace(
        clause, id=f"{clause.id}@{steps[-1]}", on=steps[-1], ensure=clause.always, always=None,
        do=None, otherwise=None, option="", when=None, internal=("*",))
    yield Silence(
        HOW_BINDING, clause.id, "a limit of all times", "a limit holds",
        ("never", "it is never broken, not even for a moment"),
        (Answer("turn", "it only has to hold when a turn ends",
                {("always",): instead(None)}, brings=(kept,)),))
