"""How a game is played beside the chosen mode and number of players."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import combinations

from ...model.game.game import PRINTED, Game
from ...model.source.errors import SpecErrors, UnfitModeError, UsageError
from .workbench import Workbench

Setting = tuple[tuple[str, ...], int | None]
"""Modes, and a number of players; None: as many as the modes are for."""


def played_as(
    bench: Workbench, *, every: bool = False, without: bool = False
) -> tuple[Setting, ...]:
    """List how the printed game is played, each way once, without modes that are for other games.

    That is with the fewest and the most players alone, or with `every` number of them; also
    `without` the chosen modes.  Of a number of players that has a mode of its own
    (`Variant.binding`) it is told as the mode.
    """
    ways: dict[Setting, Setting] = {}
    for modes, players in settings_of(bench.game(PRINTED), every=every, without=without):
        try:
            game = bench.game(PRINTED, variants=modes, players=players)
            way: Setting = game.settings.variants, game.players
        except UnfitModeError:
            continue
        except (SpecErrors, UsageError):  # told by who asks for it
            way = modes, players
        if way not in ways or players is None:
            ways[way] = modes, players
    return tuple(ways.values())


def numbers_of(bench: Workbench, ways: Iterable[Setting]) -> list[int]:
    """Return with how many players some of these ways are the game as it is chosen.

    That is where the number is given, and in a mode alone that binds a game of so many.
    """
    chosen = _chosen(bench.game(PRINTED))
    found: list[int] = []
    for modes, players in ways:
        if players is not None:
            found.append(players)
            continue
        with suppress(SpecErrors, UsageError):
            there = bench.game(PRINTED, variants=modes)
            bare = bench.game(PRINTED, variants=chosen, players=there.players)
            if bare.settings.variants == there.settings.variants:
                found.append(there.players)
    return found


def settings_of(game: Game, *, every: bool = False, without: bool = False) -> Iterator[Setting]:
    """List how the printed game is played beside the chosen mode and number of players.

    First come those that tell most, the fewest and the most players, and then modes.  What binds a
    game of so many players is not chosen: with others it is not played, and where it binds it is
    there without being named.
    """
    chosen = _chosen(game)
    low, high = game.players_range
    for players in dict.fromkeys((low, high)):
        if players != game.players:
            yield chosen, players
    yield from _modes_of(game)
    if without and chosen:
        yield (), None
    for players in range(low + 1, high) if every else ():
        if players != game.players:
            yield chosen, players


def _modes_of(game: Game) -> Iterator[Setting]:
    """List each mode beside the chosen ones with what it needs, and games of any two."""
    chosen = _chosen(game)
    others = [name for name in game.variants if name not in game.settings.variants]
    alone = {name: _with_needs(game, (*chosen, name)) for name in others}
    for name in others:
        yield alone[name], None
    pairs = {pair: _with_needs(game, (*chosen, *pair)) for pair in combinations(others, 2)}
    left = {pair for pair, modes in pairs.items()
            if _together(game, modes) and modes not in alone.values()}
    while left:
        group = next(modes for pair, modes in pairs.items() if pair in left)
        for name in others:
            more = _with_needs(game, (*group, name))
            group = more if _together(game, more) else group
        yield group, None
        left = {pair for pair in left if not {*pair} <= {*group}}


def _chosen(game: Game) -> tuple[str, ...]:
    """Return the chosen modes, without those that bind a game, chosen or not."""
    return tuple(name for name in game.settings.variants if not game.variants[name].binding)


def _with_needs(game: Game, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return modes with those that they need, in the order of the spec."""
    found = set(names)
    while more := {need for name in found for need in game.variants[name].needs} - found:
        found |= more
    return tuple(name for name in game.variants if name in found)


def _together(game: Game, names: tuple[str, ...]) -> bool:
    return not any(other in names for name in names for other in game.variants[name].excludes)
