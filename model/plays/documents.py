"""What plays, positions and findings have in common: they are JSON objects that name their game.

Reading is strict: a field that is missing or of another type is a `DocumentError`.  A document that
has the right shape and says something untrue is another matter: that is what `Differs` is for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeGuard, overload

from ..game.game import Settings
from ..lowering.compile import Compiled
from ..source.errors import quote
from .board import JSON


class DocumentError(ValueError):
    """A document that has not the shape that its format says."""


class Differs(Exception):  # noqa: N818  (it is no error of ours)
    """A document says something else than the machine does."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


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


def is_object(value: object) -> TypeGuard[dict[str, JSON]]:
    """Say whether a piece of a document is an object."""
    return isinstance(value, dict)


def is_list(value: object) -> TypeGuard[list[JSON]]:
    """Return whether a piece of a document is a list."""
    return isinstance(value, list)


@overload
def field(value: object, name: str, kind: type[str], where: str) -> str: ...
@overload
def field(value: object, name: str, kind: type[int], where: str) -> int: ...
@overload
def field(value: object, name: str, kind: type[list[Any]], where: str) -> list[JSON]: ...
@overload
def field(value: object, name: str, kind: type[dict[Any, Any]], where: str) -> dict[str, JSON]: ...
def field(value: object, name: str, kind: type[object], where: str) -> JSON:
    """Take a field of an object, insisting on its type."""
    if not is_object(value):
        raise DocumentError(f"{where} must be an object")
    if name not in value:
        raise DocumentError(f"{where} has no `{name}`")
    found = value[name]
    if not isinstance(found, kind) or (kind is int and isinstance(found, bool)):
        raise DocumentError(f"`{name}` of {where} must be {_KINDS[kind]}")
    return found


_KINDS: Mapping[type, str] = {str: "text", int: "a number", list: "a list", dict: "an object"}


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
    given = {name for name in ("players", "cards") if settings.get(name) is not None}
    players = field(settings, "players", int, place) if "players" in given else None
    cards = field(settings, "cards", str, place) if "cards" in given else None
    variants = [each for each in field(settings, "variants", list, place) if isinstance(each, str)]
    rulings = field(settings, "rulings", dict, place)
    pairs = [(key, each) for key, each in rulings.items() if isinstance(each, str)]
    if len(variants) < len(field(settings, "variants", list, place)) or len(pairs) < len(rulings):
        raise DocumentError(f"{place} has variants or rulings that are no names")
    return game, Settings(
        players, field(settings, "scope", str, place), tuple(variants), tuple(sorted(pairs)), cards
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
