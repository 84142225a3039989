"""Small faults of one kind as one observation with a table: words, and sentences said again.

A book has many of them, each of little weight; told one by one they hide the questions that matter.
A word that a question asks about stays alone, as it is told under that question; so do sentences
that say the same if a question is about all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from msgspec.structs import replace

from ..findings.observations import Observation
from ..findings.results import Identity
from ..findings.titles import title
from ..findings.words import Words
from .roots import hints_at, names

Row = tuple[str, ...]

WEIGHT = ("undefined", "ambiguous", "synonym", "unused")
"""Kinds of faults of words: what confuses a reader most comes first."""
SHOWN = 2
"""Sentences of each that are shown: a word may be used in dozens."""
FAULTS = {
    "undefined": "it is used and never explained",
    "ambiguous": "it is {other}",
    "synonym": "“{other}” is the same thing",
    "unused": "it is explained and never used",
}


def gathered(words: Words, observed: Sequence[Observation]) -> tuple[Observation, ...]:
    """Return observations with those that are of one small kind put together."""
    questions = [(title(words, one), one) for one in observed if one.question is not None]
    terms = [one for one in observed if one.identity.kind in FAULTS and not any(
        names(asked, one.identity) or (each.identity.kind == "declared" and hints_at(
            asked, each.clauses, one.identity, one.clauses)) for asked, each in questions)]
    again = [one for one in observed if one.identity.cls == "redundant-clause" and (
        not one.said.get("reminders")) and not any(
        each.identity.kind == "declared" and {*one.clauses} <= {*each.clauses}
        for _, each in questions)]
    made = (
        *_one("words", sorted(terms, key=_weight),
              ("the word", "what is wrong with it", "for instance"), partial(_word, words)),
        *_one("repeats", again, ("the sentence", "what sees to it without it"),
              partial(_repeat, words)))
    gone = {one.identity for kind in (terms, again) if len(kind) > 1 for one in kind}
    return (*(one for one in observed if one.identity not in gone), *made)


def _one(
    kind: str, some: Sequence[Observation], head: Row, row: Callable[[Observation], Row]
) -> Iterator[Observation]:
    """Yield one observation in the place of some, if they are several."""
    if len(some) > 1:
        first = some[0]
        clauses = tuple(dict.fromkeys(name for one in some for name in one.clauses[:SHOWN]))
        yield replace(
            first, identity=Identity(first.identity.cls, kind=kind), clauses=clauses,
            evidence=replace(first.evidence, core=(), details={}),
            said={**first.said, "proved": all(one.said.get("proved") for one in some),
                  "kinds": sorted({one.identity.kind for one in some}),
                  "table": [head, *map(row, some)]})


def _weight(one: Observation) -> tuple[int, int, str]:
    return WEIGHT.index(one.identity.kind), -len(one.clauses), one.identity.place


def _word(words: Words, one: Observation) -> Row:
    other = str(one.said.get("other", "")).replace("; also ", ", and also ")
    lines = {clause.id: clause.lines for clause in words.game.clauses}
    some = "; ".join(f"{words.says(name)} (line {first[0]})" if (first := lines.get(name)) else
                     words.says(name) for name in one.clauses[:SHOWN])
    return f"“{one.identity.place}”", FAULTS[one.identity.kind].format(other=other), some


def _repeat(words: Words, one: Observation) -> Row:
    first, *others = (words.says(name) for name in one.clauses)
    return first, "; ".join(others) or "it is so in any case"
