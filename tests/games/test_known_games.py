"""Games whose numbers are known from elsewhere have these numbers; the arithmetic stands beside."""

from dataclasses import dataclass

import pytest
from msgspec import to_builtins

from ruleproof.checker.audit.scoped import explored
from ruleproof.checker.engine.program import Program
from ruleproof.checker.search.explore import Exploration
from ruleproof.checker.search.perft import perft
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import compile_game
from ruleproof.tests.support.places import TESTS

KNOWN = TESTS / "specs" / "known"


@dataclass(frozen=True, slots=True)
class Numbers:
    """What is known of a game: its state space, and the plays of each length from 0 on."""

    states: int
    transitions: int
    depth: int
    final: int
    plays: tuple[int, ...]
    over: tuple[int, ...]


NUMBERS = {
    # 5,478 positions, of which 958 are over: 626 won by the first player, 316 by the second, and 16
    # draws.  9, 9*8, 9*8*7, ... plays; the earliest row is complete after 5 moves, 8 rows * 3! ways
    # to set it * 6*5 ways to answer = 1,440; 15,120*4 - 1,440*4 = 54,720; and so on.
    "tic-tac-toe": Numbers(
        5478,
        16167,
        9,
        958,
        (1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872),
        (0, 0, 0, 0, 0, 1440, 5328, 47952, 72576, 127872),
    ),
    # A pour ends with a full or an empty jug, so do the others: of 4*6 pairs 2*4 have neither, and
    # all 16 others can be reached.  Six actions are possible in each of them, 16*6 = 96.
    "jugs": Numbers(16, 96, 7, 0, tuple(6**n for n in range(6)), (0,) * 6),
    # Any disc on any peg: 3^3 = 27.  Each state has three moves, but two where all discs are on one
    # peg: 24*3 + 3*2 = 78 (a Sierpinski graph).  The farthest are 2^3 - 1 = 7 moves away.
    "hanoi": Numbers(27, 78, 7, 0, (1, 2, 6, 16, 46, 130), (0,) * 6),
    # Nobody is eaten if there are 0 or 3 missionaries on the left bank (4 + 4 ways) or as many as
    # cannibals (1-1, 2-2): 10 ways, with the boat on either side 20.  Four of these cannot come up:
    # nobody with the boat (2), and only all missionaries with it (2), since one or two of them have
    # just come, from where they were outnumbered.  20 - 4 = 16; 17 crossings, each there and back.
    "missionaries": Numbers(16, 34, 12, 0, (1, 3, 5, 15, 27, 79), (0,) * 6),
    # Heaps of 3, 4, 5: 4*5*6 = 120 positions with either player to move, but for the 2^3 = 8 in
    # which at most one is gone of each heap (of one parity only): 2*120 - 8 = 232.  A position has
    # as many moves as objects: 2*120*(1.5 + 2 + 2.5) = 1440, less 8*12 - 3*4 = 84 for those that
    # are missing.  Over: nothing is left, and either has won.  12 first moves; after taking k,
    # 12 - k second ones: (11+10+9) + (11+10+9+8) + (11+10+9+8+7) = 113.  3! plays take whole heaps.
    "nim": Numbers(232, 1356, 4, 2, (1, 12, 113, 810), (0, 0, 0, 6)),
    # Three cards, then two: 1, 3, 3*2 = 6.  Then each bets or passes: 12, 24; of the 4 ways three
    # end (6*3 = 18), and after pass and bet the first player answers: 6*2 = 12.  58 plays, 30 over.
    # States are fewer, 58 - 6: both ways to stake two and two (bet-call, pass-bet-call) are one.
    "kuhn-poker": Numbers(52, 57, 5, 24, (1, 3, 6, 12, 24, 12), (0, 0, 0, 0, 18, 12)),
    # Three kinds of cards for each: 3, 9.  Of a round of bets the first players say 2 things, then
    # in all 5 (call-call and double-call go on, one folds), 5 (two go on, two fold), 2 (one each).
    # A third card has 2 kinds after a pair, else 3: 3*2 + 6*3 = 24 boards.  So 9*2, 9*5 of which 9
    # are over; then 9*5 + 24*2 = 93, and so on: all in all 9*4 + 24*5*9 = 1,116 whole plays.  (With
    # six different cards: 30*4 + 120*5*9 = 5,520, as OpenSpiel and others count.)  The five ways to
    # go on leave three pairs of stakes: 1 + 3 + 9*(1 + 5 + 4 + 5) + 24*3*(1 + 5 + 4 + 5) = 1,219
    # states, 9*4 + 24*3*9 = 684 of them over; a board is reached by 24*2 more moves, and after the
    # longest bets, four, by a shorter way: 2 + 3 + 1 + 4 = 10.
    "leduc-poker": Numbers(
        1219,
        1266,
        10,
        684,
        (1, 3, 9, 18, 45, 93, 162, 360, 528, 456, 216, 48),
        (0, 0, 0, 0, 9, 18, 9, 144, 336, 360, 192, 48),
    ),
    # The switch is on or off and `b` is 1 until it is 0: 2*2.  What the loop counted is no part of
    # a state.  Two moves in each state; the farthest is switched and counted, 2 moves away.
    "switches": Numbers(4, 8, 2, 0, (1, 2, 4, 8), (0,) * 4),
    # Nothing changes: one state, with one move.
    "still-loops": Numbers(1, 1, 0, 0, (1, 1, 1), (0,) * 3),
    # All is dealt or nothing, with either player to move, and one move goes round the four.
    "gifts": Numbers(4, 4, 3, 0, (1, 1, 1), (0,) * 3),
}
"""By game; plays are counted as far as they are listed."""


