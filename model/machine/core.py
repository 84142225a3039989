"""The core language: what every rule of every game is lowered to.

One definition of each rule, three readers of it: the reference interpreter (`interp`), the
compiled code (`checker.engine`) and Z3 (`symbolic`).  To keep the three honest the
core is tiny and *total*: every value is an integer (a truth value is 0 or 1, a player is a seat
number from 0, a card is the index of its kind, an absent value is -1), every expression has a
value in every state, and every loop has a bound that is known before the run.  What can go wrong
in a rulebook (a draw from nothing, a tie) is never an exception: the front end puts an explicit
check in front of it and an `Note` where it fails.

Arrays hold the state.  `Load` and `Store` outside an array's bounds cannot be written by the front
end; for totality a `Load` outside gives the array's lowest value and a `Store` outside does
nothing.
"""

from __future__ import annotations

from typing import Literal

from ..sealed import sealed

# --------------------------------------------------------------------------- expressions

UnaryOp = Literal["not", "-"]
BinaryOp = Literal[
    "+", "-", "*", "//", "%", "min", "max", "==", "!=", "<", "<=", ">", ">=", "and", "or"
]
ReduceOp = Literal["sum", "any", "all", "min", "max"]


@sealed
class Const:
    """An integer literal."""

    value: int


@sealed
class Local:
    """A value bound outside the state: an edge parameter, a `Let`, a `For` or `Reduce` variable.

    The front end numbers them.  Within an edge or node a name stands for one thing, but where a
    part of an expression stands in several places: each binds it anew, and none inside another.
    """

    name: str


@sealed
class Pick:
    """The number of cards of kind `index` in the bag parameter `name` of the edge."""

    name: str
    index: Expr


@sealed
class Load:
    """The element of a state array; `index` has one entry for each of its dimensions."""

    array: str
    index: tuple[Expr, ...] = ()


@sealed
class Table:
    """The element of a constant table (a card attribute, say); outside its bounds: 0."""

    table: str
    index: Expr


@sealed
class Unary:
    """`not a` (0 or 1) or `-a`."""

    op: UnaryOp
    operand: Expr


@sealed
class Binary:
    """Arithmetic, comparison, and the two short-circuit connectives.

    `//` and `%` round towards minus infinity as in Python, and give 0 when the divisor is 0.
    Operands of `and` and `or` are 0 or 1.
    """

    op: BinaryOp
    left: Expr
    right: Expr


@sealed
class Cond:
    """`then` if `test` is not 0, else `other`."""

    test: Expr
    then: Expr
    other: Expr


@sealed
class Reduce:
    """Fold `body` over `var` = 0 … `size`-1 for which `where` is not 0.

    Over nothing: sum 0, any 0, all 1, min and max give `empty`.
    """

    op: ReduceOp
    var: str
    size: int
    where: Expr
    body: Expr
    empty: int = 0


@sealed
class Feature:
    """1 if the feature with this number is on in the configuration that the machine runs in.

    Only machines that stand for a whole family of games have any (`Machine.features`).  It is no
    part of the state and never changes during a play.
    """

    number: int


Expr = Const | Local | Pick | Load | Table | Unary | Binary | Cond | Reduce | Feature

TRUE = Const(1)
FALSE = Const(0)

# --------------------------------------------------------------------------- statements


@sealed
class Let:
    """Bind a new local for the statements that follow in the same body (and inside them)."""

    name: str
    value: Expr


@sealed
class Store:
    """Write one element.  The front end has clamped `value` into the array's range."""

    array: str
    index: tuple[Expr, ...]
    value: Expr


@sealed
class Fill:
    """Write `array[prefix…, var]` for var = 0 … `size`-1, all values computed before any write."""

    array: str
    prefix: tuple[Expr, ...]
    var: str
    size: int
    value: Expr


@sealed
class If:
    """Statements under a condition."""

    test: Expr
    then: tuple[Stmt, ...]
    other: tuple[Stmt, ...] = ()


@sealed
class For:
    """Statements for `var` = 0 … `size`-1 in ascending order."""

    var: str
    size: int
    body: tuple[Stmt, ...]


@sealed
class Note:
    """Record that the obligation with this number failed here."""

    obligation: int


@sealed
class Cite:
    """Mark that the clause with this id is being applied (for coverage and for `cites`)."""

    clause: str


Stmt = Let | Store | Fill | If | For | Note | Cite
