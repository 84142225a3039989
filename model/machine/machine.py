"""The turn machine: nodes where somebody, chance or nobody decides, and guarded atomic edges.

Semantics.  A state is a value for every element of every array plus the node at which the game
rests.  A *move* at a node is an edge and a value for each of its parameters such that all the
edge's conditions hold.  Taking it runs the edge's body and goes to the edge's target.  Then, while
the node is of kind `rules`, its first edge (in order) whose conditions hold is taken at once; the
conditions of such a node's edges always cover every case, and its edges have no parameters.  What
is left is a *rest*: a node of kind `decide`, `open`, `chance` or `final`.  Only rests are states
that anybody counts.

* `decide`: the player `by` chooses.
* `open`: the rulebook does not say who or what chooses (an unstated order); all are explored.
* `chance`: each move has the probability weight / (sum of the weights of all moves of the node);
  a move with weight 0 is no move.
* `final`: the game is over.

Limits.  `Machine.limits` must hold at every rest.  At a `decide` or `open` node, a move whose next
rest breaks a limit that held before is not legal as long as some other move breaks none (the limit
forbids it); if all moves break one, all stay legal and the limit is broken by force.  `chance`
moves are never filtered.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Literal

from ..sealed import sealed
from ..source.errors import Place
from .core import Expr, Stmt
from .duties import DEFECTS, Kind
from .memory import Memory
from .titles import NONE, Titles

NodeKind = Literal["decide", "open", "chance", "rules", "final"]
Pause = tuple[Literal["before", "after"], str]
"""Where a game rests beside its decisions: before or after a clause, a step or a window."""
Role = Literal["permit", "forbid", "require", "rule"]
Visibility = Literal["all", "owner", "none"]
"""Who sees an array: everybody, the player that its first index names, nobody.
`none` is what lies hidden on the table (the order or content of a deck)."""


Configuration = tuple[int, ...]
"""For each feature of a machine, whether it is on: 0 or 1."""


@sealed
class Domain:
    """The values of one printed type, for people: value v is shown as `names[v - low]`.

    `none` is -1.  `kind` is `int`, `bool`, `player`, `card:<family>`, `enum:<name>`.
    """

    kind: str
    low: int
    high: int
    names: tuple[str, ...] = ()


@sealed
class Array:
    """A block of the state vector: `dims` elements in row-major order, each low … high.

    `declared` is False for what the engine adds (locals that live across a decision).
    `zone` is `bag`, `deck`, `pile`, `ledger` if the array holds the card counts of a zone: its last
    dimension is then the card kind.  `axes` says what each dimension ranges over (its Domain).
    """

    name: str
    dims: tuple[int, ...]
    low: int
    high: int
    start: tuple[int, ...]
    domain: Domain
    axes: tuple[Domain, ...] = ()
    seen_by: Visibility = "all"
    declared: bool = True
    zone: str = ""
    scratch: bool = False
    """True if the array has its start values at every rest (stored states may leave it out)."""
    internal: bool = False
    """True if the spec declares it as bookkeeping: a difference in it is none of the game."""
    of: Memory | None = field(default=None, repr=False)
    """What the engine keeps in it, if the spec does not declare it."""

    @property
    def size(self) -> int:
        """The number of elements."""
        n = 1
        for d in self.dims:
            n *= d
        return n


@sealed
class Param:
    """A parameter of an edge.

    A plain parameter takes the values domain.low … domain.high and is read with `Local(name)`.
    With `bag` it is a vector, one count for each card kind k of domain, 0 … `most` (an expression
    that may use Local(`var`) = k), read with `Pick(name, k)`; at least one cannot be assumed.
    `where` restricts the values (it may use the parameters before this one and this one).
    """

    name: str
    domain: Domain
    label: str
    where: Expr
    bag: bool = False
    var: str = ""
    most: Expr | None = None


@sealed
class Condition:
    """One conjunct of an edge's guard, with the clause that it comes from.

    role `permit`: holds where the clause permits; `forbid`: holds where the clause does *not*
    forbid; `require`: holds unless the clause requires something else; `rule`: plain control flow.
    """

    clause: str
    role: Role
    test: Expr


@sealed
class Edge:
    """A guarded atomic update from one node to another."""

    id: int
    source: int
    target: int
    label: str
    params: tuple[Param, ...]
    conditions: tuple[Condition, ...]
    body: tuple[Stmt, ...]
    clauses: tuple[str, ...] = ()
    weight: Expr | None = None
    passes: bool = False
    """True for declining and for ending a window: the move that does nothing."""


@sealed
class Node:
    """A point of the machine; see the module's docstring."""

    id: int
    name: str
    kind: NodeKind
    step: str
    edges: tuple[Edge, ...]
    by: Expr | None = None
    ask: str = ""
    clauses: tuple[str, ...] = ()
    pause: Pause | None = field(default=None, repr=False)
    """What it is a pause before or after; `name` says the same in words."""


