"""What is said of readings that nothing tells apart: where that was looked at, in one line."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...model.game.game import PRINTED
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


@dataclass(frozen=True, slots=True)
class Looked:
    """Where nothing told a reading from the adopted one, in words (`how`), or that it is `proved`.

    `players`: the numbers of players that the words name.
    """

    how: str = ""
    proved: bool = False
    scopes: tuple[str, ...] = (PRINTED,)
    players: tuple[int, ...] = ()


def told_harmless(
    audit: Audit, point: Point, quiet: Mapping[Looked, Sequence[str]], *, whole: bool
) -> None:
    """Say of readings that nothing tells apart how that was looked at, in one line for all.

    Which they are is said if others are told apart, or were not compared.
    """
    some = len(point.readings) - 1 > sum(map(len, quiet.values()))
    met: Method = audit.reach() if whole else "bounded"
    methods = {"proof" if one.proved else met for one in quiet}
    method: Method = met if met in methods else "proof"
    where = {proved_for(audit) if one.proved else one.how: readings
             for one, readings in quiet.items()}
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
        f"{point.id}={quietly}" if some else point.id, f"{point.asks}: {told}", method,
        tuple(dict.fromkeys(name for one in quiet for name in one.scopes)),
        tuple(sorted({number for one in quiet
                      for number in (named(audit) if one.proved else one.players)}))))


def named(audit: Audit) -> tuple[int, ...]:
    """Return the numbers of players that `by_so_many` names."""
    return (audit.printed.game.players,) * bool(audit.by_so_many)


def untold(
    audit: Audit, point: Point, known: Collection[str], quiet: Mapping[Looked, Sequence[str]]
) -> Iterator[Outcome]:
    """Yield the answers that the spec lists and nothing tells from the adopted one.

    Of what is derived those are told that matter, and of the `known` answers what they come to.  Of
    what only asks in another order, or several at once, `knowing` or a note says what whoever is
    asked later knows.  Where it was looked for (`quiet`) is told at the end of a report.
    """
    looked = {each: one for one, some in quiet.items() for each in some}
    for reading, title in point.readings if point.kind == "declared" else ():
        if reading in known:
            continue
        one = looked.get(reading)
        if later(point, reading) in audit.not_checked:
            text = SAME_CHOICES
        elif one is None:
            told = any((note.point, note.reading) == (point.id, reading) and note.of_point
                       for note in audit.not_checked)
            text = NEVER_MET if told else "not compared"
        else:
            text = SAME_AS_PROVED.format(proved_for(audit)) if one.proved else NOT_TOLD_APART
        yield Outcome(reading, title, text, apart=False)


def proved_for(audit: Audit) -> str:
    """Say where what is proved is so, and for how many players."""
    return f"{PROVED} {audit.by_so_many}".rstrip()


def looked_at(
    audit: Audit, scopes: Sequence[Scoped], mode: str, *, whole: bool
) -> Looked | None:
    """Say where no difference was found, and in which mode the printed game was played for it.

    None: nowhere was it looked for.
    `whole`: all pairs of situations that were reached in the scopes were compared.
    """
    every = whole and all(scope.whole for scope in scopes)
    which, seen = ("reachable ", "") if every else ("", " that was looked at")
    looked = [f"in every {which}situation of {audit.within(scopes)}{seen}"] * bool(scopes)
    names, players = tuple(scope.name for scope in scopes), tuple[int, ...]()
    if mode or not is_scope(audit):
        names, players = (*names, PRINTED), () if mode else named(audit)
        looked.append(f"in {audit.plays} at the printed size {mode or audit.by_so_many}".rstrip())
    return Looked(", and ".join(looked), scopes=names, players=players) if looked else None
