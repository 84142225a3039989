"""Cases left over: a list of kinds that does not name all of them.

A case is named if any sentence of the step names it: what the book lists may stand in several.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..game import syntax as sx
from ..game.game import Clause
from ..game.texts import walk
from ..game.unparse import unparse
from ..game.uses import trees_of
from .silence import Answer, Silence, Site, View, instead

ASPECT = "left-over"


def find(view: View) -> Iterator[Silence]:
    """Yield the `if … elif …` over the values of an enum that name some of them only."""
    inner: set[int] = set()
    for site in view.sites:
        if not isinstance(site.tree, sx.IfThen) or id(site.tree) in inner:
            continue
        chain = list(_chain(site))
        inner |= {id(one.tree) for one in chain}
        if len(chain) < 2:
            continue
        subject, named = _cases(view, chain)
        known = {name for each in _of_the_step(view) for name in _named(view, each, subject, named)}
        left = [value for value in _values(view, named) if value not in known]
        last = chain[-1]
        if not subject or not left:
            continue
        assert isinstance(last.tree, sx.IfThen)
        first = chain[0].tree
        assert isinstance(first, sx.IfThen)
        yield Silence(
            ASPECT, view.clause.id, f"cases of {subject}",
            f"`{subject}` is {' or '.join(left)}, which no case names",
            ("nothing", "nothing happens"),
            (Answer("as-the-last", "as in the last case",
                    {last.inner("other"): instead(last.tree.then)}),
             Answer("as-the-first", "as in the first case",
                    {last.inner("other"): instead(first.then)})))


def _chain(site: Site) -> Iterator[Site]:
    """Yield the tests of an `if … elif …` without an `else`; nothing if it has one."""
    found, here = [site], site
    while isinstance(here.tree, sx.IfThen) and len(here.tree.other) == 1 and isinstance(
        here.tree.other[0], sx.IfThen
    ):
        here = Site(here.inner("other", 0), here.tree.other[0])
        found.append(here)
    assert isinstance(here.tree, sx.IfThen)
    return iter(() if here.tree.other else found)


def _cases(view: View, chain: list[Site]) -> tuple[str, list[str]]:
    """Return what all tests ask about, and the values that they name; "" if that is not so."""
    subjects: set[str] = set()
    named: list[str] = []
    for site in chain:
        assert isinstance(site.tree, sx.IfThen)
        match site.tree.test:
            case sx.Compare(op="==", left=left, right=sx.Name(name=name)):
                subjects.add(unparse(left))
                named.append(name)
            case _:
                return "", []
    return (subjects.pop(), named) if len(subjects) == 1 and _values(view, named) else ("", [])


def _of_the_step(view: View) -> Iterator[Clause]:
    """Yield the clauses that run in the same step, this one included."""
    return (each for each in view.game.clauses if each.id == view.clause.id or (
        view.clause.on in view.game.steps and each.on == view.clause.on and each.in_force))


def _named(view: View, clause: Clause, subject: str, some: list[str]) -> Iterator[str]:
    """Yield the values with which a clause compares a subject; `some` are of the same enum."""
    values = _values(view, some)
    for tree in trees_of(clause):
        for part in walk(tree):
            if isinstance(part, sx.Compare) and unparse(part.left) == subject:
                said = {inner.name for inner in walk(part.right) if isinstance(inner, sx.Name)}
                yield from (name for name in values if (name in said) != (part.op == "!="))


def _values(view: View, named: list[str]) -> tuple[str, ...]:
    """Return all values of the enum that some are of."""
    return next((values for values in view.game.enums.values() if {*named} <= {*values}), ())
