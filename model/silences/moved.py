"""What moves: to whose zone, and what becomes of what hangs on a thing that leaves."""

from __future__ import annotations

from collections.abc import Iterator

from ..game import syntax as sx
from ..game.texts import walk
from ..game.unparse import unparse
from ..machine.titles import is_or_are
from .silence import Answer, Silence, View, called, instead, owner_of, zone_of

WHOSE = "whose"
REST = "the-rest"


def find_whose(view: View) -> Iterator[Silence]:
    """Yield the moves to a zone that each player has, where another player's could be meant."""
    for site in view.sites:
        if not isinstance(site.tree, sx.Do) or called(site.tree) not in ("move", "move_all"):
            continue
        args = site.tree.call.args
        target = args[-1]
        if not isinstance(target, sx.Index) or not _each_has_one(view, target):
            continue
        said = unparse(target.index)
        lying = args[-2] if len(args) > 2 else args[0]
        source = owner_of(lying) if _each_has_one(view, lying) else None
        if source is not None and unparse(source) == said:
            continue
        moves_on = source is not None and zone_of(lying) != zone_of(target)
        found: dict[str, tuple[str, sx.Expr]] = {}
        if source is not None and moves_on:
            found["holder"] = ("the player who held it", source)
        mover = view.mover()
        if mover and not view.clause.option and view.clause.kind != "setup":
            found["who-acts"] = ("the player whose turn it is", sx.Name(mover, target.at))
        answers = {
            unparse(who): Answer(id_, f"that of {role}",
                                 {site.inner("call", "args", len(args) - 1, "index"):
                                  instead(who)})
            for id_, (role, who) in reversed(found.items()) if unparse(who) != said}
        if answers:
            title = view.game.titles.of(zone_of(target))
            yield Silence(WHOSE, view.clause.id, f"move to {zone_of(target)}",
                          f"something goes to a `{zone_of(target)}`",
                          ("as-written", f"that of {view.person(target.index)}"),
                          tuple(answers.values()),
                          asks=f"whose {title} {is_or_are(title)} meant, as each player has that")


def _each_has_one(view: View, lying: sx.Expr) -> bool:
    """Return whether a zone is one that each player has, and not one of each value or card."""
    zone = view.game.zones.get(zone_of(lying))
    return zone is not None and zone.per_player


def find_rest(view: View) -> Iterator[Silence]:
    """Yield what is moved along with a record that is removed, and could go to its owner's hand."""
    removed = {arg.name for site in view.sites if called(site.tree) == "remove"
               and isinstance(site.tree, sx.Call) for arg in site.tree.args
               if isinstance(arg, sx.Name)}
    moves = [(site, site.tree.call.args) for site in view.sites
             if isinstance(site.tree, sx.Do) and called(site.tree) == "move"
             and isinstance(site.tree.call.args[0], sx.Attr)
             and isinstance(site.tree.call.args[0].value, sx.Name)
             and site.tree.call.args[0].value.name in removed]
    along = [unparse(card).rpartition(".")[2].replace("_", " ") for _, (card, *_) in moves[1:]]
    asks = f"what becomes of its {' and '.join(dict.fromkeys(along))}"
    for site, (card, source, target) in moves[1:]:  # the first is the thing itself
        owner, hand = owner_of(source), _hand(view, zone_of(source))
        if owner is None or not hand or zone_of(target) == hand:
            continue
        yield Silence(
            REST, view.clause.id, "what hangs on a thing that leaves",
            f"`{unparse(card)}` is with a thing that leaves",
            ("goes-with-it", "it leaves with that thing"),
            (Answer("to-the-hand", "its owner has it in the hand again", {
                site.inner("call", "args", 2): instead(sx.Index(
                    sx.Name(hand, owner.at), owner, owner.at))}),), asks)


def _hand(view: View, zone: str) -> str:
    """Name the zone of the same family that only its owner sees, or ""."""
    here = view.game.zones.get(zone)
    hands = [each.name for each in view.game.zones.values()
             if here is not None and each.family == here.family and each.kind == "bag"
             and each.per_player and each.seen_by == "owner"]
    return hands[0] if len(hands) == 1 else ""


def ends(stmts: tuple[sx.Stmt, ...]) -> bool:
    """Return whether statements may end the game."""
    return any(called(part) in ("win", "end_game") for stmt in stmts for part in walk(stmt))
