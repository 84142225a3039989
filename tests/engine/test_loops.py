"""Where players can go round, one alone or together, is held against all that they could plan."""

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, cast

from hypothesis import example, given
from hypothesis import strategies as st

from ruleproof.checker.search.loops import Graph, Lasso, loops
from ruleproof.model.machine.machine import NodeKind
from ruleproof.model.machine.state import Move
from ruleproof.tests.support.drawn import many

if TYPE_CHECKING:
    from ruleproof.checker.search.explore import Exploration

CHANCE, OPEN, OVER = "chance", "open", "over"
States = list[tuple[int | str, tuple[int, ...]]]
"""Who decides in each state (or chance, or no rule says who, or nobody any more), and where the
moves lead."""
PASSES = 1
"""In each state the move of this number is a pass."""


@dataclass
class Toy:
    """As much of an exploration and of its machine as loops are sought by."""

    states: States

    @property
    def program(self) -> "Toy":
        """The machine."""
        return self

    @property
    def order(self) -> list[bytes]:
        """The states, packed."""
        return [bytes([i]) for i in range(len(self.states))]

    @property
    def passes(self) -> frozenset[int]:
        """The moves that are passes."""
        return frozenset({PASSES})

    def decider(self, packed: bytes) -> int | None:
        """Say who decides in a state."""
        by = self.states[packed[0]][0]
        return by if isinstance(by, int) else None

    def kind(self, packed: bytes) -> NodeKind:
        """Say at what kind of node a state rests."""
        by = self.states[packed[0]][0]
        kind = "decide" if isinstance(by, int) else "final" if by == OVER else by
        return cast("NodeKind", kind)

    def path(self, state: int) -> tuple[Move, ...]:
        """Stand for the way to a state."""
        return (Move(state, ()),)


def found(states: States) -> dict[str, Lasso]:
    """Seek loops in states."""
    moves = tuple(tuple((Move(k, ()), j, 0) for k, j in enumerate(to)) for _, to in states)
    toy = Toy(states)
    graph = Graph(cast("Exploration", toy), moves, tuple(by == OVER for by, _ in states),
                  tuple(map(toy.kind, toy.order)), tuple(map(toy.decider, toy.order)))
    return {loop.kind: loop for loop in loops(graph)}


def after(ways: dict[int, set[int]], state: int) -> set[int]:
    """Return what can follow a state in one step or more."""
    seen, ahead = set[int](), [state]
    while ahead:
        ahead += (more := ways.get(ahead.pop(), set()) - seen)
        seen |= more
    return seen


def kept(states: States, seat: int, *, others: bool) -> set[int]:
    """List the states from which some plan of a player never leaves the game to another's choice.

    Nor to another's turn, if not `others`.  A plan is a move for each state of that player.
    """
    mine = [i for i, (by, _) in enumerate(states) if by == seat]
    safe = {i for i, (by, to) in enumerate(states) if to and (
        by in (seat, CHANCE, OPEN) or (others and isinstance(by, int) and len(to) == 1))}
    good = set[int]()
    for plan in product(*(states[i][1] for i in mine)):
        ways = {i: set(to) for i, (_, to) in enumerate(states)}
        ways |= {i: {j} for i, j in zip(mine, plan, strict=True)}
        good |= {i for i in safe if after(ways, i) <= safe}
    return good


def rounds(
    states: States, seat: int, *, others: bool, acting: bool = False
) -> list[frozenset[int]]:
    """List sets of states in which a player goes round who chooses to."""
    good = kept(states, seat, others=others)
    ways = {i: set(states[i][1]) & good for i in good}
    groups = {frozenset({j for j in after(ways, i) if i in after(ways, j)}) for i in good}
    return [group for group in groups if any(
        states[i][0] == seat and len(to) > 1 and any(
            j in group and not (acting and k == PASSES) for k, j in enumerate(to))
        for i in group for to in (states[i][1],))]


