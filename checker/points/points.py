"""All open points of a game: those that the spec declares, and those that the engine derives.

Derived are: two clauses on one step that nothing orders, a loop over players whose order is not
stated, a window whose order is unstated, two "at any time" rules that one event sets off, and such
a rule that does not say whether it interrupts, or whether it acts again while its condition holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import cast

from ...model.game.game import Clause, Game
from ...model.game.unparse import unparse
from ...model.game.uses import in_its_mode
from ...model.lowering.compile import Compiled
from ...model.orders.firing import why_once
from ...model.orders.independence import exclude_each_other
from ...model.silences.questions import NO_MATTER_OF_THE_BOOK, status_of, why_marked
from ..findings.results import Class


@dataclass(frozen=True, slots=True)
class Point:
    """An open point and its readings (id, title); `adopted` is the one that the spec plays by.

    kind: `declared`, `clauses`, `rules`, `loop`, `window`, `firing`, `timing`, `silence`.
    `defect` is the class of a finding about it, and `decided` says which words or clauses decide
    it: then there is none.  `apart` holds what it asks of each of several clauses, and what decides
    that there; `where` the situations in which it comes up, as far as the spec says.
    """

    id: str
    kind: str
    clauses: tuple[str, ...]
    asks: str
    readings: tuple[tuple[str, str], ...]
    adopted: str
    names: tuple[str, ...] = ()
    defect: Class = "order-dependence"
    decided: str = ""
    apart: tuple[tuple[str, str, str], ...] = ()
    where: str = ""
    aspect: str = ""
    """By which clauses mark it, or decide it in silence; "" of one that the spec declares."""


def points_of(compiled: Compiled) -> tuple[Point, ...]:
    """List all open points of a compiled game: declared ones first, each in order of the spec."""
    game = compiled.game
    rulings = {ruling.point: ruling.reading for ruling in game.rulings}
    found = [*_declared(game, rulings), *_orders(compiled, rulings), *_times(compiled, rulings)]
    return tuple({point.id: _marked(game, point) for point in found
                  if not _of_no_matter(game, point)}.values())


def _declared(game: Game, rulings: Mapping[str, str]) -> Iterator[Point]:
    """Yield the points that the spec declares."""
    for declared in game.open_points:
        readings = tuple((reading.id, reading.title) for reading in declared.readings)
        yield Point(
            declared.id, "declared", declared.clauses, declared.asks, readings,
            rulings.get(declared.id, readings[0][0]),
            defect=cast("Class", declared.defect),
            decided="; ".join(f"the clause `{name}`" for name in declared.settled),
            where="" if declared.where is None else unparse(declared.where))


def _orders(compiled: Compiled, rulings: Mapping[str, str]) -> Iterator[Point]:
    """Yield the points about an order that nothing states."""
    game = compiled.game
    for each in compiled.unordered:
        match each.kind:
            case "clauses" | "rules":
                first, second = (says(game, name) for name in each.clauses)
                both = "one event sets off both; " if each.kind == "rules" else ""
                point = f"order/{'/'.join(each.clauses)}"
                yield Point(
                    point, each.kind, each.clauses,
                    f"{both}which comes first: {first}; or: {second}",
                    (("first", f"first: {first}"), ("second", f"first: {second}")),
                    rulings.get(point, "first"), aspect="order")
            case "loop":
                (name,) = each.clauses
                if game.clause(name) is None:
                    continue
                yield Point(
                    f"order/{name}", "loop", each.clauses,
                    f"{says(game, name)}: in which order are the players taken",
                    (("clockwise", "clockwise from the first seat"),
                     ("counterclockwise", "the other way round")),
                    rulings.get(f"order/{name}", "clockwise"), aspect="order")
            case _:
                (window,) = each.clauses
                said = game.windows[window].clause
                back = () if game.players_range == (2, 2) else (
                    ("counterclockwise", "counterclockwise"),)  # for two it is the same
                yield Point(
                    f"order/{window}", "window", (said,) if said else (),
                    f"{says(game, said) if said else window}: in which order do the players act",
                    (("clockwise", "clockwise"), *back, ("unstated", "in any order")),
                    rulings.get(f"order/{window}", "unstated"), (window,), aspect="order")


def _times(compiled: Compiled, rulings: Mapping[str, str]) -> Iterator[Point]:
    """Yield the points about when, and how often, a rule of any time acts."""
    for clause in compiled.game.clauses:
        if clause.whenever is None or not clause.in_force:
            continue
        if (not clause.fires or f"firing/{clause.id}" in rulings) and not why_once(
            compiled, clause.id
        ):
            yield Point(
                f"firing/{clause.id}", "firing", (clause.id,),
                "does this act at each change while its condition holds, or once when that comes "
                f"to hold: {clause.says}",
                (("each-time", "each time"), ("once-per-change", "once, when it comes to hold")),
                rulings.get(f"firing/{clause.id}", "each-time"), aspect="firing")
        if clause.timing and f"timing/{clause.id}" not in rulings:
            continue
        yield Point(
            f"timing/{clause.id}", "timing", (clause.id,),
            f"does this happen at once, or when the current action is over: {clause.says}",
            (("at-once", "at once"), ("after-the-step", "when the current action is over")),
            rulings.get(f"timing/{clause.id}", "at-once"), aspect="timing")


def has_clauses(game: Game, point: Point) -> bool:
    """Return whether a game, in its mode, has the clauses that a point is about."""
    return {clause.id for clause in game.clauses
            if clause.in_force and in_its_mode(game, clause)}.issuperset(point.clauses)


def _of_no_matter(game: Game, point: Point) -> bool:
    """Return whether a point is about what a clause keeps for itself, or assumes of cards.

    Nor is there an order between two sentences of which one says the other again.
    """
    clauses = [clause for clause in game.clauses if clause.id in point.clauses]
    if point.kind in ("clauses", "rules") and len(clauses) == 2 and clauses[0].reminds(clauses[1]):
        return True
    return bool(point.aspect) and any(
        status_of(clause, point.aspect) in NO_MATTER_OF_THE_BOOK for clause in clauses)


def _marked(game: Game, point: Point) -> Point:
    """Add to a derived point what the marks of its clauses say.

    Two clauses that both are stated to come first contradict each other.
    """
    aspect = point.aspect
    if not aspect:
        return point
    clauses = [clause for clause in game.clauses if clause.id in point.clauses]
    whys = [why for clause in clauses if (why := why_marked(clause, aspect))]
    stated = [clause for clause in clauses if aspect in dict(clause.stated)]
    if point.kind in ("clauses", "rules") and len(stated) == 2:
        return replace(point, defect="contradiction")
    if point.kind == "clauses" and _are_cases(game, *clauses):
        whys.append("the sentence that says both, as cases of which only one can be at a time")
    return replace(point, decided="; ".join(whys))


def _are_cases(game: Game, first: Clause, second: Clause) -> bool:
    """Return whether two clauses are an either and an or of the same words of the book.

    Which case it is shows as the sentence begins: that what is done in the one makes the condition
    of the other true does not set off the other.
    """
    same = first.lines is not None and (first.lines, first.sentences) == (
        second.lines, second.sentences)
    return same and exclude_each_other(game, first.id, second.id)


def says(game: Game, clause: str) -> str:
    """Return our paraphrase of a clause."""
    said = game.clause(clause)
    return clause if said is None else said.says
