"""What is said of readings that nothing tells apart: where that was looked at, in one line."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from ..audit.audit import Audit
from ..audit.scoped import Scoped
from ..clauses.printed import PROVED, is_scope
from ..findings.results import Harmless, Method
from ..findings.rows import Outcome
from .answers import later
from .points import Point

NOT_TOLD_APART = "nothing that was looked at tells it from the first answer"
NEVER_MET = "no situation was met that could tell it from the first answer"
SAME_CHOICES = "nothing differs from the first answer if each player chooses the same"
SAME_AS_PROVED = "proved to come to the same as the first answer {}"
"""What is said of an answer that nothing tells from the adopted one."""


def told_harmless(
    audit: Audit, point: Point, quiet: Mapping[str, Sequence[str]], *, whole: bool
) -> None:
    """Say of readings that nothing tells apart how that was looked at, in one line for all.

    Which they are is said if others are told apart, or were not compared.
    """
    some = len(point.readings) - 1 > sum(map(len, quiet.values()))
    met: Method = audit.reach() if whole else "bounded"
    methods = {"proof" if how == PROVED else met for how in quiet}
    method: Method = met if met in methods else "proof"
    where = {proved_for(audit) if how == PROVED else how: readings
             for how, readings in quiet.items()}
    titles = dict(point.readings)

    def called(names: Sequence[str]) -> str:
        return " and ".join(f"“{titles[each]}”" for each in names)

    if some:
        told = "; ".join(f"{called(names)} and {called([point.adopted])} come to the same {how}"
                         for how, names in where.items())
    else:
        several = "; ".join(f"{how} under {called(names)}" for how, names in where.items())
        told = "the readings come to the same " + (several if len(where) > 1 else next(iter(where)))
    quietly = ", ".join(each for names in quiet.values() for each in names)
    audit.harmless.append(Harmless(
        f"{point.id}={quietly}" if some else point.id, f"{point.asks}: {told}", method))


def untold(
    audit: Audit, point: Point, known: Collection[str], quiet: Mapping[str, Sequence[str]]
) -> Iterator[Outcome]:
    """Yield the answers that the spec lists and nothing tells from the adopted one.

    Of what is derived those are told that matter, and of the `known` answers what they come to.  Of
    what only asks in another order, or several at once, `knowing` or a note says what whoever is
    asked later knows.  Where it was looked for (`quiet`) is told at the end of a report.
    """
    looked = {each: how for how, some in quiet.items() for each in some}
    for reading, title in point.readings if point.kind == "declared" else ():
        if reading in known:
            continue
        how = looked.get(reading)
        if later(point, reading) in audit.not_checked:
            text = SAME_CHOICES
        elif how is None:
            told = any((note.point, note.reading) == (point.id, reading) and note.of_point
                       for note in audit.not_checked)
            text = NEVER_MET if told else "not compared"
        else:
            text = SAME_AS_PROVED.format(proved_for(audit)) if how == PROVED else NOT_TOLD_APART
        yield Outcome(reading, title, text, apart=False)


def proved_for(audit: Audit) -> str:
    """Say where what is proved is so, and for how many players."""
    return f"{PROVED} {audit.by_so_many}".rstrip()


def looked_at(audit: Audit, scopes: Sequence[Scoped], mode: str, *, whole: bool) -> str:
    """Say where no difference was found, and in which mode the printed game was played for it.

    `whole`: all pairs of situations that were reached in the scopes were compared.
    """
    every = whole and all(scope.whole for scope in scopes)
    which, seen = ("reachable ", "") if every else ("", " that was looked at")
    looked = [f"in every {which}situation of {audit.within(scopes)}{seen}"] * bool(scopes)
    if mode or not is_scope(audit):
        looked.append(f"in {audit.plays} at the printed size {mode or audit.by_so_many}".rstrip())
    return ", and ".join(looked)