@sealed
class Obligation:
    """Something that a primitive owes in every reachable situation.

    `kind` is what fails, as data; `prompt` says it in words.
    """

    id: int
    clause: str
    kind: Kind
    prompt: str
    place: Place | None = None
    others: tuple[str, ...] = ()
    """Further clauses that share it."""
    instead: bool = False
    """Whether the clause's `otherwise` runs when it fails."""
    about: str = ""
    """The zone or variable that it is about; of something outside the game, what that is called."""

    @property
    def defect(self) -> str:
        """The finding class that is reported when it fails."""
        return DEFECTS[self.kind]

    @property
    def is_bound(self) -> bool:
        """Whether it stands for a bound of the model: that it fails says nothing of the game."""
        return self.defect == "capacity"


@sealed
class Limit:
    """A condition that must hold at every rest."""

    clause: str
    test: Expr


@sealed
class Machine:
    """A whole game, compiled for one setting.  Immutable; shared by all engines.

    `arrays` are in the order of the state vector; declared arrays first, so that machines that
    differ only in a reading agree on the places of everything that the spec declares.
    `outcome` names the array (one 0/1 per player) that says who has won; meaningful at final nodes.
    """

    game: str
    players: int
    arrays: tuple[Array, ...]
    tables: Mapping[str, tuple[int, ...]]
    nodes: tuple[Node, ...]
    start: int
    obligations: tuple[Obligation, ...]
    limits: tuple[Limit, ...]
    outcome: str
    player_names: tuple[str, ...]
    features: tuple[str, ...] = ()
    """The names of what may be on or off (`core.Feature`); most machines have none of that."""
    configuration: Configuration = ()
    """Which of the features are on: 0 or 1 for each."""
    counted: tuple[str, ...] | None = None
    """The arrays that tell, beside who has won, what a game came to; None: all of them may."""
    titles: Titles = NONE
    """What its names are called; nothing is decided by that."""

    @property
    def declared(self) -> tuple[Array, ...]:
        """The arrays that the spec declares; the others are the engine's own."""
        return tuple(array for array in self.arrays if array.declared)

    @property
    def duties(self) -> dict[int, Obligation]:
        """The obligations by their ids."""
        return {duty.id: duty for duty in self.obligations}

    @property
    def bounds(self) -> frozenset[int]:
        """The ids of the obligations that stand for bounds of the model."""
        return frozenset(duty.id for duty in self.obligations if duty.is_bound)

    @property
    def start_values(self) -> tuple[int, ...]:
        """What all arrays hold before the setup, in the order of the state vector."""
        return tuple(value for array in self.arrays for value in array.start)

    def under(self, configuration: Configuration) -> Machine:
        """Return the machine with other features on.

        Raises:
            ValueError: if these are not as many truth values as there are features.

        """
        if len(configuration) != len(self.features) or not {*configuration} <= {0, 1}:
            raise ValueError(
                f"{configuration} is no configuration of {len(self.features)} features")
        return replace(self, configuration=configuration)
