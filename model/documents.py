"""What plays, positions and findings have in common: they are JSON objects that name their game.

Reading is strict: a field that is missing or of another type is a `DocumentError`.  A document that
has the right shape and says something untrue is another matter: that is what `Differs` is for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from .board import JSON
from .compile import Compiled
from .errors import quote
from .game import Settings

T = TypeVar("T")


class DocumentError(ValueError):
    """A document that has not the shape that its format says."""


class Differs(Exception):  # noqa: N818  (it is no error of ours)
    """A document says something else than the machine does."""

    def __init__(self, reason: str, clauses: tuple[str, ...] = ()) -> None:
        super().__init__(reason)
        self.reason = reason
        self.clauses = clauses


def settings_json(compiled: Compiled) -> dict[str, JSON]:
    """Write the settings of a game, the number of players resolved."""
    chosen = compiled.game.settings
    return {
        "players": compiled.game.players,
        "scope": chosen.scope,
        "variants": list(chosen.variants),
        "rulings": dict(chosen.rulings),
        "cards": chosen.cards,
    }


def field(value: object, name: str, kind: type[T], where: str) -> T:
    """Take a field of an object, insisting on its type."""
    if not isinstance(value, Mapping):
        raise DocumentError(f"{where} must be an object")
    if name not in value:
        raise DocumentError(f"{where} has no `{name}`")
    found = value[name]
    if not isinstance(found, kind) or (kind is int and isinstance(found, bool)):
        raise DocumentError(f"`{name}` of {where} must be {_KINDS[kind]}")
    return found


_KINDS: Mapping[type, str] = {
    str: "text",
    int: "a number",
    list: "a list",
    dict: "an object",
    bool: "true or false",
}


def check_format(value: object, wanted: str, where: str) -> None:
    """Insist on the format of a document."""
    found = field(value, "format", str, where)
    if found != wanted:
        raise DocumentError(f"{where} has the format {quote(found)}, not `{wanted}`")


def header(value: object, where: str = "the play") -> tuple[str, Settings]:
    """Read which game a document belongs to, and with which settings."""
    game = field(value, "game", str, where)
    settings = field(value, "settings", dict, where)
    place = f"`settings` of {where}"
    players, cards = settings.get("players"), settings.get("cards")
    if players is not None:
        players = field(settings, "players", int, place)
    if cards is not None:
        cards = field(settings, "cards", str, place)
    variants = field(settings, "variants", list, place)
    rulings = field(settings, "rulings", dict, place)
    if not all(isinstance(each, str) for each in (*variants, *rulings, *rulings.values())):
        raise DocumentError(f"{place} has variants or rulings that are no names")
    return game, Settings(
        players,
        field(settings, "scope", str, place),
        tuple(variants),
        tuple(sorted(rulings.items())),
        cards,
    )


def same_game(doc: object, compiled: Compiled) -> None:
    """Compare what a document says of its game, spec and settings.

    Raises:
        Differs: if that is not the game at hand.

    """
    game = compiled.game
    if field(doc, "game", str, "the play") != game.id:
        raise Differs(f"this is a play of another game, not of {quote(game.id)}")
    given = field(doc, "spec_sha256", str, "the play")
    if given != game.spec_sha256:
        raise Differs(
            f"it was made with another spec of {quote(game.id)}:"
            f" {given[:12]}… there, {game.spec_sha256[:12]}… here"
        )
    theirs, ours = field(doc, "settings", dict, "the play"), settings_json(compiled)
    for name in dict.fromkeys((*ours, *theirs)):
        if theirs.get(name) != ours.get(name):
            raise Differs(f"the setting `{name}` is not the one that the game is loaded with")
