"""Whole games at the printed size, in every mode and at every number of players, by computer seats.

`make campaign` plays a thousand of each mode (`RULEPROOF_GAMES` says how many), the numbers of
players by turns, and replays all of them (`RULEPROOF_REPLAY=50`: every fiftieth); the suite only a
few.
Each play is made by the generated code, written down by the reference interpreter, which refuses
what is not legal, and replayed from the document (in the suite, of two modes one).
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from itertools import combinations

import pytest

from ruleproof.checker.bench.workbench import Workbench
from ruleproof.checker.search.playouts import pick
from ruleproof.model.game.game import Settings
from ruleproof.model.loading.load import bundled, read_sections
from ruleproof.model.loading.sections import Sections
from ruleproof.model.machine.state import Move
from ruleproof.model.plays.plays import record, replay
from ruleproof.model.source.errors import Reporter, SpecErrors, UsageError
from ruleproof.tests.support.games import often

LONGEST = 6_000
MANY = int(os.environ.get("RULEPROOF_GAMES", "1000"))
EVERY = int(os.environ.get("RULEPROOF_REPLAY", "1"))


@cache
def sections_of(name: str) -> Sections:
    """Read a game, once."""
    return read_sections(name, Reporter())


def bench_of(name: str, settings: Settings) -> Workbench:
    """Set up a game."""
    return Workbench(sections_of(name), settings)


Mode = tuple[int, tuple[str, ...]]
"""A number of players, and modes."""


def modes(name: str, *, last_first: bool = False) -> Iterator[Mode]:
    """Yield all numbers of players of a game with all modes that go together, the fewest first."""
    bench = bench_of(name, Settings())
    game = bench.game("printed")
    low, high = game.players_range
    several = [(players, variants) for many in range(len(game.variants) + 1)
               for variants in combinations(game.variants, many)
               for players in range(low, high + 1)]
    for players, variants in reversed(several) if last_first else several:
        with suppress(SpecErrors, UsageError):
            bench.game("printed", players=players, variants=variants)
            yield players, variants


def ends(numbers: Iterable[int], name: str, players: int, variants: tuple[str, ...], *,
         replayed: bool = True) -> int:
    """Play games, write them down, replay them; say how many came to an end."""
    settings = Settings(players=players, variants=variants)
    instance = bench_of(name, settings).instance("printed")
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
        document = record(instance.compiled, moves)
        if replayed:
            again = replay(document, instance.compiled)
            assert again.ok, f"game {number}: {again}"
            assert len(again.taken) == len(moves)
    return ended


@pytest.mark.parametrize("name", often())
def test_a_game_is_played_to_its_end(name: str) -> None:
    """One whole game with the fewest players; more in the campaign."""
    players, variants = next(modes(name))

    assert ends(range(1), name, players, variants) == 1


@pytest.mark.parametrize("name", often("edition-wars"))
def test_a_game_of_all_that_there_is_is_played_to_its_end(name: str) -> None:
    """One whole game with the most players and all modes that go together."""
    players, variants = next(modes(name, last_first=True))

    assert ends(range(1), name, players, variants, replayed=False) == 1


@pytest.mark.campaign
@pytest.mark.parametrize("name", bundled())
def test_a_thousand_games(name: str) -> None:
    """In each mode all are legal, replay, and nearly all end, at every number of players."""
    together: dict[tuple[str, ...], list[int]] = {}
    for players, variants in modes(name):
        together.setdefault(variants, []).append(players)
    for variants, numbers in together.items():
        ended = sum(ends(range(first, MANY, len(numbers)), name, many, variants)
                    for first, many in enumerate(numbers))

        assert ended >= MANY * 0.99, variants
