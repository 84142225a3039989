"""A tiny game as a tree for Gambit (`.efg`): players, chance, information sets, payoffs.

Two situations are in one information set of a player if he sees the same and may do the same, and
was in the same situations before, by what he saw and chose whenever it was his turn (perfect
recall).  Where the rules leave open who is next, a player of its own, `the rules`, decides.  A
payoff is a share of 1 for each winner.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from ..machine.state import Move, State
from ..plays.board import canonical_json, view
from ..plays.moves import describe_option
from ..run.interp import Interpreter
from ..source.errors import UsageError

LARGEST = 100_000
"""Nodes of a tree; solvers take far fewer."""
DEEPEST = 200

Past = tuple[tuple[int, str], ...]
"""Of each player, the information set that he was in last and what he chose there."""


@dataclass(slots=True)
class GameTree:
    """The tree of one game, written node by node."""

    interp: Interpreter
    title: str
    lines: list[tuple[str, tuple[str, ...] | None]] = field(default_factory=list)
    """The nodes in preorder; of the last ones the payoffs, too."""
    sets: dict[tuple[int, str], int] = field(default_factory=dict[tuple[int, str], int])
    """The information sets: player and what he knows, numbered for each player."""
    outcomes: dict[tuple[str, ...], int] = field(default_factory=dict[tuple[str, ...], int])
    chances: int = 0
    left_open: bool = False

    def write(self) -> str:
        """Write the whole tree.

        Raises:
            UsageError: if it is too large, or never ends.

        """
        start = self.interp.start().state
        self._node(start, ((0, ""),) * (self.interp.machine.players + 1), 0)
        names = [*self.interp.machine.player_names, *(["the rules"] if self.left_open else [])]
        head = f"EFG 2 R {_text(self.title)} {{ {' '.join(map(_text, names))} }}"
        none = ", 0" if self.left_open else ""
        lines = (line if paid is None else f"{line} {{ {', '.join(paid)}{none} }}"
                 for line, paid in self.lines)
        return "\n".join([head, '""', "", *lines]) + "\n"

    def _node(self, state: State, past: Past, depth: int) -> None:
        if len(self.lines) >= LARGEST or depth > DEEPEST:
            raise UsageError(
                f"the tree has more than {LARGEST:,} nodes, or is deeper than {DEEPEST}; "
                "name a smaller `--scope`")
        kind = self.interp.nodes[state.node].kind
        moves = () if kind == "final" else self.interp.moves(state)
        if not moves:
            self._end(state)
        elif kind == "chance":
            self._chance(state, past, depth)
        else:
            self._choice(state, past, depth)

    def _end(self, state: State) -> None:
        winners = self.interp.winners(state)
        share = Fraction(1, len(winners)) if winners else Fraction(0)
        paid = tuple(str(share if seat in winners else 0)
                     for seat in range(self.interp.machine.players))
        number = self.outcomes.setdefault(paid, len(self.outcomes) + 1)
        self.lines.append((f't "" {number} ""', paid))

    def _chance(self, state: State, past: Past, depth: int) -> None:
        self.chances += 1
        chances = self.interp.chance(state)
        actions = " ".join(f"{_text(self._option(state, move))} {share.numerator}/"
                           f"{share.denominator}" for move, share in chances)
        self.lines.append((f'c "" {self.chances} "" {{ {actions} }} 0', None))
        for move, _ in chances:
            self._node(self.interp.step(state, move).state, past, depth + 1)

    def _choice(self, state: State, past: Past, depth: int) -> None:
        seat, rules = self.interp.by(state), self.interp.machine.players
        self.left_open |= seat is None
        player = rules if seat is None else seat
        moves = self.interp.moves(state)
        names = _different([self._option(state, move) for move in moves])
        seen = view(self.interp.machine, state, seat) if seat is not None else len(self.lines)
        known = canonical_json([past[player], self.interp.nodes[state.node].name, seen, names])
        number = self.sets.setdefault((player, known), 1 + sum(
            who == player for who, _ in self.sets))
        actions = " ".join(map(_text, names))
        self.lines.append((f'p "" {player + 1} {number} "" {{ {actions} }} 0', None))
        for move, name in zip(moves, names, strict=True):
            then = (*past[:player], (number, name), *past[player + 1:])
            self._node(self.interp.step(state, move).state, then, depth + 1)

    def _option(self, state: State, move: Move) -> str:
        return describe_option(self.interp.machine, state, move)


def _different(names: Sequence[str]) -> list[str]:
    """Add numbers to names that repeat, since actions of a node must differ."""
    found = list[str]()
    for name in names:
        again = sum(each == name or each.startswith(f"{name} #") for each in found)
        found.append(f"{name} #{again + 1}" if again else name)
    return found


def _text(text: str) -> str:
    """Put text into the quotes of the format."""
    kept = "".join(char if char.isprintable() else " " for char in text)
    return '"' + kept.replace("\\", "\\\\").replace('"', '\\"') + '"'
