"""Checks the marks of clauses: which aspects words state, which others settle or assume."""

from __future__ import annotations

from collections.abc import Sequence

from ..game.game import PRINTED, Clause, Game
from ..silences.aspects import ASPECTS, aspects_of
from ..silences.silence import View
from ..source import fields
from ..source.errors import Place, Reporter, did_you_mean, quote
from ..source.outline import lines_text
from ..source.tree import SpecNode
from .citations import folder_of

MARKS = ("stated", "settled", "assumed", "asked", "internal")


def check_marks(
    game: Game, root: SpecNode, written: SpecNode, book: Sequence[str], report: Reporter
) -> None:
    """Report marks of aspects that are none, that the clause has not, or that point to nothing.

    Numbers of words are held against the lines of the `book`, if that is at hand. `root` are the
    sections as they are under the settings, `written` as they stand in the files: what a mode or a
    reading has changed may have lost an aspect that its sentence has, and what none has changed is
    checked under no reading, and in the printed game.
    """
    nodes, before = (fields.by_id(fields.items(each, "clauses")) for each in (root, written))
    windows, opened = (fields.entries(each, "windows") for each in (root, written))
    rulebook = fields.field(root, "rulebook")
    home = "" if rulebook is None else folder_of(rulebook)
    same = game.settings.scope == PRINTED and not game.settings.rulings and all(
        node is opened.get(name) for name, node in windows.items())
    for clause in game.clauses:
        node = nodes[clause.id]
        if all(fields.field(node, mark) is None for mark in MARKS):
            continue
        named = list(_named(node))
        known = [(name, place) for name, place in named if _known(name, place, report)]
        if same and before.get(clause.id) is node and clause.in_force:
            _check_had(game, clause, known, report)
        _check_words(clause, node, book if folder_of(node) == home else (), report)
        if clause.asked and all(clause.id not in point.clauses for point in game.open_points):
            report.error("RP241", f"no open point is about {quote(clause.id)}",
                         fields.place_of(node, "asked"),
                         help="`asked` is for what an open point of the spec asks")
        for each in fields.entries(node, "settled").values():
            if str(each.value) not in nodes.keys() | before.keys():
                report.error("RP220", f"unknown clause {quote(str(each.value))}", each.place,
                             help=did_you_mean(str(each.value), nodes))
            elif str(each.value) == clause.id:
                report.error("RP241", f"{quote(clause.id)} cannot settle what it leaves open",
                             each.place, help="`stated` names words of its own sentence")


def _named(node: SpecNode) -> list[tuple[str, Place]]:
    """List the aspects that are marked, each with its place."""
    found: list[tuple[str, Place]] = []
    for mark in ("stated", "settled"):
        under = fields.field(node, mark)
        found += [(name, fields.key_place(under, name) or each.place)
                  for name, each in fields.entries(under).items()]
    found += [(str(each.value), each.place) for mark in ("assumed", "asked", "internal")
              for each in fields.items(node, mark) if isinstance(each.value, str)]
    return found


def _known(name: str, place: Place, report: Reporter) -> bool:
    if name in ASPECTS:
        return True
    report.error("RP220", f"unknown aspect {quote(name)}", place,
                 help=did_you_mean(name, ASPECTS) or f"there are {', '.join(ASPECTS)}")
    return False


def _check_had(
    game: Game, clause: Clause, named: list[tuple[str, Place]], report: Reporter
) -> None:
    had = aspects_of(View(game, clause))
    first: dict[str, Place] = {}
    for name, place in named:
        if name not in had:
            report.error("RP241", f"{quote(clause.id)} does not decide {quote(name)}", place,
                         help=f"it decides {', '.join(sorted(had)) or 'nothing of this kind'}")
        elif first.setdefault(name, place) is not place:
            report.error("RP241", f"{quote(name)} has two marks", place,
                         notes=[f"the first one is at {first[name]}"])


def _check_words(clause: Clause, node: SpecNode, book: Sequence[str], report: Reporter) -> None:
    under = fields.field(node, "stated")
    for name, words in clause.stated:
        place = fields.entries(under)[name].place
        if isinstance(words, str):
            if words not in clause.says:
                report.error("RP241", f"{quote(words)} does not stand in `says`", place,
                             help="words of our paraphrase, as they stand there")
        elif words[0] > words[1]:
            report.error("RP240", f"the words {words[0]} to {words[1]} run backwards", place)
        elif clause.lines is None:
            report.error("RP241", "words have numbers only in lines that are cited", place,
                         help="the clause needs `lines`, or write words of `says`")
        elif book:
            there = len(" ".join(book[clause.lines[0] - 1:clause.lines[1]]).split())
            if words[1] > there:
                has = "has" if clause.lines[0] == clause.lines[1] else "have"
                report.error(
                    "RP240", f"word {words[1]} is not there: {lines_text(clause.lines)} {has} "
                    f"{there}", place,
                    help="`[first, last]` are words of the lines that are cited, counted from 1")
