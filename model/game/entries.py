"""Builds what a game declares besides clauses and cards: zones, state, steps, windows, modes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, cast

from ..machine.machine import Visibility
from ..machine.titles import Titles
from ..source import fields
from ..source.errors import Reporter, did_you_mean, quote
from ..source.tree import SpecNode
from .game import (
    PRINTED,
    Constant,
    OpenPoint,
    Pool,
    Reading,
    Scope,
    Step,
    Ty,
    Variable,
    Variant,
    Window,
    Zone,
)
from .rulebook import Rulebook, VocabularyTerm
from .texts import Texts
from .values import Values

CITING = ("constants", "zones", "state", "pools", "steps", "windows", "families", "variants",
          "vocabulary")
"""Sections whose entries may cite the clause that introduces them."""


@dataclass(frozen=True, slots=True)
class Context:
    """What all builders share: the sections, where to report, and what may be named."""

    root: SpecNode
    report: Reporter
    texts: Texts
    broken: frozenset[str]
    values: Values

    def section(self, name: str) -> dict[str, SpecNode]:
        """Return the entries of a section."""
        return fields.entries(self.root, name)

    def types(self, node: SpecNode | None, key: str) -> dict[str, Ty]:
        """Read the types of parameters, fields or attributes."""
        made = {name: self.values.type(each) for name, each in fields.entries(node, key).items()}
        return {name: ty for name, ty in made.items() if ty is not None}

    def refused(self, section: str, name: str) -> bool:
        """Return whether an entry may have been declared by something that was refused."""
        whole = f"{section}.{name}"
        return bool({section, whole} & self.broken) or any(
            each.startswith(f"{whole}.") for each in self.broken
        )


def players_range(root: SpecNode, report: Reporter) -> tuple[int, int, int]:
    """Return the least, the largest and the usual number of players."""
    node = fields.field(root, "players")
    if node is None:
        return 1, 12, 1
    given = set(fields.entries(node))
    if "count" in given and given & {"min", "max", "default"}:
        report.error("RP241", "`players` has either `count` or `min` and `max`", node.place)
    count = fields.number(node, "count", 0)
    if not count and not {"min", "max"} <= given:
        report.error("RP121", "`players` needs `count`, or `min` and `max`", node.place)
    low = count or fields.number(node, "min", 1)
    high = count or fields.number(node, "max", max(low, fields.number(node, "default", low)))
    usual = count or fields.number(node, "default", low)
    if not low <= usual <= high:
        report.error("RP205", f"{usual} players are not between {low} and {high}",
                     fields.place_of(node, "default"),
                     help="`min` ≤ `default` ≤ `max`")
        return min(low, high), max(low, high), min(low, high)
    return low, high, usual


def constants(root: SpecNode) -> dict[str, Constant]:
    """Build the constants."""
    made: dict[str, Constant] = {}
    for name, node in fields.entries(root, "constants").items():
        value = node if type(node.value) is int else fields.field(node, "value")
        if value is not None and type(value.value) is int:
            made[name] = Constant(name, value.value, fields.text(node, "clause"), node.place)
    return made


def rulebook(root: SpecNode) -> Rulebook | None:
    """Build what identifies the printed text."""
    node = fields.field(root, "rulebook")
    if node is None:
        return None
    outline = {
        int(line): each.value
        for line, each in fields.entries(node, "outline").items()
        if type(each.value) is int
    }
    return Rulebook(fields.text(node, "file"), fields.text(node, "sha256"),
                    fields.number(node, "lines", 0), dict(sorted(outline.items())))


# --- places and state ----------------------------------------------------------------------------


def _seen_by(node: SpecNode) -> Visibility:
    return cast("Visibility", fields.text(node, "seen_by", "all"))  # the schema knows no other


def _per(ctx: Context, name: str, node: SpecNode) -> str:
    """Return what there is one of an entry for: players, a family, an enum, or nothing."""
    per = fields.text(node, "per")
    known = {"player": 0, **ctx.section("families"), **ctx.section("enums")}
    if per and per not in known:
        if not ctx.refused("enums", per):
            ctx.report.error("RP220", f"{quote(name)} cannot be one for each {quote(per)}",
                             fields.place_of(node, "per"),
                             help=did_you_mean(per, known) or "`player`, a family or an enum")
        return ""
    return per


def zones(ctx: Context) -> dict[str, Zone]:
    """Build the zones."""
    made: dict[str, Zone] = {}
    for name, node in ctx.section("zones").items():
        family = fields.text(node, "holds")
        if family not in ctx.section("families"):
            if not ctx.refused("families", family):
                ctx.report.error("RP220", f"unknown family {quote(family)}",
                                 fields.place_of(node, "holds"),
                                 help=did_you_mean(family, ctx.section("families")))
            continue
        zone = Zone(
            name, family, fields.text(node, "kind"), _per(ctx, name, node),
            _seen_by(node), fields.text(node, "starts"),
            fields.number(node, "known", 0), fields.number(node, "capacity", 0),
            fields.text(node, "clause"), node.place, fields.truth(node, "internal"),
        )
        _check_zone(zone, node, made, ctx.report)
        made[name] = zone
    return made


def _check_zone(zone: Zone, node: SpecNode, before: Mapping[str, Zone], report: Reporter) -> None:
    def refuse(message: str, key: str, hint: str = "") -> None:
        report.error("RP241", f"{quote(zone.name)}: {message}", fields.place_of(node, key),
                     help=hint)

    if zone.kind == "pile" and not zone.capacity:
        refuse("a pile needs `capacity`", "kind", "the most cards that it can hold")
    if zone.kind != "pile" and zone.capacity:
        refuse("only a pile has `capacity`", "capacity")
    if zone.kind != "deck" and zone.known:
        refuse("only a deck has `known`", "known")
    if zone.seen_by == "owner" and not zone.per_player:
        refuse("only what each player has is seen by its owner", "seen_by", "add `per: player`")
    if zone.starts and (zone.per or zone.kind not in ("bag", "deck")):
        refuse("cards start in a bag or a deck that is there once", "starts")
    for other in before.values():
        if zone.starts and other.starts and other.family == zone.family:
            refuse(f"the cards of {quote(zone.family)} start in {quote(other.name)}", "starts")


def variables(ctx: Context) -> dict[str, Variable]:
    """Build the state variables."""
    made: dict[str, Variable] = {}
    for name, node in ctx.section("state").items():
        ty = ctx.values.type(fields.entries(node)["type"])
        if ty is None:
            continue
        per = _per(ctx, name, node)
        seen = _seen_by(node)
        if seen == "owner" and per != "player":
            ctx.report.error("RP241", f"{quote(name)}: only what each player has is seen by its "
                             "owner", fields.place_of(node, "seen_by"), help="add `per: player`")
        start = ctx.values.start(fields.field(node, "start"), ty, quote(name))
        made[name] = Variable(name, ty, per, start, seen, fields.text(node, "clause"), node.place,
                              fields.truth(node, "internal"))
    return made


def pools(ctx: Context) -> dict[str, Pool]:
    """Build the pools of records."""
    made: dict[str, Pool] = {}
    for name, node in ctx.section("pools").items():
        inside = ctx.types(node, "fields")
        for each, ty in inside.items():
            if ty.kind == "players":
                ctx.report.error("RP204", f"{quote(f'{name}.{each}')} cannot be a set of players",
                                 fields.entries(node, "fields")[each].place)
        made[name] = Pool(name, fields.text(node, "per") == "player",
                          fields.number(node, "capacity", 1), inside,
                          _seen_by(node), fields.text(node, "clause"),
                          node.place, fields.truth(node, "internal"))
    return made


# --- the turn machine ----------------------------------------------------------------------------


def steps(ctx: Context) -> dict[str, Step]:
    """Build the steps."""
    return {
        name: Step(name, fields.text(node, "title"), ctx.types(node, "params"),
                   fields.number(node, "depth", 1), fields.text(node, "clause"), node.place)
        for name, node in ctx.section("steps").items()
    }


def windows(ctx: Context) -> dict[str, Window]:
    """Build the windows."""
    made: dict[str, Window] = {}
    for name, node in ctx.section("windows").items():
        _check_window(ctx, name, node)
        by, who, start = (
            ctx.texts.expression(fields.field(node, key), ctx.report)
            for key in ("by", "who", "from")
        )
        made[name] = Window(
            name, fields.text(node, "title"), by, who, fields.text(node, "order", "unstated"),
            start, fields.text(node, "each", "once"), fields.truth(node, "repeat"),
            fields.truth(node, "forced"), fields.text(node, "done", "done"),
            fields.number(node, "depth", 1), fields.text(node, "clause"), node.place,
        )
    return made


def _check_window(ctx: Context, name: str, node: SpecNode) -> None:
    given = {key for key, each in fields.entries(node).items() if each.value is not None}
    wrong: list[tuple[str, str, str]] = []
    if {"by", "who"} <= given:
        wrong.append(("`by` (one player) and `who` (a set) exclude each other", "who", ""))
    if "who" not in given:
        wrong += [(f"`{key}` needs `who`, a set of players", key, "")
                  for key in ("order", "from", "each") if key in given]
    elif "repeat" in given:
        wrong.append(("`repeat` is for one player (`by`)", "repeat", "use `each: until_pass`"))
    if not given & {"by", "who"} and name != "actions":
        wrong.append(("it needs `by` (one player) or `who` (a set)", "", ""))
    for message, key, hint in wrong:
        ctx.report.error("RP241", f"the window {quote(name)}: {message}",
                         fields.key_place(node, key) or node.place, help=hint)


# --- modes, points, words ------------------------------------------------------------------------


def variants(ctx: Context) -> dict[str, Variant]:
    """Build the modes of play."""
    return {
        name: Variant(name, fields.text(node, "title", name), fields.text(node, "clause"),
                      fields.texts(node, "needs"), fields.texts(node, "excludes"),
                      fields.number(node, "players", 0),
                      ctx.texts.expression(fields.field(node, "when"), ctx.report),
                      fields.truth(node, "binding"),
                      {one.name: one.value for one in constants(node).values()})
        for name, node in ctx.section("variants").items()
    }


def open_points(ctx: Context) -> tuple[OpenPoint, ...]:
    """Build the declared open points."""
    return tuple(
        replace(_open_point(node), where=ctx.texts.expression(where, ctx.report))
        if (where := fields.field(node, "where")) is not None else _open_point(node)
        for node in fields.items(ctx.root, "open_points"))


@lru_cache(maxsize=1_000)
def _open_point(node: SpecNode) -> OpenPoint:
    return OpenPoint(
        fields.text(node, "id"), fields.texts(node, "clauses"), fields.text(node, "asks"),
        tuple(Reading(fields.text(each, "id"), fields.text(each, "title"),
                      tuple(fields.text(one, "id") for one in fields.items(each, "add")),
                      fields.text(each, "draft"))
              for each in fields.items(node, "readings")),
        fields.texts(node, "settled"), fields.texts(node, "hinted"),
        fields.texts(node, "on_cards"), fields.text(node, "class", "ambiguity"))


def scopes(ctx: Context) -> dict[str, Scope]:
    """Build the instances; `printed` is always there."""
    made: dict[str, Scope] = {}
    for name, node in ctx.section("scopes").items():
        made[name] = _scope(name, node)
    made.setdefault(PRINTED, Scope(PRINTED, None, "the game as printed"))
    return made


@lru_cache(maxsize=1_000)
def _scope(name: str, node: SpecNode) -> Scope:
    players = fields.number(node, "players", 0)
    scaled = bool({"players", "constants", "cards", "state"} & fields.entries(node).keys())
    return Scope(name, players or None, fields.text(node, "about"), scaled,
                 cast("Mapping[str, Any]", fields.plain(node)))


def citing(root: SpecNode) -> Iterator[tuple[str, SpecNode]]:
    """Yield the entries that may cite the clause which introduces them, each with its name."""
    if players := fields.field(root, "players"):
        yield "players", players
    for section in CITING:
        for name, node in fields.entries(root, section).items():
            yield f"{section}.{name}", node
    for family, cards in fields.entries(root, "cards").items():
        for name, node in fields.entries(cards).items():
            yield f"cards.{family}.{name}", node


def titles(root: SpecNode, enums: Mapping[str, tuple[str, ...]]) -> Titles:
    """Build what names are called for people; those of values of enums apart."""
    values = {value for each in enums.values() for value in each}
    given = {name: str(node.value) for name, node in fields.entries(root, "titles").items()}
    return Titles({name: title for name, title in given.items() if name not in values},
                  {name: title for name, title in given.items() if name in values})


def vocabulary(ctx: Context) -> dict[str, VocabularyTerm]:
    """Build the vocabulary."""
    return {
        name: VocabularyTerm(name, fields.text(node, "means"), fields.text(node, "same_as"),
                   fields.text(node, "clause"))
        for name, node in ctx.section("vocabulary").items()
    }