def program(name: str) -> Program:
    """Compile a known game."""
    return Program(compile_game(load_game(str(KNOWN / name))).machine)


def test_every_known_game_is_listed() -> None:
    """No spec on the shelf goes without its numbers."""
    assert sorted(NUMBERS) == sorted(path.name for path in KNOWN.iterdir())


@pytest.mark.parametrize("name", NUMBERS)
def test_states_are_those_known(name: str) -> None:
    """Exploring a known game ends with the numbers that are known."""
    known, machine = NUMBERS[name], program(name)
    found = Exploration(machine).run()

    assert to_builtins(explored("printed", machine.machine, found)) == {
        "scope": "printed",
        "states": known.states,
        "transitions": known.transitions,
        "depth": known.depth,
        "final": known.final,
        "complete": True,
    }
    assert (found.notes, found.broken, found.endless, found.stuck) == ({}, {}, {}, {})


@pytest.mark.parametrize("name", NUMBERS)
def test_plays_are_those_known(name: str) -> None:
    """So does counting the plays of each length."""
    known = NUMBERS[name]
    rows = perft(program(name), len(known.plays) - 1)

    assert tuple(row.plays for row in rows) == known.plays
    assert tuple(row.final for row in rows) == known.over


def test_the_plays_of_whole_games() -> None:
    """Noughts and crosses has 255,168 plays; Kuhn poker has 58 histories, 30 of them whole."""
    noughts, kuhn = perft(program("tic-tac-toe"), 99), perft(program("kuhn-poker"), 99)

    assert sum(row.final for row in noughts) == 255_168
    assert (sum(row.plays for row in kuhn), sum(row.final for row in kuhn)) == (58, 30)


def test_who_wins_noughts_and_crosses() -> None:
    """Of the 958 positions in which it is over, 626 are won by the first, 316 by the second."""
    game = program("tic-tac-toe")
    run = Exploration(game)
    run.run()
    winners = game.observer(["winners"])
    over = [winners(packed) for packed in run.order if game.kinds[game.rank(packed)] == "final"]

    assert (over.count(b"\1\0"), over.count(b"\0\1"), over.count(b"\0\0")) == (626, 316, 16)


@pytest.mark.parametrize(
    ("name", "goal", "moves"),
    [("jugs", {"big": 4}, 6), ("hanoi", {"small": 3, "middle": 3, "large": 3}, 7),
     ("missionaries", {"missionaries": 0, "cannibals": 0}, 11)],
)  # fmt: skip
def test_the_shortest_solutions(name: str, goal: dict[str, int], moves: int) -> None:
    """Four litres take 6 moves, three discs 2^3 - 1 = 7, the river 11 crossings."""
    game = program(name)
    run = Exploration(game)
    states = run.run().states
    shape = {array.name: number for number, array in enumerate(game.machine.arrays)}
    assert [array.size for array in game.machine.arrays][: len(goal)] == [1] * len(goal)
    found = next(
        i
        for i in range(states)
        if all(run.state(i).values[shape[key]] == value for key, value in goal.items())
    )

    assert len(run.path(found)) == moves
