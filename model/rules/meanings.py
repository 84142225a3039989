"""What expressions mean: a value of the core, a set of players, a bag of cards; what they owe."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from ..game.game import Ty, Zone
from ..machine.core import TRUE, Const, Expr, Load, Pick
from ..machine.duties import Kind
from ..machine.simplify import implies
from ..sealed import sealed
from ..source.errors import Place

BOOL = Ty("bool", low=0, high=1)
PLAYER = Ty("player")
NOTHING = Ty("none", optional=True)
NOUGHT = Const(0)
NO_SEATS = ("rules never name a seat: who it is stands in a variable with a `start`, "
            "or is computed, as in `next_player(active)`")
NO_SUMS = ("players are no numbers: who is next is `next_player(p)`, "
           "and on the right `previous_player(p)`")
EMPTY_SET = "the empty set is written `{}`"
MAY_BE_NONE = "what may be `none` has a type with `?` behind it"
"""What to do instead of frequent mistakes."""
SIZES = frozenset({"len", "length", "size", "count", "amount"})
"""What elsewhere tells how many there are of something."""


@sealed
class Owed:
    """A condition that must hold for the sentence to make sense; `kind` is what fails if not."""

    test: Expr
    kind: Kind
    prompt: str
    place: Place
    of_name: bool = False
    """True if it is owed by every use of a name: `place` is then that of the use."""
    about: str = ""
    """The zone or variable that it is about; of something outside the game, what that is called."""


Checks = tuple[Owed, ...]


@sealed
class Scalar:
    """One integer of the core; for type int, `ty` bounds it."""

    ty: Ty
    expr: Expr
    checks: Checks = ()


@sealed
class PlayerSet:
    """A set of players, and the order in which a loop takes them.

    `order` is `any` (not stated), `clockwise` or `counterclockwise` from `start`, or `together`.
    `ranking` marks the result of argmin and argmax: a failing `only` is then a tie, or where it may
    be `empty`, as nobody is ranked, that there is nobody to compare.
    """

    member: Callable[[Expr], Expr]
    checks: Checks = ()
    order: str = "any"
    start: Expr = NOUGHT
    ranking: bool = False
    empty: bool = False


@sealed
class BagMeaning:
    """Cards of a family, a count for each kind; `zone` if that is where they lie."""

    family: str
    count: Callable[[Expr], Expr]
    checks: Checks = ()
    zone: ZoneAt | None = None


@sealed
class ZoneAt:
    """A zone, at a player if it is per player."""

    zone: Zone
    owner: tuple[Expr, ...]


@sealed
class Span:
    """Consecutive values: an enum, a family's cards, a range of integers with its two ends."""

    ty: Ty
    low: int
    size: int
    where: Callable[[Expr], Expr]
    checks: Checks = ()
    ends: tuple[Scalar, Scalar] | None = None


@sealed
class PoolAt:
    """The records of a pool, at a player if it is per player."""

    pool: str
    owner: tuple[Expr, ...]
    checks: Checks = ()


@sealed
class RecordAt:
    """One record of a pool; `optional` if the name may stand for none, which is index -1."""

    pool: str
    owner: tuple[Expr, ...]
    index: Expr
    checks: Checks = ()
    optional: bool = False


Value = Scalar | PlayerSet | BagMeaning | Span | PoolAt | RecordAt


@sealed
class Iteration:
    """What a generator or a loop runs over: `low + i` for i = 0 … `size`-1 where `where` holds."""

    ty: Ty
    low: int
    size: int
    where: Callable[[Expr], Expr]
    copies: Callable[[Expr], Expr]
    checks: Checks
    order: str = "ascending"
    start: Expr = NOUGHT
    pool: PoolAt | None = None
    ends: tuple[Scalar, Scalar] | None = None


class Failed(Exception):  # noqa: N818 - the error itself is reported elsewhere
    """An expression has an error that was reported; its value cannot be used."""


def one(_: Expr) -> Expr:
    """Count everything once."""
    return TRUE


@sealed
class Names:
    """What the names of a body stand for besides those that the spec declares.

    `lost` are those that a statement with a mistake was to set: what they are is not known.
    """

    names: Mapping[str, Value]
    lost: frozenset[str] = frozenset()

    def bind(self, name: str, value: Value) -> Names:
        """Add or shadow a name."""
        return Names({**self.names, name: value}, self.lost - {name})

    def lose(self, names: Iterable[str]) -> Names:
        """Take away names that were to be set anew."""
        gone = frozenset(names)
        return Names({k: v for k, v in self.names.items() if k not in gone}, self.lost | gone)


def under(test: Expr, checks: Checks) -> Checks:
    """Owe checks only where a test holds."""
    return tuple(replace(check, test=implies(test, check.test)) for check in checks)


def with_checks(value: Value, checks: Checks) -> Value:
    """Put checks in front of those of a value."""
    if not checks:
        return value
    return replace(value, checks=(*checks, *value.checks))


def used_at(value: Value, place: Place) -> Value:
    """Put what the use of a name owes where it is used."""
    if not any(check.of_name for check in value.checks):
        return value
    return replace(value, checks=tuple(
        replace(check, place=place, of_name=False) if check.of_name else check
        for check in value.checks))


def called(value: Value) -> str:
    """Say what kind of thing a value is, for messages."""
    match value:
        case Scalar():
            return typed(str(value.ty))
        case PlayerSet():
            return "a set of players"
        case BagMeaning():
            return "cards"
        case Span():
            return "a range of values"
        case PoolAt():
            return f"the records `{value.pool}`"
        case RecordAt():
            return f"a record of `{value.pool}`"


def typed(text: str) -> str:
    """Name a type, for messages."""
    if text.startswith("none"):
        return "`none`"
    return f"`{text}`"


def bag_local(array: str, family: str) -> BagMeaning:
    """Return a bag that a body keeps in an array of its own."""
    return BagMeaning(family, lambda k: Load(array, (k,)))


def bag_param(name: str, family: str) -> BagMeaning:
    """Return a bag that is a parameter of an edge."""
    return BagMeaning(family, lambda k: Pick(name, k))


def comparable(left: Ty, right: Ty) -> bool:
    """Return whether `==` between two types can be true."""
    return "none" in (left.kind, right.kind) or (left.kind, left.name) == (right.kind, right.name)


def join(left: Ty, right: Ty) -> Ty | None:
    """Return the type of a value that is one or the other, or None if there is none."""
    if left.kind == "none":
        return replace(right, optional=True)
    if right.kind == "none":
        return replace(left, optional=True)
    if (left.kind, left.name) != (right.kind, right.name):
        return None
    return replace(left, low=min(left.low, right.low), high=max(left.high, right.high),
                   optional=left.optional or right.optional)
