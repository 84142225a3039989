"""Builds the families of cards that a game declares."""

from __future__ import annotations

from collections.abc import Mapping

from ..source import fields
from ..source.errors import did_you_mean, quote
from ..source.tree import SpecNode
from .entries import Context
from .game import Body, Card, Family, Ty

CARD_FIELDS = ("name", "copies", "abilities", "assumed", "clause")


def kept_cards(root: SpecNode, named: frozenset[tuple[str, str]]) -> dict[str, dict[str, SpecNode]]:
    """Return the cards of each family that are in the game: with copies, or named by something."""
    declared = {name: fields.entries(node) for name, node in fields.entries(root, "cards").items()}
    kept: dict[str, dict[str, SpecNode]] = {}
    for family in fields.entries(root, "families"):
        cards = declared.get(family, {})
        left = {
            card: node for card, node in cards.items()
            if fields.number(node, "copies", 0) > 0 or (family, card) in named
        }
        kept[family] = left or dict(list(cards.items())[:1])
    return kept


def build(ctx: Context, cards: Mapping[str, Mapping[str, SpecNode]]) -> dict[str, Family]:
    """Build the families with their cards."""
    made: dict[str, Family] = {}
    for name, node in ctx.section("families").items():
        attributes = ctx.types(node, "attributes")
        for each in fields.entries(node, "attributes"):
            if each in CARD_FIELDS:
                ctx.report.error("RP206", f"{quote(each)} cannot be an attribute",
                                 fields.key_place(fields.field(node, "attributes"), each)
                                 or node.place)
        if not cards.get(name) and not ctx.refused("cards", name):
            ctx.report.error("RP121", f"the family {quote(name)} has no cards", node.place,
                             help="list them under `cards`")
        whole = attributes if len(attributes) == len(fields.entries(node, "attributes")) else None
        built = tuple(
            _card(ctx, name, card, each, attributes, strict=whole is not None)
            for card, each in cards.get(name, {}).items()
        )
        abilities = frozenset(
            ability for each in fields.entries(ctx.section("cards").get(name)).values()
            for ability in fields.entries(each, "abilities")
        )
        _told_apart(ctx, built, cards.get(name, {}))
        made[name] = Family(name, attributes, built, abilities, node.place)
    for name, node in ctx.section("cards").items():
        if name not in made and not ctx.refused("families", name):
            ctx.report.error("RP220", f"unknown family {quote(name)}",
                             fields.key_place(fields.field(ctx.root, "cards"), name) or node.place,
                             help=did_you_mean(name, made))
    return made


def _told_apart(ctx: Context, built: tuple[Card, ...], written: Mapping[str, SpecNode]) -> None:
    """Report cards of a family with one printed name, by which moves and boards tell them apart."""
    first: dict[str, Card] = {}
    for card in built:
        other = first.setdefault(card.name, card)
        if other is not card:
            ctx.report.error(
                "RP244", f"the cards {quote(other.id)} and {quote(card.id)} are both called "
                f"{quote(card.name)}", fields.place_of(written[card.id], "name"),
                help="give this one another name; or, if they are the same, the first one more "
                "`copies`",
                notes=[f"the first one is at {fields.place_of(written[other.id], 'name')}"])


def _card(
    ctx: Context, family: str, card: str, node: SpecNode, attributes: Mapping[str, Ty], *,
    strict: bool,
) -> Card:
    """Build a card; attributes that are not given are none, no or 0, where that is possible."""
    given = {key: each for key, each in fields.entries(node).items() if key not in CARD_FIELDS}
    for key in given.keys() - attributes.keys() if strict else ():
        hint = did_you_mean(key, [*attributes, *CARD_FIELDS])
        ctx.report.error("RP120", f"cards of {quote(family)} have no {quote(key)}",
                         fields.key_place(node, key) or node.place, help=hint)
    found: dict[str, int] = {}
    for key, ty in attributes.items():
        what = quote(f"{family}.{card}.{key}")
        if key in given:
            found[key] = ctx.values.start(given[key], ty, what)
        else:
            found[key] = ctx.values.start(None, ty, what)
            if not (ty.optional or ty.kind == "bool" or (ty.kind == "int" and not found[key])):
                ctx.report.error("RP121", f"{quote(f'{family}.{card}')} needs {quote(key)}",
                                 node.place)
    assumed = fields.texts(node, "assumed")
    if assumed == ("all",):
        more = ("abilities",) if fields.entries(node, "abilities") else ()
        assumed = ("name", "copies", *attributes, *more)
    for key in assumed if strict else ():
        if key not in (*attributes, "name", "copies", "abilities"):
            hint = did_you_mean(key, [*attributes, "name", "copies", "abilities"])
            ctx.report.error("RP220", f"{quote(key)} is no field of the card",
                             fields.place_of(node, "assumed"), help=hint)
    return Card(card, fields.text(node, "name", card), fields.number(node, "copies", 0), found,
                _abilities(ctx, node), assumed, fields.text(node, "clause"), node.place)


def _abilities(ctx: Context, node: SpecNode) -> dict[str, Body]:
    made = {
        name: ctx.texts.body(each, ctx.report)
        for name, each in fields.entries(node, "abilities").items()
    }
    return {name: body for name, body in made.items() if body is not None}