def circles(within: set[int], moves: dict[int, list[int]]) -> list[set[int]]:
    """List the greatest sets in which every state leads back to every other one."""
    ways = {i: {j for j in moves[i] if j in within} for i in within}
    return [{j for j in after(ways, i) if i in after(ways, j)} for i in sorted(within)
            if i in after(ways, i)]


def agreed(states: States, *, idle: bool) -> tuple[set[int], dict[int, list[int]]]:
    """List the states from which some plan of all players never comes to the end, and its moves.

    If `idle`, a plan of passes, and of what is the only move, whoever is next; else they say that,
    too, where no rule does.
    """
    moves = {i: [j for k, j in enumerate(to)
                 if not idle or by in (CHANCE, OPEN) or k == PASSES or len(to) == 1]
             for i, (by, to) in enumerate(states)}
    mine = [i for i, (by, _) in enumerate(states)
            if moves[i] and (isinstance(by, int) or (by == OPEN and not idle))]
    good = set[int]()
    for plan in product(*(sorted(set(moves[i])) for i in mine)):
        ways = {i: set(to) for i, to in moves.items()}
        ways |= {i: {j} for i, j in zip(mine, plan, strict=True)}
        good |= {i for i in ways if all(ways[j] for j in {i, *after(ways, i)})}
    return good, moves


@st.composite
def games(draw: st.DrawFn) -> States:
    """Draw states of a game in which players decide, and chance, or no rule says who is next."""
    size = draw(st.integers(3, 7))
    who: st.SearchStrategy[int | str] = st.sampled_from((0, 0, 1, CHANCE, CHANCE, OPEN, OVER))
    made: States = []
    for by in draw(st.lists(who, min_size=size, max_size=size)):
        to = st.lists(st.integers(0, size - 1), min_size=1, max_size=3)
        made.append((by, () if by == OVER else tuple(draw(to))))
    return [*made, (0, (size + 2, size)), (1, (0, size + 2)), (OVER, ())]


DICE: States = [(0, (1, 3)), (CHANCE, (0, 2)), (0, (1, 3)), (OVER, ()), (1, (0, 3))]
"""Who rolls dice on and on, or gives up."""
LUCK: States = [(0, (1, 3)), (CHANCE, (0, 4)), (0, (1, 3)), (OVER, ()), (1, (0, 3))]
"""The same, but chance may hand the dice on."""
FORCED: States = [(0, (1, 3)), (1, (2,)), (CHANCE, (0, 1)), (OVER, ()), (1, (0, 3))]
"""The other one has a turn, and a single move."""
NEXT: States = [(OPEN, (1, 1)), (0, (0, 2)), (OVER, ()), (1, (0, 2))]
"""No rule says who is next, but it is always the same one."""
SHUT: States = [(CHANCE, (1, 1)), (0, (0, 0)), (1, (1, 3)), (OVER, ())]
"""Nobody can leave it, whatever anybody does: that is told of it, and no more."""

SAFE: States = [(0, (0, 1)), (CHANCE, (0, 2)), (1, (1,)), (OVER, ()), (1, (4, 1))]
"""Nobody declines; one may stay at will, and the dice that he may roll may bring him back."""
ROLLED: States = [(0, (1, 4)), (CHANCE, (0, 2, 3)), (1, (4, 1)), (OVER, ()), (CHANCE, (2, 0, 3))]
"""Who chooses, chooses dice, and each of them may end the game."""
DECLINED: States = [(0, (3, 1)), (1, (0, 2)), (CHANCE, (0, 3)), (OVER, ())]
"""One may decline, and the other acts, or rolls."""
ORDERED: States = [(OPEN, (1, 2)), (0, (0,)), (1, (3,)), (OVER, ())]
"""No rule says who is next: the one goes round, the other ends the game."""


