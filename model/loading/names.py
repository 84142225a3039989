"""Checks that a name means one thing, and that it is none of the language's own words."""

from __future__ import annotations

import keyword
from collections.abc import Iterator

from ..game.entries import Context
from ..game.game import Game
from ..rules.words import TYPES, WORDS
from ..source import fields
from ..source.errors import Place, Reporter, quote
from ..source.tree import SpecNode

SECTIONS = ("constants", "enums", "families", "zones", "state", "pools", "steps", "windows")
"""Sections that share one space of names, in which enum values and definitions live too."""


def check_names(game: Game, ctx: Context) -> None:
    """Report names that are reserved, or taken."""
    seen: dict[str, tuple[str, Place]] = {}
    for name, what, place in _declared(game, ctx):
        reserved(name, place, ctx.report, types=what in ("enums", "families"))
        before = seen.setdefault(name, (what, place))
        if before != (what, place):
            ctx.report.error("RP221", f"{quote(name)} is already a name in `{before[0]}`", place,
                             notes=[f"the first one is at {before[1]}"])
    for section, key in (("steps", "params"), ("pools", "fields")):
        for node in ctx.section(section).values():
            _inner(node, key, ctx.report)
    for node in fields.items(ctx.root, "clauses"):
        for key in ("params", "with", "given"):
            _inner(node, key, ctx.report)


def reserved(name: str, place: Place, report: Reporter, *, types: bool = False) -> None:
    """Report a name that is a word of the language."""
    own = name in WORDS or (types and name in TYPES)
    if own or keyword.iskeyword(name):
        report.error("RP206", f"{quote(name)} is a word of the rules language", place,
                     help="choose another name")


def _inner(node: SpecNode, key: str, report: Reporter) -> None:
    inner = fields.field(node, key)
    for name, each in fields.entries(inner).items():
        reserved(name, fields.key_place(inner, name) or each.place, report)


def _declared(game: Game, ctx: Context) -> Iterator[tuple[str, str, Place]]:
    for section in SECTIONS:
        node = fields.field(ctx.root, section)
        for name, entry in fields.entries(node).items():
            yield name, section, fields.key_place(node, name) or entry.place
    for enum, values in fields.entries(ctx.root, "enums").items():
        for value in fields.items(values):
            yield str(value.value), f"enums.{enum}", value.place
    for clause in game.clauses:
        if clause.define and clause.in_force:
            yield clause.define, "clauses", clause.place
