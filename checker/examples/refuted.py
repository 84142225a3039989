"""Readings that the book itself rules out: those under which one of its worked examples fails."""

from __future__ import annotations

from dataclasses import replace

from ...model.game.game import Clause, Example, Game
from ...model.run.interp import UNPLAYABLE
from ..audit.audit import Audit, Worked
from ..findings.results import Holds
from .completions import MOST_SITUATIONS, completed
from .examples import check_example, instance_of


def refuting(audit: Audit, point: str, reading: str) -> Clause | None:
    """Return an example that holds as the game is played, and fails under a reading; None if none.

    All other points are as they are ruled, and what the example does not state may go in any way.
    An example of which it is unclear how it goes on, or that cannot be set up under the reading,
    rules nothing out; nor does one in which nothing is at work that the reading changes.
    """
    rulings = {point: reading}
    for clause in audit.printed.game.clauses:
        example = clause.example
        if example is None or not clause.in_force:
            continue
        try:
            worked = _worked(audit, clause, example)
            here, there = (audit.bench.game(example.scope, rulings=each)
                           for each in (None, rulings))
            if not worked.at_work or not _changes(here, there, worked.at_work):
                continue
            found = completed(
                instance_of(audit.bench, clause.id, example, rulings), example, worked)
        except UNPLAYABLE:
            continue
        if found == "never":
            return clause
        if found == "too many":
            audit.unchecked(f"{point} = {reading}: whether the example {clause.id} rules it out",
                            f"it goes on in more than {MOST_SITUATIONS} situations", "question",
                            point=point, clauses=(clause.id,))
    return None


def _worked(audit: Audit, clause: Clause, example: Example) -> Worked:
    """Return how an example goes as the game is played; that is looked at once."""
    if clause.id not in audit.worked:
        instance = instance_of(audit.bench, clause.id, example)
        found = check_example(instance, example)
        worked = Worked() if found.wrong else Worked(found.touched | {clause.id}, found.paused)
        if worked.at_work and completed(instance, example, worked) != "comes about":
            worked = replace(worked, inside=False)
        audit.worked[clause.id] = worked
    return audit.worked[clause.id]


def _changes(here: Game, there: Game, held: frozenset[str]) -> bool:
    """Return whether one of two games has a clause, or a term, that the other has in other words.

    Of what both have it is asked only whether it is among some clauses.
    """
    one, two = ({c.id: c for c in game.clauses if c.in_force} for game in (here, there))
    return any(
        name not in one or one[name].define or name in held
        for name in one.keys() | two.keys()
        if one.get(name) is not two.get(name) and one.get(name) != two.get(name))


def told(asks: str, answer: str, clause: Clause) -> Holds:
    """Say that an example rules out an answer to a question, and where it stands."""
    assert clause.example is not None
    where = "" if clause.lines is None else f" in line {clause.lines[0]}"
    return Holds(
        clause.id, f"ruled out by the example{where}: to the question “{asks}” the answer "
        f"“{answer}”, under which, with all else as it is played here, the example cannot happen",
        "exhaustive", clause.example.scope, "ruled-out")