@many(8)
@given(games())
@example(SAFE)
@example(ROLLED)
@example(DECLINED)
@example(LUCK)
@example(FORCED)
@example(ORDERED)
def test_players_go_round_together_where_a_plan_of_theirs_does(states: States) -> None:
    """Players are said to wait, or to go round, where some plan does so whatever chance brings.

    Somebody chooses on the way, or no rule says who is next; what chance alone brings is luck.
    """
    every = {i: list(to) for i, (_, to) in enumerate(states)}
    ways = {i: set(to) for i, to in every.items()}
    waiting, waits = agreed(states, idle=True)
    held, moves = agreed(states, idle=False)
    kinds, acting, declining = set[str](), set[int](), set[int]()
    for group in circles(set(every), every):
        if not any(states[j][0] == OVER for i in group for j in after(ways, i)):
            continue
        several = {i for i in group if len(states[i][1]) > 1}
        chosen = {i for i in several if isinstance(states[i][0], int)}
        still = [each & chosen for each in circles(waiting & group, waits)
                 if each & chosen and {states[i][0] for i in each} >= {0, 1}]
        ordered = {i for i in several if states[i][0] == OPEN}
        done = [each for each in circles(held & group, moves) if each & (chosen | ordered)]
        kinds.add("waiting" if still else "optional" if done else "luck")
        declining |= set[int]().union(*still)
        acting |= set[int]().union(*done) if not still else set()
    shown = found(states)

    assert shown.keys() & {"waiting", "optional", "luck"} == kinds
    if "optional" in kinds:
        assert shown["optional"].states == len(acting)
    if "waiting" in kinds:
        assert shown["waiting"].seats
        assert shown["waiting"].seats <= {states[i][0] for i in declining}


@many(8)
@given(games())
@example(DICE)
@example(LUCK)
@example(FORCED)
@example(SHUT)
def test_who_can_go_round_alone_has_a_plan_that_no_luck_breaks(states: States) -> None:
    """One player alone goes round where some plan stays whatever chance brings, and only there.

    Where nobody can reach the end any more, only rounds count that are of one player throughout.
    """
    shown = found(states)
    every = {i: set(to) for i, (_, to) in enumerate(states)}
    ends = {i for i in every if states[i][0] == OVER or any(
        states[j][0] == OVER for j in after(every, i))}
    pure = {seat: {i: {j for j in to if states[j][0] == seat} for i, (by, to) in enumerate(states)
                   if by == seat} for seat in (0, 1)}
    free = {i for ways in pure.values() for i in ways if i in after(ways, i)}
    free |= {i for seat in (0, 1) for group in rounds(states, seat, others=False)
             for i in group if i in ends}
    alone = {i for seat in (0, 1) for group in rounds(states, seat, others=True, acting=True)
             for i in group if i in ends and free.isdisjoint(group)}

    assert ("free" in shown, "alone" in shown) == (bool(free), bool(alone))
    assert {kind: shown[kind].states for kind in ("free", "alone") if kind in shown} == {
        kind: len(which) for kind, which in (("free", free), ("alone", alone)) if which}
    for kind in {"free", "alone"} & shown.keys():
        (begin,), at = shown[kind].prefix, shown[kind].prefix[0].edge
        by = {states[at][0]} if kind == "free" else {0, 1}
        for move in shown[kind].cycle:
            assert states[at][0] in by | {CHANCE, OPEN}
            assert states[at][0] in {states[begin.edge][0], CHANCE, OPEN} or len(
                states[at][1]) == 1
            at = states[at][1][move.edge]

        assert at == begin.edge


def test_the_plan_of_one_player_goes_by_way_of_chance() -> None:
    """Dice are no way out for the others, if all that they show leads back; luck in it is told."""
    assert found(DICE)["free"].luck
    assert not found(NEXT)["free"].luck
    assert "free" not in found(LUCK)
    assert (found(FORCED)["alone"].luck, "free" in found(FORCED)) == (True, False)
    assert found(SHUT).keys() == {"trapped"}
