"""Builds a `Game` from sections to which the settings have been applied."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

from ..game import entries, families, sentences
from ..game import syntax as sx
from ..game.entries import Context
from ..game.game import Clause, Game, Settings
from ..game.sentences import played
from ..game.uses import trees_of
from ..game.values import Values
from ..rules.ordering import turns_of
from ..source import fields
from ..source.errors import Reporter
from ..source.tree import SpecNode
from .links import check_links
from .marks import check_marks
from .names import check_names
from .overlaps import together_lists
from .sections import Sections
from .settings import Chosen, all_clauses, in_modes


def build(
    root: SpecNode, sections: Sections, chosen: Chosen, settings: Settings, report: Reporter
) -> Game:
    """Build a game; what is wrong goes to the report, and then the game is not to be used."""
    low, high, _ = entries.players_range(root, report)
    known = entries.constants(root)
    enums = {
        name: tuple(str(item.value) for item in fields.items(node))
        for name, node in fields.entries(root, "enums").items()
    }
    everything = {
        family: tuple(fields.entries(fields.entries(root, "cards").get(family)))
        for family in fields.entries(root, "families")
    }
    numbers = {name: constant.value for name, constant in known.items()}
    lost = {each.partition(".")[0] for each in sections.broken}
    values = Values(
        report, {**numbers, "player_count": chosen.players}, enums, everything, chosen.players,
        lenient=bool(lost & {"constants", "enums", "families", "cards"}),
        pools=fields.entries(root, "pools").keys())
    ctx = Context(root, report, sections.texts, sections.broken, values)
    clauses = sentences.clauses(ctx, chosen.variants)
    named = _named_cards(ctx, clauses) | _named_elsewhere(sections.root, chosen.variants)
    cards = families.kept_cards(root, named)
    ctx = replace(ctx, values=replace(values, cards={name: tuple(cards[name]) for name in cards}))
    game = Game(
        id=sections.name, title=fields.text(root, "title", sections.name),
        about=fields.text(root, "about"),
        settings=replace(settings, players=chosen.players, variants=chosen.variants),
        players=chosen.players, players_range=(low, high),
        player_word=fields.text(fields.field(root, "players"), "called", "player"),
        rulebook=entries.rulebook(root), start=fields.text(root, "start"), constants=known,
        enums=enums, families=families.build(ctx, cards), zones=entries.zones(ctx),
        variables=entries.variables(ctx), pools=entries.pools(ctx), steps=entries.steps(ctx),
        windows=entries.windows(ctx), clauses=clauses, open_points=entries.open_points(ctx),
        rulings=chosen.rulings, variants=entries.variants(ctx), scopes=entries.scopes(ctx),
        vocabulary=entries.vocabulary(ctx), titles=entries.titles(root, enums),
        spec_sha256=sections.sha256,
        score=ctx.texts.expression(fields.field(root, "score"), report), named_by=named_by(root),
        turns=_turns(ctx, sections.root, chosen.variants),
    )
    check_names(game, ctx)
    check_links(game, ctx)
    if not report.failed:
        check_marks(game, root, sections.root, sections.book, report)
    return game


def _turns(ctx: Context, written: SpecNode, variants: tuple[str, ...]) -> Mapping[str, int]:
    """Return the places of clauses that act together, in the modes and under no reading."""
    known = ctx.texts.turns
    if (written, variants) not in known:
        there = replace(ctx, root=in_modes(written, variants), report=Reporter())
        known[written, variants] = turns_of(sentences.clauses(there, variants))
    return known[written, variants]


def named_by(root: SpecNode) -> dict[str, tuple[str, ...]]:
    """Collect, for each clause, the entries that cite it."""
    found: dict[str, list[str]] = {}
    for name, node in entries.citing(root):
        if clause := fields.text(node, "clause"):
            found.setdefault(clause, []).append(name)
    return {clause: tuple(names) for clause, names in found.items()}


def _named_cards(ctx: Context, clauses: tuple[Clause, ...]) -> frozenset[tuple[str, str]]:
    """Collect the cards that expressions, start values or attributes name."""
    known = ctx.values.cards
    found: set[tuple[str, str]] = set()
    for tree in _trees(ctx, clauses):
        found.update(each for each in ctx.texts.dotted(tree) if each[1] in known.get(each[0], ()))
    families = {name: ctx.types(node, "attributes")
                for name, node in ctx.section("families").items()}
    cited: list[tuple[str, SpecNode | None]] = []
    for node in ctx.section("state").values():
        ty = ctx.values.type(fields.entries(node)["type"])
        if ty is not None and ty.kind == "card":
            cited.append((ty.name, fields.field(node, "start")))
    for name, types in families.items():
        for each in fields.entries(ctx.section("cards").get(name)).values():
            cited += [(ty.name, fields.field(each, key))
                      for key, ty in types.items() if ty.kind == "card"]
    for holder, value in cited:
        if value is not None and isinstance(value.value, str) and value.value != "none":
            found.add((holder, value.value.removeprefix(f"{holder}.")))
    return frozenset(found)


@lru_cache(maxsize=8)
def _named_elsewhere(root: SpecNode, variants: tuple[str, ...]) -> frozenset[tuple[str, str]]:
    """Collect what stands as `a.b` in the clauses as written, or in any reading of them.

    So the cards of a scope, and their order, are the same under all readings and without any
    clause: chance that deals them is told by their numbers.
    """
    todo = [node for node in all_clauses(root) if played(node, variants)]
    names = {fields.text(node, "id") for node in todo}
    for point in fields.items(root, "open_points"):
        for reading in fields.items(point, "readings"):
            for each in (reading, *together_lists(reading)):
                changes = fields.entries(each, "changes")
                todo += [node for name, node in changes.items() if name in names]
    found: set[tuple[str, str]] = set()
    while todo:
        node = todo.pop()
        if isinstance(node.value, str):
            found.update(re.findall(r"(\w+)\.(\w+)", node.value))
        elif isinstance(node.value, dict | tuple):
            todo += node.value.values() if isinstance(node.value, dict) else node.value
    return frozenset(found)


def _trees(ctx: Context, clauses: tuple[Clause, ...]) -> Iterator[sx.Expr | sx.Stmt]:
    """Yield every rule text of the game."""
    for clause in clauses:
        if clause.in_force:
            yield from trees_of(clause)
    more = [fields.field(ctx.root, "score")]
    for window in ctx.section("windows").values():
        more += [fields.field(window, key) for key in ("by", "who", "from")]
    for node in more:
        tree = ctx.texts.expression(node, ctx.report)
        if tree is not None:
            yield tree
    for family in ctx.section("cards").values():
        for card in fields.entries(family).values():
            for ability in fields.entries(card, "abilities").values():
                body = ctx.texts.body(ability, ctx.report)
                if body is not None:
                    yield from body.statements
