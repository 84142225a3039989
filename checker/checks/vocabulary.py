"""The book's own words: used without a meaning, with one and never used, two for one thing."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...model.game.game import Game


@dataclass(frozen=True, slots=True)
class TermFault:
    """kind: `undefined`, `unused`, `synonym` (two words, one thing), `ambiguous` (one for two)."""

    kind: str
    term: str
    other: str
    clauses: tuple[str, ...]


def check_terms(game: Game) -> tuple[TermFault, ...]:
    """Compare the terms that clauses use with the vocabulary."""
    users: dict[str, list[str]] = {}
    for clause in game.clauses:
        for term in clause.uses:
            users.setdefault(term, []).append(clause.id)
    found: list[TermFault] = []
    for term, clauses in users.items():
        if term not in game.vocabulary:
            found.append(TermFault("undefined", term, "", tuple(clauses)))
    for name, entry in game.vocabulary.items():
        where = (*((entry.clause,) if entry.clause else ()), *users.get(name, ()))
        if entry.same_as:
            if not _short_for(name, entry.same_as):
                others = tuple(dict.fromkeys((*where, *users.get(entry.same_as, ()))))
                found.append(TermFault("synonym", name, entry.same_as, others))
        elif "; also " in entry.means:
            found.append(TermFault("ambiguous", name, entry.means, tuple(dict.fromkeys(where))))
        elif name not in users and not any(t.same_as == name for t in game.vocabulary.values()):
            found.append(TermFault("unused", name, "", where))
    return tuple(found)


def _short_for(one: str, other: str) -> bool:
    """Return whether one of two names is a part of the other, which nobody takes for two things."""
    short, long = sorted((one, other), key=len)
    return re.search(rf"\b{re.escape(short)}\b", long, re.IGNORECASE) is not None
