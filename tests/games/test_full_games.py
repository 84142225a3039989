"""Whole games at the printed size, in every mode and at every number of players, by computer seats.

`make campaign` plays a thousand of each mode (`RULEPROOF_GAMES` says how many), the numbers of
players by turns, and replays all of them (`RULEPROOF_REPLAY=50`: every fiftieth); the suite only a
few.
Each play is made by the generated code, written down by the reference interpreter, which refuses
what is not legal, and replayed from the document.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterable, Iterator
from itertools import combinations

import pytest

from ruleproof.checker.search.playouts import pick
from ruleproof.checker.search.workbench import Workbench
from ruleproof.model.game.game import Settings
from ruleproof.model.loading.load import bundled, load_game
from ruleproof.model.machine.state import Move
from ruleproof.model.plays.plays import record, replay
from ruleproof.model.source.errors import SpecErrors, UsageError

LONGEST = 6_000
MANY = int(os.environ.get("RULEPROOF_GAMES", "1000"))
EVERY = int(os.environ.get("RULEPROOF_REPLAY", "1"))


def modes() -> Iterator[tuple[str, int, tuple[str, ...]]]:
    """List every game with all numbers of players and all modes that go together."""
    for name in bundled():
        game = load_game(name)
        low, high = game.players_range
        for many in range(len(game.variants) + 1):
            for variants in combinations(game.variants, many):
                for players in range(low, high + 1):
                    try:
                        load_game(name, Settings(players=players, variants=variants))
                    except (SpecErrors, UsageError):
                        continue
                    yield name, players, variants


MODES = list(modes())


def together() -> dict[tuple[str, tuple[str, ...]], list[int]]:
    """List of every mode, modes that go together included, the numbers of players."""
    found: dict[tuple[str, tuple[str, ...]], list[int]] = {}
    for name, players, variants in MODES:
        found.setdefault((name, variants), []).append(players)
    return found


def edges() -> list[tuple[str, int, tuple[str, ...]]]:
    """Choose of each game the fewest players, the most with all that goes together, each mode."""
    chosen: list[tuple[str, int, tuple[str, ...]]] = []
    for name in bundled():
        mine = [mode for mode in MODES if mode[0] == name]
        chosen += [mine[0], mine[-1]]
        game = load_game(name)
        chosen += [mode for mode in mine if len(mode[2]) == 1 and mode[1] == game.players]
    return list(dict.fromkeys(chosen))


def ends(numbers: Iterable[int], name: str, players: int, variants: tuple[str, ...]) -> int:
    """Play games, write them down, replay them; say how many came to an end."""
    settings = Settings(players=players, variants=variants)
    instance = Workbench(name, settings).instance("printed")
    program, ended = instance.program, 0
    for number in numbers:
        rng = random.Random(f"full/{number}")  # noqa: S311
        state, moves = program.start()[0], list[Move]()
        while program.kind(state) != "final" and len(moves) < LONGEST:
            move = pick(program, state, program.kind(state), rng)
            assert move is not None, f"game {number} is stuck after {len(moves)} moves"
            moves.append(Move(move[0], move[1]))
            if move[2] is None:
                break
            state = move[2]
        ended += program.kind(state) == "final"
        if number % EVERY:
            continue
        again = replay(record(instance.compiled, moves), instance.compiled)
        assert again.ok, f"game {number}: {again}"
        assert len(again.taken) == len(moves)
    return ended


@pytest.mark.parametrize(("name", "players", "variants"), edges())
def test_a_game_is_played_to_its_end(name: str, players: int, variants: tuple[str, ...]) -> None:
    """One whole game."""
    assert ends(range(1), name, players, variants) == 1


@pytest.mark.campaign
@pytest.mark.parametrize(("name", "variants"), together())
def test_a_thousand_games(name: str, variants: tuple[str, ...]) -> None:
    """All of them are legal, replay, and nearly all come to an end, at every number of players."""
    players = together()[name, variants]
    ended = sum(
        ends(range(first, MANY, len(players)), name, many, variants)
        for first, many in enumerate(players)
    )

    assert ended >= MANY * 0.99
