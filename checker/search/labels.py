"""Moves and situations in terms that two machines share.

Machines of the same game under two readings differ in nodes and edges, but not in what the players
see: who is to move, what the options are called, among which things one chooses.  Labels speak of
these, so that the same move can be made in both; of a step of the spec, and of what it calls that
which is chosen, players see nothing.  Who moves is no part of a label: it is the same for all moves
of a situation (`Labels.asks`), and a move of somebody else is another one.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property

from ...model.machine.machine import Array, Edge, Machine, Node, Pause
from ...model.machine.state import Arg, Move
from ...model.plays.wording import is_choice, plain_name
from ...model.recent import Recent
from ..drivers.expand import may_break
from ..engine.program import Program
from ..packed.flags import FILTERED, Successor

Label = tuple[str, str, tuple["Arg", ...]]
"""The kind of node, the name of the move, its arguments."""


def edge_labels(machine: Machine) -> dict[int, tuple[str, str]]:
    """Return, of each edge, the label of its moves without their arguments."""
    return _labels_of(machine.nodes)


def _made(nodes: tuple[Node, ...]) -> dict[int, tuple[str, str]]:
    return {edge.id: (node.kind, _called(node, edge)) for node in nodes for edge in node.edges}


def _named(nodes: tuple[Node, ...]) -> dict[int, str]:
    return {node.id: named(node) for node in nodes}


_labels_of, _names_of = Recent(_made, most=16), Recent(_named, most=16)
"""All games of a family share their nodes."""


class Labels:
    """Labels of the moves of one machine."""

    def __init__(self, program: Program) -> None:
        machine = program.machine
        self.machine = machine
        self.program = program
        names = _names_of(machine.nodes)
        self.edges = edge_labels(machine)
        told = [array for array in machine.declared if not array.internal]
        self.public = program.observer(a.name for a in told if a.seen_by == "all")
        self.hidden = program.observer(a.name for a in told if a.seen_by != "all")
        self.outcome = program.observer(counted(told, machine))
        # What the encoding keeps for itself is no difference, but what comes of it later may be:
        # it counts where a comparison ends before that.
        self.declared = program.observer(a.name for a in machine.declared)
        self.winners = program.observer(a.name for a in machine.arrays if a.name == "winners")
        self.places = tuple(names[rest] for rest in program.layout.rests)
        pauses = {node.id: node.pause for node in machine.nodes}
        self.pauses = tuple(pauses[rest] for rest in program.layout.rests)
        self.duties = self.called(machine)
        self.asks = program.decider

    @staticmethod
    def called(machine: Machine) -> list[tuple[str, str]]:
        """Name the limits and then the obligations: the clause, and what is wrong with what."""
        return [*((limit.clause, "limit-broken") for limit in machine.limits),
                *((duty.clause, f"{duty.kind} {duty.about}") for duty in machine.obligations)]

    @cached_property
    def limited(self) -> frozenset[int]:
        """The nodes at which a limit may forbid a move."""
        breaking = may_break(self.machine)
        return frozenset(node.id for node in self.machine.nodes if node.kind in ("decide", "open")
                         and any(breaking[edge.id] for edge in node.edges))

    def place(self, packed: bytes) -> str:
        """Name the node at which a state rests."""
        return self.places[self.program.rank(packed)]

    def pause(self, packed: bytes) -> Pause | None:
        """Return what a state is a pause before or after, if it is one."""
        return self.pauses[self.program.rank(packed)]

    def of(self, move: Successor) -> Label:
        """Return the label of a move."""
        kind, name = self.edges[move[0]]
        return kind, name, move[1]

    def of_move(self, move: Move) -> Label:
        """Return the label of a move."""
        kind, name = self.edges[move.edge]
        return kind, name, move.args

    def legal(self, packed: bytes) -> dict[Label, Successor]:
        """Return the legal moves by label, in order."""
        return {self.of(move): move for move in self.program.succ(packed)
                if not move[3] & FILTERED and move[2] is not None}

    def odds(self, packed: bytes) -> dict[Label, Fraction]:
        """Return how likely each move is, by label, where chance decides."""
        moves, weights = self.program.succ(packed), self.program.weights(packed)
        total, found = sum(weights), dict[Label, Fraction]()
        for move, weight in zip(moves, weights, strict=True):
            label = self.of(move)
            found[label] = found.get(label, Fraction(0)) + Fraction(weight, total)
        return found

    def find(self, packed: bytes, label: Label) -> bytes | None:
        """Return the state that a legal move leads to, by its label; None if it is not legal."""
        name, args = label[:2], label[2]
        return next((move[2] for move in reversed(self.program.succ(packed))
                     if move[1] == args and self.edges[move[0]] == name
                     and not move[3] & FILTERED and move[2] is not None), None)

    def offered(self, packed: bytes) -> dict[Label, Successor]:
        """Give the legal moves by label, with those after which the rules never come to a rest."""
        return {self.of(move): move for move in self.program.succ(packed) if not move[3] & FILTERED}


def _called(node: Node, edge: Edge) -> str:
    """Name the moves of an edge by what players see of them."""
    if _of_one(node) is edge:
        return named(node)
    name = f"{edge.label}({','.join([param.label for param in edge.params])})"
    return name if node.kind == "decide" else f"{named(node)}: {name}"


def _of_one(node: Node) -> Edge | None:
    """Return the edge of a node at which something is chosen, or is at random; None at others."""
    name = plain_name(node.name).removeprefix(f"{node.step}/")
    return next((edge for edge in node.edges if edge.label == name and is_choice(edge)), None)


def named(node: Node) -> str:
    """Name a node: a choice by what it is among, a draw without its step."""
    edge = _of_one(node)
    if edge is not None:
        (param,) = edge.params
        return f"{node.kind} {'cards' if param.bag else param.domain.kind}"
    if {edge.label for edge in node.edges} == {"yes", "no"}:
        return "yes or no"
    name = plain_name(node.name)
    return name.removeprefix(f"{node.step}/") if node.kind == "chance" else name


def counted(arrays: Iterable[Array], *machines: Machine) -> list[str]:
    """Name those of some arrays by which games that are over differ, beside who has won.

    That a clause alone says who wins is not known of the game without it, but of the other one.
    """
    counting = [machine.counted for machine in machines if machine.counted is not None]
    return [array.name for array in arrays
            if not counting or any(array.name in names for names in counting)]


def same_arrays(first: Machine, second: Machine) -> bool:
    """Return whether what the spec declares is laid out alike in two machines."""
    def key(machine: Machine) -> list[tuple[str, tuple[int, ...], int, int]]:
        return [(a.name, a.dims, a.low, a.high) for a in machine.declared if not a.internal]

    return key(first) == key(second)


def in_step(first: Program, second: Program) -> tuple[Program, Program]:
    """Return two programs that leave out the same orders of the players: those that both may.

    What is left out of one machine only would be a difference, or hide one.
    """
    windows = first.one_order & second.one_order
    return first.with_order(windows), second.with_order(windows)
