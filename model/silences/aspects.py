"""The table of aspects: what a clause decides that its sentence may leave open.

One row for each: its name in marks and points, the question, the class of a finding about it, and
the file that finds it.  The last three are derived elsewhere, from the machine and not from one
clause (`checker.points.points`); here they can be marked.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass

from ..game import syntax as sx
from . import (
    adds_up,
    bounds,
    chooser,
    judged,
    lasting,
    left_over,
    moved,
    oneself,
    options,
    together,
    too_few,
)
from .silence import Silence, View, called

Finder = Callable[[View], Iterator[Silence]]


@dataclass(frozen=True, slots=True)
class Aspect:
    """A kind of silence; `asks` is the question, `defect` the class of a finding about it."""

    name: str
    asks: str
    defect: str
    find: Finder | None = None


ASPECTS = {aspect.name: aspect for aspect in (
    Aspect(too_few.ASPECT, "what if there are too few, or none", "ambiguity", too_few.find),
    Aspect(bounds.ASPECT, "what if less is left than is to be taken away", "ambiguity",
           bounds.find),
    Aspect(together.ASPECT, "is this done for all at the same time, or for one after the other",
           "order-dependence", together.find),
    Aspect(judged.ASPECT, "is this judged as the effect begins, or as it is carried out",
           "ambiguity", judged.find),
    Aspect(chooser.ASPECT, "who chooses", "ambiguity", chooser.find),
    Aspect(oneself.ASPECT, "does this include the player who acts", "ambiguity",
           oneself.find),
    Aspect(moved.WHOSE, "whose is meant, as each player has one", "ambiguity", moved.find_whose),
    Aspect(moved.REST, "what becomes of what is attached to it", "ambiguity",
           moved.find_rest),
    Aspect(left_over.ASPECT, "what happens in the cases that are not named", "gap", left_over.find),
    Aspect(adds_up.ASPECT, "do several of them add up, or does one count", "ambiguity",
           adds_up.find),
    Aspect(options.HOW_OFTEN, "only once, or as often as one likes", "ambiguity",
           options.find_how_often),
    Aspect(options.WHEN, "may this be done at other times, too", "ambiguity", options.find_when),
    Aspect(lasting.HOW_LONG, "how long does it last", "ambiguity", lasting.find_how_long),
    Aspect(lasting.HOW_BINDING, "does this hold at every moment, or only as a turn ends",
           "ambiguity", lasting.find_limit),
    Aspect(lasting.WHEN_IT_ENDS, "does the game end at once, or after the effect under way",
           "ambiguity", lasting.find_end),
    Aspect("order", "which comes first", "order-dependence"),
    Aspect("timing", "does it happen at once, or when the current action is over",
           "order-dependence"),
    Aspect("firing", "does it act each time, or once", "ambiguity"),
)}


def silences_of(view: View, names: Container[str] = ASPECTS) -> Iterator[Silence]:
    """Yield what a clause decides, for each aspect that is asked for, whatever its marks say."""
    clause = view.clause
    if not (clause.do or clause.option or clause.value or clause.always):
        return
    for aspect in ASPECTS.values():
        if aspect.find is not None and aspect.name in names:
            yield from aspect.find(view)


def aspects_of(view: View) -> frozenset[str]:
    """Name the aspects that a clause has, those that are only marked included."""
    clause = view.clause
    found = {silence.aspect for silence in silences_of(view)} | set(_may_fail(view))
    if clause.whenever is not None:
        found |= {"timing", "firing", "order"}
    if (clause.on in view.game.steps and clause.do is not None) or any(
            window.clause == clause.id and window.who is not None
            for window in view.game.windows.values()):
        found.add("order")
    return frozenset(found)


def _may_fail(view: View) -> Iterator[str]:
    """Yield the aspects of what a clause may fail at, also where no other reading is derived."""
    if any(chooser.find_sole(view)):
        yield chooser.ASPECT
    for site in view.sites:
        if called(site.tree) in ("choose", "choose_cards", "draw"):
            yield too_few.ASPECT
        elif isinstance(site.tree, sx.Assign) and site.tree.op in ("+", "-"):
            yield bounds.ASPECT


def is_silence(point: str) -> bool:
    """Return whether a point is one of an aspect that is derived from clauses."""
    aspect = ASPECTS.get(point.partition("/")[0])
    return aspect is not None and aspect.find is not None and "/" in point
