"""Checks the lines and sentences that clauses cite, and the vocabulary of the book."""

from __future__ import annotations

from ..game.sentences import lines_of
from ..source import fields
from ..source.errors import Place, Reporter, did_you_mean, quote
from ..source.outline import lines_text
from ..source.tree import SpecNode


def check_lines(clause: SpecNode, root: SpecNode, report: Reporter) -> None:
    """Report lines that the rulebook does not have, and sentences that its lines do not have."""
    book = fields.field(root, "rulebook")
    lines = lines_of(clause)
    if book is None or lines is None or folder_of(book) != folder_of(clause):
        return
    first, last = lines
    place = fields.place_of(clause, "lines")
    if first > last:
        report.error("RP240", f"the lines {first} to {last} run backwards", place)
        return
    length = fields.number(book, "lines", 0)
    if last > length:
        report.error("RP240", f"line {last} is outside of the rulebook", place,
                     help=f"it has {length} lines")
        return
    outline = fields.entries(book, "outline")
    named = fields.numbers(clause, "sentences")
    if not outline or not named:
        return
    there = sum(
        each.value for line, each in outline.items()
        if type(each.value) is int and first <= int(line) <= last
    )
    if max(named) > there:
        report.error("RP240", f"sentence {max(named)} is not there: {lines_text((first, last))} "
                     f"{'has' if first == last else 'have'} {there}",
                     fields.place_of(clause, "sentences"))


def folder_of(node: SpecNode) -> str:
    """Return the folder of the file in which something stands."""
    return node.place.file.rpartition("/")[0]


def check_vocabulary(root: SpecNode, report: Reporter) -> None:
    """Report terms that are another name for nothing, and terms that are nearly written right.

    A term that a sentence uses and nothing defines is no mistake of the spec: it is a finding.
    """
    terms = fields.entries(root, "vocabulary")
    for name, node in terms.items():
        same = fields.text(node, "same_as")
        place = fields.place_of(node, "same_as")
        if same and same not in terms:
            report.error("RP220", f"unknown term {quote(same)}", place,
                         help=did_you_mean(same, terms))
        elif same and fields.text(terms[same], "same_as"):
            report.error("RP241", f"{quote(same)} is another name itself", place,
                         help=f"say what {quote(name)} stands for in the end")
        if not same and not fields.text(node, "means"):
            report.error("RP121", f"the term {quote(name)} needs `means` or `same_as`",
                         _key(root, name, node))
    folded = {_folded(name): name for name in terms}
    for clause in fields.items(root, "clauses"):
        for item in fields.items(clause, "uses"):
            word = str(item.value)
            meant = folded.get(_folded(word), word)
            if word not in terms and meant != word:
                report.error("RP220", f"unknown term {quote(word)}", item.place,
                             help=f"did you mean {quote(meant)}?")


def _key(root: SpecNode, name: str, node: SpecNode) -> Place:
    return fields.key_place(fields.field(root, "vocabulary"), name) or node.place


def _folded(term: str) -> str:
    return " ".join(term.casefold().replace("-", " ").replace("_", " ").split())
